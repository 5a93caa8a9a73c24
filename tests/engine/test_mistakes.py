"""Every mistake an author can make is a sentence with file and line and the nearest right word.

Each is made in the folder that `honours rulebook new` writes, which has none.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from honours.engine.award import calculate
from honours.engine.rulebook.lint import faults, lint
from honours.engine.rulebook.load import load, starting_files
from honours.errors import HonoursError, RulebookError
from tests.support import cases

TOML, RULES, EXAMPLES = "rulebook.toml", "rules.py", "examples.toml"
ENDS = "return covered_points / tied"
Edit = tuple[str, str, str]


def folder(to: Path, *edits: Edit) -> Path:
    """The folder to begin with, with some texts of its files replaced."""
    to.mkdir()
    files = starting_files("our-club", 2026)
    for file, old, new in edits:
        assert old in files[file]
        files[file] = files[file].replace(old, new, 1)
    for name, text in files.items():
        (to / name).write_text(text, "utf-8")
    return to


def told(rulebook: Path) -> list[str]:
    try:
        book = load(rulebook)
        return lint(book) or faults(book).faults
    except HonoursError as error:
        return [str(error)]


def test_the_folder_to_begin_with_has_no_fault(tmp_path: Path) -> None:
    assert told(folder(tmp_path / "our_club")) == []


@cases
def test_a_mistake_is_told(tmp_path: Path, edits: list[Edit], expected: str) -> None:
    sentences = told(folder(tmp_path / "our_club", *edits))
    assert [s for s in sentences if re.search(expected, s)], sentences
    assert all("our_club/" in s for s in sentences), sentences


@pytest.mark.parametrize("file", [TOML, RULES, EXAMPLES, "README.md"])
def test_a_missing_file_is_told_with_one_that_is_nearly_called_so(
    tmp_path: Path, file: str
) -> None:
    made = folder(tmp_path / "our_club")
    other = file.replace(".", "s.")
    (made / file).rename(made / other)
    assert told(made) == [f"our_club/{file}, line 1: the file is missing; did you mean {other!r}?"]


def test_bytes_that_are_no_text_are_told_with_their_line(tmp_path: Path) -> None:
    made = folder(tmp_path / "our_club")
    (made / EXAMPLES).write_bytes(b"# one\n# tw\xe9\n")
    (sentence,) = told(made)
    assert sentence.startswith("our_club/examples.toml, line 2: the file is not in UTF-8")


def test_what_is_no_toml_is_told_with_its_line(tmp_path: Path) -> None:
    for text, line in (("\nname\n", 2), ('a = 1\nname = """\n\n', 3)):
        made = folder(tmp_path / f"our_club{line}")
        (made / EXAMPLES).write_text(text, "utf-8")
        (sentence,) = told(made)
        assert sentence.startswith(f"our_club{line}/examples.toml, line {line}: ")
        assert "(at" not in sentence


def test_the_third_of_many_tables_is_told_with_its_line(tmp_path: Path) -> None:
    more = "".join(f'[inputs.{n}]\nabout = "x"\nfirst = 1\n' for n in ("one", "two", "three"))
    sentences = told(folder(tmp_path / "our_club", (TOML, "[parameters]", f"{more}[parameters]")))
    at = [s.partition(": ")[0] for s in sentences]
    assert at == [f"our_club/rulebook.toml, line {line}" for line in (17, 20, 23)]


def test_a_rulebook_without_an_example_says_so(tmp_path: Path) -> None:
    made = folder(tmp_path / "our_club")
    (made / EXAMPLES).write_text("", "utf-8")
    assert told(made)[0] == (
        "our_club/examples.toml, line 1: there is no example, each as [[example]]"
    )


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ("own(covered_points) / tied", "calls own, which a rule may not: it may call"),
        (
            "covered_points / tied if tied in (1, tied) else 0",
            "has in, which a rule may not have: compare with == and or",
        ),
    ],
)
def test_a_body_that_cannot_be_compiled_is_told_by_the_check(
    tmp_path: Path, body: str, fault: str
) -> None:
    own = f"return {body}\n\n\ndef own(x):\n    return x"
    rulebook = folder(tmp_path / "our_club", (RULES, ENDS, own))
    checked = faults(load(rulebook))
    assert checked.in_columns == 0
    assert checked.not_in_columns == "not run in columns until the rules are corrected"
    assert [s for s in checked.faults if f"our_club/rules.py, line 27: rule award {fault}" in s]


@pytest.mark.parametrize(
    "text",
    [
        '[extras]\nmore = ["points"]',
        '[figures.one]\nabout = "t"\nquantity = "points"',
        '[colours]\nred = "points"',
    ],
)
def test_what_is_shown_at_a_wrong_level_is_an_error_where_nobody_checked(
    tmp_path: Path, text: str
) -> None:
    edit = (TOML, "[parameters]", f"{text}\n[parameters]")
    with pytest.raises(RulebookError, match="'points' is per place, asked per"):
        calculate(load(folder(tmp_path / "our_club", edit)), {"entrants": 12})
