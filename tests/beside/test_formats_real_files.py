"""Compared with real files beside the repository: formats real files."""

import pytest

from honours.errors import HonoursError
from honours.formats.detect import experimental, read
from honours.formats.go import GoTournament, rank
from tests.support import SHARED, shared

KINDS = {
    "acbl/club-results-page.html": "acbl-json",
    "acbl/pairs.csv": "standings",
    "acbl/results.csv": "results",
    "acbl/tournament-board.html": "acbl-live",
    "acbl/tournament-scorecard.html": "acbl-live",
    "aga/opengotha-export.txt": "aga-report",
    "aga/tournament-report.txt": "aga-report",
    "bbo/hands-of-one-player.html": "bbo",
    "bbo/pairs-boards.lin": "lin",
    "bbo/tournament.html": "bbo",
    "bbo/traveller.html": "bbo",
    "bbo/vugraph-teams.lin": "lin",
    "bws/12-tables-1-section.bws": "bws",
    "macmahon/macmahon-3.10-egd-export.txt": "h9",
    "macmahon/macmahon-3.10-wall-list.txt": "macmahon-wall",
    "macmahon/macmahon-3.10.xml": "macmahon",
    "macmahon/pairgoth-sample.xml": "macmahon",
    "pairgoth/finished-2021.tour": "pairgoth",
    "pairgoth/macmahon-2024.tour": "pairgoth",
}


BY_SUFFIX = {".h9": "h9", ".tou": "tou", ".xml": "opengotha", ".pbn": "pbn", ".html": "realbridge"}


REFUSED = {
    "h9/contradicting-lines.h9": "line 11: round 3: '6+/w' here, '4-/w' in line 13",
    "opengotha/chinese-names-2020.csv": "a list of players for a go tournament, and no results",
}


UNFINISHED = {
    "opengotha/CdFO2020.xml",
    "opengotha/lim-2010.xml",
    "opengotha/chinese-names-2020.xml",
    "pairgoth/macmahon-2024.tour",
    "pairgoth/macmahon-2024.xml",
    "macmahon/pairgoth-sample.xml",
}


EXPERIMENTAL = {"macmahon", "macmahon-wall", "realbridge"}


def _names() -> list[str]:
    folder = SHARED / "real"
    names = sorted(str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file())
    return [name for name in names if not name.endswith((".md", ".json"))]


def _kind(name: str) -> str:
    folder, _, file = name.partition("/")
    if folder in ("acblscore", "usebio"):
        return folder
    return KINDS.get(name) or BY_SUFFIX[f".{file.rpartition('.')[2]}"]


@pytest.mark.parametrize("name", _names())
def test_every_file(name: str) -> None:
    path = shared(f"real/{name}")
    if name in REFUSED:
        with pytest.raises(HonoursError) as caught:
            read(path)
        assert REFUSED[name] in str(caught.value)
        return
    form, content = read(path)
    assert form.name == _kind(name)
    assert bool(experimental(form, content)) == (form.name in EXPERIMENTAL)
    if isinstance(content, GoTournament) and not content.listed:
        assert any(content.missing()) == (name in UNFINISHED)
        if name not in UNFINISHED:
            assert rank(content).standings
