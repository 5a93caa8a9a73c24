"""The one vocabulary: every fact that readers, scorer, rulebooks and people speak of."""

from __future__ import annotations

from collections.abc import Iterator

from honours.model.facts import Fact, Subject
from honours.model.facts_of_entrants import ENTRANTS, GAMES, PLAYERS
from honours.model.facts_of_events import EVENT, LISTS, PARTS
from honours.model.facts_of_files import FILES, GO_CRITERIA, PUBLISHED

_GROUPS = (EVENT, PARTS, LISTS, ENTRANTS, GO_CRITERIA, PLAYERS, GAMES, PUBLISHED, FILES)
VOCABULARY = {fact.name: fact for group in _GROUPS for fact in group}
"""Every fact by its name."""


def declared(name: str) -> Fact | None:
    """The fact of this name; ``stratum_limit.B`` is ``stratum_limit`` of the stratum B."""
    if name in VOCABULARY:
        return VOCABULARY[name]
    fact = VOCABULARY.get(name.rpartition(".")[0])
    return fact if fact is not None and fact.each else None


def facts_of(about: Subject) -> Iterator[Fact]:
    """The facts about one thing, in the order they are declared."""
    return (fact for fact in VOCABULARY.values() if fact.of is about)
