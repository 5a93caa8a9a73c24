"""The command of a question of the lab, made from its declaration."""

from __future__ import annotations

import shlex
from textwrap import indent
from typing import TYPE_CHECKING, Any

import click

from honours.cli.lab_answers import answer_options, on_option, own_rulebooks
from honours.cli.lab_questions import ask
from honours.lab.questions import SEVERAL
from honours.model.message import Message

if TYPE_CHECKING:
    from collections.abc import Iterator

    from honours.lab.questions import QuestionField, QuestionKind

_PAID = "{name} may be as-paid: what was really paid, where the corpus says."


def question_command(question: QuestionKind) -> click.Command:
    """What a question asks, as arguments and options, and its answer in the forms of the others."""

    def command(folders: tuple[str, ...], address: str, **given: Any) -> None:
        fields = {k: v for one in question.fields for k, v in _said(one, given).items()}
        ask(question.kind, fields, question.counted or question.tab, folders, address, given)

    paid = [_PAID.format(name=_called(one).upper()) for one in question.fields if one.paid]
    made = click.Command(
        question.kind,
        params=[parameter for one in question.fields for parameter in _parameters(one)],
        callback=command,
        help="\n\n".join([str(question.about), *paid, _examples(question)]),
        short_help=f"{question.title}.",
    )
    return own_rulebooks(on_option(answer_options(made)))


def _examples(question: QuestionKind) -> str:
    needed = [field.suggested or "year" for field in question.fields if field.required]
    made = question.examples or (shlex.join(["honours", "lab", question.kind, *needed]),)
    title = "Examples" if len(made) > 1 else "Example"
    return "\n".join(["\b", f"{title}:", indent("\n".join(made), "  ")])


def _called(field: QuestionField) -> str:
    """What a field is called in a command."""
    return field.option or field.name


def _parameters(field: QuestionField) -> Iterator[click.Parameter]:
    name = _called(field)
    if field.type == "parameter":  # which is said as a rulebook and one of its numbers
        yield click.Argument(["rulebook"])
    if field.required:
        yield click.Argument([name], nargs=-1 if field.type in SEVERAL else 1, required=True)
    elif field.type == "whole":
        limits = click.IntRange(field.least, field.most)
        usual = int(field.suggested) if field.suggested else None
        yield click.Option(
            [f"--{name}"], help=_help(field), type=limits, default=usual, show_default=True
        )
    else:
        yield click.Option([f"--{name}"], help=_help(field), multiple=bool(field.between))


def _help(field: QuestionField) -> str:
    """What is asked, and what one might say."""
    about = f": {field.about}" if isinstance(field.about, Message) else f", e.g. {field.about}"
    several = "; may be repeated" if field.between else ""
    text = f"{field.label}{about if field.about else ''}{several}."
    return text[:1].upper() + text[1:]


def _said(field: QuestionField, given: dict[str, Any]) -> dict[str, str]:
    """What the options of a field say, as the question's words."""
    value = given.pop(_called(field))
    if isinstance(value, tuple):
        value = (field.between or " ").join(value)
    text = "" if value is None else str(value)
    if field.type == "parameter":
        text = f"{given.pop('rulebook')} {text}"
    if field.type == "rulebook":
        book, _, amended = text.partition(" ")
        return {field.name: book, f"{field.name}_with": amended}
    return {field.name: text}
