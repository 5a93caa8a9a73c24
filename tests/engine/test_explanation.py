"""The explanation: the tree has what it was made from, in text, data and HTML."""

from __future__ import annotations

import json
from fractions import Fraction

from honours.engine.award import calculate
from honours.engine.explanation import render_explanation, render_html, render_text, to_data
from honours.engine.formula import taken
from honours.engine.numbers import power, up_to
from honours.model import Citation, Step
from honours.rulebooks import load


def third() -> Step:
    awards = calculate(load("aga-category"), {"mean_rating": "7.93", "players": "20"}, "3-4")
    return awards[0].schedule[2].why


def test_text_shows_formula_working_rounding_and_clause() -> None:
    text = render_text(third())
    assert "shared points = 8.1" in text
    assert "= covered points / tied" in text
    assert "rounded to the nearest, in steps of 0.1" in text
    assert "[Distribution of Qualification Points]" in text
    assert "place 3 8.7" in text
    assert "place 4 7.4" in text


def test_first_place_is_explained_below_every_place() -> None:
    awards = calculate(load("aga-category"), {"mean_rating": "7.93", "players": "20"})
    text = render_text(awards[0].schedule[4].why)
    assert "points at place 4, the place above" in text
    assert "first points = 11.9" in text
    assert "log10 (first size weight × players)" in text
    assert "“A = log10(20 P) + …”" in text


def test_data_is_json_and_has_the_same_tree() -> None:
    data = json.loads(json.dumps(to_data(third())))
    assert data["name"] == "award"
    shared = next(used for used in data["uses"] if used["name"] == "shared_points")
    assert shared["value"] == "8.1"
    assert shared["citation"]["clause"] == "Distribution of Qualification Points"
    covered = next(used for used in shared["uses"] if used["name"] == "covered_points")
    assert [part["of"] for part in covered["parts"]] == ["place 3", "place 4"]


def test_html_is_escaped_and_nested() -> None:
    inner = Step("a", "x", "<b>&", "input")
    outer = Step("o", "y", "1", "rule", formula="a < b", citation=Citation("§1"), uses=(inner,))
    html = render_html(outer)
    assert "&lt;b&gt;&amp;" in html
    assert "a &lt; b" in html
    assert html.count("<details") == html.count("</details>") == 1
    assert '<div class="step input">' in html


def test_what_was_explained_is_not_repeated() -> None:
    shared = Step("s", "1", "1", "rule", uses=(Step("deep", "2", "2", "input"),))
    text = render_text(Step("top", "3", "3", "rule", uses=(shared, shared)))
    assert text.count("deep = 2") == 1
    assert "(see above)" in text


def why(rulebook: str, place: int = 1, ties: str = "", **given: str) -> Step:
    [awards] = calculate(load(rulebook), {k.rstrip("_"): v for k, v in given.items()}, ties)
    return awards.schedule[place - 1].why


def test_it_begins_with_what_made_the_figure_and_leaves_out_what_only_passed_it_on() -> None:
    text = render_explanation(why("sbu-clubs-2016", 3, kind="pairs", winners="1", pairs="18"))
    short, _, full = text.partition("\n\nIn full:\n")
    assert short.splitlines() == [
        "In short:",
        "  points = step × (places + 1 − place) = 6 × (6 + 1 − 3) → 24   [Chapter 1, example 8]",
        "  places = entrants × paid share = 18 × 1/3 → 6   [Chapter 1, Club award scales]",
        "  uncapped top = table places × decrement[event type] = 6 × 6 = 36"
        "   [Chapter 1, Tables 2, 3 and 4]",
        "  table places = entrants × third = 18 × 1/3 → 6   [Chapter 1, Tables 2, 3 and 4]",
    ]
    assert full.startswith("award = 24")


def test_it_says_why_a_branch_was_taken_and_names_nothing_of_the_others() -> None:
    step = why("acbl-sof-2011", tables="20", average_masterpoints="1300", sessions="2",
               class_="regional")  # fmt: skip
    text = render_text(step)
    assert "since average masterpoints > join (1300 > 1250)" in text
    assert "upper table s = 3.13" in text
    assert "lower table s" not in text


def test_a_step_that_is_nothing_says_why() -> None:
    text = render_text(why("sbu-clubs-2016", kind="pairs", winners="1", pairs="18"))
    assert "since place ≠ places (1 ≠ 6)" in text


def test_a_third_is_a_third_and_a_table_gives_its_item() -> None:
    assert "paid share = 1/3" in render_text(
        why("sbu-clubs-2016", kind="pairs", winners="1", pairs="18")
    )
    text = render_text(why("acbl-general", tables="20", sessions="2", class_="regional"))
    assert "= r factors 2011[class]" in text


def test_a_shared_place_is_explained_down_to_the_inputs() -> None:
    text = render_text(third())
    assert "first points = 11.9" in text
    assert "mean rating = 7.93" in text


def test_every_branch_of_a_rule_can_be_written() -> None:
    def chosen(a: Fraction, b: Fraction, c: Fraction) -> Fraction:
        if 0 < a <= b:
            return 1 - (a if a > c else b)
        return power(-b, c) + up_to(a, b, c, b)

    one, third_ = Fraction(1), Fraction(1, 3)
    way = taken(chosen, {"a": one, "b": one, "c": third_})
    assert way.formula == "1 − a"
    assert way.because({}, {"a": "1", "b": "1", "c": "1/3"}) == (
        "0 < a ≤ b (0 < 1 ≤ 1); a > c (1 > 1/3)"
    )
    other = taken(chosen, {"a": Fraction(2), "b": one, "c": third_})
    assert other.working({}, {"c": "1/3"}) == "(−b)^(1/3) + b"
    assert other.because({}, {}) == "not (0 < a ≤ b); a > b"
    assert other.names == {"a", "b", "c", "power"}
