"""A movement as it is played: rounds of tables, each with two sides and a set of boards; checked,
read off as guide cards, and kept in files.

Our files and P. Smulders' ``.asc`` are one: pairs, tables, rounds, sets and 0, then a line a round
of ``NS-EW set`` for each table, ``#`` before a remark. EBUScore's ``PSMovements.txt`` has blocks of
a name, a line of kind, tables, boards, boards a round, rounds and missing pair, and a line a
table.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from honours.errors import FileProblem
from honours.model.message import Message, mark

NOBODY = 0


@dataclass(frozen=True, slots=True)
class Seating:
    """One table in one round: the pairs from 1, or 0 for nobody, and the set of boards from 1."""

    table: int
    ns: int
    ew: int
    set: int

    @property
    def is_played(self) -> bool:
        return bool(self.ns and self.ew and self.set)

    @property
    def turned(self) -> Seating:
        """The same table with the boards turned, so that the pairs play each other's cards."""
        return replace(self, ns=self.ew, ew=self.ns)


Round = tuple[Seating, ...]


@dataclass(frozen=True, slots=True)
class Movement:
    """All rounds. Of every set there are ``copies``; where it is at more tables, they share it.

    ``meetings`` is how often two pairs may meet, as the movement promises. ``switched`` are the
    rounds, from 1, that were arrow-switched as a whole; ``switched_boards`` of each set are
    switched in the last round, where turning a whole one would be too much. A movement from a file
    has the ``name`` and the boards a set (``per_set``) that the file gives it, if it does.
    """

    kind: str
    rounds: tuple[Round, ...]
    copies: int = 1
    meetings: int = 1
    switched: tuple[int, ...] = ()
    switched_boards: int = 0
    missing: int = NOBODY
    name: str = ""
    per_set: int = 0

    @property
    def tables(self) -> int:
        return max(len(seatings) for seatings in self.rounds)

    @property
    def pairs(self) -> tuple[int, ...]:
        seated = {p for _, seating in self.seatings() for p in (seating.ns, seating.ew)}
        return tuple(sorted(seated - {NOBODY}))

    @property
    def sets(self) -> tuple[int, ...]:
        return tuple(sorted({s.set for _, s in self.seatings()} - {0}))

    def seatings(self) -> Iterator[tuple[int, Seating]]:
        """Every table of every round, with the round's number."""
        for number, seatings in enumerate(self.rounds, 1):
            for seating in seatings:
                yield number, seating

    def played(self) -> Iterator[tuple[int, Seating]]:
        """Every table at which two pairs play, with the round's number."""
        return ((number, seating) for number, seating in self.seatings() if seating.is_played)

    def sitting_out(self, number: int) -> tuple[int, ...]:
        """The pairs that do not play in a round."""
        playing = {p for s in self.rounds[number - 1] if s.is_played for p in (s.ns, s.ew)}
        return tuple(pair for pair in self.pairs if pair not in playing)

    def with_turned(self, turned: Callable[[int, Seating], bool]) -> tuple[Round, ...]:
        """The rounds with some tables turned."""
        return tuple(
            tuple(s.turned if turned(number, s) else s for s in seatings)
            for number, seatings in enumerate(self.rounds, 1)
        )

    def without(self, pair: int) -> Movement:
        """A half table: the pair is not there, and who would meet it sits out."""
        rounds = tuple(
            tuple(
                replace(
                    s,
                    ns=NOBODY if s.ns == pair else s.ns,
                    ew=NOBODY if s.ew == pair else s.ew,
                )
                for s in seatings
            )
            for seatings in self.rounds
        )
        return replace(self, rounds=rounds, missing=pair)

    def switch(self, *numbers: int) -> Movement:
        """The movement with whole rounds arrow-switched at every table."""
        rounds = self.with_turned(lambda number, _: number in numbers)
        return replace(self, rounds=rounds, switched=tuple(sorted(numbers)))


def filled(
    kind: str,
    rounds: int,
    tables: int,
    seat: Callable[[int, int], tuple[int, int, int]],
    *,
    copies: int = 1,
    meetings: int = 1,
) -> Movement:
    """A movement from ``seat(round, table) -> (ns, ew, set)``, all of them counted from 0."""
    return Movement(
        kind,
        tuple(
            tuple(Seating(t + 1, *(number + 1 for number in seat(r, t))) for t in range(tables))
            for r in range(rounds)
        ),
        copies,
        meetings,
    )


def boards_of(number: int, per_set: int) -> tuple[int, ...]:
    """The boards of a set."""
    return tuple(range((number - 1) * per_set + 1, number * per_set + 1))


# --- guide cards -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class GuideLine:
    """One round of a pair's guide card; ``table`` is 0 where it sits out."""

    round: int
    table: int
    side: str
    opponents: int
    boards: tuple[int, ...]
    switched: tuple[int, ...] = ()


