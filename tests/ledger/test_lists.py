"""Tables a secretary asks for, held against statements and histories of the same ledger."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from honours.engine.ranks import Rank
from honours.errors import InputError
from honours.formats.members import ListedMember
from honours.ledger import kinds, members, ranks
from honours.ledger.balances import ends
from honours.ledger.enrol import enrol
from honours.ledger.kinds import scheme_of
from honours.ledger.list_files import write_list
from honours.ledger.list_tables import points, points_of, promoted, roll, totals
from honours.ledger.lists import ListQuery
from honours.ledger.post import POSTED, post, reverse
from honours.ledger.statement import statement
from honours.ledger.store import Ledger
from honours.ledger.year_report import statement_pdf, year_of, year_pdf
from honours.model import Citation
from honours.reports.drawing import draw_csv, rows_data
from tests.ledger.material import BOOK, event
from tests.ledger.tables import fill_as_before

YEAR = ListQuery(BOOK.body, "2017-01-01", "2017-12-31")
EVERYBODY = ListQuery(BOOK.body)
STEPS = tuple(
    Rank(name, {"total": Fraction(least)}, Citation("a test"))
    for name, least in (("First", 12), ("Second", 24), ("Third", 40))
)


@pytest.fixture
def filled(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> Ledger:
    fill_as_before(ledger, _have_two_years)
    monkeypatch.setattr("honours.ledger.ranks.ladder", lambda _scheme, _folders: STEPS)
    return ledger


def _have_two_years(ledger: Ledger) -> None:
    """Nights of two years, one taken back, one of another club, a merger, a balance."""
    rows = [ListedMember(1, "101a", "Ann 1", {}, (("local", Fraction(500)),))]
    enrol(ledger, rows, "roll.csv", "w", BOOK, day="2017-03-01")
    for nth, order in enumerate(([1, 2, 3, 4, 5, 6], [2, 1, 3, 4, 5, 6], [3, 2, 1, 4, 5, 6]), 1):
        post(ledger, event(f"Night {nth}", f"2017-0{nth}-10", order), "w")
    void = post(ledger, event("Void", "2017-05-01", [6, 5, 4, 3, 2, 1]), "w")
    reverse(ledger, void.record or 0, "w", "void")
    post(ledger, event("Earlier", "2016-05-01", [4, 5, 6, 1, 2, 3]), "w")
    red = event("Red", "2017-06-01", [5, 1, 2, 3, 4, 6], points="national")
    assert post(ledger, red, "w", overrule="a test").status == POSTED
    with ledger.writing() as connection:
        one, other = (members.find(connection, number).id for number in ("103a", "103b"))
        members.merge(connection, one, other, "w")


def test_points_of_a_period_are_what_statements_say(filled: Ledger) -> None:
    with filled.reading() as connection:
        lines = list(points_of(connection, YEAR))
        for line in lines:
            own = statement(connection, line.member)
            earned = sum(
                (
                    Fraction(p.amount, 10**p.kind.decimals)
                    for p in own.lines
                    if p.day.startswith("2017") and p.action != "opening"
                ),
                Fraction(0),
            )
            assert line.total == earned == sum(line.points.values())
    assert [line.place for line in lines] == sorted(line.place for line in lines)
    assert {line.member.number for line in lines}.isdisjoint({"103a", "106a", "104a"})


def test_only_the_best_results_count_and_ties_are_not_parted(filled: Ledger) -> None:
    asked = ListQuery(BOOK.body, "2017-01-01", "2017-12-31", ("local",), best=1, places=3)
    with filled.reading() as connection:
        lines = list(points_of(connection, asked))
        [table] = points(connection, asked).tables
    best = {line.member.number: line for line in lines}
    assert best["101a"].total == 12
    assert (best["101a"].events, best["101a"].counted) == (2, 1)
    assert best["103b"].total == 24  # two players of a pair, of whom it turned out to be one
    assert {line.verdict for line in lines if line.total == 12} == {"tied for the last place"}
    assert "verdict" in draw_csv(table).splitlines()[0]


def test_a_club_and_a_period_are_respected(filled: Ledger) -> None:
    with filled.reading() as connection:
        none = ListQuery(BOOK.body, "2017-01-01", "2017-12-31", club="Another")
        assert list(points_of(connection, none)) == []
        assert points(connection, none).table().rows == ()
        same = ListQuery(BOOK.body, "2017-01-01", "2017-12-31", club="CLUB")
        assert list(points_of(connection, same)) == list(points_of(connection, YEAR))
        with pytest.raises(InputError, match="begins on 2017-12-31 and ends on 2017-01-01"):
            list(points_of(connection, ListQuery(BOOK.body, "2017-12-31", "2017-01-01")))


def test_promotions_are_those_of_everybodys_history(filled: Ledger) -> None:
    with filled.reading() as connection:
        listed = promoted(connection, ListQuery(BOOK.body, "2016-01-01", "2017-12-31"))
        own = {
            (member.id, one.rank, one.record)
            for member in members.everyone(connection)
            if member.id not in ends(connection)
            for one in ranks.history(connection, member.id, BOOK.body, STEPS)
            if one.title != "Opening balances"
        }
        assert {(one.member.id, one.rank, one.record) for one in listed} == own
        only = promoted(connection, ListQuery(BOOK.body, "2017-02-01", "2017-02-28"))
        assert {one.day for one in only} == {"2017-02-10"}
        assert all(one.member.number for one in only)


def test_the_roll_has_everybody_once_however_it_is_cut(
    filled: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("honours.ledger.ranks._PART", 4)
    with filled.reading() as connection:
        part = roll(connection, replace(EVERYBODY, limit=1000))
        [whole], behind = part.tables, part.behind
        parts = list(roll(connection, EVERYBODY).tables)
        held = {r.member.number: sum(r.points.values()) for r in _rungs(connection)}
    assert behind == 0
    rows = [row for part in parts for row in rows_data(part)]
    assert sorted(row["number"] for row in rows) == sorted(r["number"] for r in rows_data(whole))
    assert {row["number"]: Fraction(row["total"]) for row in rows} == held
    assert next(row for row in rows if row["number"] == "101a")["rank"] == "Third"


def test_the_roll_has_no_column_of_points_that_nobody_has_except_in_files(filled: Ledger) -> None:
    with filled.reading() as connection:
        [shown] = roll(connection, EVERYBODY).tables
        [data] = roll(connection, replace(EVERYBODY, for_programs=True)).tables
        every = [kind.name for kind in kinds.all_kinds(connection, BOOK.body)]
        held = [kind.name for kind in kinds.held_kinds(connection, BOOK.body)]
    assert "qualification" in every
    assert "qualification" not in held
    assert [c.key for c in data.columns if c.key in every] == every
    assert [c.key for c in shown.columns if c.key in every] == held
    assert [row[-4:] for row in shown.rows] == [row[-4:] for row in data.rows]


def test_points_of_another_body_are_none_of_a_schemes(filled: Ledger) -> None:
    with filled.writing() as connection:
        kinds.add(connection, "Another body", "local", "black", 2)
        known = kinds.by_id(connection, BOOK.body).values()
        assert {kind.scheme for kind in known} == {BOOK.body}
        assert len(kinds.by_id(connection)) == len(known) + 1


def _rungs(connection: object) -> list[ranks.Rung]:
    return ranks.listed(connection, BOOK.body, STEPS)  # type: ignore[arg-type]


@pytest.mark.parametrize("form", ["csv", "parquet", "json"])
def test_a_list_is_a_file_of_the_kind_its_name_says(
    filled: Ledger, tmp_path: Path, form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("honours.ledger.ranks._PART", 5)
    file = tmp_path / f"roll.{form}"
    with filled.reading() as connection:
        count = write_list(roll(connection, EVERYBODY).tables, file)
    if form == "csv":
        numbers = [
            row["number"] for row in csv.DictReader(file.read_text(encoding="utf-8").splitlines())
        ]
    elif form == "parquet":
        numbers = pq.read_table(file).column("number").to_pylist()
    else:
        numbers = [row["number"] for row in json.loads(file.read_text(encoding="utf-8"))]
    assert len(numbers) == len(set(numbers)) == count == 11
    with filled.reading() as connection, pytest.raises(InputError, match="ends in one of"):
        write_list(roll(connection, EVERYBODY).tables, tmp_path / "roll.xyz")


def test_the_report_of_a_year(filled: Ledger) -> None:
    with filled.reading() as connection:
        assert scheme_of(connection) == BOOK.body
        told = list(rows_data(totals(connection, YEAR).table()))
        assert [(row["club"], row["kind"], row["events"]) for row in told] == [
            ("Club", "local", 3),
            ("Club", "national", 1),
            ("all", "", 4),
        ]
        # Two players each of the first (12 points) and the second pair (6), four times.
        assert told[-1]["points"] == str(4 * 2 * (12 + 6))
        report = year_of(connection, YEAR)
        assert year_pdf(report, "The year 2017").startswith(b"%PDF-")
        member = members.find(connection, "101a")
        assert statement_pdf(connection, member, "2017-01-01").startswith(b"%PDF-")
        assert report.checkpoint.count(":") == 2


def test_who_opted_out_keeps_a_place_and_no_name(filled: Ledger) -> None:
    with filled.writing() as connection:
        members.change(connection, members.find(connection, "101a").id, opted_out=True)
    with filled.reading() as connection:
        everybody, public = (
            list(rows_data(points(connection, replace(YEAR, public=p)).table()))
            for p in (False, True)
        )
    hidden = next(row for row in everybody if row["number"] == "101a")
    assert [row for row in everybody if row != hidden] == public
