"""A shard as batches: fields with the same words, built from columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from honours.engine.columns.award import form_for
from honours.engine.columns.batch import Batch, FactColumn, distinct, spans
from honours.engine.known_facts import taken_by
from honours.engine.policy import is_lower
from honours.engine.rulebook import Rulebook
from honours.engine.written_names import public
from honours.lab import row_arrays
from honours.lab.input_columns import (
    ALL,
    NONE,
    SOME,
    InputColumns,
    asked_of,
    is_complete,
    is_missing,
    unit_of,
)
from honours.lab.refused_lists import refused_lists, with_ties_of
from honours.lab.shard_lists import RANKS, RankingLists, ranking_lists
from honours.lab.shards import BadEvent, Ints, Shard
from honours.lab.whole_events import whole_events
from honours.lab.word_column import WordColumn
from honours.model import Entrant, Field, Player, Standing, Value
from honours.model.message import Message

CodedWords = dict[str, tuple[Ints, tuple[str, ...]]]
"""For each input, codes and the words they stand for; an empty word means not given."""
InputStatus = dict[str, int]


@dataclass(frozen=True, slots=True)
class FieldBatch:
    """A batch, and the rows of the shard its fields and entrants came from.

    Fields are ``uneven`` if some entrants or players have a value of their own and a rule makes
    that of the others; only the exact engine can take these.
    """

    batch: Batch
    lists: RankingLists
    uneven: bool


def field_batches(rulebook: Rulebook, shard: Shard) -> Iterator[FieldBatch | BadEvent]:
    """Every ranking list of the shard in batches, except those of :func:`whole_events`; events
    the rulebook cannot take are yielded as bad."""
    whole = whole_events(rulebook, shard)
    if whole.all():
        return
    shard = with_ties_of(rulebook, shard)
    asked = asked_of(rulebook, shard)
    words = {name: _coded(column) for name, column in asked.words.items()}
    refused = refused_lists(rulebook, shard)
    apart = {*shard.ids[whole].tolist()}
    bad = {b.event: b for b in (*refused, *asked.beyond(), *_unknown(asked, words))}
    yield from (b for b in bad.values() if b.event not in apart)
    out = np.array([*bad, *apart], np.int64)
    for lists in ranking_lists(shard, rulebook.lists.strata):
        kept = lists.only(~np.isin(shard.ids[lists.events], out)) if len(out) else lists
        for chosen, own, status in _alike(asked, kept, words):
            in_part = [name for name, known in status.items() if known == SOME]
            uneven = any(rule for name in in_part for rule in asked.rulebook.rules_for(name))
            yield FieldBatch(_batch(asked, chosen, own, status), chosen, uneven)


def _unknown(asked: InputColumns, words: CodedWords) -> Iterator[BadEvent]:
    """Events with a word that the rulebook does not know."""
    for name, (codes, values) in words.items():
        known = ("", *asked.rulebook.inputs[name].words)
        strange = np.array([value not in known for value in values], np.bool_)
        for row in np.flatnonzero(strange[codes]) if strange.any() else ():
            why = Message(
                "{rulebook} has no {input} {value!r}",
                rulebook=asked.rulebook.id,
                input=public(name),
                value=values[codes[row]],
            )
            yield BadEvent(int(asked.shard.ids[row]), why)


def _list_words(asked: InputColumns, lists: RankingLists, words: CodedWords) -> CodedWords:
    """The words of each list: those of its event, and which of the event's lists it is."""
    many = len(lists.events)
    coded = {name: (codes[lists.events], values) for name, (codes, values) in words.items()}
    which = {"stratum_kind": (lists.rank, RANKS), "line": (np.zeros(many, np.uint8), (lists.line,))}
    for fact, (codes, values) in which.items():
        if declared := taken_by(asked.rulebook, fact):
            known = tuple(word if word in declared.words else "" for word in values)
            coded[declared.name] = codes.astype(np.int64), known
    return coded


