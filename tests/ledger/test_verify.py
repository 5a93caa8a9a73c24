"""Whatever is changed behind the ledger's back is found and named."""

from __future__ import annotations

import random
import shutil
from fractions import Fraction
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Boolean, Integer, Table, select, text

from honours.errors import InputError, LedgerError
from honours.ledger import assertions, kinds, members, receipts, release, schema, submissions
from honours.ledger.answers import verification_answer, verification_data
from honours.ledger.checkpoint import Checkpoint, checkpoint, read_checkpoint
from honours.ledger.judging import ALTERED, SOUND, UNEXPLAINED
from honours.ledger.post import post, reverse
from honours.ledger.requests import once
from honours.ledger.schema import APPEND_ONLY, SEALED, TABLES, chain, postings
from honours.ledger.sealing import sealed
from honours.ledger.shapes import POSTINGS
from honours.ledger.statement import reason, statement
from honours.ledger.store import Ledger, open_ledger
from honours.ledger.verify import Verification, verify
from honours.reports.drawing import draw_text
from honours.rulebooks import load
from tests.ledger.material import BOOK, RULEBOOKS, event
from tests.ledger.tables import drop_guards, fill_as_before
from tests.support import cases

COLUMNS = [(table, column.name) for table in TABLES for column in table.columns]


def fill(ledger: Ledger) -> None:
    """Something in every table."""
    fill_as_before(ledger, have_something)


def have_something(ledger: Ledger) -> None:
    """The work of it."""
    once(ledger, "k", "it", lambda into: {"record": post(into, event(), "Eve").record})
    post(ledger, event("Late", "2017-02-01", [6, 5, 4, 3, 2, 1]), "Eve")
    reverse(ledger, 1, "Eve", "void")
    with ledger.writing() as connection:
        twice = members.add(connection, "Ann 1 again")
        members.merge(connection, twice, 1, "Eve", "twice")
        extra = members.add(connection, "Gone")
        members.erase(connection, extra, "Eve", "asked")
    release.draft(ledger, event("Drafted", "2017-03-01"), "Eve")
    release.allow(ledger, "Eve")
    with ledger.writing() as connection:
        members.change(connection, 2, number="102z", name="Bob 2 as married")
        local = kinds.get(connection, BOOK.body, "local")
        assertions.add(connection, local, "2017-02-28", Fraction(36), "Eve")
    submissions.submit(ledger, "2017-01-01", "2017-12-31", "Eve")
    with ledger.writing() as connection:
        refused = receipts.Receipt("night.csv", "refused", said=("no",))
        receipts.keep(connection, [(refused, "d")], "Eve")


@pytest.fixture
def filled(ledger: Ledger) -> Ledger:
    fill(ledger)
    assert verify(ledger).sound
    return ledger


def tamper(ledger: Ledger, *statements: str) -> None:
    """Do what only somebody with the database's own tools can."""
    with ledger.writing() as connection:
        for table in APPEND_ONLY:
            for statement in drop_guards(table, ledger.dialect):
                connection.exec_driver_sql(statement)
        if ledger.dialect != "sqlite":
            connection.execute(text("SET session_replication_role = replica"))
        for statement in statements:
            marked = statement if ledger.dialect == "sqlite" else statement.replace("%", "%%")
            connection.exec_driver_sql(marked)
        for table in APPEND_ONLY:
            for statement in schema.create_guards(table, ledger.dialect):
                connection.exec_driver_sql(statement)


def flipped(value: Any, column: Any, chance: random.Random) -> Any:
    """The value with one bit of one byte changed; something, where there was nothing."""
    if isinstance(column.type, Boolean):
        return not value
    if isinstance(column.type, Integer):
        lowest = 7 if column.primary_key or column.unique else 0  # another row may have those near
        return (value or 0) ^ 1 << chance.randrange(lowest, 20)
    if not value:
        return "x"
    while True:
        data = bytearray(value.encode())
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(7)
        try:
            text = data.decode()
        except UnicodeDecodeError:
            continue
        if "\0" not in text:
            return text


