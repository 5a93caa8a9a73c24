"""The facts a rulebook knows about a field: derived, told or assumed, used or not."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from honours.engine.numbers import show
from honours.engine.ranking import THE_LIST
from honours.engine.rules import Rule, public
from honours.errors import InputError, MissingInput, RulebookError, UnknownName
from honours.model import Citation, Facts, Field, KnownFact, Notice, Origin, Standing, Value
from honours.model.facts import Subject
from honours.model.message import Message, plural
from honours.model.vocabulary import VOCABULARY, facts_of

if TYPE_CHECKING:
    from honours.engine.exact.working import Working
    from honours.engine.rulebook import Input, Rulebook


# --- how a rulebook's words follow from what is known of an event -------------------------------


@dataclass(frozen=True, slots=True)
class Derivation:
    """One line of ``[derive]``: the input is ``value``, or what the fact ``source`` says, or is
    asked for with the words of ``ask``, when every fact in ``when`` is one of the words there and
    the title has one of the words in ``titled``."""

    input: str
    clause: str
    value: str = field(default="", metadata={"key": "is"})
    source: str = field(default="", metadata={"key": "from"})
    ask: str = ""
    when: Mapping[str, tuple[str, ...]] | None = None
    titled: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if sum(map(bool, (self.value, self.source, self.ask))) != 1 or not self.clause:
            raise RulebookError("expected one of is, from and ask, and a clause")
        for fact in filter(None, (*(self.when or {}), self.source)):
            if fact not in VOCABULARY:
                what = Message("fact in derive.{name}", name=self.input)
                raise UnknownName(what, fact, VOCABULARY)

    def applies(self, facts: Facts) -> bool:
        for name, words in (self.when or {}).items():
            if name not in facts or str(facts[name]) not in words:
                return False
        if self.source and self.source not in facts:
            return False
        return self.applies_to_title(str(facts.get("title", "")))

    def applies_to_title(self, title: str) -> bool:
        """Return whether the title has one of its words, where it has any."""
        either = "|".join(map(re.escape, self.titled))
        found = re.search(rf"(?<!\w)(?:{either})(?!\w)", title, re.IGNORECASE)
        return not self.titled or found is not None

    def known(self, facts: Facts) -> KnownFact:
        """Return the fact that follows, with what it follows from."""
        value: Value = facts[self.source] if self.source else self.value
        names = (*(self.when or {}), *([self.source] if self.source else []))
        because = ", ".join(f"{name}={facts[name]}" for name in names)
        source = f"{because} [{self.clause}]"
        return KnownFact(self.input, value, Origin.DERIVED, source, follows_from=names)


def derived(
    derivations: Sequence[Derivation], facts: Facts, given: Mapping[str, Value]
) -> dict[str, KnownFact]:
    """Return what follows for each input from these facts; the first line that applies counts. A
    question is asked unless somebody told the answer."""
    follows: dict[str, KnownFact] = {}
    settled: set[str] = set()
    for line in derivations:
        if line.input in settled or not line.applies(facts):
            continue
        settled.add(line.input)
        if not line.ask:
            follows[line.input] = line.known(facts)
        elif line.input not in given:
            asks = Message(line.ask)
            question = Message("{question} [{clause}]", question=asks, clause=line.clause)
            raise MissingInput(public(line.input), question)
    return follows


# --- what a rulebook knows about a field --------------------------------------------------------

_SAID_OF_LISTS = ("ranking_basis", "section_kind", "stratum_kind")
_OF_EACH = frozenset(
    fact.name
    for about in (Subject.LIST, Subject.ENTRANT, Subject.PLAYER)
    for fact in facts_of(about)
    if fact.name not in _SAID_OF_LISTS
)
"""What a column says of each entrant, whatever a rulebook asks of the field under that name."""
THE_FILE, GIVEN = "the file", "what was given"
ABSENT, CONFIRMED = "the file shows none", "confirmed: nothing unusual"


def gathered(
    rulebook: Rulebook, source: Field, counted: Facts, given: Mapping[str, Value]
) -> tuple[dict[str, Value], dict[str, KnownFact]]:
    """Return what the rulebook takes of what is known of a list, and where everything comes from.

    ``counted`` is what the list itself shows; what was ``told`` goes before everything, and what
    the rulebook's own words make of the facts before facts of the same name.
    """
    facts: dict[str, Value] = {**counted, **source.facts}
    sources = dict(source.sources)
    for name, value in facts.items():
        told = KnownFact(name, value, Origin.TOLD, THE_FILE)
        known = told if name in source.facts else KnownFact(name, value, Origin.DERIVED, THE_LIST)
        sources.setdefault(name, known)
    inputs: dict[str, Value] = {}
    for name, value in facts.items():
        if (declared := taken_by(rulebook, name)) and _fits(declared, value):
            inputs[declared.name] = declared.read(value)
            sources[declared.name] = replace(sources[name], name=declared.name)
    stated = {name: value for name, value in inputs.items() if public(name) not in VOCABULARY}
    answers = {**inputs, **given}
    for name, follows in derived(rulebook.derivations, {**facts, **given}, answers).items():
        if name not in stated:  # a rulebook's own word in a file is what its author says
            inputs[name] = rulebook.inputs[name].read(follows.value)
            sources[name] = replace(follows, value=inputs[name])
    for name, value in given.items():
        before = inputs.get(name)
        other = before if before is not None and before != value else None
        if other is None and name in sources:
            other = sources[name].instead
        sources[name] = KnownFact(name, value, Origin.TOLD, GIVEN, instead=other)
        inputs[name] = value
    return inputs, sources


def taken_by(rulebook: Rulebook, name: str) -> Input | None:
    """The input of the field that is this fact, if the rulebook declares one."""
    for key in (name, f"{name}_"):
        if (declared := rulebook.inputs.get(key)) and declared.per == "field":
            return declared
    return None


def _fits(declared: Input, value: Value) -> bool:
    """Return whether a fact can be this input. One that cannot, a word the rulebook does not know
    or a text where it wants a number, is no error: it is simply not meant for it."""
    if declared.type == "word":
        return str(value) in declared.words
    return isinstance(value, str) is declared.is_text


def known_of(working: Working) -> tuple[KnownFact, ...]:
    """Everything that is known of the field, in the order it came, then what was assumed."""
    field, used = working.field, {*working.used, *working.graph.words, "date"}
    used |= {
        fact for name in used & field.sources.keys() for fact in field.sources[name].follows_from
    }
    facts = [
        replace(
            field.sources.get(name) or KnownFact(name, value, Origin.TOLD, GIVEN),
            name=public(name),
            value=value,
            used=name in used,
        )
        for name, value in field.facts.items()
    ]
    below = list(_below(working, used))
    mentioned = {one.name for one in (*facts, *below)}
    idle = [
        replace(one, used=one.used and name in used)
        for name, one in field.sources.items()
        if one.value != "" and name not in field.facts and public(name) not in mentioned
    ]
    return (*facts, *below, *_assumed(working), *idle)


def _assumed(working: Working) -> Iterator[KnownFact]:
    """Yield what stood in for facts of the field that nobody said: an input's default, or a rule
    that presumes an answer."""
    book, facts = working.rulebook, working.field.facts
    for name in dict.fromkeys((*working.graph.words, *working.used)):
        declared = book.inputs.get(name)
        if declared is None or declared.per != "field" or name in facts:
            continue
        found = working.graph.find(name)
        if found is declared and declared.default is not None:
            yield _unsaid(working, declared, declared.read(declared.default))
        elif isinstance(found, Rule) and found.presumes:
            yield _unsaid(working, declared, working.step(name).value)


def unsaid_key(name: str) -> str:
    """Return the key under which a list's sources say how an unsaid input was settled."""
    return f"{name}?"


