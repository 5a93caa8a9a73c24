"""Games of go from a plain table, a row a game: black and white, or winner and loser."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from itertools import count
from pathlib import Path

from honours.errors import FileProblem
from honours.formats.aga import CRITERIA
from honours.formats.format import Format, columns
from honours.formats.go import (
    GoGame,
    GoPlayer,
    GoTournament,
    Placement,
    Winner,
    of_who_came,
    parse_rank,
)
from honours.formats.reading import day_if_one, rounds_short
from honours.formats.sheet import DECLARED, Sheet, SheetCells, vocabulary
from honours.formats.workbooks import read_table
from honours.model import Player, Source
from honours.model.message import Message

COLUMNS = vocabulary("games")
WON, DREW, LOST = 2, 1, 0
HALVES = {word: int(n) for n, words in DECLARED["games"]["won"].items() for word in words.split()}
"""What a word says of a player's game, in half games."""
_OF_TWO = re.compile(r"(0[.,]5|½|1/2|1|0)-*[-–:]-*(0[.,]5|½|1/2|1|0)")
_WINNERS = {
    (WON, LOST): Winner.BLACK,
    (LOST, WON): Winner.WHITE,
    (DREW, DREW): Winner.JIGO,
    (LOST, LOST): Winner.NEITHER,
    None: Winner.UNKNOWN,
}


def halves_of_two(text: str) -> tuple[int, int] | None:
    """The points of black and white in a game, in halves: ``B+3.5``, ``white``, ``1-0``, ``jigo``;
    nothing where the text does not say it."""
    if match := _OF_TWO.fullmatch(text):
        black, white = (HALVES[match[k].replace(",", ".")] for k in (1, 2))
        return (black, white) if black + white in (LOST, WON) else None
    if side := re.fullmatch(r"(b|w)(?:lack|hite)?(?:[+-].*)?", text):
        return (WON, LOST) if side[1] == "b" else (LOST, WON)
    return (DREW, DREW) if HALVES.get(text) == DREW else None


def read_games(path: str | Path) -> GoTournament:
    """Read a CSV, TSV or XLSX of the games of one tournament; who has no opponent has a bye. The
    tournament is placed as an AGA report is, by wins and opponents' wins."""
    sheet = Sheet(str(path), read_table(path), COLUMNS)
    named = ("black", "white") if "black" in sheet.columns else ("winner", "loser")
    for column in named:
        sheet.require(column)
    if named[0] == "black":
        sheet.require("result")
    sheet.problems.settle()
    cells = SheetCells(sheet)
    events, days = (sorted(set(cells.words(name)) - {""}) for name in ("event", "date"))
    if len(events) > 1:
        raise FileProblem(path, "{count} events", "the games of one", count=len(events))
    people = [cells.words(column) for column in named]
    told = [text.lower().replace(" ", "-") for text in cells.texts("result")]
    if named[0] == "winner":
        told = ["black"] * len(told)
    played = [*zip(*people, strict=True)]
    games: list[GoGame] = []
    byes: set[tuple[int, str]] = set()
    rounds = _rounds(played, cells.whole("round", least=1))
    fewest = 0 if named[0] == "black" else -9  # a winner's stones may be given
    stones = zip(
        cells.whole("handicap", fewest), cells.numbers("komi"), cells.whole("table"), strict=True
    )
    for line, (black, white), number, result, (handicap, komi, table) in zip(
        cells.lines, played, rounds, told, stones, strict=True
    ):
        if not (black and white):
            byes.add((number, black or white))
            continue
        halves = halves_of_two(result)
        if halves is None and result.strip("?"):
            sheet.problems.add(
                "result {result!r}", line, "B+3.5, W+R, 1-0, jigo or the like", result=result[:20]
            )
        winner, source = _WINNERS[halves], Source(sheet.path, line)
        sides = (white, black)
        if handicap < 0:
            sides, winner = (black, white), Winner.WHITE
        games.append(
            GoGame(number, *sides, winner, abs(handicap), komi, table=table, source=source)
        )
    listed = GoTournament(
        title=events[0] if events else Path(sheet.path).stem,
        players=_players(cells, named, people),
        games=tuple(games),
        rounds=max(rounds, default=0),
        placement=Placement(CRITERIA, bye_wins=Fraction(0)),
        byes=frozenset(byes),
        date=day_if_one(days[-1]) if days else None,
        source=Source(sheet.path),
        doubts=(*sheet.ends_short(), *rounds_short(game.round for game in games)),
    )
    return of_who_came(listed, sheet.problems)


def _rounds(played: Sequence[tuple[str, ...]], said: Sequence[int]) -> list[int]:
    """The round of each game: what its row says, or the first in which neither has one."""
    taken: set[tuple[int, str]] = set()
    rounds = []
    for both, number in zip(played, said, strict=True):
        free = (n for n in count(1) if not {(n, who) for who in both if who} & taken)
        rounds.append(number or next(free))
        taken |= {(rounds[-1], who) for who in both}
    return rounds


def _players(
    cells: SheetCells, named: Sequence[str], people: Sequence[Sequence[str]]
) -> tuple[GoPlayer, ...]:
    """Everybody who plays, with the grade and the rating that any row gives them; whoever is known
    by a number alone has no name."""
    grades: dict[str, int | None] = {}
    ratings: dict[str, Fraction | None] = {}
    for side, own in zip(named, people, strict=True):
        ranked = cells.each(cells.texts(f"{side}grade"), _grade, None)
        for who, rank, rating in zip(own, ranked, cells.numbers(f"{side}rating"), strict=True):
            grades[who] = grades.get(who) if rank is None else rank
            ratings[who] = rating or ratings.get(who)
    return tuple(
        GoPlayer(
            who,
            Player("" if who.isdecimal() else who, who if who.isdecimal() else ""),
            rank,
            strength=ratings[who],
        )
        for who, rank in sorted(grades.items())
        if who
    )


def _grade(text: str) -> int | None:
    rank = parse_rank(text)
    if text and rank is None:
        raise ValueError(Message("grade {text!r} is not like 5d or 12k", text=text))
    return rank


FORMATS = (
    Format(
        "games",
        "table of games",
        columns(COLUMNS, {"black", "white", "winner", "loser"}),
        read_games,
    ),
)
