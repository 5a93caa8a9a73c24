"""Options and arguments that several commands take."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from honours.cli.messages import chosen_language, confirm, keep_language
from honours.cli.trust import ask_about_folders, note_trusted
from honours.errors import InputError, UnknownName
from honours.files import FileKind, check_target, write_file
from honours.language import DEFAULT, LANGUAGES
from honours.model.message import Message, mark, quoted

if TYPE_CHECKING:
    from honours.engine.rulebook import Rulebook

F = TypeVar("F", bound=Callable[..., Any])


def command_name() -> str:
    """The command's own name: ``./honours`` in a checkout."""
    return os.environ.get("HONOURS_CALLED", "honours")


def repeated_command() -> str:
    """The command as it was given, to build advice on."""
    return " ".join(map(quoted, [command_name(), *sys.argv[1:]]))


force_option = click.option(
    "--force", is_flag=True, help="Replace a file of the same kind, without asking."
)


def _language_option(**more: Any) -> Callable[[F], F]:
    return click.option(
        "--language",
        type=click.Choice([*LANGUAGES]),
        default=chosen_language,
        show_default=DEFAULT,
        callback=keep_language,
        help="The language of the output; a rulebook's own words stay as they are.",
        **more,
    )


language_option = _language_option()
kept_language_option = _language_option(expose_value=False)


def replaces(path: str | Path, kind: FileKind, force: bool) -> bool:
    """Return whether a file is there to be replaced, as somebody at a terminal confirms or a script
    says by --force; refuse one that must not be."""
    asked = not force and _at_terminal() and Path(path).exists()
    there = check_target(path, kind, force or asked)
    if asked:
        confirm(Message("{file} already exists. Replace it?", file=path), err=True)
    return there


def _at_terminal() -> bool:
    return sys.stdin.isatty()


def write_out(path: str | Path, data: bytes, kind: FileKind, force: bool) -> Message:
    """Write a file and say so; one that is there is replaced as :func:`replaces` says."""
    replaced = replaces(path, kind, force)
    write_file(path, data, kind, replaced)
    template = mark("replaced {file}") if replaced else mark("wrote {file}")
    return Message(template, file=path)


event_option = click.option(
    "--event", metavar="TITLE|N", default="", help="Which of a file's events."
)


def rulebooks_option(name: str = "rulebooks") -> Callable[[F], F]:
    """``--rulebooks DIR``, handed on as ``name``, and ``--trust``: a folder of rules is a program,
    and is asked about once."""
    folders = click.option(
        "--rulebooks",
        name,
        multiple=True,
        metavar="DIR",
        type=click.Path(exists=True),
        callback=ask_about_folders,
        help="A folder of rulebooks of your own; may be repeated. Its rules are run.",
    )
    trust = click.option(
        "--trust",
        is_flag=True,
        is_eager=True,
        expose_value=False,
        callback=note_trusted,
        help="Run the rules of --rulebooks without being asked.",
    )

    def both(function: F) -> F:
        return folders(trust(function))

    return both


def set_option(name: str, help: str) -> Callable[[F], F]:
    """``--set NAME=VALUE``: what may be set is the command's own."""
    return click.option("--set", "changes", multiple=True, metavar=f"{name}=VALUE", help=help)


def rulebook_options(function: F) -> F:
    """``--rulebooks``, ``--set`` and ``--variant``: which rulebook, and how amended."""
    amend = set_option("PARAMETER", "Amend a parameter; may be repeated.")
    return amend(which_rulebook_options(function))


def which_rulebook_options(function: F) -> F:
    """``--rulebooks`` and ``--variant``."""
    for option in (
        click.option("--variant", metavar="NAME", help="A named variant of the rulebook."),
        rulebooks_option(),
    ):
        function = option(function)
    return function


def pairs(texts: Sequence[str]) -> dict[str, str]:
    """``key=value`` arguments as a dictionary."""
    values: dict[str, str] = {}
    for text in texts:
        key, sign, value = text.partition("=")
        if not sign or not key or not value:
            raise InputError("{text!r}: expected key=value, e.g. kind=pairs", text=text)
        if key in values:
            raise InputError(
                "{key} is given twice: {values} and {value}",
                key=key,
                values=values[key],
                value=value,
            )
        values[key] = value
    return values


def _folder_meant(name: str, error: UnknownName) -> InputError:
    """Return what is wrong with the id of a rulebook; for the folder of one, how to give that."""
    if error.nearest or not (Path(name) / "rulebook.toml").is_file():
        return error
    rulebook_id = Path(name).resolve().name.replace("_", "-")
    return InputError(
        "{name} is a folder; its rulebook is {id} --rulebooks {name!q}",
        name=name,
        id=rulebook_id,
    )


def chosen_rulebook(
    rulebook_id: str, rulebooks: Sequence[str], changes: Sequence[str], variant: str | None
) -> Rulebook:
    """The rulebook an invocation asks for, amended as it says."""
    from honours.rulebooks import load

    try:
        book = load(rulebook_id, rulebooks)
    except UnknownName as error:
        raise _folder_meant(rulebook_id, error) from error
    if variant:
        book = book.variant(variant)
    return book.amend(pairs(changes))


def rulebook_in(options: Mapping[str, Any]) -> Rulebook | None:
    """The rulebook that ``--rulebook`` names, if any, amended as the options beside it say."""
    if not options["rulebook"]:
        return None
    amended = (options["rulebooks"], options["changes"], options["variant"])
    return chosen_rulebook(options["rulebook"], *amended)
