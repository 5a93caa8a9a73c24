"""Our own figures: values taken from calculations of the rulebooks and of the scorer, and exact
arithmetic on them.

``board = { groups = [7, 3], expected = 10 }`` is a board met in two versions, seven and three
different scores, best first; a group may also list its scores for North-South. It may name a
``profile`` (``ebu`` unless said) and change its switches by ``set``. Takings: ``points:1.3`` (as
rounded, the third of the first group), ``exact:1.3`` (before rounding), ``own:1.3`` (the group's
own matchpoints, as if nobody else had been due to play), ``ew:1.3`` (the other side's points),
``total`` and ``total:2`` (of the exact points), ``top`` and ``top:2`` (of a board that is not
fouled, and of a group by itself), ``share:2.1`` (the share of the top a score got),
``percent:2.1`` (the same of a hundred), ``fault:partly`` (what a side that is partly at fault is
given of a hundred).

``ranking = { scores = { A = "61.23" }, handicaps = { A = -5 } }`` is a list of entrants. Takings:
``place:A``, ``score:A``, ``in_order:AB`` (1 if the list is A, B), and ``handicapped_place:A``,
``handicapped_score:A``, ``handicapped_in_order:AB``.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, TypeVar

from honours.engine.award import calculated_fields, read_facts
from honours.engine.exact.working import Scope, Working
from honours.engine.graph import AWARD
from honours.engine.numbers import WAYS, exact, log10, power, round_to
from honours.engine.rulebook import Rulebook
from honours.engine.rulebook.examples import Example, standings_field
from honours.errors import RulebookError
from honours.model import ArtificialScore, Entrant, EventEntrant, Field, Result, Standing
from honours.rulebooks import load
from honours.scoring.matchpoints import artificial_score, matchpoint_board
from honours.scoring.profiles import DEFAULT, Profile, profile
from honours.scoring.rulings import AT_FAULT
from honours.scoring.scored import ScoredLine, SideScore
from honours.scoring.standings import RankingRules, Tally, rank_event

Amendments = Mapping[str, Mapping[str, str]]
"""Parameters changed for a whole run: id of a rulebook or scoring profile → parameter → value."""

Calculation = Mapping[str, Any]
T = TypeVar("T")


class OwnValues:
    """Takes values from calculations; the same calculation is made once."""

    def __init__(self, amendments: Amendments | None = None) -> None:
        self.amendments = amendments or {}
        self._made: dict[str, Any] = {}

    def taken(self, calculation: Any) -> Fraction:
        """The value one calculation of a ``let`` gives."""
        if not isinstance(calculation, Mapping):
            raise RulebookError(
                "{calculation}: what is ours is worked out, not copied", calculation=calculation
            )
        take = str(calculation["take"])
        if "board" in calculation or "ranking" in calculation:
            return scored_value(self._once(calculation, self._scored), take)
        how, _, name = take.partition(":")
        match how:
            case "parameter":
                return _parameter(self._rulebook(calculation), name)
            case "rank":
                return _rank(self._rulebook(calculation), name)
            case "quantity" | "place" | "entrant" | "sum":
                return _worked(self._once(calculation, self._working), how, name)
            case _:
                return _awarded(self._once(calculation, self._ranked), how, name)

    def _once(self, calculation: Calculation, make: Callable[[Calculation], T]) -> T:
        parts = {k: v for k, v in calculation.items() if k != "take"}
        key = f"{make.__name__} {parts}"
        if key not in self._made:
            self._made[key] = make(calculation)
        value: T = self._made[key]
        return value

    def awarded(self) -> list[Working]:
        """Every calculation made so far of which somebody is awarded something, or refused it."""
        made = (working for working in self._made.values() if isinstance(working, Working))
        return [working for working in made if working.field.standings]

    def _rulebook(self, calculation: Calculation) -> Rulebook:
        book = load(calculation["rulebook"])
        changes = {**calculation.get("set", {}), **self.amendments.get(book.id, {})}
        return book.amend(changes) if changes else book

    def _working(self, calculation: Calculation) -> Working:
        book = self._rulebook(calculation)
        return Working(book, _field(book, calculation))

    def _ranked(self, calculation: Calculation) -> Working:
        """With standings from first to the last paid; with none where nothing is awarded."""
        book, line = self._rulebook(calculation), calculation.get("line", "")
        if "list" in calculation:
            return Working(book, _field(book, calculation))
        given, ties = calculation.get("given", {}), calculation.get("ties", "")
        fields = calculated_fields(book, given, ties)
        return Working(book, next(f for f in fields if not line or f.line == line))

    def _scored(self, calculation: Calculation) -> Scored:
        return score_calculation(calculation, self.amendments)


def _field(book: Rulebook, calculation: Calculation) -> Field:
    given, line = calculation.get("given", {}), calculation.get("line", "")
    if "list" in calculation:
        rows = tuple(calculation["list"])
        return standings_field(book, Example("", {}, given, entrants=rows))
    return Field(read_facts(book, {**given, "line": line} if line else given), line=line)


def _parameter(rulebook: Rulebook, name: str) -> Fraction:
    head, _, item = name.partition(".")
    if head not in rulebook.parameters:
        raise RulebookError("{id} has no parameter {head!r}", id=rulebook.id, head=head)
    value: Any = rulebook.parameters[head].value
    if isinstance(value, tuple):
        row, _, column = item.partition(".")
        return exact(value[int(row)][int(column)])
    return exact(value[item] if item else value)


def _rank(rulebook: Rulebook, name: str) -> Fraction:
    title, _, kind = name.rpartition(".")
    return next(rank.needs[kind] for rank in rulebook.ranks if rank.name == title)


def _worked(working: Working, how: str, name: str) -> Fraction:
    if how == "quantity":
        return working.number(name)
    if how == "sum":
        places = range(1, int(working.number("places")) + 1)
        return sum((working.number(name, Scope("place", p)) for p in places), Fraction(0))
    quantity, _, at = name.rpartition(".")
    scope = Scope("place", int(at)) if how == "place" else Scope("entrant", int(at) - 1)
    return working.number(quantity, scope)


def _awarded(working: Working, how: str, name: str) -> Fraction:
    standings = working.field.standings
    match how:
        case "at":
            return _award_of(working, int(name) - 1) if int(name) <= len(standings) else Fraction(0)
        case "first":
            return sum((_award_of(working, i) for i in range(int(name))), Fraction(0))
        case "total":
            return sum((_award_of(working, i) for i in range(len(standings))), Fraction(0))
        case "places":
            return Fraction(sum(1 for i in range(len(standings)) if _award_of(working, i)))
        case "extra":
            group, _, key = name.partition(".")
            if key not in working.rulebook.extras[group]:
                raise RulebookError("no such taking: {how}:{name}", how=how, name=name)
            return working.number(key)
        case "refused":
            return Fraction(not standings)
        case _:
            raise RulebookError("no such taking: {how}:{name}", how=how, name=name)


def _award_of(working: Working, entrant: int) -> Fraction:
    return working.number(AWARD, Scope("entrant", entrant))


# --- arithmetic --------------------------------------------------------------------------------


def _rounding(mode: str) -> Callable[[Fraction], Fraction]:
    return lambda x: round_to(x, mode, Fraction(1))


_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "power": power,
    "log10": log10,
    "min": min,
    "max": max,
    "abs": abs,
    **{mode: _rounding(mode) for mode in WAYS},
}


class _Exact(ast.NodeTransformer):
    """Reads the numbers of an expression exactly."""

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        number = ast.Constant(ast.unparse(node))
        return ast.Call(ast.Name("__exact__", ast.Load()), [number], [])


def evaluate(expression: str, names: Mapping[str, Fraction]) -> Fraction:
    """The value of an arithmetic expression; a comparison is 1 where it holds, else 0."""
    try:
        tree = ast.fix_missing_locations(_Exact().visit(ast.parse(expression, mode="eval")))
        known = {"__builtins__": {}, "__exact__": exact, **_FUNCTIONS}
        return Fraction(eval(compile(tree, expression, "eval"), known, {**names}))
    except (SyntaxError, NameError, ZeroDivisionError) as error:
        raise RulebookError(
            "cannot work out {expression!r}: {error}", expression=expression, error=error
        ) from error


def names_in(expression: str) -> frozenset[str]:
    """The names an expression uses, functions apart."""
    tree = ast.walk(ast.parse(expression, mode="eval"))
    return frozenset(n.id for n in tree if isinstance(n, ast.Name)) - _FUNCTIONS.keys()


# --- the scorer --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ScoredGroups:
    """A board scored as the profile says, before rounding, and each group by itself."""

    rounded: Mapping[str, SideScore]
    unrounded: Mapping[str, SideScore]
    alone: Mapping[str, SideScore]
    other_side: Mapping[str, SideScore]
    ruled: Mapping[str, SideScore]
    """What a side gets where there is no score, by whether it is at fault: no, partly, yes."""
    top: Fraction


@dataclass(frozen=True, slots=True)
class RankedLists:
    """A ranking list without and, where there are handicaps, with them."""

    plain: Mapping[str, Standing]
    handicapped: Mapping[str, Standing]


Scored = ScoredGroups | RankedLists


def score_calculation(
    calculation: Mapping[str, Any], amendments: Mapping[str, Mapping[str, str]]
) -> Scored:
    """Score the board or rank the list of a calculation."""
    if "ranking" in calculation:
        return _ranked(calculation["ranking"])
    board = calculation["board"]
    name = board.get("profile", DEFAULT)
    changes = {**board.get("set", {}), **amendments.get(name, {})}
    return _scored_groups(board, _switched(profile(name), changes))


def scored_value(scored: Scored, take: str) -> Fraction:
    """One value of what was scored."""
    how, _, name = take.partition(":")
    if isinstance(scored, RankedLists):
        standings = scored.handicapped if how.startswith("handicapped_") else scored.plain
        how = how.removeprefix("handicapped_")
        if how == "in_order":
            return Fraction([standings[one].place for one in name] == [*range(1, len(name) + 1)])
        return _of_standing(standings[name], how)
    return _of_board(scored, how, name)


def _of_standing(standing: Standing, how: str) -> Fraction:
    if how == "place":
        return Fraction(standing.place)
    if how == "score" and standing.score is not None:
        return standing.score
    raise RulebookError("no such taking of a ranking: {how}", how=how)


def _of_board(scored: ScoredGroups, how: str, name: str) -> Fraction:
    match how:
        case "points":
            return scored.rounded[name].points
        case "exact":
            return scored.unrounded[name].points
        case "own":
            return scored.alone[name].points
        case "ew":
            return scored.other_side[name].points
        case "fault":
            return 100 * scored.ruled[name].points / scored.top
        case "share" | "percent":
            share = scored.unrounded[name].points / scored.top
            return 100 * share if how == "percent" else share
        case "top":
            return scored.alone[f"{name}.1"].top if name else scored.top
        case "total":
            mine = (s for key, s in scored.unrounded.items() if key.startswith(name))
            return sum((s.points for s in mine), Fraction(0))
        case _:
            raise RulebookError("no such taking of a board: {how}:{name}", how=how, name=name)


# --- a board --------------------------------------------------------------------------------


def _switched(base: Profile, changes: Mapping[str, Any]) -> Profile:
    switches: dict[str, Any] = {}
    for key, text in changes.items():
        if not hasattr(base, key):
            raise RulebookError("profile {name!r} has no switch {key!r}", name=base.name, key=key)
        switches[key] = _switch(getattr(base, key), str(text))
    return replace(base, **switches)


def _switch(now: object, text: str) -> Any:
    if isinstance(now, bool):
        return text.lower() in ("true", "yes", "1")
    if isinstance(now, int | Fraction):
        return type(now)(exact(text))
    return text


def _scored_groups(board: Mapping[str, Any], way: Profile) -> ScoredGroups:
    groups = [_scores(group) for group in board["groups"]]
    expected = board["expected"]
    exactly = replace(way, unit=Fraction(0))
    alone: dict[str, SideScore] = {}
    for number, scores in enumerate(groups, 1):
        own = matchpoint_board(_results([scores]), len(scores), exactly)
        alone |= _named([own], number)
    everyone = _results(groups)
    lines = matchpoint_board(everyone, expected, way)
    rounded = _named(_by_group(lines, groups))
    unrounded = _named(_by_group(matchpoint_board(everyone, expected, exactly), groups))
    other = _named(_by_group(lines, groups), side="ew")
    ruled = {
        fault: artificial_score(ArtificialScore(share), expected, exactly)
        for fault, share in AT_FAULT.items()
    }
    return ScoredGroups(rounded, unrounded, alone, other, ruled, way.top(expected))


def _scores(group: Any) -> Sequence[int]:
    return group if isinstance(group, list) else range(10 * group, 0, -10)


def _results(groups: Sequence[Sequence[int]]) -> list[Result]:
    return [
        Result(1, (f"N{version}.{i}",), (f"E{version}.{i}",), score, version=str(version))
        for version, scores in enumerate(groups)
        for i, score in enumerate(scores)
    ]


def _by_group(
    lines: Sequence[ScoredLine], groups: Sequence[Sequence[int]]
) -> list[Sequence[ScoredLine]]:
    groups_of_lines, start = [], 0
    for group in groups:
        groups_of_lines.append(lines[start : start + len(group)])
        start += len(group)
    return groups_of_lines


def _named(
    groups: Sequence[Sequence[ScoredLine]], first: int = 1, side: str = "ns"
) -> dict[str, SideScore]:
    return {
        f"{number}.{i}": getattr(line, side)
        for number, lines in enumerate(groups, first)
        for i, line in enumerate(lines, 1)
    }


# --- a ranking list -------------------------------------------------------------------------


def _ranked(table: Mapping[str, Any]) -> RankedLists:
    handicaps = table.get("handicaps", {})
    tallies = [
        Tally(EventEntrant(Entrant(name), handicap=exact(handicaps.get(name, 0))), exact(score))
        for name, score in table["scores"].items()
    ]
    lists = rank_event(tallies, RankingRules(handicap=bool(handicaps)))
    plain, *rest = ({s.entrant.id: s for s in ranking.standings} for ranking in lists)
    return RankedLists(plain, rest[0] if rest else {})
