"""Ranking lists: exact scores inside, two decimals outside, ties kept.

A scorer gathers a :class:`Tally` for each entrant; :func:`rank_event` makes every ranking list the
event has: by line, section, stratum, with and without handicap. ``Standing.place`` never knows
of a tie-break, because awards share tied places; the order a tie-break gives is in the facts as
``tie_break_place``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import groupby

from honours.engine.numbers import show
from honours.errors import InputError
from honours.model import EventEntrant, Facts, Field, Standing, Value
from honours.model.message import Message, joined


def half_up(value: Fraction, unit: Fraction) -> Fraction:
    """The nearest multiple of ``unit``; a half goes away from zero, as printed results do."""
    wholes, part = abs(value.numerator) * unit.denominator, value.denominator * unit.numerator
    steps = (2 * wholes + part) // (2 * part)
    return Fraction((steps if value >= 0 else -steps) * unit.numerator, unit.denominator)


def decimals_of(unit: Fraction) -> int:
    """The number of decimals a multiple of ``unit`` is shown with, at the most two: 1 for
    tenths."""
    return next((n for n in (0, 1) if (unit * 10**n).denominator == 1), 2)


def column(values: Iterable[Fraction], least: int = 0) -> list[str]:
    """Figures that stand below each other, all with the decimals that the finest needs, up to
    two: ``196.0`` beside ``207.7``."""
    figures = list(values)
    places = max([least, *(decimals_of(value) for value in figures)])
    return [decimals(value, places) for value in figures]


def decimals(value: Fraction, places: int = 2) -> str:
    """Half up to ``places`` decimals, all of them printed: 62.5 is ``62.50``."""
    return show(value, places)


# --- ranking lists -----------------------------------------------------------------------------


UNRANKED = 0
"""The place of an entrant that is shown and not ranked."""


@dataclass(frozen=True, slots=True)
class Tally:
    """The points one entrant gathered. ``possible`` is the most its points could have been, and
    then a percentage ranks; 0 where the points themselves do (IMPs, victory points).

    ``tie_break`` holds what splits a tie, the first figure first, larger better; ``facts`` is
    what else a rule may ask of the standing (matches won and drawn).
    """

    entrant: EventEntrant
    points: Fraction
    possible: Fraction = Fraction(0)
    boards: int = 0
    tie_break: tuple[Fraction, ...] = ()
    facts: Facts = field(default_factory=dict)

    @property
    def id(self) -> str:
        return self.entrant.entrant.id

    @property
    def score(self) -> Fraction:
        """The score that ranks: the exact percentage, or the points where nothing bounds them."""
        return 100 * self.points / self.possible if self.possible else self.points


@dataclass(frozen=True, slots=True)
class Ranking:
    """One ranking list, best first, and who is shown below it without a place."""

    standings: tuple[Standing, ...]
    unranked: tuple[Standing, ...] = ()
    line: str = ""
    section: str = ""
    stratum: str = ""
    session: str = ""
    handicapped: bool = False
    tie_break: str = ""

    @property
    def title(self) -> Message:
        """The heading of the list; empty for the only list of an event."""
        parts = [
            Message("session {session}", session=self.session) if self.session else "",
            Message("section {section}", section=self.section) if self.section else "",
            self.line,
            Message("stratum {stratum}", stratum=self.stratum) if self.stratum else "",
            Message("with handicap") if self.handicapped else "",
        ]
        return joined(", ", [part for part in parts if part])


@dataclass(frozen=True, slots=True)
class RankingRules:
    """The rules for making an event's lists; every field is the organiser's explicit choice.

    ``strata`` names the strata from the highest; empty means those the entrants are in, in
    natural order. ``tie_break`` only labels what the tallies' own figures are. The sections
    ``one_winner`` have one list, or with ``sections_apart`` one each, beside the others' lines.
    """

    winners: int = 1
    sections_apart: bool = False
    strata: tuple[str, ...] = ()
    handicap: bool = False
    minimum_boards: int = 0
    tie_break: str = ""
    session: str = ""
    one_winner: tuple[str, ...] = ()


def rank_event(tallies: Sequence[Tally], rules: RankingRules) -> tuple[Ranking, ...]:
    """Every ranking list of the event: per section and line, per stratum, then with handicap."""
    strata = rules.strata or strata_of(tallies)
    if rules.strata and not any(t.entrant.stratum in strata for t in tallies):
        raise InputError("nobody is in any of the strata {strata}", strata=tuple(strata))
    lists = []
    for (section, line), members in _lists(tallies, rules):
        for stratum in strata or ("",):
            eligible = [t for t in members if _eligible(t, stratum, strata)]
            if eligible:
                base = Ranking((), (), line, section, stratum, rules.session)
                lists += _with_and_without_handicap(eligible, rules, base)
    return tuple(sorted(lists, key=lambda r: r.handicapped))


def strata_of(tallies: Iterable[Tally]) -> tuple[str, ...]:
    """The strata the entrants are in, the highest (A, or 1) first."""
    named = {t.entrant.stratum for t in tallies} - {""}
    return tuple(
        sorted(named, key=lambda s: (int(s), "") if s.isdecimal() and len(s) < 10 else (0, s))
    )


def _lists(
    tallies: Sequence[Tally], rules: RankingRules
) -> list[tuple[tuple[str, str], list[Tally]]]:
    named = _names_of_lists({tally.entrant.section for tally in tallies}, rules)

    def key(tally: Tally) -> tuple[str, str]:
        section = tally.entrant.section
        in_lines = rules.winners == 2 and section not in rules.one_winner
        return named[section], tally.entrant.line if in_lines else ""

    # North-South is printed first, as on every results sheet.
    ordered = sorted(tallies, key=lambda t: (key(t)[0], key(t)[1] != "NS", key(t)[1]))
    return [(name, list(members)) for name, members in groupby(ordered, key)]


def _names_of_lists(sections: Set[str], rules: RankingRules) -> dict[str, str]:
    """Each section with what its list is called: its own name, those of all that are ranked with
    it, or nothing where there is no other."""
    if rules.sections_apart:
        return {section: section for section in sections}
    one = {section for section in sections if section in rules.one_winner}
    kinds = [sorted(kind) for kind in (one, sections - one) if kind]
    return {section: "+".join(kind) if len(kinds) > 1 else "" for kind in kinds for section in kind}


def _eligible(tally: Tally, stratum: str, strata: Sequence[str]) -> bool:
    """An entrant is ranked in its own stratum and in every higher one."""
    if not stratum or tally.entrant.stratum not in strata:
        return not stratum or stratum == strata[0]
    return strata.index(tally.entrant.stratum) >= strata.index(stratum)


def _with_and_without_handicap(
    members: Sequence[Tally], rules: RankingRules, base: Ranking
) -> list[Ranking]:
    plain = rank(members, lambda t: t.score, rules, base)
    if not rules.handicap:
        return [plain]
    adjusted = replace(base, handicapped=True)
    return [plain, rank(members, lambda t: t.score + t.entrant.handicap, rules, adjusted)]


def rank(
    members: Iterable[Tally],
    score: Callable[[Tally], Fraction],
    rules: RankingRules,
    base: Ranking,
) -> Ranking:
    """One list by ``score``, the highest first; ``base`` carries its labels."""
    ordered = sorted(members, key=lambda t: (-score(t), tuple(-x for x in t.tie_break)))
    ranked = [t for t in ordered if t.boards >= rules.minimum_boards]
    below = [t for t in ordered if t.boards < rules.minimum_boards]
    broken = _tie_break_places(ranked, score) if rules.tie_break else {}
    return replace(
        base,
        standings=tuple(_placed(ranked, score, broken)),
        unranked=tuple(_standing(t, UNRANKED, 1, score(t), {}) for t in below),
        tie_break=rules.tie_break,
    )


def _placed(
    ordered: Sequence[Tally], score: Callable[[Tally], Fraction], broken: Mapping[str, int]
) -> Iterable[Standing]:
    place = 1
    for value, group in groupby(ordered, score):
        tied = list(group)
        for tally in tied:
            extra = _tie_break_facts(tally.id, broken)
            yield _standing(tally, place, len(tied), value, extra)
        place += len(tied)


def _tie_break_facts(id: str, broken: Mapping[str, int]) -> dict[str, Value]:
    if not broken:
        return {}
    still = list(broken.values()).count(broken[id])
    return {"tie_break_place": Fraction(broken[id]), "tie_break_tied": Fraction(still)}


def _tie_break_places(
    ordered: Sequence[Tally], score: Callable[[Tally], Fraction]
) -> dict[str, int]:
    """Places with the tie-break counted; those it cannot part stay tied."""
    places: dict[str, int] = {}
    for _, group in groupby(ordered, lambda t: (score(t), t.tie_break)):
        first = len(places) + 1
        places |= {tally.id: first for tally in group}
    return places


def _standing(
    tally: Tally, place: int, tied: int, score: Fraction, extra: Mapping[str, Value]
) -> Standing:
    facts: dict[str, Value] = {"boards_played": Fraction(tally.boards), "points": tally.points}
    if tally.possible:
        facts["possible"] = tally.possible
    return Standing(tally.entrant.entrant, place, tied, score, {**facts, **tally.facts, **extra})


def shown_place(standing: Standing) -> str:
    """``3``, ``3=`` for a tie, and nothing for who is not ranked. A tie-break parts the tie."""
    if standing.place == UNRANKED:
        return ""
    place = standing.facts.get("tie_break_place", standing.place)
    tied = Fraction(standing.facts.get("tie_break_tied", standing.tied))
    return f"{place}=" if tied > 1 else str(place)


def shown_score(standing: Standing) -> str:
    """Two decimals, half up; of the printed score where a program prints another than ranks."""
    printed = standing.facts.get("printed_score", standing.score)
    return decimals(printed) if isinstance(printed, Fraction) else ""


def as_field(ranking: Ranking, facts: Facts) -> Field:
    """The list as a rulebook sees it. Those not ranked still count in the field, at its end."""
    last = len(ranking.standings) + 1
    rest = tuple(replace(s, place=last, tied=len(ranking.unranked)) for s in ranking.unranked)
    line = " ".join(part for part in (ranking.section, ranking.line) if part)
    return Field(
        facts,
        ranking.standings + rest,
        line,
        ranking.stratum,
        ranking.session,
        of_section=ranking.section,
    )


def combine(sessions: Sequence[Sequence[Tally]], percentages: bool = False) -> tuple[Tally, ...]:
    """Several sessions as one: points of the possible summed, or the mean of the percentages.

    An entrant that missed a session has what it scored in the others. ``carried`` (carry-over
    from a qualifying stage, in points) is for :func:`carry_over`, so that it is added only once.
    """
    gathered: dict[str, list[Tally]] = {}
    for session in sessions:
        for tally in session:
            gathered.setdefault(tally.id, []).append(tally)
    together = _mean_percentage if percentages else _sum
    return tuple(together(tallies) for tallies in gathered.values())


def _sum(tallies: Sequence[Tally]) -> Tally:
    breaks = zip(*(t.tie_break for t in tallies), strict=True)
    return replace(
        tallies[0],
        points=sum((t.points for t in tallies), Fraction(0)),
        possible=sum((t.possible for t in tallies), Fraction(0)),
        boards=sum(t.boards for t in tallies),
        tie_break=tuple(sum(column, Fraction(0)) for column in breaks),
        facts=_summed_facts(tallies),
    )


def _mean_percentage(tallies: Sequence[Tally]) -> Tally:
    """Each session weighs the same, however many boards it had."""
    mean = sum((t.score for t in tallies), Fraction(0)) / len(tallies)
    return replace(_sum(tallies), points=mean, possible=Fraction(100))


def _summed_facts(tallies: Sequence[Tally]) -> dict[str, Value]:
    facts: dict[str, Value] = {}
    for tally in tallies:
        for name, value in tally.facts.items():
            before = facts.get(name)
            if isinstance(value, Fraction) and isinstance(before, Fraction):
                facts[name] = before + value
            else:  # a word, such as that something is not known, holds for them all
                facts[name] = before if isinstance(before, str) else value
    return facts


def carry_over(tallies: Iterable[Tally], full: Fraction = Fraction(0)) -> tuple[Tally, ...]:
    """Add what each entrant brought from an earlier stage; the possible stays this stage's.

    With ``full``, the points of a whole programme, it weighs the same for who played less of it.
    """
    return tuple(
        replace(t, points=t.points + t.entrant.carried * (t.possible / full if full else 1))
        for t in tallies
    )
