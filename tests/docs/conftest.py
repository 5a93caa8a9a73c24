"""A folder to run commands in, and a corpus that they may ask."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from honours.lab.generate.year import Recipe, generate


@pytest.fixture(scope="session")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small year; the pages and the help make one ten times as large."""
    return generate(tmp_path_factory.mktemp("lab") / "year", Recipe(seed=7, scale=0.02)).folder


@pytest.fixture
def scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to be in, and a home of its own."""
    # What was compiled is used again, or every test would compile it anew.
    cache = os.environ.get("XDG_CACHE_HOME") or f"{Path.home()}/.cache"
    monkeypatch.setenv("XDG_CACHE_HOME", cache)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path
