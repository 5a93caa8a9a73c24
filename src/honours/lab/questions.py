"""The questions one may ask of the lab, each declared once as a function whose signature defines
its inputs. The methods of :class:`~honours.lab.corpus.Corpus` are these functions; commands,
forms, the API and the documentation page of each question are made from the signature."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated

from honours.errors import UnknownName
from honours.lab.asking import (
    QUESTIONS,
    UNCHANGED,
    ContestsField,
    Question,
    QuestionField,
    QuestionKind,
    RulebooksField,
    question,
    read_program_question,
    read_question,
)
from honours.lab.result import Answer, Progress, unwatched
from honours.lab.sides import AS_PAID, GROUPS, as_side
from honours.model.message import Message, mark

if TYPE_CHECKING:
    from honours.engine.rulebook import Rulebook
    from honours.lab.calibrate import Aim
    from honours.lab.compare import Comparison
    from honours.lab.corpus import Corpus
    from honours.lab.sides import Side
    from honours.lab.simulate import Contest

__all__ = ("QUESTIONS", "Question", "QuestionKind", "read_program_question", "read_question")

EXPLAINED = 10
"""How many of the most changed events the report of a comparison explains."""
SOURCES = {"2020": "acbl-sof-2020", "2011": "acbl-sof-2011"}
"""The sources whose studies are repeated, and the rule each proposes."""
BEFORE = {"2011": "acbl-general"}
"""The rule in force before, if the source prints it: it stands for what was paid if a corpus
does not record that."""
_BOTH = "acbl-sof-2011 acbl-sof-2020"
OfCorpus = Annotated["Corpus", QuestionField(Message("corpus"), "corpus")]
OfRulebook = Annotated[
    "str | Rulebook",
    QuestionField(Message("rulebook"), "rulebook", key="a", suggested="acbl-sof-2020"),
]
Rulebooks = Annotated[
    "Sequence[str | Rulebook]",
    RulebooksField(Message("rulebook"), others=mark("compare with"), suggested=_BOTH),
]
Seed = Annotated[int, QuestionField(Message("seed"), "whole", most=999_999_999)]


@question(
    Message("Compare"),
    Message("Compare two rulebooks"),
    Message(
        "What would one rulebook pay, compared with another, by size, strength, class; "
        "who gains and who loses?"
    ),
    (
        "honours lab compare year acbl-general acbl-sof-2020 --by flight,size",
        "honours lab compare year acbl-sof-2011 acbl-sof-2020 --event 6",
        "honours lab compare year-2019 as-paid acbl-sof-2020",
        'honours lab compare year acbl-sof-2020 "acbl-sof-2020 first_exponent=0.7"'
        " --html what-if.html",
    ),
    counted=mark("shards"),
    explains=EXPLAINED,
)
def compare(
    corpus: OfCorpus,
    a: Annotated[
        "str | Side",
        QuestionField(Message("A, as it is"), "rulebook", suggested="acbl-sof-2011", paid=True),
    ],
    b: Annotated[
        "str | Side",
        QuestionField(
            Message("B, as it would be"), "rulebook", suggested="acbl-sof-2020", paid=True
        ),
    ],
    on: str = "",
    by: Annotated[
        Sequence[str],
        QuestionField(
            Message("by what, first of all"),
            "boxes",
            about=Message("several cross each other, but for stratum and holding"),
            words=GROUPS,
        ),
    ] = (),
    event: Annotated[
        "int | str | None",
        QuestionField(Message("only one event"), "event", about=Message("place by place, and why")),
    ] = None,
    progress: Progress = unwatched,
) -> "Comparison":
    """What B would pay, compared with A; either may be ``as-paid``. With an ``event``, that
    event is compared place by place, with the reasons."""
    from honours.lab.compare import compare as compare_sides
    from honours.lab.compare import compare_event

    if event is not None:
        return compare_event(corpus, a, b, event)
    return compare_sides(corpus, a, b, progress, on, by)


@question(
    Message("Try values"),
    Message("Try values of a number"),
    Message("What would other values of one number of a rulebook pay?"),
    ("honours lab sweep year acbl-sof-2020 size_exponent 1/2 2/3 3/4 1",),
    counted=mark("shards"),
)
def sweep(
    corpus: OfCorpus,
    rulebook: Annotated[
        "str | Rulebook", QuestionField(Message("rulebook"), "of number", key="parameter")
    ],
    parameter: Annotated[
        str,
        QuestionField(
            Message("which number, of which rulebook"),
            "parameter",
            suggested="acbl-sof-2020 first_exponent",
        ),
    ],
    values: Annotated[
        Sequence[object],
        QuestionField(
            Message("values to try"), "values", about="1/2 2/3 1", suggested="0.6 0.65 0.7 0.75"
        ),
    ],
    on: str = "",
    progress: Progress = unwatched,
) -> Answer:
    """What every value of a parameter would pay."""
    from honours.lab.sweep import sweep as sweep_values

    return sweep_values(corpus, rulebook, parameter, values, progress, on)


@question(
    Message("Calibrate"),
    Message("Find numbers that meet an aim"),
    Message("Which values of its numbers make an amended rulebook pay a total or a first place?"),
    (
        'honours lab calibrate year "acbl-sof-2020 first_exponent=0.7" \\\n'
        "    total_coefficient first_coefficient --total unchanged \\\n"
        '    --first "entrants=60 kind=pairs sessions=2 masterpoints=1250 = unchanged"',
    ),
    counted=mark("rulebooks tried"),
)
def calibrate(
    corpus: OfCorpus,
    rulebook: OfRulebook,
    parameters: Annotated[
        Sequence[str],
        QuestionField(
            Message("numbers that may change"), "parameters", suggested="total_coefficient"
        ),
    ],
    total: Annotated[
        "float | str | Side | None",
        QuestionField(
            Message("the total wanted"),
            "total",
            about=Message("a figure, a rulebook's id, or: unchanged"),
            suggested=UNCHANGED,
            unless="first",
        ),
    ] = None,
    aims: Annotated[
        "Sequence[Aim]",
        QuestionField(
            Message("the first place wanted"),
            "firsts",
            about="entrants=60 kind=pairs sessions=2 masterpoints=1250 = unchanged",
            key="first",
            option="first",
        ),
    ] = (),
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


@question(
    Message("Growth"),
    Message("Let years go by"),
    Message("Several years in which holdings grow by what each rulebook pays."),
    ("honours lab growth year acbl-sof-2011 acbl-sof-2020 --years 10",),
    counted=mark("steps of the work"),
)
def growth(
    corpus: OfCorpus,
    rulebooks: Rulebooks,
    years: Annotated[int, QuestionField(Message("years"), "whole", least=2, most=100)] = 5,
    on: str = "",
    rank: Annotated[
        int, QuestionField(Message("what the top rank takes"), "whole", least=1)
    ] = 2500,
    leave: Annotated[
        int, QuestionField(Message("members who leave in a year, in per cent"), "whole", most=50)
    ] = 6,
    progress: Progress = unwatched,
) -> Answer:
    """Several years in which holdings grow by what each rulebook pays."""
    from honours.lab.growth import grow

    return grow(corpus, rulebooks, years, progress, on, rank, leave)


@question(
    Message("Fit"),
    Message("Fit points won to holdings"),
    Message("How what players win depends on what they hold, as the source of 2020 fits it."),
    (
        "honours lab fit year acbl-sof-2020 --only class=regional",
        "honours lab fit year-2019 as-paid --floor 300",
    ),
    counted=mark("bootstraps"),
)
def fit(
    corpus: OfCorpus,
    rulebook: Annotated[
        "str | Side",
        QuestionField(
            Message("rulebook"), "rulebook", key="a", suggested="acbl-sof-2020", paid=True
        ),
    ],
    sessions: Annotated[int, QuestionField(Message("sessions"), "whole", least=1, most=100)] = 2,
    only: Annotated[
        "Mapping[str, Sequence[str]] | None",
        QuestionField(Message("only events of"), "only", about="class=regional,sectional"),
    ] = None,
    bootstraps: Annotated[
        int, QuestionField(Message("resamples"), "whole", least=2, most=10_000)
    ] = 60,
    seed: Seed = 1,
    floor: Annotated[float, QuestionField(Message("holdings counted as at least"), "whole")] = 0.0,
    on: str = "",
    progress: Progress = unwatched,
) -> Answer:
    """How much players win depending on what they hold, under a rulebook or ``as-paid``."""
    from honours.lab.fit import fit_corpus

    return fit_corpus(corpus, rulebook, sessions, only, bootstraps, seed, progress, floor, on)


@question(
    Message("Study"),
    Message("Do a source's study again"),
    Message(
        "The analysis of the proposal of 2020, or of 2011, table by table, with the source's "
        "figure beside that of the corpus."
    ),
    ("honours study year", "honours study year --source 2011 --won acbl-sof-2020"),
    counted=mark("tables"),
)
def study(
    corpus: OfCorpus,
    source: Annotated[
        str, QuestionField(Message("the source"), "word", words=tuple(SOURCES), suggested="2020")
    ] = "2020",
    won: Annotated[
        "str | Side | None",
        QuestionField(
            Message("what was won: as paid, or by"),
            "rulebook",
            key="a",
            paid=True,
            nothing=Message("what was paid, where the corpus says"),
        ),
    ] = None,
    on: str = "",
    now: Annotated[
        "Mapping[str, Sequence[str]] | None",
        QuestionField(
            Message("how now is read"), "only", about="credit=1.5 strata=yes edition=2017"
        ),
    ] = None,
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
    do = study_2020 if source == "2020" else study_2011
    history = History(corpus, as_side(won or wanted, corpus), on, NowReading.of(now))
    return do(history, book, progress)


@question(
    Message("Audit"),
    Message("Search a rulebook for broken promises"),
    Message(
        "The smallest and the worst counterexample to what a fair rule should promise; with a "
        "corpus, how many of its events that touches and what it cost them."
    ),
    (
        "honours lab audit aga-category",
        'honours lab audit "aga-category rating_weight=3" --explain',
        "honours lab audit acbl-general --corpus year",
    ),
    counted=mark("searches"),
)
def audit(
    corpus: Annotated[
        "Corpus | None",
        QuestionField(
            Message("corpus"),
            "corpus",
            optional=True,
            about=Message("to count the events that are touched"),
        ),
    ],
    rulebook: Annotated[
        "str | Rulebook",
        QuestionField(Message("rulebook"), "rulebook", key="a", suggested="sbu-clubs-2016"),
    ],
    on: str = "",
    explain: Annotated[
        bool, QuestionField(Message("both explanations of what broke"), "flag")
    ] = False,
    progress: Progress = unwatched,
) -> Answer:
    """The promises that a rulebook breaks and, with a corpus, what each breach cost there and
    where payments differ from the rule."""
    from honours.lab.audit.search import audit as search
    from honours.lab.left_out import as_rulebook

    return search(as_rulebook(rulebook), progress, corpus, on, explain)


@question(
    Message("Simulate"),
    Message("What to expect of an afternoon"),
    Message("Open or limited, here or there: what may a player expect? Needs no corpus."),
    (
        "honours lab simulate acbl-sof-2011 acbl-sof-2020 --holding 600 \\\n"
        '    --event "up: entrants=40 holding=3000" \\\n'
        '    --event "down: entrants=40 holding=350 limit=750"',
        "honours lab simulate sbu-clubs-2016 --holding 300 \\\n"
        '    --event "Howell: entrants=16 holding=300 sessions=1" \\\n'
        '    --event "Mitchell: entrants=16 holding=300 sessions=1 lists=2"',
    ),
    counted=mark("events"),
)
def simulate(
    rulebooks: Rulebooks,
    contests: Annotated[
        "Sequence[Contest]",
        ContestsField(
            Message("an event one might enter"),
            about=Message(
                "name: entrants=40 holding=3000 (of the field), with kind, boards, sessions and "
                "lists; anything else goes to the rulebook. lists=2 is a Mitchell whose lines are "
                "ranked apart"
            ),
            option="event",
        ),
    ],
    holding: Annotated[
        int, QuestionField(Message("what the player holds"), "whole", suggested="600")
    ],
    runs: Annotated[int, QuestionField(Message("afternoons"), "whole", least=100)] = 20_000,
    seed: Seed = 1,
    progress: Progress = unwatched,
) -> Answer:
    """What a player may expect from events of this size and strength; it needs no history."""
    from honours.lab.left_out import as_rulebook
    from honours.lab.simulate import answer
    from honours.lab.simulate import simulate as play

    books = [as_rulebook(book) for book in rulebooks]
    return answer(play(books, contests, holding, runs, seed, progress), holding, runs, seed)


@question(
    Message("Predict"),
    Message("Does a strength order results?"),
    Message(
        "How often the stronger finish ahead, by holdings, any function of them, a rulebook's own "
        "measure or a rating, in results that the measure has not seen."
    ),
    (
        'honours lab predict year "MP^0.4" "max(MP,300)^0.4" "log(MP+10)" acbl-sof-2011',
        "honours lab predict year rating holdings+rating",
    ),
    counted=mark("strengths"),
)
def predict(
    corpus: OfCorpus,
    strengths: Annotated[
        "Sequence[str | Rulebook]",
        QuestionField(
            Message("strengths"),
            "strengths",
            about=Message(
                "functions of MP, rating, holdings+rating, stratum, or a rulebook, with ; between "
                "them"
            ),
            suggested="MP^0.4; max(MP,300)^0.4; log(MP+10)",
        ),
    ],
    on: str = "",
    progress: Progress = unwatched,
) -> Answer:
    """How well each strength orders results, explains them and gives chances of them."""
    from honours.lab.predict import predict as measure

    return measure(corpus, strengths, progress, on)


@question(
    Message("Rate"),
    Message("Rate players by their results"),
    Message(
        "Grades of players from percentages, with partners, the strength of fields and error bars, "
        "and how far clubs that seldom meet can be compared. 50 is average."
    ),
    ("honours lab rate year", "honours lab rate year --holdings"),
    counted=mark("steps of the work"),
)
def rate(
    corpus: OfCorpus,
    holdings: Annotated[
        bool, QuestionField(Message("draw ratings to what holdings suggest"), "flag")
    ] = False,
    on: str = "",
    progress: Progress = unwatched,
) -> Answer:
    """Ratings of everybody, how sure they are, and where they cannot be compared."""
    from honours.lab.rate import rate as rate_all

    return rate_all(corpus, holdings, progress, on)


@question(
    Message("Fair"),
    Message("What do points reward?"),
    Message(
        "What part of the differences in points between members is skill and what attendance or "
        "luck, under each rule; and which fields pay more for the same skill."
    ),
    ("honours lab fair year acbl-general acbl-sof-2020",),
    counted=mark("steps of the work"),
)
def fair(
    corpus: OfCorpus,
    rulebooks: Rulebooks,
    on: str = "",
    progress: Progress = unwatched,
) -> Answer:
    """What points are paid for under each rulebook."""
    from honours.lab.fair import fair as divide

    return divide(corpus, rulebooks, progress, on)


@question(
    Message("Placement"),
    Message("Are entrants placed right?"),
    Message("How many stand in the right third of the entrants by points, and by rating."),
    ("honours lab placement year",),
    counted=mark("steps of the work"),
)
def placement(corpus: OfCorpus, on: str = "", progress: Progress = unwatched) -> Answer:
    """How many entrants points and ratings place right."""
    from honours.lab.fair import placement as place

    return place(corpus, progress, on)


@question(
    Message("Gaming"),
    Message("Where does the same skill pay more?"),
    Message(
        "What a player of a given grade may expect in a limited game, a stronger field, a section "
        "split in two, a larger game or a longer one, beside an open game of 24 pairs."
    ),
    (
        "honours lab gaming acbl-general acbl-sof-2020 sbu-clubs-2016",
        "honours lab gaming acbl-sof-2020 --corpus year --holding 500",
    ),
    counted=mark("rulebooks"),
)
def gaming(
    corpus: Annotated[
        "Corpus | None",
        QuestionField(
            Message("corpus"),
            "corpus",
            optional=True,
            about=Message("to take who plays from; otherwise as in real club games"),
        ),
    ],
    rulebooks: Rulebooks,
    holding: Annotated[
        int, QuestionField(Message("what the player holds"), "whole", least=1)
    ] = 500,
    limit: Annotated[
        int, QuestionField(Message("the limit of the limited game"), "whole", least=1)
    ] = 750,
    runs: Annotated[int, QuestionField(Message("evenings"), "whole", least=1000)] = 20_000,
    seed: Seed = 1,
    on: str = "",
    progress: Progress = unwatched,
) -> Answer:
    """Where playing down, splitting a section or another field pays more for the same skill."""
    from honours.lab.gaming import gaming as play
    from honours.lab.left_out import as_rulebook

    books = [as_rulebook(one) for one in rulebooks]
    return play(corpus, books, holding, limit, runs, seed, progress, on)
