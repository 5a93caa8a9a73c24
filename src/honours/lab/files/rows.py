"""What a file says about an event, as rows of a corpus: the same facts a rulebook would be given.

What a file does not say is null, never a guess.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from honours.engine.event_awards import strata_in_order
from honours.engine.ranking import by_score, reranked, tied_by_score
from honours.errors import InputError
from honours.lab.row_arrays import impossible_places
from honours.lab.tables import EVENTS, LIMITS, LINES, UNITS
from honours.model import Field, Player, Standing
from honours.pipeline import Report

Row = dict[str, Any]
Placed = tuple[str, int, Standing]
"""A line, the number of a stratum, and who came where."""
OUR_OWN = ("event", "title", "id")
_MOST_ENTRANTS = 2**16
_LINE_NUMBERS = {name: number for number, name in LINES.items()}
_COUNTS = (
    *("games_played", "boards_played", "won", "drawn", "ifpa_rating", "ifpa_rank", "is_rated"),
)
_LIMIT_OF = "stratum_limit."
_FIGURES = {"holding": "masterpoints", "rating": "rating", "gor": "gor"}


def placed_entrants(report: Report) -> list[Placed]:
    """All entrants with their line and the number of their stratum, the highest being 0."""
    lists = [_of_those_paid(f) if report.scored else f for f in report.lists if f.standings]
    _check_lists(lists)
    if report.scored and any(tally.entrant.carried for tally in report.scored.tallies):
        raise InputError("scores are carried over from a session that is not in the file")
    labels = _strata(lists)
    _check_limits(lists[0].facts, labels)
    return [
        (f.line, labels.index(_label(s)) if _label(s) else 0, s)
        for f in lists
        for s in sorted(f.standings, key=lambda s: s.place)
    ]


def _of_those_paid(field: Field) -> Field:
    """The list without those who may not be given points: a corpus has no place for them."""
    kept = [s for s in field.standings if not s.entrant.is_barred]
    whole = len(kept) == len(field.standings)
    return field if whole else replace(field, standings=reranked(kept))


def event_row(report: Report) -> Row:
    """The facts of the event, by column name."""
    facts = report.lists[0].facts
    columns = {k: facts[k] for k in EVENTS.names if k in facts and k not in OUR_OWN}
    row: Row = dict.fromkeys(EVENTS.names)
    row |= {k: int(v) if isinstance(v, Fraction) else v for k, v in columns.items()}
    for column, label in zip(LIMITS, _strata(report.lists), strict=False):
        limit = facts.get(f"{_LIMIT_OF}{label}")
        if isinstance(limit, Fraction):
            row[column] = int(limit)
    if row["boards_per_session"] is not None:  # all sessions had the same number
        row["boards_of_sessions"] = None
    club = facts.get("club_number")
    row |= {"club": None if club is None else str(club)}
    return row | {"title": report.account.title, "date": report.account.likely_day}


def entrant_rows(report: Report, standings: Sequence[Placed]) -> list[Row]:
    """The places of all entrants: in their line, by score alone and over both lines, and where
    they sat."""
    shared, overall = _shared_places(report), _overall_places(standings)
    labels = sorted({_section(s) for _, _, s in standings})
    rows = []
    for k, (line, stratum, standing) in enumerate(standings):
        row: Row = {"entrant": k, "stratum": stratum, "place": standing.place}
        row |= {"line": _LINE_NUMBERS[line] if line else None, "tied": standing.tied}
        row |= {"score_place": shared[k], "overall_place": overall.get(standing.entrant.id)}
        row["score"] = None if standing.score is None else round(standing.score / UNITS["score"])
        row["sat_in"] = 1 + labels.index(_section(standing)) if len(labels) < 2**8 else None
        for name in _COUNTS:
            value = standing.facts.get(name)
            units = value / UNITS.get(name, Fraction(1)) if isinstance(value, Fraction) else None
            row[name] = int(units) if units is not None and units.denominator == 1 else None
        rows.append(row)
    return rows


def figures(standing: Standing, player: Player | None) -> Row:
    """Holdings and ratings in the units of their columns, and whether the player may receive
    points; facts of an entrant also apply to its only player."""
    facts = dict(player.facts) if player else {}
    if len(standing.entrant.players) <= 1:
        facts |= {name: standing.facts[name] for name in ("gor", "grade") if name in standing.facts}
    if facts.get("rating_scale") == "EGF":  # the same value as in ``gor``
        facts.pop("rating", None)
    row: Row = {"eligible": facts.get("eligible")}
    grade = facts.get("grade")
    row["grade"] = int(grade) if isinstance(grade, Fraction) else None
    for column, fact in _FIGURES.items():
        value = facts.get(fact)
        units = value / UNITS[column] if isinstance(value, Fraction) else None
        if units is not None and units.denominator != 1:
            raise InputError(
                "{fact} {float}: a corpus keeps {count} decimals",
                fact=fact,
                float=float(units * UNITS[column]),
                count=len(str(UNITS[column].denominator)) - 1,
            )
        row[column] = None if units is None else int(units)
    return row


def _shared_places(report: Report) -> list[int | None]:
    """Each entrant's place if equal scores share one; None if that is the entrant's place
    anyway."""
    return [
        shared.place if shared.place != own.place else None
        for f in report.lists
        for own, shared in zip(
            sorted(f.standings, key=lambda s: s.place), tied_by_score(f.standings), strict=True
        )
    ]


def _overall_places(standings: Sequence[Placed]) -> dict[str, int]:
    """Each entrant's place by score over both lines, if there are two and every entrant has a
    score."""
    lines = {line for line, _, _ in standings}
    if len(lines) < 2 or any(s.score is None for _, _, s in standings):
        return {}
    return {s.entrant.id: s.place for s in by_score([s for _, _, s in standings])}


def _check_lists(lists: Sequence[Field]) -> None:
    if not lists:
        raise InputError("it has no standings")
    if any(f.session for f in lists):
        raise InputError(
            "it ranks sessions by themselves, and a corpus holds one ranking of an "
            "event; name each session in a column `event` if it was one of its own, "
            "or leave their rows out"
        )
    strange = [f.group or f.line for f in lists if f.group or f.line not in ("", *_LINE_NUMBERS)]
    if strange:
        raise InputError(
            "it has a list {strange!r}; a corpus knows the lines NS and EW", strange=strange[0]
        )
    for f in lists:
        places = np.array([s.place for s in f.standings], np.int64)
        tied = np.array([s.tied for s in f.standings], np.int64)
        if impossible_places(np.zeros(len(places), np.int64), places, tied).any():
            raise InputError(
                "its places cannot be: more or fewer have one than share it, or some are missing"
            )
    if sum(len(f.standings) for f in lists) > _MOST_ENTRANTS:
        raise InputError(
            "it has more than {most_entrants:,} entrants", most_entrants=_MOST_ENTRANTS
        )


def _strata(lists: Sequence[Field]) -> list[str]:
    """The strata of an event by label, highest first, including empty ones."""
    own = {_label(s) for f in lists for s in f.standings} - {""}
    limited = {name.partition(".")[2] for name in lists[0].facts if name.startswith(_LIMIT_OF)}
    return sorted(own | limited) if own and limited - own else [*strata_in_order(lists)]


def _check_limits(facts: Mapping[str, object], labels: Sequence[str]) -> None:
    """Refuse more strata with limits than a corpus has room for, and limits that disagree."""
    limited = [label for label in labels if f"{_LIMIT_OF}{label}" in facts]
    if limited and len(labels) > len(LIMITS):
        raise InputError(
            "it has {count} strata with limits; a corpus keeps those of {most}",
            count=len(labels),
            most=len(LIMITS),
        )
    for column, label in zip(LIMITS, labels, strict=False):
        in_file, kept = facts.get(f"{_LIMIT_OF}{label}"), facts.get(column)
        if in_file is not None and kept is not None and in_file != kept:
            raise InputError(
                "the limit of stratum {label} is {told}, and {column} is {kept}",
                label=label,
                told=in_file,
                column=column,
                kept=kept,
            )


def _label(standing: Standing) -> str:
    return str(standing.facts.get("stratum", ""))


def _section(standing: Standing) -> str:
    return str(standing.facts.get("section", ""))
