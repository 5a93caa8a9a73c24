"""People: found, merged, taken apart, opted out, erased, imported."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rapidfuzz.process import extract
from sqlalchemy import Connection, select

from honours.errors import FileProblem, FileProblems, InputError, LedgerError
from honours.formats import entrants
from honours.ledger import identify, members, receipts
from honours.ledger.chain import NewRecord, append
from honours.ledger.enrol import import_members
from honours.ledger.identify import alike, likely_duplicates
from honours.ledger.post import post, reverse
from honours.ledger.receipts import Receipt
from honours.ledger.schema import people, records
from honours.ledger.statement import statement
from honours.ledger.store import Ledger
from honours.ledger.verify import verify
from honours.model.member import Member
from tests.ledger.material import BOOK, event
from tests.support import cases


def total(ledger: Ledger, who: str) -> int:
    with ledger.reading() as connection:
        own = statement(connection, members.find(connection, who))
    return sum(own.balances.values())


@cases
def test_names_are_looked_for_whatever_their_form(written: str, sought: str) -> None:
    assert entrants.sought(written) == sought


def test_merging_and_taking_apart(ledger: Ledger) -> None:
    post(ledger, event(), "Eve")
    with ledger.writing() as connection:
        a, b = members.find(connection, "101a").id, members.find(connection, "102a").id
        members.merge(connection, a, b, "Eve", "twice")
    assert total(ledger, "102a") == total(ledger, "101a") == 18
    with ledger.writing() as connection:
        with pytest.raises(InputError, match="already one member"):
            members.merge(connection, b, a, "Eve")
        with pytest.raises(InputError, match="already one member"):
            members.merge(connection, a, b, "Eve")
        members.unmerge(connection, a, "Eve", "they are two")
        with pytest.raises(InputError, match="not merged"):
            members.unmerge(connection, a, "Eve")
    assert (total(ledger, "101a"), total(ledger, "102a")) == (12, 6)
    assert verify(ledger).sound


def test_mergers_go_on_to_the_end(ledger: Ledger) -> None:
    post(ledger, event(), "Eve")
    with ledger.writing() as connection:
        a, b, c = (members.find(connection, n).id for n in ("101a", "102a", "101b"))
        members.merge(connection, a, b, "Eve")
        members.merge(connection, b, c, "Eve")
    assert total(ledger, "101a") == 30
    with ledger.writing() as connection:
        with pytest.raises(InputError, match="undo that first"):
            members.merge(connection, a, members.add(connection, "New"), "Eve")
        members.unmerge(connection, b, "Eve")
    assert (total(ledger, "101a"), total(ledger, "101b")) == (18, 12)


def test_a_merged_number_credits_the_one_who_stays(ledger: Ledger) -> None:
    with ledger.writing() as connection:
        members.merge(
            connection,
            members.add(connection, "A", "101a"),
            members.add(connection, "Ann 1", "7"),
            "Eve",
        )
    post(ledger, event(), "Eve")
    assert total(ledger, "7") == 12


def test_an_erased_person_is_nowhere_and_the_sums_stand(ledger: Ledger) -> None:
    post(ledger, event(), "Eve")
    with ledger.writing() as connection:
        gone = members.find(connection, "101a")
        members.erase(connection, gone.id, "Eve", "on request")
    with ledger.reading() as connection:
        with pytest.raises(InputError, match="unknown member"):
            members.find(connection, "101a")
        texts = [
            str(row) for table in (people, records) for row in connection.execute(select(table))
        ]
        assert not any("Ann 1'" in text or re.search(r"\b101a\b", text) for text in texts)
        assert members.find(connection, f"#{gone.id}").title == members.ERASED
    assert total(ledger, f"#{gone.id}") == 12
    assert verify(ledger).sound


def test_erased_bytes_are_gone_from_the_file(file_ledger: Ledger) -> None:
    with file_ledger.writing() as connection:
        member = members.add(connection, "Xanthippe Quorn", "98765432")
    assert b"Xanthippe" in Path(file_ledger.where).read_bytes()
    with file_ledger.writing() as connection:
        members.erase(connection, member, "Eve")
    left = Path(file_ledger.where).read_bytes()
    assert b"Xanthippe" not in left
    assert b"xanthippe" not in left
    assert b"98765432" not in left


def test_visitors_have_no_number(ledger: Ledger) -> None:
    with ledger.writing() as connection:
        visitor = members.add(connection, "Vi Sitor", visitor=True)
        assert members.find(connection, "sitor, vi").id == visitor
        members.change(connection, visitor, number="55")
        assert members.find(connection, "55") == Member(visitor, "Vi Sitor", "55")
        with pytest.raises(InputError, match="already belongs to Vi Sitor"):
            members.add(connection, "Other", "55")
        other = members.add(connection, "Other", "56")
        with pytest.raises(InputError, match="already belongs to Vi Sitor"):
            members.change(connection, other, number="55")
        members.change(connection, other, number="56", opted_out=True)
        members.erase(connection, other, "Eve")
        with pytest.raises(InputError, match=f"#{other} was erased"):
            members.change(connection, other, name="Another")


def test_names_that_stand_for_several(ledger: Ledger) -> None:
    with ledger.writing() as connection:
        members.add(connection, "Ann Reed", "1")
        members.add(connection, "Ann Reed", "2")
        with pytest.raises(InputError, match="may be any of"):
            members.find(connection, "Ann Reed")
        with pytest.raises(InputError, match="did you mean 'Ann Reed'"):
            members.find(connection, "Ann Read")


# --- lists of members -------------------------------------------------------------------------


def write(tmp_path: Path, text: str) -> Path:
    file = tmp_path / "members.csv"
    file.write_text(text, encoding="utf-8")
    return file


def test_importing_twice_changes_nothing_and_changes_are_taken(
    ledger: Ledger, tmp_path: Path
) -> None:
    file = write(tmp_path, "No,Surname,First name,Opted out\n1,Reed,Alma,\n2,Lund,Boris,yes\n")
    done = import_members(ledger, file, "Eve")
    assert (done.added, done.unchanged) == (2, 0)
    assert import_members(ledger, file, "Eve").unchanged == 2
    file = write(tmp_path, "number,name\n1,Alma Reed-Lund\n2,Boris Lund\n")
    assert import_members(ledger, file, "Eve").changed == 1
    with ledger.reading() as connection:
        assert members.find(connection, "2").opted_out, "a list without the column says nothing"


@pytest.mark.parametrize("header", ["opted_out", "Opted out", "opt-out", "unpublished", "private"])
def test_who_opted_out_is_in_a_column_of_several_names(
    file_ledger: Ledger, tmp_path: Path, header: str
) -> None:
    import_members(file_ledger, write(tmp_path, f"name,{header}\nAnn,\nBob,yes\n"), "Eve")
    with file_ledger.reading() as connection:
        assert [m.name for m in members.everyone(connection) if m.opted_out] == ["Bob"]


def test_opening_balances(ledger: Ledger, tmp_path: Path) -> None:
    file = write(tmp_path, "number;name;local;national\n101a;Ann 1;1985;100\n9;Zed;;\n")
    done = import_members(ledger, file, "Eve", BOOK)
    assert done.opening == 1
    post(ledger, event(), "Eve")
    assert total(ledger, "101a") == 1985 + 100 + 12
    assert import_members(ledger, file, "Eve", BOOK).opening is None
    assert total(ledger, "101a") == 1985 + 100 + 12
    assert verify(ledger).sound


def test_the_same_list_with_one_line_more_posts_only_that(ledger: Ledger, tmp_path: Path) -> None:
    head = "number,name,local\n1,Ann,250\n2,Bob,100\n"
    import_members(ledger, write(tmp_path, head), "Eve", BOOK)
    done = import_members(ledger, write(tmp_path, head + "3,Cy,40\n4,Di,0\n"), "Eve", BOOK)
    assert (done.added, done.unchanged) == (2, 2)
    assert [total(ledger, number) for number in "1234"] == [250, 100, 40, 0]
    assert verify(ledger).sound


def test_another_balance_is_a_correction_with_a_reason(ledger: Ledger, tmp_path: Path) -> None:
    import_members(
        ledger, write(tmp_path, "number,name,local\n1,Ann,250\n2,Bob,100\n"), "Eve", BOOK
    )
    changed = write(tmp_path, "number,name,local\n1,Ann,0\n2,Bob,110\n3,Cy,5\n")
    with pytest.raises(InputError, match="line 2, Ann: 0 local, posted 250, line 3, Bob: 110"):
        import_members(ledger, changed, "Eve", BOOK)
    with ledger.reading() as connection:
        assert len(members.everyone(connection)) == 2
    done = import_members(ledger, changed, "Eve", BOOK, why="the office's list", day="2017-01-01")
    assert [total(ledger, number) for number in "123"] == [0, 110, 5]
    with ledger.reading() as connection:
        row = connection.execute(select(records).where(records.c.id == done.opening)).one()
    assert (row.day, row.why, row.title) == (
        "2017-01-01",
        "the office's list",
        "Opening balances corrected",
    )
    assert import_members(ledger, changed, "Eve", BOOK).opening is None
    assert verify(ledger).sound


def test_a_balance_that_was_taken_back_is_posted_again(ledger: Ledger, tmp_path: Path) -> None:
    file = write(tmp_path, "number,name,local\n1,Ann,250\n")
    first = import_members(ledger, file, "Eve", BOOK).opening
    reverse(ledger, int(first or 0), "Eve", "the wrong list")
    assert import_members(ledger, file, "Eve", BOOK, why="again").opening is not None
    assert total(ledger, "1") == 250


def test_an_earlier_number_is_still_theirs(ledger: Ledger, tmp_path: Path) -> None:
    import_members(ledger, write(tmp_path, "number,name\n1,Ann\n"), "Eve")
    with ledger.writing() as connection:
        ann = members.find(connection, "1").id
        members.change(connection, ann, number="7")
    done = import_members(ledger, write(tmp_path, "number,name\n1,Ann\n"), "Eve")
    assert (done.added, done.unchanged) == (0, 1)
    with ledger.reading() as connection:
        assert members.find(connection, "1") == members.find(connection, "7")
        assert members.numbers_of(connection, [ann]) == {ann: ["1"]}
    assert verify(ledger).sound


def test_a_changed_name_is_sealed_with_another_salt(ledger: Ledger) -> None:
    """With the salt from before it could be told whose the old seal is, once it is erased."""
    with ledger.writing() as connection:
        ann = members.add(connection, "Ann")
        salts = [connection.scalar(select(people.c.salt))]
        members.change(connection, ann, name="Ann Ash")
        salts.append(connection.scalar(select(people.c.salt)))
    assert len({*salts}) == 2


def test_a_nul_in_a_name_is_refused(ledger: Ledger) -> None:
    with ledger.writing() as connection, pytest.raises(InputError, match="with a NUL"):
        members.add(connection, "Ann\x00Other")


def test_who_is_merged_with_somebody_that_opted_out_has_opted_out(ledger: Ledger) -> None:
    with ledger.writing() as connection:
        ann = members.add(connection, "Ann", "1", opted_out=True)
        twin = members.add(connection, "Ann again", "2")
        other = members.add(connection, "Bob", "3")
        members.merge(connection, twin, ann, "Eve")
        people = members.get(connection, [ann, twin, other])
        assert [people[i].opted_out for i in (ann, twin, other)] == [True, True, False]
        members.unmerge(connection, twin, "Eve")
        assert not members.get(connection, [twin])[twin].opted_out


def test_likely_duplicates_are_listed(ledger: Ledger) -> None:
    with ledger.writing() as connection:
        for number, name in enumerate(["John Macdonald", "MacDonald John", "Jon Macdonald", "Ann"]):
            members.add(connection, name, str(number))
        pairs = [(a.number, b.number) for a, b in likely_duplicates(connection)]
        assert sorted(pairs) == [("0", "1"), ("0", "2"), ("1", "2")]
        members.merge(connection, 2, 1, "Eve")
        left = [(a.number, b.number) for a, b in likely_duplicates(connection)]
    assert left == [("0", "2")]


@cases
def test_names_that_may_be_of_one_person(one: str, other: str, same: bool) -> None:
    assert alike(one, other) is same


def test_a_dry_run_of_an_import(ledger: Ledger, tmp_path: Path) -> None:
    file = write(tmp_path, "number,name,local\n1,Ann,20\n")
    assert import_members(ledger, file, "Eve", BOOK, dry_run=True).added == 1
    with ledger.reading() as connection:
        assert members.everyone(connection) == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("number,colour\n1,red\n", "no column 'name'"),
        ("number,name\n1,Ann\n1,Bob\n", "number 1 again, first on line 2"),
        ("number,name\n1,\n", "no name"),
        ("number,name,local\n1,Ann,lots\n", "not a number"),
    ],
)
def test_wrong_lists(file_ledger: Ledger, tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises((FileProblem, FileProblems), match=message):
        import_members(file_ledger, write(tmp_path, text), "Eve", BOOK)


def test_balances_finer_than_the_unit(file_ledger: Ledger, tmp_path: Path) -> None:
    with pytest.raises(LedgerError, match="smallest unit"):
        import_members(file_ledger, write(tmp_path, "name,local\nAnn,1.5\n"), "Eve", BOOK)


def test_what_one_database_cannot_keep_is_refused_on_both(ledger: Ledger) -> None:
    """Else a copy of the one would not fit into the other."""
    with ledger.writing() as connection:
        one = members.add(connection, "Ann", "1")
    wrong: list[Callable[[Connection], object]] = [
        lambda connection: members.add(connection, "Be\x00n"),
        lambda connection: members.change(connection, one, number="2\x00"),
        lambda connection: append(connection, NewRecord("opening", "w", title="a\x00b")),
    ]
    for work in wrong:
        with pytest.raises(InputError, match="NUL"), ledger.writing() as connection:
            work(connection)
    with ledger.writing() as connection:
        refused = Receipt("a\x00.xml", "refused", said=("\x00?",))
        [stored] = receipts.keep(connection, [(refused, "d")], "w")
        kept = receipts.find(connection, stored.id)
    assert kept is not None
    assert (kept.source, kept.said) == ("a\ufffd.xml", ("\ufffd?",))
    assert verify(ledger).sound


def test_a_common_first_name_brings_not_everybody_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each name was compared with all that had a part in common: of 50,000 members for minutes."""
    compared: list[int] = []

    def counted(name: str, others: list[str], **how: Any) -> list[Any]:
        compared.append(len(others))
        return list(extract(name, others, **how))

    monkeypatch.setattr("honours.ledger.identify.extract", counted)
    draw, letters = random.Random(7), "abcdefghijklmnopqrstuvwxyz"
    firsts = ["anna", "bernard", "clare", "david", "elspeth"]
    drawn = [f"{draw.choice(firsts)} {''.join(draw.choices(letters, k=7))}" for _ in range(5_000)]
    entrants = dict.fromkeys((*drawn, "anna smithers", "anna smythers"))
    assert dict(identify._similar(entrants))["anna smithers"] == ["anna smythers"]
    assert sum(compared) < 10 * len(entrants)
