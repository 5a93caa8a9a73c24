"""The points a rulebook gives a ledger, and what its body forbids to post: the tables ``[colours]``
and ``[[posting]]``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from honours.errors import RulebookError

if TYPE_CHECKING:
    from honours.engine.rulebook import Rulebook

ONE_COLOUR = "all"
"""The key of ``[colours]`` for the quantity that names the one colour of all points of a list."""


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

    def __post_init__(self) -> None:
        if not self.reason or not self.clause or bool(self.once_a_year) is bool(self.points):
            raise RulebookError(
                "posting: expected points or once_a_year, and the reason and clause of the limit"
            )

    @property
    def inputs(self) -> Iterator[str]:
        """The inputs it speaks of."""
        like = self.like or {}
        yield from filter(None, (self.once_a_year, *self.alike, *like.get("same", ())))
        for names in (self.when or {}, self.unless or {}, like):
            yield from (name for name in names if name != "same")

    def resembles(self, inputs: Mapping[str, str], others: Iterable[Mapping[str, str]]) -> bool:
        """Return whether an event is one the limit is about by another that it is like: what
        ``like`` names is the word there, and ``same`` of it is as here."""
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
        """Return whether an event of which this is known is one the limit is about."""
        wanted = all(inputs.get(name) in words for name, words in (self.when or {}).items())
        return wanted and not any(
            inputs.get(name) in words for name, words in (self.unless or {}).items()
        )


def colours_paid(rulebook: Rulebook) -> tuple[str, ...]:
    """Every colour the rulebook's awards may have; none where it does not speak of colours."""
    if ONE_COLOUR not in rulebook.colours:
        return tuple(rulebook.colours)
    return rulebook.inputs[rulebook.colours[ONE_COLOUR]].words


def has_one_kind(rulebook: Rulebook) -> bool:
    """Return whether all that the rulebook ever awards is of one kind."""
    return len(rulebook.colours) == 1 and ONE_COLOUR not in rulebook.colours
