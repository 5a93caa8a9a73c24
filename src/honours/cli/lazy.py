"""A click group that imports a command only when it is used, so that `--help` stays quick."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from importlib import import_module
from typing import IO, TYPE_CHECKING, Any, NamedTuple

import click

from honours.cli.messages import chosen_language
from honours.errors import Asked, HonoursError
from honours.language import words
from honours.model.message import Message

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


class CommandError(click.ClickException):
    """One of our errors on its way to the terminal: its message alone, exit code 2."""

    exit_code = 2

    def __init__(self, error: HonoursError) -> None:
        super().__init__(words(error.message, chosen_language()))
        self.line = words(Message("Error: {what}", what=error.message), chosen_language())

    def show(self, file: IO[Any] | None = None) -> None:
        click.echo(self.line, file=file or sys.stderr)


class CommandAsks(CommandError):
    """What must be said before anybody is paid, with what hangs on it: exit code 3."""

    exit_code = 3

    def __init__(self, error: Asked[Any]) -> None:
        from honours.cli.questions import asking

        super().__init__(error)
        self.line = asking(error.questions)


class CommandPlace(NamedTuple):
    """Where a command is found, and the line that `--help` shows without going there."""

    module: str
    help: str


class LazyGroup(click.Group):
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

    def lines(self) -> dict[str, str]:
        """What each command is for."""
        return {name: place.help for name, place in self.places.items()}

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(self.lines())

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in self.places:
            return None
        command = import_module(self.places[cmd_name].module).command
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl([*self.lines().items()])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        names = [
            CompletionItem(name, help=line)
            for name, line in self.lines().items()
            if name.startswith(incomplete)
        ]
        # Past click.Group, which would import every command to ask for its help.
        return names + super(click.Group, self).shell_complete(ctx, incomplete)
