"""What the ledger answers, as text for people and as plain data for programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from textwrap import fill
from typing import Any

from honours.engine.explanation import render_text, to_data
from honours.engine.numbers import show
from honours.errors import how_many
from honours.ledger import post, release
from honours.ledger.enrol import Enrolment
from honours.ledger.members import Member
from honours.ledger.post import Outcome
from honours.ledger.ranks import Promotion, Rung
from honours.ledger.release import Draft
from honours.ledger.statement import Reason, Statement
from honours.ledger.submissions import Submission
from honours.ledger.verify import ALTERED, SAME, Verification
from honours.model.message import Message
from honours.reports.tables import text_table


def member_data(member: Member) -> dict[str, Any]:
    return {
        "member": member.id,
        "number": member.number,
        "name": member.name,
        "visitor": member.visitor,
        "opted_out": member.opted_out,
    }


# --- posting ----------------------------------------------------------------------------------


def outcome_data(outcome: Outcome) -> dict[str, Any]:
    """What became of an event, as plain data that knows members by their ids."""
    kind = outcome.prepared.kind if outcome.prepared else None
    return {
        "status": outcome.status,
        "event": outcome.event.title,
        "date": outcome.event.day,
        "record": outcome.record,
        "rulebook": outcome.event.rulebook.id,
        "postings": [
            {
                "member": line.member,
                "kind": kind.name if kind else "",
                "amount": kind.shown(line.amount) if kind else str(line.amount),
            }
            for line in outcome.lines
        ],
        "difference": list(outcome.difference),
        "like": outcome.like,
        "newcomers": [{"member": m.id} for m in outcome.newcomers],
        "promotions": [_promoted(p) for p in outcome.promotions],
        "remarks": list(outcome.remarks),
    }


def people_in(outcome: Mapping[str, Any]) -> set[int]:
    """The members that the data of an outcome is about."""
    return {one["member"] for part in _PEOPLE for one in outcome[part]}


def named(outcome: Mapping[str, Any], known: Mapping[int, Member]) -> dict[str, Any]:
    """The data of an outcome with the members' names as they are now."""
    told: dict[str, Any] = dict(outcome)
    told["postings"] = [{**p, "name": known[p["member"]].title} for p in outcome["postings"]]
    told["newcomers"] = [member_data(known[m["member"]]) for m in outcome["newcomers"]]
    told["promotions"] = [{**p, **_called(known[p["member"]])} for p in outcome["promotions"]]
    return told


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


def _with_number(member: Member) -> str:
    return f"{member.name} ({member.number})" if member.name and member.number else member.title


def promotions_text(promotions: Sequence[Promotion]) -> list[str]:
    """Who was promoted to what, each with the event that did it."""
    return [
        f"Promoted: {_with_number(p.member)} is now {p.rank}, by {p.title} {p.day}".rstrip()
        for p in promotions
    ]


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


def outcome_text(outcome: Outcome, names: Mapping[int, str], again: str) -> str:
    """What became of an event; ``again`` is the command as it was given, to build advice on."""
    title = f"{outcome.event.title} {outcome.event.day}".strip()
    parts = [_STATUS[outcome.status](outcome, title, again)]
    if outcome.status in (post.POSTED, release.HELD):
        parts.append(_lines(outcome, names))
    parts += [f"  {line}" for line in outcome.difference]
    parts += [f"Note: {remark}" for remark in outcome.remarks]
    if outcome.status in (post.POSTED, release.HELD):
        parts += _newcomers(outcome.newcomers)
    parts += promotions_text(outcome.promotions)
    return "\n".join(part for part in parts if part)


def _newcomers(newcomers: Sequence[Member]) -> list[str]:
    """Who nobody knew yet, in a paragraph each: those with a number, those without."""
    told = []
    for visitors, what in ((False, "member"), (True, "visitor")):
        titles = [m.title.replace(" ", "\xa0") for m in newcomers if m.visitor == visitors]
        if titles:
            text = f"{how_many(len(titles), f'new {what}')}: {', '.join(titles)}"
            told.append(fill(text, 100, subsequent_indent="  ").replace("\xa0", " "))
    return told


def _forbidden(outcome: Outcome, title: str, again: str) -> str:  # noqa: ARG001
    advice = f'To post it all the same, if you may: {again} --overrule "…"'
    return f"{title}: not permitted, and not posted\n{advice}"


def _posted(outcome: Outcome, title: str, again: str) -> str:  # noqa: ARG001
    return f"{title}: posted as record {outcome.record}"


def _held(outcome: Outcome, title: str, again: str) -> str:  # noqa: ARG001
    return (
        f"{title}: held as draft {outcome.record}; to post it: "
        f"honours ledger release {outcome.record}"
    )


def _already(outcome: Outcome, title: str, again: str) -> str:  # noqa: ARG001
    there = f"as record {outcome.record}" if outcome.record else f"as {outcome.like}"
    return f"{title}: already there {there}; nothing was changed"


def _different(outcome: Outcome, title: str, again: str) -> str:
    return (
        f"{title}: posted before as record {outcome.record} with other results; nothing was "
        f'changed.\nTo correct it: {again} --correct --why "…"\nThe difference:'
    )


def _recognised(outcome: Outcome, title: str, again: str) -> str:
    return (
        f"{title}: looks like {outcome.like}, posted as record {outcome.record}; nothing was "
        f"changed.\nIf it is another event all the same: {again} --another"
    )


def _no_award(outcome: Outcome, title: str, again: str) -> str:  # noqa: ARG001
    return f"{title}: no award, so nothing was posted"


