"""The facts an event's awards rest on though nobody stated them, and what hangs on each.

A rulebook's default is not knowledge. What no file shows and nobody told is *unknown*: the awards
are worked out under every alternative that its declaration allows. Where nobody's award, refusal or
colour changes it is immaterial and may stay unsaid; where anything changes it is asked, with what
hangs on it. The usual answers of a rulebook are one question.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import combinations, islice
from typing import Any

from honours.engine.event_awards import EventAwards, award_event
from honours.engine.known_facts import CONFIRMED, THE_FILE, unsaid_key
from honours.engine.rulebook import Input, Rulebook
from honours.engine.rules import public, titled
from honours.engine.unsaid import UnsaidInput, alternatives, far_alternatives, spread, unsaid_inputs
from honours.errors import InputError, MissingInput
from honours.model import Award, Awards, Field, KnownFact, Origin, Player, Standing, Value
from honours.model.facts import label_of_word
from honours.model.message import Message, joined
from honours.pipeline.evidence import counted, hinted, is_of_players, ruled_out

Given = Mapping[str, object]
Lists = tuple[Field, ...]
MOST_PAIRS, MOST_FOLLOWED, DEEPEST = 30, 4, 4
"""How many pairs of immaterial unknowns are tried together, how many numbers for a question that an
alternative leads to, and how many questions of the rulebook's own are followed. A bound that was
reached is said among the notes."""
_TOP = _FEW = 3


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of an answer: awards, a refusal, a further question, or a contradiction."""

    paid: Mapping[str, Sequence[tuple[Any, ...]]] = field(default_factory=dict)
    """Entrant id → all that it is credited with or refused."""
    top: tuple[str, ...] = ()
    """What the first three get."""
    refused: str = ""
    asks: tuple[str, ...] = ()
    question: str = ""
    impossible: str = ""
    lists: tuple[Awards, ...] = ()

    def differs(self, other: Outcome) -> bool:
        """Return whether anybody's award changes. What cannot be changes nothing; a question may,
        and a refusal for another reason does not."""
        return not self.impossible and (self.paid, self.asks) != (other.paid, other.asks)

    @property
    def is_nothing(self) -> bool:
        """True if nobody is awarded anything, for whatever reason."""
        return not (self.paid or self.asks or self.impossible)

    @property
    def shown(self) -> str:
        """The first three awards, or the reason why there are none."""
        if self.impossible:
            return self.impossible
        if self.asks:
            return Message("then asks for {facts}", facts=" / ".join(self.asks))
        if self.top:
            return " / ".join(self.top)
        if self.refused:
            return Message("no award: {reason}", reason=self.refused)
        return Message("no award")

    def beside(self, other: Outcome) -> str:
        """Say what it pays or, if the first three get the same, who gets something else."""
        if self.top != other.top or not self.top or self.asks or self.impossible:
            return self.shown
        everybody = dict.fromkeys((*self.paid, *other.paid))
        changed = [who for who in everybody if self.paid.get(who) != other.paid.get(who)]
        if not changed:
            return self.shown
        most = max(changed, key=lambda who: abs(_amount(self, who) - _amount(other, who)))
        return Message(
            "{top}; {who} gets {new} instead of {old}",
            top=self.shown,
            who=most,
            new=_number(_amount(self, most)),
            old=_number(_amount(other, most)),
        )


def _amount(outcome: Outcome, who: str) -> Fraction:
    return sum((item[0] for item in outcome.paid.get(who, ())), Fraction(0))


def _number(amount: Fraction) -> str:
    return f"{float(amount):.2f}".rstrip("0").rstrip(".")


