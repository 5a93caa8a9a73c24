"""Why events are left out of an answer, counted by reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from honours.engine.columns import exact_only
from honours.engine.columns.award import why_refused
from honours.engine.exact.calling import NOT_WORKED_OUT
from honours.engine.rulebook import Rulebook
from honours.errors import HonoursError
from honours.lab.answers import lists_awarded
from honours.lab.compared_sides import Side, name_of
from honours.lab.fields import field_batches
from honours.lab.shard_awards import ShardAwards
from honours.lab.shards import BadEvent, Ints, Shard
from honours.model.message import Message, joined, plural

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
    """Why each event is refused: found by columns, or by the exact engine if these cannot tell."""
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
        for awards in lists_awarded(book, shard.only([row]), int(shard.ids[row])):
            if awards.refusal:
                return awards.refusal.reason
    except HonoursError as error:
        return error.brief
    return OTHERS


def left_out(counted: Mapping[str, int]) -> Message | str:
    """How many events are left out and why, as a clause."""
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
    """How many of the given events each reason leaves out."""
    numbers, counts = np.unique(codes[keep & (codes >= 0)], return_counts=True)
    return Counter({names[n]: int(c) for n, c in zip(numbers.tolist(), counts, strict=True)})


def awarded_by_both(events: int) -> Message:
    """How many events a comparison covers, with a warning if they are few."""
    many = plural(
        "{count:,} event that both award", "{count:,} events that both award", count=events
    )
    if events >= _FEW_EVENTS:
        return many
    return Message("{events} ({remark})", events=many, remark=FEW_TO_TELL)


def awarded_by_all(events: int) -> Message:
    """How many events an answer about several rulebooks covers."""
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
