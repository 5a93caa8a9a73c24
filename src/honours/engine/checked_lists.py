"""A ranking list as somebody made it in Python or sent it, checked before anything is awarded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from honours.engine.numbers import exact
from honours.engine.rulebook import Rulebook
from honours.engine.rulebook.inputs import NOT_EXACT
from honours.errors import InputError, UnknownName, WrongValue
from honours.model import Entrant, Field, Player, Standing, Value
from honours.model.vocabulary import VOCABULARY


def checked_list(book: Rulebook, field: Field) -> Field:
    """The list with its ties counted from its places and its numbers exact; what no file could say
    is refused by name."""
    known = {*VOCABULARY, *book.keys}
    known |= {f"{name}_scale" for name in known}
    facts = _facts(field.facts, known, "")
    entrants, ids = facts.get("entrants"), [s.entrant.id for s in field.standings]
    if entrants is not None and field.standings and entrants != len(ids):
        raise WrongValue("entrants", str(entrants), "the list has {listed}", listed=len(ids))
    if twice := [one for one, count in Counter(ids).items() if count > 1]:
        raise InputError("two entrants {id!r} in one list", id=twice[0])
    standings = [_standing(standing, known) for standing in field.standings]
    tied = Counter(standing.place for standing in standings)
    counted = tuple(replace(s, tied=tied[s.place]) for s in standings)
    return replace(field, facts=facts, standings=counted)


def _standing(standing: Standing, known: set[str]) -> Standing:
    who = standing.entrant.title
    place: object = standing.place
    if isinstance(place, bool) or not isinstance(place, int) or place < 1:
        raise InputError(
            "{who}: place {place!r} is not a whole number from 1 on", who=who, place=place
        )
    return replace(
        standing,
        entrant=_entrant(standing.entrant, known),
        score=None if standing.score is None else _number(standing.score, "score", who),
        facts=_facts(standing.facts, known, who),
    )


def _entrant(entrant: Entrant, known: set[str]) -> Entrant:
    def checked(player: Player) -> Player:
        return replace(player, facts=_facts(player.facts, known, player.name or entrant.title))

    return entrant.with_players(checked)


def _facts(facts: Mapping[str, object], known: set[str], who: str) -> dict[str, Value]:
    read: dict[str, Value] = {}
    for name, value in facts.items():
        if name.partition(".")[0] not in known:
            raise UnknownName("fact", name, sorted(known))
        numeric = name in VOCABULARY and VOCABULARY[name].type in ("number", "count")
        is_text = isinstance(value, str) and not numeric
        read[name] = str(value) if is_text else _number(value, name, who)
    return read


def _number(value: object, name: str, who: str) -> Fraction:
    key = f"{who}: {name}" if who else name
    try:
        return exact(value)
    except TypeError as error:
        raise WrongValue(key, str(value), NOT_EXACT) from error
    except InputError as error:
        raise WrongValue(key, str(value), "not a number") from error
