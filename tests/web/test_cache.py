"""Results kept at hand are counted by their size."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from honours.processes.pool import WorkDone
from honours.web.events.service import SizedCache


def test_what_was_used_longest_ago_makes_room() -> None:
    cache, made = SizedCache(100), []

    def get(key: str, size: int) -> str:
        def make() -> WorkDone:
            made.append(key)
            return WorkDone(key, size)

        value: str = cache.get(key, make)
        return value

    for key, size in (("a", 40), ("b", 40), ("a", 40), ("c", 40), ("a", 40), ("b", 40)):
        assert get(key, size) == key
    assert made == ["a", "b", "c", "b"]  # b made room for c, and a was used since
    assert len(cache) == 2


def test_what_is_larger_than_the_room_is_not_kept() -> None:
    cache = SizedCache(100)
    assert cache.get("small", lambda: WorkDone(1, 60)) == 1
    assert cache.get("large", lambda: WorkDone(2, 101)) == 2
    assert len(cache) == 1
    assert cache.get("small", lambda: WorkDone(3, 60)) == 1


def test_what_many_ask_for_at_once_is_made_once() -> None:
    cache, made, all_there = SizedCache(100), [], threading.Barrier(20)

    def make() -> WorkDone:
        made.append(1)
        time.sleep(0.1)  # so that the others are there
        return WorkDone("page", 10)

    def ask(_: int) -> object:
        all_there.wait(30)
        return cache.get("page", make)

    with ThreadPoolExecutor(20) as pool:
        assert set(pool.map(ask, range(20))) == {"page"}
    assert len(made) == 1


def test_what_cannot_be_made_is_tried_again_by_the_next() -> None:
    cache = SizedCache(100)

    def fail() -> WorkDone:
        raise LookupError

    for _ in range(2):
        with pytest.raises(LookupError):
            cache.get("page", fail)
    assert cache.get("page", lambda: WorkDone("page", 10)) == "page"
