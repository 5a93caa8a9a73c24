"""Where payments differ from the rule: how often, in which direction, by how much."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from honours.lab.few_members import to_merge
from honours.lab.intervals import share_interval
from honours.lab.shard_awards import SCALE
from honours.lab.tallies import FEW_EVENTS, MERGED, ComparedEvents
from honours.model.message import Message, word

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
