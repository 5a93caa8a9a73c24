"""The ranking list of a go tournament, with what its file shows."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from honours.formats.detect import AGA_REPORT
from honours.formats.go import GoTournament
from honours.formats.go_field import never_came, who_came
from honours.formats.go_standings import rank, with_games
from honours.formats.wall_lists import WallList
from honours.model import Field, KnownFact, Origin, Value
from honours.model.message import Message, plural
from honours.pipeline.account import Account

_MCMAHON = ("MMS", "MMX", "BZS", "STS")


def go_lists(
    account: Account, content: GoTournament | WallList
) -> tuple[tuple[Field, ...], tuple[str, ...]]:
    """The ranking list, and notes on how it was made."""
    if isinstance(content, WallList):
        tournament = content.tournament
        field = with_games(content.field, tournament)
        return (_with_facts(field, tournament),), tuple(tournament.notices)
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
    sources = {
        name: KnownFact(name, value, Origin.DERIVED, "the games") for name, value in facts.items()
    }
    return replace(field, facts={**field.facts, **facts}, sources={**field.sources, **sources})


def _how_placed(account: Account, tournament: GoTournament) -> list[str]:
    criteria = " → ".join(tournament.placement.criteria or ("NBW",))
    if account.form is AGA_REPORT:
        return [Message("placed by {criteria} (the report has no places)", criteria=criteria)]
    return [Message("placed by {criteria} (the event's own criteria)", criteria=criteria)]


def handicap_note(account: Account) -> str:
    """How many games were played with handicap stones: a hint at which section this is."""
    content = account.content
    tournament = content.tournament if isinstance(content, WallList) else content
    games = tournament.games if isinstance(tournament, GoTournament) else ()
    stones = sum(1 for game in games if game.handicap)
    if not stones:
        return Message("no game has handicap stones")
    return plural(
        "{count} of its games has handicap stones",
        "{count} of its games have handicap stones",
        count=stones,
    )
