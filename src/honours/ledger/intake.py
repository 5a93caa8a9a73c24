"""Takes in events by the hundred: clubs' returns and files of results, each posted once, held or
refused separately, with a receipt.

The points in a return are compared with what the rulebook gives: if they differ, the event is held,
with the differences, for somebody to look at. What a club has reversed is reversed here too.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path

from sqlalchemy import Connection

from honours.engine.rulebook import Rulebook
from honours.errors import Asked, HonoursError, InputError
from honours.ledger import events, post, receipts, release
from honours.ledger.bulk import lots
from honours.ledger.events import EventToPost
from honours.ledger.post import PostingOutcome
from honours.ledger.receipts import ALREADY, ASKED, HELD, POSTED, REFUSED, TAKEN_BACK, Receipt
from honours.ledger.requests import within_transaction
from honours.ledger.sources import day_of, to_post
from honours.ledger.store import Ledger
from honours.model import Event, KnownFact, Origin
from honours.model.message import Message
from honours.pipeline import Account, Report, awarded, inquired, ranked
from honours.pipeline.checking.awards import check_awarded
from honours.pipeline.inquiry import as_settled
from honours.pipeline.published import is_reversal, taken_back
from honours.rulebooks import with_hash

_TOLD = 12
"""How many differences are listed one by one."""
_RETURNED = "the points in the return"
LOT = 50
"""How many events are written in one transaction."""


@dataclass(frozen=True, slots=True)
class IncomingFile:
    """A file that was sent in: what receipts call it, its content's digest, and its events, which
    are read only if it is not known what became of them."""

    source: str
    digest: str
    read: Callable[[], Sequence[Account]]


@dataclass(frozen=True, slots=True)
class _Incoming:
    """One event of a file, if it could be read."""

    source: str
    digest: str
    account: Account | None = None


@dataclass(frozen=True, slots=True)
class IntakeTerms:
    """The terms on which events are taken in: by which rulebook (the one a return names, unless
    given), which inputs apply to all of them, whose club's they are, and whether everything is
    held."""

    book: Rulebook | None = None
    given: Mapping[str, object] = field(default_factory=dict)
    points: str = ""
    club: str = ""
    day: str = ""
    hold: bool = False
    numbers_decide: bool = False
    overrule: str = ""
    as_usual: bool = False
    year_begins: str = ""
    folders: tuple[str | Path, ...] = ()
    report: Callable[[Account], Report] = ranked
    """Ranks an event."""
    scored_as: str = ""
    """What was said of how it ranks events."""
    usual_year: Callable[[str], str] = lambda _club: ""
    """When a club's year begins, if ``year_begins`` does not say so for all."""

    def digest(self, content: str) -> str:
        """The digest of a file's content and of everything said with it: the same file under other
        terms is looked at again."""
        said = (self.book.hash if self.book else "", sorted(self.given.items()), self.scored_as)
        more = (self.points, self.club, self.day, self.hold, self.numbers_decide, self.overrule)
        terms = (content, *said, *more, self.as_usual, self.year_begins)
        return hashlib.sha256(repr(terms).encode()).hexdigest()


def take_in(
    ledger: Ledger,
    incoming: Iterable[IncomingFile],
    terms: IntakeTerms,
    who: str,
    *,
    dry_run: bool = False,
    tell: Callable[[Receipt], None] = lambda _receipt: None,
) -> list[Receipt]:
    """Take events in, some dozens per transaction; ``tell`` is called as each is done. A faulty
    one is refused with its reason and does not affect the others. Of a file that was taken in
    before, under the same terms and to the end, it is only said what became of it."""
    done: list[Receipt] = []
    lot: list[_Received] = []

    def write() -> None:
        for receipt in _write(ledger, _foreseen(ledger, lot), terms, who, dry_run):
            done.append(receipt)
            tell(receipt)
        lot.clear()

    for files in lots(incoming, LOT):
        with ledger.reading() as connection:
            before = receipts.settled(connection, [terms.digest(file.digest) for file in files])
        for file in files:
            for received in _received(file, terms, before.get(terms.digest(file.digest), ())):
                lot.append(received)
                if len(lot) == LOT and not dry_run:
                    write()
    write()
    return done


def _received(
    file: IncomingFile, terms: IntakeTerms, before: Sequence[Receipt]
) -> Iterator[_Received]:
    digest = terms.digest(file.digest)
    for receipt in before:
        known = replace(receipt, source=file.source)
        yield _Incoming(file.source, digest), _Ready(known=known)
    if before:
        return
    try:
        for account in file.read():
            one = _Incoming(file.source, digest, account)
            yield one, _ready(one, terms)
    except HonoursError as error:
        yield _Incoming(file.source, digest), _Ready(problem=error.message)


@dataclass(frozen=True, slots=True)
class _Ready:
    """An event worked out before the ledger is locked for writing, or what it reverses, or what
    is wrong with it."""

    event: EventToPost | None = None
    foreseen: events.PreparedEvent | None = None
    differs: tuple[Message, ...] = ()
    takes_back: Event | None = None
    problem: str = ""
    asked: bool = False
    """Whether the problem is a question that somebody has to answer."""
    claimed: release.Claimed = field(default_factory=dict)
    """What the club awarded, where that differs."""
    known: Receipt | None = None
    """What became of it when it was sent before."""