def _unsaid(working: Working, declared: Input, value: Value) -> KnownFact:
    """Return what is taken for an input: as an inquiry found it to be (confirmed, immaterial), as
    the file's silence means it, or assumed."""
    name = public(declared.name)
    if found := working.field.sources.get(unsaid_key(name)):
        return replace(found, name=name, value=value)
    if declared.unsaid == "absent":
        return KnownFact(name, value, Origin.DERIVED, ABSENT)
    nothing = Message("nothing else is known: {id}", id=working.rulebook.id)
    return KnownFact(name, value, Origin.ASSUMED, nothing)


def _below(working: Working, used: set[str]) -> Iterator[KnownFact]:
    """Yield what is known of entrants and players, told by how many it is known of; of the others
    the rulebook's default is assumed."""
    field = working.field
    standings = field.standings
    people = [p for s in standings for p in s.entrant.players]
    for name, declared in working.rulebook.inputs.items():
        if declared.per == "field" or not standings:
            continue
        of_entrants = sum(name in s.facts for s in standings)
        of_players = sum(name in p.facts for p in people)
        many = of_players or of_entrants
        everybody = len(people) if of_players or declared.per == "player" else len(standings)
        if many:
            source = field.sources.get(name) or KnownFact(name, "", Origin.TOLD, THE_FILE)
            value = (
                plural("of {count} player", "of {count} players", count=many)
                if of_players
                else plural("of {count} entrant", "of {count} entrants", count=many)
            )
            yield replace(source, name=public(name), value=value, used=name in used)
        covered = many >= everybody or of_entrants == len(standings)
        rule = working.graph.active(name)
        if name not in used or covered or (rule and not rule.presumes):
            continue
        if rule or declared.default is not None:
            taken = declared.default if rule is None else rule.about
            rest = Message("{value} for the others", value=taken)
            value = rest if many else Message("{value}", value=taken)
            yield _unsaid(working, declared, value)


def contradicted(lists: tuple[KnownFact, ...]) -> Iterator[Notice]:
    """Yield a notice of what was told and differs from what would have been derived: it counts."""
    for one in lists:
        if one.instead is not None:
            text = Message(
                "{name}={value} was given; otherwise it is {other}",
                name=one.name,
                value=_text(one.value),
                other=_text(one.instead),
            )
            yield Notice(text, Citation("What was given"))


def _text(value: Value) -> str:
    return value if isinstance(value, str) else show(value)


def columns_as_facts(rulebook: Rulebook, standings: tuple[Standing, ...]) -> dict[str, Value]:
    """Return facts that a column says alike of every entrant and the rulebook asks of the field."""
    facts: dict[str, Value] = {}
    for name, declared in rulebook.inputs.items():
        if declared.per != "field" or public(name) in _OF_EACH:
            continue
        values = {s.facts.get(public(name)) for s in standings}
        stated = values - {None}
        if len(values) > 1 and stated:
            shown = ", ".join(sorted(_text(v) for v in stated if v is not None)[:3])
            raise InputError(
                "the column {public} is about the whole list, and its values differ: {shown}",
                public=public(name),
                shown=shown,
            )
        facts |= {public(name): v for v in stated if v is not None}
    return facts
