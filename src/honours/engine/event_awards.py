"""From the ranking lists of an event to its awards: lines, strata, sessions, and how they combine.

One ranking list is one field. A flight or bracket is an event of its own, and so is a session where
nothing ranks all of them together. A stratum is the list of the entrants eligible in it: those of
its own label and of every lower one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Any

from honours.engine.award import (
    award,
    inputs_of,
    listing_keys,
    not_used,
    read_facts,
    standing_notices,
)
from honours.engine.exact.working import Working
from honours.engine.graph import Graph
from honours.engine.known_facts import THE_FILE, columns_as_facts, contradicted, gathered
from honours.engine.ranking import (
    absentees,
    by_section,
    joined_lines,
    reranked,
    tied_by_score,
    without_lines,
)
from honours.engine.rulebook import Input, ListPolicy, Rulebook
from honours.engine.rules import Rule, public
from honours.errors import HonoursError, InputError, MissingInput, UnknownName, WrongValue
from honours.model import (
    Award,
    Awards,
    Citation,
    Facts,
    Field,
    KnownFact,
    Notice,
    Origin,
    Refusal,
    Standing,
    Step,
    Value,
)
from honours.model.message import Message, every, plural

# --- the policy of ranking lists, stated once for whoever goes through an event -----------------

_UNLIMITED = re.compile(
    r"\d\s*\+|[>≥]|\b(?:over|above|from|plus|open|unlimited|no limit)\b", re.IGNORECASE
)
_FIGURE = re.compile(r"\d+(?:[.,]\d+)?")
_LEVELS = 26
"""No event has more strata: a larger number in the name of one is a limit."""


def highest_first(
    names: Collection[str], held: Mapping[str, Fraction], told: Collection[str] = ()
) -> tuple[str, ...]:
    """The strata of an event from the highest: as told, else by their letters or numbers (A before
    B, 1 before 2), by the limits in their names, or by what their players hold on average."""
    if told:
        missing = sorted(set(names) - set(told))
        if missing:
            raise InputError(
                "strata {missing} are not in the order that was given: {told}",
                missing=tuple(missing),
                told=tuple(told),
            )
        return tuple(name for name in told if name in names)
    if all(re.fullmatch(r"[A-Za-z]", name) for name in names):
        return tuple(sorted(names))
    if all(name.isdecimal() and int(name) <= _LEVELS for name in names):
        return tuple(sorted(names, key=int))
    limits = {name: limit for name in names if (limit := _limit(name))}
    for by in (limits, held):
        if by.keys() >= set(names) and len({by[name] for name in names}) == len(names):
            return tuple(sorted(names, key=lambda name: -by[name]))
    raise MissingInput(
        "strata",
        Message(
            "which of the strata {names} is the highest? Their names do not say; give them from "
            "the highest",
            names=tuple(sorted(names)),
        ),
    )


def _limit(name: str) -> Fraction:
    """The upper limit in a stratum's name, 0 where there is none: of 0-2500 it is 2500."""
    figures = [Fraction(figure.replace(",", "")) for figure in _FIGURE.findall(name)]
    return (
        Fraction(10**9) + max(figures, default=0)
        if _UNLIMITED.search(name)
        else max(figures, default=Fraction(0))
    )


def is_lower(stratum: Any, highest: Any) -> Any:
    """Return whether a stratum of an event has a list of its own beside that of the whole field,
    which is the list of the event's highest stratum: each line of an event has the strata of the
    event."""
    return stratum > highest


def is_eligible(own: Any, stratum: Any) -> Any:
    """Return whether an entrant of one stratum is in the list of another, equal or higher."""
    return own >= stratum


def check_lines(rulebook_id: str, policy: ListPolicy, several: bool) -> None:
    """Refuse an event of several lines where a rulebook awards one list."""
    if several and policy.lines == "refused":
        raise InputError("{id} awards one ranking list; this event has two lines", id=rulebook_id)


def check_strata(rulebook_id: str, policy: ListPolicy, there: bool) -> None:
    """Refuse an event with strata where a rulebook does not speak of them."""
    if there and policy.strata == "refused":
        raise InputError("{id} does not speak of strata; leave the column out", id=rulebook_id)


