"""The rewards of skill, attendance and luck; and which fields pay more for the same skill."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations_with_replacement
from typing import Any

import numpy as np

from honours.engine.numbers import SCALE
from honours.engine.rulebook import Rulebook
from honours.errors import InputError
from honours.lab.corpus import Corpus, each_shard
from honours.lab.intervals import Estimate, student
from honours.lab.left_out import FEW_MEMBERS, hold_back_few
from honours.lab.predict import ends
from honours.lab.result import Answer, Frame
from honours.lab.shard_awards import award_shard
from honours.lab.shards import Shard, ranked
from honours.lab.sides import Side, as_side, name_of
from honours.lab.skill import (
    Bools,
    Floats,
    Ints,
    Ratings,
    Results,
    by_clubs,
    class_names,
    home_clubs,
    joined,
    late_rows,
    mean_of,
    rated,
    results_of,
    results_to_tell,
    share_of,
    sums,
    within,
)
from honours.model.message import Message, mark
from honours.model.message import joined as sentences

_REPLAYS = 3
_FOLDS, _BLOCKS = 5, 50
_CLASSES = 3
_SIZES = (0, 8, 14, 24, 40, 80)
_SHOWN = 5
_SEED = 34


@dataclass(frozen=True, slots=True)
class PaidResults:
    """Results with what each player of an entrant was paid, by side."""

    results: Results
    points: Floats
    """By side and row."""


def _paid(sides: Sequence[Side], replay: tuple[Floats, float, int] | None, shard: Shard) -> Any:
    """The results of a piece and what the sides pay, in events that all of them award. In a
    ``replay`` the same pairs meet in the same fields with the given grades, and new luck."""
    results = results_of(shard)
    if replay is not None and len(results.score):
        shard = _replayed(shard, results, *replay)
    awarded = np.ones(len(shard.ids), np.bool_)
    points = np.zeros((len(sides), len(shard.entrant)))
    for k, side in enumerate(sides if len(shard.ids) else ()):
        awards = award_shard(side, shard)
        awarded &= ~awards.refused
        points[k] = np.add.reduceat(awards.each_player(shard), shard.player_offsets[:-1])
    points /= np.maximum(1, np.diff(shard.player_offsets)) * SCALE
    kept = results.kept(awarded[results.of]) if len(results.score) else np.zeros(0, np.bool_)
    return PaidResults(results.only(kept), points[:, results.row[kept]]) if kept.any() else None


def _replayed(shard: Shard, results: Results, grade: Floats, noise: float, seed: int) -> Shard:
    quality = results.mean(grade[results.player])
    random = np.random.default_rng((seed, shard.number))
    luck = np.sqrt(noise / results.weight) * random.standard_normal(len(quality))
    score = np.zeros(len(shard.entrant))
    score[results.row] = within(results.lists, quality + luck)
    line = np.zeros(len(score), np.int64) if shard.line is None else shard.line.astype(np.int64)
    place, tied = ranked(shard.event_of_entrant * 4 + line, -np.round(score, 2))
    stale = ("score_place", "overall_place")
    kept = {name: column for name, column in shard.of_entrants.items() if name not in stale}
    whole, shared = place.astype(np.uint16), tied.astype(np.uint16)
    return replace(shard, of_entrants=kept, place=whole, tied=shared)


def paid_results(
    corpus: Corpus,
    sides: Sequence[Side],
    on: str = "",
    replay: tuple[Floats, float, int] | None = None,
) -> PaidResults:
    """All results with what the sides pay, in events that all of them award."""
    work = partial(_paid, tuple(sides), replay)
    parts = [part for part in each_shard(corpus, work, on) if part is not None]
    if not parts:
        raise InputError("no event that all of them award can be compared")
    parts.sort(key=lambda part: int(part.results.ids[0]))
    whole = by_clubs(joined([part.results for part in parts]))
    return PaidResults(whole, np.concatenate([part.points for part in parts], axis=1))


# --- the shares -----------------------------------------------------------------------------------


def polynomial(columns: Sequence[Floats], degree: int = 3) -> Floats:
    """All products of standardised columns up to a degree."""
    z = [(c - c.mean()) / (c.std() or 1.0) for c in columns]
    terms = [np.ones(len(columns[0]))]
    for d in range(1, degree + 1):
        picks = combinations_with_replacement(range(len(z)), d)
        terms += [np.prod([z[k] for k in pick], axis=0) for pick in picks]
    return np.stack(terms, 1)


class Explained:
    """The share of the variance of points that a cubic polynomial of some variables explains in
    members not in the fit. Members are in blocks, and blocks in folds."""

    def __init__(self, columns: Sequence[Floats], points: Floats, block: Ints) -> None:
        order, counts = np.argsort(block, kind="stable"), np.bincount(block)
        both = np.column_stack([polynomial(columns), points])[order]
        begins = np.cumsum(counts) - counts
        self.products = np.stack(
            [part.T @ part for part in np.split(both, begins[1:])]
        )  # of each block
        self.fold = np.arange(len(counts)) % _FOLDS

    def share(self, weight: Floats) -> float:
        products = np.einsum("b,bij->bij", weight, self.products)
        folds = np.stack([products[self.fold == k].sum(0) for k in range(_FOLDS)])
        whole, off = folds.sum(0), 0.0
        for own in folds:
            rest = whole - own
            beta = np.linalg.lstsq(rest[:-1, :-1], rest[:-1, -1], rcond=1e-10)[0]
            turn = np.append(beta, -1.0)
            off += float(turn @ own @ turn)
        variance = whole[-1, -1] - whole[0, -1] ** 2 / whole[0, 0]
        return max(0.0, 1 - off / variance) if variance > 0 else 0.0


def shares(
    skill: Floats, attendance: Sequence[Floats], points: Floats, block: Ints | None = None
) -> tuple[Estimate, Estimate]:
    """Return what part of the differences in points is skill and what attendance: the mean gain of
    each over both orders of entering (Shapley), with the interval that leaving out each block of
    members shows (jackknife)."""
    if block is None:
        block = np.random.default_rng(_SEED).permutation(len(points)) % _BLOCKS
    _, block = np.unique(block, return_inverse=True)
    groups = [skill], [*attendance], [skill, *attendance]
    models = [Explained(columns, points, block) for columns in groups]

    def split(weight: Floats) -> tuple[float, float]:
        s, n, both = (model.share(weight) for model in models)
        return (s + both - n) / 2, (n + both - s) / 2

    many = 1 + int(block.max())
    value = split(np.ones(many))
    without = np.array([split(1.0 - one) for one in np.eye(many)])
    error = np.sqrt((many - 1) / many * ((without - without.mean(0)) ** 2).sum(0))
    half = student(many - 1) * error
    skilled, attending = (
        Estimate(own, float(own - off), float(own + off))
        for own, off in zip(value, half, strict=True)
    )
    return skilled, attending


def _by_member(results: Results, values: Floats, members: int) -> Floats:
    return sums(results.player, values[results.row_of_player], members)


def _halves(results: Results) -> Ints:
    """Every other event of a club, in the order of days: of all events it would be every other
    club where they all play on one day."""
    order = np.lexsort((results.days, results.clubs.astype(str)))
    half = np.empty(len(order), np.int64)
    half[order] = np.arange(len(order)) % 2
    halves: Ints = half[results.of]
    return halves


def _mean_estimate(parts: Sequence[Estimate]) -> Estimate:
    """The mean of two estimates of one thing, as wide as either."""
    value = float(np.mean([part.value for part in parts]))
    low = float(np.mean([part.low or 0.0 for part in parts]))
    return Estimate(value, low, float(np.mean([part.high or 0.0 for part in parts])))


def _divided(
    paid: PaidResults, grades: Sequence[Floats], half: Ints, side: int
) -> tuple[Estimate, Estimate]:
    """Skill and attendance in what one side pays. Skill is the rating of the other half of the
    season, with holdings: that of the sessions that were paid would count luck as skill."""
    found = []
    home = home_clubs(paid.results, len(grades[0]))[0] if paid.results.cluster is not None else None
    for k, grade in enumerate(grades):
        rows = half == k
        own = paid.results.only(rows)
        members = len(grade)
        points = _by_member(own, paid.points[side][paid.results.kept(rows)], members)
        names, codes = class_names(own)
        common = np.argsort(-np.bincount(codes, minlength=len(names)))[: _CLASSES - 1]
        counts = [_by_member(own, (codes == c).astype(np.float64), members) for c in common]
        counts.append(_by_member(own, np.ones(len(codes)), members) - sum(counts))
        played = sum(counts) > 0
        varied = [c[played] for c in counts if c[played].std() > 0]
        block = None if home is None else home[played]
        found.append(shares(grade[played], varied, points[played], block))
    skill, attendance = zip(*found, strict=True)
    return _mean_estimate(skill), _mean_estimate(attendance)


METHOD = mark(
    "Differences between members in the points of half a season. Skill is the rating of the "
    "other half, with holdings ({correlation:.2f} with that of this half). Attendance is "
    "sessions by class of event. Luck is the change when the season is replayed {replays} "
    "times with the same pairs in the same fields. The rest is partners, clubs, fields and "
    "lack of fit. The levels depend on who plays what: compare rules with each other, on one "
    "history."
)


def fair(
    corpus: Corpus,
    rulebooks: Sequence[str | Side],
    progress: Callable[..., None],
    on: str = "",
) -> Answer:
    """Return what part of the differences in points is skill, attendance and luck under each rule,
    and which fields pay more for the same skill."""
    sides = [as_side(one, corpus) for one in rulebooks]
    paid = paid_results(corpus, sides, on)
    results, steps = paid.results, _REPLAYS + 3
    progress(1, steps)
    members = results.members
    hold_back_few(np.unique(results.player).tolist())
    half = _halves(results)
    grades = [rated(results.only(half != k), members, True).grade for k in (0, 1)]
    whole = rated(results, members, True)
    progress(2, steps)
    luck = _luck(corpus, sides, whole, paid, on, lambda done: progress(2 + done, steps))
    both = np.isin(np.arange(members), results.player[half[results.row_of_player] == 0])
    both &= np.isin(np.arange(members), results.player[half[results.row_of_player] == 1])
    rows = []
    for k, side in enumerate(sides):
        skill, attendance = _divided(paid, grades, half, k)
        rest = None if luck is None else 1 - skill.value - attendance.value - luck[k]
        rows.append(
            {
                "rulebook": name_of(side),
                **ends("skill %", skill, 100),
                **ends("attendance %", attendance, 100),
                "luck %": None if luck is None else 100 * luck[k],
                "company and rest %": None if rest is None else 100 * rest,
            }
        )
    pair = results.mean(whole.grade[results.player])
    frames = (
        Frame.of(Message("What the differences in points are"), rows),
        Frame.of(
            Message("Points for the same skill, 1 is fair"),
            list(_indices(paid, pair, sides)),
        ),
        Frame.of(
            Message("Events that pay most and least for the same skill"),
            list(_extremes(paid, pair, sides)),
        ),
    )
    progress(steps, steps)
    correlation = float(np.corrcoef(grades[0][both], grades[1][both])[0, 1]) if both.any() else 0.0
    return Answer.about(
        corpus,
        Message("What points reward"),
        _sentence(rows),
        frames,
        (Message(METHOD, correlation=correlation, replays=_REPLAYS), SHRUNK),
        sides,
    )


SHRUNK = Message(
    "Grades are estimated and therefore drawn together, which stretches the index of the weakest "
    "and the strongest fields by about a tenth. Its intervals are by events; of few clubs they are "
    "too narrow."
)


def _luck(
    corpus: Corpus,
    sides: Sequence[Side],
    ratings: Ratings,
    paid: PaidResults,
    on: str,
    progress: Callable[[int], None],
) -> list[float] | None:
    """The share of the variance between members that luck makes, by side; nobody can be paid
    again for what was paid."""
    if not all(isinstance(side, Rulebook) for side in sides):
        return None
    drawn = []
    for k in range(_REPLAYS):
        again = paid_results(corpus, sides, on, (ratings.grade, ratings.variance, _SEED + k))
        drawn.append([_by_member(again.results, p, ratings.members) for p in again.points])
        progress(k + 1)
    played = np.bincount(paid.results.player, minlength=ratings.members) > 0
    totals = np.array(drawn)[:, :, played]
    return [
        float(totals[:, k].var(0, ddof=1).mean() / max(totals[:, k].var(1).mean(), 1e-12))
        for k in range(len(sides))
    ]


def fair_curve(points: Floats, grade: Floats, sessions: Floats) -> Floats:
    """Return entrants' pay by the common curve of points a session over grades: a cubic."""
    x = polynomial([grade])
    beta = np.linalg.lstsq(x, points / sessions, rcond=None)[0]
    curve: Floats = np.maximum(x @ beta, 0) * sessions
    return curve


