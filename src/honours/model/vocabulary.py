"""The one vocabulary: every fact that readers, scorer, rulebooks and people speak of."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

from honours.model.facts import Fact, Subject, Supplier


def _read() -> Iterator[Fact]:
    """Every fact of ``facts.toml``, each about the subject whose table it stands in."""
    tables = tomllib.loads((files(__package__) / "facts.toml").read_text("utf-8"))
    for subject, facts in tables.items():
        for name, declared in facts.items():
            suppliers = tuple(Supplier[one.upper()] for one in declared.pop("by"))
            fields: dict[str, Any] = {
                k: tuple(v) if isinstance(v, list) else v for k, v in declared.items()
            }
            yield Fact(name, of=Subject[subject.upper()], suppliers=suppliers, **fields)


VOCABULARY = {fact.name: fact for fact in _read()}
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
