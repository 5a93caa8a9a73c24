"""Ranking lists put together and ranked again, as a rulebook wants them."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from honours.errors import InputError
from honours.model import Field, KnownFact, Origin, Standing, Value

THE_LIST = "the ranking list"
"""The source of what is counted in a list."""
WHOLE_EVENT = "all"
"""What the one section of an event without sections is called."""


def reranked(standings: Sequence[Standing]) -> tuple[Standing, ...]:
    """The places among these alone, ties kept."""
    places = sorted(s.place for s in standings)
    tied = Counter(places)
    return tuple(
        replace(s, place=1 + bisect_left(places, s.place), tied=tied[s.place]) for s in standings
    )


def by_score(standings: Sequence[Standing]) -> tuple[Standing, ...]:
    """Ranked by score, the highest first; equal scores tie."""
    scores = sorted(-_score(s) for s in standings)
    shared = Counter(scores)
    ranked = (
        replace(s, place=1 + bisect_left(scores, -_score(s)), tied=shared[-_score(s)])
        for s in standings
    )
    return tuple(sorted(ranked, key=lambda s: s.place))


def tied_by_score(standings: Sequence[Standing]) -> tuple[Standing, ...]:
    """Neighbours of one score share the first one's place, whatever parted them; the order of the
    places stays."""
    placed: list[Standing] = []
    for standing in sorted(standings, key=lambda s: s.place):
        above = placed[-1] if placed else None
        alike = above is not None and standing.score is not None and standing.score == above.score
        placed.append(replace(standing, place=above.place) if alike and above else standing)
    return reranked(placed)


def absentees(field: Field, present: str) -> tuple[Standing, ...]:
    """Those of a list who were not there: of whom ``present``, say games played, is 0."""
    return tuple(s for s in field.standings if present and s.facts.get(present) == 0)


def joined_lines(lists: Sequence[Field]) -> tuple[Field, ...]:
    """The lines of an event, or of one of its sessions, as one list ranked by score."""
    groups: dict[tuple[str, str], list[Field]] = {}
    for field in lists:
        groups.setdefault((field.session, field.stratum), []).append(field)
    return tuple(_one(group) for group in groups.values())


def without_lines(lists: Sequence[Field]) -> tuple[Field, ...]:
    """The lines of an event, or of each of its sections, as one list where one wins of both."""
    groups: dict[tuple[str, ...], list[Field]] = {}
    for field in lists:
        key = (field.session, field.stratum, field.section, field.of_section)
        groups.setdefault(key, []).append(field)
    return tuple(
        replace(
            _one(group),
            line=group[0].of_section,
            of_section=group[0].of_section,
            facts={**_one(group).facts, "winners": "1"},
        )
        for group in groups.values()
    )


def by_section(lists: Sequence[Field]) -> tuple[Field, ...]:
    """A list for each section, in each of its lines; of an event without sections, each line.

    A list knows its section's tables (a pair of the longer line at each; of a section in one line
    half as many as it has pairs, going up) and whether it has lines: ``winners``.
    """
    groups: dict[str, dict[str, list[Standing]]] = {}
    if not lists:
        return ()
    for field in lists:
        for standing in field.standings:
            section = str(standing.facts.get("section", "")) or WHOLE_EVENT
            groups.setdefault(section, {}).setdefault(field.line, []).append(standing)
    common = {k: v for k, v in lists[0].facts.items() if k not in ("line", "all_lines")}
    made = []
    for section, lines in groups.items():
        longest = max(len(standings) for standings in lines.values())
        alone = len(lines) == 1
        facts: dict[str, Value] = {
            **common,
            "tables": Fraction((longest + 1) // 2 if alone else longest),
            "winners": "1" if alone else "2",
        }
        for line, standings in lines.items():
            ranked = reranked(standings)
            of_section = next(f.of_section for f in lists if f.line == line)
            name = "" if alone else line
            made.append(
                Field(
                    facts,
                    ranked,
                    name,
                    sources=_sources(lists[0], facts),
                    session=lists[0].session,
                    section=section,
                    of_section=of_section,
                    group=lists[0].group,
                )
            )
    return tuple(made)


def _sources(source: Field, facts: Mapping[str, Value]) -> dict[str, KnownFact]:
    """Return where the facts of a section's list come from: its tables are counted."""
    tables = KnownFact("tables", facts["tables"], Origin.DERIVED, THE_LIST)
    return {**source.sources, "tables": tables}


def _one(lists: Sequence[Field]) -> Field:
    if len(lists) == 1:
        return replace(lists[0], line="", of_section="")
    standings = [s for field in lists for s in field.standings]
    return replace(
        lists[0], facts=_of_all(lists), standings=by_score(standings), line="", of_section=""
    )


def _of_all(lists: Sequence[Field]) -> dict[str, Value]:
    """Return what is known of lists ranked together: what they have in common, and of numbers in
    which they differ, such as boards to play, the largest."""
    facts: dict[str, Value] = {}
    for name, first in lists[0].facts.items():
        values = {field.facts[name] for field in lists if name in field.facts}
        numbers = [value for value in values if isinstance(value, Fraction)]
        if len(values) == 1:
            facts[name] = first
        elif len(numbers) == len(values):
            facts[name] = max(numbers)
    return {name: value for name, value in facts.items() if name not in ("line", "all_lines")}


def _score(standing: Standing) -> Fraction:
    if standing.score is None:
        raise InputError(
            "{title} has no score: its line cannot be ranked with the others",
            title=standing.entrant.title,
        )
    return standing.score
