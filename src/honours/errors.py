"""All that can go wrong, in one hierarchy.

::

    HonoursError                the root: catch this to catch everything of ours
    ├── InputError              what a person gave is wrong, and they can mend it
    │   ├── FileProblem(s)      a file: which, where in it, what was found, what was expected
    │   ├── WrongValue          what was given under a name: which, what, and what was expected
    │   ├── UnknownName         a key, word or id that does not exist, with the nearest that does
    │   └── MissingInput        something a rule needs and was not given
    │       └── Asked           what decides an award and nobody said, with what hangs on it
    ├── RulebookError           a rulebook folder contradicts itself: its author must mend it
    └── LedgerError             a ledger cannot be opened, read or written; nothing is half done

A *refusal* ("no award: 7 players, at least 8 needed") is an answer, not an error: see
:class:`honours.model.Refusal`.
"""

from __future__ import annotations

import copyreg
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from honours.model.message import Message, Remedy, either, fields, joined, mark, word

if TYPE_CHECKING:
    from pathlib import Path


def made(template: str, values: Mapping[str, object]) -> str:
    """The message of a template and those of the values that it has places for; what another
    program said has braces of its own and stays as it is."""
    if isinstance(template, Message) or not template:
        return template
    try:
        places = fields(template) if values else frozenset()
    except ValueError:
        return template
    return Message(template, **{name: values[name] for name in places})


def message_of(error: Exception) -> str:
    """Return the text of an error: a message if it was made from one."""
    return error.args[0] if error.args and isinstance(error.args[0], str) else str(error)


class HonoursError(Exception):
    """The root of every error Honours raises on purpose; made from a template and its values, as a
    message is, or from a message."""

    def __init__(self, template: str = "", /, **values: object) -> None:
        super().__init__(made(template, values))

    @property
    def message(self) -> str:
        """The text of what is wrong: a message of ours, to be put into the reader's language."""
        return message_of(self)

    @property
    def brief(self) -> str:
        """The first line of it, without the alternatives."""
        return str(self).splitlines()[0] if "\n" in self.message else self.message

    def __reduce__(self) -> tuple[object, ...]:
        """Sent from one process to another it stays as it is, whatever it was made from."""
        newly = copyreg.__newobj__  # type: ignore[attr-defined]  # which typeshed leaves out
        return newly, (type(self), *self.args), self.__dict__


class InputError(HonoursError):
    """A mistake in what a person gave; the message says what, where and what to do."""


class FileProblem(InputError):
    """Something is wrong in a file; knows where. The values are of both templates."""

    def __init__(
        self,
        path: str | Path,
        found: str,
        expected: str = "",
        line: int | None = None,
        **values: object,
    ) -> None:
        found, expected = made(found, values), made(expected, values)
        self.path, self.line, self.found, self.expected = str(path), line, found, expected
        where = Message("{file}, line {line}", file=path, line=line) if line else str(path)
        both = Message("{found}; expected {expected}", found=found, expected=expected)
        self.what = both if expected else found
        super().__init__(Message("{where}: {what}", where=where, what=self.what))


class FileProblems(InputError):
    """All that is wrong in a file, reported at once; nothing was half done."""

    def __init__(self, problems: Sequence[FileProblem]) -> None:
        self.problems = tuple(problems)
        super().__init__(joined("\n", (problem.message for problem in problems)))


def raise_problems(problems: Sequence[FileProblem]) -> None:
    """Raise what is wrong in a file, one problem as itself and several at once, if there is any."""
    if len(problems) == 1:
        raise problems[0]
    if problems:
        raise FileProblems(problems)


class WrongValue(InputError):
    """A wrong value under a name (an option, a field of a form, an input of a rulebook): the name,
    what was given and, as a template and its values, what is wrong with it."""

    def __init__(self, name: str, given: object, wrong: str, /, **values: object) -> None:
        self.name, self.given, self.wrong = name, given, made(wrong, values)
        super().__init__("{name}={given}: {wrong}", name=name, given=given, wrong=self.wrong)


_MOST_LISTED = 60
"""More names than these are no help where the nearest is told."""


def _unknown(near: bool, known: int) -> str:
    """Return the template for an unknown name, by whether one is near and how many there are."""
    if not known:
        return mark("unknown {what} {name!r}: there is none")
    if not near:
        return mark("unknown {what} {name!r}. Known: {known}")
    if known > _MOST_LISTED:
        return mark("unknown {what} {name!r}; did you mean {nearest!r}?")
    return mark("unknown {what} {name!r}; did you mean {nearest!r}? Known: {known}")


class UnknownName(InputError):
    """A name that does not exist; lists those that do, the nearest first."""

    def __init__(self, what: str, name: str, known: Iterable[str]) -> None:
        from difflib import get_close_matches  # slow to import, for a command that ends well

        self.what, self.name, self.known = str(what), name, tuple(known)
        near = get_close_matches(name, self.known, n=1, cutoff=0.6)
        self.nearest = near[0] if near else None
        template = _unknown(bool(self.nearest), len(self.known))
        values = {"name": name, "nearest": self.nearest, "known": self.known}
        named = what if isinstance(what, Message) else Message(what)
        super().__init__(Message(template, what=named, **values))


class MissingInput(InputError):
    """A rule needs something that was not given; what it is about, its rulebook declares.
    ``names`` are several where any one of them would do."""

    def __init__(self, name: str | Iterable[str], about: str = "", needed_for: str = "") -> None:
        self.names = (name,) if isinstance(name, str) else tuple(name)
        self.name, self.example, self._brief = either(self.names), "", ""
        missing = Message("missing {name!r}", name=self.name)
        if about:
            missing = Message("{missing} ({about})", missing=missing, about=word(about))
        if needed_for:
            missing = Message("{missing}, needed for {rule}", missing=missing, rule=needed_for)
        super().__init__(missing)

    def among(self, what: str, keys: Iterable[str], examples: Mapping[str, str]) -> MissingInput:
        """The same, told with the keys that could have been given, and what by some of them."""
        error = MissingInput(self.names)
        missing = self.message
        if examples:
            pairs = either(f"{key}={value}" for key, value in examples.items())
            error.example = examples.get(self.name, pairs)
            example = Remedy(mark(": give e.g. {example}"), example=pairs)
            missing = joined("", (missing, example))
        known = Remedy(mark(". Keys of {rulebook}: {keys}"), rulebook=what, keys=tuple(keys))
        listed = joined("", (missing, known))
        error.args, error._brief = (listed,), missing
        return error

    @property
    def brief(self) -> str:
        return self._brief or super().brief


class AskedQuestion(Protocol):
    """One of the questions of :mod:`honours.pipeline.inquiry`."""

    @property
    def facts(self) -> tuple[str, ...]: ...
    @property
    def text(self) -> Message: ...


Asks = TypeVar("Asks", bound=AskedQuestion)


class Asked(MissingInput, Generic[Asks]):
    """Something decides an award and nobody said it; ``questions`` say what hangs on each."""

    def __init__(self, questions: Sequence[Asks]) -> None:
        self.questions = tuple(questions)
        super().__init__([question.facts[0] for question in questions])
        head = Message("asked before anybody is paid: {facts}", facts=self.names)
        self.args = (joined("\n  ", (head, *(question.text for question in questions))),)
        self._brief = head


class RulebookError(HonoursError):
    """A rulebook folder is wrong; names the rulebook and the place in it."""


class LedgerError(HonoursError):
    """A ledger cannot be opened, read or written; says which, why and what to do."""
