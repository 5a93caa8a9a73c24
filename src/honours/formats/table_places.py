"""The places of one ranking list of a table: those its scores make, or those the file gives."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby, pairwise

from honours.formats.problems import Problems
from honours.model.message import Message, plural


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


def are_places(places: Iterable[int | None]) -> bool:
    """Whether these are the places of one list: each counts those above it."""
    ordered = sorted(place or 0 for place in places)
    return all(place in (n, before) for n, (before, place) in enumerate(pairwise([0, *ordered]), 1))


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
            plural(
                "place {place} with {count} entrant above it",
                "place {place} with {count} entrants above it",
                count=above,
                place=place,
            ),
            tied[0].line,
            "place {place}",
            place=above + 1,
        )
    if len(tied) == 1 and tied[0].marked_tied:
        problems.add("place {place}= and nobody else there", tied[0].line, place=place)


def _check_scores(ordered: Sequence[Placing], problems: Problems, notices: list[str]) -> None:
    """A better place has a better score; equal places have equal ones."""
    for better, worse in pairwise(ordered):
        if better.score is None or worse.score is None:
            continue
        lines = Message("lines {first} and {second}", first=better.line, second=worse.line)
        if better.place == worse.place and better.score != worse.score:
            problems.add(
                "place {place} for two scores ({lines})",
                worse.line,
                place=better.place,
                lines=lines,
            )
        elif better.score < worse.score:
            problems.add(
                "place {place} has a higher score than place {above} ({lines})",
                worse.line,
                place=worse.place,
                above=better.place,
                lines=lines,
            )
        elif better.score == worse.score and better.place != worse.place:
            notices.append(
                Message(
                    "equal scores, places {place} and {below} as the file gives them ({lines})",
                    place=better.place,
                    below=worse.place,
                    lines=lines,
                )
            )
