"""Questions of the lab: how they are declared, asked and answered.

A question is a function: ``questions.toml`` says of its arguments how they are asked for, and its
return value is the answer. Pages, the API, commands and documentation are derived from
:data:`QUESTIONS`, and :meth:`Question.work` is the only path from the inputs to the answer.
"""

from __future__ import annotations

import inspect
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Protocol, TypeVar
from urllib.parse import urlencode

from honours.errors import InputError, MissingInput, UnknownName, WrongValue
from honours.lab.result import Answer, Progress
from honours.lab.sides import AS_PAID
from honours.model.message import Message, mark

if TYPE_CHECKING:
    from honours.engine.rulebook import Rulebook
    from honours.lab.corpus import Corpus
    from honours.lab.simulate import Contest


# --- the inputs of the lab's questions, each read from the words of an address ------------------

UNCHANGED = "unchanged"
_BETWEEN = {"values": " ", "parameters": " ", "only": " "}
_BETWEEN |= dict.fromkeys(("firsts", "strengths", "contests"), "; ")
"""The separator between words that a command takes one by one, by type."""
_TURNS = {"corpus": 1, "event": 2}
"""Types that are read after the others."""
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
Said = Mapping[str, str]
"""The words given, by the keys of an address."""


class Library(Protocol):
    """The place where things named in a question are found."""

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
        """True if a command takes several words for it."""
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
        """Return how many items were given."""
        text = said.get(self.key, "")
        return len(_between(text) if _BETWEEN.get(self.type) == "; " else separated(text))

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
        """The help of commands and documentation: what is asked, with an example or explanation."""
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


def _between(text: str) -> list[str]:
    """Several texts with semicolons or new lines between them."""
    return [part.strip() for part in re.split(r"[;\n]", text) if part.strip()]


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

    return first_aims(_between(text), reading.library.rulebook(reading.said["a"]))


def _strengths(_: QuestionField, text: str, reading: QuestionReading) -> Any:
    """Functions of holdings and words of :mod:`.predict`, or rulebooks, between semicolons."""
    from honours.lab.predict import is_strength

    named = _between(text)
    return [one if is_strength(one) else reading.library.rulebook(one) for one in named]


def _contests(_: QuestionField, text: str, __: QuestionReading) -> list[Contest]:
    """Events one might enter, each ``name: entrants=40 holding=3000 …``."""
    from honours.lab.simulate import MOST_ENTRANTS, Contest

    found = []
    for one in _between(text):
        name, _colon, rest = one.partition(":")
        given: dict[str, Any] = dict(part.partition("=")[::2] for part in rest.split())
        if not all(given.values()) or not {"entrants", "holding"} <= set(given):
            expected = mark("expected 'name: entrants=40 holding=3000 …'")
            raise WrongValue("event", one, expected)
        known = {"kind": given.pop("kind")} if "kind" in given else {}
        for key in {"entrants", "holding", "sessions", "boards", "lists"} & set(given):
            least, most = (2, MOST_ENTRANTS) if key == "entrants" else (1, 1_000_000)
            number = QuestionField(Message(""), key=key, least=least, most=most)
            known[key] = number.number(given.pop(key))
        found.append(Contest(name.strip(), **known, facts=given))
    return found


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
    "contests": _contests,
}
"""How the words of a field are read, by its type."""


