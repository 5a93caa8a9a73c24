"""Compared with real files beside the repository: pipeline checking places."""

import pytest

from honours.errors import FileProblems, InputError
from honours.pipeline import read_account
from honours.pipeline.checking.figures import FigureCheck
from honours.pipeline.checking.places import check_places
from tests.support import shared


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
