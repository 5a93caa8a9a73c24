"""Compared with real files beside the repository: formats usebio write."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from honours.formats import detect
from honours.formats.usebio import UsebioAwards, patch_usebio, write_usebio
from honours.model import (
    Event,
)
from tests.formats.test_usebio import REAL
from tests.formats.test_usebio_write import read
from tests.support import shared


def without_places_in_files(event: Event) -> Event:
    """An event without where it was read, the version, and the order of its lines."""
    sessions = tuple(
        replace(
            s,
            results=tuple(sorted((replace(r, source=None) for r in s.results), key=str)),
            matches=tuple(replace(m, source=None) for m in s.matches),
        )
        for s in event.sessions
    )
    facts = {k: v for k, v in event.facts.items() if k not in ("usebio", "event_type")}
    return replace(event, sessions=sessions, facts=facts, source=None)


@pytest.mark.parametrize("name", REAL)
def test_round_trip_of_real_files(name: str, tmp_path: Path) -> None:
    event = read(shared(f"real/usebio/{name}.xml"))
    written = write_usebio(event)
    assert written.lost == ()
    path = tmp_path / "out.xml"
    path.write_bytes(written.data)
    assert without_places_in_files(read(path)) == without_places_in_files(event)


OTHERS = (
    "acblscore/penalty.ACM",
    "acblscore/final-session-2.ACA",
    "acblscore/split-score-and-pupils.ACA",
    "bws/12-tables-1-section.bws",
    "bbo/vugraph-teams.lin",
    "acbl/club-results-page.html",
)


@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.parametrize("version", ["1.2", "1.3"])
def test_what_usebio_has_no_element_for_survives(name: str, version: str, tmp_path: Path) -> None:
    """Rounds, tables, holdings, strata, rulings, penalties, carry-over, places: ours reads all."""
    _, events = detect.read(shared(f"real/{name}"))
    assert isinstance(events, tuple)
    for event in events:
        written = write_usebio(event, version=version)
        path = tmp_path / "out.xml"
        path.write_bytes(written.data)
        back = without_places_in_files(read(path))
        mine = without_places_in_files(event)
        assert mine.facts.items() <= back.facts.items()
        assert replace(back, facts=mine.facts) == mine
        assert {"rounds", "tables"} <= {
            one.split(" (another Honours reads that")[0] for one in written.lost
        }


@pytest.mark.parametrize("name", REAL)
def test_a_patch_changes_only_the_master_points(name: str, tmp_path: Path) -> None:
    source = shared(f"real/usebio/{name}.xml")
    before = read(source)
    amounts = {e.entrant.id: str(10 * n) for n, e in enumerate(before.entrants[:5], start=1)}
    path = tmp_path / "patched.xml"
    path.write_bytes(
        patch_usebio(source, UsebioAwards("sbu-clubs-2016 revision 1", amounts, "BLACK"))
    )
    after = read(path)
    got = {e.entrant.id: e.published.get("masterpoints") for e in after.entrants}
    assert {id: got[id] for id in amounts} == {id: Fraction(a) for id, a in amounts.items()}
    assert after.facts["awarded_under"] == "sbu-clubs-2016 revision 1"
    assert [e.entrant for e in after.entrants] == [e.entrant for e in before.entrants]
    stripped = [replace(r, source=None) for r in after.sessions[0].results]
    assert stripped == [replace(r, source=None) for r in before.sessions[0].results]
    old, new = source.read_bytes(), path.read_bytes()
    kept = sum(text.strip() in new for text in old.split(b"\n"))
    assert kept >= old.count(b"\n") - 2 * len(amounts)