@pytest.mark.slow
def test_any_byte_of_any_column_of_any_table(file_ledger: Ledger) -> None:
    """One bit of one value changed at a time, then put back: found each time, and named."""
    fill(file_ledger)
    assert _missed(file_ledger, seed=1) == []


@pytest.mark.slow
@pytest.mark.long
def test_any_byte_is_found_on_either_database(filled: Ledger) -> None:
    assert _missed(filled, seed=2) == []


def _missed(ledger: Ledger, seed: int) -> list[str]:
    chance = random.Random(seed)
    return [f"{t.name}.{name}" for t, name in COLUMNS if not _found(ledger, t, name, chance)]


def _found(ledger: Ledger, table: Table, name: str, chance: random.Random) -> bool:
    keys = tuple(table.primary_key)
    with ledger.reading() as connection:
        row = chance.choice(connection.execute(select(table).order_by(*keys)).mappings().all())
    old, new = row[name], flipped(row[name], table.columns[name], chance)
    which = {key.name: row[key.name] for key in keys}
    _change(ledger, table, name, which, new)
    verification = verify(ledger)
    _change(ledger, table, name, {**which, name: new} if name in which else which, old)
    assert verify(ledger).sound, f"not put back: {table.name}.{name}"
    # A total kept for several keys is named by its table alone.
    by_table = name in which or len(keys) > 1
    return not verification.sound and _names(
        verification, table.name, row[keys[0].name], row, by_table
    )


def _change(ledger: Ledger, table: Table, name: str, key: dict[str, Any], value: Any) -> None:
    same = " AND ".join(f"{column} = {_sql(wanted)}" for column, wanted in key.items())
    _set(ledger, f'UPDATE {table.name} SET "{name}" = {_sql(value)} WHERE {same}')


def _names(verified: Verification, table: str, key: Any, row: Any, of_key: bool) -> bool:
    """Whether something found is about this row; its table will do where the key was changed."""
    places = {f.where.partition(" (")[0] for f in verified.findings}
    altered = {f"posting {v.posting}" for v in verified.verdicts if v.verdict == ALTERED}
    wheres = {
        "records": {f"record {key}"},
        "chain": {"the end of the chain", "members"},
        "members": {"members"},
        "postings": {f"posting {key}", f"record {row.get('record')}"},
        "tallies": {str(key)},
    }.get(table, {f"{table} {key}"})
    if of_key:
        return bool(places)
    return bool(wheres & (places | altered))


@pytest.mark.parametrize("table", SEALED, ids=lambda table: table.name)
def test_rows_taken_away_or_put_in_are_found(filled: Ledger, table: Table) -> None:
    (key,) = table.primary_key
    with filled.reading() as connection:
        row = connection.execute(select(table).order_by(key.desc())).mappings().first()
    assert row is not None
    unlike = {name: "x" for name in ("number", "name") if name in row}
    another = sealed({**row, **unlike, key.name: row[key.name] * 2})
    names, values = ", ".join(f'"{n}"' for n in another), ", ".join(map(_sql, another.values()))
    _set(filled, f"INSERT INTO {table.name} ({names}) VALUES ({values})")
    assert table.name in [f.where for f in verify(filled).findings]
    _set(filled, f"DELETE FROM {table.name} WHERE {key.name} = {_sql(another[key.name])}")
    assert verify(filled).sound
    _set(filled, f"DELETE FROM {table.name} WHERE {key.name} = {_sql(row[key.name])}")
    assert table.name in [f.where for f in verify(filled).findings]


def test_bytes_that_are_no_text_are_found_and_named(file_ledger: Ledger) -> None:
    fill(file_ledger)
    for table, column in (("people", "name"), ("records", "title"), ("drafts", "content")):
        before = verify(file_ledger)
        _set(file_ledger, f"UPDATE {table} SET {column} = CAST(x'41ff42' AS TEXT) WHERE rowid = 1")
        places = [f.where for f in verify(file_ledger).findings]
        assert before.sound == (table == "people")
        assert any(
            where.startswith(f"{table.removesuffix('s')} 1") or where == f"{table} 1"
            for where in places
        ), places


