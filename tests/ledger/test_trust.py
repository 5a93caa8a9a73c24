"""Two at once, kill -9, no room left, only to be read: nothing lost, doubled or half done."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import func, select, text

from honours.errors import InputError, LedgerError
from honours.ledger.balances import summed
from honours.ledger.post import POSTED, post
from honours.ledger.schema import postings, records
from honours.ledger.store import Ledger, create_ledger, open_ledger
from honours.ledger.verify import verify
from scripts.system import is_root
from tests.ledger import postgres
from tests.ledger.crowd import PAIRS, big_event, kill_often, together
from tests.ledger.material import RULEBOOKS, event

WORKERS, EVENTS = 2, 36
NOBODY = 65534


@pytest.mark.slow
def test_two_processes_at_once(ledger: Ledger, url: str) -> None:
    """10,000 postings and reversals: each event once, each balance the sum of its postings."""
    answers = [line.split(":") for lines in together(url, WORKERS, EVENTS) for line in lines]
    statuses = Counter(status for status, _, _ in answers)
    common = {title for _, _, title in answers if title.startswith("common")}
    assert statuses["already posted"] == len(common) * (WORKERS - 1)
    numbers = [int(record) for status, record, _ in answers if status != "already posted"]
    with ledger.reading() as connection:
        stored = list(connection.scalars(select(records.c.id).order_by(records.c.id)))
        count = connection.scalar(select(func.count()).select_from(postings))
        held = sum(summed(connection).values())
        total = connection.scalar(select(func.sum(postings.c.amount)))
    assert sorted(numbers) == stored == list(range(1, len(stored) + 1))
    assert count == 2 * PAIRS * len(stored)
    assert count is not None
    assert count >= 10_000
    assert held == total
    assert verify(ledger, [RULEBOOKS]).sound


@pytest.mark.slow
@pytest.mark.parametrize(("times", "least"), [(8, 5), pytest.param(20, 14, marks=pytest.mark.long)])
def test_killed_at_random_moments(ledger: Ledger, url: str, times: int, least: int) -> None:
    """``python -m tests.ledger.crowd URL --kill 200`` for more."""
    assert ledger.where
    assert kill_often(url, times) >= least


@contextmanager
def mounted(disk: Path, size: str) -> Iterator[None]:
    """A small file system of its own."""
    if not is_root():
        pytest.skip("needs root, to mount a small tmpfs")
    disk.mkdir()
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(disk)],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        pytest.skip(f"needs the right to mount a tmpfs ({done.stderr.strip()})")
    try:
        yield
    finally:
        subprocess.run(["umount", str(disk)], check=True)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system with half a megabyte of room."""
    with mounted(tmp_path / "disk", "700k"):
        yield tmp_path / "disk"


def remount(disk: Path, option: str) -> None:
    subprocess.run(["mount", "-o", f"remount,{option}", str(disk)], check=True)


def post_until_it_fails(ledger: Ledger) -> tuple[int, str]:
    """How many events were posted, and what was said of the next."""
    for done in range(400):
        try:
            post(ledger, big_event(f"event {done}", done), "w", another=True)
        except LedgerError as error:
            return done, str(error)
    raise AssertionError("the disk is too large")


def test_a_full_disk(small_disk: Path) -> None:
    url = str(small_disk / "honours.db")
    ledger = create_ledger(url)
    done, message = post_until_it_fails(ledger)
    assert "the disk is full; nothing was written" in message
    verification = verify(open_ledger(url), [RULEBOOKS])
    assert verification.sound
    assert verification.records == done
    remount(small_disk, "size=20m")
    assert post(ledger, big_event("more", 3), "w", another=True).record == done + 1


def test_a_full_disk_of_a_server(postgres_socket: str) -> None:
    """The tables are on the small disk, the server's own files are not."""
    disk = Path(postgres_socket, "small")
    url = postgres.create_database(postgres_socket, "full")
    ledger = create_ledger(url)
    post(ledger, event(), "w")
    ledger.close()
    with mounted(disk, "12m"):
        shutil.chown(disk, postgres.OWNER, postgres.OWNER)
        with postgres.moved_to(postgres_socket, "full", disk):
            check_a_full_server(ledger, url, disk)


def check_a_full_server(ledger: Ledger, url: str, disk: Path) -> None:
    done, message = post_until_it_fails(ledger)
    assert "the disk is full; nothing was written" in message
    # A server needs a little room to let anybody in, even to read.
    remount(disk, "size=24m")
    verification = verify(open_ledger(url), [RULEBOOKS])
    assert verification.sound
    assert verification.records == done + 1
    assert post(ledger, big_event("more", 3), "w", another=True).record == done + 2
    ledger.close()


def test_a_server_that_may_only_be_read(postgres_socket: str) -> None:
    url = postgres.create_database(postgres_socket, "only read")
    ledger = create_ledger(url)
    post(ledger, event(), "w")
    with ledger.engine.connect() as connection:
        name = connection.engine.url.database
        connection.execute(text(f'ALTER DATABASE "{name}" SET default_transaction_read_only = on'))
        connection.commit()
    ledger.close()
    with pytest.raises(LedgerError, match="only be read; nothing was written"):
        post(open_ledger(url), event("Another", order=[6, 5, 4, 3, 2, 1]), "w", another=True)
    assert verify(open_ledger(url)).records == 1


def test_no_room_for_a_new_ledger(small_disk: Path) -> None:
    (small_disk / "filler").write_bytes(b"x" * 680_000)
    with pytest.raises(LedgerError, match="disk"):
        create_ledger(str(small_disk / "honours.db"))


def test_no_room_for_a_backup(small_disk: Path, file_ledger: Ledger) -> None:
    from honours.ledger.copies import backup

    for n in range(4):
        post(file_ledger, big_event(f"event {n}", n), "w", another=True)
    (small_disk / "filler").write_bytes(b"x" * (700 * 1024 - 4096))
    with pytest.raises(InputError, match="No space left"):
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


def said_to_somebody(work: Callable[[], object], file: Path) -> str:
    """What somebody other than root, who may write everything, is told."""
    file.touch()
    file.chmod(0o666)
    child = os.fork()
    if child == 0:
        try:
            if is_root():
                os.setuid(NOBODY)
            work()
        except BaseException as error:
            file.write_text(f"{type(error).__name__}: {error}", encoding="utf-8")
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    return file.read_text(encoding="utf-8")


def test_a_read_only_file() -> None:
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        place.chmod(0o755)
        file = place / "honours.db"
        ledger = create_ledger(str(file))
        post(ledger, event(), "w")
        file.chmod(0o444)
        another = event("Another", order=[6, 5, 4, 3, 2, 1])
        before = file.read_bytes()
        message = said_to_somebody(lambda: post(ledger, another, "w", another=True), place / "told")
        assert message.startswith("LedgerError: the ledger")
        assert "it can only be read; nothing was written" in message
        assert file.read_bytes() == before
        assert verify(ledger).records == 1


def test_two_posts_of_one_event_in_turn(ledger: Ledger) -> None:
    assert post(ledger, event(), "a").status == POSTED
    assert post(ledger, event(), "b").status == "already posted"
