"""Compared with real files beside the repository: reports pdf."""

from __future__ import annotations

import pytest

from honours.pipeline import ranked, read_account
from honours.reports.pdf import make_pdf
from tests.reports.test_pdf import text_of
from tests.support import shared


@pytest.mark.parametrize("name", ["usebio/multiple-teams.xml", "opengotha/egc2013.xml"])
def test_real_files(name: str) -> None:
    report = ranked(read_account(shared(f"real/{name}")))
    assert report.account.title.split()[0] in text_of(make_pdf(report, "results"))
