"""Compared with real files beside the repository: pipeline inquiry."""

from fractions import Fraction

import pytest

from honours.pipeline import inquired, ranked, read_accounts
from honours.rulebooks import load
from tests.support import shared

MOST = 30
"""Evaluations of an inquiry: about five times what reading, scoring and awarding take."""


def test_acblscore_awards_by_the_default_command(capsys: pytest.CaptureFixture[str]) -> None:
    """As ``honours award FILE --rulebook acbl-clubs-2017 --as-usual`` pays them."""
    book, same, differ = load("acbl-clubs-2017"), 0, []
    for path in sorted(shared("real/acblscore").glob("*.[Aa][Cc][AaEeMm]")):
        for account in read_accounts(path):
            report = inquired(ranked(account), book, {}, as_usual=True)
            assert report.awards is not None
            assert report.inquiry is not None
            assert report.inquiry.evaluations <= MOST
            for one in account.event.entrants:
                paid, ours = one.published.get("masterpoints", Fraction(0)), one.entrant.id
                if report.awards.amount(ours) == paid:
                    same += 1
                else:
                    differ.append(f"{path.name} {ours}")
    with capsys.disabled():
        print(f"\nACBLscore awards: {same} of {same + len(differ)} {differ}")
    assert same > 400
    assert len(differ) * 100 <= same
