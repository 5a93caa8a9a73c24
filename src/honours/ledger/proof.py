"""The proof of one posting, which a member keeps and anybody can check without the ledger.

It has the posting's whole record, with ids instead of names, and the path from it to the root in a
checkpoint; also the member's own row with its salt, and the path to the same root.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, select

from honours.errors import InputError
from honours.ledger.canonical import data_of
from honours.ledger.chain import HASHED, LINKED, digest_of, hash_of, hash_of_change
from honours.ledger.checkpoint import Checkpoint, checkpoint
from honours.ledger.links import Links, read_links, root_by
from honours.ledger.schema import OF_RECORD, changes, people, postings, records
from honours.ledger.sealing import seal
from honours.model.message import Message

_POSTED = tuple(c.name for c in postings.c)


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
        "member": _member(connection, line.member, links),
        "size": made.size,
        "root": made.root,
        "head": made.head,
    }


def _with_path(row: Mapping[str, Any], number: int, links: Links) -> dict[str, Any]:
    place = links.ids.index(number) + 1
    return {"row": dict(row), "place": place, "path": links.path(place)}


def _member(connection: Connection, member: int, links: Links) -> dict[str, Any] | None:
    """Whose posting it is: the current row and the change that wrote it; nothing if erased."""
    row = connection.execute(select(people).where(people.c.member == member)).mappings().first()
    if row is None:
        return None
    mark = f'"{row["seal"]}"'
    wrote = select(changes).where(changes.c.content.contains(mark)).order_by(changes.c.id.desc())
    change = connection.execute(wrote).mappings().first()
    if change is None:
        return None
    person = dict(row)
    linked = {name: change[name] for name in LINKED}
    return {"person": person, "change": _with_path(linked, -change["id"], links)}


@dataclass(frozen=True, slots=True)
class ProofCheck:
    """What a proof shows; ``wrong`` is empty if it holds."""

    posting: int
    wrong: str
    title: str = ""
    day: str = ""
    amount: int = 0
    member: int = 0
    name: str = ""


def check(proof: Mapping[str, Any], against: Checkpoint | None = None) -> ProofCheck:
    """Whether a proof holds, also against a checkpoint that somebody else keeps."""
    try:
        return _check(proof, against)
    except (KeyError, TypeError, ValueError, IndexError) as error:
        return ProofCheck(0, Message("it is no proof of a posting ({error})", error=error))


def _check(proof: Mapping[str, Any], against: Checkpoint | None) -> ProofCheck:
    number, size, root = int(proof["posting"]), int(proof["size"]), str(proof["root"])
    record, lines = proof["record"], proof["postings"]
    row = record["row"]
    line = next(dict(zip(_POSTED, each, strict=True)) for each in lines if each[0] == number)
    wrong = ""
    if digest_of(tuple(each) for each in lines) != row["digest"]:
        wrong = "its postings are not those of the record"
    elif _root(record, hash_of(row), size) != root:
        wrong = "its record is not under the root it names"
    elif against and (against.size != size or against.root != root):
        wrong = _other(against, size)
    name, why = _person(proof.get("member"), line["member"], size, root)
    statement = (row["title"], row["day"], line["amount"], line["member"], name)
    return ProofCheck(number, wrong or why, *statement)


def _other(against: Checkpoint, size: int) -> str:
    if not against.root:
        return Message("the checkpoint is a head alone: a proof needs the file of `ledger head -o`")
    if against.size != size:
        return Message(
            "the checkpoint is of {size} links, the proof of {own}: ask for one of then",
            size=against.size,
            own=size,
        )
    return Message(
        "the checkpoint has another root: this posting is not in the ledger it was taken of"
    )


def _root(linked: Mapping[str, Any], hash_: str, size: int) -> str:
    return root_by(hash_, int(linked["place"]), size, linked["path"])


def _person(part: Mapping[str, Any] | None, member: int, size: int, root: str) -> tuple[str, str]:
    """The name that goes with the posting, and what is wrong with it."""
    if not part:
        return "", ""
    person, change = part["person"], part["change"]
    row = change["row"]
    written = [after for table, _, _, after in data_of(row["content"]) if table == people.name]
    if person["member"] != member or seal(person) not in written:
        return "", "the name in it is not the one that was written"
    if _root(change, hash_of_change(row), size) != root:
        return "", "the name in it is not under the root it names"
    return f"{person['name']} {person['number'] or ''}".strip(), ""
