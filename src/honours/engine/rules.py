"""The declaration of a rule: a plain function, what it is per, its clause and its rounding.

A rule function names what it depends on by its arguments and nothing else reaches it::

    @rule("Appendix, A(1)", rounds=nearest("award_unit"))
    def first_place(relative_first, strength_factor):
        \"\"\"The award for first place.\"\"\"
        return relative_first * strength_factor

An argument is an input, a parameter, another rule, or one of the engine's own words:

- ``place``, ``tied``   the place (of a place, or of an entrant's tie) and how many share it
- ``previous``          this same quantity at the place above
- ``mean_of_x``, ``sum_of_x``, ``count_of_x``   over the players, entrants, games or paid
  places below
- ``sum_of_best_x``     over as many of the largest as ``best`` says
- ``rank_of_x``         an entrant's or player's rank by ``x``, the largest first
- ``covered_x``         the sum of the per-place quantity ``x`` over the paid places a tie covers
- ``opponent_x``        in a rule per game, the opponent's ``x``

:mod:`honours.engine.rulebook.source` says what each of them means to an author.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, Literal, TypeVar, get_args

from honours.errors import RulebookError, UnknownName
from honours.model.facts import label_of
from honours.model.message import Message

# --- how a rule is declared ---------------------------------------------------------------------

Level = Literal["field", "place", "entrant", "player", "game"]
LEVELS: tuple[Level, ...] = get_args(Level)
Presumption = Literal["", "asked", "usual"]
PRESUMPTIONS: tuple[Presumption, ...] = get_args(Presumption)
Words = Mapping[str, str | tuple[str, ...]]
Function = TypeVar("Function", bound=Callable[..., Any])

OPPONENT = "opponent_"
ENGINE_WORDS = ("place", "tied", "previous")


@dataclass(frozen=True, slots=True)
class Rounding:
    """A declared rounding: done by the engine, so that the engine knows the rows in doubt.

    ``unit`` is a parameter's name; ``mode`` is one of :data:`honours.engine.numbers.WAYS`, or the
    name of a parameter that says which.
    """

    mode: str
    unit: str


def up(unit: str) -> Rounding:
    return Rounding("up", unit)


def down(unit: str) -> Rounding:
    return Rounding("down", unit)


def nearest(unit: str) -> Rounding:
    """To the nearest multiple; a half goes up."""
    return Rounding("nearest", unit)


def rounding(mode: str, unit: str) -> Rounding:
    """A rounding whose direction is itself a parameter, so that a variant may change it."""
    return Rounding(mode, unit)


@cache
def _arguments(function: Callable[..., Any]) -> tuple[str, ...]:
    return tuple(inspect.signature(function).parameters)


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule of ``rules.py``, or a verdict of ``rulebook.toml``: ``kind`` is ``rule``, ``refusal``,
    ``notice`` or ``sentence``. A verdict's function says whether its message is said."""

    name: str
    function: Callable[..., Any]
    clause: str
    kind: str = "rule"
    per: Level = "field"
    when: Words | None = None
    rounds: Rounding | None = None
    starts: str = ""
    message: str = ""
    asks: str = ""
    best: str = ""
    presumes: Presumption = ""
    """Whether it stands in for the answer to a question, and for the usual one."""

    @property
    def arguments(self) -> tuple[str, ...]:
        return _arguments(self.function)

    @property
    def names(self) -> Iterator[str]:
        """Every quantity, parameter or input it depends on."""
        for name in self.arguments:
            wanted = aggregate(name)
            if wanted or name not in ENGINE_WORDS:
                yield wanted.of if wanted else name
        yield from (*(self.when or {}), *filter(None, (self.starts, self.best)))
        if self.rounds:
            yield from (self.rounds.unit, self.rounds.mode)

    @property
    def about(self) -> str:
        """A sentence on what it is: the first paragraph of its docstring."""
        return " ".join((self.function.__doc__ or "").strip().split("\n\n")[0].split())

    def applies(self, word: Callable[[str], str]) -> bool:
        """Return whether the words this rule is for are the words of the case."""
        for name, wanted in (self.when or {}).items():
            if word(name) not in ((wanted,) if isinstance(wanted, str) else wanted):
                return False
        return True


def rule(
    clause: str,
    *,
    per: Level = "field",
    when: Words | None = None,
    defines: str = "",
    rounds: Rounding | None = None,
    starts: str = "",
    best: str = "",
    presumes: Presumption = "",
    **unknown: object,
) -> Callable[[Function], Function]:
    """Declare a rule.

    ``when`` limits it to cases with these words, so that several functions may define the same
    quantity (``defines``), never two at once. ``starts`` names the quantity that is the value at
    place 1 of a rule built on ``previous``. ``best`` names how many of the largest
    ``sum_of_best_x`` takes. With ``presumes`` it stands in for an answer nobody gave: the input of
    its name is unknown where it is used, and an event's awards are asked about where they hang on
    it; if it is the ``usual`` one, it is among what one confirmation answers.
    """
    for key in unknown:
        raise UnknownName("key of @rule", key, DECLARED)
    for what, word, words in (("per", per, LEVELS), ("presumes", presumes, PRESUMPTIONS)):
        if word not in words:
            raise UnknownName(Message("{key} of @rule", key=what), str(word), words)
    if when is not None and not isinstance(when, Mapping):
        raise RulebookError(
            'when={when!r}: expected words by name, e.g. {{"kind": "pairs"}}', when=when
        )
    if rounds is not None and not isinstance(rounds, Rounding):
        raise RulebookError(
            'rounds={rounds!r}: expected a rounding, e.g. nearest("cent")', rounds=rounds
        )
    texts = {"clause": clause, "defines": defines, "starts": starts, "best": best}
    for key, text in texts.items():
        if not isinstance(text, str):
            raise RulebookError(
                "{key} of @rule is {text}: expected a text in quotes",
                key=key,
                text=getattr(text, "__name__", str(text)),
            )

    def declare(function: Function) -> Function:
        name = defines or function.__name__
        if hasattr(function, "__rule__"):
            raise RulebookError(
                "function {name} has two decorators, of which only one would count", name=name
            )
        made = Rule(
            name, function, clause, "rule", per, when, rounds, starts, best=best, presumes=presumes
        )
        function.__rule__ = made  # type: ignore[attr-defined]
        return function

    return declare


DECLARED = [name for name in inspect.signature(rule).parameters if name != "unknown"]
"""What the declaration of a rule may say."""


# --- names as people write them -----------------------------------------------------------------


def public(name: str) -> str:
    """A name as people write it: ``class`` for the argument ``class_``."""
    return name.rstrip("_")


@cache
def titled(name: str) -> Message:
    """A quantity's name as people read it, in their language where the catalogue has it."""
    return Message(label_of(name))


# --- many into one ------------------------------------------------------------------------------

BEST, MEAN, SUM, COUNT = "sum_of_best_", "mean_of_", "sum_of_", "count_of_"
RANK, COVERED = "rank_of_", "covered_"
PREFIXES = (BEST, MEAN, SUM, COUNT, RANK, COVERED)
"""The beginnings of arguments that ask for an aggregate."""


@dataclass(frozen=True, slots=True)
class Aggregate:
    """An argument such as ``mean_of_strength``: how, and of what."""

    how: str
    of: str


@lru_cache(maxsize=4096)
def aggregate(name: str) -> Aggregate | None:
    """The aggregate an argument's name asks for, if it does."""
    for prefix in PREFIXES:
        if name.startswith(prefix):
            return Aggregate(prefix, name.removeprefix(prefix))
    return None
