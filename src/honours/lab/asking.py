"""How a question of the lab is declared, asked and answered.

A question is a function: its signature declares its inputs (:mod:`.question_fields`), and its
return value is the answer. Pages, the API, commands and documentation are derived from
:data:`QUESTIONS`, and :meth:`Question.work` is the only path from the inputs to the answer.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar, get_args
from urllib.parse import urlencode

from honours.errors import InputError, UnknownName, WrongValue
from honours.lab.question_fields import QuestionField, QuestionReading
from honours.lab.result import Finding, Progress
from honours.model.message import Message

if TYPE_CHECKING:
    from honours.lab.question_fields import Library
    from honours.lab.report import Answer

_MOST_VALUES = 20
_LONGEST = 500
F = TypeVar("F", bound=Callable[..., Finding])


@dataclass(frozen=True, slots=True)
class QuestionKind:
    """A kind of question: its short name, its title, what it is about, its fields and the
    function that answers it. ``examples`` are for the help of its command, ``counted`` names
    what its progress counts, and ``explains`` is how many events its report explains at the end."""

    tab: Message
    title: Message
    about: Message
    function: Callable[..., Finding]
    fields: tuple[QuestionField, ...]
    examples: tuple[str, ...] = ()
    counted: Message | str = ""
    explains: int = 0

    @property
    def kind(self) -> str:
        return self.function.__name__

    @property
    def suggested(self) -> dict[str, str]:
        """What a form is filled with at first: a question that has an answer."""
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
        """Whether the work can run on a cluster."""
        return "on" in inspect.signature(self.function).parameters


QUESTIONS: dict[str, QuestionKind] = {}
"""The questions of :mod:`.questions`, in the order of their declaration."""


def question(
    tab: Message,
    title: Message,
    about: Message,
    examples: tuple[str, ...] = (),
    counted: Message | str = "",
    explains: int = 0,
) -> Callable[[F], F]:
    """Declare a function to be a question; its annotated parameters become the fields."""

    def declare(function: F) -> F:
        fields = tuple(
            field.called(name, required, None if required else argument.default)
            for name, argument in inspect.signature(function).parameters.items()
            for required in (argument.default is argument.empty,)
            for field in get_args(argument.annotation)[1:]
            if isinstance(field, QuestionField)
        )
        QUESTIONS[function.__name__] = QuestionKind(
            tab, title, about, function, fields, examples, counted, explains
        )
        return function

    return declare


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
        """Whether enough has been given to ask it."""
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

    def find(self, library: Library) -> Callable[[Progress], Finding]:
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
            finding = find(step)
            answer = finding.answer(lambda done, _: progress(steps + done, steps + more))
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
