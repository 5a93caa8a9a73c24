"""A comparison by groups: what each side pays to each, and where they differ most."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from honours.lab import bands
from honours.lab.answers import more
from honours.lab.caveats import headline, note_of
from honours.lab.frame import Frame
from honours.lab.intervals import Interval
from honours.lab.sides import name_of
from honours.lab.tallies import FEW_MEMBERS, MERGED, Sums
from honours.model.message import Message, joined

if TYPE_CHECKING:
    from honours.lab.compare import Comparison

_EDGES = {"size": bands.SIZES, "strength": bands.STRENGTHS, "holding": bands.HOLDINGS}
_IN_WORDS = {
    "class": "{} events",
    "kind": "{}",
    "sessions": "events of {} sessions",
    "size": "{} tables",
    "strength": "fields of {} masterpoints",
    "flight": "flight {}",
    "stratum": "stratum {}",
    "holding": "players with {} masterpoints",
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
class Grouped:
    """A comparison by a group, or by several that cross: ``.table()`` shows it.

    Groups so small that they might be about somebody are merged; ``held_back`` counts what is too
    little even so.
    """

    comparison: Comparison
    groups: tuple[str, ...]
    sums: Mapping[tuple[str, ...], Sums]
    held_back: int = 0

    @property
    def title(self) -> str:
        return f"By {' and '.join(self.groups)}"

    def table(self) -> Frame:
        comparison = self.comparison
        whole = comparison.total if comparison.apart else None
        firsts = self.groups[0] in bands.EVENT_GROUPS
        rows = [
            self.sums[name].row(dict(zip(self.groups, name, strict=True)), whole, firsts)
            for name in sorted(self.sums, key=self._order)
        ]
        if any(not own.is_sure for own in self.sums.values()):
            ordered = [self.sums[name] for name in sorted(self.sums, key=self._order)]
            for row, own in zip(rows, ordered, strict=True):
                row["sure"] = "" if own.is_sure else FEW
        return Frame.of(f"{self.title}: {comparison.title}", rows, self._note())

    def _note(self) -> str:
        parts: list[str] = [n for n in (note_of(self.comparison.corpus), UNITS) if n]
        if (MERGED, *[""] * (len(self.groups) - 1)) in self.sums:
            parts.append(SMALL_MERGED)
        if self.held_back:
            parts.append(Message("{count:,} held back: too few to show", count=self.held_back))
        return joined("; ", parts)

    def _order(self, name: tuple[str, ...]) -> list[tuple[int, str]]:
        return [_place(group, part) for group, part in zip(self.groups, name, strict=True)]

    def statement(self) -> str:
        """Where B pays most more and most less than A, among groups of which that is sure."""
        comparison = self.comparison
        changes = {
            name: own.percent
            for name, own in self.sums.items()
            if own.percent is not None and own.is_sure and name[0] != MERGED
        }
        if not changes or comparison.apart or len(self.sums) < 2:
            return ""
        low, high = min(changes, key=changes.__getitem__), max(changes, key=changes.__getitem__)
        sentences = [self._said(high), *([self._said(low)] if low != high else [])]
        return headline(
            comparison.corpus,
            f"{name_of(comparison.b)} would pay {' and '.join(sentences)}, "
            f"compared with {name_of(comparison.a)}.",
        )

    def _said(self, name: tuple[str, ...]) -> str:
        own = self.sums[name]
        assert own.percent is not None
        return f"{more(own.percent)}{between(own.interval)} to {self._called(name)}"

    def _called(self, name: tuple[str, ...]) -> str:
        parts = zip(self.groups, name, strict=True)
        return " with ".join(_IN_WORDS[group].format(part) for group, part in parts)

    def _repr_html_(self) -> str:
        return self.table().html()


def between(interval: Interval | None) -> str:
    """The interval of a change, as it stands behind it."""
    if interval is None:
        return ""
    return f" ({interval.low:+.1f} to {interval.high:+.1f}%)"


def _place(group: str, name: str) -> tuple[int, str]:
    """Bands in their own order, other groups by the alphabet."""
    names = [*bands.band_names(_EDGES[group]), bands.NOT_KNOWN] if group in _EDGES else []
    return (names.index(name), "") if name in names else (0, name)
