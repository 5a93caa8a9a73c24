"""The reasons why events are left out of an answer, with counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from honours.engine.columns import exact_only
from honours.engine.columns.award import why_refused
from honours.engine.exact.explanation import render_text
from honours.engine.exact.working import NOT_WORKED_OUT
from honours.engine.numbers import SCALE, show
from honours.engine.rulebook import Rulebook
from honours.errors import HonoursError, InputError
from honours.lab import store
from honours.lab.corpus import Corpus
from honours.lab.fields import award_whole, field_batches
from honours.lab.intervals import Interval
from honours.lab.shard_awards import NOT_KNOWN_PAID, ShardAwards, award_shard
from honours.lab.shards import BadEvent, Ints, Shard
from honours.lab.sides import AsPaid, Side, as_side, name_of
from honours.lab.tables import AWARDS, arrow_of
from honours.language import DEFAULT
from honours.model import Award, Entrant, Standing, Step
from honours.model.message import Message, joined, mark, plural

# --- awards and explanations for one corpus and one rulebook ------------------------------------

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
    single = shard.only([row])
    if isinstance(book, AsPaid):
        return _as_paid(single)
    if bad := award_shard(book, single).bad:
        raise InputError("event {event}: {why}", event=event, why=bad[0].why)
    ids = None if only is None else frozenset(map(str, only))
    awarded = award_whole(book, single, 0, only=ids)
    if not awarded.combined:
        refusal = next((given.refusal.reason for given in awarded.lists if given.refusal), "")
        raise InputError(
            "event {event} is refused by {id}: {refusal}", event=event, id=book.id, refusal=refusal
        )
    return {int(number): _together(book, own) for number, own in awarded.combined.items()}


def _together(book: Rulebook, counting: Sequence[Award]) -> Award:
    """The awards that count for an entrant as one."""
    first, *others = counting
    if not others:
        return first
    amount = sum((one.amount for one in counting), Fraction(0))
    shown = show(amount, book.decimals)
    uses = tuple(one.why for one in counting)
    why = Step("sum", amount, shown, "aggregate", Message("sum"), uses=uses)
    return replace(first, amount=amount, shown=shown, why=why)


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
    """Return the payment of each entrant of the shard's one event."""
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
    """Explain why an entrant of an event was awarded what it was, in words of a language."""
    awards = event_awards(corpus, named, event)
    if entrant not in awards:
        raise InputError(
            "event {event} has no entrant {entrant}; it has 0 to {count}",
            event=event,
            entrant=entrant,
            count=len(awards) - 1,
        )
    return render_text(awards[entrant].why, language)


# --- why events are left out of an answer, counted by reason ------------------------------------

_LOOKED_AT = 2
_AT_MOST = 60
_SHOWN = 4
_FEW_EVENTS = 30
FEW_TO_TELL = Message("few events: no more than an indication")
OTHERS = Message("refused by a limit of the rule")


def reasons(side: Side, shard: Shard, awards: ShardAwards) -> tuple[Ints, list[str]]:
    """The number of the reason for leaving out each event, or -1, and the list of reasons."""
    names: dict[str, int] = {}
    named = name_of(side)
    codes = np.full(len(shard.ids), -1, np.int64)
    rows = {int(event): row for row, event in enumerate(shard.ids)} if awards.bad else {}
    for bad in awards.bad:
        row = rows.get(bad.event)
        if row is not None:
            codes[row] = names.setdefault(_without_figures(bad.why), len(names))
    refused = np.flatnonzero(awards.refused & (codes < 0))
    if len(refused) and isinstance(side, Rulebook):
        for row, reason in _refusals(side, shard, refused).items():
            codes[row] = names.setdefault(reason, len(names))
    return codes, [_of_side(named, side.id, reason) for reason in names]


def _of_side(named: str, rulebook: str, reason: str) -> str:
    """A reason prefixed with the side it comes from, unless it already starts with that."""
    if named == rulebook and reason.startswith(f"{rulebook} "):
        return reason
    return Message("{side}: {reason}", side=named, reason=reason)


def _without_figures(why: str) -> str:
    """A reason without the figures of a single event, so that equal reasons are counted
    together."""
    if isinstance(why, Message) and why.template == NOT_WORKED_OUT:
        named = {name: why.values[name] for name in ("what", "why")}
        return Message("{what} cannot be worked out ({why})", **named)
    return why


def _refusals(book: Rulebook, shard: Shard, rows: Ints) -> dict[int, str]:
    """Return why each event is refused, by columns or, if these cannot tell, the exact engine."""
    codes, names = _by_columns(book, shard.only(rows))
    refusals = {
        row: names[code]
        for row, code in zip(rows.tolist(), codes.tolist(), strict=True)
        if code >= 0
    }
    for group in _alike(shard, rows[codes < 0]):
        some = {row: _refusal(book, shard, row) for row in group[:_LOOKED_AT]}
        if len(group) > _LOOKED_AT and len(set(some.values())) > 1:
            some = {row: _refusal(book, shard, row) for row in group[:_AT_MOST]}
            rest: str = OTHERS
        else:
            rest = next(iter(some.values()))
        refusals |= {row: some.get(row, rest) for row in group}
    return refusals


