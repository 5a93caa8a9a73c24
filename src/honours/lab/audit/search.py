"""Runs every promise against a rulebook and keeps the smallest counterexample of each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from honours.engine.award import award
from honours.engine.rulebook import Rulebook
from honours.errors import HonoursError
from honours.lab.audit.boundaries import BOUNDARIES, GAME_PROMISES, game_case
from honours.lab.audit.breach_cost import BreachCost, touched
from honours.lab.audit.promises import (
    PROMISES,
    AuditCase,
    Breach,
    Promise,
    cases_of,
    varied_cases,
)
from honours.lab.compare import ComparedSides
from honours.lab.corpus import Corpus
from honours.lab.left_out import hold_back_small
from honours.lab.result import Answer, Explanation, Frame, Progress, headline, unwatched
from honours.lab.sides import as_side, name_of
from honours.lab.tallies import tally
from honours.model import Field, Step
from honours.model.message import Message, joined, plural

_ON_CORPUS = 100
"""How many steps of progress a pass through a corpus counts as."""
_VARIED = tuple(p for p in PROMISES if p.name in ("newcomer", "stronger", "place", "ties"))
"""The promises tried again with other values of everything declared about an event."""


@dataclass(frozen=True, slots=True)
class Counterexample:
    """A broken promise: the smallest breach in a kind of event, the worst one, how many there are,
    and what it costs on a corpus."""

    promise: Promise
    case: AuditCase
    smallest: Breach
    worst: Breach
    breaches: int
    cost: BreachCost | None = None

    def row(self) -> dict[str, Any]:
        worse = self.worst.by > self.smallest.by
        row = {
            "promise": self.promise.words,
            "of": self.case.label,
            "broken by": self.smallest.trial.words,
            "found": self.smallest.found,
            "at worst": self.worst.words if worse else "",
            "breaches": self.breaches,
        }
        if self.cost is None:
            return row
        return row | {
            "events tried": self.cost.tried,
            "events touched": self.cost.events,
            "points": self.cost.cost,
        }

    def text(self) -> Message:
        """The same in a few lines."""
        row = self.row()
        lines: list[str] = [_of(row["broken by"], row["of"]), row["found"]]
        if row["at worst"]:
            lines.append(Message("at worst: {worst}", worst=row["at worst"]))
        if self.cost is not None:
            lines.append(self.cost.words)
        if self.breaches > 1:
            lines.append(Message("broken {count:,} times", count=self.breaches))
        return joined("\n  ", (joined("", ("✗ ", self.promise.words)), *lines))

    def explanation(self) -> Explanation:
        """First place in either field, worked out exactly."""
        name = Message("{promise} ({case})", promise=self.promise.words, case=self.case.label)
        fields = (self.smallest.trial.first, self.smallest.trial.second)
        steps = [step for field in fields if (step := _why(self.case, field))]
        return Explanation(name, steps, sentence=self.smallest.words)


def _why(case: AuditCase, field: Field) -> Step | None:
    schedule = award(case.rulebook, field).schedule
    return schedule[0].why if schedule else None


def _of(what: str, *about: str) -> str:
    parts = [part for part in about if part]
    return joined("", (what, " (", joined("; ", parts), ")")) if parts else what


@dataclass
class Audit:
    """The promises that were tried, and those that broke."""

    rulebook: Rulebook
    broken: list[Counterexample] = field(default_factory=list)
    kept: list[dict[str, Any]] = field(default_factory=list)
    rounding: list[dict[str, Any]] = field(default_factory=list)
    """Promises broken only within rounding, with the largest breach."""

    def search(self, case: AuditCase, promise: Promise, fresh: bool = False) -> None:
        """Try a promise; if only ``fresh`` breaches are wanted, skip promises already broken."""
        if fresh and any(broken.promise is promise for broken in self.broken):
            return
        try:
            tried = list(promise.search(case))
        except HonoursError:  # this rulebook does not accept such fields
            return
        breaches = [breach for breach in tried if breach]
        broken = [breach for breach in breaches if not breach.rounding]
        named = {"promise": promise.words, "of": case.label}
        if broken:
            smallest, worst = broken[0], max(broken, key=lambda one: one.by)
            self.broken.append(Counterexample(promise, case, smallest, worst, len(broken)))
        elif breaches:
            most = max(breaches, key=lambda one: one.by)
            self.rounding.append({**named, "at most": most.found})
        elif tried and not fresh:
            self.kept.append({**named, "tried": sum(not breach for breach in tried)})

    def statement(self) -> Message:
        """Say how many promises the rulebook breaks, and which."""
        broken = dict.fromkeys(one.promise.words for one in self.broken)
        tried = {*broken, *(row["promise"] for row in (*self.kept, *self.rounding))}
        if not tried:
            return Message(
                "{rulebook}: no promise could be tried, as no event can be made up that it awards.",
                rulebook=name_of(self.rulebook),
            )
        return Message(
            "{rulebook} would break {count} of {tried} promises, "
            "compared with a rule that keeps them all: {broken}.",
            rulebook=name_of(self.rulebook),
            count=len(broken),
            tried=len(tried),
            broken=joined("; ", broken) if broken else Message("none"),
        )

    def frames(self) -> list[Frame]:
        """The broken and the kept promises, as tables."""
        return [
            Frame.of(Message("Broken"), [one.row() for one in self.broken]),
            Frame.of(Message("Rounding, and no more"), self.rounding),
            Frame.of(Message("Kept, as far as was tried"), self.kept),
        ]

    def lines(self) -> list[str]:
        """The same promise by promise."""
        lines: list[str] = [one.text() for one in self.broken]
        for row in self.rounding:
            what = _of(row["promise"], row["of"])
            lines.append(joined("", ("≈ ", what, ": ", row["at most"])))
        for row in self.kept:
            tried = plural("{count:,} tried", "{count:,} tried", count=row["tried"])
            lines.append(joined("", ("✓ ", _of(row["promise"], row["of"], tried))))
        return lines


def audit(
    rulebook: Rulebook,
    progress: Progress = unwatched,
    corpus: Corpus | None = None,
    on: str = "",
    explain: bool = False,
) -> Answer:
    """Search for counterexamples to every promise in every kind of event the rulebook awards; with
    a corpus, say what each cost there and where payments differ from the rule."""
    if corpus is not None:
        hold_back_small(corpus)
    made, searches = Audit(rulebook), list[Callable[[], None]]()
    promises: Sequence[Promise] = GAME_PROMISES
    cases = [case for case in [game_case(rulebook)] if case] if rulebook.plays_games else []
    if not rulebook.plays_games:
        cases, promises = list(cases_of(rulebook)), (*PROMISES, *BOUNDARIES)
    for case in cases:
        searches += [partial(made.search, case, promise) for promise in promises]
    for case in varied_cases(cases[0]) if cases and not rulebook.plays_games else ():
        searches += [partial(made.search, case, promise, True) for promise in _VARIED]
    many = len(searches) + (_ON_CORPUS if corpus is not None else 0)
    for done, search in enumerate(searches):
        progress(done, many, headline(corpus, made.statement()) if made.broken else "")
        search()
    frames, notes = list[Frame](), list[str]()
    if corpus is not None:
        frames, notes = _on_corpus(
            made, corpus, on, lambda done: progress(len(searches) + done, many)
        )
    progress(many, many)
    why = [broken.explanation() for broken in made.broken]
    shown = [
        joined("\n", made.lines()),
        *(step for one in (why if explain else ()) for step in one.steps),
        *frames,
    ]
    return Answer.about(
        corpus,
        Message("Audit of {rulebook}", rulebook=name_of(rulebook)),
        made.statement(),
        [*made.frames(), *frames],
        notes,
        [rulebook],
        explanations=why,
        shown=shown,
    )


def _on_corpus(
    made: Audit, corpus: Corpus, on: str, progress: Callable[[int], None]
) -> tuple[list[Frame], list[str]]:
    """Return the cost of each broken promise, and where payments differ from the rule."""
    costs = {}
    names = sorted({one.promise.name for one in made.broken})
    for done, name in enumerate(names):
        progress(_ON_CORPUS * done // (len(names) + 1))
        costs[name] = touched(made.rulebook, name, corpus, on)
    # All kinds of events are counted together, so it is reported once.
    made.broken = [replace(b, cost=costs.pop(b.promise.name, None)) for b in made.broken]
    if not corpus.tells_paid:
        return [], []
    paid = as_side("as-paid", corpus)
    sums = tally(corpus, paid, made.rulebook, on)
    compared = ComparedSides(corpus, paid, made.rulebook, sums)
    return list(compared.differences()), [headline(corpus, compared.statement())]
