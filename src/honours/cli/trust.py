"""Folders of rules whose Python may run: asked about once, and remembered.

A rulebook's ``rules.py`` is a program. Whoever names a folder of rulebooks that was never used
before is asked whether to run it; a script says ``--trust``. Nothing from the web is ever loaded.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path

import click

from honours.cli.messages import confirm
from honours.errors import InputError
from honours.model.message import Message

EVERYTHING = "HONOURS_TRUST"
"""An environment variable: set, every folder is trusted and none is remembered."""
_ASKED = "honours.cli.trust"


def _file() -> Path:
    base = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(base) / "honours" / "trusted-rulebooks"


def trusted(folder: str | Path) -> bool:
    """Whether the rules of a folder may run: it is known, or one around it, or it holds rulebooks
    of which each is."""
    if os.environ.get(EVERYTHING):
        return True
    known = _known_folders()
    return _is_known(folder, known) or all(_is_known(book, known) for book in _books_in(folder))


def _known_folders() -> frozenset[str]:
    file = _file()
    return frozenset(file.read_text("utf-8").splitlines() if file.is_file() else ())


def _is_known(folder: str | Path, known: frozenset[str]) -> bool:
    path = Path(folder).resolve()
    return any(str(around) in known for around in (path, *path.parents))


def _books_in(folder: str | Path) -> tuple[Path, ...]:
    """The folders whose rules run when a folder is named: itself, or each rulebook in it."""
    from honours.rulebooks import rulebook_folders

    return tuple(rulebook_folders(folder).values())


def trust(folder: str | Path) -> None:
    """Remember that the rules of a folder may run."""
    if trusted(folder):
        return
    file = _file()
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("a", encoding="utf-8") as lines:
        lines.write(f"{Path(folder).resolve()}\n")


def ask(folders: Iterable[str], was_told: bool) -> None:
    """Let somebody at a terminal say whether to run a folder's rules; refuse where nobody can."""
    for folder in folders:
        if trusted(folder):
            continue
        if not was_told and not sys.stdin.isatty():
            raise InputError(
                "{folder}: a rulebook is a program, and this folder is not trusted yet. "
                "Look at its rules.py; if you would run them, add --trust (once is enough)",
                folder=folder,
            )
        if not was_told:
            question = Message(
                "{folder}: a rulebook is a program. Run the Python in this folder?", folder=folder
            )
            confirm(question, err=True)
        trust(folder)


def note_trusted(context: click.Context, _: click.Parameter, value: bool) -> bool:
    """``--trust``, noted before the folders are looked at."""
    context.meta[_ASKED] = value
    return value


def ask_about_folders(
    context: click.Context, _: click.Parameter, folders: tuple[str, ...]
) -> tuple[str, ...]:
    """``--rulebooks``: each folder asked about unless it is trusted."""
    ask(folders, context.meta.get(_ASKED, False))
    return folders
