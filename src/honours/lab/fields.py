"""A shard as batches: fields with the same words, built from columns."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from honours.engine.columns.award import form_for
from honours.engine.columns.batch import Batch, FactColumn, distinct, offsets_of, spans
from honours.engine.event_awards import (
    EventAwards,
    award_event,
    check_lines,
    check_strata,
    is_eligible,
    is_lower,
)
from honours.engine.known_facts import derived, taken_by
from honours.engine.rulebook import Input, Rulebook
from honours.engine.rules import public
from honours.errors import InputError, MissingInput
from honours.lab.shards import BadEvent, Ints, Shard, games_of, ranked
from honours.lab.sides import given_for_all, stratum_name
from honours.lab.store import MISSING, WordColumn
from honours.lab.tables import LIMITS, LINES, UNITS, column_name
from honours.model import Entrant, Field, Game, KnownFact, Player, Standing, Value
from honours.model.message import Message
from honours.model.vocabulary import VOCABULARY

# --- a rulebook's ``[derive]`` applied to the events of a shard ---------------------------------

Column = Any
"""An array, or words."""


def derived_columns(
    rulebook: Rulebook, shard: Shard, plain: Mapping[str, Column]
) -> tuple[dict[str, Column], list[BadEvent]]:
    """The columns of the inputs that ``[derive]`` derives, starting from values given under the
    inputs' own names (``plain``), and the events for which a person must be asked: derived as for
    one event, once for all events of the same facts."""
    lines, many = rulebook.derivations, len(shard.ids)
    names = {n for line in lines for n in (*(line.when or {}), line.source)} - {""}
    facts = {n: column for n in names if (column := _fact(shard, n)) is not None}
    stated = {n: column for n, column in plain.items() if any(line.input == n for line in lines)}
    codes = [
        as_words(c).codes if c.dtype == object else c for c in (*facts.values(), *stated.values())
    ]
    if any(line.titled for line in lines) and "title" in shard.events:
        facts["title"] = title = as_words(shard.events["title"])
        named = [str([line.applies_to_title(text) for line in lines]) for text in title.words]
        codes.append(WordColumn.of(named).codes[title.codes])
    first, of = distinct(codes, many)
    amended = {line.input: "" for line in lines if public(line.input) in rulebook.amended}
    follows: list[dict[str, KnownFact]] = []
    questions: dict[int, str] = {}
    for case, row in enumerate(first.tolist()):
        known, own = _facts_in_row(facts, row), _facts_in_row(stated, row)
        try:
            found = derived(lines, known, {**amended, **own})
        except MissingInput as error:
            questions[case], found = error.message, {}
        follows.append({n: f for n, f in found.items() if n not in own or public(n) in VOCABULARY})
    columns: dict[str, Column] = {}
    for name in dict.fromkeys(line.input for line in lines if not line.ask):
        put = np.array([name in one for one in follows], np.bool_)[of]
        values = [one[name].value if name in one else "" for one in follows]
        if rulebook.inputs[name].type == "word":
            column = as_words(plain.get(name, WordColumn.same("", many)))
            columns[name] = column.where(put, WordColumn.of(map(str, values))[of])
        else:
            numbers = np.array([int(Fraction(value or 0)) for value in values], np.int64)
            columns[name] = np.where(put, numbers[of], plain.get(name, MISSING))
    asking = np.flatnonzero(np.isin(of, list(questions))) if questions else ()
    return columns, [BadEvent(int(shard.ids[row]), questions[of[row]]) for row in asking]


def _facts_in_row(columns: Mapping[str, Column], row: int) -> dict[str, Value]:
    """Return the facts in one row of the columns of events."""
    values = {name: column[row] for name, column in columns.items()}
    return {
        name: str(value) if isinstance(value, str) else Fraction(int(value))
        for name, value in values.items()
        if value not in ("", MISSING)
    }


def as_words(column: Column | WordColumn) -> WordColumn:
    """A column of texts, encoded."""
    return column if isinstance(column, WordColumn) else WordColumn.of(column)


# --- the ranking lists of a shard's events ------------------------------------------------------

Places = NDArray[np.uint16]
Rows = NDArray[np.int32]
"""Rows of entrants, in a narrow type, because a year is limited by the memory moved."""
Ranks = NDArray[np.uint8]
ONLY, TOP, LOWER = range(3)
RANKS = ("none", "top", "lower")
"""Which list of its event it is: the only one, that of the whole field, or that of a lower
stratum."""


@dataclass(frozen=True, slots=True)
class RankingLists:
    """Ranking lists of events: rows of the shard, and places within each list.

    ``rank`` is one of :data:`RANKS`, by number; ``line`` is empty if the event has one list;
    ``entrants`` are rows of the shard's entrants.
    """

    rank: Ranks
    events: Ints
    entrants: Rows
    offsets: Ints
    place: Places
    tied: Places
    line: str = ""

    @property
    def event_of_entrant(self) -> Ints:
        """The row of each entrant's event in the shard."""
        return np.repeat(self.events, np.diff(self.offsets))

    def entrants_of(self, i: int) -> Rows:
        """The rows of the entrants of one list."""
        return self.entrants[self.offsets[i] : self.offsets[i + 1]]

    def only(self, keep: NDArray[np.bool_]) -> RankingLists:
        """The lists of some of the events."""
        if keep.all():
            return self
        counts = np.diff(self.offsets)[keep]
        rows = spans(self.offsets[:-1][keep], counts)
        return replace(
            self,
            rank=self.rank[keep],
            events=self.events[keep],
            entrants=self.entrants[rows],
            offsets=offsets_of(counts),
            place=self.place[rows],
            tied=self.tied[rows],
        )


