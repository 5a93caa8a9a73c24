"""How a question of the lab is declared, asked and answered.

A question is a function: its signature says what it asks (:mod:`.question_fields`), what it returns
is the answer. Pages, the API, commands and documentation follow from :data:`QUESTIONS`, and
:meth:`Question.work` is the one way from what was said to the answer.
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
    """A question: what it is called, in a word and in a line, what it tells, asks and works out.
    ``examples`` are of its command, which says how many are done of what is ``counted``; a report
    of it explains so many events when all else is known."""

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
        """What a form says before anybody has: a question that has an answer."""
        return {key: text for field in self.fields for key, text in field.suggestions.items()}

    @property
    def keys(self) -> list[str]:
        """The words of an address that a form begins with."""
        fields = (one for field in self.fields for one in field.inputs(self.suggested) or (field,))
        return list(dict.fromkeys(key for one in fields for key in one.keys({})))

    @property
    def arguments(self) -> list[QuestionField]:
        """What a command takes without naming it: all that is required, to the first that takes
        whatever is left."""
        required = [field for field in self.fields if field.required]
        last = next((k for k, field in enumerate(required) if field.several), len(required))
        return required[: last + 1]

    @property
    def distributes(self) -> bool:
        """Whether a cluster may do the work."""
        return "on" in inspect.signature(self.function).parameters


QUESTIONS: dict[str, QuestionKind] = {}
"""Those of :mod:`.questions`, in the order they are declared in."""


def question(
    tab: Message,
    title: Message,
    about: Message,
    examples: tuple[str, ...] = (),
    counted: Message | str = "",
    explains: int = 0,
) -> Callable[[F], F]:
    """Declare a function a question: what it asks are the arguments that are annotated so."""

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
    """A kind of question and what was said: the same words have the same answer."""

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
        """Whether enough is said to ask it."""
        said = dict(self.said)
        return all(field.is_said(said) for field in self.declared.fields if field.required)

    def arguments(self, library: Library) -> dict[str, Any]:
        """What the words mean; what is wrong with one is said."""
        said, values = dict(self.said), dict[str, Any]()
        for field in self.declared.fields:
            field.check(said)
        for field in sorted(self.declared.fields, key=lambda one: one.turn):
            values[field.name] = field.read(QuestionReading(said, library, values))
        return values

    def find(self, library: Library) -> Callable[[Progress], Finding]:
        """The work the question takes; what is wrong with it is said before it starts."""
        arguments = self.arguments(library)
        if self.declared.distributes:
            arguments["on"] = library.on
        return lambda progress: self.declared.function(**arguments, progress=progress)

    def work(self, library: Library) -> Callable[[Progress], Answer]:
        """The work with a whole report at its end."""
        find, more = self.find(library), self.declared.explains

        def work(progress: Progress) -> Answer:
            steps = 1

            def step(done: int, of: int, so_far: str = "") -> None:
                nonlocal steps
                steps = of
                progress(done, of + more, so_far)

            step(0, steps)
            found = find(step)
            answer = found.answer(lambda done, _: progress(steps + done, steps + more))
            progress(steps + more, steps + more)
            return answer

        return work


def declared_question(kind: str) -> QuestionKind:
    """The question of that name."""
    import honours.lab.questions  # noqa: F401  # which declares them

    if kind not in QUESTIONS:
        raise UnknownName("question", kind, QUESTIONS)
    return QUESTIONS[kind]


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
