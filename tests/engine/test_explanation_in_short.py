"""The explanation in short: a line for each quantity that made the figure."""

from __future__ import annotations

from fractions import Fraction

import pytest

from honours.engine.exact.explanation import (
    explain,
    render_explanation,
    render_explanation_html,
    render_short,
)
from honours.model import Award, Citation, Entrant, Standing, Step


def _three(name: str, formula: str, working: str, *uses: Step) -> Step:
    return Step(name, Fraction(3), "3", "rule", formula=formula, working=working, uses=uses)


def test_in_short_a_long_line_is_broken_and_nothing_is_told_twice() -> None:
    long = "a very, very long name of a quantity + another very, very long name of a quantity"
    inner = Step("inner", Fraction(7), "7", "rule", formula="x + y", working="3 + 4")
    outer = Step(
        "outer",
        Fraction("2.5"),
        "3",
        "rule",
        formula=long,
        working="7 − 4.5",
        rounding="up",
        citation=Citation("the clause"),
        uses=(inner, inner),
    )
    assert render_short(outer).splitlines() == [
        f"  outer = {long}",
        "      = 7 − 4.5",
        "      → 3",
        "      [the clause]",
        "  inner = x + y = 3 + 4 = 7",
    ]


@pytest.mark.parametrize(("length", "lines"), [(110, 1), (111, 3)])
def test_in_short_a_line_has_up_to_110_characters(length: int, lines: int) -> None:
    formula = "x" * (length - len("n =  = 3 + 4 = 7"))
    step = Step("n", Fraction(7), "7", "rule", formula=formula, working="3 + 4")
    assert len(render_short(step).splitlines()) == lines


def test_in_short_a_word_has_no_figure_and_what_passes_on_is_left_out() -> None:
    word = Step("kind", "club", "club", "rule", formula="level", working="the lower")
    same = _three("same", "a", "b", Step("a", Fraction(3), "3", "input"))
    parameter = Step("p", Fraction(3), "3", "parameter")
    number = _three("n", "p", "3.0", parameter)
    made = _three("made", "p × q", "3 × 1", parameter)
    top = Step("top", "x", "x", "aggregate", uses=(word, same, number, made))
    assert render_short(top).splitlines() == [
        "  kind = level = the lower",
        "  made = p × q = 3 × 1 = 3",
    ]
    assert render_explanation(Step("n", "x", "x", "input")) == "n = x"


def test_in_full_after_in_short() -> None:
    made = Step("made", Fraction(3), "3", "rule", formula="p × q", working="3 × 1")
    awarded = Award(Standing(Entrant("1"), 1), Fraction(3), "3", made)
    assert explain(awarded) == (
        "In short:\n  made = p × q = 3 × 1 = 3\n\nIn full:\nmade = 3\n    = p × q\n    = 3 × 1"
    )


def test_in_short_as_a_list() -> None:
    made = Step(
        "a_b", Fraction(3), "3", "rule", formula="p < q", working="1 & 2", citation=Citation("§<1>")
    )
    assert (
        '<ol class="short"><li><b>a b</b> <span>= p &lt; q</span> <span>= 1 &amp; 2</span> '
        "<output>= 3</output> <cite>§&lt;1&gt;</cite></li></ol>"
    ) in render_explanation_html(made)
    word = Step("kind", "club", "club", "rule", formula="level", working="the lower")
    assert (
        '<ol class="short"><li><b>kind</b> <span>= level</span> <span>= the lower</span></li></ol>'
    ) in render_explanation_html(word)
    assert "<ol" not in render_explanation_html(Step("n", "x", "x", "input"))
    both = Step("both", "x", "x", "aggregate", uses=(made, word))
    assert "</cite></li><li><b>kind</b>" in render_explanation_html(both)
