"""The prospects of an afternoon: a player's expected award in one event or another.

Monte Carlo with stated error. How well an entrant does depends on its strength by holdings, its
talent, the form of the day and the luck of the boards, in the proportions of the generator
(:mod:`honours.lab.generate.play`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from honours.engine.award import award, read_facts
from honours.engine.rulebook import Rulebook
from honours.errors import InputError
from honours.lab.generate.play import LUCK, ChanceModel
from honours.lab.generate.population import CURVE
from honours.lab.result import Answer, Frame, about
from honours.lab.sides import name_of
from honours.model import Entrant, Field, Player, Standing, Value
from honours.model.message import Message, joined, mark, plural

_PLAYERS = {"individual": 1, "pairs": 2}
MOST_ENTRANTS = 2000
_MOST_PLAYED = 100_000_000
FIGURES = Message("synthetic; points of one player in an afternoon")
LIMITS = mark(
    "Skill and luck are in the proportions of the synthetic year, not of any real club: partners "
    "hold alike, holdings are all that is known of anybody, and {runs:,} afternoons were played."
)


@dataclass(frozen=True, slots=True)
class Contest:
    """An event one might enter: how many entrants, how strong, how long, and how many ranking
    lists."""

    name: str
    entrants: int
    holding: int
    spread: float = 0.8
    kind: str = "pairs"
    boards: int = 26
    sessions: int = 2
    lists: int = 1
    facts: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ExpectedAward:
    """The expected award in a contest under a rulebook, with the error of the simulation."""

    contest: Contest
    rulebook: Rulebook
    mean: float
    error: float
    chance: float
    best: float
    everybody: float
    """The average paid to all players, with equal chances: from the schedule, not simulated."""

    def row(self) -> dict[str, Any]:
        return {
            "event": self.contest.name,
            "rulebook": name_of(self.rulebook),
            "expected": self.mean,
            "± (95%)": 1.96 * self.error,
            "chance of an award": self.chance,
            "first place": self.best,
            "everybody": self.everybody,
        }


def simulate(
    rulebooks: Sequence[Rulebook],
    contests: Sequence[Contest],
    holding: int,
    runs: int = 20_000,
    seed: int = 1,
    progress: Callable[..., None] = lambda *_: None,
) -> list[ExpectedAward]:
    """The expected award of a player with this holding whose partners hold the same."""
    if runs < 100:
        raise InputError("{runs} runs are too few to state an error; at least 100", runs=runs)
    for book in rulebooks:
        if book.plays_games:
            raise InputError(
                "{rulebook} counts games, not places: an afternoon is made up of places",
                rulebook=book.id,
            )
    for contest in contests:
        _check_size(contest, runs)
    expected = []
    for done, contest in enumerate(contests, 1):
        random = np.random.default_rng(seed)
        drawn = contest.holding * np.exp(
            contest.spread * random.standard_normal(contest.entrants - 1)
        )
        others = np.maximum(1, np.round(drawn))
        places = _places(random, contest, holding, others, runs)
        expected += [_expected(book, contest, holding, others, places) for book in rulebooks]
        known = "; ".join(
            f"{one.contest.name}, {one.rulebook.id}: {one.mean:.2f}" for one in expected
        )
        progress(done, len(contests), known)
    return expected


def _check_size(contest: Contest, runs: int) -> None:
    """Refuse what would run for minutes, and say what would be fast enough."""
    if contest.entrants > MOST_ENTRANTS:
        raise InputError(
            "{name}: {entrants:,} entrants; at most {most:,}, of whom every place is "
            "worked out exactly",
            name=contest.name,
            entrants=contest.entrants,
            most=MOST_ENTRANTS,
        )
    if contest.entrants * runs > _MOST_PLAYED:
        raise InputError(
            "{name}: {entrants:,} entrants {runs:,} times would take minutes; at most "
            "{most:,} runs of so many",
            name=contest.name,
            entrants=contest.entrants,
            runs=runs,
            most=_MOST_PLAYED // contest.entrants,
        )


def answer(expected: Sequence[ExpectedAward], holding: int, runs: int, seed: int) -> Answer:
    """The answer of a simulation, with its limits stated next to it."""
    who = plural(
        "A player with {count:,} masterpoint (seed {seed})",
        "A player with {count:,} masterpoints (seed {seed})",
        count=holding,
        seed=seed,
    )
    rows = [one.row() for one in expected]
    return Answer.about(
        None,
        who,
        statement(expected),
        [Frame.of(about(Message("What may be expected"), who), rows, FIGURES)],
        [Message(LIMITS, runs=runs)],
        list({one.rulebook.hash: one.rulebook for one in expected}.values()),
        {"seed": str(seed), "runs": str(runs)},
        synthetic=True,
    )


def statement(expected: Sequence[ExpectedAward]) -> str:
    """Say which event pays best, under each rulebook."""
    sentences = []
    for name in dict.fromkeys(name_of(e.rulebook) for e in expected):
        own = sorted((e for e in expected if name_of(e.rulebook) == name), key=lambda e: -e.mean)
        first, last = own[0], own[-1]
        if len(own) == 1:
            sentences.append(
                Message(
                    "under {name} “{first}” would pay {most} an afternoon",
                    name=name,
                    first=first.contest.name,
                    most=_shown(first),
                )
            )
            continue
        sure = abs(first.mean - last.mean) > 1.96 * np.hypot(first.error, last.error)
        template = (
            mark(
                "under {name} “{first}” would pay {most} an afternoon, compared with {least} for "
                "“{last}”"
            )
            if sure
            else mark(
                "under {name} “{first}” would, within the error, pay {most} an afternoon, "
                "compared with {least} for “{last}”"
            )
        )
        contests = {"first": first.contest.name, "last": last.contest.name}
        figures = {"most": _shown(first), "least": _shown(last)}
        sentences.append(Message(template, name=name, **contests, **figures))
    return Message("Simulated, not played: {sentences}.", sentences=joined("; ", sentences))


def _shown(expected: ExpectedAward) -> Message:
    return Message("{mean:.2f} ± {error:.2f}", mean=expected.mean, error=1.96 * expected.error)


def _places(
    random: np.random.Generator,
    contest: Contest,
    holding: int,
    others: NDArray[np.float64],
    runs: int,
) -> NDArray[np.int64]:
    """The place of our player's entrant in its ranking list, for each run."""
    chance = ChanceModel()
    each = _PLAYERS.get(contest.kind, 4)
    boards = contest.boards * contest.sessions
    noise = np.sqrt((chance.talent**2) / each + chance.form**2 + LUCK**2 / boards)
    rivals = len(others) // contest.lists
    places = np.empty(runs, np.int64)
    own = chance.per_strength * holding**CURVE
    for start in range(0, runs, 2000):
        many = min(2000, runs - start)
        met = random.integers(0, len(others), (many, rivals)) if contest.lists > 1 else None
        theirs = others[met] if met is not None else np.broadcast_to(others, (many, rivals))
        quality = chance.per_strength * theirs**CURVE
        rival = quality + noise * random.standard_normal((many, rivals))
        mine = own + noise * random.standard_normal(many)
        places[start : start + many] = 1 + (rival > mine[:, None]).sum(axis=1)
    return places


