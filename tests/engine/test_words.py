"""Words that rules work out, and rules that words choose."""

from __future__ import annotations

from pathlib import Path

from tests.engine.test_award import RULES, TOML, shown, told, with_rules

HALLS = """
[inputs.kind]
about = "the kind"
type = "word"
words = ["big", "small"]
[inputs.hall]
about = "where it was"
type = "word"
words = ["here", "there"]
[parameters.large]
value = "here"
words = ["here", "there"]
clause = "§1"
"""
BY_HALL = '''
@rule("§1")
def kind(hall: str, large: str) -> str:
    """By the hall."""
    return "big" if hall == large else "small"

@rule("§1", when={"kind": "big"})
def size():
    """One."""
    return 1

@rule("§1", when={"kind": "small"}, defines="size")
def no_size():
    """None."""
    return 0
'''


def test_a_word_worked_out_from_a_word_that_is_missing(tmp_path: Path) -> None:
    toml = TOML + HALLS
    rules = RULES.replace("tied)", "tied, size)") + BY_HALL
    book = with_rules(tmp_path, rules, toml)
    assert told(book, entrants=4).startswith(
        "missing 'kind or hall' (the kind): give e.g. kind=big or hall=here. Keys of made-up:"
    )
    hidden = rules.replace("def kind(", "def sort(").replace('"kind": ', '"sort": ')
    assert told(with_rules(tmp_path / "hidden", hidden, toml), entrants=4).startswith(
        "missing 'hall' (where it was): give e.g. hall=here. Keys of made-up:"
    )
    assert [a[2] for a in shown(book, entrants=4, hall="here")] == ["10.00", "5.00"]


def test_a_word_may_be_read_from_a_table(tmp_path: Path) -> None:
    toml = (
        TOML
        + """
halls = { value = { here = 2, there = 1 }, clause = "§1" }
[inputs.hall]
about = "where it was"
type = "word"
words = ["here", "there"]
"""
    )
    rules = (
        RULES.replace("tied)", "tied, bonus)")
        + """
@rule("§1")
def size(hall: str, halls) -> str:
    return "big" if halls[hall] > 1 else "small"

@rule("§1", when={"size": "big"})
def bonus():
    return 1

@rule("§1", when={"size": "small"}, defines="bonus")
def no_bonus():
    return 0
"""
    )
    rules = rules.replace("return covered_worth / tied", "return covered_worth / tied + bonus")
    book = with_rules(tmp_path, rules, toml)
    assert shown(book, entrants=2, hall="here") == [(1, 1, "11.00")]
    assert shown(book, entrants=2, hall="there") == [(1, 1, "10.00")]


def test_what_is_defined_for_other_words_names_the_words_of_the_case(tmp_path: Path) -> None:
    more = """
[inputs.size]
about = "the size"
type = "word"
words = ["big", "small"]
first = "small"
"""
    rules = (
        RULES.replace("tied)", "tied, first_bonus)")
        + """
@rule("§1", when={"level": "national", "size": "big"})
def first_bonus():
    return 1
"""
    )
    book = with_rules(tmp_path, rules, TOML + more)
    assert told(book, entrants=4) == "made-up has no first bonus for level=club, size=small"
