"""Files written whole or not at all, and never over another one unasked."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from honours.errors import InputError


def write_file(path: str | Path, data: bytes, force: bool = False) -> None:
    """Write a file at once; one that is there already is refused unless ``force``."""
    target = Path(path)
    if target.is_dir():
        raise InputError(f"{target} is a folder; expected the name of a file")
    if target.exists() and not force:
        raise InputError(f"{target} is there already; --force writes over it")
    if not target.parent.is_dir():
        raise InputError(f"{target.parent} is no folder to write into")
    try:
        _write_beside(target, data)
    except OSError as error:
        raise InputError(f"{target} cannot be written ({error.strerror})") from error


def _write_beside(target: Path, data: bytes) -> None:
    handle, beside = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name[:40]}-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        Path(beside).chmod(_mode(target))
        Path(beside).replace(target)
    except BaseException:
        Path(beside).unlink(missing_ok=True)
        raise


def _mode(target: Path) -> int:
    """As the file has that is written over, or as a new one gets."""
    if target.exists():
        return target.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
