"""Rankings that a page publishes: places as they stand, whole or in excerpt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from honours.formats.table_standings import StandingsFile
from honours.model import Entrant, Field, Player, Standing, Value
from honours.model.message import Message


@dataclass(frozen=True, slots=True)
class RankedLine:
    """One line of a ranking, and the section and line whose list it is in."""

    players: tuple[Player, ...]
    place: int
    score: Fraction | None = None
    section: str = ""
    line: str = ""
    facts: Mapping[str, Value] = field(default_factory=dict)


def lists_published(path: str, event: str, rows: Sequence[RankedLine]) -> StandingsFile:
    """The lists of an event; who has the same place in a list is tied."""
    lists: dict[tuple[str, str], list[RankedLine]] = {}
    for row in rows:
        lists.setdefault((row.section, row.line), []).append(row)
    number = iter(range(1, len(rows) + 1))
    fields, notices = [], []
    for (section, line), members in lists.items():
        tied = Counter(row.place for row in members)
        fields.append(
            Field(
                standings=tuple(
                    Standing(
                        Entrant(str(next(number)), row.players),
                        row.place,
                        tied[row.place],
                        row.score,
                        _facts(row),
                    )
                    for row in sorted(members, key=lambda row: row.place)
                ),
                line=line,
            )
        )
        if max(tied) > len(members):
            notices.append(
                Message(
                    "{section} {line}: {some} of {all} or more places; the others are not in it",
                    section=Message("section {name}", name=section) if section else Message("list"),
                    line=line,
                    some=len(members),
                    all=max(tied),
                )
            )
    return StandingsFile(path, tuple(fields), (), tuple(notices), event)


def _facts(row: RankedLine) -> dict[str, Value]:
    facts = {"section": row.section, "line": row.line}
    return {**{name: word for name, word in facts.items() if word}, **row.facts}
