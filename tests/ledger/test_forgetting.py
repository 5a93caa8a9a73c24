"""Nothing has the name of somebody who was erased, whatever they were called and wherever it was
written; what cannot be taken away is told."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import pytest
from sqlalchemy import Connection, select

from honours.errors import InputError
from honours.formats.members import ListedMember
from honours.ledger import assertions, kinds, members, receipts, release
from honours.ledger.copies import export
from honours.ledger.enrol import enrol
from honours.ledger.intake import IntakeTerms, take_in
from honours.ledger.post import POSTED, post
from honours.ledger.receipts import Receipt
from honours.ledger.schema import TABLES
from honours.ledger.store import Ledger
from honours.ledger.verify import verify
from honours.model.message import Message
from tests.ledger.material import BOOK, event
from tests.ledger.test_intake import GIVEN, incoming, returned

FORMER, NOW = "Zebediah Quillfeather", "Zebediah Umbrage"


def texts_with(connection: Connection, *words: str) -> list[str]:
    """Every cell of every table that has one of the words (not amid the letters of a seal)."""
    looked_for = re.compile(rf"\b({'|'.join(words)})", re.IGNORECASE)
    return [
        f"{table.name}.{column}: {cell}"
        for table in TABLES
        for row in connection.execute(select(table)).mappings()
        for column, cell in row.items()
        if looked_for.search(str(cell))
    ]


def test_a_former_name_goes_too_from_every_table_and_file(file_ledger: Ledger) -> None:
    with file_ledger.writing() as connection:
        one = members.add(connection, FORMER, "9041")
        text = f"differs: {FORMER} & A: place 1 in the ledger, Quillfeather, Zebediah now"
        receipts.keep(
            connection, [(Receipt("quillfeather.zebediah.xml", "refused", said=(text,)), "d")], "w"
        )
        spelt = Message("{where}: another place", where=f"line 2\n{FORMER}")
        receipts.keep(connection, [(Receipt("c.xml", "refused", said=(spelt,)), "d")], "w")
        receipts.keep(
            connection, [(Receipt("b.xml", "refused", said=("Zebediah Other is not",)), "d")], "w"
        )
        members.change(connection, one, name=NOW)
        kinds.ensure_scheme(connection, BOOK)
        kind = kinds.get(connection, BOOK.body, "local")
        assertions.add(
            connection, kind, "2017-01-01", Fraction(0), "w", member=one, remark=f"asked by {NOW}"
        )
    held = release.draft(file_ledger, event(), "w")
    release.withdraw(file_ledger, held.record or 0, "w", f"{FORMER} did not play")
    with file_ledger.writing() as connection:
        assert members.names_of(connection, [one]) == {one: [FORMER]}
        members.erase(connection, one, "Eve")
    with file_ledger.reading() as connection:
        assert texts_with(connection, "Quillfeather", "Umbrage", r"9041\b") == []
        assert [r.said for r in receipts.listed(connection, 9)] == [
            ("Zebediah Other is not",),
            (),
            (),
        ]
    for file in Path(file_ledger.where).parent.iterdir():
        data = file.read_bytes().lower()
        assert not [word for word in (b"quillfeather", b"umbrage") if word in data], file
    assert verify(file_ledger).sound


def test_a_list_that_renames_many_remembers_their_names(ledger: Ledger) -> None:
    def listed(*names: str) -> list[ListedMember]:
        return [ListedMember(n, str(n), name, {}, ()) for n, name in enumerate(names, 1)]

    enrol(ledger, listed("Ann Reed", "Ben Hall", "Cy Low"), "a.csv", "w")
    enrol(ledger, listed("Ann Moor", "BEN HALL", "Cy Low"), "b.csv", "w")
    with ledger.reading() as connection:
        assert members.names_of(connection, [1, 2, 3]) == {1: ["Ann Reed"]}
    assert verify(ledger).sound


def test_a_name_as_the_return_spells_it_goes_with_what_is_said_of_the_event(
    ledger: Ledger, club: Ledger, tmp_path: Path
) -> None:
    """The ledger knows them by another name, and the receipt has the one of the file."""
    file = returned(club, tmp_path)
    text = file.read_text(encoding="utf-8")
    assert "Ann 1<" in text
    file.write_text(text.replace("Ann 1<", "Zeb Quil<"), encoding="utf-8")
    with ledger.writing() as connection:
        one = members.add(connection, NOW, "101a")
    terms = IntakeTerms(given=GIVEN, hold=True, numbers_decide=True)
    done = take_in(ledger, incoming(file), terms, "Eve")
    with ledger.writing() as connection:
        row = receipts.find(connection, done[0].id)
        assert row is not None
        receipts.keep(
            connection,
            [(Receipt("again.xml", "held", draft=row.draft, said=("Z. Quil: 3",)), "d")],
            "w",
        )
        members.erase(connection, one, "Eve")
    with ledger.reading() as connection:
        assert texts_with(connection, "Quil", "Umbrage") == []
    assert verify(ledger).sound


def test_the_reason_of_an_erasure_has_no_name(ledger: Ledger) -> None:
    with ledger.writing() as connection:
        one = members.add(connection, FORMER, "9041")
        members.change(connection, one, name=NOW)
        with pytest.raises(InputError, match="leave out the name"):
            members.erase(connection, one, "Eve", "Quillfeather, Zebediah asked for it")
        with pytest.raises(InputError, match="leave out the name"):
            members.erase(connection, one, "Eve", "9041 asked for it")


def test_what_the_chain_has_for_good_is_told(ledger: Ledger) -> None:
    post(ledger, event(f"{FORMER} Memorial"), "w")
    with ledger.writing() as connection:
        one = members.add(connection, FORMER, "9041")
        members.change(connection, one, name=NOW)
        assert members.left_for_good(connection, [one]) == [f"record 1: {FORMER} Memorial"]
        other = members.add(connection, "Some Body", "77")
        assert members.left_for_good(connection, [other]) == []


def test_a_number_beside_a_former_name_is_no_contradiction(ledger: Ledger) -> None:
    with ledger.writing() as connection:
        one = members.add(connection, "Ann 1", "101a")
        members.change(connection, one, name=NOW)
    assert post(ledger, event(), "w").status == POSTED


def test_a_copy_for_others_has_nothing_of_who_opted_out(ledger: Ledger, tmp_path: Path) -> None:
    with ledger.writing() as connection:
        one = members.add(connection, FORMER, "Z9041", opted_out=True)
        members.change(connection, one, name=NOW, number="Z9042")
        twin = members.add(connection, "Z. Umbrage", "Z9043")
        members.merge(connection, twin, one, "w")
        members.add(connection, "Open Person", "7")
        receipts.keep(connection, [(Receipt("a.xml", "refused", said=(f"{NOW}?",)), "d")], "w")
    for form in ("csv", "json"):
        export(ledger, tmp_path / form, form, public=True)
        copy = "".join(file.read_text() for file in (tmp_path / form).iterdir())
        assert "Open Person" in copy
        for word in ("Quillfeather", "Umbrage", "umbrage", "Z9041", "Z9042", "Z9043"):
            assert word not in copy
