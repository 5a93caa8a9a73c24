"""Judgements of whether postings are what their facts give: derived again, here or by several
processes.

A posting is ``sound``; or ``altered``, if the rulebook that it was made with gives something else;
or ``unexplained``, if that rulebook is not at hand, is called something else than the ledger says,
or is not what was published under its name.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

from honours.engine.rulebook import Rulebook
from honours.errors import HonoursError, message_of
from honours.ledger import facts as stored
from honours.ledger.canonical import data_of
from honours.ledger.chain import NewPosting
from honours.ledger.derive import PointsKind, awards_of, lines_of, payment, unpublished
from honours.model.message import Message, joined
from honours.rulebooks import with_hash

SOUND, UNEXPLAINED, ALTERED = Message("sound"), Message("unexplained"), Message("altered")
UNREADABLE = (HonoursError, KeyError, TypeError, ValueError, OverflowError)
"""The errors that reading tampered facts may raise."""


@dataclass(frozen=True, slots=True)
class PostingVerdict:
    """The verdict on one posting; ``said`` is empty when it is sound."""

    posting: int
    record: int
    verdict: Message
    said: str = ""


class WrittenAward(NamedTuple):
    """An award as it was written, to be derived again elsewhere."""

    id: int
    rulebook: str
    facts: str
    first_posting: int
    lines: tuple[Any, ...]


class KnownRulebook(NamedTuple):
    """A rulebook with which awards were made, as the ledger names it."""

    rulebook: str
    edition: str
    revision: int
    body: str
    amended: str


class AwardVerdicts(NamedTuple):
    """The verdicts on an award's postings; ``unread`` says why its facts cannot be read."""

    record: int
    verdicts: tuple[PostingVerdict, ...]
    unread: str = ""


class Deriver:
    """Derives awards again from their facts, by the rules they were made with."""

    def __init__(
        self,
        folders: Iterable[str | Path],
        kinds: Sequence[PointsKind],
        rulebooks: Mapping[str, KnownRulebook],
    ) -> None:
        self._folders, self._kinds, self._rulebooks = tuple(folders), kinds, rulebooks
        self._found: dict[str, tuple[Rulebook | None, str]] = {}

    def judge(self, awards: Sequence[WrittenAward]) -> list[AwardVerdicts]:
        return [self._judge(award) for award in awards]

    def _judge(self, award: WrittenAward) -> AwardVerdicts:
        made: Sequence[NewPosting] | None = None
        try:
            facts = stored.from_text(award.facts)
            known = self._rulebooks[award.rulebook]
            paid = payment([kind for kind in self._kinds if kind.scheme == known.body], facts.kind)
            book, doubt = self._book(award.rulebook, known)
            if book is not None:
                made = lines_of(awards_of(book, facts, in_words=False), paid)
        except UNREADABLE as error:
            unread = Message("its facts cannot be read")
            verdicts = tuple(PostingVerdict(p.id, award.id, ALTERED, unread) for p in award.lines)
            return AwardVerdicts(award.id, verdicts, message_of(error) or type(error).__name__)
        return AwardVerdicts(award.id, tuple(judge(award, award.lines, made, doubt)))

    def _book(self, wanted: str, known: KnownRulebook) -> tuple[Rulebook | None, str]:
        """The rulebook of a hash, and what is to be doubted about it."""
        if wanted not in self._found:
            self._found[wanted] = found_rulebook(wanted, known, self._folders)
        return self._found[wanted]


def found_rulebook(
    wanted: str, known: KnownRulebook, folders: Iterable[str | Path]
) -> tuple[Rulebook | None, str]:
    """The rulebook with which an award was made, and why it explains nothing, if it does not."""
    amended = data_of(known.amended)
    doubt: str = unpublished(known.rulebook, wanted, amended) or ""
    said = {"rulebook": known.rulebook, "hash": wanted}
    try:
        book = with_hash(wanted, amended, folders)
    except HonoursError as error:
        lost = Message(
            "{rulebook} with the hash {hash} cannot be used: {error}", **said, error=error
        )
        return None, doubt or lost
    if book is None:
        return None, doubt or Message("{rulebook} with the hash {hash} is not installed", **said)
    if (book.id, book.edition, book.revision, book.body) != known[:4]:
        other = Message("the rulebook with the hash {hash} is not {rulebook} as named", **said)
        return book, doubt or other
    return book, doubt


