"""Names that may belong to one person: for numbers beside the wrong name, and for likely
duplicates."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from rapidfuzz.distance import JaroWinkler
from rapidfuzz.fuzz import token_sort_ratio
from sqlalchemy import Connection

from honours.formats.names import sought
from honours.ledger.balances import ends
from honours.ledger.members import everyone
from honours.model.member import Member

_SAME_PERSON, _LIKELY = 75, 0.93


def alike(one: str, other: str) -> bool:
    """Whether two names may belong to one person: misspelt, in another order, with initials, or
    with a part missing. If one is empty, there is nothing to disagree about."""
    a, b = sought(one).replace(".", " ").split(), sought(other).replace(".", " ").split()
    if not a or not b:
        return True
    return _abbreviates(a, b) or token_sort_ratio(" ".join(a), " ".join(b)) >= _SAME_PERSON


def _abbreviates(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether each part of the shorter name equals or begins a different part of the longer one."""
    short, long = sorted((list(one), list(other)), key=len)
    left = list(long)
    for part in sorted(short, key=len, reverse=True):
        match = next((p for p in left if p.startswith(part) or part.startswith(p)), None)
        if match is None:
            return False
        left.remove(match)
    return any(len(part) > 1 and part in long for part in short)


def likely_duplicates(connection: Connection) -> Iterator[tuple[Member, Member]]:
    """Pairs of members who are not merged and whose names are nearly the same: beginning alike,
    or with their parts in another order."""
    merged = ends(connection)
    blocks: dict[str, list[Member]] = {}
    for member in everyone(connection):
        if member.id not in merged and member.name:
            for part in set(sought(member.name).split()):
                blocks.setdefault(part[:4], []).append(member)
    seen: set[tuple[int, int]] = set()
    for block in blocks.values():
        for one, other in combinations(block, 2):
            pair = (min(one.id, other.id), max(one.id, other.id))
            if pair not in seen and _likely(one, other):
                seen.add(pair)
                yield (one, other) if one.id < other.id else (other, one)


def _likely(one: Member, other: Member) -> bool:
    a = " ".join(sorted(sought(one.name).split()))
    b = " ".join(sorted(sought(other.name).split()))
    return bool(JaroWinkler.similarity(a, b) >= _LIKELY)