def guide_card(movement: Movement, pair: int, per_set: int) -> tuple[GuideLine, ...]:
    """A pair's seat in each round."""
    return tuple(
        _guide_line(movement, number, pair, per_set)
        for number in range(1, len(movement.rounds) + 1)
    )


def _guide_line(movement: Movement, number: int, pair: int, per_set: int) -> GuideLine:
    for seating in movement.rounds[number - 1]:
        if pair in (seating.ns, seating.ew) and seating.is_played:
            side = "NS" if seating.ns == pair else "EW"
            other = seating.ew if side == "NS" else seating.ns
            switched = switched_boards(movement, number, seating, per_set)
            boards = boards_of(seating.set, per_set)
            return GuideLine(number, seating.table, side, other, boards, switched)
    return GuideLine(number, 0, "", 0, ())


def switched_boards(
    movement: Movement, number: int, seating: Seating, per_set: int
) -> tuple[int, ...]:
    """The boards that are turned by themselves in the last round."""
    if number < len(movement.rounds):
        return ()
    return boards_of(seating.set, per_set)[: movement.switched_boards]


# --- checks ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class MovementCheck:
    """The findings of checking a movement. ``faults`` must be empty; the rest is for choosing and
    for awards. ``shared`` counts how often a set is needed at more tables at once than it has
    copies.

    ``shared`` counts how often a set is at more tables at once than there are copies of it.
    """

    faults: tuple[Message, ...]
    pairs: int
    sets: int
    least_sets: int
    most_sets: int
    least_opponents: int
    most_opponents: int
    most_meetings: int
    shared: int
    winners: int
    sit_outs: int


def check(movement: Movement) -> MovementCheck:
    """Everything that is wrong with a movement, and its facts."""
    faults: list[Message] = []
    met: Counter[frozenset[int]] = Counter()
    opponents: dict[int, set[int]] = defaultdict(set)
    played: dict[int, list[int]] = defaultdict(list)
    for number, seatings in enumerate(movement.rounds, 1):
        faults += _twice_seated(number, seatings)
        for seating in seatings:
            if not seating.is_played:
                continue
            at = {"round": number, "table": seating.table}
            if seating.ns == seating.ew:
                text = mark("round {round}, table {table}: pair {pair} plays itself")
                faults.append(Message(text, **at, pair=seating.ns))
            met[frozenset((seating.ns, seating.ew))] += 1
            for pair, other in ((seating.ns, seating.ew), (seating.ew, seating.ns)):
                opponents[pair].add(other)
                if seating.set in played[pair]:
                    text = mark("round {round}, table {table}: pair {pair} plays set {set} again")
                    faults.append(Message(text, **at, pair=pair, set=seating.set))
                played[pair].append(seating.set)
    faults += _meetings(movement, met)
    sets = [len(played[pair]) for pair in movement.pairs]
    others = [len(opponents[pair]) for pair in movement.pairs]
    return MovementCheck(
        faults=tuple(faults),
        pairs=len(movement.pairs),
        sets=len(movement.sets),
        least_sets=min(sets),
        most_sets=max(sets),
        least_opponents=min(others),
        most_opponents=max(others),
        most_meetings=max(met.values(), default=0),
        shared=sum(_shared(seatings, movement.copies) for seatings in movement.rounds),
        winners=_winners(movement),
        sit_outs=sum(len(movement.sitting_out(n)) for n in range(1, len(movement.rounds) + 1)),
    )


def _twice_seated(number: int, seatings: Round) -> list[Message]:
    seated = Counter(pair for s in seatings for pair in (s.ns, s.ew) if pair)
    return [
        Message("round {round}: pair {pair} is at two tables", round=number, pair=pair)
        for pair, times in seated.items()
        if times > 1
    ]


def _meetings(movement: Movement, met: Counter[frozenset[int]]) -> list[Message]:
    return [
        Message(
            "pairs {pairs} meet {times} times, at most {most} are promised",
            pairs=tuple(sorted(pairs)),
            times=times,
            most=movement.meetings,
        )
        for pairs, times in met.items()
        if times > movement.meetings
    ]


def _shared(seatings: Round, copies: int) -> int:
    at = Counter(s.set for s in seatings if s.is_played)
    return sum(max(0, tables - copies) for tables in at.values())


def _winners(movement: Movement) -> int:
    """Two where nobody ever changes direction, so that the lines are never compared."""
    if movement.switched_boards:
        return 1
    both = {s.ns for _, s in movement.played()} & {s.ew for _, s in movement.played()}
    return 1 if both else 2


# --- files -------------------------------------------------------------------------------------


_MOST_BYTES = 1_000_000
_TABLE = re.compile(r"(\d{1,4})-(\d{1,4}) +(\d{1,4}|[A-Za-z])")