def _set(ledger: Ledger, statement: str) -> None:
    """A change with every check of the database switched off."""
    with ledger.engine.connect() as plain:
        if ledger.dialect == "sqlite":
            raw: Any = plain.connection
            raw.execute("PRAGMA foreign_keys = off")
            raw.execute("BEGIN IMMEDIATE")
            for table in APPEND_ONLY:
                for each in drop_guards(table, "sqlite"):
                    raw.execute(each)
            raw.execute(statement)
            for table in APPEND_ONLY:
                for each in schema.create_guards(table, "sqlite"):
                    raw.execute(each)
            raw.execute("COMMIT")
        else:
            tamper(ledger, statement)


def _sql(value: Any) -> str:
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return "true" if value else "false"
    text = str(value).replace("'", "''")
    return text if isinstance(value, int) else f"'{text}'"


def test_an_altered_posting_is_named_with_what_it_should_be(filled: Ledger) -> None:
    tamper(filled, "UPDATE postings SET amount = 500 WHERE id = 1")
    verification = verify(filled)
    altered = [v for v in verification.verdicts if v.verdict == ALTERED]
    assert altered[0].posting == 1
    assert altered[0].said == "amount is 500, derived 12"
    assert "ALTERED" in str(verification_answer(verification)[-1])
    assert verification_data(verification)["verdict"] == "altered"


def test_a_missing_end_is_found(filled: Ledger) -> None:
    with filled.reading() as connection:
        last = connection.scalar(select(chain.c.records))
    _set(filled, f"DELETE FROM records WHERE id = {last}")
    assert "the end of the chain" in [f.where for f in verify(filled).findings]


def test_a_missing_middle_is_found(filled: Ledger) -> None:
    _set(filled, "DELETE FROM postings WHERE record = 2")
    _set(filled, "DELETE FROM records WHERE id = 2")
    verification = verify(filled)
    assert any("record 2 is missing" in f.said for f in verification.findings)


def test_a_posting_put_in_is_found(filled: Ledger) -> None:
    with filled.reading() as connection:
        last = connection.scalar(select(chain.c.postings)) or 0
    tamper(filled, f"INSERT INTO postings VALUES ({last + 1}, 2, 1, 1, 700, '1+2', NULL)")
    assert any(
        v.said == "was never awarded" or "should be" in v.said
        for v in verify(filled).verdicts
        if v.verdict == ALTERED
    )


def test_missing_guards_are_found(filled: Ledger) -> None:
    with filled.writing() as connection:
        connection.execute(text(drop_guards("postings", filled.dialect)[0]))
    assert [f.where for f in verify(filled).findings] == ["guard postings_no_update"]


@pytest.mark.slow
def test_random_bytes_of_the_file(file_ledger: Ledger, tmp_path: Path) -> None:
    """A flipped byte is found, or it was in none of the data."""
    fill(file_ledger)
    file_ledger.close()
    original = Path(file_ledger.where)
    before = _dump(open_ledger(str(original)))
    copy = tmp_path / "flipped.db"
    chance = random.Random(7)
    size = original.stat().st_size
    silent = []
    for _ in range(60):
        shutil.copy(original, copy)
        place = chance.randrange(size)
        _flip(copy, place)
        try:
            opened = open_ledger(str(copy))
            if verify(opened).sound and _dump(opened) != before:
                silent.append(place)
        except LedgerError:
            continue
    assert silent == []


def _flip(file: Path, place: int) -> None:
    with file.open("rb+") as handle:
        handle.seek(place)
        byte = handle.read(1)
        handle.seek(place)
        handle.write(bytes([byte[0] ^ 0x41]))


