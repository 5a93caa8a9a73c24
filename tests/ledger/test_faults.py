"""The ledger on a disk that fails: a few of the faults that `tests.ledger.faults` simulates."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.ledger.faults import FAULTS, Disk, one_run, runs


def test_a_history_on_a_disk_that_fails() -> None:
    outcomes = list(runs(seed=7, most=8))
    assert len(outcomes) == 9
    assert [one for one in outcomes if one[2]] == []


def test_what_was_not_flushed_may_be_gone_and_what_was_is_there() -> None:
    disk = Disk(random.Random(1))
    disk.wrote("a", 0, b"kept")
    disk.flushed("a")
    disk.wrote("a", 0, b"lost")
    left = {disk.left("a") for _ in range(50)}
    assert {b"kept", b"lost"} <= left
    assert set(FAULTS) == {"power", "fail", "full"}


def test_a_disk_that_forgets_what_was_flushed_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that the test above is of something."""
    monkeypatch.setattr(Disk, "flushed", lambda disk, path: disk.pending.pop(path, None))
    _, wrong = one_run(tmp_path, seed=7, stop_at=-1, fault="power")
    assert wrong
