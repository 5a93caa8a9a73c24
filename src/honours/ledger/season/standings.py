"""The events of a competition, from files or from the ledger, with one key per person."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from fractions import Fraction
from pathlib import Path
from typing import Any

from honours.engine.numbers import round_to, show
from honours.errors import InputError
from honours.formats.entrants import sought
from honours.ledger import facts as stored
from honours.ledger import members
from honours.ledger.balances import ends
from honours.ledger.events import live_events
from honours.ledger.season.plan import Competition, Season
from honours.ledger.sources import Reader, day_of, file_of, read_ranked, title_of
from honours.ledger.store import Ledger
from honours.model import Entrant, Field, Player, Standing
from honours.model.member import Member
from honours.model.message import Message, by_option, plural
from honours.model.table import Cell, Column, Kind, Table, headed, table


@dataclass(frozen=True, slots=True)
class CountedEvent:
    """An event that counts: its day, its ranking lists, what it is marked as, and its origin."""

    day: str
    title: str
    lists: tuple[Field, ...]
    marked: str
    source: str

    @property
    def kind(self) -> str:
        """The kind of entrants in it, by how many play together."""
        sizes = {len(s.entrant.players) for f in self.lists for s in f.standings}
        if sizes == {1}:
            return "individual"
        return "pairs" if sizes <= {2} else "teams"


def gather(
    season: Season, competition: Competition, ledger: Ledger | None, read: Reader = read_ranked
) -> list[CountedEvent]:
    """The events of a competition in the order of their days, without those of another year."""
    chosen = competition.events
    counted = [_from_file(path, competition, read) for path in chosen.files]
    if chosen.ledger:
        if ledger is None:
            raise InputError(
                "{title} counts events of a ledger: say which ({remedy})",
                title=competition.title,
                remedy=by_option("ledger"),
            )
        counted += _from_ledger(ledger, chosen.ledger)
    inside = [
        e for e in counted if not e.day or not season.since or season.since <= e.day <= season.until
    ]
    return sorted(inside, key=lambda e: (e.day, e.title, e.source))


def _from_file(path: Path, competition: Competition, read: Reader) -> CountedEvent:
    report = read(path, competition.options)
    own = report.account
    mark = (competition.events.marked or {}).get(file_of(own), "")
    return CountedEvent(day_of(own), title_of(own), report.lists, mark, str(path))


def _from_ledger(ledger: Ledger, title: str) -> list[CountedEvent]:
    with ledger.reading() as connection:
        rows = [r for r in live_events(connection) if fnmatchcase(r.title.lower(), title.lower())]
        known = [(r, stored.from_text(r.facts)) for r in rows]
        ids = {member for _, f in known for member in f.members}
        people = members.get(connection, ids)
        roots = ends(connection)
        people |= members.get(connection, roots.values())
    named = {i: _player(people[roots[i]]) for i in ids}
    return [
        CountedEvent(
            r.day,
            r.title,
            tuple(one.with_players(lambda p: named[int(p.number)]) for one in f.lists),
            _marked(f.given),
            Message("record {record}", record=r.id),
        )
        for r, f in known
    ]


def _marked(given: Mapping[str, str]) -> str:
    """Return whose event a posted one was said to be, if not the club's own."""
    whose = given.get("event", "club")
    return "" if whose == "club" else whose


def _player(member: Member) -> Player:
    return Player(member.name, member.called)


class PersonKeys:
    """One key per person over all files: the number, or the name if no file has a number for it.

    A name that occurs with one number somewhere stands for that number everywhere.
    """

    def __init__(self, lists: Iterable[Field]) -> None:
        numbers: dict[str, set[str]] = {}
        self._names: dict[str, str] = {}
        for field in lists:
            for standing in field.standings:
                for player in standing.entrant.players:
                    if player.number and player.name:
                        numbers.setdefault(sought(player.name), set()).add(player.number)
                        self._names.setdefault(player.number, player.name)
        self._number = {name: min(n) for name, n in numbers.items() if len(n) == 1}
        self._numbers = {number for known in numbers.values() for number in known}

    def key(self, player: Player) -> str:
        if player.number:
            self._numbers.add(player.number)
            return player.number
        name = sought(player.name)
        key = self._number.get(name, name)
        self._names.setdefault(key, player.name)
        return key

    def meant(self, text: str) -> str:
        """The key of a person whom a season file names by number or by name."""
        return text if text in self._names else self._number.get(sought(text), sought(text))

    def player(self, key: str) -> Player:
        """The person again, as files name them."""
        number = key if key in self._numbers else ""
        return Player(self._names.get(key, "" if number else key), number)

    def name(self, key: str) -> str:
        return self._names.get(key, key)


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
        """Return who played for a team; an entrant without a name consists of its players."""
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
    """Return the score of each entrant in an event; for individuals, pairs are split up."""
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


