"""The proof of one posting, which a member keeps and anybody can check without the ledger.

It has the posting's whole record, with ids instead of names, and the path from it to the root in a
checkpoint; also the member's own row with its salt and that of the kind of points, each with the
link of the chain that wrote it and the path to the same root.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Table, select

from honours.errors import HonoursError, InputError
from honours.ledger.canonical import data_of
from honours.ledger.chain import HASHED, LINKED, digest_of, hash_of, hash_of_change
from honours.ledger.checkpoint import Checkpoint, checkpoint, line_checkpoint
from honours.ledger.derive import PointsKind
from honours.ledger.inspection import Posting
from honours.ledger.links import Links, read_links, root_by
from honours.ledger.schema import OF_RECORD, changes, kinds, people, postings, records
from honours.ledger.sealing import seal
from honours.model.message import Message


def prove(connection: Connection, posting: int) -> dict[str, Any]:
    """The proof of a posting, as plain data."""
    line = connection.execute(select(postings).where(postings.c.id == posting)).first()
    if line is None:
        raise InputError("there is no posting {posting}", posting=posting)
    links = read_links(connection)
    row = connection.execute(select(records).where(records.c.id == line.record)).one()
    lines = connection.execute(
        select(postings)
        .join(records, OF_RECORD)
        .where(records.c.id == row.id)
        .order_by(postings.c.id)
    ).all()
    made = checkpoint(connection, links)
    return {
        "honours": "proof",
        "posting": posting,
        "record": _with_path({name: row._mapping[name] for name in HASHED}, row.id, links),
        "postings": [list(each) for each in lines],
        "member": _sealed(connection, people, line.member, links),
        "kind": _sealed(connection, kinds, line.kind, links),
        "checkpoint": made.line,
    }


def _with_path(row: Mapping[str, Any], number: int, links: Links) -> dict[str, Any]:
    place = links.ids.index(number) + 1
    return {"row": dict(row), "place": place, "path": links.path(place)}


def _sealed(connection: Connection, table: Table, key: int, links: Links) -> dict[str, Any] | None:
    """A row as it is now, and the change that wrote it; nothing if it was erased."""
    (column,) = table.primary_key
    row = connection.execute(select(table).where(column == key)).mappings().first()
    if row is None:
        return None
    mark = f'"{row["seal"]}"'
    wrote = select(changes).where(changes.c.content.contains(mark)).order_by(changes.c.id.desc())
    change = connection.execute(wrote).mappings().first()
    if change is None:
        return None
    linked = {name: change[name] for name in LINKED}
    return {"row": dict(row), "change": _with_path(linked, -change["id"], links)}


@dataclass(frozen=True, slots=True)
class ProofCheck:
    """The result of checking a proof; ``wrong`` is empty if it holds. ``points`` is the amount as
    people write it, with what kind of points it is."""

    posting: int
    wrong: str
    title: str = ""
    day: str = ""
    amount: int = 0
    points: str = ""
    kind: str = ""
    member: int = 0
    name: str = ""


def check(proof: Any, against: Checkpoint | None = None) -> ProofCheck:
    """Check a proof, also against a checkpoint that somebody else keeps. Whatever it is given it
    answers: what is in the proof was written by whoever wants it believed."""
    try:
        return _check(proof, against)
    except HonoursError as error:
        return ProofCheck(0, Message("it is not a proof of a posting ({error})", error=error))
    except Exception as error:
        name = type(error).__name__
        return ProofCheck(0, Message("it is not a proof of a posting ({error})", error=name))


def _check(proof: Mapping[str, Any], against: Checkpoint | None) -> ProofCheck:
    if proof["honours"] != "proof":
        raise InputError("another kind of file")
    own = line_checkpoint(str(proof["checkpoint"]))
    record, number = proof["record"], _whole(proof["posting"])
    row, lines = record["row"], [_posting(each) for each in proof["postings"]]
    line = next((each for each in lines if each.id == number), None)
    if line is None:
        raise InputError("it has no posting {number}", number=number)
    wrong = ""
    if digest_of(lines) != row["digest"] or row["postings"] != len(lines):
        wrong = Message("its postings are not those of the record")
    elif _root(record, hash_of(row), own.size) != own.root:
        wrong = Message("its record is not under the root it names")
    elif against and against.line != own.line:
        wrong = _other(against, own)
    person, why = _written(proof["member"], people, line.member, own)
    kind, why_not = _written(proof["kind"], kinds, line.kind, own)
    name = f"{person['name']} {person['number'] or ''}".strip() if person else ""
    points, of = "", ""
    if kind:
        declared = PointsKind(*(kind[each] for each in PointsKind.__slots__[:5]))
        points = declared.shown(line.amount)
        of = f"{declared.scheme} {declared.name}"
    if not kind:
        why_not = why_not or Message("it does not say what kind of points")
    said = (str(row["title"]), str(row["day"]), line.amount, points, of, line.member, name)
    return ProofCheck(number, wrong or why or why_not, *said)


def _whole(value: Any) -> int:
    if type(value) is not int:
        raise InputError("{value} is no whole number", value=str(value)[:40])
    return value


def _posting(row: Any) -> Posting:
    line = Posting(*row)
    for number in (line.id, line.record, line.member, line.kind, line.amount):
        _whole(number)
    return line


def _other(against: Checkpoint, own: Checkpoint) -> Message:
    if not against.root:
        return Message("The checkpoint has no root: a proof needs the whole of it.")
    if against.size != own.size:
        return Message(
            "the checkpoint is of {size} links, the proof of {own}: ask for one of then",
            size=against.size,
            own=own.size,
        )
    return Message(
        "the checkpoint has another root: this posting is not in the ledger it was taken of"
    )


def _root(linked: Mapping[str, Any], hash_: str, size: int) -> str:
    return root_by(hash_, _whole(linked["place"]), size, linked["path"])


def _written(
    part: Mapping[str, Any] | None, table: Table, key: int, own: Checkpoint
) -> tuple[Mapping[str, Any], str]:
    """A row that goes with the posting, and what is wrong with it; none if it was erased."""
    if not part:
        return {}, ""
    row, change = part["row"], part["change"]
    linked = change["row"]
    written = [after for name, _, _, after in data_of(linked["content"]) if name == table.name]
    (column,) = table.primary_key
    if row[column.name] != key or seal(row) not in written:
        return {}, Message("a row in it, of {table}, is not one that was written", table=table.name)
    if _root(change, hash_of_change(linked), own.size) != own.root:
        return {}, Message("a row in it, of {table}, is not under the root", table=table.name)
    return row, ""
