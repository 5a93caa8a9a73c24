"""A ledger verified by several processes at once, and from a checkpoint on."""

from __future__ import annotations

import pytest

from honours.errors import InputError
from honours.ledger import members
from honours.ledger.checkpoint import Checkpoint, checkpoint, read_checkpoint
from honours.ledger.post import post, reverse
from honours.ledger.store import Ledger
from honours.ledger.verify import verify
from tests.ledger.material import event
from tests.ledger.test_verify import fill, tamper


def _checkpoint(ledger: Ledger) -> Checkpoint:
    with ledger.reading() as connection:
        return checkpoint(connection)


def test_several_processes_find_the_same(file_ledger: Ledger) -> None:
    fill(file_ledger)
    assert verify(file_ledger, processes=2) == verify(file_ledger)
    tamper(file_ledger, "UPDATE postings SET amount = 999 WHERE id = 2")
    tamper(file_ledger, "UPDATE records SET facts = '{' WHERE id = 2")
    alone, together = verify(file_ledger), verify(file_ledger, processes=2)
    assert not alone.sound
    assert (together.verdicts, together.counts) == (alone.verdicts, alone.counts)
    assert set(together.findings) == set(alone.findings)


def test_only_what_was_added_since_is_looked_at(ledger: Ledger) -> None:
    fill(ledger)
    kept = _checkpoint(ledger)
    assert verify(ledger, after=kept).sound
    post(ledger, event("New", "2018-01-01", [2, 1, 3, 4, 5, 6]), "Eve")
    with ledger.writing() as connection:
        members.change(connection, 3, name="Another Name")
        gone = members.add(connection, "To Be Forgotten", "999")
        members.erase(connection, gone, "Eve")
    verification = verify(ledger, after=kept)
    assert verification.sound
    assert verification.counts == {"sound": 4}
    assert verification.since is not None
    assert "only what was added since the checkpoint" in verification.since.said
    reverse(ledger, verification.records - 1, "Eve", "void")
    assert verify(ledger, after=kept).sound
    assert verify(ledger, after=read_checkpoint(kept.line)).sound
    with pytest.raises(InputError, match="a head alone"):
        verify(ledger, after=read_checkpoint(kept.head))


@pytest.mark.parametrize(
    ("done", "where"),
    [
        ("UPDATE postings SET amount = amount + 1 WHERE id = (SELECT max(id) FROM postings)", ""),
        ("UPDATE people SET name = 'Mallory' WHERE member = 3", "people 3"),
        ("UPDATE balances SET amount = amount + 1 WHERE member = 1", "balances 1"),
        ("UPDATE totals SET total = total + 1 WHERE member = 1", "totals 1"),
        ("UPDATE chain SET records = records - 1", "the end of the chain"),
    ],
)
def test_what_was_changed_since_is_found(ledger: Ledger, done: str, where: str) -> None:
    fill(ledger)
    kept = _checkpoint(ledger)
    post(ledger, event("New", "2018-01-01", [1, 2, 3, 4, 5, 6]), "Eve")
    with ledger.writing() as connection:
        members.change(connection, 3, name="Another Name")
    tamper(ledger, done)
    verification = verify(ledger, after=kept)
    assert not verification.sound
    assert where in {str(f.where) for f in verification.findings} | {""}


def test_a_ledger_that_does_not_continue_it_says_so(ledger: Ledger) -> None:
    fill(ledger)
    kept = _checkpoint(ledger)
    tamper(ledger, f"UPDATE records SET hash = 'x' WHERE id = {kept.records}")
    tamper(ledger, f"UPDATE changes SET hash = 'x' WHERE id = {kept.changes}")
    verification = verify(ledger, after=kept)
    assert not verification.sound
    assert verification.since is not None
    assert not verification.since.held
    with pytest.raises(InputError):
        read_checkpoint("nonsense")


def test_a_posting_that_is_nowhere_near_its_record_is_found(file_ledger: Ledger) -> None:
    fill(file_ledger)
    row = "SELECT max(id) + 5, 2, member, kind, amount, entrant, reverses FROM postings"
    tamper(file_ledger, f"INSERT INTO postings {row}")
    findings = {str(f.where): str(f.said) for f in verify(file_ledger).findings}
    assert any("not among those of its record" in finding for finding in findings.values())
