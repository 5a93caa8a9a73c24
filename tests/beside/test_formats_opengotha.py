"""Compared with real files beside the repository: formats opengotha."""

from __future__ import annotations

import re

import pytest

from honours.formats.go import GoTournament
from honours.pipeline import read_account
from tests.support import shared


@pytest.mark.parametrize(
    "name", ["aga-2014", "categories-2012", "handicap-both-lose-2021", "regional-2012", "sts-2020"]
)
def test_days_komi_and_times_are_those_that_opengotha_sends(name: str) -> None:
    sent = shared(f"real/opengotha/{name}.opengotha.h9").read_text(encoding="iso-8859-15")
    head = dict(re.findall(r"; (DT|KM|TM)\[(.*?)\]", sent))
    content = read_account(shared(f"real/opengotha/{name}.xml")).content
    assert isinstance(content, GoTournament)
    assert {tag: content.facts.get(tag) for tag in head} == head
