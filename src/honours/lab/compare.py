"""What one rulebook would pay, compared with another, over a whole corpus.

Amounts are points to players: an award counts once for each player of the entrant. Events that
either rulebook refuses are counted but left out of the figures, so that like is compared with like.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, partial, reduce
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from honours.engine.exact.explanation import to_data
from honours.engine.numbers import SCALE
from honours.engine.rulebook import Rulebook
from honours.errors import InputError, UnknownName
from honours.lab import sides
from honours.lab.corpus import Corpus, each_shard, is_tenth, pieces_of
from honours.lab.holes import AllEvents
from honours.lab.intervals import percentile_interval, sample_awards, share_interval, typical
from honours.lab.left_out import (
    FEW_MEMBERS,
    amounts_of,
    are_few,
    awarded_by_both,
    event_awards,
    hold_back_few,
    more,
    sentence,
    to_merge,
)
from honours.lab.result import (
    Frame,
    LabResult,
    Progress,
    about,
    headline,
    note_of,
    notes_of,
    unwatched,
)
from honours.lab.shards import Shard
from honours.lab.sides import AsPaid, Side, as_side, different_units, name_of, stratum_name
from honours.lab.tables import LINES
from honours.lab.tallies import (
    FEW_EVENTS,
    MERGED,
    Appearances,
    ComparedEvents,
    GroupSums,
    MemberTotals,
    ShardOfBoth,
    add_up,
    award_both,
)
from honours.model import Award, Step
from honours.model.message import Message, every, joined, mark, plural, word

if TYPE_CHECKING:
    from honours.lab.report import Answer


# --- a comparison by groups ---------------------------------------------------------------------

_EDGES = {"size": sides.SIZES, "strength": sides.STRENGTHS, "holding": sides.HOLDINGS}
_IN_WORDS = {
    "class": mark("{group} events"),
    "kind": mark("{group}"),
    "sessions": mark("events of {group} sessions"),
    "size": mark("{group} tables"),
    "strength": mark("fields of {group} masterpoints"),
    "flight": mark("flight {group}"),
    "stratum": mark("stratum {group}"),
    "holding": mark("players with {group} masterpoints"),
}
FEW = Message("few events")
SMALL_MERGED = Message(
    "groups of fewer than {members} members are merged",
    members=FEW_MEMBERS,
)
UNITS = Message(
    "A and B are points to players, first A and first B what each player of the best paid gets; "
    "from and to are the change in per cent"
)


@dataclass(frozen=True, slots=True)
class GroupedComparison:
    """A comparison by one group or by several crossed groups: ``.table()`` shows it.

    Groups so small that they could identify somebody are merged.
    """

    comparison: Comparison
    groups: tuple[str, ...]
    sums: Mapping[tuple[str, ...], GroupSums]

    @property
    def title(self) -> Message:
        return Message("By {groups}", groups=every(map(word, self.groups)))

    def table(self) -> Frame:
        comparison = self.comparison
        whole = comparison.total if comparison.apart else None
        firsts = self.groups[0] in sides.EVENT_GROUPS
        names = sorted(self.sums, key=self._order)
        ordered = [self.sums[name] for name in names]
        rows = [
            own.row(dict(zip(self.groups, name, strict=True)), whole, firsts)
            for name, own in zip(names, ordered, strict=True)
        ]
        events = np.array([own.events for own in ordered], np.int64)
        for k in np.flatnonzero(to_merge(events, least=FEW_EVENTS)).tolist() if firsts else ():
            rows[k] |= {"first A": None, "first B": None}
        if any(not own.is_sure for own in ordered):
            for row, own in zip(rows, ordered, strict=True):
                row["sure"] = "" if own.is_sure else FEW
        return Frame.of(about(self.title, comparison.title), rows, self._note())

    def _note(self) -> str:
        parts: list[str] = [n for n in (note_of(self.comparison.corpus), UNITS) if n]
        if (MERGED, *[""] * (len(self.groups) - 1)) in self.sums:
            parts.append(SMALL_MERGED)
        return joined("; ", parts)

    def _order(self, name: tuple[str, ...]) -> list[tuple[int, str]]:
        return [_place(group, part) for group, part in zip(self.groups, name, strict=True)]

    def statement(self) -> str:
        """Where B pays most above and most below A, among the groups for which that is certain."""
        comparison = self.comparison
        changes = {
            name: own.percent
            for name, own in self.sums.items()
            if own.percent is not None and own.is_sure and name[0] != MERGED
        }
        if not changes or comparison.apart or len(self.sums) < 2:
            return ""
        low, high = min(changes, key=changes.__getitem__), max(changes, key=changes.__getitem__)
        shares = every(self._share(name) for name in dict.fromkeys((high, low)))
        return headline(
            comparison.corpus,
            Message(
                "{b} would pay {shares}, compared with {a}.",
                a=name_of(comparison.a),
                b=name_of(comparison.b),
                shares=shares,
            ),
        )

    def _share(self, name: tuple[str, ...]) -> Message:
        own = self.sums[name]
        assert own.percent is not None
        change = more(own.percent, own.interval)
        return Message("{change} to {group}", change=change, group=self._called(name))

    def _called(self, name: tuple[str, ...]) -> str:
        parts = zip(self.groups, name, strict=True)
        first, *others = (Message(_IN_WORDS[group], group=word(part)) for group, part in parts)
        return reduce(_crossed, others, first)

    def _repr_html_(self) -> str:
        return self.table().html()


def _crossed(group: Message, other: Message) -> Message:
    return Message("{group} with {other}", group=group, other=other)


def _place(group: str, name: str) -> tuple[int, str]:
    """Bands in their own order, other groups alphabetically."""
    names = [*sides.band_names(_EDGES[group]), sides.NOT_KNOWN] if group in _EDGES else []
    return (names.index(name), "") if name in names else (0, name)


# --- where payments differ from the rule --------------------------------------------------------

BY = Message("Paid and the rule")


def paid_rows(
    played: ComparedEvents, groups: Sequence[str]
) -> Iterator[tuple[Message, list[dict[str, Any]]]]:
    """A table of all events, then one for each group."""
    everybody = np.ones(len(played.figures("event")), np.bool_)
    yield BY, [_row(played, {"all": "all events"}, everybody)]
    for group in groups:
        codes, names = played.group_of(group)
        events = np.bincount(codes, minlength=len(names))
        few = to_merge(events, least=FEW_EVENTS)
        rows = [
            _row(played, {group: names[code]}, codes == code)
            for code in np.flatnonzero((events > 0) & ~few).tolist()
        ]
        if few.any():
            rows.append(_row(played, {group: MERGED}, few[codes]))
        yield Message("Paid and the rule, by {group}", group=word(group)), rows


def _row(played: ComparedEvents, named: dict[str, str], own: NDArray[np.bool_]) -> dict[str, Any]:
    columns = {n: played.figures(n)[own] for n in ("players", "alike", "over", "under")}
    exact = (columns["over"] == 0) & (columns["under"] == 0)
    sure = share_interval(columns["alike"], columns["players"])
    many = int(columns["players"].sum())
    return {
        **named,
        "events": int(own.sum()),
        "events alike": int(exact.sum()),
        "players": many,
        "alike": int(columns["alike"].sum()),
        "alike %": 100 * float(columns["alike"].sum()) / many if many else None,
        "from (95%)": sure.low if sure else None,
        "to (95%)": sure.high if sure else None,
        "over": float(columns["over"].sum()) / SCALE,
        "under": float(columns["under"].sum()) / SCALE,
    }


# --- an event under two rulebooks ---------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class EventExplanation:
    """An event by place under A and under B, and the two explanations of its largest award."""

    event: int
    places: Frame
    a: Award
    b: Award

    @property
    def why(self) -> tuple[Step, Step]:
        return self.a.why, self.b.why

    def _repr_html_(self) -> str:
        from honours.engine.exact.explanation import render_html

        return self.places.html() + "".join(map(render_html, self.why))


def explain_event(corpus: Corpus, a: Side, b: Side, event: int) -> EventExplanation:
    """Award an event under both, and explain the largest award of each, worked out exactly."""
    ours, theirs = amounts_of(corpus, a, event), amounts_of(corpus, b, event)
    rows = _rows(corpus, event, ours, theirs)
    title = about(Message("Event {event} by place", event=event), f"A {name_of(a)}, B {name_of(b)}")
    largest = (_largest(corpus, a, event, ours), _largest(corpus, b, event, theirs))
    return EventExplanation(event, Frame.of(title, rows), *largest)


def _largest(corpus: Corpus, side: Side, event: int, amounts: Mapping[int, Fraction]) -> Award:
    entrant = max(amounts, key=lambda number: amounts[number])
    return event_awards(corpus, side, event, [entrant])[entrant]


def _rows(
    corpus: Corpus, event: int, ours: Mapping[int, Fraction], theirs: Mapping[int, Fraction]
) -> list[dict[str, Any]]:
    """Every entrant paid by either, first to last, and the total."""
    shard, row = corpus.find(event)
    shard = shard.only([row])
    stratified = len(set(shard.stratum)) > 1
    rows: list[dict[str, Any]] = []
    total = [Fraction(0), Fraction(0)]
    for k in sorted(range(len(shard.entrant)), key=lambda k: (_line(shard, k), shard.place[k])):
        number = int(shard.entrant[k])
        pair = [amounts.get(number, Fraction(0)) for amounts in (ours, theirs)]
        total = [t + amount for t, amount in zip(total, pair, strict=True)]
        if any(pair):
            listed = {"line": LINES[_line(shard, k)]} if _line(shard, k) else {}
            if stratified:
                listed["stratum"] = stratum_name(int(shard.stratum[k]))
            amounts = {"A": float(pair[0]), "B": float(pair[1])}
            rows.append({"place": str(int(shard.place[k])), **listed, **amounts})
    return [*rows, {"place": Message("Total"), "A": float(total[0]), "B": float(total[1])}]


def _line(shard: Any, k: int) -> int:
    return 0 if shard.line is None else int(shard.line[k])


def without_members(step: Step) -> Step:
    """An explanation whose means and sums do not list the members they are taken over."""
    return replace(step, parts=(), uses=tuple(map(without_members, step.uses)))


# --- what one rulebook would pay, compared with another, over a whole corpus --------------------

CHANGES = Message("Change of an event's total")
GAINING = Message("Members who gain and lose")
SAMPLES = Message("First place by tables and average holding")
_PAID = Message("alike: players to whom both pay the same; over and under: B beside A, in points")
_GAINS = Message("from and to are the share that gains, in per cent")
CROSSED = ("flight", "size")
"""The groups the 2011 source's own comparison crosses."""


