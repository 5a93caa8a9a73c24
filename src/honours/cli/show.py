"""`honours show`: what a file is and what is in it."""

from __future__ import annotations

from pathlib import Path

import click

from honours.cli.folders import conclude, each_file
from honours.cli.messages import chosen_language, say, say_json
from honours.formats.contents import Contents, describe
from honours.formats.folders import files_of
from honours.language import words
from honours.model.message import Message, joined, mark


@click.command("show")
@click.argument("paths", nargs=-1, required=True, metavar="FILE...", type=click.Path())
@click.option("--json", "as_json", is_flag=True, help="A list of objects, one a file.")
def command(paths: tuple[str, ...], as_json: bool) -> None:
    """Say what a file is and what is in it.

    It is recognised by its content, never by its name.

    A folder stands for the files in it: those that cannot be read are named, with why.

    \b
    Example:
      honours show try/tuesday.csv
    """
    files = files_of(paths)
    if len(files) == 1 and not Path(paths[0]).is_dir():
        _print([describe(files[0])], as_json)
        return
    outcomes = each_file(files, describe)
    _print([contents for _, contents in outcomes.done], as_json)
    conclude(outcomes, mark("{done} read, {failed} not"))


def _print(every: list[Contents], as_json: bool) -> None:
    if as_json:
        say_json([_data(contents) for contents in every])
        return
    for contents in every:
        say(joined(": ", (contents.path, contents.title)))
        if contents.experimental:
            why = Message("experimental: {why}", why=contents.experimental)
            say(joined("", ("  ", why)))
        for part in contents.parts:
            for name, value in part:
                say(f"  {words(name, chosen_language()):<14} {words(value, chosen_language())}")


def _data(contents: Contents) -> dict[str, object]:
    return {
        "path": contents.path,
        "kind": contents.kind,
        "title": contents.title,
        "experimental": contents.experimental or None,
        "contents": [[list(line) for line in part] for part in contents.parts],
    }
