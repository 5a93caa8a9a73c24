"""The statistics of skill: results that can be compared, how well a strength orders them, and
ratings fitted to them. Nothing here knows a rulebook; docs/evidence/skill.md states the methods.

A *list* is what is ranked together: a line of a section, all of a Howell. Everything is compared
within a list only.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components
from scipy.sparse.linalg import LinearOperator, cg
from scipy.special import expit, logit, ndtri

from honours.errors import InputError
from honours.lab.corpus import Corpus, each_shard
from honours.lab.intervals import Estimate, ratio
from honours.lab.left_out import hold_back_few
from honours.lab.shards import Shard
from honours.lab.store import MISSING

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
FOLDS = 10
FEWEST_CLUBS = 5
"""With fewer, intervals are over events, for these members on other days."""
_NEIGHBOURS = 25
"""In a list of more than twice as many, each is compared with so many on either side of it in an
order drawn by lot."""
_CALIBRATED_ON = 400_000
_FEW = 4000
"""Players; for so many every error is worked out exactly."""
_WIDER = 1.08
"""By how much the errors of more are widened: without it 92.8% of 17,807 planted grades of 60 clubs
lay within their 95%, and 93.1% of 44,529 of 150 (``tests.lab.planted``)."""
_SPREAD = 8.0
"""The standard deviation of percentages in a list of real club games, for places alone."""
LUCK, FORM, PARTNERSHIP = 6.35, 2.0, 1.0
"""Standard deviations, in per cent of a session of 25 boards, of what no knowledge of the players
tells. Luck is seen in real games; how the rest divides into form and talent is assumed."""
BOARDS = 25
BANDS = (0.5, 0.55, 0.6, 0.65, 0.7, 0.8, 1.0)


@dataclass(frozen=True)
class Results:
    """Entrants with what they scored, a row each, in lists; the players of row k begin at
    ``starts[k]``. A holding that is not known is NaN; words of events are by ``of``, the row of
    the event."""

    ids: Ints
    labels: NDArray[Any]
    clubs: NDArray[Any]
    days: Ints
    boards: Floats
    sessions: Floats
    of: Ints
    lists: Ints
    score: Floats
    stratum: Ints
    starts: Ints
    player: Ints
    holding: Floats
    row: Ints
    """The row of each entrant in its piece of the corpus, to find awards by."""
    by_place: int = 0
    """How many lists tell places and no scores."""
    cluster: Ints | None = None
    """The club of each event, over which intervals are taken; without it over events."""

    @cached_property
    def sizes(self) -> Ints:
        return np.diff(self.starts)

    @cached_property
    def members(self) -> int:
        """The numbers of players end before it."""
        return 1 + int(self.player.max())

    @cached_property
    def row_of_player(self) -> Ints:
        return np.repeat(np.arange(len(self.score)), self.sizes)

    @cached_property
    def day(self) -> Ints:
        days: Ints = self.days[self.of]
        return days

    @cached_property
    def weight(self) -> Floats:
        """The weight of a score: its boards, in sessions of 25."""
        weights: Floats = np.where(self.boards > 0, self.boards / BOARDS, self.sessions)[self.of]
        return weights

    @cached_property
    def clusters(self) -> Ints:
        """The cluster each row is drawn with: a club's events share their members."""
        of: Ints = self.of if self.cluster is None else self.cluster[self.of]
        return of

    def mean(self, values: Floats) -> Floats:
        """The mean over the players of each entrant."""
        means: Floats = np.add.reduceat(values, self.starts[:-1]) / self.sizes
        return means

    def kept(self, rows: Bools) -> Bools:
        """Some of the entrants, without those who are left alone in their list."""
        left = np.bincount(self.lists[rows], minlength=int(self.lists.max()) + 1)
        kept: Bools = rows & (left[self.lists] > 1)
        return kept

    def only(self, rows: Bools) -> Results:
        """The results of some of the entrants."""
        kept = self.kept(rows)
        seats = kept[self.row_of_player]
        names = ("of", "lists", "score", "stratum", "row")
        return replace(
            self,
            **{name: getattr(self, name)[kept] for name in names},
            starts=np.append(0, np.cumsum(self.sizes[kept])),
            player=self.player[seats],
            holding=self.holding[seats],
        )


