"""Compared with real files beside the repository: evening watching."""

from click.testing import CliRunner

from honours.cli import cli
from tests.support import shared


def test_a_go_tournament_stands_after_its_last_whole_round() -> None:
    path = shared("real/pairgoth/macmahon-2024.tour")
    asked = ["watch", str(path), "--as-usual", "--rulebook", "egf-2021", "class=A", "--times", "1"]
    shown = CliRunner().invoke(cli, asked)
    assert shown.exit_code == 0, shown.output
    assert "after 2 of 5 rounds" in shown.output
    assert "rating points" in shown.output
