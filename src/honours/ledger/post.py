"""Posting of events, once each, and their reversal; who may release and overrule."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any

from sqlalchemy import Connection, or_, select

from honours.engine.rulebook import Rulebook
from honours.errors import HonoursError, InputError
from honours.formats.entrants import sought
from honours.ledger import comparing, events, posting_limits, sealing, stored_explanations
from honours.ledger import facts as stored
from honours.ledger.bulk import lots
from honours.ledger.canonical import text_of
from honours.ledger.chain import NewPosting, NewRecord, append, append_many
from honours.ledger.comparing import other_facts
from honours.ledger.derive import reversed_lines
from honours.ledger.events import EventToPost, PreparedEvent, live_events
from honours.ledger.facts import EventFacts
from honours.ledger.posting_limits import forbidden
from honours.ledger.ranks import Promotion, promotions_by
from honours.ledger.schema import NOT_REVERSED, end_of, records, releasers, rulebooks
from honours.ledger.store import Ledger
from honours.ledger.years import lateness
from honours.model.member import Member
from honours.model.message import Message, mark, plural


def allowed(connection: Connection) -> list[str]:
    return list(connection.scalars(select(releasers.c.name).order_by(releasers.c.name)))


def check_may_release(connection: Connection, who: str) -> None:
    names = allowed(connection)
    if names and who not in names:
        raise InputError("{who} may not release awards; {names} may", who=who, names=tuple(names))


ADJUSTMENT = "adjustment"
"""The record of what a club awarded beyond, or short of, what the rulebook gives."""
POSTED, ALREADY, DIFFERS, RECOGNISED, NOTHING, FORBIDDEN = (
    "posted",
    "already posted",
    "differs",
    "recognised",
    "no award",
    "not permitted",
)


@dataclass(frozen=True, slots=True)
class PostingOutcome:
    """The outcome of posting an event; ``record`` is the one it concerns."""

    status: str
    event: EventToPost
    record: int | None = None
    lines: tuple[NewPosting, ...] = ()
    difference: tuple[str, ...] = ()
    like: str = ""
    newcomers: tuple[Member, ...] = ()
    promotions: tuple[Promotion, ...] = ()
    remarks: tuple[str, ...] = ()
    prepared: PreparedEvent | None = None


class _NothingDone(Exception):
    """Ends a transaction that turned out to have nothing to write."""

    def __init__(self, outcome: PostingOutcome) -> None:
        self.outcome = outcome


@dataclass(frozen=True, slots=True)
class PostingTerms:
    """The terms on which an event is posted: ``correct`` replaces what was posted for it, under the
    key ``posted_as`` if it had another title, day or club then; ``another`` says that it is not the
    session it looks like, and ``overrule`` is the reason for posting what the rulebook's body
    forbids."""

    who: str
    why: str = ""
    correct: bool = False
    another: bool = False
    overrule: str = ""
    posted_as: str = ""


def post(
    ledger: Ledger,
    event: EventToPost,
    who: str,
    *,
    why: str = "",
    correct: bool = False,
    another: bool = False,
    overrule: str = "",
    posted_as: str = "",
    dry_run: bool = False,
    foreseen: PreparedEvent | None = None,
) -> PostingOutcome:
    """Post an event under :class:`PostingTerms`; its awards may have been worked out before."""
    asked = PostingTerms(who, why, correct, another, overrule, posted_as)
    events.check_dated(event)
    if correct and not why:
        raise InputError("a correction needs a reason: say why")
    foreseen = foreseen or events.foresee(ledger, event)

    def work(connection: Connection) -> PostingOutcome:
        prepared = events.prepare(connection, event, before=foreseen)
        return post_prepared(connection, prepared, asked)

    return attempt(ledger, work, POSTED, who, dry_run)


def attempt(
    ledger: Ledger,
    work: Callable[[Connection], PostingOutcome],
    done: str,
    who: str,
    dry_run: bool = False,
) -> PostingOutcome:
    """Do the work in a transaction that is committed only if its outcome is ``done``, so that an
    event that is not posted leaves no newcomers behind."""
    try:
        with ledger.writing(dry_run, who) as connection:
            outcome = work(connection)
            if outcome.status != done:
                raise _NothingDone(outcome)
            return outcome
    except _NothingDone as nothing:
        return nothing.outcome


def post_prepared(
    connection: Connection, prepared: PreparedEvent, asked: PostingTerms
) -> PostingOutcome:
    """Post a prepared event within an open transaction."""
    event = prepared.event
    posted = events.record_of(connection, asked.posted_as or event.key)
    if all(a.refusal for a in prepared.awards.lists):
        return _outcome(NOTHING, prepared)
    differences = differences_from(connection, posted, prepared) if posted else ()
    if posted and not differences:
        return _outcome(ALREADY, prepared, posted)
    if posted and not asked.correct:
        return _outcome(DIFFERS, prepared, posted, differences)
    if asked.correct and not posted:
        raise InputError(
            "there is nothing to correct: {title} was not posted; post it without a correction",
            title=event.title,
        )
    if not asked.another and not posted and (like := events.same_session(connection, prepared)):
        return _outcome(RECOGNISED, prepared, like, _of_entrants(connection, like, prepared))
    if reasons := forbidden(connection, prepared):
        if not asked.overrule:
            return _outcome(FORBIDDEN, prepared, None, reasons)
        check_may_release(connection, asked.who)
        overruled = f"{asked.overrule} ({', '.join(reasons)})"
        asked = replace(asked, why=_with_overruling(asked.why, overruled))
        prepared = replace(prepared, facts=replace(prepared.facts, overruled=overruled))
    if posted:
        return redo(connection, posted, prepared, asked)
    remember_rulebooks(connection, [event.rulebook])
    number = append(connection, new_record(prepared, asked.who, asked.why))
    earned = promotions_by(connection, event.rulebook, number)
    done = _outcome(POSTED, prepared, None, (), number, earned)
    late = lateness(connection, event.day)
    return replace(done, remarks=(*done.remarks, late)) if late else done


def _with_overruling(why: str, overruled: str) -> str:
    """A record's reason for people, including why it was posted although forbidden."""
    return "; ".join(part for part in (why, f"{stored.OVERRULED}: {overruled}") if part)


