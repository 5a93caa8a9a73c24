"""A rulebook as a value: its words, numbers and rules, read from one folder and never changed.

``amend`` gives a new rulebook that carries its difference; nothing is mutated.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from fractions import Fraction
from functools import cache
from typing import Any

from honours.engine.derive import Derivation
from honours.engine.names import public
from honours.engine.numbers import exact, show
from honours.engine.posting import PostingRule
from honours.engine.ranks import Rank
from honours.engine.rules import Level, Rule
from honours.errors import InputError, UnknownName
from honours.model import Choice, Citation
from honours.model.message import Message, mark

Table = Mapping[str, Fraction]
Rows = tuple[tuple[Fraction, ...], ...]
ParameterValue = Fraction | str | Table | Rows


@dataclass(frozen=True, slots=True)
class Parameter:
    """A number, word or table of the rule, with the clause that states it."""

    name: str
    value: ParameterValue
    citation: Citation
    about: str = ""
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Input:
    """Something a rulebook asks about an event, an entrant or a player.

    ``type`` is ``number``, ``count`` (whole, not negative), ``word``, ``date``, ``counts``
    (several as 26+20) or ``rank``, a go player's rank such as 3d or 2k, which is 3 or −2. More than
    one number goes to the input that ``several`` names. An input that a rule of the same name can
    work out may be left out; one that is given counts as given, and with ``must_agree`` it is an
    error if the rule gives something else. ``named`` are words that stand for a number (``none``
    for a limit of 0), so that rules see only numbers.
    """

    name: str
    about: str
    type: str = "number"
    per: Level = "field"
    words: tuple[str, ...] = ()
    default: str | None = None
    least: Fraction | None = None
    most: Fraction | None = None
    example: str = ""
    must_agree: bool = False
    several: str = ""
    named: Mapping[str, Fraction] = field(default_factory=dict)

    def read(self, value: object) -> Fraction | str:
        """The value as given, checked: a wrong one names itself and what would be right."""
        key = public(self.name)
        if self.type == "word":
            text = str(value).strip()
            if text not in self.words:
                raise UnknownName(str(key), text, self.words)
            return text
        if self.type == "date":
            return _date(key, value)
        if self.type == "counts":
            return _counts(key, value)
        if self.type == "rank":
            value = _rank(value)
        if str(value).strip() in self.named:
            return self.named[str(value).strip()]
        try:
            number = exact(value)
        except InputError as error:
            words = "".join(f" or {word!r}" for word in self.named)
            raise InputError(f"{key}={value}: not a number{words}") from error
        self.check(number)
        return number

    def shown(self, value: Fraction | str) -> str:
        """The value as people write it: ``none`` rather than the number it stands for."""
        names = [word for word, number in self.named.items() if number == value]
        return names[0] if names else value if isinstance(value, str) else show(value)

    def check(self, number: Fraction) -> None:
        """Refuse a number, given or worked out from what was given, that cannot be this."""
        key = public(self.name)
        least = self.least if self.least is not None else Fraction(0)
        if number < least:
            raise InputError(f"{key}={_plain(number)}: must be at least {_plain(least)}")
        if self.most is not None and number > self.most:
            raise InputError(f"{key}={_plain(number)}: must be at most {_plain(self.most)}")
        if self.type == "count" and number.denominator != 1:
            raise InputError(f"{key}={_plain(number)}: must be a whole number")


def _date(key: str, value: object) -> str:
    try:
        return date.fromisoformat(str(value)).isoformat()
    except ValueError as error:
        raise InputError(f"{key}={value}: not a date; expected e.g. 2019-06-30") from error


def _counts(key: object, value: object) -> str:
    """Several whole numbers, as they are told apart: 26+20 or 26,20."""
    counts = re.split(r"[+,;\s]+", str(value).strip())
    if str(value).strip() and not all(re.fullmatch(r"[1-9]\d{0,3}", count) for count in counts):
        raise InputError(Message("{key}={value}: expected e.g. 26+20", key=key, value=str(value)))
    return "+".join(counts)


def _rank(value: object) -> object:
    """A rank as a number, kyu below 0; a number is one already."""
    rank = re.fullmatch(r"(\d{1,2})\s*(?:([dD])(?:an)?|[kK](?:yu)?)", str(value).strip())
    if rank is None:
        return value
    return int(rank[1]) if rank[2] else -int(rank[1])


def _plain(x: Fraction) -> str:
    return str(x.numerator) if x.denominator == 1 else f"{float(x):g}"


COMMON_INPUTS = (
    Input(
        "places",
        "how many places are paid, instead of the rule's own number",
        "count",
        least=Fraction(1),
        most=Fraction(100_000),
        example="10",
    ),
    Input("date", "the date of the event", "date", example="2019-06-30"),
)
"""What every rulebook may be told; a rulebook may declare its own of the same name."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A choice of ours as the rulebook declares it: shown when what it is about was used."""

    choice: Choice
    about: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Effective:
    """From when until when the edition holds, and what replaced it."""

    since: str = ""
    until: str = ""
    newer: str = ""


STATUSES = (
    mark("in force"),
    mark("proposed"),
    mark("superseded"),
    mark("as a program computes it"),
)