def ranking_lists(shard: Shard, strata: str) -> Iterator[RankingLists]:
    """Every list of the shard under a rulebook whose policy for strata is ``strata``, with the
    lists of each line grouped."""
    for lists in by_line(shard):
        yield _with_strata(shard, lists) if strata == "each" else lists


def by_line(shard: Shard) -> Iterator[RankingLists]:
    """The whole field of events with one list, then each line of those with two."""
    everyone = np.arange(len(shard.entrant), dtype=np.int32)
    events = np.arange(len(shard.ids))
    none = np.full(len(events), ONLY, np.uint8)
    whole = RankingLists(none, events, everyone, shard.entrant_offsets, shard.place, shard.tied)
    lined = lined_events(shard)
    if not lined.any():
        yield whole
        return
    yield whole.only(~lined)
    for number, name in LINES.items():
        rows = np.flatnonzero(shard.line == number).astype(np.int32)
        yield replace(_of_rows(shard, rows), line=name)


def lined_events(shard: Shard) -> NDArray[np.bool_]:
    """Return which events rank each line separately."""
    lined = np.zeros(len(shard.ids), np.bool_)
    if shard.line is not None:
        lined[shard.event_of_entrant[shard.line > 0]] = True
    return lined


def stratified_events(shard: Shard) -> NDArray[np.bool_]:
    """Return which events have strata: those with somebody below the highest one."""
    lower = np.zeros(len(shard.ids), np.bool_)
    if shard.stratum.max(initial=0) > 0:
        lower[shard.event_of_entrant[shard.stratum > 0]] = True
    return lower


def _of_rows(shard: Shard, rows: Rows) -> RankingLists:
    """The lists of these entrants with their given places."""
    events, counts = np.unique(shard.event_of_entrant[rows], return_counts=True)
    offsets = np.concatenate(([0], np.cumsum(counts)))
    none = np.full(len(events), ONLY, np.uint8)
    return RankingLists(none, events, rows, offsets, shard.place[rows], shard.tied[rows])


def lower_strata(shard: Shard) -> NDArray[np.bool_]:
    """For each event and stratum, whether it has a list of its own besides that of the whole
    field."""
    strata = np.arange(int(shard.stratum.max(initial=0)) + 1)
    there = np.zeros((len(shard.ids), len(strata)), np.bool_)
    there[shard.event_of_entrant, shard.stratum] = True
    lower: NDArray[np.bool_] = there & is_lower(strata, np.argmax(there, axis=1)[:, None])
    return lower


