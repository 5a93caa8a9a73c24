"""What one rulebook would pay, compared with another, over a whole corpus.

Amounts are points to players: an award counts once for each player of the entrant. Events that
either rulebook refuses are counted but left out of the figures, so that like is compared with like.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from honours.engine.rulebook import Rulebook
from honours.errors import InputError, UnknownName
from honours.lab import bands
from honours.lab.answers import more
from honours.lab.caveats import headline, note_of
from honours.lab.compared_sides import AsPaid, Side, as_side, different_units, name_of
from honours.lab.corpus import Corpus
from honours.lab.event_explanation import EventExplanation, explain_event
from honours.lab.few_members import are_few, hold_back_few
from honours.lab.frame import Frame, about
from honours.lab.grouped_comparison import UNITS, GroupedComparison
from honours.lab.intervals import percentile_interval
from honours.lab.left_out import awarded_by_both, sentence
from honours.lab.members import MemberTotals
from honours.lab.paid_differences import paid_rows
from honours.lab.result import LabResult, Progress, unwatched
from honours.lab.samples import sample_awards, typical
from honours.lab.shard_awards import SCALE
from honours.lab.shard_sums import add_up
from honours.lab.shard_work import each_shard, is_tenth, pieces_of
from honours.lab.shards import Shard
from honours.lab.tallies import (
    Appearances,
    ComparedEvents,
    GroupSums,
    ShardOfBoth,
    award_both,
)
from honours.model.message import Message, joined, mark, plural

if TYPE_CHECKING:
    from honours.lab.report import Answer

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
        self.refused = (self.refused[0] + both.refused[0], self.refused[1] + both.refused[1])
        self.aside += both.aside
        self.left += both.left
        if len(both.shard.ids):
            add_up(both, self.played, self.appearances, self.people)

    def by(self, *groups: str) -> GroupedComparison:
        """The comparison by class, kind, sessions, size, strength or flight, which can be
        crossed, or by stratum or holding."""
        _check_groups(groups)
        if groups[0] in bands.PLAYER_GROUPS:
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
        for groups in (*((group,) for group in bands.GROUPS), CROSSED):
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


def _both(a: Side, b: Side, shard: Shard) -> ShardOfBoth:
    return award_both(shard, a, b)


def _check_groups(groups: Sequence[str]) -> None:
    """Refuse groups that do not exist or cannot be crossed."""
    if not groups:
        raise InputError("by what? {groups}", groups=tuple(bands.GROUPS))
    for group in groups:
        if group not in bands.GROUPS:
            raise UnknownName("group", group, bands.GROUPS)
    apart = [group for group in groups if group in bands.PLAYER_GROUPS]
    if apart and len(groups) > 1:
        raise InputError(
            "{apart} parts the players of one event and crosses nothing; cross {event_groups}",
            apart=apart[0],
            event_groups=tuple(bands.EVENT_GROUPS),
        )
