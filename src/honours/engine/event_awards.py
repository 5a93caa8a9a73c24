"""From the ranking lists of an event to its awards: lines, strata, sessions, and how they combine.

One ranking list is one field. A flight or bracket is an event of its own, and so is a session where
nothing ranks all of them together. A stratum is the list of the entrants eligible in it: those of
its own label and of every lower one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Container, Iterator, Mapping, Sequence, Set
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
from honours.engine.graph import ResolvedNames
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
from honours.errors import InputError, MissingInput, UnknownName, WrongValue
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

# --- what was given beside the ranking lists of an event ----------------------------------------


@dataclass(frozen=True, slots=True)
class GivenFacts:
    """What was given ``of_all`` lists, and what of one alone (``tables.NS``, ``limit.B``), by the
    label of its line, section or session, or of its stratum."""

    of_all: Facts
    by_label: Mapping[str, Facts]
    by_stratum: Mapping[str, Facts]

    @classmethod
    def read(
        cls,
        rulebook: Rulebook,
        given: Mapping[str, object],
        labels: Set[str],
        strata: Sequence[str],
    ) -> GivenFacts:
        """What was given, each value read by the input that it is for."""
        own: dict[str, dict[str, object]] = {}
        for key, value in given.items():
            name, dot, label = key.partition(".")
            own.setdefault(label if dot else "", {})[name] = value
        of_all = read_facts(rulebook, own.pop("", {}))
        for label in own:
            if label not in {*labels, *strata}:
                raise UnknownName("ranking list", label, sorted({*labels, *strata}))
        facts = {label: read_facts(rulebook, values) for label, values in own.items()}
        return cls(
            of_all,
            {label: values for label, values in facts.items() if label not in strata},
            {label: values for label, values in facts.items() if label in strata},
        )

    def of_list(self, listed: Field, stratum: str) -> dict[str, Value]:
        """What was given for a list. Its own value goes before the one for all, and its stratum's
        before that of its line."""
        labels = (self.by_label.get(label, {}) for label in listed.label.values())
        own = {name: value for facts in labels for name, value in facts.items()}
        return {**self.of_all, **own, **self.by_stratum.get(stratum, {})}


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
    """Whether a stratum of an event has a list of its own beside that of the whole field, which is
    the list of the event's highest stratum: each line of an event has the strata of the event."""
    return stratum > highest


def is_eligible(own: Any, stratum: Any) -> Any:
    """Whether who is of one stratum is in the list of another: of the same and of higher ones."""
    return own >= stratum


def put_together(so_far: Any, more: Any, best: Any) -> Any:
    """What an entrant has of two lists: the better of the two, or both added up."""
    return max(so_far, more) if best else so_far + more


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
    """What an event awards: list by list, and what each entrant ends up with."""

    lists: tuple[Awards, ...]
    combined: Mapping[str, tuple[Award, ...]]
    """Entrant id → the awards that count for it, in the order of the lists."""
    notices: tuple[Notice, ...] = ()

    @property
    def combines(self) -> bool:
        """Whether anybody is in several lists, so that something becomes of what they pay."""
        listed = [item.standing.entrant.id for one in self.lists for item in one.schedule]
        return len(set(listed)) < len(listed)

    def amount(self, entrant: str) -> Fraction:
        """What each player of the entrant is awarded in the end."""
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
    notices = standing_notices(rulebook)
    if len(events) > 1:
        notices += (_about_events(rulebook, lists),)
    notices += tuple(dict.fromkeys(n for own in events for n in _about_lists(rulebook, own)))
    with listing_keys(rulebook):
        wanted = [as_wanted(rulebook, _in_lines(rulebook, own, common)) for own in events]
        told = _given(rulebook, [field for own in wanted for field in own], given)
        _check_own(rulebook, told, len(events))
        awarding = partial(award, rulebook, in_words=in_words, only=only)
        made = [_all_awarded(rulebook, own, told, awarding) for own in wanted]
    if "eligible" not in rulebook.inputs:
        made = [_with_the_barred(*both) for both in zip(made, events, strict=True)]
    awards = [one for own in made for one in own]
    notices += not_used(rulebook, awards, common)
    notices += tuple(dict.fromkeys(n for a in awards for n in contradicted(a.known)))
    combined: dict[str, tuple[Award, ...]] = {}
    for own in made:
        for entrant, items in _combined(rulebook, own).items():
            combined[entrant] = (*combined.get(entrant, ()), *items)
    return EventAwards(tuple(awards), combined, notices)


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


