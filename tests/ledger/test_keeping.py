"""Drafts and release, copies and backups, ranks and promotions."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest

from honours.errors import FileProblem, InputError, LedgerError
from honours.formats import names
from honours.ledger import members, ranks, release, submissions
from honours.ledger.backup import backup, restore
from honours.ledger.enrol import import_members
from honours.ledger.exchange import export, import_all
from honours.ledger.post import ALREADY, DIFFERS, POSTED, post, reverse
from honours.ledger.store import Ledger
from honours.ledger.verify import verify
from tests.ledger.material import BOOK, event

# --- drafts -----------------------------------------------------------------------------------


def test_a_draft_is_posted_as_it_was_reviewed(ledger: Ledger) -> None:
    held = release.draft(ledger, event(), "scorer")
    assert held.status == release.HELD
    with ledger.reading() as connection:
        [draft] = release.all_drafts(connection, release.PENDING)
        assert members.find(connection, "101a").name == "Ann 1"
    assert draft.title == "Club night"
    outcome = release.release(ledger, 1, "secretary")
    assert (outcome.status, outcome.record) == (POSTED, 1)
    assert [line.amount for line in outcome.lines] == [12, 12, 6, 6]
    with ledger.reading() as connection:
        [draft] = release.all_drafts(connection)
    assert (draft.status, draft.record, draft.settled_by) == ("released", 1, "secretary")
    with pytest.raises(InputError, match="was released by secretary"):
        release.release(ledger, 1, "secretary")
    assert verify(ledger).sound


def test_a_draft_is_not_held_twice(ledger: Ledger) -> None:
    release.draft(ledger, event(), "scorer")
    assert release.draft(ledger, event(), "scorer").status == ALREADY
    release.withdraw(ledger, 1, "scorer", "misread")
    assert release.draft(ledger, event(), "scorer").status == release.HELD
    release.release(ledger, 2, "secretary")
    assert release.draft(ledger, event(), "scorer").status == ALREADY
    assert release.draft(ledger, event(order=[2, 1, 3, 4, 5, 6]), "scorer").status == DIFFERS
    with pytest.raises(InputError, match="no draft 9"):
        release.release(ledger, 9, "secretary")


def test_only_those_allowed_may_release(ledger: Ledger) -> None:
    release.draft(ledger, event(), "scorer")
    assert release.allow(ledger, "secretary") == ["secretary"]
    with pytest.raises(InputError, match="scorer may not release awards; secretary may"):
        release.release(ledger, 1, "scorer")
    assert release.allow(ledger, "secretary", may=False) == []
    assert release.release(ledger, 1, "scorer", dry_run=True).status == POSTED
    assert release.release(ledger, 1, "scorer").status == POSTED


def test_a_draft_under_another_rulebook_is_refused(file_ledger: Ledger) -> None:
    from dataclasses import replace

    amended = replace(event(), rulebook=replace(BOOK, text_hash="x"))
    release.draft(file_ledger, amended, "scorer")
    with pytest.raises(InputError, match="has changed since"):
        release.release(file_ledger, 1, "secretary")


# --- copies -----------------------------------------------------------------------------------


@pytest.fixture
def busy(ledger: Ledger) -> Ledger:
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
    return ledger


@pytest.mark.parametrize("form", ["csv", "json", "parquet"])
def test_everything_goes_out_and_comes_back(
    busy: Ledger, new_url: Callable[[], str], tmp_path: Path, form: str
) -> None:
    counts = export(busy, tmp_path / form, form)
    assert counts["records"] == 4
    back = import_all(new_url(), tmp_path / form)
    assert verify(back).sound
    assert verify(back).head == verify(busy).head
    with busy.reading() as one, back.reading() as other:
        assert members.everyone(one) == members.everyone(other)
    assert post(back, event("After", "2017-04-01", [2, 1, 3, 4, 5, 6]), "w").status == POSTED


def test_a_public_copy_leaves_private_people_out(file_ledger: Ledger, tmp_path: Path) -> None:
    with file_ledger.writing() as connection:
        members.add(connection, "Shy Person", "77", opted_out=True)
        members.add(connection, "Open Person", "78")
    for form in ("csv", "json"):
        export(file_ledger, tmp_path / form, form, public=True)
        text = (tmp_path / form / f"people.{form}").read_text()
        assert "Open" in text
        assert "Shy" not in text
        assert "shy" not in text
        assert "77" not in text.replace(names.sought("77"), "") or form


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


def test_a_backup_restores(busy: Ledger, new_url: Callable[[], str], tmp_path: Path) -> None:
    file = tmp_path / "b.backup"
    count = backup(busy, file)
    assert count > 20
    again = restore(file, new_url())
    assert verify(again).head == verify(busy).head
    assert verify(again).sound
    with pytest.raises(LedgerError, match="already is a database"):
        restore(file, busy.engine.url.render_as_string(hide_password=False)
                if busy.dialect != "sqlite" else busy.where)  # fmt: skip


def test_a_backup_of_one_database_restores_on_the_other(
    busy: Ledger, tmp_path: Path, postgres_socket: str
) -> None:
    from tests.ledger import postgres

    backup(busy, tmp_path / "b")
    to_file = busy.dialect != "sqlite"
    place = str(tmp_path / "x.db") if to_file else postgres.create_database(
        postgres_socket, "restored")  # fmt: skip
    assert verify(restore(tmp_path / "b", place)).sound


@pytest.mark.parametrize(("change", "said"), [
    (lambda data: data[: len(data) // 2], "cannot be read whole"),
    (lambda data: data[:0] + b"hello", "cannot be read whole"),
    (lambda data: gzip.compress(b"\n".join(gzip.decompress(data).split(b"\n")[:-2])), "breaks off"),
    (lambda data: gzip.compress(data[:0] + b'{"x": 1}\n'), "not a backup"),
    (lambda data: gzip.compress(gzip.decompress(data).replace(b'"000', b'"900', 1)), "version 900"),
])  # fmt: skip
def test_damaged_backups(
    file_ledger: Ledger, tmp_path: Path, change: Callable[[bytes], bytes], said: str
) -> None:
    file = tmp_path / "b"
    post(file_ledger, event(), "w")
    backup(file_ledger, file)
    file.write_bytes(change(file.read_bytes()))
    with pytest.raises(FileProblem, match=said):
        restore(file, str(tmp_path / "new.db"))
    assert not (tmp_path / "new.db").exists()


# --- ranks ------------------------------------------------------------------------------------


def opening(tmp_path: Path, *rows: str) -> Path:
    file = tmp_path / "m.csv"
    file.write_text("\n".join(["number,name,local,national", *rows]), encoding="utf-8")
    return file


def test_promotions_come_with_the_event(ledger: Ledger, tmp_path: Path) -> None:
    file = opening(tmp_path, "101a,Ann 1,190,0", "101b,Bob 1,180,0", "102a,Ann 2,996,0")
    import_members(ledger, file, "w", BOOK)
    outcome = post(ledger, event(), "w")
    assert [(p.member.name, p.rank, p.title) for p in outcome.promotions] == [
        ("Ann 1", "Club Master", "Club night"), ("Ann 2", "Local Master", "Club night")
    ]  # fmt: skip
    with ledger.reading() as connection:
        found = ranks.history(connection, members.find(connection, "102a").id, BOOK.body,
                              BOOK.ranks)  # fmt: skip
    assert [(p.rank, p.record) for p in found] == [("Club Master", 1), ("Local Master", 2)]


@pytest.mark.parametrize(("local", "national", "rank", "missing"), [
    (0, 0, "", {}), (199, 0, "", {"total": 1}), (200, 0, "Club Master", {"total": 800}),
    (15000, 4999, "Master, two stars", {"total": 1}),
    (15000, 5000, "Scottish Master", {"total": 10000, "national": 2500}),
    (0, 60000, "Life Master", {"total": 30000}), (60000, 60000, "Grand Master", {}),
])  # fmt: skip
def test_ranks_need_several_kinds(
    file_ledger: Ledger, tmp_path: Path, local: int, national: int, rank: str,
    missing: dict[str, int],
) -> None:  # fmt: skip
    import_members(file_ledger, opening(tmp_path, f"1,Ann,{local},{national}"), "w", BOOK)
    with file_ledger.reading() as connection:
        found = ranks.rungs(connection, BOOK.body, ranks.ladder(BOOK.body))
    if not local + national:
        assert found == []
        return
    assert found[0].rank == rank
    assert dict(found[0].missing) == missing
