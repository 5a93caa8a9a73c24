"""The plan of an evening: what is played, who sits where, and what the club wants."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from honours.errors import InputError, WrongValue
from honours.evening.sections import EveningSection
from honours.movements.generators import IndividualMovement
from honours.movements.movement import Movement, boards_of, check, switched_boards

KINDS = ("pairs", "individual", "teams")
SCORINGS = ("matchpoints", "cross-imps", "butler", "imps")
SHOWN = ("nothing", "board")
"""What a table sees once it has confirmed a board: only its own score, or all scores so far."""
STANDINGS = ("never", "half", "always")
"""When the big screen shows standings: never before the end, from half-way, or always."""
CORRECTION_MINUTES = 30
"""Law 79C, unless the club says otherwise."""
BYE = "12"
"""The usual value of a round without opponents, out of twenty victory points."""
MOST_ROUNDS, MOST_TABLES, MOST_BOARDS = 63, 64, 200
_LONGEST = 200


@dataclass(frozen=True, slots=True)
class TableRound:
    """One table in one round: the entrants on either side, and the boards they play. A board
    that is turned separately has an entry of its own."""

    table: int
    ns: tuple[str, ...]
    ew: tuple[str, ...]
    boards: tuple[int, ...]

    @property
    def is_played(self) -> bool:
        return bool(self.ns and self.ew and self.boards)

    @property
    def entrants(self) -> tuple[str, ...]:
        return (*self.ns, *self.ew)


Round = tuple[TableRound, ...]


@dataclass(frozen=True, slots=True)
class EveningPlan:
    """An evening as it was set up; ``rounds`` are those planned at the start.

    ``watched`` evenings have no rounds: their results come from a file that grows. ``playing``
    names directors and scorers who also play, each with their entrant; on a server without accounts
    there is one, without a name. ``sections`` are listed if there are several; with
    ``sections_apart`` each is compared and ranked separately. ``bye`` is what a round without
    opponents is worth in a Swiss event, in victory points.
    """

    title: str
    date: str = ""
    club: str = ""
    series: str = ""
    section: str = ""
    sections: tuple[EveningSection, ...] = ()
    sections_apart: bool = False
    director: str = ""
    kind: str = "pairs"
    scoring: str = "matchpoints"
    swiss: bool = False
    bye: str = BYE
    winners: int = 1
    per_set: int = 3
    movement: str = ""
    rounds: tuple[Round, ...] = ()
    watched: bool = False
    rulebook: str = ""
    given: Mapping[str, str] = field(default_factory=dict)
    leads: bool = False
    show: str = "board"
    standings: str = "half"
    minutes_a_board: int = 7
    minutes_a_move: int = 3
    correction_minutes: int = CORRECTION_MINUTES
    playing: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        _one_of("kind", self.kind, KINDS)
        _one_of("scoring", self.scoring, SCORINGS)
        _one_of("show", self.show, SHOWN)
        _one_of("standings", self.standings, STANDINGS)
        if not self.title.strip() or len(self.title) > _LONGEST:
            raise WrongValue("title", "", "an evening needs a title of at most 200 characters")
        if not 0 <= self.correction_minutes <= 7 * 24 * 60:
            raise WrongValue("correction_minutes", "", "expected 0 to 10080")
        if not 1 <= self.minutes_a_board <= 60 or not 0 <= self.minutes_a_move <= 60:
            raise WrongValue("minutes_a_board", "", "expected 1 to 60")
        if not 1 <= self.per_set <= 64:
            raise WrongValue("per_set", "", "expected 1 to 64 boards a round")
        if not self.bye.isdecimal() or len(self.bye) > 2:
            raise WrongValue("bye", "", "expected whole victory points, like 12")


def _one_of(name: str, text: str, words: Sequence[str]) -> None:
    if text not in words:
        known = ", ".join(words)
        raise WrongValue(name, text, "expected one of {known}", known=known)


def read_plan(data: Mapping[str, Any]) -> EveningPlan:
    """The plan from stored plain data."""
    sections = tuple(EveningSection(**one) for one in data["sections"])
    return EveningPlan(**{**data, "rounds": read_rounds(data["rounds"]), "sections": sections})


def rounds_data(rounds: Iterable[Round]) -> list[list[dict[str, Any]]]:
    """Rounds as plain data."""
    return [[asdict(seats) for seats in one] for one in rounds]


def read_rounds(data: Iterable[Iterable[Mapping[str, Any]]]) -> tuple[Round, ...]:
    """Rounds from plain data; an InputError says what is impossible in them."""
    try:
        rounds = tuple(
            tuple(
                TableRound(
                    int(one["table"]),
                    tuple(str(who) for who in one["ns"]),
                    tuple(str(who) for who in one["ew"]),
                    tuple(int(board) for board in one["boards"]),
                )
                for one in seats
            )
            for seats in data
        )
    except (KeyError, TypeError, ValueError) as error:
        raise WrongValue("rounds", "", "expected tables with ns, ew and boards") from error
    _check_size(rounds)
    return rounds


def _check_size(rounds: Sequence[Round]) -> None:
    if len(rounds) > MOST_ROUNDS or any(len(one) > 2 * MOST_TABLES for one in rounds):
        raise WrongValue("rounds", "", "too many rounds or tables")
    for one in (seats for round_ in rounds for seats in round_):
        if not 1 <= one.table <= MOST_TABLES:
            raise InputError("there is no table {table}", table=one.table)
        if any(not 1 <= board <= MOST_BOARDS for board in one.boards):
            raise WrongValue("rounds", "", "a board that is not 1 to 200")
        if any(len(who) > 12 for who in one.entrants):
            raise WrongValue("rounds", "", "the number of a pair is too long")


# --- from a movement ------------------------------------------------------------------------------


def rounds_of(movement: Movement, per_set: int) -> tuple[Round, ...]:
    """Return who sits where according to a movement, including the sit-outs of a half table."""
    return tuple(
        tuple(
            seats
            for seating in seatings
            for seats in _seats_of(movement, number, seating.table, per_set)
        )
        for number, seatings in enumerate(movement.rounds, 1)
    )


def _seats_of(movement: Movement, number: int, table: int, per_set: int) -> Iterator[TableRound]:
    [seating] = [one for one in movement.rounds[number - 1] if one.table == table]
    ns, ew = _who(seating.ns), _who(seating.ew)
    boards = boards_of(seating.set, per_set) if seating.set else ()
    turned = switched_boards(movement, number, seating, per_set)
    straight = tuple(board for board in boards if board not in turned)
    if straight or not turned:
        yield TableRound(table, ns, ew, straight)
    if turned:
        yield TableRound(table, ew, ns, turned)


def _who(number: int) -> tuple[str, ...]:
    return (str(number),) if number else ()


def individual_rounds(movement: IndividualMovement, per_set: int) -> tuple[Round, ...]:
    """Return who sits where in an individual event, where each side is two players."""
    return tuple(
        tuple(
            TableRound(
                four.table,
                (str(four.north), str(four.south)),
                (str(four.east), str(four.west)),
                boards_of(four.set, per_set),
            )
            for four in seats
        )
        for seats in movement.rounds
    )


def with_movement(
    plan: EveningPlan, movement: Movement | IndividualMovement, per_set: int
) -> EveningPlan:
    """The plan with a movement, which determines its rounds and its number of winners."""
    if isinstance(movement, IndividualMovement):
        rounds = individual_rounds(movement, per_set)
        complete = replace(plan, kind="individual", winners=1)
    else:
        rounds = rounds_of(movement, per_set)
        winners = check(movement).winners if plan.kind == "pairs" else 1
        complete = replace(plan, winners=winners)
    return replace(complete, per_set=per_set, movement=movement.kind, rounds=rounds)
