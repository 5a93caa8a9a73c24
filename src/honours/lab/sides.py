"""The sides of a comparison: a rulebook, or what was really paid."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from honours.engine.rulebook import Input, Rulebook
from honours.engine.rules import public
from honours.errors import InputError, UnknownName, WrongValue
from honours.lab.shards import Ints, Shard
from honours.lab.store import MISSING, WordColumn
from honours.model.message import Message

if TYPE_CHECKING:
    from honours.lab.corpus import Corpus


# --- the sides of a comparison ------------------------------------------------------------------

AS_PAID = "as-paid"
"""Used in place of a rulebook's id for what was paid according to the corpus."""


@dataclass(frozen=True, slots=True)
class AsPaid:
    """The payments that were made, according to the corpus: a side to compare with, to fit and to
    audit."""

    unit: str = ""
    id: str = AS_PAID
    hash: str = AS_PAID
    amended: Mapping[str, str] = field(default_factory=dict)
    body: str = ""


Side: TypeAlias = Rulebook | AsPaid


def as_side(named: str | Side, corpus: Corpus | None = None) -> Side:
    """A side by name: ``as-paid``, or a bundled rulebook written ``ID key=value …`` as for
    :func:`specified`."""
    from honours.rulebooks import load

    if not isinstance(named, str):
        return named
    if named != AS_PAID:
        rulebook_id, *changes = named.split()
        return specified(load(rulebook_id), dict(c.partition("=")[::2] for c in changes))
    about = {} if corpus is None else corpus.manifest.get("about", {})
    return AsPaid(str(about.get("unit", "")), body=str(about.get("body", "")))


def specified(book: Rulebook, changes: Mapping[str, str]) -> Rulebook:
    """A rulebook with changed parameters, and with inputs for every event that does not tell
    them: ``size_exponent=1/2`` is the former, ``scale=A`` the latter."""
    asked = {key: text for key, text in changes.items() if _is_input(book, key)}
    amended = book.amend({key: text for key, text in changes.items() if key not in asked})
    inputs, given = dict(amended.inputs), dict[str, str]()
    for key, text in asked.items():
        declared = amended.input(key)
        given[public(declared.name)] = text
        _check_of_events(amended, declared, key, text)
        declared.read(text)
        inputs[declared.name] = replace(declared, default=text)
    return replace(amended, inputs=inputs, amended={**amended.amended, **given})


def _check_of_events(book: Rulebook, declared: Input, key: str, text: str) -> None:
    """Refuse inputs that cannot be the same for all events."""
    if declared.per != "field":
        raise WrongValue(
            key,
            text,
            "{rulebook} asks it of each entrant or player, not of an event; "
            "bring it as a column of the corpus",
            rulebook=book.id,
        )
    if any(book.rules_for(declared.name)):
        raise WrongValue(
            key,
            text,
            "{rulebook} works this out of each event; "
            "bring it as a column of the corpus where it differs",
            rulebook=book.id,
        )


def _is_input(book: Rulebook, key: str) -> bool:
    """Return whether a key is one of the rulebook's inputs; an unknown key is an error that lists
    inputs and parameters."""
    parameter = key.partition(".")[0]
    if parameter in book.parameters:
        return False
    if book.takes(key):
        return True
    known = (*book.parameters, *book.keys)
    raise UnknownName(Message("parameter or key of {rulebook}", rulebook=book.id), key, known)


def given_for_all(side: Side) -> dict[str, str]:
    """The inputs given for every event that does not tell them."""
    if isinstance(side, AsPaid):
        return {}
    inputs = {public(name) for name in side.inputs} - set(side.parameters)
    return {key: text for key, text in side.amended.items() if key in inputs}


def name_of(side: Side) -> str:
    """The id with its amendments, ``acbl-sof-2020 (size_exponent=1/2)``, and the inputs given
    for all events."""
    given = given_for_all(side)
    changes = [f"{k}={v}" for k, v in side.amended.items() if k not in given]
    if given:
        options = ", ".join(f"{k}={v}" for k, v in given.items())
        changes.append(Message("{given} for all events that do not say", given=options))
    return f"{side.id} ({', '.join(changes)})" if changes else side.id


def paid_players(shard: Shard) -> tuple[Ints, Ints]:
    """Return every player's payment, and the rows of events for which that is unknown."""
    paid = shard.of_players.get("paid")
    if paid is None:
        return np.zeros(len(shard.player), np.int64), np.arange(len(shard.ids))
    unsaid = paid == MISSING
    of = shard.event_of_entrant[shard.entrant_of_player[unsaid]]
    return np.where(unsaid, 0, paid).astype(np.int64), np.unique(of)


