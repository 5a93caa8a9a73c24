"""First place by tables and average holding, as the 2011 source prints its sample awards.

Every cell is a two-session regional pairs event of 26 boards a session in which all players hold
the same; no corpus comes into it.
"""

from __future__ import annotations

from fractions import Fraction

from honours.engine.award import read_facts
from honours.engine.compiled.award import award_fields
from honours.engine.rulebook import Rulebook
from honours.errors import HonoursError
from honours.lab.fields import as_in_a_corpus
from honours.lab.frame import Frame
from honours.model import Entrant, Field, Player, Standing, Value

TABLES = tuple(range(4, 61, 4))
AVERAGES = tuple(range(0, 5001, 250))
"""The rows and columns of the source's grid."""
TYPICAL = (24, "1,250")
"""About the median size, and the strength of a typical open game, as the 2011 source has them."""
_EVENT = {"kind": "pairs", "class": "regional", "sessions": 2, "boards_per_session": 26}
_OF_PLAYERS = "masterpoints"


def sample_awards(book: Rulebook, title: str) -> Frame:
    """The grid under a rulebook; without rows where it does not award such events."""
    rows: list[dict[str, object]] = []
    try:
        for tables in TABLES:
            fields = [uniform_field(book, 2 * tables, average) for average in AVERAGES]
            paid = award_fields(book, fields, as_in_a_corpus)
            firsts = [None if amounts is None else float(amounts[0]) for amounts in paid]
            named = (f"{average:,}" for average in AVERAGES)
            rows.append({"tables": tables, **dict(zip(named, firsts, strict=True))})
    except HonoursError:  # it asks for what such an event does not have
        return Frame.of(title, [])
    paying = any(cell is not None for row in rows for name, cell in row.items() if name != "tables")
    return Frame.of(title, rows if paying else [])


def typical(a: Frame, b: Frame) -> str:
    """A sentence on one cell: a game of about median size and typical strength."""
    size, average = TYPICAL
    ours, theirs = (next(r for r in grid if r["tables"] == size)[average] for grid in (a, b))
    if ours is None or theirs is None:
        return ""
    names = [grid.title.partition(": ")[2] for grid in (a, b)]
    return (
        f"First place of {size} tables averaging {average} masterpoints would be {theirs:.2f} "
        f"under {names[1]}, compared with {ours:.2f} under {names[0]}."
    )


def uniform_field(book: Rulebook, entrants: int, holding: int) -> Field:
    """The event of a cell."""
    given: dict[str, object] = {"entrants": entrants, **_EVENT}
    facts = read_facts(book, {key: value for key, value in given.items() if key in book.keys})
    held: dict[str, Value] = {}
    if _OF_PLAYERS in book.inputs:
        held[_OF_PLAYERS] = Fraction(holding)
    pair = tuple(Player(f"player {k}", facts=held) for k in (1, 2))
    own: dict[str, Value] = {}
    if "in_top_stratum" in book.inputs:
        own["in_top_stratum"] = Fraction(1)
    places = range(1, entrants + 1)
    return Field(facts, tuple(Standing(Entrant(str(n), pair), n, facts=own) for n in places))
