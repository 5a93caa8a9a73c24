"""A season of club games and congresses with known skill: members with clubs, regular partners and
attendance. Percentages are those of one session of 25 boards.

Quality of a pair = mean of its players' grades + partnership + form, and grade = 50 + slope ·
(log(MP + 10) − 6) + talent. The numbers reproduce the spread of 47 real club games, what holdings
tell in them and what their halves share. How the rest divides into talent, partnership and form is
assumed: players seen once cannot tell.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from honours.lab.generate.population import Random
from honours.lab.shards import Ints
from honours.lab.skill import BOARDS, FORM, LUCK, PARTNERSHIP, Results, within

Floats = NDArray[np.float64]
FEWEST = 8
"""Pairs; a game of fewer is not held."""


@dataclass(frozen=True, slots=True)
class World:
    """What a made-up season follows."""

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
