"""What a rulebook awards to many fields at once, equal to the exact way.

The same graph is run in one of two manners: operation by operation on columns, which starts at
once, or as one loop over the fields in machine code, which takes seconds to compile and is then
many times as fast. A form of a rulebook is compiled once it has met enough entrants for that to
pay. A field with anything in doubt is derived the exact way, so the results never differ, only the
speed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from honours.engine.award import award
from honours.engine.compiled.batch import Batch
from honours.engine.compiled.column import Bools, Ints, NotInColumns
from honours.engine.compiled.columns import ColumnWorking
from honours.engine.compiled.compilable import exact_only
from honours.engine.compiled.kept_forms import KeptForm, form_of_batch, kept_form
from honours.engine.compiled.resolving import resolver
from honours.engine.compiled.shapes import KnownShapes
from honours.engine.numbers import SCALE
from honours.engine.rulebook import Rulebook
from honours.model import Award, Field, Value
from honours.model.message import Message

if TYPE_CHECKING:
    from honours.engine.compiled.loops import FusedLoop, LoopResult

Amounts = NDArray[np.integer[Any]]
"""In the narrowest type that holds them: memory bandwidth limits a federation's year."""


@dataclass(frozen=True, slots=True)
class ColumnAwards:
    """The awards of a batch: ten-thousandths per entrant, and which fields were refused.

    ``derived`` counts the fields that were in doubt and so were derived the exact way.
    ``of_players`` is what each player gets, if that differs from the entrant's award.
    """

    amounts: Amounts
    refused: Bools
    derived: int
    of_players: Ints | None = None


@dataclass(frozen=True, slots=True)
class ColumnsResult:
    """The awards of a batch found in columns, and the fields left in ``doubt``."""

    awards: ColumnAwards
    doubt: Bools


def award_columns(rulebook: Rulebook, batch: Batch) -> ColumnAwards:
    """The result of :func:`honours.engine.award.award` for each field of the batch."""
    worked = in_columns(rulebook, batch)
    return _with_doubtful(rulebook, batch, worked) if worked.doubt.any() else worked.awards


def in_columns(rulebook: Rulebook, batch: Batch) -> ColumnsResult:
    """The awards that can be found without deriving any field the exact way."""
    entrants, fields = batch.count("entrant"), batch.count("field")
    nothing = np.zeros(entrants, np.int64)
    if exact_only(rulebook):
        return _all_in_doubt(nothing, fields)
    if form_of_batch(rulebook, batch).refused:
        refused = ColumnAwards(nothing, np.ones(fields, np.bool_), 0)
        return ColumnsResult(refused, np.zeros(fields, np.bool_))
    ready = kept_form(rulebook, batch)
    try:
        return _by_loop(ready, batch) if ready.compiles(batch) else _by_columns(ready, batch)
    except NotInColumns:
        return _all_in_doubt(nothing, fields)


def _all_in_doubt(nothing: Ints, fields: int) -> ColumnsResult:
    doubt = np.ones(fields, np.bool_)
    return ColumnsResult(ColumnAwards(nothing, ~doubt, 0), doubt)


def _by_columns(ready: KeptForm, batch: Batch) -> ColumnsResult:
    refused, doubt = ready.judge(batch)
    live = ~refused & ~doubt
    amounts, each = np.zeros(batch.count("entrant"), np.int64), None
    if live.any():
        kept = batch.take(live)
        units, own, unsure = ColumnWorking(ready.rulebook, kept, ready.graph).amounts()
        rows = np.flatnonzero(live)
        amounts[batch.entrants_of(rows)] = units
        each = _of_all(batch, live, own)
        doubt[rows[unsure]] = True
    return ColumnsResult(ColumnAwards(amounts, refused, 0, each), doubt)


