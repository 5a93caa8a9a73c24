"""Splits cells that name several members at once, "12 & 34" or "Smith / Jones", into one per
member.

The first rows show whether a column has such cells. If most of them do, the column is split, and a
note says so; if only some do, or if the separator may belong to an id, the user has to decide.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from honours.errors import InputError
from honours.lab.history.meanings import MeantColumn, meanings
from honours.lab.history.sources import SourceTable
from honours.lab.history.values import coded
from honours.model.message import Message

SIGNS = {
    "&": r"\s*&\s*",
    "/": r"\s*/\s*",
    ";": r"\s*;\s*",
    "+": r"\s*\+\s*",
    "|": r"\s*\|\s*",
    "and": r"\s+[aA][nN][dD]\s+",
    " - ": r"\s+[-–]\s+",
    ",": r"\s*,\s*",
    "-": r"\s*-\s*",
}
"""The possible separators between members, by their name in a plan."""
ONE_EACH = ""
"""What a plan says if every cell is one member."""
_DOUBTFUL = {",": re.compile(r"\d+\s*,\s*\d+"), "-": re.compile(r"(\d{4,})\s*-\s*(\d{4,})")}
"""Signs that occur in many ids and names: they are asked about only between whole numbers."""
_MOST_SEATS = 12
_LOOKED_AT = 50_000
_ENOUGH = 20


@dataclass(frozen=True, slots=True)
class SplitTable:
    """A table in which every cell belongs to one member. ``several`` has the separator of each
    column that was split; ``unclear`` lists the columns for which nobody can say whose they are."""

    table: SourceTable
    columns: list[MeantColumn]
    several: Mapping[str, str]
    unclear: Mapping[str, Message]


def split_table(
    table: SourceTable, columns: list[MeantColumn], wanted: str | None, draft: bool
) -> SplitTable:
    """The table with a column for every member of a cell, split at the ``wanted`` separator or
    at one that is recognised."""
    unclear = _whose(columns)
    columns = [c for c in columns if c.header not in unclear]
    of_players = [c for c in columns if meanings()[c.meaning].of == "player"]
    if wanted is not None and wanted != ONE_EACH and wanted not in SIGNS:
        known = ", ".join(map(repr, SIGNS))
        raise InputError("members = {sign!r}: expected one of {known}", sign=wanted, known=known)
    if wanted == ONE_EACH or not any(c.meaning == "player" for c in of_players):
        return SplitTable(table, columns, {}, unclear)
    texts = _first_texts(table, of_players)
    signs = {c.header: _sign(table, c, texts[c.header], wanted, draft) for c in of_players}
    several = {header: sign for header, sign in signs.items() if sign}
    if not any(c.header in several for c in of_players if c.meaning == "player"):
        return SplitTable(table, columns, {}, unclear)
    seats = _seats(table, of_players, several)
    made, more = _columns(columns, several, seats)
    return SplitTable(_parting(table, several), made, several, {**unclear, **more})


def _first_texts(table: SourceTable, columns: Sequence[MeantColumn]) -> dict[str, list[str]]:
    """The distinct texts of the first rows of some columns."""
    batch = next(iter(table.batches([c.header for c in columns])), None)
    if batch is None:
        return {c.header: [] for c in columns}
    return {c.header: coded(batch[c.header][:_LOOKED_AT])[0] for c in columns}


def _sign(
    table: SourceTable, column: MeantColumn, texts: Sequence[str], wanted: str | None, draft: bool
) -> str:
    """The separator between the members in a column's cells; nothing if each cell has one
    member."""
    if column.meaning != "player":  # figures for each member may have another separator
        return next((s for s in ("&", "/", ";", "+", "|") if _share(texts, s) > 0.5), "")
    if wanted is not None:
        return wanted if any(len(re.split(SIGNS[wanted], text)) > 1 for text in texts) else ""
    shares = {sign: _share(texts, sign) for sign in SIGNS}
    sign = max(shares, key=lambda one: shares[one])
    if not shares[sign] or draft:
        return sign if shares[sign] > 0.5 else ""
    if shares[sign] > 0.5 and sign not in _DOUBTFUL and not _is_prefix(texts, sign):
        return sign
    example = next(text for text in texts if _has(text, sign))
    raise InputError(
        "{table}: column {header!r}: is {example!r} one member or several? Say in the plan "
        '(--draft FILE writes one): members = {sign!r} for several, members = "" for one',
        table=table.origin,
        header=column.header,
        example=example,
        sign=sign,
    )


def _share(texts: Sequence[str], sign: str) -> float:
    return sum(_has(text, sign) for text in texts) / len(texts) if texts else 0.0


def _is_prefix(texts: Sequence[str], sign: str) -> bool:
    """Whether the text before the separator keeps recurring, and so is part of an id: UK/1234."""
    before = {re.split(SIGNS[sign], text)[0] for text in texts}
    return len(texts) >= _ENOUGH and len(before) < len(texts) / 10


def _has(text: str, sign: str) -> bool:
    """Whether there is text on both sides of the separator."""
    if sign in _DOUBTFUL:
        match = _DOUBTFUL[sign].fullmatch(text)
        return match is not None and (sign == "," or len(match[1]) == len(match[2]))
    return len([part for part in re.split(SIGNS[sign], text) if part]) > 1


# --- how many, and which columns --------------------------------------------------------------


def _seats(
    table: SourceTable, columns: Sequence[MeantColumn], several: Mapping[str, str]
) -> dict[int, int]:
    """The largest number of members in a cell, for each numbered column of players."""
    named = [c for c in columns if c.meaning == "player"]
    most = {c.number: 1 for c in named}
    parting = [c for c in named if c.header in several]
    for batch in table.batches([c.header for c in parting]):
        for column in parting:
            sign = SIGNS[several[column.header]]
            for text in coded(batch[column.header])[0]:
                count = len(re.split(sign, text))
                if count > _MOST_SEATS:
                    raise _too_many(table, column, text, count)
                most[column.number] = max(most[column.number], count)
    return most


def _too_many(table: SourceTable, column: MeantColumn, text: str, count: int) -> InputError:
    return InputError(
        "{table}: column {header!r}: {text!r} names {count} members; at most {most} are an entrant",
        table=table.origin,
        header=column.header,
        text=text[:80],
        count=count,
        most=_MOST_SEATS,
    )


def _columns(
    columns: Sequence[MeantColumn], several: Mapping[str, str], seats: Mapping[int, int]
) -> tuple[list[MeantColumn], dict[str, Message]]:
    """A column for each member; a value given once for several members belongs to none of them."""
    first, at = {}, 1
    for number in sorted(seats):
        first[number] = at
        at += seats[number]
    made: list[MeantColumn] = []
    for column in columns:
        of = first.get(column.number)
        if meanings()[column.meaning].of != "player" or of is None:
            made.append(column)
        elif column.header in several:
            made += [
                MeantColumn(part_name(column.header, k), column.meaning, of + k)
                for k in range(seats[column.number])
            ]
        elif seats[column.number] == 1:
            made.append(replace(column, number=of))
        else:
            made.append(column if column.meaning == "paid" else replace(column, number=0))
    unclear = _whose(made)
    return [c for c in made if c.header not in unclear], unclear


def _whose(columns: Sequence[MeantColumn]) -> dict[str, Message]:
    """Columns that give one value in a row of several players without saying whose it is."""
    if not any(c.meaning == "player" and c.number for c in columns):
        return {}
    return {
        c.header: Message("a row has several players, and it does not say of which this is")
        for c in columns
        if meanings()[c.meaning].of == "player" and not c.number and c.meaning != "paid"
    }


def part_name(header: str, k: int) -> str:
    """The name of the column for one of several members."""
    return f"{header} [{k + 1}]"


# --- parting ----------------------------------------------------------------------------------


def _parting(table: SourceTable, several: Mapping[str, str]) -> SourceTable:
    """The table with the cells of some columns split into one column per member."""
    parts = {part_name(header, k): (header, k) for header in several for k in range(_MOST_SEATS)}

    def batches(wanted: Sequence[str]) -> Iterator[Any]:
        plain = dict.fromkeys(parts.get(name, (name, 0))[0] for name in wanted)
        for batch in table.batches(list(plain)):
            split = {h: _split(batch[h], several[h]) for h in plain if h in several}
            yield pa.table(
                {
                    name: split[parts[name][0]][parts[name][1]] if name in parts else batch[name]
                    for name in wanted
                }
            )

    columns = tuple(name for name in table.columns if name not in several)
    return replace(table, columns=(*columns, *parts), batches=batches)


def _split(column: Any, sign: str) -> list[Any]:
    """The cells of a column split into columns of their first, second … members."""
    texts, codes = coded(column)
    lists = [[part for part in re.split(SIGNS[sign], text) if part] for text in texts]
    where = pa.array(np.where(codes < 0, len(texts), codes))
    made = []
    for k in range(_MOST_SEATS):
        own = [parts[k] if k < len(parts) else None for parts in lists]
        made.append(pc.take(pa.array([*own, None], pa.string()), where))
    return made
