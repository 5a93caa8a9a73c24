"""An event's ranking lists and what a rulebook awards on them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from honours.engine.event_awards import EventAwards, award_event
from honours.engine.known_facts import taken_by
from honours.engine.rulebook import Rulebook
from honours.errors import FileProblem, InputError, MissingInput
from honours.formats.go import GoTournament
from honours.formats.partial_events import require_every_board, require_whole
from honours.formats.table_standings import StandingsFile
from honours.formats.vocabulary import fact_name
from honours.formats.wall_lists import WallList
from honours.model import Event, Field, KnownFact, Origin, Standing, Value
from honours.model.message import Message, plural
from honours.pipeline.account import Account
from honours.pipeline.asking import sections_of, with_section
from honours.pipeline.go import go_lists
from honours.pipeline.listed import BASIS, as_listed, as_told, refuse_options
from honours.pipeline.options import SECTIONS, chosen_options
from honours.pipeline.published import has_places_alone, published_lists, require_games
from honours.pipeline.rulebook_choice import require_game
from honours.pipeline.scoring import as_chosen, score_as_chosen, with_conventions
from honours.scoring import ScoredEvent
from honours.scoring.award_lists import award_lists
from honours.scoring.movement import hangs_on_one_table


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
    """How results were scored and ranked."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What the reader should know about the lists: how they came about, and what was left
        out."""
        return (*self.remarks, *columns_not_understood(self.not_understood))


def columns_not_understood(columns: tuple[str, ...]) -> tuple[str, ...]:
    """The sentence that names them, if there are any."""
    if not columns:
        return ()
    return (
        plural(
            "a column is not understood: {columns}",
            "{count} columns are not understood: {columns}",
            count=len(columns),
            columns=columns,
        ),
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
        notes += (Message("the file has places and no results: they are taken as they are"),)
    elif isinstance(content, Event):
        require_whole(content, account.called)
        chosen, why = with_conventions(as_chosen(content, chosen), chosen)
        scored = score_as_chosen(content, chosen)
        lists, notes = award_lists(scored), (*why, *_assumed(content))
    elif isinstance(content, StandingsFile):
        lists, notes = as_listed(content.lists, chosen)
        notes += content.notices
    else:
        refuse_options(chosen)
        lists, notes = go_lists(account, content)
    if account.day is None and (day := account.likely_day):
        notes += (Message("its day is the one in the file's name: {day}", day=day),)
    in_order = {"strata": chosen["strata"]} if chosen.get("strata") else {}
    titled = tuple(_titled(account, field, in_order) for field in _of_section(lists, section))
    return Report(
        account,
        titled,
        scored,
        remarks=notes,
        not_understood=account.not_understood,
        section=section,
        choices=chosen,
    )


def _assumed(event: Event) -> Iterator[str]:
    """What a reader assumed about a word in the file that our vocabulary does not have."""
    if "class_nearest" in event.facts:
        yield Message(
            "class={word}, the nearest: the file says {rated}, which no list of classes has",
            word=event.facts["class"],
            rated=event.facts["class_nearest"],
        )

    if isinstance(unknown := event.facts.get("holdings_unknown"), Fraction):
        yield plural(
            "{count} player has a holding of 0 in the file: none, or not known",
            "{count} players have a holding of 0 in the file: none, or not known",
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
    more = {name: value for name, value in facts.items() if name not in field.facts}
    sources = {
        name: KnownFact(name, value, Origin.TOLD, "the file") for name, value in more.items()
    }
    return replace(field, facts={**field.facts, **more}, sources={**field.sources, **sources})


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
            standings=_replaced([s for s in field.standings if s.facts.get("section") == section]),
        )
        for field in lists
    )


def _replaced(standings: list[Standing]) -> tuple[Standing, ...]:
    places = [s.place for s in standings]
    return tuple(
        replace(s, place=1 + sum(p < s.place for p in places), tied=places.count(s.place))
        for s in standings
    )


WHOLE = "whole"
"""What somebody is told to say of a file that looks cut off and is not."""


def require_awardable(account: Account, given: Mapping[str, object] | None = None) -> None:
    """Refuse to award a tournament still under way, one board of an event, or a file that looks cut
    off unless somebody says that it is whole; all of them can be shown."""
    if account.doubts and (given or {}).get(WHOLE) != "yes":
        raise FileProblem(
            account.called,
            "it looks cut off: {doubt}",
            "the whole file; if it is whole, {answer}",
            doubt=account.doubts[0],
            answer=f"{WHOLE}=yes",
        )
    content = account.content
    if isinstance(content, WallList | GoTournament):
        (content.tournament if isinstance(content, WallList) else content).require_finished()
    if account.played is not None:
        require_every_board(account.played, account.called)


def _ranked_for(report: Report, book: Rulebook, given: Mapping[str, object]) -> Report:
    """The results ranked as a rulebook needs them: each session too where it pays them, and with
    as many winners as is said. Where these were only proposed, on the strength of one table, they
    are asked for."""
    scored, chosen = report.scored, report.choices
    if scored is None:
        return report
    again: dict[str, Any] = {}
    if book.lists.session_facts and len(scored.session_tallies) > 1:
        again["each_session"] = True
    if taken_by(book, "winners") and scored.event.kind == "pairs":
        said = str(given.get("winners", ""))
        if said in ("1", "2") and said != str(scored.winners):
            again["winners"] = said
        known = said or chosen.get("winners") or report.account.event.winners
        if not known and "movement" not in given and (moved := hangs_on_one_table(scored.event)):
            raise MissingInput(
                "winners",
                Message(
                    "only {pairs} changed direction, at one table: was a line swapped, or is there "
                    "one winner? Say winners=2 or winners=1, and correct the line",
                    pairs=moved,
                ),
            )
    if all(chosen.get(name) == value for name, value in again.items()):
        return report
    now = ranked(report.account, {**chosen, **again})
    return replace(report, lists=now.lists, scored=now.scored, choices=now.choices)


def awarded(
    report: Report, book: Rulebook, given: Mapping[str, object], in_words: bool = True
) -> Report:
    """The report with what the rulebook awards; ``given`` is what the lists do not say. Why is
    said ``in_words`` unless nobody reads them."""
    require_awardable(report.account, given)
    require_game(report.account, book)
    given = {name: value for name, value in given.items() if name != WHOLE}
    report = _ranked_for(report, book, given)
    played = report.account.played
    if played is not None and has_places_alone(played):
        require_games(played, book)
    taken = {*book.keys, *(f"{name}_scale" for name in book.keys)}
    strange = tuple(c for c in report.not_understood if fact_name(c) not in taken)
    inputs = with_section(report.account, report.lists, book, given, report.section)
    lists = report.lists
    if report.scored is None:
        lists = as_told(lists, inputs)
        inputs.pop(BASIS, None)
    awards = award_event(book, lists, inputs, in_words)
    return replace(
        report, lists=lists, book=book, awards=awards, not_understood=strange, given=inputs
    )
