"""The movement in a Bridgemate's .bws: who sits where with which boards, a section each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from honours.errors import FileProblem
from honours.formats.bws import Record, is_bws
from honours.formats.file_bytes import read_bytes
from honours.formats.jet import JetDatabase
from honours.movements.checking import check
from honours.movements.files import read_movements
from honours.movements.movement import Movement, Seating

_COLUMNS = ("Section", "Table", "Round", "NSPair", "EWPair", "LowBoard", "HighBoard")


def read_movement_file(path: str | Path) -> tuple[Movement, ...]:
    """The movements in a file of any kind we know: a club's own, EBUScore's, or a .bws."""
    data = read_bytes(path)
    if not is_bws(data):
        return read_movements(path)
    base = JetDatabase(str(path), data)
    rows = base.rows("RoundData") if "RoundData" in base.tables else []
    if not rows:
        raise FileProblem(str(path), "no movement", "a table RoundData")
    letters = {row.get("ID"): str(row.get("Letter") or "") for row in base.rows("Section")}
    sections: dict[int, list[tuple[int, ...]]] = {}
    for row in rows:
        figures = _figures(row)
        sections.setdefault(figures[0], []).append(figures[1:])
    return tuple(
        _movement(str(path), letters.get(number, ""), lines)
        for number, lines in sorted(sections.items())
    )


def _figures(row: Record) -> tuple[int, ...]:
    values = (row.get(name) for name in _COLUMNS)
    return tuple(value if isinstance(value, int) else 0 for value in values)


def _movement(path: str, letter: str, lines: Sequence[tuple[int, ...]]) -> Movement:
    """A section's movement; where both lines are numbered from 1, East-West follow North-South."""
    lengths = Counter(high - low + 1 for _, _, _, _, low, high in lines if low and high >= low)
    if not lengths:
        raise FileProblem(path, "no boards in its movement", "boards")
    per_set = lengths.most_common(1)[0][0]
    shift = _shift(lines)
    rounds: dict[int, list[Seating]] = {}
    for table, number, ns, ew, low, _ in sorted(lines):
        seating = Seating(
            table, ns, ew + shift if ew else 0, (low - 1) // per_set + 1 if low else 0
        )
        rounds.setdefault(number, []).append(seating)
    made = tuple(tuple(rounds[number]) for number in sorted(rounds))
    copies = max(Counter(s.set for s in seatings).most_common(1)[0][1] for seatings in made)
    movement = Movement("own", made, copies, len(made), name=letter, per_set=per_set)
    if faults := check(movement).faults:
        raise FileProblem(path, faults[0], "a movement that works")
    return movement


def _shift(lines: Sequence[tuple[int, ...]]) -> int:
    """How much is added to the numbers of East-West so that every pair has its own."""
    meets_itself = any(ns == ew and ns for _, _, ns, ew, _, _ in lines)
    return max(ns for _, _, ns, _, _, _ in lines) if meets_itself else 0
