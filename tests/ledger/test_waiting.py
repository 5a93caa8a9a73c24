"""Readers never wait, writers wait for a while and then say for whom."""

from __future__ import annotations

import os

import pytest
from sqlalchemy import select, text

from honours.errors import LedgerError
from honours.ledger import members, waiting
from honours.ledger.post import POSTED, post
from honours.ledger.schema import records
from honours.ledger.store import Ledger, open_ledger
from tests.ledger.material import event


def test_a_reader_sees_one_state_and_keeps_nobody_from_writing(ledger: Ledger, url: str) -> None:
    post(ledger, event(), "Eve")
    with ledger.reading() as connection:
        before = connection.execute(select(records.c.id)).all()
        late = event("Late", "2017-02-01", [6, 5, 4, 3, 2, 1])
        assert post(open_ledger(url), late, "Eve").status == POSTED
        assert connection.execute(select(records.c.id)).all() == before
    with ledger.reading() as connection:
        assert len(connection.execute(select(records.c.id)).all()) == 2


def test_a_writer_that_waits_in_vain_says_for_whom(
    ledger: Ledger, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(waiting, "PATIENCE", 1)
    monkeypatch.setattr("honours.ledger.problems.PATIENCE", 1)
    with ledger.writing() as connection:
        members.add(connection, "Somebody")
        with pytest.raises(LedgerError, match="another program is writing") as said:
            post(open_ledger(url), event(), "Eve")
    told = str(said.value)
    assert "waited 1 seconds for" in told
    who = f"process {os.getpid()} (this one)" if ledger.dialect == "sqlite" else "session"
    assert who in told


def test_the_file_is_its_owners_alone_and_keeps_a_log(file_ledger: Ledger) -> None:
    assert os.stat(file_ledger.where).st_mode & 0o777 == 0o600
    with file_ledger.reading() as connection:
        assert connection.scalar(text("PRAGMA journal_mode")) == "wal"


def test_an_erased_name_is_in_no_file(file_ledger: Ledger) -> None:
    name = "Zebediah Quillfeather"
    with file_ledger.writing() as connection:
        one = members.add(connection, name, "98765432")
        members.change(connection, one, number="87654321")
    with file_ledger.writing() as connection:
        members.erase(connection, one, "Eve")
    folder = os.path.dirname(file_ledger.where)
    for file in os.listdir(folder):
        with open(os.path.join(folder, file), "rb") as source:
            data = source.read()
        for told in (name, name.lower(), "98765432", "87654321"):
            assert told.encode() not in data, (file, told)