def _with_strata(shard: Shard, whole: RankingLists) -> RankingLists:
    """Every list, followed by those eligible in each lower stratum where an event has several."""
    strata = int(shard.stratum.max(initial=0))
    if not strata:
        return whole
    below = lower_strata(shard)[whole.events]
    of_list = np.repeat(np.arange(len(whole.events)), np.diff(whole.offsets))
    own = shard.stratum[whole.entrants]
    parts = [np.arange(len(own))]
    parts += [np.flatnonzero(below[of_list, s] & is_eligible(own, s)) for s in range(strata + 1)]
    rows = np.concatenate(parts)
    key = of_list[rows] * len(parts) + np.repeat(np.arange(len(parts)), [*map(len, parts)])
    order = np.argsort(key, kind="stable")  # each list, then those of its strata
    rows, key = rows[order], key[order]
    place, tied = whole.place[rows], whole.tied[rows]
    again = np.flatnonzero(key % len(parts))
    place[again], tied[again] = ranked(key[again], place[again])
    begins = np.flatnonzero(np.diff(key, prepend=-1))
    of, stratum = np.divmod(key[begins], len(parts))
    return replace(
        whole,
        rank=np.where(stratum, LOWER, below[of].any(axis=1) * TOP).astype(np.uint8),
        events=whole.events[of],
        entrants=whole.entrants[rows],
        offsets=np.append(begins, len(rows)),
        place=place,
        tied=tied,
    )


# --- the inputs of a rulebook that the columns of a shard provide -------------------------------

"""An array, or words."""
Bools = NDArray[np.bool_]

_NOT_FOR_RULES = ("date", "title")
"""A date only adds a notice to an explanation."""
NONE, SOME, ALL = 0, 1, 2
"""Whether none, some or all of a list's entrants or players have a value."""


@dataclass(frozen=True, slots=True)
class InputColumns:
    """Columns by input name: ``numbers`` and ``words`` of events, then those of entrants and of
    players."""

    rulebook: Rulebook
    shard: Shard
    numbers: Mapping[str, Column]
    words: Mapping[str, WordColumn]
    of_entrants: Mapping[str, Column]
    of_players: Mapping[str, Column]
    questions: tuple[BadEvent, ...] = ()
    """Events for which a person must answer a question."""

    def beyond(self) -> Iterator[BadEvent]:
        """Events with a word that the rulebook does not know or a number outside the range that it
        accepts, or for which a question must be answered first."""
        shard = self.shard
        for name, column in self.words.items():
            known = ("", *self.rulebook.inputs[name].words)
            strange = [word for word in column.words if word not in known]
            for row in np.flatnonzero(column.is_in(strange)) if strange else ():
                why = Message(
                    "{rulebook} has no {input} {value!r}",
                    rulebook=self.rulebook.id,
                    input=public(name),
                    value=column[row],
                )
                yield BadEvent(int(shard.ids[row]), why)
        yield from self.questions
        yield from self._beyond(self.numbers, lambda row: row)
        yield from self._beyond(self.of_entrants, shard.event_of)
        yield from self._beyond(self.of_players, lambda row: shard.event_of(shard.entrant_of(row)))

    def _beyond(
        self, columns: Mapping[str, Column], event_of: Callable[[int], int]
    ) -> Iterator[BadEvent]:
        for name, column in columns.items():
            declared, unit = self.rulebook.inputs[name], unit_of(name)
            if column.dtype == object or not len(column):
                continue
            for row in map(int, np.flatnonzero(_outside(column, declared, unit))):
                try:
                    declared.check(int(column[row]) * unit)
                except InputError as error:
                    yield BadEvent(int(self.shard.ids[event_of(row)]), error.message)

    def status(self, lists: RankingLists) -> dict[str, Ints]:
        """For each fact known only in part: whether all, some or none of each list's entrants or
        players have it."""
        shard, columns = self.shard, {}
        sizes = np.diff(lists.offsets)
        for name, column in self.of_entrants.items():
            if not is_complete(column):
                unsaid = is_missing(column)[lists.entrants].astype(np.int64)
                columns[name] = _share(unsaid, lists, sizes)
        for name, column in self.of_players.items():
            if not is_complete(column):
                unsaid = is_missing(column).astype(np.int64)
                each = np.add.reduceat(unsaid, shard.player_offsets[:-1])
                many = np.diff(shard.player_offsets)[lists.entrants]
                total = np.add.reduceat(many, lists.offsets[:-1]) if len(sizes) else sizes
                columns[name] = _share(each[lists.entrants], lists, total)
        return columns


