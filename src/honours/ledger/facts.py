"""The facts an award was computed from, recorded without names: the lists, and the inputs given.

Entrants are their members' ids, ``12+31``; a player is called ``#12``. So the explanation made from
these facts contains no name either, and a person can be erased without touching it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any

from honours.errors import InputError
from honours.ledger.canonical import (
    data_of,
    digest,
    facts_data,
    facts_of,
    text_of,
    value_of,
    value_text,
)
from honours.model import Entrant, Field, Game, KnownFact, Origin, Player, Standing

_NUMBER = re.compile(r"#(-?\d+)")
_SEAT = re.compile(r"[A-Za-z]{0,2}\d{1,4}[A-Za-z]{0,2}")
"""Entrant numbers by seat, ``12``, ``7NS``, ``A8EW``: never a name."""


OVERRULED = "overruled"
"""The key under which a record stores why it was posted although forbidden."""


@dataclass(frozen=True, slots=True)
class EventFacts:
    """The ranking lists of an event, the inputs given with it, and the kind of points it pays.

    ``numbers`` are the numbers of entrants in the event, by their id here. ``overruled`` is why it
    was posted against what its rulebook's body forbids, with what that is; empty if nothing was
    forbidden.
    """

    lists: tuple[Field, ...]
    given: Mapping[str, str]
    kind: str
    numbers: Mapping[str, str] = field(default_factory=dict)
    overruled: str = ""

    @property
    def members(self) -> set[int]:
        """Everybody who took part."""
        return {i for each in self.lists for s in each.standings for i in members_of(s)}


Identify = Callable[[Player, str], int]
"""Finds the member for a player of the named entrant."""


def without_names(
    lists: Sequence[Field], identify: Identify, with_games: bool = False
) -> tuple[Field, ...]:
    """The lists with every player replaced by a member's id, and with their games if the
    rulebook counts them."""
    return tuple(_list_without_names(field, identify, with_games) for field in lists)


def _list_without_names(field: Field, identify: Identify, with_games: bool) -> Field:
    nameless = [_standing(standing, identify) for standing in field.standings]
    ids = {
        named.entrant.id: standing.entrant.id
        for named, standing in zip(field.standings, nameless, strict=True)
    }
    return replace(
        field,
        standings=tuple(
            replace(standing, games=_games(standing.games, ids) if with_games else ())
            for standing in nameless
        ),
    )


def _games(games: Sequence[Game], ids: Mapping[str, str]) -> tuple[Game, ...]:
    """Games against ids; an opponent who is not in the list (barred from awards, say) has none."""
    return tuple(replace(game, opponent=ids.get(game.opponent, "")) for game in games)


def _standing(standing: Standing, identify: Identify) -> Standing:
    entrant = standing.entrant
    if not entrant.players:
        raise InputError(
            "entrant {title}: no players; the ledger credits people", title=entrant.title
        )
    ids = [identify(player, entrant.title) for player in entrant.players]
    players = zip(entrant.players, ids, strict=True)
    named = tuple(Player(f"#{i}", str(i), player.facts) for player, i in players)
    return replace(standing, entrant=Entrant("+".join(map(str, ids)), named))


def numbers_of(lists: Sequence[Field], named: Sequence[Field]) -> dict[str, str]:
    """The numbers of entrants in the event, by their id in lists without names; go players,
    whose number is their membership number, have none."""
    return {
        standing.entrant.id: entrant.id
        for field, as_named in zip(lists, named, strict=True)
        for standing, written in zip(field.standings, as_named.standings, strict=True)
        if _SEAT.fullmatch((entrant := written.entrant).id)
        and all(player.number != entrant.id for player in entrant.players)
    }


def seats(facts: EventFacts, entrants: Mapping[str, str]) -> dict[str, str]:
    """The number of each entrant within its line, by id: its own without the line or, if
    unknown, the next free one."""
    kept = {id_: facts.numbers.get(id_, "").removesuffix(line) for id_, line in entrants.items()}
    taken = set(kept.values())
    free = (str(n) for n in count(1) if str(n) not in taken)
    return {id_: number or next(free) for id_, number in kept.items()}


_LABEL = ("group", "section", "line", "stratum", "session", "of_section")


def members_of(standing: Standing) -> tuple[int, ...]:
    return tuple(int(player.number) for player in standing.entrant.players)


def with_names(text: str, names: Mapping[int, str]) -> str:
    """A stored text with ``#12`` replaced by that member's current name."""
    return _NUMBER.sub(lambda match: names.get(int(match[1]), match[0]), text)


