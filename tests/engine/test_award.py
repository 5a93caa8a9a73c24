"""A small rulebook run: what it asks for, refuses, tells, and how it says that it is wrong."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from honours.engine.award import award, calculate
from honours.engine.rulebook import Rulebook
from honours.errors import InputError, MissingInput, RulebookError
from honours.model import Field
from tests.engine.books import write_book
from tests.support import cases

TOML = """
[effective]
since = "2020-01-01"
until = "2020-12-31"
newer = "See the next edition."
[inputs.entrants]
about = "entrants"
type = "count"
must_agree = true
[inputs.tables]
about = "tables"
must_agree = true
[inputs.level]
about = "the level"
type = "word"
words = ["club", "national"]
first = "club"
[inputs.fee]
about = "the fee"
[inputs.share]
about = "the share of the places"
[inputs.skill]
about = "a player's skill"
per = "player"
[refuses.too_few]
message = "{entrants} are too few, at least {least} needed"
clause = "§1"
if = "entrants < least"
[refuses.no_fee]
message = "a national event has a fee"
clause = "§3"
when = { level = "national" }
asks = "fee"
[notices.how_many_came]
message = "{entrants} came"
clause = "§1"
if = "entrants > tables + 1 + 1"
[parameters]
a_table = { value = 2, clause = "§1" }
whole = { value = 1, clause = "§1" }
least = { value = 2, clause = "§1" }
top = { value = { club = 10, national = "1/3" }, clause = "§2", quote = "ten" }
"""
RULES = '''
@rule("§1")
def entrants(tables, a_table):
    """Two a table."""
    return tables * a_table

@rule("§1")
def tables(entrants, a_table):
    """Half the entrants."""
    return entrants / a_table

@rule("§1", rounds=down("whole"))
def places(entrants, a_table):
    """Half of them."""
    return entrants / a_table

@rule("§1", per="place")
def worth(place, top, level: str):
    """The top divided by the place."""
    return top[level] / place

@rule("§1", per="entrant")
def award(covered_worth, tied):
    """Shared."""
    return covered_worth / tied
'''


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Rulebook:
    return write_book(tmp_path_factory.mktemp("books") / "made_up", TOML, RULES)


def told(book: Rulebook, ties: str = "", **given: object) -> str:
    with pytest.raises((InputError, RulebookError)) as error:
        calculate(book, given, ties)
    return str(error.value)


def shown(book: Rulebook, ties: str = "", **given: object) -> list[tuple[int, int, str]]:
    [awards] = calculate(book, given, ties)
    return [(a.standing.place, a.standing.tied, a.shown) for a in awards.schedule]


def test_places_are_paid_from_the_first_and_ties_share(book: Rulebook) -> None:
    assert shown(book, entrants=6) == [(1, 1, "10.00"), (2, 1, "5.00"), (3, 1, "3.333333333333")]
    assert shown(book, "1-2", entrants=5) == [(1, 2, "7.50"), (1, 2, "7.50")]


def test_a_tie_at_the_last_paid_place_shares_what_is_paid_with_those_below_it(
    book: Rulebook,
) -> None:
    assert shown(book, "2–3", entrants=4) == [(1, 1, "10.00"), (2, 2, "2.50"), (2, 2, "2.50")]
    assert shown(book, "3-4", entrants=4) == [(1, 1, "10.00"), (2, 1, "5.00")]
    assert shown(book, "1-4", entrants=4) == [(1, 4, "3.75")] * 4


def test_what_does_not_fit_the_field_is_told(book: Rulebook) -> None:
    assert told(book, "4-5", entrants=4) == "a tie down to place 5: there are at most 4 entrants"
    assert told(book, entrants=4, places=5) == "places=5: there are at most 4 entrants"
    assert [a[2] for a in shown(book, entrants=4, places=4)] == [
        "10.00",
        "5.00",
        "3.333333333333",
        "2.50",
    ]


@pytest.mark.parametrize("ties", ["2-1", "1-2,2-3", "x", "1-2-3", "0-1", "3-3"])
def test_ties_are_places_from_to_in_order(book: Rulebook, ties: str) -> None:
    assert told(book, ties, entrants=9) == (
        f"ties={ties}: expected places from–to in order, e.g. 3-4,7-9"
    )


def test_two_inputs_that_say_the_same_agree_or_are_told(book: Rulebook) -> None:
    assert told(book, entrants=7, tables=3) == (
        "entrants=7 does not agree with tables=3, which gives 6"
    )
    assert [a[2] for a in shown(book, entrants=4, tables=2)] == ["10.00", "5.00"]
    assert [a[2] for a in shown(book, tables=2)] == ["10.00", "5.00"]
    assert told(book, tables="2.25") == "entrants=4.5: must be a whole number"


def test_every_input_that_must_agree_is_held_against_the_others(tmp_path: Path) -> None:
    """Whatever stands before it, and however many others it comes from."""
    toml = TOML.replace('the share of the places"', 'the share that came"\nmust_agree = true')
    toml += '[inputs.total]\nabout = "all points"\nmust_agree = true\n'
    rules = RULES.replace(
        'a_table):\n    """Two a table."""\n    return tables',
        "a_table, share):\n    return share * tables",
    )
    rules += """
@rule("§1")
def total(sum_of_worth, entrants):
    return sum_of_worth + entrants