@dataclass(frozen=True, slots=True)
class Alternative:
    """An answer: its value, how it is given, and what it leads to."""

    value: str
    given: Mapping[str, str]
    outcome: Outcome
    against: str = ""
    """What the file says against it."""


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """An unknown, or several that are asked together, with what every alternative pays.

    ``taken`` is what is tried first; ``hint`` what in the file makes it worth asking; ``of`` what
    it is asked of: the ``event``, a ``column`` that the file lacks, an ``option`` of scoring, or
    what is ``usual``, which one confirmation answers.
    """

    facts: tuple[str, ...]
    alternatives: tuple[Alternative, ...] = ()
    taken: str = ""
    about: str = ""
    clause: str = ""
    hint: str = ""
    of: str = "event"
    usual: bool = False

    @property
    def is_material(self) -> bool:
        """True if anybody's award hangs on it."""
        first = self.alternatives[0].outcome if self.alternatives else Outcome()
        return any(one.outcome.differs(first) for one in self.alternatives[1:])

    @property
    def asked(self) -> Message:
        """The question alone, with what makes it worth asking."""
        if self.of == "usual":
            return Message("nothing unusual? Not: {facts}", facts=tuple(map(titled, self.facts)))
        asked = Message("{facts}?", facts=joined(" / ", map(titled, self.facts)))
        return Message("{asked} ({hint})", asked=asked, hint=self.hint) if self.hint else asked

    @property
    def text(self) -> Message:
        """The question with what hangs on it, in a sentence."""
        if not self.alternatives:
            return Message("{asked} {about}", asked=self.asked, about=self.about)
        told = (Message("{value}: {pays}", value=v, pays=p) for v, p in self.table())
        said = Message("{asked} {told}", asked=self.asked, told=joined("; ", told))
        return Message("{said} ({clause})", said=said, clause=self.clause) if self.clause else said

    def table(self) -> Iterator[tuple[str, str]]:
        """Each answer with what it pays; those that pay the same are one line, and so is all that
        denies one of the usual answers."""
        first = self.alternatives[0]
        alike: dict[str, list[Alternative]] = {first.outcome.shown: [first]}
        for one in self.alternatives[1:]:
            pays = (
                Message("no award") if one.outcome.is_nothing else one.outcome.beside(first.outcome)
            )
            if self.of == "usual":
                pays = next(iter(one.given))
            alike.setdefault(pays, []).append(one)
        for pays, tried in alike.items():
            if self.of == "usual" and tried[0] is not first:
                yield _denied(tried), _what(tried, first.outcome)
                continue
            shown = (
                tried[0].outcome.shown if len(tried) == 1 and tried[0].outcome.is_nothing else pays
            )
            if against := next((a.against for a in tried if a.against), ""):
                shown = Message("{pays}, but {against}", pays=shown, against=against)
            yield _listed(tried), shown


def _listed(tried: Sequence[Alternative]) -> Message:
    """The answers that come to the same; of many numbers the first and the last."""
    values = [a.value for a in tried]
    numbers = [value for value in values if value.isdecimal()]
    if len(numbers) > _FEW:
        words = [value for value in values if value not in numbers]
        between = Message("{first} … {last}", first=numbers[0], last=numbers[-1])
        return joined(" | ", [*(Message(label_of_word(w)) for w in words), between])
    return joined(" | ", [Message(label_of_word(value)) for value in values])


def _denied(tried: Sequence[Alternative]) -> str:
    """Name what is unusual: *supervised*, or *event: national heat, autumn pairs, …*."""
    fact = titled(next(iter(tried[0].given)))
    values = [Message(label_of_word(a.value)) for a in tried]
    if tried[0].value in ("yes", "no"):
        return fact
    more = [Message("…")] if len(values) > _FEW else []
    listed = (*values[:_FEW], *more)
    return Message("{fact}: {values}", fact=fact, values=listed)


def _what(tried: Sequence[Alternative], first: Outcome) -> str:
    """Say what denying a usual answer leads to."""
    pays = dict.fromkeys(
        Message("no award") if a.outcome.is_nothing else a.outcome.beside(first) for a in tried
    )
    more = [Message("…")] if len(pays) > _FEW else []
    return joined("; ", (*islice(pays, _FEW), *more))


