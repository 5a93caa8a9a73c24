"""Awards and explanations for one corpus and one rulebook, on which the other questions build."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pyarrow as pa

from honours.engine.award import award
from honours.engine.exact.explanation import render_text
from honours.engine.numbers import show
from honours.engine.rulebook import Rulebook
from honours.errors import InputError
from honours.lab.arrow import arrow_of
from honours.lab.compared_sides import AsPaid, Side, as_side
from honours.lab.corpus import Corpus
from honours.lab.fields import field_batches
from honours.lab.intervals import Interval
from honours.lab.shard_awards import NOT_KNOWN_PAID, SCALE, ShardAwards, award_shard
from honours.lab.shards import BadEvent, Shard
from honours.lab.tables import AWARDS
from honours.lab.whole_events import award_whole, whole_events
from honours.language import DEFAULT
from honours.model import Award, Awards, Entrant, Standing, Step
from honours.model.message import Message, mark

_MOST = 2**31 - 1
"""Ten-thousandths of a point in a table of awards."""


def as_rulebook(named: str | Rulebook) -> Rulebook:
    """The rulebook itself, or the bundled one of that name with the parameters named after it."""
    side = as_side(named)
    if isinstance(side, AsPaid):
        raise InputError("{name} is not a rulebook", name=side.id)
    return side


def more(percent: float, interval: Interval | None = None) -> Message:
    """``3.8% more (+3.5 to +4.1%)``, ``0.4% less`` or ``the same``."""
    if f"{abs(percent):.1f}" == "0.0":
        return Message("the same")
    template = mark("{percent:.1f}% more") if percent > 0 else mark("{percent:.1f}% less")
    change = Message(template, percent=abs(percent))
    if interval is None:
        return change
    return Message(
        "{change} ({low:+.1f} to {high:+.1f}%)", change=change, low=interval.low, high=interval.high
    )


def shard_table(shard: Shard, awards: ShardAwards) -> Any:
    """The awards of a shard as a table."""
    most = int(np.argmax(awards.amounts)) if len(awards.amounts) else 0
    if len(awards.amounts) and awards.amounts[most] > _MOST:
        event = int(shard.ids[shard.event_of(most)])
        given = int(awards.amounts[most]) // SCALE
        raise InputError(
            "event {event} awards {given:,}; a table holds up to {most:,}",
            event=event,
            given=given,
            most=_MOST // SCALE,
        )
    columns = [
        arrow_of(np.repeat(shard.ids, shard.sizes), pa.int32()),
        arrow_of(shard.entrant, pa.uint16()),
        arrow_of(awards.amounts, pa.int32()),
    ]
    return pa.Table.from_arrays(columns, schema=AWARDS)


def award_table(corpus: Corpus, named: str | Side) -> Any:
    """Every award of a corpus as one table."""
    book = as_side(named, corpus)
    parts = [shard_table(shard, award_shard(book, shard)) for shard in corpus]
    return pa.concat_tables(parts) if parts else AWARDS.empty_table()


def event_awards(
    corpus: Corpus, named: str | Side, event: int, only: Collection[int] | None = None
) -> dict[int, Award]:
    """The award of each entrant of an event, worked out exactly and explained. If ``only`` some
    entrants are asked for, the others may be missing."""
    book = as_side(named, corpus)
    shard, row = corpus.find(event)
    if isinstance(book, AsPaid):
        return _as_paid(shard.only([row]))
    lists = list(lists_awarded(book, shard.only([row]), event, only))
    awards: dict[int, Award] = {}
    for each in (one for given in lists for one in given.schedule):
        number = int(each.standing.entrant.id)
        before = awards.get(number)
        awards[number] = each if before is None else combined(book, before, each)
    if not awards:
        refusal = next((given.refusal.reason for given in lists if given.refusal), "")
        raise InputError(
            "event {event} is refused by {id}: {refusal}", event=event, id=book.id, refusal=refusal
        )
    return awards


def lists_awarded(
    book: Rulebook, shard: Shard, event: int, only: Collection[int] | None = None
) -> Iterator[Awards]:
    """Every ranking list of the shard's single event, awarded exactly. If ``only`` some entrants
    are asked for, just the lists they are in, unless the event is awarded as a whole."""
    if whole_events(book, shard)[0]:
        yield from award_whole(book, shard, 0).lists
        return
    ids = None if only is None else frozenset(map(str, only))
    for item in field_batches(book, shard):
        if isinstance(item, BadEvent):
            raise InputError("event {event}: {why}", event=event, why=item.why)
        for i in range(len(item.lists.events)):
            field = item.batch.exact(i)
            if ids is None or any(standing.entrant.id in ids for standing in field.standings):
                yield award(book, field, only=ids)


def combined(book: Rulebook, one: Award, other: Award) -> Award:
    """An entrant's awards from two lists of an event, combined as the rulebook says."""
    if book.lists.pays_best:
        return other if other.amount > one.amount else one
    amount = one.amount + other.amount
    shown = show(amount, book.decimals)
    uses = (*one.why.uses, other.why) if one.why.name == "sum" else (one.why, other.why)
    why = Step("sum", amount, shown, "aggregate", Message("sum"), uses=uses)
    return replace(one, amount=amount, shown=shown, why=why)


def amounts_of(corpus: Corpus, side: Side, event: int) -> dict[int, Fraction]:
    """The amount each entrant of an event is awarded. Raises the reason if the event is not
    awarded."""
    shard, row = corpus.find(event)
    shard = shard.only([row])
    awarded = award_shard(side, shard)
    if awarded.bad or awarded.refused[0]:
        return {number: one.amount for number, one in event_awards(corpus, side, event).items()}
    amounts = (Fraction(int(amount), SCALE) for amount in awarded.amounts)
    return dict(zip(map(int, shard.entrant), amounts, strict=True))


def _as_paid(shard: Shard) -> dict[int, Award]:
    """What each entrant of the one event was paid."""
    paid = award_shard(AsPaid(), shard)
    if paid.refused[0]:
        raise InputError(
            "event {ids}: {not_known_paid}", ids=int(shard.ids[0]), not_known_paid=NOT_KNOWN_PAID
        )
    awards = {}
    for k, number in enumerate(map(int, shard.entrant)):
        amount = Fraction(int(paid.amounts[k]), SCALE)
        step = Step("paid", amount, f"{float(amount):.2f}", "input", Message("what was paid"))
        standing = Standing(Entrant(str(number)), int(shard.place[k]), int(shard.tied[k]))
        awards[number] = Award(standing, amount, step.shown, step)
    return awards


def explain(
    corpus: Corpus, named: str | Rulebook, event: int, entrant: int, language: str = DEFAULT
) -> str:
    """Why an entrant of an event was awarded what it was, in words of a language."""
    awards = event_awards(corpus, named, event)
    if entrant not in awards:
        raise InputError(
            "event {event} has no entrant {entrant}; it has 0 to {count}",
            event=event,
            entrant=entrant,
            count=len(awards) - 1,
        )
    return render_text(awards[entrant].why, language)