def _by_loop(ready: KeptForm, batch: Batch) -> ColumnsResult:
    refused, doubt = ready.judge(batch, ready.before)
    live = batch.take(~refused & ~doubt)
    of, known = ready.shapes(live)
    if ready.loop is None:
        return _by_columns(ready, batch)
    ran, derived = _looped(ready.rulebook, live, of, known, ready.loop)
    amounts, unsure = ran.amounts, ran.doubtful | known.unsure[of]
    each: Ints | None = None
    if ready.graph.refusals("player"):
        working = ColumnWorking(ready.rulebook, live, ready.graph)
        nobody, some = working.withheld()
        amounts[nobody] = 0
        if some is not None:
            own = np.where(some, 0, amounts[live.entrant_of_player]).astype(np.int64)
            each = _of_all(batch, ~refused & ~doubt, own)
        unsure = unsure | working.doubt
    kept = np.flatnonzero(~refused & ~doubt)
    if live is not batch:
        whole = np.zeros(batch.count("entrant"), np.int64)
        whole[batch.entrants_of(kept)] = amounts
        amounts = whole
    refused[kept] = known.refused[of] | ran.refused
    doubt[kept] = unsure
    return ColumnsResult(ColumnAwards(amounts, refused, derived, each), doubt)


def _with_doubtful(rulebook: Rulebook, batch: Batch, worked: ColumnsResult) -> ColumnAwards:
    """The awards, with the fields in doubt derived the exact way."""
    amounts, each = worked.awards.amounts, worked.awards.of_players
    refused, doubt = worked.awards.refused, worked.doubt
    for i in map(int, np.flatnonzero(doubt)):
        exactly = award(rulebook, batch.exact(i), in_words=False)
        refused[i] = exactly.refusal is not None
        rows = batch.entrants_of(np.array([i]))
        amounts = _with_exact(amounts, rows, [int(a.amount * SCALE) for a in exactly.schedule])
        if each is None and any(map(parts_players, exactly.schedule)):
            each = amounts[batch.entrant_of_player].astype(np.int64)
        if each is not None:
            own = [n for a in exactly.schedule for n in amounts_of_players(a)]
            each[batch.players_of(i)] = own or 0
    return ColumnAwards(amounts, refused, worked.awards.derived + int(doubt.sum()), each)


def with_others(batch: Batch, worked: ColumnsResult, others: ColumnAwards) -> ColumnAwards:
    """The awards, with those of the fields in doubt taken from elsewhere."""
    rows, refused, each = np.flatnonzero(worked.doubt), worked.awards.refused, None
    amounts = _with_exact(worked.awards.amounts, batch.entrants_of(rows), others.amounts)
    refused[rows] = others.refused
    if worked.awards.of_players is not None or others.of_players is not None:
        each = _or_alike(worked.awards, batch)
        each[worked.doubt[batch.field_of("player")]] = _or_alike(others, batch.take(worked.doubt))
    return ColumnAwards(amounts, refused, worked.awards.derived + len(rows), each)


def _or_alike(awards: ColumnAwards, batch: Batch) -> Ints:
    """What each player gets: the entrant's award unless players have their own."""
    if awards.of_players is not None:
        return awards.of_players
    return awards.amounts[batch.entrant_of_player].astype(np.int64)


def _of_all(batch: Batch, fields: Bools, own: Ints | None) -> Ints | None:
    """What each player of a batch gets, given the amounts for the players of some fields."""
    if own is None:
        return None
    each = np.zeros(batch.count("player"), np.int64)
    each[fields[batch.field_of("player")]] = own
    return each


def parts_players(award: Award) -> bool:
    """Whether the players of an entrant get different awards."""
    return bool(award.shares or award.withheld)


def amounts_of_players(award: Award) -> list[int]:
    """What each player of an entrant gets, in ten-thousandths."""
    people = award.standing.entrant.players
    own = [int(award.amount_of(k) * SCALE) for k in range(max(1, len(people)))]
    for player, _ in award.withheld:
        own[next(k for k, one in enumerate(people) if one is player)] = 0
    return own


def _looped(
    rulebook: Rulebook, batch: Batch, of: Ints, known: KnownShapes, loop: FusedLoop
) -> tuple[LoopResult, int]:
    """The awards found by the loop, and how many were too near a boundary and were decided one
    by one."""
    ran = loop.run(batch, of, known, SCALE)
    rows = np.flatnonzero(ran.flag)
    fields = np.searchsorted(batch.entrant_offsets, rows, "right") - 1
    if not loop.exact:
        ran.doubtful[fields] = True
        return ran, 0
    decide = ~ran.doubtful[fields]
    answers = resolver(rulebook)
    facts: dict[int, dict[str, Value]] = {}
    exact: list[int] = []
    for row, field in zip(rows[decide], fields[decide], strict=True):
        shape = int(of[field])
        if shape not in facts:
            facts[shape] = batch.facts_of(int(field))
        before = {name: int(ran.kept[name][field]) * unit for name, unit in loop.units.items()}
        place, tied = int(batch.place[row]), int(batch.tied[row])
        exact.append(int(answers.amount(facts[shape], before, place, tied) * SCALE))
    amounts = _with_exact(ran.amounts, rows[decide], exact) if exact else ran.amounts
    return replace(ran, amounts=amounts), len(exact)


