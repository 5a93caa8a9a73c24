"""Events of files as the ledger takes them: their lists, title and day."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from honours.engine.ranks import first_day
from honours.errors import FileProblem
from honours.formats.reading import ISO, iso_day
from honours.ledger.events import EventToPost
from honours.pipeline import Account, Report, read_account
from honours.pipeline.api import score

Reader = Callable[[Path, Mapping[str, Any]], Report]
"""How a season gets the event of a file it names, scored according to its options."""

NO_OPTIONS: Mapping[str, Any] = {}


def read_ranked(path: Path, options: Mapping[str, Any] = NO_OPTIONS) -> Report:
    """The ranking lists of a file of one event, with the rulings made on it."""
    return score(read_account(path), **options)


def to_post(
    report: Report,
    *,
    title: str = "",
    day: str = "",
    club: str = "",
    points: str = "",
    numbers_decide: bool = False,
    year_begins: str = "",
) -> EventToPost:
    """An awarded event on its way into the ledger; what is given about it takes precedence over
    its file."""
    assert report.book is not None, "only what was awarded can be posted"
    account = report.account
    if account.continued:  # else what its sections pay would be paid twice
        raise FileProblem(account.called, account.continued, "the file of the last session")
    given = {key: str(value) for key, value in report.given.items()}
    day_given = day or given.get("date", "")
    day = iso_day("date", day_given) if day_given else day_of(account)
    return EventToPost(
        title or title_of(account),
        report.lists,
        report.book,
        given,
        day,
        club or account.club,
        file_of(account),
        points,
        numbers_decide,
        first_day(year_begins),
    )


def title_of(account: Account) -> str:
    """The event's title; if its file has none, the words of the file's name."""
    stem = Path(account.called).stem
    words = re.sub(r"[-_.]+", " ", re.sub(ISO, "", stem)).strip()
    return account.title_in_file or words or stem


def day_of(account: Account) -> str:
    """The event's day, in its file or, where that does not say it, in the file's name."""
    day = account.likely_day
    return day.isoformat() if day else ""


def file_of(account: Account) -> str:
    """The file's own name."""
    return Path(account.called).name
