"""The explanation: the tree has what it was made from, in text, data and HTML."""

from __future__ import annotations

import json

from honours.engine.award import calculate
from honours.engine.explanation import render_html, render_text, to_data
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
