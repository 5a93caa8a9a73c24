"""Questions that stand between an event and its awards, at a terminal."""

from __future__ import annotations

from collections.abc import Sequence

import click

from honours.cli.messages import chosen_language, say
from honours.cli.options import repeated_command
from honours.language import words
from honours.model.message import Message
from honours.pipeline.inquiry import OpenQuestion
from honours.reports.drawing import draw_text
from honours.reports.provenance import asked, question_table, to_type


def asking(questions: Sequence[OpenQuestion]) -> str:
    """The questions, what each answer pays, and the line to type."""
    language = chosen_language()
    head = Message("Asked before anybody is paid:")
    parts = [words(head, language), *(_drawn(one, language) for one in questions)]
    if answers := to_type(questions):
        line = Message(
            "Answer, for instance: {command} {answers}", command=repeated_command(), answers=answers
        )
        parts.append(words(line, language))
    return "\n\n".join(parts)


def _drawn(question: OpenQuestion, language: str) -> str:
    if not question.alternatives:
        return words(asked(question), language)
    return draw_text(question_table(question), language)


def answered(questions: Sequence[OpenQuestion]) -> dict[str, str]:
    """Ask each question of somebody at a terminal, and return the answers."""
    language, given = chosen_language(), {}
    for question in questions:
        say(_drawn(question, language), err=True)
        if question.of == "usual":
            if click.confirm(words(Message("Nothing unusual?"), language), err=True):
                given["as_usual"] = "yes"
            continue
        values = {one.value: one.given for one in question.alternatives}
        kind = click.Choice([*values]) if values else None
        value = click.prompt(question.facts[0], type=kind, err=True)
        given |= values.get(value, {question.facts[0]: value})
    return given
