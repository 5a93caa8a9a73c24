"""The files that paths mean: a folder stands for all below it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from honours.formats.rulings import is_of_results


def files_of(paths: Iterable[str]) -> list[Path]:
    """The files meant: a folder stands for all below it, hidden ones and rulings left out."""
    return [file for path in paths for file in _files(Path(path))]


def _files(path: Path) -> Iterator[Path]:
    if not path.is_dir():
        yield path
        return
    for file in sorted(path.rglob("*")):
        below = file.relative_to(path)
        hidden = any(part.startswith(".") for part in below.parts)
        if file.is_file() and not hidden and is_of_results(file):
            yield file
