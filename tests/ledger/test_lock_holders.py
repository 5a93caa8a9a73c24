"""Readers never wait, writers wait for a while and then say for whom."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from sqlalchemy import select, text

from honours.errors import LedgerError
from honours.ledger import members
from honours.ledger.post import POSTED, post
from honours.ledger.schema import people, records
from honours.ledger.store import Ledger, open_ledger
from honours.ledger.verify import verify
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
    monkeypatch.setattr("honours.ledger.store.PATIENCE", 1)
    with ledger.writing() as connection:
        members.add(connection, "Somebody")
        with pytest.raises(LedgerError, match="another program is writing") as caught:
            post(open_ledger(url), event(), "Eve")
    text = str(caught.value)
    assert "waited 1 seconds for" in text
    who = f"process {os.getpid()} (this one)" if ledger.dialect == "sqlite" else "session"
    assert who in text


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
        for word in (name, name.lower(), "98765432", "87654321"):
            assert word.encode() not in data, (file, word)


def test_while_somebody_reads_an_erased_name_is_not_said_to_be_gone(
    file_ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who has an older state open keeps it in the log: that is told, and doing it again helps."""
    name = "Zebediah Quillfeather"
    with file_ledger.writing() as connection:
        one = members.add(connection, name, "98765432")
    monkeypatch.setattr("honours.ledger.store.PATIENCE", 1)
    impatient = open_ledger(file_ledger.where)
    with file_ledger.reading() as reader:
        assert reader.scalar(select(people.c.name).where(people.c.member == one)) == name
        with pytest.raises(LedgerError, match="-wal still has it"), impatient.writing() as writer:
            members.erase(writer, one, "Eve")
    with impatient.writing() as writer:
        again = members.erase(writer, one, "Eve")
    with impatient.reading() as connection:
        erasures = connection.scalars(select(records.c.id).where(records.c.action == "erasure"))
        assert list(erasures) == [again]
    folder = Path(file_ledger.where).parent
    assert [file for file in folder.iterdir() if name.encode() in file.read_bytes()] == []
    assert verify(file_ledger).sound


def test_an_erased_name_is_in_no_file_of_the_server(
    ledger: Ledger, request: pytest.FixtureRequest
) -> None:
    """Nor among the statistics of its planner; the log it writes ahead is its own to recycle."""
    if ledger.dialect == "sqlite":
        pytest.skip("a file is looked at above")
    name = "Zebediah of this test alone"  # the server has ledgers of others
    with ledger.writing() as connection:
        ones = [members.add(connection, name, f"9876543{n}") for n in range(3)]
    plain = ledger.engine.execution_options(isolation_level="AUTOCOMMIT")
    with plain.connect() as connection:
        connection.execute(text("ANALYZE"))
    with ledger.writing() as connection:
        for one in ones:
            members.erase(connection, one, "Eve")
    with plain.connect() as connection:
        connection.execute(text("CHECKPOINT"))
    data = Path(request.getfixturevalue("postgres_socket")) / "data"
    holding = [
        file
        for file in data.rglob("*")
        if file.is_file() and "pg_wal" not in file.parts and name.encode() in file.read_bytes()
    ]
    assert holding == []
