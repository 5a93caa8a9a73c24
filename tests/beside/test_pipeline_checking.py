"""Compared with real files beside the repository: pipeline checking."""

from pathlib import Path

import pytest

from honours.pipeline.checking.figures import FigureCheck
from honours.pipeline.checking.scores import check_scores
from tests.pipeline.test_checking import events
from tests.support import cases, shared

UNEXPLAINED = "not explained"


def real(name: str) -> FigureCheck:
    return check_scores(events(shared(f"real/{name}")))


@pytest.mark.parametrize(
    "path", sorted(shared("real/acblscore").glob("*.json")), ids=lambda path: path.stem
)
def test_acblscore_agrees_but_for_ties_it_parts(path: Path) -> None:
    checked = check_scores(events(path.with_suffix("")))
    assert checked.best_profile == "acbl"
    assert checked.lines > 100
    assert all("the file parts them" in d.why for d in checked.differences)


@cases
def test_usebio_files_agree_or_say_why(name: str, best: str, lines: int, differ: int) -> None:
    checked = real(f"usebio/{name}")
    assert (checked.best_profile, checked.lines) == (best, lines)
    assert len(checked.differences) == differ
    assert not [d for d in checked.differences if UNEXPLAINED in d.why]


def test_a_line_that_the_file_counts_as_an_average_explains_its_whole_board() -> None:
    checked = real("usebio/mp-pairs-mitchell-adjusted.xml")
    first = [d.why for d in checked.differences if ", board 1," in f", {d.where}"]
    assert len(first) > 30
    assert {"averages: 1NS has a result on the board, and the file counts it as an average"} == set(
        first
    )
