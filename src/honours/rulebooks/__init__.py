"""The rulebooks Honours knows: one folder each. Presence is registration."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib import import_module, resources
from pathlib import Path

from honours.engine.load import load as load_folder
from honours.engine.rulebook import Rulebook
from honours.errors import InputError, UnknownName


def _is_rulebook(folder: object) -> bool:
    return (folder / "rulebook.toml").is_file()  # type: ignore[operator, no-any-return]


@cache
def _bundled() -> tuple[str, ...]:
    folders = resources.files(__name__).iterdir()
    return tuple(sorted(f.name.replace("_", "-") for f in folders if _is_rulebook(f)))


def _own(folder: str | Path) -> dict[str, Path]:
    """The rulebooks in a user's folder: the folder itself, or each folder in it."""
    base = Path(folder)
    if not base.is_dir():
        raise InputError(f"{folder}: no such folder of rulebooks")
    candidates = [base] if _is_rulebook(base) else sorted(p for p in base.iterdir() if p.is_dir())
    found = {p.name.replace("_", "-"): p for p in candidates if _is_rulebook(p)}
    if not found:
        raise InputError(f"{folder}: holds no rulebook (a folder with a rulebook.toml)")
    return found


def ids(more: Iterable[str | Path] = ()) -> tuple[str, ...]:
    """The ids of the bundled rulebooks and of those in the folders ``more``."""
    return tuple(dict.fromkeys([*_bundled(), *(i for folder in more for i in _own(folder))]))


@cache
def _load_bundled(rulebook_id: str) -> Rulebook:
    name = rulebook_id.replace("-", "_")
    module = import_module(f"{__name__}.{name}.rules")
    return load_folder(resources.files(__name__) / name, module)


def load(rulebook_id: str, more: Iterable[str | Path] = ()) -> Rulebook:
    """The rulebook called ``rulebook_id``; a user's own folder goes before a bundled one."""
    for folder in more:
        own = _own(folder)
        if rulebook_id in own:
            return load_folder(own[rulebook_id])
    if rulebook_id in _bundled():
        return _load_bundled(rulebook_id)
    raise UnknownName("rulebook", rulebook_id, ids(more))
