"""How a rulebook's words follow from what is known of an event, and what is said of it."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from honours.engine.event_awards import award_event
from honours.engine.rulebook import Rulebook
from honours.errors import InputError, MissingInput, RulebookError
from honours.model import Entrant, Field, KnownFact, Origin, Player, Standing, Value
from tests.engine.books import write_book

TOML = """
[lists]
lines = "one"
lines_clause = "§9"
ties = "score"
[inputs.entrants]
about = "entrants"
type = "count"
[inputs.competition]
about = "what it is"
type = "word"
words = ["session", "swiss"]
first = "session"
[inputs.boards_per_match]
about = "boards of a match"
type = "count"
first = "1"
[inputs.toe]
about = "total entry"
type = "count"
first = "0"
[inputs.event]
about = "whose event"
type = "word"
words = ["club", "other"]
first = "club"
[inputs.weight]
about = "an entrant's weight"
per = "entrant"
first = "0"
[derive]
competition = [
    { is = "swiss", when = { form = "swiss", kind = ["pairs", "teams"] }, clause = "§4" },
]
toe = [{ from = "field_entrants", when = { form = "swiss" }, clause = "§5" }]
event = [{ ask = "is it the club's own?", titled = ["sim", "heat"], clause = "§6" }]
[parameters]
whole = { value = 1, clause = "§1" }
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

@rule("§2", when={"competition": "swiss"})
def bonus(boards_per_match, toe):
    """What a Swiss adds."""
    return boards_per_match + toe

@rule("§2", when={"competition": "session"}, defines="bonus")
def no_bonus():
    """Nothing."""
    return 0

@rule("§1", per="entrant", rounds=nearest("whole"))
def award(covered_worth, tied, bonus, weight):
    """What each gets."""
    return covered_worth / tied + bonus + weight
'''
SWISS: dict[str, Value] = {
    "form": "swiss",
    "kind": "teams",
    "boards_per_match": Fraction(5),
    "field_entrants": Fraction(12),
}


@pytest.fixture
def book(tmp_path: Path) -> Rulebook:
    return write_book(tmp_path / "made_up", TOML, RULES)


def standing(name: str, place: int, score: int, weight: int | None = None) -> Standing:
    facts: dict[str, Value] = {} if weight is None else {"weight": Fraction(weight)}
    return Standing(Entrant(name, (Player(name),)), place, 1, Fraction(score), facts)


def field(facts: dict[str, Value], line: str = "", *scores: int) -> Field:
    standings = [standing(f"{line}{n}", n, score) for n, score in enumerate(scores or (9, 5), 1)]
    return Field(facts, tuple(standings), line)


def test_words_follow_from_facts_with_their_clause(book: Rulebook) -> None:
    awards = award_event(book, [field(SWISS)], {})
    assert [a.amount for a in awards.lists[0].schedule] == [19, 18]
    known = {one.name: one for one in awards.lists[0].known}
    assert known["competition"].origin is Origin.DERIVED
    assert known["competition"].source == "form=swiss, kind=teams [§4]"
    assert known["toe"].source == "form=swiss, field_entrants=12 [§5]"
    assert known["kind"] == KnownFact("kind", "teams", Origin.TOLD, "the file")  # used, by that


def test_what_was_told_counts_and_a_contradiction_is_said(book: Rulebook) -> None:
    awards = award_event(book, [field(SWISS)], {"competition": "session"})
    assert [a.amount for a in awards.lists[0].schedule] == [2, 1]
    texts = [notice.text for notice in awards.notices]
    assert "competition=session was given; otherwise it is swiss" in texts


def test_a_default_that_decides_is_said_to_be_assumed(book: Rulebook) -> None:
    known = {one.name: one for one in award_event(book, [field({})], {}).lists[0].known}
    assert known["competition"].origin is Origin.ASSUMED
    assert known["competition"].value == "session"


@pytest.mark.parametrize("title", ["Children in Need Sim Pairs", "Heat 3 of the National"])
def test_what_the_title_puts_in_doubt_is_asked(book: Rulebook, title: str) -> None:
    with pytest.raises(MissingInput, match=r"event.*is it the club's own\? \[§6\]"):
        award_event(book, [field({"title": title})], {})
    assert award_event(book, [field({"title": title})], {"event": "club"}).lists


def test_a_word_inside_another_is_none(book: Rulebook) -> None:
    assert award_event(book, [field({"title": "Simpson Trophy at Wheatley"})], {}).lists


def test_lines_are_ranked_together_by_score(book: Rulebook) -> None:
    awards = award_event(book, [field({}, "NS", 9, 5), field({}, "EW", 7, 5)], {})
    [whole] = awards.lists
    places = [(a.standing.entrant.id, a.standing.placing, int(a.amount)) for a in whole.schedule]
    assert places == [("NS1", "1", 4), ("EW1", "2", 3), ("NS2", "3=", 2), ("EW2", "3=", 2)]
    assert [n.citation.clause for n in awards.notices] == ["§9"]


def test_equal_scores_tie_whatever_parted_them(book: Rulebook) -> None:
    [awards] = award_event(book, [field({}, "", 9, 5, 5)], {}).lists
    assert [a.standing.placing for a in awards.schedule] == ["1", "2=", "2="]


def test_a_column_may_be_any_input(book: Rulebook) -> None:
    standings = (standing("1", 1, 9, 4), standing("2", 2, 5, 0))
    [awards] = award_event(book, [Field({}, standings)], {}).lists
    assert [a.amount for a in awards.schedule] == [6, 1]
    assert next(k.value for k in awards.known if k.name == "weight") == "of 2 entrants"


def test_a_column_about_the_field_must_say_the_same_of_everybody(book: Rulebook) -> None:
    def listed(*words: str) -> Field:
        lines = [standing(str(n), n, 9 - n) for n in range(1, len(words) + 1)]
        return Field(
            {},
            tuple(
                Standing(s.entrant, s.place, 1, s.score, {"competition": word})
                for s, word in zip(lines, words, strict=True)
            ),
        )

    [awards] = award_event(book, [listed("swiss", "swiss")], {}).lists
    assert awards.schedule[0].amount == 3
    with pytest.raises(InputError, match="competition is about the whole list"):
        award_event(book, [listed("swiss", "session")], {})


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{ is = "swiss", when = { shape = "swiss" }, clause = "§4" }', "shape"),
        ('{ is = "swiss", from = "kind", clause = "§4" }', "one of is, from and ask"),
        ('{ is = "swiss", when = { form = "swiss" } }', "'clause' is missing"),
        ('{ as = "swiss", clause = "§4" }', "as"),
    ],
)
def test_a_wrong_line_is_named(tmp_path: Path, line: str, message: str) -> None:
    toml = TOML.split("[derive]", maxsplit=1)[0] + f"[derive]\ncompetition = [{line}]\n"
    with pytest.raises(RulebookError, match=message):
        write_book(tmp_path / "made_up", toml, RULES)


def test_a_line_is_for_an_input(tmp_path: Path) -> None:
    toml = TOML.replace("[derive]\ncompetition", "[derive]\nrivalry")
    with pytest.raises(RulebookError, match="rivalry"):
        write_book(tmp_path / "made_up", toml, RULES)
