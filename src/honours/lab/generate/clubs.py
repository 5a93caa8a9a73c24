"""A season of club games and congresses with known skill: members with clubs, regular partners and
attendance. Percentages are those of one session of 25 boards.

Quality of a pair = mean of its players' grades + partnership + form, and grade = 50 + slope ·
(log(MP + 10) − 6) + talent. The numbers reproduce the spread of 47 real club games, what holdings
tell in them and what their halves share. How the rest divides into talent, partnership and form is
assumed: players seen once cannot tell.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from honours.errors import InputError
from honours.lab.generate.population import Population, Random
from honours.lab.shards import Ints, ranked
from honours.lab.skill import (
    BOARDS,
    FORM,
    LUCK,
    PARTNERSHIP,
    Ratings,
    Results,
    explained,
    holdings_of,
    holdings_prior,
    home_clubs,
    slope_within,
    within,
)
from honours.lab.tables import ENTRANTS, EVENTS, PLAYERS, table_of

Floats = NDArray[np.float64]
FEWEST = 8
"""Pairs; a game of fewer is not held."""


@dataclass(frozen=True, slots=True)
class World:
    """The figures that a made-up season follows."""

    slope: float = 2.7
    """Per cent of a session for a unit of log(MP + 10)."""
    talent: float = 3.0
    partnership: float = PARTNERSHIP
    form: float = FORM
    luck: float = LUCK
    level: float = 3.4
    """The mean of MP^0.2, which is about normal among those who play at clubs."""
    spread: float = 1.10
    clubs_apart: float = 0.7
    together: float = 0.7
    """The share of sessions with the regular partner."""
    visit: float = 0.03
    """The share of sessions in another club."""
    keen: float = 0.3
    """The correlation of holdings and attendance."""
    attendance: float = 12.0
    """The median of a member's sessions in the season."""


@dataclass(frozen=True, slots=True)
class ClubSeason:
    """A season as played: what is known of players, and a row for each pair in a game."""

    held: Floats
    grade: Floats
    """The truth, by player."""
    club: Ints
    event: Ints
    lists: Ints
    a: Ints
    b: Ints
    score: Floats
    base: Floats
    """The quality of the pair before form."""
    day: Ints
    sessions: Ints
    at: Ints
    """The club the game was held at; -1 for a congress."""

    def results(self, score: Floats | None = None) -> Results:
        """The season as the lab would read it."""
        events, first = np.unique(self.event, return_index=True)
        sessions = self.sessions[first].astype(np.float64)
        seats = np.stack([self.a, self.b], 1).reshape(-1)
        where = self.at[first]
        return Results(
            ids=events,
            labels=np.array([" × ".join(("club", f"{s:.0f}")) for s in sessions], object),
            clubs=np.array(["" if c < 0 else f"C{c:03d}" for c in where], object),
            days=self.day[first].astype(np.int64),
            boards=BOARDS * sessions,
            sessions=sessions,
            of=self.event,
            lists=self.lists,
            score=self.score if score is None else score,
            stratum=np.zeros(len(self.a), np.int64),
            starts=np.arange(0, 2 * len(self.a) + 1, 2),
            player=seats,
            holding=self.held[seats],
            row=np.arange(len(self.a)),
        )


def season(
    seed: int = 1,
    clubs: int = 12,
    members: int | Ints = 100,
    weeks: int = 40,
    world: World | None = None,
    closed: bool = False,
    congresses: int = 0,
) -> ClubSeason:
    """A season made up: ``members`` of each club, or of all; a congress is two sessions for all
    clubs, to which the keen and the strong go."""
    world, random = world or World(), np.random.default_rng(seed)
    sizes = np.broadcast_to(members, clubs) // 2 * 2
    people = int(sizes.sum())
    club = np.repeat(np.arange(clubs), sizes)
    z = random.standard_normal(people)
    apart = (world.clubs_apart * random.standard_normal(clubs))[club]
    root = world.level + apart + world.spread * z
    held = np.round(np.maximum(root, 0) ** 5, 2)
    talent = world.talent * random.standard_normal(people)
    grade = 50 + world.slope * (np.log(held + 10) - 6.0) + talent
    keen = world.keen * z + np.sqrt(1 - world.keen**2) * random.standard_normal(people)
    return _Games(random, world, held, root, grade, club, clubs).played(
        keen, weeks, 0.0 if closed else world.visit, congresses
    )


