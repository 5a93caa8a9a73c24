"""A competition's table: everybody's scores, the best of them, who qualified and their places.

Averages are exact and printed to two decimals; equal ones share a place. If two scores are equal at
the last that counts, the earlier one counts: the average is the same either way.

A team that its files name is identified by that name, whoever plays for it: one player may be
replaced. Its players are those who played for it often enough to qualify, or all if nobody did.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from honours.errors import InputError
from honours.formats.entrants import sought
from honours.ledger.season.gather import CountedEvent, PersonKeys
from honours.ledger.season.plan import Competition
from honours.model import Entrant, Field, Player, Standing

Key = frozenset[str]


@dataclass(frozen=True, slots=True)
class SeasonRow:
    """An entrant's line: a score for each event or ``None``, which of them count, and the place
    among those who qualified (0 for others)."""

    players: tuple[Player, ...]
    scores: tuple[Fraction | None, ...]
    counted: frozenset[int]
    total: Fraction
    qualified: bool
    place: int = 0
    tied: int = 1
    name: str = ""

    @property
    def played(self) -> int:
        return sum(score is not None for score in self.scores)

    @property
    def title(self) -> str:
        return self.name or " & ".join(p.name or p.number for p in self.players)


@dataclass(frozen=True, slots=True)
class SeasonStandings:
    """The rows best first, those who qualified before the others; ``needed`` events qualify."""

    competition: Competition
    events: tuple[CountedEvent, ...]
    rows: tuple[SeasonRow, ...]
    needed: int

    @property
    def qualified(self) -> tuple[SeasonRow, ...]:
        return tuple(row for row in self.rows if row.qualified)

    def field(self) -> Field:
        """The ranking of those who qualified, in the form that a rulebook takes."""
        return Field(
            standings=tuple(
                Standing(Entrant(str(n), row.players, row.name), row.place, row.tied, row.total)
                for n, row in enumerate(self.qualified, 1)
            )
        )


class Teams:
    """The teams that files name: the name of each, and how often each player played for it."""

    def __init__(self, competition: Competition) -> None:
        self._of_teams = competition.kind == "teams"
        self._names: dict[Key, str] = {}
        self._played: dict[Key, Counter[str]] = {}

    def key(self, entrant: Entrant) -> Key | None:
        """The key of a team with a name; none for others."""
        if not self._of_teams or not entrant.name:
            return None
        return frozenset((f"team {sought(entrant.name)}",))

    def met(self, key: Key, entrant: Entrant, players: Sequence[str]) -> None:
        self._names.setdefault(key, entrant.name)
        self._played.setdefault(key, Counter()).update(players)

    def name(self, key: Key) -> str:
        return self._names.get(key, "")

    def players(self, key: Key, needed: int) -> Key:
        """Who played for a team; an entrant without a name consists of its players."""
        played = self._played.get(key)
        if played is None:
            return key
        often = [player for player, times in played.items() if times >= needed]
        return frozenset(often or played)


def season_standings(competition: Competition, events: Sequence[CountedEvent]) -> SeasonStandings:
    """The table over these events."""
    people = PersonKeys(field for event in events for field in event.lists)
    teams = Teams(competition)
    scores: dict[Key, dict[int, Fraction]] = {}
    substituted: dict[Key, int] = {}
    for number, event in enumerate(events):
        for key, score in _scores(competition, event, people, teams).items():
            known = _counts_for(competition, event, key, people)
            if known != key:
                substituted[known] = substituted.get(known, 0) + 1
                _check_substitutions(competition, known, substituted, people)
            if number in scores.setdefault(known, {}):
                who = teams.name(known) or _title(known, people)
                raise InputError("{who} has two scores on {day}", who=who, day=event.day)
            scores[known][number] = score
    needed = competition.played or 1
    rows = [
        replace(
            _row(competition, own, len(events), needed),
            players=_players(teams.players(key, needed), people),
            name=teams.name(key),
        )
        for key, own in scores.items()
    ]
    return SeasonStandings(competition, tuple(events), _ranked(rows), needed)


def _scores(
    competition: Competition, event: CountedEvent, people: PersonKeys, teams: Teams
) -> dict[Key, Fraction]:
    """What each entrant scored in an event; for individuals, pairs are split up."""
    scores_of: dict[Key, list[Fraction]] = {}
    for field in event.lists:
        for standing in field.standings:
            keys = [people.key(player) for player in standing.entrant.players]
            if not keys:
                raise InputError(
                    "{source}: entrant {id} has no players",
                    source=event.source,
                    id=standing.entrant.id,
                )
            alone = competition.kind == "individual"
            team = teams.key(standing.entrant)
            if team is not None:
                teams.met(team, standing.entrant, keys)
            whole = [team or frozenset(keys)]
            for key in [frozenset((k,)) for k in keys] if alone else whole:
                scores_of.setdefault(key, []).append(_score(competition, event, standing))
    return {key: sum(scores, Fraction(0)) / len(scores) for key, scores in scores_of.items()}


def _score(competition: Competition, event: CountedEvent, standing: Standing) -> Fraction:
    if competition.score == "points":
        shared = range(standing.place - 1, standing.place - 1 + standing.tied)
        points = [competition.points[i] for i in shared if i < len(competition.points)]
        return sum(points, Fraction(0)) / standing.tied
    if standing.score is None:
        raise InputError(
            "{source}: {title} has a place and no score",
            source=event.source,
            title=standing.entrant.title,
        )
    return standing.score


def _counts_for(competition: Competition, event: CountedEvent, key: Key, people: PersonKeys) -> Key:
    """For whom a score counts: those who played, unless a substitution says otherwise."""
    for each in competition.substitutions:
        if each.day == event.day and _keys(each.played, people) == key:
            return _keys(each.counts_for, people)
    return key


def _keys(named: frozenset[str], people: PersonKeys) -> Key:
    return frozenset(people.meant(text) for text in named)


def _check_substitutions(
    competition: Competition, key: Key, count: Mapping[Key, int], people: PersonKeys
) -> None:
    most = competition.most_substitutions
    if most and count[key] > most:
        raise InputError(
            "{title}: {count} substitutions, at most {most}",
            title=_title(key, people),
            count=count[key],
            most=most,
        )


def _title(key: Key, people: PersonKeys) -> str:
    return " & ".join(sorted(people.name(k) for k in key))


def _players(key: Key, people: PersonKeys) -> tuple[Player, ...]:
    return tuple(people.player(k) for k in sorted(key, key=lambda k: (people.name(k), k)))


def _row(
    competition: Competition, own: Mapping[int, Fraction], events: int, needed: int
) -> SeasonRow:
    order = sorted(own, key=lambda n: (-own[n], n))
    counted = order[: competition.best] if competition.best else order
    total = sum((own[n] for n in counted), Fraction(0))
    if competition.score == "average":
        total /= len(counted)
    scores = tuple(own.get(n) for n in range(events))
    return SeasonRow((), scores, frozenset(counted), total, len(own) >= needed)


def _ranked(rows: Sequence[SeasonRow]) -> tuple[SeasonRow, ...]:
    qualified = [r for r in rows if r.qualified]
    placed = [
        replace(
            row,
            place=1 + sum(r.total > row.total for r in qualified),
            tied=sum(r.total == row.total for r in qualified),
        )
        if row.qualified
        else row
        for row in rows
    ]
    return tuple(sorted(placed, key=lambda r: (not r.qualified, -r.total, r.title)))