# --- from the ranking lists of an event to its awards -------------------------------------------


@dataclass(frozen=True, slots=True)
class EventAwards:
    """The awards of an event: list by list, and what each entrant ends up with."""

    lists: tuple[Awards, ...]
    combined: Mapping[str, tuple[Award, ...]]
    """Entrant id → the awards that count for it, in the order of the lists."""
    notices: tuple[Notice, ...] = ()

    @property
    def combines(self) -> bool:
        """True if anybody is in several lists, so that something becomes of what they pay."""
        listed = [item.standing.entrant.id for one in self.lists for item in one.schedule]
        return len(set(listed)) < len(listed)

    def amount(self, entrant: str) -> Fraction:
        """Return the final award of each player of the entrant."""
        return sum((a.amount for a in self.combined.get(entrant, ())), Fraction(0))


def award_event(
    rulebook: Rulebook,
    lists: Sequence[Field],
    given: Mapping[str, object],
    in_words: bool = True,
    only: Container[str] | None = None,
) -> EventAwards:
    """The awards of an event with these ranking lists; ``given`` is what the lists do not say. Why
    is said ``in_words`` unless nobody reads them; of ``only`` some entrants where others are not
    asked for."""
    if not any(field.standings for field in lists):
        raise InputError("no standings: there is nobody to award")
    common = {key: value for key, value in given.items() if "." not in key}
    events = _events(rulebook, lists)
    notices = [*standing_notices(rulebook)]
    if len(events) > 1:
        groups = tuple(dict.fromkeys(field.group for field in lists if field.group))
        text = (
            Message("{groups} are events of their own", groups=groups)
            if groups
            else Message("no list ranks all sessions: each is an event of its own, and they add up")
        )
        notices.append(Notice(text, Citation(rulebook.title)))
    notices += dict.fromkeys(notice for own in events for notice in _about_lists(rulebook, own))
    with listing_keys(rulebook):
        wanted = [as_wanted(rulebook, _in_lines(rulebook, own, common)) for own in events]
        told = _told(rulebook, [field for own in wanted for field in own], given)
        event = _Event(rulebook, told, partial(award, rulebook, in_words=in_words, only=only))
        event.check_own(len(events))
        made = [event.awards(own) for own in wanted]
    if "eligible" not in rulebook.inputs:
        made = [_with_the_barred(*both) for both in zip(made, events, strict=True)]
    awards = [one for own in made for one in own]
    notices += not_used(rulebook, awards, common)
    notices += dict.fromkeys(notice for a in awards for notice in contradicted(a.known))
    combined: dict[str, tuple[Award, ...]] = {}
    for own in made:
        for entrant, items in _combined(rulebook, own).items():
            combined[entrant] = (*combined.get(entrant, ()), *items)
    return EventAwards(tuple(awards), combined, tuple(notices))


def _events(rulebook: Rulebook, lists: Sequence[Field]) -> list[tuple[Field, ...]]:
    """The lists of each event among them: of each flight or bracket, and of each session where no
    list ranks everybody over all of them and the rulebook does not say how sessions add up."""
    policy = rulebook.lists
    ranked = {field.group for field in lists if not field.session}
    by_itself = policy.sessions == "each" and not policy.session_facts
    events: dict[tuple[str, str], list[Field]] = {}
    for field in lists:
        alone = by_itself and field.group not in ranked
        events.setdefault((field.group, field.session if alone else ""), []).append(field)
    return [tuple(own) for own in events.values()]


def _told(
    rulebook: Rulebook, lists: Sequence[Field], given: Mapping[str, object]
) -> dict[str, Facts]:
    """Return what was given, each value read by its input: of all lists under an empty label, of
    one alone (``tables.NS``, ``limit.B``) under that of its line, section, session or stratum."""
    labels = {text for field in lists for text in field.label.values()} | {*strata_in_order(lists)}
    own: dict[str, dict[str, object]] = {"": {}}
    for key, value in given.items():
        name, _, label = key.partition(".")
        if label and label not in labels:
            raise UnknownName("ranking list", label, sorted(labels))
        own.setdefault(label, {})[name] = value
    return {label: read_facts(rulebook, values) for label, values in own.items()}