_STATUS = {
    post.POSTED: _posted,
    release.HELD: _held,
    post.ALREADY: _already,
    post.DIFFERS: _different,
    post.RECOGNISED: _recognised,
    post.NOTHING: _no_award,
    post.FORBIDDEN: _forbidden,
}


def _lines(outcome: Outcome, names: Mapping[int, str]) -> str:
    if not outcome.prepared or not outcome.lines:
        return "nobody is awarded anything"
    kind = outcome.prepared.kind
    rows = [
        (names.get(line.member, f"#{line.member}"), kind.name, kind.shown(line.amount))
        for line in outcome.lines
    ]
    return text_table(("NAME", "KIND", "POINTS"), rows)


def enrolment_text(done: Enrolment) -> str:
    text = f"{len(done.added)} added, {len(done.changed)} changed, {done.unchanged} as they were"
    return f"{text}; opening balances posted as record {done.opening}" if done.opening else text


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


def statement_text(statement: Statement) -> str:
    rows = [
        (
            str(p.posting),
            p.day or p.at[:10],
            p.title,
            p.kind.name,
            p.shown,
            p.why if p.action != "award" else "",
        )
        for p in statement.lines
    ]
    head = f"{statement.member.title} {statement.member.number}".strip()
    table = text_table(("POSTING", "DATE", "EVENT", "KIND", "POINTS", "REMARK"), rows)
    sums = [f"{k.scheme}, {k.name}: {k.shown(units)}" for k, units in statement.balances.items()]
    return "\n".join([head, table if rows else "no postings", *sums])


def reason_text(reason: Reason) -> str:
    record = reason.record
    head = (
        f"posting {reason.posting.id}: {record.title} {record.day}, record {record.id} "
        f"by {record.who} at {record.at}"
    )
    steps = [render_text(step) for step in reason.explanations]
    return "\n".join([head, *(steps or [record.why or "an opening balance"])])


def reason_data(reason: Reason) -> dict[str, Any]:
    return {
        "posting": reason.posting.id,
        "record": reason.record.id,
        "who": reason.record.who,
        "at": reason.record.at,
        "explanation": [to_data(s) for s in reason.steps],
    }


def rung_data(rung: Rung) -> dict[str, Any]:
    return {
        **member_data(rung.member),
        "rank": rung.rank,
        "next": rung.next,
        "points": {k: show(v) for k, v in rung.points.items()},
        "missing": {k: show(v) for k, v in rung.missing.items()},
    }


def rungs_text(rungs: Sequence[Rung]) -> str:
    rows = [
        (
            r.member.title,
            r.rank,
            show(sum(r.points.values(), Fraction(0))),
            r.next,
            ", ".join(f"{show(v)} {k}" for k, v in r.missing.items()),
        )
        for r in rungs
    ]
    return text_table(("NAME", "RANK", "POINTS", "NEXT", "STILL NEEDS"), rows)


# --- submissions ------------------------------------------------------------------------------


def overview_text(pending: Sequence[Any], made: Sequence[Submission]) -> str:
    """What waits to be sent, and what became of what was."""
    waiting = [(str(r.id), r.day, r.title, r.action, str(r.postings)) for r in pending]
    rows = [(str(s.id), s.since, s.until, s.status, str(len(s.records)), s.remark) for s in made]
    return "\n".join(
        [
            "Pending",
            text_table(("RECORD", "DATE", "EVENT", "WHAT", "POSTINGS"), waiting),
            "",
            "Submissions",
            text_table(("NO", "SINCE", "UNTIL", "STATUS", "RECORDS", "REMARK"), rows),
        ]
    )


# --- verification -----------------------------------------------------------------------------


def verification_data(found: Verification, every: bool = False) -> dict[str, Any]:
    told = [v for v in found.verdicts if every or v.verdict != SAME]
    return {
        "sound": found.sound,
        "records": found.records,
        "head": found.head,
        "counts": dict(found.counts),
        "postings": [
            {"posting": v.posting, "record": v.record, "verdict": v.verdict, "said": v.said}
            for v in told
        ],
        "findings": [{"where": f.where, "said": f.said} for f in found.findings],
        "remarks": list(found.remarks),
        "since": _since(found),
    }


def _since(found: Verification) -> dict[str, Any] | None:
    since = found.since
    if since is None:
        return None
    return {"continues": since.held, "said": since.said, "links": list(since.links)}


def verification_text(found: Verification) -> str:
    counts = ", ".join(f"{n} {verdict}" for verdict, n in sorted(found.counts.items()))
    total = f"{how_many(found.records, 'record')}, {how_many(len(found.verdicts), 'posting')}"
    lines = [f"{total}: {counts or 'none'}"]
    lines += [
        f"posting {v.posting} of record {v.record}: {v.verdict}: {v.said}"
        for v in found.verdicts
        if v.verdict == ALTERED
    ]
    lines += [f"{f.where}: {f.said}" for f in found.findings]
    lines += [f"Note: {remark}" for remark in found.remarks]
    if found.since:
        lines += [f"{found.since.said}:" if found.since.links else found.since.said]
        lines += [f"  {link}" for link in found.since.links]
    last = "The ledger is sound." if found.sound else "The ledger was ALTERED."
    return "\n".join([*lines, f"{last} Head of the chain: {found.head or 'empty'}"])


def record_title(record: Any) -> str:
    """What a record is called: by its event, or by what was done."""
    return Message("Opening balances") if record.action == "opening" else str(record.title)
