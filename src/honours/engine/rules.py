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
from fractions import Fraction
from functools import cache, lru_cache, partial
from typing import Any, Literal, TypeVar, get_args

from honours.errors import RulebookError, UnknownName
from honours.model.facts import label_of
from honours.model.message import Message

# --- how a rule is declared ---------------------------------------------------------------------

Level = Literal["field", "place", "entrant", "player", "game"]
LEVELS: tuple[Level, ...] = get_args(Level)
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
    """A declared rule. ``kind`` is ``rule``, ``refusal``, ``notice`` or ``sentence``."""

    name: str
    function: Callable[..., Any]
    clause: str
    kind: str = "rule"
    per: Level = "field"
    when: Words | None = None
    rounds: Rounding | None = None
    starts: str = ""
    tabulated: bool = False
    message: str = ""
    asks: str = ""
    best: str = ""
    presumes: Literal["", "asked", "usual"] = ""
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
    tabulated: bool = False,
    best: str = "",
    **unknown: object,
) -> Callable[[Function], Function]:
    """Declare a rule.

    ``when`` limits it to cases with these words, so that several functions may define the same
    quantity (``defines``), never two at once. ``starts`` names the quantity that is the value at
    place 1 of a rule built on ``previous``. ``best`` names how many of the largest
    ``sum_of_best_x`` takes. ``tabulated`` rules run exactly, once per distinct arguments, in
    columns too: those that sit on boundaries by nature or read tables.
    """
    _check_declared(rule, per, when, rounds, unknown)
    _check_texts(rule, clause=clause, defines=defines, starts=starts, best=best)

    def declare(function: Function) -> Function:
        name = defines or function.__name__
        made = Rule(name, function, clause, "rule", per, when, rounds, starts, tabulated, best=best)
        return _declared(function, made)

    return declare


tabulated = partial(rule, tabulated=True)
"""Declare a rule that is ``tabulated``."""


def presumes(
    clause: str,
    *,
    usual: bool = False,
    per: Level = "field",
    when: Words | None = None,
    defines: str = "",
    **unknown: object,
) -> Callable[[Function], Function]:
    """Declare a rule that stands in for an answer nobody gave: the input of its name is unknown
    where it is used, and an event's awards are asked about where they hang on it. With ``usual``
    it is among what one confirmation answers.
    """
    _check_declared(presumes, per, when, None, unknown)
    _check_texts(presumes, clause=clause, defines=defines)

    def declare(function: Function) -> Function:
        name = defines or function.__name__
        stands_in: Literal["asked", "usual"] = "usual" if usual else "asked"
        made = Rule(name, function, clause, per=per, when=when, tabulated=True, presumes=stands_in)
        return _declared(function, made)

    return declare


def _check_declared(
    decorator: Callable[..., Any],
    per: str,
    when: object,
    rounds: object,
    unknown: Mapping[str, object],
) -> None:
    """Refuse a misspelt key or level where it stands, not where it is first missed."""
    keys = [
        n for n, p in inspect.signature(decorator).parameters.items() if p.kind != p.VAR_KEYWORD
    ]
    for key in unknown:
        what = Message("key of @{decorator}", decorator=decorator.__name__)
        raise UnknownName(what, key, keys)
    if per not in LEVELS:
        raise UnknownName("level: per", per, LEVELS)
    if when is not None and not isinstance(when, Mapping):
        raise RulebookError(
            'when={when!r}: expected words by name, e.g. {{"kind": "pairs"}}', when=when
        )
    if rounds is not None and not isinstance(rounds, Rounding):
        raise RulebookError(
            'rounds={rounds!r}: expected a rounding, e.g. nearest("cent")', rounds=rounds
        )


def _check_texts(decorator: Callable[..., Any], **texts: object) -> None:
    """Refuse a number, or a function, where a clause or a name is expected."""
    for key, text in texts.items():
        if not isinstance(text, str):
            raise RulebookError(
                "{key} of @{decorator} is {text}: expected a text in quotes",
                key=key,
                decorator=decorator.__name__,
                text=getattr(text, "__name__", str(text)),
            )


