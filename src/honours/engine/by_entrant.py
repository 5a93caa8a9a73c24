"""Inputs of a calculation given entrant by entrant, from the first place down.

``masterpoints=500+300, 1200+40`` is of two pairs: commas or new lines between entrants, a plus
between the players of one. A single value, without either, is meant of everybody.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from honours.engine.known_facts import GIVEN
from honours.engine.rulebook import Input, Rulebook
from honours.engine.ties import ranks
from honours.engine.written_names import public
from honours.errors import InputError
from honours.model import Award, KnownFact, Notice, Origin, Player, Standing, Value
from honours.model.message import Message, plural

_COUNT = "entrants"


@dataclass(frozen=True, slots=True)
class EntrantValues:
    """The values of one input, entrant by entrant: one for each player, or one for the entrant
    itself."""

    declared: Input
    entrants: tuple[tuple[Value | None, ...], ...]

    @property
    def players(self) -> tuple[int, ...]:
        return tuple(map(len, self.entrants))


def split_inputs(
    rulebook: Rulebook, given: Mapping[str, object]
) -> tuple[dict[str, object], tuple[EntrantValues, ...]]:
    """What is given for the whole field, and what is given entrant by entrant."""
    rest, by_entrant = {}, []
    for key, value in given.items():
        declared = rulebook.input(key)
        if declared.per in ("entrant", "player") and re.search(r"[+,;\n]", str(value)):
            by_entrant.append(_read(declared, str(value)))
        else:
            rest[key] = value
    return rest, tuple(by_entrant)


def _read(declared: Input, text: str) -> EntrantValues:
    entrants = []
    for part in re.split(r"\s*[,;\n]\s*", text.strip().rstrip(",;")):
        players = [one.strip() for one in part.split("+")]
        if len(players) > 1 and declared.per == "entrant":
            raise InputError(
                "{key}={part}: one is told of each entrant; commas stand between entrants",
                key=public(declared.name),
                part=part,
            )
        entrants.append(tuple(declared.read(one) if one else None for one in players))
    return EntrantValues(declared, tuple(entrants))


def with_count(
    rulebook: Rulebook, facts: Mapping[str, Value], by_entrant: Sequence[EntrantValues]
) -> dict[str, Value]:
    """The facts with the number of entrants added; refused where they say another."""
    if not by_entrant:
        return dict(facts)
    many = len(by_entrant[0].entrants)
    for one in by_entrant[1:]:
        if len(one.entrants) != many:
            raise _disagreeing(one, len(one.entrants), by_entrant[0], many)
    if _COUNT not in rulebook.inputs:
        return dict(facts)
    counted = facts.get(_COUNT, Fraction(many))
    if counted != many:
        raise InputError(
            "{key} tells of {count}; {entrants}={counted} was given",
            key=public(by_entrant[0].declared.name),
            count=plural("{count} entrant", "{count} entrants", count=many),
            entrants=_COUNT,
            counted=str(counted),
        )
    return {**facts, _COUNT: counted}


def _disagreeing(one: EntrantValues, own: int, other: EntrantValues, many: int) -> InputError:
    return InputError(
        "{key} tells of {count}, {other} of {others}",
        key=public(one.declared.name),
        count=plural("{count} entrant", "{count} entrants", count=own),
        other=public(other.declared.name),
        others=plural("{count} entrant", "{count} entrants", count=many),
    )


def standings_of(
    by_entrant: Sequence[EntrantValues], ties: Mapping[int, int]
) -> tuple[Standing, ...]:
    """Standings of the entrants given, with the places and ties asked for."""
    if not by_entrant:
        return ()
    of_players = [one for one in by_entrant if one.declared.per == "player"]
    of_entrants = [one for one in by_entrant if one.declared.per == "entrant"]
    for one in of_players[1:]:
        for place, (own, first) in enumerate(zip(one.players, of_players[0].players, strict=True)):
            if own != first:
                raise InputError(
                    "at place {place} {key} tells of {own}, {other} of {others}",
                    place=place + 1,
                    key=public(one.declared.name),
                    own=plural("{count} player", "{count} players", count=own),
                    other=public(of_players[0].declared.name),
                    others=plural("{count} player", "{count} players", count=first),
                )
    standings = []
    for k, standing in enumerate(ranks(len(by_entrant[0].entrants), ties)):
        many = of_players[0].players[k] if of_players else 0
        players = tuple(Player("", facts=_facts(of_players, k, nth)) for nth in range(many))
        entrant = replace(standing.entrant, players=players)
        standings.append(replace(standing, entrant=entrant, facts=_facts(of_entrants, k, 0)))
    return tuple(standings)


def _facts(by_entrant: Sequence[EntrantValues], entrant: int, nth: int) -> dict[str, Value]:
    values = {one.declared.name: one.entrants[entrant][nth] for one in by_entrant}
    return {name: value for name, value in values.items() if value is not None}


def sources_of(
    by_entrant: Sequence[EntrantValues], facts: Mapping[str, Value]
) -> dict[str, KnownFact]:
    """Where what is known of them comes from: what was given, and how many are told of."""
    sources = {
        one.declared.name: KnownFact(one.declared.name, "", Origin.TOLD, GIVEN)
        for one in by_entrant
    }
    if by_entrant and _COUNT in facts:
        sources[_COUNT] = KnownFact(_COUNT, facts[_COUNT], Origin.DERIVED, GIVEN)
    return sources


def withheld_notices(awards: Sequence[Award]) -> tuple[Notice, ...]:
    """Notices of what is withheld from players who have no name, and from all of an entrant."""
    none = tuple(
        Notice(
            Message(
                "place {place} gets nothing: {reason}",
                place=award.standing.place,
                reason=award.refusal.reason,
            ),
            award.refusal.citation,
        )
        for award in awards
        if award.refusal
    )
    return none + tuple(
        Notice(
            Message(
                "player {nth} of place {place} gets nothing: {reason}",
                nth=1 + next(k for k, one in enumerate(_players(award)) if one is player),
                place=award.standing.place,
                reason=refusal.reason,
            ),
            refusal.citation,
        )
        for award in awards
        for player, refusal in award.withheld
    )


def _players(award: Award) -> tuple[Player, ...]:
    return award.standing.entrant.players
