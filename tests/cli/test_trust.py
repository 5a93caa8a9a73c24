"""A rulebook is a program: its content is asked about once, and scripts say so."""

from __future__ import annotations

import py_compile
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from honours.cli import cli
from honours.errors import InputError
from honours.rulebooks import load
from honours.rulebooks.trust import EVERYTHING, hash_of, is_trusted
from tests.support import ROOT


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of rulebooks nobody has trusted yet."""
    monkeypatch.delenv(EVERYTHING)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    shutil.copytree(ROOT / "examples" / "rulebooks", tmp_path / "rulebooks")
    return tmp_path / "rulebooks"


def calc(folder: Path, *more: str, answer: str | None = None) -> Result:
    arguments = ["calc", "village-cup", "pairs=10", "--rulebooks", str(folder), *more]
    return CliRunner().invoke(cli, arguments, input=answer)


def test_a_script_must_say_so_once(folder: Path) -> None:
    (folder / "village_cup" / "rules.py").write_text("raise SystemExit('it ran')")
    refused = calc(folder)
    assert refused.exit_code == 2
    assert "not trusted yet" in refused.output
    assert "--trust" in refused.output
    assert "it ran" not in refused.output


def test_it_is_remembered(folder: Path) -> None:
    assert calc(folder, "--trust").exit_code == 0
    assert calc(folder).exit_code == 0
    assert (
        calc(shutil.copytree(folder / "village_cup", folder.parent / "village_cup")).exit_code == 0
    )


def test_another_text_in_the_same_place_is_another_program(folder: Path) -> None:
    assert calc(folder, "--trust").exit_code == 0
    rules = folder / "village_cup" / "rules.py"
    rules.write_text(rules.read_text() + "raise SystemExit('it ran')\n")
    assert "not trusted yet" in calc(folder).output
    with pytest.raises(InputError, match="not trusted yet"):
        load("village-cup", [folder])


def test_compiled_code_beside_the_text_is_never_run(folder: Path) -> None:
    assert calc(folder, "--trust").exit_code == 0
    rules = folder / "village_cup" / "rules.py"
    written = rules.read_text()
    rules.write_text("raise SystemExit('it ran')\n")
    unchecked = py_compile.PycInvalidationMode.UNCHECKED_HASH
    py_compile.compile(str(rules), invalidation_mode=unchecked)
    rules.write_text(written)
    assert calc(folder).exit_code == 0


def test_to_verify_runs_no_rules_unasked(folder: Path) -> None:
    ledger = ["--ledger", str(folder.parent / "ledger.db")]
    assert CliRunner().invoke(cli, ["ledger", "init", *ledger]).exit_code == 0
    (folder / "village_cup" / "rules.py").write_text("raise SystemExit('it ran')")
    verify = ["ledger", "audit", "verify", "--rulebooks", str(folder), *ledger]
    refused = CliRunner().invoke(cli, verify)
    assert (refused.exit_code, "it ran" in refused.output) == (2, False)


@pytest.mark.parametrize(("answer", "code"), [("y\n", 0), ("n\n", 1)])
def test_somebody_at_a_terminal_is_asked(
    folder: Path, monkeypatch: pytest.MonkeyPatch, answer: str, code: int
) -> None:
    monkeypatch.setattr("click.testing._NamedTextIOWrapper.isatty", lambda _: True, raising=False)
    asked = calc(folder, answer=answer)
    assert "Run the Python in this folder?" in asked.output
    assert asked.exit_code == code
    assert is_trusted(hash_of(folder / "village_cup")) is (code == 0)


def test_what_we_wrote_ourselves_is_trusted(folder: Path) -> None:
    own = folder.parent / "own"
    made = CliRunner().invoke(cli, ["rulebook", "new", "our-club", "--in", str(own)])
    assert made.exit_code == 0, made.output
    checked = CliRunner().invoke(
        cli, ["rulebook", "check", "our-club", "--rulebooks", str(own / "our_club")]
    )
    assert checked.output == "our-club: 3 examples, exactly and in columns; 0 faults\n"


def test_the_folder_around_what_we_wrote_is_trusted_while_nothing_else_is_in_it(
    folder: Path,
) -> None:
    own = folder.parent / "own"
    check = ["rulebook", "check", "our-club", "--rulebooks", str(own)]
    assert CliRunner().invoke(cli, ["rulebook", "new", "our-club", "--in", str(own)]).exit_code == 0
    assert CliRunner().invoke(cli, check).exit_code == 0
    shutil.copytree(folder / "village_cup", own / "village_cup")
    refused = CliRunner().invoke(cli, check)
    assert refused.exit_code == 2
    assert "not trusted yet" in refused.output


def test_nothing_is_written_over(folder: Path) -> None:
    own = ["rulebook", "new", "village-cup", "--in", str(folder)]
    again = CliRunner().invoke(cli, own)
    assert again.exit_code == 2
    assert "already exists, so nothing was written" in again.output


def test_an_id_that_is_none(folder: Path) -> None:
    wrong = CliRunner().invoke(cli, ["rulebook", "new", "Our Club", "--in", str(folder)])
    assert "an id has small letters, digits and hyphens" in wrong.output


def test_an_id_that_comes_with_honours_is_not_written_again(tmp_path: Path) -> None:
    taken = CliRunner().invoke(cli, ["rulebook", "new", "acbl-general", "--in", str(tmp_path)])
    assert taken.exit_code == 2
    assert "acbl-general is a rulebook that comes with Honours" in taken.output
    assert not list(tmp_path.iterdir())