def _in_lines(
    rulebook: Rulebook, lists: Sequence[Field], given: Mapping[str, object]
) -> Sequence[Field]:
    """The lists, or the lines of each as one where, by what is known or given, one wins of both."""
    if not any(_line_of(rulebook, field) for field in lists):
        return lists
    words = read_facts(rulebook, given)
    facts, _ = gathered(rulebook, lists[0], {}, words)
    return without_lines(lists) if _has_lines(rulebook, facts, words) is False else lists


def _line_of(rulebook: Rulebook, field: Field) -> str:
    """The line that a list is of, where the rulebook has lists of lines."""
    line = str(field.facts.get("line", field.line))
    return line if line in rulebook.lists.line_words else ""


def _has_lines(rulebook: Rulebook, facts: Facts, given: Facts) -> bool | None:
    """Return whether a rulebook awards each line by itself; ``None`` if something is missing to
    tell. A movement that was given goes before what the list looks like."""
    others = {name: value for name, value in facts.items() if name != "winners"}
    try:
        case = Graph(rulebook, others)
        worked_out = isinstance(case.find("winners"), Rule) and case.word("winners")
    except HonoursError:
        worked_out = ""
    if "winners" in given or not worked_out:
        case = Graph(rulebook, facts)
    try:
        when = rulebook.lists.line_when
        return all(case.word(name) == wanted for name, wanted in when.items())
    except MissingInput:
        return None


def as_wanted(rulebook: Rulebook, lists: Sequence[Field]) -> tuple[Field, ...]:
    """The lists that the rulebook awards: lines ranked together and ties by score where it says
    so, those of its sections beside them where these are paid too, and the whole event's lists
    alone where it has no awards for sessions."""
    policy = rulebook.lists
    overall = tuple(field for field in lists if not field.session)
    sessions = tuple(field for field in lists if field.session)
    sections: tuple[Field, ...] = ()
    if policy.section_facts:
        played = sessions or overall
        for number in dict.fromkeys(field.session for field in played):
            sections += by_section([field for field in played if field.session == number])
    if overall and not policy.session_facts:
        sessions = ()
    overall = joined_lines(overall) if policy.lines == "one" else overall
    if (policy.session_lines or policy.lines) == "one":
        sessions = joined_lines(sessions)

    def of_those_awarded(field: Field) -> Field:
        """The list without who was not there or may not be given points; the others move up."""
        out = [*absentees(field, policy.present)]
        if "eligible" not in rulebook.inputs:
            out += [s for s in field.standings if s.entrant.is_barred]
        standings = field.standings
        if out:
            standings = reranked([s for s in standings if s not in out])
        if policy.ties == "score":
            standings = tied_by_score(standings)
        return field if standings is field.standings else replace(field, standings=standings)

    return tuple(map(of_those_awarded, (*overall, *sessions, *sections)))


def _with_the_barred(awards: list[Awards], lists: Sequence[Field]) -> list[Awards]:
    """The awards of an event with those who played and may not be given points: below the first
    list that pays, having none."""
    barred = {s.entrant.id: s for f in lists for s in f.standings if s.entrant.is_barred}
    first = next((n for n, one in enumerate(awards) if not one.refusal), None)
    if not barred or first is None:
        return awards
    refusal = Refusal(Message("not eligible for points"), Citation(THE_FILE))
    why = Step("award", Fraction(0), "0", "rule", citation=refusal.citation)
    last = len(awards[first].field.standings) + 1
    none = [
        Award(replace(s, place=last, tied=len(barred)), Fraction(0), "0", why, refusal)
        for s in barred.values()
    ]
    shown = replace(awards[first], schedule=(*awards[first].schedule, *none))
    return [*awards[:first], shown, *awards[first + 1 :]]


