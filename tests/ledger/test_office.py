"""A federation's office: what it decides about returns, what clubs are told, how a year ends."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from honours.cli import cli
from honours.errors import InputError
from honours.ledger import members, office, receipts, release, submissions, years
from honours.ledger.balances import summed
from honours.ledger.checkpoint import line_of
from honours.ledger.intake import IntakeTerms, take_in
from honours.ledger.list_tables import points_of, rungs_on
from honours.ledger.lists import LISTS, ListQuery
from honours.ledger.post import post, reverse
from honours.ledger.ranks import Promotion
from honours.ledger.store import Ledger
from honours.ledger.verify import verify
from honours.ledger.year_report import certificates, year_of
from honours.model.member import Member
from tests.ledger.material import BOOK, event
from tests.ledger.test_intake import returned, taken, unreadable


def held(ledger: Ledger, club: Ledger, tmp_path: Path) -> int:
    """The receipt of a return that says 120 where the rulebook gives 12."""
    file = returned(club, tmp_path)
    text = file.read_text(encoding="utf-8")
    wrong = text.replace("<MASTER_POINTS_AWARDED>12<", "<MASTER_POINTS_AWARDED>120<", 1)
    file.write_text(wrong, encoding="utf-8")
    one, _ = taken(ledger, file)
    assert one.status == "held"
    return one.id


def balance(ledger: Ledger, number: str) -> int:
    with ledger.reading() as connection:
        who = members.find(connection, number).id
        return sum(units for (member, _), units in summed(connection).items() if member == who)


@pytest.mark.parametrize(("decision", "points"), [("ours", 12), ("theirs", 120)])
def test_whose_points_stand_is_decided(
    decision: str, points: int, ledger: Ledger, club: Ledger, tmp_path: Path
) -> None:
    """Of both nights Ann 1 has 12 and 0; a correction takes what was added with it."""
    number = held(ledger, club, tmp_path)
    [done] = office.decide(ledger, [number], decision, "Eve", "they counted", [])
    assert (done.status, done.said) == ("posted", "")
    assert balance(ledger, "101a") == points
    assert verify(ledger).sound
    earned = ListQuery(BOOK.body, "2017-01-01", "2017-12-31")
    with ledger.reading() as connection:
        most = {line.member.number: line.total for line in points_of(connection, earned)}
        assert most["101a"] == points
        assert office.held(connection) == []
    assert done.record is not None
    reverse(ledger, done.record, "Eve", "void")
    assert balance(ledger, "101a") == 0
    assert verify(ledger).sound
    [again] = office.decide(ledger, [number], "ours", "Eve")
    assert again.status == "refused"


def test_a_club_is_asked_and_told_what_to_mend(
    ledger: Ledger, club: Ledger, tmp_path: Path
) -> None:
    number = held(ledger, club, tmp_path)
    broken = unreadable("cut.csv", "cut.csv, line 7: found nothing; expected a place")
    take_in(ledger, [broken], IntakeTerms(club="Club"), "Eve")
    office.decide(ledger, [number], "ask", "Eve")
    with ledger.reading() as connection:
        one = receipts.find(connection, number)
        assert one is not None
        assert one.asked
        assert "120.00 in the return" in one.said[0]
        [(to, letter)] = office.letters(office.to_mend(connection, "club"))
        period = {"since": ["2017-01-01"], "until": ["2999-01-01"]}
        asked = LISTS["replies"].query(BOOK.body, period)
        [table] = LISTS["replies"].make(connection, asked).tables
    assert to == "Club"
    assert "120.00 in the return" in letter
    assert "cut.csv, line 7" in letter
    assert [row[6].value for row in table.rows] == ["held", "refused"]
    assert office.decide(ledger, [number], "ours", "Eve")[0].status == "posted"
    with ledger.reading() as connection:
        assert [one.source for one in office.to_mend(connection)] == ["cut.csv"]


def test_theirs_needs_a_reason(file_ledger: Ledger) -> None:
    with pytest.raises(InputError, match="reason"):
        office.decide(file_ledger, [1], "theirs", "Eve")


def earned_in(ledger: Ledger, year: int) -> int:
    with ledger.reading() as connection:
        asked = ListQuery(BOOK.body, f"{year}-01-01", f"{year}-12-31")
        return int(sum(line.total for line in points_of(connection, asked)))


def test_what_is_late_counts_in_the_next_year(ledger: Ledger) -> None:
    first = post(ledger, event(), "Eve")
    whole = earned_in(ledger, 2017)
    with ledger.writing(by="Eve") as connection:
        years.close(connection, "2017-12-31", "Eve")
    late = post(ledger, event("Late", "2017-02-01", [6, 5, 4, 3, 2, 1]), "Eve")
    assert any("2018-01-01" in remark for remark in late.remarks)
    assert (earned_in(ledger, 2017), earned_in(ledger, 2018)) == (whole, whole)
    assert first.record is not None
    reverse(ledger, first.record, "Eve", "void")
    assert (earned_in(ledger, 2017), earned_in(ledger, 2018)) == (whole, 0)
    with ledger.writing(by="Eve") as connection:
        for again in ("2016-12-31", "2017-12-31"):
            with pytest.raises(InputError, match="closed already"):
                years.close(connection, again, "Eve")
        with pytest.raises(InputError, match="reason"):
            years.reopen(connection, "Eve", "")
        years.reopen(connection, "Eve", "the Open was never sent in")
    post(ledger, event("Open", "2017-03-01", [3, 2, 1, 4, 5, 6]), "Eve")
    assert (earned_in(ledger, 2017), earned_in(ledger, 2018)) == (2 * whole, 0)
    assert verify(ledger).sound


def test_a_closing_and_its_reopening_are_both_listed(file_ledger: Ledger) -> None:
    with file_ledger.writing() as connection:
        years.close(connection, "2016-12-31", "Eve")
        years.close(connection, "2017-12-31", "Eve")
        years.reopen(connection, "Eve", "the Open was never sent in")
    listed = CliRunner().invoke(cli, ["ledger", "years", "list", "--ledger", file_ledger.where])
    assert [line.split(", ")[0] for line in listed.output.splitlines()] == [
        "closed up to 2016-12-31",
        "closed up to 2017-12-31",
        "reopened up to 2017-12-31",
    ]


@pytest.mark.parametrize("name", ["roll", "ranks"])
def test_a_list_as_of_a_day_can_be_cited(ledger: Ledger, name: str) -> None:
    post(ledger, event(), "Eve")
    post(ledger, event("Late", "2017-02-01", [6, 5, 4, 3, 2, 1]), "Eve")
    with ledger.reading() as connection:
        asked = LISTS[name].query(BOOK.body, {"on": ["2017-01-31"]})
        [roll] = LISTS[name].make(connection, asked).tables
        assert len(roll.rows) == len(list(rungs_on(connection, BOOK.body, (), "2017-01-31")))
        assert line_of(connection) in str(roll.caption)
    assert {row[1].value for row in roll.rows[:2]} == {"Ann 1", "Bob 1"}


def test_the_honours_board_has_the_first_three(ledger: Ledger) -> None:
    post(ledger, event(), "Eve")
    with ledger.reading() as connection:
        asked = LISTS["board"].query(BOOK.body, {"since": ["2017-01-01"], "until": ["2017-12-31"]})
        [board] = LISTS["board"].make(connection, asked).tables
    assert [row[1].value for row in board.rows] == [1, 1, 3, 3] * 2


def test_what_a_member_misses_is_told_with_since_when_and_why(ledger: Ledger) -> None:
    post(ledger, event(), "Eve")
    made = submissions.submit(ledger, "2017-01-01", "2017-12-31", "Eve")
    release.draft(ledger, event("Late", "2017-02-01", [1, 7, 3, 4, 5, 6]), "Eve")

    def told(whose: str) -> list[tuple[str, str]]:
        with ledger.reading() as connection:
            asked = LISTS["pending"].query(BOOK.body, {"member": [whose]} if whose else {})
            [table] = LISTS["pending"].make(connection, asked).tables
        return [(str(row[2].value), str(row[6].value)) for row in table.rows]

    assert told("101a") == [
        ("Late", "held for review"),
        ("Club night", "in submission 1, not sent"),
    ]
    submissions.mark(ledger, made.id, "rejected", "no club number")
    assert told("102a") == [("Club night", "turned back: no club number")]
    assert len(told("")) == 8
    submissions.submit(ledger, "2017-01-01", "2017-12-31", "Eve")
    submissions.mark(ledger, 2, "sent")
    assert told("102a") == []


def test_who_is_promoted_gets_a_certificate(file_ledger: Ledger) -> None:
    post(file_ledger, event(), "Eve")
    with file_ledger.reading() as connection:
        year = year_of(connection, ListQuery(BOOK.body, "2017-01-01", "2017-12-31"))
    assert [table.name for table in year.tables] == ["totals", "board", "promotions", "points"]
    assert bool(year.promoted) == bool(list(certificates(year)))
    first = Promotion(Member(1, "Ann", "1"), "Club Master", 1, "Night", "2017-01-14")
    several = list(certificates(replace(year, promoted=(first,) * 101)))
    assert [made[:5] for made in several] == [b"%PDF-"] * 2
