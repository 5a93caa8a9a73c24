"""Everything out and back: exports, backups, damaged ones, ones larger than memory."""

from __future__ import annotations

import gzip
import io
import json
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from honours.errors import FileProblem, InputError, LedgerError
from honours.ledger import members, release, submissions
from honours.ledger.chain import NewRecord, append_many
from honours.ledger.copies import FORMATS, backup, export, import_all, json_rows, restore
from honours.ledger.post import POSTED, post, reverse
from honours.ledger.store import Ledger, open_ledger
from honours.ledger.verify import verify
from tests.ledger import postgres
from tests.ledger.material import event
from tests.ledger.tables import fill_as_before
from tests.support import cases


@pytest.fixture
def busy(ledger: Ledger) -> Ledger:
    fill_as_before(ledger, _have_something_of_everything)
    return ledger


def _have_something_of_everything(ledger: Ledger) -> None:
    """Names that a spreadsheet or a careless writer would spoil, and something of everything."""
    with ledger.writing() as connection:
        for name in ("=1+1", "\\N", '"Quo", te', "Zoë\nO'Hara", "'-x", ""):
            members.add(connection, name)
        members.merge(connection, 1, 2, "w", "x")
        members.erase(connection, 3, "w", "y")
    post(ledger, event(), "w")
    reverse(ledger, 3, "w", "void")
    release.draft(ledger, event("Late", "2017-02-01", [6, 5, 4, 3, 2, 1]), "w")
    submissions.submit(ledger, "2017-01-01", "2017-12-31", "w")


@pytest.mark.parametrize("form", ["csv", "json", "parquet"])
def test_everything_goes_out_and_comes_back(
    busy: Ledger, new_url: Callable[[], str], tmp_path: Path, form: str
) -> None:
    counts = export(busy, tmp_path / form, form)
    assert counts["records"] == 4
    assert export(busy, tmp_path / "none", form, dry_run=True) == counts
    place = new_url()
    assert import_all(place, tmp_path / form, dry_run=True).sound
    verified = import_all(place, tmp_path / form)
    assert verified.sound
    assert verified.head == verify(busy).head
    back = open_ledger(place)
    with busy.reading() as one, back.reading() as other:
        assert members.everyone(one) == members.everyone(other)
    assert post(back, event("After", "2017-04-01", [2, 1, 3, 4, 5, 6]), "w").status == POSTED


def test_a_public_copy_leaves_private_people_out(file_ledger: Ledger, tmp_path: Path) -> None:
    with file_ledger.writing() as connection:
        members.add(connection, "Shy Person", "Z77", opted_out=True)
        members.add(connection, "Open Person", "78")
    for form in ("csv", "json"):
        export(file_ledger, tmp_path / form, form, public=True)
        text = (tmp_path / form / f"people.{form}").read_text()
        assert "Open" in text
        assert "Shy" not in text
        assert "shy" not in text
        assert "Z77" not in text
        assert "z77" not in text


def test_wrong_copies(file_ledger: Ledger, tmp_path: Path) -> None:
    with pytest.raises(FileProblem, match="no exported ledger"):
        import_all(str(tmp_path / "a.db"), tmp_path)
    with pytest.raises(InputError, match="unknown format"):
        export(file_ledger, tmp_path, "xlsx")
    export(file_ledger, tmp_path / "j", "json")
    (tmp_path / "j" / "people.json").write_text("[{")
    with pytest.raises(FileProblem, match="not JSON"):
        import_all(str(tmp_path / "b.db"), tmp_path / "j")
    assert not (tmp_path / "b.db").exists()
    (tmp_path / "j" / "people.json").unlink()
    with pytest.raises(FileProblem, match="no such file"):
        import_all(str(tmp_path / "c.db"), tmp_path / "j")


@cases
def test_rows_that_are_not_json(tmp_path: Path, text: str, message: str, line: int) -> None:
    with pytest.raises(FileProblem, match=message) as problem:
        list(json_rows(io.StringIO(text), tmp_path / "x.json"))
    assert f":{line}" in str(problem.value) or f"line {line}" in str(problem.value)