@dataclass(frozen=True)
class RulebooksField(QuestionField):
    """Any number of rulebooks, called a, b, c and so on; a form shows those given and one more."""

    others: str = ""
    """The label of the rulebooks after the first."""

    def each(self, n: int) -> QuestionField:
        """The field of one of them."""
        label = Message(self.others) if n else self.label
        suggested = (*self.suggested.split(), *[""] * (n + 1))[n]
        key = _LETTERS[n]
        return QuestionField(label, "rulebook", key=key, required=not n, suggested=suggested)

    @property
    def several(self) -> bool:
        return True

    def count(self, said: Said) -> int:
        """The number of the last one given."""
        return max((n for n, letter in enumerate(_LETTERS, 1) if said.get(letter)), default=0)

    def keys(self, said: Said) -> Sequence[str]:
        return [key for n in range(self.count(said)) for key in self.each(n).keys(said)]

    def is_said(self, said: Said) -> bool:
        return self.count(said) > 0

    def check(self, said: Said) -> None:
        if not self.is_said(said):
            raise MissingInput(_LETTERS[0], self.label)

    def read(self, reading: QuestionReading) -> list[Any]:
        given = map(self.each, range(self.count(reading.said)))
        return [one.read(reading) for one in given if one.is_said(reading.said)]

    def typed(self, given: Any) -> dict[str, str]:
        return {k: v for n, text in enumerate(given) for k, v in self.each(n).typed(text).items()}

    def inputs(self, said: Said) -> Sequence[QuestionField]:
        return [self.each(n) for n in range(max(2, self.count(said) + 1))]


# --- how a question of the lab is declared, asked and answered ----------------------------------

_MOST_VALUES = 20
_LONGEST = 2000
F = TypeVar("F", bound=Callable[..., Answer])


@dataclass(frozen=True, slots=True)
class QuestionKind:
    """A kind of question: its short name, its title, what it is about, its fields and the
    function that answers it. ``examples`` are for the help of its command, ``counted`` names
    what its progress counts, and ``explains`` is how many events its report explains at the end."""

    tab: Message
    title: Message
    about: Message
    counted: Message
    function: Callable[..., Answer]
    fields: tuple[QuestionField, ...]
    examples: tuple[str, ...] = ()
    explains: int = 0

    @property
    def heading(self) -> str:
        """Its title as a sentence, in English as help texts are."""
        return self.title if self.title.endswith("?") else f"{self.title}."

    @property
    def kind(self) -> str:
        return self.function.__name__

    @property
    def suggested(self) -> dict[str, str]:
        """The values a form is filled with at first: a question that has an answer."""
        return {key: text for field in self.fields for key, text in field.suggestions.items()}

    @property
    def keys(self) -> list[str]:
        """The query keys of an address that an empty form starts with."""
        fields = (one for field in self.fields for one in field.inputs(self.suggested) or (field,))
        return list(dict.fromkeys(key for one in fields for key in one.keys({})))

    @property
    def arguments(self) -> list[QuestionField]:
        """The positional arguments of the command: every required field, up to and including the
        first that takes several words."""
        required = [field for field in self.fields if field.required]
        last = next((k for k, field in enumerate(required) if field.several), len(required))
        return required[: last + 1]

    @property
    def distributes(self) -> bool:
        """True if the work can run on a cluster."""
        return "on" in inspect.signature(self.function).parameters


DECLARED: dict[str, Any] = tomllib.loads((files(__package__) / "questions.toml").read_text("utf-8"))
_TEXTS = ("label", "about", "nothing")
QUESTIONS: dict[str, QuestionKind] = {}
"""The questions of :mod:`.questions`, in the order of their declaration."""


def declare(function: F, declared: Mapping[str, Any]) -> F:
    """Make a function a question; the arguments that are declared become its fields."""
    fields = []
    for name, argument in inspect.signature(function).parameters.items():
        if name in declared["fields"]:
            required = argument.default is argument.empty
            field = _declared_field(declared["fields"][name])
            fields.append(field.called(name, required, None if required else argument.default))
    texts = {key: Message(declared[key]) for key in ("tab", "title", "about", "counted")}
    QUESTIONS[function.__name__] = QuestionKind(
        **texts,
        function=function,
        fields=tuple(fields),
        examples=tuple(declared["examples"]),
        explains=declared.get("explains", 0),
    )
    return function


