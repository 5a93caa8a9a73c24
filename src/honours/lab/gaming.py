"""The games in which the same skill wins most: an open field, a limited one, a strong one, a
section split in two, a larger game, a longer one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from honours.engine.rulebook import Rulebook
from honours.errors import HonoursError
from honours.lab.corpus import Corpus
from honours.lab.generate.clubs import World
from honours.lab.generate.population import Random
from honours.lab.intervals import ratio
from honours.lab.result import Answer, Frame, is_synthetic
from honours.lab.sides import name_of
from honours.lab.simulate import Contest, awards_by_place
from honours.lab.skill import Floats, results_to_tell
from honours.model.message import Message, joined, mark

GRADES = (45, 50, 55)
_FIELDS = 24
"""Different fields; what a rule pays is worked out exactly for each of them."""
_PAIRS = 24
_STRONG = (4.6, 1.0)
"""Mean and spread of MP^0.2 in a strong field."""
_SPREAD = 1.2
METHOD = mark(
    "The player holds {holding:,}, and so does the partner; both have the grade. {evenings:,} "
    "evenings were played in {fields} fields, with talent, form and luck as in real club games "
    "where they can be told, and as assumed where not. The same holding with a low "
    "grade is somebody who plays below it."
)


@dataclass(frozen=True, slots=True)
class _Game:
    """A game one might choose: how many pairs of which field, in how many sections and
    sessions."""

    name: Message
    pairs: int = _PAIRS
    field: str = "open"
    sections: int = 1
    sessions: int = 1


def _games(limit: int) -> tuple[_Game, ...]:
    return (
        _Game(Message("open game of {pairs} pairs", pairs=_PAIRS)),
        _Game(Message("limited to {limit:,}", limit=limit), field="limited"),
        _Game(Message("strong field"), field="strong"),
        _Game(Message("section split in two"), sections=2),
        _Game(Message("{pairs} pairs", pairs=2 * _PAIRS), pairs=2 * _PAIRS),
        _Game(Message("two sessions, by the session"), sessions=2),
    )


@dataclass(frozen=True)
class _People:
    """The players: holdings of pairs as in real club games, or those of a corpus."""

    world: World
    limit: int
    pool: Floats | None = None

    def field(self, random: Random, kind: str, many: int) -> Floats:
        """The holdings of so many pairs."""
        if self.pool is not None:
            own = self.pool
            if kind == "limited":
                own = own[(own <= self.limit).all(1)]
            elif kind == "strong":
                strength = np.log(own + 10).sum(1)
                own = own[strength >= np.quantile(strength, 2 / 3)]
            return own[random.integers(0, len(own), many)] if len(own) else self.pool[:0]
        middle, spread = _STRONG if kind == "strong" else (self.world.level, _SPREAD)
        held = np.maximum(random.normal(middle, spread, (many, 2)), 0) ** 5
        while kind == "limited" and (held > self.limit).any():  # who is over it is drawn again
            over = held > self.limit
            held[over] = np.maximum(random.normal(middle, spread, int(over.sum())), 0) ** 5
        return held

    def grades(self, random: Random, held: Floats) -> Floats:
        talent = self.world.talent * random.standard_normal(held.shape)
        grade: Floats = (50 + self.world.slope * (np.log(held + 10) - 6) + talent).mean(1)
        return grade


def expected(
    book: Rulebook, game: _Game, people: _People, holding: int, runs: int, seed: int
) -> Floats:
    """The mean award a session in each field, by grade; empty if the rulebook awards none. The
    field of a number is drawn from the same random numbers in every game, and no other is."""
    world = people.world
    lines = 2 if "winners" in book.keys else 1
    size = game.pairs // game.sections // lines
    chance = np.sqrt((world.form**2 + world.luck**2) / game.sessions + world.partnership**2)
    limited = {"limit": str(people.limit)} if game.field == "limited" else {}
    facts = {"class": "sectional", **{k: v for k, v in limited.items() if book.takes(k)}}
    contest = Contest(
        str(game.name), size * lines, 0, lists=lines, sessions=game.sessions, facts=facts
    )
    each, won = max(1, runs // _FIELDS), np.empty((_FIELDS, len(GRADES)))
    for k in range(_FIELDS):
        random = np.random.default_rng((seed, k))
        held = people.field(random, game.field, size * lines)
        if len(held) < size * lines:
            return np.empty((0, len(GRADES)))
        paid = awards_by_place(book, contest, holding, held[1:])
        rivals = people.grades(random, held[1:size])
        theirs = rivals + chance * random.standard_normal((each, len(rivals)))
        mine = chance * random.standard_normal(each)
        for g, grade in enumerate(GRADES):
            places = (theirs > (grade + mine)[:, None]).sum(1)
            won[k, g] = np.append(paid, np.zeros(size + 1))[places].mean() / game.sessions
    return won


def gaming(
    corpus: Corpus | None,
    books: Sequence[Rulebook],
    holding: int,
    limit: int,
    runs: int,
    seed: int,
    progress: Callable[..., None],
    on: str = "",
) -> Answer:
    """Answer what each game pays for the same skill, beside an open one, under each rulebook."""
    pool = None
    if corpus is not None:
        results = results_to_tell(corpus, on)
        pairs = np.flatnonzero(results.sizes == 2)
        pool = results.holding[results.starts[:-1][pairs][:, None] + np.arange(2)]
        pool = pool[np.isfinite(pool).all(1)]
    people = _People(World(), limit, pool)
    rows: list[dict[str, Any]] = []
    for done, book in enumerate(books, 1):
        rows += _rows(book, people, holding, runs, seed)
        progress(done, len(books))
    note = Message("synthetic") if corpus is None else ""
    frame = Frame.of(Message("Points a session for the same skill"), rows, note)
    return Answer.about(
        corpus,
        Message("Where does the same skill pay more?"),
        _sentence(rows),
        (frame,),
        (Message(METHOD, holding=holding, evenings=runs, fields=_FIELDS),),
        books,
        {"seed": str(seed), "runs": str(runs)},
        synthetic=corpus is None or is_synthetic(corpus),
    )


def _rows(
    book: Rulebook, people: _People, holding: int, runs: int, seed: int
) -> Iterator[dict[str, Any]]:
    base: Floats | None = None
    for game in _games(people.limit):
        try:
            won = expected(book, game, people, holding, runs, seed)
        except HonoursError as error:
            yield {"rulebook": name_of(book), "game": game.name, "why not": error.brief}
            continue
        if not len(won):
            continue
        base = won if base is None else base
        for g, grade in enumerate(GRADES):
            beside = ratio(won[:, g], base[:, g])
            yield {
                "rulebook": name_of(book),
                "game": game.name,
                "grade": grade,
                "points a session": float(won[:, g].mean()),
                "times the open game": None if beside.low is None else beside.value,
                "± (95%)": None if beside.low is None else beside.value - beside.low,
            }


def _sentence(rows: Sequence[dict[str, Any]]) -> Message:
    """Say where, under each rulebook, another game pays more for the same skill."""
    parts = []
    for name in dict.fromkeys(row["rulebook"] for row in rows):
        why = [row["why not"] for row in rows if row["rulebook"] == name and "why not" in row]
        more = [
            Message(
                "{game} {times:.2f} times at {grade}",
                game=row["game"],
                times=row["times the open game"],
                grade=row["grade"],
            )
            for row in rows
            if row["rulebook"] == name
            and (row.get("times the open game") or 0) - (row.get("± (95%)") or 0) > 1.02
        ]
        none = Message("nothing can be told ({why})", why=why[0]) if why else Message("nothing")
        told = joined(", ", more) if more else none
        parts.append(Message("under {rulebook} {games}", rulebook=name, games=told))
    return Message(
        "More than an open game, for the same skill, would pay: {parts}.", parts=joined("; ", parts)
    )
