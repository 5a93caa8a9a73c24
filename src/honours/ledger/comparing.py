"""Comparison of an event now with what was posted: any fact may have been corrected."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from sqlalchemy import Connection, select

from honours.engine.numbers import show
from honours.ledger import facts as stored
from honours.ledger.canonical import data_of, value_text
from honours.ledger.events import PreparedEvent
from honours.ledger.facts import EventFacts, members_of
from honours.ledger.schema import records
from honours.model import Field, Standing
from honours.model.message import Message

_Place = tuple[str, str, str, tuple[int, ...]]


def other_facts(
    before: EventFacts, after: EventFacts, names: Mapping[int, str]
) -> tuple[Message, ...]:
    """Every fact that differs, in words. A fact known to only one side is not a correction: a
    later Honours reads more from the same file."""
    differences = list(_others("", before.given, after.given))
    was = dict(_standings(before))
    for key, standing in _standings(after):
        if key in was:
            who = " & ".join(names.get(member, f"#{member}") for member in key[3])
            differences += _of_standing(who, was[key], standing)
    for one, other in zip(before.lists, after.lists, strict=False):
        if _label(one) == _label(other):
            differences += _others("", one.facts, other.facts)
    return tuple(dict.fromkeys(differences))


def _label(field: Field) -> tuple[str, str, str]:
    label = field.label
    return (
        f"{label.get('group', '')} {label.get('line', '')}".strip(),
        str(label.get("stratum", "")),
        str(label.get("session", "")),
    )


def _standings(facts: EventFacts) -> Iterator[tuple[_Place, Standing]]:
    for field in facts.lists:
        for standing in field.standings:
            yield (*_label(field), tuple(sorted(members_of(standing)))), standing


def _of_standing(who: str, was: Standing, now: Standing) -> Iterator[Message]:
    if was.score != now.score:
        yield Message(
            "{who}: score {before} in the ledger, {now} now",
            who=who,
            before=show(was.score) if was.score is not None else "–",
            now=show(now.score) if now.score is not None else "–",
        )
    if was.tied != now.tied:
        yield Message(
            "{who}: tied by {before} in the ledger, {now} now",
            who=who,
            before=was.tied,
            now=now.tied,
        )
    yield from _others(who, was.facts, now.facts)
    own = dict(zip(members_of(was), was.entrant.players, strict=True))
    for member, player in zip(members_of(now), now.entrant.players, strict=True):
        if member in own:
            yield from _others(who, own[member].facts, player.facts)
    if was.games and now.games:
        yield from _other_games(who, was, now)


def _other_games(who: str, was: Standing, now: Standing) -> Iterator[Message]:
    """Games that differ from the stored ones, one after the other."""
    if len(was.games) != len(now.games):
        yield Message(
            "{who}: {before} games in the ledger, {now} now",
            who=who,
            before=len(was.games),
            now=len(now.games),
        )
        return
    for number, (before, after) in enumerate(zip(was.games, now.games, strict=True), start=1):
        of_game = Message("{who}, game {number}", who=who, number=number)
        if before.opponent != after.opponent:
            yield Message("{who}: another opponent now", who=of_game)
        yield from _others(of_game, before.facts, after.facts)


def _shown(value: Any) -> str:
    return show(value) if isinstance(value, Fraction) else str(value)


def _others(who: str, was: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[Message]:
    for name in sorted({*was} & {*now}):
        if value_text(was[name]) != value_text(now[name]):
            values = {"fact": name, "before": _shown(was[name]), "now": _shown(now[name])}
            if who:
                yield Message("{who}: {fact} {before} in the ledger, {now} now", who=who, **values)
            else:
                yield Message("{fact} {before} in the ledger, {now} now", **values)


def explain(connection: Connection, record: Any, prepared: PreparedEvent) -> bool:
    """Return whether the only difference is that somebody who was erased appears as a newcomer:
    then the event is already there, and nothing is proposed that would bring the name back."""
    new = {member.id for member in prepared.newcomers}
    if not new:
        return False
    gone: set[int] = set()
    for row in connection.execute(select(records.c.facts).where(records.c.action == "erasure")):
        gone.update(data_of(row.facts)["members"])
    before, after = stored.from_text(record.facts), prepared.facts
    if not gone or len(before.lists) != len(after.lists):
        return False
    return all(
        _places(one.standings, gone) == _places(other.standings, new)
        for one, other in zip(before.lists, after.lists, strict=True)
    )


def _places(standings: tuple[Standing, ...], nameless: set[int]) -> list[tuple[Any, ...]]:
    """Return who came where with which score, without telling the nameless apart."""
    return sorted(
        (
            standing.place,
            standing.tied,
            str(standing.score),
            sorted(0 if member in nameless else member for member in stored.members_of(standing)),
        )
        for standing in standings
    )
