"""The lab as the pages use it: corpora in the data folder, and questions asked as jobs."""

from __future__ import annotations

import re
import secrets
import shutil
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from fastapi import UploadFile
from starlette.requests import Request

from honours import __version__
from honours.engine.rulebook import Rulebook
from honours.errors import HonoursError, InputError, UnknownName, WrongValue
from honours.lab.corpus import Corpus
from honours.lab.questions import Question
from honours.lab.result import Answer
from honours.lab.sides import Side
from honours.model import Award
from honours.model.message import Message, mark
from honours.model.rights import READ, SCORE
from honours.web.events.service import EventService
from honours.web.events.store import Upload
from honours.web.http.access import Requester, requester_of
from honours.web.http.problems import NotThere
from honours.web.jobs.kept_answers import KeptAnswers
from honours.web.jobs.service import Job, Jobs, Progress
from honours.web.settings import Settings

_LONGEST_SEED = 18
_OF_A_CORPUS = ("name", "scale", "seed")
"""The words by which a synthetic corpus is asked for."""
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,40}")
LARGEST = 1
"""A generated year is at most the real thing's size; the command line makes larger ones."""
_REMEMBERED = 20
_PLAN = ".toml"
_EVENTS_KEPT = 4
_CLUB = "club"
"""The file of a corpus that says whose it is."""
_LONGEST = 2000
"""Characters of one amendment."""


@dataclass(frozen=True, slots=True)
class CorpusRequest:
    """A corpus somebody wants: what it is called, how large, from which seed."""

    name: str
    scale: float
    seed: int


@dataclass(frozen=True, slots=True)
class HistoryRequest:
    """A corpus somebody brings: what it is called, and what its tables do not say."""

    name: str
    given: tuple[tuple[str, str], ...] = ()


def sent_to_import(files: Sequence[UploadFile]) -> list[Upload]:
    """The files of a form."""
    from honours.web.events.store import Upload

    return [Upload.sent(one, "table.csv") for one in files]


def read_history_request(
    name: str, given: str, given_fields: Sequence[tuple[str, str]] = ()
) -> HistoryRequest:
    """The corpus that a form or a program brings; ``given`` is ``key=value …``, and a form has
    ``said`` the same field by field."""
    pairs = tuple(tuple(part.partition("=")[::2]) for part in given.split())
    if not all(value for _, value in pairs):
        wrong = Message("{text}: expected key=value, e.g. class=regional", text=given[:80])
        raise InputError(wrong)
    for key, value in given_fields:
        if not value:
            raise InputError("say what {fact} is, or leave it out", fact=key[:60])
    pairs = (*pairs, *given_fields)
    return HistoryRequest(name, tuple((str(k), str(v)) for k, v in pairs))


def read_program_corpus_request(words: Mapping[str, str]) -> CorpusRequest:
    """The corpus that a program asks for; a word that nothing is known by is refused."""
    for word in words:
        if word not in _OF_A_CORPUS:
            raise UnknownName("word of a corpus to make", word, _OF_A_CORPUS)
    return read_corpus_request(words)


def read_corpus_request(form: Mapping[str, str]) -> CorpusRequest:
    """The corpus that a form asks for."""
    name, scale, seed = (form.get(key, "") for key in _OF_A_CORPUS)
    try:
        part = float(scale or "0.02")
    except ValueError as error:
        raise WrongValue("scale", scale[:20], "expected a number, e.g. 0.02") from error
    seed = seed or "7"
    if not seed.isdecimal() or len(seed) > _LONGEST_SEED:
        text = mark("expected a whole number from 0, of at most {most} digits")
        raise WrongValue("seed", seed[:20], text, most=_LONGEST_SEED)
    return CorpusRequest(name, part, int(seed))


def no_corpus(name: str) -> NotThere:
    """Return the answer that there is no such corpus, given as well to whoever may not see it."""
    return NotThere(mark("there is no corpus {name}"), name=name[:60])


def _club_of(corpus: Path) -> str:
    file = corpus / _CLUB
    return file.read_text(encoding="utf-8") if file.is_file() else ""


