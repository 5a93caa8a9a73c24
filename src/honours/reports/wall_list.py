"""The games of a go tournament beside its standings: ``4+`` beat the player placed fourth."""

from __future__ import annotations

from collections.abc import Mapping

from honours.formats.go import GoGame, GoPlayer, GoTournament, Winner
from honours.model import Field

_NO_GAME = "–"


def games(tournament: GoTournament, field: Field) -> dict[str, tuple[str, ...]]:
    """Entrant → a cell for every round: the opponent's line in the list, and how it went."""
    lines = {s.entrant.id: str(n) for n, s in enumerate(field.standings, start=1)}
    ids = {player.key: _entrant(player, lines) for player in tournament.players}
    numbers = {key: lines.get(one, "?") for key, one in ids.items()}
    played = {
        (key, game.round): game for game in tournament.games for key in (game.white, game.black)
    }
    cells_of = {}
    for key, one in ids.items():
        rounds = range(1, tournament.rounds + 1)
        cells = (_cell(played.get((key, n)), key, numbers) for n in rounds)
        byes = ((n, key) in tournament.byes for n in rounds)
        cells_of[one] = tuple("bye" if bye else cell for cell, bye in zip(cells, byes, strict=True))
    return cells_of


def _entrant(player: GoPlayer, lines: Mapping[str, str]) -> str:
    """A player's id in the list: the number, or the key where the list goes by that."""
    return player.key if player.player.number not in lines else player.player.number


def _cell(game: GoGame | None, key: str, numbers: Mapping[str, str]) -> str:
    if game is None:
        return _NO_GAME
    sign = {Winner.JIGO: "=", Winner.UNKNOWN: "?"}.get(
        game.winner, "+" if game.points(key) else "-"
    )
    colour = "w" if key == game.white else "b"
    stones = str(game.handicap or "") + ("!" if game.by_default else "")
    return f"{numbers[game.opponent(key)]}{sign}/{colour}{stones}"
