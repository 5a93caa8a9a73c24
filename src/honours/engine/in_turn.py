"""The lists of an event awarded one after the other, where what one pays counts for the next.

A cap over a period holds for what a player gets of an event in all: where the lists of an event
add up, one begins with what those before it pay.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from honours.engine.award import award as awarded
from honours.engine.rulebook import Rulebook
from honours.model import Award, Awards, Entrant, Field, KnownFact, Origin, Player, Standing, Value
from honours.model.message import Message, word

Paid = dict[str, Fraction]
"""By person."""


def awarded_in_turn(
    rulebook: Rulebook, fields: Sequence[Field], before: Sequence[Awards], in_words: bool
) -> list[Awards]:
    """The awards of some lists of an event, of which others were awarded ``before``."""
    awards: list[Awards] = []
    for field in fields:
        paid = _paid(_added_to(rulebook, field, [*before, *awards]))
        awards.append(awarded(rulebook, _with_paid(rulebook, field, paid), in_words))
    return awards


def _added_to(rulebook: Rulebook, field: Field, before: Sequence[Awards]) -> Sequence[Awards]:
    """The lists whose points are added to those of a list, where a rulebook asks what was awarded
    before."""
    if not rulebook.asked_before:
        return ()
    if not rulebook.lists.pays_best:
        return before
    adds_sessions = rulebook.lists.sessions == "sum" and field.session
    return [one for one in before if one.field.session] if adds_sessions else ()


def _paid(lists: Sequence[Awards]) -> Paid:
    paid: Paid = {}
    for one in (item for awards in lists for item in awards.schedule):
        for seat, player, amount in paid_players(one):
            key = _person(one.standing, seat, player)
            paid[key] = paid.get(key, Fraction(0)) + amount
    return paid


def paid_players(award: Award) -> Iterator[tuple[int, Player, Fraction]]:
    """The players of an entrant from whom nothing is withheld, with their seats and amounts."""
    refused = [player for player, _ in award.withheld]
    for seat, player in enumerate(award.standing.entrant.players):
        if player not in refused:
            yield seat, player, award.amount_of(seat)


def _person(standing: Standing, seat: int, player: Player) -> str:
    """Who somebody is in the lists of one event; partners may change from session to session."""
    return player.number or player.name or f"{standing.entrant.id} {seat}"


def _with_paid(rulebook: Rulebook, field: Field, paid: Paid) -> Field:
    if not any(paid.values()):
        return field

    def of_player(standing: Standing, seat: int, player: Player) -> Player:
        more = paid.get(_person(standing, seat, player), Fraction(0))
        levels = (player.facts, standing.facts, field.facts)
        own = {name: _known(rulebook, name, levels) + more for name in rulebook.asked_before}
        return replace(player, facts={**player.facts, **own})

    def of_entrant(standing: Standing) -> Entrant:
        players = enumerate(standing.entrant.players)
        own = tuple(of_player(standing, seat, player) for seat, player in players)
        return replace(standing.entrant, players=own)

    standings = tuple(replace(each, entrant=of_entrant(each)) for each in field.standings)
    sources = {name: _source(field, name) for name in rulebook.asked_before}
    return replace(field, standings=standings, sources={**field.sources, **sources})


def _known(rulebook: Rulebook, name: str, levels: Sequence[Mapping[str, Value]]) -> Fraction:
    """What was awarded before the event, as it is said of a player, an entrant or of all."""
    declared = rulebook.inputs[name]
    value = next((facts[name] for facts in levels if name in facts), None)
    return Fraction(declared.read(declared.default) if value is None else value)


def _source(field: Field, name: str) -> KnownFact:
    known = field.sources.get(name)
    lists = Message("the lists of the event before")
    both = Message("{source}, and {lists}", source=word(known.source), lists=lists) if known else ""
    return KnownFact(name, "", Origin.DERIVED, both or lists)
