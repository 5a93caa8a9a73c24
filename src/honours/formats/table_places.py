"""The places of one ranking list of a table: those its scores make, or those the file gives."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby, pairwise

from honours.errors import how_many
from honours.formats.problems import Problems


@dataclass(slots=True)
class Placing:
    """What a row says of its place; ``marked_tied`` where it says that the place is shared."""

    line: int
    score: Fraction | None
    place: int | None
    marked_tied: bool


def places_of(members: Sequence[Placing], problems: Problems, notices: list[str]) -> list[int]:
    """A place for every member of a list, in the order of the members."""
    if any(m.place is not None for m in members):
        return _places_given(members, problems, notices)
    return _places_made([m.score for m in members if m.score is not None])


def _places_made(scores: Sequence[Fraction]) -> list[int]:
    """Places from scores, the highest first; equal scores share one."""
    counts = Counter(scores)
    first: dict[Fraction, int] = {}
    above = 0
    for score in sorted(counts, reverse=True):
        first[score] = above + 1
        above += counts[score]
    return [first[score] for score in scores]


def _places_given(members: Sequence[Placing], problems: Problems, notices: list[str]) -> list[int]:
    """The places the file gives, once they agree with each other and with the scores."""
    for m in members:
        if m.place is None:
            problems.add("no place, though other entrants have one", m.line)
    ordered = sorted((m for m in members if m.place is not None), key=lambda m: m.place or 0)
    above = 0
    for place, group in groupby(ordered, key=lambda m: m.place or 0):
        tied = list(group)
        _check_place(place, tied, above, problems)
        above += len(tied)
    _check_scores(ordered, problems, notices)
    return [m.place or 0 for m in members]


def _check_place(place: int, tied: Sequence[Placing], above: int, problems: Problems) -> None:
    if place != above + 1:
        problems.add(
            f"place {place} with {how_many(above, 'entrant')} above it",
            tied[0].line,
            f"place {above + 1}",
        )
    if len(tied) == 1 and tied[0].marked_tied:
        problems.add(f"place {place}= and nobody else there", tied[0].line)


def _check_scores(ordered: Sequence[Placing], problems: Problems, notices: list[str]) -> None:
    """A better place has a better score; equal places have equal ones."""
    for better, worse in pairwise(ordered):
        if better.score is None or worse.score is None:
            continue
        lines = f"lines {better.line} and {worse.line}"
        if better.place == worse.place and better.score != worse.score:
            problems.add(f"place {better.place} for two scores ({lines})", worse.line)
        elif better.score < worse.score:
            problems.add(
                f"place {worse.place} has a higher score than place {better.place} ({lines})",
                worse.line,
            )
        elif better.score == worse.score and better.place != worse.place:
            notices.append(
                f"equal scores, places {better.place} and {worse.place} as the file "
                f"gives them ({lines})"
            )
