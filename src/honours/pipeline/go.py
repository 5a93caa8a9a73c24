"""The ranking list of a go tournament, with what its file shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from honours.engine.numbers import show
from honours.errors import InputError, UnknownName
from honours.formats.go import (
    SUMS,
    GoScores,
    GoTournament,
    fact_of_criterion,
    never_came,
    rank,
    who_came,
    with_games,
)
from honours.model import Field, Origin, Standing, Step, Value
from honours.model.message import Message, joined, mark, plural
from honours.pipeline.account import Account, OneEvent

_MCMAHON = ("MMS", "MMX", "BZS", "STS")


def go_lists(account: Account, content: GoTournament) -> tuple[tuple[Field, ...], tuple[str, ...]]:
    """The ranking list, and notes on how it was made; after the last whole round of a tournament
    that is under way."""
    if content.listed:
        return (_with_facts(with_games(content), content),), content.notices
    content = content.so_far()
    if not content.rounds:
        raise InputError("no round is finished yet")
    there = who_came(content.players, content.games, content.byes)
    absent = never_came(content.players, there)
    field = rank(replace(content, players=tuple(there)))
    notes = (*content.notices, *absent, *_how_placed(account, content))
    return (_with_facts(field, content),), notes


def _with_facts(field: Field, tournament: GoTournament) -> Field:
    first = next((c for c in tournament.placement.criteria if c != "CAT"), "NBW")
    placing = "mcmahon" if first in _MCMAHON else "wins" if first == "NBW" else "other"
    stones = sum(1 for game in tournament.games if game.handicap)
    facts: dict[str, Value] = {
        "placing": placing,
        "rounds": Fraction(tournament.rounds),
        "handicap_stones": Fraction(stones),
        "field_entrants": Fraction(len(field.standings)),
    }
    return field.knowing(facts, Origin.DERIVED, "the games")


def _how_placed(account: Account, tournament: GoTournament) -> list[str]:
    criteria = " → ".join(tournament.placement.criteria or ("NBW",))
    if account.form.name in ("aga-report", "games"):
        return [Message("placed by {criteria} (the file has no places)", criteria=criteria)]
    return [Message("placed by {criteria} (the event's own criteria)", criteria=criteria)]


def explain_place(content: OneEvent, lists: Sequence[Field], name: str) -> Step:
    """Explain somebody's place in a list: what each criterion gives and which of them tells from
    the next above and below, or that the list gives it."""
    field, at = _named(lists, name.strip())
    standing = field.standings[at]
    criteria: tuple[str, ...] = ()
    if isinstance(content, GoTournament) and not content.listed:
        criteria = content.placement.criteria or ("NBW",)
    facts = {name: standing.facts[fact_of_criterion(name)] for name in criteria} or standing.facts
    beside = [field.standings[n] for n in (at - 1, at + 1) if 0 <= n < len(field.standings)]
    told = [_told_apart(standing, other, criteria) for other in beside]
    return Step(
        Message("place of {name}", name=standing.entrant.title),
        Fraction(standing.place),
        standing.placing,
        "rule",
        formula=" → ".join(criteria),
        because=joined("; ", told) if criteria else Message("as the list gives it"),
        uses=tuple(
            Step(fact, value, _figure(value), "aggregate", parts=_parts(content, standing, fact))
            for fact, value in facts.items()
        ),
    )


def _named(lists: Sequence[Field], name: str) -> tuple[Field, int]:
    for field in lists:
        for at, standing in enumerate(field.standings):
            people = [word for p in standing.entrant.players for word in (p.name, p.number)]
            known = (standing.entrant.id, standing.entrant.title, *people)
            if name.casefold() in {word.casefold() for word in known if word}:
                return field, at
    everybody = [s.entrant.title for field in lists for s in field.standings]
    raise UnknownName("entrant", name, everybody)


def _told_apart(standing: Standing, other: Standing, criteria: Sequence[str]) -> Message:
    """Say which criterion places one before the other, with the values of both."""
    for name in criteria:
        fact = fact_of_criterion(name)
        own, theirs = standing.facts[fact], other.facts[fact]
        if own != theirs:
            return Message(
                mark("{criterion} places it before {other}: {own} to {theirs}")
                if standing.place < other.place
                else mark("{criterion} places it after {other}: {own} to {theirs}"),
                criterion=name,
                other=other.entrant.title,
                own=_figure(own),
                theirs=_figure(theirs),
            )
    return Message("equal to {other} by all of them", other=other.entrant.title)


def _parts(content: OneEvent, standing: Standing, criterion: str) -> tuple[tuple[str, str], ...]:
    """Return each round's part of a criterion: the opponent's score, or the game's points."""
    if not isinstance(content, GoTournament) or content.listed:
        return ()
    scores = GoScores(content)
    key = next(key for key in scores.players if scores.number(key) == standing.entrant.id)
    summed = SUMS.get(criterion.partition("-")[0])
    games = scores.games[key]
    added = (
        scores.opponents(key, summed) if summed else {r: g.points(key) for r, g in games.items()}
    )
    if not summed and criterion not in ("NBW", "MMS"):
        return ()
    people = {p.key: p.player.name for p in content.players}
    return tuple(
        (
            Message("round {round}", round=r),
            f"{people[games[r].opponent(key)] if r in games else '–'}: {_figure(value)}",
        )
        for r, value in added.items()
    )


def _figure(value: Value) -> str:
    return show(value) if isinstance(value, Fraction) else str(value)


def handicap_note(account: Account) -> str:
    """Say how many games were played with handicap stones: a hint at which section this is."""
    content = account.content
    games = content.games if isinstance(content, GoTournament) else ()
    stones = sum(1 for game in games if game.handicap)
    if not stones:
        return Message("no game has handicap stones")
    return plural(
        "{count} of its games has handicap stones",
        "{count} of its games have handicap stones",
        count=stones,
    )
