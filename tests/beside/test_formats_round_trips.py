"""Compared with real files beside the repository: formats round trips."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from honours.formats.detect import read
from honours.formats.honours_json import write_json
from honours.formats.members import MemberList
from honours.formats.table_standings import StandingsTable
from honours.formats.usebio import write_usebio
from honours.model import Event
from tests.formats.test_round_trips import again, placeless
from tests.support import shared

REAL = (
    "usebio/butler-howell.xml",
    "usebio/cross-imp-pairs.xml",
    "usebio/mp-pairs.xml",
    "usebio/mp-pairs-mitchell-adjusted.xml",
    "usebio/multi-section.xml",
    "usebio/multiple-teams.xml",
    "bws/12-tables-1-section.bws",
    "opengotha/egc2013.xml",
    "opengotha/CdFO2020.xml",
    "opengotha/juvisy.h9",
    "aga/tournament-report.txt",
)


@pytest.mark.parametrize("name", REAL)
def test_our_json_keeps_all_of_a_real_file(name: str, tmp_path: Path) -> None:
    _, content = read(shared(f"real/{name}"))
    assert not isinstance(content, MemberList | StandingsTable)
    path = tmp_path / "x.json"
    path.write_bytes(write_json(content))
    form, back = read(path)
    assert form.name == "honours"
    assert not isinstance(back, MemberList | StandingsTable)
    assert write_json(back) == path.read_bytes()
    if isinstance(content, tuple) and isinstance(back, tuple):
        stripped = [without_sources(event) for event in content]
        assert [without_sources(event) for event in back] == stripped


def without_sources(event: Event) -> Event:
    sessions = tuple(
        replace(s, matches=tuple(replace(m, source=None) for m in s.matches))
        for s in placeless(event).sessions
    )
    return replace(event, sessions=sessions, source=None)


THROUGH_USEBIO = (
    "acblscore/three-sections.ACM",
    "acblscore/penalty.ACM",
    "acblscore/final-session-2.ACA",
    "acbl/club-results-page.html",
    "bws/12-tables-1-section.bws",
    "pbn/teams.pbn",
    "usebio/multiple-teams.xml",
    "usebio/multi-section.xml",
    "bbo/vugraph-teams.lin",
)


@pytest.mark.parametrize("version", ["1.2", "1.3"])
@pytest.mark.parametrize("name", THROUGH_USEBIO)
def test_usebio_keeps_all_of_a_real_file(name: str, version: str, tmp_path: Path) -> None:
    """Strata, holdings, penalties, carry-over, rulings, places, rounds, tables, matches, hands."""
    _, content = read(shared(f"real/{name}"))
    assert isinstance(content, tuple)
    event = content[0]
    copy = again(write_usebio(event, version=version).data, tmp_path / "again.xml")

    def matches(played: Event) -> list[object]:
        return [replace(m, source=None) for s in played.sessions for m in s.matches]

    assert matches(copy) == matches(event)
    bare = [
        replace(
            placeless(one),
            sessions=tuple(replace(s, matches=()) for s in placeless(one).sessions),
            facts={k: v for k, v in placeless(one).facts.items() if k != "match_scoring_method"},
        )
        for one in (copy, event)
    ]
    assert bare[0] == bare[1]
