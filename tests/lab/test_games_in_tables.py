"""Games of go and ratings of pinball from tables: a row a game, a row a player, round by round."""

from __future__ import annotations

from pathlib import Path

import pytest

from honours.errors import HonoursError
from honours.lab.history.importing import ImportRequest, ImportResult, bring
from tests.support import cases

EVENTS = "event,date,class\nT1,2024-01-01,A\nT2,2024-02-01,B\n"
PLAYERS = """event,player,place,gor,grade
T1,a,1,2100,1d
T1,b,2,2100,1d
T1,c,3,1900,2 kyu
T2,a,1,2105,1d
T2,c,2,1890.5,-2
"""
BLACK_AND_WHITE = """event,round,black,white,result,handicap
T1,1,a,b,B+3.5,0
T1,2,c,a,W+R,2
T1,1,c,,,
T2,1,c,a,0-1,2
"""
EXPECTED = [
    (0, 0, 1, 2, 0),
    (0, 0, 2, 2, -2),
    (0, 1, 0, 0, 0),
    (0, 2, 0, 0, 2),
    (1, 0, 1, 2, -2),
    (1, 1, 0, 0, 2),
]
"""Event, entrant, opponent, result in halves and stones received, of every player's games."""


def brought(folder: Path, **tables: str) -> ImportResult:
    sources = []
    for name, text in tables.items():
        sources.append(folder / f"{name}.csv")
        sources[-1].write_text(text, encoding="utf-8")
    return bring(ImportRequest([str(path) for path in sources]), folder / "corpus")


def games_of(made: ImportResult) -> list[tuple[int, ...]]:
    return [tuple(row.values()) for row in made.corpus.table("games").to_pylist()]


@cases
def test_games_are_the_same_however_a_table_tells_them(
    tmp_path: Path, tables: dict[str, str]
) -> None:
    made = brought(tmp_path, events=EVENTS, **tables)
    assert games_of(made) == EXPECTED
    assert made.corpus.table("players")["gor"].to_pylist()[-1] == 1_890_500
    assert made.corpus.table("players")["grade"].to_pylist() == [0, 0, -2, 0, -2]
    amounts = made.corpus.award("egf-2021")["amount"].to_pylist()
    assert amounts[0] > amounts[3] > 0 > amounts[1]  # T2 counts less, and against somebody weaker


def test_who_played_is_known_from_games_alone(tmp_path: Path) -> None:
    made = brought(tmp_path, events=EVENTS, games=BLACK_AND_WHITE)
    assert len(made.corpus.member_ids()) == 3
    assert made.corpus.table("entrants")["place"].to_pylist() == [1, 2, 2, 1, 2]
    notes = " ".join(map(str, made.notes()))
    assert "2 events without places: they are by games won" in notes
    assert "1 row without an opponent, taken as byes" in notes


def test_a_table_of_games_may_tell_its_players_ratings(tmp_path: Path) -> None:
    rated = (
        "event,player,gor,opponent,result\n"
        "T1,a,2100,b,won\nT1,b,2100,a,lost\nT1,a,2100,c,won\nT1,c,1900,a,lost\n"
    )
    made = brought(tmp_path, events=EVENTS.rsplit("T2", 1)[0], games=rated)
    assert sorted(made.corpus.table("players")["gor"].to_pylist()) == [
        *(1_900_000, 2_100_000, 2_100_000)
    ]
    beside = brought(_folder(tmp_path), events=EVENTS, players=PLAYERS, games=rated)
    assert "column 'gor' is left out: another table tells who took part" in " ".join(
        map(str, beside.notes())
    )


def _folder(folder: Path) -> Path:
    (folder / "other").mkdir()
    return folder / "other"


@cases
def test_an_event_with_a_game_that_cannot_be_is_set_aside(
    tmp_path: Path, row: str, reason: str
) -> None:
    games = f"event,round,player,opponent,result,colour,handicap\nT1,1,a,b,1,b,0\n{row}\n"
    games += "T2,1,a,c,1,w,0\n"
    made = brought(tmp_path, events=EVENTS, players=PLAYERS, games=games)
    assert f"1 event set aside, {reason}: T1" in " ".join(map(str, made.notes()))
    assert games_of(made) == [(0, 0, 1, 2, 0), (0, 1, 0, 0, 0)]


def test_words_of_a_plan_say_who_won(tmp_path: Path) -> None:
    games = BLACK_AND_WHITE.replace("B+3.5", "noir").replace("W+R", "blanc")
    (tmp_path / "plan.toml").write_text(
        '[words.result]\n"noir" = "black"\n"blanc" = "white"\n', encoding="utf-8"
    )
    for name, text in (("events", EVENTS), ("players", PLAYERS), ("games", games)):
        (tmp_path / f"{name}.csv").write_text(text, encoding="utf-8")
    sources = [str(tmp_path / f"{name}.csv") for name in ("events", "players", "games")]
    made = bring(ImportRequest(sources, plan_file=tmp_path / "plan.toml"), tmp_path / "corpus")
    assert games_of(made) == EXPECTED


def test_a_colour_without_an_opponent_is_named(tmp_path: Path) -> None:
    made = brought(tmp_path, history=PLAYERS.replace("grade", "colour"))
    assert "column 'colour' is left out: not understood" in " ".join(map(str, made.notes()))


def test_pinball_players_bring_their_ratings(tmp_path: Path) -> None:
    table = (
        "event,date,player,place,ifpa rating,ifpa rank,is rated\n"
        "P1,2024-01-01,x,1,1600.5,120,yes\nP1,2024-01-01,y,2,1500,1200,yes\n"
        "P1,2024-01-01,z,3,,,no\n"
    )
    entrants = brought(tmp_path, history=table).corpus.table("entrants")
    assert entrants["ifpa_rating"].to_pylist() == [160_050, 150_000, None]
    assert entrants["ifpa_rank"].to_pylist() == [120, 1200, None]
    assert entrants["is_rated"].to_pylist() == [1, 1, 0]


def test_rows_without_who_played_are_no_history(tmp_path: Path) -> None:
    with pytest.raises(HonoursError, match="no event could be taken: it has no entrants"):
        brought(tmp_path, events=EVENTS, games="event,black,white,result\n,,,\n")
