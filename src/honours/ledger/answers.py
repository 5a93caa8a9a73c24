"""The ledger's answers: messages and tables for people, which the caller renders in their language,
and plain data for programs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from honours.ledger import post, receipts, release
from honours.ledger.enrol import Enrolment
from honours.ledger.judging import ALTERED
from honours.ledger.kinds import USUAL
from honours.ledger.post import PostingOutcome
from honours.ledger.ranks import Promotion
from honours.ledger.receipts import Receipt
from honours.ledger.shapes import MEMBERS, PENDING, PROMOTIONS, SUBMISSIONS, lines_table
from honours.ledger.statement import PostingReason
from honours.ledger.submissions import Submission
from honours.ledger.verify import Unexplained, Verification
from honours.model import Step
from honours.model.member import Member
from honours.model.message import Message, joined, mark, plural, word
from honours.model.table import Table
from honours.reports.provenance import known_once, lines_of_known

Answer = list[str | Table | Step]
"""Paragraphs, tables and explanations, one below the other."""
_NAMED = 12
"""How many records are named one by one."""


# --- posting ----------------------------------------------------------------------------------


_STATUS: Mapping[str, tuple[str, ...]] = {
    post.POSTED: (mark("{title}: posted as record {record}"),),
    release.HELD: (mark("{title}: held as draft {draft}; to post it: {command}"),),
    post.ALREADY: (mark("{title}: already in the ledger as {like}; nothing was changed"),),
    post.DIFFERS: (
        mark("{title}: posted before as record {record} with other results; nothing was changed."),
        mark("To correct it: {command}"),
        mark("The difference:"),
    ),
    post.RECOGNISED: (
        mark("{title}: looks like {like}, posted as record {record}; nothing was changed."),
        mark("If it really is another event: {command}"),
    ),
    post.NOTHING: (mark("{title}: no award, so nothing was posted"),),
    post.FORBIDDEN: (
        mark("{title}: not permitted, and not posted"),
        mark("To post it anyway, if you are allowed to: {command}"),
    ),
}
_COMMANDS = {
    release.HELD: "honours ledger drafts release {record}",
    post.DIFFERS: '{again} --correct --why "…"',
    post.RECOGNISED: "{again} --another",
    post.FORBIDDEN: '{again} --overrule "…"',
}
"""What may be done about it."""


def outcome_answer(outcome: PostingOutcome, known: Mapping[int, Member], again: str) -> Answer:
    """The outcome of posting an event; ``again`` is the command as given, on which advice is
    based."""
    status, record = outcome.status, outcome.record
    values = {
        "title": f"{outcome.event.title} {outcome.event.day}".strip(),
        "record": record,
        "draft": record,
        "like": outcome.like,
        "command": _COMMANDS.get(status, "").format(again=again, record=record),
    }
    if status == post.ALREADY and record:
        values["like"] = Message("record {record}", record=record)
    answer: Answer = [Message(template, **values) for template in _STATUS[status]]
    credited = status in (post.POSTED, release.HELD)
    if credited and outcome.prepared and outcome.lines:
        answer.append(
            lines_table(outcome.prepared.payment.kind, outcome.lines, known).without("number")
        )
    elif credited:
        answer.append(Message("nobody is awarded anything"))
    if credited and outcome.prepared:
        known_of = known_once(outcome.prepared.awards.lists)
        answer += lines_of_known(one for one in known_of if one.used)
    answer += [f"  {line}" for line in outcome.difference]
    answer += [Message("Note: {note}", note=remark) for remark in outcome.remarks]
    if credited:
        answer += _newcomers(outcome.newcomers)
    return answer + promotions_answer(outcome.promotions)


def what_to_do(status: str, again: str) -> list[Message]:
    """Return the remedies for an event that was not posted."""
    command = _COMMANDS.get(status, "").format(again=again, record="")
    return [
        Message(template, command=command)
        for template in _STATUS[status]
        if "{command}" in template and "{title}" not in template
    ]


def promotions_answer(promotions: Iterable[Promotion]) -> Answer:
    """Say who was promoted to what, each with the event that did it."""
    return [
        Message(
            "Promoted: {who} is now {rank}, by {event}",
            who=_with_number(promotion.member),
            rank=promotion.rank,
            event=f"{promotion.title} {promotion.day}".rstrip(),
        )
        for promotion in promotions
    ]


def _with_number(member: Member) -> str:
    return f"{member.name} ({member.number})" if member.name and member.number else member.title


def _newcomers(newcomers: Sequence[Member]) -> Answer:
    """The newcomers: those with a number, then those without."""
    members = tuple(member.title for member in newcomers if not member.visitor)
    visitors = tuple(member.title for member in newcomers if member.visitor)
    told = (
        plural(
            "{count:,} new member: {names}",
            "{count:,} new members: {names}",
            count=len(members),
            names=members,
        ),
        plural(
            "{count:,} new visitor: {names}",
            "{count:,} new visitors: {names}",
            count=len(visitors),
            names=visitors,
        ),
    )
    return [one for one in told if one.values["count"]]


def outcome_data(outcome: PostingOutcome) -> dict[str, Any]:
    """The outcome of posting an event, as plain data that refers to members by their ids."""
    kind_of = outcome.prepared.payment.kind if outcome.prepared else None
    return {
        "status": outcome.status,
        "event": outcome.event.title,
        "date": outcome.event.day,
        "record": outcome.record,
        "rulebook": outcome.event.rulebook.id,
        "postings": [
            {
                "member": line.member,
                "kind": kind_of(line.kind).name if kind_of else "",
                "amount": kind_of(line.kind).shown(line.amount) if kind_of else str(line.amount),
            }
            for line in outcome.lines
        ],
        "difference": list(outcome.difference),
        "like": outcome.like,
        "newcomers": [{"member": m.id} for m in outcome.newcomers],
        "promotions": [PROMOTIONS.data(p) for p in outcome.promotions],
        "remarks": list(outcome.remarks),
    }


def people_in(outcome: Mapping[str, Any]) -> set[int]:
    """The members that an outcome's data mentions."""
    parts = ("postings", "newcomers", "promotions")
    return {one["member"] for part in parts for one in outcome[part]}