@dataclass
class Comparison(LabResult):
    """B compared with A over a corpus."""

    corpus: Corpus
    a: Side
    b: Side
    played: ComparedEvents = field(default_factory=ComparedEvents)
    appearances: Appearances = field(default_factory=Appearances)
    people: MemberTotals = field(default_factory=MemberTotals)
    refused: tuple[int, int] = (0, 0)
    aside: int = 0
    left: Counter[str] = field(default_factory=Counter)
    """Events that are not compared, by reason."""
    asked: tuple[str, ...] = ()
    """The groups that were asked for, which come first."""
    every: list[AllEvents] = field(default_factory=list)

    @property
    def notes(self) -> Sequence[str]:
        """Whether events left out differ from those compared."""
        if self.apart or not self.every or not self.total.events:
            return ()
        everything = AllEvents.together(self.every)
        note = everything.note(self.played.figures("a"), self.played.figures("b"))
        return (note,) if note else ()

    @cached_property
    def apart(self) -> Message | None:
        """Why only shares are compared, if the two sides do not pay in the same unit."""
        return different_units(self.a, self.b)

    @property
    def title(self) -> str:
        return f"A {name_of(self.a)}, B {name_of(self.b)}"

    @property
    def total(self) -> GroupSums:
        return self.played.total()

    def add(self, both: ShardOfBoth) -> None:
        """Add a shard."""
        self.every.append(_all_events(both))
        self.refused = (self.refused[0] + both.refused[0], self.refused[1] + both.refused[1])
        self.aside += both.aside
        self.left += both.left
        if len(both.shard.ids):
            add_up(both, self.played, self.appearances, self.people)

    def by(self, *groups: str) -> GroupedComparison:
        """The comparison by class, kind, sessions, size, strength or flight, which can be
        crossed, or by stratum or holding."""
        _check_groups(groups)
        if groups[0] in sides.PLAYER_GROUPS:
            return GroupedComparison(self, groups, self.appearances.by(groups[0]))
        return GroupedComparison(self, groups, self.played.by(groups))

    def totals(self) -> Frame:
        """Everything together, and what was left out."""
        row = self.total.row({"all": Message("all events")}, self.total if self.apart else None)
        row |= {"refused by A": self.refused[0], "refused by B": self.refused[1]}
        return self._frame(Message("All together"), [row | {"set aside": self.aside}], UNITS)

    def left_out(self) -> Frame:
        """The events that are not compared, counted by reason."""
        rows = [{"why": why, "events": count} for why, count in self.left.most_common()]
        return self._frame(Message("Left out"), rows)

    def _frame(self, name: Message, rows: Sequence[Mapping[str, Any]], foot: str = "") -> Frame:
        note = joined("; ", [n for n in (note_of(self.corpus), foot) if n])
        return Frame.of(about(name, self.title), rows, note)

    def distribution(self) -> Frame:
        """How much events change, in per cent of what A pays."""
        change = self._changes()
        rows = []
        for p, value in self._percentiles().items():
            sure = percentile_interval(change, p) if 0 < p < 100 else None
            ends = {"from (95%)": sure and sure.low, "to (95%)": sure and sure.high}
            rows.append({"percentile": p, "change %": value, **ends})
        return self._frame(CHANGES, rows)

    def _changes(self) -> NDArray[np.float64]:
        a, b = self.played.figures("a"), self.played.figures("b")
        change: NDArray[np.float64] = 100.0 * (b[a > 0] / a[a > 0] - 1)
        return change

    def _percentiles(self) -> dict[int, float]:
        """Percentiles of the change, without the smallest and largest, which would show a single
        event."""
        at = (5, 10, 25, 50, 75, 90, 95)
        change = self._changes()
        values = np.percentile(change, at) if len(change) else np.full(len(at), np.nan)
        return {p: float(v) for p, v in zip(at, values, strict=True)}

    def members(self) -> Frame:
        """How many members gain and lose, by their holding when first seen."""
        return self._frame(GAINING, self.people_rows, _GAINS)

    @cached_property
    def people_rows(self) -> list[dict[str, Any]]:
        return self.people.rows()

    @cached_property
    def samples(self) -> tuple[Frame, ...]:
        """First place by tables and average holding, under each side that awards such events."""
        books = (("A", self.a), ("B", self.b))
        made = (
            sample_awards(book, about(_sampled(letter), name_of(book)))
            for letter, book in books
            if isinstance(book, Rulebook)
        )
        return tuple(frame for frame in made if frame.rows)

    def differences(self) -> Iterator[Frame]:
        """Where payments differ from the rule, and by how much."""
        if any(isinstance(side, AsPaid) for side in (self.a, self.b)) and not self.apart:
            for name, rows in paid_rows(self.played, self._groups_of_events()):
                yield self._frame(name, rows, _PAID)

    def _groups_of_events(self) -> list[str]:
        return [g for g in ("class", "kind", "sessions") if len(self.played.group_of(g)[1]) > 1]

    def events(self, count: int = 20) -> Frame:
        """The events that change most; ``explain`` gives the reasons for one of them."""
        return self._frame(
            Message("Events that change most"), self.played.most_changed(count), UNITS
        )

    def explain(self, event: int) -> EventExplanation:
        """An event under both sides: what each place is paid, and why the winner gets that
        amount."""
        return explain_event(self.corpus, self.a, self.b, event)

    def statement(self) -> str:
        """The answer in one sentence: B would …, compared with A."""
        return headline(self.corpus, sentence(self._answer(), self.left))

    def _answer(self) -> Message:
        total, sides = self.total, {"a": name_of(self.a), "b": name_of(self.b)}
        if not total.events:
            return Message("No event is awarded by both {a} and {b}", **sides)
        events = awarded_by_both(total.events)
        if self.apart:
            return Message("{apart}, in {events}", apart=self.apart, events=events)
        template = (
            mark(
                "{b} paid {share} ({b_points:,.2f} points to players), compared with {a} "
                "({a_points:,.2f}), in {events}"
            )
            if isinstance(self.b, AsPaid)
            else mark(
                "{b} would pay {share} ({b_points:,.2f} points to players), compared with {a} "
                "({a_points:,.2f}), in {events}"
            )
        )
        a, b = total.a / SCALE, total.b / SCALE
        share = _in_points(a, b)
        if total.percent is not None:
            share = more(total.percent, total.interval)
        figures = {"share": share, "a_points": a, "b_points": b, "events": events}
        return Message(template, **sides, **figures)

    def statements(self) -> dict[str, str]:
        """A sentence for each frame, by the frame's name."""
        groups = [*([self.by(*self.asked)] if self.asked else []), *self._groups()]
        sentences: dict[str, str] = {g.title: g.statement() for g in groups}
        if self.apart:
            return sentences
        sides = {"a": name_of(self.a), "b": name_of(self.b)}
        everybody, at = self.people_rows[-1], self._percentiles()
        sentences[GAINING] = headline(
            self.corpus,
            plural(
                "{gain:,} of {count:,} member would gain and {lose:,} would lose under {b}, "
                "compared with {a}.",
                "{gain:,} of {count:,} members would gain and {lose:,} would lose under {b}, "
                "compared with {a}.",
                count=everybody["members"],
                gain=everybody["gain"],
                lose=everybody["lose"],
                **sides,
            ),
        )
        if len(self.samples) > 1:
            sentences[_sampled("B")] = typical(self.samples[0], self.samples[1])
        sentences[CHANGES] = headline(
            self.corpus,
            Message(
                "Half of the events would pay between {low:+.1f}% and {high:+.1f}% under {b}, "
                "compared with {a}.",
                low=at[25],
                high=at[75],
                **sides,
            ),
        )
        return sentences

    def provenance(self) -> dict[str, str]:
        """What the answer stands on: enough to make it again."""
        books = {"a": self.a, "b": self.b}
        hashes = {key: f"{name_of(book)} {book.hash}" for key, book in books.items()}
        return {**self.corpus.provenance(), **hashes}

    def _groups(self) -> Iterator[GroupedComparison]:
        for groups in (*((group,) for group in sides.GROUPS), CROSSED):
            if groups != self.asked:
                yield self.by(*groups)

    def frames(self, events: int = 20) -> Iterator[Frame]:
        """Every table of the comparison, starting with the one that was asked for."""
        if self.asked and self.total.events:
            yield self.by(*self.asked).table()
        yield self.totals()
        if self.left:
            yield self.left_out()
        if not self.total.events:
            return
        yield from self.differences()
        for grouped in self._groups():
            yield grouped.table()
        if not self.apart:
            yield self.distribution()
            yield self.members()
        yield from self.samples
        yield self.events(events)

    def data(self) -> dict[str, Any]:
        """The whole answer as plain data."""
        return self.data_of(list(self.frames()), self.statements())

    def data_of(self, frames: Sequence[Frame], sentences: Mapping[str, str]) -> dict[str, Any]:
        """The same, of tables and sentences that were made already."""
        return {
            "statement": self.statement(),
            "statements": dict(sentences),
            "synthetic": bool(note_of(self.corpus)),
            "left_out": dict(self.left),
            "notes": list(self.notes),
            "tables": {frame.name: frame.data() for frame in frames},
            "provenance": self.provenance(),
        }

    def answer(self, progress: Progress = unwatched, whole: bool = True) -> Answer:
        """The report of the comparison; each of the most changed events links to both
        explanations."""
        from honours.lab.questions import EXPLAINED
        from honours.lab.report import comparison_answer

        return comparison_answer(self, EXPLAINED if whole else 0, progress)

    def _repr_html_(self) -> str:
        return f"<p>{escape(self.statement())}</p>{self.totals().html()}"


