"""Which points a rulebook gives a ledger, and what its body forbids to post: the tables
``[colours]`` and ``[[posting]]``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from honours.engine.rules import public
from honours.errors import RulebookError, UnknownName

if TYPE_CHECKING:
    from honours.engine.rulebook import Rulebook

ONE_COLOUR = "all"
"""The key of ``[colours]`` for the quantity that names the one colour of all points of a list."""
KEYS = (
    "points",
    "once_a_year",
    "words",
    "alike",
    "like",
    "when",
    "unless",
    "reason",
    "clause",
)


@dataclass(frozen=True, slots=True)
class PostingRule:
    """One limit: only these kinds of points (``points``), or only one event a year of a club whose
    input ``once_a_year`` is one of ``words``, among those that say the same of ``alike``. It holds
    where the inputs in ``when`` are one of their words, and counts no event where one in
    ``unless`` is."""

    reason: str
    clause: str
    points: tuple[str, ...] = ()
    once_a_year: str = ""
    words: tuple[str, ...] = ()
    alike: tuple[str, ...] = ()
    when: Mapping[str, tuple[str, ...]] | None = None
    unless: Mapping[str, tuple[str, ...]] | None = None
    like: Mapping[str, tuple[str, ...]] | None = None

    def resembles(self, inputs: Mapping[str, str], others: Iterable[Mapping[str, str]]) -> bool:
        """Whether an event is one the limit is about by another that it is like: what ``like``
        names is the word there, and ``same`` of it is as here."""
        if not self.like:
            return True
        same = self.like["same"]
        wanted = {name: words for name, words in self.like.items() if name != "same"}
        return any(
            all(other.get(name) in words for name, words in wanted.items())
            and all(other.get(name) == inputs.get(name) for name in same)
            for other in others
        )

    def counts(self, inputs: Mapping[str, str]) -> bool:
        """Whether an event of which this is known is one the limit is about."""
        wanted = all(inputs.get(name) in words for name, words in (self.when or {}).items())
        return wanted and not any(
            inputs.get(name) in words for name, words in (self.unless or {}).items()
        )


def read_posting_rules(
    tables: Iterable[Mapping[str, Any]], inputs: Iterable[str]
) -> tuple[PostingRule, ...]:
    """The limits as a rulebook's folder states them; each speaks of its inputs."""
    known = {public(name) for name in inputs}
    return tuple(_rule(table, known) for table in tables)


def _rule(table: Mapping[str, Any], known: set[str]) -> PostingRule:
    for key in table:
        if key not in KEYS:
            raise UnknownName("key of posting", key, KEYS)
    once = str(table.get("once_a_year", ""))
    when, unless = dict(table.get("when", {})), dict(table.get("unless", {}))
    like_names = [*table.get("like", {}).get("same", ()), *table.get("like", {})]
    named = [*([once] if once else []), *table.get("alike", ()), *when, *unless, *like_names]
    for name in (name for name in named if name != "same"):
        if name not in known:
            raise UnknownName("input in posting", name, known)
    if not table.get("reason") or not table.get("clause") or bool(once) is ("points" in table):
        raise RulebookError(
            "posting: expected points or once_a_year, and the reason and clause of the limit"
        )
    return PostingRule(
        table["reason"],
        table["clause"],
        tuple(table.get("points", ())),
        once,
        tuple(table.get("words", ())),
        tuple(table.get("alike", ())),
        _words(when),
        _words(unless),
        _words(like) if (like := dict(table.get("like", {}))) else None,
    )


def _words(table: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    return {n: tuple([words] if isinstance(words, str) else words) for n, words in table.items()}


def colours_paid(rulebook: Rulebook) -> tuple[str, ...]:
    """Every colour the rulebook's awards may have; none where it does not speak of colours."""
    if ONE_COLOUR not in rulebook.colours:
        return tuple(rulebook.colours)
    return rulebook.inputs[rulebook.colours[ONE_COLOUR]].words


def has_one_kind(rulebook: Rulebook) -> bool:
    """Whether all that the rulebook ever awards is of one kind."""
    return len(rulebook.colours) == 1 and ONE_COLOUR not in rulebook.colours
