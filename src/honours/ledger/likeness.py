"""Names that may belong to one person: for numbers beside the wrong name, and for likely
duplicates."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence

from rapidfuzz.distance import JaroWinkler
from rapidfuzz.fuzz import token_sort_ratio
from rapidfuzz.process import extract
from sqlalchemy import Connection

from honours.formats.entrants import sought
from honours.ledger.balances import ends
from honours.ledger.members import everyone
from honours.model.member import Member

_SAME_PERSON, _LIKELY = 75, 0.93
_BEGINNING = 4
"""Names that have no part with the same first letters are not compared."""
_MANY = 300
"""Where more different names have such a part, another must begin alike too: a common first name
would otherwise bring everybody together with everybody."""


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
    called: dict[str, list[Member]] = {}
    for member in everyone(connection):
        if member.id not in merged and (parts := sought(member.name).split()):
            called.setdefault(" ".join(sorted(parts)), []).append(member)
    for name, others in _similar(called):
        own = called[name]
        same = ((one, other) for n, one in enumerate(own, 1) for other in own[n:])
        alike_ = ((one, other) for there in others for one in own for other in called[there])
        for one, other in (*same, *alike_):
            yield (one, other) if one.id < other.id else (other, one)


def _similar(names: Iterable[str]) -> Iterator[tuple[str, list[str]]]:
    """Each name with those later ones that are similar."""
    blocks = _blocks(names)
    place = {name: n for n, name in enumerate(names)}
    for name, own in place.items():
        near: dict[str, None] = {}
        for key in _keys(name, blocks):
            later = blocks[key][bisect_right(blocks[key], own, key=place.__getitem__) :]
            for other, *_ in extract(
                name, later, scorer=JaroWinkler.similarity, score_cutoff=_LIKELY, limit=None
            ):
                near[other] = None
        yield name, list(near)


def _blocks(names: Iterable[str]) -> dict[tuple[str, str], list[str]]:
    """Names by how a part of them begins; where very many have it, also by how another does."""
    blocks: dict[tuple[str, str], list[str]] = {}
    for name in names:
        for part in {part[:_BEGINNING] for part in name.split()}:
            blocks.setdefault((part, ""), []).append(name)
    for (part, _), block in list(blocks.items()):
        if len(block) > _MANY:
            blocks[part, ""] = []
            for name in block:
                for other in _others(name, part):
                    blocks.setdefault((part, other), []).append(name)
    return blocks


def _keys(name: str, blocks: Mapping[tuple[str, str], object]) -> Iterator[tuple[str, str]]:
    for part in {part[:_BEGINNING] for part in name.split()}:
        yield from ((part, more) for more in ("", *_others(name, part)) if (part, more) in blocks)


def _others(name: str, part: str) -> set[str]:
    """How the other parts of a name begin."""
    return {other[:2] for other in name.split() if other[:_BEGINNING] != part} or {part[:2]}
