"""Runs every promise against a rulebook and keeps the smallest counterexample of each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any

from honours.engine.award import award
from honours.engine.exact.explanation import render_text, to_data
from honours.engine.rulebook import Rulebook
from honours.errors import HonoursError
from honours.lab.audit.boundaries import (
    GAME_PROMISES,
    BoundarySearch,
    game_cases,
    held_at_zero,
    size_jumps,
    strength_jumps,
)
from honours.lab.audit.breach_cost import BreachCost, touched
from honours.lab.audit.promises import (
    PROMISES,
    AuditCase,
    Breach,
    Promise,
    Trial,
    cases_of,
    varied_cases,
)
from honours.lab.corpus import Corpus
from honours.lab.left_out import hold_back_small
from honours.lab.result import Frame, LabResult, Progress, note_of, unwatched
from honours.lab.sides import AS_PAID, name_of
from honours.language import DEFAULT, words
from honours.model import Field, Step
from honours.model.message import Message, joined, plural

if TYPE_CHECKING:
    from honours.lab.compare import Comparison
    from honours.lab.report import Answer

_AT_ONCE = 40

BOUNDARIES: tuple[tuple[str, Message, Callable[[AuditCase], BoundarySearch]], ...] = (
    ("jump in strength", Message("no jump at a boundary of strength"), strength_jumps),
    ("jump in size", Message("no jump at a boundary of size"), size_jumps),
    ("held at zero", Message("nothing has to be kept from falling below zero"), held_at_zero),
)


@dataclass(frozen=True, slots=True)
class Counterexample:
    """A broken promise: the smallest two fields that break it, what happened and why on either
    side, the worst case found, and what it costs on a corpus."""

    promise: str
    words: Message
    case: Message
    fields: Message
    found: Message
    first: Step | None
    second: Step | None
    others: tuple[Message, ...] = ()
    worst: Message | None = None
    touched: BreachCost | None = None

    @property
    def in_short(self) -> Message:
        """What breaks it, what happens then, and in how many more cases."""
        lines: list[str] = [joined(": ", (self.fields, self.found))]
        if self.others:
            lines.append(self._more)
        return joined("; ", lines)

    @property
    def _more(self) -> Message:
        some = joined("; ", self.others[:4])
        return Message("and {count:,} more, e.g. {some}", count=len(self.others), some=some)

    def text(self) -> Message:
        lines: list[str] = [_of(self.fields, self.case), self.found]
        if self.worst is not None:
            lines.append(Message("at worst: {worst}", worst=self.worst))
        if self.touched is not None:
            lines.append(self.cost)
        if self.others:
            lines.append(self._more)
        return joined("\n  ", (joined("", ("✗ ", self.words)), *lines))

    @property
    def cost(self) -> Message | str:
        """What it costs on the corpus, in words."""
        if self.touched is None:
            return ""
        if not self.touched.tried:
            return Message("in the corpus: no event it can be tried in")
        return Message(
            "in the corpus: {events:,} of {tried:,} events it can be tried in, {cost:,.2f} points "
            "to players",
            events=self.touched.events,
            tried=self.touched.tried,
            cost=self.touched.cost,
        )

    def data(self) -> dict[str, Any]:
        sides = {"before": self.first, "after": self.second}
        return {
            "promise": self.promise,
            "words": self.words,
            "case": self.case,
            "fields": self.fields,
            "found": self.found,
            "worst": self.worst,
            "corpus": None
            if self.touched is None
            else {
                "tried": self.touched.tried,
                "events": self.touched.events,
                "points": self.touched.cost,
            },
            "others": list(self.others),
            "why": {k: to_data(step) for k, step in sides.items() if step},
        }

    def explanations(self, language: str = DEFAULT) -> list[str]:
        return [render_text(step, language) for step in (self.first, self.second) if step]


@dataclass
class Audit(LabResult):
    """What was tried and what broke."""

    rulebook: Rulebook
    broken: list[Counterexample] = field(default_factory=list)
    kept: list[tuple[Message, Message, int]] = field(default_factory=list)
    rounding: list[tuple[Message, Message, Message]] = field(default_factory=list)
    """Promises broken only within rounding: the promise, the kind of event, and the largest
    breach."""
    corpus: Corpus | None = None
    paid: Comparison | None = None
    """What was paid compared with the rule, if the corpus records payments."""
    explain: bool = False
    """Whether the text includes both explanations of each broken promise."""

    def so_far(self) -> Message | str:
        """What is known while the search is still running."""
        return self.statement() if self.broken else ""

    def statement(self) -> Message:
        """How many promises the rulebook breaks, and which."""
        broken = dict.fromkeys(b.words for b in self.broken)
        tried = {*broken, *(words for words, _, _ in (*self.kept, *self.rounding))}
        if not tried:
            return Message(
                "{rulebook}: no promise could be tried, as no event can be made up that it awards.",
                rulebook=name_of(self.rulebook),
            )
        message = Message(
            "{rulebook} would break {count} of {tried} promises, "
            "compared with a rule that keeps them all: {broken}.",
            rulebook=name_of(self.rulebook),
            count=len(broken),
            tried=len(tried),
            broken=joined("; ", broken) if broken else Message("none"),
        )
        return (
            Message("On a synthetic corpus: {text}", text=message)
            if note_of(self.corpus)
            else message
        )

    def frames(self) -> list[Frame]:
        """The broken and the kept promises, as tables."""
        broken = [
            {"promise": b.words, "of": b.case, "broken by": b.fields, "found": b.found}
            | {"at worst": b.worst or ""}
            | _touched_columns(b.touched)
            for b in self.broken
        ]
        rounded = [{"promise": w, "of": c, "at most": most} for w, c, most in self.rounding]
        kept = [{"promise": words, "of": case, "tried": tried} for words, case, tried in self.kept]
        made = (
            (Message("Broken"), broken),
            (Message("Rounding, and no more"), rounded),
            (Message("Kept, as far as was tried"), kept),
        )
        note = note_of(self.corpus)
        frames = [Frame.of(title, rows, note) for title, rows in made if rows]
        return [*frames, *(self.paid.differences() if self.paid is not None else ())]

    def find(self, promise: str) -> list[Counterexample]:
        return [b for b in self.broken if b.promise == promise]

    def answer(self, progress: Progress = unwatched, whole: bool = True) -> Answer:
        """The report of the audit, with both explanations for every broken promise."""
        from honours.lab.report import audit_answer

        del progress, whole
        return audit_answer(self)

    def text(self, language: str = DEFAULT) -> str:
        """The audit as text, promise by promise."""
        lines = [words(self.statement(), language)]
        for broken in self.broken:
            lines.append(words(broken.text(), language))
            lines += map(_indented, broken.explanations(language) if self.explain else ())
        for promise, case, most in self.rounding:
            lines.append(words(joined("", ("≈ ", _of(promise, case), ": ", most)), language))
        for promise, case, count in self.kept:
            tried = plural("{count:,} tried", "{count:,} tried", count=count)
            lines.append(words(joined("", ("✓ ", _of(promise, case, tried))), language))
        if self.paid is not None:
            tables = (frame.text(language) for frame in self.paid.differences())
            lines += ["", words(self.paid.statement(), language), *tables]
        return "\n".join(lines)

    def data(self) -> dict[str, Any]:
        return {
            "statement": self.statement(),
            "rulebook": self.rulebook.id,
            "hash": self.rulebook.hash,
            "broken": [b.data() for b in self.broken],
            "kept": [{"words": w, "case": c, "tried": n} for w, c, n in self.kept],
            "rounding": [{"words": w, "case": c, "most": m} for w, c, m in self.rounding],
            "synthetic": bool(note_of(self.corpus)),
            "paid": None if self.paid is None else self.paid.statement(),
            "provenance": self.provenance(),
        }

    def provenance(self) -> dict[str, str]:
        """What the answer stands on: enough to make it again."""
        of = self.corpus.provenance() if self.corpus else {}
        return {**of, self.rulebook.id: self.rulebook.hash}


def _touched_columns(reach: BreachCost | None) -> dict[str, Any]:
    if reach is None:
        return {}
    return {"events tried": reach.tried, "events touched": reach.events, "points": reach.cost}


def _of(what: str, *about: str) -> str:
    parts = [part for part in about if part]
    return joined("", (what, " (", joined("; ", parts), ")")) if parts else what


def _indented(text: str) -> str:
    return "\n".join(f"      {line}" for line in text.splitlines())


def audit(
    rulebook: Rulebook,
    progress: Progress = unwatched,
    corpus: Corpus | None = None,
    on: str = "",
    explain: bool = False,
) -> Audit:
    """Search for counterexamples to every promise in every kind of event the rulebook awards."""
    if corpus is not None:
        hold_back_small(corpus)
    made = Audit(rulebook, corpus=corpus, explain=explain)
    searches: list[Callable[[], None]] = []
    cases = [] if rulebook.plays_games else list(cases_of(rulebook))
    for case in game_cases(rulebook) if rulebook.plays_games else ():
        searches += [partial(_try, made, case, promise) for promise in GAME_PROMISES]
    for case in cases:
        searches += [partial(_try, made, case, promise) for promise in PROMISES]
        searches += [partial(_close_in, made, case, *boundary) for boundary in BOUNDARIES]
    for case in varied_cases(cases[0]) if cases else ():
        searches += [partial(_try, made, case, promise, True) for promise in _VARIED]
    many = len(searches) + (_ON_CORPUS if corpus is not None else 0)
    for done, search in enumerate(searches):
        progress(done, many, made.so_far())
        search()
    if corpus is not None:
        _on_corpus(made, corpus, on, lambda done: progress(len(searches) + done, many))
    progress(many, many)
    return made


_ON_CORPUS = 100
"""How many steps of progress a pass through a corpus counts as."""


_VARIED = tuple(p for p in PROMISES if p.name in ("newcomer", "stronger", "place", "ties"))
"""The promises tried again with other values of everything declared about an event."""


def _on_corpus(made: Audit, corpus: Corpus, on: str, progress: Callable[[int], None]) -> None:
    """What each broken promise costs on the corpus, and where payments differ from the rule."""
    from honours.lab.compare import compare

    costs = {}
    names = sorted({b.promise for b in made.broken})
    for done, name in enumerate(names):
        progress(_ON_CORPUS * done // (len(names) + 1))
        costs[name] = touched(made.rulebook, name, corpus, on)
    # All kinds of events are counted together, so it is reported once.
    made.broken = [replace(b, touched=costs.pop(b.promise, None)) for b in made.broken]
    if corpus.tells_paid:
        made.paid = compare(corpus, AS_PAID, made.rulebook, on=on)


def _try(made: Audit, case: AuditCase, promise: Promise, fresh: bool = False) -> None:
    """Try a promise; if only ``fresh`` breaches are wanted, skip promises already broken."""
    if fresh and made.find(promise.name):
        return
    trials = promise.trials(case)
    tried = 0
    first: tuple[Trial, Breach] | None = None
    worst: tuple[Trial, Breach] | None = None
    rounded: Breach | None = None
    while chunk := list(islice(trials, _AT_ONCE)):
        for trial, breach in _breaches(case, chunk):
            if breach.rounding:
                rounded = max(rounded or breach, breach, key=lambda b: b.by)
                continue
            first = first or (trial, breach)
            worst = max(worst or (trial, breach), (trial, breach), key=lambda one: one[1].by)
        tried += len(chunk)
    if first is not None and worst is not None:
        trial, breach = first
        made.broken.append(
            replace(
                _counterexample(
                    case,
                    promise.name,
                    promise.words,
                    trial.words,
                    breach.found,
                    trial.first,
                    trial.second,
                ),
                worst=None
                if worst[1].by == breach.by
                else Message("{what}: {said}", what=worst[0].words, said=worst[1].found),
            )
        )
    elif rounded is not None:
        made.rounding.append((promise.words, case.label, rounded.found))
    elif tried and not fresh:
        made.kept.append((promise.words, case.label, tried))


def _breaches(case: AuditCase, chunk: list[Trial]) -> Iterator[tuple[Trial, Breach]]:
    # Many trials share a field with the previous one; it is awarded only once.
    fields = {id(f): f for trial in chunk for f in (trial.first, trial.second)}
    try:
        awards = dict(zip(fields, case.awards(list(fields.values())), strict=True))
    except HonoursError:
        return  # this rulebook does not accept such a field
    for trial in chunk:
        before, after = awards[id(trial.first)], awards[id(trial.second)]
        breach = trial.verdict(before, after) if before is not None and after is not None else None
        if breach:
            yield trial, breach


def _close_in(
    made: Audit,
    case: AuditCase,
    name: str,
    words: Message,
    search: Callable[[AuditCase], BoundarySearch],
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
    example = _counterexample(
        case, name, words, first.words, first.found, first.first, first.second
    )
    others = tuple(
        Message("{what}: {said}", what=j.words, said=j.found)
        for j in searched.jumps
        if j is not first
    )
    worst = max(searched.jumps, key=lambda j: j.by)
    worse = (
        None if worst is first else Message("{what}: {said}", what=worst.words, said=worst.found)
    )
    made.broken.append(replace(example, others=others, worst=worse))


def _counterexample(
    case: AuditCase,
    name: str,
    words: Message,
    fields: Message,
    message: Message,
    first: Field,
    second: Field,
) -> Counterexample:
    before, after = _why(case, first), _why(case, second)
    return Counterexample(name, words, case.label, fields, message, before, after)


def _why(case: AuditCase, field: Field) -> Step | None:
    """The explanation of first place, worked out exactly."""
    schedule = award(case.rulebook, field).schedule
    return schedule[0].why if schedule else None