def with_member_names(outcome: Mapping[str, Any], known: Mapping[int, Member]) -> dict[str, Any]:
    """An outcome's data with the members' current names."""
    shown: dict[str, Any] = dict(outcome)
    shown["postings"] = [{**p, "name": known[p["member"]].title} for p in outcome["postings"]]
    shown["newcomers"] = [MEMBERS.data(known[m["member"]]) for m in outcome["newcomers"]]
    shown["promotions"] = [
        {**p, "name": known[p["member"]].name, "number": known[p["member"]].number}
        for p in outcome["promotions"]
    ]
    return shown


def enrolment_answer(done: Enrolment) -> Answer:
    """Say how many members a list added and changed, and where their balances were posted."""
    answer: Answer = [
        Message(
            "{added:,} added, {changed:,} changed, {same:,} unchanged",
            added=done.added,
            changed=done.changed,
            same=done.unchanged,
        )
    ]
    if done.opening:
        answer.append(Message("opening balances posted as record {record}", record=done.opening))
    return [*answer, *unread_columns(done)]


def unread_columns(done: Enrolment) -> list[Message]:
    """The columns of a list that were not used; for balances, what they lack."""
    if not done.unread:
        return []
    columns = Message("columns that were not used: {columns}", columns=", ".join(done.unread))
    if not USUAL.keys() & {title.casefold() for title in done.unread}:
        return [columns]
    return [columns, Message("opening balances are posted only when you say whose points they are")]


# --- statements, submissions and receipts -----------------------------------------------------


def reason_answer(reason: PostingReason) -> Answer:
    """Say why a posting is what it is."""
    record = reason.record
    head = Message(
        "posting {posting}: {event}, record {record} by {who} at {at}",
        posting=reason.posting.id,
        event=f"{record.title} {record.day}".strip(),
        record=record.id,
        who=record.who,
        at=record.at,
    )
    steps = reason.explanations
    if not steps:
        return [head, record.why or Message("an opening balance")]
    why = [Message("Reason: {why}", why=record.why)] if record.why else []
    doubt = [reason.doubt] if reason.doubt else []
    return [head, *doubt, *why, *steps, *(["", *reason.made_from] if reason.known else [])]


