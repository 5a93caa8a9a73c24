"""Compared with real files beside the repository: pipeline api."""

import pytest

import honours
from honours.errors import InputError
from tests.support import shared


@pytest.mark.parametrize(
    "page", ["acbl/tournament-board.html", "bbo/traveller.html", "realbridge/board_1.html"]
)
def test_one_board_of_an_event_is_scored_and_not_awarded_as_the_event(page: str) -> None:
    report = honours.score(honours.read(shared(f"real/{page}")))
    assert report.lists
    with pytest.raises(InputError, match="one board of an event"):
        honours.award(report, "acbl-general", {"class": "regional"}, as_usual=True)
