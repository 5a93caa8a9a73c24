"""The one way from a file to what an event is awarded: read, ruled on, ranked, awarded.

Commands, pages, the lab and the ledger all come this way, so that they all say the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from honours.engine.lists import EventAwards, award_event
from honours.errors import FileProblem, InputError, UnknownName
from honours.formats.detect import AGA_REPORT, Content, Format, read
from honours.formats.go import GoTournament
from honours.formats.go_standings import rank
from honours.formats.h9 import WallList
from honours.formats.matching import Matching, match
from honours.formats.rulings import read_rulings
from honours.formats.table_standings import StandingsFile, StandingsTable
from honours.model import Event, Field, Standing
from honours.scoring import score
from honours.scoring.lists import award_lists
from honours.scoring.profiles import DEFAULT
from honours.scoring.profiles import profile as named
from honours.scoring.rulings import apply

if TYPE_CHECKING:
    from honours.engine.rulebook import Rulebook
    from honours.scoring import Scored
    from honours.scoring.ruling_kinds import Ruling

Scorer = Callable[[Event], "Scored"]
Told = Event | StandingsFile | GoTournament | WallList
SECTIONS = ("open", "handicapped")


@dataclass(frozen=True, slots=True)
class Account:
    """What a file tells of one event; ``content`` is as ruled. ``name`` is what people call the
    file, where it is kept under another path."""

    path: str
    form: Format
    content: Told
    rulings: tuple[Ruling, ...] = ()
    name: str = ""

    @property
    def called(self) -> str:
        """The file, as people know it."""
        return self.name or self.path

    @property
    def told_title(self) -> str:
        """What the file calls the event, if it says."""
        return self.content.event if isinstance(self.content, StandingsFile) else self._told.title

    @property
    def title(self) -> str:
        return self.told_title or Path(self.called).stem

    @property
    def day(self) -> date | None:
        return None if isinstance(self.content, StandingsFile) else self._told.date

    @property
    def _told(self) -> Event | GoTournament:
        assert not isinstance(self.content, StandingsFile)
        return self.content.tournament if isinstance(self.content, WallList) else self.content

    @property
    def is_go(self) -> bool:
        return isinstance(self.content, GoTournament | WallList)

    @property
    def played(self) -> Event | None:
        """The bridge event whose results the file holds, if it does."""
        return self.content if isinstance(self.content, Event) else None

    @property
    def event(self) -> Event:
        """The bridge event, or a FileProblem where the file holds something else."""
        if isinstance(self.content, Event):
            return self.content
        raise self.without_results

    @property
    def without_results(self) -> FileProblem:
        """What is said where results are asked for and the file gives a ranking."""
        found = f"a file of another kind: {self.form.title}"
        return FileProblem(self.called, found, "results of bridge events")


@dataclass(frozen=True, slots=True)
class Report:
    """An account with its ranking lists and, where a rulebook was asked, what it awards."""

    account: Account
    lists: tuple[Field, ...]
    scored: Scored | None = None
    book: Rulebook | None = None
    awards: EventAwards | None = None
    notes: tuple[str, ...] = ()


def read_account(path: str | Path, event: str = "", *, as_ruled: bool = True) -> Account:
    """Read any file of one event, or one of several, with the rulings file beside it."""
    found = read_accounts(path, as_ruled=as_ruled)
    if len(found) == 1 and not event:
        return found[0]
    return found[chosen_event(path, [one.title for one in found], event)]


def read_accounts(path: str | Path, *, as_ruled: bool = True) -> tuple[Account, ...]:
    """Every event of a file; rulings are made on a file of one event only."""
    found = accounts(path, *read(path))
    if as_ruled and len(found) == 1 and found[0].played:
        return (ruled(found[0], read_rulings(path)),)
    return found


def accounts(path: str | Path, form: Format, content: Content) -> tuple[Account, ...]:
    """Every event of what was read from a file, before any ruling."""
    if isinstance(content, dict):
        raise FileProblem(path, f"a file of another kind: {form.title}", "an event")
    if isinstance(content, StandingsTable):
        return tuple(Account(str(path), form, one) for one in content.events)
    if isinstance(content, tuple):
        return tuple(Account(str(path), form, event) for event in content)
    return (Account(str(path), form, content),)


def ruled(account: Account, rulings: Sequence[Ruling]) -> Account:
    """The account of a bridge event with more rulings made on it."""
    if not rulings:
        return account
    made = (*account.rulings, *rulings)
    return replace(account, content=apply(account.event, rulings), rulings=made)


def chosen_event(path: str | Path, titles: Sequence[str], wanted: str) -> int:
    """Which event has this title, or this number where no title is like it."""
    if not wanted:
        more = " …" if len(titles) > 5 else ""
        raise FileProblem(
            path,
            f"{len(titles)} events ({', '.join(titles[:5])}{more})",
            "one: say --event TITLE or N",
        )
    if wanted in titles:
        return titles.index(wanted)
    if wanted.isdecimal() and 1 <= int(wanted) <= len(titles):
        return int(wanted) - 1
    raise UnknownName(f"event of {path}", wanted, titles)


def with_members(account: Account, matching: Matching) -> Account:
    """The account with its players as a member list knows them."""
    return replace(account, content=match(account.content, matching))


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