def overview_answer(pending: Sequence[Any], submissions: Sequence[Submission]) -> Answer:
    """Say what is waiting to be sent, and the outcome of what was sent."""
    return [PENDING.table(pending), "", SUBMISSIONS.table(reversed(submissions))]


def receipt_text(receipt: Receipt) -> Message:
    """A receipt as its club reads it: what was received, and what was done with it."""
    lines = [
        Message("Receipt {number} of {at}", number=receipt.id, at=receipt.at),
        Message(
            "{title}, {day}, {club}, from {source}",
            title=receipt.title or "–",
            day=receipt.day or "–",
            club=receipt.club or "–",
            source=receipt.source,
        ),
        _became(receipt),
    ]
    return joined("\n", [*lines, *receipt.said])


def _became(receipt: Receipt) -> Message:
    if receipt.status == receipts.HELD:
        return Message("Held for review as draft {number}.", number=receipt.draft or 0)
    if receipt.record is not None:
        return Message(
            "{status}: record {number}.", status=word(receipt.status), number=receipt.record
        )
    return Message("{status}.", status=word(receipt.status))


# --- verification -----------------------------------------------------------------------------


def _postings(count: int) -> Message:
    return plural("{count:,} posting", "{count:,} postings", count=count)


def _records(count: int) -> Message:
    return plural("{count:,} record", "{count:,} records", count=count)


def _counted(verified: Verification) -> Message:
    counts = tuple(
        Message("{count:,} × {verdict}", count=count, verdict=word(verdict))
        for verdict, count in sorted(verified.counts.items())
    )
    return Message(
        "{records}, {postings}: {counts}",
        records=_records(verified.records),
        postings=_postings(sum(verified.counts.values())),
        counts=counts or Message("none"),
    )


def verification_answer(verified: Verification) -> Answer:
    """Say whether the ledger is sound, and everything that is wrong with it."""
    answer: Answer = [_counted(verified)]
    answer += [
        Message(
            "posting {posting} of record {record}: {verdict}: {said}",
            posting=one.posting,
            record=one.record,
            verdict=word(one.verdict),
            said=one.said,
        )
        for one in verified.verdicts
        if one.verdict == ALTERED
    ]
    answer += map(_unexplained, verified.unexplained)
    answer += [
        Message("{where}: {said}", where=finding.where, said=finding.said)
        for finding in verified.findings
    ]
    answer += [Message("Note: {note}", note=remark) for remark in verified.remarks]
    if verified.since:
        links = [f"  {link}" for link in verified.since.links]
        continuation = verified.since.said
        answer += [Message("{said}:", said=continuation), *links] if links else [continuation]
    head = verified.head or Message("empty")
    return [
        *answer,
        Message("{verdict} Head of the chain: {head}", verdict=_verdict(verified), head=head),
    ]


def _unexplained(reason: Unexplained) -> Message:
    numbers = reason.records
    return Message(
        "{postings} in {records}: {said}: record {numbers}",
        postings=_postings(reason.postings),
        records=_records(len(numbers)),
        said=reason.said,
        numbers=(*numbers[:_NAMED], *(["…"] if len(numbers) > _NAMED else ())),
    )


def _verdict(verified: Verification) -> Message:
    if verified.verdict == ALTERED:
        return Message("The ledger was ALTERED.")
    if verified.sound:
        return Message("The ledger is sound.")
    return Message("The ledger is as it was written, but not all of it is EXPLAINED.")


def verification_data(verified: Verification) -> dict[str, Any]:
    """The findings of a verification as plain data."""
    since = verified.since
    return {
        "verdict": verified.verdict,
        "records": verified.records,
        "head": verified.head,
        "counts": dict(verified.counts),
        "postings": [asdict(one) for one in verified.verdicts],
        "unexplained": [one._asdict() for one in verified.unexplained],
        "findings": [{"where": one.where, "said": one.said} for one in verified.findings],
        "remarks": list(verified.remarks),
        "since": {"continues": since.held, "said": since.said, "links": list(since.links)}
        if since
        else None,
    }
