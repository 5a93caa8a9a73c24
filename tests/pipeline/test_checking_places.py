"""Places and scores of lists, against their games, their scores, and the event they are of."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from honours.cli import cli
from honours.errors import FileProblems, InputError
from honours.pipeline import read_account
from honours.pipeline.checking import FigureCheck, check_places
from tests.support import shared

LIST = """; EV[Spring]
1 Alder Ann 2d AB Club 2 1 3+/w0 2+/b0
2 Birch Bob 1d AB Club 1 2 0+    1-/w0
3 Cedar Cid 1k AB Club 0 2 1-/b0 0-
"""


def checked(name: str, against: str = "") -> FigureCheck:
    account = read_account(shared(f"real/{name}"))
    return check_places(account, shared(f"real/{against}") if against else "")


PROGRAMS = {
    "opengotha/regional-2012.xml": "",
    "opengotha/clubs-2012.xml": "",
    "opengotha/teams-2020.xml": "",
    "opengotha/local-2021.xml": "",
    "opengotha/local-2021.tou": "",
    "opengotha/categories-2012.xml": "",
    "opengotha/handicap-both-lose-2021.xml": "",
    "opengotha/sts-2020.xml": "",
    "opengotha/juvisy.xml": "opengotha-published/juvisy.h9",
    "macmahon/macmahon-3.10.xml": "macmahon/macmahon-3.10-wall-list.txt",
}


BY_DEFAULT = ("opengotha/clubs-2012.xml", "opengotha/local-2021.xml")
"""Their lists have a game by default that the files have as played."""


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_s_file_gives_the_places_and_scores_of_its_list(name: str) -> None:
    comparison = checked(name, PROGRAMS[name])
    assert comparison.agree > 0
    assert len(comparison.differences) == (1 if name in BY_DEFAULT else 0)
    assert all("as won by default" in difference.why for difference in comparison.differences)


LISTS = {
    "h9/age-group-columns.h9": "MMS, NBW, SOSM, SOSOSM",
    "h9/default-games-and-byes.h9": "MMS, SOSM, SOSOSM",
    "h9/games-before-scores.h9": "NBW, SOSW, SOSOSW",
    "h9/play-off-columns.h9": "NBW",
    "opengotha/categories-2012.opengotha.h9": "NBW",
    "opengotha/aga-2014.opengotha.h9": "MMS, SOSM, SOSOSM",
    "tou/first-round-jigo-byes.tou": "NBW, SOSW, SOSOSW",
}


@pytest.mark.parametrize("name", LISTS)
def test_the_columns_of_a_list_follow_from_its_games(name: str) -> None:
    comparison = checked(name)
    assert (comparison.best_profile, comparison.differences) == (LISTS[name], ())


def test_each_difference_of_a_list_has_its_reason() -> None:
    comparison = checked("h9/knockout-bare-question-marks.h9")
    assert 2 * comparison.agree > comparison.lines
    assert all(str(d.why).startswith(("programme:", "ties:")) for d in comparison.differences)


def test_an_unfinished_event_is_refused_with_what_is_missing() -> None:
    with pytest.raises(FileProblems, match=r"round 7, table 11: .* has no result"):
        checked("opengotha/CdFO2020.xml")


def test_a_file_without_a_list_says_where_one_is_looked_for() -> None:
    with pytest.raises(InputError, match=r"tournament-report\.h9"):
        checked("aga/tournament-report.txt")


@pytest.fixture
def written(tmp_path: Path) -> Callable[[str], Path]:
    def write(text: str) -> Path:
        path = tmp_path / "spring.h9"
        path.write_text(text, encoding="utf-8")
        return path

    return write


def test_a_score_and_a_place_that_do_not_follow(written: Callable[[str], Path]) -> None:
    path = written(LIST.replace("Club 2 1", "Club 1 1"))
    made = CliRunner().invoke(cli, ["score", str(path), "--check", "--json"])
    assert made.exit_code == 0, made.output
    data = json.loads(made.stdout)
    assert set(data) == {"lines", "agree", "best_profile", "differences"}
    wrong = {d["where"]: (d["published"], d["ours"]) for d in data["differences"]}
    assert wrong["Alder Ann, NBW"] == ("1", "2")
    assert wrong["Birch Bob, place"] == ("2", "1")


def test_score_shows_a_list_and_the_places_of_a_go_tournament(
    written: Callable[[str], Path],
) -> None:
    made = CliRunner().invoke(cli, ["score", str(written(LIST))])
    assert made.exit_code == 0, made.output
    assert "Birch Bob" in made.stdout
    table = CliRunner().invoke(cli, ["score", str(written(LIST)), "--csv"])
    assert table.stdout.splitlines()[1].startswith("1,1,Alder Ann,2")
