"""Signatures on checkpoints: Ed25519, with keys that belong to and stay with the user."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, select

from honours.errors import FileProblem, InputError
from honours.ledger.canonical import data_of
from honours.ledger.links import Links, extends, read_links
from honours.ledger.schema import changes, end_of, records
from honours.model.message import Message, joined, plural, word
from honours.rings import require

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import (
        Ed25519PrivateKey,
        Ed25519PublicKey,
    )


_HEX = re.compile(r"[0-9a-fA-F]*")


@dataclass(frozen=True, slots=True)
class Signature:
    """A signature and the public key that checks it, both in hexadecimal."""

    key: str
    value: str


def new_key(path: str | Path) -> str:
    """Create a private key that only its owner can read; returns the public one, for everybody."""
    require("cryptography")
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    made = Ed25519PrivateKey.generate()
    pem = made.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError as error:
        raise InputError("{path} already exists; a key is never overwritten", path=path) from error
    except OSError as error:
        raise FileProblem(
            path, "cannot be written ({strerror})", strerror=error.strerror
        ) from error
    with os.fdopen(handle, "wb") as file:
        file.write(pem)
        file.flush()
        os.fsync(file.fileno())
    return _hex(made.public_key())


def make_signature(text: str, key: str | Path) -> Signature:
    """A signature of a text, by the private key in a file."""
    private = _private(key)
    return Signature(_hex(private.public_key()), private.sign(text.encode()).hex())


def signature_holds(text: str, signature: Signature) -> bool:
    """Return whether a signature matches this text."""
    require("cryptography")
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(signature.key))
        key.verify(bytes.fromhex(signature.value), text.encode())
    except (InvalidSignature, ValueError):
        return False
    return True


def public_key(text: str) -> str:
    """A public key as given: in hexadecimal, or in a file that holds it. Digits are a key, whatever
    files there are."""
    if not _HEX.fullmatch(text) and Path(text).is_file():
        digits = Path(text).read_text(encoding="utf-8").strip().lower()
    else:
        digits = text.strip().lower()
    if not _HEX.fullmatch(digits) or len(digits) != 64:
        raise InputError(
            "{text}: not a public key; expected 64 hexadecimal digits or a file of them", text=text
        )
    return digits


def _private(path: str | Path) -> Ed25519PrivateKey:
    require("cryptography")
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    try:
        key = serialization.load_pem_private_key(Path(path).read_bytes(), password=None)
    except (OSError, ValueError, TypeError) as error:
        raise FileProblem(
            path, "no private key ({error})", "a key made for this ledger", error=error
        ) from error
    if not isinstance(key, Ed25519PrivateKey):
        raise FileProblem(path, "a private key of another kind", "an Ed25519 key")
    return key


def _hex(key: Ed25519PublicKey) -> str:
    from cryptography.hazmat.primitives import serialization

    raw = key.public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)
    return raw.hex()


_ALONG, _LAST = 64, 64
"""How many marks there are along the whole chain, and at how many of the last links."""
_NAMED = 12
"""How many links are named one by one."""
_TYPED = re.compile(r"[0-9a-fA-F:\s]*")
"""The characters of a line: what has no other is never taken for the name of a file."""
_PURPOSE = "honours checkpoint "
"""What a signed text begins with: a signature made for something else is none of a checkpoint."""
_LINE = re.compile(r"(?:(\d{1,18}):(\d{1,18}):)?([0-9a-f]{64}|)(?::([0-9a-f]{64}))?")
_SIGNED = re.compile(r"([0-9a-f]{64}):([0-9a-f]{128})")


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The chain at a point: its ``head``, the ``root`` over its ``size`` links, and ``marks``, the
    hashes at some positions. Of one of which only the head was noted, nothing else is known.
    ``steps`` show, by the line of an earlier checkpoint, that this one follows from it."""

    head: str
    records: int = -1
    changes: int = 0
    root: str = ""
    marks: tuple[tuple[int, str], ...] = ()
    signatures: tuple[Signature, ...] = field(default=(), compare=False)
    steps: tuple[tuple[str, tuple[str, ...]], ...] = field(default=(), compare=False)

    @property
    def size(self) -> int:
        """The number of links the chain had; -1 if that is not known."""
        return self.records + self.changes if self.records >= 0 else -1

    @property
    def line(self) -> str:
        """All that is signed, as a line."""
        if self.size < 0:
            return self.head
        counted = f"{self.records}:{self.changes}:{self.head}"
        return f"{counted}:{self.root}" if self.root else counted

    @property
    def signed_line(self) -> str:
        """The line with its signatures, to be published."""
        return " ".join([self.line, *(f"{one.key}:{one.value}" for one in self.signatures)])

    def data(self) -> dict[str, Any]:
        """The checkpoint as it is written into a file."""
        return {
            "honours": "checkpoint",
            "line": self.line,
            "signatures": [[one.key, one.value] for one in self.signatures],
            "steps": {line: list(steps) for line, steps in self.steps},
            "marks": [list(mark) for mark in self.marks],
        }

    def text(self) -> str:
        """The checkpoint as a file."""
        return json.dumps(self.data(), indent=1) + "\n"