def different_units(a: Side, b: Side) -> Message | None:
    """Return why the points of two sides cannot be compared, or ``None`` if they can."""
    units = (a.unit, b.unit)
    same = not all(units) or (
        units[0] == units[1] and (not a.body or not b.body or a.body == b.body)
    )
    if same:
        return None
    return Message(
        "{a} pays in {unit_a} and {b} in {unit_b}: only the shares of what each pays are compared",
        a=name_of(a),
        unit_a=_unit(a),
        b=name_of(b),
        unit_b=_unit(b),
    )


def _unit(side: Side) -> Message | str:
    if not side.body:
        return side.unit
    return Message("{unit} of {body}", unit=side.unit, body=side.body)


def check_holdings(side: Side) -> None:
    """Refuse a rulebook that changes ratings where the question is about holdings, which add up."""
    if not isinstance(side, AsPaid) and side.plays_games:
        raise InputError(
            "{rulebook} changes ratings, and this is about points that members hold",
            rulebook=side.id,
        )


# --- the groups a comparison can be broken down by ----------------------------------------------

SIZES = (0, 8, 16, 24, 32, 41, 60, 100, 200)
"""Tables; 41 and 60 are the bounds mentioned in the 2011 source."""
STRENGTHS = (0, 250, 500, 1000, 1250, 2000, 3500, 5000)
"""Mean holding of a field's players."""
HOLDINGS = (0, 50, 100, 300, 500, 750, 1000, 1500, 2000, 3000, 5000, 10000)
"""The ranges of the 2020 source."""

NOT_KNOWN = Message("not said")
"""The band of events whose value is unknown."""

EVENT_GROUPS = ("class", "kind", "sessions", "size", "strength", "flight")
PLAYER_GROUPS = ("stratum", "holding")
"""Groups that divide the players of one event."""
GROUPS = (*EVENT_GROUPS, *PLAYER_GROUPS)


def band_names(edges: Sequence[int]) -> list[str]:
    """``0–8, 8–16, …, 200 and more``."""
    between = [f"{low:,}–{high:,}" for low, high in pairwise(edges)]
    return [*between, Message("{least:,} and more", least=edges[-1])]


def tables_of(shard: Shard) -> NDArray[np.float64]:
    """Tables of each event: two pairs, one team or four individuals to a table."""
    kinds = shard.events.get("kind", np.full(len(shard.ids), ""))
    each = np.where(kinds == "pairs", 2.0, np.where(kinds == "individual", 4.0, 1.0))
    tables: NDArray[np.float64] = shard.sizes / each
    return tables


def mean_holdings(shard: Shard) -> NDArray[np.float64]:
    """The mean holding of each event's players; negative if a holding is not known."""
    starts = shard.player_offsets[shard.entrant_offsets]
    total = np.add.reduceat(np.append(shard.holding, 0).astype(np.int64), starts[:-1])
    mean: NDArray[np.float64] = total / np.maximum(1, np.diff(starts)) / 100.0
    return mean


def banded(values: NDArray[np.float64], edges: Sequence[int]) -> tuple[Ints, list[str]]:
    """The band of each value; a value below all bands is unknown and gets the last one."""
    codes = np.searchsorted(edges, values, "right") - 1
    return np.where(codes < 0, len(edges), codes), [*band_names(edges), NOT_KNOWN]


def event_codes(shard: Shard, group: str) -> tuple[Ints, list[str]]:
    """Return which group each event is in, and the names of the groups."""
    if group == "size":
        return banded(tables_of(shard), SIZES)
    if group == "strength":
        return banded(mean_holdings(shard), STRENGTHS)
    if group not in shard.events:
        return np.zeros(len(shard.ids), np.int64), [NOT_KNOWN]
    column = shard.events[group]
    words = column if isinstance(column, WordColumn) else None
    there, codes = np.unique(column if words is None else words.codes, return_inverse=True)
    texts = [str(n) if words is None else words.words[n] for n in there.tolist()]
    order = np.argsort(texts) if words else np.arange(len(texts))
    number = np.empty(len(order), np.int64)
    number[order] = np.arange(len(order))
    return number[np.reshape(codes, -1)], [_name(texts[n]) for n in order]


def _name(text: str) -> str:
    return NOT_KNOWN if text in ("", str(MISSING)) else text


def stratum_name(number: int) -> str:
    """Stratum 0 is A, the highest."""
    return chr(ord("A") + number)


def player_group_names(group: str) -> list[str]:
    """The names of the groups that divide the players of one event."""
    if group == "stratum":
        return [stratum_name(number) for number in range(26)]
    return [*band_names(HOLDINGS), NOT_KNOWN]