@dataclass(slots=True)
class Inquiry:
    """The questions that must be asked, those that change nothing, those the file leaves only one
    answer to, and the answers to the first under which all that holds."""

    base: Outcome
    questions: list[OpenQuestion] = field(default_factory=list)
    immaterial: list[OpenQuestion] = field(default_factory=list)
    derived: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Input → the one value that is left, and why."""
    confirmed: tuple[str, ...] = ()
    """What a confirmation of the usual answers covers."""
    evaluations: int = 0
    under: Given = field(default_factory=dict)
    """What was given, with the first answer to what the rulebook asks: ``base`` is made of it."""
    bounded: bool = False
    """Whether there were more pairs of unknowns than were tried together."""

    @property
    def notes(self) -> tuple[str, ...]:
        """Return a note if a bound was reached."""
        if not self.bounded:
            return ()
        text = "of what nobody said and changes nothing, {most} pairs were tried together, not all"
        return (Message(text, most=MOST_PAIRS),)

    def settled(self, lists: Sequence[Field]) -> Lists:
        """The lists with what was found: derived facts, what is confirmed, what is immaterial."""
        facts = {name: value for name, (value, _) in self.derived.items()}
        verdicts = {n: KnownFact(n, v, Origin.DERIVED, w) for n, (v, w) in self.derived.items()}
        verdicts |= {n: KnownFact(n, "", Origin.TOLD, CONFIRMED) for n in self.confirmed}
        verdicts |= {
            name: KnownFact(name, "", Origin.IMMATERIAL)
            for question in self.immaterial
            for name in question.facts
        }
        told = (replace(f, facts={**facts, **f.facts}) for f in lists)
        return tuple(as_settled(f, verdicts) for f in told)


def as_settled(listed: Field, verdicts: Mapping[str, KnownFact]) -> Field:
    """The list with how what nobody said of it is settled: of a fact in its source, of what the
    rulebook takes for one beside it."""
    own = {
        name: replace(verdict, value=listed.facts[name])
        for name, verdict in verdicts.items()
        if name in listed.facts
    }
    rest = {unsaid_key(name): v for name, v in verdicts.items() if name not in own}
    return replace(listed, sources={**listed.sources, **own, **rest})


Awarding = Callable[[Given, Lists], EventAwards]
"""Works out the awards of an event with these lists and what is given."""


def inquire(
    book: Rulebook,
    lists: Sequence[Field],
    given: Given,
    as_usual: bool = False,
    awards: Awarding | None = None,
) -> Inquiry:
    """Every unknown of an event. What the rulebook asks for anyway comes first; the others are
    found under the first answer to it that pays. ``awards`` works them out, where that is more than
    to run the rulebook on the lists."""
    trial, now = AwardTrial(book, tuple(lists), awards), dict(given)
    found = Inquiry(trial.outcome(now))
    for _ in range(DEEPEST):
        if not found.base.asks:
            break
        question = trial.missing(found.base, now)
        possible = [a for a in question.alternatives if not a.against]
        if len(possible) == 1 and len(question.alternatives) > 1:
            why = next(a.against for a in question.alternatives if a.against)
            found.derived[question.facts[0]] = (possible[0].value, str(why))
        else:
            found.questions.append(question)
        paying = [a for a in possible if a.outcome.top] or possible
        if not paying:
            break
        now |= paying[0].given
        found.base = trial.outcome(now)
    if not found.base.impossible and not found.base.asks:
        _unknowns(trial, found, now, as_usual)
    ordinary = [q for q in found.questions if q.usual]
    found.questions = [q for q in found.questions if not q.usual]
    if ordinary and as_usual:
        found.confirmed += tuple(name for q in ordinary for name in q.facts)
    elif ordinary:
        found.questions.append(_confirmation(ordinary))
    found.evaluations, found.under = trial.evaluations, now
    return found


def _unknowns(trial: AwardTrial, found: Inquiry, now: Given, as_usual: bool) -> None:
    """Ask about every input that nobody said, alone and two together. What is confirmed as usual
    need not be tried."""
    asked: dict[str, OpenQuestion] = {}
    confirmed: dict[str, str] = {}
    idle = _idle_columns(found.base, trial.book)
    unsaid = unsaid_inputs(trial.book, found.base.lists)
    for one in sorted(unsaid, key=lambda u: bool(u.follows and not u.same)):
        key = public(one.declared.name)
        if key in now:
            continue  # asked already
        if not one.same and any(name in asked for name in one.follows - confirmed.keys()):
            continue  # the answer to that may settle it
        if as_usual and one.usual and not idle and trial.is_plain(one):
            confirmed[key] = one.taken
            found.confirmed = (*found.confirmed, key)
            continue
        question = trial.unsaid(one, found.base, {**now, **trial.of_field(confirmed)})
        if len(question.alternatives) == 1 and question.hint:
            found.derived[key] = (one.taken, question.hint)
            continue
        if question.usual or not question.is_material:
            confirmed[key] = one.taken
        if (before := asked.get(one.same)) is None:
            asked[key] = question
        else:  # the same question, which may be answered in other words
            more = (*before.alternatives, *question.alternatives[1:])
            asked[one.same] = replace(before, alternatives=more)
    for question in asked.values():
        (found.questions if question.is_material else found.immaterial).append(question)
    open_ = [q for q in found.immaterial if q.of == "event" and len(q.alternatives) > 1]
    pairs = list(combinations(open_, 2))
    found.bounded = len(pairs) > MOST_PAIRS
    together = list(trial.together(pairs[:MOST_PAIRS], now))
    decide = {name for question in together for name in question.facts}
    found.immaterial = [q for q in found.immaterial if not decide & {*q.facts}]
    found.questions += together


def _confirmation(ordinary: Sequence[OpenQuestion]) -> OpenQuestion:
    """One question for all of which the usual answer is likely, and nothing speaks against it."""
    first = ordinary[0].alternatives[0]
    usual = replace(first, value="as usual", given={})
    others = [a for q in ordinary for a in q.alternatives[1:] if a.outcome.differs(first.outcome)]
    facts = tuple(name for q in ordinary for name in q.facts)
    return OpenQuestion(facts, (usual, *others), "as usual", of="usual", usual=True)


class AwardTrial:
    """The same event under one answer after another."""

    def __init__(self, book: Rulebook, lists: Lists, awards: Awarding | None = None) -> None:
        self.book, self.lists, self.evaluations = book, lists, 0
        self._awards = awards or self._by_the_rulebook
        self._worked_out: dict[tuple[object, ...], Outcome] = {}

    def _by_the_rulebook(self, given: Given, lists: Lists) -> EventAwards:
        return award_event(self.book, lists, given, in_words=False)

    def outcome(self, given: Given, lists: Lists | None = None) -> Outcome:
        """Return the outcome under these answers, worked out once; for other lists, anew."""
        told = tuple(sorted((name, str(value)) for name, value in given.items()))
        if lists is None and told in self._worked_out:
            return self._worked_out[told]
        self.evaluations += 1
        outcome = outcome_of_trial(lambda: self._awards(given, lists or self.lists))
        if lists is None:
            self._worked_out[told] = outcome
        return outcome

    def missing(self, base: Outcome, given: Given) -> OpenQuestion:
        """Return the question the rulebook itself asks, with alternatives if it declares them."""
        declared = next((self.book.input(n) for n in base.asks if n in self.book.keys), None)
        if declared is None or declared.per != "field":
            return OpenQuestion(base.asks, about=base.question, of="column")
        key, tried = public(declared.name), []
        values = counted(self.lists, declared.name) or spread(self.book, declared)
        for value in values:
            tried += self._followed(declared, value, given)
        possible = [a for a in tried if not a.outcome.impossible]
        names = (key, *(n for n in base.asks if n != key))
        return OpenQuestion(names, tuple(possible), "", base.question, self._clause(declared))

    def unsaid(self, unsaid: UnsaidInput, base: Outcome, given: Given) -> OpenQuestion:
        """Return a question with the pay under each alternative that the file does not rule out."""
        declared, key = unsaid.declared, public(unsaid.declared.name)
        column = declared.per != "field"
        against = ruled_out(self.lists, declared, unsaid.taken)
        tried = [Alternative(unsaid.taken, {key: unsaid.taken}, base, against)]
        taken = (declared.default or "") if column else unsaid.taken
        for values in (alternatives(self.book, declared, taken), far_alternatives(declared)):
            for value in values:
                tried += self._followed(declared, value, given)
            if any(one.outcome.differs(base) for one in tried[1:] if not one.against):
                break
        possible = (tried[0], *(a for a in tried[1:] if not (a.against or a.outcome.impossible)))
        if len(possible) == 1:  # what speaks against all others speaks for this
            against = next((a.against for a in tried[1:] if a.against), "")
        words = [a.value for a in possible[1:] if declared.type == "word"]
        speaks = against or hinted(self.lists, declared, words)
        hint = speaks or _idle(self.book, base, possible[1:])
        apart = key == "kind" and not any(is_of_players(word) for word in words)
        return OpenQuestion(
            (key,),
            possible,
            unsaid.taken,
            declared.about,
            self._clause(declared),
            hint,
            "column" if column else "event",
            (unsaid.usual or apart) and not hint,
        )

    def of_field(self, answers: Mapping[str, str]) -> dict[str, str]:
        """Those that may be given of the event: what is per entrant or player is in columns."""
        return {k: v for k, v in answers.items() if self.book.input(k).per == "field"}

    def is_plain(self, unsaid: UnsaidInput) -> bool:
        """Return whether nothing in the file speaks against what is taken for an input."""
        declared = unsaid.declared
        words = [word for word in declared.words if word != unsaid.taken]
        return not (
            ruled_out(self.lists, declared, unsaid.taken) or hinted(self.lists, declared, words)
        )

    def _followed(self, declared: Input, value: Value, given: Given) -> list[Alternative]:
        """An answer with what it leads to; where that is a further question, with a few answers
        to it."""
        key, words = public(declared.name), declared.shown(value)
        against, told = ruled_out(self.lists, declared, value), {key: words}
        if against:
            return [Alternative(words, told, Outcome(), against)]
        here, lists = dict(given), None
        if declared.per == "field":
            here |= told
        else:
            lists = _filled(self.lists, declared, value)
        outcome = self.outcome(here, lists)
        asked = next((self.book.input(n) for n in outcome.asks if n in self.book.keys), None)
        if asked is None or asked.per != "field":
            return [Alternative(words, told, outcome)]
        values = counted(self.lists, asked.name) or spread(self.book, asked)
        few = values if asked.type == "word" else values[:MOST_FOLLOWED]
        further = [{public(asked.name): asked.shown(v)} for v in few]
        followed = [
            Alternative(f"{words}, {k}={v}", {**told, k: v}, self.outcome({**here, k: v}, lists))
            for one in further
            for k, v in one.items()
        ]
        return [a for a in followed if not a.outcome.impossible] or [
            Alternative(words, told, outcome)
        ]

    def together(
        self, pairs: Sequence[tuple[OpenQuestion, OpenQuestion]], given: Given
    ) -> Iterator[OpenQuestion]:
        """Those of which neither matters alone, and two together do."""
        for one, other in pairs:
            first, second = (q.alternatives[1] for q in (one, other))
            told = {**first.given, **second.given}
            outcome = self.outcome({**given, **told})
            base = one.alternatives[0]
            if outcome.differs(base.outcome):
                both = Alternative(" & ".join((first.value, second.value)), told, outcome)
                taken = f"{one.taken} & {other.taken}"
                now = Alternative(
                    taken, {**base.given, **other.alternatives[0].given}, base.outcome
                )
                facts = (*one.facts, *other.facts)
                usual = one.usual and other.usual
                yield OpenQuestion(facts, (now, both), taken, clause=one.clause, usual=usual)

    def _clause(self, declared: Input) -> str:
        """The clause of a rule that this decides."""
        for rule in self.book.rules:
            if rule.kind == "rule" and not rule.presumes and declared.name in rule.arguments:
                return rule.clause
        for rule in self.book.rules:
            if declared.name in (*rule.arguments, *(rule.when or {})):
                return rule.clause
        return ""


def _idle_columns(outcome: Outcome, book: Rulebook) -> set[str]:
    """The columns of the file that the rulebook asks for and that play no part."""
    of_file = [k for a in outcome.lists for k in a.known if k.source == THE_FILE]
    known = [k for k in of_file if k.name in book.keys]
    return {k.name for k in known if not k.used} - {k.name for k in known if k.used}


def _idle(book: Rulebook, base: Outcome, others: Sequence[Alternative]) -> str:
    """The column that plays no part now and would under another answer."""
    used = {k.name for o in others for a in o.outcome.lists for k in a.known if k.used}
    found = sorted(_idle_columns(base, book) & used)
    return Message("the file has a column {column}", column=found[0]) if found else ""


def _filled(lists: Lists, declared: Input, value: Value) -> Lists:
    """The lists with the same value for every entrant or player of whom nothing is known."""
    fact = {declared.name: value}

    def of_player(player: Player) -> Player:
        return replace(player, facts={**fact, **player.facts})

    def of_standing(s: Standing) -> Standing:
        if declared.per == "entrant":
            return replace(s, facts={**fact, **s.facts})
        return replace(s, entrant=s.entrant.with_players(of_player))

    return tuple(replace(f, standings=tuple(map(of_standing, f.standings))) for f in lists)


def outcome_of_trial(awards: Callable[[], EventAwards]) -> Outcome:
    """Work out the awards and return their outcome: a question or contradiction if that fails."""
    try:
        return outcome_of(awards())
    except MissingInput as missing:
        return Outcome(asks=missing.names, question=missing.message)
    except InputError as error:
        return Outcome(impossible=error.brief)


def outcome_of(awards: EventAwards) -> Outcome:
    """Return the outcome of awards: all that anybody is credited with or refused."""
    refused = dict.fromkeys(a.refusal.reason for a in awards.lists if a.refusal)
    essence = {e: list(filter(None, map(_essence, a))) for e, a in awards.combined.items()}
    every = sorted(
        (a for items in awards.combined.values() for a in items if a.amount),
        key=lambda a: (-a.amount, a.standing.place),
    )
    return Outcome(
        {entrant: items for entrant, items in essence.items() if items},
        tuple(a.shown for a in every[:_TOP]),
        joined("; ", refused) if refused else "",
        lists=awards.lists,
    )


def _essence(award: Award) -> tuple[Any, ...]:
    """All of an award that somebody is credited with or refused; empty where that is nothing."""
    figures = [(f.name, f.value, f.player and f.player.name) for f in award.figures]
    if not (award.amount or award.refusal or award.withheld or figures):
        return ()
    withheld = [player.name for player, _ in award.withheld]
    return award.amount, award.shares, dict(award.colours), withheld, bool(award.refusal), figures
