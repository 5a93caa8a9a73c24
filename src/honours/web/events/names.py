"""The names of an event's pairs: who is there, what the grid asks, and what it makes of answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from honours.formats.entrants import sought
from honours.formats.members import NOBODY, keep_answers, kept_answers
from honours.model import Event, EventEntrant
from honours.web.events.people import KnownMembers, Person
from honours.web.events.service import EventService, OpenEvent

_SEATS = {"pairs": 2, "individual": 1, "teams": 4}
Words = dict[str, Any]


@dataclass(frozen=True, slots=True)
class PlayerCell:
    """A player in a cell of the grid, and the members who may be meant."""

    name: str = ""
    number: str = ""
    meant: tuple[Person, ...] = ()

    @property
    def is_sure(self) -> bool:
        """Whether there is one member of exactly this name."""
        return len(self.meant) == 1 and sought(self.meant[0].name) == sought(self.name)


@dataclass(frozen=True, slots=True)
class NamesRow:
    """An entrant and its players, with a place for each that is missing."""

    entrant: str
    line: str
    players: tuple[PlayerCell, ...]


def grid(opened: OpenEvent, known: KnownMembers, refused: Mapping[str, str]) -> list[NamesRow]:
    """Every entrant with its players, in the order of their numbers."""
    event = opened.account.played
    assert event is not None
    nobody = {sought(name) for name, answer in refused.items() if answer in NOBODY}
    wide = _wide(event)
    rows = [_row(one, wide, known, nobody) for one in event.entrants]
    return sorted(rows, key=lambda row: natural(row.entrant))


def unnumbered(opened: OpenEvent) -> list[str]:
    """The names of those who play without a number."""
    event = opened.account.played
    every = [player for one in event.entrants for player in one.entrant.players] if event else []
    return [player.name for player in every if player.name and not player.number]


def numbered(opened: OpenEvent) -> list[tuple[str, str]]:
    """The names and numbers of those who play with a number."""
    event = opened.account.played
    every = [player for one in event.entrants for player in one.entrant.players] if event else []
    return [(player.name, player.number) for player in every if player.number]


def typed_names(form: Mapping[str, str]) -> list[str]:
    """Every name that the grid has."""
    return [text for key, text in form.items() if key.partition(".")[0] in ("p", "player")]


def natural(entrant: str) -> tuple[bool, int, str]:
    """The order of pairs: by number, then those without a number."""
    numbered = entrant.isdecimal()
    return not numbered, int(entrant[:9]) if numbered else 0, entrant


def _wide(event: Event) -> int:
    most = max((len(one.entrant.players) for one in event.entrants), default=0)
    return max(most, _SEATS.get(event.kind, 2))


def _row(one: EventEntrant, wide: int, known: KnownMembers, nobody: set[str]) -> NamesRow:
    players = [_named(p.name, p.number, known, nobody) for p in one.entrant.players]
    players += [PlayerCell()] * (wide - len(players))
    return NamesRow(one.entrant.id, one.line, tuple(players))


def _named(name: str, number: str, known: KnownMembers, nobody: set[str]) -> PlayerCell:
    if number or not name or sought(name) in nobody:
        return PlayerCell(name, number)
    named = PlayerCell(name, "", tuple(known.meant(name)))
    # who is in the ledger without a number is known by the name: there is nothing to accept
    return PlayerCell(name) if named.is_sure and named.meant[0].number.startswith("#") else named


def grid_rulings(opened: OpenEvent, form: Mapping[str, str], known: KnownMembers) -> list[Words]:
    """The rulings that make the event match the grid: only for what differs."""
    event = opened.account.played
    assert event is not None
    made = []
    for one in event.entrants:
        entrant = one.entrant
        if form.get(f"gone.{entrant.id}"):
            made.append({"kind": "phantom", "pair": entrant.id})
            continue
        before = [(player.name, player.number) for player in entrant.players]
        after = _players(entrant.id, form, known)
        if after and after != [pair for pair in before if pair[0]]:
            made.append(_naming(entrant.id, after))
        made += _substitution(entrant.id, form, known)
    return made


def _players(entrant: str, form: Mapping[str, str], known: KnownMembers) -> list[tuple[str, str]]:
    players = []
    place = 0
    while (name := form.get(f"p.{entrant}.{place}")) is not None:
        number = form.get(f"n.{entrant}.{place}", "").strip()
        clean = " ".join(name.split())[:200]
        if clean:
            players.append((clean, number or known.number_of(clean)))
        place += 1
    return players


def _naming(entrant: str, players: list[tuple[str, str]]) -> Words:
    numbers = [number for _, number in players]
    return {
        "kind": "name",
        "pair": entrant,
        "players": [name for name, _ in players],
        "numbers": numbers if any(numbers) else [],
    }


def _substitution(entrant: str, form: Mapping[str, str], known: KnownMembers) -> list[Words]:
    absent, player = form.get(f"absent.{entrant}", ""), form.get(f"player.{entrant}", "").strip()
    if not absent or not player:
        return []
    words = {"kind": "substitute", "pair": entrant, "absent": absent, "player": player}
    return [{**words, "number": known.number_of(player)}]


def member_rulings(
    opened: OpenEvent, answers: Mapping[str, str], called: Mapping[str, str]
) -> list[Words]:
    """The rulings that make players the members they were accepted to be, as these are ``called``,
    and take a number away from whoever is not its member: so the ledger knows them too."""
    event = opened.account.played
    assert event is not None
    answered = {sought(name): number for name, number in answers.items()}

    def decided(name: str, number: str) -> tuple[str, str]:
        answer = answered.get(sought(name), number)
        return (name, "") if answer in NOBODY else (called.get(answer, name), answer)

    made = []
    for one in event.entrants:
        before = [(player.name, player.number) for player in one.entrant.players]
        after = [decided(*player) for player in before]
        if after != before:
            made.append(_naming(one.entrant.id, after))
    return made


def decisions(service: EventService, event_id: str) -> dict[str, str]:
    """What was accepted and refused before, by name."""
    return kept_answers(service.store.ruled_on(event_id))


def keep_decisions(service: EventService, event_id: str, answers: Mapping[str, str]) -> None:
    """Remember what was accepted and refused: it is not asked again."""
    keep_answers(service.store.ruled_on(event_id), answers)