def checkpoint(
    connection: Connection,
    links: Links | None = None,
    key: str = "",
    since: Iterable[Checkpoint] = (),
) -> Checkpoint:
    """The ledger's current checkpoint, signed if a key is named, with the steps from earlier
    ones."""
    end = end_of(connection)
    links = read_links(connection) if links is None else links
    size = len(links)
    step = max(1, size // _ALONG)
    places = sorted({*range(step, size + 1, step), *range(max(1, size - _LAST), size + 1)})
    made = Checkpoint(
        end.head,
        end.records,
        end.changes,
        links.root(),
        tuple((place, links.hash_at(place)) for place in places),
        steps=tuple(
            (one.line, tuple(links.extension(one.size))) for one in since if 0 < one.size <= size
        ),
    )
    return countersigned(made, key) if key else made


def countersigned(made: Checkpoint, key: str) -> Checkpoint:
    """The checkpoint with a signature more, by the private key in a file."""
    if not made.root:
        raise InputError("a checkpoint without a root cannot be signed")
    new = make_signature(_signed(made), key)
    others = tuple(one for one in made.signatures if one.key != new.key)
    return replace(made, signatures=(*others, new))


def _signed(made: Checkpoint) -> str:
    return _PURPOSE + made.line


def check_signatures(made: Checkpoint, by: Iterable[str] = ()) -> None:
    """Refuse a checkpoint with a signature that is not one of its line, or without one of each of
    the keys that are named."""
    for one in made.signatures:
        if not signature_holds(_signed(made), one):
            raise InputError(
                "the signature by {key} does not belong to this checkpoint", key=one.key
            )
    for wanted in map(public_key, by):
        if wanted not in {one.key for one in made.signatures}:
            raise InputError("the checkpoint is not signed by {key}", key=wanted)


def line_of(connection: Connection) -> str:
    """The current checkpoint as a line without a root, to print on outgoing documents."""
    end = end_of(connection)
    return f"{end.records}:{end.changes}:{end.head}"


def read_checkpoint(text: str) -> Checkpoint:
    """A checkpoint as somebody noted it: the head alone, the line, or a file of either. What is
    typed like a line is one: a file that happens to have such a name is not looked at."""
    if _TYPED.fullmatch(text) or not Path(text).is_file():
        return line_checkpoint(text)
    try:
        content = Path(text).read_text(encoding="utf-8").strip()
        return _from_data(data_of(content)) if content.startswith("{") else line_checkpoint(content)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, InputError) as error:
        raise FileProblem(
            text, "no checkpoint ({error})", "a checkpoint that this ledger gave out", error=error
        ) from error


def line_checkpoint(text: str) -> Checkpoint:
    """A checkpoint from its line, or from its head alone."""
    line, *signed = text.lower().split() or [""]
    read, signatures = _LINE.fullmatch(line), [_SIGNED.fullmatch(one) for one in signed]
    begun = line.startswith("0:0:")
    if read is None or not (read[3] or begun) or None in signatures:
        raise InputError(
            "{text!r} is not a checkpoint: expected one that this ledger gave out",
            text=text[:200],
        )
    there, changed = (int(read[1]), int(read[2])) if read[1] else (-1, 0)
    signed_by = tuple(Signature(one[1], one[2]) for one in signatures if one)
    return Checkpoint(read[3], there, changed, read[4] or "", signatures=signed_by)


