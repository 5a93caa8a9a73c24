"""The thread that makes standings final goes on, whatever one evening has."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from honours.web.evening.service import Settling


class _Service:
    """Two evenings that are due; what the first has cannot be read."""

    def __init__(self) -> None:
        self.settled: list[str] = []
        self.evenings = SimpleNamespace(all=self._all)
        self.unreadable = False

    def _all(self) -> list[Any]:
        if self.unreadable:
            raise OSError("the folder is gone")
        return [_kept("broken"), _kept("whole")]

    def settle(self, kept: Any) -> bool:
        if kept.id == "broken":
            raise ValueError("a ruling that is no TOML")
        self.settled.append(kept.id)
        return True


def _kept(name: str) -> Any:
    return SimpleNamespace(id=name, now=lambda: SimpleNamespace(settled=False))


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> _Service:
    due = datetime.now(UTC) - timedelta(minutes=1)
    monkeypatch.setattr("honours.web.evening.service.correctable_until", lambda _: due)
    return _Service()


def test_one_broken_evening_keeps_no_other_back(service: _Service) -> None:
    Settling(service).look()  # type: ignore[arg-type]
    assert service.settled == ["whole"]


def test_a_folder_that_cannot_be_read_is_looked_at_again(service: _Service) -> None:
    thread = Settling(service)  # type: ignore[arg-type]
    service.unreadable = True
    assert thread.look() > 1
    service.unreadable = False
    thread.look()
    assert service.settled == ["whole"]
