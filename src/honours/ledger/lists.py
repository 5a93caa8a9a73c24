"""The lists a secretary asks for, each declared once: its command, its route of the API, its place
on the page and its files follow.

A list asks for some of a few things (:class:`Ask`) and makes a table of them, or of a long one its
parts. To add a list is to add it to :data:`LISTS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from honours import clock
from honours.engine.ranks import Rank
from honours.errors import InputError, MissingInput, WrongValue
from honours.formats.reading import iso_day
from honours.model.message import Message
from honours.model.table import Table

if TYPE_CHECKING:  # a command's help does not wait for the database's library
    from sqlalchemy import Connection

    from honours.ledger.list_tables import PointsQuery


@dataclass(frozen=True, slots=True)
class Ask:
    """One thing that a list asks for: a ``day``, a ``count`` up to ``most``, some ``kinds`` of
    points, or a ``text``. Only a day is required, unless it is ``optional``."""

    name: str
    label: Message
    about: Message
    type: Literal["day", "count", "kinds", "text"] = "text"
    most: int = 0
    optional: bool = False

    @property
    def required(self) -> bool:
        return self.type == "day" and not self.optional

    def read(self, entered: Sequence[str]) -> str | int | tuple[str, ...]:
        """Return the value that was entered, checked; an error names its field."""
        if self.type == "kinds":
            return tuple(entered)
        text = entered[0] if entered else ""
        if self.type == "day":
            if self.required and not text:
                raise MissingInput(self.name, self.about)
            return iso_day(self.name, text) if text else ""
        if self.type == "count":
            if text and not (text.isdecimal() and len(text) < 16 and int(text) <= self.most):
                raise WrongValue(self.name, text[:20], "expected a whole number")
            return int(text or 0)
        return text


SINCE = Ask("since", Message("since"), Message("The first day."), "day")
UNTIL = Ask("until", Message("until"), Message("The last day."), "day")
KIND = Ask("kind", Message("kind"), Message("Only of these kinds."), "kinds")
CLUB = Ask("club", Message("club"), Message("Only the events of a club."))
BEST = Ask(
    "best",
    Message("best results of each"),
    Message("Only each one's best results."),
    "count",
    most=10_000,
)
PLACES = Ask(
    "places", Message("how many qualify"), Message("How many qualify."), "count", most=10**6
)
ON = Ask("on", Message("as of"), Message("As it was on that day."), "day", optional=True)
MEMBER = Ask("member", Message("member"), Message("Only of a member."))
ASKS = (SINCE, UNTIL, KIND, BEST, PLACES, CLUB, ON, MEMBER)
"""In the order of the form, in which every list has some of them."""


@dataclass(frozen=True, slots=True)
class ListQuery:
    """The query to a list, on whatever surface. ``limit`` is how long a part may be, ``after`` the
    member behind whom it begins; ``for_programs`` has columns that do not depend on what was
    posted; ``folders`` may hold rulebooks."""

    points: PointsQuery
    folders: Sequence[str | Path] = ()
    public: bool = False
    for_programs: bool = False
    limit: int | None = None
    after: int | None = None

    @property
    def steps(self) -> tuple[Rank, ...]:
        """The ranks of the scheme."""
        from honours.ledger.ranks import ladder

        return ladder(self.points.scheme, self.folders)


@dataclass(frozen=True, slots=True)
class Listed:
    """A list: one table, or the parts of a long one, and behind whom it goes on."""

    tables: Iterable[Table]
    behind: int = 0

    def table(self) -> Table:
        """All of it as one table."""
        first, *others = self.tables
        return replace(first, rows=(*first.rows, *(row for part in others for row in part.rows)))


@dataclass(frozen=True, slots=True)
class LedgerList:
    """A declared list: what it is called, what it asks for, and how it is made. One ``in_parts``
    is as long as there are members."""

    name: str
    title: Message
    about: str
    example: str
    asks: tuple[Ask, ...]
    make: Callable[[Connection, ListQuery], Listed]
    more: str = ""
    in_parts: bool = False

    def query(self, scheme: str, entered: Mapping[str, Sequence[str]]) -> PointsQuery:
        """Return the query that was entered for this list, checked."""
        from honours.ledger.list_tables import PointsQuery

        read = {ask.name: ask.read(entered.get(ask.name, ())) for ask in self.asks}
        if "kind" in read:
            read["kinds"] = read.pop("kind")
        asked = PointsQuery(scheme, **{"since": "", "until": "", **read})  # type: ignore[arg-type]
        return asked.checked() if SINCE in self.asks else asked


def _points(connection: Connection, query: ListQuery) -> Listed:
    from honours.ledger.list_tables import points_parts

    return Listed(points_parts(connection, query.points, query.public))


def _promotions(connection: Connection, query: ListQuery) -> Listed:
    from honours.ledger.list_tables import promotions_table

    asked = query.points
    period = (asked.since, asked.until)
    made = promotions_table(connection, asked.scheme, query.steps, *period, query.public)
    return Listed([made])


def _totals(connection: Connection, query: ListQuery) -> Listed:
    from honours.ledger.list_tables import totals_table

    return Listed([totals_table(connection, query.points)])


def _roll(connection: Connection, query: ListQuery) -> Listed:
    from honours.ledger.list_tables import roll_part, roll_parts

    whose = (connection, query.points.scheme, query.steps)
    how = (query.public, query.for_programs)
    if query.points.on or query.limit is None:
        return Listed(roll_parts(*whose, *how, query.points.on))
    made, behind = roll_part(*whose, query.limit, query.after, *how)
    return Listed([made], behind)


def _snapshot(connection: Connection, query: ListQuery) -> Listed:
    """The roll of the day that decides who may enter."""
    from honours.ledger.list_tables import roll_parts
    from honours.ledger.ranks import declared

    asked, on = query.points, _day(query)
    known = declared(asked.scheme, "snapshots", query.folders)
    if not known:
        raise InputError("{scheme} names no days of snapshots", scheme=asked.scheme)
    how = (query.public, query.for_programs, known[0].last(on).isoformat())
    return Listed(roll_parts(connection, asked.scheme, query.steps, *how))


def _grades(connection: Connection, query: ListQuery) -> Listed:
    from honours.ledger.list_tables import grades_parts
    from honours.ledger.ranks import declared

    scheme = query.points.scheme
    grades = declared(scheme, "grades", query.folders)
    if not grades:
        raise InputError("{scheme} has no grades", scheme=scheme)
    living = declared(scheme, "living", query.folders)
    how = (query.steps, grades, living, _day(query), query.public)
    return Listed(grades_parts(connection, scheme, *how))


def _day(query: ListQuery) -> date:
    return date.fromisoformat(query.points.on) if query.points.on else clock.today()


def _ranks(connection: Connection, query: ListQuery) -> Listed:
    from honours.ledger import members, ranks
    from honours.ledger.list_tables import rungs_on
    from honours.ledger.shapes import PROMOTIONS, RANKS

    asked, whose = query.points, (connection, query.points.scheme, query.steps)
    who = members.find(connection, asked.member) if asked.member else None
    if asked.on:
        rungs = [
            rung
            for rung in rungs_on(*whose, asked.on)
            if not (query.public and rung.member.opted_out) and who in (None, rung.member)
        ]
        return Listed([RANKS.table(rungs, asked.scheme)])
    if who is not None:
        shown = () if query.public and who.opted_out else (who.id,)
        made = [RANKS.table(ranks.rungs_of(*whose, shown), asked.scheme)]
        if shown and not query.for_programs:
            made.append(PROMOTIONS.table(ranks.history(connection, who.id, *whose[1:])))
        return Listed(made)
    if query.limit is None:
        parts = ranks.parts(*whose, public=query.public)
        return Listed(RANKS.table(some, asked.scheme) for some in parts)
    page = ranks.listed(*whose, query.limit, query.after, query.public)
    behind = page[-1].member.id if page.more else 0
    return Listed([RANKS.table(page, asked.scheme)], behind)


def _honours(connection: Connection, query: ListQuery) -> Listed:
    from honours.ledger.list_tables import honours_board

    return Listed([honours_board(connection, query.points, query.public)])


def _pending(connection: Connection, query: ListQuery) -> Listed:
    from honours.ledger import members
    from honours.ledger.list_tables import pending_table

    asked = query.points
    whose = members.find(connection, asked.member) if asked.member else None
    return Listed([pending_table(connection, asked.scheme, whose, query.public)])


def _replies(connection: Connection, query: ListQuery) -> Listed:
    from honours.ledger.office import replies_table, to_mend

    asked = query.points
    waiting = to_mend(connection, asked.club, asked.since, asked.until)
    return Listed([replies_table(() if query.public else waiting)])


LISTS = {
    one.name: one
    for one in (
        LedgerList(
            "points",
            Message("points of a period"),
            "List the points earned in a period, the most first.",
            "honours ledger lists points --since 2017-01-01 --until 2017-12-31 --best 3 --places 8",
            (SINCE, UNTIL, KIND, BEST, PLACES, CLUB),
            _points,
            "By kind and in total. With --best only each member's best events count; with --places "
            "the list says who is above the cut line. Opening balances and reversed events do not "
            "count.",
        ),
        LedgerList(
            "promotions",
            Message("promotions of a period"),
            "List who was promoted in a period, with numbers, and by which event.",
            "honours ledger lists promotions --since 2017-01-01 --until 2017-12-31",
            (SINCE, UNTIL),
            _promotions,
        ),
        LedgerList(
            "totals",
            Message("totals of a period"),
            "List what was awarded in a period, club by club and kind by kind.",
            "honours ledger lists totals --since 2017-01-01 --until 2017-12-31",
            (SINCE, UNTIL, CLUB),
            _totals,
        ),
        LedgerList(
            "board",
            Message("honours board of a period"),
            "List who earned most in a period: of all, and at each club.",
            "honours ledger lists board --since 2017-01-01 --until 2017-12-31",
            (SINCE, UNTIL, KIND),
            _honours,
        ),
        LedgerList(
            "pending",
            Message("points on their way"),
            "List points that members miss: held for review, not sent yet, turned back and why.",
            "honours ledger lists pending --rulebook sbu-clubs-2016",
            (MEMBER,),
            _pending,
        ),
        LedgerList(
            "replies",
            Message("what clubs have to mend"),
            "List events that clubs sent in a period and the ledger did not take, with what to do.",
            "honours ledger lists replies --since 2017-01-01 --until 2017-12-31 --club Ayr",
            (SINCE, UNTIL, CLUB),
            _replies,
            "A file that a club gets back: what was wrong in which line of which of its files.",
        ),
        LedgerList(
            "ranks",
            Message("ranks, and what the next one needs"),
            "List everybody's rank and what the next one needs, the highest first.",
            "honours ledger lists ranks --on 2017-09-01",
            (MEMBER, ON),
            _ranks,
            "With --member one of them, and by which events each rank was reached; with --on as "
            "they were on that day.",
            in_parts=True,
        ),
        LedgerList(
            "roll",
            Message("number, name, balance, rank"),
            "List every member: number, name, balances, total and rank.",
            "honours ledger lists roll --rulebook sbu-clubs-2016 --on 2017-09-01 --out roll.csv",
            (ON,),
            _roll,
            "With --on as it was on that day; the list names the head of the ledger it was made "
            "from, so that it can be cited.",
            in_parts=True,
        ),
        LedgerList(
            "snapshot",
            Message("roll of the last snapshot"),
            "List every member as of the last day that decides who may enter an event.",
            "honours ledger lists snapshot --rulebook sbu-clubs-2016 --on 2017-10-14",
            (ON,),
            _snapshot,
            "The body's rulebook says on which days of the year such a list is made.",
        ),
        LedgerList(
            "grades",
            Message("grades"),
            "List the grade that every member plays in, by rank and rating.",
            "honours ledger lists grades --rulebook nz-bridge --on 2026-12-31",
            (ON,),
            _grades,
        ),
    )
}
