"""The page of the house names what is there."""

import re
from importlib import import_module
from pathlib import Path

import pytest

from tests.support import ROOT

PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
WALK = PAGE.partition("## One board result")[2].partition("## The folders")[0]
HOUSE = ROOT / "src" / "honours"
NAMES = sorted(
    name
    for name in set(re.findall(r"`((?:[a-z_]+\.)+[a-z_]+)`", WALK))
    if not name.startswith("honours")
)
PATHS = sorted(set(re.findall(r"`([a-z_]+(?:/[a-z_]+)*(?:/|\.py))`", PAGE)))


def there(name: str) -> bool:
    """Whether a dotted name of the house is a module or something in one."""
    room, _, last = name.rpartition(".")
    try:
        return hasattr(import_module(f"honours.{room}"), last) or bool(
            import_module(f"honours.{name}")
        )
    except ModuleNotFoundError:
        return False


@pytest.mark.parametrize("name", NAMES)
def test_the_functions_of_the_walk_are_there(name: str) -> None:
    assert there(name)


@pytest.mark.parametrize("path", PATHS)
def test_the_files_and_folders_are_there(path: str) -> None:
    rooms = [HOUSE, ROOT, HOUSE / "web", HOUSE / "engine", HOUSE / "ledger"]
    assert any(Path(room, path).exists() for room in rooms)


def test_there_is_something_to_look_for() -> None:
    assert len(NAMES) > 12
    assert len(PATHS) > 20
