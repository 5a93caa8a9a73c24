"""The answers that tell of an evening: to phones, to programs and to the pages' scripts."""

from __future__ import annotations

from functools import cache, lru_cache

from pydantic import BaseModel, Field

from honours.engine.numbers import show
from honours.evening.board_lines import ENTERED, BoardLine, BoardPlace
from honours.evening.doubts import others_say, questions
from honours.evening.evening import Evening
from honours.evening.live import RoundClock, progress, round_clock
from honours.evening.plan import TableRound
from honours.evening.points import LinePoints
from honours.formats.notation import spelled
from honours.language import shown_figure, words
from honours.model import Contract, Denomination, Seat
from honours.model.message import Message
from honours.scoring.contracts import TRICKS, contract_score, dealer, vulnerable
from honours.web.http.api import TableShown

LEVELS = 7
_WAITS = Message("waits for the other side")


class EveningAnswer(BaseModel):
    """An evening in short."""

    id: str
    title: str
    date: str
    club: str
    section: str
    number: int
    tables: list[int]
    round: int
    rounds: int
    results: int
    of: int
    ended: str
    event: str
    clock: RoundClock | None


def evening_told(evening: Evening) -> EveningAnswer:
    """Tell of an evening in short."""
    plan, (made, of) = evening.plan, progress(evening)
    return EveningAnswer(
        id=evening.id,
        title=plan.title,
        date=plan.date,
        club=plan.club,
        section=plan.section,
        number=evening.number,
        tables=list(evening.tables),
        round=evening.current,
        rounds=len(evening.rounds),
        results=made,
        of=of,
        ended=evening.ended,
        event=evening.event,
        clock=_clock(evening),
    )


def _clock(evening: Evening) -> RoundClock | None:
    return round_clock(evening) if evening.rounds else None


class StandingsNow(BaseModel):
    """The standings of an evening; provisional ``until`` it can no longer be corrected."""

    number: int
    provisional: bool
    until: str | None
    shown: bool
    lists: list[TableShown] = []
    problem: str = ""


class CodesAnswer(BaseModel):
    """The codes of the tables and of the big screen: whoever has one may enter there."""

    screen: str
    tables: dict[str, str]


class LatePair(BaseModel):
    """The number a late pair got."""

    pair: str


class EveningFileAnswer(BaseModel):
    """The answer to a file that was sent: whether it had something new."""

    new: bool
    number: int


class OfferAwards(BaseModel):
    """The awards that a list of a movement would pay, place by place."""

    awards: list[str]
    list: dict[str, str]


class OfferAnswer(BaseModel):
    """A movement that may be played, without its rounds."""

    kind: str
    name: str
    rounds: int
    boards_per_round: int
    boards: int
    boards_each: list[int]
    sit_outs: int
    winners: int
    balance: str | None
    shared: int
    opponents: list[int]
    minutes: int
    switched_rounds: list[int]
    awards: list[OfferAwards]
    for_each_match_won: str | None
    refused: str | None
    refused_with_a_bye: str | None


# --- results --------------------------------------------------------------------------------------


class LineAnswer(BaseModel):
    """The line that holds for a board at a table."""

    round: int
    table: int
    board: int
    ns: list[str]
    ew: list[str]
    text: str
    spelled: str = Field(description="The text in the letters of the reader's language.")
    lead: str
    state: str
    version: int
    by: str
    score: int | None
    questions: list[str]


def line_told(evening: Evening, line: BoardLine, language: str) -> LineAnswer:
    """Tell of a line with what is asked about it."""
    asked = [words(one, language) for one in questions(evening, line)]
    return _alone(line, language).model_copy(update={"questions": asked})


@lru_cache(20_000)
def _alone(line: BoardLine, language: str) -> LineAnswer:
    return LineAnswer(
        **line.place._asdict(),
        ns=list(line.ns),
        ew=list(line.ew),
        text=line.text,
        spelled=spelled(line.text, language),
        lead=line.lead,
        state=line.state,
        version=line.version,
        by=line.by,
        score=line.score,
        questions=[],
    )


class EntryAnswer(BaseModel):
    """The answer to an entry: ``again`` if it was made before. The ``questions`` of a line are
    asked of the table; the entry is kept all the same."""

    number: int
    again: bool
    line: LineAnswer | None = None


