"""The kinds of things that a question of the lab asks, each read from what an address says.

A command, a form and a program say the same words; a kind knows which words are its own, what they
mean, and what a form shows for them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from honours.errors import MissingInput, WrongValue
from honours.lab.compared_sides import AS_PAID
from honours.model.message import Message, mark

if TYPE_CHECKING:
    from honours.engine.rulebook import Rulebook
    from honours.lab.corpus import Corpus

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
Said = Mapping[str, str]
"""What was said, by the words of an address."""


class Library(Protocol):
    """Where the things a question names are found."""

    def corpus(self, name: str) -> Corpus: ...

    def rulebook(self, text: str) -> Rulebook: ...

    def event(self, corpus: Corpus, text: str) -> int:
        """The number of an event that may be shown."""
        ...

    @property
    def on(self) -> str:
        """The address of a cluster that is to do the work, or nothing."""
        ...


@dataclass(frozen=True, slots=True)
class QuestionReading:
    """What a question says, where the things it names are found, and the arguments read so far."""

    said: Said
    library: Library
    before: Mapping[str, Any]


@dataclass(frozen=True)
class QuestionField:
    """One thing a question asks, a line of text unless a kind of it says otherwise; ``suggested``
    stands in a form before anybody has said anything. The function that answers says what the
    argument is called, and whether it may be left out."""

    label: Message
    _: KW_ONLY
    about: str = ""
    """What one might say, or a message that says more of it."""
    suggested: str = ""
    key: str = ""
    """What addresses and forms call it, where that is not the argument's name."""
    option: str = ""
    """What commands call it, likewise."""
    name: str = ""
    required: bool = True
    default: Any = None
    group: str = ""
    """Inputs of a form that belong together."""
    words: tuple[str, ...] = ()
    """What may be said, where that is little."""
    type: ClassVar[str] = "text"
    several: ClassVar[bool] = False
    """Whether a command takes several words for it."""
    turn: ClassVar[int] = 0
    """Those of a later turn are read when the others are."""

    def called(self, name: str, required: bool, default: Any) -> QuestionField:
        """The same as an argument of a function."""
        key, option = self.key or name, self.option or name
        return replace(self, key=key, option=option, name=name, required=required, default=default)

    def keys(self, said: Said) -> Sequence[str]:  # noqa: ARG002
        """The words of an address that are its own."""
        return (self.key,)

    def is_said(self, said: Said) -> bool:
        return bool(said.get(self.key))

    def need(self, said: Said) -> str:
        """What must be said."""
        if not self.is_said(said):
            raise MissingInput(self.key, self.label)
        return said.get(self.key, "")

    def read(self, asked: QuestionReading) -> Any:
        """The value of the argument."""
        return self.value(asked) if self.is_said(asked.said) else self.default

    def value(self, asked: QuestionReading) -> Any:
        """What its words mean."""
        return asked.said[self.key]

    def typed(self, given: Any) -> dict[str, str]:
        """What a command was given, in the words of an address."""
        return {self.key: "" if given is None else str(given)}

    def count(self, said: Said) -> int:
        """Of how many things it speaks."""
        return len(separated(said.get(self.key, ""))) if self.several else 1

    def inputs(self, said: Said) -> Sequence[QuestionField]:  # noqa: ARG002
        """What a form asks for it."""
        return (self,)

    @property
    def suggestions(self) -> dict[str, str]:
        """What a form says before anybody has."""
        return {one.key: one.suggested for one in self.inputs({}) if one.suggested}

    @property
    def help(self) -> str:
        """What is asked, and what one might say, for commands and documentation."""
        about = f": {self.about}" if isinstance(self.about, Message) else f", e.g. {self.about}"
        text = f"{self.label}{about if self.about else ''}"
        text += f" ({', '.join(self.words)})" if self.words else ""
        return text[:1].upper() + text[1:]


@dataclass(frozen=True)
class CorpusField(QuestionField):
    """A history of events, by its name or folder."""

    optional: bool = False
    type: ClassVar[str] = "corpus"
    turn: ClassVar[int] = 1

    def called(self, name: str, required: bool, default: Any) -> QuestionField:
        return super().called(name, required and not self.optional, default)

    def value(self, asked: QuestionReading) -> Any:
        return asked.library.corpus(asked.said[self.key])


@dataclass(frozen=True)
class EventField(QuestionField):
    """One event of the corpus."""

    turn: ClassVar[int] = 2

    def value(self, asked: QuestionReading) -> Any:
        return asked.library.event(asked.before["corpus"], asked.said[self.key])


@dataclass(frozen=True)
class RulebookField(QuestionField):
    """A rulebook, which may have other numbers than published, or with ``paid`` what was paid."""

    paid: bool = False
    nothing: str = Message("nothing")
    """What a form calls it to say none."""
    type: ClassVar[str] = "rulebook"

    def keys(self, said: Said) -> Sequence[str]:  # noqa: ARG002
        return (self.key, f"{self.key}_with")

    def value(self, asked: QuestionReading) -> Any:
        text = asked.said[self.key]
        if self.paid and text == AS_PAID:
            return AS_PAID
        return asked.library.rulebook(f"{text} {asked.said.get(f'{self.key}_with', '')}".strip())

    def typed(self, given: Any) -> dict[str, str]:
        book, _, amended = (given or "").partition(" ")
        return {self.key: book, f"{self.key}_with": amended}