def compare(
    corpus: Corpus,
    a: str | Side,
    b: str | Side,
    progress: Progress = unwatched,
    on: str = "",
    by: Sequence[str] = (),
) -> Comparison:
    """Compare two sides over a corpus, shard by shard in random order; ``progress`` receives the
    interim result after every tenth of the shards."""
    if by:
        _check_groups(by)
    made = Comparison(corpus, as_side(a, corpus), as_side(b, corpus), asked=tuple(by))
    many, known = len(pieces_of(corpus)), ""
    for done, part in enumerate(each_shard(corpus, partial(_both, made.a, made.b), on), 1):
        made.add(part)
        if progress is not unwatched and is_tenth(done, many) and not are_few(made.people.seen):
            known = made.statement()
        progress(done, many, known)
    hold_back_few(made.people.seen)
    return made


def _in_points(a: float, b: float) -> Message:
    """A change stated in points, because a share is impossible: A pays nothing, or a negative
    total."""
    if not a:
        return Message("{points:,.2f} where A pays nothing", points=b)
    if b >= a:
        return Message("{points:,.2f} points more", points=b - a)
    return Message("{points:,.2f} points less", points=a - b)


def _sampled(letter: str) -> Message:
    return Message("{samples}, {letter}", samples=SAMPLES, letter=letter)


