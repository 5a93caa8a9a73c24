"""The groups of commands: imported when used, so that `--help` stays quick, helpful where a command
is mistyped, completed by the shell, and ended by one rule.

The exit code is 0 where what was asked was done; 1 where it was looked at and is not so, or for a
good reason nothing was done; 2 where the command, a file or the machine is at fault; 3 where
something must be said first; 130 where somebody pressed Ctrl-C.
"""

from __future__ import annotations

import errno
import os
import sys
import tomllib
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NamedTuple, NoReturn

import click

from honours.cli.messages import chosen_language, say
from honours.errors import Asked, HonoursError
from honours.language import words
from honours.model.message import Message

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

NOTHING_DONE, WRONG, ASKED, INTERRUPTED, PIPE_CLOSED = 1, 2, 3, 130, 141


class CommandError(click.ClickException):
    """One of our errors on its way to the terminal: its message alone."""

    exit_code = WRONG

    def __init__(self, error: HonoursError) -> None:
        super().__init__(words(error.message, chosen_language()))
        self.line = words(Message("Error: {what}", what=error.message), chosen_language())

    def show(self, file: IO[Any] | None = None) -> None:
        click.echo(self.line, file=file or sys.stderr)


class CommandAsks(CommandError):
    """A question to answer before anybody is paid, with what hangs on it."""

    exit_code = ASKED

    def __init__(self, error: Asked[Any]) -> None:
        from honours.cli.questions import asking

        super().__init__(error)
        self.line = asking(error.questions)


class Completed(click.ParamType[str]):
    """A word that the shell completes with what this machine has: rulebooks, members."""

    def __init__(self, name: str) -> None:
        self.name = name

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        del param
        named = _rulebooks() if self.name == "rulebook" else _members(ctx, incomplete)
        return [
            CompletionItem(word, help=about)
            for word, about in named.items()
            if word.casefold().startswith(incomplete.casefold())
        ]


class CorpusFolder(click.Path):
    """The folder of a corpus, which the shell completes with those there are."""

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        from honours.lab.corpus import MANIFEST

        folders = (one.parent for one in Path().glob(f"{incomplete}*/**/{MANIFEST}"))
        found = [CompletionItem(str(one)) for one in folders]
        return found or super().shell_complete(ctx, param, incomplete)


RULEBOOK, MEMBER, CORPUS = Completed("rulebook"), Completed("member"), CorpusFolder()
_KINDS: dict[str | None, click.ParamType[Any]] = {
    "rulebook": RULEBOOK,
    "member": MEMBER,
    "into": MEMBER,
    "after": MEMBER,
    "corpus": CORPUS,
}


def _rulebooks() -> dict[str, str]:
    from honours.rulebooks import ids

    return dict.fromkeys(ids(), "")


def _members(ctx: click.Context, incomplete: str) -> dict[str, str]:
    """Numbers and names of the ledger that the command is about; nothing where there is none."""
    from honours.ledger import members
    from honours.ledger.store import open_ledger

    where = ctx.params.get("ledger") or os.environ.get("HONOURS_LEDGER") or "honours.db"
    try:
        with open_ledger(where).reading() as connection:
            listed = members.beginning(connection, incomplete.split(), 50)
    except HonoursError:
        return {}
    by_number = {one.number: str(one.title) for one in listed if one.number}
    return by_number | {str(one.title): one.number for one in listed}


def completing(command: click.Command) -> click.Command:
    """The command, whose rulebooks and members the shell completes."""
    for one in command.params:
        if one.name in _KINDS and one.type is click.STRING:
            one.type = _KINDS[one.name]
    return command


class CommandPlace(NamedTuple):
    """The place where a command is found, ``module`` or ``module:name``, and the line that `--help`
    shows without going there."""

    module: str
    help: str