def numbers_in(text: str) -> set[int]:
    return {int(number) for number in _NUMBER.findall(text)}


# --- as text ----------------------------------------------------------------------------------


def to_text(facts: EventFacts) -> str:
    lists = [_field_data(field) for field in facts.lists]
    data = {"lists": lists, "given": dict(facts.given), "kind": facts.kind}
    if facts.numbers:
        data["numbers"] = dict(facts.numbers)
    if facts.overruled:
        data[OVERRULED] = facts.overruled
    return text_of(data)


def _field_data(field: Field) -> dict[str, Any]:
    standings = [_standing_data(s) for s in field.standings]
    label = field.label | ({"of_section": field.of_section} if field.of_section else {})
    return {**label, "facts": facts_data(field.facts), "standings": standings}


def _standing_data(standing: Standing) -> dict[str, Any]:
    players = standing.entrant.players
    data: dict[str, Any] = {"members": list(members_of(standing)), "place": standing.place}
    if standing.tied > 1:
        data["tied"] = standing.tied
    if standing.score is not None:
        data["score"] = value_text(standing.score)
    if standing.facts:
        data["facts"] = facts_data(standing.facts)
    if any(p.facts for p in players):
        data["players"] = [facts_data(p.facts) for p in players]
    if standing.games:
        data["games"] = [
            {"opponent": game.opponent, "facts": facts_data(game.facts)} for game in standing.games
        ]
    return data


def sources_data(lists: Sequence[Field]) -> list[dict[str, list[str]]]:
    """For each list, the source of each fact; a posting stores this in its explanation."""
    return [
        {name: [str(one.origin), str(one.source)] for name, one in field.sources.items()}
        for field in lists
    ]


def with_sources(
    lists: Sequence[Field], data: Sequence[Mapping[str, Sequence[str]]]
) -> tuple[Field, ...]:
    """The lists with the sources of their facts."""
    return tuple(
        replace(
            field,
            sources={
                name: KnownFact(name, field.facts.get(name, ""), Origin(origin), source)
                for name, (origin, source) in sources.items()
            },
        )
        for field, sources in zip(lists, data, strict=True)
    )


def from_text(text: str) -> EventFacts:
    data = data_of(text)
    lists = tuple(_field(each) for each in data["lists"])
    numbers, overruled = data.get("numbers", {}), data.get(OVERRULED, "")
    return EventFacts(lists, data["given"], data["kind"], numbers, overruled)


def _field(data: Mapping[str, Any]) -> Field:
    label = {key: data[key] for key in _LABEL if key in data}
    standings = tuple(_standing_of(s) for s in data["standings"])
    return Field(facts_of(data["facts"]), standings, **label)


def _standing_of(data: Mapping[str, Any]) -> Standing:
    ids = data["members"]
    own = data.get("players", [{}] * len(ids))
    players = tuple(Player(f"#{i}", str(i), facts_of(f)) for i, f in zip(ids, own, strict=True))
    score = value_of(data["score"]) if "score" in data else None
    assert not isinstance(score, str)
    return Standing(
        Entrant("+".join(map(str, ids)), players),
        data["place"],
        data.get("tied", 1),
        score,
        facts_of(data.get("facts", {})),
        tuple(Game(game["opponent"], facts_of(game["facts"])) for game in data.get("games", ())),
    )


# --- fingerprints -----------------------------------------------------------------------------


def results_fingerprint(lists: Sequence[Field]) -> str:
    """A digest of who came where, independent of file, program, title and rounding of scores."""
    ranked = sorted(sorted((s.place, sorted(members_of(s))) for s in f.standings) for f in lists)
    return digest(text_of(ranked))


def entrants_fingerprint(lists: Sequence[Field]) -> str:
    """A digest of who took part with whom, independent of the results."""
    return digest(
        text_of(sorted({tuple(sorted(members_of(s))) for f in lists for s in f.standings}))
    )
