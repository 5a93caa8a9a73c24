"""What each source says is right: the awards of an event, read from the sources once more.

Nothing of ``honours`` is imported, and nothing is shared with its rulebooks: an event is plain
data, a power is worked out in decimals of fifty digits, a place is counted by comparing everybody
with everybody. ``right(event)`` is what every entrant is awarded, or ``REFUSED``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal, localcontext
from fractions import Fraction
from math import ceil

REFUSED = "refused"
Awards = dict[str, Fraction]
NOTHING = Fraction(0)


@dataclass(frozen=True, slots=True)
class Person:
    """A player: what he holds or is rated at, and the boards he played where it is told."""

    name: str
    holding: Fraction = NOTHING
    rating: Fraction = NOTHING
    boards: int | None = None


@dataclass(frozen=True, slots=True)
class Competitor:
    """A pair, a team or a player, with the score it made and where it sat."""

    id: str
    people: tuple[Person, ...]
    score: Fraction
    line: str = ""
    stratum: str = ""
    section: str = ""
    group: str = ""
    won: int = 0
    drawn: int = 0
    sessions: tuple[Fraction, ...] = ()
    """What it scored in each session, where each is told."""


@dataclass(frozen=True, slots=True)
class Contest:
    """An event as it was: all that any source asks about it."""

    source: str
    kind: str
    """pairs, individual, teams (of four at two tables), swiss-teams or swiss-pairs."""
    who: tuple[Competitor, ...]
    winners: int = 1
    boards: int = 24
    sessions: int = 1
    matches: int = 0
    grade: str = "regional"
    """The class of an ACBL event."""
    limit: int = 0
    restrictions: int = 0
    structure: str = "open"
    strata: tuple[str, ...] = ()
    """Highest first."""
    championship: str = "none"
    supervised: bool = False
    open_section: bool = True
    limits: dict[str, int] = field(default_factory=dict)


def right(contest: Contest) -> Awards | str:
    """What everybody is awarded."""
    groups = sorted({one.group for one in contest.who})
    if len(groups) > 1:
        every = [replace(contest, who=_of(contest.who, group=g)) for g in groups]
        paid = [right(one) for one in every]
        return {k: v for one in paid if isinstance(one, dict) for k, v in one.items()} or REFUSED
    return SOURCES[contest.source](contest)


def _of(who: Sequence[Competitor], **wanted: str) -> tuple[Competitor, ...]:
    return tuple(w for w in who if all(getattr(w, k) == v for k, v in wanted.items()))


def _places(who: Sequence[Competitor], by: Callable[[Competitor], Fraction]) -> dict[str, range]:
    """The places that each covers: those of a tie cover as many as they are."""
    covered = {}
    for one in who:
        better = sum(by(other) > by(one) for other in who)
        level = sum(by(other) == by(one) for other in who)
        covered[one.id] = range(better + 1, better + level + 1)
    return covered


def _half_up(value: Fraction, unit: str) -> Fraction:
    size = Fraction(unit)
    return (value / size + Fraction(1, 2)).__floor__() * size


def _power(base: Fraction, exponent: Fraction) -> Fraction:
    if base == 0:
        return NOTHING
    with localcontext() as exact:
        exact.prec = 50
        whole = Decimal(base.numerator) / Decimal(base.denominator)
        return Fraction(whole ** (Decimal(exponent.numerator) / Decimal(exponent.denominator)))


def _log10(value: Fraction) -> Fraction:
    with localcontext() as exact:
        exact.prec = 50
        return Fraction((Decimal(value.numerator) / Decimal(value.denominator)).log10())


# --- the Scottish guide of 2016 -------------------------------------------------------------------

_WIN = dict(zip(range(5, 19), (8, 9, 11, 12, 14, 15, 17, 18, 20, 21, 23, 24, 26, 27), strict=True))
_DRAW = dict(zip(range(5, 19), (4, 5, 6, 6, 7, 8, 9, 9, 10, 11, 12, 12, 13, 14), strict=True))


def scottish(contest: Contest) -> Awards | str:
    swiss, kind = contest.kind.startswith("swiss"), contest.kind.removeprefix("swiss-")
    many, who = len(contest.who), contest.who
    tables = {"pairs": many // 2, "individual": many // 4, "teams": many}[kind]
    needed = 4 if contest.winners == 2 else {"pairs": 3, "individual": 2, "teams": 3}[kind]
    if contest.supervised or contest.boards < 20 or tables < needed:
        return REFUSED
    if swiss:
        each = contest.boards // contest.matches
        if each < 5 or many < 3 * contest.matches or contest.championship == "minor":
            return REFUSED
        major = contest.championship == "major"
        top = Fraction(min(many * (6 if major else 4), 300 if major else 200))
        win = each * 3 if major else _WIN[min(each, 18)]
        draw = ceil(Fraction(win, 2)) if major else _DRAW[min(each, 18)]
        bonus = _steps(who, ceil(Fraction(many, 4)), top)
        return {w.id: bonus[w.id] + w.won * win + w.drawn * draw for w in who}
    lists = [_of(who, line=line) for line in ("NS", "EW")] if contest.winners == 2 else [who]
    step, most = (10, 100) if kind == "teams" or contest.winners == 2 else (6, 96)
    if kind == "individual":
        step, most = 3, 48
    paid: Awards = {}
    for own in lists:
        thirds = ceil(Fraction(len(own), 3))
        places = ceil(Fraction(len(own), 2)) if contest.boards > 36 else thirds
        top = Fraction(min(thirds * step, most))
        if contest.championship == "major":
            top *= Fraction(3, 2)
        elif contest.championship == "minor" and contest.boards >= 36:
            top = _half_up(top * Fraction(9, 8), "1")
        paid |= _steps(own, places, top)
    return paid


def _steps(who: Sequence[Competitor], places: int, top: Fraction) -> Awards:
    """Equal steps down from the top, each rounded up; ties share what they cover, rounded up, and
    whoever ties for the last place that is paid gets its award."""
    award = {p: Fraction(ceil(top * (places + 1 - p) / places)) for p in range(1, places + 1)}
    covered = _places(who, lambda one: one.score)
    return {
        one: max(
            Fraction(ceil(sum((award.get(p, NOTHING) for p in own), NOTHING) / len(own))),
            award[places] if places in own else NOTHING,
        )
        for one, own in covered.items()
    }


def withheld(contest: Contest) -> set[str]:
    """The players who get nothing of it, having played too few boards."""
    if contest.source != "sbu-clubs-2016":
        return set()
    people = (p for w in contest.who for p in w.people)
    return {p.name for p in people if p.boards is not None and p.boards < 20}


# --- ACBL -----------------------------------------------------------------------------------------

Curve = Callable[[int], Fraction]


def _depth(entrants: Fraction) -> int:
    least = max((n for size, n in ((6, 3), (12, 4), (16, 5)) if entrants >= size), default=0)
    return max(ceil(entrants / 4), least)


def _below(first: Fraction, sessions: int) -> Curve:
    """Places below first, from the first as it is printed."""
    last = {1: 8, 2: 4}.get(sessions, 3)

    def award(place: int) -> Fraction:
        if place <= last:
            return first * Fraction(3, 4) ** (place - 1)
        if sessions == 1:
            return first / place
        return sessions * first / (place + 2 * sessions - 3)

    return award


def _shared(who: Sequence[Competitor], award: Curve, paid: int, by: int = -1) -> Awards:
    """Ties share the mean of the places they cover, unpaid ones counting nothing."""
    covered = _places(who, lambda one: one.score if by < 0 else one.sessions[by])
    return {
        one: _half_up(
            sum((award(p) for p in own if p <= paid), NOTHING) / len(own),
            "0.01",
        )
        for one, own in covered.items()
    }


def _best(*lists: Awards) -> Awards:
    best: Awards = {}
    for own in lists:
        for one, amount in own.items():
            best[one] = max(best.get(one, NOTHING), amount)
    return best


_KIND = {"swiss-teams": "teams", "swiss-pairs": "pairs"}


def general(contest: Contest) -> Awards | str:
    factor = {"sectional": 10, "regional": 14}.get(contest.grade)
    limit = contest.limit
    if factor is None or limit > 750:
        return REFUSED
    kind = _KIND.get(contest.kind, contest.kind)
    many = Fraction(len(contest.who))
    tables = many / {"pairs": 2, "individual": 4, "teams": 1}[kind]
    size = (tables + 10) / 60 if tables <= 60 else _log10(tables / 4)
    low, high = Fraction(1, 2), Fraction(7, 10)
    strength = Fraction(1)
    if limit:
        strength = low + (high - low) * Fraction(max(limit, 100) - 100, 650)
    restricted = (Fraction(1), Fraction(4, 5), Fraction(7, 10))[min(contest.restrictions, 2)]
    sessions = Fraction(contest.sessions + 1, 2)
    of_kind = Fraction(3, 4) if kind == "individual" else Fraction(1)
    first = _half_up(size * factor * sessions * strength * restricted * of_kind, "0.01")
    return _shared(contest.who, _below(first, contest.sessions), _depth(many))


def strength_2011(contest: Contest) -> Awards | str:
    kind = _KIND.get(contest.kind, contest.kind)
    if kind == "individual" or contest.grade not in ("regional", "sectional"):
        return REFUSED
    if contest.structure == "bracket" and kind == "pairs":
        return REFUSED
    lists, top = [], contest.strata[0] if contest.strata else ""
    for stratum in contest.strata or ("",):
        eligible = _eligible(contest, stratum)
        if eligible:
            whole = _first_2011(contest, eligible, contest.sessions)
            if stratum and stratum == top:
                alone = [w for w in eligible if w.stratum == top]
                apart = _first_2011(contest, alone, contest.sessions) if alone else NOTHING
                whole = max(_lifted(contest, whole, eligible), apart * Fraction(11, 10))
            elif not stratum:
                whole = _lifted(contest, whole, eligible)
            first = _half_up(whole, "0.01")
            places = _depth(Fraction(len(eligible)))
            lists.append(_shared(eligible, _below(first, contest.sessions), places))
    return _best(*lists, *_sessions_2011(contest))


def _eligible(contest: Contest, stratum: str) -> list[Competitor]:
    at = contest.strata.index(stratum) if stratum else 0
    return [w for w in contest.who if not stratum or contest.strata.index(w.stratum) >= at]


def _average(kind: str, who: Sequence[Competitor]) -> Fraction:
    cap = 10_000
    counted = sorted(
        ((min(sum(p.holding for p in w.people), Fraction(cap * len(w.people))), w) for w in who),
        key=lambda one: -one[0],
    )[: 120 if kind == "pairs" else 60]
    return Fraction(sum(h for h, _ in counted), sum(len(w.people) for _, w in counted))


def _basic(average: Fraction, tables: Fraction) -> Fraction:
    s, t = average / 1000, min(tables, Fraction(60)) / 60
    if average <= 1250:
        value = s + Fraction("2.25") + t * (Fraction("12.158") * s + Fraction("6.461"))
    else:
        value = 2 * s + 1 + t * (Fraction("3.13") * s + Fraction("17.087"))
    return min(max(value, Fraction("2.5")), Fraction(50))


def _scale(contest: Contest, sessions: int) -> Fraction:
    restricted = (Fraction(1), Fraction(4, 5), Fraction(7, 10))[min(contest.restrictions, 2)]
    grade = Fraction({"regional": 14, "sectional": 10}[contest.grade], 14)
    return Fraction(sessions + 1, 3) * grade * restricted


def _first_2011(contest: Contest, who: Sequence[Competitor], sessions: int) -> Fraction:
    kind = _KIND.get(contest.kind, contest.kind)
    tables = Fraction(len(who), 2 if kind == "pairs" else 1)
    return _basic(_average(kind, who), tables) * _scale(contest, sessions)


def _lifted(contest: Contest, first: Fraction, who: Sequence[Competitor]) -> Fraction:
    if contest.structure == "flight-a":
        return first * Fraction(11, 10)
    if contest.structure == "bracket":
        s = _average(_KIND.get(contest.kind, contest.kind), who) / 1000
        return first * (1 + max(s - Fraction("1.25"), NOTHING) / 10)
    return first


def _sessions_2011(contest: Contest) -> list[Awards]:
    """Of each session half of what an event of one session pays, by the strength of all."""
    lists = []
    for number in range(len(contest.who[0].sessions)):
        lines = ("NS", "EW") if contest.winners == 2 else ("",)
        for line in lines:
            own = _of(contest.who, line=line) if line else contest.who
            tables = Fraction(len(own), 1 if line else 2)
            average = _average("pairs", contest.who)
            first = _half_up(_basic(average, tables) * _scale(contest, 1) / 2, "0.01")
            places = int(_half_up(Fraction(len(own)) * Fraction(2, 5), "1"))
            lists.append(_shared(own, _below(first, 1), places, number))
    return lists


def strength_2020(contest: Contest) -> Awards | str:
    kind = _KIND.get(contest.kind, contest.kind)
    if contest.grade == "stac":
        return REFUSED
    floor = 300 if not contest.limit or contest.limit > 3000 else 0
    lists = []
    for stratum in contest.strata or ("",):
        who = _eligible(contest, stratum)
        if not who:
            continue
        people = [p for w in who for p in w.people]
        strengths = [_power(max(p.holding, Fraction(floor)), Fraction(2, 5)) for p in people]
        factor = sum(strengths, NOTHING) / len(people)
        rating = {"sectional": "11", "regional": "14", "regional-at-nabc": "16"}
        scale = Fraction(rating.get(contest.grade, "22.5")) / 14 * factor
        n, s = Fraction(len(who)), _equivalents(contest)
        pivot = 50 if kind == "teams" else 100
        counted = pivot * _power(n / pivot, Fraction(2, 3)) if n > pivot else n
        entries = 2 * counted if kind == "teams" else counted
        relative = Fraction(2, 30) * _power(entries * s, Fraction(3, 5))
        relative *= _power(s / 2, Fraction(1, 3))
        total = Fraction(7, 100) * n * s
        quarter, paid = ceil(n / 4), _depth(n)
        decay = 1 - relative / total * Fraction(quarter, quarter + 2)
        curve = [relative]
        for place in range(2, paid + 1):
            share = _power(decay, 2 * (1 - Fraction(place - 2, paid)))
            curve.append(curve[-1] * (min(share, Fraction(4, 5)) if place == 2 else share))
        covered = _places(who, lambda one: one.score)
        own = {}
        for one, places in covered.items():
            mean = sum((curve[p - 1] for p in places if p <= paid), NOTHING) / len(places)
            amount = _half_up(scale * mean, "0.01")
            own[one] = amount if amount >= 1 else NOTHING
        lists.append(own)
    return _best(*lists)


def _equivalents(contest: Contest) -> Fraction:
    """S: how many full sessions the event comes to."""
    each = Fraction(contest.boards, contest.sessions)
    lowest = min((x for x in (contest.limit, *contest.limits.values()) if x), default=0)
    if each > 28:
        one = each / 28
    elif each >= 24 or (0 < lowest <= 300 and each >= 16):
        one = Fraction(1)
    else:
        one = (each + 24) / 48
    return one * contest.sessions


# --- AGA ------------------------------------------------------------------------------------------


def aga(contest: Contest) -> Awards | str:
    who, many = contest.who, len(contest.who)
    mean = sum(w.people[0].rating for w in who) / Fraction(many)
    if not contest.open_section or many < 5:
        return REFUSED
    if not Fraction("1.1") <= mean <= Fraction("10.8"):
        return REFUSED
    root = _power(10 * _log10(Fraction(many)), Fraction(1, 2))
    category = _half_up(_half_up(2 * mean + root - 4, "0.1"), "1")
    first = _log10(Fraction(20 * many)) + (category + _power(mean, Fraction("2.1"))) / 10
    first = _half_up(first, "0.1")
    slope = max(Fraction("0.75") + _log10(mean / Fraction("6.2")), NOTHING)
    covered = _places(who, lambda one: one.score)
    paid = {}
    for one, places in covered.items():
        points = sum((first * slope ** (p - 1) for p in places), NOTHING) / len(places)
        paid[one] = max(_half_up(points, "0.1"), Fraction("0.01"))
    return paid


SOURCES: dict[str, Callable[[Contest], Awards | str]] = {
    "sbu-clubs-2016": scottish,
    "acbl-general": general,
    "acbl-sof-2011": strength_2011,
    "acbl-sof-2020": strength_2020,
    "aga-category": aga,
}
