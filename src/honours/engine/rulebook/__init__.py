"""A rulebook as a value: its words, numbers and rules, read from one folder and never changed.

``amend`` gives a new rulebook that carries its difference; nothing is mutated. In this folder too:
reading one (:mod:`.load`), what is wrong with one (:mod:`.lint`, :mod:`.bodies`, :mod:`.checking`),
the language of rules (:mod:`.vocabulary`) and a folder to begin with (:mod:`.starting`).
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from fractions import Fraction
from functools import cache
from typing import Any, Literal

from honours.engine.known_facts import Derivation
from honours.engine.numbers import exact, show
from honours.engine.ranks import Grade, LivingPoints, Rank, SnapshotDays
from honours.engine.rules import Rule, public
from honours.errors import InputError, RulebookError, UnknownName, WrongValue
from honours.model import Choice, Citation
from honours.model.message import Message, by_option, either, mark

# --- the smaller parts of a rulebook ------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Reading:
    """A choice of ours as the rulebook declares it: shown when what it is about was used."""

    name: str
    reading: str
    about: tuple[str, ...]
    parameter: str = ""

    @property
    def choice(self) -> Choice:
        """The choice as a reader is told of it."""
        return Choice(self.name, self.reading, self.parameter)


@dataclass(frozen=True, slots=True)
class EffectiveDates:
    """From when until when the edition holds, what replaced it, and when somebody last looked
    whether it still holds."""

    since: str = ""
    until: str = ""
    newer: str = ""
    looked: str = ""

    def is_stale(self, today: date) -> bool:
        """Return whether the last look was more than a year ago."""
        day = date.fromisoformat(self.looked) if self.looked else today
        return (today - day).days > _A_YEAR


_A_YEAR = 366
STATUSES = (
    mark("in force"),
    mark("proposed"),
    mark("superseded"),
    mark("as a program computes it"),
)


@dataclass(frozen=True, slots=True)
class BookStanding:
    """The worth of the rule: whether it holds, what we know it from, and what it refuses because
    nothing was seen of it. ``programs`` are those whose files are awarded by it; ``known_by`` are
    facts, ``formats`` kinds of files that only its federation has, ``countries`` those of its
    members, ``numbers`` the pattern of theirs."""

    status: str = "in force"
    evidence: str = ""
    refused: str = ""
    programs: tuple[str, ...] = ()
    known_by: tuple[str, ...] = ()
    formats: tuple[str, ...] = ()
    countries: tuple[str, ...] = ()
    numbers: str = ""

    def __post_init__(self) -> None:
        if self.status not in STATUSES:
            raise UnknownName("status", self.status, STATUSES)

    @property
    def needs_confirming(self) -> bool:
        """True if posting by it needs somebody to say that it is meant."""
        return self.status != "in force"


@dataclass(frozen=True, slots=True)
class Variant:
    """A named set of amendments, e.g. the formula as printed."""

    name: str
    about: str
    changes: Mapping[str, str] = field(metadata={"key": "set"})


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
class ListPolicy:
    """The treatment of an event of several ranking lists.

    ``lines`` and ``strata`` are ``each`` (every list pays by itself), ``one`` (only the whole
    field's list counts; lines are ranked together by score) or ``refused``; ``session_lines`` is
    for the lists of a session, where those differ. An entrant of whom the fact ``present`` is 0 was
    not there, and is in no list. ``ties`` is ``place``, or ``score`` where equal scores are ties
    whatever broke them. ``combine`` is ``best`` or ``sum`` of what they pay; with ``sessions =
    "sum"`` what the sessions pay is added up before.
    ``line_words`` are the lists a calculation has when the inputs in ``line_when`` say so.
    ``own`` are inputs that differ from list to list (its tables, its average): they cannot be
    given for an event of several. A session's list is awarded beside the overall one with
    ``session_facts`` and the quantities in ``from_overall``, which it takes from that one; where
    ``section_facts`` are given, each section of the event is awarded beside it with those.
    """

    lines: Literal["each", "one", "refused"] = "refused"
    strata: Literal["each", "one", "refused"] = "refused"
    combine: Literal["best", "sum"] = "best"
    sessions: Literal["each", "sum"] = "each"
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

    @property
    def pays_best(self) -> bool:
        """True if an entrant has the best of what its lists pay, not their sum."""
        return self.combine == "best"

    @property
    def ranks_together(self) -> bool:
        """True if the lines of an event are ranked together by score."""
        return self.lines == "one"


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


# --- what a rulebook asks for, and the numbers, words and tables it states ----------------------

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


ONE_COLOUR = "all"
"""The key of ``[colours]`` for the quantity that names the one colour of all points of a list."""
TEXTS = ("word", "date", "counts")
"""The types of inputs of which rules see a text, not a number."""
Unsaid = Literal["first", "usual", "absent"]
"""What holds where nothing is said: what is tried ``first`` while it is asked, the ``usual``
answer, which one confirmation gives for all of them, or what an ``absent`` column means."""


NOT_EXACT = mark("a float is not exact: give a whole number, a fraction or text")


@dataclass(frozen=True, slots=True)
class Input:
    """Something a rulebook asks about an event, an entrant or a player.

    ``type`` is ``number``, ``count`` (whole, not negative), ``word``, ``date``, ``counts``
    (several as 26+20) or ``rank``, a go player's rank such as 3d or 2k, which is 3 or −2. More than
    one number goes to the input that ``several`` names. An input that a rule of the same name can
    work out may be left out; one that is given counts as given, and with ``must_agree`` it is an
    error if the rule gives something else. ``named`` are words that stand for a number (``none``
    for a limit of 0), so that rules see only numbers. ``default`` is what a calculation takes where
    nothing is said, and ``unsaid`` what that means of an event. Nobody of the field ``holds`` more
    than it of a fact of players. A number that is known to be on another ``scale`` is not taken.
    """

    name: str
    about: str
    type: Literal["number", "count", "rank", "word", "date", "counts"] = "number"
    per: Literal["field", "entrant", "player", "game"] = "field"
    words: tuple[str, ...] = ()
    default: str | None = None
    least: Fraction | None = None
    most: Fraction | None = None
    example: str = ""
    must_agree: bool = False
    several: str = ""
    named: Mapping[str, Fraction] = field(default_factory=dict)
    scale: str = ""
    unsaid: Unsaid = "first"
    holds: str = ""

    @property
    def is_text(self) -> bool:
        """True if rules see a text, not a number."""
        return self.type in TEXTS

    def read(self, value: object) -> Fraction | str:
        """The value as given, checked: a wrong one names itself and what would be right."""
        key = public(self.name)
        if self.type == "word":
            text = str(value).strip()
            if text not in self.words:
                raise UnknownName(str(key), text, self.words)
            return text
        if self.type == "date":
            try:
                return date.fromisoformat(str(value)).isoformat()
            except ValueError as error:
                raise WrongValue(key, str(value), "not a date; expected e.g. 2019-06-30") from error
        if self.type == "counts":
            return _counts(key, value)
        if self.type == "rank":
            value = _rank(value)
        if str(value).strip() in self.named:
            return self.named[str(value).strip()]
        try:
            number = exact(value)
        except TypeError as error:
            raise WrongValue(key, str(value), NOT_EXACT) from error
        except InputError as error:
            raise WrongValue(key, str(value), self._no_number()) from error
        self.check(number)
        return number

    @property
    def in_example(self) -> str:
        """A value one would give, for instance; empty if the rulebook has no example of it."""
        return self.example or "".join(self.words[:1])

    def _no_number(self) -> Message:
        if not self.named:
            return Message("not a number")
        return Message("not a number or {words}", words=either(repr(word) for word in self.named))

    def shown(self, value: Fraction | str) -> str:
        """The value as people write it: ``none`` rather than the number it stands for."""
        names = [word for word, number in self.named.items() if number == value]
        return names[0] if names else value if isinstance(value, str) else show(value)

    @property
    def smallest(self) -> Fraction:
        """The smallest number it may be."""
        return Fraction(0) if self.least is None else self.least

    def check(self, number: Fraction) -> None:
        """Refuse a number, given or worked out from what was given, that cannot be this."""
        key = public(self.name)
        if number < self.smallest:
            least = plain(self.smallest)
            raise WrongValue(key, plain(number), "must be at least {least}", least=least)
        if self.most is not None and number > self.most:
            raise WrongValue(key, plain(number), "must be at most {most}", most=plain(self.most))
        if self.type == "count" and number.denominator != 1:
            raise WrongValue(key, plain(number), "must be a whole number")


def _counts(key: str, value: object) -> str:
    """Several whole numbers with a sign between them: 26+20 or 26,20."""
    counts = re.split(r"[+,;\s]+", str(value).strip())
    if str(value).strip() and not all(re.fullmatch(r"[1-9]\d{0,3}", count) for count in counts):
        raise WrongValue(key, str(value), "expected e.g. 26+20")
    return "+".join(counts)


def _rank(value: object) -> object:
    """A rank as a number, kyu below 0; a number is one already."""
    rank = re.fullmatch(r"(\d{1,2})\s*(?:([dD])(?:an)?|[kK](?:yu)?)", str(value).strip())
    if rank is None:
        return value
    return int(rank[1]) if rank[2] else -int(rank[1])


def plain(x: Fraction) -> str:
    return str(x.numerator) if x.denominator == 1 else f"{float(x):g}"


COMMON_INPUTS = (
    Input(
        "places",
        mark("how many places are paid, instead of the rule's own number"),
        "count",
        least=Fraction(1),
        most=Fraction(100_000),
        example="10",
    ),
    Input("date", mark("the date of the event"), "date", example="2019-06-30"),
)
"""What every rulebook may be told; a rulebook may declare its own of the same name."""


# --- a rulebook as a value ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Rulebook:
    """One edition of one federation's rule, frozen; :mod:`.load` makes it."""

    id: str
    title: str
    body: str
    edition: str
    revision: int
    unit: str
    decimals: int
    sources: Mapping[str, str]
    inputs: Mapping[str, Input]
    parameters: Mapping[str, Parameter]
    effective: EffectiveDates
    lists: ListPolicy
    rules: tuple[Rule, ...]
    readme: str
    text_hash: str
    examples: Mapping[str, Any]
    standing: BookStanding
    game: str = ""
    readings: tuple[Reading, ...] = field(default=(), metadata={"key": "choices"})
    variants: Mapping[str, Variant] = field(default_factory=dict)
    extras: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    amended: Mapping[str, str] = field(default_factory=dict)
    ranks: tuple[Rank, ...] = ()
    living: tuple[LivingPoints, ...] = ()
    grades: tuple[Grade, ...] = ()
    snapshots: tuple[SnapshotDays, ...] = ()
    derivations: tuple[Derivation, ...] = ()
    posting: tuple[PostingRule, ...] = ()
    figures: tuple[FigureRule, ...] = ()
    colours: Mapping[str, str] = field(default_factory=dict)
    toml: str = ""
    """The text of ``rulebook.toml``, for where something stands in it."""

    @property
    def colours_paid(self) -> tuple[str, ...]:
        """Every colour its awards may have; none where it does not speak of colours."""
        if ONE_COLOUR not in self.colours:
            return tuple(self.colours)
        return self.inputs[self.colours[ONE_COLOUR]].words

    @property
    def plays_games(self) -> bool:
        """True if it asks anything of games."""
        levels = (*(r.per for r in self.rules), *(i.per for i in self.inputs.values()))
        return "game" in levels

    @property
    def hash(self) -> str:
        """A digest of every byte of the folder and every amendment."""
        return hash_with(self.text_hash, self.amended)

    def in_force_on(self, day: str) -> bool:
        """Return whether the rule held on a day (``2017-01-10``); without one, whether it holds."""
        if self.standing.status not in ("in force", "superseded"):
            return False
        if not day:
            return self.standing.status == "in force"
        since, until = self.effective.since, self.effective.until
        return (not since or since <= day) and (not until or day <= until)

    def rank_on(self, day: str) -> int:
        """Return where it stands among those that are offered for an event of that day: first what
        was in force, then by their standing."""
        return -1 if self.in_force_on(day) else STATUSES.index(self.standing.status)

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys that a calculation accepts, as people write them."""
        return tuple(public(name) for name in self.inputs)

    def takes(self, key: str) -> bool:
        """Return whether something may be given by this key."""
        return key in self.keys

    def examples_of(self, keys: Iterable[str]) -> dict[str, str]:
        """Return the examples of keys that have one, e.g. ``winners`` 1, ``movement`` howell."""
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
                "{key} is a parameter of {rulebook}, not told of an event: amend it with {remedy}",
                key=key,
                rulebook=self.id,
                remedy=by_option("set", f"{key}=VALUE"),
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
    """Return how large a number may be made, positive or negative."""
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