def _dump(ledger: Ledger) -> list[Any]:
    with ledger.reading() as connection:
        return [connection.execute(select(t).order_by(*t.primary_key)).all() for t in TABLES]


# --- revisions of a rulebook ------------------------------------------------------------------


def write_book(folder: Path, revision: int, win: int) -> None:
    """Another revision of the cup."""
    shutil.copytree(RULEBOOKS / "cup", folder, dirs_exist_ok=True)
    toml = folder / "rulebook.toml"
    text_ = toml.read_text(encoding="utf-8").replace("revision = 1", f"revision = {revision}")
    toml.write_text(text_.replace("value = 5", f"value = {win}"), encoding="utf-8")


def test_a_later_revision_and_the_one_it_was_made_with(file_ledger: Ledger, tmp_path: Path) -> None:
    from dataclasses import replace

    books, old = tmp_path / "books", tmp_path / "old"
    write_book(books / "cup", 1, 5)
    write_book(old / "cup_r1", 1, 5)
    one = replace(event(), rulebook=load("cup", [books]), given={})
    post(file_ledger, one, "Eve")
    assert verify(file_ledger, [books]).counts == {SOUND: 12}
    write_book(books / "cup", 2, 7)
    there = verify(file_ledger, [books, old])
    assert there.counts == {UNEXPLAINED: 12}  # by a rulebook of another name
    gone = verify(file_ledger, [books])
    assert (gone.verdict, gone.counts) == (UNEXPLAINED, {UNEXPLAINED: 12})
    assert [(one.postings, one.records) for one in gone.unexplained] == [(12, (1,))]
    (old / "cup_r1").rename(old / "cup")
    assert verify(file_ledger, [books, old]).counts == {SOUND: 12}


def test_a_rulebook_that_cannot_be_loaded_alters_nothing(
    file_ledger: Ledger, tmp_path: Path
) -> None:
    from dataclasses import replace

    write_book(tmp_path / "cup", 1, 5)
    post(file_ledger, replace(event(), rulebook=load("cup", [tmp_path]), given={}), "Eve")
    post(file_ledger, event("Late", "2017-02-01", [6, 5, 4, 3, 2, 1]), "Eve")
    write_book(tmp_path / "other", 1, 5)
    (tmp_path / "other" / "rules.py").write_text("raise ValueError")
    assert verify(file_ledger, [tmp_path]).counts == {SOUND: 16}
    (tmp_path / "cup" / "rules.py").unlink()
    lost = verify(file_ledger, [tmp_path])
    assert (lost.verdict, lost.counts) == (UNEXPLAINED, {SOUND: 4, UNEXPLAINED: 12})
    assert {one.record for one in lost.verdicts} == {1}


def test_a_doctored_copy_under_a_bundled_id_is_named(file_ledger: Ledger, tmp_path: Path) -> None:
    from dataclasses import replace

    bundled = Path(str(resources.files("honours.rulebooks") / "sbu_clubs_2016"))
    books = tmp_path / "sbu_clubs_2016"
    shutil.copytree(bundled, books, ignore=shutil.ignore_patterns("r[0-9]*", "__*"))
    toml = books / "rulebook.toml"
    toml.write_text(toml.read_text().replace('third = "1/3"', 'third = "1/1"') + "\n")
    doctored = load("sbu-clubs-2016", [tmp_path])
    assert post(file_ledger, replace(event(), rulebook=doctored), "Eve").status == "posted"
    for folders in ((), (tmp_path,)):  # with the folder at hand it derives, and is no less doubtful
        found = verify(file_ledger, folders)
        assert (found.verdict, set(found.counts)) == (UNEXPLAINED, {UNEXPLAINED})
        assert doctored.hash in found.unexplained[0].said
    with file_ledger.reading() as connection:
        own = statement(connection, members.get(connection, [1])[1])
        assert [doctored.hash in line.doubt for line in own.lines] == [True]
        assert doctored.hash in str(draw_text(POSTINGS.table(own.lines), "en"))
        assert doctored.hash in reason(connection, 1).doubt
    tamper(file_ledger, "UPDATE postings SET amount = 99 WHERE id = 1")
    assert verify(file_ledger).verdict == ALTERED


