"""Whether standings are provisional, final or amended since, and what changed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from honours.scoring.ruling_kinds import Final
from honours.scoring.standings import shown_place, shown_score

if TYPE_CHECKING:
    from collections.abc import Sequence

    from honours.scoring.ruling_kinds import Line, Ruling
    from honours.scoring.scored import Scored


@dataclass(frozen=True, slots=True)
class Status:
    """``word`` is provisional, final or amended; ``changes`` are against what was published."""

    word: str
    changes: tuple[str, ...] = ()
    since: str = ""

    def __str__(self) -> str:
        return f"{self.word} (made final {self.since})" if self.since else self.word


def published(scored: Scored) -> tuple[Line, ...]:
    """Every entrant as shown in the first list it is in: the one without handicap, of the highest
    stratum."""
    seen: dict[str, Line] = {}
    for ranking in scored.rankings:
        for standing in (*ranking.standings, *ranking.unranked):
            who = standing.entrant
            shown = (who.id, shown_place(standing), shown_score(standing), who.title)
            seen.setdefault(who.id, shown)
    return tuple(seen.values())


def status(scored: Scored, rulings: Sequence[Ruling]) -> Status:
    """Against what was last made final, or the time before if it was made final again."""
    finals = [(r.what, r.when) for r in rulings if isinstance(r.what, Final)]
    if not finals:
        return Status("provisional")
    now = published(scored)
    last, when = finals[-1]
    if last.chosen != scored.chosen:
        return Status(f"not the final standings, which are scored by {last.chosen}", since=when)
    if last.standings != now:
        return Status("amended", changes(last.standings, now), when)
    if len(finals) > 1:
        return Status("amended", changes(finals[-2][0].standings, now), when)
    return Status("final", since=when)


def changes(before: Sequence[Line], after: Sequence[Line]) -> tuple[str, ...]:
    """What is different for whom."""
    old, new = ({line[0]: line for line in lines} for lines in (before, after))
    return tuple(
        f"{one}: {_told(old.get(one), new.get(one))} → {_told(new.get(one), old.get(one))}"
        for one in dict.fromkeys((*old, *new))
        if old.get(one) != new.get(one)
    )


def _told(line: Line | None, other: Line | None) -> str:
    """Place and score, and the name where that is what differs."""
    if line is None:
        return "not listed"
    _, place, score, name = line
    named = f"{name}, " if other and name != other[3] else ""
    return f"{named}place {place or '-'} with {score}"