def _all_events(both: ShardOfBoth) -> AllEvents:
    shard = both.shard
    classes = shard.events.get("class")
    named = np.full(len(shard.ids), "", object) if classes is None else np.asarray(classes)
    strength = sides.mean_holdings(shard) if len(shard.ids) else np.empty(0)
    known = np.where(strength < 0, np.nan, strength)
    return AllEvents(shard.sizes, named, known, both.compared)


def _both(a: Side, b: Side, shard: Shard) -> ShardOfBoth:
    return award_both(shard, a, b)


def _check_groups(groups: Sequence[str]) -> None:
    """Refuse groups that do not exist or cannot be crossed."""
    if not groups:
        raise InputError("by what? {groups}", groups=tuple(sides.GROUPS))
    for group in groups:
        if group not in sides.GROUPS:
            raise UnknownName("group", group, sides.GROUPS)
    apart = [group for group in groups if group in sides.PLAYER_GROUPS]
    if apart and len(groups) > 1:
        raise InputError(
            "{apart} parts the players of one event and crosses nothing; cross {event_groups}",
            apart=apart[0],
            event_groups=tuple(sides.EVENT_GROUPS),
        )


# --- one event of a corpus under two rulebooks --------------------------------------------------


@dataclass(kw_only=True)
class EventComparison(Comparison):
    """B compared with A in one event."""

    explanation: EventExplanation

    def statement(self) -> Message:
        return Message(
            "The largest award of event {event} would be {theirs} by {b}, compared with {ours} by "
            "{a}.",
            event=self.explanation.event,
            ours=self.explanation.a.shown,
            theirs=self.explanation.b.shown,
            a=name_of(self.a),
            b=name_of(self.b),
        )

    def frames(self, events: int = 0) -> Iterator[Frame]:
        del events
        yield self.explanation.places

    def answer(self, progress: Progress = unwatched, whole: bool = True) -> Answer:
        """The report of the comparison, which lists no members."""
        from honours.lab.report import Answer, explanation_name

        del progress, whole
        name = explanation_name(self.explanation.event)
        why = [without_members(step) for step in self.explanation.why]
        statements = [self.statement(), *notes_of(self.corpus, self.a, self.b)]
        return Answer(
            name,
            statements,
            [*self.frames()],
            self.provenance(),
            [(name, why)],
            plain=self.data(why),
            told=(*statements, *self.frames(), *self.explanation.why),
            sides=(name_of(self.a), name_of(self.b)),
        )

    def data(self, why: Sequence[Step] = ()) -> dict[str, Any]:
        a, b = why or self.explanation.why
        return {
            "statement": self.statement(),
            "synthetic": bool(note_of(self.corpus)),
            "places": self.explanation.places.data(),
            "why": {"a": to_data(a), "b": to_data(b)},
            "provenance": self.provenance(),
        }


def compare_event(corpus: Corpus, a: str | Side, b: str | Side, event: int | str) -> Comparison:
    """Compare two sides in an event, given by its number or its owner's id."""
    sides = as_side(a, corpus), as_side(b, corpus)
    number = event if isinstance(event, int) else corpus.number_of(event)
    explanation = explain_event(corpus, *sides, number)
    return EventComparison(corpus, *sides, explanation=explanation)
