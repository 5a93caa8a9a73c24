"""`honours demo`: the main job on a bundled example, from results to an explained award."""

from __future__ import annotations

from dataclasses import replace
from importlib.resources import as_file
from pathlib import Path

import click

from honours.cli.declared import as_command, option
from honours.cli.messages import chosen_language, say
from honours.cli.options import command_name
from honours.cli.trust import trust_folder
from honours.demo import CLUB_NIGHT, FILES, RULEBOOK, file
from honours.engine.exact.explanation import render_explanation
from honours.errors import InputError
from honours.language import words
from honours.model import Source
from honours.model.message import Message
from honours.pipeline import inquired, ranked, read_account
from honours.reports.awards import event_text
from honours.reports.standings import scored_text
from honours.rulebooks import load


@as_command("demo")
def command(
    folder: str | None = option(
        "Put the files that all examples use into a folder, to try things on.",
        "DIR",
        "--write",
        type=click.Path(file_okay=False),
    ),
) -> None:
    """Score a bundled club night and award it, with the reasons.

    The examples in the help of every command run as they stand beside the folder that --write try
    makes: a club night, go and standings, members, a season, a rulebook of your own.

    \b
    Examples:
      honours demo
      honours demo --write try
    """
    if folder:
        _write(folder)
    else:
        _show()


def _write(folder: str) -> None:

    target = Path(folder)
    there = [name for name in FILES if (target / name).exists()]
    if there:
        raise InputError(
            "{target} already exists, so nothing was written; name another folder",
            target=target / there[0],
        )
    for name in FILES:
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        (target / name).write_bytes(file(name).read_bytes())
    trust_folder(target / "rulebooks")
    tops = list(dict.fromkeys(name.partition("/")[0] for name in FILES))
    written = Message(
        "wrote {count} files into {folder}: {names}",
        count=len(FILES),
        folder=target,
        names=tuple(tops),
    )
    say(written)
    say(
        Message(
            "rulebooks in this folder will run without asking you: {folder}",
            folder=target / "rulebooks",
        )
    )


def _show() -> None:

    with as_file(file(CLUB_NIGHT)) as path:
        report = inquired(ranked(read_account(path)), load(RULEBOOK), {}, as_usual=True)
    assert report.scored is not None
    # The commands it proposes are for the copy that `demo --write try` makes.
    event = replace(report.scored.event, source=Source(f"try/{CLUB_NIGHT}"))
    scored = replace(report.scored, event=event)
    assert report.book is not None
    assert report.awards is not None
    winner = report.awards.lists[0].schedule[0]
    language = chosen_language()
    _part(Message("1. A results file, scored"), scored_text(scored, (), language))
    _part(
        Message("2. What the Scottish Bridge Union's guide for clubs awards for it"),
        event_text(report.book, report.awards, None, language),
    )
    why = Message(
        "3. Why {pair} get {points}", pair=winner.standing.entrant.title, points=winner.shown
    )
    _part(why, render_explanation(winner.why, language))
    _part(Message("4. Go on"), "\n".join(_next_line(*line) for line in _NEXT))


def _part(title: Message, text: str) -> None:
    heading = click.style(words(title, chosen_language()), bold=True)
    say(f"{heading}\n\n{text}\n")


def _next_line(command: str, about: str) -> str:
    line = f"{command_name()} {command}"
    return f"  {line:<{len(command_name()) + 31}} {words(about, chosen_language())}".rstrip()


_NEXT = (
    ("demo --write try", Message("put this event and others into the folder try")),
    ('score try/tuesday.csv --explain "board 20"', ""),
    ("award try/tuesday.csv --rulebook sbu-clubs-2016 --as-usual --explain 11", ""),
    ("rulebooks", Message("which rulebooks there are")),
    ("calc sbu-clubs-2016 kind=pairs winners=1 pairs=18 --explain", ""),
    ("serve", Message("the same in the browser")),
)
