"""The lists a secretary asks for, each declared once: its command, its route of the API, its place
on the page and its files follow.

A list asks for some of a few things (:class:`Ask`) and makes a table of them, or of a long one its
parts. To add a list is to add it to :data:`LISTS`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, Literal

from honours import clock
from honours.engine.ranks import Rank
from honours.errors import InputError, MissingInput, WrongValue
from honours.formats.reading import iso_day
from honours.model.member import Member
from honours.model.message import Message, mark
from honours.model.table import Table

if TYPE_CHECKING:  # a command's help does not wait for the database's library
    from sqlalchemy import Connection


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
    """The query to a list, on whatever surface: points of a ``scheme``, between two days, of some
    ``kinds`` (all if none is named) and of one ``club``; each member's ``best`` results count (all
    if 0), and ``places`` qualify; ``on`` a day, and of one ``member``.

    ``limit`` is how long a part may be, ``after`` the member behind whom it begins; a list
    ``for_programs`` has columns that do not depend on what was posted; ``folders`` may hold
    rulebooks."""

    scheme: str
    since: str = ""
    until: str = ""
    kinds: tuple[str, ...] = ()
    club: str = ""
    best: int = 0
    places: int = 0
    on: str = ""
    member: str = ""
    folders: Sequence[str | Path] = ()
    public: bool = False
    for_programs: bool = False
    limit: int | None = None
    after: int | None = None

    @property
    def steps(self) -> tuple[Rank, ...]:
        """The ranks of the scheme."""
        from honours.ledger import ranks

        return ranks.ladder(self.scheme, self.folders)

    @property
    def day(self) -> date:
        """The day that is asked about; today unless said."""
        return date.fromisoformat(self.on) if self.on else clock.today()

    def declared(self, what: str) -> tuple[Any, ...]:
        """Return what the scheme's rulebooks declare; an error if nothing."""
        from honours.ledger.ranks import declared

        if found := declared(self.scheme, what, self.folders):
            return found
        raise InputError(
            "{scheme} has no {what}", scheme=self.scheme, what=Message(_DECLARED[what])
        )

    def shows(self, member: Member) -> bool:
        """Return whether a member is named: in public, whoever opted out is not."""
        return not (self.public and member.opted_out)

    def checked(self) -> ListQuery:
        """The query itself; a period that ends before it begins is refused."""
        if iso_day("since", self.since) > iso_day("until", self.until):
            raise InputError(
                "the period begins on {since} and ends on {until}",
                since=self.since,
                until=self.until,
            )
        return self


_DECLARED = {
    "snapshots": mark("days of snapshots"),
    "grades": mark("grades"),
    "living": mark("points that change with time"),
}


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
    """A declared list: what it is called, what it asks for, and the function that makes it, which
    is not imported before. One ``in_parts`` is as long as there are members."""

    name: str
    title: Message
    about: str
    example: str
    asks: tuple[Ask, ...]
    made_by: str
    more: str = ""
    in_parts: bool = False

    def query(self, scheme: str, entered: Mapping[str, Sequence[str]], **more: Any) -> ListQuery:
        """Return the query that was entered for this list, checked."""
        read: dict[str, Any] = {ask.name: ask.read(entered.get(ask.name, ())) for ask in self.asks}
        if "kind" in read:
            read["kinds"] = read.pop("kind")
        asked = ListQuery(scheme, **read, **more)
        return asked.checked() if SINCE in self.asks else asked

    def make(self, connection: Connection, query: ListQuery) -> Listed:
        """The list that is asked for."""
        made: Listed = resolve_name(f"honours.ledger.{self.made_by}")(connection, query)
        return made


LISTS = {
    one.name: one
    for one in (
        LedgerList(
            "points",
            Message("points of a period"),
            "List the points earned in a period, the most first.",
            "honours ledger lists points --since 2017-01-01 --until 2017-12-31 --best 3 --places 8",
            (SINCE, UNTIL, KIND, BEST, PLACES, CLUB),
            "list_tables:points",
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
            "list_tables:promotions",
        ),
        LedgerList(
            "totals",
            Message("totals of a period"),
            "List what was awarded in a period, club by club and kind by kind.",
            "honours ledger lists totals --since 2017-01-01 --until 2017-12-31",
            (SINCE, UNTIL, CLUB),
            "list_tables:totals",
        ),
        LedgerList(
            "board",
            Message("honours board of a period"),
            "List who earned most in a period: of all, and at each club.",
            "honours ledger lists board --since 2017-01-01 --until 2017-12-31",
            (SINCE, UNTIL, KIND),
            "list_tables:board",
        ),
        LedgerList(
            "pending",
            Message("points on their way"),
            "List points that members miss: held for review, not sent yet, turned back and why.",
            "honours ledger lists pending --rulebook sbu-clubs-2016",
            (MEMBER,),
            "list_tables:pending",
        ),
        LedgerList(
            "replies",
            Message("what clubs have to mend"),
            "List events that clubs sent in a period and the ledger did not take, with what to do.",
            "honours ledger lists replies --since 2017-01-01 --until 2017-12-31 --club Ayr",
            (SINCE, UNTIL, CLUB),
            "office:replies",
            "A file that a club gets back: what was wrong in which line of which of its files.",
        ),
        LedgerList(
            "ranks",
            Message("ranks, and what the next one needs"),
            "List everybody's rank and what the next one needs, the highest first.",
            "honours ledger lists ranks --on 2017-09-01",
            (MEMBER, ON),
            "list_tables:ranking",
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
            "list_tables:roll",
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
            "list_tables:snapshot",
            "The body's rulebook says on which days of the year such a list is made.",
        ),
        LedgerList(
            "grades",
            Message("grades"),
            "List the grade that every member plays in, by rank and rating.",
            "honours ledger lists grades --rulebook nz-bridge --on 2026-12-31",
            (ON,),
            "list_tables:grades",
        ),
        LedgerList(
            "living",
            Message("points that change with time"),
            "List figures that change with time, such as rating points.",
            "honours ledger lists living --rulebook nz-bridge --on 2026-12-31",
            (MEMBER, ON),
            "living:living",
            "With --member how those of one member came about.",
        ),
    )
}
