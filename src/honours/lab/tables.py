"""The tables of a corpus as Arrow schemas: what a file must hold and what it may hold.

A corpus is a folder of Parquet files in *shards*: ``events-00003.parquet`` and the entrants,
players and results of the same number hold the same events. Every table is sorted by event, an
event is in one shard and in one row group, and a row group has about a million rows at most, so
that any of it can be streamed. Small types keep a year of results in the memory of a laptop.

A column that may be null may also be left out; what a null means is said of each.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from honours.engine.rules import public

# --- the tables of a corpus as Arrow schemas ----------------------------------------------------

WORD = pa.dictionary(pa.int8(), pa.string())
LINES = {1: "NS", 2: "EW"}
"""The lines that the numbers stand for."""
LIMITS = ("limit", "limit_b", "limit_c", "limit_d", "limit_e")
"""The columns of an event with the upper limits of its strata, the highest first."""
UNITS = {
    "holding": Fraction(1, 100),
    "rating": Fraction(1, 100_000),
    "gor": Fraction(1, 1_000),
    "ifpa_rating": Fraction(1, 100),
    "paid": Fraction(1, 10_000),
    "score": Fraction(1, 10_000),
    "skill": Fraction(1, 100),
    "match_score": Fraction(1, 10_000),
    "match_margin": Fraction(1, 10_000),
}
"""The value of one unit in a column that does not count in ones."""


def _column(name: str, kind: Any, about: str, unit: str = "") -> Any:
    return pa.field(name, kind, nullable=False, metadata={"about": about, "unit": unit})


def _maybe(name: str, kind: Any, about: str, null: str, unit: str = "") -> Any:
    metadata = {"about": about, "unit": unit, "null": null}
    return pa.field(name, kind, nullable=True, metadata=metadata)


_DEFAULT = "not said: a rulebook takes its own default, or sets the event aside"

EVENTS = pa.schema(
    [
        _column("event", pa.int32(), "number of the event, rising through the corpus"),
        _maybe("id", pa.string(), "what its owner calls it, text or number", "as `event`"),
        _maybe("title", pa.string(), "what people call it", "it has no name"),
        _maybe("date", pa.date32(), "when it was played", "not known", "days since 1970-01-01"),
        _maybe("tournament", pa.int32(), "the tournament it belonged to", "none"),
        _maybe("club", pa.string(), "the club that held it", "not known"),
        _maybe("class", WORD, "regional, sectional, …: the classification", _DEFAULT),
        _maybe("kind", WORD, "pairs, teams, swiss, individual, board-a-match", _DEFAULT),
        _maybe("sessions", pa.uint8(), "sessions of the event", _DEFAULT),
        _maybe(
            "boards",
            pa.uint16(),
            "boards each entrant was to play in the whole event",
            "sessions × boards_per_session where both are there, else not said",
        ),
        _maybe("boards_per_session", pa.uint8(), "boards in a session", _DEFAULT),
        _maybe("stage_boards", pa.uint16(), "boards of the shortest session or stage", _DEFAULT),
        _maybe(
            "form",
            WORD,
            "how it is put together: session, stages, swiss, round-robin, knock-out, matches",
            _DEFAULT,
        ),
        _maybe("scoring", WORD, "matchpoints, cross-imps, butler, imps, board-a-match", _DEFAULT),
        _maybe("matches", pa.uint16(), "matches that each was to play", _DEFAULT),
        _maybe("boards_per_match", pa.uint16(), "boards of the shortest match", _DEFAULT),
        _maybe(
            "everybody_in_every_session",
            WORD,
            "yes or no: whether everybody played in every session",
            _DEFAULT,
        ),
        _maybe("complete", WORD, "yes or no: whether everybody played every board", _DEFAULT),
        _maybe(
            "limit", pa.int32(), "upper masterpoint limit; 0 for none", _DEFAULT, "masterpoints"
        ),
        _maybe(
            "limit_b", pa.int32(), "upper limit of the second stratum", _DEFAULT, "masterpoints"
        ),
        _maybe("limit_c", pa.int32(), "upper limit of the third stratum", _DEFAULT, "masterpoints"),
        _maybe("limit_d", pa.int32(), "upper limit of the fourth", _DEFAULT, "masterpoints"),
        _maybe("limit_e", pa.int32(), "upper limit of the fifth", _DEFAULT, "masterpoints"),
        _maybe(
            "boards_of_sessions",
            pa.string(),
            "boards of each session where they differ: 24+26",
            "not said, or boards_per_session",
        ),
        _maybe("game", WORD, "what is played for at a club: club, nap-club, …", _DEFAULT),
        _maybe("membership", WORD, "of an ACBL game: open, invitational, newcomer", _DEFAULT),
        _maybe("pupils", WORD, "yes or no: whether it is a game for pupils", _DEFAULT),
        _maybe("ranked_overall", WORD, "yes or no: whether all are ranked together", _DEFAULT),
        _maybe("added_tables", pa.uint8(), "tables added to those that were played", _DEFAULT),
        _maybe("restrictions", pa.uint8(), "how many restrictions it had", _DEFAULT),
        _maybe("structure", WORD, "open, flight-a or bracket", _DEFAULT),
        _maybe("section_kind", WORD, "of a go tournament: open or handicapped", _DEFAULT),
        _maybe("handicap_stones", pa.uint16(), "games of go with handicap stones", _DEFAULT),
        _maybe(
            "flight",
            WORD,
            "open, A, mid, gold-rush, newcomer, online: only to group by",
            "shown as “not said”",
        ),
    ]
)
ENTRANTS = pa.schema(
    [
        _column("event", pa.int32(), "the event"),
        _column("entrant", pa.uint16(), "number of the entrant in its event, from 0"),
        _maybe(
            "line",
            pa.uint8(),
            "its line where each is ranked by itself: 1 North-South, 2 East-West",
            "the event has one ranking list",
        ),
        _maybe("stratum", pa.uint8(), "its own stratum: 0 the highest", "0"),
        _column("place", pa.uint16(), "its place in the whole field, or in its line"),
        _column("tied", pa.uint16(), "how many share the place"),
        _maybe(
            "score_place",
            pa.uint16(),
            "its place where equal scores share one, whatever broke the tie",
            "as its place",
        ),
        _maybe(
            "overall_place",
            pa.uint16(),
            "its place by score in both lines together",
            "not known, or the event has one ranking list",
        ),
        _maybe(
            "score",
            pa.int32(),
            "what it scored: a percentage, victory points or IMPs",
            "not known: places are compared",
            "ten-thousandths",
        ),
        _maybe("sat_in", pa.uint8(), "the section it sat in, by number from 1", "not known"),
        _maybe("games_played", pa.uint16(), "games it did play", "not known"),
        _maybe("boards_played", pa.uint16(), "boards it did play", "not known"),
        _maybe("won", pa.uint8(), "matches won", "not known"),
        _maybe("drawn", pa.uint8(), "matches drawn", "not known"),
        _maybe("ifpa_rating", pa.int32(), "a pinball player's rating", "not known", "hundredths"),
        _maybe("ifpa_rank", pa.int32(), "a pinball player's place in the ranking", "not known"),
        _maybe(
            "is_rated", pa.uint8(), "1 for who counts as rated at the IFPA, else 0", "not known"
        ),
    ]
)
PLAYERS = pa.schema(
    [
        _column("event", pa.int32(), "the event"),
        _column("entrant", pa.uint16(), "the entrant the player belonged to"),
        _column("player", pa.int32(), "the member's number, from 0; the same person throughout"),
        _maybe(
            "holding",
            pa.int32(),
            "masterpoints held at the date",
            "not known: a rulebook that asks for holdings sets the event aside",
            "hundredths of a masterpoint",
        ),
        _maybe(
            "rating",
            pa.int32(),
            "the rating at the date, of go players on the AGA's scale",
            "not known: a rulebook that asks for ratings sets the event aside",
            "hundred-thousandths of a rank",
        ),
        _maybe(
            "gor",
            pa.int32(),
            "a go player's rating at the date on the EGF's scale",
            "not known: that of the grade",
            "thousandths",
        ),
        _maybe(
            "grade",
            pa.int8(),
            "a go player's declared rank: 0 for 1 dan, 1 for 2 dan, -1 for 1 kyu",
            "not known",
        ),
        _maybe(
            "skill",
            pa.int32(),
            "the rating by results before the event (`honours lab rated`): 50 is average",
            "not known: a rulebook that asks for it sets the event aside",
            "hundredths of a per cent of a session",
        ),
        _maybe("eligible", WORD, "yes or no: whether the player may be given points", _DEFAULT),
        _maybe(
            "paid",
            pa.int32(),
            "what the player was paid for the event",
            "not known: *as paid* leaves the event out",
            "ten-thousandths of a point",
        ),
    ]
)
RESULTS = pa.schema(
    [
        _column("event", pa.int32(), "the event"),
        _column("board", pa.uint8(), "the board, numbered through the event"),
        _column("ns", pa.uint16(), "the entrant that sat North-South"),
        _column("ew", pa.uint16(), "the entrant that sat East-West"),
        _column("score", pa.int16(), "North-South's score", "points of the contract"),
    ]
)
GAMES = pa.schema(
    [
        _column("event", pa.int32(), "the event"),
        _column("entrant", pa.uint16(), "the entrant whose game it is"),
        _column("opponent", pa.uint16(), "the entrant it was played against"),
        _column("result", pa.uint8(), "2 won, 1 drawn, 0 lost", "halves of a game"),
        _maybe("stones", pa.int8(), "handicap stones received, negative for those given", "0"),
        _maybe(
            "match_score",
            pa.int32(),
            "what a match of bridge was worth: victory points, or its margin without a scale",
            "not said",
            "ten-thousandths",
        ),
        _maybe(
            "match_margin",
            pa.int32(),
            "IMPs or boards a match was won by, negative where it was lost",
            "not said",
            "ten-thousandths",
        ),
        _maybe("match_boards", pa.uint16(), "boards of a match", "not said"),
    ]
)
AWARDS = pa.schema(
    [
        _column("event", pa.int32(), "the event"),
        _column("entrant", pa.uint16(), "the entrant"),
        _column("amount", pa.int32(), "awarded to each player", "ten-thousandths of a point"),
    ]
)
SCORES = pa.schema(
    [
        _column("event", pa.int32(), "the event"),
        _column("entrant", pa.uint16(), "the entrant"),
        _column("points", pa.int32(), "matchpoints", "the profile's: tenths for ebu"),
        _column("possible", pa.int32(), "the most it could have had", "the same"),
        _column(
            "percentage", pa.int32(), "points of the possible, half up", "hundredths of a per cent"
        ),
        _column("place", pa.uint16(), "place by the exact ratio, in its line where it has one"),
        _column("tied", pa.uint16(), "how many share the place"),
    ]
)

ONCE = {"section": "section_kind"}
"""Earlier names of columns of events."""
_OTHER_NAMES = {"masterpoints": "holding", **ONCE}
TABLES = {
    "events": EVENTS,
    "entrants": ENTRANTS,
    "players": PLAYERS,
    "results": RESULTS,
    "games": GAMES,
}
OUTPUTS = {"scores": SCORES, "awards": AWARDS}
"""What ``honours lab score`` and ``honours lab award`` write."""
NEEDED = ("events", "entrants", "players")
"""Results are needed only to score, games only to rate; a corpus of standings has neither."""

ROWS_A_GROUP = 1_000_000


def table_of(columns: Mapping[str, Any], schema: Any) -> Any:
    """A table from plain columns; nullable ones may be missing."""
    fields = [f for f in schema if not f.nullable or f.name in columns]
    arrays = [pa.array(columns[f.name]).cast(f.type) for f in fields]
    return pa.Table.from_arrays(arrays, schema=pa.schema(fields))


def describe() -> list[dict[str, str]]:
    """Every column of every table, for people and for ``--json``."""
    return [
        {
            "table": table,
            "column": field.name,
            "type": _type(field.type),
            "unit": _note(field, "unit"),
            "about": _note(field, "about"),
            "null": _note(field, "null") or "never",
        }
        for table, schema in {**TABLES, **OUTPUTS}.items()
        for field in schema
    ]


_BEFORE = {
    "events": "One row an event. Needed.",
    "entrants": "One row an entrant of an event, rising by event and entrant. Needed.",
    "players": "One row a player of an entrant, rising by event and entrant. Needed.",
    "results": "One row a result, together by event and board. Needed only to score.",
    "games": "One row a game or match as an entrant sees it, rising by event. Needed only to rate.",
    "scores": "What `honours lab score` writes.",
    "awards": "What `honours lab award` writes; an event that is refused or set aside has 0.",
}


def as_markdown() -> str:
    """The tables with every column, as the documentation has them."""
    lines = [_PAGE]
    rows = describe()
    for table, about in _BEFORE.items():
        lines += [f"## {table}", "", about, "", "| column | type | unit | meaning | null |"]
        lines.append("|---|---|---|---|---|")
        for row in (r for r in rows if r["table"] == table):
            cells = (f"`{row['column']}`", row["type"], row["unit"], row["about"], row["null"])
            lines.append(f"| {' | '.join(cells)} |")
        lines.append("")
    return "\n".join(lines[:-1]) + "\n"


_PAGE = """\
# Tables of a corpus