def redo(
    connection: Connection, posted: Any, prepared: PreparedEvent, asked: PostingTerms
) -> PostingOutcome:
    """Reverse a record and post its replacement: as releasing, it changes what members have."""
    check_may_release(connection, asked.who)
    remember_rulebooks(connection, [prepared.event.rulebook])
    new = new_record(prepared, asked.who, asked.why)
    undo = _reversals(connection, posted, asked.who, asked.why)
    rests = bonuses_on(connection, posted)
    *_, number = append_many(connection, [*undo, new])
    earned = promotions_by(connection, prepared.event.rulebook, number)
    done = _outcome(POSTED, prepared, None, (), number, earned)
    return replace(done, remarks=(*done.remarks, *rests))


def _outcome(
    status: str,
    prepared: PreparedEvent,
    posted: Any = None,
    difference: tuple[str, ...] = (),
    number: int | None = None,
    promotions: tuple[Promotion, ...] = (),
) -> PostingOutcome:
    remarks = stored_explanations.remarks_of(prepared.awards)
    return PostingOutcome(
        status=status,
        event=prepared.event,
        record=posted.id if posted else number,
        lines=prepared.lines,
        difference=difference,
        like=Message(
            "{title} of {day}",
            title=posted.title,
            day=posted.day,
        )
        if posted
        else "",
        newcomers=prepared.newcomers,
        promotions=promotions,
        remarks=(*remarks["refusals"], *remarks["notices"]),
        prepared=prepared,
    )


# --- what would be posted now, and what was ------------------------------------------------------


def compared(ledger: Ledger, event: EventToPost, key: str = "") -> tuple[str, ...] | None:
    """Everything in which an event differs from its record, that of ``key`` if it was posted under
    another; ``None`` if it has none. This decides whether an event that was posted still is what
    was posted, for pages, programs and commands."""
    foreseen = events.foresee(ledger, event)
    with ledger.reading() as connection:
        posted = events.record_of(connection, key or event.key)
        if posted is None or foreseen is None:
            return None
        return differences_from(connection, posted, foreseen)


def differences_from(
    connection: Connection, record: Any, prepared: PreparedEvent
) -> tuple[str, ...]:
    """Everything that differs from what was posted: places, points, scores, any fact, and what
    the event is called."""
    if comparing.explain(connection, record, prepared):
        return ()
    event = prepared.event
    called = [
        Message("{fact} {before} in the ledger, {now} now", fact=Message(fact), before=was, now=now)
        for fact, was, now in (
            (mark("title"), record.title, event.title),
            (mark("date"), record.day, event.day),
            (mark("club"), record.club, event.club),
        )
        if sought(was) != sought(now)
    ]
    was, lines = stored.from_text(record.facts), events.lines_posted(connection, record)
    return (*called, *differences(connection, was, lines, prepared))


