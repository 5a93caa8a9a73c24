"""The payments of one rulebook compared with those of another, over a whole corpus.

Amounts are points to players: an award counts once for each player of the entrant. Events that
either rulebook refuses are counted but left out of the figures, so that like is compared with like.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from honours.engine.exact.explanation import render_html
from honours.engine.numbers import SCALE
from honours.errors import InputError, UnknownName
from honours.lab import sides
from honours.lab.asking import DECLARED
from honours.lab.corpus import Corpus, is_tenth, pieces_of
from honours.lab.intervals import percentile_interval, share_interval
from honours.lab.left_out import (
    FEW_MEMBERS,
    amounts_of,
    are_few,
    awarded_by_both,
    event_awards,
    more,
    sentence,
    to_merge,
)
from honours.lab.result import (
    Answer,
    Explanation,
    Frame,
    Progress,
    about,
    headline,
    stamped,
    unwatched,
)
from honours.lab.sides import AsPaid, Side, as_side, different_units, name_of, stratum_name
from honours.lab.tables import LINES
from honours.lab.tallies import (
    FEW_EVENTS,
    MERGED,
    ComparedSums,
    Grouping,
    GroupSums,
    interval_columns,
    tally,
)
from honours.model import Award, Step
from honours.model.message import Message, every, mark, plural, word

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
SMALL_MERGED = Message("groups of fewer than {members} members are merged", members=FEW_MEMBERS)
UNITS = Message(
    "A and B are points to players, first A and first B what each player of the best paid gets; "
    "from and to are the change in per cent"
)
PAID = Message("alike: players to whom both pay the same; over and under: B beside A, in points")
GAINS = Message("from and to are the share that gains, in per cent")
CROSSED = ("flight", "size")
"""The groups the 2011 source's own comparison crosses."""
_PERCENTILES = (5, 10, 25, 50, 75, 90, 95)
"""Without the smallest and largest, which would show a single event."""
_CHANGED = 20
"""How many of the most changed events are listed."""