A corpus is a folder of Parquet files in shards: `events-00000.parquet`, `entrants-00000.parquet`,
`players-00000.parquet` and, where boards or games of go are known, `results-00000.parquet` and
`games-00000.parquet` hold the same events; then those of `00001`. Every table is sorted by event,
over all shards; an event is in one shard and in one row group; a row group has a million rows at
most, unless a single event has more.

Any program may write such a folder. `corpus.json`, with the digests of the files, is what Honours
adds: files that it does not know are read through once before a long run. `members.parquet`
(`player`, `id`), where there is one, has what the members' owner calls them. A column that may be
null may be left out, which says the same as null in every row. Any Parquet encoding and compression
will do; other columns are passed over. `honours lab check FOLDER` says what is wrong with one.
"""


def _type(kind: Any) -> str:
    return "word (dictionary)" if pa.types.is_dictionary(kind) else str(kind)


def _note(field: Any, key: str) -> str:
    return str((field.metadata or {}).get(key.encode(), b"").decode())


def column_name(name: str) -> str:
    """The column that holds an input of a rulebook."""
    return _OTHER_NAMES.get(public(name), public(name))


# --- whole numbers between Arrow and NumPy, as they lie in memory -------------------------------


def whole(column: Any) -> Any:
    """A chunked column as one array, without copying if it has only one chunk."""
    return column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()


def numbers_or(empty: int, array: Any) -> NDArray[Any]:
    """The column's whole numbers, with the given number in place of nulls."""
    if not array.null_count:
        return numbers(array)
    values = numbers(array)
    wide = values if empty == 0 else values.astype(np.int64)
    return np.where(_valid(array), wide, np.array(empty, wide.dtype))


def _valid(array: Any) -> NDArray[np.bool_]:
    """Which items of an array are not null."""
    bits = np.frombuffer(array.buffers()[0], np.uint8)
    first, last = array.offset, array.offset + len(array)
    return np.unpackbits(bits, count=last, bitorder="little")[first:].astype(np.bool_)


def numbers(array: Any) -> NDArray[Any]:
    """The column's whole numbers; the value in place of a null is arbitrary."""
    _, values = array.buffers()
    kind = _kind(array.type)
    if values is None:
        return np.empty(0, kind)
    return np.frombuffer(values, kind)[array.offset : array.offset + len(array)]


@cache
def _kind(arrow_type: Any) -> np.dtype[Any]:
    return np.dtype(str(arrow_type))


def arrow_of(values: NDArray[Any], kind: Any) -> Any:
    """The reverse: an Arrow array of whole numbers of the given type."""
    narrow = np.ascontiguousarray(values, np.dtype(str(kind)))
    return pa.Array.from_buffers(kind, len(narrow), [None, pa.py_buffer(narrow)])
