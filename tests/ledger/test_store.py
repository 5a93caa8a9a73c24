"""Opening and making ledgers: versions, wrong places, wrong files."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import text

from honours.errors import InputError, LedgerError
from honours.ledger import schema, versions
from honours.ledger.checkpoint import read_checkpoint
from honours.ledger.copies import backup, restore
from honours.ledger.post import POSTED, post
from honours.ledger.store import (
    Ledger,
    _writers,
    create_ledger,
    open_ledger,
    upgrade_ledger,
)
from honours.ledger.verify import verify
from tests.ledger.material import event


def test_migrations_make_the_tables_the_code_knows(ledger: Ledger) -> None:
    with ledger.reading() as connection:
        assert compare_metadata(MigrationContext.configure(connection), schema.metadata) == []


def test_the_newest_version_is_the_last_step() -> None:
    assert versions.known()[-1] == versions.NEWEST


STEP = """
import sqlalchemy as sa
from alembic import op

revision, down_revision = "0002", "0001"


def upgrade():
    op.add_column("kinds", sa.Column("later", sa.Text, nullable=False, server_default="as before"))
"""


def test_a_ledger_of_an_older_version_goes_on(
    url: str,
    new_url: Callable[[], str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """With a step that a later Honours may bring: a ledger upgrades by itself, its head of then is
    still proved, and a backup of then is restored."""
    opened = create_ledger(url)
    post(opened, event(), "Eve")
    head, kept = verify(opened).head, tmp_path / "old.backup"
    backup(opened, kept)
    (tmp_path / "v0002.py").write_text(STEP, encoding="utf-8")
    monkeypatch.setattr(versions, "STEPS", (*versions.STEPS, str(tmp_path)))
    monkeypatch.setattr(versions, "NEWEST", "0002")
    assert upgrade_ledger(url, dry_run=True) == ("0001", "0002")
    for _ in range(2):
        opened = open_ledger(url)
    assert [record.levelname for record in caplog.records] == ["WARNING"]  # said once
    assert post(opened, event("New", "2018-01-01"), "Eve", another=True).status == POSTED
    checked = verify(opened, head=read_checkpoint(head))
    assert (checked.sound, checked.since is not None and checked.since.held) == (True, True)
    place = new_url()
    assert restore(kept, place).sound
    for ledger in (opened, open_ledger(place)):
        with ledger.reading() as connection:
            assert {*connection.scalars(text("SELECT later FROM kinds"))} == {"as before"}


def test_a_newer_ledger_is_refused(ledger: Ledger, url: str) -> None:
    with ledger.writing() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(LedgerError, match=r"9999, made by a newer Honours.*left alone"):
        open_ledger(url)
    with pytest.raises(LedgerError, match="newer Honours"):
        upgrade_ledger(url)


def test_a_ledger_is_not_made_twice(ledger: Ledger, url: str) -> None:
    with pytest.raises(LedgerError, match="already"):
        create_ledger(url)
    assert ledger.dialect in ("sqlite", "postgresql")


def test_a_dry_run_makes_nothing(new_url: Callable[[], str]) -> None:
    place = new_url()
    create_ledger(place, dry_run=True)
    with pytest.raises(LedgerError):
        open_ledger(place)
    assert "://" in place or not Path(place).exists()


def test_what_is_written_is_kept_as_a_whole_or_not_at_all(ledger: Ledger) -> None:
    def half() -> None:
        with ledger.writing() as connection:
            connection.execute(text("INSERT INTO releasers VALUES ('Eve', '', '')"))
            raise RuntimeError("halfway")

    with pytest.raises(RuntimeError, match="halfway"):
        half()
    with ledger.reading() as connection:
        assert connection.execute(text("SELECT * FROM releasers")).all() == []


def test_no_ledger_there(tmp_path: Path) -> None:
    with pytest.raises(LedgerError, match="honours ledger init"):
        open_ledger(str(tmp_path / "none.db"))


def test_another_file_is_not_a_ledger(tmp_path: Path) -> None:
    file = tmp_path / "x.db"
    file.write_text("not a database, not at all, but long enough to have a header" * 20)
    with pytest.raises(LedgerError, match="not a ledger"):
        open_ledger(str(file))
    with pytest.raises(LedgerError, match="not a ledger"):
        create_ledger(str(file))


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(LedgerError, match="cannot be opened"):
        create_ledger(str(tmp_path / "no" / "such" / "ledger.db"))


@pytest.mark.parametrize("place", ["mysql://x/y", "nonsense://x", "postgresql://x:notaport/y"])
def test_other_databases_are_refused(place: str) -> None:
    with pytest.raises(InputError):
        open_ledger(place)


def test_a_server_that_is_not_there() -> None:
    with pytest.raises(LedgerError, match="server"):
        open_ledger("postgresql://nobody@127.0.0.1:1/none?connect_timeout=2")


def test_writers_of_one_process_come_in_the_order_they_came(file_ledger: Ledger) -> None:
    """SQLite lets one of those that wait go on by chance: under load some waited in vain."""
    queue, came = _writers[file_ledger.where], list[int]()

    def write(number: int) -> None:
        with file_ledger.writing():
            came.append(number)

    threads = [threading.Thread(target=write, args=(n,)) for n in range(8)]
    with file_ledger.writing():
        for number, thread in enumerate(threads):
            thread.start()
            while len(queue.waiting) < number + 2:  # itself, and all who came before
                time.sleep(0.001)
    for thread in threads:
        thread.join()
    assert came == list(range(8))
    assert not queue.waiting
