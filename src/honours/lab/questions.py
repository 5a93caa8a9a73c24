"""The questions one may ask of the lab, each a function; ``questions.toml`` says what they ask for.

The methods of :class:`~honours.lab.corpus.Corpus` are these functions; commands, forms, the API and
the documentation page of each question are made from both.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from honours.errors import UnknownName
from honours.lab.asking import (
    QUESTIONS,
    UNCHANGED,
    Question,
    QuestionKind,
    question,
    read_program_question,
    read_question,
)
from honours.lab.result import Answer, Progress, unwatched
from honours.lab.sides import AS_PAID, as_side

if TYPE_CHECKING:
    from honours.engine.rulebook import Rulebook
    from honours.lab.calibrate import Aim
    from honours.lab.compare import Comparison
    from honours.lab.corpus import Corpus
    from honours.lab.sides import Side
    from honours.lab.simulate import Contest

__all__ = ("QUESTIONS", "Question", "QuestionKind", "read_program_question", "read_question")

SOURCES = {"2020": "acbl-sof-2020", "2011": "acbl-sof-2011"}
"""The sources whose studies are repeated, and the rule each proposes."""
BEFORE = {"2011": "acbl-general"}
"""The rule in force before, if the source prints it: it stands for what was paid if a corpus
does not record that."""
Books = Sequence["str | Rulebook"]


@question
def compare(
    corpus: "Corpus",
    a: "str | Side",
    b: "str | Side",
    on: str = "",
    by: Sequence[str] = (),
    event: int | str | None = None,
    progress: Progress = unwatched,
) -> "Comparison":
    """What B would pay, compared with A; either may be ``as-paid``. With an ``event``, that
    event is compared place by place, with the reasons."""
    from honours.lab.compare import compare as compare_sides
    from honours.lab.compare import compare_event

    if event is not None:
        return compare_event(corpus, a, b, event)
    return compare_sides(corpus, a, b, progress, on, by)


@question
def sweep(
    corpus: "Corpus",
    rulebook: "str | Rulebook",
    parameter: str,
    values: Sequence[object],
    on: str = "",
    progress: Progress = unwatched,
) -> Answer:
    """What every value of a parameter would pay."""
    from honours.lab.sweep import sweep as sweep_values

    return sweep_values(corpus, rulebook, parameter, values, progress, on)


@question
def calibrate(
    corpus: "Corpus",
    rulebook: "str | Rulebook",
    parameters: Sequence[str],
    total: "float | str | Side | None" = None,
    aims: "Sequence[Aim]" = (),
    on: str = "",
    progress: Progress = unwatched,
) -> Answer:
    """The values of parameters that meet the aims. The total wanted is a figure, another side
    whose total is to be met, or ``"unchanged"`` for what the rulebook pays as published."""
    from honours.lab.calibrate import calibrate as find_values
    from honours.lab.calibrate import same_total_aim, total_aim
    from honours.lab.left_out import as_rulebook

    wanted, book = list(aims), as_rulebook(rulebook)
    if isinstance(total, int | float):
        wanted.insert(0, total_aim(corpus, float(total), on))
    elif total is not None:
        other = as_side(book.id if total == UNCHANGED else total, corpus)
        wanted.insert(0, same_total_aim(corpus, book, other, on))
    return find_values(book, parameters, wanted, progress)


@question
def growth(
    corpus: "Corpus",
    rulebooks: Books,
    years: int = 5,
    on: str = "",
    rank: int = 2500,
    leave: int = 6,
    progress: Progress = unwatched,
) -> Answer:
    """Several years in which holdings grow by what each rulebook pays."""
    from honours.lab.growth import grow

    return grow(corpus, rulebooks, years, progress, on, rank, leave)


@question
def fit(
    corpus: "Corpus",
    rulebook: "str | Side",
    sessions: int = 2,
    only: Mapping[str, Sequence[str]] | None = None,
    bootstraps: int = 60,
    seed: int = 1,
    floor: float = 0.0,
    on: str = "",
    progress: Progress = unwatched,
) -> Answer:
    """How much players win depending on what they hold, under a rulebook or ``as-paid``."""
    from honours.lab.fit import fit_corpus

    return fit_corpus(corpus, rulebook, sessions, only, bootstraps, seed, progress, floor, on)


@question
def study(
    corpus: "Corpus",
    source: str = "2020",
    won: "str | Side | None" = None,
    on: str = "",
    now: Mapping[str, Sequence[str]] | None = None,
    progress: Progress = unwatched,
) -> Answer:
    """The study of a source, repeated on a corpus. ``won`` says by what players won their
    points; by default that is what was paid, if the corpus records it. ``now`` is how the rule in
    force is read where nothing says what was paid: concurrent tables credited, strata, edition."""
    from honours.lab.study.figures import History
    from honours.lab.study.now import NowReading
    from honours.lab.study.proposal_2020 import study_2020
    from honours.lab.study.report_2011 import study_2011
    from honours.rulebooks import load

    if source not in SOURCES:
        raise UnknownName("source", source, SOURCES)
    book = load(SOURCES[source])
    wanted: str | Side = AS_PAID if corpus.tells_paid else BEFORE.get(source, book)
    history = History(corpus, as_side(won or wanted, corpus), on, NowReading.of(now))
    return (study_2020 if source == "2020" else study_2011)(history, book, progress)


@question
def audit(
    corpus: "Corpus | None",
    rulebook: "str | Rulebook",
    on: str = "",
    explain: bool = False,
    progress: Progress = unwatched,
) -> Answer:
    """The promises that a rulebook breaks and, with a corpus, what each breach cost there and
    where payments differ from the rule."""
    from honours.lab.audit.search import audit as search
    from honours.lab.left_out import as_rulebook

    return search(as_rulebook(rulebook), progress, corpus, on, explain)


@question
def simulate(
    rulebooks: Books,
    contests: "Sequence[Contest]",
    holding: int,
    runs: int = 20_000,
    seed: int = 1,
    progress: Progress = unwatched,
) -> Answer:
    """What a player may expect from events of this size and strength; it needs no history."""
    from honours.lab.left_out import as_rulebook
    from honours.lab.simulate import answer
    from honours.lab.simulate import simulate as play

    books = [as_rulebook(book) for book in rulebooks]
    return answer(play(books, contests, holding, runs, seed, progress), holding, runs, seed)


@question
def predict(
    corpus: "Corpus", strengths: Books, on: str = "", progress: Progress = unwatched
) -> Answer:
    """How well each strength orders results, explains them and gives chances of them."""
    from honours.lab.predict import predict as measure

    return measure(corpus, strengths, progress, on)


@question
def rate(
    corpus: "Corpus", holdings: bool = False, on: str = "", progress: Progress = unwatched
) -> Answer:
    """Ratings of everybody, how sure they are, and where they cannot be compared."""
    from honours.lab.rate import rate as rate_all

    return rate_all(corpus, holdings, progress, on)


@question
def fair(
    corpus: "Corpus", rulebooks: Books, on: str = "", progress: Progress = unwatched
) -> Answer:
    """What points are paid for under each rulebook."""
    from honours.lab.fair import fair as divide

    return divide(corpus, rulebooks, progress, on)


@question
def placement(corpus: "Corpus", on: str = "", progress: Progress = unwatched) -> Answer:
    """How many entrants points and ratings place right."""
    from honours.lab.fair import placement as place

    return place(corpus, progress, on)


@question
def gaming(
    corpus: "Corpus | None",
    rulebooks: Books,
    holding: int = 500,
    limit: int = 750,
    runs: int = 20_000,
    seed: int = 1,
    on: str = "",
    progress: Progress = unwatched,
) -> Answer:
    """Where playing down, splitting a section or another field pays more for the same skill."""
    from honours.lab.gaming import gaming as play
    from honours.lab.left_out import as_rulebook

    books = [as_rulebook(one) for one in rulebooks]
    return play(corpus, books, holding, limit, runs, seed, progress, on)
