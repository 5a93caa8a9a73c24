"""Evenings on this server: set up, played, watched, and handed on as events."""

from __future__ import annotations

import logging
import threading
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from starlette.requests import Request

from honours import clock
from honours.errors import HonoursError, InputError, WrongValue
from honours.evening.acts import changed_plan
from honours.evening.evening import Evening
from honours.evening.hidden_boards import board_ruled_on, hidden_from, may_have_codes, seen_by
from honours.evening.live import correctable_until
from honours.evening.plan import EveningPlan, rounds_data
from honours.evening.points import line_points
from honours.evening.results import account_of, event_at_the_end, ranked_so_far, with_awards
from honours.evening.seating import free_number, with_late_pair
from honours.evening.store import ActOutcome, Evenings, KeptEvening
from honours.evening.swiss_rounds import next_swiss_round
from honours.formats.bws import read_movement_file
from honours.formats.honours_json import write_json
from honours.formats.rulings import dated, read_ruling, write_ruling
from honours.model.message import Message, mark
from honours.model.rights import READ
from honours.movements.movement import Movement
from honours.pipeline import Account, Report, ranked, ruled
from honours.processes.threads import THREADS
from honours.scoring.status import changes, published_places
from honours.web.evening.hands import read_hands
from honours.web.evening.stream import Hub
from honours.web.evening.told import GridAnswer, grid_told
from honours.web.events.choices import ScoringChoices
from honours.web.events.event_page import AwardQuery
from honours.web.events.reading import look_into
from honours.web.events.service import EventService
from honours.web.events.store import Upload
from honours.web.http.access import Requester, own_name
from honours.web.http.problems import NotThere

_MOST_REPORTS = 40


@dataclass(frozen=True, slots=True)
class EveningStandings:
    """The standings of an evening: its report, or why there is none or no awards."""

    report: Report | None
    problem: str = ""


