"""The questions one may ask of the lab, each declared once: what it asks, and how it is answered.

Pages, the API and the commands follow from :data:`QUESTIONS`: a form and an address say what the
fields say, and :meth:`Question.work` is the one way to an answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, Protocol
from urllib.parse import urlencode

from honours.errors import InputError, MissingInput, UnknownName, WrongValue
from honours.lab import answering
from honours.lab.answering import UNCHANGED, Answered, Progress
from honours.lab.sides import AS_PAID, as_side
from honours.model.message import Message, mark

if TYPE_CHECKING:
    from honours.engine.rulebook import Rulebook
    from honours.lab.corpus import Corpus
    from honours.lab.sides import Side

__all__ = (
    "QUESTIONS",
    "Answered",
    "Library",
    "Progress",
    "Question",
    "QuestionField",
    "read_question",
)

_MOST_VALUES = 20
_LONGEST = 500
FieldType = Literal["corpus", "rulebook", "parameter", "text", "whole", "values", "parameters"]
"""``values`` are some of the parameter asked for, ``parameters`` some of the rulebook's."""
SEVERAL = ("values", "parameters")


class Library(Protocol):
    """Where the things a question names are found."""

    def corpus(self, name: str) -> Corpus: ...

    def rulebook(self, text: str) -> Rulebook: ...

    @property
    def on(self) -> str:
        """The address of a cluster that is to do the work, or nothing."""
        ...


@dataclass(frozen=True, slots=True)
class QuestionField:
    """One thing a question asks; ``suggested`` stands in a form before anybody has said anything,
    and fields of a ``group`` belong together."""

    name: str
    label: Message
    type: FieldType = "text"
    required: bool = False
    suggested: str = ""
    about: str = ""
    least: int = 0
    most: int = 1_000_000
    group: str = ""
    paid: bool = False
    """Of a rulebook: whether what was paid may stand in its place."""
    option: str = ""
    """What commands call it, where that is something else."""
    between: str = ""
    """What stands between several, which a command takes one by one."""

    @property
    def keys(self) -> tuple[str, ...]:
        """The words of an address it takes: a rulebook may have other numbers than published."""
        return (self.name, f"{self.name}_with") if self.type == "rulebook" else (self.name,)


@dataclass(frozen=True, slots=True)
class Question:
    """A kind of question and what was said: the same words have the same answer."""

    kind: str
    said: tuple[tuple[str, str], ...]

    @property
    def declared(self) -> QuestionKind:
        return QUESTIONS[self.kind]

    def get(self, key: str) -> str:
        return dict(self.said).get(key, "")

    def need(self, key: str) -> str:
        """What must be said."""
        if not self.get(key):
            labels = {field.name: field.label for field in self.declared.fields}
            raise MissingInput(key, labels.get(key, ""))
        return self.get(key)

    def whole(self, key: str) -> int:
        """A whole number, within what the field declares."""
        field = next(field for field in self.declared.fields if field.name == key)
        text = self.get(key) or field.suggested or self.need(key)
        if not text.isdecimal() or not field.least <= int(text[:9]) <= field.most:
            raise WrongValue(
                key,
                text[:20],
                "expected a whole number from {least} to {most}",
                least=field.least,
                most=field.most,
            )
        return int(text)

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
        return all(self.get(field.name) for field in self.declared.fields if field.required)

    def rulebook(self, library: Library, key: str) -> Rulebook:
        """A rulebook that was named, with its amendments."""
        return library.rulebook(f"{self.need(key)} {self.get(f'{key}_with')}".strip())

    def side(self, library: Library, key: str, corpus: Corpus) -> Side:
        """A rulebook that was named, with its amendments, or what was paid."""
        if self.need(key) == AS_PAID:
            return as_side(AS_PAID, corpus)
        return self.rulebook(library, key)

    def several(self, key: str) -> list[str]:
        """Several words, with spaces or commas between them."""
        return re.split(r"[\s,;]+", self.need(key))

    def work(self, library: Library) -> Callable[[Progress], Answered]:
        """The work the question takes; what is wrong with it is said before it starts."""
        return self.declared.work(self, library)