def _alike(
    asked: InputColumns, lists: RankingLists, of_events: CodedWords
) -> Iterator[tuple[RankingLists, CodedWords, InputStatus]]:
    """Groups of lists that the same rules award and that have the same inputs, with their words
    and which inputs are given."""
    if not len(lists.events):
        return
    words, status = _list_words(asked, lists, of_events), asked.status(lists)
    for name, column in asked.numbers.items():
        if not is_complete(column):
            status[name] = np.where(is_missing(column)[lists.events], NONE, ALL)
    firsts, of = distinct(
        [*(codes for codes, _ in words.values()), *status.values()], len(lists.events)
    )
    groups: dict[Any, int] = {}
    group_of = np.empty(len(firsts), np.int64)
    names_given: dict[Any, tuple[list[str], list[str]]] = {}
    for code, first in enumerate(firsts.tolist()):
        state = tuple((name, int(column[first])) for name, column in status.items())
        if state not in names_given:
            names_given[state] = _names_given(asked, lists, dict(state))
        given = {name: word for name, word in _words_at(words, first).items() if word}
        graph = form_for(asked.rulebook, *names_given[state], given).key
        group_of[code] = groups.setdefault((state, tuple(given), graph), len(groups))
    for (state, names, _), number in groups.items():
        same = group_of[of] == number
        rows = np.flatnonzero(same)  # a mask would be gone through again for every word
        own = {name: (words[name][0][rows], words[name][1]) for name in names}
        yield lists.only(same), own, dict(state)


def _words_at(words: CodedWords, row: int) -> dict[str, str]:
    return {name: values[codes[row]] for name, (codes, values) in words.items()}


def _coded(column: Any) -> tuple[Ints, tuple[str, ...]]:
    words = column if isinstance(column, WordColumn) else WordColumn.of(column)
    return words.codes, words.words


def _names_given(
    asked: InputColumns, lists: RankingLists, status: InputStatus
) -> tuple[list[str], list[str]]:
    """The names of the inputs given for the lists, for their entrants and for their players."""
    fields = [n for n in asked.numbers if status.get(n, ALL) == ALL]
    fields += _counted_names(asked, lists)
    below = [n for n in (*asked.of_entrants, *asked.of_players) if status.get(n, ALL) != NONE]
    return fields, [*below, *(n for n in ("in_top_stratum",) if n in asked.rulebook.inputs)]


def _batch(
    asked: InputColumns, lists: RankingLists, words: CodedWords, status: InputStatus
) -> Batch:
    shard = asked.shard
    first = _words_at(words, 0)
    looked_at = form_for(asked.rulebook, *_names_given(asked, lists, status), first).words
    begins = _players_of(shard, lists)

    def given_in(columns: Mapping[str, NDArray[Any]], rows: NDArray[Any]) -> dict[str, FactColumn]:
        told = {n: c[rows] for n, c in columns.items() if status.get(n, ALL) == ALL}
        return {n: _column(c, unit_of(n)) for n, c in told.items()}

    of_players = {
        n: _spread(shard, lists, begins, c)
        for n, c in asked.of_players.items()
        if status.get(n, ALL) == ALL
    }
    facts = {
        "field": given_in(asked.numbers, lists.events)
        | _counted(asked, lists)
        | {name: FactColumn.coding(*words[name]) for name in looked_at},
        "entrant": given_in(asked.of_entrants, lists.entrants) | _in_top_column(asked, lists),
        "player": {n: _column(c, unit_of(n)) for n, c in of_players.items()},
    }
    return Batch(
        words=first,
        facts=facts,  # type: ignore[arg-type]  # its keys are levels
        place=lists.place,
        tied=lists.tied,
        entrant_offsets=lists.offsets,
        player_offsets=begins,
        exact=lambda i: exact_field(asked, lists, i, _words_at(words, i)),
        in_part=frozenset(name for name, known in status.items() if known == SOME),
    )


def _is_everyone(shard: Shard, lists: RankingLists) -> bool:
    rows = len(shard.entrant)
    return len(lists.entrants) == rows and np.array_equal(lists.entrants, np.arange(rows))


def _players_of(shard: Shard, lists: RankingLists) -> Ints:
    """Where the players of each entrant in the given lists begin."""
    if _is_everyone(shard, lists):
        return shard.player_offsets
    begins = np.empty(len(lists.entrants) + 1, np.int64)
    row_arrays.players_of(lists.entrants, shard.player_offsets, begins)
    return begins


