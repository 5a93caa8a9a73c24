"""Runs every promise against a rulebook and keeps the smallest counterexample of each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from typing import Any

from honours.engine.award import award
from honours.engine.exact.explanation import render_text, to_data
from honours.engine.rulebook import Rulebook
from honours.errors import HonoursError
from honours.lab.answers import name_of
from honours.lab.audit.boundaries import Searched, held_at_zero, size_jumps, strength_jumps
from honours.lab.audit.cases import Case, cases_of
from honours.lab.audit.promises import PROMISES, Promise, Trial
from honours.lab.frame import Frame
from honours.model import Field, Step
from honours.model.message import Message, joined

_AT_ONCE = 40

BOUNDARIES: tuple[tuple[str, Message, Callable[[Case], Searched]], ...] = (
    ("jump in strength", Message("no jump at a boundary of strength"), strength_jumps),
    ("jump in size", Message("no jump at a boundary of size"), size_jumps),
    ("held at zero", Message("nothing has to be kept from falling below zero"), held_at_zero),
)


@dataclass(frozen=True, slots=True)
class Counterexample:
    """A broken promise: the two fields, what happened, and why on either side."""

    promise: str
    words: Message
    case: Message
    fields: Message
    found: Message
    first: Step | None
    second: Step | None
    others: tuple[Message, ...] = ()

    def text(self) -> str:
        lines = [f"✗ {self.words}", f"  {_of(self.fields, self.case)}", f"  {self.found}"]
        if self.others:
            lines.append(f"  and {len(self.others)} more, e.g. {'; '.join(self.others[:4])}")
        return "\n".join(lines)

    def data(self) -> dict[str, Any]:
        sides = {"before": self.first, "after": self.second}
        return {
            "promise": self.promise,
            "words": self.words,
            "case": self.case,
            "fields": self.fields,
            "found": self.found,
            "others": list(self.others),
            "why": {k: to_data(step) for k, step in sides.items() if step},
        }

    def explanations(self) -> list[str]:
        return [render_text(step) for step in (self.first, self.second) if step]


@dataclass
class Audit:
    """What was tried and what broke."""

    rulebook: Rulebook
    broken: list[Counterexample] = field(default_factory=list)
    kept: list[tuple[Message, Message, int]] = field(default_factory=list)

    def statement(self) -> Message:
        """How many promises it breaks, and which."""
        broken = dict.fromkeys(b.words for b in self.broken)
        tried = {*broken, *(words for words, _, _ in self.kept)}
        return Message(
            "{rulebook} would break {count} of {tried} promises, "
            "compared with a rule that keeps them all: {broken}.",
            rulebook=name_of(self.rulebook),
            count=len(broken),
            tried=len(tried),
            broken=joined("; ", broken) if broken else Message("none"),
        )

    def frames(self) -> list[Frame]:
        """What broke and what was kept, as tables."""
        broken = [
            {"promise": b.words, "of": b.case, "broken by": b.fields, "found": b.found}
            for b in self.broken
        ]
        kept = [{"promise": words, "of": case, "tried": tried} for words, case, tried in self.kept]
        made = ((Message("Broken"), broken), (Message("Kept, as far as was tried"), kept))
        return [Frame.of(title, rows) for title, rows in made if rows]

    def find(self, promise: str) -> list[Counterexample]:
        return [b for b in self.broken if b.promise == promise]

    def text(self, explain: bool = False) -> str:
        lines: list[str] = [self.statement()]
        for broken in self.broken:
            lines.append(broken.text())
            if explain:
                lines += [_indented(text) for text in broken.explanations()]
        lines += [f"✓ {_of(words, case, f'{tried:,} tried')}" for words, case, tried in self.kept]
        return "\n".join(lines)

    def data(self) -> dict[str, Any]:
        return {
            "statement": self.statement(),
            "rulebook": self.rulebook.id,
            "hash": self.rulebook.hash,
            "broken": [b.data() for b in self.broken],
            "kept": [{"words": w, "case": c, "tried": n} for w, c, n in self.kept],
        }


def _of(words: str, *about: str) -> str:
    said = "; ".join(part for part in about if part)
    return f"{words} ({said})" if said else words


def _indented(text: str) -> str:
    return "\n".join(f"      {line}" for line in text.splitlines())


def audit(rulebook: Rulebook, progress: Callable[[int, int], None] | None = None) -> Audit:
    """Search for counterexamples to every promise in every kind of event the rulebook awards."""
    made = Audit(rulebook)
    searches: list[Callable[[], None]] = []
    for case in cases_of(rulebook):
        searches += [partial(_try, made, case, promise) for promise in PROMISES]
        searches += [partial(_close_in, made, case, *boundary) for boundary in BOUNDARIES]
    for done, search in enumerate(searches):
        if progress:
            progress(done, len(searches))
        search()
    if progress:
        progress(len(searches), len(searches))
    return made


def _try(made: Audit, case: Case, promise: Promise) -> None:
    trials = promise.trials(case)
    tried = 0
    while chunk := list(islice(trials, _AT_ONCE)):
        broken = _first_broken(case, chunk)
        if broken:
            made.broken.append(_counterexample(case, promise.name, promise.words, *broken))
            return
        tried += len(chunk)
    if tried:
        made.kept.append((promise.words, case.label, tried))


def _first_broken(case: Case, chunk: list[Trial]) -> tuple[Message, Message, Field, Field] | None:
    # Many trials share a field with the one before; it is awarded once.
    fields = {id(f): f for trial in chunk for f in (trial.first, trial.second)}
    try:
        awards = dict(zip(fields, case.awards(list(fields.values())), strict=True))
    except HonoursError:
        return None  # such a field cannot be given to this rulebook
    for trial in chunk:
        before, after = awards[id(trial.first)], awards[id(trial.second)]
        found = trial.verdict(before, after) if before is not None and after is not None else None
        if found:
            return trial.words, found, trial.first, trial.second
    return None


def _close_in(
    made: Audit, case: Case, name: str, words: Message, search: Callable[[Case], Searched]
) -> None:
    try:
        searched = search(case)
    except HonoursError:
        return
    if not searched.jumps:
        if searched.tried:
            made.kept.append((words, case.label, searched.tried))
        return
    first = min(searched.jumps, key=lambda j: (len(j.first.standings), len(j.words)))
    found = _counterexample(case, name, words, first.words, first.found, first.first, first.second)
    others = tuple(
        Message("{what}: {said}", what=j.words, said=j.found)
        for j in searched.jumps
        if j is not first
    )
    made.broken.append(replace(found, others=others))


def _counterexample(
    case: Case,
    name: str,
    words: Message,
    fields: Message,
    found: Message,
    first: Field,
    second: Field,
) -> Counterexample:
    before, after = _why(case, first), _why(case, second)
    return Counterexample(name, words, case.label, fields, found, before, after)


def _why(case: Case, field: Field) -> Step | None:
    """The explanation of first place, the exact way."""
    schedule = award(case.rulebook, field).schedule
    return schedule[0].why if schedule else None
