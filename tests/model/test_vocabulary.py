"""The one vocabulary: every fact is declared once, in full."""

import pytest

from honours.model.facts import Fact, Gathered, Known, Of, Origin
from honours.model.vocabulary import VOCABULARY, facts_of

FACTS = list(VOCABULARY.values())


@pytest.mark.parametrize("fact", FACTS, ids=lambda fact: fact.name)
def test_a_fact_says_what_it_means_and_who_supplies_it(fact: Fact) -> None:
    assert fact.meaning[0].isupper()
    assert fact.meaning.endswith(".")
    assert fact.suppliers
    assert (fact.type == "word") == bool(fact.words)


def test_no_two_facts_about_the_same_thing_share_a_spelling() -> None:
    for about in Of:
        spellings = [s for fact in facts_of(about) for s in (fact.name, *fact.spellings)]
        assert len(spellings) == len(set(spellings)), about


def test_what_was_known_first_is_kept() -> None:
    gathered = Gathered().adding(Origin.TOLD, "the file", {"kind": "teams"})
    gathered = gathered.adding(Origin.DERIVED, "the results", {"kind": "pairs", "winners": "1"})
    assert gathered.facts == {"kind": "teams", "winners": "1"}
    assert gathered.known["winners"] == Known("winners", "1", Origin.DERIVED, "the results")
