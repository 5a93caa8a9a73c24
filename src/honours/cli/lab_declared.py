"""The command of a question of the lab, made from its declaration."""

from __future__ import annotations

from textwrap import indent
from typing import TYPE_CHECKING, Any

import click

from honours.cli.lab_answers import (
    COMPILING,
    answer_options,
    give,
    named_rulebook,
    on_option,
    own_rulebooks,
    progress_line,
)
from honours.cli.lazy import CORPUS, RULEBOOK
from honours.lab.asking import Question
from honours.model.message import Message, word

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from honours.engine.rulebook import Rulebook
    from honours.lab.asking import QuestionField, QuestionKind
    from honours.lab.corpus import Corpus

_NAMED = "A rulebook is its id, or in quotes its id and other numbers: 'ID key=value …'."
_PAID = "{names} may be as-paid: what was really paid, where the corpus says."


class CommandLibrary:
    """Corpora by their folders, rulebooks by their ids or in folders of one's own."""

    def __init__(self, folders: tuple[str, ...] = (), on: str = "") -> None:
        self._folders, self.on = folders, on

    def corpus(self, name: str) -> Corpus:
        from honours.lab.corpus import Corpus

        return Corpus.open(name)

    def rulebook(self, text: str) -> Rulebook:
        return named_rulebook(text, self._folders)

    def event(self, corpus: Corpus, text: str) -> int:
        return corpus.number_of(text)


def question_command(question: QuestionKind) -> click.Command:
    """Make the command of a question, with what it asks as arguments and options."""

    def command(folders: tuple[str, ...], address: str = "", **given: Any) -> None:
        typed: dict[str, str] = {}
        for field in question.fields:
            for key, text in field.typed(given.pop(field.option)).items():
                typed[key] = f"{typed.get(key, '')} {text}".strip()
        entered = tuple((key, text) for key, text in typed.items() if text)
        _ask(question, Question(question.kind, entered), CommandLibrary(folders, address), given)

    optioned = own_rulebooks(answer_options(command))
    made = click.command(question.kind, help=_help(question), short_help=question.heading)(
        on_option(optioned) if question.distributes else optioned
    )
    made.params = [*_parameters(question), *made.params]
    return made


def _ask(
    declared: QuestionKind, question: Question, library: CommandLibrary, forms: Mapping[str, Any]
) -> None:
    """Ask a question, and give its answer in the forms that were asked for."""
    find = question.find(library)
    line = progress_line(word(declared.counted or declared.tab), COMPILING)
    with line.interruptible():
        give(find(line), progress_line(Message("events explained")), forms)


def _help(question: QuestionKind) -> str:
    paid = [one.option.upper() for one in question.fields if one.paid]
    notes = [_NAMED] if any("rulebook" in one.type for one in question.fields) else []
    notes += [_PAID.format(names=" or ".join(paid))] if paid else []
    title = "Examples" if len(question.examples) > 1 else "Example"
    examples = "\n".join(["\b", f"{title}:", indent("\n".join(question.examples), "  ")])
    return "\n\n".join([str(question.about), *notes, *([examples] if question.examples else [])])


def _parameters(question: QuestionKind) -> Iterator[click.Parameter]:
    arguments = question.arguments
    for field in question.fields:
        if field in arguments:
            kind = {"corpus": CORPUS, "rulebook": RULEBOOK, "rulebooks": RULEBOOK}.get(field.type)
            yield click.Argument([field.option], nargs=-1 if field.several else 1, type=kind)
        else:
            yield _option(field)


def _option(field: QuestionField) -> click.Option:
    several = "; may be repeated" if field.several else ""
    shown: dict[str, Any] = {"help": f"{field.help}{several}.", "required": field.required}
    if field.type == "flag":
        return click.Option([f"--{field.option}"], is_flag=True, **shown)
    if field.type == "whole":
        limits = click.IntRange(field.least, field.most)
        usual = None if field.required else int(field.default)
        return click.Option(
            [f"--{field.option}"], type=limits, default=usual, show_default=True, **shown
        )
    return click.Option([f"--{field.option}"], multiple=field.several, **shown)
