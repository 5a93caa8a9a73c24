"""`honours show`: what a file is and what is in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import click

from honours.cli.declared import argument, as_command, option
from honours.cli.folders import conclude, each_file
from honours.cli.messages import chosen_language, say, say_json
from honours.formats.detect import Contents, contents, files_of, read
from honours.formats.members import MemberList
from honours.language import words
from honours.model.message import Message, joined, mark
from honours.pipeline import accounts
from honours.pipeline.rulebook_choice import FittingRulebook, few_fitting
from honours.rulebooks import ids, load


@as_command("show")
def command(
    paths: tuple[str, ...] = argument("FILE...", type=click.Path()),
    as_json: bool = option("A list of objects, one a file.", None, "--json"),
) -> None:
    """Say what a file is and what is in it.

    It is recognised by its content, never by its name.

    A folder stands for the files in it: those that cannot be read are named, with why.

    \b
    Example:
      honours show try/tuesday.csv
    """
    files = files_of(paths)
    if len(files) == 1 and not Path(paths[0]).is_dir():
        _print([_described(files[0])], as_json)
        return
    outcomes = each_file(files, _described)
    _print([told for _, told in outcomes.done], as_json)
    conclude(outcomes, mark("{done} read, {failed} not"))


def _described(path: str | Path) -> Contents:
    """Return what is in a file, and the rulebooks that fit each event, with why."""
    form, content = read(path)
    told = contents(path, form, content)
    if isinstance(content, MemberList):
        return told
    books = [load(name) for name in ids()]
    every = accounts(path, form, content)
    parts = ((*p, *_fits(few_fitting(a, books))) for p, a in zip(told.parts, every, strict=True))
    return replace(told, parts=tuple(parts))


def _fits(few: Sequence[FittingRulebook]) -> Iterator[tuple[Message, str]]:
    """The first rulebook with why; all of them where the file shows no federation."""
    if few and few[0].shown_by:
        why = Message("{id}: {why}", id=few[0].book.id, why=few[0].why)
        yield Message("rulebook"), why
    elif few:
        ids_of = ", ".join(fit.book.id for fit in few)
        yield (
            Message("rulebook"),
            Message("the file does not say; for this game: {ids}", ids=ids_of),
        )


def _print(every: list[Contents], as_json: bool) -> None:
    if as_json:
        say_json([_data(told) for told in every])
        return
    for told in every:
        say(joined(": ", (told.path, told.title)))
        if told.experimental:
            why = Message("experimental: {why}", why=told.experimental)
            say(joined("", ("  ", why)))
        for part in told.parts:
            for name, value in part:
                say(f"  {words(name, chosen_language()):<14} {words(value, chosen_language())}")


def _data(told: Contents) -> dict[str, object]:
    return {
        "path": told.path,
        "kind": told.kind,
        "title": told.title,
        "experimental": told.experimental or None,
        "contents": [[list(line) for line in part] for part in told.parts],
    }