def _about_events(rulebook: Rulebook, lists: Sequence[Field]) -> Notice:
    groups = tuple(dict.fromkeys(field.group for field in lists if field.group))
    text = (
        Message("{groups} are events of their own", groups=groups)
        if groups
        else Message("no list ranks all sessions: each is an event of its own, and they add up")
    )
    return Notice(text, Citation(rulebook.title))


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
    """Whether a rulebook awards each line by itself; ``None`` where something is missing to tell.
    A movement that was given goes before what the list looks like."""
    policy = rulebook.lists
    if "winners" not in given and _is_worked_out(rulebook, facts, "winners"):
        facts = {name: value for name, value in facts.items() if name != "winners"}
    case = ResolvedNames(rulebook, facts, set())
    try:
        return all(case.word(name) == wanted for name, wanted in policy.line_when.items())
    except MissingInput:
        return None


def _is_worked_out(rulebook: Rulebook, facts: Facts, name: str) -> bool:
    """Whether a rule gives a word from what else is known, if the word itself is not."""
    case = ResolvedNames(rulebook, {k: v for k, v in facts.items() if k != name}, set())
    try:
        found = name in facts and isinstance(case.find(name), Rule)
        return found and bool(case.word(name))
    except MissingInput:
        return False


def as_wanted(rulebook: Rulebook, lists: Sequence[Field]) -> tuple[Field, ...]:
    """The lists that the rulebook awards: lines ranked together and ties by score where it says
    so, those of its sections beside them where these are paid too, and the whole event's lists
    alone where it has no awards for sessions."""
    policy = rulebook.lists
    overall = tuple(field for field in lists if not field.session)
    sessions = tuple(field for field in lists if field.session)
    sections = _by_section(sessions or overall) if policy.section_facts else ()
    if overall and not policy.session_facts:
        sessions = ()
    overall = joined_lines(overall) if policy.lines == "one" else overall
    sessions = (
        joined_lines(sessions) if (policy.session_lines or policy.lines) == "one" else sessions
    )
    every = (*overall, *sessions, *sections)
    wanted = tuple(_those_present(field, policy.present) for field in every)
    if "eligible" not in rulebook.inputs:
        wanted = tuple(map(_without_the_barred, wanted))
    if policy.ties == "score":
        return tuple(replace(f, standings=tied_by_score(f.standings)) for f in wanted)
    return wanted


def _by_section(lists: Sequence[Field]) -> tuple[Field, ...]:
    """A list for each section of the event, or of each of its sessions."""
    numbers = dict.fromkeys(field.session for field in lists)
    own = (by_section([f for f in lists if f.session == number]) for number in numbers)
    return tuple(field for fields in own for field in fields)


def _those_present(field: Field, present: str) -> Field:
    missing = absentees(field, present)
    if not missing:
        return field
    return replace(field, standings=reranked([s for s in field.standings if s not in missing]))


def _given(rulebook: Rulebook, lists: Sequence[Field], given: Mapping[str, object]) -> GivenFacts:
    """What was given, checked: for one list alone by line, section, stratum or session."""
    return GivenFacts.read(
        rulebook,
        given,
        {text for field in lists for text in field.label.values()},
        strata_in_order(lists),
    )


def _without_the_barred(field: Field) -> Field:
    """The list without those who may not be given points; those behind them move up."""
    kept = [s for s in field.standings if not s.entrant.is_barred]
    whole = len(kept) == len(field.standings)
    return field if whole else replace(field, standings=reranked(kept))


def _with_the_barred(awards: list[Awards], lists: Sequence[Field]) -> list[Awards]:
    """The awards of an event with those who played and may not be given points: below the first
    list that pays, having none."""
    barred = [s for field in lists for s in field.standings if s.entrant.is_barred]
    first = next((n for n, one in enumerate(awards) if not one.refusal), None)
    if not barred or first is None:
        return awards
    refusal = Refusal(Message("not eligible for points"), Citation(THE_FILE))
    why = Step("award", Fraction(0), "0", "rule", citation=refusal.citation)
    last = len(awards[first].field.standings) + 1
    none = [
        Award(replace(s, place=last, tied=len(barred)), Fraction(0), "0", why, refusal)
        for s in {s.entrant.id: s for s in barred}.values()
    ]
    shown = replace(awards[first], schedule=(*awards[first].schedule, *none))
    return [*awards[:first], shown, *awards[first + 1 :]]


