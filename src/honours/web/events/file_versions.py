"""What a new version of a file is: which of its events is meant, and what is different for whom."""

from __future__ import annotations

from typing import TYPE_CHECKING

from honours.errors import InputError
from honours.model.message import Message
from honours.scoring.status import changes, published_places

if TYPE_CHECKING:
    from honours.pipeline import Account, Report
    from honours.web.events.reading import FileContents
    from honours.web.events.service import OpenEvent


def details_changed(before: Account, after: Account) -> list[str]:
    """The title and the day, where both files give one and a person says no other."""
    titles = before.title_in_file, after.title_in_file
    changed: list[str] = []
    if all(titles) and titles[0] != titles[1]:
        changed.append(Message("title: {before} → {after}", before=titles[0], after=titles[1]))
    if before.day and after.day and before.day != after.day:
        changed.append(Message("date: {before} → {after}", before=before.day, after=after.day))
    return changed


def lists_changed(before: Report, after: Report) -> list[str]:
    """What is different for whom: places and scores, or the places a file gives."""
    if before.scored is not None and after.scored is not None:
        return list(changes(published_places(before.scored), published_places(after.scored)))
    return list(changes(_given(before), _given(after)))


def _given(report: Report) -> list[tuple[str, str, str, str]]:
    return [
        (one.entrant.id, one.placing, str(one.score or ""), one.entrant.title)
        for field in report.lists
        for one in field.standings
    ]


def same_event(opened: OpenEvent, contents: FileContents) -> int:
    """Which event of a new version is the one that is here."""
    titles = [one.title for one in contents.accounts]
    if len(titles) == 1:
        return 0
    if opened.as_read.title in titles:
        return titles.index(opened.as_read.title)
    if len(titles) > opened.kept.index:
        return opened.kept.index
    raise InputError("there is no event {name} in the file", name=opened.as_read.title)