Work = Callable[[Question, Library], Callable[[Progress], Answered]]


@dataclass(frozen=True, slots=True)
class QuestionKind:
    """A question: what it is called, in a word and in a line, what it tells, asks and works out.
    ``examples`` are of its command, which says how many are done of what is ``counted``."""

    kind: str
    tab: Message
    title: Message
    about: Message
    fields: tuple[QuestionField, ...]
    work: Work
    examples: tuple[str, ...] = ()
    counted: str = ""

    @property
    def keys(self) -> tuple[str, ...]:
        return tuple(key for field in self.fields for key in field.keys)

    @property
    def suggested(self) -> dict[str, str]:
        """What a form says before anybody has: a question that has an answer."""
        return {field.name: field.suggested for field in self.fields if field.suggested}


def read_question(kind: str, form: Mapping[str, str]) -> Question:
    """The question that a form or an address asks."""
    if kind not in QUESTIONS:
        raise UnknownName("question", kind, QUESTIONS)
    pairs = ((key, form.get(key, "").strip()) for key in QUESTIONS[kind].keys)
    given = tuple((key, text) for key, text in pairs if text)
    for key, text in given:
        if len(text) > _LONGEST:
            raise InputError("{name} is longer than {most} characters", name=key, most=_LONGEST)
    question = Question(kind, given)
    for field in QUESTIONS[kind].fields:
        parts = question.several(field.name) if question.get(field.name) else []
        if field.type in SEVERAL and len(parts) > _MOST_VALUES:
            raise WrongValue(field.name, len(parts), "at most {most} at once", most=_MOST_VALUES)
    return question


# --- the questions --------------------------------------------------------------------------------

_CORPUS = QuestionField("corpus", Message("corpus"), "corpus", required=True)
_BOOK = QuestionField("a", Message("rulebook"), "rulebook", True, "acbl-sof-2020")
_OTHER = QuestionField("b", Message("compare with"), "rulebook", suggested="acbl-sof-2020")


def _event(n: str, name: str, held: str, more: str) -> tuple[QuestionField, ...]:
    """The fields of an event one might enter."""
    return (
        QuestionField(f"name{n}", Message("name"), suggested=name, group=n),
        QuestionField(
            f"entrants{n}", Message("pairs that play"), "whole", False, "40", "", 2, 1000, group=n
        ),
        QuestionField(
            f"held{n}", Message("what they hold, typically"), "whole", False, held, "", 1, group=n
        ),
        QuestionField(f"sessions{n}", Message("sessions"), "whole", False, "2", "", 1, 10, group=n),
        QuestionField(
            f"more{n}", Message("more for the rulebook"), suggested=more, about="limit=750", group=n
        ),
    )


