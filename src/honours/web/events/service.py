"""The service that scores, rules on and awards events: the same for pages and programs."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from starlette.requests import Request

from honours import clock
from honours.engine.event_awards import EventAwards
from honours.engine.numbers import show
from honours.engine.rulebook import Rulebook
from honours.errors import InputError
from honours.formats.detect import Contents
from honours.formats.go import GoTournament
from honours.formats.members import EnrolmentList
from honours.formats.reading import iso_day, require_whole
from honours.formats.rulings import (
    add_ruling,
    add_rulings,
    dated,
    final_words,
    parse_rulings,
    read_ruling,
    undo_ruling,
)
from honours.model import Entrant, Event, EventEntrant
from honours.model.message import Message, mark
from honours.pipeline import Account, Report, awarded, inquired, ranked, ruled
from honours.pipeline.rulebook_choice import FittingRulebook, few_fitting, fitting
from honours.pipeline.standing_answers import StandingAnswers
from honours.processes.pool import Processes, WorkDone
from honours.rulebooks import ids, load
from honours.scoring import ScoredEvent
from honours.scoring.rulings import Name, Ruling
from honours.scoring.status import changes, published_places
from honours.web.calculators.calculator import Calculation, CalculatorState, calculation
from honours.web.events.choices import ScoringChoices
from honours.web.events.documents import Audience, AwardingChoice, document
from honours.web.events.member_lists import KeptList, kept_list, ranked_with, with_matched_members
from honours.web.events.reading import SAYABLE, FileContents, look_into, members_of, with_details
from honours.web.events.store import EventStore, StoredEvent, Upload, check_whole
from honours.web.http.access import Requester
from honours.web.http.problems import NotThere
from honours.web.published.clubs import Clubs, ClubSettings
from honours.web.settings import Settings

_LONGEST = 200
_SIZE_OF_A_CALCULATION = 64 << 10
"""As it would travel: a table of awards with their reasons."""
_SIZE_OF_AN_AWARD = 4 << 10
"""Of one entrant, with its reasons."""


@dataclass(frozen=True, slots=True)
class OpenEvent:
    """An event that is open: what its file tells of it, and the rulings made on it."""

    kept: StoredEvent
    contents: Contents
    as_read: Account
    account: Account
    rulings_text: str
    listed: str = ""
    """The member list that is kept with it."""

    @property
    def rulings(self) -> tuple[Ruling, ...]:
        return self.account.rulings

    def entrants(self, *, as_read: bool = False) -> tuple[EventEntrant, ...]:
        """Return who plays, in a go tournament each player; none where a file gives only places."""
        content = (self.as_read if as_read else self.account).content
        if isinstance(content, GoTournament) and not content.listed:
            return tuple(
                EventEntrant(Entrant(one.key, (one.player,)), one.player.number)
                for one in content.players
            )
        return content.entrants if isinstance(content, Event) else ()

    @property
    def decided(self) -> int:
        """The number of rulings that decide something: who is called what is no decision."""
        return sum(not isinstance(one.what, Name) for one in self.rulings)


class EventService:
    """Everything a page or a program does with events and rulebooks."""

    def __init__(self, store: EventStore, settings: Settings, processes: Processes) -> None:
        self.store, self.settings, self.processes = store, settings, processes
        self._lock = threading.RLock()
        self._cache = SizedCache()
        self._clubs = Clubs(settings.data)

    def club_settings(self, club: str) -> ClubSettings:
        """Return what a club has settled for itself."""
        return self._clubs.settings(club)

    def year_begins(self, club: str) -> str:
        """Return the day a club's year begins, where it has settled that; without accounts there is
        one club, whatever its events call it."""
        return self.club_settings(club if self.settings.accounts else "").year_begins

    def standing(self, opened: OpenEvent) -> StandingAnswers:
        """Return what the event's club answers alike for all its events."""
        return self.club_settings(opened.kept.club).standing(opened.kept.club)

    def as_usual(self, opened: OpenEvent, choices: ScoringChoices) -> ScoringChoices:
        """The choices for this event, with its club's usual ones where none was made."""
        return replace(choices, usual=self.club_settings(opened.kept.club).profile)

    def seen_by(self, account: Requester | None) -> EventService:
        """The same service for somebody: with the events they may see."""
        other = copy(self)
        other.store = self.store.seen_by(account)
        return other

    # --- rulebooks ------------------------------------------------------------------------------

    def rulebooks(self, game: str = "") -> list[Rulebook]:
        """Every rulebook there is, or those of a game."""
        every = [self.rulebook(one) for one in ids(self.settings.rulebooks)]
        return [book for book in every if not game or book.game in ("", game)]

    def rulebook(self, rulebook_id: str) -> Rulebook:
        """The rulebook of this id; ``id@1`` is its first revision."""
        if rulebook_id.partition("@")[0] not in ids(self.settings.rulebooks):
            raise NotThere(mark("there is no rulebook {name}"), name=rulebook_id[:60])
        return load(rulebook_id, self.settings.rulebooks)

    def calculation(self, book: Rulebook, state: CalculatorState) -> Calculation:
        """A calculation; the same one asked again is not worked out again."""
        key = ("calculation", book.hash, state.at(1).query())
        size = _SIZE_OF_A_CALCULATION
        done: Calculation = self._cache.get(key, lambda: WorkDone(calculation(book, state), size))
        return replace(done, state=state)

    # --- events ---------------------------------------------------------------------------------

    def add(self, upload: Upload) -> list[StoredEvent]:
        """Keep a file that can be read: an event for each that is in it."""
        with upload.as_file() as path:
            contents = self._read(upload.digest, upload.name, path)
        most = self.settings.files_at_once
        if len(contents.accounts) > most:
            raise InputError(
                "{name}: {count} events; at most {most} at once",
                name=upload.name,
                count=len(contents.accounts),
                most=most,
            )
        for one in contents.accounts:
            if one.played is not None:
                require_whole(one.played, upload.name)
        return self.store.add(upload, [one.title for one in contents.accounts])

    def _read(self, digest: str, name: str, path: str) -> FileContents:
        """Read a file; the same one kept twice is read once."""
        work = partial(look_into, path, name)

        def make() -> WorkDone:
            check_whole(path, name, digest)
            return self._answer(name, work)

        contents: FileContents = self._cache.get(("file", digest, name), make)
        return contents

    def _answer(self, about: str, work: Callable[[], Any]) -> WorkDone:
        """Have a process of its own do work for whoever asks, in their turn."""
        who = self.store.account.name if self.store.account else ""
        return self.processes.answer(about, work, self.settings.reading, who)

    def accounts_in(self, upload: Upload) -> tuple[Account, ...]:
        """Every event of a file that is not kept."""
        with upload.as_file() as path:
            return self._read(upload.digest, upload.name, path).accounts

    def ranked(self, account: Account) -> Report:
        """An event of a file that is not kept, with its ranking lists."""
        return self._ranked(account, ScoringChoices())

    def worked(self, key: tuple[object, ...], about: str, work: Callable[[], Any]) -> Any:
        """Return what a process of its own works out, once for as long as there is room for it."""
        return self._cache.get(key, lambda: self._answer(about, work))

    def members_in(self, upload: Upload, kind_names: Sequence[str]) -> EnrolmentList:
        """The members of a list that somebody sent."""
        with upload.as_file() as path:
            work = partial(members_of, path, upload.name, kind_names)
            listed: EnrolmentList = self._answer(upload.name, work).value
            return listed

    def open(self, event_id: str) -> OpenEvent:
        """An event with its rulings."""
        kept = self.store.get(event_id)
        path = str(self.store.file(event_id))
        contents = self._read(kept.digest, kept.name, path)
        text = self.store.rulings_text(event_id)
        as_read = with_details(replace(contents.accounts[kept.index], path=path), kept.said)
        account = ruled(as_read, parse_rulings(text, "rulings"))
        listed = self.store.member_list(event_id)
        return OpenEvent(kept, contents.contents, as_read, account, text, listed)

    def report(self, opened: OpenEvent, choices: ScoringChoices) -> Report:
        """The event with its ranking lists; worked out once until a ruling changes it."""
        choices = self.as_usual(opened, choices)
        key = ("report", *self._made_from(opened, choices))
        report: Report = self._cache.get(
            key, lambda: self._rank(opened.account, choices, opened.listed)
        )
        return report if opened.listed else replace(report, account=opened.account)

    def _made_from(self, opened: OpenEvent, choices: ScoringChoices) -> tuple[Hashable, ...]:
        """Return what decides how an event is ranked; the same file kept twice is scored once."""
        kept, said = opened.kept, tuple(sorted(opened.kept.said.items()))
        file = (kept.digest, kept.name, kept.index, said)
        return (*file, opened.rulings_text, opened.listed, choices)

    def _ranked(self, account: Account, choices: ScoringChoices) -> Report:
        report: Report = self._rank(account, choices).value
        return report

    def keep_members(self, event_id: str, listed: KeptList | None) -> tuple[str, ...]:
        """Keep a member list with an event, or none; what a person must be told of it."""
        notes: tuple[str, ...] = ()
        if listed is not None:
            with listed.upload.as_file() as path:
                work = partial(with_matched_members, self.open(event_id).account, listed, path, "")
                notes = self._answer(listed.name, work).value[1]
        self.store.keep_member_list(event_id, listed.as_text() if listed else "")
        return notes

    def _rank(self, account: Account, choices: ScoringChoices, listed: str = "") -> WorkDone:
        values = choices.values
        if kept := kept_list(listed):
            day = iso_day("date", values["date"]) if values["date"] else ""
            with kept.upload.as_file() as path:
                work = partial(ranked_with, account, kept, path, day, values)
                return self._answer(account.called, work)
        answer = self._answer(account.called, partial(ranked, account, values))
        return replace(answer, value=replace(answer.value, account=account))  # not a copy of it

    def scored(self, opened: OpenEvent, choices: ScoringChoices) -> ScoredEvent:
        """The event scored; an error where its file gives a ranking."""
        return scored_of(self.report(opened, choices))

    def award(
        self,
        opened: OpenEvent,
        choices: ScoringChoices,
        book: Rulebook,
        given: Mapping[str, object],
    ) -> EventAwards:
        """Return what a rulebook awards for the event."""
        awards = self.awarded(opened, choices, book, given).awards
        assert awards is not None
        return awards

    def awarded(
        self,
        opened: OpenEvent,
        choices: ScoringChoices,
        book: Rulebook,
        given: Mapping[str, object],
    ) -> Report:
        """The event with its ranking lists and what a rulebook awards for them; worked out once
        for what is said of it, as far as there is room, and so is what has to be asked."""
        day = choices.values["date"] or opened.kept.said.get("date", "")
        told = {**({"date": iso_day("date", day)} if day else {}), **given}
        report = replace(self.report(opened, choices), standing=self.standing(opened))

        def work() -> WorkDone:
            size = _SIZE_OF_AN_AWARD * (1 + sum(len(one.standings) for one in report.lists))
            try:
                return WorkDone(inquired(report, book, told), size)
            except InputError as error:
                return WorkDone(error, size)

        said = tuple(sorted((name, str(value)) for name, value in told.items()))
        usual = self._made_from(opened, self.as_usual(opened, choices))
        key = ("awards", *usual, repr(report.standing), book.hash, said, clock.today())
        made: Report | InputError = self._cache.get(key, work)
        if isinstance(made, InputError):
            raise made.with_traceback(None)
        return replace(made, account=report.account)

    def document(
        self,
        opened: OpenEvent,
        choices: ScoringChoices,
        kind: str,
        awarding: AwardingChoice,
        shown: Audience,
    ) -> bytes:
        """A document drawn by a process of its own."""
        values = self.as_usual(opened, choices).values
        work = partial(document, opened.account, values, kind, awarding, shown)
        drawn: bytes = self._answer(opened.account.called, work).value
        return drawn

    def offered(self, opened: OpenEvent) -> list[FittingRulebook]:
        """The rulebooks of the event's game, the likeliest first."""
        return fitting(opened.account, self.rulebooks())

    def likely(self, opened: OpenEvent) -> list[FittingRulebook]:
        """The rulebook that the club names for the event; else those of the federation that the
        file shows; else, with nothing to show for them, those in force on its day."""
        title, account = opened.kept.title, opened.account
        told = self.standing(opened).of_event(title, account.likely_day).get("rulebook")
        if told:
            return [FittingRulebook(self.rulebook(told[0]), (told[1],), in_force=True)]
        return few_fitting(account, self.rulebooks())

    def proposed(self, opened: OpenEvent, choices: ScoringChoices) -> str:
        """The first likely rulebook that can award the event if nothing is unusual, if one can."""
        choices = choices.confirming(True)
        books = [fit.book for fit in self.likely(opened)]
        for book in books:
            try:
                awards = self.award(opened, choices, book, {})
            except InputError:
                continue
            if any(not one.refusal for one in awards.lists):
                return book.id
        return books[0].id

    # --- rulings --------------------------------------------------------------------------------

    def preview(
        self, event_id: str, words: Mapping[str, Any], choices: ScoringChoices
    ) -> list[str]:
        """Return what a ruling would change, without making it."""
        opened = self.open(event_id)
        after = ruled(opened.account, [read_ruling(dated(words))])
        return lists_changed(self.report(opened, choices), self._ranked(after, choices))

    def award_changes(
        self, event_id: str, words: Mapping[str, Any], choices: ScoringChoices
    ) -> list[Message]:
        """Return the awards a ruling would change, by the rulebook it was posted under, else by the
        one that is proposed; nothing where that cannot award the event."""
        opened = self.open(event_id)
        chosen = opened.kept.posted.get("chosen", {})
        book = self.rulebook(chosen.get("rulebook") or self.proposed(opened, choices))
        after = ruled(opened.account, [read_ruling(dated(words))])
        try:
            was, now = (
                awarded(report, book, chosen.get("given", {})).awards
                for report in (self.report(opened, choices), self._ranked(after, choices))
            )
        except InputError:
            return []
        assert was is not None
        assert now is not None
        return [
            Message(
                "{who}: award {before} → {after} ({rulebook})",
                who=(now.combined.get(one) or was.combined[one])[0].standing.entrant.title,
                before=show(was.amount(one)) if one in was.combined else "–",
                after=show(now.amount(one)) if one in now.combined else "–",
                rulebook=book.id,
            )
            for one in dict.fromkeys((*now.combined, *was.combined))
            if (was.amount(one) if one in was.combined else None)
            != (now.amount(one) if one in now.combined else None)
        ]

    def rule(self, event_id: str, words: Mapping[str, Any], choices: ScoringChoices) -> list[str]:
        """Make a ruling that can be applied; what it changed."""
        signed = self._signed(words)
        with self._lock:
            changes = self.preview(event_id, signed, choices)
            add_ruling(self.store.ruled_on(event_id), dated(signed))
            return changes

    def rule_all(self, event_id: str, several: Sequence[Mapping[str, Any]]) -> None:
        """Make several rulings, all of them or none."""
        signed = [dated(self._signed(words)) for words in several]
        with self._lock:
            ruled(self.open(event_id).account, [read_ruling(words) for words in signed])
            add_rulings(self.store.ruled_on(event_id), signed)

    def make_final(self, event_id: str, notes: Mapping[str, Any], choices: ScoringChoices) -> None:
        """Make the standings final as they are."""
        with self._lock:
            scored = self.scored(self.open(event_id), choices)
            words = dated({**self._signed(notes), "kind": "final", **final_words(scored)})
            read_ruling(words)
            add_ruling(self.store.ruled_on(event_id), words)

    def _signed(self, words: Mapping[str, Any]) -> dict[str, Any]:
        """A ruling's words with who made it: on a server with accounts, whoever signed in."""
        who = self.store.account
        return {**words, "by": who.name if who else str(words.get("by", "")).strip()}

    def undo(self, event_id: str, number: int = 0) -> str:
        """Take a ruling out again, the last unless its number is said; the rest must still fit."""
        with self._lock:
            opened = self.open(event_id)
            if not opened.rulings:
                raise InputError("there is no ruling to undo")
            nth = (number or len(opened.rulings)) - 1
            ruled(opened.as_read, [*opened.rulings[:nth], *opened.rulings[nth + 1 :]])
            return undo_ruling(self.store.ruled_on(event_id), number)

    # --- what is known of it, and its file --------------------------------------------------------

    def say(self, event_id: str, given: Mapping[str, str]) -> StoredEvent:
        """Change the title, date or club of an event; an empty one is as the file has it."""
        with self._lock:
            opened = self.open(event_id)
            wanted = {
                key: " ".join(text.split())[:_LONGEST]
                for key, text in given.items()
                if key in SAYABLE
            }
            if wanted.get("date"):
                wanted["date"] = str(iso_day("date", wanted["date"]))
            now = {key: text for key, text in {**opened.kept.said, **wanted}.items() if text}
            path = str(self.store.file(event_id))
            as_told = self._read(opened.kept.digest, opened.kept.name, path).accounts
            title = now.get("title") or as_told[opened.kept.index].title
            return self.store.keep(replace(opened.kept, said=now, title=title))

    def replace_file(self, event_id: str, upload: Upload, choices: ScoringChoices) -> list[str]:
        """Put another version of the file in the place of an event's; rulings are kept and must
        apply to it. What it changes."""
        with upload.as_file() as path:
            contents = self._read(upload.digest, upload.name, path)
        with self._lock:
            opened = self.open(event_id)
            if upload.digest == opened.kept.digest:
                raise InputError("{file} is the file that is here", file=upload.name)
            index = _same_event(opened, contents)
            after = ruled(with_details(contents.accounts[index], opened.kept.said), opened.rulings)
            after = replace(after, name=upload.name)
            before, now = self.report(opened, choices), self._ranked(after, choices)
            self.store.new_version(event_id, upload, index, contents.accounts[index].title_in_file)
            return [*_details_changed(opened.as_read, after), *lists_changed(before, now)]

    def version_before(self, event_id: str) -> StoredEvent:
        """Take the last new version of the file back."""
        with self._lock:
            if not self.store.get(event_id).earlier:
                raise InputError("the file is the first that came")
            return self.store.version_before(event_id)

    def replaced(self, opened: OpenEvent, choices: ScoringChoices) -> list[str]:
        """Return what the last new version of the file changed, with the rulings made on both."""
        last = opened.kept.earlier[-1]
        path = str(self.store.file(opened.kept.id).with_name(last["file"]))
        contents = self._read(last["digest"], last["name"], path)
        before = with_details(contents.accounts[last["index"]], opened.kept.said)
        try:
            ranked_before = self._ranked(ruled(before, opened.rulings), choices)
        except InputError:  # rulings that the version before cannot have
            ranked_before = self._ranked(before, choices)
        changed = lists_changed(ranked_before, self.report(opened, choices))
        return [*_details_changed(before, opened.account), *changed]

    def last_change(self, opened: OpenEvent, choices: ScoringChoices) -> list[str]:
        """Return what the last ruling changed."""
        if not opened.rulings:
            return []
        before = ruled(opened.as_read, opened.rulings[:-1])
        return lists_changed(self._ranked(before, choices), self.report(opened, choices))