def read_movements(path: str | Path) -> tuple[Movement, ...]:
    """The movements in a file, each checked; errors name the line."""
    file = Path(path)
    if file.stat().st_size > _MOST_BYTES:
        raise FileProblem(str(path), "more than a megabyte", "a movement")
    lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
    numbered = [(n, line.split("#")[0].strip()) for n, line in enumerate(lines, 1)]
    filled = [(n, line) for n, line in numbered if line]
    if not filled:
        raise FileProblem(str(path), "nothing", "a movement")
    asc = re.fullmatch(r"\d+( +\d+){3,4}", filled[0][1])
    movements = (_asc(path, filled),) if asc else _ebuscore(path, filled)
    for movement in movements:
        if faults := check(movement).faults:
            raise FileProblem(str(path), str(faults[0]), "a movement that works")
    return movements


def _asc(path: str | Path, lines: list[tuple[int, str]]) -> Movement:
    _, tables, rounds, *_ = (int(word) for word in lines[0][1].split())
    made = []
    for number, line in lines[1 : rounds + 1]:
        seats = _TABLE.findall(line)
        if len(seats) != tables:
            problem = Message("line {number}: {count} tables", number=number, count=len(seats))
            raise FileProblem(str(path), problem, "{tables} of them, each as 4-1 3", tables=tables)
        made.append(
            tuple(
                Seating(t, int(ns), int(ew), int(s) if s.isdigit() else ord(s.upper()) - 64)
                for t, (ns, ew, s) in enumerate(seats, 1)
            )
        )
    if len(made) != rounds:
        raise FileProblem(
            str(path),
            "{count} rounds",
            "the {rounds} of its first line",
            count=len(made),
            rounds=rounds,
        )
    return Movement("own", tuple(made), meetings=rounds)


def _ebuscore(path: str | Path, lines: list[tuple[int, str]]) -> tuple[Movement, ...]:
    movements, at = [], 0
    while at < len(lines):
        _, name = lines[at]
        number, head = lines[at + 1] if at + 1 < len(lines) else (lines[at][0], "")
        figures = [word.strip() for word in head.split(",")]
        if len(figures) < 5 or not all(word.isdigit() for word in figures[:5]):
            expected = Message("kind,tables,boards,boards a round,rounds,missing pair")
            raise FileProblem(
                str(path), "line {number}: {head}", expected, number=number, head=head or "the end"
            )
        tables, rounds = int(figures[1]), int(figures[4])
        rows = lines[at + 2 : at + 2 + tables]
        seated = _by_tables(path, name, rows, tables, rounds)
        movements.append(_with_head(seated, name, int(figures[3]), figures[5:6]))
        at += 2 + tables
    return tuple(movements)


def _by_tables(
    path: str | Path, name: str, rows: list[tuple[int, str]], tables: int, rounds: int
) -> Movement:
    columns = []
    for number, row in rows:
        cells = [word.strip() for word in row.split(",") if word.strip()]
        if len(cells) != 3 * rounds or not all(cell.isdigit() for cell in cells):
            problem = Message("line {number}: {count} numbers", number=number, count=len(cells))
            raise FileProblem(
                str(path),
                problem,
                "{value}: NS, EW and set of {rounds} rounds",
                value=3 * rounds,
                rounds=rounds,
            )
        columns.append([tuple(map(int, cells[i : i + 3])) for i in range(0, len(cells), 3)])
    if len(columns) != tables:
        raise FileProblem(
            str(path),
            "{count} tables of {name}",
            "{tables}",
            count=len(columns),
            name=name,
            tables=tables,
        )
    made = tuple(
        tuple(Seating(t, *column[r]) for t, column in enumerate(columns, 1)) for r in range(rounds)
    )
    return Movement("own", made, meetings=rounds)


def _with_head(movement: Movement, name: str, per_set: int, missing: list[str]) -> Movement:
    """The movement with what the head of its block says: its name, the boards a round, and the
    missing pair."""
    absent = int(missing[0]) if missing and missing[0].isdigit() else 0
    seated = movement.without(absent) if absent in movement.pairs else movement
    return replace(seated, name=name, per_set=per_set)


def chosen_movement(path: str, movements: Sequence[Movement], pairs: int, name: str) -> Movement:
    """The movement of a file by its name, or else the only one for this many pairs."""
    named = [one for one in movements if name and one.name.lower() == name.lower()]
    fitting = named or [one for one in movements if not pairs or len(one.pairs) == pairs]
    if len(fitting) == 1:
        return fitting[0]
    names = tuple(f"{one.name or '–'} ({len(one.pairs)})" for one in (fitting or movements)[:12])
    if not fitting or (name and not named):
        raise FileProblem(
            path, "no movement of that name or for so many pairs: {names}", names=names
        )
    raise FileProblem(path, "several movements: {names}", "the name of one", names=names)