def asked_of(rulebook: Rulebook, shard: Shard) -> InputColumns:
    """The columns of a shard that are inputs of the rulebook."""
    numbers: dict[str, Column] = {}
    words: dict[str, WordColumn] = {}
    of_entrants: dict[str, Column] = {}
    of_players: dict[str, Column] = {}
    for name, declared in rulebook.inputs.items():
        column = column_name(name)
        if column in shard.of_entrants and declared.per != "field":
            of_entrants[name] = shard.of_entrants[column]
        elif declared.per == "player":
            own = shard.holding if column == "holding" else shard.of_players.get(column)
            if own is not None:
                of_players[name] = own
        elif declared.per == "field":
            own = _of_events(shard, column)
            if own is None or (own.dtype == object) != (declared.type == "word"):
                continue
            if declared.type == "word":
                words[name] = as_words(own)
            else:
                numbers[name] = own
    for columns in (of_entrants, of_players):
        columns |= {n: _with_default(rulebook, n, own) for n, own in columns.items()}
    if not rulebook.derivations:
        return InputColumns(rulebook, shard, numbers, words, of_entrants, of_players)
    follows, questions = derived_columns(rulebook, shard, {**numbers, **words})
    words |= {name: own for name, own in follows.items() if own.dtype == object}
    numbers |= {name: own for name, own in follows.items() if own.dtype != object}
    return InputColumns(rulebook, shard, numbers, words, of_entrants, of_players, tuple(questions))


def _with_default(rulebook: Rulebook, name: str, column: Column) -> Column:
    """A column with the input's default where it has no value, unless a rule makes that."""
    declared = rulebook.inputs[name]
    if declared.default is None or is_complete(column) or any(rulebook.rules_for(name)):
        return column
    value = declared.read(declared.default)
    if isinstance(value, str):
        return as_words(column).where(is_missing(column), value)
    units = value / unit_of(name)
    return np.where(is_missing(column), int(units), column) if units.denominator == 1 else column


def _fact(shard: Shard, name: str) -> Column | None:
    """The shard's values for its events under a name of the vocabulary."""
    if name in ("field_entrants", "entrants"):
        return shard.sizes
    return shard.events.get(name) if name in _NOT_FOR_RULES else _of_events(shard, name)


def _of_events(shard: Shard, column: str) -> Column | None:
    if column == "winners":
        return WordColumn(lined_events(shard).astype(np.int64), ("1", "2"))
    if column == "boards":
        return event_boards(shard)
    if column in _COUNTED and column not in shard.events:
        kinds = _COUNTED[column]
        kind = shard.events.get("kind")
        if kind is None:
            return np.full(len(shard.ids), MISSING, np.int64)
        return np.where(as_words(kind).is_in(kinds), shard.sizes, MISSING)
    return shard.events[column] if column in shard.events and column not in _NOT_FOR_RULES else None


_COUNTED = {"pairs": ("pairs",), "teams": ("teams", "swiss", "board-a-match", "knockout")}
"""Inputs that count the entrants of events of some kinds."""


def event_boards(shard: Shard) -> Column | None:
    """The boards of the whole event: as stated, otherwise sessions times boards per session."""
    boards, parts = shard.events.get("boards"), ("sessions", "boards_per_session")
    if not all(p in shard.events for p in parts):
        return boards
    sessions, each = (shard.events[p].astype(np.int64) for p in parts)
    known = ~is_missing(sessions) & ~is_missing(each)
    product = np.where(known, sessions * each, MISSING)
    return product if boards is None else np.where(is_missing(boards), product, boards)


def unit_of(name: str) -> Fraction:
    """The value of one unit in an input's column."""
    return UNITS.get(column_name(name), Fraction(1))


def is_missing(column: Column) -> Bools:
    """Return where a column has no value."""
    if column.dtype.kind == "u":
        return np.zeros(len(column), np.bool_)
    unsaid: Bools = column == ("" if column.dtype == object else MISSING)
    return unsaid