@dataclass
class ComparedSides:
    """B compared with A: what the sums say, in words and tables."""

    corpus: Corpus
    a: Side
    b: Side
    sums: ComparedSums

    @cached_property
    def apart(self) -> Message | None:
        """The reason why only shares are compared, if the two sides do not pay in the same unit."""
        return different_units(self.a, self.b)

    @property
    def _named(self) -> dict[str, str]:
        return {"a": name_of(self.a), "b": name_of(self.b)}

    def _frame(
        self, name: str, rows: Sequence[Mapping[str, Any]], *notes: str, told: str = ""
    ) -> Frame:
        title = about(name, f"A {name_of(self.a)}, B {name_of(self.b)}")
        frame = Frame.of(title, rows, *notes, statement=headline(self.corpus, told))
        return stamped(self.corpus, frame)

    def statement(self) -> str:
        """The answer in one sentence: B would …, compared with A."""
        return sentence(self._answer(), self.sums.totals.left)

    def _answer(self) -> Message:
        total = self.sums.total
        if not total.events:
            return Message("No event is awarded by both {a} and {b}", **self._named)
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
        return Message(template, **self._named, **figures)

    def frames(self, asked: Sequence[str] = ()) -> Iterator[Frame]:
        """Every table of the comparison, starting with the one that was asked for."""
        any_events = bool(self.sums.total.events)
        if asked and any_events:
            yield self.by(*asked)
        yield self.totals()
        left = self.sums.totals.left.most_common()
        yield self._frame(Message("Left out"), [{"why": w, "events": n} for w, n in left])
        if not any_events:
            return
        yield from self.differences()
        for groups in (*((group,) for group in sides.GROUPS), CROSSED):
            if groups != tuple(asked):
                yield self.by(*groups)
        if not self.apart:
            yield self.distribution()
            yield self.members()
        yield self.events(_CHANGED)

    def totals(self) -> Frame:
        """Everything together, and what was left out."""
        total, refused = self.sums.total, self.sums.totals.refused
        row = total.row({"all": Message("all events")}, total if self.apart else None)
        row |= {"refused by A": refused[0], "refused by B": refused[1]}
        row["set aside"] = self.sums.totals.spoilt
        return self._frame(Message("All together"), [row], UNITS)

    def by(self, *groups: str) -> Frame:
        """The comparison by class, kind, sessions, size, strength or flight, which can be
        crossed, or by stratum or holding; groups so small that they could identify somebody are
        merged."""
        check_groups(groups)
        grouping = self.sums.by(groups)
        whole, firsts = self.sums.total if self.apart else None, groups[0] in sides.EVENT_GROUPS
        names = sorted(grouping, key=lambda name: [*map(_place, groups, name)])
        sums = [grouping[name] for name in names]
        rows = [
            own.row(dict(zip(groups, name, strict=True)), whole, firsts)
            for name, own in zip(names, sums, strict=True)
        ]
        few = to_merge(np.array([own.events for own in sums], np.int64), least=FEW_EVENTS)
        for k in np.flatnonzero(few).tolist() if firsts else ():
            rows[k] |= {"first A": None, "first B": None}
        if any(not own.is_sure for own in sums):
            for row, own in zip(rows, sums, strict=True):
                row["sure"] = "" if own.is_sure else FEW
        merged = SMALL_MERGED if any(name[0] == MERGED for name in names) else ""
        title = Message("By {groups}", groups=every(map(word, groups)))
        told = "" if self.apart else self._extremes(groups, grouping)
        return self._frame(title, rows, UNITS, merged, told=told)

    def _extremes(self, groups: Sequence[str], grouping: Grouping) -> str:
        """Say where B pays most above and most below A, among groups for which that is certain."""
        changes = {
            name: own.percent
            for name, own in grouping.items()
            if own.percent is not None and own.is_sure and name[0] != MERGED
        }
        if not changes or len(grouping) < 2:
            return ""
        ends = (max(changes, key=changes.__getitem__), min(changes, key=changes.__getitem__))
        shares = every(_share(groups, name, grouping[name]) for name in dict.fromkeys(ends))
        return Message("{b} would pay {shares}, compared with {a}.", **self._named, shares=shares)

    def differences(self) -> Iterator[Frame]:
        """Yield tables of how payments differ from the rule: in all events, then by group."""
        if self.apart or not any(isinstance(side, AsPaid) for side in (self.a, self.b)):
            return
        name = Message("Paid and the rule")
        everybody = np.ones(len(self.sums.events["a"]), np.bool_)
        yield self._frame(name, [{"all": "all events", **self._alike(everybody)}], PAID)
        for group in ("class", "kind", "sessions"):
            codes, names = self.sums.group_of(group)
            if len(names) < 2:
                continue
            events = np.bincount(codes, minlength=len(names))
            few = to_merge(events, least=FEW_EVENTS)
            rows = [
                {group: names[code], **self._alike(codes == code)}
                for code in np.flatnonzero((events > 0) & ~few).tolist()
            ]
            if few.any():
                rows.append({group: MERGED, **self._alike(few[codes])})
            title = Message("Paid and the rule, by {group}", group=word(group))
            yield self._frame(title, rows, PAID)

    def _alike(self, own: NDArray[np.bool_]) -> dict[str, Any]:
        players, alike, over, under = (
            self.sums.events[name][own] for name in ("players", "alike", "over", "under")
        )
        many = int(players.sum())
        return {
            "events": int(own.sum()),
            "events alike": int(((over == 0) & (under == 0)).sum()),
            "players": many,
            "alike": int(alike.sum()),
            "alike %": 100 * float(alike.sum()) / many if many else None,
            **interval_columns(share_interval(alike, players)),
            "over": float(over.sum()) / SCALE,
            "under": float(under.sum()) / SCALE,
        }

    def distribution(self) -> Frame:
        """Return how much events change, in per cent of what A pays."""
        a, b = self.sums.events["a"], self.sums.events["b"]
        change = 100.0 * (b[a > 0] / a[a > 0] - 1)
        values = np.percentile(change, _PERCENTILES) if len(change) else [np.nan] * 7
        rows = [
            {
                "percentile": p,
                "change %": float(value),
                **interval_columns(percentile_interval(change, p)),
            }
            for p, value in zip(_PERCENTILES, values, strict=True)
        ]
        told = Message(
            "Half of the events would pay between {low:+.1f}% and {high:+.1f}% under {b}, "
            "compared with {a}.",
            low=float(values[2]),
            high=float(values[4]),
            **self._named,
        )
        return self._frame(Message("Change of an event's total"), rows, told=told)

    def members(self) -> Frame:
        """Return how many members gain and lose, by their holding when first seen."""
        rows = self.sums.gains()
        told = plural(
            "{gain:,} of {count:,} member would gain and {lose:,} would lose under {b}, "
            "compared with {a}.",
            "{gain:,} of {count:,} members would gain and {lose:,} would lose under {b}, "
            "compared with {a}.",
            count=rows[-1]["members"],
            gain=rows[-1]["gain"],
            lose=rows[-1]["lose"],
            **self._named,
        )
        return self._frame(Message("Members who gain and lose"), rows, GAINS, told=told)

    def events(self, count: int) -> Frame:
        """The events that change most; ``explain`` gives the reasons for one of them."""
        rows = self.sums.most_changed(count)
        return self._frame(Message("Events that change most"), rows, UNITS)

    def notes(self) -> Iterator[str]:
        """Yield a note if events left out differ from those compared."""
        if not self.apart and self.sums.total.events:
            all_events = self.sums.all_events
            note = all_events.note(self.sums.events["a"], self.sums.events["b"])
            if note:
                yield note


