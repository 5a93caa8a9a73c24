"""An event without the names of those who do not want to be published.

They are taken out before anything is scored or drawn, so that no page, card, file or list of it can
have them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from honours.formats.entrants import sought
from honours.formats.members import match
from honours.model import Entrant, Event, EventEntrant, Player
from honours.model.message import Message
from honours.model.table import Cell, Table
from honours.pipeline.account import Account
from honours.scoring.rulings import Final, Ruling


@dataclass(frozen=True, slots=True)
class HiddenPlayers:
    """Players not to be published, by name and number; ``instead`` stands in place of a name."""

    names: frozenset[str] = frozenset()
    numbers: frozenset[str] = frozenset()
    instead: str = "—"
    met: list[str] = field(default_factory=list, compare=False, hash=False)
    """Whom it found, to take out of other texts."""

    @classmethod
    def of(cls, people: Iterable[tuple[str, str]], instead: str) -> HiddenPlayers:
        """Hides these people, given as pairs of name and number."""
        every = list(people)
        names = frozenset(sought(name) for name, _ in every if sought(name))
        return cls(names, frozenset(number for _, number in every if number), instead)

    def player(self, player: Player) -> Player:
        """The player, or an anonymous one if they are hidden."""
        if player.number in self.numbers or sought(player.name) in self.names:
            self.met.append(player.name)
            return replace(player, name=self.instead, number="")
        return player

    def text(self, text: str) -> str:
        """The text with the hidden names that were met taken out."""
        for name in self.met:
            text = text.replace(name, self.instead) if name else text
        return text

    def table(self, table: Table) -> Table:
        """The table with the hidden names that were met taken out."""
        rows = tuple(tuple(self._cell(cell) for cell in row) for row in table.rows)
        return replace(table, rows=rows) if self.met else table

    def _cell(self, cell: Cell) -> Cell:
        if isinstance(cell.value, Message) or not isinstance(cell.value, str):
            return cell
        shown = self.text(cell.shown) if cell.shown else ""
        return replace(cell, value=self.text(cell.value), shown=shown)


def anonymous(account: Account, hidden: HiddenPlayers) -> Account:
    """The account of an event without those who are hidden."""
    if not hidden.names and not hidden.numbers:
        return account
    content = match(account.content, hidden)
    if not hidden.met:
        return account
    if isinstance(content, Event):
        content = _retitled(content, hidden)
    rulings = tuple(_ruling(one, hidden) for one in account.rulings)
    return replace(account, content=content, rulings=rulings, name=hidden.text(account.name))


def _retitled(event: Event, hidden: HiddenPlayers) -> Event:
    """Names also stand in what a file calls a pair, and in remarks."""
    sessions = tuple(
        replace(
            session,
            results=tuple(replace(r, remark=hidden.text(r.remark)) for r in session.results),
        )
        for session in event.sessions
    )
    entrants = tuple(_entrant(one, hidden) for one in event.entrants)
    return replace(event, title=hidden.text(event.title), entrants=entrants, sessions=sessions)


def _entrant(one: EventEntrant, hidden: HiddenPlayers) -> EventEntrant:
    entrant: Entrant = replace(one.entrant, name=hidden.text(one.entrant.name))
    return replace(one, entrant=entrant)


def _ruling(ruling: Ruling, hidden: HiddenPlayers) -> Ruling:
    """A ruling that made standings final holds names too: they are compared with what is shown
    now."""
    if not isinstance(ruling.what, Final):
        return ruling
    lines = tuple((*line[:3], hidden.text(line[3])) for line in ruling.what.standings)
    return replace(ruling, what=replace(ruling.what, standings=lines), why=hidden.text(ruling.why))