def _bands(paid: PaidResults, pair: Floats) -> Iterator[tuple[Message, str, Bools]]:
    """The groups of fields that the index is shown for."""
    results = paid.results
    many = np.bincount(results.of)
    names, codes = class_names(results)
    for code, name in enumerate(names):
        yield Message("class"), name, codes == code
    strength = (sums(results.of, pair) / np.maximum(many, 1))[results.of]
    low, high = np.quantile(strength, (1 / 3, 2 / 3))
    thirds = (
        (Message("weakest third"), strength <= low),
        (
            Message("middle third"),
            (strength > low) & (strength <= high),
        ),
    )
    for name, own in (*thirds, (Message("strongest third"), strength > high)):
        yield Message("strength"), name, own
    band = np.searchsorted(_SIZES, many[results.of], "right") - 1
    for code, least in enumerate(_SIZES):
        more = Message("{least:,} and more", least=least)
        last = code == len(_SIZES) - 1
        yield Message("entrants"), more if last else f"{least}–{_SIZES[code + 1] - 1}", band == code


def _indices(paid: PaidResults, pair: Floats, sides: Sequence[Side]) -> Iterator[dict[str, Any]]:
    results, sessions = paid.results, paid.results.sessions[paid.results.of]
    curves = [fair_curve(points, pair, sessions) for points in paid.points]
    for by, name, own in _bands(paid, pair):
        events = len(np.unique(results.of[own]))
        if events < 2:
            continue
        row: dict[str, Any] = {"by": by, "fields": name, "events": events}
        for side, points, curve in zip(sides, paid.points, curves, strict=True):
            index = mean_of(results.clusters[own], points[own], curve[own])
            row |= ends(name_of(side), index)
        yield row


