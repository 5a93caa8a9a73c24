"""Compared with real files beside the repository: formats detect."""

from pathlib import Path

import pytest

from honours.formats.detect import (
    experimental,
    read,
    recognise,
)
from tests.formats.test_detect import MADE
from tests.formats.test_pbn import MATCH
from tests.support import shared

REAL = {
    "usebio/mp-pairs.xml": "usebio",
    "usebio/usebio-and-pbn.xml": "usebio",
    "bws/12-tables-1-section.bws": "bws",
    "acbl/pairs.csv": "standings",
    "acbl/results.csv": "results",
    "opengotha/egc2013.xml": "opengotha",
    "opengotha/juvisy.h9": "h9",
    "aga/tournament-report.txt": "aga-report",
}


@pytest.mark.parametrize("name", REAL)
def test_real_files(name: str) -> None:
    assert recognise(shared(f"real/{name}")).name == REAL[name]


def test_experimental_readings_say_so(tmp_path: Path) -> None:
    path = tmp_path / "x.xml"
    path.write_bytes(MADE["usebio"].encode("iso-8859-1"))
    assert "strata" in experimental(*read(path))
    path.write_text(MADE["bridgewebs"], encoding="utf-8")
    assert experimental(*read(path)) == "no real file of this kind has been seen"
    path.write_text(MATCH, encoding="utf-8")
    assert "boards without tables" in experimental(*read(path))
    plain = shared("real/usebio/mp-pairs.xml")
    assert experimental(*read(plain)) == ""
