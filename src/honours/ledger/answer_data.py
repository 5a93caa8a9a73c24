"""The ledger's answers as plain data for programs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from honours.ledger.shapes import MEMBERS, POSTINGS, PROMOTIONS
from honours.model.member import Member

if TYPE_CHECKING:  # whoever asks for a statement waits for nothing else
    from honours.ledger.chain import NewPosting
    from honours.ledger.post import PostingOutcome
    from honours.ledger.statement import PostingReason, Statement
    from honours.ledger.verify import Verification

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
        "promotions": [PROMOTIONS.data(p) for p in outcome.promotions],
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
    shown["newcomers"] = [MEMBERS.data(known[m["member"]]) for m in outcome["newcomers"]]
    shown["promotions"] = [{**p, **_called(known[p["member"]])} for p in outcome["promotions"]]
    return shown


_PEOPLE = ("postings", "newcomers", "promotions")


def _called(member: Member) -> dict[str, str]:
    return {"name": member.name, "number": member.number}


# --- statements -----------------------------------------------------------------------------


def statement_data(statement: Statement) -> dict[str, Any]:
    """A member's postings, and what they add up to."""
    return {
        **MEMBERS.data(statement.member),
        "postings": [POSTINGS.data(line) for line in statement.lines],
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