class LabService:
    """Corpora by name, and what was asked of them."""

    on = ""
    """A server has no cluster do its work."""

    def __init__(self, settings: Settings, service: EventService, jobs: Jobs) -> None:
        self.settings, self.service, self._jobs = settings, service, jobs
        self.folder = settings.data / "corpora"
        self._account: Requester | None = None
        self._lock = threading.Lock()
        self._asked: OrderedDict[Question, Job] = OrderedDict()
        self._kept = KeptAnswers(settings.data)
        self._making: dict[str, tuple[str, Job]] = {}
        self._awarded: OrderedDict[tuple[str, str, int], dict[int, Award]] = OrderedDict()

    def seen_by(self, account: Requester | None) -> LabService:
        """The same lab, with the eyes of somebody else; without accounts everything is seen."""
        other = copy(self)
        other.service, other._account = self.service.seen_by(account), account
        return other

    # --- corpora --------------------------------------------------------------------------------

    def names(self) -> list[str]:
        """The corpora there are for whoever asks."""
        return [name for name in self._every_name() if self._sees(name)]

    def _every_name(self) -> list[str]:
        folders = (path.parent.name for path in self.folder.glob("*/corpus.json"))
        return sorted(name for name in folders if _NAME.fullmatch(name))

    def club_of(self, name: str) -> str:
        """Return the club of a corpus that is there or being made; one that was put into the folder
        by other means is no club's."""
        if name in self._every_name():
            return _club_of(self.folder / name)
        if name in self._making:
            return self._making[name][0]
        raise no_corpus(name)

    def _sees(self, name: str) -> bool:
        """Return whether whoever asks may see a corpus; one of no club is open to everybody."""
        club = self.club_of(name)
        return self._account is None or not club or self._account.may(READ, club)

    def corpus(self, name: str) -> Corpus:
        """A corpus; only a name that is there leads anywhere."""
        from honours.lab.corpus import Corpus

        if name not in self.names():
            raise no_corpus(name)
        return Corpus.open(self.folder / name)

    def check_new(self, wanted: CorpusRequest) -> None:
        """Refuse a corpus whose name is taken or unfit, or whose size is out of bounds."""
        if not _NAME.fullmatch(wanted.name):
            raise WrongValue("name", wanted.name[:60], "letters, digits and hyphens")
        if wanted.name in self._every_name():
            raise WrongValue("name", wanted.name, "there is one of that name")
        if not 0 < wanted.scale <= LARGEST:
            raise WrongValue(
                "scale", wanted.scale, "above 0 and at most {largest}", largest=LARGEST
            )

    def make(self, wanted: CorpusRequest, club: str = "") -> Job:
        """Start making a synthetic federation-year for a club."""
        self.check_new(wanted)
        whose = self._club(club)
        return self._begin("generate", wanted.name, whose, partial(generate, wanted=wanted))

    def bring(self, wanted: HistoryRequest, files: Sequence[Upload], club: str = "") -> Job:
        """Start making a corpus of a club's or a federation's own tables."""
        self.check_new(CorpusRequest(wanted.name, LARGEST, 0))
        whose = self._club(club)
        work = partial(bring_in, wanted=wanted, sent=self._put(files))
        return self._begin("import", wanted.name, whose, work)

    def _club(self, club: str) -> str:
        return self._account.club_for(SCORE, club) if self._account else club

    def _begin(self, what: str, name: str, club: str, work: Callable[..., Any]) -> Job:
        """Have a corpus made under a name, unless one is being made under it."""
        with self._lock:
            _, running = self._making.get(name, ("", None))
            if running is not None and running.state == "running":
                raise WrongValue("name", name, "there is one of that name")
            job = self._jobs.start(what, partial(work, folder=self.folder, club=club), self._asker)
            self._making[name] = club, job
        return job

    @property
    def _asker(self) -> str:
        return self._account.name if self._account else ""

    def draft(self, files: Sequence[Upload]) -> str:
        """The first draft of a plan for tables that were sent."""
        work = partial(draft_plan, self._put(files))
        answer = self.service.processes.answer("plan", work, self.settings.reading, "")
        return str(answer.value)

    def _put(self, files: Sequence[Upload]) -> Path:
        """A folder with what was sent."""
        if not files or not any(one.content for one in files):
            raise InputError("there is no file: choose a table of events to import")
        place = self.folder / f".sent-{secrets.token_hex(6)}"
        place.mkdir(parents=True)
        for one in files:
            (place / Path(one.name).name).write_bytes(one.content)
        return place

    def making(self, name: str) -> Job | None:
        """The work on a corpus that is being made, or was not finished, as it is now."""
        _, job = self._making.get(name, ("", None))
        return job and job.now()

    def remove(self, name: str) -> None:
        """Take a corpus away, and what was answered about it: another may get its name."""
        gone = self.folder / f".gone-{secrets.token_hex(6)}"
        with self._lock:
            Path(self.corpus(name).folder).rename(gone)
            self._making.pop(name, None)
            for question in [one for one in self._asked if one.get("corpus") == name]:
                self._asked.pop(question).cancel()
            for one in self._kept.latest():
                if isinstance(one, LabAnswer) and one.question.get("corpus") == name:
                    self._kept.remove(one.question.path)
        shutil.rmtree(gone, ignore_errors=True)

    def event_awards(self, corpus: Corpus, rulebook: Side, event: int) -> dict[int, Award]:
        """Return what each entrant of an event is awarded, and why; whoever reads one reason will
        read another, so the last few events are kept."""
        from honours.lab.left_out import event_awards

        key = (corpus.hash, rulebook.hash, event)
        awards = self._awarded.get(key) or event_awards(corpus, rulebook, event)
        with self._lock:
            self._awarded[key] = awards
            while len(self._awarded) > _EVENTS_KEPT:
                self._awarded.popitem(last=False)
        return awards

    # --- questions ------------------------------------------------------------------------------

    def books(self) -> dict[str, Rulebook]:
        """The rulebooks there are, by their ids."""
        return {book.id: book for book in self.service.rulebooks()}

    def rulebook(self, text: str) -> Rulebook:
        """``ID``, or ``ID key=value …``: other parameters, and inputs given for all events."""
        from honours.lab.sides import specified

        rulebook_id, *changes = text.split() or [""]
        pairs = dict(change[:_LONGEST].partition("=")[::2] for change in changes)
        if not all(pairs.values()):
            raise InputError("{text!r}: expected an id, then key=value", text=text)
        return specified(self.service.rulebook(rulebook_id), pairs)

    def event(self, corpus: Corpus, text: str) -> int:
        """The number of an event of a corpus that may be shown."""
        number = corpus.number_of(text)
        self.hold_back_few(corpus, number)
        return number

    def hold_back_few(self, corpus: Corpus, event: int) -> None:
        """An event of so few that it would be about somebody is not shown, as in reports."""
        from honours.lab.left_out import FEW_MEMBERS

        shard, row = corpus.find(event)
        first, last = (int(shard.entrant_offsets[row + k]) for k in (0, 1))
        if shard.player_offsets[last] - shard.player_offsets[first] < FEW_MEMBERS:
            raise NotThere(
                mark("an event of fewer than {members} members is held back"), members=FEW_MEMBERS
            )

    def ask(self, question: Question) -> Job:
        """Start the work on a question; one that is being answered is not asked twice."""
        question.arguments(self)  # says what is wrong with it, before it starts
        stands_on = self._stands_on(question)
        work = partial(answer, settings=self.settings, question=question, stands_on=stands_on)
        with self._lock:
            known = self._known(question)
            if known is not None and known.state in ("running", "done"):
                known.owners.update({self._asker} - {""})
                return known
            job = self._jobs.start(question.kind, work, self._asker)
            self._asked[question] = job
            while len(self._asked) > _REMEMBERED:
                self._asked.popitem(last=False)
        return job

    def asked(self, question: Question) -> Job | None:
        """The work on a question, if it was asked, as it is now; not if it is about a corpus that
        whoever asks may not see."""
        if not self._may_know(question):
            return None
        with self._lock:
            job = self._known(question)
        return job.now() if job else None

    def _known(self, question: Question) -> Job | None:
        """The work on a question of this server, or the answer that one before it found."""
        if question not in self._asked:
            kept = self._kept.get(question.path)
            if not isinstance(kept, LabAnswer) or kept.stands_on != self._stands_on(question):
                return None
            self._asked[question] = self._jobs.ended(question.kind, kept.answer)
        return self._asked[question]

    def _stands_on(self, question: Question) -> str:
        """Changes with the corpus, the rulebooks and the Honours that an answer is made from; empty
        of a question that cannot be asked."""
        try:
            arguments = question.arguments(self)
        except HonoursError:
            return ""
        hashes = (str(getattr(one, "hash", "")) for one in arguments.values())
        return " ".join((__version__, *hashes))

    def restore(self) -> None:
        """Have at hand what was answered last by a server before."""
        kept = list(islice(self._kept.latest(), _REMEMBERED))
        for one in reversed(kept):
            if isinstance(one, LabAnswer):
                self.asked(one.question)

    def _may_know(self, question: Question) -> bool:
        corpus = question.get("corpus")
        return not corpus or corpus in self.names()

    def answers(self) -> list[tuple[Question, Job]]:
        """Return what was asked about corpora that whoever asks may see, the latest first."""
        return [(q, job) for q, job in reversed(self._asked.items()) if self._may_know(q)]

    def question_of(self, job: Job) -> Any:
        """The question that a job works on, if any."""
        return next((question for question, own in self._asked.items() if own is job), None)


