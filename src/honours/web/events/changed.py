"""What is different for whom between two reports of an event."""

from __future__ import annotations

from typing import TYPE_CHECKING

from honours.scoring.status import changes, published

if TYPE_CHECKING:
    from honours.pipeline import Report


def lists_changed(before: Report, after: Report) -> list[str]:
    """What is different for whom: places and scores, or the places a file gives."""
    if before.scored is not None and after.scored is not None:
        return list(changes(published(before.scored), published(after.scored)))
    return list(changes(_given(before), _given(after)))


def _given(report: Report) -> list[tuple[str, str, str, str]]:
    return [
        (one.entrant.id, one.placing, str(one.score or ""), one.entrant.title)
        for field in report.lists
        for one in field.standings
    ]