def is_complete(column: Column) -> bool:
    """Return whether a column has a value everywhere; nearly always true, and quick to check."""
    if column.dtype.kind == "u" or not len(column):
        return True
    return not is_missing(column).any() if column.dtype == object else column.min() != MISSING


def _outside(column: Column, declared: Input, unit: Fraction) -> Bools:
    least = declared.smallest / unit
    most = None if declared.most is None else declared.most / unit
    if int(column.min()) >= least and (most is None or int(column.max()) <= most):
        return np.zeros(0, np.bool_)
    outside: Bools = (column < float(least)) & ~is_missing(column)
    if most is not None:
        outside |= column > float(most)
    for value in declared.named.values():
        outside &= column != float(value / unit)
    return outside


def _share(unsaid: Ints, lists: RankingLists, sizes: Ints) -> Ints:
    if not len(lists.events):
        return np.empty(0, np.int64)
    missing = np.add.reduceat(unsaid, lists.offsets[:-1])
    return np.where(missing == 0, ALL, np.where(missing == sizes, NONE, SOME))


# --- events that are awarded one by one ---------------------------------------------------------

_NUMBERED = ("stratum_level", "stratum_entrants")
_BY_LIMIT = ("stratum_limit", "lowest_limit")
_NOT_FACTS = ("event", "id", "tournament", "flight")
_NO_FACTS_ALONE = LIMITS[3:]
"""Limits that belong to a stratum, not to the event."""
_OF_STANDINGS = (
    *("games_played", "boards_played", "won", "drawn", "ifpa_rating", "ifpa_rank", "is_rated"),
)


def whole_events(rulebook: Rulebook, shard: Shard) -> Bools:
    """Return which events a rulebook can only award as a whole."""
    policy, asks = rulebook.lists, {public(name) for name in rulebook.inputs}
    if policy.section_facts or rulebook.plays_games:
        return np.ones(len(shard.ids), np.bool_)
    whole = lined_events(shard) if policy.ranks_together else np.zeros(len(shard.ids), np.bool_)
    if policy.strata == "each" and asks & {*_NUMBERED}:
        whole |= _any_of(shard, shard.stratum > 0)
    if asks & {*_BY_LIMIT} and "limit_b" in shard.events:
        whole |= ~is_missing(shard.events["limit_b"])
    if "boards_of_sessions" in asks:
        whole |= of_several_lengths(shard)
    present = shard.of_entrants.get(policy.present)
    return whole if present is None else whole | _any_of(shard, present == 0)


def _any_of(shard: Shard, entrants: Bools) -> Bools:
    """Return which events contain one of these entrants."""
    having = np.zeros(len(shard.ids), np.bool_)
    having[shard.event_of_entrant[entrants]] = True
    return having


def of_several_lengths(shard: Shard) -> Bools:
    """Return which events give the boards of their shortest session, but no number common to all
    sessions."""
    shortest, each = (shard.events.get(name) for name in ("stage_boards", "boards_per_session"))
    if shortest is None:
        return np.zeros(len(shard.ids), np.bool_)
    unsaid = np.ones(len(shard.ids), np.bool_) if each is None else is_missing(each)
    several: Bools = ~is_missing(shortest) & unsaid
    return several


def award_whole(
    rulebook: Rulebook,
    shard: Shard,
    row: int,
    in_words: bool = True,
    only: Container[str] | None = None,
) -> EventAwards:
    """An event awarded as a file of it would be; raises if the corpus lacks something."""
    first, last = (int(n) for n in shard.entrant_offsets[row : row + 2])
    entrants = range(first, last)
    _check_known(rulebook, shard, row, entrants)
    facts = _facts(shard, row)
    stratified = int(shard.stratum[first:last].max(initial=0)) > 0
    games = games_of(shard.games, int(shard.ids[row]))
    by_line: dict[int, list[Standing]] = {}
    for k in entrants:
        line = 0 if shard.line is None else int(shard.line[k])
        by_line.setdefault(line, []).append(_standing(shard, k, games, stratified))
    facts |= {"winners": str(len(by_line)), "lines": Fraction(len(by_line))}
    lists = [Field(facts, tuple(s), LINES.get(n, "")) for n, s in sorted(by_line.items())]
    given = {key: text for key, text in given_for_all(rulebook).items() if key not in facts}
    return award_event(rulebook, lists, given, in_words, only)