def _extremes(paid: PaidResults, pair: Floats, sides: Sequence[Side]) -> Iterator[dict[str, Any]]:
    """The events that pay most and least of what the same skills get elsewhere."""
    results = paid.results
    many = np.bincount(results.of, minlength=len(results.ids))
    for side, points in zip(sides, paid.points, strict=True):
        curve = fair_curve(points, pair, results.sessions[results.of])
        fair_total = sums(results.of, curve, len(results.ids))
        index = sums(results.of, points, len(results.ids)) / np.maximum(fair_total, 1e-9)
        large = np.flatnonzero((many >= FEW_MEMBERS) & (fair_total > 0))
        order = large[np.argsort(index[large])]
        for event in [*order[::-1][:_SHOWN], *order[:_SHOWN][::-1]]:
            yield {
                "rulebook": name_of(side),
                "event": int(results.ids[event]),
                "class": str(results.labels[event]),
                "entrants": int(many[event]),
                "paid for the same skill": float(index[event]),
            }


def _sentence(rows: Sequence[dict[str, Any]]) -> Message:
    return Message(
        "{parts}.",
        parts=sentences(
            "; ",
            [
                Message(
                    "under {rulebook}, {skill:.0f}% of the differences in points between members "
                    "is skill ({low:.0f}–{high:.0f}) and {often:.0f}% how often they play",
                    rulebook=row["rulebook"],
                    skill=row["skill %"],
                    low=row["skill % from (95%)"],
                    high=row["skill % to (95%)"],
                    often=row["attendance %"],
                )
                for row in rows
            ],
        ),
    )


