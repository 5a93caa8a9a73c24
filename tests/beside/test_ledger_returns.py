"""Compared with real files beside the repository: ledger returns."""

from __future__ import annotations

from pathlib import Path

import pytest

from honours.ledger import submissions
from honours.ledger.post import POSTED, post
from honours.ledger.sources import to_post
from honours.ledger.store import Ledger
from honours.pipeline import awarded, ranked, read_account, read_accounts
from honours.pipeline.checking.awards import check_awards
from honours.rulebooks import load
from tests.ledger.test_returns import YEAR, sent
from tests.support import shared


@pytest.mark.parametrize(
    ("name", "rulebook"),
    [
        ("three-sections.ACM", "acbl-clubs-2017"),
        ("tie-for-first.aca", "acbl-sof-2011"),
        ("tie-for-first.aca", "acbl-sof-2020"),
    ],
)
def test_a_game_with_sections_strata_and_holdings_is_awarded_alike_by_its_return(
    file_ledger: Ledger, tmp_path: Path, name: str, rulebook: str
) -> None:
    """A federation needs all that the awards were made from; nobody's town is among it."""
    book = load(rulebook)
    report = awarded(ranked(read_account(shared(f"real/acblscore/{name}"))), book, {})
    done = post(file_ledger, to_post(report), "w", overrule="trial")
    assert done.status == POSTED
    submissions.submit(file_ledger, *YEAR, "w")
    path = sent(file_ledger, 1, tmp_path)
    assert b"Ropezi" not in path.read_bytes()
    [account] = read_accounts(path)
    comparison = check_awards(account, [book], {})
    assert comparison.lines > 5
    assert (comparison.agree, comparison.differences) == (comparison.lines, ())
