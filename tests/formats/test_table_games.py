"""Games of go in plain tables: a row a game, as the lab takes them too."""

from __future__ import annotations

from pathlib import Path

import pytest

from honours.errors import FileProblem, FileProblems
from honours.formats.detect import read
from honours.formats.go import GoTournament, rank
from tests.support import cases

ROUNDS = """event,round,black,white,result,handicap,black rank,white rating
T1,1,a,b,B+3.5,0,1d,2100
T1,2,c,a,W+R,2,2k,
T1,1,c,,,,,
"""


def read_text(folder: Path, text: str) -> GoTournament:
    path = folder / "games.csv"
    path.write_text(text, encoding="utf-8")
    content = read(path)[1]
    assert isinstance(content, GoTournament)
    return content


@pytest.mark.parametrize(
    "text",
    [
        ROUNDS,
        "black;white;outcome;stones\na;b;1-0;0\nc;a;white;2\n",
        "winner\tloser\tstones\na\tb\t0\na\tc\t-2\n",
    ],
    ids=["rounds", "no rounds", "winners"],
)
def test_games_are_the_same_however_a_row_tells_them(tmp_path: Path, text: str) -> None:
    told = read_text(tmp_path, text)
    games = [(g.round, g.black, g.white, str(g.points("a")), g.handicap) for g in told.games]
    assert games == [(1, "a", "b", "1", 0), (2, "c", "a", "1", 2)]
    assert [(s.place, s.tied) for s in rank(told).standings] == [(1, 1), (2, 2), (2, 2)]


@cases
def test_what_cannot_be_is_refused(tmp_path: Path, old: str, new: str) -> None:
    with pytest.raises((FileProblem, FileProblems)):
        read_text(tmp_path, ROUNDS.replace(old, new))


def test_a_game_without_a_result_is_unfinished(tmp_path: Path) -> None:
    assert len(list(read_text(tmp_path, ROUNDS.replace("W+R", "?")).missing())) == 1
