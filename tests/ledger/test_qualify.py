"""Who qualifies: a register of its own for each invitational, and what the ledger holds."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from honours.errors import FileProblem, UnknownName
from honours.ledger import members
from honours.ledger.events import EventToPost
from honours.ledger.list_tables import QUALIFIES, TIED
from honours.ledger.post import FORBIDDEN, post, reverse
from honours.ledger.qualify import (
    Qualification,
    Register,
    qualification,
    qualification_answer,
    qualification_data,
    qualification_table,
    read_register,
    register_of_text,
    register_text,
)
from honours.ledger.statement import statement
from honours.ledger.store import Ledger
from honours.model import Entrant, Field, Player, Standing
from honours.rulebooks import load
from tests.support import cases

REGISTER = Register(
    title="Masters",
    since="2025-01-01",
    until="2025-12-31",
    places=2,
    best=2,
    tournaments=(("2025-03-15", "Spring"), ("2025-06-01", "Summer"), ("2025-10-01", "Autumn")),
)


def tournament(title: str, day: str, order: str, rating: str = "7") -> EventToPost:
    """Players by their letters, from first to last, all of one rating."""
    standings = tuple(
        Standing(
            Entrant(name, (Player(f"Player {name}", name, {"rating": Fraction(rating)}),)),
            place,
            1,
            Fraction(10 - place),
        )
        for place, name in enumerate(order, 1)
    )
    book = load("aga-category")
    return EventToPost(
        title, (Field({}, standings),), book, {"section_kind": "open"}, day, "Go", "f"
    )


@pytest.fixture
def year(file_ledger: Ledger) -> Ledger:
    post(file_ledger, tournament("Spring", "2025-03-15", "ABCDEF"), "Eve")
    post(file_ledger, tournament("Summer", "2025-06-01", "BACDEF"), "Eve")
    post(file_ledger, tournament("Autumn", "2025-10-01", "CABDEF"), "Eve")
    post(file_ledger, tournament("Friendly", "2025-11-01", "FEDCBA"), "Eve")
    return file_ledger


def listed(ledger: Ledger, register: Register = REGISTER) -> Qualification:
    with ledger.reading() as connection:
        return qualification(connection, register)


def test_the_best_results_of_the_period_rank_the_players(year: Ledger) -> None:
    qualified = listed(year)
    names = [line.member.name for line in qualified.lines]
    assert names[:3] == ["Player A", "Player B", "Player C"]
    first = qualified.lines[0]
    assert len(first.results) == 3
    assert [result.counts for result in first.results] == [True, True, False]
    assert first.points == sum(r.points for r in first.results if r.counts)


def test_points_that_qualify_are_of_that_kind_and_no_other(file_ledger: Ledger) -> None:
    post(file_ledger, tournament("Spring", "2025-03-15", "ABCDEF"), "Eve")
    autumn = replace(tournament("Autumn", "2025-10-01", "ABDCEF"), kind="local")
    assert post(file_ledger, autumn, "Eve").status == FORBIDDEN
    with file_ledger.reading() as connection:
        held = statement(connection, members.find(connection, "A")).balances
    assert [(kind.name, kind.colour) for kind in held] == [("qualification", "white")]


def test_only_designated_tournaments_count(year: Ledger) -> None:
    [left] = [t for t in listed(year).tournaments if t.left_out]
    assert (left.title, left.left_out) == ("Friendly", "not designated for this list")


def test_who_ties_across_the_cut_line_is_not_parted(file_ledger: Ledger) -> None:
    post(file_ledger, tournament("Spring", "2025-03-15", "ABCDEF"), "Eve")
    post(file_ledger, tournament("Summer", "2025-06-01", "BACDEF"), "Eve")
    one_place = replace(REGISTER, places=1)
    assert [line.verdict for line in listed(file_ledger, one_place).lines[:3]] == [TIED, TIED, ""]
    assert [line.verdict for line in listed(file_ledger).lines[:3]] == [QUALIFIES, QUALIFIES, ""]


def test_a_minimum_category_leaves_weaker_tournaments_out(file_ledger: Ledger) -> None:
    post(file_ledger, tournament("Spring", "2025-03-15", "ABCDEF", "7"), "Eve")
    post(file_ledger, tournament("Summer", "2025-06-01", "BACDEF", "3"), "Eve")
    asked = replace(REGISTER, minimum_category=10)
    qualified = listed(file_ledger, asked)
    spring, summer = qualified.tournaments
    assert (spring.category, spring.left_out) == ("13", "")
    assert summer.left_out == "category 5; this list asks for 10 at least"


def test_each_invitational_has_its_own_register(year: Ledger) -> None:
    friendly = (("2025-11-01", "Friendly"),)
    other = replace(REGISTER, title="Other", places=1, best=0, tournaments=friendly)
    assert listed(year, other).lines[0].member.name == "Player F"


def test_what_was_taken_back_does_not_count_and_what_is_missing_is_told(year: Ledger) -> None:
    reverse(year, 3, "Eve", "void")
    qualified = listed(year)
    assert qualified.not_posted == (("2025-10-01", "Autumn"),)
    assert "Not posted yet: Autumn, 2025-10-01" in qualification_answer(qualified)
    assert qualification_data(qualified)["not_posted"] == [{"day": "2025-10-01", "title": "Autumn"}]


def test_a_register_is_a_file(tmp_path: Path) -> None:
    path = tmp_path / "masters.toml"
    path.write_text(
        'title = "M"\nsince = "2025-01-01"\nuntil = "2025-12-31"\nplaces = 8\nbest = 3\n'
        '[[tournaments]]\ntitle = "Spring"\nday = "2025-03-15"\n',
        encoding="utf-8",
    )
    register = read_register(path)
    assert (register.places, register.best, register.minimum_category) == (8, 3, 0)
    assert register.tournaments == (("2025-03-15", "Spring"),)


def test_a_register_is_written_as_it_is_read() -> None:
    odd = replace(REGISTER, title='The "Open"\\ \u007f, 2025')
    assert register_of_text(register_text(odd), "r") == odd


def test_a_rulebook_that_nobody_knows_makes_no_empty_list(file_ledger: Ledger) -> None:
    with pytest.raises(UnknownName, match="did you mean 'aga-category'"):
        listed(file_ledger, replace(REGISTER, rulebook="aga-categry"))


def test_whoever_opted_out_is_not_named_in_public(year: Ledger) -> None:
    with year.writing() as connection:
        members.change(connection, members.find(connection, "A").id, opted_out=True)
    qualified = listed(year)
    everybody = [(row["place"], row["name"]) for row in qualification_data(qualified)["list"]]
    named = [
        (row["place"], row["name"]) for row in qualification_data(qualified, public=True)["list"]
    ]
    assert named == [line for line in everybody if line[1] != "Player A"]
    assert len(named) == len(everybody) - 1 == len(qualification_table(qualified, public=True).rows)


def test_points_of_a_list_have_as_many_decimals(year: Ledger) -> None:
    points = [row["points"] for row in qualification_data(listed(year))["list"]]
    assert len({len(text.partition(".")[2]) for text in points}) == 1


@cases
def test_a_wrong_register_is_named(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "masters.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(FileProblem, match=message):
        read_register(path)


def verdicts(ledger: Ledger, **said: object) -> dict[str, tuple[int, str]]:
    asked = replace(REGISTER, **said)  # type: ignore[arg-type]
    return {x.member.number: (x.place, str(x.verdict)) for x in listed(ledger, asked).lines}


def test_who_is_not_eligible_has_no_place_and_is_told_why(year: Ledger) -> None:
    post(year, tournament("Old", "2023-05-01", "ABDEFG"), "Eve")
    assert verdicts(year, member_since="2024-12-31")["C"] == (
        0,
        "not eligible: first played on 2025-03-15",
    )
    post(year, tournament("Open", "2025-12-01", "BFGDEH"), "Eve")
    found = verdicts(year, not_at="open")
    assert found["B"] == (0, "not eligible: played open")
    assert [found[who] for who in "AC"] == [(1, str(QUALIFIES)), (2, str(QUALIFIES))]
    assert verdicts(year, games=5)["A"] == (0, "not eligible: 4 games in a year, 5 asked")
    assert verdicts(year, games=4)["A"] == (1, str(QUALIFIES))


def test_the_first_and_the_last_day_of_the_period_count(year: Ledger) -> None:
    days = replace(REGISTER, since="2025-03-15", until="2025-10-01")
    assert listed(year, days).lines == listed(year).lines


def test_who_declines_is_followed_by_the_next_or_by_nobody(year: Ledger) -> None:
    passed_on = verdicts(year, declined="A")
    assert passed_on["A"] == (0, "declined")
    assert [passed_on[who][1] for who in "BC"] == [str(QUALIFIES)] * 2
    vacant = verdicts(year, declined="A", vacant=1)
    assert [vacant[who][1] for who in "BC"] == [str(QUALIFIES), ""]


def test_ties_are_broken_in_the_order_that_is_said(file_ledger: Ledger) -> None:
    post(file_ledger, tournament("Spring", "2025-03-15", "ABCDEF"), "Eve")
    post(file_ledger, tournament("Summer", "2025-06-01", "BACDEF"), "Eve")
    assert verdicts(file_ledger, places=1)["A"] == verdicts(file_ledger, places=1)["B"]
    broken = verdicts(file_ledger, places=1, best=1, ties="tournaments, latest")
    assert [broken[who] for who in "BA"] == [(1, str(QUALIFIES)), (2, "")]
    with pytest.raises(FileProblem, match="ties = 'lot'"):
        register_of_text(register_text(replace(REGISTER, ties="lot")), "x.toml")