def lab_service(request: Request) -> LabService:
    """The lab of this application, with the corpora whoever asks may see."""
    lab: LabService = request.app.state.lab
    return lab.seen_by(requester_of(request))


# --- the work, done by processes of its own -------------------------------------------------------


def generate(progress: Progress, folder: Path, club: str, wanted: CorpusRequest) -> str:
    """Make a corpus, which appears whole or not at all."""
    from honours.lab.generate.year import Recipe
    from honours.lab.generate.year import generate as make

    recipe = Recipe(seed=wanted.seed, scale=wanted.scale, boards=False)
    beside = folder / f".new-{secrets.token_hex(6)}"
    try:
        make(beside, recipe, progress.step)
        (beside / _CLUB).write_text(club, encoding="utf-8")
        beside.rename(folder / wanted.name)
    finally:
        shutil.rmtree(beside, ignore_errors=True)
    return wanted.name


def bring_in(
    progress: Progress, folder: Path, club: str, wanted: HistoryRequest, sent: Path
) -> ImportAnswer:
    """Import tables and files that were sent; the corpus appears whole or not at all."""
    from honours.lab.history.importing import ImportRequest, bring

    beside = folder / f".new-{secrets.token_hex(6)}"
    try:
        files, plan = sent_files(sent)
        brought = bring(ImportRequest(files, dict(wanted.given), {}, plan), beside, progress.step)
        (beside / _CLUB).write_text(club, encoding="utf-8")
        beside.rename(folder / wanted.name)
        return ImportAnswer(wanted.name, brought.events, tuple(brought.notes()))
    finally:
        shutil.rmtree(beside, ignore_errors=True)
        shutil.rmtree(sent, ignore_errors=True)


