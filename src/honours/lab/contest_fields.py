"""Events one might enter, as given in a question: how large, how strong, and what a rulebook
asks for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from honours.errors import InputError, WrongValue
from honours.lab.question_fields import QuestionField, QuestionReading, RepeatedField
from honours.model.message import Message

if TYPE_CHECKING:
    from honours.lab.simulate import Contest

_MOST_ENTRANTS = 2000
"""A limit, because every place is worked out exactly."""
_EVENT = re.compile(r"\s*([^:]+?)\s*:\s*(.*)", re.DOTALL)
_SUGGESTED = (("open pairs", "40", "3000", ""), ("limited pairs", "40", "350", "limit=750"))
_OF_CONTESTS = ("kind", "boards", "lists")


@dataclass(frozen=True)
class ContestsField(RepeatedField):
    """Numbered events; a command takes each as one argument: ``name: entrants=40 holding=3000
    …``."""

    type: str = "contests"

    def sign(self, n: int) -> str:
        return f"entrants{n}"

    def each(self, n: int) -> Sequence[QuestionField]:
        name, entrants, held, more = _SUGGESTED[n - 1] if n <= len(_SUGGESTED) else ("",) * 4
        own: dict[str, Any] = {"required": False, "group": str(n)}
        size: dict[str, Any] = {"least": 2, "most": _MOST_ENTRANTS, "suggested": entrants}
        return (
            QuestionField(Message("name"), key=f"name{n}", suggested=name, **own),
            QuestionField(Message("pairs that play"), "whole", key=f"entrants{n}", **size, **own),
            QuestionField(
                Message("what they hold, typically"),
                "whole",
                key=f"held{n}",
                suggested=held,
                least=1,
                **own,
            ),
            QuestionField(
                Message("sessions"),
                "whole",
                key=f"sessions{n}",
                suggested="2",
                least=1,
                most=100,
                **own,
            ),
            QuestionField(
                Message("more for the rulebook"),
                about="limit=750 lists=2",
                key=f"more{n}",
                suggested=more,
                **own,
            ),
        )

    def one(self, n: int, reading: QuestionReading) -> Contest:
        from honours.lab.simulate import Contest

        entered, (name, *numbers, more) = reading.said, self.each(n)
        entrants, held, sessions = (
            one.number(entered.get(one.key) or one.suggested) for one in numbers
        )
        facts = dict(part.partition("=")[::2] for part in entered.get(more.key, "").split())
        if not all(facts.values()):
            raise WrongValue(more.key, entered[more.key], "expected key=value, e.g. limit=750")
        own: dict[str, Any] = {key: facts.pop(key) for key in _OF_CONTESTS if key in facts}
        for key in {*own} - {"kind"}:
            own[key] = QuestionField(more.label, key=key, least=1, most=1000).number(own[key])
        called = entered.get(name.key) or str(n)
        return Contest(called, entrants, held, sessions=sessions, facts=facts, **own)

    def typed_one(self, n: int, text: str) -> dict[str, str]:
        parts = _EVENT.fullmatch(text)
        given = dict(part.partition("=")[::2] for part in parts[2].split()) if parts else {}
        if parts is None or not all(given.values()) or not {"entrants", "holding"} <= set(given):
            raise InputError(
                "--event {text!r}: expected 'name: entrants=40 holding=3000 …'", text=text
            )
        words = {"name": parts[1], "entrants": given.pop("entrants"), "held": given.pop("holding")}
        words["sessions"] = given.pop("sessions", "")
        words["more"] = " ".join(f"{key}={value}" for key, value in given.items())
        return {f"{key}{n}": word for key, word in words.items()}