# --- placement ------------------------------------------------------------------------------------


def thirds(values: Floats, parts: int = 3) -> Ints:
    """The stratum of each value, 0 the weakest; equal values go down together."""
    strata: Ints = np.searchsorted(np.quantile(values, np.arange(1, parts) / parts), values)
    return strata


def placement(corpus: Corpus, progress: Callable[..., None], on: str = "") -> Answer:
    """Count the entrants that stand in the right third by points and by rating. What is right is
    the rating of later sessions: it is uncertain itself, so that every share is a lower bound."""
    results = results_to_tell(corpus, on)
    members = results.members
    progress(1, 3)
    late = _late_half(results)
    early, later = results.only(~late), results.only(late)
    measures = {
        Message("holdings"): later.mean(later.holding),
        Message("log(MP+10)"): later.mean(np.log(later.holding + 10)),
        Message("the stronger partner's holding"): np.maximum.reduceat(
            later.holding, later.starts[:-1]
        ),
        Message("rating"): later.mean(rated(early, members, False).grade[later.player]),
        Message("rating drawn to holdings"): later.mean(
            rated(early, members, True).grade[later.player]
        ),
    }
    progress(2, 3)
    truth = later.mean(rated(later, members, False).grade[later.player])
    rows = [
        {"placed by": name, **row}
        for name, values in measures.items()
        if (row := _placed(later, values, truth))
    ]
    stratum = _placed(later, -later.stratum.astype(np.float64), truth)
    if later.stratum.any() and stratum:
        rows.append({"placed by": Message("the strata as they were"), **stratum})
    progress(3, 3)
    by = {row["placed by"]: row for row in rows}
    best, held = by[Message("rating drawn to holdings")], rows[0]
    text = Message(
        "At least {held:.0f} of 100 entrants stand in the right third by {by}, and at least "
        "{rating:.0f} by a rating that takes account of holdings.",
        held=held["right %"],
        by=held["placed by"],
        rating=best["right %"],
    )
    frame = Frame.of(Message("Entrants in the right third of all"), rows)
    return Answer.about(
        corpus, Message("Are entrants placed right?"), text, (frame,), (LOWER_BOUND,)
    )


LOWER_BOUND = Message(
    "Right is where the rating of the second half of the season puts an entrant; measures know "
    "the first half only. That rating is uncertain itself: where truth is known, holdings place 71 "
    "of 100 right and both together 78."
)


def _late_half(results: Results) -> Bools:
    days = results.day
    if len(np.unique(results.days)) < 2:
        return late_rows(results)
    late: Bools = days >= np.quantile(days, 0.5)
    return late


def _placed(results: Results, values: Floats, truth: Floats) -> dict[str, Any] | None:
    known = np.isfinite(values)
    if not known.any():
        return None
    off = abs(thirds(values[known]) - thirds(truth[known]))
    clusters = results.clusters[known]
    right, far = (share_of(clusters, own) for own in (off == 0, off >= 2))
    return {
        "entrants": int(known.sum()),
        **ends("right %", right, 100),
        **ends("two off %", far, 100),
    }