class EveningService:
    """Everything that pages, phones and programs do with evenings."""

    def __init__(self, evenings: Evenings, events: EventService) -> None:
        self.evenings, self.events, self.hub = evenings, events, Hub()
        self._reports: dict[tuple[str, int], EveningStandings] = {}
        self._working: dict[str, threading.Lock] = {}
        self.settling = Settling(self)

    def kept(self, evening_id: str) -> KeptEvening:
        """The evening of this id."""
        kept = self.evenings.get(evening_id)
        if kept is None:
            raise NotThere(mark("there is no evening {name}"), name=evening_id[:40])
        return kept

    def all(self, account: Requester | None) -> list[KeptEvening]:
        """Every evening that somebody may see, the latest first."""
        seen = [
            kept
            for kept in self.evenings.all()
            if account is None or not (club := kept.now().plan.club) or account.may(READ, club)
        ]
        return sorted(seen, key=lambda kept: (kept.now().plan.date, kept.id), reverse=True)

    def begin(self, plan: EveningPlan, by: str, key: str = "") -> KeptEvening:
        """Set an evening up."""
        return self.evenings.begin(plan, by, key)

    def do(
        self,
        kept: KeptEvening,
        kind: str,
        by: str,
        key: str = "",
        content: Mapping[str, Any] | None = None,
    ) -> ActOutcome:
        """Do something and notify listeners; changes after the end reach the event too."""
        done = kept.do(kind, by, key, content)
        if not done.again:
            self.hub.wake(kept.id)
            if done.evening.event and kind in ("correct", "names", "file", "deals"):
                self.hand_on(kept)
        return done

    def change_settings(
        self, kept: KeptEvening, by: str, person: str, changed: dict[str, Any]
    ) -> None:
        """Change the parts of a plan that may be changed."""
        evening = kept.now()
        changed_plan(evening.plan, changed)
        playing = changed.get("playing", evening.plan.playing)
        if playing != evening.plan.playing and not may_have_codes(evening, person):
            raise InputError(
                "you are playing: until you have played your boards, somebody else must change this"
            )
        self.settling.wake()
        self.do(kept, "settings", by, content={"changed": changed})

    # --- how it stands ------------------------------------------------------------------------

    def stands(self, kept: KeptEvening, evening: Evening) -> EveningStandings:
        """Return the standings of an evening, worked out once until something is done."""
        key = (kept.id, evening.number)
        with self._working.setdefault(kept.id, threading.Lock()):  # who asks too waits for it
            made = self._reports.get(key) or self._stands(kept, evening)
            self._reports[key] = made
            for old in list(self._reports)[:-_MOST_REPORTS]:
                self._reports.pop(old, None)
        return made

    def _stands(self, kept: KeptEvening, evening: Evening) -> EveningStandings:
        """Ranked by a process of its own: results that come in meanwhile do not wait for it."""
        try:
            read = self.read_file(kept, evening) if evening.plan.watched else None
            if evening.plan.watched and read is None:
                return EveningStandings(None, Message("no file has come yet"))
            account = account_of(evening, read)
            work = partial(ranked if evening.ended else ranked_so_far, account)
            report = replace(self.worked(account.called, work, kept.id), account=account)
            folders = self.events.settings.rulebooks
            return EveningStandings(*with_awards(evening, report, folders))
        except InputError as error:
            return EveningStandings(None, error.message)

    def read_file(self, kept: KeptEvening, evening: Evening) -> Account | None:
        """Read the file of a watched evening, if it has come."""
        if not evening.file:
            return None
        return self._read(str(kept.file), evening.file_name)

    def _read(self, path: str, name: str) -> Account:
        account: Account = self.worked(
            name, partial(look_into, path, name, finished=False)
        ).accounts[0]
        return account

    def worked(self, about: str, work: Callable[[], Any], who: str = "") -> Any:
        """Have a process of its own do work about a file or an evening."""
        return self.events.processes.answer(about, work, self.events.settings.reading, who).value

    def movements_in(self, upload: Upload) -> tuple[Movement, ...]:
        """The movements of a file that somebody sent."""
        with upload.as_file() as path:
            movements: tuple[Movement, ...] = self.worked(
                upload.name, partial(read_movement_file, path)
            )
        return movements

    def deals_in(self, upload: Upload) -> dict[str, str]:
        """The deals of a hand record that somebody sent, by board."""
        with upload.as_file() as path:
            deals: dict[str, str] = self.worked(upload.name, partial(read_hands, path, upload.name))
        if any(len(deal) > 100 for deal in deals.values()):
            raise InputError("{file}: hands that cannot be", file=upload.name)
        return deals

    def grid(self, kept: KeptEvening, person: str, language: str) -> GridAnswer:
        """The paper grid as somebody may see it, with what every line has scored so far."""
        evening = kept.now()
        report = self.stands(kept, evening).report
        points = line_points(evening, report.scored) if report and report.scored else {}
        return grid_told(evening, hidden_from(evening, person), points, language)

    # --- a file that grows --------------------------------------------------------------------

    def take_file(self, kept: KeptEvening, by: str, upload: Upload) -> ActOutcome | None:
        """A file that has grown: kept if it can be read and is another than before."""
        evening = kept.now()
        if not evening.plan.watched:
            raise InputError("the results of this evening come from its tables, not from a file")
        if upload.digest == evening.file:
            return None
        with upload.as_file() as path:
            self._read(path, upload.name)
        kept.keep_file(upload.content)
        content = {"digest": upload.digest, "name": upload.name}
        return self.do(kept, "file", by, content=content)

    # --- who sits where -----------------------------------------------------------------------

    def add_late_pair(
        self, kept: KeptEvening, by: str, first: int, players: list[dict[str, str]]
    ) -> str:
        """A pair that came late: it plays from a round on, and has a number."""
        evening = kept.now()
        if evening.plan.swiss:  # whoever has a number is paired from the next round on
            late = free_number(evening, "")
            self.do(kept, "names", by, content={"names": {late: players}})
            return late
        if first > (last := len(evening.rounds)):
            raise WrongValue("first", "", "expected a round from 1 to {last}", last=last)
        late, rounds = with_late_pair(evening, first)
        content = {"first": first, "rounds": rounds_data(rounds), "why": "late pair"}
        self.do(kept, "seats", by, content=content)
        if players:
            self.do(kept, "names", by, content={"names": {late: players}})
        return late

    def add_swiss_round(self, kept: KeptEvening, by: str, triangle: bool = False) -> int:
        """The next round of a Swiss, by how it stands."""
        evening = kept.now()
        if not evening.plan.swiss:
            raise InputError("only a Swiss is paired round by round")
        ranking = self._ranking(kept, evening)
        _, seats = next_swiss_round(evening, ranking, triangle)
        first = len(evening.rounds) + 1
        content = {"first": first, "rounds": rounds_data([seats]), "why": "swiss"}
        self.do(kept, "seats", by, content=content)
        return first

    def _ranking(self, kept: KeptEvening, evening: Evening) -> list[str]:
        report = self.stands(kept, evening).report
        standings = report.lists[0].standings if report and report.lists else ()
        ranked_first = [standing.entrant.id for standing in standings]
        return ranked_first + [who for who in evening.entrants if who not in ranked_first]

    # --- rulings ------------------------------------------------------------------------------

    def preview(self, kept: KeptEvening, person: str, words: Mapping[str, Any]) -> list[str]:
        """Return what a ruling would change, without making it; none is made on a board that the
        person who rules has still to play."""
        evening = kept.now()
        if (board := board_ruled_on(words)) in hidden_from(evening, person):
            raise InputError("you have still to play board {board}", board=board)
        read = self.read_file(kept, evening) if evening.plan.watched else None
        account = account_of(evening, read)
        before = ranked_so_far(account)
        after = ranked_so_far(ruled(account, [read_ruling(dated(words))]))
        if before.scored is None or after.scored is None:
            return []
        return list(changes(published_places(before.scored), published_places(after.scored)))

    def rule(self, kept: KeptEvening, by: str, person: str, words: Mapping[str, Any]) -> list[str]:
        """Make a ruling that can be applied; what it changed."""
        if kept.now().event:
            raise InputError("play has ended: rule on the event it has become")
        signed = dated({**words, "by": by})
        changes = self.preview(kept, person, signed)
        self.do(kept, "ruling", by, content={"words": signed})
        return changes

    # --- the end ------------------------------------------------------------------------------

    def end(self, kept: KeptEvening, by: str) -> str:
        """Play has ended: the evening is an event like any other, provisional for a while. It ends
        once: who ends it again finds the event."""
        if kept.now().ended and kept.now().event:
            return kept.now().event
        if not kept.now().plan.watched:
            event_at_the_end(kept.now())
        self.do(kept, "end", by)
        event = self.hand_on(kept)
        self.settling.wake()
        return event

    def hand_on(self, kept: KeptEvening) -> str:
        """Store the evening's event as it stands now with all others; rulings made on it since play
        ended stay."""
        evening = kept.now()
        upload = self._upload(kept, evening)
        texts = [write_ruling(words) for words in evening.rulings]
        rulings = None if evening.event else "\n".join(texts)
        plan = evening.plan
        asked = AwardQuery(plan.rulebook, given=dict(plan.given)) if plan.rulebook else None
        answers = asked.query("")[1:] if asked else ""
        self.events.store.put(kept.id, upload, plan.title, rulings, answers)
        if not evening.event:
            self.do(kept, "event", "", content={"event": kept.id})
        return kept.id

    def _upload(self, kept: KeptEvening, evening: Evening) -> Upload:
        plan = evening.plan
        if plan.watched:
            return Upload(evening.file_name, kept.file.read_bytes(), club=plan.club)
        return Upload(
            f"{plan.title}.json", write_json((event_at_the_end(evening),)), club=plan.club
        )

    def reopen(self, kept: KeptEvening, by: str) -> None:
        """Play goes on after all: the event goes, the rulings made on it come back."""
        evening = kept.now()
        if not evening.ended:
            raise InputError("play has not ended")
        store = self.events.store
        text = store.rulings_text(evening.event) if evening.event else ""
        made = tomllib.loads(text).get("ruling", []) if text else list(evening.rulings)
        words = [one for one in made if one.get("kind") != "final"]
        self.do(kept, "reopen", by, content={"rulings": words})
        if evening.event:
            store.remove(evening.event)

    def restore(self) -> None:
        """Finish what a server that was killed had begun: an evening that ended is an event."""
        for kept in self.evenings.all():
            evening = kept.now()
            if evening.ended and (evening.file or not evening.plan.watched):
                upload = self._upload(kept, evening)
                if not evening.event or not self.events.store.holds(kept.id, upload):
                    self.hand_on(kept)

    def settle(self, kept: KeptEvening) -> bool:
        """Make the standings final once the correction period has ended; whether they are."""
        evening = kept.now()
        until = correctable_until(evening)
        if evening.settled or until is None or clock.now() < until or not evening.event:
            return evening.settled
        by = evening.ended_by or evening.plan.director or Message("the director")
        try:
            opened = self.events.open(evening.event)
            if opened.account.played is not None and not self._is_final(evening.event):
                notes = {"by": str(by), "why": "the correction period has ended", "law": "79C"}
                self.events.make_final(evening.event, notes, ScoringChoices())
        except HonoursError:
            return False
        self.do(kept, "settled", "")
        return True

    def _is_final(self, event_id: str) -> bool:
        """Return whether a final ruling was made, if only by a server killed in the act."""
        made = tomllib.loads(self.events.store.rulings_text(event_id)).get("ruling", [])
        return any(one.get("kind") == "final" for one in made)