_DECLARED = (
    QuestionKind(
        "compare",
        Message("Compare"),
        Message("Compare two rulebooks"),
        Message(
            "What would one rulebook pay, compared with another, by size, strength, class; "
            "who gains and who loses?"
        ),
        (
            _CORPUS,
            QuestionField(
                "a", Message("A, as it is"), "rulebook", True, "acbl-sof-2011", paid=True
            ),
            QuestionField(
                "b", Message("B, as it would be"), "rulebook", True, "acbl-sof-2020", paid=True
            ),
        ),
        answering.compare,
    ),
    QuestionKind(
        "sweep",
        Message("Try values"),
        Message("Try values of a number"),
        Message("What would other values of one number of a rulebook pay?"),
        (
            _CORPUS,
            QuestionField(
                "parameter",
                Message("which number, of which rulebook"),
                "parameter",
                True,
                "acbl-sof-2020 first_exponent",
            ),
            QuestionField(
                "values",
                Message("values to try"),
                "values",
                True,
                "0.6 0.65 0.7 0.75",
                "1/2 2/3 1",
            ),
        ),
        answering.sweep,
        ("honours lab sweep year acbl-sof-2020 size_exponent 1/2 2/3 3/4 1",),
        mark("shards"),
    ),
    QuestionKind(
        "calibrate",
        Message("Calibrate"),
        Message("Find numbers that meet an aim"),
        Message(
            "Which values of its numbers make an amended rulebook pay a total or a first place?"
        ),
        (
            _CORPUS,
            replace(_BOOK, option="rulebook"),
            QuestionField(
                "parameters",
                Message("numbers that may change"),
                "parameters",
                True,
                "total_coefficient",
            ),
            QuestionField(
                "total",
                Message("the total wanted"),
                "text",
                False,
                UNCHANGED,
                Message("a figure, a rulebook's id, or: unchanged"),
            ),
            QuestionField(
                "first",
                Message("the first place wanted"),
                about="entrants=60 kind=pairs sessions=2 masterpoints=1250 = unchanged",
                between="; ",
            ),
        ),
        answering.calibrate,
        (
            'honours lab calibrate year "acbl-sof-2020 first_exponent=0.7" \\\n'
            "    total_coefficient first_coefficient --total unchanged \\\n"
            '    --first "entrants=60 kind=pairs sessions=2 masterpoints=1250 = unchanged"',
        ),
        mark("rulebooks tried"),
    ),
    QuestionKind(
        "growth",
        Message("Growth"),
        Message("Let years go by"),
        Message("Several years in which holdings grow by what each rulebook pays."),
        (
            _CORPUS,
            _BOOK,
            _OTHER,
            QuestionField("years", Message("years"), "whole", False, "5", "", 2, 100),
        ),
        answering.growth,
    ),
    QuestionKind(
        "fit",
        Message("Fit"),
        Message("Fit points won to holdings"),
        Message("How what players win depends on what they hold, as the source of 2020 fits it."),
        (
            _CORPUS,
            replace(_BOOK, paid=True, option="rulebook"),
            QuestionField("sessions", Message("sessions"), "whole", False, "2", "", 1, 100),
            QuestionField(
                "floor",
                Message("holdings counted as at least"),
                "whole",
                False,
                "0",
            ),
            QuestionField(
                "only", Message("only events of"), about="class=regional,sectional", between=" "
            ),
            QuestionField("bootstraps", Message("resamples"), "whole", False, "60", "", 2, 10_000),
            QuestionField("seed", Message("seed"), "whole", False, "1"),
        ),
        answering.fit,
        (
            "honours lab fit year acbl-sof-2020 --only class=regional",
            "honours lab fit year-2019 as-paid --floor 300",
        ),
        mark("bootstraps"),
    ),
    QuestionKind(
        "study",
        Message("Study"),
        Message("Do a source's study again"),
        Message(
            "The analysis of the proposal of 2020, or of 2011, table by table, with the source's "
            "figure beside that of the corpus."
        ),
        (
            _CORPUS,
            QuestionField("source", Message("the source, 2020 or 2011"), "text", False, "2020"),
            QuestionField(
                "a", Message("what was won: as paid, or by"), "rulebook", paid=True, option="won"
            ),
        ),
        answering.study,
        ("honours study year", "honours study year --source 2011 --won acbl-sof-2020"),
        mark("tables"),
    ),
    QuestionKind(
        "audit",
        Message("Audit"),
        Message("Search a rulebook for broken promises"),
        Message(
            "The smallest and the worst counterexample to what a fair rule should promise; with a "
            "corpus, how many of its events that touches and what it cost them."
        ),
        (
            QuestionField("a", Message("rulebook"), "rulebook", True, "sbu-clubs-2016"),
            QuestionField("corpus", Message("corpus"), "corpus"),
        ),
        answering.audit,
    ),
    QuestionKind(
        "simulate",
        Message("Simulate"),
        Message("What to expect of an afternoon"),
        Message("Open or limited, here or there: what may a player expect? Needs no corpus."),
        (
            QuestionField("a", Message("rulebook"), "rulebook", True, "acbl-sof-2011"),
            _OTHER,
            QuestionField("holding", Message("what the player holds"), "whole", True, "600"),
            *_event("1", "open pairs", "3000", ""),
            *_event("2", "limited pairs", "350", "limit=750"),
        ),
        answering.simulate,
    ),
)
QUESTIONS = {declared.kind: declared for declared in _DECLARED}
