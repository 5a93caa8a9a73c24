"""First place by tables and average holding, as the 2011 source prints its sample awards.

Every cell is a two-session regional pairs event of 26 boards a session in which all players have
the same holding; no corpus is involved.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import numpy as np

from honours.engine.award import read_facts
from honours.engine.columns.award import award_columns
from honours.engine.columns.batch import Batch, FactColumn
from honours.engine.numbers import SCALE
from honours.engine.rulebook import Rulebook
from honours.errors import HonoursError
from honours.lab.frame import Frame
from honours.lab.input_columns import unit_of
from honours.model import Entrant, Field, Player, Standing, Value
from honours.model.message import Message

TABLES = tuple(range(4, 61, 4))
AVERAGES = tuple(range(0, 5001, 250))
"""The rows and columns of the source's grid."""
TYPICAL = (24, "1,250")
"""About the median size, and the strength of a typical open game, as the 2011 source has them."""
_EVENT = {"kind": "pairs", "class": "regional", "sessions": 2, "boards_per_session": 26}
_OF_PLAYERS = "masterpoints"


def sample_awards(book: Rulebook, title: str) -> Frame:
    """The grid under a rulebook; without rows if it does not award such events."""
    try:
        batch = _grid(book)
        paid = award_columns(book, batch)
    except HonoursError:  # it requires an input that such an event does not have
        return Frame.of(title, [])
    amounts = paid.amounts[batch.entrant_offsets[:-1]] / SCALE
    cells = [None if no else float(x) for x, no in zip(amounts, paid.refused, strict=True)]
    named = [f"{average:,}" for average in AVERAGES]
    rows = [
        {"tables": tables, **dict(zip(named, cells[k * len(named) :], strict=False))}
        for k, tables in enumerate(TABLES)
    ]
    paying = any(cell is not None for row in rows for name, cell in row.items() if name != "tables")
    return Frame.of(title, rows if paying else [])


def typical(a: Frame, b: Frame) -> str:
    """A sentence about one cell: a game of about median size and typical strength."""
    size, average = TYPICAL
    ours, theirs = (next(r for r in grid if r["tables"] == size)[average] for grid in (a, b))
    if ours is None or theirs is None:
        return ""
    return Message(
        "First place of {size} tables averaging {average} masterpoints would be {theirs:.2f} "
        "under {b}, compared with {ours:.2f} under {a}.",
        size=size,
        average=average,
        ours=ours,
        theirs=theirs,
        a=a.what,
        b=b.what,
    )


def _grid(book: Rulebook) -> Batch:
    """The events of all cells, row by row, as columns equivalent to :func:`uniform_field`."""
    cells = [(2 * tables, average) for tables in TABLES for average in AVERAGES]
    sizes = np.array([entrants for entrants, _ in cells])
    offsets = np.concatenate(([0], np.cumsum(sizes)))
    many = int(offsets[-1])
    of_size = {entrants: _facts(book, entrants) for entrants in dict.fromkeys(sizes.tolist())}
    facts = [of_size[entrants] for entrants, _ in cells]
    words = {n: v for n, v in facts[0].items() if isinstance(v, str)}
    in_units = [int(average / unit_of(_OF_PLAYERS)) for _, average in cells]
    holdings = np.repeat(np.array(in_units, np.int32), 2 * sizes)
    own = {n: FactColumn.in_units(np.ones(many, np.int64), Fraction(1)) for n in _of_entrant(book)}
    asked = _OF_PLAYERS in book.inputs
    return Batch(
        words=words,
        facts={
            "field": {n: FactColumn.of([f[n] for f in facts]) for n in facts[0] if n not in words},
            "entrant": own,
            "player": {_OF_PLAYERS: FactColumn.in_units(holdings, unit_of(_OF_PLAYERS))}
            if asked
            else {},
        },
        place=(np.arange(many) - np.repeat(offsets[:-1], sizes) + 1).astype(np.uint16),
        tied=np.ones(many, np.uint16),
        entrant_offsets=offsets,
        player_offsets=np.arange(0, 2 * many + 1, 2),
        exact=lambda i: uniform_field(book, *cells[i]),
        uniform=False,
    )


def _facts(book: Rulebook, entrants: int) -> dict[str, Value]:
    given: dict[str, object] = {"entrants": entrants, **_EVENT}
    return read_facts(book, {key: value for key, value in given.items() if key in book.keys})


def _of_entrant(book: Rulebook) -> Mapping[str, Value]:
    return {n: Fraction(1) for n in ("in_top_stratum",) if n in book.inputs}


def uniform_field(book: Rulebook, entrants: int, holding: int) -> Field:
    """The event of a cell."""
    held: dict[str, Value] = {}
    if _OF_PLAYERS in book.inputs:
        held[_OF_PLAYERS] = Fraction(holding)
    pair = tuple(Player(f"player {k}", facts=held) for k in (1, 2))
    own, places = _of_entrant(book), range(1, entrants + 1)
    standings = (Standing(Entrant(str(n), pair), n, facts=own) for n in places)
    return Field(_facts(book, entrants), tuple(standings))
