"""The lint, on rulebooks that are each wrong in one way."""

from __future__ import annotations

from pathlib import Path

import pytest

from honours.engine.award import calculate
from honours.engine.rulebook.lint import lint
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
def places(pairs):
    """How many."""
    return pairs

@rule("§1", per="entrant", rounds=nearest("unit"))
def award(places, a_pair):
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


def test_places_need_not_be_asked_for(tmp_path: Path) -> None:
    rules = RULES.replace("places, a_pair", "pairs, a_pair")
    assert faults(tmp_path, rules=rules.replace("return places *", "return pairs *")) == ""


def test_an_uncited_parameter(tmp_path: Path) -> None:
    toml = TOML.replace('value = 2, clause = "§1"', 'value = 2, clause = " "')
    assert "parameter a_pair cites no clause" in faults(tmp_path, toml)


def test_an_unused_parameter_and_input(tmp_path: Path) -> None:
    toml = TOML + 'spare = { value = 1, clause = "§3" }\n[inputs.colour]\nabout = "colour"\n'
    text = faults(tmp_path, toml)
    assert "spare is declared and used by no rule" in text
    assert "colour is declared and used by no rule" in text


@pytest.mark.parametrize("number", ["2", "0.5", "-3", "7j"])
def test_a_number_in_the_rules(tmp_path: Path, number: str) -> None:
    rules = RULES.replace("return places * a_pair", f"return places * a_pair * {number}")
    assert "rule award has the number" in faults(tmp_path, rules=rules)


def test_zero_and_one_are_allowed(tmp_path: Path) -> None:
    rules = RULES.replace("return places * a_pair", "return (places + 0) * a_pair * 1")
    assert faults(tmp_path, rules=rules) == ""


def test_an_argument_nothing_defines(tmp_path: Path) -> None:
    rules = RULES.replace("def places(pairs)", "def places(pears)")
    assert "asks for pears, which nothing defines" in faults(tmp_path, rules=rules)
    rules = RULES.replace("def places(pairs)", "def places(sumof_pairs)")
    message = "asks for sumof_pairs, which nothing defines; did you mean 'sum_of_pairs'?"
    assert message in faults(tmp_path / "2", rules=rules)


def test_a_refusal_no_example_reaches(tmp_path: Path) -> None:
    toml = TOML + '[inputs.kind]\nabout = "k"\ntype = "word"\nwords = ["a", "b"]\nfirst = "a"\n'
    toml += '[refuses.never]\nmessage = "no"\nclause = "§1"\nwhen = { kind = "b" }\n'
    assert "no example reaches never" in faults(tmp_path, toml)


def test_what_starts_and_what_is_rounded_to_must_be_defined(tmp_path: Path) -> None:
    rules = RULES.replace('nearest("unit")', 'rounding("direction", "grain"), starts="begin"')
    text = faults(tmp_path, rules=rules)
    for name in ("direction", "grain", "begin"):
        assert f"rule award asks for {name}, which nothing defines" in text


def test_an_example_that_cannot_be_run(tmp_path: Path) -> None:
    text = faults(tmp_path, cases=EXAMPLES.replace("pairs = 2", "pairs = -2"))
    expected = "made_up/examples.toml, line 3, one: pairs=-2: must be at least 0"
    assert expected in text.splitlines()


def test_lines_and_extras_are_used(tmp_path: Path) -> None:
    toml = (
        TOML
        + """
[inputs.line]
about = "line"
type = "word"
words = ["NS", "EW"]
first = "NS"
[inputs.kind]
about = "kind"
type = "word"
words = ["a", "b"]
first = "b"
[lists]
line_words = ["NS", "EW"]
line_when = { kind = "a" }
[extras]
more = ["extra"]
"""
    )
    extra = '\n@rule("§1")\ndef extra(pairs):\n    """E."""\n    return pairs\n'
    assert faults(tmp_path, toml, RULES + extra) == ""
    assert "line is declared and used by no rule" in faults(
        tmp_path, toml.replace("line_words", "#"), RULES + extra
    )


LAMBDA = """
places = rule("§1")(lambda pairs: pairs)
places.__rule__ = replace(places.__rule__, name="places")
"""


@pytest.mark.parametrize(
    ("changed", "more", "message"),
    [
        (
            ("    return pairs", "    while pairs:\n        return pairs"),
            "",
            "places: a rule returns a value on every branch",
        ),
        (
            ("def places(", "def spaces("),
            "from dataclasses import replace\n" + LAMBDA,
            "<lambda>: a rule is a plain function",
        ),
    ],
)
def test_a_rule_whose_formula_cannot_be_told(
    tmp_path: Path, changed: tuple[str, str], more: str, message: str
) -> None:
    book = write_book(tmp_path / "made_up", TOML, RULES.replace(*changed) + more, EXAMPLES)
    with pytest.raises(RulebookError) as error:
        calculate(book, {"pairs": 5})
    assert str(error.value) == message
