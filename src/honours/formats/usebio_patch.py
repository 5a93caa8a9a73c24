"""Master points and member numbers into a USEBIO file that was read: only their bytes change.

Master points go where the file has them, nested or flat, or nested where it has none. An
instruction at the head of the event says which rulebook gave them; other programs pass over it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple
from xml.sax.saxutils import escape

from honours.errors import FileProblem
from honours.formats.file_bytes import read_bytes
from honours.formats.usebio import INSTRUCTION, UsebioReader
from honours.formats.usebio_people import members_of
from honours.formats.xml import Element, read_xml


@dataclass(frozen=True, slots=True)
class UsebioAwards:
    """What an event's entrants are awarded: id → amount in the file's unit, and under what.

    ``numbers`` are their players' member numbers, id → one a player, empty where not known.
    """

    rulebook: str
    amounts: Mapping[str, str]
    kind: str = ""
    numbers: Mapping[str, Sequence[str]] = field(default_factory=dict)


class _Edit(NamedTuple):
    start: int
    end: int
    new: str


def patch_usebio(path: str | Path, grant: UsebioAwards) -> bytes:
    """The file's bytes with the grant's master points in them."""
    data = read_bytes(path)
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise FileProblem(path, "a UTF-16 file", "one byte a character, to patch")
    reading = UsebioReader(str(path), keep=True)
    read_xml(path, reading.watch)
    reading.problems.settle()
    if len(reading.listed) != 1:
        raise FileProblem(path, "{count} events", "one event to award", count=len(reading.listed))
    event, people = reading.listed[0]
    elements = dict(people.listed())
    unknown = [id for id in grant.amounts if id not in elements]
    if unknown:
        raise FileProblem(
            path, "no participant {unknown}", "those of the awards", unknown=tuple(unknown)
        )
    edits = [*_instruction(data, event, grant.rulebook)]
    for id, amount in grant.amounts.items():
        edits += _award(data, elements[id], amount, grant.kind)
        edits += _members(data, elements[id], grant.numbers.get(id, ()))
    return _applied(data, edits)


def _applied(data: bytes, edits: list[_Edit]) -> bytes:
    parts, at = [], 0
    for edit in sorted(edits):
        parts += [data[at : edit.start], edit.new.encode("ascii", "xmlcharrefreplace")]
        at = edit.end
    return b"".join([*parts, data[at:]])


def _opened(data: bytes, element: Element) -> int:
    """Where an element's opening tag ends; quotes may hold a ``>``."""
    at, quote = element.start, b""
    while at < len(data):
        byte = data[at : at + 1]
        if quote:
            quote = b"" if byte == quote else quote
        elif byte in (b'"', b"'"):
            quote = byte
        elif byte == b">":
            return at + 1
        at += 1
    return at


def _ended(data: bytes, element: Element) -> int:
    """Where an element ends, its closing tag included."""
    opened = _opened(data, element)
    return opened if data[opened - 2 : opened] == b"/>" else data.index(b">", element.close) + 1


def _instruction(data: bytes, event: Element, rulebook: str) -> Iterator[_Edit]:
    name = rulebook.replace("?>", "")
    new = f"<?{INSTRUCTION} {name}?>"
    if INSTRUCTION in event.instructions:
        start = data.index(b"<?" + INSTRUCTION.encode(), event.start)
        yield _Edit(start, data.index(b"?>", start) + 2, new)
    else:
        at = _opened(data, event)
        yield _Edit(at, at, _indent(data, event.children[0].start if event.children else at) + new)


def _award(data: bytes, element: Element, amount: str, kind: str) -> Iterator[_Edit]:
    nested = element.first("MASTER_POINTS")
    holder = nested or element
    awarded, typed = holder.first("MASTER_POINTS_AWARDED"), holder.first("MASTER_POINT_TYPE")
    if awarded is None:
        if nested is not None:
            yield _Edit(nested.start, _ended(data, nested), _nested("", amount, kind))
            return
        before = next((e for e in element.children if e.tag in ("PLAYER", "PAIR")), None)
        at = before.start if before else element.close
        indent = _indent(data, at)
        yield _Edit(at, at, _nested(indent, amount, kind) + indent)
        return
    yield _replaced(data, awarded, amount)
    if typed is not None and kind:
        yield _replaced(data, typed, kind)


def _members(data: bytes, element: Element, numbers: Sequence[str]) -> Iterator[_Edit]:
    """Member numbers where they are not those of the file."""
    for player, number in zip(members_of(element), numbers, strict=False):
        held = player.first("NATIONAL_ID_NUMBER")
        # A player without another number is known by this one on the travellers.
        named_by = player is element and not player.word("PLAYER_NUMBER")
        if not number or named_by or number == player.word("NATIONAL_ID_NUMBER"):
            continue
        if held is not None:
            yield _replaced(data, held, number)
            continue
        name = player.first("PLAYER_NAME")
        at = _ended(data, name) if name else player.close
        indent = _indent(data, name.start) if name else ""
        yield _Edit(at, at, f"{indent}<NATIONAL_ID_NUMBER>{escape(number)}</NATIONAL_ID_NUMBER>")


def _replaced(data: bytes, element: Element, text: str) -> _Edit:
    new = f"<{element.tag}>{escape(text)}</{element.tag}>"
    return _Edit(element.start, _ended(data, element), new)


def _nested(indent: str, amount: str, kind: str) -> str:
    inner = indent + "  " if indent else ""
    typed = f"{inner}<MASTER_POINT_TYPE>{escape(kind)}</MASTER_POINT_TYPE>" if kind else ""
    awarded = f"{inner}<MASTER_POINTS_AWARDED>{escape(amount)}</MASTER_POINTS_AWARDED>"
    return f"<MASTER_POINTS>{awarded}{typed}{indent}</MASTER_POINTS>"


def _indent(data: bytes, at: int) -> str:
    """The line end and space before a place, to go on in the same manner."""
    start = at
    while start > 0 and data[start - 1 : start] in (b" ", b"\t"):
        start -= 1
    if start == 0 or data[start - 1 : start] not in (b"\n", b"\r"):
        return ""
    newline = "\r\n" if data[max(0, start - 2) : start] == b"\r\n" else "\n"
    return newline + data[start:at].decode("ascii")