def _check_known(rulebook: Rulebook, shard: Shard, row: int, entrants: range) -> None:
    """Refuse an event if the corpus lacks what the rulebook ranks by."""
    policy, own = rulebook.lists, list(entrants)
    if rulebook.plays_games and not np.isin(shard.ids[row], shard.games["event"]):
        raise InputError(
            "{rulebook} counts the games of each player, and the corpus does not tell them "
            "(table games)",
            rulebook=rulebook.id,
        )
    if policy.section_facts and _unsaid(shard, "sat_in", own):
        raise InputError(
            "{rulebook} pays every section by itself, and the corpus does not say who sat in "
            "which (column sat_in)",
            rulebook=rulebook.id,
        )
    lined = shard.line is not None and bool((shard.line[own] > 0).any())
    if policy.ranks_together and lined and _unsaid(shard, "overall_place", own):
        raise InputError(
            "{rulebook} ranks both lines together by score, and the corpus does not say who "
            "came where among all (column overall_place)",
            rulebook=rulebook.id,
        )
    asks = {public(name) for name in rulebook.inputs}
    if "boards_of_sessions" in asks and of_several_lengths(shard)[row] and not _deals(shard, row):
        raise InputError(
            "{rulebook} counts the deals of each session, which differ and the corpus does not "
            "say (column boards_of_sessions)",
            rulebook=rulebook.id,
        )


def _deals(shard: Shard, row: int) -> str:
    column = shard.events.get("boards_of_sessions")
    return "" if column is None else str(column[row])


def _unsaid(shard: Shard, name: str, rows: list[int]) -> bool:
    column = shard.of_entrants.get(name)
    return column is None or bool((column[rows] == MISSING).any())


def _facts(shard: Shard, row: int) -> dict[str, Value]:
    """The facts of an event in the corpus, under the names of the vocabulary."""
    facts = _facts_in_row({n: c for n, c in shard.events.items() if n not in _NOT_FACTS}, row)
    for name in ("boards", *_COUNTED):
        column = _of_events(shard, name)
        if column is not None and int(column[row]) != MISSING:
            facts[name] = Fraction(int(column[row]))
    if "date" in facts:
        days = facts["date"]
        from datetime import date, timedelta

        facts["date"] = (date(1970, 1, 1) + timedelta(int(Fraction(days)))).isoformat()
    limits = {n: facts[name] for n, name in enumerate(LIMITS) if name in facts}
    facts = {name: value for name, value in facts.items() if name not in _NO_FACTS_ALONE}
    lower = [limit for n, limit in limits.items() if n and isinstance(limit, Fraction)]
    if lower:
        facts |= {f"stratum_limit.{stratum_name(n)}": limit for n, limit in limits.items()}
        facts["lowest_limit"] = min(lower)
    if facts.get("limit") == 0:  # there is none, which a file says by silence
        del facts["limit"]
    facts["field_entrants"] = Fraction(int(shard.sizes[row]))
    return facts


def _standing(
    shard: Shard,
    k: int,
    games: Mapping[int, tuple[Game, ...]],
    stratified: bool,
) -> Standing:
    """An entrant as the lists have it; its score is its overall place, negated."""
    values = {name: int(column[k]) for name, column in shard.of_entrants.items()}
    known = {name: value for name, value in values.items() if value != MISSING}
    facts: dict[str, Value] = {
        name: known[name] * UNITS.get(name, Fraction(1)) for name in _OF_STANDINGS if name in known
    }
    if stratified:
        facts["stratum"] = stratum_name(int(shard.stratum[k]))
    if "sat_in" in known:
        facts["section"] = f"{known['sat_in']:03d}"
    place = int(shard.place[k])
    score = known.get("overall_place", known.get("score_place", place))
    entrant = Entrant(str(int(shard.entrant[k])), _players(shard, k))
    own = games.get(int(shard.entrant[k]), ())
    return Standing(entrant, place, int(shard.tied[k]), -Fraction(score), facts, own)


