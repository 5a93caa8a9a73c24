"""From ranking lists to awards: strata, lines, what is combined, what is refused."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from honours.engine.event_awards import award_event
from honours.engine.known_facts import GIVEN
from honours.engine.rulebook import Rulebook
from honours.errors import InputError
from honours.model import Entrant, Field, Player, Standing
from honours.rulebooks import load
from tests.engine.books import write_book

TOML = """
[lists]
lines = "LINES"
strata = "STRATA"
combine = "COMBINE"
strata_clause = "§7"
[inputs.entrants]
about = "entrants"
type = "count"
[inputs.stratum_kind]
about = "which"
type = "word"
words = ["none", "top", "lower"]
first = "none"
[inputs.holding]
about = "a player's holding"
per = "player"
[parameters]
whole = { value = 1, clause = "§1" }
bonus = { value = 10, clause = "§2" }
"""
RULES = '''
@rule("§1")
def places(entrants):
    """All."""
    return entrants

@rule("§1", per="place")
def worth(entrants, place):
    """One for each beaten and oneself."""
    return entrants + 1 - place

@rule("§2", when={"stratum_kind": "top"})
def extra(bonus):
    """The top list's bonus."""
    return bonus

@rule("§2", when={"stratum_kind": ("none", "lower")}, defines="extra")
def no_extra():
    """No bonus."""
    return 0

@rule("§1", per="entrant", rounds=nearest("whole"))
def award(covered_worth, tied, extra, mean_of_holding):
    """Shared, with the bonus and the mean holding."""
    return covered_worth / tied + extra + mean_of_holding * 0
