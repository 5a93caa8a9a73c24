"""The inputs of the lab's questions, each read from the words of an address.

A command, a form and a program all give the same words; a field knows which words are its own, what
they mean (:data:`READ`), and what a form asks for.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol

from honours.errors import MissingInput, WrongValue
from honours.lab.compared_sides import AS_PAID
from honours.model.message import Message, mark

if TYPE_CHECKING:
    from honours.engine.rulebook import Rulebook
    from honours.lab.corpus import Corpus

UNCHANGED = "unchanged"
_BETWEEN = {"values": " ", "parameters": " ", "only": " ", "firsts": "; ", "strengths": "; "}
"""The separator between words that a command takes one by one, by type."""
_TURNS = {"corpus": 1, "event": 2}
"""Types that are read after the others."""
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_MOST = 99
Said = Mapping[str, str]
"""The words given, by the keys of an address."""


class Library(Protocol):
    """Where the things named in a question are found."""

    def corpus(self, name: str) -> Corpus: ...

    def rulebook(self, text: str) -> Rulebook: ...

    def event(self, corpus: Corpus, text: str) -> int:
        """The number of an event, provided it may be shown."""
        ...

    @property
    def on(self) -> str:
        """The address of the cluster to do the work, or nothing."""
        ...


@dataclass(frozen=True, slots=True)
class QuestionReading:
    """The words of a question, where the things it names are found, and the arguments read so
    far."""

    said: Said
    library: Library
    before: Mapping[str, Any]


@dataclass(frozen=True)
class QuestionField:
    """One input of a question; ``suggested`` fills the form at first. The name, and whether it
    may be left out, come from the function that answers."""

    label: Message
    type: str = "text"
    _: KW_ONLY
    about: str = ""
    """An example of what to enter, or a message with an explanation."""
    suggested: str = ""
    key: str = ""
    """The name in addresses and forms, if it differs from the argument's."""
    option: str = ""
    """The name in commands, likewise."""
    name: str = ""
    required: bool = True
    optional: bool = False
    """Whether it may be left out although the argument is required."""
    unless: str = ""
    """The key of another field; one of the two must be given."""
    default: Any = None
    words: tuple[str, ...] = ()
    """The possible words, if they are few."""
    least: int = 0
    most: int = 1_000_000
    paid: bool = False
    """For a rulebook: whether ``as-paid`` may take its place."""
    nothing: str = Message("nothing")
    """What a form calls the choice of none."""
    group: str = ""
    """The form inputs with the same value belong together."""

    def called(self, name: str, required: bool, default: Any) -> QuestionField:
        """The same field as the named argument of a function."""
        suggested = f"{default:.0f}" if self.type == "whole" and not required else ""
        return replace(
            self,
            key=self.key or name,
            option=self.option or name,
            name=name,
            required=required and not self.optional,
            default=default,
            suggested=self.suggested or suggested,
        )

    @property
    def several(self) -> bool:
        """Whether a command takes several words for it."""
        return self.type in _BETWEEN

    @property
    def turn(self) -> int:
        return _TURNS.get(self.type, 0)

    def keys(self, said: Said) -> Sequence[str]:  # noqa: ARG002
        """The query keys that belong to this field; a rulebook has a second one for its
        amendments."""
        return (self.key, f"{self.key}_with") if self.type == "rulebook" else (self.key,)

    def is_said(self, said: Said) -> bool:
        return bool(said.get(self.key))

    def check(self, said: Said) -> None:
        """Refuse a required field that was not given."""
        needed = self.required or (self.unless and not said.get(self.unless))
        if needed and not self.is_said(said):
            raise MissingInput(self.key, self.label)

    def read(self, reading: QuestionReading) -> Any:
        """The value of the argument."""
        text = reading.said.get(self.key, "")
        return READ[self.type](self, text, reading) if text else self.default

    def typed(self, given: Any) -> dict[str, str]:
        """The value given to a command, as words of an address."""
        if self.type == "rulebook":
            book, _, amended = (given or "").partition(" ")
            return {self.key: book, f"{self.key}_with": amended}
        if self.several:
            return {self.key: _BETWEEN[self.type].join(given)}
        return {self.key: "" if given is None or given is False else str(given)}

    def count(self, said: Said) -> int:
        """How many items were given."""
        return len(separated(said.get(self.key, ""))) if self.several else 1

    def inputs(self, said: Said) -> Sequence[QuestionField]:  # noqa: ARG002
        """The inputs of a form for this field; the rulebook of a parameter is asked for with the
        parameter."""
        return () if self.type == "of number" else (self,)

    @property
    def suggestions(self) -> dict[str, str]:
        """The initial values of the form's inputs."""
        return {one.key: one.suggested for one in self.inputs({}) if one.suggested}

    @property
    def help(self) -> str:
        """What is asked, with an example or explanation, for commands and documentation."""
        about = f": {self.about}" if isinstance(self.about, Message) else f", e.g. {self.about}"
        text = f"{self.label}{about if self.about else ''}"
        text += f" ({', '.join(self.words)})" if self.words else ""
        return text[:1].upper() + text[1:]

    def number(self, text: str) -> int:
        """A whole number within the limits."""
        if not text.isdecimal() or not self.least <= int(text[:20]) <= self.most:
            expected = mark("expected a whole number from {least} to {most}")
            raise WrongValue(self.key, text[:20], expected, least=self.least, most=self.most)
        return int(text)


