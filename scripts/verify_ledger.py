"""Verify an exported ledger without Honours: this file, and `cryptography` for signatures.

    honours ledger copies export out --format json   # by whoever keeps the ledger
    honours rulebooks --hashes > published.txt       # or from somebody you trust
    python verify_ledger.py out --head LINE --published published.txt --signed-by KEY

The verdict is *sound* (exit code 0), *altered* (1) or *unexplained* (3): everything is as it was
written, but an award names a rulebook that is not among the published ones. No rulebook is run, and
so no award is worked out again: `honours ledger audit verify` does that.
docs/reference/ledger-format.md describes all that is checked here, for somebody who
would write the same in another language.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

SOUND, ALTERED, UNEXPLAINED = "sound", "altered", "unexplained"
EXIT = {SOUND: 0, ALTERED: 1, UNEXPLAINED: 3}
RECORD = (
    *("id", "action", "at", "who", "why", "event", "title", "day", "club", "source", "results"),
    *("entrants", "rulebook", "facts", "explanation", "reverses", "first_posting", "postings"),
    *("digest", "previous"),
)
CHANGE = ("id", "after", "at", "who", "content", "previous")
POSTING = ("id", "record", "member", "kind", "amount", "entrant", "reverses")
SEALED = {
    "people": "member",
    "numbers": "",
    "names": "id",
    "kinds": "id",
    "rulebooks": "hash",
    "drafts": "id",
    "releasers": "",
    "submissions": "id",
    "requests": "key",
    "assertions": "id",
    "receipts": "id",
}
"""The tables whose rows may change, and the column by which the chain names a row; where that
would name a person, it names the row by its seal."""
LINE = re.compile(r"(?:(\d{1,18}):(\d{1,18}):)?([0-9a-f]{64}|)(?::([0-9a-f]{64}))?")
SIGNED = re.compile(r"([0-9a-f]{64}):([0-9a-f]{128})")
Row = dict[str, Any]


def canonical(data: Any) -> str:
    """Data as JSON with sorted keys, no spaces and every character as itself."""
    return json.dumps(data, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def hash_of(row: Row, columns: Iterable[str]) -> str:
    return sha256(canonical([row[name] for name in columns]))


def seal_of(row: Row) -> str:
    return sha256(canonical({name: value for name, value in row.items() if name != "seal"}))


def rows_of(folder: Path, table: str) -> Iterator[Row]:
    """The rows of a table: a JSON array with each row on a line of its own."""
    with (folder / f"{table}.json").open(encoding="utf-8") as lines:
        for line in lines:
            text = line.strip().rstrip(",")
            if text.startswith("{"):
                yield json.loads(text)


def root_of(hashes: Iterable[bytes]) -> str:
    """The root of a Merkle tree (RFC 9162, 2.1.1) over the hashes of links."""
    level = [hashlib.sha256(b"\x00" + one).digest() for one in hashes]
    while len(level) > 1:
        pairs = zip(level[::2], level[1::2], strict=False)
        above = [hashlib.sha256(b"\x01" + left + right).digest() for left, right in pairs]
        level = above + level[len(above) * 2 :]
    return (level[0] if level else hashlib.sha256().digest()).hex()


class Verifier:
    """An export, followed link by link; ``found`` is what was altered, ``unexplained`` what is as
    it was written and yet cannot be believed by itself."""

    def __init__(self, folder: Path, published: Mapping[str, set[str]]) -> None:
        self.folder, self.published = folder, published
        self.found: list[str] = []
        self.unexplained: Counter[str] = Counter()
        self.links: list[bytes] = []
        self.seals: dict[str, dict[str, str]] = {table: {} for table in SEALED}
        self.sums: Counter[tuple[int, int]] = Counter()
        self.merged: dict[int, int] = {}
        self.erased: set[int] = set()
        self.head, self.records, self.posted, self.changes = "", 0, 0, 0

    def find(self, where: str, what: str) -> None:
        self.found.append(f"{where}: {what}")

    # --- the chain ------------------------------------------------------------------------------

    def follow(self) -> None:
        """Every record with its postings and every change between them, in their order."""
        self.books = {row["hash"]: row for row in rows_of(self.folder, "rulebooks")}
        changes = rows_of(self.folder, "changes")
        postings = rows_of(self.folder, "postings")
        change, posting = next(changes, None), next(postings, None)
        lines_of: dict[int, list[Row]] = {}
        for record in rows_of(self.folder, "records"):
            while change is not None and change["after"] < record["id"]:
                self.change(change)
                change = next(changes, None)
            lines = []
            while posting is not None and posting["record"] == record["id"]:
                lines.append(posting)
                posting = next(postings, None)
            lines_of[record["id"]] = lines
            self.record(record, lines, lines_of)
        while change is not None:
            self.change(change)
            change = next(changes, None)
        if posting is not None:
            self.find(f"posting {posting['id']}", "is not among those of its record")
        (end,) = rows_of(self.folder, "chain")
        self.members = end["members"]
        there = (self.records, self.posted, self.changes, self.head)
        if tuple(end[name] for name in ("records", "postings", "changes", "head")) != there:
            self.find("the end of the chain", "is not where the chain says")

    def link(self, where: str, row: Row, columns: tuple[str, ...]) -> None:
        if row["previous"] != self.head:
            self.find(where, "does not follow from the link before it")
        if hash_of(row, columns) != row["hash"]:
            self.find(where, "something in it was changed")
        self.head = row["hash"]
        self.links.append(bytes.fromhex(row["hash"]))

    def change(self, row: Row) -> None:
        where, self.changes = f"changes {row['id']}", self.changes + 1
        if row["id"] != self.changes:
            self.find(where, f"changes {self.changes} are missing")
            self.changes = row["id"]
        self.link(where, row, CHANGE)
        for table, key, before, after in json.loads(row["content"]):
            seals = self.seals[table]
            if before and seals.pop(key or before, None) != before:
                self.find(where, f"took {table} {key} for what it was not")
            if after:
                seals[key or after] = after

    def record(self, row: Row, lines: list[Row], lines_of: Mapping[int, list[Row]]) -> None:
        where, self.records = f"record {row['id']}", self.records + 1
        if row["id"] != self.records:
            self.find(where, f"record {self.records} is missing")
            self.records = row["id"]
        first = self.posted + 1
        numbered = [line["id"] for line in lines] == list(range(first, first + len(lines)))
        if row["first_posting"] != first or row["postings"] != len(lines) or not numbered:
            self.find(where, "has other postings than were written")
        self.posted = row["first_posting"] + row["postings"] - 1
        if sha256(canonical([[line[name] for name in POSTING] for line in lines])) != row["digest"]:
            self.find(where, "its postings are not those that were written")
        self.link(where, row, RECORD)
        for line in lines:
            self.sums[line["member"], line["kind"]] += line["amount"]
        facts = json.loads(row["facts"]) if row["facts"] else {}
        if row["action"] == "award":
            self.award(where, row, len(lines))
            return
        written = [[line[name] for name in POSTING[2:]] for line in lines]
        if written != self.expected(where, row, facts, lines_of):
            self.find(where, "its postings are not what it says")
        if row["action"] == "merge":
            self.merged[facts["member"]] = facts["into"]
        elif row["action"] == "unmerge":
            self.merged.pop(facts["member"], None)
        elif row["action"] == "erasure":
            self.erased.update(facts["members"])

    def expected(
        self, where: str, row: Row, facts: Row, lines_of: Mapping[int, list[Row]]
    ) -> list[list[Any]]:
        """Member, kind, amount, entrant and what it reverses, for each posting there should be."""
        if row["action"] in ("opening", "adjustment"):
            return [[*balance, "", None] for balance in facts["balances"]]
        if row["action"] == "reversal":
            if row["reverses"] != facts["reverses"]:
                self.find(where, "reverses another record than it says")
            undone = lines_of.get(facts["reverses"], [])
            return [
                [one["member"], one["kind"], -one["amount"], one["entrant"], one["id"]]
                for one in undone
            ]
        return []

    def award(self, where: str, row: Row, postings: int) -> None:
        """An award names a rulebook by a hash: of a published text, with what was amended."""
        book = self.books.get(row["rulebook"])
        if book is None:
            self.find(where, "names a rulebook that the ledger does not")
            return
        amended = json.loads(book["amended"])
        changes = "".join(f"{key}={value}\n" for key, value in sorted(amended.items()))
        texts = self.published.get(book["rulebook"], set())
        if postings and row["rulebook"] not in {sha256(text + changes) for text in texts}:
            said = f"{book['rulebook']} with the hash {row['rulebook']} is not a published rulebook"
            self.unexplained[said] += postings

    # --- what stands beside the chain -----------------------------------------------------------

    def tables(self) -> None:
        """The rows that may change are those that the chain's links last wrote."""
        tallies = {row["name"]: row for row in rows_of(self.folder, "tallies")}
        self.rows: dict[str, list[Row]] = {}
        for table, key in SEALED.items():
            wanted, total, count = dict(self.seals[table]), 0, 0
            rows = self.rows[table] = []
            for row in rows_of(self.folder, table):
                count += 1
                total ^= int(row["seal"], 16)
                name = str(row[key]) if key else row["seal"]
                if seal_of(row) != row["seal"]:
                    self.find(f"{table} {name}", "was changed behind the ledger's back")
                if wanted.pop(name, None) != row["seal"]:
                    self.find(f"{table} {name}", "is not as the chain says it was written")
                if table in ("people", "kinds", "assertions"):
                    rows.append(row)
            for name in wanted:
                self.find(f"{table} {name}", "was written and is gone")
            tally = tallies.pop(table, {"rows": -1, "digest": ""})
            if (tally["rows"], tally["digest"]) != (count, f"{total:064x}"):
                self.find(table, "has other rows than its tally says")
        for name in tallies:
            self.find(f"tallies {name}", "is of no table of the ledger")

    def people(self) -> None:
        """Members are numbered from 1; who has no name was erased, and who was erased has none."""
        ids = [row["id"] for row in rows_of(self.folder, "members")]
        if ids != list(range(1, self.members + 1)):
            self.find("members", "are not those that were made")
        named = {row["member"] for row in self.rows["people"]}
        for member in sorted(named & self.erased):
            self.find(f"people {member}", "was erased and has a name again")
        for member in sorted({*ids} - named - self.erased):
            self.find(f"people {member}", "has lost its name without an erasure")
        kept = {row["member"]: row["into"] for row in rows_of(self.folder, "aliases")}
        if kept != self.merged:
            self.find("aliases", "members are not merged as the records say")

    def balances(self) -> None:
        """Balances are the sums of postings; totals follow mergers, in millionths of a point."""
        kept = {(r["member"], r["kind"]): r["amount"] for r in rows_of(self.folder, "balances")}
        for key in sorted({*kept, *self.sums}):
            if kept.get(key) != self.sums.get(key):
                self.find(f"balances {key[0]}", "is not the sum of the postings")
        kinds = {row["id"]: row for row in self.rows["kinds"]}
        held: dict[tuple[str, int], dict[int, int]] = {
            (scheme, row["member"]): {}
            for scheme in {kind["scheme"] for kind in kinds.values()}
            for row in self.rows["people"]
            if not row["visitor"] and row["member"] not in self.merged
        }
        for (member, kind), amount in self.sums.items():
            of = held.setdefault((kinds[kind]["scheme"], self.last(member)), {})
            of[kind] = of.get(kind, 0) + amount
        for row in rows_of(self.folder, "totals"):
            of = held.pop((row["scheme"], row["member"]), {-1: 0})
            total = sum(n * 10 ** (6 - kinds[k]["decimals"]) for k, n in of.items() if k in kinds)
            said = " ".join(f"{kind}:{of[kind]}" for kind in sorted(of))
            if (row["total"], row["held"]) != (total, said):
                self.find(f"totals {row['member']}", "is not the sum of the postings")
        for _, member in held:
            self.find(f"totals {member}", "is missing")

    def last(self, member: int) -> int:
        while member in self.merged:
            member = self.merged[member]
        return member

    # --- what somebody else keeps ---------------------------------------------------------------

    def checkpoint(self, line: str, signed_by: Iterable[str]) -> None:
        """The chain once was as a checkpoint says, which is signed by whom it should be."""
        text, *signed = line.lower().split() or [""]
        read, signatures = LINE.fullmatch(text), [SIGNED.fullmatch(one) for one in signed]
        if read is None or None in signatures or not (read[3] or text.startswith("0:0:")):
            raise ValueError(f"{line[:80]!r} is no line of a checkpoint")
        keys = {one[1] for one in signatures if one and signature_holds(text, one[1], one[2])}
        if len(keys) != len(signatures) or not keys.issuperset(key.lower() for key in signed_by):
            self.find("the checkpoint", "is not signed as it should be")
        head = bytes.fromhex(read[3])
        place = int(read[1]) + int(read[2]) if read[1] else self.place(head)
        if place > len(self.links) or (place and self.links[place - 1] != head):
            self.find("the checkpoint", "what was there then was cut off or rewritten since")
        elif read[4] and root_of(self.links[:place]) != read[4]:
            self.find("the checkpoint", "has another root: what was there was rewritten since")

    def place(self, head: bytes) -> int:
        return self.links.index(head) + 1 if head in self.links else len(self.links) + 1

    @property
    def verdict(self) -> str:
        if self.found:
            return ALTERED
        return UNEXPLAINED if self.unexplained else SOUND