def _share(groups: Sequence[str], name: tuple[str, ...], own: GroupSums) -> Message:
    """``4.1% more (+2.0 to +6.3%) to flight A``."""
    assert own.percent is not None
    first, *others = (
        Message(_IN_WORDS[group], group=word(part))
        for group, part in zip(groups, name, strict=True)
    )
    crossed = reduce(lambda g, o: Message("{group} with {other}", group=g, other=o), others, first)
    change = more(own.percent, own.interval)
    return Message("{change} to {group}", change=change, group=crossed)


def _place(group: str, name: str) -> tuple[int, str]:
    """Bands in their own order, other groups alphabetically."""
    names = [*sides.band_names(_EDGES[group]), sides.NOT_KNOWN] if group in _EDGES else []
    return (names.index(name), "") if name in names else (0, name)


def _in_points(a: float, b: float) -> Message:
    """A change stated in points, because a share is impossible: A pays nothing, or a negative
    total."""
    if not a:
        return Message("{points:,.2f} where A pays nothing", points=b)
    if b >= a:
        return Message("{points:,.2f} points more", points=b - a)
    return Message("{points:,.2f} points less", points=a - b)


def check_groups(groups: Sequence[str]) -> None:
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


@dataclass(frozen=True, kw_only=True)
class Comparison(Answer):
    """The answer to a comparison, which can be asked by other groups and about single events."""

    compared: ComparedSides

    def by(self, *groups: str) -> Frame:
        """The comparison by one group, or by several that cross each other."""
        return self.compared.by(*groups)

    @property
    def total(self) -> GroupSums:
        """The sums of all events compared."""
        return self.compared.sums.total

    def explain(self, event: int) -> EventExplanation:
        """An event under both sides: what each place is paid, and why the winner gets that
        amount."""
        return explain_event(self.compared.corpus, self.compared.a, self.compared.b, event)

    def whole(self, progress: Progress = unwatched) -> Answer:
        """The answer with both explanations of each of the most changed events."""
        a, b, reasons = self.compared.a, self.compared.b, list[Explanation]()
        rows = (
            self.compared.events(DECLARED["compare"]["explains"]).rows
            if self.compared.sums.parts
            else ()
        )
        for row in rows:
            reasons.append(self.explain(row["event"]).explanation(a, b))
            progress(len(reasons), len(rows))
        own = {name: getattr(self, name) for name in Answer.__dataclass_fields__}
        return Answer(**own | {"in_report": reasons})