def scored_of(report: Report) -> ScoredEvent:
    """The results of a report; an error where its file gives a ranking."""
    if report.scored is None:
        raise report.account.without_results
    return report.scored


def _details_changed(before: Account, after: Account) -> list[str]:
    """The title and the day, where both files give one and a person says no other."""
    titles = before.title_in_file, after.title_in_file
    changed: list[str] = []
    if all(titles) and titles[0] != titles[1]:
        changed.append(Message("title: {before} → {after}", before=titles[0], after=titles[1]))
    if before.day and after.day and before.day != after.day:
        changed.append(Message("date: {before} → {after}", before=before.day, after=after.day))
    return changed


def lists_changed(before: Report, after: Report) -> list[str]:
    """Return what is different for whom: places and scores, or the places a file gives."""
    if before.scored is not None and after.scored is not None:
        return list(changes(published_places(before.scored), published_places(after.scored)))
    return list(changes(_given(before), _given(after)))


def _given(report: Report) -> list[tuple[str, str, str, str]]:
    return [
        (one.entrant.id, one.placing, str(one.score or ""), one.entrant.title)
        for field in report.lists
        for one in field.standings
    ]


def _same_event(opened: OpenEvent, contents: FileContents) -> int:
    """Return the place in a new version of the file of the event that is here."""
    titles = [one.title for one in contents.accounts]
    if len(titles) == 1:
        return 0
    if opened.as_read.title in titles:
        return titles.index(opened.as_read.title)
    if len(titles) > opened.kept.index:
        return opened.kept.index
    raise InputError("there is no event {name} in the file", name=opened.as_read.title)


