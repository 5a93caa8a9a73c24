"""Compared with real files beside the repository: formats bridgewebs."""

from pathlib import Path

import pytest

from honours.formats.bridgewebs import read_bridgewebs, write_bridgewebs
from honours.formats.usebio import read_usebio
from honours.model import Event
from honours.scoring import score
from honours.scoring.award_lists import award_lists
from honours.scoring.profiles import profile
from honours.scoring.rulings import as_shown
from tests.support import shared


@pytest.mark.parametrize("name", ["mp-pairs.xml", "mp-pairs-howell.xml", "multi-section.xml"])
def test_a_real_event_comes_back(tmp_path: Path, name: str) -> None:
    """Everything but what is told to be lost: results, pairs, names, places, percentages."""
    [event] = read_usebio(shared(f"real/usebio/{name}"))
    scored = score(as_shown(event), profile("ebu"))
    path = tmp_path / "event.csv"
    path.write_bytes(write_bridgewebs(event, award_lists(scored)).data)
    back = read_bridgewebs(path)

    def told(one: Event) -> list[object]:
        numbers = {e.entrant.id: e.number for e in one.entrants}
        lines = [
            (r.board, numbers[r.ns[0]], numbers[r.ew[0]], r.score, r.contract, r.tricks, r.adjusted)
            for session in one.sessions
            for r in session.results
        ]
        return sorted(lines, key=str)

    def people(one: Event) -> dict[str, tuple[str, ...]]:
        return {e.number: tuple(p.name for p in e.entrant.players) for e in one.entrants}

    assert told(back) == told(event)
    assert people(back) == people(event)
    assert (back.title, back.date, back.winners) == (event.title, event.date, scored.winners)
