"""The four tables of a corpus, as Arrow schemas: what a file must hold, and nothing looser.

A corpus is a folder of Parquet files in *shards*: ``events-00003.parquet`` and the entrants,
players and results of the same number hold the same events. Every table is sorted by event, an
event is in one shard and in one row group, and a row group has about a million rows at most, so
that any of it can be streamed. Small types keep a year of results in the memory of a laptop.
"""

from __future__ import annotations

from typing import Any

import pyarrow as pa

WORD = pa.dictionary(pa.int8(), pa.string())


def _column(name: str, kind: Any, about: str) -> Any:
    return pa.field(name, kind, nullable=False, metadata={"about": about})


EVENTS = pa.schema(
    [
        _column("event", pa.int32(), "number of the event, rising through the corpus"),
        _column("date", pa.date32(), "when it was played"),
        _column("tournament", pa.int32(), "the tournament it belonged to"),
        _column("class", WORD, "regional, sectional, …: the classification"),
        _column("kind", WORD, "pairs, swiss, individual, board-a-match"),
        _column("sessions", pa.uint8(), "sessions of the event"),
        _column("boards_per_session", pa.uint8(), "boards in a session"),
        _column("limit", pa.int32(), "upper masterpoint limit; 0 for none"),
        _column("restrictions", pa.uint8(), "how many restrictions it had"),
        _column("structure", WORD, "open, flight-a or bracket"),
        _column("flight", WORD, "open, A, mid, gold-rush, newcomer or online: what to group by"),
    ]
)
ENTRANTS = pa.schema(
    [
        _column("event", pa.int32(), "the event"),
        _column("entrant", pa.uint16(), "number of the entrant in its event, from 0"),
        _column("stratum", pa.uint8(), "its own stratum: 0 the highest"),
        _column("place", pa.uint16(), "its place in the whole field"),
        _column("tied", pa.uint16(), "how many share the place"),
    ]
)
PLAYERS = pa.schema(
    [
        _column("event", pa.int32(), "the event"),
        _column("entrant", pa.uint16(), "the entrant the player belonged to"),
        _column("player", pa.int32(), "the member's number"),
        _column("holding", pa.int32(), "hundredths of a masterpoint held at the date"),
    ]
)
RESULTS = pa.schema(
    [
        _column("event", pa.int32(), "the event"),
        _column("board", pa.uint8(), "the board, numbered through the event"),
        _column("ns", pa.uint16(), "the entrant that sat North-South"),
        _column("ew", pa.uint16(), "the entrant that sat East-West"),
        _column("score", pa.int16(), "North-South's score"),
    ]
)
AWARDS = pa.schema(
    [
        _column("event", pa.int32(), "the event"),
        _column("entrant", pa.uint16(), "the entrant"),
        _column("amount", pa.int32(), "ten-thousandths awarded to each player"),
    ]
)
SCORES = pa.schema(
    [
        _column("event", pa.int32(), "the event"),
        _column("entrant", pa.uint16(), "the entrant"),
        _column("points", pa.int32(), "matchpoints in units of the profile (tenths for ebu)"),
        _column("possible", pa.int32(), "the most it could have had"),
        _column("percentage", pa.int32(), "hundredths of a per cent, half up"),
        _column("place", pa.uint16(), "place by the exact ratio"),
        _column("tied", pa.uint16(), "how many share the place"),
    ]
)

TABLES = {"events": EVENTS, "entrants": ENTRANTS, "players": PLAYERS, "results": RESULTS}
NEEDED = ("events", "entrants", "players")
"""Results are needed only to score; a corpus of standings has none."""

ROWS_A_GROUP = 1_000_000


def describe() -> list[dict[str, str]]:
    """Every column of every table, for people and for ``--json``."""
    return [
        {
            "table": table,
            "column": field.name,
            "type": str(field.type),
            "about": field.metadata[b"about"].decode(),
        }
        for table, schema in TABLES.items()
        for field in schema
    ]
