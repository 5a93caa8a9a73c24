"""What is said of an award in short: plain sentences with the clause that decides."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest

from honours.engine.award import calculate
from honours.engine.event_awards import award_event
from honours.engine.exact.explanation import (
    in_short,
    render_explanation_html,
    render_short,
    to_data,
)
from honours.engine.rulebook.examples import examples, run
from honours.model import Entrant, Field, Player, Standing, Step
from honours.model.message import Message
from honours.rulebooks import ids, load
from tests.support import cases

PLAIN = {"board-a-match"}
"""Words of a rulebook that people write so too."""
ONE_OF_MANY = re.compile(r"(?<![\d.,])1 (?!gets)[a-z]+s\b")
"""A noun of many after the number one."""
SPEAKING = [each for each in ids() if any(r.kind == "sentence" for r in load(each).rules)]


def why(rulebook: str, place: int = 1, ties: str = "", **given: str) -> Step:
    [awards] = calculate(load(rulebook), {k.rstrip("_"): v for k, v in given.items()}, ties)
    return awards.schedule[place - 1].why


def test_the_five_rulebooks_speak() -> None:
    assert {
        "acbl-general",
        "acbl-sof-2011",
        "acbl-sof-2020",
        "aga-category",
        "sbu-clubs-2016",
    } <= set(SPEAKING)


def test_a_pairs_evening_as_a_secretary_would_tell_it() -> None:
    assert render_short(why("sbu-clubs-2016", 1, kind="pairs", winners="1", pairs="18")) == (
        "  18 pairs, so the top third, 6 pairs, score. Each place is worth 6 more than the next: "
        "first gets 36. (Chapter 1, Table 2)"
    )


def test_a_tie_for_the_last_place_names_the_example_that_decides() -> None:
    step = why("sbu-clubs-2016", 6, "6-7", kind="pairs", winners="1", pairs="18")
    assert in_short(step)[-1] == (
        "2 tie for the last place that scores, and each of them gets all of its award, 6.",
        "Chapter 1, example 7",
    )


def test_a_tie_above_the_last_place_is_shared() -> None:
    step = why("sbu-clubs-2016", 3, "3-4", kind="pairs", winners="1", pairs="15")
    assert in_short(step)[-1] == (
        "2 tie for place 3 and share what their places are worth, rounded up: 15 each.",
        "Chapter 1, examples 4 to 6",
    )


def test_it_can_be_said_in_another_language_and_goes_out_as_data_and_markup() -> None:
    step = why("sbu-clubs-2016", 1, kind="pairs", winners="1", pairs="18")
    text = step.short[0].text
    assert isinstance(text, Message)
    assert text.template == "{entrants} pairs, so the top third, {places} pairs, score."
    assert to_data(step)["in_short"][0]["clause"] == "Chapter 1, Table 2"
    spoken = render_explanation_html(step, "fr")
    assert "<li>18 paires : le premier tiers" in spoken
    assert "<cite>Chapter 1, Table 2</cite>" in spoken


def test_a_french_member_is_told_in_french() -> None:
    step = why("sbu-clubs-2016", 6, "6-7", kind="pairs", winners="1", pairs="18")
    (first, _), (last, _) = in_short(step, "fr")
    assert first.startswith("18 paires : le premier tiers, 6 paires, marque.")
    assert last.startswith("2 ex æquo à la dernière place qui marque")


@pytest.mark.parametrize("rulebook_id", SPEAKING)
def test_every_award_of_the_examples_is_said_in_plain_words(rulebook_id: str) -> None:
    """Each sentence has its figure, the award's own among them; no brackets of code, no names with
    underscores, no formulas."""
    book = load(rulebook_id)
    codes = {word for one in book.inputs.values() for word in one.words if "-" in word}
    for example in examples(book):
        for awards in run(book, example, in_words=True):
            for item in awards.schedule:
                sentences = [text for text, _ in in_short(item.why)]
                assert sentences or "places" in example.given, (example.name, item.standing.place)
                for text in sentences:
                    assert not re.search(r"[\[\]{}_=×]", text), (example.name, text)
                    assert re.search(r"[.)]$", text), (example.name, text)
                    assert len(set(re.findall(r"\d+\.\d{5,}", text))) == 0, (example.name, text)
                    assert not ONE_OF_MANY.search(text), (example.name, text)
                    figures = set(re.findall(r"(?<!count of )\b\d+\.\d+(?!\d| tables|%)", text))
                    made = figures - {str(value) for value in example.given.values()}
                    decimals = [len(figure.partition(".")[2]) for figure in made]
                    assert all(d >= book.decimals for d in decimals), (example.name, text)
                    assert not any(code in text for code in codes - PLAIN), (example.name, text)
                if not item.refusal:
                    every = [sentence.text for sentence in item.why.short]
                    assert all(re.search(r"\d", text) for text in every), (example.name, every)
                    told = {Fraction(f) for f in re.findall(r"-?\d+(?:\.\d+)?", " ".join(every))}
                    assert not (every and item.amount) or item.amount in told, example.name


def test_who_gets_nothing_is_told_why_and_no_figure_of_the_place() -> None:
    short = {"boards_played": Fraction(18)}
    players = (Player("Ann", "", short), Player("Bob", "", short))
    standings = tuple(
        Standing(Entrant(str(n), players if n == 1 else ()), n, 1, Fraction(99 - n))
        for n in range(1, 19)
    )
    field = Field({"kind": "pairs", "winners": "1", "boards": Fraction(24)}, standings)
    [awards] = award_event(load("sbu-clubs-2016"), [field], {}).lists
    [(sentence, clause)] = in_short(awards.schedule[0].why)
    assert sentence == "No award: played 18 boards, at least 20 needed; still counts in the field."
    assert clause.startswith("Chapter 1, Minimum numbers")
    in_full = awards.schedule[0].why
    assert in_full.value == Fraction(0)
    assert in_full.citation is not None
    assert in_full.citation.clause == clause
    assert [used.name for used in in_full.uses] == ["fewest_boards", "least_boards"]


@cases
def test_each_step_is_told_with_its_own_figure(
    rulebook: str, given: dict[str, str], figures: list[str]
) -> None:
    plain = {"class": "regional", "kind": "pairs", "tables": "20", "sessions": "2"}
    more = {"average_masterpoints": "1500"} if rulebook == "acbl-sof-2011" else {}
    step = why(rulebook, 1, **plain | more | given)
    told = " ".join(sentence.text for sentence in step.short)
    assert re.findall(r"\d+\.\d\d", told) == figures


def test_a_go_tournament_says_how_much_of_a_place_the_next_one_gets() -> None:
    step = why("aga-category", 2, players="20", mean_rating="7.93", section_kind="open")
    assert "each place below about 86% of the one above" in in_short(step)[1][0]
