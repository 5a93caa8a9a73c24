"""Compared with real files beside the repository: cli show."""

import pytest

from tests.cli.test_show import show
from tests.support import shared


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("usebio/multiple-teams.xml", ["teams, imps", "matches        40"]),
        ("usebio/usebio-and-pbn.xml", ["144, 1 adjusted, 2 passed out"]),
        ("bws/12-tables-1-section.bws", ["Bridgemate", "288, 2 adjusted, 5 passed out"]),
        ("acblscore/three-sections.ACM", ["sections       A, B, C", "boards         27"]),
        ("acbl/pairs.csv", ["event          E047", "list comparison 1 NS 8 entrants"]),
        ("opengotha/CdFO2020.xml", ["unfinished     round 7, table 1"]),
        ("opengotha/juvisy.h9", ["games          36", "places         19"]),
        ("aga/tournament-report.txt", ["players        41", "placed by      NBW, SOSW"]),
    ],
)
def test_real_files(name: str, words: list[str]) -> None:
    result = show(str(shared(f"real/{name}")))
    assert result.exit_code == 0
    for word in words:
        assert word in result.output
