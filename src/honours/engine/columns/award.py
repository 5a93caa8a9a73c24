"""The awards of a rulebook to many fields at once, equal to the exact way.

A field with anything in doubt is derived the exact way, so the results never differ, only the
speed. So is every field of a rulebook with rules per game, which columns do not have.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from dataclasses import field as with_default
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from honours.engine.award import award
from honours.engine.columns import arithmetic, exact_only
from honours.engine.columns.arithmetic import QuantityColumn
from honours.engine.columns.batch import Batch, Bools, Ints, distinct
from honours.engine.columns.evaluation import SHARED, Evaluation, NotInColumns, Shapes
from honours.engine.columns.threads import on_all_cores
from honours.engine.graph import AWARD, PLACES, Form, form_of
from honours.engine.numbers import SCALE, short
from honours.engine.rulebook import Parameter, Rulebook
from honours.engine.rules import Level, Rule
from honours.errors import HonoursError, InputError, MissingInput
from honours.model import Award, Field
from honours.model.message import Message

_MOST = 2**62
_AT_ONCE = 2**18
"""Entrants that are worked out at a time: what is in between stays in a cache."""


@dataclass(slots=True)
class ColumnAwards:
    """The awards of a batch: ten-thousandths per entrant, and which fields were refused.

    ``derived`` counts what was in doubt and so was derived the exact way. ``of_players`` is what
    each player gets, if that differs from the entrant's award. ``doubt`` are fields left to the
    exact way, ``lack`` those that are not refused and lack what an award needs, and ``faults`` says
    why others cannot be worked out.
    """

    amounts: Ints
    refused: Bools
    doubt: Bools
    lack: Bools
    derived: int = 0
    of_players: Ints | None = None
    faults: Mapping[int, str] = with_default(default_factory=dict)

    @staticmethod
    def none(batch: Batch, refused: bool, doubt: bool) -> ColumnAwards:
        """A batch all of which is refused, or left to the exact way."""
        fields, nothing = batch.count("field"), np.zeros(batch.count("entrant"), np.int64)
        lack = np.zeros(fields, np.bool_)
        return ColumnAwards(nothing, np.full(fields, refused), np.full(fields, doubt), lack)


def award_columns(rulebook: Rulebook, batch: Batch) -> ColumnAwards:
    """The result of :func:`honours.engine.award.award` for each field of the batch."""
    awards = in_columns(rulebook, batch)
    left = awards.doubt | awards.lack  # the exact way says what is lacking
    left[list(awards.faults)] = True
    for row in np.flatnonzero(left).tolist():
        assert batch.exact is not None
        exactly = award(rulebook, batch.exact(row), in_words=False)
        entrants = slice(*batch.entrant_offsets[row : row + 2].tolist())
        awards.refused[row] = exactly.refusal is not None
        awards.amounts[entrants] = [in_units(a.amount) for a in exactly.schedule] or 0
        if awards.of_players is None and any(map(parts_players, exactly.schedule)):
            awards.of_players = np.repeat(awards.amounts, np.diff(batch.player_offsets))
        if awards.of_players is not None:
            players = slice(*batch.player_offsets[[entrants.start, entrants.stop]].tolist())
            each = [n for a in exactly.schedule for n in amounts_of_players(a)]
            awards.of_players[players] = each or 0
        awards.derived += 1
    return awards


def in_columns(rulebook: Rulebook, batch: Batch) -> ColumnAwards:
    """The awards that can be found without deriving any field the exact way."""
    if exact_only(rulebook):
        return ColumnAwards.none(batch, refused=False, doubt=True)
    form = form_of_batch(rulebook, batch)
    if form.refused:
        return ColumnAwards.none(batch, refused=True, doubt=False)
    try:
        return _worked_out(Shapes(rulebook, batch, form.graph), batch)
    except NotInColumns:
        return ColumnAwards.none(batch, refused=False, doubt=True)


def _worked_out(shapes: Shapes, batch: Batch) -> ColumnAwards:
    fields = batch.count("field")
    cuts = range(0, batch.count("entrant"), _AT_ONCE)
    marks = np.searchsorted(batch.entrant_offsets[:-1], cuts).tolist()
    spans = list(pairwise(sorted({0, *marks, fields})))
    if not spans:
        return ColumnAwards.none(batch, refused=False, doubt=False)
    first = _Chunk(shapes, *spans[0])
    if not first.shares_places:
        shapes = Shapes(shapes.rulebook, batch, shapes.graph, each=True)
        spans = [(0, fields)]
        first = _Chunk(shapes, *spans[0])
    first.work()
    chunks = [first, *on_all_cores(lambda span: _Chunk(shapes, *span).work(), spans[1:])]
    awards = ColumnAwards(
        np.concatenate([chunk.amounts for chunk in chunks]),
        np.concatenate([chunk.refused for chunk in chunks]),
        np.concatenate([chunk.doubt for chunk in chunks]),
        np.concatenate([chunk.lack for chunk in chunks]),
        sum(chunk.derived for chunk in chunks),
    )
    if any(chunk.of_players is not None for chunk in chunks):
        awards.of_players = np.concatenate([chunk.each_player() for chunk in chunks])
    if shapes.faults:
        faulty = np.isin(shapes.of, list(shapes.faults)) & awards.doubt
        awards.doubt &= ~faulty
        rows = np.flatnonzero(faulty).tolist()
        awards.faults = {row: shapes.faults[shapes.of[row]] for row in rows}
    return awards


class _Chunk:
    """Some fields of a batch: their refusals, their places, their awards."""

    @np.errstate(all="ignore")
    def __init__(self, shapes: Shapes, first: int, last: int) -> None:
        self.shapes, self.working = shapes, Evaluation(shapes, first, last)
        self.amounts = np.zeros(self.working.rows["entrant"], np.int64)
        self.of_players: Ints | None = None
        self.derived = 0
        self.refused = np.zeros(last - first, np.bool_)
        self.lacks = False
        """Whether something is missing for all fields that were not refused before."""
        self._check_refusals()

    def _check_refusals(self) -> None:
        try:
            for rule in self.shapes.refusals:
                self.refused |= holds(self.working, rule) & ~self._in_doubt
        except MissingInput:
            self.lacks = True
        self._live = not (self.lacks or (self.refused | self._in_doubt).all())

    @property
    def _in_doubt(self) -> Bools:
        working = self.working
        doubt: Bools = working.doubt | self.shapes.doubt[working.shape]
        return doubt

    @property
    def doubt(self) -> Bools:
        """The fields that the exact way must decide."""
        return self._in_doubt & ~self.refused

    @property
    def lack(self) -> Bools:
        """Those that lack what an award needs."""
        return ~(self.refused | self.doubt) & self.lacks

    @property
    def shares_places(self) -> bool:
        """True if all fields of a shape pay equally many places."""
        try:
            return not self._live or self.working.column(PLACES, "field").space in SHARED
        except MissingInput:
            self.lacks, self._live = True, False
            return True

    @np.errstate(all="ignore")
    def work(self) -> _Chunk:
        """Find the awards."""
        if not self._live:
            return self
        working, shapes = self.working, self.shapes
        if "curve" not in shapes.rows:
            column = working._floor(working.column(PLACES, "field"))
            space = "field" if column.space == "field" else "shape"
            shapes.lay_out(working.values(column, space).astype(np.int64))
        by_player = working.graph.level(AWARD) == "player"
        try:
            self.amounts = self._units("player" if by_player else "entrant")
            if by_player:
                self.of_players = self.amounts
                begins = working.player_offsets[:-1]
                self.amounts = np.maximum.reduceat(self.amounts, begins) if len(begins) else begins
            self._withhold()
        except MissingInput:
            self.lacks, self.of_players = True, None
            self.amounts = np.zeros(working.rows["entrant"], np.int64)
        return self

    def each_player(self) -> Ints:
        """Return the amount of each player."""
        if self.of_players is not None:
            return self.of_players
        return np.repeat(self.amounts, self.working.people)

    def _units(self, level: Level) -> Ints:
        """The award of every row of a level, in ten-thousandths; what is finer is cut off."""
        working, shapes = self.working, self.shapes
        column = working.read(AWARD, level)
        units, unsure = _in_units(column)
        if unsure is not None:
            working.put_in_doubt(unsure, column.space)
        amounts: Ints = working.values(units, level).astype(np.int64)
        if shapes.ties and shapes.tie_doubt.any():
            rows = working.tie_of_entrant
            doubtful = np.flatnonzero(shapes.tie_doubt[rows])
            if column.space != "tie" or level == "player":
                working.doubt[working.field_of_entrant[doubtful]] = True
            else:
                self._decide(amounts, rows, doubtful)
        return amounts

    def _decide(self, amounts: Ints, rows: NDArray[np.int32], doubtful: Ints) -> None:
        """Award some entrants exactly, once for each place and tie of a shape."""
        shapes = self.shapes
        of = (shapes.shape_of_tie, shapes.place_of_tie, shapes.tied_of_tie)
        for row in np.unique(rows[doubtful]).tolist():
            exact = shapes.exactly(AWARD, *(int(column[row]) for column in of))
            same = doubtful[rows[doubtful] == row]
            if isinstance(exact, str) or abs(exact) * SCALE > _MOST:
                self.working.doubt[self.working.field_of_entrant[same]] = True
            else:
                amounts[same] = int(exact * SCALE)
                self.derived += 1

    def _withhold(self) -> None:
        """Take back what players are refused: of an entrant, if all its players are."""
        working = self.working
        nothing = self.refused.copy()
        every: Bools | None = None
        for rule in working.graph.refusals("player"):
            given = [working.read(a, "player", rule) for a in rule.arguments]
            column = working.applied(rule, given)
            if column.space in ("one", "shape", "field"):
                nothing |= working.values(column, "field") == 1
                continue
            refused = working.values(column, "player") == 1
            if refused.any():
                every = refused if every is None else every | refused
        nobody = np.repeat(nothing, working.sizes)
        if every is not None:
            count = np.add.reduceat(every.astype(np.int64), working.player_offsets[:-1])
            nobody |= count == np.diff(working.player_offsets)
            every |= np.repeat(nobody, working.people)
            if self.of_players is None and (every != np.repeat(nobody, working.people)).any():
                self.of_players = self.each_player()
        self.amounts[nobody] = 0
        if self.of_players is not None:
            self.of_players[np.repeat(nobody, working.people) if every is None else every] = 0


def _in_units(column: QuantityColumn) -> tuple[QuantityColumn, Any]:
    """An award in ten-thousandths, and where that is unsure."""
    scaled = arithmetic.times(column, arithmetic.constant(SCALE))
    scaled.space = column.space
    whole = scaled.unit is not None and scaled.unit.denominator == 1 and np.all(scaled.den == 1)
    if whole and not column.holes and scaled.top < 2**52:
        scaled.v = np.rint(scaled.v)
        return scaled, None
    down, unsure = arithmetic.rounded(arithmetic.size(column), "down", Fraction(1, SCALE))
    units = np.rint(down.v * SCALE) * np.sign(column.v)
    if unsure is not None:
        units = np.where(unsure, 0.0, units)
    return QuantityColumn(units, lo=0, hi=0, space=column.space), unsure


def holds(working: Evaluation, rule: Rule) -> Bools:
    """The fields for which a refusal holds; puts in doubt those of which floats cannot tell."""
    column = working.applied(rule, [working.read(a, "field", rule) for a in rule.arguments])
    if column.space in ("one", "shape"):
        shapes = working.shapes
        shapes.refused |= (np.broadcast_to(column.v, len(shapes.refused)) == 1) & ~shapes.doubt
    held: Bools = working.values(column, "field") == 1
    return held


def in_units(amount: Fraction) -> int:
    """An award as a corpus counts it, in ten-thousandths of a point."""
    units = int(amount * SCALE)
    if abs(units) > _MOST:
        raise InputError("awards of more than {most:,} cannot be counted", most=_MOST // SCALE)
    return units


def parts_players(award: Award) -> bool:
    """Return whether the players of an entrant get different awards."""
    return bool(award.shares or award.withheld)


def amounts_of_players(award: Award) -> list[int]:
    """Return the amount of each player of an entrant, in ten-thousandths."""
    people = award.standing.entrant.players
    own = [in_units(award.amount_of(k)) for k in range(max(1, len(people)))]
    for player, _ in award.withheld:
        own[next(k for k, one in enumerate(people) if one is player)] = 0
    return own


# --- why fields are refused ---------------------------------------------------------------------

OWN_FIGURE = "…"
"""Replaces a figure specific to an event in a reason that is counted."""


@np.errstate(all="ignore")
def why_refused(rulebook: Rulebook, batch: Batch) -> tuple[Ints, list[Message]]:
    """The number of the reason why each field is refused, and the reasons, in which figures
    specific to an event are left open; -1 if columns cannot tell."""
    codes = np.full(batch.count("field"), -1, np.int64)
    reasons: list[Message] = []
    shapes = Shapes(rulebook, batch, form_of_batch(rulebook, batch).graph)
    working = Evaluation(shapes, 0, batch.count("field"))
    left = np.ones(batch.count("field"), np.bool_)
    try:
        for rule in shapes.refusals:
            held = holds(working, rule) & left
            left &= ~(working.doubt | shapes.doubt[shapes.of])
            rows = np.flatnonzero(held & left)
            left &= ~held
            if len(rows) and not rule.asks:
                own, messages = _reasons(working, rule, rows)
                codes[rows] = own + len(reasons)
                reasons += messages
    except (HonoursError, NotInColumns):
        pass  # something is missing, or columns cannot express it: the exact way can tell
    return codes, reasons


def _reasons(working: Evaluation, rule: Rule, rows: Ints) -> tuple[Ints, list[Message]]:
    """Return which wording of a refusal each row it refuses has, and the wordings, each once."""
    columns = {name: working.read(name, "field", rule) for name in rule.arguments}
    words = {n: working.values(c, "field")[rows] for n, c in columns.items() if c.words}
    examples, of = distinct(list(words.values()), len(rows))

    def said(name: str, column: QuantityColumn, row: int) -> str:
        if column.words:
            return Message(column.words[int(words[name][row])])
        source = working.graph.operation(name).source
        if isinstance(source, Parameter) and isinstance(source.value, Fraction):
            return short(source.value)
        return OWN_FIGURE

    return of, [
        Message(rule.message, **{name: said(name, c, row) for name, c in columns.items()})
        for row in examples.tolist()
    ]


# --- forms --------------------------------------------------------------------------------------

_forms: dict[Any, Form] = {}
_MOST_FORMS = 25_000


def form_of_batch(rulebook: Rulebook, batch: Batch) -> Form:
    """The form of the fields of a batch."""
    return form_for(rulebook, batch.facts["field"], batch.below, batch.words)


def form_for(
    rulebook: Rulebook, given: Iterable[str], below: Iterable[str], words: Mapping[str, str]
) -> Form:
    """Like :func:`honours.engine.graph.form_of`, but cached."""
    names, others = frozenset(given).difference(words), frozenset(below)
    key = (rulebook.hash, names, others, tuple(words.items()))
    if key not in _forms:
        if len(_forms) > _MOST_FORMS:
            _forms.clear()
        _forms[key] = form_of(rulebook, names, others, words)
    return _forms[key]


# --- fields that are in no corpus ---------------------------------------------------------------


def award_fields(rulebook: Rulebook, fields: list[Field]) -> list[list[Fraction] | None]:
    """Each field's awards in the order of its standings, or None if it is refused.

    Fields are grouped into batches with the same words and inputs; a field whose entrants do not
    all carry the same facts is derived the exact way.
    """
    answers: list[list[Fraction] | None] = [None] * len(fields)
    for signature, members in _alike(rulebook, fields).items():
        chosen = [fields[i] for i in members]
        if signature is None:
            amounts = [_exact_amounts(rulebook, field) for field in chosen]
        else:
            batch = Batch.of(chosen, _words_of(rulebook))
            awards = award_columns(rulebook, batch)
            amounts = [
                None if refused else [Fraction(int(n), SCALE) for n in awards.amounts[first:last]]
                for refused, (first, last) in zip(
                    awards.refused, pairwise(batch.entrant_offsets.tolist()), strict=True
                )
            ]
        for i, own in zip(members, amounts, strict=True):
            answers[i] = own
    return answers


def not_in_columns(rulebook: Rulebook, fields: list[Field]) -> str:
    """Return what in the rules of these fields columns cannot express, so that all fields like them
    are derived the exact way; empty if there is nothing."""
    for signature, members in _alike(rulebook, fields).items():
        if signature is None:
            continue
        batch = Batch.of([fields[i] for i in members], _words_of(rulebook))
        form = form_of_batch(rulebook, batch)
        if form.refused:
            continue
        try:
            _worked_out(Shapes(rulebook, batch, form.graph), batch)
        except NotInColumns as error:
            return Message("{what} cannot be worked out in columns", what=error.args[0])
    return ""


def _words_of(rulebook: Rulebook) -> list[str]:
    return [name for name, declared in rulebook.inputs.items() if declared.is_text]


def _alike(rulebook: Rulebook, fields: list[Field]) -> dict[Any, list[int]]:
    """The numbers of the fields that make a batch, by what they have in common."""
    batches: dict[Any, list[int]] = {}
    wordy = _words_of(rulebook)
    for i, field in enumerate(fields):
        batches.setdefault(_signature(field, wordy), []).append(i)
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
