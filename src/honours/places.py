"""The folders for a person's own things: on Windows, on a Mac, and elsewhere as XDG has it."""

from __future__ import annotations

import os
import sys
from pathlib import Path

_ELSEWHERE = {"data": ".local/share", "config": ".config", "cache": ".cache"}


def own_folder(kind: str) -> Path:
    """The folder for Honours' ``data``, ``config`` or ``cache``; it need not be there yet."""
    if named := os.environ.get(f"XDG_{kind.upper()}_HOME"):
        return Path(named) / "honours"
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
        return Path(base) / "honours" / kind
    if sys.platform == "darwin":
        library = Path.home() / "Library"
        return library / ("Caches" if kind == "cache" else "Application Support") / "honours"
    return Path.home() / _ELSEWHERE[kind] / "honours"
