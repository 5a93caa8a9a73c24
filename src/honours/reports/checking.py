"""A check against what was published, as a table."""

from __future__ import annotations

from honours.model.message import Message, joined, plural
from honours.model.table import Column, Kind, Table, table
from honours.pipeline.checking import FigureCheck

_OTHERS = 6
"""The number of readings named besides the best."""


def checked_table(checked: FigureCheck) -> Table:
    """A row a difference, under a sentence that says how much agrees and by which profile."""
    return table(
        "differences",
        (
            Column("where", Message("where")),
            Column("published", Message("published"), Kind.NUMBER),
            Column("ours", Message("ours"), Kind.NUMBER),
            Column("why", Message("why"), Kind.WORD),
        ),
        [(d.where, d.published, d.ours, d.why) for d in checked.differences],
        caption=_summary(checked),
    )


def _summary(checked: FigureCheck) -> Message:
    agree = plural(
        "{agree} of {count} published figure agrees with {shown}",
        "{agree} of {count} published figures agree with {shown}",
        count=checked.lines,
        agree=checked.agree,
        shown=checked.shown,
    )
    if checked.shown == checked.best_profile:
        counts = sorted(checked.others.items(), key=lambda item: -item[1])
        others = [f"{name} {count}" for name, count in counts if name != checked.shown][:_OTHERS]
        if not others:
            return agree
        return joined("; ", [agree, Message("the next: {others}", others=tuple(others))])
    best = Message(
        "best agrees {best}: {count}",
        best=checked.best_profile,
        count=checked.others[checked.best_profile],
    )
    return joined("; ", [agree, best])
