"""An event's ranking lists and what a rulebook awards on them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from honours.engine.lists import EventAwards, award_event
from honours.errors import InputError
from honours.formats.detect import AGA_REPORT
from honours.formats.go import GoTournament
from honours.formats.go_standings import rank
from honours.formats.table_standings import StandingsFile
from honours.formats.wall_lists import WallList
from honours.model import Event, Field, Standing
from honours.pipeline.account import Account
from honours.scoring import score
from honours.scoring.lists import award_lists
from honours.scoring.profiles import DEFAULT
from honours.scoring.profiles import profile as named

if TYPE_CHECKING:
    from honours.engine.rulebook import Rulebook
    from honours.scoring import Scored

Scorer = Callable[[Event], "Scored"]
SECTIONS = ("open", "handicapped")


@dataclass(frozen=True, slots=True)
class Report:
    """An account with its ranking lists and, where a rulebook was asked, what it awards."""

    account: Account
    lists: tuple[Field, ...]
    scored: Scored | None = None
    book: Rulebook | None = None
    awards: EventAwards | None = None
    notes: tuple[str, ...] = ()


def ranked(account: Account, scorer: str | Scorer = DEFAULT, section: str = "") -> Report:
    """The ranking lists the file gives, or those that scoring its results makes, by a profile or
    as the scorer does."""
    content = account.content
    if isinstance(content, Event):
        scored = score(content, named(scorer)) if isinstance(scorer, str) else scorer(content)
        return Report(account, _of_section(award_lists(scored), section), scored)
    if isinstance(content, StandingsFile):
        lists, notes = content.lists, content.notices
    elif isinstance(content, WallList):
        lists, notes = (content.field,), ()
    else:
        lists, notes = (rank(content),), tuple(_how_placed(account, content))
    return Report(account, _of_section(lists, section), notes=notes)


def _how_placed(account: Account, tournament: GoTournament) -> list[str]:
    criteria = ", then ".join(tournament.placement.criteria or ("NBW",))
    why = "the report has no places" if account.form is AGA_REPORT else "the event's own criteria"
    return [f"placed by {criteria} ({why})"]


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
        told = f"its sections are {', '.join(known)}" if known else "it names no sections"
        raise InputError(f"no section {section!r}: {told}")
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


def awarded(report: Report, book: Rulebook, given: Mapping[str, object]) -> Report:
    """The report with what the rulebook awards; ``given`` is what the lists do not say."""
    return replace(report, book=book, awards=award_event(book, report.lists, given))


def stones_told(account: Account) -> str:
    """How many games of a go tournament have handicap: it helps to say which section it is."""
    content = account.content
    told = content.tournament if isinstance(content, WallList) else content
    games = [g for g in told.games if g.handicap] if isinstance(told, GoTournament) else []
    if not games:
        return "no game has handicap stones"
    return f"{len(games)} of its games have handicap stones"
