"""Questions that stand between an event and its awards: as tables, as data, as what to type."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from honours.model.message import Message
from honours.model.table import Cell, Column, Kind, Table, table
from honours.pipeline.inquiry import OpenQuestion
from honours.pipeline.options import AWARDING, SCORING

_OPTIONS = {option.name: option for option in (*SCORING, *AWARDING)}


def question_table(question: OpenQuestion) -> Table:
    """What each answer pays, under the question."""
    columns = [Column("answer", Message("answer")), Column("pays", Message("pays"), Kind.TEXT)]
    return table(
        "question",
        columns,
        [[Cell(v), Cell(p)] for v, p in question.table()],
        caption=asked(question),
    )


def asked(question: OpenQuestion) -> Message:
    """The question alone, with the clause that it is for."""
    if not question.alternatives:
        return Message("{about}", about=question.about)
    if not question.clause:
        return question.asked
    return Message("{asked} [{clause}]", asked=question.asked, clause=question.clause)


def to_type(questions: Sequence[OpenQuestion]) -> str:
    """What answers the questions on a command line, with the first answer to each."""
    return " ".join(dict.fromkeys(answer for q in questions for answer in _typed(q)))


def _typed(question: OpenQuestion) -> list[str]:
    if question.of == "usual":
        return [_OPTIONS["as_usual"].flag]
    if not question.alternatives:
        return []
    possible = [a for a in question.alternatives if not a.against]
    given = (possible or question.alternatives)[0].given
    if question.of == "option":
        return [f"{_OPTIONS[name].flag} {value}" for name, value in given.items()]
    return [f"{name}={value}" for name, value in given.items()] if question.of == "event" else []


def questions_data(questions: Sequence[OpenQuestion]) -> list[dict[str, Any]]:
    """As plain data: the facts, why it matters, the clause, and what each alternative pays."""
    return [
        {
            "facts": list(q.facts),
            "of": q.of,
            "why": str(q.hint or q.about),
            "taken": q.taken,
            "clause": q.clause,
            "text": str(q.text),
            "alternatives": [
                {
                    "value": one.value,
                    "given": dict(one.given),
                    "top": list(one.outcome.top),
                    "pays": str(one.outcome.beside(q.alternatives[0].outcome)),
                    "refused": str(one.outcome.refused) if not one.outcome.top else "",
                    "asks": list(one.outcome.asks),
                    "against": str(one.against),
                }
                for one in q.alternatives
            ],
        }
        for q in questions
    ]