def _declared(function: Function, made: Rule) -> Function:
    """The function with its rule; one function is one rule."""
    if hasattr(function, "__rule__"):
        raise RulebookError(
            "function {name} has two decorators, of which only one would count", name=made.name
        )
    function.__rule__ = made  # type: ignore[attr-defined]
    return function


def _verdict(
    kind: str, message: str, clause: str, per: Level, when: Words | None, asks: str = ""
) -> Callable[[Function], Function]:
    def declare(function: Function) -> Function:
        name = function.__name__
        made = Rule(name, function, clause, kind, per, when, message=message, asks=asks)
        return _declared(function, made)

    return declare


REFUSED = ("field", "player")
"""What may be refused: all of a list, or one player."""


def refuses(
    message: str,
    clause: str,
    *,
    per: Level = "field",
    when: Words | None = None,
    asks: str = "",
    **unknown: object,
) -> Callable[[Function], Function]:
    """Declare a refusal: where the function says so nothing is awarded, for ``message``.

    ``message`` may use the function's arguments in braces. Per player, only that player is
    refused: the field and the places stay as they are. Where only some cases need an input,
    ``asks`` names it: there it is missing, which is an error (of many fields at once, a refusal).
    """
    _check_declared(refuses, per, when, None, unknown)
    _check_texts(refuses, message=message, clause=clause, asks=asks)
    if per not in REFUSED:
        raise UnknownName("level: per", per, REFUSED)
    return _verdict("refusal", message, clause, per, when, asks)


def notices(
    message: str, clause: str, *, when: Words | None = None, **unknown: object
) -> Callable[[Function], Function]:
    """Declare something the reader must be told where the function says so."""
    _check_declared(notices, "field", when, None, unknown)
    _check_texts(notices, message=message, clause=clause)
    return _verdict("notice", message, clause, "field", when)


def says(
    message: str, clause: str, *, when: Words | None = None, **unknown: object
) -> Callable[[Function], Function]:
    """Declare a sentence of an award *in short*, said where the function says so.

    What a master-point secretary would tell a member: ``message`` may use the function's arguments
    in braces. Those that apply are said in the order of the file.
    """
    _check_declared(says, "entrant", when, None, unknown)
    _check_texts(says, message=message, clause=clause)
    return _verdict("sentence", message, clause, "entrant", when)


# --- names as people write them -----------------------------------------------------------------


def public(name: str) -> str:
    """A name as people write it: ``class`` for the argument ``class_``."""
    return name.rstrip("_")


@cache
def titled(name: str) -> Message:
    """A quantity's name as people read it, in their language where the catalogue has it."""
    return Message(label_of(name))


# --- many into one ------------------------------------------------------------------------------

RANK, COVERED = "rank_of_", "covered_"


@dataclass(frozen=True, slots=True)
class Fold:
    """The way values become one: their number, sum or mean. ``best`` takes the largest only, as
    many as the rule that asks says; ``needs_members`` is a fold that cannot be had without a list,
    where a mean is everyone's common value."""

    counts: bool = False
    mean: bool = False
    best: bool = False

    @property
    def needs_members(self) -> bool:
        return not self.mean

    def of(self, values: list[Fraction]) -> Fraction:
        """The fold of some values, of which there is at least one."""
        if self.counts:
            return Fraction(len(values))
        whole = sum(values, Fraction(0))
        return whole / len(values) if self.mean else whole


FOLDS: Mapping[str, Fold] = {
    "sum_of_best_": Fold(best=True),
    "mean_of_": Fold(mean=True),
    "sum_of_": Fold(),
    "count_of_": Fold(counts=True),
}
"""By the beginning of the argument that asks for one."""
PREFIXES = (*FOLDS, RANK, COVERED)


@dataclass(frozen=True, slots=True)
class Aggregate:
    """An argument such as ``mean_of_strength``: how, and of what."""

    how: str
    of: str

    @property
    def fold(self) -> Fold | None:
        """The way values are put together; ``None`` for a rank and for what a tie covers."""
        return FOLDS.get(self.how)


@lru_cache(maxsize=4096)
def aggregate(name: str) -> Aggregate | None:
    """The aggregate an argument's name asks for, if it does."""
    for prefix in PREFIXES:
        if name.startswith(prefix):
            return Aggregate(prefix, name.removeprefix(prefix))
    return None
