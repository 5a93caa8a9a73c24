"""`honours rule`: corrections, rulings and penalties, kept in a file beside the results."""

from __future__ import annotations

from typing import Any

import click

from honours.cli.messages import say
from honours.cli.options import pairs
from honours.cli.scoring_options import score_as_chosen, scoring_options
from honours.formats.go import GoTournament, change_tournament
from honours.formats.rulings import (
    ASKED,
    NOTES,
    RulingField,
    RulingKind,
    add_ruling,
    dated,
    final_words,
    read_ruling,
    rulings_path,
    undo_ruling,
)
from honours.model.message import Message
from honours.pipeline import read_account
from honours.scoring.checks import problems_of
from honours.scoring.rulings import change


@click.group("rule")
@click.argument("file", type=click.Path(exists=True, dir_okay=False))
@click.pass_context
def command(context: click.Context, file: str) -> None:
    """Correct and rule on results.

    FILE itself is never changed. Rulings are kept in FILE.rulings.toml, each with who made it,
    when, why and the law, and `honours score FILE` applies them.

    \b
    Example:
      honours rule try/tuesday.csv fouled 7 --pairs 3,12 --by "A. Director" --why "hands misboarded"
      honours rule try/tuesday.csv correct 5 --pair 2 --tricks -1 --by "A. Scorer"
    """
    context.obj = file


def record(file: str, kind: str, words: dict[str, Any]) -> None:
    """Add the ruling if it can be applied to the event as ruled so far."""
    ruling = dated({**words, "kind": kind})
    account, what = read_account(file), read_ruling(ruling).what
    if isinstance(account.content, GoTournament):
        change_tournament(account.content, what)
        new = []
    else:
        old = {str(problem) for problem in problems_of(account.event)}
        after = problems_of(change(account.event, what))
        new = [problem.message for problem in after if str(problem) not in old]
    recorded = add_ruling(file, ruling)
    say(Message("{kind}: recorded in {file}", kind=kind, file=recorded))
    if new:
        say(Message("as it stands the event cannot be scored:"), err=True)
        for problem in new:
            say(problem, err=True)
        say(Message("correct the other faults too, or undo the ruling"), err=True)


def parameter(field: RulingField) -> click.Parameter:
    """Return what a ruling asks, as an argument or an option of its command."""
    if field.argument:
        many = field.type == "many" and field.name == "players"
        return click.Argument(
            [field.name], type=_type(field), nargs=-1 if many else 1, required=True
        )
    name = f"--{field.name.replace('_', '-')}"
    # What may be said is shown as it is, what explains it as a sentence.
    explained = f"{field.label}: {field.about}" if field.about else str(field.label)
    text = f"{explained[:1].upper()}{explained[1:]}."
    if field.type == "yes":
        return click.Option([name], is_flag=True, help=text)
    if field.type == "yes or no":
        return click.Option([f"{name}/--not-{field.name}"], default=None, help=text)
    return click.Option(
        [name],
        type=_type(field),
        default=field.usual or None,
        show_default=bool(field.usual),
        required=field.required,
        multiple=field.type == "pairs",
        metavar="PAIR=WORD" if field.type == "pairs" else None,
        help=text,
    )


def _type(field: RulingField) -> click.ParamType[Any]:
    if field.words:
        return click.Choice(field.words, case_sensitive=False)
    return click.INT if field.type == "number" else click.STRING


def _words(declared: RulingKind, given: dict[str, Any]) -> dict[str, Any]:
    """Return what a command was given, as the words of a ruling."""
    words = dict(given)
    for field in declared.fields:
        value = given[field.name]
        if field.type == "many":
            parts = value if isinstance(value, tuple) else (value or "").split(",")
            words[field.name] = [part.strip() for part in parts if part.strip()]
        elif field.type == "pairs":
            words[field.name] = pairs(value)
        elif field.type == "yes or no":
            words[field.name] = {True: "yes", False: "no", None: ""}[value]
    return words


def _ruling_command(declared: RulingKind) -> click.Command:
    """The command of a kind of ruling."""

    @click.pass_obj
    def rule(file: str, /, **given: Any) -> None:
        record(file, declared.kind, _words(declared, given))

    file = "tuesday.csv" if "bridge" in declared.games else "go-open.txt"
    example = f"\b\nExample:\n  honours rule try/{file} {declared.example}"
    return click.Command(
        declared.kind,
        params=[parameter(field) for field in (*declared.fields, *NOTES)],
        callback=rule,
        help=f"{declared.about}\n\n{example}",
        short_help=str(declared.title),
    )


for _declared in ASKED.values():
    command.add_command(_ruling_command(_declared))


@command.command()
@scoring_options
@click.pass_obj
def final(file: str, /, **words: Any) -> None:
    """Make the standings final as they are; what changes later is shown as amended.

    How they are scored is recorded with them: give the options that you give `honours score`.

    \b
    Example:
      honours rule try/tuesday.csv final --by "A. Scorer"
    """
    scored = score_as_chosen(read_account(file).event, words)
    notes = {field.name: words[field.name] for field in NOTES}
    record(file, "final", {**notes, **final_words(scored)})


final.params.extend(parameter(field) for field in NOTES)


@command.command("list")
@click.pass_obj
def list_(file: str, /) -> None:
    """Show the rulings made.

    \b
    Example:
      honours rule try/tuesday.csv list
    """
    path = rulings_path(file)
    if path.exists():
        say(path.read_text(encoding="utf-8"), nl=False)
    else:
        say(Message("{file}: no rulings", file=path))


@command.command()
@click.argument("number", type=click.IntRange(1), required=False)
@click.pass_obj
def undo(file: str, /, number: int | None) -> None:
    """Take a ruling out again: the last, or the one of this NUMBER in the list.

    \b
    Example:
      honours rule try/tuesday.csv undo
    """
    say(Message("taken out:\n{ruling}", ruling=undo_ruling(file, number or 0)))
