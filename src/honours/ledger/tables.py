"""The ledger's tables, each built once: commands, pages and files render the same one.

A cell links to a thing (``Link("member", "7")``); only the pages know an address for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from honours.engine.numbers import show
from honours.ledger.statement import Statement, StatementLine, date_of, record_title
from honours.model.member import DETAILS, Member
from honours.model.message import Message, word
from honours.model.table import Cell, Column, Kind, Link, Table, table

if TYPE_CHECKING:  # whoever asks for a statement waits for nothing else
    from honours.ledger.chain import NewPosting
    from honours.ledger.derive import PointsKind as Points
    from honours.ledger.ranks import Promotion, Rung
    from honours.ledger.receipts import Receipt
    from honours.ledger.release import Draft
    from honours.ledger.submissions import Submission

ACTIONS = {
    "award": Message("award"),
    "reversal": Message("taken back"),
    "opening": Message("opening balances"),
    "adjustment": Message("as the club awarded"),
    "closing": Message("year closed"),
    "reopening": Message("year reopened"),
    "merge": Message("two members are one"),
    "unmerge": Message("two members again"),
    "erasure": Message("a member was forgotten"),
}
DRAFT_STATUSES = (Message("pending"), Message("released"), Message("withdrawn"))
SUBMISSION_STATUSES = (Message("pending"), Message("sent"), Message("rejected"))

_RECORD = Column("record", Message("record"), Kind.CODE)
_DATE = Column("date", Message("date"), Kind.DATE)
_EVENT = Column("event", Message("event"))
_NAME = Column("name", Message("name"))
_NUMBER = Column("number", Message("number"), Kind.CODE)
_KIND = Column("kind", Message("kind"), lang="en")
_POINTS = Column("points", Message("points"), Kind.NUMBER)
_WHAT = Column("action", Message("what"), Kind.WORD)
_POSTINGS = Column("postings", Message("postings"), Kind.NUMBER)
_WHO = Column("who", Message("who"))
_STATUS = Column("status", Message("status"), Kind.WORD)
_REMARK = Column("remark", Message("remark"))
_RANK = Column("rank", Message("rank"), lang="en")


def _named(member: Member) -> Cell:
    return Cell(member.title, link=Link("member", str(member.id)))


def action_word(action: str) -> Message:
    """What was done with a record, in words."""
    return word(ACTIONS.get(action, action))


# --- people -----------------------------------------------------------------------------------


def members_table(members: Iterable[Member]) -> Table:
    """Everybody, including visitors."""
    columns = (
        Column("member", Message("id"), Kind.CODE),
        _NUMBER,
        _NAME,
        *(Column(d.name, d.title, Kind.WORD if d.is_yes_no else Kind.TEXT) for d in DETAILS),
    )
    rows: list[tuple[Cell | str, ...]] = [
        (
            f"#{member.id}",
            member.number,
            _named(member),
            *(d.shown(member.details[d.name]) for d in DETAILS),
        )
        for member in members
    ]
    return table("members", columns, rows)


def duplicates_table(pairs: Iterable[tuple[Member, Member]]) -> Table:
    """Members who may be one person, side by side."""
    columns = (
        _NUMBER,
        _NAME,
        Column("other_number", Message("number"), Kind.CODE),
        Column("other_name", Message("name")),
    )
    rows = [[cell for one in pair for cell in (one.called, _named(one))] for pair in pairs]
    return table("duplicates", columns, rows)


def ranks_table(scheme: str, rungs: Iterable[Rung]) -> Table:
    """Where everybody stands on a federation's ladder, and what the next rank still needs."""
    columns = (
        _NUMBER,
        _NAME,
        _POINTS,
        _RANK,
        Column("next", Message("next"), lang="en"),
        Column("missing", Message("still needs"), lang="en"),
    )
    rows = [
        (
            rung.member.number,
            _named(rung.member),
            points_cell(sum(rung.points.values(), Fraction(0))),
            rung.rank,
            rung.next,
            ", ".join(f"{show(points)} {kind}" for kind, points in rung.missing.items()),
        )
        for rung in rungs
    ]
    return table("ranks", columns, rows, caption=scheme)