def _about_lists(rulebook: Rulebook, lists: Sequence[Field]) -> Iterator[Notice]:
    """Refuse lists the rulebook does not know; say which it does not use."""
    policy = rulebook.lists
    missing = [s.entrant.title for field in lists for s in absentees(field, policy.present)]
    if missing:
        text = Message("left out, because they played nothing: {names}", names=tuple(missing))
        yield Notice(text, Citation(policy.present_clause or rulebook.title))
    names, in_sections = (
        tuple(dict.fromkeys(f.line for f in lists)),
        any(f.of_section for f in lists),
    )
    if len(names) > 1:
        check_lines(rulebook.id, policy, several=True)
    if len(names) > 1 and policy.lines == "one":
        text = (
            Message("{names} are ranked together by their scores", names=every(names))
            if in_sections
            else Message("the lines are ranked together by their scores")
        )
        yield Notice(text, Citation(policy.lines_clause or rulebook.title))
    elif len(names) > 1 and in_sections:
        text = Message(
            "sections are ranked separately, and each list counts its own pairs and tables; "
            "the rules do not say what it should count (our reading)"
        )
        yield Notice(text, Citation(rulebook.title))
    used = policy.session_facts or policy.section_facts
    if len({bool(f.session) for f in lists}) > 1 and not used:
        text = Message("rankings of sessions are not used: the whole event's ranking counts")
        yield Notice(text, Citation(rulebook.title))
    strata = strata_in_order(lists)
    check_strata(rulebook.id, policy, bool(strata))
    if strata and policy.strata == "one":
        text = Message("strata are not used: the whole field's ranking counts")
        yield Notice(text, Citation(policy.strata_clause or rulebook.title))


def strata_in_order(lists: Sequence[Field]) -> tuple[str, ...]:
    """The strata of an event, the highest first."""
    standings = [standing for field in lists for standing in field.standings]
    names = {_own(s) for s in standings} - {""}
    if len(names) < 2:
        return tuple(names)
    told = next((str(f.facts["strata"]) for f in lists if "strata" in f.facts), "")
    held: dict[str, Fraction] = {}
    for name in names:
        people = [p.facts for s in standings if _own(s) == name for p in s.entrant.players]
        known = [v for facts in people if isinstance(v := facts.get("masterpoints"), Fraction)]
        if known and len(known) == len(people):
            held[name] = sum(known, Fraction(0)) / len(known)
    return highest_first(names, held, tuple(n.strip() for n in told.split(",") if n.strip()))


def _own(standing: Standing) -> str:
    return str(standing.facts.get("stratum", ""))


@dataclass(frozen=True, slots=True)
class _Event:
    """One event by one rulebook: what was told of all its lists and of each, and what awards one
    of them."""

    rulebook: Rulebook
    told: Mapping[str, Facts]
    awarding: Callable[[Field], Awards]

    def awards(self, lists: Sequence[Field]) -> list[Awards]:
        """The awards of the overall lists, then of those of the sections and of the sessions, which
        take something from them."""
        policy = self.rulebook.lists
        sections = [field for field in lists if field.section]
        rest = [field for field in lists if not field.section]
        sessions = [field for field in rest if field.session and policy.session_facts]
        awards = self.awarded([f for f in rest if not f.session or not policy.session_facts])
        common = {k: v for k, v in self.told[""].items() if k not in policy.own}
        if sections:
            told = {**self.told, "": {**common, **policy.section_facts}}
            awards += replace(self, told=told).awarded(sections)
        if sessions:
            told = {**self.told, "": {**common, **self._for_sessions(awards)}}
            awards += replace(self, told=told).awarded(sessions)
        return awards

    def _for_sessions(self, overall: Sequence[Awards]) -> dict[str, Value]:
        """Return the facts that a session's list takes from the overall one."""
        if not overall:
            raise InputError(
                "{id} awards sessions by the strength of the whole event: the standings "
                "need the overall list too (rows without a session)",
                id=self.rulebook.id,
            )
        policy, first = self.rulebook.lists, overall[0]
        worked = {step.name: step.value for step in first.why} | dict(first.field.facts)
        wanted = {name: worked[name] for name in policy.from_overall if name in worked}
        return {**policy.session_facts, **wanted}

    def awarded(self, lists: Sequence[Field]) -> list[Awards]:
        """The awards of lists that know of one another."""
        beside = _ListsBeside(self, lists)
        fields = [split for field in lists for split in beside.split(field)]
        if not any(f.session or f.section for f in fields):
            self.check_own(len(fields))
        return [self.awarding(field) for field in fields]

    def check_own(self, lists: int) -> None:
        """Refuse to be told for all lists what each of several tells by itself."""
        own = {"entrants", *self.rulebook.lists.own} & self.told[""].keys()
        if lists > 1 and own:
            raise InputError(
                "{own} differs from list to list, and this event has {count} of them: "
                "leave it out, each list tells its own",
                own=tuple(sorted(map(public, own))),
                count=lists,
            )


