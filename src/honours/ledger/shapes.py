"""The shapes of the ledger's things, each declared once: commands, pages, API and files follow.

A cell links to a thing (``Link("member", "7")``); only the pages know an address for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from honours.engine.numbers import show
from honours.ledger.statement import (
    PostingReason,
    Statement,
    StatementLine,
    date_of,
    record_title,
)
from honours.model.member import DETAILS, Detail, Member
from honours.model.message import Message, joined, word
from honours.model.shape import Item, Shape, titled
from honours.model.table import Cell, Column, Kind, Link, Table, headed, table

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


def action_word(action: str) -> Message:
    """Return the word for what was done with a record."""
    return word(ACTIONS.get(action, action))


def points_cell(points: Fraction) -> Cell:
    """Points as a cell that is sorted by value."""
    return Cell(points, show(points))


def amount_cell(kind: Points, units: int) -> Cell:
    """A number of units of a kind, with all of its decimals."""
    return Cell(kind.points(units), kind.shown(units))


def _linked(kind: str, number: int | None) -> Cell | str:
    return Cell(str(number), link=Link(kind, str(number))) if number else ""


def _named(member: Member) -> Cell:
    return Cell(member.title, link=Link("member", str(member.id)))


def _amounts(points: Mapping[str, Fraction]) -> dict[str, str]:
    return {kind: show(value) for kind, value in points.items()}


_REMARK = titled("remark")
_STATUS = titled("status", kind=Kind.WORD, cell=lambda one: word(one.status))
_ACTION = Item(
    "action", title=Message("what"), kind=Kind.WORD, cell=lambda one: action_word(one.action)
)
_WHO = titled("who")


# --- people -----------------------------------------------------------------------------------


def person(way: str) -> tuple[Item, ...]:
    """Return items for the person a thing is about; ``way`` leads there and ends with a dot."""

    def name(thing: Any) -> Cell:
        return _named(thing if not way else getattr(thing, way.rstrip(".")))

    return (
        Item("member", f"{way}id", type=int),
        titled("number", f"{way}number", Kind.CODE),
        titled("name", f"{way}name", cell=name),
    )


def _detail_of(detail: Detail) -> Callable[[Member], str]:
    return lambda member: detail.shown(member.details[detail.name])


MEMBERS: Shape[Member] = Shape(
    "members",
    (
        Item("member", "id", Message("id"), Kind.CODE, int, lambda member: f"#{member.id}"),
        *person("")[1:],
        *(
            Item(
                one.name,
                title=one.title,
                kind=Kind.WORD if one.is_yes_no else Kind.TEXT,
                type=type(one.default),
                cell=_detail_of(one),
            )
            for one in DETAILS
        ),
    ),
)
RANKS: Shape[Rung] = Shape(
    "ranks",
    (
        *person("member."),
        *(Item(one.name, f"member.{one.name}", type=type(one.default)) for one in DETAILS),
        titled(
            "points",
            lambda rung: _amounts(rung.points),
            Kind.NUMBER,
            dict[str, str],
            lambda rung: points_cell(sum(rung.points.values(), Fraction(0))),
        ),
        titled("rank", lang="en"),
        titled("next", lang="en"),
        Item(
            "missing",
            lambda rung: _amounts(rung.missing),
            Message("still needs"),
            type=dict[str, str],
            cell=lambda rung: ", ".join(f"{show(n)} {kind}" for kind, n in rung.missing.items()),
            lang="en",
        ),
    ),
)
PROMOTIONS: Shape[Promotion] = Shape(
    "promotions",
    (
        titled("date", "day", Kind.DATE),
        *person("member."),
        titled("rank", lang="en"),
        titled("event", "title"),
        titled("record", kind=Kind.CODE, type=int),
    ),
    Message("Promotions"),
)


def duplicates_table(pairs: Iterable[tuple[Member, Member]]) -> Table:
    """Members who may be one person, side by side."""
    columns = (
        headed("number", Kind.CODE),
        headed("name"),
        Column("other_number", Message("number"), Kind.CODE),
        Column("other_name", Message("name")),
    )
    rows = [[cell for one in pair for cell in (one.called, _named(one))] for pair in pairs]
    return table("duplicates", columns, rows)


# --- points -----------------------------------------------------------------------------------


def _remark(posted: StatementLine) -> str:
    """Say why something was reversed or changed; for an award, why it was made against a rule, that
    its day is unknown, or what is to be doubted about its rulebook."""
    if not posted.date:
        return Message("no day is known of it")
    if posted.overruled:
        return Message("overruled: {reason}", reason=posted.overruled)
    if posted.doubt:
        return posted.doubt
    return posted.why if posted.action != "award" else ""


def _signed(posted: StatementLine) -> Cell:
    marks = frozenset({"gain" if posted.amount > 0 else "loss"})
    return replace(amount_cell(posted.kind, posted.amount), marks=marks)


POSTINGS: Shape[StatementLine] = Shape(
    "statement",
    (
        titled(
            "posting",
            kind=Kind.CODE,
            type=int,
            cell=lambda p: Cell(str(p.posting), link=Link("posting", str(p.posting)), part="#why"),
        ),
        Item("record", type=int),
        Item("action"),
        titled("date", "day", Kind.DATE, cell=lambda p: p.date),
        titled("event", "title", cell=record_title),
        Item("scheme", "kind.scheme"),
        titled("kind", "kind.name", lang="en"),
        Item("amount", "shown"),
        titled("points", kind=Kind.NUMBER, type=None, cell=_signed),
        titled(
            "balance",
            lambda p: p.kind.shown(p.held),
            Kind.NUMBER,
            cell=lambda p: amount_cell(p.kind, p.held),
        ),
        Item("at"),
        Item("who"),
        Item("why"),
        Item("reverses", type=int | None),
        titled("remark", _remark),
    ),
)


def statement_answer(statement: Statement) -> list[str | Table]:
    """A member's postings, and their sums."""
    return [
        f"{statement.member.title} {statement.member.number}".strip(),
        POSTINGS.table(statement.lines) if statement.lines else Message("no postings"),
        *(f"{k.scheme}, {k.name}: {k.shown(units)}" for k, units in statement.balances.items()),
    ]


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
    """Return why a posting is what it is, as plain data."""
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


