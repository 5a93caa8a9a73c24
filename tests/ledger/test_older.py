"""A ledger of an older Honours goes on: it upgrades by itself and its head of then is provable."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner
from sqlalchemy import create_engine, select, text

from honours.cli import cli
from honours.errors import LedgerError
from honours.ledger import versions
from honours.ledger.backup import restore
from honours.ledger.checkpoint import read_checkpoint
from honours.ledger.post import POSTED, post
from honours.ledger.schema import people
from honours.ledger.store import _url, downgrade_ledger, open_ledger, upgrade_ledger
from honours.ledger.verify import verify
from tests.ledger.material import event
from tests.ledger.older import HEAD, older_backup, older_ledger, rows_of


def test_it_upgrades_by_itself_and_continues_its_head(
    url: str, caplog: pytest.LogCaptureFixture
) -> None:
    opened = open_ledger(older_ledger(url))
    [message] = caplog.messages
    assert f"brought from version 0005 to {versions.NEWEST}" in message
    open_ledger(url).close()
    assert caplog.messages == [message]  # said once
    verified = verify(opened, head=read_checkpoint(HEAD))
    assert (verified.sound, verified.findings, verified.counts) == (True, (), {"sound": 17})
    assert verified.since is not None
    assert verified.since.held
    assert verified.head != HEAD
    assert post(opened, event("New", "2018-01-01"), "Eve").status == POSTED
    again = verify(opened, head=read_checkpoint(HEAD))
    assert again.sound
    opened.close()


def test_a_command_says_in_the_readers_language_that_it_was_upgraded(tmp_path: Path) -> None:
    where = older_ledger(str(tmp_path / "older.db"))
    asked = ["--language", "fr", "ledger", "head", "--ledger", where]
    first, second = CliRunner().invoke(cli, asked), CliRunner().invoke(cli, asked)
    assert "créé par un Honours plus ancien : passé de la version 0005" in first.stderr
    assert second.stderr == ""


def test_names_are_kept_and_salted(url: str) -> None:
    opened = open_ledger(older_ledger(url))
    with opened.reading() as connection:
        rows = connection.execute(select(people).order_by(people.c.member)).all()
    assert [row.name for row in rows] == [row["name"] for row in rows_of("people")]
    assert len({row.salt for row in rows}) == len(rows)
    assert all(len(row.salt) == 64 for row in rows)
    opened.close()


def test_what_was_forged_before_the_upgrade_is_still_found(url: str) -> None:
    older_ledger(url)
    before = versions.NEWEST
    opened = open_ledger(url)
    downgrade_ledger(url, "0005")
    with opened.writing() as connection:
        connection.execute(text("UPDATE people SET name = 'Mallory' WHERE member = 1"))
    assert upgrade_ledger(url) == ("0005", before)
    assert [f.where for f in verify(open_ledger(url)).findings] == ["people 1"]


def test_it_goes_back_as_long_as_nothing_was_added(url: str) -> None:
    open_ledger(older_ledger(url)).close()
    assert downgrade_ledger(url, "0005") == (versions.NEWEST, "0005")
    assert upgrade_ledger(url, dry_run=True) == ("0005", versions.NEWEST)
    opened = open_ledger(url)
    assert verify(opened, head=read_checkpoint(HEAD)).sound
    post(opened, event("New", "2018-01-01"), "Eve")
    with pytest.raises(LedgerError, match="Restore a backup made before"):
        downgrade_ledger(url, "0005")
    assert verify(opened).sound


def test_its_backup_is_restored(new_url: Callable[[], str], tmp_path: Path) -> None:
    place = new_url()
    assert restore(older_backup(tmp_path / "old.backup"), place).sound
    opened = open_ledger(place)
    assert verify(opened, head=read_checkpoint(HEAD)).sound
    assert post(opened, event("New", "2018-01-01"), "w").status == POSTED


def test_one_of_between_two_releases_is_left_alone_with_a_word(url: str) -> None:
    open_ledger(older_ledger(url)).close()
    downgrade_ledger(url, "0006")
    engine = create_engine(_url(url))
    with engine.begin() as connection:
        connection.execute(text("ALTER TABLE changes DROP COLUMN who"))
    engine.dispose()
    for work in (open_ledger, upgrade_ledger):
        with pytest.raises(LedgerError, match=r"between two releases.*left alone.*ledger restore"):
            work(url)
