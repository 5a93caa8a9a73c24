"""Printing messages in the language of whoever reads them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import click

from honours.language import DEFAULT, words
from honours.model.message import Message

if TYPE_CHECKING:
    from honours.model import Step
    from honours.model.table import Table

LANGUAGE = "honours.language"
"""Where a command keeps the language it was asked to answer in."""
VARIABLE = "HONOURS_LANGUAGE"


def chosen_language() -> str:
    """The language that was asked for, of this command or of `honours` itself."""
    context = click.get_current_context(silent=True)
    language: str = context.meta.get(LANGUAGE, DEFAULT) if context else DEFAULT
    return language


def json_text(data: object) -> str:
    """Data as a command prints it with ``--json``."""
    import json

    return json.dumps(data, ensure_ascii=False, indent=2)


def keep_language(context: click.Context, _: click.Parameter, language: str) -> str:
    """The callback of `--language`: what is said after it is in that language."""
    context.meta[LANGUAGE] = language
    return language


def say(text: str, err: bool = False, nl: bool = True) -> None:
    """Print a message in the reader's language; any other text as it is. Commands print nothing
    in another way than by the functions here."""
    click.echo(words(text, chosen_language()), err=err, nl=nl)


def say_table(table: Table) -> None:
    """Print a table in the reader's language, whole."""
    from honours.reports.drawing import draw_text

    say(draw_text(table, chosen_language()))


def say_answer(parts: Iterable[str | Table | Step]) -> None:
    """Print paragraphs, tables and explanations in the reader's language."""
    from honours.reports.drawing import draw_answer

    say(draw_answer(parts, chosen_language()))


JSON_FORMAT = 1
"""Of what ``--json`` prints: another number where a field goes away or means something else."""


def say_json(data: object) -> None:
    """Print what a command answers with ``--json``: an object that says its format, with the
    ``items`` of what is a list."""
    told = data if isinstance(data, Mapping) else {"items": data}
    say(json_text({"format": JSON_FORMAT, **told}))


def say_what_is_logged() -> None:
    """From now on, once, what is logged is said as a command says everything, in place of what
    Python prints where nobody listens."""
    import logging

    class MessageHandler(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            say(record.msg if isinstance(record.msg, Message) else self.format(record), err=True)

    logger = logging.getLogger("honours")
    if not any(one.name == LANGUAGE for one in logger.handlers):
        handler = MessageHandler()
        handler.name = LANGUAGE
        logger.addHandler(handler)


def confirm(question: str, err: bool = False) -> None:
    """Ask whether to go on, and stop if not."""
    click.confirm(words(question, chosen_language()), abort=True, err=err)