def award_fields(
    rulebook: Rulebook, fields: list[Field], laid_out: Callable[[Batch], Batch] = lambda b: b
) -> list[list[Fraction] | None]:
    """Each field's awards in the order of its standings, or None if it is refused.

    Fields are grouped into batches with the same words and inputs, ``laid_out`` as the caller
    likes; a field whose entrants do not all carry the same facts is derived the exact way.
    """
    if exact_only(rulebook):
        return [_exact_amounts(rulebook, field) for field in fields]
    answers: list[list[Fraction] | None] = [None] * len(fields)
    wordy = _words_of(rulebook)
    for signature, members in _alike(rulebook, fields).items():
        chosen = [fields[i] for i in members]
        if signature is None:
            amounts = [_exact_amounts(rulebook, field) for field in chosen]
        else:
            amounts = _batch_amounts(rulebook, laid_out(Batch.of(chosen, wordy)))
        for i, own in zip(members, amounts, strict=True):
            answers[i] = own
    return answers


def not_in_columns(rulebook: Rulebook, fields: list[Field]) -> str:
    """What in the rules of these fields columns cannot express, so that all fields like them are
    derived the exact way; empty if there is nothing."""
    for signature, members in _alike(rulebook, fields).items():
        if signature is None:
            continue
        batch = Batch.of([fields[i] for i in members], _words_of(rulebook))
        if form_of_batch(rulebook, batch).refused:
            continue
        try:
            _by_columns(kept_form(rulebook, batch), batch)
        except NotInColumns as error:
            return Message("{what} cannot be worked out in columns", what=error.args[0])
    return ""


def _words_of(rulebook: Rulebook) -> list[str]:
    return [name for name, declared in rulebook.inputs.items() if declared.is_text]


def _alike(rulebook: Rulebook, fields: list[Field]) -> dict[Any, list[int]]:
    """The numbers of the fields that make a batch, by what they have in common."""
    batches: dict[Any, list[int]] = {}
    for i, field in enumerate(fields):
        batches.setdefault(_signature(field, _words_of(rulebook)), []).append(i)
    return batches


def _signature(field: Field, wordy: list[str]) -> Any:
    entrants = {frozenset(s.facts) for s in field.standings}
    groups = [s.entrant.players for s in field.standings]
    players = {frozenset(p.facts) for group in groups for p in group}
    if len(entrants) > 1 or len(players) > 1 or (players and not all(groups)):
        return None
    words = tuple((w, field.facts[w]) for w in wordy if w in field.facts)
    return frozenset(field.facts), words, frozenset(entrants), frozenset(players)


def _exact_amounts(rulebook: Rulebook, field: Field) -> list[Fraction] | None:
    awards = award(rulebook, field, in_words=False)
    return None if awards.refusal else [a.amount for a in awards.schedule]


def _batch_amounts(rulebook: Rulebook, batch: Batch) -> list[list[Fraction] | None]:
    awards = award_columns(rulebook, batch)
    spans = zip(batch.entrant_offsets[:-1], batch.entrant_offsets[1:], strict=True)
    return [
        None if refused else [Fraction(int(n), SCALE) for n in awards.amounts[first:last]]
        for refused, (first, last) in zip(awards.refused, spans, strict=True)
    ]


def _with_exact(amounts: Amounts, rows: Ints, exact: list[int] | Amounts) -> Amounts:
    """The amounts with those of some rows replaced, by 0 if these are refused."""
    given = np.array(exact if len(exact) else 0, np.int64)
    if np.abs(given).max() > np.iinfo(amounts.dtype).max:
        amounts = amounts.astype(np.int64)
    amounts[rows] = given
    return amounts