def differences(
    connection: Connection, was: EventFacts, lines: Sequence[Any], prepared: PreparedEvent
) -> tuple[str, ...]:
    """Every place, point, score and fact that differs from those posted or held."""
    of_entrants = events.difference(connection, was, lines, prepared)
    names = events.titles_of(connection, prepared.facts.members, prepared)
    other = (*of_entrants, *other_facts(was, prepared.facts, names))
    before = sorted((p.member, p.kind, p.amount) for p in lines)
    if not other and before != sorted((p.member, p.kind, p.amount) for p in prepared.lines):
        return _other_rules(was)
    return other


def _of_entrants(connection: Connection, record: Any, prepared: PreparedEvent) -> tuple[str, ...]:
    was, lines = stored.from_text(record.facts), events.lines_posted(connection, record)
    return events.difference(connection, was, lines, prepared)


def _other_rules(was: EventFacts) -> tuple[str, ...]:
    """The difference if everybody has the same place but is awarded something else."""
    options = [f"{key}={value}" for key, value in was.given.items()]
    return (
        Message(
            "posted with {options}, now with another rule or kind",
            options=" ".join(options) or Message("nothing more said"),
        ),
    )


def new_record(prepared: PreparedEvent, who: str, why: str = "") -> NewRecord:
    """The record of an event to be posted."""
    event, facts = prepared.event, prepared.facts
    return NewRecord(
        "award",
        who,
        why,
        event.key,
        event.title,
        event.day,
        event.club,
        event.source,
        results=stored.results_fingerprint(facts.lists),
        entrants=stored.entrants_fingerprint(facts.lists),
        rulebook=event.rulebook.hash,
        facts=stored.to_text(facts),
        explanation=prepared.explanation,
        lines=prepared.lines,
    )


def remember_rulebooks(connection: Connection, books: Iterable[Rulebook]) -> None:
    """Store which rulebooks events were posted under."""
    used = {book.hash: book for book in books}
    known = connection.scalars(select(rulebooks.c.hash).where(rulebooks.c.hash.in_(used)))
    for digest in sorted(used.keys() - {*known}):
        book = used[digest]
        row = {
            "hash": book.hash,
            "rulebook": book.id,
            "edition": book.edition,
            "revision": book.revision,
            "body": book.body,
            "amended": text_of(dict(book.amended)),
        }
        sealing.put(connection, rulebooks, row)


# --- taking back ------------------------------------------------------------------------------


def reverse(ledger: Ledger, record: int, who: str, why: str, dry_run: bool = False) -> int:
    """Reverse a record's postings; returns the number of the reversing record."""
    if not why:
        raise InputError("a reversal needs a reason: say why")
    with ledger.writing(dry_run, who) as connection:
        original = connection.execute(select(records).where(records.c.id == record)).first()
        if original is None:
            last = end_of(connection).records
            raise InputError(
                plural(
                    "there is no record {record}: the ledger has {count} record",
                    "there is no record {record}: the ledger has {count} records",
                    count=last or 0,
                    record=record,
                )
            )
        if original.action not in ("award", "opening", ADJUSTMENT):
            raise InputError(
                "record {record} is of the kind {action!r}; only events and opening balances "
                "can be reversed",
                record=record,
                action=original.action,
            )
        later = connection.scalar(select(records.c.id).where(records.c.reverses == record))
        if later is not None:
            raise InputError(
                "record {record} was already reversed by record {later}",
                record=record,
                later=later,
            )
        undone = _reversals(connection, original, who, why)
        return append_many(connection, undone)[0]


def _reversals(connection: Connection, original: Any, who: str, why: str) -> list[NewRecord]:
    """The reversal of a record, and of an award those of what was added to it."""
    undone = [original]
    if original.action == "award":
        beside = (records.c.event == original.event, records.c.action == ADJUSTMENT, NOT_REVERSED)
        undone += connection.execute(select(records).where(*beside)).all()
    return [_reversal(connection, one, who, why) for one in undone]


def _reversal(connection: Connection, original: Any, who: str, why: str) -> NewRecord:
    return NewRecord(
        "reversal",
        who,
        why,
        original.event,
        original.title,
        original.day,
        original.club,
        facts=text_of({"reverses": original.id}),
        reverses=original.id,
        lines=reversed_lines(events.lines_posted(connection, original)),
    )


_OVER_EVENTS = {"aggregate", "final", "consolation-final"}
_YEAR = timedelta(days=366)


