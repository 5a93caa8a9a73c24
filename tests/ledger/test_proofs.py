"""Checkpoints are signed, proofs are checked without the ledger, assertions are held to."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from honours.cli import cli
from honours.errors import InputError
from honours.ledger import assertions, kinds, members
from honours.ledger.checkpoint import (
    Checkpoint,
    check_signatures,
    checkpoint,
    compared,
    countersigned,
    new_key,
    public_key,
    read_checkpoint,
)
from honours.ledger.links import Links, extends, root_by
from honours.ledger.post import post, reverse
from honours.ledger.proof import check, prove
from honours.ledger.store import Ledger
from honours.ledger.verify import verify
from honours.model import Player
from tests.ledger.material import BOOK, CUP, event, ranked
from tests.ledger.tables import fill_as_before


def links(size: int) -> Links:
    made = Links()
    for number in range(1, size + 1):
        made.add(number, f"{number:064x}")
    return made


@pytest.mark.parametrize("size", range(1, 34))
def test_every_link_has_a_path_to_the_root_and_no_other_has_it(size: int) -> None:
    made = links(size)
    for place in range(1, size + 1):
        path = made.path(place)
        assert root_by(made.hash_at(place), place, size, path) == made.root()
        assert root_by(f"{99:064x}", place, size, path) != made.root()
        other = place % size + 1
        if other != place:
            assert root_by(made.hash_at(place), other, size, path) != made.root()


@pytest.mark.parametrize("size", range(1, 34))
def test_a_root_is_continued_by_a_later_one_and_by_no_other(size: int) -> None:
    made, other = links(size), links(size)
    other.hashes[0] ^= 1
    for first in range(1, size + 1):
        steps, root = made.extension(first), made.root(first)
        assert extends(first, root, size, made.root(), steps)
        for wrong in (other.root(), root if first < size else ""):
            assert not extends(first, root, size, wrong, steps)
        assert not extends(first, other.root(first), size, made.root(), steps)
        if first < size:
            assert not extends(first, root, size, made.root(), [*steps, root])


@pytest.fixture
def posted(ledger: Ledger) -> Ledger:
    fill_as_before(ledger, _have_two_nights)
    return ledger


def _have_two_nights(ledger: Ledger) -> None:
    """Of which the first was taken back."""
    post(ledger, event(), "Eve")
    post(ledger, event("Late", "2017-02-01", [6, 5, 4, 3, 2, 1]), "Eve")
    reverse(ledger, 1, "Eve", "void")


def test_every_posting_is_proved_without_the_ledger(posted: Ledger) -> None:
    with posted.reading() as connection:
        kept = checkpoint(connection)
        proofs = [prove(connection, n) for n in range(1, 13)]
    for proof in (json.loads(json.dumps(one)) for one in proofs):
        findings = check(proof, kept)
        assert findings.wrong == ""
        assert findings.name.startswith(("Ann", "Bob"))
        assert (findings.points, findings.kind) == (str(findings.amount), f"{BOOK.body} local")


DEEP: Any = []
for _ in range(100_000):
    DEEP = [DEEP]
HOSTILE: list[tuple[tuple[Any, ...], Any]] = [
    (("posting",), 99),
    (("posting",), True),
    (("postings",), []),
    (("postings", 0, 4), "12"),
    (("postings", 0, 5), DEEP),
    (("record", "path"), {}),
    (("record", "path", 0), "zz"),
    (("record", "place"), -(10**300)),
    (("record", "row"), 7),
    (("member", "change", "row", "content"), "[[1]]"),
    (("member", "change", "row", "content"), "[" * 100_000),
    (("kind", "row", "decimals"), 10**9),
    (("checkpoint",), "/etc/passwd"),
    (("honours",), None),
]


def changed_in(proof: dict[str, Any], *keys: Any, to: Any) -> dict[str, Any]:
    place = copy = json.loads(json.dumps(proof))
    for key in keys[:-1]:
        place = place[key]
    assert place[keys[-1]] is not to
    place[keys[-1]] = to
    return dict(copy)


@pytest.mark.parametrize(
    ("keys", "to"),
    [
        (("posting",), 2),
        (("postings", 0, 4), 50_000),
        (("postings", 0, 2), 7),
        (("record", "row", "title"), "Another"),
        (("record", "row", "day"), "2001-01-01"),
        (("record", "place"), 1),
        (("member", "row", "name"), "Mallory"),
        (("member", "row", "member"), 2),
        (("member", "change", "row", "at"), "2001-01-01"),
        (("kind", "row", "decimals"), 2),
        (("kind",), None),
        (("checkpoint",), f"1:2:{'0' * 64}:{'0' * 64}"),
        (("record", "path"), []),
        *HOSTILE,
    ],
)
def test_a_proof_that_was_changed_does_not_hold(
    posted: Ledger, keys: tuple[Any, ...], to: Any
) -> None:
    with posted.reading() as connection:
        kept, proof = checkpoint(connection), prove(connection, 1)
    assert check(proof, kept).wrong == ""
    findings = check(changed_in(proof, *keys, to=to), kept)
    assert findings.wrong or findings.posting == 2


def test_a_proof_is_of_one_checkpoint(posted: Ledger) -> None:
    with posted.reading() as connection:
        kept = checkpoint(connection)
    post(posted, event("More", "2018-01-01", [3, 2, 1, 4, 5, 6]), "Eve")
    with posted.reading() as connection:
        proof = prove(connection, 1)
    assert "ask for one of then" in check(proof, kept).wrong
    assert "no root" in check(proof, read_checkpoint(kept.head)).wrong
    odd: list[Any] = [{}, [], None, 7, "proof", {"honours": "proof"}]
    assert all("not a proof" in check(one, kept).wrong for one in odd)


def test_a_proof_of_a_posting_that_is_a_part_of_another(ledger: Ledger) -> None:
    """Postings once stood in a record's digest one below the other, and a text with a newline in it
    could pass for one more."""
    second = "x|None\n2|1|7|1|99999|y"
    field = ranked([1], {1: (Player("Ann 1", "101a"),)})
    (standing,) = field.standings
    named = replace(standing, entrant=replace(standing.entrant, id=second))
    odd = replace(event(), lists=(replace(field, standings=(named,)),), rulebook=CUP, given={})
    post(ledger, odd, "Eve")
    with ledger.reading() as connection:
        proof = prove(connection, 1)
    (line,) = proof["postings"]
    both = [[*line[:5], "x", None], [2, 1, line[2], 1, 99999, "y", None]]
    proof |= {"posting": 2, "postings": both}
    assert check(proof).wrong


def test_who_was_erased_has_points_and_no_name(posted: Ledger) -> None:
    with posted.writing() as connection:
        members.erase(connection, 1, "Eve")
    with posted.reading() as connection:
        findings = check(prove(connection, 1), checkpoint(connection))
    assert (findings.wrong, findings.name, findings.member) == ("", "", 1)


def test_a_signed_checkpoint(posted: Ledger, tmp_path: Path) -> None:
    key, file = tmp_path / "my.key", tmp_path / "head.json"
    public = new_key(key)
    assert key.stat().st_mode & 0o777 == 0o600
    with pytest.raises(InputError, match="never overwritten"):
        new_key(key)
    with posted.reading() as connection:
        file.write_text(checkpoint(connection, key=str(key)).text(), encoding="utf-8")
    kept = read_checkpoint(str(file))
    check_signatures(kept, [public])
    assert verify(posted, head=kept).sound
    other = new_key(tmp_path / "other.key")
    with pytest.raises(InputError, match="not signed by"):
        check_signatures(kept, [public, other])
    both = read_checkpoint(countersigned(kept, str(tmp_path / "other.key")).signed_line)
    check_signatures(both, [public, other])
    file.write_text(both.signed_line, encoding="utf-8")
    assert read_checkpoint(str(file)) == both
    head = f"{kept.records + 1}:{both.signed_line.partition(':')[2]}"
    with pytest.raises(InputError, match="does not belong to this checkpoint"):
        check_signatures(read_checkpoint(head))
    with pytest.raises(InputError, match="not signed by"):
        check_signatures(read_checkpoint(kept.line), [public])


@pytest.mark.parametrize("text", ["", "x", "1:2", "1:" + "0" * 64, "0" * 63, "a:b:" + "0" * 64])
def test_what_is_no_checkpoint_is_refused(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    if text and set(text) <= set("0123456789abcdef:"):
        (tmp_path / text).write_text("0" * 64, encoding="utf-8")
    with pytest.raises(InputError, match="not a checkpoint"):
        read_checkpoint(text)


def test_what_is_typed_is_never_taken_for_a_file(
    posted: Ledger, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with posted.reading() as connection:
        planted = checkpoint(connection)
    noted = f"3:2:{'ab' * 32}"
    (tmp_path / noted).write_text(planted.text(), encoding="utf-8")
    assert read_checkpoint(noted).head == "ab" * 32
    assert verify(posted, head=read_checkpoint(noted)).verdict == "altered"
    key = "cd" * 32
    (tmp_path / key).write_text("ab" * 32, encoding="utf-8")
    assert public_key(key) == key


def test_two_histories_are_found_by_whoever_holds_both(posted: Ledger, tmp_path: Path) -> None:
    key, kept = str(tmp_path / "auditor.key"), tmp_path / "signed.txt"
    new_key(key)
    with posted.reading() as connection:
        earlier = checkpoint(connection)
    post(posted, event("More", "2018-01-01", [3, 2, 1, 4, 5, 6]), "Eve")
    with posted.reading() as connection:
        grown, bare = checkpoint(connection, since=[earlier]), checkpoint(connection)
    assert compared(earlier, grown).verdict == compared(grown, earlier).verdict == "follows"
    assert compared(earlier, read_checkpoint(bare.line)).verdict == "unknown"
    forged = Links()
    for number in range(grown.size):
        forged.add(number, f"{number:064x}")
    line = f"{grown.records}:{grown.changes}:{forged.hash_at(grown.size)}:{forged.root()}"
    other = replace(read_checkpoint(line), steps=grown.steps)
    assert compared(grown, other).verdict == compared(earlier, other).verdict == "forked"
    same = replace(read_checkpoint(line), steps=((earlier.line, tuple(forged.extension(2))),))
    assert compared(earlier, same).verdict == "forked"

    def witness(made: Checkpoint) -> int:
        file = tmp_path / "made.json"
        file.write_text(made.text(), encoding="utf-8")
        asked = ["ledger", "audit", "witness", str(file), "--key", key, "--kept", str(kept)]
        return CliRunner().invoke(cli, asked).exit_code

    assert [witness(one) for one in (earlier, grown, grown)] == [0, 0, 0]
    assert [witness(one) for one in (earlier, other, same)] == [2, 2, 2]
    assert len(kept.read_text(encoding="utf-8").splitlines()) == 3
    first, *_, last = kept.read_text(encoding="utf-8").splitlines()
    for asked, code in (((first, str(tmp_path / "made.json")), 1), ((first, last), 3)):
        assert CliRunner().invoke(cli, ["ledger", "audit", "follows", *asked]).exit_code == code


def test_assertions_are_held_to(posted: Ledger) -> None:
    with posted.writing() as connection:
        local = kinds.get(connection, BOOK.body, "local")
        right = assertions.add(connection, local, "2017-01-31", Fraction(0), "Eve")
        mine = assertions.add(connection, local, "2017-12-31", Fraction(12), "Eve", member=11)
        club = assertions.add(connection, local, "2017-12-31", Fraction(36), "Eve", club="CLUB")
    assert (right.holds, mine.holds, club.holds) == (True, True, True)
    assert verify(posted).sound
    post(posted, event("Early", "2017-01-02", [3, 2, 1, 4, 5, 6]), "Eve")
    verification = verify(posted)
    assert [f.where for f in verification.findings] == ["assertion 1", "assertion 3"]
    assert verification.verdict == "unexplained"
    assert "they are 36" in verification.findings[0].said
    with posted.writing() as connection:
        for number in (1, 3):
            assert assertions.withdraw(connection, number)
    assert verify(posted).sound
