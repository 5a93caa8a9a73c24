"""One event of a corpus under two rulebooks: its places, and why its winner is paid that."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from honours.engine.exact.explanation import to_data
from honours.lab.caveats import note_of, notes_of
from honours.lab.compare import Comparison
from honours.lab.compared_sides import Side, as_side, name_of
from honours.lab.corpus import Corpus
from honours.lab.event_explanation import EventExplanation, without_members
from honours.lab.frame import Frame
from honours.lab.result import Progress, unwatched
from honours.model import Step
from honours.model.message import Message

if TYPE_CHECKING:
    from honours.lab.report import Answer


@dataclass
class EventComparison(Comparison):
    """B compared with A in one event."""

    event: int = 0

    @property
    def explained(self) -> EventExplanation:
        return self.explain(self.event)

    def statement(self) -> Message:
        return self._statement(self.explained)

    def _statement(self, one: EventExplanation) -> Message:
        return Message(
            "The largest award of event {event} would be {theirs} by {b}, compared with {ours} by "
            "{a}.",
            event=self.event,
            ours=one.a.shown,
            theirs=one.b.shown,
            a=name_of(self.a),
            b=name_of(self.b),
        )

    def frames(self, events: int = 0) -> Iterator[Frame]:
        del events
        yield self.explained.places

    def answer(self, progress: Progress = unwatched, whole: bool = True) -> Answer:
        from honours.lab.report import Answer, explanation_name

        del progress, whole
        one, name = self.explained, explanation_name(self.event)
        why = [without_members(step) for step in one.why]
        statements = [self._statement(one), *notes_of(self.corpus, self.a, self.b)]
        return Answer(
            name,
            statements,
            [one.places],
            self.provenance(),
            [(name, why)],
            plain=self._data(one, why),
            told=(*statements, one.places, *one.why),
            sides=(name_of(self.a), name_of(self.b)),
        )

    def data(self) -> dict[str, Any]:
        one = self.explained
        return self._data(one, one.why)

    def _data(self, one: EventExplanation, why: Sequence[Step]) -> dict[str, Any]:
        return {
            "statement": self._statement(one),
            "synthetic": bool(note_of(self.corpus)),
            "places": one.places.data(),
            "why": {"a": to_data(why[0]), "b": to_data(why[1])},
            "provenance": self.provenance(),
        }


def compare_event(
    corpus: Corpus, a: str | Side, b: str | Side, event: int | str
) -> EventComparison:
    """Compare two sides in an event, by its number or by what its owner calls it."""
    sides = as_side(a, corpus), as_side(b, corpus)
    number = event if isinstance(event, int) else corpus.number_of(event)
    return EventComparison(corpus, *sides, event=number)