def test_amended_rulebooks_are_derived_as_amended(file_ledger: Ledger) -> None:
    from dataclasses import replace

    amended = replace(event(), rulebook=BOOK.amend({"decrement.one-winner-pairs": "7"}))
    assert post(file_ledger, amended, "Eve").lines[0].amount == 14
    assert verify(file_ledger).counts == {SOUND: 4}
    with file_ledger.reading() as connection:
        assert connection.scalar(select(postings.c.amount).where(postings.c.id == 1)) == 14


def _checkpoint(ledger: Ledger) -> Checkpoint:
    with ledger.reading() as connection:
        return checkpoint(connection)


def test_several_processes_find_the_same(file_ledger: Ledger) -> None:
    fill(file_ledger)
    assert verify(file_ledger, processes=2) == verify(file_ledger)
    tamper(file_ledger, "UPDATE postings SET amount = 999 WHERE id = 2")
    tamper(file_ledger, "UPDATE records SET facts = '{' WHERE id = 2")
    alone, together = verify(file_ledger), verify(file_ledger, processes=2)
    assert not alone.sound
    assert (together.verdicts, together.counts) == (alone.verdicts, alone.counts)
    assert set(together.findings) == set(alone.findings)


def test_only_what_was_added_since_is_looked_at(ledger: Ledger) -> None:
    fill(ledger)
    kept = _checkpoint(ledger)
    assert verify(ledger, after=kept).sound
    post(ledger, event("New", "2018-01-01", [2, 1, 3, 4, 5, 6]), "Eve")
    with ledger.writing() as connection:
        members.change(connection, 3, name="Another Name")
        gone = members.add(connection, "To Be Forgotten", "999")
        members.erase(connection, gone, "Eve")
    verification = verify(ledger, after=kept)
    assert verification.sound
    assert verification.counts == {"sound": 4}
    assert verification.since is not None
    assert "only what was added since the checkpoint" in verification.since.said
    reverse(ledger, verification.records - 1, "Eve", "void")
    assert verify(ledger, after=kept).sound
    assert verify(ledger, after=read_checkpoint(kept.line)).sound
    with pytest.raises(InputError, match="a head alone"):
        verify(ledger, after=read_checkpoint(kept.head))


@cases
def test_what_was_changed_since_is_found(ledger: Ledger, done: str, where: str) -> None:
    fill(ledger)
    kept = _checkpoint(ledger)
    post(ledger, event("New", "2018-01-01", [1, 2, 3, 4, 5, 6]), "Eve")
    with ledger.writing() as connection:
        members.change(connection, 3, name="Another Name")
    tamper(ledger, done)
    verification = verify(ledger, after=kept)
    assert not verification.sound
    assert where in {str(f.where) for f in verification.findings} | {""}


def test_a_ledger_that_does_not_continue_it_says_so(ledger: Ledger) -> None:
    fill(ledger)
    kept = _checkpoint(ledger)
    tamper(ledger, f"UPDATE records SET hash = 'x' WHERE id = {kept.records}")
    tamper(ledger, f"UPDATE changes SET hash = 'x' WHERE id = {kept.changes}")
    verification = verify(ledger, after=kept)
    assert not verification.sound
    assert verification.since is not None
    assert not verification.since.held
    with pytest.raises(InputError):
        read_checkpoint("nonsense")


def test_a_posting_that_is_nowhere_near_its_record_is_found(file_ledger: Ledger) -> None:
    fill(file_ledger)
    row = "SELECT max(id) + 5, 2, member, kind, amount, entrant, reverses FROM postings"
    tamper(file_ledger, f"INSERT INTO postings {row}")
    findings = {str(f.where): str(f.said) for f in verify(file_ledger).findings}
    assert any("not among those of its record" in finding for finding in findings.values())
