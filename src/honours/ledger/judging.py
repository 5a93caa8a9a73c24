"""Whether postings are what their facts give: derived again, here or by several processes."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from honours.errors import HonoursError, message_of
from honours.ledger import facts as stored
from honours.ledger.canonical import data_of
from honours.ledger.chain import NewPosting
from honours.ledger.derive import Payment, PointsKind, Rulebooks, awards_of, lines_of, payment
from honours.model.message import Message, joined

SAME, SAME_THEN, ALTERED, UNDERIVABLE = (
    Message("same"),
    Message("same under its revision"),
    Message("altered"),
    Message("not derivable"),
)
UNREADABLE = (HonoursError, KeyError, TypeError, ValueError, OverflowError)
"""The errors that reading tampered facts may raise."""


@dataclass(frozen=True, slots=True)
class PostingVerdict:
    """The verdict on one posting; ``said`` is empty when all is well."""

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
    """A rulebook with which awards were made."""

    rulebook: str
    body: str
    amended: str


class AwardVerdicts(NamedTuple):
    """The verdicts on an award's postings; ``unread`` says why its facts cannot be read."""

    record: int
    verdicts: tuple[PostingVerdict, ...]
    unread: str = ""


class Deriver:
    """Derives awards again from their facts, by the rules they were made with and by today's."""

    def __init__(
        self,
        folders: Iterable[str | Path],
        kinds: Sequence[PointsKind],
        rulebooks: Mapping[str, KnownRulebook],
    ) -> None:
        self.books, self._kinds, self._rulebooks = Rulebooks(folders), kinds, rulebooks

    def judge(self, awards: Sequence[WrittenAward]) -> list[AwardVerdicts]:
        return [self._judge(award) for award in awards]

    def _judge(self, award: WrittenAward) -> AwardVerdicts:
        try:
            made, now = self._awarded(award)
        except UNREADABLE as error:
            unread = Message("its facts cannot be read")
            verdicts = tuple(PostingVerdict(p.id, award.id, ALTERED, unread) for p in award.lines)
            return AwardVerdicts(award.id, verdicts, message_of(error) or type(error).__name__)
        return AwardVerdicts(award.id, tuple(judge(award, award.lines, made, now)))

    def _awarded(
        self, award: WrittenAward
    ) -> tuple[Sequence[NewPosting] | None, Sequence[NewPosting] | None]:
        """The lines it should have by the rules it was made with, and by today's."""
        facts = stored.from_text(award.facts)
        known = self._rulebooks[award.rulebook]
        paid = payment([kind for kind in self._kinds if kind.scheme == known.body], facts.kind)
        amended = data_of(known.amended)
        book = self.books.with_hash(award.rulebook, amended)
        made: Sequence[NewPosting] | None = None
        if book is not None:
            made = lines_of(awards_of(book, facts, in_words=False), paid)
        now = made
        current = self._current(known.rulebook, amended)
        if current is not None and current.hash != award.rulebook:
            now = _derived(current, facts, paid)
        return made, now

    def _current(self, rulebook: str, amended: Mapping[str, str]) -> Any:
        try:
            return self.books.current(rulebook, amended)
        except HonoursError:
            return None


# --- several at once --------------------------------------------------------------------------


class Judging(Protocol):
    """Has awards judged, and returns the verdicts in their order, sooner or later."""

    def give(self, awards: Sequence[WrittenAward]) -> Iterator[AwardVerdicts]: ...
    def rest(self) -> Iterator[AwardVerdicts]: ...


class _Here:
    def __init__(self, deriver: Deriver) -> None:
        self._deriver = deriver

    def give(self, awards: Sequence[WrittenAward]) -> Iterator[AwardVerdicts]:
        yield from self._deriver.judge(awards)

    def rest(self) -> Iterator[AwardVerdicts]:
        return iter(())


class _Elsewhere:
    """Judges in separate processes, with enough lots under way that none is idle."""

    def __init__(self, pool: ProcessPoolExecutor, most: int) -> None:
        self._pool, self._most = pool, most
        self._sent: deque[Future[list[AwardVerdicts]]] = deque()

    def give(self, awards: Sequence[WrittenAward]) -> Iterator[AwardVerdicts]:
        self._sent.append(self._pool.submit(_judge_there, awards))
        while len(self._sent) > self._most:
            yield from self._sent.popleft().result()

    def rest(self) -> Iterator[AwardVerdicts]:
        while self._sent:
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
        yield _Here(Deriver(*known))
        return
    spawned = get_context("spawn")
    with ProcessPoolExecutor(processes, spawned, _begin_there, known) as pool:
        try:
            yield _Elsewhere(pool, 2 * processes)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


# --- one by one -------------------------------------------------------------------------------


def _derived(book: Any, facts: stored.EventFacts, paid: Payment) -> Sequence[NewPosting] | None:
    """What another revision would award; nothing if it cannot read the facts."""
    try:
        return lines_of(awards_of(book, facts, in_words=False), paid)
    except HonoursError:
        return None


def judge(
    row: Any,
    lines: Sequence[Any],
    made: Sequence[NewPosting] | None,
    now: Sequence[NewPosting] | None,
) -> list[PostingVerdict]:
    """A verdict on each posting of a record, and on each missing one."""
    verdicts = [_verdict(row, p, i, made, now) for i, p in enumerate(lines)]
    wanted = made if made is not None else now
    gone = range(len(lines), len(wanted or ()))
    missing = [
        PostingVerdict(row.first_posting + i, row.id, ALTERED, Message("is missing")) for i in gone
    ]
    return verdicts + missing


def _verdict(row: Any, p: Any, i: int, made: Any, now: Any) -> PostingVerdict:
    actual = NewPosting(p.member, p.kind, p.amount, p.entrant, p.reverses)
    then = made is None or (i < len(made) and made[i] == actual)
    today = now is not None and i < len(now) and now[i] == actual
    if p.id != row.first_posting + i:
        other = Message("should be posting {number}", number=row.first_posting + i)
        return PostingVerdict(p.id, row.id, ALTERED, other)
    if today and then:
        return PostingVerdict(p.id, row.id, SAME)
    if made is not None and then:
        later = Message("a later revision of the rulebook differs")
        return PostingVerdict(p.id, row.id, SAME_THEN, later)
    if made is None:
        unknown = Message("the revision it was made with is not at hand")
        return PostingVerdict(p.id, row.id, UNDERIVABLE, unknown)
    return PostingVerdict(p.id, row.id, ALTERED, _should(made, i, actual))


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