def _players(shard: Shard, k: int) -> tuple[Player, ...]:
    rows = range(int(shard.player_offsets[k]), int(shard.player_offsets[k + 1]))
    columns: Mapping[str, NDArray[Any]] = {**shard.of_players, "holding": shard.holding}
    players = []
    for row in rows:
        facts: dict[str, Value] = {}
        for name, column in columns.items():
            value = column[row]
            if name == "paid" or value in ("", MISSING):
                continue
            known = "masterpoints" if name == "holding" else name
            unit = UNITS.get(name, Fraction(1))
            facts[known] = value if isinstance(value, str) else int(value) * unit
        number = str(int(shard.player[row]))
        players.append(Player(f"member {number}", number, facts))
    return tuple(players)


# --- lists of an event that a rulebook refuses, and the places that it counts -------------------


def refused_lists(rulebook: Rulebook, shard: Shard) -> Iterator[BadEvent]:
    """The events with two lines if the rulebook awards only one list, and those with strata if
    it does not provide for them."""
    for check, events in ((check_lines, lined_events), (check_strata, stratified_events)):
        try:
            check(rulebook.id, rulebook.lists, True)
        except InputError as error:
            rows = np.flatnonzero(events(shard))
            yield from (BadEvent(int(shard.ids[row]), error.brief) for row in rows)


def with_ties_of(rulebook: Rulebook, shard: Shard) -> Shard:
    """The shard with the places that the rulebook counts: equal scores tie if it says so. Which
    entrants share a place by score is known from the import, which used
    :func:`honours.engine.ranking.tied_by_score`."""
    shared = shard.of_entrants.get("score_place")
    if rulebook.lists.ties != "score" or shared is None:
        return shard
    order = np.where(shared == MISSING, shard.place, shared)
    line = 0 if shard.line is None else shard.line.astype(np.int64)
    place, tied = ranked(shard.event_of_entrant * (1 + max(LINES)) + line, order)
    kind = shard.place.dtype
    return replace(shard, place=place.astype(kind), tied=tied.astype(kind))


# --- a shard as batches -------------------------------------------------------------------------

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
    apart = {*shard.ids[whole].tolist()}
    bad = {b.event: b for b in (*refused_lists(rulebook, shard), *asked.beyond())}
    yield from (b for b in bad.values() if b.event not in apart)
    out = np.array([*bad, *apart], np.int64)
    for lists in ranking_lists(shard, rulebook.lists.strata):
        kept = lists.only(~np.isin(shard.ids[lists.events], out)) if len(out) else lists
        for chosen, words, status in _alike(asked, kept):
            in_part = [name for name, known in status.items() if known == SOME]
            uneven = any(rule for name in in_part for rule in rulebook.rules_for(name))
            yield FieldBatch(_batch(asked, chosen, words, status), chosen, uneven)


def _list_words(asked: InputColumns, lists: RankingLists) -> dict[str, WordColumn]:
    """The words of each list: those of its event, and which of the event's lists it is."""
    words = {name: column[lists.events] for name, column in asked.words.items()}
    which = {
        "stratum_kind": WordColumn(lists.rank.astype(np.int64), RANKS),
        "line": WordColumn.same(lists.line, len(lists.events)),
    }
    for fact, column in which.items():
        if declared := taken_by(asked.rulebook, fact):
            known = tuple(word if word in declared.words else "" for word in column.words)
            words[declared.name] = WordColumn(column.codes, known)
    return words


