"""A rulebook of one's own that is broken: what is wrong and where, never a traceback."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from honours.cli import cli
from honours.rulebooks import load
from tests.support import ROOT, cases

TOML, RULES, EXAMPLES = "rulebook.toml", "rules.py", "examples.toml"


def broken(folder: Path, file: str, old: str, new: str) -> None:
    shutil.copytree(ROOT / "examples" / "rulebooks" / "village_cup", folder / "village_cup")
    path = folder / "village_cup" / file
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1) if old else new, "utf-8")


def run(folder: Path, *arguments: str) -> Result:
    return CliRunner().invoke(cli, [*arguments, "--rulebooks", str(folder)])


@cases
def test_calc_says_what_is_wrong(
    tmp_path: Path, file: str, old: str, new: str, message: str
) -> None:
    broken(tmp_path, file, old, new)
    result = run(tmp_path, "calc", "village-cup", "pairs=10")
    assert result.exit_code == 2, result.output
    assert message in result.output


@pytest.mark.parametrize("file", [TOML, RULES, EXAMPLES, "README.md"])
def test_a_file_that_is_missing_or_not_utf_8_is_named(tmp_path: Path, file: str) -> None:
    broken(tmp_path, "README.md", "", "")
    path = tmp_path / "village_cup" / file
    path.write_bytes(b"# \xff\xfe")
    assert (
        f"village_cup/{file}, line 1: the file is not in UTF-8"
        in run(tmp_path, "rulebook", "show", "village-cup").output
    )
    path.unlink()
    assert run(tmp_path, "rulebook", "show", "village-cup").exit_code == 2


@cases
def test_check_says_what_is_wrong_with_an_example(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    broken(tmp_path, EXAMPLES, old, new)
    result = run(tmp_path, "rulebook", "check", "village-cup")
    assert result.exit_code == 2, result.output
    assert message in result.output


def test_a_message_may_speak_only_of_what_there_is(tmp_path: Path) -> None:
    broken(tmp_path, TOML, "{pairs} pairs", "{pears} pairs")
    result = run(tmp_path, "calc", "village-cup", "pairs=2")
    assert "nothing defines 'pears'" in result.output
    broken(tmp_path / "none", TOML, "{pairs} pairs", "{} pairs")
    result = run(tmp_path / "none", "calc", "village-cup", "pairs=2")
    assert "refuses.too_few: cannot be compared" in result.output


def test_the_check_says_that_it_compiled_nothing_and_why(tmp_path: Path) -> None:
    broken(tmp_path, RULES, "covered_points / tied", "covered_points // tied")
    checked = run(tmp_path, "rulebook", "check", "village-cup")
    assert checked.exit_code == 1
    last = checked.output.splitlines()[-1]
    assert "exactly (not run in columns until the rules are corrected); " in last
    assert "exactly and in columns" not in last


def test_the_check_says_how_many_examples_it_compiled(tmp_path: Path) -> None:
    broken(tmp_path, EXAMPLES, "pairs = 10", "pairs = -10")
    checked = run(tmp_path, "rulebook", "check", "village-cup")
    assert "in columns too (the others end in an error before that)" in checked.output


def test_what_columns_cannot_express_is_said(tmp_path: Path) -> None:
    """An award looked up in a table by a logarithm that was never rounded."""
    broken(tmp_path, RULES, "from honours.engine.rules", LOGARITHM)
    path = tmp_path / "village_cup" / RULES
    head, sign, _ = path.read_text("utf-8").rpartition("@rule(")
    assert sign
    path.write_text(head + WEIGHED, "utf-8")
    checked = run(tmp_path, "rulebook", "check", "village-cup")
    assert "a tabulated rule cannot be worked out in columns); " in checked.output


LOGARITHM = "from honours.engine.numbers import ln, row_for\nfrom honours.engine.rules"
WEIGHED = '''
@rule("§4", per="entrant")
def weight(covered_points, tied):
    """What each gets."""
    return ln(covered_points / tied + 1)


@rule("§4", per="entrant", rounds=nearest("whole"))
def award(weight):
    """What each gets."""
    return row_for(weight, ((0, 0), (1, 1), (2, 3)))
'''


def own_copy(folder: Path) -> Path:
    """A folder of one's own with the id of a rulebook that comes with Honours."""
    shutil.copytree(ROOT / "examples" / "rulebooks" / "village_cup", folder / "acbl_general")
    return folder


def test_a_rulebook_of_ones_own_before_a_bundled_one_is_said_once(tmp_path: Path) -> None:
    own = own_copy(tmp_path)
    said = "acbl-general is taken from"
    asked = run(own, "calc", "acbl-general", "pairs=10")
    assert asked.exit_code == 0, asked.output
    assert asked.stderr.count(said) == 1
    assert said not in asked.stdout
    others = run(own, "calc", "sbu-clubs-2016", "kind=pairs", "winners=1", "pairs=18")
    assert said not in others.output


def test_python_is_told_of_a_rulebook_of_ones_own_before_a_bundled_one(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    own = own_copy(tmp_path)
    for _ in range(2):
        assert load("acbl-general", [own]).title == "Village Cup points"
    [record] = caplog.records
    assert f"acbl-general is taken from {own}" in record.getMessage()
