"""The sides of a comparison: a rulebook, or what was really paid."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from honours.engine.rulebook import Input, Rulebook
from honours.engine.written_names import public
from honours.errors import UnknownName, WrongValue
from honours.lab.column_reading import NOT_SAID
from honours.model.message import Message

if TYPE_CHECKING:
    from honours.lab.corpus import Corpus
    from honours.lab.shards import Ints, Shard

AS_PAID = "as-paid"
"""Used in place of a rulebook's id for what was paid according to the corpus."""


@dataclass(frozen=True, slots=True)
class AsPaid:
    """What was actually paid, according to the corpus: a side to compare with, to fit and to
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
    """Whether a key is one of the rulebook's inputs; an unknown key is an error that lists
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
        changes.append(Message("{given} for all events that do not tell it", given=options))
    return f"{side.id} ({', '.join(changes)})" if changes else side.id


def paid_players(shard: Shard) -> tuple[Ints, Ints]:
    """What every player was paid, and the rows of the events for which that is unknown."""
    paid = shard.of_players.get("paid")
    if paid is None:
        return np.zeros(len(shard.player), np.int64), np.arange(len(shard.ids))
    unsaid = paid == NOT_SAID
    of = shard.event_of_entrant[shard.entrant_of_player[unsaid]]
    return np.where(unsaid, 0, paid).astype(np.int64), np.unique(of)


def different_units(a: Side, b: Side) -> Message | None:
    """Why the points of two sides cannot be compared, if they cannot."""
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
