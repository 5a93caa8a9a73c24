"""What a rulebook is calibrated to, as a question says it: a total, and first places."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from honours.errors import InputError, MissingInput
from honours.lab.compared_sides import AS_PAID
from honours.lab.question_fields import QuestionField, QuestionReading
from honours.model.message import Message

if TYPE_CHECKING:
    from honours.engine.rulebook import Rulebook
    from honours.lab.calibrate import Aim

UNCHANGED = "unchanged"


@dataclass(frozen=True)
class TotalField(QuestionField):
    """A total: a figure, what a rulebook pays, what was paid, or what the rulebook that is asked
    about pays as published."""

    of: str = "a"
    type: ClassVar[str] = "total"

    def value(self, asked: QuestionReading) -> Any:
        text = asked.said[self.key]
        if text.replace(",", "").replace(".", "", 1).isdigit():
            return float(text.replace(",", ""))
        if text == AS_PAID:
            return text
        return asked.library.rulebook(asked.said[self.of] if text == UNCHANGED else text)


@dataclass(frozen=True)
class FirstsField(QuestionField):
    """First places wanted, ``key=value … = award`` or ``= unchanged``, with semicolons between
    them; where there is no total, at least one."""

    of: str = "a"
    several: ClassVar[bool] = True

    def read(self, asked: QuestionReading) -> list[Aim]:
        texts = [one.strip() for one in asked.said.get(self.key, "").split(";") if one.strip()]
        if not texts and asked.before["total"] is None:
            raise MissingInput("total", Message("an aim: a total, or a first place"))
        return first_aims(texts, asked.library.rulebook(asked.said[self.of])) if texts else []

    def typed(self, given: Any) -> dict[str, str]:
        return {self.key: "; ".join(given)}


def first_aims(texts: Sequence[str], before: Rulebook) -> list[Aim]:
    """First places wanted; unchanged is what the rulebook ``before`` its amendments pays."""
    from honours.lab.calibrate import award_aim, award_at

    aims = []
    for text in texts:
        bare, _, wanted = text.rpartition(" = ")
        given = dict(part.partition("=")[::2] for part in bare.split())
        try:
            award = award_at(before, given, 1) if wanted == UNCHANGED else float(wanted)
        except ValueError as error:
            raise InputError("first {text!r}: expected 'key=value … = award'", text=text) from error
        aims.append(award_aim(given, 1, award))
    return aims
