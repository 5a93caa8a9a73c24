"""Whether standings are provisional, final or amended since, and what changed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal

from honours.model.message import Message
from honours.scoring.rulings import Final, Line, Ruling
from honours.scoring.scored import ScoredEvent
from honours.scoring.standings import shown_place, shown_score


@dataclass(frozen=True, slots=True)
class Status:
    """``word`` is provisional, final or amended; ``changes`` are the differences from what was
    published."""

    word: Message
    changes: tuple[Message, ...] = ()
    since: str = ""

    @property
    def message(self) -> Message:
        if not self.since:
            return self.word
        return Message("{state} (made final {since})", state=self.word, since=_day(self.since))

    def __str__(self) -> str:
        return str(self.message)


def _day(when: str) -> date | str:
    """The day of a moment, to be written as the reader does; what says no day stays as it is."""
    try:
        return datetime.fromisoformat(when).date()
    except ValueError:
        return when


def published_places(scored: ScoredEvent) -> tuple[Line, ...]:
    """Every entrant as shown in the first list it is in: the one without handicap, of the highest
    stratum."""
    seen: dict[str, Line] = {}
    for ranking in scored.rankings:
        for standing in (*ranking.standings, *ranking.unranked):
            who = standing.entrant
            shown = (who.id, shown_place(standing), shown_score(standing), who.title)
            seen.setdefault(who.id, shown)
    return tuple(seen.values())


def status(scored: ScoredEvent, rulings: Sequence[Ruling]) -> Status:
    """Against what was last made final, or the time before if it was made final again."""
    finals = [(r.what, r.when) for r in rulings if isinstance(r.what, Final)]
    if not finals:
        return Status(Message("provisional"))
    now = published_places(scored)
    last, when = finals[-1]
    if last.chosen != scored.chosen:
        other = Message("not the final standings, which are scored by {how}", how=last.chosen)
        return Status(other, since=when)
    if last.standings != now:
        return Status(Message("amended"), changes(last.standings, now), when)
    if len(finals) > 1:
        return Status(Message("amended"), changes(finals[-2][0].standings, now), when)
    return Status(Message("final"), since=when)


def changes(before: Sequence[Line], after: Sequence[Line]) -> tuple[Message, ...]:
    """The changes, and for whom."""
    old, new = ({line[0]: line for line in lines} for lines in (before, after))
    return tuple(
        Message(
            "{who}: {before} → {after}",
            who=_who(old.get(one), new.get(one)),
            before=_place(old.get(one), new.get(one)),
            after=_place(new.get(one), old.get(one)),
        )
        for one in dict.fromkeys((*old, *new))
        if old.get(one) != new.get(one)
    )


def _who(*lines: Line | None) -> str:
    """The number, with the name unless that is what differs, or there is none."""
    known = [line for line in lines if line is not None]
    number = known[0][0]
    [*named] = {line[3] for line in known} - {"", number}
    return Message("{who} {name}", who=number, name=named[0]) if len(named) == 1 else number


def _figure(shown: str) -> Decimal | str:
    """A score to be written as the reader does; what is no number stays as it is."""
    return Decimal(shown) if re.fullmatch(r"-?\d+(\.\d+)?", shown) else shown


def _place(line: Line | None, other: Line | None) -> Message:
    """Place and score, and the name where that is what differs."""
    if line is None:
        return Message("not listed")
    _, place, shown, name = line
    score = _figure(shown)
    if other and name != other[3]:
        return Message(
            "{name}, place {place} with {score}", name=name, place=place or "-", score=score
        )
    return Message("place {place} with {score}", place=place or "-", score=score)
