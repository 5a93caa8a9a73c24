"""Compared with real files beside the repository: formats table write."""

from __future__ import annotations

import pytest

from honours.errors import InputError
from honours.formats.table_write import write_results
from honours.pipeline import read_account
from tests.support import shared


def test_an_event_of_matches_alone_is_no_empty_table() -> None:
    event = read_account(shared("real/pbn/teams.pbn")).event
    assert event.sessions[0].matches
    with pytest.raises(InputError, match="no results of boards: a table of them would be empty"):
        write_results(event)