def _from_data(data: Any) -> Checkpoint:
    if data["honours"] != "checkpoint":
        raise ValueError(Message("another kind of file"))
    return replace(
        line_checkpoint(str(data["line"])),
        marks=tuple((int(place), str(hash_)) for place, hash_ in data["marks"]),
        signatures=tuple(Signature(str(key), str(value)) for key, value in data["signatures"]),
        steps=tuple((str(a), tuple(map(str, steps))) for a, steps in data["steps"].items()),
    )


# --- do two follow from each other? -------------------------------------------------------------


FOLLOWS, FORKED, UNKNOWN = Message("follows"), Message("forked"), Message("unknown")


@dataclass(frozen=True, slots=True)
class Succession:
    """The verdict on whether the ``later`` of two checkpoints follows from the ``earlier``."""

    verdict: Message
    said: Message
    earlier: Checkpoint
    later: Checkpoint


def compared(one: Checkpoint, other: Checkpoint) -> Succession:
    """Compare two checkpoints of one ledger by what they say themselves."""
    earlier, later = sorted((one, other), key=lambda each: each.size)
    if earlier.size < 0 or not earlier.root or not later.root:
        said = Message("a checkpoint without counts and root says too little")
        return Succession(UNKNOWN, said, earlier, later)
    if earlier.size == later.size:
        if earlier.line == later.line:
            return Succession(FOLLOWS, Message("they are the same"), earlier, later)
        said = Message("two histories of the same length: the ledger was rewritten")
        return Succession(FORKED, said, earlier, later)
    own = dict(later.marks)
    if any(own.get(place, hash_) != hash_ for place, hash_ in _links_of(earlier)):
        said = Message("a link differs between the two checkpoints: the ledger was rewritten")
        return Succession(FORKED, said, earlier, later)
    steps = dict(later.steps).get(earlier.line)
    if steps is None and earlier.size:
        said = Message(
            "the later checkpoint does not show it: ask for one since {line}", line=earlier.line
        )
        return Succession(UNKNOWN, said, earlier, later)
    if _shown(earlier, later, steps or ()):
        return Succession(FOLLOWS, Message("the later follows from the earlier"), earlier, later)
    said = Message("the later does not follow from the earlier: the ledger was rewritten")
    return Succession(FORKED, said, earlier, later)


def _links_of(made: Checkpoint) -> tuple[tuple[int, str], ...]:
    return (*made.marks, (made.size, made.head))


def _shown(earlier: Checkpoint, later: Checkpoint, steps: Sequence[str]) -> bool:
    try:
        return extends(earlier.size, earlier.root, later.size, later.root, steps)
    except (ValueError, IndexError):
        return False


# --- does today's ledger continue it? ---------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Continuity:
    """The continuity of a ledger with a checkpoint; ``said`` tells what has happened since."""

    held: bool
    said: str
    links: tuple[str, ...] = ()


def continuity(connection: Connection, links: Links, before: Checkpoint) -> Continuity:
    """Compare today's chain with a checkpoint."""
    place = before.size if before.size >= 0 else links.position(before.head)
    same = place is not None and links.hash_at(place) == before.head
    if place is not None and same and before.root in ("", links.root(place)):
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
            "this checkpoint is not part of today's ledger: it was rewritten or cut since"
        )
        return Continuity(False, verdict)
    first = min((p for p, hash_ in before.marks if links.hash_at(p) != hash_), default=place)
    named = _named(connection, links, range(max(agree, 0) + 1, first + 1))
    verdict = Message("what was there at the checkpoint was rewritten since, among it")
    return Continuity(False, verdict, named)


def grown_since(connection: Connection, before: Checkpoint) -> Continuity:
    """Check that the chain still has the checkpoint's head in its place, without following all of
    it."""
    at = select(records.c.hash).where(records.c.id == before.records)
    of = select(changes.c.hash).where(changes.c.id == before.changes)
    there = {connection.scalar(at) or "", connection.scalar(of) or ""}
    if before.size < 0 or before.head not in there:
        return Continuity(
            False, Message("the checkpoint's last link is not there: verify everything")
        )
    end = end_of(connection)
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
