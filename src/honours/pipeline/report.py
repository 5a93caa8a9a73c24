"""An event's ranking lists and what a rulebook awards on them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from fractions import Fraction
from functools import partial
from itertools import chain
from typing import Any

from honours.engine.event_awards import EventAwards, award_event
from honours.engine.known_facts import taken_by
from honours.engine.numbers import exact
from honours.engine.ranking import reranked, tied_by_score
from honours.engine.rulebook import Rulebook
from honours.errors import Asked, FileProblem, InputError, MissingInput
from honours.formats.go import GoTournament
from honours.formats.reading import iso_day, require_every_board, require_whole
from honours.formats.sheet import fact_name
from honours.formats.table_standings import StandingsFile
from honours.model import Event, Field, KnownFact, Origin, Value
from honours.model.message import Message, joined, plural
from honours.pipeline.account import DOUBT, Account
from honours.pipeline.evidence import hinted, ruled_out
from honours.pipeline.go import go_lists, handicap_note
from honours.pipeline.inquiry import (
    Alternative,
    Inquiry,
    OpenQuestion,
    Outcome,
    inquire,
    outcome_of,
    outcome_of_trial,
)
from honours.pipeline.listed import (
    BASIS,
    as_listed,
    as_told,
    check_kind,
    column_words,
    refuse_options,
    without_fact,
)
from honours.pipeline.options import PROFILE_UNSAID, SECTIONS, chosen_options
from honours.pipeline.published import (
    has_places_alone,
    in_published_order,
    published_lists,
    published_otherwise,
    require_games,
)
from honours.pipeline.rulebook_choice import require_game
from honours.pipeline.scoring import as_chosen, score_as_chosen, with_conventions
from honours.pipeline.standing_answers import StandingAnswers, is_yes
from honours.scoring import ScoredEvent
from honours.scoring.award_lists import award_lists
from honours.scoring.movement import SECTIONS_APART, hangs_on_one_table
from honours.scoring.profiles import profile_names
from honours.scoring.rulings import UNSAID
from honours.scoring.scorer import has_sessions


@dataclass(frozen=True, slots=True)
class Report:
    """An account with its ranking lists and, where a rulebook was asked, what it awards."""

    account: Account
    lists: tuple[Field, ...]
    scored: ScoredEvent | None = None
    book: Rulebook | None = None
    awards: EventAwards | None = None
    remarks: tuple[str, ...] = ()
    not_understood: tuple[str, ...] = ()
    """Columns of the file that nothing was made of."""
    given: Mapping[str, object] = field(default_factory=dict)
    """What the rulebook was told besides the lists."""
    section: str = ""
    """The section that was picked, or what kind of section it is."""
    choices: Mapping[str, Any] = field(default_factory=dict)
    """How results were scored and ranked, and what of them was picked."""
    standing: StandingAnswers = field(default_factory=StandingAnswers)
    """What its club answers alike for all its events."""
    inquiry: Inquiry | None = None
    """What was found to be unknown, where it was asked."""

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes for the reader about the lists: how they came about, and what was left out."""
        unsaid = self.inquiry.notes if self.inquiry else ()
        listed = [c for c in self.not_understood if c in self.account.of_members]
        own = [c for c in self.not_understood if c not in listed]
        strange = [not_understood(own)] if own else []
        if listed:
            strange.append(Message("the member list: {note}", note=not_understood(listed)))
        return (*self.remarks, *strange, *unsaid)


def not_understood(columns: Sequence[str]) -> Message:
    """The sentence that names columns that nothing was made of."""
    return plural(
        "a column is not understood: {columns}",
        "{count} columns are not understood: {columns}",
        count=len(columns),
        columns=tuple(columns),
    )


