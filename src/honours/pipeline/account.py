"""Everything that a file says about one event: as it was read, and as it was ruled on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction
from pathlib import Path

from honours.errors import FileProblem, UnknownName
from honours.formats.detect import read
from honours.formats.format import Content, Format
from honours.formats.go import GoTournament, change_tournament
from honours.formats.honours_json import LISTS
from honours.formats.members import Matching, MemberList, match
from honours.formats.reading import ISO, day_like, require_whole
from honours.formats.rulings import read_rulings
from honours.formats.table_standings import StandingsFile, StandingsTable
from honours.model import Event, Field, Player
from honours.model.message import Message, by_option
from honours.scoring.rulings import Ruling, apply, apply_each

OneEvent = Event | StandingsFile | GoTournament
DOUBT = "doubt"
"""The fact of a list that tells why it may not be what was played."""


@dataclass(frozen=True, slots=True)
class Account:
    """Everything that a file says about one event; ``content`` has the rulings applied. ``name`` is
    what people call the file, where it is kept under another path."""

    path: str
    form: Format
    content: OneEvent
    rulings: tuple[Ruling, ...] = ()
    name: str = ""
    of_members: tuple[str, ...] = ()
    """Columns of a member list that only a rulebook may make something of."""
    from_members: tuple[str, ...] = ()
    """What a member list says of players and the file does not."""
    of_several: bool = False
    """Whether its file holds other events too."""

    @property
    def called(self) -> str:
        """The file's name as people know it."""
        return self.name or self.path

    @property
    def title_in_file(self) -> str:
        """The event's title in the file; empty where the file has none."""
        return (
            self.content.event if isinstance(self.content, StandingsFile) else self._written.title
        )

    @property
    def title(self) -> str:
        return self.title_in_file or Path(self.called).stem

    @property
    def day(self) -> date | None:
        """The event's day, if its file says it."""
        return self.content.date if isinstance(self.content, StandingsFile) else self._written.date

    @property
    def program(self) -> str:
        """The program that wrote the file, where the file names it."""
        return "" if isinstance(self.content, StandingsFile) else self._written.program

    @property
    def likely_day(self) -> date | None:
        """The event's day; where a file of one event does not say it, the one in the file's name,
        ``2017-01-14`` or ``20170114``, if there is one."""
        alone = None if self.of_several else day_like(ISO, Path(self.called).stem)
        return self.day or alone

    @property
    def club(self) -> str:
        """The club whose event it is, if its file says it."""
        content = self.content
        return content.club if isinstance(content, Event | StandingsFile) else ""

    @property
    def _written(self) -> Event | GoTournament:
        assert not isinstance(self.content, StandingsFile)
        return self.content

    @property
    def players(self) -> list[Player]:
        """Everybody who plays, as often as the file has them."""
        content = self.content
        if isinstance(content, GoTournament):
            return [one.player for one in content.players]
        of = content.entrants if isinstance(content, Event) else content.standings
        return [player for one in of for player in one.entrant.players]

    @property
    def not_understood(self) -> tuple[str, ...]:
        """Columns of the file, and of a member list, that nothing was made of."""
        if isinstance(self.content, StandingsFile):
            return (*self.content.ignored, *self.of_members)
        event = self.played
        columns = event.facts.get("not_understood") if event else None
        own = tuple(str(columns).split(", ")) if columns else ()
        return (*own, *self.of_members)

    @property
    def doubts(self) -> tuple[str, ...]:
        """Reasons why the file may not be whole, or not what was played; whoever pays by it
        asks."""
        content, listed = self.content, list[str]()
        if isinstance(content, StandingsFile):
            listed = [str(field.facts[DOUBT]) for field in content.lists if DOUBT in field.facts]
        cut = (Message("it looks cut off: {doubt}", doubt=one) for one in content.doubts)
        return tuple(dict.fromkeys((*cut, *listed)))

    @property
    def continued(self) -> Message | None:
        """A note if the file holds a session before the event's last: the file of that
        one has what all of them pay."""
        facts = self.played.facts if self.played else {}
        session, sessions = facts.get("session"), facts.get("sessions")
        if not (isinstance(session, Fraction) and isinstance(sessions, Fraction)):
            return None
        if session >= sessions:
            return None
        return Message(
            "session {session} of {sessions}: the file of the last session pays for all of them",
            session=int(session),
            sessions=int(sessions),
        )

    @property
    def is_go(self) -> bool:
        return isinstance(self.content, GoTournament)

    @property
    def played(self) -> Event | None:
        """The bridge event whose results the file holds, if it does."""
        return self.content if isinstance(self.content, Event) else None

    @property
    def event(self) -> Event:
        """The bridge event, or a FileProblem where the file holds something else."""
        if isinstance(self.content, Event):
            require_whole(self.content, self.called)
            return self.content
        raise self.without_results

    @property
    def without_results(self) -> FileProblem:
        """The problem to report where results are needed and the file only has a ranking."""
        what = Message("a file of another kind: {title}", title=self.form.title)
        return FileProblem(self.called, what, "results of bridge events")