def compare(
    corpus: Corpus,
    a: str | Side,
    b: str | Side,
    progress: Progress = unwatched,
    on: str = "",
    by: Sequence[str] = (),
) -> Comparison:
    """Compare two sides over a corpus; ``progress`` receives the interim result after every tenth
    of the shards."""
    if by:
        check_groups(by)
    sides, many, known = (as_side(a, corpus), as_side(b, corpus)), len(pieces_of(corpus)), ""

    def seen(so_far: ComparedSums) -> None:
        nonlocal known
        done = len(so_far.parts)
        if is_tenth(done, many) and not are_few(so_far.totals.members):
            known = headline(corpus, ComparedSides(corpus, *sides, so_far).statement())
        progress(done, many, known)

    sums = tally(corpus, *sides, on, None if progress is unwatched else seen)
    compared = ComparedSides(corpus, *sides, sums)
    frames = list(compared.frames(by))
    asked = frames[:1] if by and sums.total.events else []
    return Comparison.about(
        corpus,
        Message("{b}, compared with {a}", a=name_of(sides[0]), b=name_of(sides[1])),
        compared.statement(),
        frames,
        [*(frame.statement for frame in asked if frame.statement), *compared.notes()],
        sides,
        left=sums.totals.left,
        shown=asked,
        compared=compared,
    )


# --- one event under two sides ------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class EventExplanation:
    """An event by place under A and under B, and the largest award of each, with its reasons."""

    event: int
    places: Frame
    a: Award
    b: Award

    def explanation(self, a: Side, b: Side) -> Explanation:
        """Both explanations, without the members that means and sums are taken over."""
        steps = [without_members(step) for step in (self.a.why, self.b.why)]
        name = Message("Event {event}", event=self.event)
        return Explanation(name, steps, (name_of(a), name_of(b)), places=self.places)

    def _repr_html_(self) -> str:
        return self.places.html() + render_html(self.a.why) + render_html(self.b.why)


def explain_event(corpus: Corpus, a: Side, b: Side, event: int) -> EventExplanation:
    """Award an event under both, and explain the largest award of each, worked out exactly."""
    amounts = [amounts_of(corpus, side, event) for side in (a, b)]
    largest = []
    for side, own in zip((a, b), amounts, strict=True):
        entrant = max(own, key=own.__getitem__)
        largest.append(event_awards(corpus, side, event, [entrant])[entrant])
    title = about(Message("Event {event} by place", event=event), f"A {name_of(a)}, B {name_of(b)}")
    places = Frame.of(title, _rows(corpus, event, amounts))
    return EventExplanation(event, places, largest[0], largest[1])


def _rows(
    corpus: Corpus, event: int, amounts: Sequence[Mapping[int, Fraction]]
) -> list[dict[str, Any]]:
    """Every entrant paid by either, first to last, and the total."""
    shard, row = corpus.find(event)
    shard = shard.only([row])
    lines = np.zeros(len(shard.entrant), np.int64) if shard.line is None else shard.line
    stratified = len(set(shard.stratum)) > 1
    rows: list[dict[str, Any]] = []
    for k in np.lexsort((shard.place, lines)).tolist():
        paid = [own.get(int(shard.entrant[k]), Fraction(0)) for own in amounts]
        if any(paid):
            one: dict[str, Any] = {"place": str(int(shard.place[k]))}
            if lines[k]:
                one["line"] = LINES[int(lines[k])]
            if stratified:
                one["stratum"] = stratum_name(int(shard.stratum[k]))
            rows.append(one | {"A": float(paid[0]), "B": float(paid[1])})
    total = [float(sum(own.values(), Fraction(0))) for own in amounts]
    return [*rows, {"place": Message("Total"), "A": total[0], "B": total[1]}]


def without_members(step: Step) -> Step:
    """An explanation whose means and sums do not list the members they are taken over."""
    return replace(step, parts=(), uses=tuple(map(without_members, step.uses)))


def compare_event(corpus: Corpus, a: str | Side, b: str | Side, event: int | str) -> Comparison:
    """Compare two sides in an event, given by its number or its owner's id."""
    sides = as_side(a, corpus), as_side(b, corpus)
    number = event if isinstance(event, int) else corpus.number_of(event)
    explained = explain_event(corpus, *sides, number)
    text = Message(
        "The largest award of event {event} would be {theirs} by {b}, compared with {ours} by {a}.",
        event=number,
        ours=explained.a.shown,
        theirs=explained.b.shown,
        a=name_of(sides[0]),
        b=name_of(sides[1]),
    )
    why = explained.explanation(*sides)
    shown = (explained.places, explained.a.why, explained.b.why)
    return Comparison.about(
        corpus,
        why.name,
        text,
        shown[:1],
        sides=sides,
        explanations=[why],
        shown=shown,
        compared=ComparedSides(corpus, *sides, ComparedSums([])),
    )
