"""Games in a plain table of standings: a column for each round, told as wall lists tell them.

``12+/w2`` names the opponent by the entrant's number, or by the place where there are no numbers.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction

from honours.formats.problems import Problems
from honours.formats.sheet import Sheet
from honours.formats.wall_lists import GAME, NO_GAME, agree
from honours.model import Facts, Game

GamesTold = Mapping[str, tuple[tuple[Game, ...], Facts]]
"""The games of each entrant, and what they come to."""
_WORTH = {"+": Fraction(1), "=": Fraction(1, 2), "-": Fraction(0)}


def rounds_told(sheet: Sheet) -> tuple[int, ...]:
    """The numbers of the columns ``round 1`` …, where all that stands in them is games."""
    numbers = sorted(int(name[5:]) for name in sheet.columns.positions if name.startswith("round"))
    cells = [c for n in numbers for _, cell in sheet.column(f"round{n}") if (c := _cell(cell))]
    return tuple(numbers) if cells and all(map(GAME.fullmatch, cells)) else ()


def _cell(text: str) -> str:
    return NO_GAME.get(text.upper(), text)


def cells_of(sheet: Sheet, row: Sequence[str], rounds: Sequence[int]) -> tuple[str, ...]:
    """What a row tells of each round; a cell that is empty is a round without a game."""
    return tuple(_cell(sheet.text(row, f"round{n}")) or "0=" for n in rounds)


def worth(cell: str) -> Fraction:
    """What a round is worth: a game won, half of one, or a round won without one."""
    match = GAME.fullmatch(cell)
    return _WORTH.get(match[2], Fraction(0)) if match and int(match[1]) else Fraction(cell == "0+")


def games_told(
    told: Mapping[int, tuple[int, str, tuple[str, ...]]], problems: Problems
) -> GamesTold:
    """The games of each entrant and what they come to, from number → (line, id, cells); every game
    must be told the same by both of its players, and one by default counts and was not played."""
    games: dict[str, tuple[tuple[Game, ...], Facts]] = {}
    for number, (line, entrant, cells) in told.items():
        own: list[Game] = []
        for at, cell in enumerate(cells):
            game = GAME.fullmatch(cell)
            if game is None or not (other := int(game[1])):
                continue
            answer = GAME.fullmatch(told[other][2][at]) if other in told else None
            if answer is None or other == number:
                problems.add(
                    "round {round} against {other}, who is not there",
                    line,
                    round=at + 1,
                    other=other,
                )
            elif not agree(number, game, answer):
                problems.add(
                    "round {number}: {game!r} here, {games!r} in line {row}",
                    line,
                    number=at + 1,
                    game=cell,
                    games=answer[0],
                    row=told[other][0],
                )
            elif game[2] == "?":
                problems.add("round {round}: {game!r} has no result", line, round=at + 1, game=cell)
            elif not any((game[3], game[6], answer[3], answer[6])):
                own.append(_game(told[other][1], game))
        won = sum((worth(cell) for cell in cells), Fraction(0))
        games[entrant] = (tuple(own), {"won": won, "games_played": Fraction(len(own))})
    return games


def _game(opponent: str, game: re.Match[str]) -> Game:
    stones = Fraction(int(game[5] or 0))
    received = -stones if (game[4] or "").lower() == "w" else stones
    return Game(opponent, {"result": _WORTH[game[2]], "stones": received})