def results_of(shard: Shard) -> Results:
    """The entrants of a piece of a corpus that can be compared."""
    of, many = shard.event_of_entrant, len(shard.ids)
    line = np.zeros(len(of), np.int64) if shard.line is None else shard.line.astype(np.int64)
    section = np.maximum(shard.of_entrants.get("sat_in", np.zeros(len(of))).astype(np.int64), 0)
    _, lists = np.unique((of * 4 + line) * 512 + section, return_inverse=True)
    score, by_place = _scores(shard, lists)
    held = np.where(shard.holding == MISSING, np.nan, shard.holding / 100.0)
    sessions = np.maximum(_numbers(shard, "sessions", 1), 1)
    boards = _numbers(shard, "boards", 0)
    each = _numbers(shard, "boards_per_session", 0)
    found = Results(
        shard.ids.astype(np.int64),
        _labels(shard, sessions),
        _words(shard, "club", many),
        _numbers(shard, "date", MISSING).astype(np.int64),
        np.where(boards > 0, boards, each * sessions),
        sessions,
        of,
        lists,
        score,
        shard.stratum.astype(np.int64),
        shard.player_offsets,
        shard.player.astype(np.int64),
        held,
        np.arange(len(of)),
        by_place,
    )
    return found.only(np.ones(len(of), np.bool_)) if len(of) else found


def _numbers(shard: Shard, name: str, unknown: int) -> Floats:
    column = shard.events.get(name)
    if column is None:
        return np.full(len(shard.ids), float(unknown))
    return np.where(column == MISSING, unknown, column).astype(np.float64)


def _words(shard: Shard, name: str, many: int) -> NDArray[Any]:
    column = shard.events.get(name)
    return np.full(many, "", object) if column is None else np.asarray(column).astype(object)


def _labels(shard: Shard, sessions: Floats) -> NDArray[Any]:
    """The class of each event with its length, since sessions are never mixed."""
    classes = [str(text) or "–" for text in _words(shard, "class", len(shard.ids))]
    return np.array([f"{c} × {s:.0f}" for c, s in zip(classes, sessions, strict=True)], object)


def _scores(shard: Shard, lists: Ints) -> tuple[Floats, int]:
    """Percentages where a list tells them, else the normal score of the place, and how many lists
    are told by place alone."""
    many = np.bincount(lists)
    place = shard.place + (shard.tied - 1) / 2.0
    if shard.line is None and len(many) > len(shard.ids):  # places of the event, not of its lists
        order = np.lexsort((place, lists))
        begins = np.cumsum(many) - many
        ranks = np.empty(len(place))
        ranks[order] = np.arange(len(place)) - np.repeat(begins, many) + 1
        place = ranks
    by_place = 50 + _SPREAD * ndtri(np.clip((many[lists] + 0.5 - place) / many[lists], 1e-3, 0.999))
    column = shard.of_entrants.get("score")
    if column is None:
        return by_place, len(many)
    score = np.where(column == MISSING, np.nan, column / 10_000.0)
    with np.errstate(invalid="ignore"):  # of an event, since a small list may be far from 50
        mean = np.add.reduceat(score, shard.entrant_offsets[:-1]) / shard.sizes
        told = (abs(mean - 50) < 5)[shard.event_of_entrant] & (score >= 0) & (score <= 100)
        whole = (np.bincount(lists, told) == many)[lists]
    return np.where(whole, score, by_place), len(many) - len(np.unique(lists[whole]))


def results_to_tell(corpus: Corpus, on: str = "") -> Results:
    """The same for an answer, which is held back where it would tell of few members."""
    results = results_in(corpus, on)
    hold_back_few(np.unique(results.player).tolist())
    return results


def results_in(corpus: Corpus, on: str = "") -> Results:
    """All the results of a corpus that can be compared, in the order of its events."""
    parts = [part for part in each_shard(corpus, results_of, on) if len(part.score)]
    return by_clubs(joined(sorted(parts, key=lambda part: int(part.ids[0]))))


