"""What happened on the boards: results with many ties, fouled boards, rulings and gaps."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from tests.conformance.checker_scores import contract_score

if TYPE_CHECKING:
    from random import Random

Line = dict[str, Any]
Pool = list[Line]

PLAIN: Line = {"score": None, "contract": None, "tricks": None, "passed_out": False}
NOTHING: Line = PLAIN | {"adjusted": None, "version": ""}
SHARES = ((3, 5), (1, 2), (2, 5))
WEIGHTS = {1: ((1,),), 2: ((6, 4), (1, 1), (7, 3), (2, 1)), 3: ((5, 3, 2), (1, 1, 1), (1, 4, 5))}
"""How rulings are weighted: tenths, thirds, halves."""


def play(rng: Random, seatings: list[Line], trouble: float) -> list[Line]:
    """Give every seating a result; ``trouble`` is how often something goes wrong, 0 to 1."""
    boards: dict[tuple[str, int], list[Line]] = {}
    lines = [NOTHING | seating for seating in seatings]
    for line in lines:
        boards.setdefault((line["section"], line["board"]), []).append(line)
    pools: dict[int, Pool] = {}
    for (_, board), same in boards.items():
        pool = pools.setdefault(board, outcomes(rng, board))
        for line in same:
            line.update(rng.choice(pool))
        if rng.random() < trouble:
            foul(rng, board, same)
        for line in same:
            if rng.random() < trouble / 6:
                spoil(rng, line, pool)
    return late(rng, compared([line for line in lines if line["version"] != "missing"]))


def compared(lines: list[Line]) -> list[Line]:
    """Without the boards that only one table played, which the scorer refuses."""
    boards = [line["board"] for line in lines]
    return [line for line in lines if boards.count(line["board"]) > 1]


def outcomes(rng: Random, board: int) -> Pool:
    """A handful of ways the board was played, so that equal scores are common."""
    pool = [_outcome(rng, board) for _ in range(rng.randint(2, 5))]
    return pool + pool[:1] * rng.randint(0, 3)


def _outcome(rng: Random, board: int) -> Line:
    if rng.random() < 0.04:
        return PLAIN | {"passed_out": True}
    contract: Line = {
        "level": rng.choice((1, 2, 2, 3, 3, 4, 4, 4, 5, 6, 7)),
        "denomination": rng.choice("CDHSN"),
        "declarer": rng.choice("NESW"),
        "doubled": rng.choice((0, 0, 0, 0, 1, 2)),
    }
    tricks = min(13, max(0, 6 + contract["level"] + rng.choice((-4, -2, -1, -1, 0, 0, 0, 1, 2))))
    score = contract_score(board, contract, tricks)
    whole: Line = PLAIN | {"contract": contract, "tricks": tricks}
    return rng.choice((whole, whole | {"score": score}, PLAIN | {"score": score}))


def foul(rng: Random, board: int, same: list[Line]) -> None:
    """One or two groups met the board in another form; the cards differ, so do the results."""
    for version in rng.choice((("b",), ("b",), ("b", "c"))):
        pool = outcomes(rng, board)
        half = max(1, len(same) // 2)
        size = rng.choice((rng.randint(1, half), min(3, half), half))
        for line in rng.sample(same, size):
            line.update(rng.choice(pool) | {"version": version})


def spoil(rng: Random, line: Line, pool: Pool) -> None:
    """The line is lost, was not played, or a ruling takes the place of its score."""
    what = rng.choice(("missing", "not played", "ruling", "ruling", "ruling"))
    if what == "missing":
        line["version"] = "missing"
    elif what == "not played":
        line.update(PLAIN | {"version": ""})
    else:
        line["adjusted"] = ruling(rng, line["board"], pool)
        if rng.random() < 0.7:
            line.update(PLAIN | {"version": ""})


def ruling(rng: Random, board: int, pool: Pool) -> Line:
    """Average plus and the like, odd percentages, weighted scores; the sides may differ."""
    kind = rng.choice(("averages", "averages", "percentages", "weighted", "split", "mixed"))
    if kind == "averages":
        return {"ns": average(rng), "ew": average(rng)}
    if kind == "percentages":
        share = Fraction(rng.randint(30, 70), 100)
        return {"ns": artificial(share), "ew": artificial(1 - share)}
    same = weighted(rng, board, pool)
    if kind == "weighted":
        return {"ns": same, "ew": same}
    other = weighted(rng, board, pool) if kind == "split" else average(rng)
    sides = [same, other]
    rng.shuffle(sides)
    return {"ns": sides[0], "ew": sides[1]}


def average(rng: Random) -> Line:
    """Plus, average or minus, mostly with the session rule where it has one."""
    share = Fraction(*rng.choice(SHARES))
    return artificial(share, share != Fraction(1, 2) and rng.random() < 0.8)


def artificial(share: Fraction, session_rule: bool = False) -> Line:
    return {"share": str(share), "session_rule": session_rule}


def weighted(rng: Random, board: int, pool: Pool) -> Line:
    """One to three scores with weights that make 1."""
    count = rng.randint(1, 3)
    parts = rng.choice(WEIGHTS[count])
    scores = [_number(board, rng.choice(pool)) for _ in range(count)]
    pairs = zip(parts, scores, strict=True)
    return {"scores": [[str(Fraction(part, sum(parts))), score] for part, score in pairs]}


def _number(board: int, outcome: Line) -> int:
    if outcome["score"] is not None:
        return int(outcome["score"])
    if outcome["passed_out"]:
        return 0
    return contract_score(board, outcome["contract"], outcome["tricks"])


def late(rng: Random, lines: list[Line]) -> list[Line]:
    """Late plays come in last, so a board's lines need not stand together."""
    in_time: list[Line] = []
    held: list[Line] = []
    for line in lines:
        (held if rng.random() < 0.03 else in_time).append(line)
    return in_time + held


def penalties(rng: Random, entrants: list[str], units: tuple[str, ...]) -> list[Line]:
    """Procedural penalties, now and then one given back."""
    return [
        {"entrant": rng.choice(entrants), "amount": str(amount), "unit": rng.choice(units)}
        for amount in rng.choices((Fraction(1, 2), Fraction(10), Fraction(3), Fraction(-2)), k=2)
        if rng.random() < 0.4
    ]
