"""The one vocabulary: every fact is declared once, in full."""

import pytest

from honours.model.facts import Fact, Of
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
