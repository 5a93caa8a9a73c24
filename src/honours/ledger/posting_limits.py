"""Limits on posting: what a body forbids is not posted, however an event arrives."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sqlalchemy import Connection

from honours.engine.ranks import year_around
from honours.engine.rulebook import PostingRule
from honours.formats.entrants import sought
from honours.ledger import events, stored_explanations
from honours.ledger.events import PreparedEvent
from honours.ledger.schema import records
from honours.model.message import Message


def forbidden(connection: Connection, prepared: PreparedEvent) -> tuple[Message, ...]:
    """Every reason why the event may not be posted as it is, each with its clause."""
    against = (
        message
        for rule in prepared.event.rulebook.posting
        if rule.counts(_inputs(prepared))
        for message in _against(connection, prepared, rule)
    )
    return (*_not_in_force(prepared), *_of_another_colour(prepared), *against)


def asks_for_others(prepared: PreparedEvent) -> bool:
    """Return whether a limit depends on other events of the club's year."""
    inputs = _inputs(prepared)
    limits = (rule for rule in prepared.event.rulebook.posting if rule.once_a_year)
    return any(inputs.get(rule.once_a_year) in rule.words for rule in limits)


def _not_in_force(prepared: PreparedEvent) -> Iterator[Message]:
    """Posting under a rule that was not in force that day has to be confirmed."""
    book, day = prepared.event.rulebook, prepared.event.day
    if not book.in_force_on(day):
        yield Message(
            "{rulebook} ({standing}) was not in force on {day} [{clause}]",
            rulebook=book.id,
            standing=Message(book.standing.status),
            day=day,
            clause=book.edition,
        )


def _of_another_colour(prepared: PreparedEvent) -> Iterator[Message]:
    """One kind of points was given for everything, although the rulebook says which colours they
    are."""
    book, kind = prepared.event.rulebook, prepared.payment.usual
    counted = (award for each in prepared.awards.combined.values() for award in each)
    colours = sorted({colour for award in counted for colour in award.colours})
    if prepared.payment.colours or set(colours) <= {kind.name, kind.colour}:
        return
    clauses = {rule.clause: "" for name in book.colours.values() for rule in book.rules_for(name)}
    yield Message(
        "{kind} points: an event of this class gives {colours} ones [{clause}]",
        kind=kind.name,
        colours=" and ".join(colours),
        clause="; ".join(clauses),
    )


def _inputs(prepared: PreparedEvent) -> dict[str, str]:
    """The known inputs of the event that the rulebook used, whoever supplied them."""
    known = (one for awards in prepared.awards.lists for one in awards.known)
    return {one.name: str(one.value) for one in known if one.used}


def _against(
    connection: Connection, prepared: PreparedEvent, rule: PostingRule
) -> Iterator[Message]:
    paid = {prepared.payment.kind(line.kind) for line in prepared.lines}
    for kind in sorted(paid, key=lambda kind: kind.id) if rule.points else ():
        if not {kind.name, kind.colour} & set(rule.points):
            yield Message(
                "{kind} points: {reason} [{clause}]",
                kind=kind.name,
                reason=Message(rule.reason),
                clause=rule.clause,
            )
    if rule.once_a_year and (other := _another(connection, prepared, rule)):
        yield Message(
            "{title} of {day} is record {record}: {reason} [{clause}]",
            title=other.title,
            day=other.day,
            record=other.id,
            reason=Message(rule.reason),
            clause=rule.clause,
        )


def _another(connection: Connection, prepared: PreparedEvent, rule: PostingRule) -> Any | None:
    """Another event of the same club and year to which the same limit applies."""
    inputs = _inputs(prepared)
    if inputs.get(rule.once_a_year) not in rule.words:
        return None
    stated = _same_year(connection, prepared)
    if not rule.resembles(inputs, stated.values()):
        return None
    names = (rule.once_a_year, *rule.alike)
    for record, before in stated.items():
        alike = all(before.get(name) == inputs.get(name) for name in names)
        if alike and rule.counts(before) and rule.resembles(before, stated.values()):
            return record
    return None


def _same_year(connection: Connection, prepared: PreparedEvent) -> dict[Any, dict[str, str]]:
    """The club's other events of its year, each with its inputs."""
    event = prepared.event
    same_year = records.c.day.between(*year_around(event.day, event.year_begins))
    return {
        record: _stated(record)
        for record in events.live_events(connection, same_year)
        if record.event != event.key and sought(record.club) == sought(event.club)
    }


def _stated(record: Any) -> dict[str, str]:
    """Everything that a record's awards were made from."""
    known = stored_explanations.made_from(record.explanation)
    return {one.name: str(one.value) for one in known if one.used}
