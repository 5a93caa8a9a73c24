"""Sections: parts of a room, each with its own movement, in one evening."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import TYPE_CHECKING

from honours.errors import InputError, WrongValue

if TYPE_CHECKING:
    from honours.evening.plan import EveningPlan, Round, TableRound

MOST_SECTIONS = 8


@dataclass(frozen=True, slots=True)
class EveningSection:
    """A section and its tables: the evening numbers all tables in sequence, players count from 1
    in each section. ``winners`` is 0 if it is the same as for the evening."""

    name: str
    first: int
    last: int
    movement: str = ""
    winners: int = 0

    def has(self, table: int) -> bool:
        return self.first <= table <= self.last


def section_of(sections: Sequence[EveningSection], table: int) -> str:
    """The section a table is in; empty if there are no sections."""
    return next((one.name for one in sections if one.has(table)), "")


def table_name(sections: Sequence[EveningSection], table: int) -> str:
    """Return the name of a table: ``7``, or ``B2`` where there are sections."""
    for one in sections:
        if one.has(table):
            return f"{one.name}{table - one.first + 1}"
    return str(table)


def table_number(sections: Sequence[EveningSection], name: str) -> int:
    """The number of the table with that name; InputError if there is none."""
    for one in sections:
        rest = name.removeprefix(one.name)
        if rest != name and rest.isdecimal() and one.has(one.first + int(rest) - 1):
            return one.first + int(rest) - 1
    if sections or not name.isdecimal():
        raise InputError("there is no table {table}", table=name[:12])
    return int(name)


def with_one_winner(sections: Iterable[EveningSection]) -> tuple[str, ...]:
    """The sections with one winner, if others have two."""
    winners = {one.name: one.winners for one in sections}
    one = tuple(name for name, number in winners.items() if number == 1)
    return one if 2 in winners.values() else ()


def with_sections(plan: EveningPlan, parts: Sequence[EveningPlan]) -> EveningPlan:
    """The plan of an evening with sections A, B and so on, each seated according to its own
    plan."""
    if not 2 <= len(parts) <= MOST_SECTIONS:
        raise WrongValue("sections", "", "expected 2 to {most}", most=MOST_SECTIONS)
    sections, seated, tables = [], [], 0
    for letter, part in zip("ABCDEFGH", parts, strict=False):
        many = max(seats.table for one in part.rounds for seats in one)
        sections.append(
            EveningSection(letter, tables + 1, tables + many, part.movement, part.winners)
        )
        seated.append([_in_section(one, letter, tables) for one in part.rounds])
        tables += many
    rounds = tuple(
        tuple(seats for one in several for seats in one)
        for several in zip_longest(*seated, fillvalue=())
    )
    return replace(
        plan,
        kind=parts[0].kind,
        winners=max(part.winners for part in parts),
        per_set=max(part.per_set for part in parts),
        movement=parts[0].movement,
        rounds=rounds,
        sections=tuple(sections),
    )


def _in_section(round_: Round, letter: str, shift: int) -> Round:
    """A round of a section: its tables numbered after those of the others, its pairs named A1
    and so on."""

    def placed(seats: TableRound) -> TableRound:
        ns, ew = (tuple(letter + who for who in side) for side in (seats.ns, seats.ew))
        return replace(seats, table=seats.table + shift, ns=ns, ew=ew)

    return tuple(placed(seats) for seats in round_)
