"""Results kept at hand are counted by their size."""

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
