"""The command group: quick to start, and complete without importing its commands."""

import subprocess
import sys

import click
import pytest
from click.shell_completion import ShellComplete
from click.testing import CliRunner

from honours import __version__
from honours.cli import COMMANDS, cli

HEAVY = {"numba", "numpy", "rich", "importlib.resources", "honours.model.event"}


def test_help_imports_nothing_heavy_and_no_command() -> None:
    script = (
        "import sys; from honours.cli import cli; cli(['--help'], standalone_mode=False);"
        "print(*sys.modules, file=sys.stderr)"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    loaded = set(run.stderr.split())
    assert not loaded & (HEAVY | {place.module for place in COMMANDS.values()})
    for name, place in COMMANDS.items():
        assert name in run.stdout
        assert place.help.split()[0] in run.stdout


@pytest.mark.parametrize("name", COMMANDS)
def test_the_line_in_the_table_is_the_commands_own(name: str) -> None:
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    assert command.name == name
    assert command.get_short_help_str(limit=200) == COMMANDS[name].help


def test_version() -> None:
    result = CliRunner().invoke(cli, ["--version"])
    assert result.output == f"honours {__version__}\n"


def test_an_unknown_command_is_an_error() -> None:
    result = CliRunner().invoke(cli, ["nonsense"])
    assert result.exit_code == 2
    assert "No such command 'nonsense'" in result.output


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_prints_a_script_for_the_shell(shell: str) -> None:
    result = CliRunner().invoke(cli, ["completion", shell])
    assert result.exit_code == 0
    assert f"_HONOURS_COMPLETE={shell}_complete" in result.output


def test_completion_offers_commands_and_their_arguments() -> None:
    shell = ShellComplete(cli, {}, "honours", "_HONOURS_COMPLETE")
    assert "completion" in [item.value for item in shell.get_completions([], "comp")]
    assert [item.value for item in shell.get_completions(["completion"], "z")] == ["zsh"]
