"""Compared with real files beside the repository: reports site."""

from __future__ import annotations

import pytest

from honours.pipeline import ranked, read_account
from tests.reports.test_site import check, pages
from tests.support import shared


@pytest.mark.parametrize(
    "name",
    [
        "usebio/multi-section.xml",
        "usebio/multiple-teams.xml",
        "usebio/cross-imp-pairs.xml",
        "bws/12-tables-1-section.bws",
        "opengotha/juvisy.h9",
        "opengotha/juvisy.xml",
    ],
)
def test_real_files(name: str) -> None:
    site = pages(ranked(read_account(shared(f"real/{name}"))))
    check(site)
    assert str(shared("real")) not in "".join(site.values())