_Received = tuple[_Incoming, _Ready]


def _foreseen(ledger: Ledger, lot: Sequence[_Received]) -> list[_Received]:
    """Work out the events of a lot while others may write."""
    wanted = [ready.event for _, ready in lot if ready.event is not None]
    worked_out = iter(post.foresee_all(ledger, wanted) if wanted else ())

    def foreseen(ready: _Ready) -> _Ready:
        if ready.event is None:
            return ready
        each = next(worked_out)
        if isinstance(each, HonoursError):
            return _Ready(problem=each.message)
        return replace(ready, foreseen=each)

    return [(one, foreseen(ready)) for one, ready in lot]


def _ready(one: _Incoming, terms: IntakeTerms) -> _Ready:
    try:
        assert one.account is not None
        played = one.account.played
        if played is not None and is_reversal(played):
            return _Ready(takes_back=played)
        report = _awarded(terms.report(one.account), _book(terms, played), terms)
        own = day_of(one.account)
        event = to_post(
            report,
            day=own or terms.day,
            club=terms.club,
            points=terms.points,
            numbers_decide=terms.numbers_decide,
            year_begins=terms.year_begins or terms.usual_year(terms.club or one.account.club),
        )
        events.check_dated(event)
        differs = _differences(report) if played else ()
        return _Ready(event, None, differs, claimed=_claimed(played) if differs else {})
    except Asked as asked:
        return _Ready(problem=asked.message, asked=True)
    except HonoursError as error:
        return _Ready(problem=error.message)


def _awarded(report: Report, book: Rulebook, terms: IntakeTerms) -> Report:
    """The event awarded. Whoever sends a return has confirmed that nothing was unusual; what else
    is not known of it is as its points show it, where they are what the rulebook gives."""
    played = report.account.played
    returned = played is not None and "awarded_under" in played.facts
    try:
        return inquired(report, book, terms.given, terms.as_usual or returned)
    except Asked as asked:
        if played is None:
            raise
        names = [name for question in asked.questions for name in question.facts]
        told = {name: KnownFact(name, "", Origin.TOLD, _RETURNED) for name in names}
        lists = tuple(as_settled(listed, told) for listed in report.lists)
        as_paid = awarded(replace(report, lists=lists), book, terms.given)
        checked = check_awarded(as_paid)
        if checked is None or checked.differences:
            raise
        return as_paid


def _book(terms: IntakeTerms, played: Event | None) -> Rulebook:
    """The rulebook given, or the one under which the return says it was awarded."""
    if terms.book is not None:
        return terms.book
    under = str(played.facts.get("awarded_under", "")) if played else ""
    book = with_hash(under.rpartition(" ")[2], {}, terms.folders) if under else None
    if book is not None:
        return book
    if under:
        raise InputError(
            "it was awarded under {under}, which is not installed: say which rulebook to use",
            under=under,
        )
    raise InputError("the return does not name its rulebook: say which")


def _claimed(played: Event | None) -> dict[tuple[str, str], Fraction]:
    """Return the awards that a return claims for its players."""
    if played is None:
        return {}
    claimed = {}
    for one in played.entrants:
        of_entrant = Fraction(one.published.get("masterpoints", 0))
        for player in one.entrant.players:
            own = Fraction(player.facts.get("own_masterpoints", of_entrant))
            claimed[player.number, player.name] = own
    return claimed


def _differences(report: Report) -> tuple[Message, ...]:
    """Return where the points in a return differ from what the rulebook gives, and why."""
    checked, played = check_awarded(report), report.account.played
    if checked is None:
        return ()
    titles = {one.entrant.id: one.entrant.title for one in played.entrants} if played else {}
    return tuple(
        Message(
            "{where}: {claimed} in the return, {ours} by {rulebook} ({why})",
            where=titles.get(difference.where.rpartition(", ")[0], difference.where),
            claimed=difference.published,
            ours=difference.ours,
            rulebook=checked.shown,
            why=difference.why,
        )
        for difference in checked.differences
    )


def _write(
    ledger: Ledger, lot: Sequence[_Received], terms: IntakeTerms, who: str, dry_run: bool
) -> list[Receipt]:
    if not lot:
        return []
    with ledger.writing(dry_run, who) as connection:
        done = _Writing(ledger, connection, terms, who).all_of(lot)
    return [replace(one, id=0, at="", who="") for one in done] if dry_run else done


