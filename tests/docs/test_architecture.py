"""The page of the house, and the decisions, name what is there."""

import re
from importlib import import_module
from pathlib import Path

import pytest

from tests.support import ROOT

PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
WALK = PAGE.partition("## One board result")[2].partition("## The folders")[0]
DECISIONS = [page.read_text(encoding="utf-8") for page in (ROOT / "docs/decisions").glob("*.md")]
ALL = "\n".join((PAGE, *DECISIONS))
HOUSE = ROOT / "src" / "honours"
NAMES = sorted(
    name
    for name in set(re.findall(r"`((?:[a-z_]+\.)+[A-Za-z_]+)`", ALL))
    if not name.endswith((".py", ".toml", ".md", ".xml", ".txt", ".db"))
)
PLAIN = sorted(set(re.findall(r"`([A-Za-z]\w{2,})(?:\(\))?`", WALK)))
PATHS = sorted(set(re.findall(r"`([a-z_]+(?:/[a-z_]+)*(?:/|\.py))`", ALL)))


def there(name: str) -> bool:
    """Whether a dotted name, of the house or of a library it speaks of, is a module or something
    in one."""
    for path in (f"honours.{name}", name):
        room, _, last = path.rpartition(".")
        try:
            return hasattr(import_module(room), last) or bool(import_module(path))
        except ModuleNotFoundError:
            continue
    return False


@pytest.mark.parametrize("name", NAMES)
def test_the_functions_of_the_walk_are_there(name: str) -> None:
    assert there(name)


def test_the_plain_names_of_the_walk_are_there() -> None:
    text = "\n".join(path.read_text(encoding="utf-8") for path in HOUSE.rglob("*.py"))
    defined = set(re.findall(r"(?m)^\s*(?:async )?(?:def|class) (\w+)|^\s*(\w+)(?:: | = )", text))
    known = {name for names in defined for name in names} | {
        path.stem for path in HOUSE.rglob("*.py")
    }
    assert sorted(set(PLAIN) - known) == []


@pytest.mark.parametrize("path", PATHS)
def test_the_files_and_folders_are_there(path: str) -> None:
    rooms = [HOUSE, ROOT, HOUSE / "web", HOUSE / "engine", HOUSE / "ledger"]
    assert any(Path(room, path).exists() for room in rooms)


def test_there_is_something_to_look_for() -> None:
    assert len(NAMES) > 12
    assert len(PATHS) > 20
