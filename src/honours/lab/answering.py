"""How each question of the lab is answered: what is wrong with it is said before any work."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from honours.errors import InputError, MissingInput, UnknownName, WrongValue
from honours.lab.sides import AS_PAID, as_side
from honours.model.message import Message

if TYPE_CHECKING:
    from honours.engine.rulebook import Rulebook
    from honours.lab.calibrate import Aim
    from honours.lab.compare import Comparison
    from honours.lab.corpus import Corpus
    from honours.lab.questions import Library, Question
    from honours.lab.report import Answer
    from honours.lab.sides import Side
    from honours.lab.simulate import Contest

UNCHANGED = "unchanged"
_RUNS, _SEED = 20_000, 1
CONTESTS = ("1", "2")
Progress = Callable[..., None]
"""Told how much is done, of how much, and what is known so far."""
Work = Callable[[Progress], "Answered"]


@dataclass(frozen=True, slots=True)
class Answered:
    """What the lab found: what a page shows first, a report, and the same as plain data."""

    shown: Mapping[str, Any]
    report: Answer
    plain: Mapping[str, Any]

    def data(self) -> Mapping[str, Any]:
        """The answer as plain data."""
        return self.plain


def compare(question: Question, library: Library) -> Work:
    """What B pays, compared with A."""
    corpus = library.corpus(question.need("corpus"))
    sides = question.side(library, "a", corpus), question.side(library, "b", corpus)

    def work(progress: Progress) -> Answered:
        from honours.lab.compare import compare as compare_sides
        from honours.lab.report import EXPLAINED, comparison_answer
        from honours.lab.spread import pieces_of

        shards, known = len(pieces_of(corpus)), ""

        def done(count: int, _: int = 0) -> None:
            progress(count, shards + EXPLAINED, known)

        def so_far(made: Comparison) -> None:
            nonlocal known
            known = made.statement()

        done(0)
        made = compare_sides(corpus, *sides, done, library.on, so_far)
        known = made.statement()
        answer = comparison_answer(made, progress=lambda count, _: done(shards + count))
        return Answered({"statement": known}, answer, made.data())

    return work


def sweep(question: Question, library: Library) -> Work:
    """What other values of a parameter pay."""
    corpus = library.corpus(question.need("corpus"))
    text, _, parameter = question.need("parameter").rpartition(" ")
    values = question.several("values")
    book = library.rulebook(text)
    for value in values:
        library.rulebook(f"{text} {parameter}={value}")  # says what is wrong with one at once

    def work(progress: Progress) -> Answered:
        from honours.lab.sweep import sweep as sweep_values

        progress(0, 1)
        made = sweep_values(corpus, book, parameter, values, progress, library.on)
        return answered(made, corpus, made.table().title, [made.table()])

    return work


def answered(
    made: Any,
    corpus: Corpus | None,
    title: str,
    frames: Sequence[Any],
) -> Answered:
    """The answer of one statement and its tables."""
    from honours.lab.caveats import notes_of, titled
    from honours.lab.report import Answer

    data = made.data()
    statements = [made.statement(), *getattr(made, "notes", ()), *notes_of(corpus)]
    stands_on = data["provenance"]
    return Answered(
        {"statement": made.statement()},
        Answer(titled(corpus, title), statements, frames, stands_on),
        data,
    )


def calibrate(question: Question, library: Library) -> Work:
    """The values of parameters that meet aims."""
    corpus = library.corpus(question.need("corpus"))
    parameters = question.several("parameters")
    book, before = question.rulebook(library, "a"), library.rulebook(question.need("a"))
    total, first = question.get("total"), question.get("first")
    if not total and not first:
        raise MissingInput("total", Message("an aim: a total, or a first place"))
    firsts = first_aims([one.strip() for one in first.split(";") if one.strip()], before)
    other = _other(total, before, library, corpus)

    def work(progress: Progress) -> Answered:
        from honours.lab.calibrate import calibrate as find_values

        wanted = total_aims(corpus, book, total, other, library.on)
        made = find_values(book, parameters, [*wanted, *firsts], progress)
        return answered(made, corpus, made.table().title, [made.table()])

    return work


def _other(total: str, before: Rulebook, library: Library, corpus: Corpus) -> Side:
    if total in ("", UNCHANGED) or _is_figure(total):
        return before
    return as_side(AS_PAID, corpus) if total == AS_PAID else library.rulebook(total)


def _is_figure(text: str) -> bool:
    return text.replace(",", "").replace(".", "", 1).isdigit()


def total_aims(corpus: Corpus, book: Rulebook, total: str, other: Side, on: str = "") -> list[Aim]:
    """The total wanted: a figure, or what another side pays in the events that both award."""
    from honours.lab.calibrate import same_total_aim, total_aim

    if not total:
        return []
    if _is_figure(total):
        return [total_aim(corpus, float(total.replace(",", "")), on)]
    return [same_total_aim(corpus, book, other, on)]


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
            raise InputError("first {text!r}: expected 'key=value … = award'", text=text) from error
        aims.append(award_aim(given, 1, award))
    return aims


def growth(question: Question, library: Library) -> Work:
    """Years in which holdings grow."""
    corpus = library.corpus(question.need("corpus"))
    books = [question.rulebook(library, key) for key in ("a", "b") if question.get(key)]
    years = question.whole("years")

    def work(progress: Progress) -> Answered:
        from honours.lab.growth import grow

        made = grow(corpus, books, years, progress, library.on)
        return answered(made, corpus, made.table().title, [made.table()])

    return work


def fit(question: Question, library: Library) -> Work:
    """Points won against holdings."""
    corpus = library.corpus(question.need("corpus"))
    side = question.side(library, "a", corpus)
    sessions, seed = question.whole("sessions"), question.whole("seed")
    bootstraps, floor = question.whole("bootstraps"), float(question.whole("floor"))
    only = {
        column: words.split(",")
        for column, _, words in (part.partition("=") for part in question.get("only").split())
    }

    def work(progress: Progress) -> Answered:
        from honours.lab.fit import fit_corpus

        made = fit_corpus(
            corpus, side, sessions, only, bootstraps, seed, progress, floor, library.on
        )
        return answered(made, corpus, made.title, [made.table(), made.curve(), made.averages()])

    return work


def audit(question: Question, library: Library) -> Work:
    """Promises that a rulebook breaks."""
    book = question.rulebook(library, "a")
    corpus = library.corpus(question.get("corpus")) if question.get("corpus") else None

    def work(progress: Progress) -> Answered:
        from honours.lab.audit.search import audit as search
        from honours.lab.report import audit_answer

        made = search(book, progress, corpus, library.on)
        return Answered({"broken": made.broken}, audit_answer(made), made.data())

    return work


def simulate(question: Question, library: Library) -> Work:
    """What may be expected of events."""
    books = [question.rulebook(library, key) for key in ("a", "b") if question.get(key)]
    holding = question.whole("holding")
    contests = [_contest(question, n) for n in CONTESTS if question.get(f"entrants{n}")]
    if not books or not contests:
        raise MissingInput("entrants1", Message("an event one might enter"))

    def work(progress: Progress) -> Answered:
        from honours.lab import simulate as lab_simulate

        expected = lab_simulate.simulate(books, contests, holding, _RUNS, _SEED, progress)
        answer = lab_simulate.answer(expected, holding, _RUNS, _SEED)
        return Answered({"statement": answer.statements[0]}, answer, answer.data())

    return work


def _contest(question: Question, n: str) -> Contest:
    from honours.lab.simulate import Contest

    more = question.get(f"more{n}")
    facts = dict(part.partition("=")[::2] for part in more.split())
    if not all(facts.values()):
        raise WrongValue(f"more{n}", more, "expected key=value, e.g. limit=750")
    return Contest(
        question.get(f"name{n}") or n,
        entrants=question.whole(f"entrants{n}"),
        holding=question.whole(f"held{n}"),
        sessions=question.whole(f"sessions{n}"),
        facts=facts,
    )


def study(question: Question, library: Library) -> Work:
    """A source's analysis done again."""
    corpus = library.corpus(question.need("corpus"))
    source = question.get("source") or "2020"
    if source not in SOURCES:
        raise UnknownName("source", source, SOURCES)
    book = library.rulebook(SOURCES[source])
    side_asked = question.side(library, "a", corpus) if question.get("a") else None

    def work(progress: Progress) -> Answered:
        from honours.lab.study.proposal_2020 import study_2020
        from honours.lab.study.report_2011 import study_2011

        unpaid = library.rulebook(BEFORE.get(source, book.id))
        side = side_asked or (as_side(AS_PAID, corpus) if corpus.tells_paid else unpaid)
        do = study_2020 if source == "2020" else study_2011
        made = do(corpus, side, book, progress=progress, on=library.on)
        title = Message("The study of {source} again", source=source)
        return answered(made, corpus, title, made.frames())

    return work


SOURCES = {"2020": "acbl-sof-2020", "2011": "acbl-sof-2011"}
"""The sources whose studies are done again, and the rule each proposes."""
BEFORE = {"2011": "acbl-general"}
"""The rule in force before, where the source prints it: it stands for what was paid where a corpus
does not say."""
