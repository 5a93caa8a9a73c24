"""Commands as people read them, in help texts and on pages, and how they are run in a test."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import click
import pytest
from _pytest.mark import ParameterSet
from click.testing import CliRunner, Result

from honours.cli import cli
from tests.seen import Seen

# These compile rulebooks, generate years or go through every printed figure.
LONG = ("honours lab", "honours conform", "honours rulebook check")
WRITE = "honours demo --write try"
# Of the year that all tests here share, or of a rulebook: whoever asks, the answer is the same.
_QUESTIONS = ("honours lab compare year ", "honours lab sweep year ", "honours lab audit ")
PASSWORD = "correct horse battery staple\n"


def cases(commands: Mapping[str, Sequence[str]]) -> list[ParameterSet]:
    """Cases for a test, named by their keys; slow where a long command is among them."""
    return [
        pytest.param(name, marks=[pytest.mark.slow] if _is_long(lines) else [])
        for name, lines in commands.items()
    ]


def _is_long(lines: Sequence[str]) -> bool:
    return any(command.startswith(LONG) for command in lines)


def every_command() -> Iterator[tuple[str, click.Command]]:
    """Every command and group, by the words that call it."""
    yield from _below(cli, "honours", click.Context(cli, info_name="honours"))


def _below(
    command: click.Command, words: str, context: click.Context
) -> Iterator[tuple[str, click.Command]]:
    yield words, command
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            subcommand = command.get_command(context, name)
            assert subcommand is not None
            inner = click.Context(subcommand, info_name=name, parent=context)
            yield from _below(subcommand, f"{words} {name}", inner)


def examples(command: click.Command) -> list[str]:
    """The commands below `Example:` in a help text."""
    _, _, after = (command.help or "").partition("Example")
    paragraph = after.partition("\n\n")[0]
    return list(commands_of(paragraph.partition("\n")[2]))


def commands_of(text: str) -> Iterator[str]:
    """The commands in a block, one each: continued lines joined, remarks left out."""
    for line in text.replace("\\\n", " ").splitlines():
        words = shlex.split(line, comments=True)
        if words:
            yield shlex.join(words).replace("'>'", ">").replace("'>>'", ">>")


def was_asked(command: str, seen: Seen) -> bool:
    """Whether another page or help text has the same question, and it was asked there."""
    question = re.sub(r" --html \S+", " --html", command)
    return question.startswith(_QUESTIONS) and not seen.first(question)


def run(command: str) -> Result:
    """Run a command of ours here, in this process; what it redirects goes where it says."""
    words = shlex.split(command)
    assert words.pop(0) in ("honours", "./honours"), command
    target = None
    if words[-2:-1] in ([">"], [">>"]):
        target = Path(words.pop()).expanduser()
        words.pop()
    result = CliRunner().invoke(cli, words, input=PASSWORD * 2, catch_exceptions=False)
    if target:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(result.stdout, encoding="utf-8")
    return result
