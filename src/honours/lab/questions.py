"""The questions one may ask of the lab, each declared once: what it asks, and how it is answered.

Pages, the API and the commands follow from :data:`QUESTIONS`: a form and an address say what the
fields say, and :meth:`Question.work` is the one way to an answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol
from urllib.parse import urlencode

from honours.errors import InputError, MissingInput, UnknownName
from honours.model.message import Message

if TYPE_CHECKING:
    from honours.engine.rulebook import Rulebook
    from honours.lab.calibrate import Aim
    from honours.lab.corpus import Corpus
    from honours.lab.report import Answer
    from honours.lab.simulate import Contest

UNCHANGED = "unchanged"
_RUNS, _SEED = 20_000, 1
_MOST_VALUES = 20
_LONGEST = 500
CONTESTS = ("1", "2")
Progress = Callable[[int, int], None]
"""Told how much is done, of how much."""
FieldType = Literal["corpus", "rulebook", "parameter", "text", "whole", "several"]


class Library(Protocol):
    """Where the things a question names are found."""

    def corpus(self, name: str) -> Corpus: ...

    def rulebook(self, text: str) -> Rulebook: ...


@dataclass(frozen=True, slots=True)
class Field:
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

    @property
    def keys(self) -> tuple[str, ...]:
        """The words of an address it takes: a rulebook may have other numbers than published."""
        return (self.name, f"{self.name}_with") if self.type == "rulebook" else (self.name,)


@dataclass(frozen=True, slots=True)
class Answered:
    """What the lab found: what a page shows first, a report, and the same as plain data."""

    shown: Mapping[str, Any]
    report: Answer
    plain: Mapping[str, Any]

    def data(self) -> Mapping[str, Any]:
        """The answer as plain data."""
        return self.plain


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
            raise InputError(
                Message(
                    "{key}={text}: expected a whole number from {least} to {most}",
                    key=key,
                    text=text[:20],
                    least=field.least,
                    most=field.most,
                )
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

    def work(self, library: Library) -> Callable[[Progress], Answered]:
        """The work the question takes; what is wrong with it is said before it starts."""
        return self.declared.work(self, library)


Work = Callable[[Question, Library], Callable[[Progress], Answered]]


@dataclass(frozen=True, slots=True)
class QuestionKind:
    """A question: what it is called, in a word and in a line, what it tells, asks and works out."""

    kind: str
    tab: Message
    title: Message
    about: Message
    fields: tuple[Field, ...]
    work: Work

    @property
    def keys(self) -> tuple[str, ...]:
        return tuple(key for field in self.fields for key in field.keys)

    @property
    def suggested(self) -> dict[str, str]:
        """What a form says before anybody has: a question that has an answer."""
        return {field.name: field.suggested for field in self.fields if field.suggested}


def read_question(kind: str, said: Mapping[str, str]) -> Question:
    """The question that a form or an address asks."""
    if kind not in QUESTIONS:
        raise UnknownName("question", kind, QUESTIONS)
    pairs = ((key, said.get(key, "").strip()) for key in QUESTIONS[kind].keys)
    given = tuple((key, text) for key, text in pairs if text)
    for key, text in given:
        if len(text) > _LONGEST:
            raise InputError(
                Message("{name} is longer than {most} characters", name=key, most=_LONGEST)
            )
    question = Question(kind, given)
    for field in QUESTIONS[kind].fields:
        parts = _several(question, field.name) if question.get(field.name) else []
        if field.type == "several" and len(parts) > _MOST_VALUES:
            raise InputError(
                Message(
                    "{key}={count}: at most {most} at once",
                    key=field.name,
                    count=len(parts),
                    most=_MOST_VALUES,
                )
            )
    return question


# --- how each is answered -------------------------------------------------------------------------


def _compare(question: Question, library: Library) -> Callable[[Progress], Answered]:
    corpus = library.corpus(question.need("corpus"))
    books = question.rulebook(library, "a"), question.rulebook(library, "b")

    def work(progress: Progress) -> Answered:
        from honours.lab.compare import compare
        from honours.lab.report import EXPLAINED, comparison_answer

        shards = len(corpus.shards)

        def done(count: int, _: int = 0) -> None:
            progress(count, shards + EXPLAINED)

        done(0)
        found = compare(corpus, *books, done)
        answer = comparison_answer(found, progress=lambda count, _: done(shards + count))
        total = found.total
        shown = {
            "a": float(total.a) / 10000,
            "b": float(total.b) / 10000,
            "events": int(total.events),
            "refused": tuple(int(count) for count in found.refused),
        }
        return Answered(shown, answer, found.data())

    return work


def _sweep(question: Question, library: Library) -> Callable[[Progress], Answered]:
    corpus = library.corpus(question.need("corpus"))
    text, _, parameter = question.need("parameter").rpartition(" ")
    values = _several(question, "values")
    book = library.rulebook(text)
    for value in values:
        library.rulebook(f"{text} {parameter}={value}")  # says what is wrong with one at once

    def work(progress: Progress) -> Answered:
        from honours.lab.sweep import sweep

        progress(0, len(values))
        found = sweep(corpus, book, parameter, values, progress)
        shown = {"rows": found.rows}
        return _answered(found, found.table().title, [found.table()], found.provenance(), shown)

    return work


def _several(question: Question, key: str) -> list[str]:
    return re.split(r"[\s,;]+", question.need(key))


def _answered(
    found: Any,
    title: str,
    frames: Sequence[Any],
    stands_on: Mapping[str, str],
    shown: Mapping[str, Any] | None = None,
) -> Answered:
    """The answer of one statement and its tables."""
    from honours.lab.report import Answer

    data = {**found.data(), "provenance": dict(stands_on)}
    return Answered(shown or {}, Answer(title, [found.statement()], frames, stands_on), data)


def _calibrate(question: Question, library: Library) -> Callable[[Progress], Answered]:
    corpus = library.corpus(question.need("corpus"))
    parameters = _several(question, "parameters")
    book, before = question.rulebook(library, "a"), library.rulebook(question.need("a"))
    total, first = question.get("total"), question.get("first")
    if not total and not first:
        raise MissingInput("total", Message("an aim: a total, or a first place"))
    firsts = first_aims([one.strip() for one in first.split(";") if one.strip()], before)
    other = before if total in ("", UNCHANGED) or _is_figure(total) else library.rulebook(total)

    def work(progress: Progress) -> Answered:
        from honours.lab.calibrate import calibrate

        found = calibrate(book, parameters, [*total_aims(corpus, total, other), *firsts], progress)
        stands_on = {**corpus.provenance(), **found.provenance()}
        return _answered(found, found.table().title, [found.table()], stands_on)

    return work


def _is_figure(text: str) -> bool:
    return text.replace(",", "").replace(".", "", 1).isdigit()


def total_aims(corpus: Corpus, total: str, other: Rulebook) -> list[Aim]:
    """The total wanted: a figure, or what another rulebook pays."""
    from honours.lab.calibrate import total_aim
    from honours.lab.sweep import totals

    if not total:
        return []
    if _is_figure(total):
        return [total_aim(corpus, float(total.replace(",", "")))]
    return [total_aim(corpus, totals(other, list(corpus))["total"])]


def first_aims(firsts: Sequence[str], before: Rulebook) -> list[Aim]:
    """First places wanted: ``key=value … = award``, or ``= unchanged``."""
    from honours.lab.calibrate import award_aim, award_at

    aims = []
    for text in firsts:
        bare, _, wanted = text.rpartition(" = ")
        given = dict(part.partition("=")[::2] for part in bare.split())
        try:
            award = award_at(before, given, 1) if wanted == UNCHANGED else float(wanted)
        except ValueError as error:
            raise InputError(
                Message("first {text!r}: expected 'key=value … = award'", text=text)
            ) from error
        aims.append(award_aim(given, 1, award))
    return aims


def _growth(question: Question, library: Library) -> Callable[[Progress], Answered]:
    corpus = library.corpus(question.need("corpus"))
    books = [question.rulebook(library, key) for key in ("a", "b") if question.get(key)]
    years = question.whole("years")

    def work(progress: Progress) -> Answered:
        from honours.lab.growth import grow

        found = grow(corpus, books, years, progress)
        return _answered(found, found.table().title, [found.table()], found.data()["provenance"])

    return work


def _fit(question: Question, library: Library) -> Callable[[Progress], Answered]:
    corpus, book = library.corpus(question.need("corpus")), question.rulebook(library, "a")
    sessions, seed = question.whole("sessions"), question.whole("seed")
    bootstraps = question.whole("bootstraps")
    only = {
        column: words.split(",")
        for column, _, words in (part.partition("=") for part in question.get("only").split())
    }

    def work(progress: Progress) -> Answered:
        from honours.lab.fit import fit_corpus

        found = fit_corpus(corpus, book, sessions, only, bootstraps, seed, progress)
        frames = [found.table(), found.curve(), found.averages()]
        return _answered(found, found.title, frames, dict(found.provenance))

    return work


def _audit(question: Question, library: Library) -> Callable[[Progress], Answered]:
    book = question.rulebook(library, "a")

    def work(progress: Progress) -> Answered:
        from honours.lab.audit.search import audit
        from honours.lab.report import audit_answer

        found = audit(book, progress)
        shown = {"broken": found.broken, "kept": len(found.kept)}
        return Answered(shown, audit_answer(found), found.data())

    return work


def _simulate(question: Question, library: Library) -> Callable[[Progress], Answered]:
    books = [question.rulebook(library, key) for key in ("a", "b") if question.get(key)]
    holding = question.whole("holding")
    contests = [_contest(question, n) for n in CONTESTS if question.get(f"entrants{n}")]
    if not books or not contests:
        raise MissingInput("entrants1", Message("an event one might enter"))

    def work(progress: Progress) -> Answered:
        from honours.lab import simulate as lab_simulate
        from honours.lab.report import Answer

        found = lab_simulate.simulate(books, contests, holding, _RUNS, _SEED, progress)
        frame, said = lab_simulate.table(found, holding, _SEED), lab_simulate.statement(found)
        stands_on = {b.id: b.hash for b in books} | {"seed": str(_SEED), "runs": str(_RUNS)}
        data = {"statement": said, "table": frame.data(), "provenance": stands_on}
        best = sorted(found, key=lambda one: one.mean, reverse=True)
        shown = {"best": [(one.rulebook.id, one.contest.name, float(one.mean)) for one in best]}
        return Answered(shown, Answer(frame.title, [said], [frame], stands_on), data)

    return work


def _contest(question: Question, n: str) -> Contest:
    from honours.lab.simulate import Contest

    more = question.get(f"more{n}")
    facts = dict(part.partition("=")[::2] for part in more.split())
    if not all(facts.values()):
        raise InputError(
            Message("{key}={text}: expected key=value, e.g. limit=750", key=f"more{n}", text=more)
        )
    return Contest(
        question.get(f"name{n}") or n,
        entrants=question.whole(f"entrants{n}"),
        holding=question.whole(f"held{n}"),
        sessions=question.whole(f"sessions{n}"),
        facts=facts,
    )


# --- the seven ------------------------------------------------------------------------------------

_CORPUS = Field("corpus", Message("corpus"), "corpus", required=True)
_BOOK = Field("a", Message("rulebook"), "rulebook", True, "acbl-sof-2020")
_OTHER = Field("b", Message("compare with"), "rulebook", suggested="acbl-sof-2020")


def _event(n: str, name: str, held: str, more: str) -> tuple[Field, ...]:
    """The fields of an event one might enter."""
    return (
        Field(f"name{n}", Message("name"), suggested=name, group=n),
        Field(
            f"entrants{n}", Message("pairs that play"), "whole", False, "40", "", 2, 1000, group=n
        ),
        Field(
            f"held{n}", Message("what they hold, typically"), "whole", False, held, "", 1, group=n
        ),
        Field(f"sessions{n}", Message("sessions"), "whole", False, "2", "", 1, 10, group=n),
        Field(
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
            Field("a", Message("A, as it is"), "rulebook", True, "acbl-sof-2011"),
            Field("b", Message("B, as it would be"), "rulebook", True, "acbl-sof-2020"),
        ),
        _compare,
    ),
    QuestionKind(
        "sweep",
        Message("Try values"),
        Message("Try values of a number"),
        Message("What would other values of one number of a rulebook pay?"),
        (
            _CORPUS,
            Field(
                "parameter",
                Message("which number, of which rulebook"),
                "parameter",
                True,
                "acbl-sof-2020 first_exponent",
            ),
            Field(
                "values",
                Message("values to try"),
                "several",
                True,
                "0.6 0.65 0.7 0.75",
                "1/2 2/3 1",
            ),
        ),
        _sweep,
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
            _BOOK,
            Field(
                "parameters",
                Message("numbers that may change"),
                "several",
                True,
                "total_coefficient",
            ),
            Field(
                "total",
                Message("the total wanted"),
                "text",
                False,
                UNCHANGED,
                Message("a figure, a rulebook's id, or: unchanged"),
            ),
            Field(
                "first",
                Message("the first place wanted"),
                about="entrants=60 kind=pairs sessions=2 masterpoints=1250 = unchanged",
            ),
        ),
        _calibrate,
    ),
    QuestionKind(
        "growth",
        Message("Growth"),
        Message("Let years go by"),
        Message("Several years in which holdings grow by what each rulebook pays."),
        (_CORPUS, _BOOK, _OTHER, Field("years", Message("years"), "whole", False, "5", "", 2, 100)),
        _growth,
    ),
    QuestionKind(
        "fit",
        Message("Fit"),
        Message("Fit points won to holdings"),
        Message("How what players win depends on what they hold, as the source of 2020 fits it."),
        (
            _CORPUS,
            _BOOK,
            Field("sessions", Message("sessions"), "whole", False, "2", "", 1, 100),
            Field("only", Message("only events of"), about="class=regional,sectional"),
            Field("bootstraps", Message("resamples"), "whole", False, "60", "", 2, 10_000),
            Field("seed", Message("seed"), "whole", False, "1"),
        ),
        _fit,
    ),
    QuestionKind(
        "audit",
        Message("Audit"),
        Message("Search a rulebook for broken promises"),
        Message("The smallest counterexample to what a fair rule should promise; needs no corpus."),
        (Field("a", Message("rulebook"), "rulebook", True, "sbu-clubs-2016"),),
        _audit,
    ),
    QuestionKind(
        "simulate",
        Message("Simulate"),
        Message("What to expect of an afternoon"),
        Message("Open or limited, here or there: what may a player expect? Needs no corpus."),
        (
            Field("a", Message("rulebook"), "rulebook", True, "acbl-sof-2011"),
            _OTHER,
            Field("holding", Message("what the player holds"), "whole", True, "600"),
            *_event("1", "open pairs", "3000", ""),
            *_event("2", "limited pairs", "350", "limit=750"),
        ),
        _simulate,
    ),
)
QUESTIONS = {declared.kind: declared for declared in _DECLARED}
