"""Read, write and read again is the same: our JSON, tables of results, USEBIO."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from honours.formats.detect import read
from honours.formats.format import WrittenFile
from honours.formats.honours_json import write_json
from honours.formats.members import MemberList
from honours.formats.table_standings import StandingsTable
from honours.formats.table_write import write_results
from honours.formats.usebio import write_usebio
from honours.model import Event
from tests.formats.made_events import howells, mitchells, plain_rulings
from tests.formats.test_go import H9
from tests.support import ROOT

events = st.one_of(howells(), mitchells())
plain_events = st.one_of(howells(plain_rulings), mitchells(plain_rulings))
quick = settings(max_examples=60, suppress_health_check=list(HealthCheck), deadline=None)


def placeless(event: Event) -> Event:
    """Without where it was read, and with its lines in one order."""
    sessions = tuple(
        replace(s, results=tuple(sorted((replace(r, source=None) for r in s.results), key=str)))
        for s in event.sessions
    )
    facts = {k: v for k, v in event.facts.items() if k not in ("usebio", "event_type", "unsaid")}
    return replace(event, sessions=sessions, facts=facts, source=None)


def again(data: bytes, path: Path) -> Event:
    path.write_bytes(data)
    _, content = read(path)
    assert isinstance(content, tuple)
    return content[0]


def test_lists_come_back_equal(tmp_path: Path) -> None:
    """Those of a wall list too, where a higher score may have a lower place."""
    wall, path = tmp_path / "wall.h9", tmp_path / "x.json"
    wall.write_text(H9.replace("Utr 1 2", "Utr 5 2"), "ascii")
    for source in (ROOT / "examples/club-pairs.csv", wall):
        _, content = read(source)
        assert not isinstance(content, MemberList | StandingsTable)
        path.write_bytes(write_json(content))
        _, back = read(path)
        assert write_json(content) == write_json(back)  # type: ignore[arg-type]


@quick
@given(event=events)
def test_our_json_keeps_any_event(event: Event, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.getbasetemp() / "any.json"
    assert placeless(again(write_json((event,)), path)) == placeless(event)


def _kept(write: Callable[[Event], WrittenFile], event: Event, path: Path) -> None:
    written = write(event)
    assert written.lost == ()
    assert placeless(again(written.data, path)) == placeless(event)


@quick
@given(event=events)
def test_a_table_keeps_any_event(event: Event, tmp_path_factory: pytest.TempPathFactory) -> None:
    _kept(write_results, event, tmp_path_factory.getbasetemp() / "any.csv")


@quick
@given(event=plain_events)
def test_usebio_keeps_any_event(event: Event, tmp_path_factory: pytest.TempPathFactory) -> None:
    _kept(write_usebio, event, tmp_path_factory.getbasetemp() / "any.xml")
