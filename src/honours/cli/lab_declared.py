"""The command of a question of the lab that has none of its own, made from its declaration."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

import click

from honours.cli.lab_answers import answer_options, on_option, own_rulebooks
from honours.cli.lab_questions import ask

if TYPE_CHECKING:
    from honours.lab.questions import Field, QuestionKind


def question_command(question: QuestionKind) -> click.Command:
    """What a question asks, as arguments and options, and its answer in the forms of the others."""

    def command(folders: tuple[str, ...], address: str, **given: Any) -> None:
        names = {field.name for field in question.fields}
        fields = {name: value for name, value in given.items() if name in names}
        forms = {name: value for name, value in given.items() if name not in names}
        ask(question.kind, fields, question.tab, folders, address, forms)

    needed = [field.suggested or "year" for field in question.fields if field.required]
    example = f"\b\nExample:\n  {shlex.join(['honours', 'lab', question.kind, *needed])}"
    made = click.Command(
        question.kind,
        params=[_parameter(field) for field in question.fields],
        callback=command,
        help=f"{question.about}\n\n{example}",
    )
    return own_rulebooks(on_option(answer_options(made)))


def _parameter(field: Field) -> click.Parameter:
    if field.required:
        return click.Argument([field.name])
    suggested = field.suggested or None
    return click.Option([f"--{field.name}"], help=field.label, default="", show_default=suggested)