def by_clubs(results: Results) -> Results:
    """The results with intervals over clubs, if there are enough of them; an event that is no
    club's is by itself."""
    names, codes = np.unique(results.clubs.astype(str), return_inverse=True)
    alone = (names == "")[codes]
    if len(names) - bool(alone.any()) < FEWEST_CLUBS:
        return results
    return replace(results, cluster=np.where(alone, len(names) + np.arange(len(codes)), codes))


def joined(parts: Sequence[Results]) -> Results:
    """The results of several pieces of a corpus as one."""
    if not parts:
        raise InputError("no list of two entrants or more: there is nothing to compare")
    events = np.cumsum([0, *(len(part.ids) for part in parts)])
    lists = np.cumsum([0, *(1 + int(part.lists.max()) for part in parts)])
    begins = np.cumsum([0, *(len(part.player) for part in parts)])
    of_rows = ("score", "stratum", "row", "player", "holding")
    of_events = ("ids", "labels", "clubs", "days", "boards", "sessions")
    whole = {n: np.concatenate([getattr(p, n) for p in parts]) for n in (*of_rows, *of_events)}
    shifted = zip(parts, events, lists, begins, strict=False)
    of, codes, starts = zip(
        *((p.of + e, p.lists + c, p.starts[:-1] + b) for p, e, c, b in shifted), strict=True
    )
    return Results(
        **whole,
        of=np.concatenate(of),
        lists=np.concatenate(codes),
        starts=np.append(np.concatenate(starts), begins[-1]),
        by_place=sum(part.by_place for part in parts),
    )


# --- strengths ----------------------------------------------------------------------------------

_CALLS: dict[str, Callable[..., Any]] = {
    "log": np.log,
    "sqrt": np.sqrt,
    "max": np.maximum,
    "min": np.minimum,
}
_OPERATIONS: dict[type, Callable[..., Any]] = {
    ast.Add: np.add,
    ast.Sub: np.subtract,
    ast.Mult: np.multiply,
    ast.Div: np.divide,
    ast.Pow: np.power,
    ast.BitXor: np.power,
}


def formula(text: str) -> Callable[[Floats], Floats]:
    """A function of holdings as people write it: ``MP^0.4``, ``log(MP+10)``,
    ``max(MP, 300)^0.4``."""
    wrong = InputError(
        "{text!r} is not a strength; expected a function of MP, e.g. MP^0.4, log(MP+10) or "
        "max(MP,300)^0.4, or rating, holdings+rating, stratum or a rulebook's id",
        text=text,
    )

    def worked(node: ast.expr, held: Floats) -> Any:
        match node:
            case ast.Constant(value=int() | float() as number):
                return float(number)
            case ast.Name(id=name) if name.upper() == "MP":
                return held
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATIONS:
                return _OPERATIONS[type(op)](worked(left, held), worked(right, held))
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return -worked(operand, held)
            case ast.Call(func=ast.Name(id=name), args=args) if name in _CALLS:
                return _CALLS[name](*(worked(one, held) for one in args))
        raise wrong

    try:
        # `^` binds like a power here, as in mathematics.
        body = ast.parse(text.replace("^", "**"), mode="eval").body
        with np.errstate(all="ignore"):
            if not np.isfinite(worked(body, np.array([1.0, 500.0]))).all():
                raise wrong
    except (SyntaxError, TypeError, ValueError, RecursionError) as error:
        raise wrong from error
    return lambda held: np.asarray(worked(body, held), np.float64) + 0 * held


