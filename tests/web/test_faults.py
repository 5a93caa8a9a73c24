"""Events, rulings and accounts on a disk that fails: a few of what `tests.web.faults` simulates."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from honours.formats.rulings import add_ruling, read_rulings, undo_ruling
from honours.web.events import store
from honours.web.events.store import EventStore, Upload
from tests.web.disk import Files, watched
from tests.web.faults import PARTS, PENALTY, events_run, runs


@pytest.mark.parametrize("part", sorted(PARTS))
def test_a_history_on_a_disk_that_fails(part: str) -> None:
    outcomes = list(runs(part, seed=7, most=12))
    assert len(outcomes) == 13
    assert [one for one in outcomes if one[2]] == []


def test_a_flush_that_is_left_out_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that the test above is of something."""
    monkeypatch.setattr(store, "flush", lambda _: None)
    wrong = []
    for seed in range(8):
        folder = tmp_path / str(seed)
        folder.mkdir()
        wrong.append(events_run(folder, seed, stop_at=-1, fault="power")[1])
    assert any(wrong)


def test_a_ruling_that_was_undone_does_not_come_back(tmp_path: Path) -> None:
    for seed in range(8):
        live, after = tmp_path / f"{seed}", tmp_path / f"{seed}-after"
        live.mkdir()
        after.mkdir()
        files = Files(live, random.Random(seed))
        with watched(files):
            [kept] = EventStore(live).add(Upload("a.csv", b"x"), ["Monday"])
            add_ruling(EventStore(live).file(kept.id), PENALTY)
            undo_ruling(EventStore(live).file(kept.id))
        files.left(after)
        assert read_rulings(EventStore(after).file(kept.id)) == ()
