"""`honours rule`: corrections, rulings and penalties, kept in a file beside the results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from honours.cli.scoring_options import score_as_chosen, scoring_options

F = TypeVar("F", bound=Callable[..., Any])


def noted(function: F) -> F:
    """Who rules, when, why and by which law: what every ruling records."""
    for option in (
        click.option("--law", default="", help="The law or regulation it rests on."),
        click.option("--why", default="", help="The reason."),
        click.option("--when", default="", metavar="TIME", help="Now, unless said otherwise."),
        click.option("--by", required=True, help="Who rules."),
    ):
        function = option(function)
    return function


def placed(function: F) -> F:
    """Which line of a board: one of its pairs, and the section or session in doubt."""
    for option in (
        click.option("--session", type=int, default=0, help="Where a board is in several."),
        click.option("--section", default="", help="Where a board is in several."),
        click.option("--pair", required=True, help="Either pair at the table."),
        click.argument("board", type=int),
    ):
        function = option(function)
    return function


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
    from honours.formats.ruling_words import dated, read_ruling
    from honours.formats.rulings import add_ruling
    from honours.pipeline import read_account
    from honours.scoring.checks import problems_of
    from honours.scoring.rulings import change

    told = dated({**words, "kind": kind})
    before = read_account(file).event
    after = change(before, read_ruling(told).what)
    click.echo(f"{kind}: recorded in {add_ruling(file, told)}")
    old = {str(problem) for problem in problems_of(before)}
    new = [text for text in map(str, problems_of(after)) if text not in old]
    if new:
        told_now = "\n".join(["as it stands the event cannot be scored:", *new])
        click.echo(f"{told_now}\nrule on what else is wrong, or take it out: undo", err=True)


@command.command()
@placed
@click.option("--contract", help="4S, 3NTx, pass; may carry declarer and result: 4SN=.")
@click.option("--declarer", help="N, E, S or W.")
@click.option("--tricks", help="=, +1, -2, their number, or NP for not played.")
@click.option("--score", help="North-South's score, where there is no contract.")
@click.option("--to-board", type=int, help="The board it really was.")
@click.option("--ns", help="The pair that really sat North-South.")
@click.option("--ew", help="The pair that really sat East-West.")
@click.option("--turned", is_flag=True, help="The pairs sat the other way round.")
@noted
@click.pass_obj
def correct(file: str, /, **words: Any) -> None:
    """Put a line right.

    \b
    Example:
      honours rule try/tuesday.csv correct 5 --pair 2 --contract 4SN= --by "A. Scorer"
    """
    record(file, "correct", words)


@command.command()
@click.argument("pair")
@click.argument("players", nargs=-1, required=True)
@click.option("--numbers", default="", help="Their member numbers, with commas.")
@noted
@click.pass_obj
def name(file: str, /, players: tuple[str, ...], numbers: str, **words: Any) -> None:
    """Say who a pair is.

    \b
    Example:
      honours rule try/tuesday.csv name 3 "Ann Ash" "Bob Birch" --by "A. Scorer"
    """
    record(file, "name", {**words, "players": list(players), "numbers": split(numbers)})


@command.command()
@click.argument("pair")
@click.argument("absent")
@click.argument("player")
@click.option("--number", default="", help="The substitute's member number.")
@noted
@click.pass_obj
def substitute(file: str, /, **words: Any) -> None:
    """Name who played instead of an absent player.

    \b
    Example:
      honours rule try/tuesday.csv substitute 3 "Ann Ash" "Eve Elm" --by "A. Director"
    """
    record(file, "substitute", words)


@command.command()
@click.argument("pair")
@noted
@click.pass_obj
def phantom(file: str, /, **words: Any) -> None:
    """Say that a pair was not there: its lines go, and it is not ranked.

    \b
    Example:
      honours rule try/tuesday.csv phantom 12 --by "A. Scorer"
    """
    record(file, "phantom", words)


@command.command()
@click.argument("board", type=int)
@click.option("--pairs", required=True, help="Who met the other version, with commas.")
@click.option("--version", default="fouled", show_default=True, help="Its name.")
@click.option(
    "--fault", multiple=True, metavar="PAIR=yes|partly|no", help="Where one table met it."
)
@click.option("--section", default="", help="Where a board is in several.")
@click.option("--session", type=int, default=0, help="Where a board is in several.")
@noted
@click.pass_obj
def fouled(file: str, /, pairs: str, fault: tuple[str, ...], **words: Any) -> None:
    """Say that some pairs met a board in another version.

    \b
    Example:
      honours rule try/tuesday.csv fouled 7 --pairs 3,12 --by "A. Director" --why "hands misboarded"
    """
    from honours.cli.options import pairs as key_values

    record(file, "fouled", {**words, "pairs": split(pairs), "fault": key_values(fault)})


@command.command()
@placed
@click.option(
    "--score", default="", help="For both sides: 60-40, ave+/ave-, '60% 4SN=, 40% 4SN-1'."
)
@click.option("--ns", default="", help="For North-South; otherwise their result stands.")
@click.option("--ew", default="", help="For East-West; otherwise their result stands.")
@noted
@click.pass_obj
def adjust(file: str, /, **words: Any) -> None:
    """Give a line an adjusted score.

    \b
    Example:
      honours rule try/tuesday.csv adjust 9 --pair 3 --ns ave+ --ew ave- \\
          --by "A. Director" --law 12C2
    """
    record(file, "adjust", words)


@command.command()
@click.argument("pair")
@click.argument("amount")
@click.option(
    "--unit",
    type=click.Choice(["matchpoints", "percent", "imps", "vps"]),
    default="percent",
    show_default=True,
    help="A percentage is of a board's top.",
)
@click.option("--session", type=int, default=0, help="The first, unless said otherwise.")
@noted
@click.pass_obj
def penalty(file: str, /, **words: Any) -> None:
    """Take points from a pair.

    \b
    Example:
      honours rule try/tuesday.csv penalty 3 10 --by "A. Director" --why "late" --law 90
    """
    record(file, "penalty", words)


@command.command()
@scoring_options
@noted
@click.pass_obj
def final(file: str, /, **words: Any) -> None:
    """Make the standings final as they are; what changes later is shown as amended.

    How they are scored is recorded with them: give the options that you give `honours score`.

    \b
    Example:
      honours rule try/tuesday.csv final --by "A. Scorer"
    """
    from honours.formats.ruling_words import NOTES, final_words
    from honours.pipeline import read_account

    scored = score_as_chosen(read_account(file).event, words)
    notes = {name: words[name] for name in NOTES if name in words}
    record(file, "final", {**notes, **final_words(scored)})


@command.command()
@click.argument("winners", type=click.IntRange(1, 2))
@noted
@click.pass_obj
def winners(file: str, /, **words: Any) -> None:
    """Confirm that there are one or two winners.

    \b
    Example:
      honours rule try/tuesday.csv winners 2 --by "A. Scorer"
    """
    record(file, "winners", words)


@command.command()
@click.option("--type", type=click.Choice(["pairs", "individual", "teams"]), help="Who competes.")
@click.option("--scoring", help="matchpoints, cross-imps, butler, imps or board-a-match.")
@click.option("--swiss/--not-swiss", default=None, help="Whether every round is a match.")
@noted
@click.pass_obj
def event(file: str, /, **words: Any) -> None:
    """Say what kind of event it was, where the file does not.

    \b
    Example:
      honours rule try/tuesday.csv event --type pairs --scoring cross-imps --by "A. Scorer"
    """
    said = {True: "yes", False: "no", None: ""}[words["swiss"]]
    record(file, "event", {**words, "swiss": said})


@command.command()
@click.argument("pairs")
@click.option("--stratum", default="", help="Their own stratum, or flight.")
@click.option("--handicap", default="", help="What is added to their score in the second list.")
@click.option("--carried", default="", help="Points carried over from an earlier stage.")
@noted
@click.pass_obj
def entrants(file: str, /, pairs: str, **words: Any) -> None:
    """Say what is known of pairs beforehand: stratum, handicap, carry-over.

    \b
    Example:
      honours rule try/tuesday.csv entrants 3,4,9 --stratum B --handicap 2.5 --by "A. Scorer"
    """
    record(file, "entrants", {**words, "pairs": split(pairs)})


@command.command("list")
@click.pass_obj
def list_(file: str, /) -> None:
    """Show the rulings made.

    \b
    Example:
      honours rule try/tuesday.csv list
    """
    from honours.formats.rulings import rulings_path

    path = rulings_path(file)
    text = path.read_text(encoding="utf-8") if path.exists() else f"{path}: no rulings\n"
    click.echo(text, nl=False)


@command.command()
@click.pass_obj
def undo(file: str, /) -> None:
    """Take the last ruling out again.

    \b
    Example:
      honours rule try/tuesday.csv undo
    """
    from honours.formats.rulings import undo_ruling

    click.echo(f"taken out:\n{undo_ruling(file)}")


def split(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]
