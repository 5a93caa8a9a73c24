"""Drafts and release, ranks and promotions."""

from __future__ import annotations

from pathlib import Path

import pytest

from honours.errors import InputError
from honours.ledger import members, ranks, release
from honours.ledger.enrol import import_members
from honours.ledger.post import ALREADY, DIFFERS, POSTED, post
from honours.ledger.store import Ledger
from honours.ledger.verify import verify
from tests.ledger.material import BOOK, event
from tests.support import cases

# --- drafts -----------------------------------------------------------------------------------


def test_a_draft_is_posted_as_it_was_reviewed(ledger: Ledger) -> None:
    held = release.draft(ledger, event(), "scorer")
    assert held.status == release.HELD
    with ledger.reading() as connection:
        [draft] = release.all_drafts(connection, release.PENDING)
        assert members.everyone(connection) == []
    assert draft.title == "Club night"
    outcome = release.release(ledger, 1, "secretary")
    assert (outcome.status, outcome.record) == (POSTED, 1)
    assert [line.amount for line in outcome.lines] == [12, 12, 6, 6]
    with ledger.reading() as connection:
        [draft] = release.all_drafts(connection)
    assert (draft.status, draft.record, draft.settled_by) == ("released", 1, "secretary")
    with pytest.raises(InputError, match="released by secretary"):
        release.release(ledger, 1, "secretary")
    assert verify(ledger).sound


def test_a_draft_is_not_held_twice(ledger: Ledger) -> None:
    release.draft(ledger, event(), "scorer")
    assert release.draft(ledger, event(), "scorer").status == ALREADY
    release.withdraw(ledger, 1, "scorer", "misread")
    assert release.draft(ledger, event(), "scorer").status == release.HELD
    release.release(ledger, 2, "secretary")
    assert release.draft(ledger, event(), "scorer").status == ALREADY
    assert release.draft(ledger, event(order=[2, 1, 3, 4, 5, 6]), "scorer").status == DIFFERS
    with pytest.raises(InputError, match="no draft 9"):
        release.release(ledger, 9, "secretary")


def test_only_those_allowed_may_release(ledger: Ledger) -> None:
    release.draft(ledger, event(), "scorer")
    assert release.allow(ledger, "secretary") == ["secretary"]
    with pytest.raises(InputError, match="scorer may not release awards; secretary may"):
        release.release(ledger, 1, "scorer")
    assert release.allow(ledger, "secretary", may=False) == []
    assert release.release(ledger, 1, "scorer", dry_run=True).status == POSTED
    assert release.release(ledger, 1, "scorer").status == POSTED


def test_a_draft_under_another_rulebook_is_refused(file_ledger: Ledger) -> None:
    from dataclasses import replace

    amended = replace(event(), rulebook=replace(BOOK, text_hash="x"))
    release.draft(file_ledger, amended, "scorer")
    with pytest.raises(InputError, match="has changed since"):
        release.release(file_ledger, 1, "secretary")


# --- ranks ------------------------------------------------------------------------------------


def opening(tmp_path: Path, *rows: str) -> Path:
    file = tmp_path / "m.csv"
    file.write_text("\n".join(["number,name,local,national", *rows]), encoding="utf-8")
    return file


def test_promotions_come_with_the_event(ledger: Ledger, tmp_path: Path) -> None:
    file = opening(tmp_path, "101a,Ann 1,190,0", "101b,Bob 1,180,0", "102a,Ann 2,996,0")
    import_members(ledger, file, "w", BOOK)
    outcome = post(ledger, event(), "w")
    assert [(p.member.name, p.rank, p.title) for p in outcome.promotions] == [
        ("Ann 1", "Club Master", "Club night"),
        ("Ann 2", "Local Master", "Club night"),
    ]
    with ledger.reading() as connection:
        promotions = ranks.history(
            connection, members.find(connection, "102a").id, BOOK.body, BOOK.ranks
        )
    assert [(p.rank, p.record) for p in promotions] == [("Club Master", 1), ("Local Master", 2)]


@cases
def test_ranks_need_several_kinds(
    file_ledger: Ledger,
    tmp_path: Path,
    local: int,
    national: int,
    rank: str,
    missing: dict[str, int],
) -> None:
    import_members(file_ledger, opening(tmp_path, f"1,Ann,{local},{national}"), "w", BOOK)
    with file_ledger.reading() as connection:
        rungs = ranks.listed(connection, BOOK.body, ranks.ladder(BOOK.body))
    if not local + national:
        assert [(r.member.name, r.rank) for r in rungs] == [("Ann", "")]
        return
    assert rungs[0].rank == rank
    assert dict(rungs[0].missing) == missing