class _ListsBeside:
    """Lists of an event with what each must know of those beside it: how many entrants their lines
    have together, and the event's strata."""

    def __init__(self, event: _Event, lists: Sequence[Field]) -> None:
        self.event, self.rulebook = event, event.rulebook
        self.strata = strata_in_order(lists)
        levels = [self._level(s) for field in lists for s in field.standings]
        self.eligible = [sum(is_eligible(o, n) for o in levels) for n in range(len(self.strata))]
        self.lined: Counter[tuple[str, ...]] = Counter()
        for field in lists:
            if field.line:  # a section beside it that is ranked as one list is no line of it
                self.lined[_lines_of(field)] += len(field.standings)
        self.inputs = {n: i for n, i in self.rulebook.inputs.items() if i.per != "field"}

    def _level(self, standing: Standing) -> int:
        """A standing's stratum by number, 0 the highest; who is of none is in the highest alone."""
        own = _own(standing)
        return self.strata.index(own) if own else 0

    def split(self, field: Field) -> list[Field]:
        """A list by itself, or one a stratum."""
        stratified = self.rulebook.lists.strata == "each" and any(map(_own, field.standings))
        if not stratified or len(self.strata) < 2:
            return [self._field(field, field.standings, "none")]
        fields = [self._field(field, field.standings, "top", self.strata[0])]
        for at, stratum in enumerate(self.strata[1:], 1):
            eligible = [s for s in field.standings if is_eligible(self._level(s), at)]
            counts = {
                "stratum_level": Fraction(at),
                "stratum_entrants": Fraction(self.eligible[at]),
            }
            counted = replace(field, facts={**field.facts, **counts})
            if eligible:
                fields.append(self._field(counted, reranked(eligible), "lower", stratum))
        return fields

    def _field(
        self, source: Field, standings: Sequence[Standing], kind: str, stratum: str = ""
    ) -> Field:
        """A list as the rulebook takes it: what it is told, what it counts itself, and what its
        entrants and players carry."""
        counted: dict[str, Value] = {"entrants": Fraction(len(standings)), "stratum_kind": kind}
        if source.line:
            all_lines = Fraction(self.lined[_lines_of(source)])
            counted |= {"line": source.line, "all_lines": all_lines}
        if any(standing.facts.get("handicap") for standing in source.standings):
            counted["handicapped"] = "yes"
        known = {**columns_as_facts(self.rulebook, source.standings), **source.facts}
        if stratum:  # what the file says of its stratum alone: ``stratum_limit.B``
            known |= {k.partition(".")[0]: v for k, v in known.items() if k.endswith(f".{stratum}")}
        told = dict(self.event.told[""])
        for label in filter(None, (*source.label.values(), stratum)):
            told |= self.event.told.get(label, {})
        facts, sources = gathered(self.rulebook, replace(source, facts=known), counted, told)
        entrants = facts.get("entrants")
        if isinstance(entrants, Fraction):
            self.rulebook.input("entrants").check(entrants)
            if entrants < len(standings):
                listed = len(standings)
                raise WrongValue("entrants", entrants, "the list has {listed}", listed=listed)
        self._check_told(facts, told, source)
        return replace(
            source,
            facts=facts,
            standings=tuple(map(self._read, standings)),
            stratum=stratum or source.stratum,
            sources=sources | _other_scales(self.rulebook, standings),
        )

    def _check_told(self, facts: Facts, given: Facts, source: Field) -> None:
        """Refuse what was told and the list contradicts: 20 pairs of 16, two winners of one."""
        book = self.rulebook
        numbers = (name for name, value in given.items() if isinstance(value, Fraction))
        told = [name for name in numbers if book.inputs[name].must_agree]
        others = {name: value for name, value in facts.items() if name not in told}
        for name in told:
            try:
                worked_out = Working(book, Field(others)).step(name)
            except InputError:
                continue
            counts = {step.name for step in inputs_of(worked_out)} & {"entrants", "all_lines"}
            if counts and worked_out.value != given[name]:
                raise WrongValue(
                    public(name),
                    given[name],
                    "the list gives {shown}; if it does not have everybody, say entrants",
                    shown=worked_out.shown,
                )
        in_one = book.lists.line_words and source.standings and not _line_of(book, source)
        if in_one and book.lists.lines == "each" and _has_lines(book, facts, given):
            words = Message("everybody is in one list: a column of lines would tell them apart")
            raise WrongValue("winners", "2", words)

    def _read(self, standing: Standing) -> Standing:
        """The standing with only the facts the rulebook asks for, each checked."""
        in_top = not is_lower(self._level(standing), 0)
        known = {**standing.facts, "in_top_stratum": Fraction(in_top)}
        if standing.score is not None:
            known["score"] = standing.score
            if standing.facts.get("possible"):  # then the score is a percentage
                known.setdefault("percentage", standing.score)
        entrant = standing.entrant
        players = tuple(
            replace(p, facts=self._checked(p.facts, p.name or entrant.title))
            for p in entrant.players
        )
        facts = self._checked(known, entrant.title)
        return replace(standing, facts=facts, entrant=replace(entrant, players=players))

    def _checked(self, facts: Facts, who: str) -> dict[str, Value]:
        checked: dict[str, Value] = {}
        for name, value in facts.items():
            if name in self.inputs and _on_scale(self.inputs[name], facts):
                try:
                    checked[name] = self.inputs[name].read(value)
                except InputError as error:
                    raise InputError("{who}: {error}", who=who, error=error) from error
        return checked