def signature_holds(line: str, key: str, value: str) -> bool:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        public = Ed25519PublicKey.from_public_bytes(bytes.fromhex(key))
        public.verify(bytes.fromhex(value), f"honours checkpoint {line}".encode())
    except (InvalidSignature, ValueError):
        return False
    return True


def verify(
    folder: Path,
    head: str = "",
    published: Mapping[str, set[str]] | None = None,
    signed_by: Iterable[str] = (),
) -> Verifier:
    """Everything that can be checked of an export; what cannot even be read was altered."""
    verifier = Verifier(folder, published or {})
    for check in (verifier.follow, verifier.tables, verifier.people, verifier.balances):
        try:
            check()
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            verifier.find(check.__name__, f"cannot be read ({type(error).__name__}: {error})")
    if head:
        verifier.checkpoint(head, signed_by)
    return verifier


def read_published(text: str) -> dict[str, set[str]]:
    """Lines ``ID HASH``: the digests of the texts published under each id."""
    books: dict[str, set[str]] = {}
    for line in text.splitlines():
        if line.strip():
            name, digest = line.split()
            books.setdefault(name, set()).add(digest)
    return books


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, help="of `honours ledger copies export --format json`")
    parser.add_argument("--head", default="", help="the line of a checkpoint that somebody kept")
    parser.add_argument("--published", type=Path, help="of `honours rulebooks --hashes`")
    parser.add_argument("--signed-by", action="append", default=[], help="a public key")
    asked = parser.parse_args()
    published = read_published(asked.published.read_text("utf-8")) if asked.published else {}
    verifier = verify(asked.folder, asked.head, published, asked.signed_by)
    for line in verifier.found:
        print(line)
    for said, count in verifier.unexplained.items():
        print(f"{count} postings: {said}")
    print(f"{verifier.records} records, {verifier.posted} postings: {verifier.verdict}.")
    print(f"Head of the chain: {verifier.head}")
    return EXIT[verifier.verdict]


if __name__ == "__main__":
    sys.exit(main())