def _expected(
    book: Rulebook,
    contest: Contest,
    holding: int,
    others: NDArray[np.float64],
    places: NDArray[np.int64],
) -> ExpectedAward:
    by_place = awards_by_place(book, contest, holding, others)
    won = by_place[np.minimum(places, len(by_place)) - 1]
    error = float(won.std(ddof=1) / np.sqrt(len(won)))
    return ExpectedAward(
        contest,
        book,
        float(won.mean()),
        error,
        float((won > 0).mean()),
        float(by_place[0]),
        float(by_place.mean()),
    )


def awards_by_place(
    book: Rulebook, contest: Contest, holding: int, others: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return what each place of one ranking list pays, worked out exactly; ``others`` are the
    holdings of entrants, or of each of their players."""
    size, each = contest.entrants // contest.lists, _PLAYERS.get(contest.kind, 4)
    rivals = np.broadcast_to(others[: size - 1].reshape(size - 1, -1), (size - 1, each))
    standings = []
    for place, held in enumerate([[holding] * each, *rivals.astype(np.int64).tolist()], 1):
        asked = "masterpoints" in book.inputs
        facts: list[dict[str, Value]] = [
            {"masterpoints": Fraction(h)} if asked else {} for h in held
        ]
        people = tuple(Player(f"{place}.{k}", facts=own) for k, own in enumerate(facts))
        own: dict[str, Value] = {}
        if "in_top_stratum" in book.inputs:
            own["in_top_stratum"] = Fraction(1)
        standings.append(Standing(Entrant(str(place), people), place, facts=own))
    paid = award(book, Field(_facts(book, contest, size), tuple(standings)), in_words=False)
    if paid.refusal:
        raise InputError(
            "{name}: {id} awards nothing ({reason})",
            name=contest.name,
            id=book.id,
            reason=paid.refusal.reason,
        )
    return np.array([float(a.amount) for a in paid.schedule])


def _facts(book: Rulebook, contest: Contest, size: int) -> dict[str, Value]:
    known: dict[str, object] = {
        "entrants": size,
        "kind": contest.kind,
        "sessions": contest.sessions,
        "boards_per_session": contest.boards,
        "boards": contest.boards * contest.sessions,
        "class": "regional",
        "winners": str(min(2, contest.lists)),
    }
    if contest.lists > 1:
        known |= {"line": "NS", "all_lines": contest.entrants}
    return read_facts(book, {k: v for k, v in {**known, **contest.facts}.items() if k in book.keys})