def ranked(account: Account, choices: Mapping[str, Any] | None = None) -> Report:
    """The ranking lists the file gives, or those that scoring its results makes, as
    :func:`honours.pipeline.options.chosen_options` made the choices."""
    chosen = chosen_options({}) if choices is None else choices
    section = str(chosen.get("section") or "")
    content = account.content
    scored: ScoredEvent | None = None
    notes: tuple[str, ...] = ()
    if isinstance(content, Event) and has_places_alone(content):
        lists, notes = as_listed(published_lists(content), chosen)
        notes += (Message("the file has places and no results, so its places are used"),)
    elif isinstance(content, Event):
        require_whole(content, account.called)
        chosen, why = with_conventions(as_chosen(content, chosen), chosen)
        scored = score_as_chosen(content, chosen)
        lists, notes = award_lists(scored), (*why, *_assumed(content))
        if chosen["handicap"]:
            notes += tuple(_handicaps(content, scored.event))
        if chosen["order"] == "published":
            lists = in_published_order(lists, content)
    elif isinstance(content, StandingsFile):
        lists, notes = as_listed(content.lists, chosen)
        if chosen["order"] == "scored":
            lists = tuple(replace(f, standings=tied_by_score(f.standings)) for f in lists)
        notes += content.notices
    else:
        refuse_options(chosen)
        lists, notes = go_lists(account, content)
    if account.day is None and (day := account.likely_day):
        notes += (Message("the date comes from the file's name: {day}", day=day),)
    if account.continued:
        notes += (account.continued,)
    explained = str(chosen.get("column") or "").rpartition("=")[0]
    in_order = {"strata": chosen["strata"]} if chosen.get("strata") else {}
    titled = tuple(_titled(account, field, in_order) for field in _of_section(lists, section))
    return Report(
        account,
        titled,
        scored,
        remarks=notes,
        not_understood=tuple(c for c in account.not_understood if c != explained),
        section=section,
        choices=chosen,
    )


def _handicaps(told: Event, scored: Event) -> Iterator[Message]:
    """Yield where handicaps come from if nobody gave them, and who has none."""
    if any(a.handicap != b.handicap for a, b in zip(told.entrants, scored.entrants, strict=True)):
        yield Message("handicaps come from ratings: 50 less the mean rating of a pair's players")
    without = [e.entrant.id for e in scored.entrants if not e.handicap]
    if without:
        yield Message("with a handicap of 0: {entrants}", entrants=tuple(without))


def _assumed(event: Event) -> Iterator[str]:
    """Yield what a reader assumed about a word in the file that our vocabulary does not have."""
    if "class_nearest" in event.facts:
        yield Message(
            "class={word} is the nearest class: the file says {rated}, which is on no list",
            word=event.facts["class"],
            rated=event.facts["class_nearest"],
        )

    if isinstance(unknown := event.facts.get("holdings_unknown"), Fraction):
        yield plural(
            "{count} player has a holding of 0 in the file: does it mean none, or unknown?",
            "{count} players have a holding of 0 in the file: does it mean none, or unknown?",
            count=int(unknown),
        )


def _titled(account: Account, field: Field, chosen: Mapping[str, Value]) -> Field:
    """The list with facts of the whole file: the event's title, day and club, and what was chosen
    of it."""
    facts: dict[str, Value] = {"title": account.title, **chosen}
    if account.day:
        facts["date"] = account.day.isoformat()
    if account.club:
        facts["club"] = account.club
    if account.doubts:
        facts[DOUBT] = joined("; ", account.doubts)
    more = {name: value for name, value in facts.items() if name not in field.facts}
    known = field.knowing(more, Origin.TOLD, "the file")
    of_list = Message("the member list")
    listed = {n: KnownFact(n, "", Origin.TOLD, of_list) for n in account.from_members}
    return replace(known, sources={**known.sources, **listed})


def sections_of(lists: tuple[Field, ...]) -> tuple[str, ...]:
    """The sections the standings name."""
    named = (str(s.facts.get("section", "")) for f in lists for s in f.standings)
    return tuple(dict.fromkeys(name for name in named if name))


def _of_section(lists: tuple[Field, ...], section: str) -> tuple[Field, ...]:
    """Only the standings of a section, placed among themselves; all where none is named."""
    known = sections_of(lists)
    if not section or (section in SECTIONS and section not in known):
        return lists
    if section not in known:
        sections = (
            Message("its sections are {known}", known=tuple(known))
            if known
            else Message("it names no sections")
        )
        raise InputError("no section {section!r}: {sections}", section=section, sections=sections)
    return tuple(
        replace(
            field,
            standings=reranked([s for s in field.standings if s.facts.get("section") == section]),
        )
        for field in lists
    )


WHOLE = "whole"
"""What somebody is told to say of a file that looks cut off and is not."""


def require_awardable(account: Account) -> None:
    """Refuse to award a tournament still under way or one board of an event; both can be shown."""
    content = account.content
    if isinstance(content, GoTournament):
        content.require_finished()
    if account.played is not None:
        require_every_board(account.played, account.called)


