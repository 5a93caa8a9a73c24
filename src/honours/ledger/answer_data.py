"""The ledger's answers as plain data for programs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from honours.engine.numbers import show
from honours.model.member import Member

if TYPE_CHECKING:  # whoever asks for a statement waits for nothing else
    from honours.ledger.chain import NewPosting
    from honours.ledger.post import PostingOutcome
    from honours.ledger.ranks import Promotion, Rung
    from honours.ledger.release import Draft
    from honours.ledger.statement import PostingReason, Statement
    from honours.ledger.verify import Verification


def member_data(member: Member) -> dict[str, Any]:
    return {
        "member": member.id,
        "number": member.number,
        "name": member.name,
        **member.details,
    }


# --- posting ----------------------------------------------------------------------------------


def outcome_data(outcome: PostingOutcome) -> dict[str, Any]:
    """The outcome of posting an event, as plain data that refers to members by their ids."""
    return {
        "status": outcome.status,
        "event": outcome.event.title,
        "date": outcome.event.day,
        "record": outcome.record,
        "rulebook": outcome.event.rulebook.id,
        "postings": [
            {"member": line.member, "kind": kind, "amount": amount}
            for line, kind, amount in _lines_credited(outcome)
        ],
        "difference": list(outcome.difference),
        "like": outcome.like,
        "newcomers": [{"member": m.id} for m in outcome.newcomers],
        "promotions": [_promoted(p) for p in outcome.promotions],
        "remarks": list(outcome.remarks),
    }


def _lines_credited(outcome: PostingOutcome) -> Iterator[tuple[NewPosting, str, str]]:
    """Every line with its kind of points and its amount, as people read them."""
    for line in outcome.lines:
        kind = outcome.prepared.payment.kind(line.kind) if outcome.prepared else None
        yield line, kind.name if kind else "", kind.shown(line.amount) if kind else str(line.amount)


def people_in(outcome: Mapping[str, Any]) -> set[int]:
    """The members that an outcome's data mentions."""
    return {one["member"] for part in _PEOPLE for one in outcome[part]}


def with_member_names(outcome: Mapping[str, Any], known: Mapping[int, Member]) -> dict[str, Any]:
    """An outcome's data with the members' current names."""
    shown: dict[str, Any] = dict(outcome)
    shown["postings"] = [{**p, "name": known[p["member"]].title} for p in outcome["postings"]]
    shown["newcomers"] = [member_data(known[m["member"]]) for m in outcome["newcomers"]]
    shown["promotions"] = [{**p, **_called(known[p["member"]])} for p in outcome["promotions"]]
    return shown


_PEOPLE = ("postings", "newcomers", "promotions")


def _called(member: Member) -> dict[str, str]:
    return {"name": member.name, "number": member.number}


def _promoted(promotion: Promotion) -> dict[str, Any]:
    return {
        "member": promotion.member.id,
        "rank": promotion.rank,
        "record": promotion.record,
        "event": promotion.title,
        "date": promotion.day,
    }


def promotion_data(promotion: Promotion) -> dict[str, Any]:
    return {**_promoted(promotion), **_called(promotion.member)}


def draft_data(draft: Draft) -> dict[str, Any]:
    held = draft.content
    return {
        "draft": draft.id,
        "status": draft.status,
        "event": draft.title,
        "date": held["day"],
        "club": held["club"],
        "rulebook": held["rulebook"],
        "who": draft.who,
        "at": draft.at,
        "settled_by": draft.settled_by,
        "remark": draft.remark,
        "record": draft.record,
    }


# --- statements and ranks ---------------------------------------------------------------------


def statement_data(statement: Statement) -> dict[str, Any]:
    return {
        **member_data(statement.member),
        "postings": [
            {
                "posting": p.posting,
                "record": p.record,
                "action": p.action,
                "date": p.day,
                "event": p.title,
                "scheme": p.kind.scheme,
                "kind": p.kind.name,
                "amount": p.shown,
                "at": p.at,
                "who": p.who,
                "why": p.why,
                "reverses": p.reverses,
            }
            for p in statement.lines
        ],
        "balances": [
            {"scheme": k.scheme, "kind": k.name, "balance": k.shown(units)}
            for k, units in statement.balances.items()
        ],
    }


def reason_data(reason: PostingReason) -> dict[str, Any]:
    from honours.engine.exact.explanation import to_data
    from honours.reports.provenance import known_fact

    return {
        "posting": reason.posting.id,
        "record": reason.record.id,
        "who": reason.record.who,
        "at": reason.record.at,
        "why": reason.record.why,
        "doubt": reason.doubt,
        "explanation": [to_data(s) for s in reason.steps],
        "made_from": [known_fact(one) for one in reason.known],
    }


def rung_data(rung: Rung) -> dict[str, Any]:
    return {
        **member_data(rung.member),
        "rank": rung.rank,
        "next": rung.next,
        "points": {k: show(v) for k, v in rung.points.items()},
        "missing": {k: show(v) for k, v in rung.missing.items()},
    }


# --- verification -----------------------------------------------------------------------------


def verification_data(verification: Verification) -> dict[str, Any]:
    return {
        "verdict": verification.verdict,
        "records": verification.records,
        "head": verification.head,
        "counts": dict(verification.counts),
        "postings": [
            {"posting": v.posting, "record": v.record, "verdict": v.verdict, "said": v.said}
            for v in verification.verdicts
        ],
        "unexplained": [
            {"said": one.said, "postings": one.postings, "records": list(one.records)}
            for one in verification.unexplained
        ],
        "findings": [{"where": f.where, "said": f.said} for f in verification.findings],
        "remarks": list(verification.remarks),
        "since": _since(verification),
    }


def _since(verification: Verification) -> dict[str, Any] | None:
    since = verification.since
    if since is None:
        return None
    return {"continues": since.held, "said": since.said, "links": list(since.links)}