class _Writing:
    """Writes a lot: plain events together, all others one by one."""

    def __init__(
        self, ledger: Ledger, connection: Connection, terms: IntakeTerms, who: str
    ) -> None:
        self._part, self._connection = within_transaction(ledger, connection), connection
        self._terms, self._who = terms, who
        self._waiting: list[tuple[_Incoming, Receipt, events.PreparedEvent]] = []
        self._done: list[Receipt] = []

    def all_of(self, lot: Sequence[_Received]) -> list[Receipt]:
        """The receipt of each event."""
        foreseen = [ready.foreseen for _, ready in lot if ready.foreseen is not None]
        plain = post.PostingLot(self._connection, foreseen)
        for one, ready in lot:
            if self._joins(plain, ready):
                assert ready.foreseen is not None
                self._waiting.append((one, _about(one, ready, self._terms), ready.foreseen))
                continue
            self._post()
            receipt = _settled(self._part, self._connection, one, ready, self._terms, self._who)
            self._keep([(receipt, one.digest)])
            plain.refresh()
        self._post()
        return self._done

    def _joins(self, plain: post.PostingLot, ready: _Ready) -> bool:
        if ready.foreseen is None:
            return False
        return plain.is_plain(ready.foreseen) and not (self._terms.hold or ready.differs)

    def _post(self) -> None:
        if self._waiting:
            prepared = [each for _, _, each in self._waiting]
            numbers = post.post_plain(self._connection, prepared, self._who)
            self._keep(
                [
                    (replace(receipt, status=POSTED, record=number), one.digest)
                    for (one, receipt, _), number in zip(self._waiting, numbers, strict=True)
                ]
            )
            self._waiting.clear()

    def _keep(self, received: Sequence[tuple[Receipt, str]]) -> None:
        self._done += receipts.keep(self._connection, received, self._who)


def _settled(
    part: Ledger,
    connection: Connection,
    one: _Incoming,
    ready: _Ready,
    terms: IntakeTerms,
    who: str,
) -> Receipt:
    """The receipt of one event, in a transaction shared with others."""
    if ready.known is not None:
        return ready.known
    receipt = _about(one, ready, terms)
    try:
        if ready.problem:
            status = ASKED if ready.asked else REFUSED
            return replace(receipt, status=status, said=(ready.problem,))
        if ready.takes_back is not None:
            return _taken_back(part, connection, receipt, ready.takes_back, who)
        assert ready.event is not None
        if terms.hold or ready.differs:
            outcome = release.draft(
                part, ready.event, who, foreseen=ready.foreseen, claimed=ready.claimed
            )
        else:
            outcome = post.post(
                part, ready.event, who, overrule=terms.overrule, foreseen=ready.foreseen
            )
        return _of_outcome(receipt, outcome, ready.differs)
    except HonoursError as error:
        return replace(receipt, status=REFUSED, said=(error.message,))


def _about(one: _Incoming, ready: _Ready, terms: IntakeTerms) -> Receipt:
    played = one.account.played if one.account else None
    receipt = Receipt(
        one.source,
        REFUSED,
        title=one.account.title if one.account else "",
        club=terms.club or (one.account.club if one.account else ""),
        identifier=str(played.facts.get("event_identifier", "")) if played else "",
    )
    if ready.event is not None:
        return replace(receipt, title=ready.event.title, day=ready.event.day, club=ready.event.club)
    day = one.account.day.isoformat() if one.account and one.account.day else ""
    return replace(receipt, day=day)


def _of_outcome(receipt: Receipt, outcome: PostingOutcome, differs: Sequence[Message]) -> Receipt:
    if outcome.status == release.HELD:
        return replace(receipt, status=HELD, draft=outcome.record, said=tuple(_some(differs)))
    if outcome.status == post.POSTED:
        return replace(receipt, status=POSTED, record=outcome.record)
    if outcome.status == post.ALREADY:
        return replace(
            receipt,
            status=ALREADY,
            record=outcome.record,
            said=(outcome.like,) if outcome.record is None else (),
        )
    why = outcome.difference or ((outcome.like,) if outcome.like else outcome.remarks)
    message = Message("{status}: {why}", status=Message(outcome.status), why=tuple(_some(why)))
    return replace(receipt, status=REFUSED, said=(message,))


def _some(reasons: Sequence[str]) -> list[str]:
    more = len(reasons) - _TOLD
    rest = [Message("and {count} more", count=more)] if more > 0 else []
    return [*reasons[:_TOLD], *rest]


def _taken_back(
    part: Ledger, connection: Connection, receipt: Receipt, event: Event, who: str
) -> Receipt:
    """Reverse what a club reversed, identified by the number the club gave the award."""
    wanted = taken_back(event)
    earlier = receipts.taken_in_as(connection, receipt.club, wanted)
    if earlier is None and receipts.took_back(connection, receipt.club, receipt.identifier):
        return replace(receipt, status=ALREADY, said=(receipts.TAKEN_BACK_ALREADY,))
    if earlier is None:
        raise InputError(
            "no event of {club} was taken in as {number}, or it was already reversed",
            club=receipt.club or Message("this club"),
            number=wanted,
        )
    why = Message("reversed by {club}: {title}", club=receipt.club, title=event.title)
    if earlier.record is None:
        assert earlier.draft is not None
        release.withdraw(part, earlier.draft, who, str(why))
        return replace(
            receipt,
            status=TAKEN_BACK,
            draft=None,
            said=(Message("draft {draft}", draft=earlier.draft),),
        )
    number = post.reverse(part, earlier.record, who, str(why))
    return replace(receipt, status=TAKEN_BACK, record=number)