_PROMOTIONS = Message("Promotions")


def promotions_table(promotions: Iterable[Promotion], caption: str = _PROMOTIONS) -> Table:
    """Who reached which rank, and how; with numbers, because two may have the same name."""
    rows = [
        (p.day, p.member.number, _named(p.member), p.rank, p.title, str(p.record))
        for p in promotions
    ]
    columns = (_DATE, _NUMBER, _NAME, _RANK, _EVENT, _RECORD)
    return table("promotions", columns, rows, caption=caption)


# --- points -----------------------------------------------------------------------------------


def points_cell(points: Fraction) -> Cell:
    """Points as a cell that is sorted by value."""
    return Cell(points, show(points))


def amount_cell(kind: Points, units: int) -> Cell:
    """A number of units of a kind, with all of its decimals."""
    return Cell(kind.points(units), kind.shown(units))


def statement_table(
    statement: Statement, shown: Callable[[StatementLine], bool] = lambda _line: True
) -> Table:
    """A member's postings, each linking to its reasons, with what was held after it; those not
    ``shown`` count in what was held."""
    columns = (
        Column("posting", Message("posting"), Kind.CODE),
        _DATE,
        _EVENT,
        _KIND,
        _POINTS,
        Column("balance", Message("balance"), Kind.NUMBER),
        _REMARK,
    )
    held: dict[Points, int] = {}
    rows: list[tuple[Cell | str, ...]] = []
    for p in statement.lines:
        held[p.kind] = held.get(p.kind, 0) + p.amount
        if not shown(p):
            continue
        signed = frozenset({"gain" if p.amount > 0 else "loss"})
        rows.append(
            (
                Cell(str(p.posting), link=Link("posting", str(p.posting)), part="#why"),
                p.date,
                record_title(p),
                p.kind.name,
                replace(amount_cell(p.kind, p.amount), marks=signed),
                amount_cell(p.kind, held[p.kind]),
                _remark(p),
            )
        )
    return table("statement", columns, rows)


def _remark(posted: StatementLine) -> str:
    """Why something was reversed or changed; for an award, why it was made against a rule,
    that its day is unknown, or what is to be doubted about its rulebook."""
    if not posted.date:
        return Message("no day is known of it")
    if posted.overruled:
        return Message("overruled: {reason}", reason=posted.overruled)
    if posted.doubt:
        return posted.doubt
    return posted.why if posted.action != "award" else ""


def statement_answer(statement: Statement) -> list[str | Table]:
    """A member's postings, and their sums."""
    postings = statement_table(statement)
    return [
        f"{statement.member.title} {statement.member.number}".strip(),
        postings if postings.rows else Message("no postings"),
        *(f"{k.scheme}, {k.name}: {k.shown(units)}" for k, units in statement.balances.items()),
    ]


def lines_table(
    kind_of: Callable[[int], Points], lines: Iterable[NewPosting], known: Mapping[int, Member]
) -> Table:
    """What an event credits, or would credit, to whom."""
    rows = [
        (
            _named(known[line.member]),
            known[line.member].number,
            kind_of(line.kind).name,
            amount_cell(kind_of(line.kind), line.amount),
        )
        for line in lines
    ]
    return table("postings", (_NAME, _NUMBER, _KIND, _POINTS), rows)


def openings_table(balances: Iterable[tuple[str, Points, int]]) -> Table:
    """The opening balances that a list posts, or would post."""
    rows = [(name, kind.name, amount_cell(kind, units)) for name, kind, units in balances]
    return table("openings", (_NAME, _KIND, _POINTS), rows)


