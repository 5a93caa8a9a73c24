"""A rulebook as a value: its words, numbers and rules, read from one folder and never changed.

``amend`` gives a new rulebook that carries its difference; nothing is mutated. In this folder too:
reading one (:mod:`.load`), what is wrong with one (:mod:`.lint`, :mod:`.bodies`, :mod:`.checking`),
the language of rules (:mod:`.vocabulary`) and a folder to begin with (:mod:`.starting`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache
from typing import Any

from honours.engine.derive import Derivation
from honours.engine.living import LivingPoints
from honours.engine.numbers import exact, show
from honours.engine.posting import PostingRule
from honours.engine.ranks import Rank
from honours.engine.rulebook.inputs import (
    COMMON_INPUTS,
    Input,
    Parameter,
    ParameterValue,
    Rows,
    Table,
    plain,
)
from honours.engine.rulebook.parts import (
    STATUSES,
    BookStanding,
    EffectiveDates,
    FigureRule,
    ListPolicy,
    Reading,
    Variant,
)
from honours.engine.rules import Rule
from honours.engine.written_names import public
from honours.errors import InputError, UnknownName, WrongValue
from honours.model.message import Message

__all__ = [
    "COMMON_INPUTS",
    "STATUSES",
    "BookStanding",
    "EffectiveDates",
    "FigureRule",
    "Input",
    "ListPolicy",
    "Parameter",
    "ParameterValue",
    "Reading",
    "Rows",
    "Rulebook",
    "Table",
    "Variant",
]


@dataclass(frozen=True, slots=True)
class Rulebook:
    """One edition of one federation's rule, frozen; :mod:`.load` makes it."""

    id: str
    title: str
    body: str
    game: str
    edition: str
    revision: int
    unit: str
    decimals: int
    effective: EffectiveDates
    lists: ListPolicy
    sources: Mapping[str, str]
    parameters: Mapping[str, Parameter]
    inputs: Mapping[str, Input]
    rules: tuple[Rule, ...]
    readings: tuple[Reading, ...]
    variants: Mapping[str, Variant]
    readme: str
    text_hash: str
    examples: Mapping[str, Any]
    extras: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    amended: Mapping[str, str] = field(default_factory=dict)
    ranks: tuple[Rank, ...] = ()
    living: tuple[LivingPoints, ...] = ()
    standing: BookStanding = field(default_factory=BookStanding)
    derivations: tuple[Derivation, ...] = ()
    posting: tuple[PostingRule, ...] = ()
    figures: tuple[FigureRule, ...] = ()
    colours: Mapping[str, str] = field(default_factory=dict)
    toml: str = ""
    """The text of ``rulebook.toml``, for where something stands in it."""

    @property
    def plays_games(self) -> bool:
        """Whether it asks anything of games."""
        levels = (*(r.per for r in self.rules), *(i.per for i in self.inputs.values()))
        return "game" in levels

    @property
    def hash(self) -> str:
        """A digest of every byte of the folder and every amendment."""
        return hash_with(self.text_hash, self.amended)

    def in_force_on(self, day: str) -> bool:
        """Whether the rule held on a day (``2017-01-10``); without one, whether it holds."""
        if self.standing.status not in ("in force", "superseded"):
            return False
        if not day:
            return self.standing.status == "in force"
        since, until = self.effective.since, self.effective.until
        return (not since or since <= day) and (not until or day <= until)

    def rank_on(self, day: str) -> int:
        """Where it stands among those that are offered for an event of that day: first what was
        in force, then by their standing."""
        return -1 if self.in_force_on(day) else STATUSES.index(self.standing.status)

    @property
    def keys(self) -> tuple[str, ...]:
        """What a calculation accepts, as people write it."""
        return tuple(public(name) for name in self.inputs)

    def takes(self, key: str) -> bool:
        """Whether something may be given by this key."""
        return key in self.keys

    def examples_of(self, keys: Iterable[str]) -> dict[str, str]:
        """What is given by keys that have an example, e.g. ``winners`` 1, ``movement`` howell."""
        declared = {public(name): one for name, one in self.inputs.items()}
        examples = {key: declared[key].in_example for key in keys if key in declared}
        return {key: value for key, value in examples.items() if value}

    def input(self, key: str) -> Input:
        """The input called ``key``, or an error that lists the keys and the nearest."""
        for name, declared in self.inputs.items():
            if key in (name, public(name)):
                return declared
        if key in self.parameters:
            raise InputError(
                "{key} is a parameter of {rulebook}, not told of an event: amend it with "
                "--set {key}=VALUE",
                key=key,
                rulebook=self.id,
            )
        raise UnknownName(Message("key of {rulebook}", rulebook=self.id), key, self.keys)

    def rules_for(self, name: str) -> Iterator[Rule]:
        """The rules that define a quantity, each for its own words."""
        return (r for r in self.rules if r.kind == "rule" and r.name == name)

    def amend(self, changes: Mapping[str, object] | None = None, **more: object) -> Rulebook:
        """A variant with other parameters: ``amend(size_exponent="1/2")``.

        An item of a table is named ``table.item``. The result carries its difference.
        """
        wanted = {k: str(v) for k, v in {**(changes or {}), **more}.items()}
        parameters = dict(self.parameters)
        for key, text in wanted.items():
            name, _, item = key.partition(".")
            if name not in parameters:
                raise UnknownName(
                    Message("parameter of {rulebook}", rulebook=self.id), name, parameters
                )
            parameters[name] = _amended(parameters[name], item, text)
        self._check_units(parameters)
        return replace(self, parameters=parameters, amended={**self.amended, **wanted})

    def _check_units(self, parameters: Mapping[str, Parameter]) -> None:
        for name in {rule.rounds.unit for rule in self.rules if rule.rounds}:
            unit = parameters[name].value if name in parameters else Fraction(0)
            if isinstance(unit, Fraction) and unit < 0:
                raise WrongValue(name, plain(unit), "what is rounded to cannot be negative")

    def variant(self, name: str) -> Rulebook:
        """The named variant of this rulebook."""
        if name not in self.variants:
            raise UnknownName(
                Message("variant of {rulebook}", rulebook=self.id), name, self.variants
            )
        return self.amend(self.variants[name].changes)