def _ranked_for(report: Report, book: Rulebook, given: Mapping[str, object]) -> Report:
    """The results ranked as a rulebook needs them: each session too where it pays them, and with
    as many winners as is said. Where these were only proposed, on the strength of one table, they
    are asked for."""
    scored = report.scored
    if scored is None:
        return report
    report = _with_sessions(report, book)
    again: dict[str, Any] = {}
    if taken_by(book, "winners") and scored.event.kind == "pairs":
        said = str(given.get("winners", ""))
        if said in ("1", "2") and said != str(scored.winners):
            again["winners"] = said
        if not said and "movement" not in given and (swapped := _swapped(report)):
            raise MissingInput("winners", swapped)
    if not again:
        return report
    told = KnownFact("winners", said, Origin.TOLD, instead=str(scored.winners))
    now = _ranked_again(report, again)
    lists = (replace(f, sources={**f.sources, "winners": told}) for f in now.lists)
    return replace(now, lists=tuple(lists))


def _swapped(report: Report) -> Message | None:
    """Return a question if one table alone makes it an event of one winner, where nobody says how
    many it has."""
    scored = report.scored
    if scored is None or scored.event.kind != "pairs":
        return None
    known = report.choices.get("winners") or report.account.event.winners
    moved = () if known else hangs_on_one_table(scored.event)
    if not moved:
        return None
    return Message(
        "only {pairs} changed direction, at one table: was a line swapped, or is there one winner? "
        "Say winners=2 or winners=1, and correct the line",
        pairs=moved,
    )


def as_ranked(report: Report) -> tuple[Field, ...]:
    """The lists as they may leave us: where nobody said how they are ranked, and another way makes
    other places, they tell the doubt."""
    if report.awards is not None:
        return report.lists
    proposed: list[str] = [swapped] if (swapped := _swapped(report)) else []
    for name, _, others, why in _ranked_otherwise(report):
        shown = report.scored is None and name == "order"  # both orders can be read in them
        if not shown and any(_places(other) != _places(report) for _, other in others):
            proposed.append(why)
    doubts = [Message("its ranking is a proposal: {why}", why=why) for why in proposed]
    told = {DOUBT: joined("; ", (*report.account.doubts, *doubts))} if doubts else {}
    return tuple(replace(field, facts={**field.facts, **told}) for field in report.lists)


def _places(report: Report) -> list[dict[str, int]]:
    return [{s.entrant.id: s.place for s in field.standings} for field in report.lists]


def _with_sessions(report: Report, book: Rulebook) -> Report:
    """The results ranked for each session too, where the rulebook pays these."""
    scored = report.scored
    paid = book.lists.session_facts or book.lists.section_facts
    if scored is None or not paid or not has_sessions(scored):
        return report
    if report.choices.get("each_session"):
        return report
    return _ranked_again(report, {"each_session": True})


def _ranked_again(report: Report, choices: Mapping[str, Any]) -> Report:
    now = ranked(report.account, {**report.choices, **choices})
    return replace(report, lists=now.lists, scored=now.scored, choices=now.choices)


def awarded(
    report: Report, book: Rulebook, given: Mapping[str, object], in_words: bool = True
) -> Report:
    """The report with what the rulebook awards; ``given`` is what the lists do not say. Why is
    said ``in_words`` unless nobody reads them."""
    require_awardable(report.account)
    require_game(report.account, book)
    report = _ranked_for(report, book, given)
    played = report.account.played
    if played is not None and has_places_alone(played):
        require_games(played, book)
    inputs = dict(_of_section_picked(report, book, given))
    lists = report.lists
    check_kind(lists, inputs)
    if report.scored is None:
        lists = as_told(lists, inputs)
        inputs.pop(BASIS, None)
    awards = award_event(book, lists, inputs, in_words)
    return replace(
        report,
        lists=lists,
        book=book,
        awards=awards,
        not_understood=_strange(report, book),
        given=inputs,
    )


def inquired(
    report: Report, book: Rulebook, given: Mapping[str, object], as_usual: bool = False
) -> Report:
    """The report with what the rulebook awards, once nothing that decides an award is unknown; an
    error with every question where something is. ``as_usual`` confirms that nothing is unusual, as
    the option of that name does."""
    require_awardable(report.account)
    whole, given = given.get(WHOLE), {k: v for k, v in given.items() if k != WHOLE}
    told = _of_section_picked(report, book, given)
    report, always = _with_standing_answers(report, book, told)
    several = sections_of(report.lists) if book.takes(_SECTION_KIND) else ()
    if len(several) > 1 and told == given and _SECTION_KIND not in _columns(report.lists):
        raise Asked([_which_section(report, book, several)])
    report = _with_sessions(report, book)

    def awards(here: Mapping[str, object], lists: tuple[Field, ...]) -> EventAwards:
        return _tried(replace(report, lists=lists), book, here)

    usual = as_usual or always or bool(report.choices.get("as_usual"))
    found = inquire(book, report.lists, told, usual, awards)
    found.questions += _whole(report.account, found, str(whole or ""))
    found.questions += _readings(report, book, found)
    if found.questions:
        raise Asked([_with_stones(report.account, question) for question in found.questions])
    lists = (without_fact(field, DOUBT) for field in found.settled(report.lists))
    settled = replace(report, lists=tuple(lists), inquiry=found)
    made = awarded(settled, book, told)
    return replace(made, remarks=(*made.remarks, *_without_sessions(made, book)))


