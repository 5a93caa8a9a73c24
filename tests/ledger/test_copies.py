"""Everything out, and a backup back: damaged ones, ones larger than memory."""

from __future__ import annotations

import csv
import gzip
import io
import json
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from honours.errors import FileProblem, InputError, LedgerError, UnknownName
from honours.formats.sheet import neutralised
from honours.ledger import members, release, submissions
from honours.ledger.chain import NewRecord, append_many
from honours.ledger.copies import backup, export, restore, rows_of
from honours.ledger.list_files import FORMATS
from honours.ledger.post import post, reverse
from honours.ledger.schema import TABLES
from honours.ledger.store import Ledger, open_ledger
from honours.ledger.verify import verify
from tests.ledger import postgres
from tests.ledger.material import event
from tests.ledger.tables import fill_as_before


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


@pytest.mark.parametrize("form", FORMATS)
def test_an_export_has_everything(busy: Ledger, tmp_path: Path, form: str) -> None:
    """As JSON and Parquet value for value; CSV has no nothing, and no formulas."""
    counts = export(busy, tmp_path / form, form)
    assert counts["records"] == 4
    assert export(busy, tmp_path / "none", form, dry_run=True) == counts
    with busy.reading() as connection:
        kept = {table.name: list(rows_of(connection, table)) for table in TABLES}
    if form == "parquet":  # a column that is empty is still one of numbers
        empty = pq.read_schema(tmp_path / form / "drafts.parquet").field("record")
        assert empty.type == pa.int64()
    for name, rows in kept.items():
        file = tmp_path / form / f"{name}.{form}"
        assert READ[form](file) == (rows if form != "csv" else [*map(as_csv, rows)])


READ: dict[str, Callable[[Path], list[Any]]] = {
    "csv": lambda file: list(csv.DictReader(io.StringIO(file.read_text(encoding="utf-8"), ""))),
    "json": lambda file: list(json.loads(file.read_text(encoding="utf-8"))),
    "parquet": lambda file: list(pq.read_table(file).to_pylist()),
}


def as_csv(row: dict[str, Any]) -> dict[str, str]:
    return {key: "" if one is None else neutralised(str(one)) for key, one in row.items()}


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


def test_an_export_in_no_known_format(file_ledger: Ledger, tmp_path: Path) -> None:
    with pytest.raises(UnknownName):
        export(file_ledger, tmp_path, "xlsx")


# --- more than fits into memory ---------------------------------------------------------------

RECORDS, TOLD = 4_000, 10_000
PART = RECORDS * TOLD / 2


@pytest.fixture
def large(file_ledger: Ledger, tmp_path: Path) -> Ledger:
    """Forty megabytes of facts; whatever is loaded once for each format is loaded."""
    for form in FORMATS:
        export(file_ledger, tmp_path / f"empty-{form}", form)
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
def test_an_export_holds_a_part_at_a_time(large: Ledger, tmp_path: Path, form: str) -> None:
    assert peak(lambda: export(large, tmp_path / form, form)) < PART


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
    with pytest.raises(LedgerError, match="is already a database"):
        restore(file, where(busy))


def test_a_backup_is_held_to_the_head_it_states(file_ledger: Ledger, tmp_path: Path) -> None:
    post(file_ledger, event(), "w")
    backup(file_ledger, tmp_path / "b")
    first, _, rest = gzip.decompress((tmp_path / "b").read_bytes()).partition(b"\n")
    head = json.loads(first) | {"checkpoint": f"1:1:{'0' * 64}"}
    (tmp_path / "b").write_bytes(gzip.compress(json.dumps(head).encode() + b"\n" + rest))
    assert restore(tmp_path / "b", str(tmp_path / "new.db")).verdict == "altered"


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
