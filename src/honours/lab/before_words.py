"""An explanation that says where the amount a player was awarded before comes from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date, timedelta

from honours.engine.periods import period_around
from honours.engine.rulebook import Rulebook
from honours.engine.written_names import public
from honours.lab.column_reading import NOT_SAID
from honours.lab.in_order import days_of
from honours.lab.shards import Shard
from honours.model import Award, Step
from honours.model.message import Message


def with_source(book: Rulebook, shard: Shard, award: Award) -> Award:
    """An award of the shard's single event, with that source in its explanation."""
    about = _about(book, shard)
    return replace(award, why=_with(about, award.why)) if about else award


def _about(book: Rulebook, shard: Shard) -> dict[str, Message]:
    """For each such input, what it is and which events it covers."""
    day = int(days_of(shard)[0])
    if day == NOT_SAID or shard.history is None:
        return {}
    played = (date(1970, 1, 1) + timedelta(day)).isoformat()
    begins = shard.history.year_begins
    return {
        public(name): _in_words(
            book, name, period, played, period_around(period, played, begins)[0]
        )
        for name, period in book.asked_before.items()
    }


def _in_words(book: Rulebook, name: str, period: str, day: str, since: str) -> Message:
    values = {"about": book.inputs[name].about, "rulebook": book.id, "day": day}
    if period == "ever":
        return Message(
            "{about}: by {rulebook} in the events of the corpus up to {day}, this one left out",
            **values,
        )
    return Message(
        "{about}: by {rulebook} in the events of the corpus from {since} to {day}, this one left "
        "out",
        since=since,
        **values,
    )


def _with(about: Mapping[str, Message], step: Step) -> Step:
    uses = tuple(_with(about, own) for own in step.uses)
    own = about.get(step.name, step.about) if step.kind == "input" else step.about
    return replace(step, about=own, uses=uses)