class SeveralAnswer(BaseModel):
    """The answer to one of several lines: whether it was entered, and why not."""

    key: str
    entered: bool
    problem: str = ""


class MissingBoards(BaseModel):
    """Boards of the rounds so far that were not entered."""

    missing: list[dict[str, int]]
    doubtful: list[LineAnswer]


# --- the grid -------------------------------------------------------------------------------------


class PaperSheet(BaseModel):
    """A traveller or a score slip: its title, and which of the grid's lines are on it."""

    title: str
    lines: list[int]


class GridLine(BaseModel):
    """A line of the grid: who plays, and what stands there once something does."""

    round: int
    table: int
    board: int
    table_name: str
    ns: list[str]
    ew: list[str]
    version: int = 0
    spelled: str = ""
    score: int | None = None
    why: str = ""
    doubtful: str = ""
    offers: list[str] = Field([], description="What a person and a device say, where they differ.")
    ns_points: str = ""
    ew_points: str = ""
    match: str = ""


class GridAnswer(BaseModel):
    """The lines of an evening with what they have scored so far, in the reader's letters and
    figures; ``match`` is what a match of teams is worth to either side by now."""

    sheets: dict[str, list[PaperSheet]]
    lines: list[GridLine]
    names: dict[str, str]


def grid_told(
    evening: Evening,
    hidden: frozenset[int],
    points: dict[BoardPlace, LinePoints],
    language: str,
) -> GridAnswer:
    """Tell of every line there is to type, the sheets of paper they are on in either order, and
    who plays; nothing of a hidden board."""
    places = [place for place, _ in evening.places() if place.board not in hidden]
    sheets: dict[str, dict[str, list[int]]] = {"board": {}, "slip": {}}
    for at, place in sorted(enumerate(places), key=lambda one: (one[1].board, one[1])):
        title = Message("Board {board}", board=place.board)
        sheets["board"].setdefault(words(title, language), []).append(at)
    for at, place in sorted(enumerate(places), key=lambda one: one[1]):
        table = evening.table_name(place.table)
        title = Message("Round {round}, table {table}", round=place.round, table=table)
        sheets["slip"].setdefault(words(title, language), []).append(at)
    return GridAnswer(
        sheets={
            order: [PaperSheet(title=title, lines=lines) for title, lines in several.items()]
            for order, several in sheets.items()
        },
        lines=[_grid_line(evening, place, points.get(place), language) for place in places],
        names={who: evening.title_of(who) for who in evening.names},
    )


def _grid_line(
    evening: Evening, place: BoardPlace, points: LinePoints | None, language: str
) -> GridLine:
    """Return who plays a board at a table and what stands there; of a line without a result no more
    than its version."""
    seats, entered = evening.seated(place), evening.lines.get(place)
    line = GridLine(
        **place._asdict(),
        table_name=evening.table_name(place.table),
        ns=list(seats.ns),
        ew=list(seats.ew),
        version=entered.version if entered else 0,
    )
    if entered is None or not entered.is_there:
        return line
    remarks = [*questions(evening, entered), *others_say(entered)]
    line.doubtful = "1" if remarks else ""
    remarks += [_WAITS] if entered.state == ENTERED else []
    line.why = "; ".join(words(one, language) for one in remarks)
    line.spelled, line.score = spelled(entered.text, language), entered.score
    if entered.rival:
        line.offers = [line.spelled, spelled(entered.rival, language)]
    if points is not None:
        # Whole IMPs of a match as they are; others, which only a ruling makes, with decimals.
        digits = 2 if points.match is None else None
        line.ns_points, line.ew_points = (
            "" if side is None else shown_figure(show(side, digits), language)
            for side in (points.ns, points.ew)
        )
        worth = (shown_figure(show(side, 2), language) for side in points.match or ())
        line.match = " – ".join(worth)
    return line


# --- a table --------------------------------------------------------------------------------------


class BoardAt(BaseModel):
    """A board as it lies at a table."""

    board: int
    dealer: str
    vulnerable: str


class SeatsAt(BaseModel):
    """The entrants who play each other, and their boards."""

    ns: list[str]
    ew: list[str]
    boards: list[BoardAt]


class RoundAt(BaseModel):
    """A round at a table; ``next`` is the table and side of each afterwards, and if they play."""

    round: int
    over: bool
    seats: list[SeatsAt]
    next: dict[str, tuple[str, str, bool]]