@dataclass(frozen=True, slots=True)
class BookStanding:
    """What the rule is worth: whether it holds, what we know it from, and what it refuses because
    nothing was seen of it."""

    status: str = "in force"
    evidence: str = ""
    refused: str = ""

    @property
    def needs_confirming(self) -> bool:
        """Whether posting by it takes somebody who says that it is meant."""
        return self.status != "in force"


@dataclass(frozen=True, slots=True)
class Variant:
    """A named set of amendments, e.g. the formula as printed."""

    name: str
    about: str
    changes: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class FigureRule:
    """A further figure of an entrant or player: the quantity that gives it, and how it is shown.
    Without ``decimals`` it is shown as it is."""

    name: str
    about: str
    quantity: str
    unit: str = ""
    decimals: int | None = None


@dataclass(frozen=True, slots=True)
class Lists:
    """What a rulebook does with an event of several ranking lists.

    ``lines`` and ``strata`` are ``each`` (every list pays by itself), ``one`` (only the whole
    field's list counts; lines are ranked together by score) or ``refused``; lines may be ``each and
    all`` (and all of them ranked together); ``session_lines`` is for the lists of a session, where
    those differ. An entrant of whom the fact ``present`` is 0 was not there, and is
    in no list. ``ties`` is ``place``, or ``score`` where equal scores are ties whatever broke
    them. ``combine`` is ``best`` or ``sum`` of what they pay; with ``sessions = "sum"`` what the
    sessions pay is added up before.
    ``line_words`` are the lists a calculation has when the inputs in ``line_when`` say so.
    ``own`` are inputs that differ from list to list (its tables, its average): they cannot be
    given for an event of several. A session's list is awarded beside the overall one with
    ``session_facts`` and the quantities in ``from_overall``, which it takes from that one; where
    ``section_facts`` are given, each section of the event is awarded beside it with those.
    """

    lines: str = "refused"
    strata: str = "refused"
    combine: str = "best"
    sessions: str = "each"
    line_words: tuple[str, ...] = ()
    line_when: Mapping[str, str] = field(default_factory=dict)
    strata_clause: str = ""
    lines_clause: str = ""
    session_lines: str = ""
    ties: str = "place"
    present: str = ""
    present_clause: str = ""
    ties_clause: str = ""
    own: tuple[str, ...] = ("entrants", "places")
    session_facts: Mapping[str, str] = field(default_factory=dict)
    from_overall: tuple[str, ...] = ()
    section_facts: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Rulebook:
    """One edition of one federation's rule, frozen. Made by :func:`honours.engine.load.load`."""

    id: str
    title: str
    body: str
    edition: str
    revision: int
    unit: str
    decimals: int
    effective: Effective
    lists: Lists
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
    standing: BookStanding = BookStanding()
    derivations: tuple[Derivation, ...] = ()
    posting: tuple[PostingRule, ...] = ()
    figures: tuple[FigureRule, ...] = ()
    colours: Mapping[str, str] = field(default_factory=dict)

    @property
    def plays_games(self) -> bool:
        """Whether it asks anything of games."""
        levels = (*(r.per for r in self.rules), *(i.per for i in self.inputs.values()))
        return "game" in levels

    @property
    def hash(self) -> str:
        """A digest of every byte of the folder and every amendment."""
        changes = "".join(f"{k}={v}\n" for k, v in sorted(self.amended.items()))
        return _digest(self.text_hash + changes)

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

    def example_of(self, keys: str) -> str:
        """How one key or another is given: ``winners=1 or movement=howell``."""
        declared = {public(name): one for name, one in self.inputs.items()}
        known = [(key, declared[key]) for key in keys.split(" or ") if key in declared]
        told = [(key, one.example or "".join(one.words[:1])) for key, one in known]
        return " or ".join(f"{key}={value}" for key, value in told if value)

    def input(self, key: str) -> Input:
        """The input called ``key``, or an error that lists the keys and the nearest."""
        for name, declared in self.inputs.items():
            if key in (name, public(name)):
                return declared
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
                raise InputError(f"{name}={_plain(unit)}: what is rounded to cannot be negative")

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


def _amended(parameter: Parameter, item: str, text: str) -> Parameter:
    value = parameter.value
    if item and not isinstance(value, Mapping):
        raise InputError(f"{parameter.name}.{item}: {parameter.name} is not a table of words")
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


@cache
def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _bounded(name: str, text: str, before: Fraction) -> Fraction:
    """An amended number within the bounds of what it amends."""
    return _within(f"{name}={text}", _number(name, text), max(LEAST_BOUND, TIMES * abs(before)))


def _within(told: str, number: Fraction, most: Fraction) -> Fraction:
    if abs(number) > most:
        raise InputError(f"{told}: an amended number is here at most {show(most)}")
    if number.denominator > FINEST:
        raise InputError(f"{told}: an amended number has at most 12 decimals")
    return number


def _rows(name: str, before: Rows, text: str) -> Rows:
    """A table of rows as it is amended: ``6:3, 12:4``, as wide as it was."""
    rows = tuple(
        tuple(_within(f"{name}={x}", _number(name, x), LARGEST_ROW) for x in row.split(":"))
        for row in text.split(",")
    )
    if any(len(row) != len(before[0]) for row in rows):
        example = ", ".join(":".join(_plain(x) for x in row) for row in before)
        raise InputError(f"{name}={text}: expected rows like {example}")
    return rows


def _number(name: str, text: str) -> Fraction:
    try:
        return exact(text)
    except InputError as error:
        raise InputError(f"{name}={text}: not a number") from error