'''


def book(
    folder: Path, lines: str = "each", strata: str = "each", combine: str = "best"
) -> Rulebook:
    toml = TOML.replace("LINES", lines).replace("STRATA", strata).replace("COMBINE", combine)
    return write_book(folder / f"{lines}_{strata}_{combine}", toml, RULES)


def standing(entrant: str, place: int, tied: int = 1, **facts: Any) -> Standing:
    player = Player(f"player {entrant}", facts={"holding": Fraction(100)})
    return Standing(Entrant(entrant, (player,)), place, tied, facts=facts)


def stratified() -> Field:
    order = [("1", "A"), ("2", "B"), ("3", "A"), ("4", "C"), ("5", "B")]
    return Field({}, tuple(standing(e, i, stratum=s) for i, (e, s) in enumerate(order, 1)))


def test_each_stratum_is_a_field_of_those_eligible_in_it(tmp_path: Path) -> None:
    event = award_event(book(tmp_path), [stratified()], {})
    assert [a.field.stratum for a in event.lists] == ["A", "B", "C"]
    assert [[s.entrant.id for s in a.field.standings] for a in event.lists] == [
        ["1", "2", "3", "4", "5"],
        ["2", "4", "5"],
        ["4"],
    ]
    assert [[x.shown for x in a.schedule] for a in event.lists] == [
        ["15.00", "14.00", "13.00", "12.00", "11.00"],
        ["3.00", "2.00", "1.00"],
        ["1.00"],
    ]


def test_an_entrant_gets_the_best_or_the_sum(tmp_path: Path) -> None:
    best = award_event(book(tmp_path), [stratified()], {})
    total = award_event(book(tmp_path, combine="sum"), [stratified()], {})
    assert best.amount("4") == 12
    assert total.amount("4") == 12 + 2 + 1


def test_ties_are_kept_within_a_stratum(tmp_path: Path) -> None:
    rows = (
        standing("1", 1, stratum="A"),
        standing("2", 2, 3, stratum="B"),
        standing("3", 2, 3, stratum="A"),
        standing("4", 2, 3, stratum="B"),
    )
    event = award_event(book(tmp_path), [Field({}, rows)], {})
    lower = event.lists[1].field.standings
    assert [(s.place, s.tied) for s in lower] == [(1, 2), (1, 2)]
    assert [x.shown for x in event.lists[1].schedule] == ["2.00", "2.00"]


def test_two_lines_are_two_lists_or_refused(tmp_path: Path) -> None:
    lines = [Field({}, (standing("1", 1),), line="NS"), Field({}, (standing("2", 1),), line="EW")]
    assert [a.field.line for a in award_event(book(tmp_path), lines, {}).lists] == ["NS", "EW"]
    with pytest.raises(InputError, match="two lines"):
        award_event(book(tmp_path, lines="refused"), lines, {})


def test_nobody_and_wrong_facts_are_errors(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="nobody"):
        award_event(book(tmp_path), [Field()], {})
    poor = Player("Ann", facts={"holding": Fraction(-5)})
    field = Field({}, (Standing(Entrant("1", (poor,)), 1),))
    with pytest.raises(InputError, match="Ann: holding=-5: must be at least 0"):
        award_event(book(tmp_path), [field], {})


def test_a_missing_fact_names_the_player(tmp_path: Path) -> None:
    full = Player("Bob", facts={"holding": Fraction(5)})
    field = Field({}, (Standing(Entrant("1", (full, Player("Ann"))), 1),))
    with pytest.raises(InputError, match=r"missing 'holding'.*Ann"):
        award_event(book(tmp_path), [field], {})


def session_rows(session: str, order: str) -> Field:
    holdings = {"1": 3000, "2": 1000, "3": 500, "4": 1500}
    standings = tuple(
        Standing(Entrant(e, (Player("a", facts={"masterpoints": Fraction(holdings[e])}),) * 2), i)
        for i, e in enumerate(order, 1)
    )
    return Field({}, standings, session=session)


def test_session_awards_come_from_the_strength_of_the_whole_event() -> None:
    sof = load("acbl-sof-2011")
    lists = [session_rows("", "1234"), session_rows("1", "43")]
    event = award_event(sof, lists, {"kind": "pairs", "sessions": 2, "class": "regional"})
    overall, session = event.lists
    assert overall.quantities["average_masterpoints"] == "1500"
    assert session.field.facts["average_masterpoints"] == 1500
    assert session.field.facts["comparison"] == "session"
    assert (overall.field.session, session.field.session) == ("", "1")
    assert session.quantities["counted_tables"] == "1"
    best = max(
        overall.schedule[3].amount if len(overall.schedule) > 3 else 0, session.schedule[0].amount
    )
    assert event.amount("4") == best > 0


def test_no_fewer_entrants_than_are_listed_and_no_more_than_the_rulebook_takes() -> None:
    pairs = load("sbu-clubs-2016")
    rows = Field({}, tuple(standing(str(i), i) for i in range(1, 9)))
    given = {"kind": "pairs", "winners": "1"}
    with pytest.raises(InputError, match="entrants=5: the list has 8"):
        award_event(pairs, [rows], {**given, "entrants": "5"})
    crowd = Field({}, tuple(standing(str(i), i) for i in range(1, 40_002)))
    with pytest.raises(InputError, match="entrants=40001: must be at most 40000"):
        award_event(pairs, [crowd], given)


def test_what_was_given_beside_a_list_and_plays_no_part_is_told() -> None:
    rows = Field({}, tuple(standing(str(i), i) for i in range(1, 9)))
    event = award_event(
        load("sbu-clubs-2016"), [rows], {"kind": "pairs", "winners": "1", "toe": "9"}
    )
    assert [n.text for n in event.notices] == ["not used for these awards: toe=9"]


def test_a_list_is_told_how_large_the_event_was_and_which_stratum_is_the_top(
    tmp_path: Path,
) -> None:
    toml = (
        TOML.replace("LINES", "each").replace("STRATA", "each").replace("COMBINE", "best")
        + """
[inputs.all_lines]
about = "in all lines together"
first = 0
[inputs.line]
about = "line"
type = "word"
words = ["NS", "EW"]
first = "NS"
[inputs.in_top_stratum]
about = "whether in the top stratum"
per = "entrant"
first = 0
"""
    )
    made = write_book(tmp_path / "whole", toml, RULES)
    ns, ew = Field({}, stratified().standings, line="NS"), Field({}, (standing("9", 1),), line="XX")
    event = award_event(made, [ns, ew], {})
    assert [a.field.facts.get("all_lines") for a in event.lists] == [6, 6, 6, 6]
    assert [a.field.facts.get("line") for a in event.lists] == ["NS", "NS", "NS", None]
    assert [a.field.facts["stratum_kind"] for a in event.lists] == ["top", "lower", "lower", "none"]
    assert [s.facts["in_top_stratum"] for s in event.lists[0].field.standings] == [1, 0, 1, 0, 0]
    assert "holding" in event.lists[0].field.standings[0].entrant.players[0].facts
    assert event.amount("nobody") == 0


def test_only_what_a_rulebook_asks_for_reaches_it(tmp_path: Path) -> None:
    player = Player("Ann", facts={"holding": Fraction(5), "shoe": Fraction(40)})
    unnamed = Player("", facts={"holding": Fraction(-5)})
    row = Standing(Entrant("7", (player,)), 1, facts={"colour": "red"})
    event = award_event(book(tmp_path), [Field({"weather": "fine"}, (row,))], {})
    [kept] = event.lists[0].field.standings
    assert kept.facts == {}
    assert kept.entrant.players[0].facts == {"holding": 5}
    assert event.lists[0].field.facts == {"entrants": 1, "stratum_kind": "none"}
    wrong = Field({}, (Standing(Entrant("7", (unnamed,), "Seven"), 1),))
    with pytest.raises(InputError, match=r"^Seven: holding=-5: must be at least 0$"):
        award_event(book(tmp_path), [wrong], {})


@pytest.mark.parametrize(
    ("lists", "given", "message"),
    [
        ([Field()], {}, "no standings: there is nobody to award"),
        (
            [stratified()],
            {"entrants": 5},
            "entrants differs from list to list, and this event has 3 of them: leave it out, each "
            "list tells its own",
        ),
        (
            [Field({}, (standing("1", 1, stratum="A"), standing("2", 2, stratum="B")))],
            {"entrants": 2, "places": 1},
            "entrants, places differs from list to list, and this event has 2 of them: "
            "leave it out, "
            "each list tells its own",
        ),
    ],
)
def test_what_cannot_be_awarded_says_why(
    tmp_path: Path, lists: list[Field], given: dict[str, object], message: str
) -> None:
    with pytest.raises(InputError) as error:
        award_event(book(tmp_path), lists, given)
    assert str(error.value) == message


def test_a_list_of_nobody_awards_nobody(tmp_path: Path) -> None:
    lists = [Field({}, (standing("1", 1),), line="NS"), Field({}, (), line="EW")]
    event = award_event(book(tmp_path), lists, {})
    assert [len(a.schedule) for a in event.lists] == [1, 0]


@pytest.mark.parametrize("strata", ["each", "one", "refused"])
def test_a_list_without_strata_is_awarded_as_it_is(tmp_path: Path, strata: str) -> None:
    rows = (standing("1", 1), standing("2", 2))
    lists = [Field({}, rows), Field({}, rows, stratum="B")]
    event = award_event(book(tmp_path, strata=strata), lists, {})
    assert [a.field.stratum for a in event.lists] == ["", "B"]
    assert event.notices == ()


def test_a_list_is_paid_by_its_own_value_before_the_one_for_all(tmp_path: Path) -> None:
    lists = [
        Field({}, (standing("1", 1), standing("2", 2)), "NS"),
        Field({}, (standing("3", 1), standing("4", 2)), "EW"),
    ]
    awards = award_event(book(tmp_path), lists, {"stratum_kind": "lower", "stratum_kind.EW": "top"})
    assert [[x.shown for x in a.schedule] for a in awards.lists] == [
        ["2.00", "1.00"],
        ["12.00", "11.00"],
    ]
    assert {a.field.sources["stratum_kind"].source for a in awards.lists} == {GIVEN}


def test_a_stratum_is_paid_by_its_own_value_before_the_one_for_all(tmp_path: Path) -> None:
    given = {"stratum_kind": "lower", "stratum_kind.C": "top"}
    awards = award_event(book(tmp_path), [stratified()], given)
    assert [a.field.facts["stratum_kind"] for a in awards.lists] == ["lower", "lower", "top"]


def test_refusals_of_lists_name_the_rulebook(tmp_path: Path) -> None:
    lines = [Field({}, (standing("1", 1),), line="NS"), Field({}, (standing("2", 1),), line="EW")]
    refuses = book(tmp_path, lines="refused", strata="refused")
    for lists, message in (
        (lines, "refused-refused-best awards one ranking list; this event has two lines"),
        ([stratified()], "refused-refused-best does not speak of strata; leave the column out"),
    ):
        with pytest.raises(InputError) as error:
            award_event(refuses, lists, {})
        assert str(error.value) == message
    notice = award_event(book(tmp_path, strata="one"), [stratified()], {}).notices[0]
    assert notice.text == "strata are not used: the whole field's ranking counts"
    assert notice.citation.clause == "§7"


def test_a_session_list_takes_the_event_from_the_overall_one() -> None:
    with pytest.raises(InputError) as error:
        award_event(load("acbl-sof-2011"), [session_rows("1", "43")], {"kind": "pairs"})
    assert str(error.value) == (
        "acbl-sof-2011 awards sessions by the strength of the whole event: the standings need the "
        "overall list too (rows without a session)"
    )
    lists = [session_rows("", "1234"), session_rows("1", "43")]
    given = {"kind": "pairs", "sessions": 2, "class": "regional", "entrants": 4}
    event = award_event(load("acbl-sof-2011"), lists, given)
    assert [a.field.facts["entrants"] for a in event.lists] == [4, 2]
    assert event.lists[1].field.facts["class_"] == "regional"


def test_the_best_of_lists_may_be_a_loss(tmp_path: Path) -> None:
    loses = RULES.replace("return covered_worth / tied + extra", "return covered_worth / tied - 9")
    toml = TOML.replace("LINES", "each").replace("STRATA", "each").replace("COMBINE", "best")
    made = write_book(tmp_path / "loses", toml, loses)
    assert award_event(made, [stratified()], {}).amount("5") == -8
