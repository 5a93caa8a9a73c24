"""The honours command: a thin layer that calls what a user of the library calls.

A command is a module beside this one that exposes `command`, and a line in commands.toml.
"""

import os
import sys

import click

from honours import __version__, rings
from honours.cli.lazy import LazyGroup, declared_places
from honours.cli.messages import VARIABLE, keep_language, say, say_what_is_logged
from honours.language import DEFAULT, LANGUAGES
from honours.model.message import Message, mark

COMMANDS = declared_places("commands")


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