def _spread(shard: Shard, lists: RankingLists, begins: Ints, column: NDArray[Any]) -> NDArray[Any]:
    """A column's values for the players of the given lists; ``begins`` says where each entrant's
    start."""
    if begins is shard.player_offsets:
        return column
    if column.dtype == object:
        return column[spans(shard.player_offsets[lists.entrants], np.diff(begins))]
    values = np.empty(begins[-1], column.dtype)
    row_arrays.player_values(lists.entrants, shard.player_offsets, column, values)
    return values


def _column(values: NDArray[Any], unit: Fraction) -> FactColumn:
    if values.dtype == object:
        return FactColumn.coding(*_coded(values))
    wide = values if values.dtype == np.int32 else values.astype(np.int64)
    return FactColumn.in_units(wide, unit)


def _counted_names(asked: InputColumns, lists: RankingLists) -> list[str]:
    """The names of the inputs counted per list: its entrants, and those of the event in all
    lines."""
    wanted = ("entrants", "all_lines") if lists.line else ("entrants",)
    return [name for name in wanted if name in asked.rulebook.inputs]


def _counted(asked: InputColumns, lists: RankingLists) -> dict[str, FactColumn]:
    def count(name: str) -> Ints:
        return np.diff(lists.offsets) if name == "entrants" else asked.shard.sizes[lists.events]

    names = _counted_names(asked, lists)
    return {name: FactColumn.in_units(count(name), Fraction(1)) for name in names}


def _in_top_column(asked: InputColumns, lists: RankingLists) -> dict[str, FactColumn]:
    if "in_top_stratum" not in asked.rulebook.inputs:
        return {}
    return {"in_top_stratum": FactColumn.in_units(_in_top(asked.shard, lists), Fraction(1))}


def _in_top(shard: Shard, lists: RankingLists) -> Ints:
    """Whether each entrant is in the highest stratum of its event."""
    highest = np.minimum.reduceat(shard.stratum, shard.entrant_offsets[:-1])
    own = shard.stratum[lists.entrants]
    top: Ints = (~is_lower(own, highest[lists.event_of_entrant])).astype(np.int64)
    return top


def exact_field(
    asked: InputColumns, lists: RankingLists, i: int, words: Mapping[str, str]
) -> Field:
    """A field of a batch in the form that the exact engine takes."""
    only = lists.only(np.arange(len(lists.events)) == i)
    shard, event = asked.shard, int(only.events[0])
    facts: dict[str, Value] = {
        name: Fraction(int(column.units[0]))
        for name, column in _counted(asked, only).items()
        if column.units is not None
    }
    facts |= {**_facts_in_row(asked.numbers, event), **words}
    in_top = _in_top_column(asked, only)
    standings = []
    for k, row in enumerate(map(int, only.entrants)):
        own = _facts_in_row(asked.of_entrants, row)
        for name, column in in_top.items():
            own[name] = Fraction(int(column.units[k])) if column.units is not None else Fraction(0)
        entrant = Entrant(str(int(shard.entrant[row])), _players(asked, row))
        standings.append(Standing(entrant, int(only.place[k]), int(only.tied[k]), facts=own))
    rank = RANKS[only.rank[0]]
    return Field(facts, tuple(standings), only.line, "" if rank == "none" else rank)


def _facts_in_row(columns: Mapping[str, NDArray[Any]], row: int) -> dict[str, Value]:
    """The exact values of the columns in one row."""
    return _facts_in_rows(columns, row, row + 1)[0]


def _facts_in_rows(
    columns: Mapping[str, NDArray[Any]], first: int, last: int
) -> list[dict[str, Value]]:
    """The same for every row of a span."""
    rows: list[dict[str, Value]] = [{} for _ in range(first, last)]
    for name, column in columns.items():
        part, unit = column[first:last], unit_of(name)
        for row, value, unsaid in zip(rows, part, is_missing(part), strict=True):
            if not unsaid:
                row[name] = value if isinstance(value, str) else int(value) * unit
    return rows


def _players(asked: InputColumns, row: int) -> tuple[Player, ...]:
    shard = asked.shard
    first, last = int(shard.player_offsets[row]), int(shard.player_offsets[row + 1])
    numbers = shard.player[first:last].tolist()
    facts = _facts_in_rows(asked.of_players, first, last)
    return tuple(
        Player(f"member {number}", str(number), own)
        for number, own in zip(numbers, facts, strict=True)
    )
