"""A comparison by groups: what each side pays to each group, and where they differ most."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING

import numpy as np

from honours.lab import bands
from honours.lab.answers import more
from honours.lab.caveats import headline, note_of
from honours.lab.compared_sides import name_of
from honours.lab.few_members import FEW_MEMBERS, to_merge
from honours.lab.frame import Frame, about
from honours.lab.tallies import FEW_EVENTS, MERGED, GroupSums
from honours.model.message import Message, every, joined, mark, word

if TYPE_CHECKING:
    from honours.lab.compare import Comparison

_EDGES = {"size": bands.SIZES, "strength": bands.STRENGTHS, "holding": bands.HOLDINGS}
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
        firsts = self.groups[0] in bands.EVENT_GROUPS
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
    names = [*bands.band_names(_EDGES[group]), bands.NOT_KNOWN] if group in _EDGES else []
    return (names.index(name), "") if name in names else (0, name)
