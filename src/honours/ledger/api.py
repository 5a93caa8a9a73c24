"""Post what an event was awarded: the last call of the way from a file to the ledger."""

from __future__ import annotations

from pathlib import Path

from honours.ledger.post import PostingOutcome
from honours.ledger.post import post as post_event
from honours.ledger.sources import to_post
from honours.ledger.store import Ledger, open_ledger
from honours.pipeline import Report


def post(
    report: Report,
    ledger: Ledger | str | Path,
    who: str,
    *,
    title: str = "",
    date: str = "",
    club: str = "",
    points: str = "",
    numbers_decide: bool = False,
    year_begins: str = "",
    why: str = "",
    correct: bool = False,
    another: bool = False,
    overrule: str = "",
    dry_run: bool = False,
) -> PostingOutcome:
    """Post what an event was awarded, once; the outcome says what was done."""
    event = to_post(
        report,
        title=title,
        day=date,
        club=club,
        points=points,
        numbers_decide=numbers_decide,
        year_begins=year_begins,
    )
    return post_event(
        ledger if isinstance(ledger, Ledger) else open_ledger(str(ledger)),
        event,
        who,
        why=why,
        correct=correct,
        another=another,
        overrule=overrule,
        dry_run=dry_run,
    )