def kinds_table(kinds: Iterable[Points]) -> Table:
    """The kinds of points there are."""
    columns = (
        Column("scheme", Message("scheme"), lang="en"),
        _KIND,
        Column("colour", Message("colour"), lang="en"),
        Column("decimals", Message("decimals"), Kind.NUMBER),
    )
    rows = [(kind.scheme, kind.name, kind.colour, kind.decimals) for kind in kinds]
    return table("kinds", columns, rows)


# --- records, drafts and submissions ----------------------------------------------------------


def records_table(records: Iterable[Any], drafted: Mapping[int, str], everybody: bool) -> Table:
    """What was posted; a title that may name a person is shown only to those who may see
    everybody."""
    columns = (
        _RECORD,
        _DATE,
        _EVENT,
        _WHAT,
        _POSTINGS,
        _WHO,
        Column("why", Message("why")),
    )
    rows = [
        (
            str(r.id),
            date_of(r),
            record_title(r) if everybody or r.action == "award" else "",
            action_word(r.action),
            r.postings,
            r.who,
            Message("drafted by {who}", who=drafted[r.id]) if r.id in drafted else r.why,
        )
        for r in records
    ]
    return table("records", columns, rows, caption=Message("Posted last"))


def drafts_table(drafts: Iterable[Draft]) -> Table:
    """What is or was waiting for release."""
    columns = (
        Column("draft", Message("draft"), Kind.CODE),
        _EVENT,
        _DATE,
        Column("who", Message("held by")),
        Column("at", Message("when"), Kind.DATE),
        _STATUS,
        Column("settled_by", Message("settled by")),
        _REMARK,
    )
    rows = [
        (
            Cell(str(draft.id), link=Link("draft", str(draft.id))),
            draft.title,
            str(draft.content["day"]),
            draft.who,
            draft.at[:16],
            word(draft.status),
            draft.settled_by,
            draft.remark,
        )
        for draft in drafts
    ]
    return table("drafts", columns, rows)


def pending_table(records: Iterable[Any]) -> Table:
    """What has not been sent to the federation."""
    columns = (_RECORD, _DATE, _EVENT, Column("club", Message("club")), _WHAT, _POSTINGS)
    rows = [(str(r.id), r.day, r.title, r.club, action_word(r.action), r.postings) for r in records]
    return table("pending", columns, rows, caption=Message("Not sent yet"))


def submissions_table(submissions: Sequence[Submission]) -> Table:
    """What was made for the federation, the latest first, and its outcome."""
    columns = (
        Column("submission", Message("submission"), Kind.CODE),
        Column("since", Message("since"), Kind.DATE),
        Column("until", Message("until"), Kind.DATE),
        Column("records", Message("records"), Kind.NUMBER),
        _WHO,
        _STATUS,
        _REMARK,
    )
    rows = [
        (
            Cell(str(one.id), link=Link("submission", str(one.id))),
            one.since,
            one.until,
            len(one.records),
            one.who,
            word(one.status),
            one.remark,
        )
        for one in reversed(submissions)
    ]
    return table("submissions", columns, rows, caption=Message("Submissions"))


def receipts_table(receipts: Iterable[Receipt]) -> Table:
    """The outcome of each event that was sent in."""
    columns = (
        Column("receipt", Message("receipt"), Kind.CODE),
        Column("at", Message("when"), Kind.DATE),
        Column("source", Message("file")),
        _EVENT,
        _DATE,
        Column("club", Message("club")),
        _WHAT,
        _RECORD,
        Column("draft", Message("draft"), Kind.CODE),
        Column("said", Message("remark")),
    )
    rows = [
        (
            Cell(str(one.id), link=Link("receipt", str(one.id))) if one.id else "",
            one.at[:16],
            one.source,
            one.title,
            one.day,
            one.club,
            word(one.status),
            str(one.record or ""),
            Cell(str(one.draft), link=Link("draft", str(one.draft))) if one.draft else "",
            one.said,
        )
        for one in receipts
    ]
    return table("receipts", columns, rows)
