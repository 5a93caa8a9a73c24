"""A shard as batches for the compiled way: fields with the same words, from the columns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from honours.engine.batch import Batch, Column
from honours.engine.rulebook import Rulebook, public
from honours.lab.lists import RankingLists, ranking_lists, spans
from honours.lab.shards import Bad, Ints, Shard
from honours.model import Entrant, Field, Player, Standing, Value

HUNDREDTHS = Fraction(1, 100)
ALIASES = {"type": "kind"}
"""Inputs that ask for a column by another name."""
NOT_FOR_RULES = ("date",)
"""A date only adds a notice to an explanation."""


@dataclass(frozen=True, slots=True)
class FieldBatch:
    """A batch, and the rows of the shard its fields and entrants came from."""

    batch: Batch
    lists: RankingLists


def field_batches(rulebook: Rulebook, shard: Shard) -> Iterator[FieldBatch | Bad]:
    """Every ranking list of the shard in batches; events the rulebook has no words for, as bad."""
    for lists in ranking_lists(shard, rulebook.lists.strata):
        words = _words(rulebook, shard, lists.rank)
        unknown = _unknown(rulebook, shard, lists, words)
        yield from unknown
        keep = ~np.isin(shard.ids[lists.events], [b.event for b in unknown])
        for chosen, given in _by_words(words, lists.only(keep)):
            yield FieldBatch(_batch(rulebook, shard, chosen, given), chosen)


def _column_for(shard: Shard, name: str) -> str | None:
    key = public(name)
    key = ALIASES.get(key, key)
    return key if key in shard.events and key not in NOT_FOR_RULES else None


def _words(rulebook: Rulebook, shard: Shard, rank: str) -> dict[str, NDArray[np.object_]]:
    """The words of each event of the shard that the rulebook asks for, by input."""
    words: dict[str, NDArray[np.object_]] = {}
    for name, declared in rulebook.inputs.items():
        if declared.type != "word" or declared.per != "field":
            continue
        column = _column_for(shard, name)
        if name == "stratum" and rank in declared.words:
            words[name] = np.full(len(shard.ids), rank, dtype=object)
        elif column and shard.events[column].dtype == object:
            words[name] = shard.events[column]
    return words


def _unknown(
    rulebook: Rulebook, shard: Shard, lists: RankingLists, words: dict[str, NDArray[np.object_]]
) -> list[Bad]:
    found: dict[int, str] = {}
    for name, column in words.items():
        known = rulebook.inputs[name].words
        for row in lists.events[~np.isin(column[lists.events].astype(str), known)]:
            why = f"{rulebook.id} has no {public(name)} {column[row]!r}"
            found.setdefault(int(shard.ids[row]), why)
    return [Bad(event, why) for event, why in found.items()]


def _by_words(
    words: dict[str, NDArray[np.object_]], lists: RankingLists
) -> Iterator[tuple[RankingLists, dict[str, str]]]:
    """The lists that have the same words, with those words."""
    if not len(lists.events):
        return
    key = np.zeros(len(lists.events), np.int64)
    for column in words.values():
        distinct, codes = np.unique(column[lists.events].astype(str), return_inverse=True)
        key = key * len(distinct) + codes
    for code in np.unique(key):
        chosen = lists.only(key == code)
        yield chosen, {name: str(column[chosen.events[0]]) for name, column in words.items()}


def _batch(rulebook: Rulebook, shard: Shard, lists: RankingLists, words: dict[str, str]) -> Batch:
    counts = np.diff(shard.player_offsets)[lists.entrants]
    everyone = len(lists.entrants) == len(shard.entrant)
    players = slice(None) if everyone else spans(shard.player_offsets[:-1][lists.entrants], counts)
    facts = {
        "field": _field_columns(rulebook, shard, lists),
        "entrant": _entrant_columns(rulebook, shard, lists),
        "player": {"masterpoints": Column.in_units(shard.holding[players], HUNDREDTHS)}
        if "masterpoints" in rulebook.inputs
        else {},
    }
    return Batch(
        words=words,
        facts=facts,  # type: ignore[arg-type]  # its keys are levels
        place=lists.place,
        tied=lists.tied,
        entrant_offsets=lists.offsets,
        player_offsets=np.concatenate(([0], np.cumsum(counts))),
        exact=lambda i: exact_field(rulebook, shard, lists, i, words),
        uniform=False,
    )


def _field_columns(rulebook: Rulebook, shard: Shard, lists: RankingLists) -> dict[str, Column]:
    columns: dict[str, Column] = {}
    for name, values in _numbers(rulebook, shard, lists).items():
        columns[name] = Column.in_units(values.astype(np.int64), Fraction(1))
    return columns


def _numbers(rulebook: Rulebook, shard: Shard, lists: RankingLists) -> dict[str, Ints]:
    """What is known of each field and the rulebook asks for, as whole numbers."""
    known: dict[str, Ints] = {}
    for name, declared in rulebook.inputs.items():
        column = _column_for(shard, name)
        if declared.per != "field" or declared.type in ("word", "date"):
            continue
        if name == "entrants":
            known[name] = np.diff(lists.offsets)
        elif name == "boards":
            each = shard.events["sessions"].astype(np.int64) * shard.events["boards_per_session"]
            known[name] = each[lists.events]
        elif column and shard.events[column].dtype != object:
            known[name] = shard.events[column][lists.events]
    return known


def _entrant_columns(rulebook: Rulebook, shard: Shard, lists: RankingLists) -> dict[str, Column]:
    if "in_top_stratum" not in rulebook.inputs:
        return {}
    return {"in_top_stratum": Column.in_units(_in_top(shard, lists), Fraction(1))}


def _in_top(shard: Shard, lists: RankingLists) -> Ints:
    highest = np.minimum.reduceat(shard.stratum, shard.entrant_offsets[:-1])
    own = shard.stratum[lists.entrants]
    event = np.repeat(lists.events, np.diff(lists.offsets))
    top: Ints = (own == highest[event]).astype(np.int64)
    return top


def exact_field(
    rulebook: Rulebook, shard: Shard, lists: RankingLists, i: int, words: dict[str, str]
) -> Field:
    """A field of a batch as the exact way takes it."""
    only = lists.only(np.arange(len(lists.events)) == i)
    facts: dict[str, Value] = {
        name: Fraction(int(values[0])) for name, values in _numbers(rulebook, shard, only).items()
    }
    in_top = _in_top(shard, only) if "in_top_stratum" in rulebook.inputs else None
    standings = []
    for k, row in enumerate(only.entrants):
        own: dict[str, Value] = (
            {} if in_top is None else {"in_top_stratum": Fraction(int(in_top[k]))}
        )
        entrant = Entrant(str(int(shard.entrant[row])), _players(rulebook, shard, int(row)))
        standings.append(Standing(entrant, int(only.place[k]), int(only.tied[k]), facts=own))
    return Field({**words, **facts}, tuple(standings), stratum=_label(only.rank))


def _label(rank: str) -> str:
    return "" if rank == "none" else rank


def _players(rulebook: Rulebook, shard: Shard, row: int) -> tuple[Player, ...]:
    asked = "masterpoints" in rulebook.inputs
    rows = range(int(shard.player_offsets[row]), int(shard.player_offsets[row + 1]))
    return tuple(
        Player(
            f"member {int(shard.player[p])}",
            str(int(shard.player[p])),
            {"masterpoints": Fraction(int(shard.holding[p]), 100)} if asked else {},
        )
        for p in rows
    )
