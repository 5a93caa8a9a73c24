"""Two at once, kill -9, no room left, only to be read: nothing lost, doubled or half done."""

from __future__ import annotations

import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import func, select

from honours.errors import LedgerError
from honours.ledger.post import POSTED, post
from honours.ledger.schema import postings, records
from honours.ledger.statement import balances
from honours.ledger.store import Ledger, create_ledger, open_ledger
from honours.ledger.verify import verify
from scripts.system import is_root
from tests.ledger.crowd import PAIRS, big_event, kill_often, together
from tests.ledger.material import RULEBOOKS, event

WORKERS, EVENTS = 2, 36


@pytest.mark.slow
def test_two_processes_at_once(ledger: Ledger, url: str) -> None:
    """10,000 postings and reversals: each event once, each balance the sum of its postings."""
    told = [line.split(":") for lines in together(url, WORKERS, EVENTS) for line in lines]
    statuses = Counter(status for status, _, _ in told)
    common = {title for _, _, title in told if title.startswith("common")}
    assert statuses["already posted"] == len(common) * (WORKERS - 1)
    numbers = [int(record) for status, record, _ in told if status != "already posted"]
    with ledger.reading() as connection:
        stored = list(connection.scalars(select(records.c.id).order_by(records.c.id)))
        count = connection.scalar(select(func.count()).select_from(postings))
        held = sum(balances(connection).values())
        total = connection.scalar(select(func.sum(postings.c.amount)))
    assert sorted(numbers) == stored == list(range(1, len(stored) + 1))
    assert count == 2 * PAIRS * len(stored)
    assert count is not None
    assert count >= 10_000
    assert held == total
    assert verify(ledger, [RULEBOOKS]).sound


@pytest.mark.slow
def test_killed_at_random_moments(ledger: Ledger, url: str) -> None:
    """20 times here; ``python -m tests.ledger.crowd URL --kill 200`` for more."""
    assert ledger.where
    assert kill_often(url, 20) >= 14


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system with half a megabyte of room."""
    if not is_root():
        pytest.skip("needs root, to mount a small tmpfs")
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=700k", "tmpfs", str(disk)],
                             capture_output=True, text=True, check=False)  # fmt: skip
    if mounted.returncode:
        pytest.skip(f"needs the right to mount a tmpfs ({mounted.stderr.strip()})")
    yield disk
    subprocess.run(["umount", str(disk)], check=True)


def remount(disk: Path, option: str) -> None:
    subprocess.run(["mount", "-o", f"remount,{option}", str(disk)], check=True)


def test_a_full_disk(small_disk: Path) -> None:
    url = str(small_disk / "honours.db")
    ledger = create_ledger(url)
    done = 0
    said = ""
    while not said and done < 200:
        try:
            post(ledger, big_event(f"event {done}", done), "w", another=True)
            done += 1
        except LedgerError as error:
            said = str(error)
    assert "the disk is full; nothing was written" in said
    found = verify(open_ledger(url), [RULEBOOKS])
    assert found.sound
    assert found.records == done
    remount(small_disk, "size=20m")
    assert post(ledger, big_event("more", 3), "w", another=True).record == done + 1


def test_no_room_for_a_new_ledger(small_disk: Path) -> None:
    (small_disk / "filler").write_bytes(b"x" * 680_000)
    with pytest.raises(LedgerError, match="disk"):
        create_ledger(str(small_disk / "honours.db"))


def test_no_room_for_a_backup(small_disk: Path, file_ledger: Ledger) -> None:
    from honours.ledger.backup import backup

    for n in range(4):
        post(file_ledger, big_event(f"event {n}", n), "w", another=True)
    (small_disk / "filler").write_bytes(b"x" * (700 * 1024 - 4096))
    with pytest.raises(LedgerError, match="the backup could not be written"):
        backup(file_ledger, small_disk / "b.backup")
    assert [p.name for p in small_disk.iterdir()] == ["filler"]


def test_a_read_only_file_system(small_disk: Path) -> None:
    url = str(small_disk / "honours.db")
    ledger = create_ledger(url)
    post(ledger, event(), "w")
    remount(small_disk, "ro")
    with pytest.raises(LedgerError, match=r"only be read|cannot be opened"):
        post(ledger, event("Another", order=[6, 5, 4, 3, 2, 1]), "w", another=True)
    assert verify(open_ledger(url), [RULEBOOKS]).records == 1


def test_a_read_only_file(tmp_path: Path) -> None:
    if is_root():
        pytest.skip("needs a user other than root, who may write everything")
    file = tmp_path / "honours.db"
    ledger = create_ledger(str(file))
    file.chmod(0o444)
    with pytest.raises(LedgerError, match="only be read"):
        post(ledger, event(), "w")


def test_two_posts_of_one_event_in_turn(ledger: Ledger) -> None:
    assert post(ledger, event(), "a").status == POSTED
    assert post(ledger, event(), "b").status == "already posted"
