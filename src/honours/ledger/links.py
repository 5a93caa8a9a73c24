"""The links of the chain in sequence: records, and changes between them.

Besides the chain they have a root: that of a Merkle tree over their hashes, with leaves and nodes
marked differently as in RFC 6962. A path of some twenty digests shows that a link is under a root.
"""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, select

from honours.ledger.schema import changes, records

_SIZE = 32


@dataclass(slots=True)
class Links:
    """Every link in order: a record by its number, a change by its negated number."""

    ids: array[int] = field(default_factory=lambda: array("q"))
    hashes: bytearray = field(default_factory=bytearray)

    def add(self, number: int, hash_: str) -> None:
        self.ids.append(number)
        self.hashes += _bytes(hash_)

    def __len__(self) -> int:
        return len(self.ids)

    def hash_at(self, position: int) -> str:
        """The hash of a link, counting from 1; before the first there is none."""
        return self._at(position - 1).hex() if 0 < position <= len(self) else ""

    def _at(self, index: int) -> bytes:
        return bytes(self.hashes[index * _SIZE : (index + 1) * _SIZE])

    def position(self, hash_: str) -> int | None:
        """The position of the link with a hash; an empty chain's head is before the first."""
        if not hash_:
            return 0
        wanted = _bytes(hash_)
        return next((i + 1 for i in range(len(self)) if self._at(i) == wanted), None)

    def root(self, size: int | None = None) -> str:
        """The root over the first ``size`` links, or over all."""
        leaves = [_leaf(self._at(i)) for i in range(len(self) if size is None else size)]
        return _root(leaves).hex()

    def path(self, position: int) -> list[str]:
        """Return the hashes that a link's is combined with, step by step, to reach the root."""
        leaves = [_leaf(self._at(i)) for i in range(len(self))]
        return [step.hex() for step in _path(leaves, position - 1)]

    def extension(self, size: int) -> list[str]:
        """Return the proof that the root over all links continues that over the first ``size``."""
        leaves = [_leaf(self._at(i)) for i in range(len(self))]
        return [step.hex() for step in _extension(leaves, size, True)]


def read_links(connection: Connection) -> Links:
    """The links as stored; ``verify`` says whether they are right."""
    links = Links()
    for kind, row in in_order(
        connection.execute(select(records.c.id, records.c.hash).order_by(records.c.id)),
        connection.execute(
            select(changes.c.id, changes.c.after, changes.c.hash).order_by(changes.c.id)
        ),
    ):
        links.add(row.id if kind == "record" else -row.id, row.hash)
    return links


def in_order(recorded: Any, changed: Any) -> Iterator[tuple[str, Any]]:
    """Records and changes merged: changes follow the record they are ``after``."""
    pending = iter(changed)
    following = next(pending, None)
    for row in recorded:
        while following is not None and following.after < row.id:
            yield "changes", following
            following = next(pending, None)
        yield "record", row
    while following is not None:
        yield "changes", following
        following = next(pending, None)


def root_by(hash_: str, position: int, size: int, path: Sequence[str]) -> str:
    """The root that a link's hash and its path lead to."""
    node, index, last = _leaf(_bytes(hash_)), position - 1, size - 1
    steps = iter(path)
    while last:
        if index % 2 or index < last:
            step = bytes.fromhex(next(steps, ""))
            node = _node(step, node) if index % 2 else _node(node, step)
        index, last = index // 2, last // 2
    return node.hex() if next(steps, None) is None else ""


def extends(first: int, root: str, size: int, other: str, steps: Sequence[str]) -> bool:
    """Return whether the root over ``size`` links continues the root over the ``first`` of them, by
    the steps of :meth:`Links.extension` (RFC 9162, 2.1.4.2)."""
    if not 0 < first < size:
        return first == 0 or (first == size and root == other)
    path = [bytes.fromhex(step) for step in steps]
    index, last = first - 1, size - 1
    while index % 2:
        index, last = index // 2, last // 2
    before = after = path.pop(0) if index else bytes.fromhex(root)
    for step in path:
        if not last:
            return False
        if index % 2 or index == last:
            before, after = _node(step, before), _node(step, after)
            while index and not index % 2:
                index, last = index // 2, last // 2
        else:
            after = _node(after, step)
        index, last = index // 2, last // 2
    return not last and (before.hex(), after.hex()) == (root, other)


def _bytes(hash_: str) -> bytes:
    """A hash's bytes; a text that is not a hash, because somebody changed it, gives other bytes."""
    try:
        digest = bytes.fromhex(hash_)
    except ValueError:
        digest = b""
    return (
        digest if len(digest) == _SIZE else hashlib.sha256(hash_.encode(errors="replace")).digest()
    )


def _leaf(data: bytes) -> bytes:
    return hashlib.sha256(b"\x00" + data).digest()


def _node(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\x01" + left + right).digest()


def _above(level: Sequence[bytes]) -> list[bytes]:
    """The nodes above a level; one without a neighbour moves up unchanged."""
    pairs = [_node(level[i], level[i + 1]) for i in range(0, len(level) - 1, 2)]
    return pairs + ([level[-1]] if len(level) % 2 else [])


def _root(leaves: list[bytes]) -> bytes:
    while len(leaves) > 1:
        leaves = _above(leaves)
    return leaves[0] if leaves else hashlib.sha256().digest()


def _extension(leaves: list[bytes], first: int, whole: bool) -> Iterator[bytes]:
    """The steps of an extension (RFC 9162, 2.1.4.1): a subtree that is ``whole`` in the shorter
    tree is known there already."""
    if first == len(leaves):
        if not whole:
            yield _root(leaves)
        return
    half = 1 << (len(leaves) - 1).bit_length() - 1
    if first <= half:
        yield from _extension(leaves[:half], first, whole)
        yield _root(leaves[half:])
    else:
        yield from _extension(leaves[half:], first - half, False)
        yield _root(leaves[:half])


def _path(level: list[bytes], index: int) -> Iterator[bytes]:
    while len(level) > 1:
        beside = index ^ 1
        if beside < len(level):
            yield level[beside]
        level, index = _above(level), index // 2
