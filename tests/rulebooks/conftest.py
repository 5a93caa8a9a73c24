"""What tests of golden figures share."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from honours.engine import award as engine
from honours.engine.exact.working import Working
from honours.engine.known_facts import known_of
from honours.engine.rulebook import Rulebook
from honours.engine.rulebook.lint import both_ways
from honours.model import Field


@pytest.fixture
def in_columns_too(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Every list that a test awards is awarded in columns too, and comes out the same."""
    by_book: dict[str, tuple[Rulebook, list[tuple[str, Field]]]] = {}

    def watched(working: Working) -> Any:
        book, named = by_book.setdefault(working.rulebook.hash, (working.rulebook, []))
        if working.field.standings:
            named.append((f"{book.id} {len(named)}", working.field))
        return known_of(working)

    with monkeypatch.context() as watching:
        watching.setattr(engine, "known_of", watched)
        yield
    lists = list(by_book.values())
    assert [fault for book, named in lists for fault in both_ways(book, named)] == []