@given(
    rows=st.lists(st.dictionaries(st.text(), st.text() | st.integers() | st.none())),
    indent=st.none() | st.integers(0, 2),
    piece=st.integers(1, 40),
)
def test_rows_of_any_json(rows: list[dict[str, Any]], indent: int | None, piece: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("honours.ledger.copies._CHUNK", piece)
        read = json_rows(io.StringIO(json.dumps(rows, indent=indent)), Path("x.json"))
        assert list(read) == rows


# --- more than fits into memory ---------------------------------------------------------------

RECORDS, TOLD = 4_000, 10_000
PART = RECORDS * TOLD / 2


@pytest.fixture
def large(file_ledger: Ledger, tmp_path: Path) -> Ledger:
    """Forty megabytes of facts; whatever is loaded once for each format is loaded."""
    for form in FORMATS:
        export(file_ledger, tmp_path / f"empty-{form}", form)
        import_all(str(tmp_path / f"{form}.db"), tmp_path / f"empty-{form}")
    with file_ledger.writing() as connection:
        append_many(connection, (NewRecord("note", "w", facts="f" * TOLD) for _ in range(RECORDS)))
    return file_ledger


def peak(work: Callable[[], object]) -> int:
    """The most memory that some work took at once: Python's and Arrow's."""
    pool = pa.default_memory_pool()
    tracemalloc.start()
    before = int(pool.max_memory() or 0)
    work()
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return most + int(pool.max_memory() or 0) - before


@pytest.mark.slow
@pytest.mark.parametrize("form", ["csv", "json", "parquet"])
def test_an_export_and_an_import_hold_a_part_at_a_time(
    large: Ledger, tmp_path: Path, form: str
) -> None:
    folder, place = tmp_path / form, str(tmp_path / "back.db")
    assert peak(lambda: export(large, folder, form)) < PART
    assert peak(lambda: import_all(place, folder)) < PART


@pytest.mark.slow
def test_a_backup_and_a_restore_hold_a_part_at_a_time(large: Ledger, tmp_path: Path) -> None:
    assert peak(lambda: backup(large, tmp_path / "b")) < PART
    assert peak(lambda: restore(tmp_path / "b", str(tmp_path / "back.db"))) < PART


def where(ledger: Ledger) -> str:
    """What a ledger is opened by."""
    if ledger.dialect == "sqlite":
        return ledger.where
    return ledger.engine.url.render_as_string(hide_password=False)


def test_a_backup_restores(busy: Ledger, new_url: Callable[[], str], tmp_path: Path) -> None:
    file, place = tmp_path / "b.backup", new_url()
    count = backup(busy, file, dry_run=True)
    assert not file.exists()
    assert backup(busy, file) == count > 20
    assert restore(file, place, dry_run=True).sound
    again = restore(file, place)
    assert again.sound
    assert again.head == verify(busy).head == verify(open_ledger(place)).head
    with pytest.raises(LedgerError, match="already is a database"):
        restore(file, where(busy))


def test_a_backup_of_one_database_restores_on_the_other(
    busy: Ledger, tmp_path: Path, postgres_socket: str
) -> None:
    backup(busy, tmp_path / "b")
    to_file = busy.dialect != "sqlite"
    place = (
        str(tmp_path / "x.db") if to_file else postgres.create_database(postgres_socket, "restored")
    )
    assert restore(tmp_path / "b", place).sound


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda data: data[: len(data) // 2], "cannot be read whole"),
        (lambda data: data[:0] + b"hello", "cannot be read whole"),
        (
            lambda data: gzip.compress(b"\n".join(gzip.decompress(data).split(b"\n")[:-2])),
            "breaks off",
        ),
        (lambda data: gzip.compress(data[:0] + b'{"x": 1}\n'), "not a backup"),
        (
            lambda data: gzip.compress(gzip.decompress(data).replace(b'"000', b'"900', 1)),
            "version 900",
        ),
        (
            lambda data: gzip.compress(gzip.decompress(data).replace(b'["kinds"', b'["king"', 1)),
            "king",
        ),
        (
            lambda data: gzip.compress(gzip.decompress(data).replace(b', "Ann 1"', b"", 1)),
            "read whole",
        ),
    ],
)
def test_damaged_backups(
    file_ledger: Ledger, tmp_path: Path, change: Callable[[bytes], bytes], message: str
) -> None:
    file = tmp_path / "b"
    post(file_ledger, event(), "w")
    backup(file_ledger, file)
    file.write_bytes(change(file.read_bytes()))
    with pytest.raises(FileProblem, match=message):
        restore(file, str(tmp_path / "new.db"))
    assert not (tmp_path / "new.db").exists()


def test_what_names_people_is_its_owners_alone(file_ledger: Ledger, tmp_path: Path) -> None:
    post(file_ledger, event(), "Eve")
    backup(file_ledger, tmp_path / "it.backup")
    export(file_ledger, tmp_path / "all", "csv")
    made = [tmp_path / "it.backup", *(tmp_path / "all").glob("*.csv")]
    assert {path.stat().st_mode & 0o777 for path in made} == {0o600}


@pytest.mark.parametrize("ending", ["-wal", "-shm", "-journal"])
def test_a_backup_is_not_written_where_the_database_keeps_its_own(
    file_ledger: Ledger, tmp_path: Path, ending: str
) -> None:
    with pytest.raises(InputError, match="Name another file"):
        backup(file_ledger, tmp_path / f"file.db{ending}")