def lines_table(
    kind_of: Callable[[int], Points], lines: Iterable[NewPosting], known: Mapping[int, Member]
) -> Table:
    """Return a table of what an event credits, or would credit, to whom."""
    columns = (
        headed("name"),
        headed("number", Kind.CODE),
        headed("kind", lang="en"),
        headed("points", Kind.NUMBER),
    )
    rows = [
        (
            _named(known[line.member]),
            known[line.member].number,
            kind_of(line.kind).name,
            amount_cell(kind_of(line.kind), line.amount),
        )
        for line in lines
    ]
    return table("postings", columns, rows)


def openings_table(balances: Iterable[tuple[str, Points, int]]) -> Table:
    """The opening balances that a list posts, or would post."""
    columns = (
        headed("name"),
        headed("kind", lang="en"),
        headed("points", Kind.NUMBER),
    )
    rows = [(name, kind.name, amount_cell(kind, units)) for name, kind, units in balances]
    return table("openings", columns, rows)


KINDS: Shape[Points] = Shape(
    "kinds",
    (
        titled("scheme", lang="en"),
        titled("kind", "name", lang="en"),
        titled("colour", lang="en"),
        titled("decimals", kind=Kind.NUMBER, type=int),
    ),
)


# --- records, drafts, submissions and receipts --------------------------------------------------


def records_table(records: Iterable[Any], drafted: Mapping[int, str], everybody: bool) -> Table:
    """Return a table of what was posted; a title that may name a person is shown only to those who
    may see everybody."""

    def title(record: Any) -> str:
        return record_title(record) if everybody or record.action == "award" else ""

    def why(record: Any) -> str:
        if record.id in drafted:
            return Message("drafted by {who}", who=drafted[record.id])
        return str(record.why)

    shape: Shape[Any] = Shape(
        "records",
        (
            titled("record", "id", Kind.CODE),
            titled("date", date_of, Kind.DATE),
            titled("event", title),
            _ACTION,
            titled("postings", kind=Kind.NUMBER),
            _WHO,
            titled("why", why),
        ),
        Message("Posted last"),
    )
    return shape.table(records)


DRAFTS: Shape[Draft] = Shape(
    "drafts",
    (
        titled("draft", "id", Kind.CODE, int, lambda one: _linked("draft", one.id)),
        titled("event", "title"),
        titled("date", lambda one: str(one.content["day"]), Kind.DATE),
        Item("club", lambda one: one.content["club"]),
        Item("rulebook", lambda one: one.content["rulebook"]),
        Item("who", title=Message("held by")),
        Item("at", title=Message("when"), kind=Kind.DATE, cell=lambda one: one.at[:16]),
        _STATUS,
        Item("settled_by", title=Message("settled by")),
        _REMARK,
        Item("record", type=int | None),
    ),
)
PENDING: Shape[Any] = Shape(
    "pending",
    (
        titled("record", "id", Kind.CODE, int),
        titled("date", "day", Kind.DATE),
        titled("event", "title"),
        titled("club"),
        _ACTION,
        titled("postings", kind=Kind.NUMBER, type=int),
    ),
    Message("Not sent yet"),
)
SUBMISSIONS: Shape[Submission] = Shape(
    "submissions",
    (
        titled(
            "submission",
            "id",
            Kind.CODE,
            int,
            lambda one: _linked("submission", one.id),
        ),
        titled("since", kind=Kind.DATE),
        titled("until", kind=Kind.DATE),
        titled(
            "records",
            lambda one: list(one.records),
            Kind.NUMBER,
            list[int],
            lambda one: len(one.records),
        ),
        Item("at"),
        _WHO,
        _STATUS,
        _REMARK,
    ),
    Message("Submissions"),
)
RECEIPTS: Shape[Receipt] = Shape(
    "receipts",
    (
        titled(
            "receipt",
            "id",
            Kind.CODE,
            int,
            lambda one: _linked("receipt", one.id),
        ),
        Item("at", title=Message("when"), kind=Kind.DATE, cell=lambda one: one.at[:16]),
        Item("who"),
        Item("source", title=Message("file")),
        titled("event", "title"),
        titled("date", "day", Kind.DATE),
        titled("club"),
        Item("identifier"),
        Item("status", title=Message("what"), kind=Kind.WORD, cell=lambda one: word(one.status)),
        titled(
            "record",
            kind=Kind.CODE,
            type=int | None,
            cell=lambda one: str(one.record or ""),
        ),
        titled(
            "draft",
            kind=Kind.CODE,
            type=int | None,
            cell=lambda one: _linked("draft", one.draft),
        ),
        Item("said", lambda one: joined("; ", one.said), Message("remark")),
        Item("asked"),
    ),
)
