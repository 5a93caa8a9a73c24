"""The explanation: the tree has what it was made from, in text, data and HTML."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction

from honours.engine.award import calculate
from honours.engine.exact import working
from honours.engine.exact.explanation import (
    details,
    render_explanation,
    render_explanation_html,
    render_html,
    render_short,
    render_text,
    title,
    to_data,
)
from honours.engine.exact.formula import branch_for
from honours.engine.numbers import power
from honours.model import Citation, Step
from honours.rulebooks import load


def third() -> Step:
    awards = calculate(load("aga-category"), {"mean_rating": "7.93", "players": "20"}, "3-4")
    return awards[0].schedule[2].why


def test_data_is_json_and_has_the_same_tree() -> None:
    data = json.loads(json.dumps(to_data(third())))
    assert data["name"] == "award"
    shared = next(used for used in data["uses"] if used["name"] == "shared_points")
    assert shared["value"] == "8.1"
    assert shared["citation"]["clause"].startswith("Distribution of Qualification Points")
    covered = next(used for used in shared["uses"] if used["name"] == "covered_points")
    assert [part["of"] for part in covered["parts"]] == ["place 3", "place 4"]


def test_what_was_explained_is_not_repeated() -> None:
    shared = Step("s", "1", "1", "rule", uses=(Step("deep", "2", "2", "input"),))
    text = render_text(Step("top", "3", "3", "rule", uses=(shared, shared)))
    assert text.count("deep = 2") == 1
    assert "(see above)" in text


PAIRS = {"kind": "pairs", "winners": "1", "pairs": "18"}


def why(rulebook: str, place: int = 1, ties: str = "", **given: str) -> Step:
    [awards] = calculate(load(rulebook), {k.rstrip("_"): v for k, v in given.items()}, ties)
    return awards.schedule[place - 1].why


def bare(step: Step) -> Step:
    """The step of a rulebook that says nothing in short."""
    return replace(step, short=(), uses=tuple(map(bare, step.uses)))


def test_it_begins_with_what_made_the_figure_and_leaves_out_what_only_passed_it_on() -> None:
    text = render_explanation(bare(why("sbu-clubs-2016", 3, **PAIRS)))
    short, _, full = text.partition("\n\nIn full:\n")
    assert short.splitlines() == [
        "In short:",
        "  points = step × (places + 1 − place) = 6 × (6 + 1 − 3) → 24   [Chapter 1, example 8]",
        "  places = entrants × paid share = 18 × 1/3 → 6   [Chapter 1, Club award scales]",
        "  uncapped top = table places × decrement here = 6 × 6 = 36"
        "   [Chapter 1, Tables 2, 3 and 4]",
        "  table places = entrants × third = 18 × 1/3 → 6   [Chapter 1, Tables 2, 3 and 4]",
        "  decrement here = decrement[event type] = 6 (event type one-winner-pairs)"
        "   [Chapter 1, Tables 2, 3 and 4]",
    ]
    assert full.startswith("award = 24")


def test_it_says_which_item_of_a_table_the_figure_is() -> None:
    given = {
        "kind": "pairs",
        "competition": "aggregate",
        "events": "12",
        "counted": "12",
        "entrants": "18",
        "qualifiers": "18",
    }
    first = "basic top = pairs bonus[the smaller of (events, pairs bonus events)]"
    [line, *rest] = render_short(bare(why("sbu-clubs-2016", 1, **given))).split("\n  places = ")
    assert " ".join(line.split()) == (
        f"{first} = 150 (events 12, pairs bonus events 4) [Chapter 2, Table 5 (p18 HOTMPS)]"
    )
    assert rest == ["entrants × paid share = 18 × 1/3 → 6   [Chapter 1, Club award scales]"]
    html = render_explanation_html(bare(why("sbu-clubs-2016", 3, **given)))
    assert html.count("<li>") == 4, "the place, how many are paid, the step, and where it is from"
    assert "<output>(events 12, pairs bonus events 4)</output>" in html


def test_it_says_why_a_branch_was_taken_and_names_nothing_of_the_others() -> None:
    step = why(
        "acbl-sof-2011", tables="20", average_masterpoints="1300", sessions="2", class_="regional"
    )
    text = render_text(step)
    assert "since average masterpoints > join (1300 > 1250)" in text
    assert "upper table s = 3.13" in text
    assert "lower table s" not in text


def test_a_third_is_a_third_and_a_table_gives_its_item() -> None:
    assert "paid share = 1/3" in render_text(why("sbu-clubs-2016", 1, **PAIRS))
    text = render_text(why("acbl-general", tables="20", sessions="2", class_="regional"))
    assert "= r factors 2011[class]" in text


def test_every_branch_of_a_rule_can_be_written() -> None:
    def chosen(a: Fraction, b: Fraction, c: Fraction) -> Fraction:
        if 0 < a <= b:
            return 1 - (a if a > c else b)
        return power(-b, c) + (c if a <= b else b)

    one, third_ = Fraction(1), Fraction(1, 3)
    way = branch_for(chosen, {"a": one, "b": one, "c": third_})
    assert way.formula == "1 − a"
    assert way.because({}, {"a": "1", "b": "1", "c": "1/3"}) == (
        "0 < a ≤ b (0 < 1 ≤ 1); a > c (1 > 1/3)"
    )
    other = branch_for(chosen, {"a": Fraction(2), "b": one, "c": third_})
    assert other.working({}, {"c": "1/3"}) == "(−b)^(1/3) + b"
    assert other.because({}, {}) == "not (0 < a ≤ b); a > b"
    assert other.names == {"a", "b", "c", "power"}


TREE = Step(
    "class_award",
    Fraction("8.1"),
    "8.1",
    "rule",
    "What <one> gets.",
    formula="points / tied",
    working="16.2 / 2",
    rounding="8.112 rounded to the nearest, in steps of 0.1",
    because="tied > 1 (2 > 1)",
    citation=Citation("§7", "shared"),
    uses=(
        Step(
            "points",
            Fraction("16.2"),
            "16.2",
            "aggregate",
            "points summed",
            parts=tuple((f"place {i}", str(i)) for i in range(1, 9)),
            uses=(
                Step(
                    "first",
                    Fraction(1, 3),
                    "0.3333333333",
                    "rule",
                    "",
                    formula="third",
                    working="1/3",
                    citation=Citation("§2"),
                ),
            ),
        ),
        Step("tied", Fraction(2), "2", "input"),
        Step("word", "club", "club", "parameter", citation=Citation("§1")),
        Step(
            "first",
            Fraction(1, 3),
            "0.3333333333",
            "rule",
            "",
            formula="third",
            working="1/3",
            citation=Citation("§2"),
        ),
        Step("tied", Fraction(2), "2", "input"),
    ),
)


def test_the_whole_text() -> None:
    assert render_text(TREE).splitlines() == [
        "class award = 8.1   What <one> gets.",
        "    = points / tied",
        "    = 16.2 / 2",
        "    since tied > 1 (2 > 1)",
        "    8.112 rounded to the nearest, in steps of 0.1",
        "    [§7: “shared”]",
        "  points = 16.2   points summed",
        "      place 1 1, place 2 2, place 3 3, place 4 4, place 5 5, place 6 6, and 2 more",
        "    first = 1/3",
        "        = third",
        "        [§2]",
        "  tied = 2",
        "  word = club",
        "      [§1]",
        "  first = 1/3   (see above)",
        "  tied = 2",
    ]


def test_the_whole_data() -> None:
    data = to_data(TREE)
    assert list(data) == [
        "name",
        "value",
        "kind",
        "about",
        "formula",
        "working",
        "because",
        "rounding",
        "citation",
        "uses",
    ]
    assert data["citation"] == {"clause": "§7", "words": "shared"}
    points, tied, *_ = data["uses"]
    assert tied == {"name": "tied", "value": "2", "kind": "input"}
    assert list(points) == ["name", "value", "kind", "about", "parts", "uses"]
    assert points["parts"][1] == {"of": "place 2", "value": "2"}
    assert points["uses"][0]["value"] == "0.3333333333"
    assert to_data(Step("class_", "a", "a", "input"))["name"] == "class"
    for key in ("about", "formula", "working", "because", "rounding"):
        assert data[key] == getattr(TREE, key)


def test_the_whole_html() -> None:
    small = Step(
        "a_b",
        Fraction(1, 3),
        "0.3333",
        "rule",
        "about <it>",
        formula="c",
        uses=(Step("c", "x & y", "x & y", "input", "letters"), Step("d", "z", "z", "input")),
    )
    assert render_html(small) == (
        '<details class="step rule"><summary><b>a b</b> = <output>1/3</output> '
        "<small>about &lt;it&gt;</small></summary><p>= c</p>"
        '<div class="step input"><b>c</b> = <output>x &amp; y</output> <small>letters</small></div>'
        '<div class="step input"><b>d</b> = <output>z</output></div></details>'
    )
    cited = Step("n", Fraction(1), "1", "parameter", formula="m", citation=Citation("§1"))
    assert render_html(cited) == (
        '<details class="step parameter"><summary><b>n</b> = <output>1</output></summary>'
        "<p>= m</p><p>[§1]</p></details>"
    )


def test_seven_parts_are_six_and_one_more() -> None:
    seven = Step("a", Fraction(1), "1", "aggregate", parts=tuple((f"p{i}", "1") for i in range(7)))
    assert details(seven)[0].endswith("p5 1, and 1 more")


def test_a_name_that_python_has_taken_is_told_without_its_mark() -> None:
    assert title(Step("_the_class_", Fraction(1), "1", "input")) == " the class"
    assert title(Step("points_of_X", Fraction(1), "1", "input")) == "points of X"


def test_values_are_written() -> None:
    rows = ((Fraction(6), Fraction(1, 3)), (Fraction(12), Fraction(4)))
    assert working.as_text(rows) == "6:1/3, 12:4"
    rounded = Step("x", Fraction(3, 2), "1.50", "rule", rounding="to the cent")
    assert working.in_a_working(rounded) == "1.50"
    assert working.in_a_working(replace(rounded, rounding="")) == "1.5"
    assert working.in_a_working(replace(rounded, kind="input")) == "1.5"


def test_formulas_and_names_are_in_the_readers_language() -> None:
    given = {"kind": "pairs", "winners": "1", "pairs": "18", "boards": "24"}
    why = calculate(load("sbu-clubs-2016"), given)[0].schedule[0].why
    text = render_explanation(why, "fr")
    assert "= le plus grand de (points partagés, dernière dotation couverte)" in text
    assert "= le plus petit de (36, 96)" in text
    assert "points partagés = 36" in text
    assert "[Chapter 1, Tables 2, 3 and 4]" in text  # a quotation stays as it is
    assert "the larger of" not in text
    field = {"class": "regional", "sessions": "2", "kind": "pairs"}
    strong = {"tables": "9", "average_masterpoints": "1500"}
    why = calculate(load("acbl-sof-2011"), field | strong)[0].schedule[1].why
    text = render_explanation(why, "fr")
    assert "= le plus petit de (le plus grand de (7,2673 ; 2,5) ; 50)" in text