def _without_sessions(report: Report, book: Rulebook) -> Iterator[Message]:
    """Yield a note that nobody is paid for a session, if the rulebook pays sessions and the lists
    are only of the whole event."""
    assert report.awards is not None
    facts = {known.name: known.value for one in report.awards.lists for known in one.known}
    sessions = exact(str(facts.get("sessions") or 1))
    paid = book.lists.session_facts and facts.get("kind") == "pairs"
    if paid and sessions > 1 and not any(field.session for field in report.lists):
        yield Message(
            "the file ranks no session: of {sessions} sessions only the whole event is awarded",
            sessions=int(sessions),
        )


def _doubt(account: Account) -> Message:
    return joined("; ", account.doubts)


def require_no_doubts(account: Account) -> None:
    """Refuse a file that looks cut off, where nobody can be asked."""
    if account.doubts:
        raise FileProblem(account.called, _doubt(account), "the whole file")


def _whole(account: Account, found: Inquiry, said: str) -> list[OpenQuestion]:
    """Ask whether a file that looks cut off is whole, unless that has been answered."""
    if not account.doubts or said == "yes":
        return []
    if said:
        require_no_doubts(account)
    doubt = _doubt(account)
    tried = (
        Alternative("yes", {WHOLE: "yes"}, found.base),
        Alternative("no", {WHOLE: "no"}, Outcome(refused=doubt)),
    )
    return [OpenQuestion((WHOLE,), tried, about=doubt, hint=doubt)]


def _readings(report: Report, book: Rulebook, found: Inquiry) -> list[OpenQuestion]:
    """Return questions about how else the file may be ranked, if an award hangs on it."""
    if not found.base.lists:
        return []
    questions = []
    readings = chain(_ranked_otherwise(report), _unknown_columns(report, book))
    for name, taken, others, why in readings:
        tried = [Alternative(taken, {name: taken}, found.base)]
        for value, other in others:
            outcome = outcome_of_trial(partial(_tried, other, book, found.under))
            tried.append(Alternative(value, {name: value}, outcome))
        question = OpenQuestion((name,), tuple(tried), taken, hint=why, of="option")
        if question.is_material:
            questions.append(question)
    return questions


def _tried(report: Report, book: Rulebook, given: Mapping[str, object]) -> EventAwards:
    made = awarded(report, book, given, in_words=False).awards
    assert made is not None
    return made


Reading = tuple[str, str, list[tuple[str, Report]], str]
"""An option of ranking that nobody chose, what is taken for it, other values with the report each
makes, and what makes it worth asking."""


def _ranked_otherwise(report: Report) -> Iterator[Reading]:
    choices = report.choices
    if not choices.get("order"):
        yield from _other_orders(report)
    if _sections_unsaid(report):
        apart = _ranked_again(report, {"rank_sections": "apart"})
        why = Message("there are several sections, and nothing says how they are ranked")
        yield "rank_sections", "together", [("apart", apart)], why
    if choices.get(PROFILE_UNSAID):
        names = [n for n in profile_names() if n != choices["profile"]]
        others = [(name, _ranked_again(report, {"profile": name})) for name in names]
        why = Message(
            "some boards have adjusted, missing or fouled scores, and nothing says which "
            "conventions apply"
        )
        yield "profile", choices["profile"], others, why


def _unknown_columns(report: Report, book: Rulebook) -> Iterator[Reading]:
    """Yield what a column that nobody understands may tell: strata, flights or draws."""
    if report.choices.get("column") or isinstance(report.account.content, Event):
        return
    for header in _strange(report, book):
        words = column_words(report.lists, fact_name(header))
        others = [f"{header}={word}" for word in words]
        if others:
            tried = [(told, _ranked_again(report, {"column": told})) for told in others]
            yield "column", f"{header}=nothing", tried, not_understood((header,))


def _strange(report: Report, book: Rulebook) -> tuple[str, ...]:
    """The columns that neither we nor the rulebook understand."""
    taken = {*book.keys, *(f"{name}_scale" for name in book.keys)}
    return tuple(c for c in report.not_understood if fact_name(c) not in taken)