def event_service(request: Request) -> EventService:
    """The events and rulebooks of this application, with the events whoever asks may see."""
    service: EventService = request.app.state.events
    return service.seen_by(request.scope.get("requester"))


MOST_BYTES = 32 << 20
"""Of results as they travel; at hand they take several times as much."""


class SizedCache:
    """A cache of limited size, where what was used longest ago makes room."""

    def __init__(self, most: int = MOST_BYTES) -> None:
        self._most, self._size = most, 0
        self._kept: OrderedDict[Hashable, WorkDone] = OrderedDict()
        self._making: dict[Hashable, threading.Lock] = {}
        self._lock = threading.Lock()

    def get(self, key: Hashable, make: Callable[[], WorkDone]) -> Any:
        """Return what is kept under a key, made now if need be: by one of those who ask for it at
        the same time, for all of them."""
        kept = self._found(key)
        if kept is not None:
            return kept.value
        with self._lock:
            making = self._making.setdefault(key, threading.Lock())
        with making:
            kept = self._found(key)
            try:
                if kept is None:
                    kept = make()
                    self._keep(key, kept)
            finally:
                with self._lock:
                    self._making.pop(key, None)
        return kept.value

    def _found(self, key: Hashable) -> WorkDone | None:
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)

    def _keep(self, key: Hashable, made: WorkDone) -> None:
        with self._lock:
            self._drop(key)
            if made.size <= self._most:
                self._kept[key] = made
                self._size += made.size
            while self._size > self._most:
                self._drop(next(iter(self._kept)))

    def _drop(self, key: Hashable) -> None:
        gone = self._kept.pop(key, None)
        self._size -= gone.size if gone else 0

    def __len__(self) -> int:
        return len(self._kept)