def declared_places(group: str) -> dict[str, CommandPlace]:
    """The commands of a group, as ``commands.toml`` declares them."""
    declared = tomllib.loads(Path(__file__).with_name("commands.toml").read_text(encoding="utf-8"))
    return {
        name: CommandPlace(f"honours.cli.{module}", line)
        for name, (module, line) in declared[group].items()
    }


class CommandGroup(click.Group):
    """A group that knows what somebody means who mistypes one of its commands."""

    def lines(self) -> dict[str, str]:
        """Return what each command is for."""
        return {name: one.get_short_help_str(200) for name, one in self.commands.items()}

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        command = super().get_command(ctx, cmd_name)
        return completing(command) if command else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = str(args[0])
        if self.get_command(ctx, name) is None and not ctx.resilient_parsing and name[:1] != "-":
            raise click.UsageError(words(self._meant(ctx, name), chosen_language()), ctx)
        return super().resolve_command(ctx, args)

    def _meant(self, ctx: click.Context, name: str) -> Message:
        """There is no such command: the nearest one, or the group it is in."""
        from difflib import get_close_matches

        known = {name: name for name in self.lines()}
        for group in (one for one in self.commands.values() if isinstance(one, click.Group)):
            known |= {inner: f"{group.name} {inner}" for inner in group.commands}
        near = tuple(
            f"{ctx.command_path} {known[one]}" for one in get_close_matches(name, known, 2)
        )
        if not near:
            return Message("No such command {name!r}.", name=name)
        return Message("No such command {name!r}. Did you mean {near}?", name=name, near=near)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl([*self.lines().items()])


class LazyGroup(CommandGroup):
    """A group whose commands are a table from name to CommandPlace."""

    def __init__(self, *args: Any, places: Mapping[str, CommandPlace], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.places = places

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except Asked as error:
            raise CommandAsks(error) from error
        except HonoursError as error:
            raise CommandError(error) from error

    def main(self, *args: Any, standalone_mode: bool = True, **extra: Any) -> Any:
        """Run, and end by the rule above."""
        main: Any = super().main
        if not standalone_mode:
            return main(*args, standalone_mode=False, **extra)
        try:
            code = main(*args, standalone_mode=False, **extra)
            sys.stdout.flush()
        except click.ClickException as error:
            error.show()
            sys.exit(error.exit_code)
        except click.Abort as error:
            _end_aborted(error)
        except OSError as error:
            _end_unwritten(error)
        sys.exit(code if isinstance(code, int) else 0)

    def lines(self) -> dict[str, str]:
        """Return what each command is for."""
        return {name: place.help for name, place in self.places.items()}

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(self.lines())

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in self.places:
            return None
        module, _, name = self.places[cmd_name].module.partition(":")
        command = getattr(import_module(module), name or "command")
        assert isinstance(command, click.Command)
        return completing(command)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        names = [
            CompletionItem(name, help=line)
            for name, line in self.lines().items()
            if name.startswith(incomplete)
        ]
        # Past click.Group, which would import every command to ask for its help.
        return names + super(click.Group, self).shell_complete(ctx, incomplete)


def _end_aborted(error: click.Abort) -> NoReturn:
    """After Ctrl-C, or an answer that was no."""
    if isinstance(error.__cause__ or error.__context__, KeyboardInterrupt):
        say(Message("interrupted"), err=True)
        sys.exit(INTERRUPTED)
    say(Message("nothing was done"), err=True)
    sys.exit(NOTHING_DONE)


def _end_unwritten(error: OSError) -> NoReturn:
    """End where the answer cannot be written: whoever read it went away, or a disk is full."""
    if error.errno not in (errno.EPIPE, errno.ENOSPC, errno.EIO):
        raise error
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # or Python complains of it once more at its end
    if error.errno == errno.EPIPE:
        sys.exit(PIPE_CLOSED)
    why = error.strerror or ""
    say(Message("Error: the answer could not be written: {why}", why=why), err=True)
    sys.exit(WRONG)