def evening_service(request: Request) -> EveningService:
    """The evenings of this application."""
    service: EveningService = request.app.state.evenings
    return service


def check_codes(request: Request, evening: Evening) -> None:
    """Refuse the codes to who plays, once there are results: they open what others have played."""
    if not may_have_codes(evening, own_name(request)):
        raise InputError("you are playing: the codes would show you boards you have not played yet")


def as_seen(request: Request, evening: Evening) -> Evening:
    """The evening as whoever asks may see it: who plays sees nothing they have still to play."""
    return seen_by(evening, own_name(request))


# --- standings that become final by themselves, once they can no longer be corrected --------------

_LONGEST = 15.0
"""Seconds between two looks at most: another process of the server may have ended an evening."""
_log = logging.getLogger(__name__)


class Settling:
    """A thread that waits for the correction periods of all evenings; what ended while no server
    ran is seen to first."""

    def __init__(self, service: EveningService) -> None:
        self._service = service
        self._woken, self._closed = threading.Event(), False
        self._settled: set[str] = set()
        self._thread = threading.Thread(target=self._run, name="evenings", daemon=True)

    def start(self) -> None:
        if THREADS:
            self._thread.start()

    def wake(self) -> None:
        """Look again now: an evening has ended."""
        self._woken.set()

    def close(self) -> None:
        self._closed = True
        self._woken.set()
        if THREADS:
            self._thread.join(_LONGEST)

    def _run(self) -> None:
        while not self._closed:
            self._woken.clear()
            self._woken.wait(self.look())

    def look(self) -> float:
        """Make final what is due; in how many seconds to look again."""
        try:
            evenings = self._service.evenings.all()
        except OSError:
            _log.exception("evenings could not be looked through")
            evenings = []
        left = [self._left(kept) for kept in evenings if not self._closed]
        return max(0.05, min([_LONGEST, *left]))

    def _left(self, kept: KeptEvening) -> float:
        """The seconds until an evening is due; one that cannot be settled keeps no other back."""
        try:
            evening = kept.now()
            until = correctable_until(evening)
            if until is None or (kept.id in self._settled and evening.settled):
                return _LONGEST
            left = (until - clock.now()).total_seconds()
            if left > 0:
                return left
            if self._service.settle(kept):
                self._settled.add(kept.id)
        except Exception:  # whatever it is: the thread must go on for the others
            _log.exception("evening %s could not be settled", kept.id)
        return _LONGEST
