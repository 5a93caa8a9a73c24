"""The command group: quick to start, and complete without importing its commands."""

import os
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.shell_completion import ShellComplete
from click.testing import CliRunner

from honours import __version__
from honours.cli import COMMANDS, cli
from honours.ledger import members
from honours.ledger.store import create_ledger
from tests.support import cases

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


@cases
def test_a_mistyped_command_is_told_the_one_that_is_meant(typed: list[str], meant: str) -> None:
    result = CliRunner().invoke(cli, typed, prog_name="honours")
    assert result.exit_code == 2
    assert f"No such command {typed[-1]!r}." in result.output
    assert (f"Did you mean {meant}" in result.output) is bool(meant)


def test_h_is_help_at_every_depth() -> None:
    for path in ([], ["ledger"], ["ledger", "members"], ["ledger", "members", "merge"]):
        result = CliRunner().invoke(cli, [*path, "-h"])
        assert (result.exit_code, "Usage:" in result.output) == (0, True)


def test_ctrl_c_ends_with_130_and_no_with_1(monkeypatch: pytest.MonkeyPatch) -> None:
    def pressed(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("honours.cli.rulebooks.say_table", pressed)
    assert CliRunner().invoke(cli, ["rulebooks"]).exit_code == 130
    monkeypatch.setattr("honours.cli.rulebooks.say_table", lambda *_: click.confirm("", abort=True))
    assert CliRunner().invoke(cli, ["rulebooks"], input="n\n").exit_code == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a disk that is full")
def test_an_answer_that_cannot_be_written_is_an_error_of_one_line() -> None:
    with open("/dev/full", "w") as full:
        command = [sys.executable, "-m", "honours", "rulebooks"]
        run = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert run.returncode == 2
    assert len(run.stderr.splitlines()) == 1


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish", "powershell"])
def test_completion_prints_a_script_for_the_shell(shell: str) -> None:
    result = CliRunner().invoke(cli, ["completion", shell])
    assert result.exit_code == 0
    assert "_HONOURS_COMPLETE" in result.output
    assert f"{shell}_complete" in result.output


def test_completion_offers_commands_and_their_arguments() -> None:
    shell = ShellComplete(cli, {}, "honours", "_HONOURS_COMPLETE")
    assert "completion" in [item.value for item in shell.get_completions([], "comp")]
    assert [item.value for item in shell.get_completions(["completion"], "z")] == ["zsh"]


def test_completion_offers_rulebooks_members_and_corpora(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    shell = ShellComplete(cli, {}, "honours", "_HONOURS_COMPLETE")

    def offered(*typed: str) -> set[str]:
        return {item.value for item in shell.get_completions([*typed[:-1]], typed[-1])}

    assert offered("award", "x.csv", "--rulebook", "sbu-clubs-2016") == {"sbu-clubs-2016"}
    assert offered("calc", "aga") == {"aga-category"}
    assert offered("ledger", "statement", "4") == set()
    with create_ledger("honours.db").writing(by="x") as connection:
        members.add(connection, "Ann Ash", "4001")
    assert offered("ledger", "statement", "4") == {"4001"}
    assert offered("ledger", "members", "merge", "4001", "ann") == {"Ann Ash"}
    Path("year-2017").mkdir()
    Path("year-2017/corpus.json").write_text("{}", encoding="utf-8")
    Path("yet another").mkdir()
    assert offered("lab", "compare", "ye") == {"year-2017"}
    assert "sbu-clubs-2016" in offered("lab", "compare", "year-2017", "sbu")


def test_powershell_completes() -> None:
    words = {"COMP_WORDS": "honours ledger mem", "COMP_WORD": "mem"}
    run = subprocess.run(
        [sys.executable, "-m", "honours"],
        env={**os.environ, **words, "_HONOURS_COMPLETE": "powershell_complete"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.startswith("members\t")
