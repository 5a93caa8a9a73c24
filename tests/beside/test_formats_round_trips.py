"""Real files written in formats of ours and read back, whole."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from honours.formats.detect import read
from honours.formats.honours_json import write_json
from honours.formats.members import MemberList
from honours.formats.table_standings import StandingsTable
from honours.formats.usebio import UsebioAwards, patch_usebio, read_usebio, write_usebio
from honours.model import Board, Event
from tests.beside.test_real_files import holding
from tests.formats.test_round_trips import placeless
from tests.support import shared


def from_north(board: Board) -> Board:
    """A board with its hands from North on."""
    hands = board.deal[2:].split()
    first = "NWSE".index(board.deal[0])
    return replace(board, deal="N:" + " ".join(hands[first:] + hands[:first]))


def bare(event: Event) -> Event:
    """An event without where it was read, and what a scale is called."""
    sessions = tuple(
        replace(
            s,
            matches=tuple(replace(m, source=None) for m in s.matches),
            boards=tuple(map(from_north, s.boards)),
        )
        for s in placeless(event).sessions
    )
    facts = {k: v for k, v in placeless(event).facts.items() if k != "match_scoring_method"}
    return replace(event, sessions=sessions, facts=facts, source=None, doubts=())


@pytest.mark.parametrize("name", [*holding("results"), *holding("matches"), *holding("games")])
def test_our_json_keeps_all_of_a_real_file(name: str, tmp_path: Path) -> None:
    _, content = read(shared(f"real/{name}"))
    assert not isinstance(content, MemberList | StandingsTable)
    path = tmp_path / "x.json"
    path.write_bytes(write_json(content))
    form, back = read(path)
    assert form.name == "honours"
    assert not isinstance(back, MemberList | StandingsTable)
    assert write_json(back) == path.read_bytes()


@pytest.mark.parametrize("version", ["1.2", "1.3"])
@pytest.mark.parametrize("name", [*holding("results"), *holding("matches")])
def test_usebio_keeps_all_of_a_real_file(name: str, version: str, tmp_path: Path) -> None:
    """Strata, holdings, penalties, carry-over, rulings, places, rounds, tables, matches, hands."""
    form, content = read(shared(f"real/{name}"))
    assert isinstance(content, tuple)
    path = tmp_path / "again.xml"
    for event in content:
        written = write_usebio(event, version=version)
        path.write_bytes(written.data)
        (back,) = read_usebio(path)
        assert bare(back) == bare(event)
        assert form.name != "usebio" or written.lost == ()


@pytest.mark.parametrize("name", [name for name in holding("results") if "usebio/" in name])
def test_a_patch_changes_only_the_master_points(name: str, tmp_path: Path) -> None:
    source = shared(f"real/{name}")
    (before,) = read_usebio(source)
    amounts = {e.entrant.id: str(10 * n) for n, e in enumerate(before.entrants[:5], start=1)}
    path = tmp_path / "patched.xml"
    path.write_bytes(
        patch_usebio(source, UsebioAwards("sbu-clubs-2016 revision 1", amounts, "BLACK"))
    )
    (after,) = read_usebio(path)
    got = {e.entrant.id: e.published.get("masterpoints") for e in after.entrants}
    assert {id: got[id] for id in amounts} == {id: Fraction(a) for id, a in amounts.items()}
    assert after.facts["awarded_under"] == "sbu-clubs-2016 revision 1"
    assert [e.entrant for e in after.entrants] == [e.entrant for e in before.entrants]
    assert bare(after).sessions == bare(before).sessions
    old, new = source.read_bytes(), path.read_bytes()
    kept = sum(text.strip() in new for text in old.split(b"\n"))
    assert kept >= old.count(b"\n") - 2 * len(amounts)