def _sections_unsaid(report: Report) -> bool:
    """Return whether there are several sections and neither the file nor anybody says whether these
    are ranked together; places that it publishes say it."""
    if any(report.choices.get(name) for name in ("sections_apart", "rank_sections", "compare")):
        return False
    if report.scored is None:
        return any(field.facts.get(UNSAID) == "rank_sections" for field in report.lists)
    event = report.account.event
    told = bool({"compared", "ranked", SECTIONS_APART} & event.facts.keys())
    several = {e.section for e in event.entrants} | {
        line.section for session in event.sessions for line in session.results
    }
    published = any("place" in e.published for e in event.entrants)
    return len(several - {""}) > 1 and not told and not published


def _other_orders(report: Report) -> Iterator[Reading]:
    """The places that a file publishes where its results make others; and those that its scores
    make, where it parts equal ones."""
    lists = report.lists
    if report.scored is not None:
        event = report.account.event
        if turned := published_otherwise(lists, event):
            one = turned[0].entrant
            why = Message(
                "the file has {who} in place {place}; its results give place {ours}",
                who=one.title,
                place=str(
                    next(e.published["place"] for e in event.entrants if e.entrant.id == one.id)
                ),
                ours=turned[0].place,
            )
            published = replace(report, lists=in_published_order(lists, event))
            yield "order", "scored", [("published", published)], why
        return
    shared = tuple(replace(f, standings=tied_by_score(f.standings)) for f in lists)
    for listed, level in zip(lists, shared, strict=True):
        by_id = {s.entrant.id: s for s in level.standings}
        parted = [s for s in listed.standings if by_id[s.entrant.id].place != s.place]
        if parted:
            why = Message(
                "{who} is in place {place} with the score of place {ours}",
                who=parted[0].entrant.title,
                place=parted[0].place,
                ours=by_id[parted[0].entrant.id].place,
            )
            yield "order", "published", [("scored", replace(report, lists=shared))], why
            return


_SECTION_KIND = "section_kind"


def _said(listed: Field) -> Iterator[str]:
    """The facts of a list that are more than assumed."""
    for name in listed.facts:
        if name not in listed.sources or listed.sources[name].origin is not Origin.ASSUMED:
            yield name


def _with_standing_answers(
    report: Report, book: Rulebook, given: Mapping[str, object]
) -> tuple[Report, bool]:
    """The report, told what its club always answers, but for what was given, what the file shows
    and what its title or its lists speak against; and whether the club confirms what is usual."""
    day = given.get("date") or report.account.likely_day
    played = date.fromisoformat(iso_day("date", str(day))) if day else None
    answers = report.standing.of_event(report.account.title, played)
    as_usual = is_yes(answers.pop("as_usual", ("", ""))[0])
    known = {*given, *(name for listed in report.lists for name in _said(listed))}
    told = {}
    for name, (value, source) in answers.items():
        if name in known or not book.takes(name):
            continue
        declared = book.input(name)
        others = [word for word in declared.words if word != value]
        read = declared.read(value)
        if not (ruled_out(report.lists, declared, read) or hinted(report.lists, declared, others)):
            told[name] = KnownFact(name, read, Origin.TOLD, source)
    facts = {name: one.value for name, one in told.items()}
    lists = tuple(
        replace(f, facts={**f.facts, **facts}, sources={**f.sources, **told}) for f in report.lists
    )
    return replace(report, lists=lists), as_usual


def _of_section_picked(
    report: Report, book: Rulebook, given: Mapping[str, object]
) -> Mapping[str, object]:
    """Return what is given, with the kind of section: one that was picked by its name is what a
    person calls the open one."""
    section = report.section
    if not section or not book.takes(_SECTION_KIND) or _SECTION_KIND in given:
        return given
    return {**given, _SECTION_KIND: section if section in SECTIONS else "open"}


def _columns(lists: tuple[Field, ...]) -> set[str]:
    return {name for field in lists for standing in field.standings for name in standing.facts}


def _which_section(report: Report, book: Rulebook, several: tuple[str, ...]) -> OpenQuestion:
    """Only an open section is awarded; which one that is is never guessed."""
    paid = {}
    for name in several:
        picked = replace(report, lists=_of_section(report.lists, name))
        paid[name] = outcome_of(_tried(picked, book, {_SECTION_KIND: "open"}))
    tried = tuple(Alternative(name, {"section": name}, paid[name]) for name in several)
    return OpenQuestion(("section",), tried, about=Message("the open section"), of="option")


def _with_stones(account: Account, question: OpenQuestion) -> OpenQuestion:
    """The question for the kind of section, with how many games had handicap stones."""
    if question.facts[0] != _SECTION_KIND or not account.is_go:
        return question
    return replace(question, hint=handicap_note(account))