def _lines_of(field: Field) -> tuple[str, ...]:
    """Of what a list is a line: of the event, or of one of its sections or sessions."""
    return field.section, field.of_section, field.session


def _on_scale(declared: Input, facts: Facts) -> bool:
    """Return whether a number is on the scale the rulebook asks for, as far as is known."""
    own = facts.get(f"{declared.name}_scale")
    return not declared.scale or own is None or own == declared.scale


def _other_scales(rulebook: Rulebook, standings: Sequence[Standing]) -> dict[str, KnownFact]:
    """Return facts of players that are on another scale than the rulebook's, and so not taken."""
    people = [player.facts for s in standings for player in s.entrant.players]
    others: dict[str, KnownFact] = {}
    for name, declared in rulebook.inputs.items():
        off = [facts for facts in people if name in facts and not _on_scale(declared, facts)]
        if off:
            scale = off[0][f"{name}_scale"]
            value = plural(
                "of {count} player on the scale {scale}",
                "of {count} players on the scale {scale}",
                count=len(off),
                scale=str(scale),
            )
            others[name] = KnownFact(name, value, Origin.TOLD, THE_FILE, used=False)
    return others


def _combined(rulebook: Rulebook, lists: Sequence[Awards]) -> dict[str, tuple[Award, ...]]:
    """Each entrant's awards over the lists, put together as the rulebook says: all, the best, or
    the best of each session added up where that is more than the best of the other lists."""
    earned: dict[str, dict[str, list[Award]]] = {}
    by_session = rulebook.lists.pays_best and rulebook.lists.sessions == "sum"
    for awards in lists:
        session = awards.field.session if by_session else ""
        for item in awards.schedule:
            own = earned.setdefault(item.standing.entrant.id, {})
            own.setdefault(session, []).append(item)
    if not rulebook.lists.pays_best:
        return {entrant: tuple(own[""]) for entrant, own in earned.items()}
    combined: dict[str, tuple[Award, ...]] = {}
    for entrant, own in earned.items():
        best = {n: max(items, key=lambda a: a.amount) for n, items in own.items()}
        added = tuple(item for number, item in best.items() if number)
        whole = best.get("")
        together = sum((a.amount for a in added), Fraction(0))
        alone = whole is not None and (not added or together <= whole.amount)
        combined[entrant] = (whole,) if whole is not None and alone else added
    return combined
