"""What a rulebook asks for, and the numbers, words and tables it states."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from typing import Literal

from honours.engine.numbers import exact, show
from honours.engine.rules import Level
from honours.engine.written_names import public
from honours.errors import InputError, UnknownName, WrongValue
from honours.model import Citation
from honours.model.message import Message, either, mark

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


NUMBERS = ("number", "count", "rank")
TEXTS = ("word", "date", "counts")
TYPES = (*NUMBERS, *TEXTS)
"""What an input may be: rules see a number of the first kind, a text of the second."""
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
    scale: str = ""
    unsaid: Unsaid = "first"
    holds: str = ""

    @property
    def is_text(self) -> bool:
        """Whether rules see a text, not a number."""
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
            return _date(key, value)
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
        """What one would give, for instance; empty where the rulebook has no example of it."""
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


def _date(key: str, value: object) -> str:
    try:
        return date.fromisoformat(str(value)).isoformat()
    except ValueError as error:
        raise WrongValue(key, str(value), "not a date; expected e.g. 2019-06-30") from error


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
