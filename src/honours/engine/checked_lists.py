"""A ranking list as somebody made it in Python or sent it, checked before anything is awarded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from honours.engine.numbers import exact
from honours.engine.rulebook.inputs import NOT_EXACT
from honours.errors import InputError, UnknownName, WrongValue
from honours.model import Entrant, Field, Player, Standing, Value
from honours.model.vocabulary import VOCABULARY


class _Every(frozenset[str]):
    """All names there are."""

    def __contains__(self, name: object) -> bool:
        return True


EVERY = _Every()


def checked_list(field: Field, keys: frozenset[str] = EVERY) -> Field:
    """The list with its ties counted from its places and its numbers exact; what no file could say
    is refused by name. ``keys`` are the facts a rulebook takes besides those everybody knows;
    without them every name is let through."""
    facts = _facts(field.facts, keys, "")
    entrants, ids = facts.get("entrants"), [s.entrant.id for s in field.standings]
    if entrants is not None and field.standings and entrants != len(ids):
        raise WrongValue("entrants", str(entrants), "the list has {listed}", listed=len(ids))
    if twice := [one for one, count in Counter(ids).items() if count > 1]:
        raise InputError("two entrants {id!r} in one list", id=twice[0])
    standings = [_standing(standing, keys) for standing in field.standings]
    _check_places(standings)
    tied = Counter(standing.place for standing in standings)
    counted = tuple(replace(s, tied=tied[s.place]) for s in standings)
    return replace(field, facts=facts, standings=counted)


def _check_places(standings: Sequence[Standing]) -> None:
    """Refuse places that leave one out, or that the scores turn round."""
    best: Standing | None = None
    ordered = sorted(standings, key=lambda s: s.place)
    for above, one in enumerate(ordered):
        if one.place != above + 1 and (not above or ordered[above - 1].place != one.place):
            raise InputError(
                "{who}: place {place} with {above} above it",
                who=one.entrant.title,
                place=one.place,
                above=above,
            )
        if one.score is None:
            continue
        if best and best.score is not None and best.place < one.place and best.score < one.score:
            raise InputError(
                "{who}: place {place} has a higher score than place {better}",
                who=one.entrant.title,
                place=one.place,
                better=best.place,
            )
        best = one


def _standing(standing: Standing, keys: frozenset[str]) -> Standing:
    who = standing.entrant.title
    place: object = standing.place
    if isinstance(place, bool) or not isinstance(place, int) or place < 1:
        raise InputError(
            "{who}: place {place!r} is not a whole number from 1 on", who=who, place=place
        )
    return replace(
        standing,
        entrant=_entrant(standing.entrant, keys),
        score=None if standing.score is None else _number(standing.score, "score", who),
        facts=_facts(standing.facts, keys, who),
    )


def _entrant(entrant: Entrant, keys: frozenset[str]) -> Entrant:
    def checked(player: Player) -> Player:
        return replace(player, facts=_facts(player.facts, keys, player.name or entrant.title))

    return entrant.with_players(checked)


def _facts(facts: Mapping[str, object], keys: frozenset[str], who: str) -> dict[str, Value]:
    read: dict[str, Value] = {}
    for name, value in facts.items():
        stem = name.partition(".")[0].removesuffix("_scale")
        if stem not in VOCABULARY and stem not in keys:
            raise UnknownName("fact", name, sorted({*VOCABULARY, *keys}))
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
