"""Compared with real files beside the repository: cli award file."""

from __future__ import annotations

import re

from click.testing import CliRunner

from honours.cli import cli
from tests.support import shared


def test_one_of_the_real_tables_events_is_awarded() -> None:
    path = str(shared("real/acbl/pairs.csv"))
    command = ["award", path, "kind=pairs", "sessions=2", "class=sectional"]
    unsaid = CliRunner().invoke(cli, [*command, "--as-usual", "--rulebook", "acbl-sof-2020"])
    assert "47 events (E001, E002, E003, E004, E005 …); expected one: say --event" in unsaid.output
    result = CliRunner().invoke(
        cli, [*command, "--as-usual", "--rulebook", "acbl-sof-2020", "--event", "E003"]
    )
    assert result.exit_code == 0, result.output
    assert re.search(r"^ +1 +8 +9\.41 +9\.41$", result.output, re.MULTILINE)
