"""Changes of ratings by a go tournament, for the tables that show its results."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import NamedTuple

from honours.engine.rulebook import Rulebook
from honours.errors import HonoursError
from honours.formats.go import GoTournament
from honours.pipeline.report import Report, awarded
from honours.rulebooks import ids, load


class RatingChange(NamedTuple):
    """By how much a rating changes, and the rating after the tournament as it is shown."""

    change: Fraction
    after: str


@cache
def _rulebook() -> Rulebook:
    """The rulebook that gives players of go a new rating."""
    books = map(load, ids())
    return next(b for b in books if b.game == "go" and any(f.name == "rating" for f in b.figures))


def rating_changes(report: Report, tournament_class: str = "") -> dict[str, RatingChange]:
    """Entrant → the change by the EGF's rating system, for a tournament of a class (A, B, C or D)
    that the file says, or else somebody. Nobody where the class is not known, where a rating and
    a grade are missing, or where the tournament is not finished; nor of anything but go."""
    tournament = report.account.content
    if not isinstance(tournament, GoTournament):
        return {}
    given = tournament_class or tournament.facts.get("CL", "")
    try:
        awards = awarded(report, _rulebook(), {"class": given}, in_words=False).awards
    except HonoursError:
        return {}
    return {
        entrant: RatingChange(counted[0].amount, counted[0].figures[0].shown)
        for entrant, counted in (awards.combined if awards else {}).items()
        if counted and counted[0].figures
    }