def sent_files(sent: Path) -> tuple[list[str], Path | None]:
    """Return what was sent to be imported, and the plan that says what columns mean, if one was."""
    files = sorted(sent.iterdir())
    plans = [path for path in files if path.suffix.lower() == _PLAN]
    if len(plans) > 1:
        raise InputError("two plans were sent: {names}", names=[p.name for p in plans])
    return [str(path) for path in files if path not in plans], plans[0] if plans else None


def draft_plan(sent: Path) -> str:
    """Draft a plan of what the columns of tables that were sent are taken for, to be corrected."""
    from honours.lab.history.importing import drafted_plan

    try:
        return drafted_plan(sent_files(sent)[0])
    finally:
        shutil.rmtree(sent, ignore_errors=True)


@dataclass(frozen=True, slots=True)
class ImportAnswer:
    """A corpus that was brought, and what was found on the way."""

    name: str
    events: int
    notes: tuple[Message | str, ...]

    def data(self) -> dict[str, Any]:
        return {"corpus": self.name, "events": self.events, "notes": [str(n) for n in self.notes]}


@dataclass(frozen=True, slots=True)
class LabAnswer:
    """A question's answer as it is kept, with what it ``stands_on``."""

    question: Question
    stands_on: str
    answer: Answer


def answer(progress: Progress, settings: Settings, question: Question, stands_on: str) -> Answer:
    """Work on a question with services of this process's own, and keep the answer."""
    from honours.processes import Processes
    from honours.web.events.service import EventService
    from honours.web.events.store import EventStore
    from honours.web.jobs.service import Jobs

    none = Processes()  # this is the process that does the work
    events = EventService(EventStore(settings.data), settings, none)
    lab = LabService(settings, events, Jobs(none))
    found = question.work(lab)(progress.step)
    lab._kept.put(question.path, LabAnswer(question, stands_on, found))
    return found