def _declared_field(declared: Mapping[str, Any] | str) -> QuestionField:
    if isinstance(declared, str):
        return _declared_field(DECLARED["shared"][declared])
    given = {key: value for key, value in declared.items() if key not in _TEXTS}
    given |= {key: Message(declared[key]) for key in _TEXTS if key in declared}
    given["about"] = given.pop("example", given.get("about", ""))
    given["words"] = tuple(given.get("words", ()))
    return (RulebooksField if declared["type"] == "rulebooks" else QuestionField)(**given)


def question(function: F) -> F:
    """Make a function the question of its name in ``questions.toml``."""
    return declare(function, DECLARED[function.__name__])


@dataclass(frozen=True, slots=True)
class Question:
    """A kind of question with the words given for it: the same words always have the same
    answer."""

    kind: str
    said: tuple[tuple[str, str], ...]

    @property
    def declared(self) -> QuestionKind:
        return declared_question(self.kind)

    def get(self, key: str) -> str:
        return dict(self.said).get(key, "")

    @property
    def query(self) -> str:
        return urlencode(self.said)

    @property
    def path(self) -> str:
        """The address that asks this."""
        return f"/lab/{self.kind}?{self.query}"

    @property
    def complete(self) -> bool:
        """True if enough has been given to ask it."""
        said = dict(self.said)
        return all(field.is_said(said) for field in self.declared.fields if field.required)

    def arguments(self, library: Library) -> dict[str, Any]:
        """The given words as arguments of the function; raises an error that says which is
        wrong."""
        said, values = dict(self.said), dict[str, Any]()
        for field in self.declared.fields:
            field.check(said)
        for field in sorted(self.declared.fields, key=lambda one: one.turn):
            values[field.name] = field.read(QuestionReading(said, library, values))
        return values

    def find(self, library: Library) -> Callable[[Progress], Answer]:
        """The work that answers the question; raises an error before it starts if an input is
        wrong."""
        arguments = self.arguments(library)
        if self.declared.distributes:
            arguments["on"] = library.on
        return lambda progress: self.declared.function(**arguments, progress=progress)

    def work(self, library: Library) -> Callable[[Progress], Answer]:
        """The work, ending with the complete report."""
        find, more = self.find(library), self.declared.explains

        def work(progress: Progress) -> Answer:
            steps = 1

            def step(done: int, of: int, so_far: str = "") -> None:
                nonlocal steps
                steps = of
                progress(done, of + more, so_far)

            step(0, steps)
            answer = find(step).whole(lambda done, _: progress(steps + done, steps + more))
            progress(steps + more, steps + more)
            return answer

        return work


def declared_question(kind: str) -> QuestionKind:
    """The question of that name."""
    import honours.lab.questions  # noqa: F401  # which declares them

    if kind not in QUESTIONS:
        raise UnknownName("question", kind, QUESTIONS)
    return QUESTIONS[kind]


def read_program_question(kind: str, words: Mapping[str, str]) -> Question:
    """The question that a program asks: a word that no field knows is refused, where a form may
    have fields of its own beside."""
    declared = declared_question(kind)
    known = [key for field in declared.fields for key in field.keys(words)]
    unknown = [word for word in words if word not in known]
    if unknown:
        what = Message("word of the question {kind}", kind=kind)
        raise UnknownName(what, unknown[0], dict.fromkeys([*known, *declared.keys]))
    return read_question(kind, words)


def read_question(kind: str, form: Mapping[str, str]) -> Question:
    """The question that a form or an address asks."""
    fields = declared_question(kind).fields
    stripped = {key: form[key].strip() for key in form}
    keys = dict.fromkeys(key for field in fields for key in field.keys(stripped))
    given = {key: stripped[key] for key in keys if stripped.get(key)}
    for key, text in given.items():
        if len(text) > _LONGEST:
            raise InputError("{name} is longer than {most} characters", name=key, most=_LONGEST)
    for field in fields:
        if (many := field.count(given)) > _MOST_VALUES:
            raise WrongValue(field.key, many, "at most {most} at once", most=_MOST_VALUES)
    return Question(kind, tuple(given.items()))