LEAST_BOUND, TIMES, FINEST, LARGEST_ROW = Fraction(20), 100, 10**12, Fraction(10**7)
"""An amended number may be this large, or so many times what the source says, and this fine: as an
exponent or a count, one without bounds would keep exact arithmetic busy for ever."""


def most_amended(before: Fraction) -> Fraction:
    """How large a number may be made, positive or negative."""
    return max(LEAST_BOUND, TIMES * abs(before))


def _amended(parameter: Parameter, item: str, text: str) -> Parameter:
    value = parameter.value
    if item and not isinstance(value, Mapping):
        raise InputError(
            "{name}.{item}: {name} is not a table of words", name=parameter.name, item=item
        )
    if parameter.words:
        if text not in parameter.words:
            raise UnknownName(parameter.name, text, parameter.words)
        return replace(parameter, value=text)
    if isinstance(value, Mapping):
        if item not in value:
            raise UnknownName(Message("item of {name}", name=parameter.name), item, value)
        amended = _bounded(f"{parameter.name}.{item}", text, value[item])
        return replace(parameter, value={**value, item: amended})
    if isinstance(value, tuple):
        return replace(parameter, value=_rows(parameter.name, value, text))
    assert isinstance(value, Fraction)
    return replace(parameter, value=_bounded(parameter.name, text, value))


def hash_with(text_hash: str, amended: Mapping[str, str]) -> str:
    """The hash of the rulebook whose files have this digest, with amendments."""
    return _digest(text_hash + "".join(f"{k}={v}\n" for k, v in sorted(amended.items())))


@cache
def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _bounded(name: str, text: str, before: Fraction) -> Fraction:
    """An amended number within the bounds of what it amends."""
    return _within(name, text, most_amended(before))


def _within(name: str, text: str, most: Fraction) -> Fraction:
    number = _number(name, text)
    if abs(number) > most:
        raise WrongValue(name, text, "an amended number is here at most {most}", most=show(most))
    if number.denominator > FINEST:
        raise WrongValue(name, text, "an amended number has at most 12 decimals")
    return number


def _rows(name: str, before: Rows, text: str) -> Rows:
    """A table of rows as it is amended: ``6:3, 12:4``, as wide as it was."""
    rows = tuple(
        tuple(_within(name, x, LARGEST_ROW) for x in row.split(":")) for row in text.split(",")
    )
    if any(len(row) != len(before[0]) for row in rows):
        example = ", ".join(":".join(plain(x) for x in row) for row in before)
        raise WrongValue(name, text, "expected rows like {example}", example=example)
    return rows


def _number(name: str, text: str) -> Fraction:
    try:
        return exact(text)
    except InputError as error:
        raise WrongValue(name, text, "not a number") from error
