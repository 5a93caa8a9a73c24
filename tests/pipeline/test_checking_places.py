"""Places and scores of lists, against their games, their scores, and the event they are of."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from honours.cli import cli

LIST = """; EV[Spring]
1 Alder Ann 2d AB Club 2 1 3+/w0 2+/b0
2 Birch Bob 1d AB Club 1 2 0+    1-/w0
3 Cedar Cid 1k AB Club 0 2 1-/b0 0-
"""


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
    assert data.pop("format") == 1
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