def club_games(
    random: Random, people: Population, clubs: int, members: int = 100, weeks: int = 40
) -> tuple[ClubSeason, Ints]:
    """A season of club games among members of a federation, and which of its members each player
    is. Clubs differ by as much as in :class:`World`, with the holdings of the federation."""
    world = World()
    many = min(clubs * members, len(people.holding)) // (2 * clubs) * 2 * clubs
    club = np.repeat(np.arange(clubs), many // clubs)
    apart = (world.clubs_apart * random.standard_normal(clubs))[club]
    wanted = world.level + apart + world.spread * random.standard_normal(many)
    by_holding, slots = np.argsort(people.holding, kind="stable"), np.argsort(wanted)
    near = np.searchsorted(people.playing[by_holding], wanted[slots])
    nth = np.arange(many)
    rising = np.maximum.accumulate(near - nth) + nth  # everybody once
    last = len(by_holding) - many + nth
    who = np.empty(many, np.int64)
    who[slots] = by_holding[np.minimum(rising, last)]
    held = people.holding[who] / 100.0
    talent = world.talent * people.talent[who]
    grade = 50 + world.slope * (np.log(held + 10) - 6.0) + talent
    z = (wanted - wanted.mean()) / wanted.std()
    keen = world.keen * z + np.sqrt(1 - world.keen**2) * random.standard_normal(many)
    games = _Games(random, world, held, held**0.2, grade, club, clubs)
    return games.played(keen, weeks, world.visit, 0), who


def club_tables(made: ClubSeason, who: Ints, first: int, day: int) -> dict[str, Any]:
    """The tables of a season of club games, whose events are numbered from ``first``; each line
    of a game has places of its own."""
    line = 1 + made.lists % 2
    place, tied = ranked(made.lists, -made.score)
    order = np.lexsort((place, line, made.event))
    event = made.event[order]
    events, begins, many = np.unique(event, return_index=True, return_counts=True)
    number = np.arange(len(event)) - np.repeat(begins, many)
    at = order[begins]
    ids = first + events
    days = pa.array((day + 7 * made.day[at]).astype(np.int32)).cast(pa.date32())
    same: dict[str, Any] = {"class": "club", "kind": "pairs", "flight": "club", "game": "club"}
    same |= {"sessions": 1, "boards_per_session": BOARDS, "limit": 0, "restrictions": 0}
    facts = {name: [value] * len(ids) for name, value in same.items()}
    named = [f"C{number:03d}" for number in made.at[at]]
    seats = np.stack([made.a[order], made.b[order]], 1).reshape(-1)
    entrants = {"event": first + event, "entrant": number, "line": line[order]}
    entrants |= {"place": place[order], "tied": tied[order]}
    entrants["score"] = np.rint(1e4 * made.score[order]).astype(np.int64)
    players = {"event": np.repeat(first + event, 2), "entrant": np.repeat(number, 2)}
    players |= {"player": who[seats], "holding": np.rint(100 * made.held[seats]).astype(np.int64)}
    return {
        "events": table_of({"event": ids, "date": days, "club": named, **facts}, EVENTS),
        "entrants": table_of(entrants, ENTRANTS),
        "players": table_of(players, PLAYERS),
    }


@dataclass
class _Games:
    """The games of a season as they are held."""

    random: Random
    world: World
    held: Floats
    root: Floats
    grade: Floats
    club: Ints
    clubs: int

    def __post_init__(self) -> None:
        self.events = self.lists = 0
        self.rows: dict[str, list[NDArray[np.generic]]] = {}

    def played(self, keen: Floats, weeks: int, visit: float, congresses: int) -> ClubSeason:
        random, world, root = self.random, self.world, self.root
        people = len(self.held)
        most = 0.95 * weeks
        rate = np.clip(world.attendance * np.exp(0.9 * keen), 1, most) / weeks
        mate = np.empty(people, int)
        for c in range(self.clubs):  # regular partners are neighbours in holdings, roughly
            own = np.flatnonzero(self.club == c)
            own = own[self._alike(own)]
            mate[own[0::2]], mate[own[1::2]] = own[1::2], own[0::2]
        first = np.flatnonzero(np.arange(people) < mate)
        second = mate[first]
        both = world.together * np.minimum(rate[first], rate[second])
        alone = rate.copy()
        alone[first] -= both
        alone[second] -= both
        bond = np.zeros(people)
        bond[first] = bond[second] = world.partnership * random.standard_normal(len(first))
        for day in range(weeks):
            went = random.random(len(first)) < both
            single = random.random(people) < alone
            single[first[went]] = single[second[went]] = False
            at = self.club.copy()
            away = random.random(people) < visit
            at[away] = random.integers(0, self.clubs, away.sum())
            at[second] = np.where(away[first], at[first], at[second])  # partners travel together
            for c in range(self.clubs):
                regular = np.flatnonzero(went & (at[first] == c))
                lone = np.flatnonzero(single & (at == c))
                lone = lone[self._alike(lone)]
                lone = lone[: len(lone) // 2 * 2]
                a = np.concatenate([first[regular], lone[0::2]])
                b = np.concatenate([second[regular], lone[1::2]])
                strange = world.partnership * random.standard_normal(len(a))
                bonus = np.where(mate[a] == b, bond[a], strange)
                if len(a) >= FEWEST:
                    self._hold(a, b, bonus, day, 1, c)
        for day in np.linspace(0, weeks - 1, congresses).astype(int):
            wish = np.minimum(1, 0.35 * both * np.exp(0.5 * (root[first] - world.level)))
            go = np.flatnonzero(random.random(len(first)) < wish)
            self._hold(first[go], second[go], bond[first[go]], int(day), 2, -1)
        made = {name: np.concatenate(parts) for name, parts in self.rows.items()}
        return ClubSeason(self.held, self.grade, self.club, **made)

    def _alike(self, who: Ints) -> Ints:
        """An order in which neighbours hold alike, roughly."""
        noise = 0.9 * self.world.spread * self.random.standard_normal(len(who))
        return np.argsort(self.root[who] + noise)

    def _hold(self, a: Ints, b: Ints, bonus: Floats, day: int, sessions: int, at: int) -> None:
        order = self.random.permutation(len(a))
        for line in (order[: len(a) // 2], order[len(a) // 2 :]):
            base = (self.grade[a[line]] + self.grade[b[line]]) / 2 + bonus[line]
            lists = np.zeros(len(line), int)
            score = scored(self.random, base, lists, np.full(len(line), sessions), self.world)
            same = {"event": self.events, "lists": self.lists, "day": day}
            same |= {"sessions": sessions, "at": at}
            whole = {"a": a[line], "b": b[line], "score": score, "base": base}
            whole |= {name: np.full(len(line), value) for name, value in same.items()}
            for name, values in whole.items():
                self.rows.setdefault(name, []).append(values)
            self.lists += 1
        self.events += 1


def scored(random: Random, base: Floats, lists: Ints, sessions: Ints, world: World) -> Floats:
    """The percentages of a session, or of several: quality, form and luck within each list."""
    form = world.form * random.standard_normal(len(base))
    luck = world.luck * random.standard_normal(len(base))
    value = base + (form + luck) / sessions.astype(np.float64) ** 0.5
    return np.round(np.clip(50 + within(lists, value), 15.0, 85.0), 2).astype(np.float64)


# --- a season like somebody's own -----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Fitted:
    """The model of a made-up season: its world, how many members each club has, and for how many
    weeks they play."""

    world: World
    sizes: Ints
    weeks: int


def fit_to(results: Results) -> Fitted:
    """The season that a history is like: clubs and their members, attendance and partners, what
    holdings tell, and how much is luck. Form and partnership stay as assumed."""
    members = 1 + int(results.player.max())
    played = np.bincount(results.player, minlength=members) > 0
    home, _ = home_clubs(results, members)
    club = np.zeros(members, np.int64) if home is None else home
    held = holdings_of(results, members)
    known = played & np.isfinite(held)
    if not known.any():
        raise InputError("no holding of any player is known: there is nothing to fit to")
    root = held[known] ** 0.2
    _, at, counts = np.unique(club[known], return_inverse=True, return_counts=True)
    means = np.bincount(at, root) / counts
    logs = results.mean(np.log(held + 10)[results.player])
    share = explained(results, logs)[0]
    many = np.bincount(results.lists)[results.lists]
    spread = float((within(results.lists, results.score) ** 2 * many / (many - 1)).mean())
    noise = Ratings(results, members, 5.0, holdings_prior(results, held), home, 50.0).variance
    unexplained = max(0.0, spread * (1 - share) - noise)
    days = results.days[np.isin(np.arange(len(results.days)), results.of)]
    weeks = int(np.clip(len(np.unique(days // 7)), 1, 53))
    sessions = np.bincount(results.player, minlength=members)[played]
    base = World()
    world = World(
        slope=slope_within(results, logs),
        talent=float(np.clip(np.sqrt(2 * unexplained), 0.5, 6.0)),
        luck=float(np.sqrt(max(1.0, noise - base.form**2 - base.partnership**2))),
        level=float(root.mean()),
        spread=float((root - means[at]).std()) or base.spread,
        clubs_apart=float(means.std()),
        together=_together(results),
        visit=_visits(results, club),
        attendance=float(np.median(sessions)),
    )
    sizes = np.maximum(2 * FEWEST, counts[counts >= FEWEST] // 2 * 2)
    return Fitted(world, sizes if len(sizes) else np.array([int(counts.sum()) // 2 * 2]), weeks)


def _together(results: Results) -> float:
    """The share of pairs' sessions with the partner somebody plays with most."""
    pairs = results.sizes == 2
    seats = results.starts[:-1][pairs]
    a, b = results.player[seats], results.player[seats + 1]
    both = np.concatenate([np.stack([a, b], 1), np.stack([b, a], 1)])
    _, at, many = np.unique(both, axis=0, return_inverse=True, return_counts=True)
    most = np.zeros(1 + int(results.player.max()), np.int64)
    np.maximum.at(most, both[:, 0], many[np.reshape(at, -1)])
    total = np.bincount(both[:, 0])
    return float(np.clip(most.sum() / max(1, total.sum()), 0.05, 0.95))


def _visits(results: Results, home: Ints) -> float:
    """The share of sessions played away from the home club."""
    names, codes = np.unique(results.clubs.astype(str), return_inverse=True)
    if len(names) < 2:
        return 0.0
    away = codes[results.of][results.row_of_player] != home[results.player]
    return float(min(0.5, away.mean()))
