"""The honours command: a thin layer that calls what a user of the library calls.

A command is a module beside this one that exposes `command`, and a line in COMMANDS.
"""

import os
import sys

import click

from honours import __version__, rings
from honours.cli.lazy import CommandPlace, LazyGroup
from honours.cli.messages import VARIABLE, keep_language, say, say_what_is_logged
from honours.language import DEFAULT, LANGUAGES
from honours.model.message import Message, mark

# In the order `honours --help` shows them.
COMMANDS = {
    "demo": CommandPlace(
        "honours.cli.demo", "Score a bundled club night and award it, with the reasons."
    ),
    "show": CommandPlace("honours.cli.show", "Say what a file is and what is in it."),
    "score": CommandPlace("honours.cli.score", "Score a file of results and rank the entrants."),
    "rule": CommandPlace("honours.cli.rule", "Correct and rule on results."),
    "movement": CommandPlace(
        "honours.cli.movement", "Compare the movements for an evening, or print one."
    ),
    "calc": CommandPlace("honours.cli.calc", "Work out awards from bare figures."),
    "award": CommandPlace(
        "honours.cli.award",
        "Award the entrants of a file: standings, or results, which are scored first.",
    ),
    "watch": CommandPlace(
        "honours.cli.watch", "Score and award a file again whenever it grows, during play."
    ),
    "bridgemates": CommandPlace(
        "honours.cli.bridgemates",
        "Start the Bridgemates of an evening and take in what is entered at them.",
    ),
    "convert": CommandPlace(
        "honours.cli.convert",
        "Write a file as one of another kind, with awards if a rulebook is named.",
    ),
    "submit": CommandPlace(
        "honours.cli.submit",
        "Write an event as a receiver takes it; nothing is sent over a network.",
    ),
    "site": CommandPlace(
        "honours.cli.site",
        "Make a results site of plain files: standings, scorecards, boards, awards with reasons.",
    ),
    "pdf": CommandPlace(
        "honours.cli.pdf",
        "Make a PDF: a results sheet, scorecards, certificates, awards, one explained.",
    ),
    "ledger": CommandPlace("honours.cli.ledger", "Keep a ledger of members and points."),
    "season": CommandPlace("honours.cli.season", "Work out the club's competitions over a year."),
    "serve": CommandPlace(
        "honours.cli.serve", "Score, award and calculate in the browser, on this machine."
    ),
    "browser": CommandPlace(
        "honours.cli.browser", "Write the edition that runs in a browser: files for any web space."
    ),
    "accounts": CommandPlace(
        "honours.cli.accounts",
        "List, add and change the accounts of a server, and the roles they may have.",
    ),
    "rulebooks": CommandPlace("honours.cli.rulebooks", "List the rulebooks."),
    "rulebook": CommandPlace("honours.cli.rulebook", "Show a rulebook, check one, or begin one."),
    "conform": CommandPlace(
        "honours.cli.conform", "Compare every figure the sources print with ours."
    ),
    "certify": CommandPlace(
        "honours.cli.certify", "Write made-up events with the right awards, for other programs."
    ),
    "lab": CommandPlace(
        "honours.cli.lab", "Ask what a change of the rules would do, before anyone votes."
    ),
    "study": CommandPlace("honours.cli.study", "Do a source's study again."),
    "completion": CommandPlace(
        "honours.cli.completion",
        "Print the completion script for a shell: of commands, options, rulebooks, members, "
        "corpora.",
    ),
}


@click.group(
    cls=LazyGroup, places=COMMANDS, context_settings={"help_option_names": ["-h", "--help"]}
)
@click.version_option(__version__, prog_name="honours", message="%(prog)s %(version)s")
@click.option(
    "--language",
    type=click.Choice([*LANGUAGES]),
    default=DEFAULT,
    envvar=VARIABLE,
    show_envvar=True,
    expose_value=False,
    callback=keep_language,
    help="The language of the output of any command.",
)
def cli() -> None:
    """Score an event, award a federation's points, and see why.

    All examples run as they stand, once `honours demo --write try` has made the folder try.

    \b
    Examples:
      honours demo
      honours demo --write try
      honours calc sbu-clubs-2016 kind=pairs winners=1 pairs=18 --explain
      honours score try/tuesday.csv
    """
    say_what_is_logged()


def main() -> None:
    """Run the command line under its own name, however it was started.

    The lab shares the cores out itself and its matrices are small: threads that NumPy's linear
    algebra begins beside it would only wait, and a comparison would take a third more CPU time.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if os.environ.get("_HONOURS_COMPLETE", "").startswith("powershell"):
        import honours.cli.completion  # noqa: F401 (which declares it)
    if "HONOURS_SET_UP" in os.environ:
        rings.on_demand = _add_ring
    cli(prog_name="honours")


def _add_ring(module: str) -> None:
    """In a clone, what a command needs and is not there yet is added to its environment."""
    import subprocess

    ring = rings.ring_of(module)
    more = rings.RINGS[ring]
    text = mark("{what}: installing it now, this once (about {megabytes} MB)")
    say(Message(text, what=more.what, megabytes=more.megabytes), err=True)
    script = os.environ["HONOURS_SET_UP"]
    if subprocess.run([sys.executable, "-I", script, "--set-up", ring], check=False).returncode:
        sys.exit(2)
