"""Questions to the lab: what a form says, the work it takes, and the answer with its tables."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from honours.errors import InputError, MissingInput, UnknownName

if TYPE_CHECKING:
    from honours.engine.rulebook import Rulebook
    from honours.lab.report import Answer
    from honours.lab.simulate import Contest
    from honours.web.jobs.service import Progress
    from honours.web.lab.service import LabService

_RUNS, _SEED = 20_000, 1
_MOST_VALUES = 20
CONTESTS = ("1", "2")
_OF_CONTESTS = ("name", "entrants", "held", "sessions", "more")
KEYS: Mapping[str, tuple[str, ...]] = {
    "compare": ("corpus", "a", "a_with", "b", "b_with"),
    "sweep": ("corpus", "parameter", "values"),
    "audit": ("a", "a_with"),
    "simulate": (
        *("a", "a_with", "b", "b_with", "holding"),
        *(f"{key}{n}" for n in CONTESTS for key in _OF_CONTESTS),
    ),
}
"""What the form of each kind of question says."""


@dataclass(frozen=True, slots=True)
class Answered:
    """What the lab found: what a page shows first, and a report."""

    shown: Mapping[str, Any]
    report: Answer
    told: Mapping[str, Any]

    def data(self) -> Mapping[str, Any]:
        """The answer as plain data."""
        return self.told


@dataclass(frozen=True, slots=True)
class Question:
    """A kind of question and what was said: the same words have the same answer."""

    kind: str
    said: tuple[tuple[str, str], ...]

    def get(self, key: str) -> str:
        return dict(self.said).get(key, "")

    def need(self, key: str, about: str) -> str:
        """What must be said."""
        if not self.get(key):
            raise MissingInput(key, about)
        return self.get(key)

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
        needed = {
            "compare": ("corpus", "a", "b"),
            "sweep": ("corpus", "parameter", "values"),
            "audit": ("a",),
            "simulate": ("a", "holding"),
        }
        return all(self.get(key) for key in needed[self.kind])

    def rulebook(self, lab: LabService, key: str) -> Rulebook:
        """A rulebook that was named, with its amendments."""
        return lab.rulebook(f"{self.need(key, 'a rulebook')} {self.get(f'{key}_with')}")

    def work(self, lab: LabService) -> Callable[[Progress], Answered]:
        """The work the question takes; what is wrong with it is said before it starts."""
        return _WORK[self.kind](self, lab)


def read_question(kind: str, said: Mapping[str, str]) -> Question:
    """The question that a form or an address asks."""
    if kind not in KEYS:
        raise UnknownName("question", kind, KEYS)
    pairs = ((key, said.get(key, "").strip()) for key in KEYS[kind])
    found = tuple((key, text) for key, text in pairs if text)
    for key, text in found:
        if len(text) > 500:
            raise InputError(f"{key}={text[:20]}…: at most 500 characters")
    return Question(kind, found)


# --- the work ------------------------------------------------------------------------------------


def _compare(question: Question, lab: LabService) -> Callable[[Progress], Answered]:
    corpus = lab.corpus(question.need("corpus", "which corpus"))
    books = question.rulebook(lab, "a"), question.rulebook(lab, "b")

    def work(progress: Progress) -> Answered:
        from honours.lab.compare import compare
        from honours.lab.report import EXPLAINED, comparison_answer

        shards = len(corpus.shards)

        def told(done: int, _: int = 0) -> None:
            progress.step(done, shards + EXPLAINED)

        told(0)
        found = compare(corpus, *books, told)
        answer = comparison_answer(found, progress=lambda done, _: told(shards + done))
        total = found.total
        shown = {
            "a": float(total.a) / 10000,
            "b": float(total.b) / 10000,
            "events": int(total.events),
            "refused": tuple(int(count) for count in found.refused),
        }
        return Answered(shown, answer, found.data())

    return work


def _sweep(question: Question, lab: LabService) -> Callable[[Progress], Answered]:
    corpus = lab.corpus(question.need("corpus", "which corpus"))
    text, _, parameter = question.need("parameter", "which number").rpartition(" ")
    values = _values(question)
    book = lab.rulebook(text)
    for value in values:
        lab.rulebook(f"{text} {parameter}={value}")  # says what is wrong with one, before any work

    def work(progress: Progress) -> Answered:
        from honours.lab.report import Answer
        from honours.lab.sweep import sweep

        progress.step(0, len(values))
        found = sweep(corpus, book, parameter, values, progress.step)
        answer = Answer(
            found.table().title, [found.statement()], [found.table()], found.provenance()
        )
        return Answered({"rows": found.rows}, answer, found.data())

    return work


def _values(question: Question) -> list[str]:
    values = re.split(r"[\s,;]+", question.need("values", "values to try, e.g. 1/2 2/3 1"))
    if len(values) > _MOST_VALUES:
        raise InputError(f"values={len(values)}: at most {_MOST_VALUES} at once")
    return values


def _audit(question: Question, lab: LabService) -> Callable[[Progress], Answered]:
    book = question.rulebook(lab, "a")

    def work(progress: Progress) -> Answered:
        from honours.lab.audit.search import audit
        from honours.lab.report import audit_answer

        found = audit(book, progress.step)
        shown = {"broken": found.broken, "kept": len(found.kept)}
        return Answered(shown, audit_answer(found), found.data())

    return work


def _simulate(question: Question, lab: LabService) -> Callable[[Progress], Answered]:
    books = [question.rulebook(lab, key) for key in ("a", "b") if question.get(key)]
    holding = _whole(question, "holding", 1_000_000)
    contests = [_contest(question, n) for n in CONTESTS if question.get(f"entrants{n}")]
    if not books or not contests:
        raise MissingInput("entrants1", "an event one might enter")

    def work(progress: Progress) -> Answered:
        from honours.lab import simulate as lab_simulate
        from honours.lab.report import Answer

        found = lab_simulate.simulate(books, contests, holding, _RUNS, _SEED, progress.step)
        frame, said = lab_simulate.table(found, holding, _SEED), lab_simulate.statement(found)
        stands_on = {b.id: b.hash for b in books} | {"seed": str(_SEED), "runs": str(_RUNS)}
        data = {"statement": said, "table": frame.data(), "provenance": stands_on}
        best = sorted(found, key=lambda one: one.mean, reverse=True)
        shown = {"best": [(one.rulebook.id, one.contest.name, float(one.mean)) for one in best]}
        return Answered(shown, Answer(frame.title, [said], [frame], stands_on), data)

    return work


def _contest(question: Question, n: str) -> Contest:
    from honours.lab.simulate import Contest

    facts = dict(part.partition("=")[::2] for part in question.get(f"more{n}").split())
    if not all(facts.values()):
        raise InputError(f"more{n}={question.get(f'more{n}')}: expected key=value, e.g. limit=750")
    return Contest(
        question.get(f"name{n}") or n,
        entrants=_whole(question, f"entrants{n}", 1000, least=2),
        holding=_whole(question, f"held{n}", 1_000_000, least=1),
        sessions=_whole(question, f"sessions{n}", 10, least=1),
        facts=facts,
    )


def _whole(question: Question, key: str, most: int, least: int = 0) -> int:
    text = question.need(key, "a whole number")
    if not text.isdecimal() or not least <= int(text[:9]) <= most:
        raise InputError(f"{key}={text[:20]}: expected a whole number from {least} to {most}")
    return int(text)


_WORK: Mapping[str, Callable[[Question, LabService], Callable[[Progress], Answered]]] = {
    "compare": _compare,
    "sweep": _sweep,
    "audit": _audit,
    "simulate": _simulate,
}
