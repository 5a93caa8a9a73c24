"""The lists a secretary asks for, each declared once: its command, its route of the API, its place
on the page and its files follow.

A list asks for some of a few things (:class:`Ask`) and makes a table of them, or of a long one its
parts. To add a list is to add it to ``lists.toml``.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from importlib.resources import files
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


_DECLARED = tomllib.loads((files(__package__) / "lists.toml").read_text(encoding="utf-8"))
ASKS = {
    name: Ask(name, Message(one.pop("label")), Message(one.pop("about")), **one)
    for name, one in _DECLARED["asks"].items()
}
"""In the order of the form; every list has some of them."""
SINCE = ASKS["since"]


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
        raise InputError("{scheme} has no {what}", scheme=self.scheme, what=Message(_NOTHING[what]))

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


_NOTHING = {
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
    asks: tuple[Ask, ...]
    about: str
    example: str
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
    name: LedgerList(
        name, Message(one.pop("title")), asks=tuple(ASKS[ask] for ask in one.pop("asks")), **one
    )
    for name, one in _DECLARED["lists"].items()
}