def separated(text: str) -> list[str]:
    """Several words, separated by spaces, commas or semicolons."""
    return [part for part in re.split(r"[\s,;]+", text) if part]


def _rulebook(field: QuestionField, text: str, reading: QuestionReading) -> Any:
    if field.paid and text == AS_PAID:
        return text
    return reading.library.rulebook(f"{text} {reading.said.get(f'{field.key}_with', '')}".strip())


def _values(_: QuestionField, text: str, reading: QuestionReading) -> list[str]:
    for value in separated(text):  # says what is wrong with one before any work
        reading.before["rulebook"].amend({reading.before["parameter"]: value})
    return separated(text)


def _total(_: QuestionField, text: str, reading: QuestionReading) -> Any:
    """A figure, what was paid, what another rulebook pays, or what this one pays as published."""
    if text.replace(",", "").replace(".", "", 1).isdigit():
        return float(text.replace(",", ""))
    if text == AS_PAID:
        return text
    return reading.library.rulebook(reading.said["a"] if text == UNCHANGED else text)


def _firsts(_: QuestionField, text: str, reading: QuestionReading) -> Any:
    from honours.lab.calibrate import first_aims

    texts = [one.strip() for one in text.split(";") if one.strip()]
    return first_aims(texts, reading.library.rulebook(reading.said["a"]))


def _strengths(_: QuestionField, text: str, reading: QuestionReading) -> Any:
    """Functions of holdings and words of :mod:`.predict`, or rulebooks, between semicolons."""
    from honours.lab.predict import is_strength

    named = [one.strip() for one in text.split(";") if one.strip()]
    return [one if is_strength(one) else reading.library.rulebook(one) for one in named]


READ: Mapping[str, Callable[[QuestionField, str, QuestionReading], Any]] = {
    "text": lambda _, text, __: text,
    "word": lambda _, text, __: text,
    "flag": lambda _, text, __: text not in ("0", "no", "false"),
    "whole": lambda field, text, _: field.number(text),
    "boxes": lambda _, text, __: tuple(separated(text)),
    "parameters": lambda _, text, __: separated(text),
    "only": lambda _, text, __: {
        column: words.split(",") for column, _, words in (p.partition("=") for p in text.split())
    },
    "corpus": lambda _, text, reading: reading.library.corpus(text),
    "event": lambda _, text, reading: reading.library.event(reading.before["corpus"], text),
    "rulebook": _rulebook,
    "of number": lambda _, text, reading: reading.library.rulebook(text.rpartition(" ")[0]),
    "parameter": lambda _, text, __: text.rpartition(" ")[2],
    "values": _values,
    "total": _total,
    "firsts": _firsts,
    "strengths": _strengths,
}
"""How the words of a field are read, by its type."""


@dataclass(frozen=True)
class RepeatedField(QuestionField):
    """Any number of items that each have words of their own; a form shows those given and one
    more."""

    @abstractmethod
    def sign(self, n: int) -> str:
        """The key whose presence shows that the item was given."""

    @abstractmethod
    def each(self, n: int) -> Sequence[QuestionField]:
        """The form inputs for one item."""

    @abstractmethod
    def one(self, n: int, reading: QuestionReading) -> Any:
        """The value of one item, from its words."""

    @abstractmethod
    def typed_one(self, n: int, text: str) -> dict[str, str]:
        """The words of an address for one item given to a command."""

    @property
    def several(self) -> bool:
        return True

    def count(self, said: Said) -> int:
        """The number of the last item given."""
        return max((n for n in range(1, _MOST) if said.get(self.sign(n))), default=0)

    def keys(self, said: Said) -> Sequence[str]:
        numbers = range(1, self.count(said) + 1)
        return [key for n in numbers for one in self.each(n) for key in one.keys(said)]

    def is_said(self, said: Said) -> bool:
        return self.count(said) > 0

    def check(self, said: Said) -> None:
        if not self.is_said(said):
            raise MissingInput(self.sign(1), self.label)

    def read(self, reading: QuestionReading) -> list[Any]:
        numbers = range(1, self.count(reading.said) + 1)
        return [self.one(n, reading) for n in numbers if reading.said.get(self.sign(n))]

    def typed(self, given: Any) -> dict[str, str]:
        return {k: v for n, text in enumerate(given, 1) for k, v in self.typed_one(n, text).items()}

    def inputs(self, said: Said) -> Sequence[QuestionField]:
        return [one for n in range(1, max(2, self.count(said) + 1) + 1) for one in self.each(n)]


@dataclass(frozen=True)
class RulebooksField(RepeatedField):
    """Any number of rulebooks, called a, b, c and so on."""

    type: str = "rulebooks"
    others: str = ""
    """The label of the items after the first."""

    def sign(self, n: int) -> str:
        return _LETTERS[n - 1 : n]

    def each(self, n: int) -> Sequence[QuestionField]:
        label = self.label if n == 1 else Message(self.others)
        suggested = (*self.suggested.split(), *[""] * n)[n - 1]
        letter, first = self.sign(n), n == 1
        return [QuestionField(label, "rulebook", key=letter, required=first, suggested=suggested)]

    def one(self, n: int, reading: QuestionReading) -> Any:
        return self.each(n)[0].read(reading)

    def typed_one(self, n: int, text: str) -> dict[str, str]:
        return self.each(n)[0].typed(text)