def _all_awarded(
    rulebook: Rulebook,
    lists: Sequence[Field],
    given: GivenFacts,
    awarding: Callable[[Field], Awards],
) -> list[Awards]:
    """The overall lists, then those of the sections and of the sessions, which take something
    from them."""
    policy = rulebook.lists
    sections = [field for field in lists if field.section]
    rest = [field for field in lists if not field.section]
    overall = [field for field in rest if not field.session or not policy.session_facts]
    awards = _awarded(rulebook, overall, given, awarding)
    common = {k: v for k, v in given.of_all.items() if k not in policy.own}
    if sections:
        of_sections = replace(given, of_all={**common, **policy.section_facts})
        awards += _awarded(rulebook, sections, of_sections, awarding)
    sessions = [field for field in rest if not any(field is other for other in overall)]
    if sessions:
        of_sessions = replace(given, of_all=common | _for_sessions(rulebook, awards))
        awards += _awarded(rulebook, sessions, of_sessions, awarding)
    return awards


@dataclass(frozen=True, slots=True)
class _Whole:
    """What a list must know of those beside it: how many entrants their lines have together, and
    the event's strata."""

    lined: Mapping[tuple[str, ...], int]
    strata: tuple[str, ...]
    eligible: Mapping[str, int]

    @classmethod
    def of(cls, lists: Sequence[Field]) -> _Whole:
        strata = tuple(strata_in_order(lists))
        own = [_level(strata, s) for field in lists for s in field.standings]
        lined: Counter[tuple[str, ...]] = Counter()
        for field in lists:
            if field.line:  # a section beside it that is ranked as one list is no line of it
                lined[_lines_of(field)] += len(field.standings)
        eligible = {name: sum(is_eligible(o, at) for o in own) for at, name in enumerate(strata)}
        return cls(lined, strata, eligible)

    def all_lines(self, field: Field) -> Fraction:
        """The entrants of all lines that were played together with a list's own."""
        return Fraction(self.lined[_lines_of(field)])


def _lines_of(field: Field) -> tuple[str, ...]:
    """Of what a list is a line: of the event, or of one of its sections or sessions."""
    return field.section, field.of_section, field.session


def _awarded(
    rulebook: Rulebook,
    lists: Sequence[Field],
    given: GivenFacts,
    awarding: Callable[[Field], Awards],
) -> list[Awards]:
    whole = _Whole.of(lists)
    fields = [split for field in lists for split in _split(rulebook, field, given, whole)]
    if not any(f.session or f.section for f in fields):
        _check_own(rulebook, given, len(fields))
    return [awarding(field) for field in fields]


def _check_own(rulebook: Rulebook, given: GivenFacts, lists: int) -> None:
    """Refuse to be told for all lists what each of several tells by itself."""
    own = {"entrants", *rulebook.lists.own} & given.of_all.keys()
    if lists > 1 and own:
        raise InputError(
            "{own} differs from list to list, and this event has {count} of them: "
            "leave it out, each list tells its own",
            own=tuple(sorted(map(public, own))),
            count=lists,
        )


def _for_sessions(rulebook: Rulebook, overall: Sequence[Awards]) -> dict[str, Value]:
    """What a session's list takes from the overall one."""
    if not overall:
        raise InputError(
            "{id} awards sessions by the strength of the whole event: the standings "
            "need the overall list too (rows without a session)",
            id=rulebook.id,
        )
    first = overall[0]
    worked = {step.name: step.value for step in first.why} | dict(first.field.facts)
    wanted = {n: worked[n] for n in rulebook.lists.from_overall if n in worked}
    return {**rulebook.lists.session_facts, **wanted}


