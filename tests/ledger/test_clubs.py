"""A small sample of a federation's year; the whole is `python -m scripts.clubs`."""

from __future__ import annotations

from pathlib import Path

from honours.ledger.store import Ledger
from honours.ledger.verify import verify
from scripts.clubs import FAULTS, judged, received


def test_every_fault_is_found_and_nothing_else_is_held(file_ledger: Ledger, tmp_path: Path) -> None:
    done = list(received(file_ledger, 6, tmp_path, 0.5))
    assert {fault for fault, _ in done} == {"", *FAULTS}
    assert [said for fault, receipt in done if (said := judged(fault, receipt))] == []
    assert verify(file_ledger).sound