_CENT = Fraction(1, 100)
COUNTED, DROPPED = "counted", "dropped"
_SCORES = {"average": Message("average"), "sum": Message("total"), "points": Message("points")}


def figure(value: Fraction) -> str:
    """A score to two decimals, halves rounded up; ranking uses the exact score."""
    return show(round_to(value, "nearest", _CENT), 2)


def standings_table(standings: SeasonStandings, everybody: bool = False) -> Table:
    """The table in the guide's layout: average, each date, played, qualify."""
    columns = (
        headed("position", Kind.PLACE),
        headed("names"),
        Column("score", _SCORES[standings.competition.score], Kind.NUMBER),
        *(_dated(number, event) for number, event in enumerate(standings.events, 1)),
        headed("played", Kind.NUMBER),
        headed("qualify", Kind.NUMBER),
    )
    rows: list[tuple[Cell | str | int, ...]] = [
        (
            Cell(row.place or None, f"{row.place or ''}{'=' if row.tied > 1 else ''}"),
            row.title,
            _figure(row.total),
            *(_scored_cell(score, n in row.counted) for n, score in enumerate(row.scores)),
            row.played,
            standings.needed,
        )
        for row in standings.rows
        if everybody or row.qualified
    ]
    return table(
        "season-standings",
        columns,
        rows,
        caption=standings.competition.title,
        foot=_left_out(standings),
    )


def _left_out(standings: SeasonStandings) -> str:
    count = len(standings.rows) - len(standings.qualified)
    if not count:
        return ""
    return plural(
        "{count:,} more played fewer than {needed} events and is not ranked",
        "{count:,} more played fewer than {needed} events and are not ranked",
        count=count,
        needed=standings.needed,
    )


def _scored_cell(score: Fraction | None, counts: bool) -> Cell:
    """The score in an event, and whether it counts."""
    if score is None:
        return Cell()
    return replace(_figure(score), marks=frozenset({COUNTED if counts else DROPPED}))


def rule_in_words(standings: SeasonStandings) -> Message:
    """Say how the table is made, in a sentence."""
    competition = standings.competition
    how = Message(
        "{score} of the best {best} scores counts",
        score=_SCORES[competition.score],
        best=competition.best,
    )
    if not competition.best:
        how = Message("{score} of all scores counts", score=_SCORES[competition.score])
    needed = plural(
        "you are ranked once you have played {count:,} event",
        "you are ranked once you have played {count:,} events",
        count=standings.needed,
    )
    return Message("The {how}; {needed}.", how=how, needed=needed)


def race(standings: SeasonStandings, most: int = 6) -> list[tuple[str, list[float | None]]]:
    """Return how the leaders got there: what each had after every event, by the same rule."""
    return [(row.title, _course(standings.competition, row)) for row in standings.rows[:most]]


def _course(competition: Competition, row: SeasonRow) -> list[float | None]:
    course: list[float | None] = []
    played: list[Fraction] = []
    for score in row.scores:
        if score is not None:
            played.append(score)
        best = sorted(played, reverse=True)[: competition.best or None]
        total = sum(best, Fraction(0))
        value = total / len(best) if best and competition.score == "average" else total
        course.append(float(value) if best else None)
    return course


def _figure(score: Fraction) -> Cell:
    return Cell(score, figure(score))


def _dated(number: int, event: CountedEvent) -> Column:
    """The heading of an event's column: its date, or its title if undated."""
    title = f"{event.day[8:]}/{event.day[5:7]}" if event.day else event.title
    return Column(f"event_{number}", title, Kind.NUMBER)


def standings_data(standings: SeasonStandings) -> dict[str, Any]:
    """A competition's table as plain data."""
    return {
        "competition": standings.competition.title,
        "kind": standings.competition.kind,
        "events": [{"date": e.day, "title": e.title, "source": e.source} for e in standings.events],
        "needed": standings.needed,
        "rows": [_row_data(row) for row in standings.rows],
    }


def _row_data(row: SeasonRow) -> dict[str, Any]:
    return {
        "place": row.place or None,
        "players": [{"name": p.name, "number": p.number} for p in row.players],
        "total": figure(row.total),
        "exact": str(row.total),
        "scores": [None if s is None else figure(s) for s in row.scores],
        "counted": sorted(row.counted),
        "played": row.played,
        "qualified": row.qualified,
    }
