"""Events for tests, made in a line or two, and hypothesis strategies for them."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from hypothesis import strategies as st

from honours.model import (
    AdjustedScore,
    ArtificialScore,
    AssignedScore,
    Entrant,
    Event,
    EventEntrant,
    Penalty,
    Result,
    Session,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

AVERAGE_PLUS = ArtificialScore(Fraction(3, 5), session_rule=True)
AVERAGE = ArtificialScore(Fraction(1, 2))
AVERAGE_MINUS = ArtificialScore(Fraction(2, 5), session_rule=True)


def line(board: int, ns: str, ew: str, score: int | None = None, version: str = "") -> Result:
    return Result(board, (ns,), (ew,), score, version=version)


def ruled(board: int, ns: str, ew: str, adjusted: AdjustedScore, version: str = "") -> Result:
    return Result(board, (ns,), (ew,), adjusted=adjusted, version=version)


def weighted(*scores: tuple[str, int]) -> AdjustedScore:
    both = AssignedScore(tuple((Fraction(weight), score) for weight, score in scores))
    return AdjustedScore(both, both)


def event(results: Iterable[Result], penalties: Sequence[Penalty] = (), winners: int = 0) -> Event:
    """A pairs event of one session, its entrants those that played."""
    lines = tuple(results)
    names = dict.fromkeys(who for r in lines for who in (*r.ns, *r.ew))
    return Event(
        "Tuesday",
        "pairs",
        "matchpoints",
        tuple(EventEntrant(Entrant(name)) for name in names),
        (Session(1, lines, penalties=tuple(penalties)),),
        winners,
    )


def mitchell(scores: Sequence[Sequence[int]]) -> Event:
    """Rows are boards, columns tables: North-South sit still, East-West move up a table."""
    tables = len(scores[0])
    return event(
        line(board, f"N{table + 1}", f"E{(table - board) % tables + 1}", score)
        for board, row in enumerate(scores, 1)
        for table, score in enumerate(row)
    )


SCORES = st.sampled_from([-650, -620, -420, -170, -110, -50, 0, 50, 90, 110, 140, 420, 430, 620])


@st.composite
def boards(draw: st.DrawFn, versions: bool = False) -> list[Result]:
    """One board, each table its own pairs, perhaps in up to three versions."""
    size = draw(st.integers(2, 12))
    forms = st.sampled_from(["", "b", "c"]) if versions else st.just("")
    return [line(1, f"N{table}", f"E{table}", draw(SCORES), draw(forms)) for table in range(size)]
