"""Events one might enter, as a question says them: how large, how strong, and what a rulebook
asks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

from honours.errors import InputError, WrongValue
from honours.lab.question_fields import QuestionField, QuestionReading, Said, WholeField
from honours.model.message import Message

if TYPE_CHECKING:
    from honours.lab.simulate import Contest

_MOST_ENTRANTS = 2000
"""Of whom every place is worked out exactly."""
_EVENT = re.compile(r"\s*([^:]+?)\s*:\s*(.*)", re.DOTALL)
_SUGGESTED = (("open pairs", "40", "3000", ""), ("limited pairs", "40", "350", "limit=750"))
_OF_CONTESTS = ("kind", "boards", "lists")


@dataclass(frozen=True)
class ContestsField(QuestionField):
    """Events one might enter, numbered; a command says each in a line: ``name: entrants=40 …``."""

    type: ClassVar[str] = "contests"
    several: ClassVar[bool] = True

    def count(self, said: Said) -> int:
        numbers = (key.removeprefix("entrants") for key, text in said.items() if text)
        return max((int(n) for n in numbers if n.isdecimal() and len(n) < 3), default=0)

    def keys(self, said: Said) -> Sequence[str]:
        return [one.key for n in range(1, self.count(said) + 1) for one in _inputs(n)]

    def is_said(self, said: Said) -> bool:
        return self.count(said) > 0

    def need(self, said: Said) -> str:
        return replace(self, key="entrants1").need({}) if not self.is_said(said) else ""

    def read(self, asked: QuestionReading) -> list[Contest]:
        numbers = range(1, self.count(asked.said) + 1)
        return [_contest(asked.said, n) for n in numbers if asked.said.get(f"entrants{n}")]

    def typed(self, given: Sequence[str]) -> dict[str, str]:
        return {k: v for n, text in enumerate(given, 1) for k, v in _typed_contest(n, text).items()}

    def inputs(self, said: Said) -> Sequence[QuestionField]:
        """Those of the events that are said, and of one more."""
        many = max(len(_SUGGESTED), self.count(said) + 1)
        return [one for n in range(1, many + 1) for one in _inputs(n)]


def _inputs(n: int) -> tuple[QuestionField, WholeField, WholeField, WholeField, QuestionField]:
    """What is asked of an event one might enter."""
    name, entrants, held, more = _SUGGESTED[n - 1] if n <= len(_SUGGESTED) else ("",) * 4
    own: dict[str, Any] = {"required": False, "group": str(n)}

    def whole(label: Message, key: str, suggested: str, least: int, most: int) -> WholeField:
        return WholeField(
            label, key=f"{key}{n}", suggested=suggested, least=least, most=most, **own
        )

    return (
        QuestionField(Message("name"), key=f"name{n}", suggested=name, **own),
        whole(Message("pairs that play"), "entrants", entrants, 2, _MOST_ENTRANTS),
        whole(Message("what they hold, typically"), "held", held, 1, 1_000_000),
        whole(Message("sessions"), "sessions", "2", 1, 100),
        QuestionField(
            Message("more for the rulebook"),
            about="limit=750 lists=2",
            key=f"more{n}",
            suggested=more,
            **own,
        ),
    )


def _contest(said: Said, n: int) -> Contest:
    from honours.lab.simulate import Contest

    name, *numbers, more = _inputs(n)
    figures = [one.number(said.get(one.key) or one.suggested or one.need(said)) for one in numbers]
    facts = dict(part.partition("=")[::2] for part in said.get(more.key, "").split())
    if not all(facts.values()):
        raise WrongValue(more.key, said[more.key], "expected key=value, e.g. limit=750")
    own: dict[str, Any] = {key: facts.pop(key) for key in _OF_CONTESTS if key in facts}
    for key in {*own} - {"kind"}:
        own[key] = WholeField(more.label, key=key, least=1, most=1000).number(own[key])
    return Contest(
        said.get(name.key) or str(n),
        figures[0],
        figures[1],
        sessions=figures[2],
        facts=facts,
        **own,
    )


def _typed_contest(n: int, text: str) -> dict[str, str]:
    """An event as a command says it: ``up: entrants=40 holding=3000 limit=750``."""
    parts = _EVENT.fullmatch(text)
    given = dict(part.partition("=")[::2] for part in parts[2].split()) if parts else {}
    if parts is None or not all(given.values()) or not {"entrants", "holding"} <= set(given):
        raise InputError("--event {text!r}: expected 'name: entrants=40 holding=3000 …'", text=text)
    words = {"name": parts[1], "entrants": given.pop("entrants"), "held": given.pop("holding")}
    words["sessions"] = given.pop("sessions", "")
    words["more"] = " ".join(f"{key}={value}" for key, value in given.items())
    return {f"{key}{n}": word for key, word in words.items()}