def bonuses_on(connection: Connection, record: Any) -> tuple[Message, ...]:
    """Bonuses that the club posted for the year after an event, to people who played in it. They
    may change if the event is corrected or reversed, but nothing changes them automatically."""
    if record.action != "award":
        return ()
    until = _year_after(record.day)
    later = live_events(connection, records.c.day.between(record.day, until))
    played = stored.from_text(record.facts).members
    return tuple(
        Message(
            "{title} of {day}, record {number}, is a season's award that may depend on this "
            "event: award the season again",
            title=row.title,
            day=row.day,
            number=row.id,
        )
        for row in later
        if row.id != record.id and sought(row.club) == sought(record.club)
        if _rests(stored.from_text(row.facts), played)
    )


def resting_on_record(connection: Connection, number: int) -> tuple[Message, ...]:
    """Everything that may depend on a record, given by its number."""
    row = connection.execute(select(records).where(records.c.id == number)).first()
    if row is None:
        return ()
    return bonuses_on(connection, row)


def _year_after(day: str) -> str:
    return (date.fromisoformat(day) + _YEAR).isoformat()


def _rests(facts: stored.EventFacts, played: set[int]) -> bool:
    return facts.given.get("competition") in _OVER_EVENTS and bool(facts.members & played)


Foreseen = PreparedEvent | HonoursError | None
"""An event worked out, or what is wrong with it, or None if nothing can be foreseen."""


def foresee_all(ledger: Ledger, wanted: Sequence[EventToPost]) -> list[Foreseen]:
    """Every event as it would be prepared, worked out while others may write."""
    with ledger.reading() as connection:
        try:
            around = events.look_around(connection, wanted)
        except HonoursError:  # one of them is faulty: try each separately
            return [_tried(events.foresee, ledger, event) for event in wanted]
        identified = [_tried(around.foresee, event) for event in wanted]
    return [
        one if one is None or isinstance(one, HonoursError) else _tried(one.worked_out)
        for one in identified
    ]


def _tried(work: Callable[..., Any], *given: Any) -> Any:
    """Return what came of some work, or what is wrong with it."""
    try:
        return work(*given)
    except HonoursError as error:
        return error


class PostingLot:
    """The plain events among some, in an open transaction."""

    def __init__(self, connection: Connection, foreseen: Sequence[PreparedEvent]) -> None:
        self._connection, self._foreseen = connection, foreseen
        self._around: events.LedgerContext | None = None
        self._there = set(_there(connection, foreseen))

    def refresh(self) -> None:
        """Look up the players again, because somebody new was added."""
        self._around = None

    def is_plain(self, prepared: PreparedEvent) -> bool:
        """Return whether an event can be posted with others; from now on it counts as present."""
        marks = set(_marks(prepared))
        new = not marks & self._there
        self._there |= marks
        return (
            new
            and not all(awards.refusal for awards in prepared.awards.lists)
            and not posting_limits.asks_for_others(prepared)
            and not posting_limits.forbidden(self._connection, prepared)
            and self._around_now().still_holds(prepared)
        )

    def _around_now(self) -> events.LedgerContext:
        if self._around is None:
            wanted = [prepared.event for prepared in self._foreseen]
            self._around = events.look_around(self._connection, wanted)
        return self._around


def post_plain(connection: Connection, plain: Sequence[PreparedEvent], who: str) -> list[int]:
    """Post plain events; returns the numbers of their records."""
    remember_rulebooks(connection, [prepared.event.rulebook for prepared in plain])
    return append_many(connection, [new_record(prepared, who) for prepared in plain])


def _marks(prepared: PreparedEvent) -> Iterator[tuple[str, ...]]:
    """Yield what an event is recognised by: its key, its results, its people on a day."""
    lists = prepared.facts.lists
    yield "event", prepared.event.key
    yield "results", stored.results_fingerprint(lists)
    yield "entrants", stored.entrants_fingerprint(lists), prepared.event.day


def _there(connection: Connection, foreseen: Sequence[PreparedEvent]) -> Iterator[tuple[str, ...]]:
    """Yield which of all these marks the ledger already has, reversed or not."""
    marks = [mark for prepared in foreseen for mark in _marks(prepared)]
    asked = (records.c.event, records.c.results, records.c.entrants)
    for some in lots(range(len(marks))):
        values = [marks[i][1] for i in some]
        chosen = select(*asked, records.c.day).where(
            records.c.action == "award", or_(*(column.in_(values) for column in asked))
        )
        for row in connection.execute(chosen):
            yield "event", row.event
            yield "results", row.results
            yield "entrants", row.entrants, row.day