def _about_lists(rulebook: Rulebook, lists: Sequence[Field]) -> tuple[Notice, ...]:
    """Refuse lists the rulebook does not know; say which it does not use."""
    policy = rulebook.lists
    notices = []
    missing = [s.entrant.title for field in lists for s in absentees(field, policy.present)]
    if missing:
        text = Message("not in the field, who played nothing: {names}", names=tuple(missing))
        notices.append(Notice(text, Citation(policy.present_clause or rulebook.title)))
    if len({f.line for f in lists}) > 1:
        check_lines(rulebook.id, policy, several=True)
        notices += _about_lines(rulebook, lists)
    used = policy.session_facts or policy.section_facts
    if len({bool(f.session) for f in lists}) > 1 and not used:
        text = Message("rankings of sessions are not used: the whole event's ranking counts")
        notices.append(Notice(text, Citation(rulebook.title)))
    check_strata(rulebook.id, policy, bool(strata_in_order(lists)))
    if strata_in_order(lists) and policy.strata == "one":
        text = Message("strata are not used: the whole field's ranking counts")
        notices.append(Notice(text, Citation(policy.strata_clause or rulebook.title)))
    return tuple(notices)


def _about_lines(rulebook: Rulebook, lists: Sequence[Field]) -> Iterator[Notice]:
    """That lists are ranked together, or that those of sections are each a field of its own."""
    policy = rulebook.lists
    in_sections = any(field.of_section for field in lists)
    if policy.lines == "one":
        names = every(tuple(dict.fromkeys(field.line for field in lists)))
        text = (
            Message("{names} are ranked together by their scores", names=names)
            if in_sections
            else Message("the lines are ranked together by their scores")
        )
        yield Notice(text, Citation(policy.lines_clause or rulebook.title))
    elif in_sections:
        text = Message(
            "sections are ranked by themselves, and each list counts its own pairs and tables; "
            "what the rules would have it count they do not say (our reading)"
        )
        yield Notice(text, Citation(rulebook.title))


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


def _level(strata: Sequence[str], standing: Standing) -> int:
    """A standing's stratum by number, 0 the highest; who is of none is in the highest alone."""
    own = _own(standing)
    return strata.index(own) if own else 0


def _split(rulebook: Rulebook, field: Field, given: GivenFacts, whole: _Whole) -> list[Field]:
    """A list by itself, or one a stratum."""
    stratified = rulebook.lists.strata == "each" and any(_own(s) for s in field.standings)
    strata = whole.strata if stratified else ()
    if len(strata) < 2:
        return [_field(rulebook, field, given, field.standings, "none", whole)]
    fields = [_field(rulebook, field, given, field.standings, "top", whole, strata[0])]
    for at, stratum in enumerate(strata[1:], 1):
        eligible = [s for s in field.standings if is_eligible(_level(strata, s), at)]
        counts = {
            "stratum_level": Fraction(at),
            "stratum_entrants": Fraction(whole.eligible[stratum]),
        }
        counted = replace(field, facts={**field.facts, **counts})
        if eligible:
            again = reranked(eligible)
            fields.append(_field(rulebook, counted, given, again, "lower", whole, stratum))
    return fields


def _field(
    rulebook: Rulebook,
    source: Field,
    given: GivenFacts,
    standings: Sequence[Standing],
    rank: str,
    whole: _Whole,
    stratum: str = "",
) -> Field:
    counted: dict[str, Value] = {"entrants": Fraction(len(standings)), "stratum_kind": rank}
    if source.line:
        counted |= {"line": source.line, "all_lines": whole.all_lines(source)}
    if any(standing.facts.get("handicap") for standing in source.standings):
        counted["handicapped"] = "yes"
    columns = columns_as_facts(rulebook, source.standings)
    source_with_columns = replace(source, facts={**columns, **source.facts})
    given_here = given.of_list(source, stratum)
    told = _with_own(source_with_columns, stratum)
    facts, sources = gathered(rulebook, told, counted, given_here)
    _check_entrants(rulebook, facts, len(standings))
    _check_told(rulebook, facts, given_here, source)
    inputs = {name: asked for name, asked in rulebook.inputs.items() if asked.per != "field"}
    own = tuple(_read(inputs, s, whole.strata) for s in standings)
    stratum = stratum or source.stratum
    sources |= _other_scales(rulebook, standings)
    return replace(source, facts=facts, standings=own, stratum=stratum, sources=sources)


def _with_own(source: Field, stratum: str) -> Field:
    """The list with what the file says of its stratum alone: ``stratum_limit.B``."""
    own = {k.partition(".")[0]: v for k, v in source.facts.items() if k.endswith(f".{stratum}")}
    return replace(source, facts={**source.facts, **own}) if stratum else source