# --- comparisons --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Comparisons:
    """Pairs of entrants of one list: the rows of both, and how the first did: 1, ½ or 0."""

    results: Results
    i: Ints
    j: Ints
    won: Floats

    @staticmethod
    def of(results: Results) -> Comparisons:
        """Every pair of entrants of a list once; in long lists each with some drawn by lot."""
        many = len(results.score)
        order = np.lexsort((np.random.default_rng(1).random(many), results.lists))
        size = np.bincount(results.lists)[results.lists[order]]
        begin = np.searchsorted(results.lists[order], results.lists[order])
        nth = np.arange(many) - begin
        firsts, seconds = [], []
        for apart in range(1, min(_NEIGHBOURS, int(size.max()) // 2) + 1):
            rows = np.flatnonzero((2 * apart < size) | ((2 * apart == size) & (2 * nth < size)))
            firsts.append(order[rows])
            seconds.append(order[begin[rows] + (nth[rows] + apart) % size[rows]])
        i, j = np.concatenate(firsts), np.concatenate(seconds)
        return Comparisons(results, i, j, (np.sign(results.score[i] - results.score[j]) + 1) / 2)

    def __len__(self) -> int:
        return len(self.i)

    @cached_property
    def clusters(self) -> Ints:
        of: Ints = self.results.clusters[self.i]
        return of

    def gap(self, strength: Floats) -> Floats:
        gaps: Floats = strength[self.i] - strength[self.j]
        return gaps

    def right(self, strength: Floats) -> Floats:
        """Return how far each comparison comes out as the strengths say; equal strengths say ½,
        since a measure must not gain by calling everybody equal. NaN where a strength is not
        known."""
        right: Floats = 0.5 + np.sign(self.gap(strength)) * (self.won - 0.5)
        return right

    def only(self, some: Bools) -> Comparisons:
        return replace(self, i=self.i[some], j=self.j[some], won=self.won[some])


def sums(codes: Ints, values: Floats, many: int = 0) -> Floats:
    """Sums of values by code."""
    return np.bincount(codes, values, many).astype(np.float64)


def mean_of(clusters: Ints, values: Floats, of: Floats | None = None) -> Estimate:
    """The mean of values that are known, or their ratio to others, with its interval over
    clusters."""
    known = np.isfinite(values)
    _, at = np.unique(clusters[known], return_inverse=True)
    return ratio(
        sums(at, values[known]), sums(at, (np.ones(len(values)) if of is None else of)[known])
    )


def share_of(clusters: Ints, hits: Bools) -> Estimate:
    """The share of hits, with its interval on the scale of odds: a small share is not symmetric."""
    one = mean_of(clusters, hits.astype(np.float64))
    if one.low is None or not 0 < one.value < 1:
        return one
    odds, off = logit(one.value), (one.value - one.low) / (one.value * (1 - one.value))
    return Estimate(one.value, float(expit(odds - off)), float(expit(odds + off)))


def concordance(compared: Comparisons, strength: Floats) -> Estimate:
    """The share of comparisons that a strength orders right."""
    return mean_of(compared.clusters, compared.right(strength))


def paired_difference(compared: Comparisons, one: Floats, other: Floats) -> Estimate:
    """By how much more one strength is right than another on the same comparisons."""
    return mean_of(compared.clusters, compared.right(one) - compared.right(other))


def members_interval(compared: Comparisons, strength: Floats) -> Estimate:
    """Concordance with its interval for other members, not only other days of these: comparisons
    that share a player are not independent."""
    right = compared.right(strength)
    known = np.isfinite(right)
    i, j, right = compared.i[known], compared.j[known], right[known]
    results, value = compared.results, float(right.mean())
    off, many = right - value, len(compared.results.score)
    of_rows = np.bincount(i, off, many) + np.bincount(j, off, many)
    of_players = np.bincount(results.player, of_rows[results.row_of_player])
    itself = (results.sizes[i] + results.sizes[j] - 1) @ off**2
    variance = max(float(of_players @ of_players - itself), float(off @ off))
    half = 1.96 * np.sqrt(variance) / len(off)
    return Estimate(value, value - half, value + half)


def within(lists: Ints, values: Floats, weight: Floats | None = None) -> Floats:
    """Values less the mean of their list."""
    weights = np.ones(len(values)) if weight is None else weight
    total = np.bincount(lists, weights)
    mean = np.bincount(lists, weights * values) / np.where(total > 0, total, 1)
    less: Floats = values - mean[lists]
    return less


def _folds(events: Ints) -> Ints:
    """Return which tenth of the events each row is held out with."""
    names, at = np.unique(events, return_inverse=True)
    shuffled = np.random.default_rng(1).permutation(np.arange(len(names)) % FOLDS)
    folds: Ints = shuffled[at]
    return folds


def explained(results: Results, strength: Floats) -> tuple[float, Estimate]:
    """The variance within lists that a strength explains: of these events, and held out, with the
    slope from other events."""
    known = np.isfinite(strength)
    lists, events = results.lists[known], results.of[known]
    y, x = within(lists, results.score[known]), within(lists, strength[known])
    xy, xx, yy = x * y, x * x, y * y
    if not xx.sum() or not yy.sum():
        return 0.0, Estimate(0.0)
    inside = float(xy.sum() ** 2 / (xx.sum() * yy.sum()))
    fold = _folds(events)
    of_folds = [np.bincount(fold, v, FOLDS) for v in (xy, xx)]
    others = [v.sum() - v for v in of_folds]
    slope = np.divide(others[0], others[1], out=np.zeros(FOLDS), where=others[1] > 0)
    off = mean_of(results.clusters[known], (y - x * slope[fold]) ** 2, yy)
    low, high = (None if end is None else 1 - end for end in (off.high, off.low))
    return inside, Estimate(1 - off.value, low, high)


def _logistic(x: Floats, y: Floats) -> float:
    """b of P(win) = 1 / (1 + exp(−b x)) by Newton; no constant, since no side is first."""
    b = 0.0
    for _ in range(25):
        p = expit(b * x)
        curve = float((x * x) @ (p * (1 - p)))
        step = float(x @ (y - p)) / curve if curve else 0.0
        b += step
        if abs(step) < 1e-9 * max(1.0, abs(b)):
            break
    return b


@dataclass(frozen=True, slots=True)
class Calibrated:
    """The trust to be put in chances read off a strength: the held-out log loss (0.6931 knows
    nothing), the slope (1 is calibrated), and seen against predicted by bands."""

    loss: Estimate
    slope: float
    bands: tuple[tuple[float, float, int, float, float], ...]


def calibration(compared: Comparisons, strength: Floats) -> Calibrated:
    """The chances by other events beside what happened. The slope without a tenth of the events is
    one Newton step from that of all."""
    x, known = compared.gap(strength), np.isfinite(compared.gap(strength))
    rows = np.flatnonzero(known)
    if len(rows) > _CALIBRATED_ON:
        rows = np.sort(np.random.default_rng(1).choice(rows, _CALIBRATED_ON, replace=False))
    x, y, events = x[rows], compared.won[rows], compared.results.of[compared.i[rows]]
    spread = float(x.std()) or 1.0
    x = x / spread
    b, fold = _logistic(x, y), _folds(events)
    p = expit(b * x)
    slope = np.bincount(fold, x * (y - p), FOLDS)
    curve = np.bincount(fold, x * x * p * (1 - p), FOLDS)
    rest = np.maximum(curve.sum() - curve, 1e-12)
    held = b + (slope.sum() - slope) / rest
    chance = held[fold] * x
    p = np.clip(expit(chance), 1e-12, 1 - 1e-12)
    loss = -(y * np.log(p) + (1 - y) * np.log1p(-p))
    up, hit = np.maximum(p, 1 - p), np.where(p >= 0.5, y, 1 - y)
    bands = []
    for low, high in pairwise(BANDS):
        own = (up >= low) & (up < high)
        if own.any():
            bands.append((low, high, int(own.sum()), float(up[own].mean()), float(hit[own].mean())))
    return Calibrated(mean_of(compared.clusters[rows], loss), _logistic(chance, y), tuple(bands))


def ceiling(results: Results) -> float | None:
    """The concordance that perfect knowledge of the players would have: by how much the scores
    spread, and by what of that is luck, form and partnership in so many boards. Places alone do
    not tell it."""
    if 2 * results.by_place > len(np.unique(results.lists)):
        return None
    many = np.bincount(results.lists)[results.lists]
    seen = within(results.lists, results.score) ** 2 * many / (many - 1)
    chance = (LUCK**2 + FORM**2) / results.weight + PARTNERSHIP**2
    share = min(0.95, max(0.0, 1 - float(chance.mean()) / float(seen.mean())))
    return 0.5 + float(np.arcsin(np.sqrt(share))) / np.pi


# --- ratings ------------------------------------------------------------------------------------


class Ratings:
    """Grades of players: score = 50 + mean of the grades − strength of the list + chance, with
    grades drawn to a prior and, by ``club``, to the mean of a club. The strength of a list is free,
    so that it comes out of the players in it.

    Solves (X'WMX + λ) d = X'WM r by conjugate gradients; M takes the mean of a list off, and
    λ = σ²/τ². A grade is what one scores with a like partner in a field that averages 50.
    """

    def __init__(
        self,
        results: Results,
        members: int,
        shrink: float = 3.0,
        prior: Floats | None = None,
        club: Ints | None = None,
        shrink_club: float = 5.0,
        weight: Floats | None = None,
    ) -> None:
        self.results, self.members = results, members
        self.weight = results.weight if weight is None else weight
        clubs = 0 if club is None else int(club.max(initial=-1)) + 1
        self.club = club if clubs else None
        self.size = members + clubs
        self.shrink = np.concatenate([np.full(members, shrink), np.full(clubs, shrink_club)])
        _, self.lists = np.unique(results.lists, return_inverse=True)
        each, rows = 1 / results.sizes[results.row_of_player], results.row_of_player
        columns, values = results.player, each
        if self.club is not None:
            columns = np.concatenate([columns, members + self.club[results.player]])
            rows, values = np.concatenate([rows, rows]), np.concatenate([each, each])
        self.x = csr_matrix((values, (rows, columns)), (len(results.score), self.size))
        self.xt = self.x.T.tocsr()
        self.total = np.bincount(self.lists, self.weight)
        share = 1 - self.weight / self.total[self.lists]
        self.diagonal = self.xt.multiply(self.xt) @ (self.weight * share) + self.shrink
        self.prior = np.full(members, 50.0) if prior is None else prior
        rest = results.score - results.mean(self.prior[results.player])
        delta = self.solve(self.xt @ self._centred(rest))
        self.grade = self.prior + self._of_members(delta)
        off = self._centred(rest - self.x @ delta) / self.weight
        free = max(1.0, len(rest) - len(self.total) - self._degrees())
        self.variance = float(self.weight * off @ off) / free

    def _of_members(self, delta: Floats) -> Floats:
        own: Floats = delta[: self.members]
        return own if self.club is None else own + delta[self.members :][self.club]

    def _centred(self, values: Floats) -> Floats:
        mean = np.bincount(self.lists, self.weight * values) / self.total
        less: Floats = self.weight * (values - mean[self.lists])
        return less

    def _normal(self, values: Floats) -> Floats:
        product: Floats = self.xt @ self._centred(self.x @ values) + self.shrink * values
        return product

    def solve(self, right: Floats, tolerance: float = 1e-6) -> Floats:
        """Conjugate gradients, started from the diagonal."""
        shape = (self.size, self.size)
        normal = LinearOperator(shape, matvec=self._normal, dtype=np.float64)
        near = LinearOperator(shape, matvec=lambda v: v / self.diagonal, dtype=np.float64)
        found, failed = cg(normal, right, rtol=tolerance, maxiter=2000, M=near)
        if failed:
            raise InputError("the ratings did not settle: these results hardly connect anybody")
        solved: Floats = found
        return solved

    def _degrees(self) -> float:
        """Degrees of freedom used, tr(1 − λA⁻¹), by random probes."""
        random, used = np.random.default_rng(1), list[float]()
        probes = 8 if self.size <= _FEW else 2
        for _ in range(probes):
            signs = random.choice([-1.0, 1.0], self.size)
            used.append(self.size - float((self.shrink * signs) @ self.solve(signs, 1e-3)))
        return float(np.mean(used))

    def error_of(self, contrast: Floats, tolerance: float = 1e-6) -> float:
        """The standard error of a combination of grades: one solve."""
        if self.club is not None:
            of_clubs = np.bincount(self.club, contrast, self.size - self.members)
            contrast = np.concatenate([contrast, of_clubs])
        return float(np.sqrt(self.variance * (contrast @ self.solve(contrast, tolerance))))

    def errors(self, most: int = _FEW) -> Floats:
        """The standard error of every grade, exact for up to ``most`` players. Above, from each
        player's own results and those of the usual partner, since of two who always play together
        only the sum is known; widened to have the sum that random probes show."""
        if self.size <= most:
            pick = csr_matrix(
                (self.weight, (self.lists, np.arange(len(self.lists)))),
                (len(self.total), len(self.lists)),
            )
            means = pick @ self.x
            weighted = self.x.multiply(self.weight[:, None]).tocsr()
            whole = self.xt @ weighted - means.T @ means.multiply(1 / self.total[:, None]).tocsr()
            inverse = np.linalg.inv(whole.toarray() + np.diag(self.shrink))
            own = np.arange(self.members)
            variance = inverse[own, own]
            if self.club is not None:
                at = self.members + self.club
                variance = variance + 2 * inverse[own, at] + inverse[at, at]
            exact: Floats = np.sqrt(self.variance * variance)
            return exact
        own = self.diagonal[: self.members]
        shared = (self.xt @ self.x.multiply(self.weight[:, None]).tocsr())[
            : self.members, : self.members
        ]
        shared.setdiag(0)
        usual = np.asarray(shared.argmax(axis=1)).reshape(-1)
        together = np.asarray(shared.max(axis=1).todense()).reshape(-1)
        alone = np.maximum(own - together**2 / own[usual], own / 10)
        near: Floats = np.sqrt(self.variance / alone)
        random = np.random.default_rng(1)
        total = [self.error_of(random.choice([-1.0, 1.0], self.members), 1e-3) for _ in range(2)]
        more = max(0.0, float(np.mean(np.square(total)) - near @ near)) / self.members
        return _WIDER * np.sqrt(near**2 + more)

    def groups(self) -> Ints:
        """The group of each player who has met others, directly or through others; grades of
        different groups compare by the prior alone."""
        lists, seats = len(self.total), self.lists[self.results.row_of_player]
        size = lists + self.members
        links = (np.ones(len(seats)), (seats, lists + self.results.player))
        label: Ints = connected_components(csr_matrix(links, (size, size)), directed=False)[1]
        return label[lists:].astype(np.int64)


def slope_within(results: Results, strength: Floats) -> float:
    """Per cent of a session for a unit of a strength, within lists."""
    known = np.isfinite(strength)
    x = within(results.lists[known], strength[known])
    y = within(results.lists[known], results.score[known])
    return float(x @ y / (x @ x)) if (x @ x) else 0.0


def holdings_of(results: Results, members: int) -> Floats:
    """Each member's last known holding; NaN if none is."""
    held = np.full(members, np.nan)
    known = np.isfinite(results.holding)
    held[results.player[known]] = results.holding[known]
    return held


def holdings_prior(results: Results, held: Floats) -> Floats:
    """The grade that holdings alone suggest: by the slope of scores on log(MP + 10) within lists;
    50 for whom nothing is known of."""
    logs = np.log(held + 10)
    known = np.isfinite(logs)
    if not known.any():
        return np.full(len(held), 50.0)
    slope = slope_within(results, results.mean(logs[results.player]))
    prior: Floats = 50 + slope * np.where(known, logs - logs[known].mean(), 0.0)
    return prior


def home_clubs(results: Results, members: int) -> tuple[Ints | None, list[str]]:
    """The club each member plays in most, and the names of the clubs; none if fewer than two are
    named."""
    names, codes = np.unique(results.clubs.astype(str), return_inverse=True)
    if len(names) < 2:
        return None, list(names)
    of = codes[results.of][results.row_of_player]
    counts = csr_matrix((np.ones(len(of)), (results.player, of)), (members, len(names)))
    home: Ints = np.asarray(counts.argmax(axis=1)).reshape(-1).astype(np.int64)
    return home, list(names)


def late_rows(results: Results) -> Bools:
    """The rows of the last fifth of the season, or of every fifth event if no dates are known."""
    known = results.days[results.days != MISSING]
    if len(np.unique(known)) < 5:
        late: Bools = results.of % 5 == 4
        return late
    return results.day >= np.quantile(results.day, 0.8)


def rated(results: Results, members: int, with_holdings: bool) -> Ratings:
    """The ratings of a history with partners, fields and clubs. λ is 3, or 5 with holdings: the
    values that predict best where truth is known."""
    prior = holdings_prior(results, holdings_of(results, members)) if with_holdings else None
    club, _ = home_clubs(results, members)
    shrink = 5.0 if with_holdings else 3.0
    return Ratings(results, members, shrink, prior, club, 50.0 if with_holdings else 5.0)


def class_names(results: Results) -> tuple[list[str], Ints]:
    """The classes of events with their lengths, and the class of each row."""
    names, codes = np.unique(results.labels.astype(str), return_inverse=True)
    return list(names), codes[results.of]