"""
    book = with_rules(tmp_path, rules, toml)
    assert told(book, level="club", share=1, entrants=7, tables=3) == (
        "entrants=7 does not agree with tables=3, share=1, which gives 6"
    )
    assert told(book, entrants=4, total=14) == (
        "total=14 does not agree with entrants=4, which gives 19"
    )
    assert [a[2] for a in shown(book, entrants=4, total=19)] == ["10.00", "5.00"]


def test_what_is_missing_is_asked_for_in_the_words_of_the_rulebook(book: Rulebook) -> None:
    assert told(book) == (
        "missing 'entrants or tables' (entrants). Keys of made-up: entrants, tables, level, fee, "
        "share, skill, places, date"
    )
    assert told(book, entrants=4, level="national") == (
        "missing 'fee' (a national event has a fee). Keys of made-up: entrants, tables, level, "
        "fee, share, skill, places, date"
    )
    with pytest.raises(MissingInput):
        calculate(book, {})


def test_what_plays_no_part_is_told(book: Rulebook) -> None:
    [awards] = calculate(book, {"entrants": 4, "fee": "3.5", "share": 1, "level": "club"})
    assert [(n.text, n.citation.clause) for n in awards.notices] == [
        ("not used for these awards: fee=3.5, share=1", "What was given")
    ]
    [refused] = calculate(book, {"entrants": 1, "fee": "3.5"})
    assert refused.notices == ()


def test_a_refusal_is_an_answer(book: Rulebook) -> None:
    [awards] = calculate(book, {"entrants": 1})
    assert awards.refusal is not None
    assert awards.refusal.reason == "1 are too few, at least 2 needed"
    assert awards.refusal.citation.clause == "§1"
    assert awards.schedule == ()
    assert calculate(book, {"entrants": 0})[0].refusal


def test_a_notice_is_told_with_its_clause(book: Rulebook) -> None:
    [awards] = calculate(book, {"entrants": 6})
    assert [(n.text, n.citation.clause) for n in awards.notices] == [("6 came", "§1")]
    assert calculate(book, {"entrants": 4})[0].notices == ()


@pytest.mark.parametrize(
    ("date", "text"),
    [
        (
            "2019-12-31",
            "the event of 2019-12-31 is outside this edition (1), which begins on 2020-01-01.",
        ),
        ("2020-01-01", None),
        ("2020-12-31", None),
        (
            "2021-01-01",
            "the event of 2021-01-01 is outside this edition (1), which ended on "
            "2020-12-31. See the next edition.",
        ),
    ],
)
def test_an_event_outside_the_edition_is_awarded_and_told(
    book: Rulebook, date: str, text: str | None
) -> None:
    [awards] = calculate(book, {"entrants": 4, "date": date})
    assert awards.schedule
    notices = [(n.text, n.citation.clause) for n in awards.notices]
    assert notices == ([(text, "A test rulebook, 1")] if text else [])


def test_what_an_award_says_of_its_rulebook(book: Rulebook) -> None:
    awards = award(book.amend(whole="1/2"), Field({"entrants": Fraction(5)}))
    assert (awards.rulebook, awards.revision, awards.unit) == ("made-up", 1, "points")
    assert awards.amended == {"whole": "1/2"}
    assert awards.quantities == {"places": "2.5"}
    assert [s.name for s in awards.why] == ["places"]
    assert awards.schedule == ()


# --- rulebooks that are wrong ---------------------------------------------------------------


def with_rules(folder: Path, rules: str, toml: str = TOML) -> Rulebook:
    return write_book(folder / "made_up", toml, rules)


@cases
def test_a_rulebook_that_is_wrong_says_where(
    tmp_path: Path, changed: tuple[str, str], message: str
) -> None:
    rules = RULES.replace(*changed)
    assert rules != RULES
    toml = TOML.replace('[inputs.tables]\nabout = "tables"\nmust_agree = true\n', "")
    assert told(with_rules(tmp_path, rules, toml), entrants=6) == message


def test_rules_that_ask_for_each_other_go_in_a_circle(tmp_path: Path) -> None:
    circle = '\n@rule("§1")\ndef a(b):\n    return b\n\n@rule("§1")\ndef b(a):\n    return a\n'
    rules = RULES.replace("tied)", "tied, a)") + circle
    assert told(with_rules(tmp_path, rules), entrants=4) == "made-up: a → b goes in a circle"


def test_a_sum_needs_the_list_of_players(tmp_path: Path) -> None:
    rules = RULES.replace("tied)", "tied, sum_of_skill)")
    keys = "Keys of made-up: entrants, tables, level, fee, share, skill, places, date"
    book = with_rules(tmp_path, rules)
    assert told(book, entrants=4) == f"missing 'skill' (a player's skill). {keys}"
    assert told(book, entrants=4, skill=3) == (
        f"missing 'the list of entrants with their players'. {keys}"
    )


def test_a_sum_that_may_be_given_is_asked_for_first(tmp_path: Path) -> None:
    toml = TOML + '[inputs.all_skill]\nabout = "all skill"\n'
    more = '\n@rule("§1")\ndef all_skill(sum_of_skill):\n    return sum_of_skill\n'
    rules = RULES.replace("tied)", "tied, all_skill)") + more
    assert told(with_rules(tmp_path, rules, toml), entrants=4, skill=3).startswith(
        "missing 'all_skill or the list of entrants with their players'"
    )


def test_a_notice_is_told_where_its_words_are_said(tmp_path: Path) -> None:
    came = 'message = "{entrants} came"\n'
    toml = TOML.replace(came, f'{came}when = {{ level = "national" }}\n')
    book = with_rules(tmp_path, RULES, toml)
    assert calculate(book, {"entrants": 6})[0].notices == ()
    [notice] = [rule for rule in book.rules if rule.kind == "notice"]
    assert notice.asks == ""
    assert notice.applies(lambda _: "national")
    assert not notice.applies(lambda _: "nation")