def _check_entrants(rulebook: Rulebook, facts: Facts, listed: int) -> None:
    """No more than the rulebook takes, and no fewer than are listed."""
    entrants = facts.get("entrants")
    if not isinstance(entrants, Fraction):
        return
    rulebook.input("entrants").check(entrants)
    if entrants < listed:
        raise WrongValue("entrants", entrants, "the list has {listed}", listed=listed)


def _check_told(rulebook: Rulebook, facts: Facts, given: Facts, source: Field) -> None:
    """Refuse what was told and the list contradicts: 20 pairs of 16, two winners of one list."""
    numbers = (name for name, value in given.items() if isinstance(value, Fraction))
    told = [name for name in numbers if rulebook.inputs[name].must_agree]
    others = {name: value for name, value in facts.items() if name not in told}
    for name in told:
        try:
            worked_out = Working(rulebook, Field(others)).step(name)
        except InputError:
            continue
        counts = {step.name for step in inputs_of(worked_out)} & {"entrants", "all_lines"}
        if counts and worked_out.value != given[name]:
            raise WrongValue(
                public(name),
                given[name],
                "the list makes it {shown}; where it does not have everybody, say entrants",
                shown=worked_out.shown,
            )
    in_one = rulebook.lists.line_words and source.standings and not _line_of(rulebook, source)
    if in_one and rulebook.lists.lines == "each" and _has_lines(rulebook, facts, given):
        words = Message("the list has everybody in one: a column of lines tells them apart")
        raise WrongValue("winners", "2", words)


def _read(inputs: Mapping[str, Input], standing: Standing, strata: Sequence[str]) -> Standing:
    """The standing with only the facts the rulebook asks for, each checked."""
    in_top = not is_lower(_level(strata, standing), 0)
    known = {**standing.facts, "in_top_stratum": Fraction(in_top)}
    if standing.score is not None:
        known["score"] = standing.score
        if standing.facts.get("possible"):  # then the score is a percentage
            known.setdefault("percentage", standing.score)
    players = tuple(
        replace(p, facts=_checked(p.facts, inputs, p.name or standing.entrant.title))
        for p in standing.entrant.players
    )
    facts = _checked(known, inputs, standing.entrant.title)
    return replace(standing, facts=facts, entrant=replace(standing.entrant, players=players))


def _checked(facts: Facts, inputs: Mapping[str, Input], who: str) -> dict[str, Value]:
    checked: dict[str, Value] = {}
    for name, value in facts.items():
        if name in inputs and _on_scale(inputs[name], facts):
            try:
                checked[name] = inputs[name].read(value)
            except InputError as error:
                raise InputError("{who}: {error}", who=who, error=error) from error
    return checked


def _on_scale(declared: Input, facts: Facts) -> bool:
    """Whether a number is on the scale the rulebook asks for, as far as is known."""
    own = facts.get(f"{declared.name}_scale")
    return not declared.scale or own is None or own == declared.scale


def _other_scales(rulebook: Rulebook, standings: Sequence[Standing]) -> dict[str, KnownFact]:
    """What is known of players on another scale than the rulebook's, and so not taken."""
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
    """Each entrant's awards over the lists, put together as the rulebook says."""
    earned: dict[str, list[Award]] = {}
    for awards in lists:
        for item in awards.schedule:
            earned.setdefault(item.standing.entrant.id, []).append(item)
    if not rulebook.lists.pays_best:
        return {entrant: tuple(items) for entrant, items in earned.items()}
    if rulebook.lists.sessions == "sum":
        session = {id(i): a.field.session for a in lists if a.field.session for i in a.schedule}
        return {e: _sessions_or_best(items, session) for e, items in earned.items()}
    return {e: (max(items, key=lambda a: a.amount),) for e, items in earned.items()}


def _sessions_or_best(items: Sequence[Award], session: Mapping[int, str]) -> tuple[Award, ...]:
    """What all sessions paid together, each by the best of its lists, or the best of the other
    lists where that is more."""
    numbers = dict.fromkeys(session[id(item)] for item in items if id(item) in session)
    added = tuple(
        max((i for i in items if session.get(id(i)) == number), key=lambda a: a.amount)
        for number in numbers
    )
    others = [item for item in items if id(item) not in session]
    best = max(others, key=lambda a: a.amount) if others else None
    together = sum((item.amount for item in added), Fraction(0))
    return added if best is None or together > best.amount else (best,)
