"""The games of a go tournament: beside its standings (``4+`` beat the player placed fourth), of one
player, and round by round."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from honours.engine.numbers import show
from honours.formats.go import GoGame, GoPlayer, GoTournament, Winner, fact_of_criterion
from honours.formats.wall_lists import WallList
from honours.model import Field
from honours.model.message import Message
from honours.model.table import Cell, Column, Kind, Link, Table, table
from honours.pipeline import Report

_NO_GAME = "–"
_RESULTS = {
    Winner.WHITE: "1–0",
    Winner.BLACK: "0–1",
    Winner.JIGO: "½–½",
    Winner.BOTH: "1–1",
    Winner.NEITHER: "0–0",
    Winner.UNKNOWN: "?",
}
_GRADE = Column("grade", Message("grade"), Kind.CODE)


def tournament_of(report: Report) -> GoTournament | None:
    """The go tournament that a report is of, if it is of one."""
    content = report.account.content
    tournament = content.tournament if isinstance(content, WallList) else content
    return tournament if isinstance(tournament, GoTournament) else None


def shown_grade(rank: int | Fraction | None) -> str:
    """``5d`` or ``3k``, as go players write it; 1 dan counts as 0, 1 kyu as -1."""
    if rank is None:
        return ""
    return f"{rank + 1}d" if rank >= 0 else f"{-rank}k"


@dataclass(frozen=True, slots=True)
class _PlayerPlaces:
    """Who the players of a tournament are in its list: by key, entrant and line."""

    ids: Mapping[str, str]
    lines: Mapping[str, str]
    players: Mapping[str, GoPlayer]

    def line(self, key: str) -> str:
        return self.lines.get(self.ids[key], "?")

    def named(self, key: str) -> Cell:
        """A player's name with the place, leading to their games."""
        name = self.players[key].player.name
        return Cell(name, link=self.link(key), note=self.line(key))

    def link(self, key: str) -> Link:
        return Link("scorecard", self.ids[key])


def _places(tournament: GoTournament, field: Field) -> _PlayerPlaces:
    lines = {s.entrant.id: str(n) for n, s in enumerate(field.standings, start=1)}
    players = {player.key: player for player in tournament.players}
    ids = {key: _entrant(player, lines) for key, player in players.items()}
    return _PlayerPlaces(ids, lines, players)


def games(tournament: GoTournament, field: Field) -> dict[str, tuple[Cell, ...]]:
    """Entrant → a cell for every round: the opponent's line in the list, and how it went; it leads
    to the opponent's games."""
    places = _places(tournament, field)
    played = _played(tournament)
    return {
        one: tuple(
            Cell("bye") if (n, key) in tournament.byes else _cell(played.get((key, n)), key, places)
            for n in range(1, tournament.rounds + 1)
        )
        for key, one in places.ids.items()
    }


def _played(tournament: GoTournament) -> dict[tuple[str, int], GoGame]:
    return {
        (key, game.round): game for game in tournament.games for key in (game.white, game.black)
    }


def games_of_player(tournament: GoTournament, field: Field, entrant: str) -> Table:
    """Every round of one player: against whom, with which colour and handicap, and the result."""
    places, played = _places(tournament, field), _played(tournament)
    [key] = [key for key, one in places.ids.items() if one == entrant]
    columns = (
        Column("round", Message("round"), Kind.NUMBER),
        Column("against", Message("against")),
        _GRADE,
        Column("colour", Message("colour"), Kind.WORD),
        Column("handicap", Message("handicap"), Kind.NUMBER),
        Column("result", Message("result"), Kind.CODE),
    )
    rows: list[tuple[Cell | str, ...]] = []
    for number in range(1, tournament.rounds + 1):
        game = played.get((key, number))
        if game is None:
            bye = Message("bye") if (number, key) in tournament.byes else _NO_GAME
            rows.append((str(number), bye, "", "", "", ""))
            continue
        other = game.opponent(key)
        rows.append(
            (
                str(number),
                places.named(other),
                shown_grade(places.players[other].rank),
                Message("white") if key == game.white else Message("black"),
                str(game.handicap or ""),
                _sign(game, key) + ("!" if game.by_default else ""),
            )
        )
    return table("games", columns, rows)


def rounds_of(tournament: GoTournament, field: Field) -> list[Table]:
    """A table for every round: who played whom, with what handicap, and how it went."""
    places = _places(tournament, field)
    columns = (
        Column("table", Message("table no."), Kind.NUMBER),
        Column("white", Message("white")),
        Column("white grade", Message("grade"), Kind.CODE),
        Column("black", Message("black")),
        Column("black grade", Message("grade"), Kind.CODE),
        Column("handicap", Message("handicap"), Kind.NUMBER),
        Column("komi", Message("komi"), Kind.NUMBER),
        Column("result", Message("result"), Kind.CODE),
    )
    made = []
    for number in range(1, tournament.rounds + 1):
        rows: list[tuple[Cell | str, ...]] = [
            (
                str(game.table or ""),
                places.named(game.white),
                shown_grade(places.players[game.white].rank),
                places.named(game.black),
                shown_grade(places.players[game.black].rank),
                str(game.handicap or ""),
                "" if game.komi is None else show(game.komi),
                _RESULTS[game.winner] + ("!" if game.by_default else ""),
            )
            for game in tournament.games
            if game.round == number
        ]
        without = ", ".join(
            places.players[key].player.name for n, key in sorted(tournament.byes) if n == number
        )
        foot = Message("Bye: {names}", names=without) if without else ""
        title = Message("Round {round}", round=number)
        made.append(table(f"round-{number}", columns, rows, caption=title, foot=foot).used())
    return made


def deciding(tournament: GoTournament, field: Field) -> dict[str, set[str]]:
    """Entrant → the facts that decided between the player and a neighbour of the same score."""
    names = [fact_of_criterion(name) for name in tournament.placement.criteria]
    decided: dict[str, set[str]] = {}
    for above, below in zip(field.standings, field.standings[1:], strict=False):
        differ = [n for n in names if above.facts.get(n) != below.facts.get(n)]
        if differ and differ[0] != names[0]:
            for standing in (above, below):
                decided.setdefault(standing.entrant.id, set()).add(differ[0])
    return decided


def _entrant(player: GoPlayer, lines: Mapping[str, str]) -> str:
    """A player's id in the list: the number, or the key where the list goes by that."""
    return player.key if player.player.number not in lines else player.player.number


def _cell(game: GoGame | None, key: str, places: _PlayerPlaces) -> Cell:
    if game is None:
        return Cell(_NO_GAME)
    colour = "w" if key == game.white else "b"
    stones = str(game.handicap or "") + ("!" if game.by_default else "")
    other = game.opponent(key)
    text = f"{places.line(other)}{_sign(game, key)}/{colour}{stones}"
    return Cell(text, link=places.link(other))


def _sign(game: GoGame, key: str) -> str:
    signs = {Winner.JIGO: "=", Winner.UNKNOWN: "?"}
    return signs.get(game.winner, "+" if game.points(key) else "-")
