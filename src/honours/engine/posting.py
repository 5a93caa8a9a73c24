"""What a rulebook's body forbids a ledger to post: its table ``[[posting]]``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from honours.engine.names import public
from honours.errors import RulebookError, UnknownName

KEYS = ("points", "once_a_year", "words", "alike", "when", "reason", "clause")


@dataclass(frozen=True, slots=True)
class PostingRule:
    """One limit: only these kinds of points (``points``), or only one event a year of a club whose
    input ``once_a_year`` is one of ``words``, among those that say the same of ``alike``. It holds
    where the inputs in ``when`` are one of their words."""

    reason: str
    clause: str
    points: tuple[str, ...] = ()
    once_a_year: str = ""
    words: tuple[str, ...] = ()
    alike: tuple[str, ...] = ()
    when: Mapping[str, tuple[str, ...]] | None = None


def read_posting_rules(
    tables: Iterable[Mapping[str, Any]], inputs: Iterable[str]
) -> tuple[PostingRule, ...]:
    """The limits as a rulebook's folder states them; each speaks of its inputs."""
    known = {public(name) for name in inputs}
    return tuple(_rule(table, known) for table in tables)


def _rule(table: Mapping[str, Any], known: set[str]) -> PostingRule:
    for key in table:
        if key not in KEYS:
            raise UnknownName("key of posting", key, KEYS)
    once, when = str(table.get("once_a_year", "")), dict(table.get("when", {}))
    for name in (*([once] if once else []), *table.get("alike", ()), *when):
        if name not in known:
            raise UnknownName("input in posting", name, known)
    if not table.get("reason") or not table.get("clause") or bool(once) is ("points" in table):
        raise RulebookError(
            "posting: expected points or once_a_year, and the reason and clause of the limit"
        )
    return PostingRule(
        table["reason"],
        table["clause"],
        tuple(table.get("points", ())),
        once,
        tuple(table.get("words", ())),
        tuple(table.get("alike", ())),
        {name: tuple([words] if isinstance(words, str) else words) for name, words in when.items()},
    )
