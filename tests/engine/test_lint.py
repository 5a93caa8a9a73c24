"""The lint, on rulebooks that are each wrong in one way."""

from __future__ import annotations

from pathlib import Path

import pytest

from honours.engine.lint import lint
from honours.errors import RulebookError
from tests.engine.books import write_book

TOML = """
[inputs.pairs]
about = "pairs"
type = "count"
[parameters]
a_pair = { value = 2, clause = "§1" }
unit = { value = "0.01", clause = "§2" }
"""
RULES = '''
@rule("§1")
def places(pairs: Number) -> Number:
    """How many."""
    return pairs

@rule("§1", per="entrant", rounds=nearest("unit"))
def award(places: Number, a_pair: Number) -> Number:
    """How much."""
    return places * a_pair
'''
EXAMPLES = """
[[example]]
name = "one"
ours = "2 × 2"
given = { pairs = 2 }
expect.at = { 1 = "4.00" }
"""


def faults(tmp_path: Path, toml: str = TOML, rules: str = RULES, cases: str = EXAMPLES) -> str:
    return "\n".join(lint(write_book(tmp_path / "made_up", toml, rules, cases)))


def test_a_good_one_has_no_fault(tmp_path: Path) -> None:
    assert faults(tmp_path) == ""


def test_an_uncited_parameter(tmp_path: Path) -> None:
    toml = TOML.replace('value = 2, clause = "§1"', 'value = 2, clause = " "')
    assert "parameter a_pair cites no clause" in faults(tmp_path, toml)


def test_an_uncited_rule(tmp_path: Path) -> None:
    rules = RULES.replace('@rule("§1")', '@rule("")')
    assert "rule places cites no clause" in faults(tmp_path, rules=rules)


def test_an_unused_parameter_and_input(tmp_path: Path) -> None:
    toml = TOML + 'spare = { value = 1, clause = "§3" }\n[inputs.colour]\nabout = "colour"\n'
    found = faults(tmp_path, toml)
    assert "spare is declared and used by no rule" in found
    assert "colour is declared and used by no rule" in found


def test_an_unused_rule(tmp_path: Path) -> None:
    rules = RULES + '\n@rule("§9")\ndef idle(pairs):\n    """Idle."""\n    return pairs\n'
    found = faults(tmp_path, rules=rules)
    assert "rule idle is used by nothing" in found
    assert "no example reaches idle" in found


@pytest.mark.parametrize("number", ["2", "0.5", "-3", "7j"])
def test_a_number_in_the_rules(tmp_path: Path, number: str) -> None:
    rules = RULES.replace("return places * a_pair", f"return places * a_pair * {number}")
    assert "rule award has the number" in faults(tmp_path, rules=rules)


def test_zero_and_one_are_allowed(tmp_path: Path) -> None:
    rules = RULES.replace("return places * a_pair", "return (places + 0) * a_pair * 1")
    assert faults(tmp_path, rules=rules) == ""


def test_a_body_of_more_than_if_and_return(tmp_path: Path) -> None:
    rules = RULES.replace("return places * a_pair", "x = places * a_pair\n    return x")
    assert "rule award has a Assign" in faults(tmp_path, rules=rules)


def test_a_comparison_of_what_was_never_rounded(tmp_path: Path) -> None:
    body = "if places < a_pair:\n        return a_pair\n    return places"
    rules = RULES.replace("return places * a_pair", body)
    assert "compares places, never rounded" in faults(tmp_path, rules=rules)


def test_an_argument_nothing_defines(tmp_path: Path) -> None:
    rules = RULES.replace("def places(pairs: Number)", "def places(pears: Number)")
    assert "asks for pears, which nothing defines" in faults(tmp_path, rules=rules)


def test_a_rule_without_a_word_about_itself(tmp_path: Path) -> None:
    rules = RULES.replace('"""How many."""', "pass")
    assert "rule places says nothing about itself" in faults(tmp_path, rules=rules)


def test_no_award(tmp_path: Path) -> None:
    rules = RULES.replace("def award(", "def prize(")
    assert "no rule defines award" in faults(tmp_path, rules=rules)


def test_a_refusal_no_example_reaches(tmp_path: Path) -> None:
    refusal = '\n@refuses("no", "§1", when={"kind": "b"})\ndef never() -> bool:\n    return True\n'
    toml = TOML + '[inputs.kind]\nabout = "k"\ntype = "word"\nwords = ["a", "b"]\ndefault = "a"\n'
    assert "no example reaches never" in faults(tmp_path, toml, RULES + refusal)


@pytest.mark.parametrize("missing", ["rulebook.toml", "rules.py", "examples.toml", "README.md"])
def test_a_missing_file_is_named(tmp_path: Path, missing: str) -> None:
    from honours.engine.load import load

    write_book(tmp_path / "made_up", TOML, RULES, EXAMPLES)
    (tmp_path / "made_up" / missing).unlink()
    with pytest.raises(RulebookError, match=missing):
        load(tmp_path / "made_up")


def test_a_broken_toml_is_named(tmp_path: Path) -> None:
    with pytest.raises(RulebookError, match=r"made_up/rulebook\.toml"):
        write_book(tmp_path / "made_up", "= nonsense", RULES)


def test_two_rules_for_the_same_words(tmp_path: Path) -> None:
    twice = (
        '\n@rule("§1", defines="places")\ndef again(pairs):\n    """Again."""\n    return pairs\n'
    )
    assert "defined twice" in faults(tmp_path, rules=RULES + twice)
