"""Whether standings are provisional, final or amended since, and what changed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from honours.scoring.rulings import Final
from honours.scoring.standings import shown_place, shown_score

if TYPE_CHECKING:
    from collections.abc import Sequence

    from honours.scoring.rulings import Ruling
    from honours.scoring.scored import Scored


@dataclass(frozen=True, slots=True)
class Status:
    """``word`` is provisional, final or amended; ``changes`` are against what was published."""

    word: str
    changes: tuple[str, ...] = ()
    since: str = ""

    def __str__(self) -> str:
        return f"{self.word} (made final {self.since})" if self.since else self.word


def published(scored: Scored) -> tuple[tuple[str, str, str], ...]:
    """Entrant, place and score as shown, of the lists without handicap or stratum below the top."""
    seen: dict[str, tuple[str, str, str]] = {}
    for ranking in scored.rankings:
        for standing in (*ranking.standings, *ranking.unranked):
            one = standing.entrant.id
            seen.setdefault(one, (one, shown_place(standing), shown_score(standing)))
    return tuple(seen.values())


def status(scored: Scored, rulings: Sequence[Ruling]) -> Status:
    """Against what was last made final, or the time before if it was made final again."""
    finals = [(r.what, r.when) for r in rulings if isinstance(r.what, Final)]
    if not finals:
        return Status("provisional")
    now = published(scored)
    last, when = finals[-1]
    if last.profile != scored.profile.name:
        return Status(f"not the final standings, which are scored by {last.profile}", since=when)
    if last.standings != now:
        return Status("amended", changes(last.standings, now), when)
    if len(finals) > 1:
        return Status("amended", changes(finals[-2][0].standings, now), when)
    return Status("final", since=when)


def changes(
    before: Sequence[tuple[str, str, str]], after: Sequence[tuple[str, str, str]]
) -> tuple[str, ...]:
    """What is different for whom."""
    old = {one: (place, score) for one, place, score in before}
    new = {one: (place, score) for one, place, score in after}
    return tuple(
        f"{one}: {_told(old.get(one))} → {_told(new.get(one))}"
        for one in sorted({*old, *new})
        if old.get(one) != new.get(one)
    )


def _told(line: tuple[str, str] | None) -> str:
    return "not listed" if line is None else f"place {line[0] or '-'} with {line[1]}"