class TableAnswer(BaseModel):
    """All that a table's page needs."""

    evening: str
    title: str
    number: int
    table: int
    label: str
    round: int
    current: int
    clock: RoundClock | None
    leads: bool
    show: str
    ended: str
    swiss: bool
    called: bool
    names: dict[str, str]
    rounds: list[RoundAt]
    lines: list[LineAnswer]
    versions: dict[str, int]


def table_told(evening: Evening, table: int, language: str) -> TableAnswer:
    """Tell all that a table's page needs: its rounds, who sits there, and what it entered."""
    plan, rounds = evening.plan, range(1, len(evening.rounds) + 1)
    at = max(evening.current, evening.last_entered(table))
    seats = {n: evening.at_table(n, table) for n in rounds}
    seated = {who for several in seats.values() for one in several for who in one.entrants}
    lines = {place: line for place, line in evening.lines.items() if place.table == table}
    return TableAnswer(
        evening=evening.id,
        title=plan.title,
        number=evening.number,
        table=table,
        label=evening.table_name(table),
        round=evening.round_at(table) if evening.rounds else 0,
        current=evening.current,
        clock=_clock(evening),
        leads=plan.leads,
        show=plan.show,
        ended=evening.ended,
        swiss=plan.swiss,
        called=table in evening.calls,
        names={who: evening.title_of(who) for who in seated},
        rounds=[_round_told(evening, n, seats[n], at > n) for n in rounds],
        lines=[line_told(evening, line, language) for line in lines.values() if line.is_there],
        versions={f"{at.round}.{at.board}": line.version for at, line in lines.items()},
    )


def _round_told(
    evening: Evening, number: int, several: tuple[TableRound, ...], over: bool
) -> RoundAt:
    seats = [
        SeatsAt(
            ns=list(one.ns),
            ew=list(one.ew),
            boards=[
                BoardAt(board=board, dealer=dealer(board).value, vulnerable=vulnerable(board))
                for board in one.boards
                if one.is_played
            ],
        )
        for one in several
    ]
    return RoundAt(round=number, over=over, seats=seats, next=_next(evening, number, several))


def _next(
    evening: Evening, number: int, several: tuple[TableRound, ...]
) -> dict[str, tuple[str, str, bool]]:
    """Return where those at a table go next: the table, the side, and whether they play."""
    if number >= len(evening.rounds):
        return {}
    here = {who for seats in several for who in seats.entrants}
    goes: dict[str, tuple[str, str, bool]] = {}
    for seats in evening.seats(number + 1):
        for side, who in (("NS", seats.ns), ("EW", seats.ew)):
            for one in set(who) & here:
                goes.setdefault(one, (evening.table_name(seats.table), side, seats.is_played))
    return goes


class BoardLineSeen(BaseModel):
    """The result of a board at a table, as another table sees it."""

    ns: str
    ew: str
    text: str
    lead: str
    score: int | None


class BoardAnswer(BaseModel):
    """The results of a board so far, and its hands if they are known; ``hidden`` from a table until
    it has confirmed its own result."""

    board: int
    hidden: bool = False
    lines: list[BoardLineSeen] = []
    deal: str = ""


def board_told(evening: Evening, board: int) -> BoardAnswer:
    """Tell of every result on a board so far, the best North-South score first."""
    made = [line for at, line in evening.lines.items() if at.board == board and line.is_there]
    lines = [
        BoardLineSeen(
            ns="+".join(line.ns),
            ew="+".join(line.ew),
            text=line.text,
            lead=line.lead,
            score=line.score,
        )
        for line in sorted(made, key=lambda line: -(line.score or 0))
    ]
    deal = evening.deals.get(board)
    return BoardAnswer(board=board, lines=lines, deal=deal.deal if deal else "")


@cache
def score_table() -> list[list[list[list[list[int]]]]]:
    """Return what declarer scores: by vulnerability, double, level, denomination and tricks."""
    return [
        [
            [
                [
                    [
                        contract_score(
                            Contract(level, strain, Seat.NORTH, doubled), tricks, at_risk
                        )
                        for tricks in range(TRICKS + 1)
                    ]
                    for strain in Denomination
                ]
                for level in range(1, LEVELS + 1)
            ]
            for doubled in range(3)
        ]
        for at_risk in (False, True)
    ]