def _alike(
    asked: InputColumns, lists: RankingLists
) -> Iterator[tuple[RankingLists, dict[str, WordColumn], InputStatus]]:
    """Groups of lists that the same rules award and that have the same inputs, with their words
    and which inputs are given."""
    if not len(lists.events):
        return
    words, status = _list_words(asked, lists), asked.status(lists)
    for name, column in asked.numbers.items():
        if not is_complete(column):
            status[name] = np.where(is_missing(column)[lists.events], NONE, ALL)
    codes = [*(column.codes for column in words.values()), *status.values()]
    firsts, of = distinct(codes, len(lists.events))
    groups: dict[Any, int] = {}
    group_of = np.empty(len(firsts), np.int64)
    names_given: dict[Any, tuple[list[str], list[str]]] = {}
    for code, first in enumerate(firsts.tolist()):
        state = tuple((name, int(column[first])) for name, column in status.items())
        if state not in names_given:
            names_given[state] = _names_given(asked, lists, dict(state))
        given = {name: word for name, column in words.items() if (word := column[first])}
        graph = form_for(asked.rulebook, *names_given[state], given).key
        group_of[code] = groups.setdefault((state, tuple(given), graph), len(groups))
    for (state, names, _), number in groups.items():
        same = group_of[of] == number
        rows = np.flatnonzero(same)  # a mask would be gone through again for every word
        yield lists.only(same), {name: words[name][rows] for name in names}, dict(state)


def _names_given(
    asked: InputColumns, lists: RankingLists, status: InputStatus
) -> tuple[list[str], list[str]]:
    """The names of the inputs given for the lists, for their entrants and for their players."""
    fields = [n for n in asked.numbers if status.get(n, ALL) == ALL]
    below = [n for n in (*asked.of_entrants, *asked.of_players) if status.get(n, ALL) != NONE]
    return [*fields, *_counted(asked, lists)], [*below, *_in_top(asked, lists)]


def _batch(
    asked: InputColumns,
    lists: RankingLists,
    words: Mapping[str, WordColumn],
    status: InputStatus,
) -> Batch:
    shard = asked.shard
    first = {name: str(column[0]) for name, column in words.items()}
    looked_at = form_for(asked.rulebook, *_names_given(asked, lists, status), first).words
    rows = len(shard.entrant)
    begins: Ints = shard.player_offsets
    everyone = len(lists.entrants) == rows and np.array_equal(lists.entrants, np.arange(rows))
    if not everyone:
        begins = offsets_of(np.diff(begins)[lists.entrants])

    def given_in(columns: Mapping[str, Column], rows: Any) -> dict[str, FactColumn]:
        told = {n: c if rows is None else c[rows] for n, c in columns.items()}
        return {n: _column(c, unit_of(n)) for n, c in told.items() if status.get(n, ALL) == ALL}

    players = None if everyone else spans(shard.player_offsets[lists.entrants], np.diff(begins))
    coded = {name: FactColumn.coding(words[name].codes, words[name].words) for name in looked_at}
    numbers = given_in(asked.numbers, lists.events)
    return Batch(
        words=first,
        facts={
            "field": numbers | _counted(asked, lists) | coded,
            "entrant": given_in(asked.of_entrants, lists.entrants) | _in_top(asked, lists),
            "player": given_in(asked.of_players, players),
        },
        place=lists.place,
        tied=lists.tied,
        entrant_offsets=lists.offsets,
        player_offsets=begins,
        in_part=frozenset(name for name, known in status.items() if known == SOME),
    )


def _column(values: Column, unit: Fraction) -> FactColumn:
    if values.dtype == object:
        words = as_words(values)
        return FactColumn.coding(words.codes, words.words)
    wide = values if values.dtype == np.int32 else values.astype(np.int64)
    return FactColumn.in_units(wide, unit)


def _counted(asked: InputColumns, lists: RankingLists) -> dict[str, FactColumn]:
    """The inputs counted per list: its entrants, and those of the event in all lines."""
    counts = {"entrants": np.diff(lists.offsets)}
    if lists.line:
        counts["all_lines"] = asked.shard.sizes[lists.events]
    known = {name: own for name, own in counts.items() if name in asked.rulebook.inputs}
    return {name: FactColumn.in_units(own, Fraction(1)) for name, own in known.items()}


def _in_top(asked: InputColumns, lists: RankingLists) -> dict[str, FactColumn]:
    """Return whether each entrant is in the highest stratum of its event, if the rulebook asks."""
    if "in_top_stratum" not in asked.rulebook.inputs:
        return {}
    shard = asked.shard
    highest = np.minimum.reduceat(shard.stratum, shard.entrant_offsets[:-1])
    top = ~is_lower(shard.stratum[lists.entrants], highest[lists.event_of_entrant])
    return {"in_top_stratum": FactColumn.in_units(top.astype(np.int64), Fraction(1))}
