"""Who knows the seals, the tallies and the chain can forge a ledger that is sound in itself: a
checkpoint that somebody else kept shows it all the same, and names what was changed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, MetaData, Table, delete, insert, select, text, update

from honours.ledger import balances, members, schema
from honours.ledger.canonical import data_of, text_of
from honours.ledger.chain import Change, NewRecord, append, changed, digest_of, hash_of, locked
from honours.ledger.checkpoint import Checkpoint, checkpoint, read_checkpoint
from honours.ledger.derive import opening_lines
from honours.ledger.post import post
from honours.ledger.schema import (
    APPEND_ONLY,
    SEALED,
    aliases,
    chain,
    changes,
    drafts,
    people,
    postings,
    records,
    releasers,
    tallies,
)
from honours.ledger.schema import kinds as kinds_table
from honours.ledger.sealing import NONE, combined, key_of, salt, sealed
from honours.ledger.store import Ledger
from honours.ledger.verify import verify
from tests.ledger.material import event
from tests.ledger.tables import drop_guards, fill_as_before
from tests.ledger.test_verify import fill, have_something
from tests.support import cases

Forgery = Callable[[Connection], None]


def forge(ledger: Ledger, work: Forgery, rewrite: bool = True) -> None:
    """Change what the work changes, then make everything fit it: seals, tallies, links, head."""
    with ledger.writing() as connection:
        for table in APPEND_ONLY:
            for statement in drop_guards(table, ledger.dialect):
                connection.exec_driver_sql(statement)
        work(connection)
        if rewrite:
            _reseal(connection)
            _relink(connection)
            _rebalance(connection)
        for table in APPEND_ONLY:
            for statement in schema.create_guards(table, ledger.dialect):
                connection.exec_driver_sql(statement)


def _rebalance(connection: Connection) -> None:
    for table in (schema.totals, schema.balances):
        connection.execute(delete(table))
    balances.credit(connection, connection.execute(select(schema.postings)).all())
    for scheme in set(connection.scalars(select(schema.kinds.c.scheme))):
        balances.open_scheme(connection, scheme)


def _reseal(connection: Connection) -> None:
    for table in SEALED:
        (key,) = table.primary_key
        total, count = NONE, 0
        for row in connection.execute(select(table)).mappings().all():
            new = sealed(dict(row))
            connection.execute(update(table).where(key == row[key.name]).values(seal=new["seal"]))
            total, count = combined(total, new["seal"]), count + 1
        own = tallies.c.name == table.name
        connection.execute(update(tallies).where(own).values(rows=count, digest=total))


def _relink(connection: Connection) -> None:
    """One link for everything that is there, then the records one after the other."""
    connection.execute(delete(changes))
    empty = {"changes": 0, "records": 0, "head": ""}
    there = [
        Change(table.name, key_of(table, dict(row)), "", row["seal"])
        for table in SEALED
        for row in connection.execute(select(table)).mappings()
    ]
    link = changed(empty, "2017-01-01T00:00:00+00:00", there)
    connection.execute(insert(changes).values(link))
    head, posted, count = link["hash"], 0, 0
    for row in connection.execute(select(records).order_by(records.c.id)).mappings().all():
        own = select(postings).where(postings.c.record == row["id"]).order_by(postings.c.id)
        lines = [tuple(line) for line in connection.execute(own)]
        new = {**row, "previous": head, "digest": digest_of(lines), "first_posting": posted + 1}
        new["postings"], posted = len(lines), posted + len(lines)
        new["hash"] = head = hash_of(new)
        connection.execute(update(records).where(records.c.id == row["id"]).values(new))
        count += 1
    ended = {"records": count, "postings": posted, "changes": 1, "head": head}
    connection.execute(update(chain).values(ended))


def swap_people(connection: Connection) -> None:
    one, other = connection.execute(select(people).order_by(people.c.member).limit(2)).mappings()
    for member in (one["member"], other["member"]):
        parked = {"number": None}
        connection.execute(update(people).where(people.c.member == member).values(parked))
    for member, row in ((one["member"], other), (other["member"], one)):
        values = {name: row[name] for name in ("number", "name", "sought")}
        connection.execute(update(people).where(people.c.member == member).values(values))


def another_number(connection: Connection) -> None:
    connection.execute(update(people).where(people.c.member == 3).values(number="666"))


def published_again(connection: Connection) -> None:
    connection.execute(update(people).where(people.c.member == 3).values(opted_out=True))


def another_draft(connection: Connection) -> None:
    row = connection.execute(select(drafts)).first()
    assert row is not None
    content = {**data_of(row.content), "title": "Another"}
    connection.execute(update(drafts).values(content=text_of(content)))


def another_releaser(connection: Connection) -> None:
    connection.execute(insert(releasers).values(sealed({"name": "Mallory", "salt": salt()})))


def no_merger(connection: Connection) -> None:
    connection.execute(delete(aliases))
    number = connection.scalar(select(records.c.id).where(records.c.action == "merge"))
    plain = {"action": "erasure", "facts": text_of({"members": []})}
    connection.execute(update(records).where(records.c.id == number).values(plain))


def more_decimals(connection: Connection) -> None:
    connection.execute(update(kinds_table).values(decimals=0, colour="gold"))


def another_club(connection: Connection) -> None:
    connection.execute(update(records).where(records.c.id == 2).values(club="Another"))


def another_date(connection: Connection) -> None:
    connection.execute(update(records).where(records.c.id == 2).values(day="2016-01-01"))


def removed_award(connection: Connection) -> None:
    """The last award with its postings, as if it had never been."""
    last = connection.scalar(select(records.c.id).order_by(records.c.id.desc()).limit(1))
    connection.execute(delete(postings).where(postings.c.record == last))
    connection.execute(delete(records).where(records.c.id == last))


def whole_rewrite(connection: Connection) -> None:
    connection.execute(update(records).values(who="Mallory"))


def longer_opening(connection: Connection) -> None:
    """An opening balance that looks as if it had always been there."""
    facts = text_of({"balances": [[1, 1, 50_000]]})
    append(connection, NewRecord("opening", "Eve", facts=facts, lines=opening_lines(facts)))
    last = locked(connection)["records"]
    early = {"at": "2010-01-01T00:00:00+00:00"}
    connection.execute(update(records).where(records.c.id == last).values(early))


FORGERIES: list[Forgery] = [
    swap_people,
    another_number,
    published_again,
    another_draft,
    another_releaser,
    no_merger,
    more_decimals,
    another_club,
    another_date,
    removed_award,
    whole_rewrite,
    longer_opening,
]


def _have_a_last_night(ledger: Ledger) -> None:
    have_something(ledger)
    post(ledger, event("Last", "2018-01-01", [2, 3, 1, 4, 5, 6]), "Eve")


@pytest.fixture
def kept(ledger: Ledger) -> Checkpoint:
    """What somebody outside noted."""
    fill_as_before(ledger, _have_a_last_night)
    with ledger.reading() as connection:
        return checkpoint(connection)


@pytest.mark.parametrize("forgery", FORGERIES, ids=lambda one: one.__name__)
def test_a_checkpoint_shows_every_informed_forgery(
    ledger: Ledger, kept: Checkpoint, forgery: Forgery, tmp_path: Path
) -> None:
    forge(ledger, forgery)
    file = tmp_path / "kept.json"
    file.write_text(kept.text(), encoding="utf-8")
    for noted in (kept, read_checkpoint(str(file)), read_checkpoint(kept.line)):
        verification = verify(ledger, head=noted)
        assert not verification.sound
        assert verification.since is not None
        assert not verification.since.held
        assert "rewritten" in verification.since.said
    assert not verify(ledger, head=read_checkpoint(kept.head)).sound


@pytest.mark.parametrize(
    "forgery",
    [swap_people, another_number, another_draft, another_releaser],
    ids=lambda f: f.__name__,
)
def test_who_leaves_the_chain_alone_is_found_without_a_checkpoint(
    ledger: Ledger, kept: Checkpoint, forgery: Forgery
) -> None:
    def with_seals(connection: Connection) -> None:
        forgery(connection)
        _reseal(connection)

    forge(ledger, with_seals, rewrite=False)
    messages = [f.said for f in verify(ledger).findings]
    assert "is not as the chain says it was written" in messages
    assert kept.size


def test_what_is_added_after_the_checkpoint_is_growth_and_named(
    ledger: Ledger, kept: Checkpoint
) -> None:
    post(ledger, event("After", "2018-02-01", [4, 3, 1, 2, 5, 6]), "Eve")
    verification = verify(ledger, head=kept)
    assert verification.sound
    assert verification.since is not None
    (link,) = verification.since.links
    assert "After" in link


def test_what_was_rewritten_is_named(ledger: Ledger, kept: Checkpoint) -> None:
    def late(connection: Connection) -> None:
        last = connection.execute(select(records).order_by(records.c.id.desc())).mappings().first()
        assert last is not None
        new = {**last, "title": "Forged"}
        new["hash"] = hash_of(new)
        connection.execute(update(records).where(records.c.id == last["id"]).values(new))
        connection.execute(update(chain).values(head=new["hash"]))

    forge(ledger, late, rewrite=False)
    verification = verify(ledger, head=kept)
    assert verification.since is not None
    assert [link for link in verification.since.links if "Forged" in link] == list(
        verification.since.links
    )


def test_triggers_that_are_not_ours_are_found(file_ledger: Ledger) -> None:
    fill(file_ledger)
    with file_ledger.writing() as connection:
        connection.exec_driver_sql("DROP TRIGGER records_no_update")
        connection.exec_driver_sql(
            "CREATE TRIGGER records_no_update BEFORE UPDATE ON records BEGIN SELECT 1; END"
        )
        connection.exec_driver_sql(
            "CREATE TRIGGER more AFTER INSERT ON releasers BEGIN SELECT 1; END"
        )
    messages = {str(f.where): f.said for f in verify(file_ledger).findings}
    assert messages["guard records_no_update"].startswith("is another one")
    assert messages["trigger more"].startswith("is not the ledger's own")


@cases
def test_nothing_else_changes_what_is_written(ledger: Ledger, done: str, where: str) -> None:
    if ledger.dialect == "sqlite":
        pytest.skip("PostgreSQL's own means")
    fill(ledger)
    assert verify(ledger).sound
    with ledger.writing() as connection:
        connection.execute(text(done))
    assert where in {str(f.where).split()[0] for f in verify(ledger).findings}


def test_a_view_in_the_place_of_a_table_is_found(file_ledger: Ledger) -> None:
    fill(file_ledger)
    with file_ledger.writing() as connection:
        connection.exec_driver_sql("CREATE VIEW somebody AS SELECT * FROM people")
    assert [str(f.where) for f in verify(file_ledger).findings] == ["view somebody"]


def test_who_changed_a_member_stands_in_the_chain(ledger: Ledger, kept: Checkpoint) -> None:
    with ledger.writing(by="M. Secretary") as connection:
        members.change(connection, 1, name="Another Name")
    verification = verify(ledger, head=kept)
    assert verification.since is not None
    assert any(
        "by M. Secretary" in link and "people 1" in link for link in verification.since.links
    )
    with ledger.writing() as connection:  # what the connection is used for next is not theirs
        members.change(connection, 2, name="Yet Another")
        last = connection.execute(select(changes).order_by(changes.c.id.desc())).first()
    assert last is not None
    assert last.who == ""


def test_the_function_behind_the_guards_is_looked_at(ledger: Ledger) -> None:
    if ledger.dialect == "sqlite":
        pytest.skip("SQLite's triggers have no function")
    fill(ledger)
    with ledger.writing() as connection:
        connection.execute(
            text(
                "CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS "
                "$$ BEGIN RETURN NEW; END $$"
            )
        )
    assert [f.where for f in verify(ledger).findings] == ["guard refuse_change"]


def test_a_clock_that_was_put_back_is_told(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    post(ledger, event(), "Eve")
    monkeypatch.setattr("honours.ledger.chain.now", lambda: "2001-01-01T00:00:00+00:00")
    post(ledger, event("Late", "2017-02-01", [6, 5, 4, 3, 2, 1]), "Eve")
    verification = verify(ledger)
    assert verification.sound
    assert any("the clock was put back" in remark for remark in verification.remarks)


def test_no_name_is_in_the_chain(ledger: Ledger, kept: Checkpoint) -> None:
    names = ("Ann", "Bob", '"101a"', "Gone")  # without its quotes the number is in many a hash
    with ledger.reading() as connection:
        links = [row.content for row in connection.execute(select(changes))]
        facts: list[Any] = [row.facts for row in connection.execute(select(records))]
    everything = kept.text() + "".join(links) + "".join(facts)
    assert [name for name in names if name in everything] == []


def test_a_table_of_the_chain_has_only_what_is_listed(ledger: Ledger) -> None:
    with ledger.reading() as connection:
        table = Table("changes", MetaData(), autoload_with=connection)
    assert [c.name for c in table.columns] == [
        "id",
        "after",
        "at",
        "who",
        "content",
        "previous",
        "hash",
    ]
