"""``--rulebooks`` and ``--trust``: whoever names a folder with rules that were never run before is
asked whether to run them; a script says ``--trust``."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import click

from honours.cli.messages import confirm
from honours.model.message import Message

_ASKED = "honours.cli.trust"


def trust_folder(folder: str | Path) -> None:
    """Remember that the rulebooks in a folder may run as they are."""
    from honours.rulebooks.trust import trust

    for _, digest in _hashes(folder):
        trust(digest)


def note_trusted(context: click.Context, _: click.Parameter, value: bool) -> bool:
    """``--trust``, noted before the folders are looked at."""
    context.meta[_ASKED] = value
    return value


def ask_about_folders(
    context: click.Context, _: click.Parameter, folders: tuple[str, ...]
) -> tuple[str, ...]:
    """``--rulebooks``: asked about unless the content of each rulebook in it is trusted; refused
    where nobody can be asked."""
    from honours.engine.rulebook.load import texts_of
    from honours.rulebooks.trust import check_trusted, is_trusted, trust

    for folder in folders:
        new = {book: digest for book, digest in _hashes(folder) if not is_trusted(digest)}
        if new and not context.meta.get(_ASKED, False):
            if not sys.stdin.isatty():
                check_trusted(book := next(iter(new)), texts_of(book))
            question = Message(
                "{folder}: a rulebook is a program. Run the Python in this folder? {hashes}",
                folder=folder,
                hashes=tuple(f"{book.name} {digest}" for book, digest in new.items()),
            )
            confirm(question, err=True)
        for digest in new.values():
            trust(digest)
    return folders


def _hashes(folder: str | Path) -> Iterator[tuple[Path, str]]:
    """The rulebooks in a folder with their hashes. One that cannot be read has none: it is never
    run, and whoever wants it is told why."""
    from honours.errors import RulebookError
    from honours.rulebooks import folders_in
    from honours.rulebooks.trust import hash_of

    for book in folders_in(folder):
        with suppress(RulebookError):
            yield book, hash_of(book)
