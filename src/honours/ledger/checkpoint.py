"""Checkpoints: what somebody outside keeps of the ledger, to check it against later.

A checkpoint has the head of the chain, the number of its links, and some hashes along the way:
enough to tell growth from rewriting, and roughly where. It contains digests and counts, never
names.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, select

from honours.errors import FileProblem, InputError
from honours.ledger.canonical import data_of, text_of
from honours.ledger.chain import now
from honours.ledger.links import Links, read_links
from honours.ledger.schema import chain, changes, records
from honours.ledger.signing import Signature, make_signature, signature_data, signature_holds
from honours.model.message import Message, joined, plural, word

_ALONG, _LAST = 64, 64
"""How many marks there are along the whole chain, and at how many of the last links."""
_NAMED = 12
"""How many links are named one by one."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The chain at a point in time: its ``head``, the ``root`` over its ``size`` links, and
    ``marks``, the hashes at some positions. A checkpoint of which only the head was noted has
    nothing else."""

    head: str
    size: int = -1
    records: int = 0
    postings: int = 0
    changes: int = 0
    at: str = ""
    root: str = ""
    marks: tuple[tuple[int, str], ...] = ()
    signature: Signature | None = field(default=None, compare=False)

    @property
    def line(self) -> str:
        """The checkpoint as a line that a newsletter can print."""
        return f"{self.records}:{self.changes}:{self.head}" if self.size >= 0 else self.head

    def data(self) -> dict[str, Any]:
        """The data that is signed."""
        return {
            "honours": "checkpoint",
            "head": self.head,
            "size": self.size,
            "records": self.records,
            "postings": self.postings,
            "changes": self.changes,
            "at": self.at,
            "root": self.root,
            "marks": [list(mark) for mark in self.marks],
        }

    def text(self) -> str:
        """The checkpoint as a file, with its signature if it has one."""
        data = self.data()
        if self.signature:
            data["signature"] = signature_data(self.signature)
        return json.dumps(data, indent=1) + "\n"


def checkpoint(connection: Connection, links: Links | None = None, key: str = "") -> Checkpoint:
    """The ledger's current checkpoint, signed if a key is named."""
    end = connection.execute(select(chain)).one()
    links = read_links(connection) if links is None else links
    size = len(links)
    step = max(1, size // _ALONG)
    places = sorted({*range(step, size + 1, step), *range(max(1, size - _LAST), size + 1)})
    made = Checkpoint(
        end.head,
        size,
        end.records,
        end.postings,
        end.changes,
        now(),
        links.root(),
        tuple((place, links.hash_at(place)) for place in places),
    )
    return signed_checkpoint(made, key) if key else made


def check_signature(made: Checkpoint, by: str = "") -> None:
    """Refuse a checkpoint whose signature does not match it, or is not by the named signer."""
    if by and not made.signature:
        raise InputError("the checkpoint is not signed")
    if made.signature and not signature_holds(text_of(made.data()), made.signature, by):
        raise InputError(
            "the checkpoint's signature is not one by {by} of what it says"
            if by
            else "the checkpoint's signature is not one of what it says",
            by=by,
        )


def signed_checkpoint(made: Checkpoint, key: str) -> Checkpoint:
    return Checkpoint(**{**_fields(made), "signature": make_signature(text_of(made.data()), key)})


def _fields(made: Checkpoint) -> dict[str, Any]:
    return {name: getattr(made, name) for name in Checkpoint.__slots__}


def line_of(connection: Connection) -> str:
    """The current checkpoint as a line, to print on outgoing documents."""
    end = connection.execute(select(chain)).one()
    return f"{end.records}:{end.changes}:{end.head}"


def read_checkpoint(text: str) -> Checkpoint:
    """A checkpoint as somebody noted it: the head alone, the line, or a file."""
    if text and Path(text).is_file():
        return _from_file(Path(text))
    parts = text.split(":")
    head = parts[-1].strip().lower()
    counts = parts[:-1]
    good = len(head) == 64 and all(c in "0123456789abcdef" for c in head)
    if not good or len(counts) not in (0, 2) or not all(c.isdigit() for c in counts):
        raise InputError(
            "{text!r} is no checkpoint: expected what `honours ledger head` printed, "
            "or a file that it wrote",
            text=text,
        )
    if not counts:
        return Checkpoint(head)
    there, changed = map(int, counts)
    return Checkpoint(head, there + changed, there, 0, changed)


def _from_file(path: Path) -> Checkpoint:
    try:
        data = data_of(path.read_text(encoding="utf-8"))
        if data.pop("honours") != "checkpoint":
            raise ValueError(Message("another kind of file"))
        signature = data.pop("signature", None)
        marks = tuple((int(place), str(hash_)) for place, hash_ in data.pop("marks"))
        checkpoint = Checkpoint(**data, marks=marks)
        return Checkpoint(
            **{**_fields(checkpoint), "signature": Signature(**signature) if signature else None}
        )
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise FileProblem(
            path, "no checkpoint ({error})", "what `ledger head -o` wrote", error=error
        ) from error


# --- does today's ledger continue it? ---------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Continuity:
    """Whether a ledger continues from a checkpoint: ``said`` describes what has happened since."""

    held: bool
    said: str
    links: tuple[str, ...] = ()


def continuity(connection: Connection, links: Links, before: Checkpoint) -> Continuity:
    """How today's chain relates to a checkpoint."""
    place = before.size if before.size >= 0 else links.position(before.head)
    if place is not None and links.hash_at(place) == before.head:
        return _grown(connection, links, place)
    agree = max((p for p, hash_ in before.marks if links.hash_at(p) == hash_), default=0)
    if 0 <= len(links) < before.size:
        verdict = plural(
            "{count:,} link of the checkpoint is gone: the end was cut off or rewritten",
            "{count:,} links of the checkpoint are gone: the end was cut off or rewritten",
            count=before.size - len(links),
        )
        return Continuity(False, verdict)
    if place is None or not before.marks:
        verdict = Message(
            "no part of today's ledger has this head: it was rewritten, or cut, since"
        )
        return Continuity(False, verdict)
    first = min((p for p, hash_ in before.marks if links.hash_at(p) != hash_), default=place)
    named = _named(connection, links, range(max(agree, 0) + 1, first + 1))
    verdict = Message("what was there at the checkpoint was rewritten since, among it")
    return Continuity(False, verdict, named)


def grown_since(connection: Connection, before: Checkpoint) -> Continuity:
    """Whether the chain still has the checkpoint's head in its place, without following all of
    it."""
    at = select(records.c.hash).where(records.c.id == before.records)
    of = select(changes.c.hash).where(changes.c.id == before.changes)
    there = {connection.scalar(at) or "", connection.scalar(of) or ""}
    if before.size < 0 or before.head not in there:
        return Continuity(
            False, Message("the checkpoint's last link is not there: verify everything")
        )
    end = connection.execute(select(chain)).one()
    new = end.records + end.changes - before.size
    verdict = plural(
        "only what was added since the checkpoint was looked at: {count:,} link",
        "only what was added since the checkpoint was looked at: {count:,} links",
        count=new,
    )
    return Continuity(True, verdict)


def _grown(connection: Connection, links: Links, place: int) -> Continuity:
    new = range(place + 1, len(links) + 1)
    if not new:
        return Continuity(True, Message("nothing was added since the checkpoint"))
    verdict = plural(
        "the ledger continues the checkpoint; {count:,} link added since",
        "the ledger continues the checkpoint; {count:,} links added since",
        count=len(new),
    )
    return Continuity(True, verdict, _named(connection, links, new))


def _named(connection: Connection, links: Links, places: Sequence[int]) -> tuple[str, ...]:
    """The names of links: their numbers and what they are about."""
    names = [_name(connection, links.ids[place - 1]) for place in places[:_NAMED]]
    more = len(places) - len(names)
    return (*names, Message("and {count} more", count=more)) if more else tuple(names)


def _name(connection: Connection, number: int) -> str:
    if number > 0:
        row = connection.execute(select(records).where(records.c.id == number)).one()
        done = _done(word(row.action), row.who, row.at)
        what = joined(", ", filter(None, (done, row.title or row.why)))
        return Message("record {number}: {what}", number=number, what=what)
    row = connection.execute(select(changes).where(changes.c.id == -number)).one()
    done = _done(Message("changes {number}", number=row.id), row.who, row.at)
    return Message("{changes}: {what}", changes=done, what=_what(row.content))


def _done(what: str, who: str, at: str) -> Message:
    if not who:
        return Message("{what} at {moment}", what=what, moment=at)
    return Message("{what} by {who} at {moment}", what=what, who=who, moment=at)


def _what(content: str) -> str:
    try:
        rows = data_of(content)
        changed = [f"{table} {key}".strip() for table, key, _, _ in rows[:3]]
    except (ValueError, TypeError):
        return Message("cannot be read")
    more = len(rows) - len(changed)
    listed = ", ".join(changed)
    return Message("{listed} and {count} more", listed=listed, count=more) if more else listed