def _by_columns(book: Rulebook, shard: Shard) -> tuple[Ints, list[str]]:
    """The number of the reason why each event of a shard is refused, taken from the first of its
    lists, and the reasons; -1 if columns cannot tell."""
    codes, reasons = np.full(len(shard.ids), -1, np.int64), list[str]()
    if exact_only(book):
        return codes, reasons
    for item in field_batches(book, shard):
        if isinstance(item, BadEvent):
            continue
        own, messages = why_refused(book, item.batch)
        first = (own >= 0) & (codes[item.lists.events] < 0)
        codes[item.lists.events[first]] = own[first] + len(reasons)
        reasons += messages
    return codes, reasons


def _alike(shard: Shard, rows: Ints) -> list[list[int]]:
    groups: dict[tuple[str, ...], list[int]] = {}
    words = [c for n, c in shard.events.items() if c.dtype == object and n not in ("id", "title")]
    for row in map(int, rows):
        groups.setdefault(tuple(str(c[row]) for c in words), []).append(row)
    return list(groups.values())


def _refusal(book: Rulebook, shard: Shard, row: int) -> str:
    try:
        for awards in award_whole(book, shard, row, in_words=False).lists:
            if awards.refusal:
                return awards.refusal.reason
    except HonoursError as error:
        return error.brief
    return OTHERS


def left_out(counted: Mapping[str, int]) -> Message | str:
    """Say how many events are left out and why, as a clause."""
    if not counted:
        return ""
    ordered = sorted(counted.items(), key=lambda one: (-one[1], one[0]))
    reasons = [Message("{count:,}: {why}", count=count, why=why) for why, count in ordered[:_SHOWN]]
    if len(ordered) > _SHOWN:
        rest = sum(count for _, count in ordered[_SHOWN:])
        reasons.append(Message("{count:,} for other reasons", count=rest))
    return Message(
        "{events} left out ({reasons})",
        events=plural("{count:,} event is", "{count:,} events are", count=sum(counted.values())),
        reasons=joined("; ", reasons),
    )


def counts_by_reason(codes: Ints, names: list[str], keep: NDArray[np.bool_]) -> Counter[str]:
    """Return how many of the given events each reason leaves out."""
    numbers, counts = np.unique(codes[keep & (codes >= 0)], return_counts=True)
    return Counter({names[n]: int(c) for n, c in zip(numbers.tolist(), counts, strict=True)})


def awarded_by_both(events: int) -> Message:
    """Say how many events a comparison covers, with a warning if they are few."""
    many = plural(
        "{count:,} event that both award", "{count:,} events that both award", count=events
    )
    if events >= _FEW_EVENTS:
        return many
    return Message("{events} ({remark})", events=many, remark=FEW_TO_TELL)


def awarded_by_all(events: int) -> Message:
    """Say how many events an answer about several rulebooks covers."""
    return plural(
        "{count:,} event that all of them award",
        "{count:,} events that all of them award",
        count=events,
    )


def sentence(text: str, counted: Mapping[str, int]) -> Message:
    """An answer as a sentence that ends with what was left out."""
    if not counted:
        return Message("{text}.", text=text)
    return Message("{text}; {left}.", text=text, left=left_out(counted))


# --- holds back figures about so few members that they could identify somebody ------------------

Bools = NDArray[np.bool_]
FEW_MEMBERS = 10
"""A smaller group is never shown by itself."""


def some_members(shard: Shard, events: Ints) -> frozenset[int]:
    """Members who played in the given events (rows of a shard), stopping once there are enough
    of them to show figures."""
    members: set[int] = set()
    for row in events.tolist():
        first, last = shard.player_offsets[shard.entrant_offsets[row : row + 2]]
        members.update(shard.player[first:last].tolist())
        if len(members) >= FEW_MEMBERS:
            break
    return frozenset(members)


def are_few(members: Collection[int]) -> bool:
    """Return whether figures about these members could identify somebody."""
    return 0 < len(members) < FEW_MEMBERS


def hold_back_few(members: Collection[int]) -> None:
    """Refuse to answer about so few members."""
    if are_few(members):
        raise InputError(
            "held back: this would be about {members}, and figures of fewer than {least} could "
            "single somebody out",
            members=plural("{count} member", "{count} members", count=len(members)),
            least=FEW_MEMBERS,
        )


def to_merge(
    many: Ints, together: Callable[[Bools], int] | None = None, least: int = FEW_MEMBERS
) -> Bools:
    """Return which groups must be shown as one: those with few members. If these have few members
    even ``together``, the smallest other group joins them, because they could otherwise be found by
    subtracting from the total."""
    small: Bools = (many > 0) & (many < least)
    others = many >= least
    if small.any() and others.any():
        all_small = int(many[small].sum()) if together is None else together(small)
        if all_small < least:
            small[np.argmin(np.where(others, many, np.inf))] = True
    return small


def hold_back_small(corpus: Corpus) -> None:
    """Refuse to describe a whole corpus that has few members."""
    members: set[int] = set()
    for number in corpus.shards:
        players = store.read_table(store.shard_file(corpus.folder, "players", number), ["player"])
        members.update(np.unique(players["player"].to_numpy())[:FEW_MEMBERS].tolist())
        if len(members) >= FEW_MEMBERS:
            return
    hold_back_few(members)