@dataclass(frozen=True)
class RulebooksField(QuestionField):
    """Any number of rulebooks, called a, b, c and so on."""

    others: str = ""
    """The label of those after the first."""
    type: ClassVar[str] = "rulebooks"
    several: ClassVar[bool] = True

    def _each(self, many: int) -> Iterator[RulebookField]:
        suggested = (*self.suggested.split(), *[""] * many)
        for k, letter in enumerate(_LETTERS[:many]):
            label = Message(self.others) if k else self.label
            yield RulebookField(
                label, key=letter, name=letter, required=not k, suggested=suggested[k]
            )

    def count(self, said: Said) -> int:
        """How many there are, to the last that is said."""
        return max((k for k, letter in enumerate(_LETTERS, 1) if said.get(letter)), default=0)

    def keys(self, said: Said) -> Sequence[str]:
        return [key for one in self._each(self.count(said)) for key in one.keys(said)]

    def is_said(self, said: Said) -> bool:
        return bool(said.get("a"))

    def need(self, said: Said) -> str:
        return replace(self, key="a").need(said) if not self.is_said(said) else said["a"]

    def read(self, asked: QuestionReading) -> list[Rulebook]:
        each = self._each(self.count(asked.said))
        return [one.value(asked) for one in each if one.is_said(asked.said)]

    def typed(self, given: Sequence[str]) -> dict[str, str]:
        each = zip(self._each(len(given)), given, strict=True)
        return {key: text for one, named in each for key, text in one.typed(named).items()}

    def inputs(self, said: Said) -> Sequence[QuestionField]:
        """Those that are said, and one more."""
        return tuple(self._each(max(len(self.suggested.split()), self.count(said) + 1)))


@dataclass(frozen=True)
class BookOfNumber(QuestionField):
    """The rulebook of a number, which is named with it."""

    type: ClassVar[str] = "of number"

    def read(self, asked: QuestionReading) -> Any:
        return asked.library.rulebook(self.need(asked.said).rpartition(" ")[0])

    def inputs(self, said: Said) -> Sequence[QuestionField]:  # noqa: ARG002
        return ()


@dataclass(frozen=True)
class NumberField(QuestionField):
    """A number of a rulebook, named after it: ``acbl-sof-2020 first_exponent``."""

    type: ClassVar[str] = "parameter"

    def value(self, asked: QuestionReading) -> Any:
        return asked.said[self.key].rpartition(" ")[2]


@dataclass(frozen=True)
class WordsField(QuestionField):
    """Several words, with spaces or commas between them."""

    several: ClassVar[bool] = True

    def value(self, asked: QuestionReading) -> Any:
        return separated(asked.said[self.key])

    def typed(self, given: Any) -> dict[str, str]:
        return {self.key: " ".join(given)}


@dataclass(frozen=True)
class ValuesField(WordsField):
    """Values of the number asked for."""

    type: ClassVar[str] = "values"

    def value(self, asked: QuestionReading) -> Any:
        values, before = separated(asked.said[self.key]), asked.before
        for value in values:
            before["rulebook"].amend({before["parameter"]: value})  # says what is wrong with one
        return values


@dataclass(frozen=True)
class ParametersField(WordsField):
    """Numbers of the rulebook asked for."""

    type: ClassVar[str] = "parameters"


@dataclass(frozen=True)
class BoxesField(QuestionField):
    """Some of a few words, each of which a form has a box for."""

    type: ClassVar[str] = "boxes"

    def value(self, asked: QuestionReading) -> Any:
        return tuple(separated(asked.said[self.key]))


@dataclass(frozen=True)
class WordField(QuestionField):
    """One of a few words."""

    type: ClassVar[str] = "word"


@dataclass(frozen=True)
class FlagField(QuestionField):
    """Something that is wanted or not."""

    type: ClassVar[str] = "flag"

    def value(self, asked: QuestionReading) -> Any:
        return asked.said[self.key] not in ("0", "no", "false")

    def typed(self, given: Any) -> dict[str, str]:
        return {self.key: "yes" if given else ""}


@dataclass(frozen=True)
class WholeField(QuestionField):
    """A whole number within limits."""

    least: int = 0
    most: int = 1_000_000
    type: ClassVar[str] = "whole"

    def called(self, name: str, required: bool, default: Any) -> QuestionField:
        named = super().called(name, required, default)
        return named if required else replace(named, suggested=self.suggested or f"{default:.0f}")

    def value(self, asked: QuestionReading) -> Any:
        return self.number(asked.said[self.key])

    def number(self, text: str) -> int:
        if not text.isdecimal() or not self.least <= int(text[:20]) <= self.most:
            expected = mark("expected a whole number from {least} to {most}")
            raise WrongValue(self.key, text[:20], expected, least=self.least, most=self.most)
        return int(text)


@dataclass(frozen=True)
class OnlyField(WordsField):
    """Words of columns of events: ``class=regional,sectional``."""

    def value(self, asked: QuestionReading) -> Any:
        columns = (part.partition("=")[::2] for part in asked.said[self.key].split())
        return {column: words.split(",") for column, words in columns}


def separated(text: str) -> list[str]:
    """Several words, with spaces, commas or semicolons between them."""
    return [part for part in re.split(r"[\s,;]+", text) if part]
