"""The one vocabulary: every fact is declared once, in full."""

import pytest

from honours import rulebooks
from honours.engine.rules import public
from honours.model.facts import Fact, Subject
from honours.model.vocabulary import VOCABULARY, declared, facts_of

FACTS = list(VOCABULARY.values())


@pytest.mark.parametrize("fact", FACTS, ids=lambda fact: fact.name)
def test_a_fact_says_what_it_means_and_who_supplies_it(fact: Fact) -> None:
    assert fact.meaning[0].isupper()
    assert fact.meaning.endswith(".")
    assert fact.suppliers
    assert (fact.type == "word") == bool(fact.words)


def test_no_two_facts_about_the_same_thing_share_a_spelling() -> None:
    for about in Subject:
        spellings = [s for fact in facts_of(about) for s in (fact.name, *fact.spellings)]
        assert len(spellings) == len(set(spellings)), about


def test_one_of_each_stratum_is_the_same_fact() -> None:
    limit = declared("stratum_limit.B")
    assert limit is VOCABULARY["stratum_limit"]
    assert declared("club.B") is None


@pytest.mark.parametrize("rulebook", rulebooks.ids())
def test_an_input_called_like_a_fact_is_that_fact(rulebook: str) -> None:
    below = {Subject.ENTRANT, Subject.PLAYER, Subject.GAME}
    for name, declared_input in rulebooks.load(rulebook).inputs.items():
        fact = VOCABULARY.get(public(name))
        if fact is not None:
            assert (declared_input.per != "field") == (fact.of in below), name


@pytest.mark.parametrize("rulebook", rulebooks.ids())
def test_no_input_of_a_list_means_something_else_than_the_fact(rulebook: str) -> None:
    """What is a name in a file is no word of a rulebook: that has a fact of its own."""
    for name, declared_input in rulebooks.load(rulebook).inputs.items():
        fact = VOCABULARY.get(public(name))
        if fact is not None and fact.of is Subject.LIST and declared_input.type == "word":
            assert {*declared_input.words} - {"none"} <= {*fact.words}, name