# --- several at once --------------------------------------------------------------------------


class Judging:
    """Has awards judged, here or in a pool of processes with enough lots under way that none is
    idle, and returns the verdicts in their order, sooner or later."""

    def __init__(
        self, deriver: Deriver, pool: ProcessPoolExecutor | None = None, most: int = 0
    ) -> None:
        self._deriver, self._pool, self._most = deriver, pool, most
        self._sent: deque[Future[list[AwardVerdicts]]] = deque()

    def give(self, awards: Sequence[WrittenAward]) -> Iterator[AwardVerdicts]:
        if self._pool is None:
            yield from self._deriver.judge(awards)
            return
        self._sent.append(self._pool.submit(_judge_there, awards))
        yield from self.rest(self._most)

    def rest(self, most: int = 0) -> Iterator[AwardVerdicts]:
        """Wait until at most so many lots are under way."""
        while len(self._sent) > most:
            yield from self._sent.popleft().result()


_there: list[Deriver] = []
"""The deriver of a worker process."""


def _begin_there(*known: Any) -> None:
    _there[:] = [Deriver(*known)]


def _judge_there(awards: Sequence[WrittenAward]) -> list[AwardVerdicts]:
    return _there[0].judge(awards)


@contextmanager
def judging(
    folders: Iterable[str | Path],
    kinds: Sequence[PointsKind],
    rulebooks: Mapping[str, KnownRulebook],
    processes: int,
) -> Iterator[Judging]:
    """Judges awards in this process, or with the given number of processes."""
    known = (tuple(folders), tuple(kinds), dict(rulebooks))
    if processes < 2:
        yield Judging(Deriver(*known))
        return
    spawned = get_context("spawn")
    with ProcessPoolExecutor(processes, spawned, _begin_there, known) as pool:
        try:
            yield Judging(Deriver(*known), pool, 2 * processes)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


# --- one by one -------------------------------------------------------------------------------


def judge(
    row: Any, lines: Sequence[Any], made: Sequence[NewPosting] | None, doubt: str = ""
) -> list[PostingVerdict]:
    """A verdict on each posting of a record, and on each missing one; nothing was ``made`` if the
    rulebook is not at hand, and with a ``doubt`` about it none is sound."""
    verdicts = [_verdict(row, p, i, made, doubt) for i, p in enumerate(lines)]
    gone = range(len(lines), len(made or ()))
    missing = [
        PostingVerdict(row.first_posting + i, row.id, ALTERED, Message("is missing")) for i in gone
    ]
    return verdicts + missing


def _verdict(
    row: Any, p: Any, i: int, made: Sequence[NewPosting] | None, doubt: str
) -> PostingVerdict:
    actual = NewPosting(p.member, p.kind, p.amount, p.entrant, p.reverses)
    if p.id != row.first_posting + i:
        other = Message("should be posting {number}", number=row.first_posting + i)
        return PostingVerdict(p.id, row.id, ALTERED, other)
    if made is not None and (i >= len(made) or made[i] != actual):
        return PostingVerdict(p.id, row.id, ALTERED, _should(made, i, actual))
    return PostingVerdict(p.id, row.id, UNEXPLAINED if doubt else SOUND, doubt)


def _should(made: Sequence[NewPosting], i: int, actual: NewPosting) -> Message:
    if i >= len(made):
        return Message("was never awarded")
    wanted = zip(NewPosting._fields, made[i], actual, strict=True)
    different = [
        Message("{name} is {is_}, derived {was}", name=name, is_=is_, was=was)
        for name, was, is_ in wanted
        if was != is_
    ]
    return joined(", ", different)