def read_account(path: str | Path, event: str = "", *, as_ruled: bool = True) -> Account:
    """Read any file of one event, or one of several, with the rulings file beside it."""
    every = read_accounts(path, as_ruled=as_ruled)
    if len(every) == 1 and not event:
        return every[0]
    return every[chosen_event(path, [one.title for one in every], event)]


def read_accounts(path: str | Path, *, as_ruled: bool = True) -> tuple[Account, ...]:
    """Every event of a file; rulings are made on a file of one event only."""
    every = accounts(path, *read(path))
    if as_ruled and len(every) == 1 and isinstance(every[0].content, Event | GoTournament):
        return (ruled(every[0], read_rulings(path)),)
    return every


def accounts(path: str | Path, form: Format, content: Content) -> tuple[Account, ...]:
    """Every event of what was read from a file, before any ruling."""
    if isinstance(content, MemberList):
        raise FileProblem(path, "a file of another kind: {title}", "an event", title=form.title)
    every: tuple[OneEvent, ...]
    if isinstance(content, StandingsTable):
        every = content.events
    else:
        every = content if isinstance(content, tuple) else (content,)
    return tuple(Account(str(path), form, one, of_several=len(every) > 1) for one in every)


def account_of(lists: Sequence[Field], title: str = "") -> Account:
    """Ranking lists that somebody made or sent, as if a file had them."""
    return Account(title, LISTS, StandingsFile(title, tuple(lists), event=title))


def ruled(account: Account, rulings: Sequence[Ruling]) -> Account:
    """The account of an event with more rulings made on it."""
    if not rulings:
        return account
    made = (*account.rulings, *rulings)
    content = account.content
    if isinstance(content, GoTournament):
        after = apply_each(content, rulings, change_tournament)
        return replace(account, content=after, rulings=made)
    return replace(account, content=apply(account.event, rulings), rulings=made)


def chosen_event(path: str | Path, titles: Sequence[str], wanted: str) -> int:
    """Return the index of the event with this title or, if none has it, of this number from 1."""
    if not wanted:
        more = " …" if len(titles) > 5 else ""
        raise FileProblem(
            path,
            "{count} events ({titles}{more})",
            "one: say {remedy}",
            remedy=by_option("event", "TITLE|N"),
            count=len(titles),
            titles=tuple(titles[:5]),
            more=more,
        )
    if wanted in titles:
        return titles.index(wanted)
    if wanted.isdecimal() and 1 <= int(wanted) <= len(titles):
        return int(wanted) - 1
    raise UnknownName(Message("event of {file}", file=path), wanted, titles)


def with_members(account: Account, matching: Matching) -> Account:
    """The account with its players as a member list knows them."""
    columns = tuple(dict.fromkeys((*account.of_members, *matching.members.ignored)))
    known = replace(account, content=match(account.content, matching), of_members=columns)
    own, now = ({name for p in one.players for name in p.facts} for one in (account, known))
    return replace(known, from_members=(*account.from_members, *sorted(now - own)))
