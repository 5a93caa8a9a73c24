"""Checkpoints are signed, proofs are checked without the ledger, assertions are held to."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from honours.errors import InputError
from honours.ledger import assertions, kinds, members
from honours.ledger.checkpoint import check_signature, checkpoint, read_checkpoint
from honours.ledger.links import Links, root_by
from honours.ledger.post import post, reverse
from honours.ledger.proof import check, prove
from honours.ledger.signing import new_key
from honours.ledger.store import Ledger
from honours.ledger.verify import verify
from tests.ledger.material import BOOK, event
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
        proofs = [prove(connection, n) for n in range(1, kept.postings + 1)]
    for proof in (json.loads(json.dumps(one)) for one in proofs):
        findings = check(proof, kept)
        assert findings.wrong == ""
        assert findings.name.startswith(("Ann", "Bob"))


def changed_in(proof: dict[str, Any], *keys: Any, to: Any) -> dict[str, Any]:
    copy = json.loads(json.dumps(proof))
    place = copy
    for key in keys[:-1]:
        place = place[key]
    assert place[keys[-1]] != to
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
        (("member", "person", "name"), "Mallory"),
        (("member", "person", "member"), 2),
        (("member", "change", "row", "at"), "2001-01-01"),
        (("root",), "0" * 64),
        (("size",), 3),
        (("record", "path"), []),
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
    assert "a head alone" in check(proof, read_checkpoint(kept.head)).wrong
    assert "no proof" in check({}, kept).wrong


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
    with pytest.raises(InputError, match="never written over"):
        new_key(key)
    with posted.reading() as connection:
        file.write_text(checkpoint(connection, key=str(key)).text(), encoding="utf-8")
    kept = read_checkpoint(str(file))
    check_signature(kept, public)
    assert verify(posted, head=kept).sound
    other = new_key(tmp_path / "other.key")
    with pytest.raises(InputError, match="signature"):
        check_signature(kept, other)
    data = json.loads(file.read_text(encoding="utf-8"))
    file.write_text(json.dumps({**data, "records": 99}), encoding="utf-8")
    with pytest.raises(InputError, match="signature"):
        check_signature(read_checkpoint(str(file)))
    with pytest.raises(InputError, match="not signed"):
        check_signature(read_checkpoint(kept.line), public)


@pytest.mark.parametrize("text", ["", "x", "1:2", "1:" + "0" * 64, "0" * 63, "a:b:" + "0" * 64])
def test_what_is_no_checkpoint_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="no checkpoint"):
        read_checkpoint(text)


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
