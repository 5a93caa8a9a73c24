"""How the events of a season are scored: as its file says, or as the command does."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from honours.cli import cli
from honours.errors import FileProblem
from honours.ledger.season import awards as seasonal
from honours.ledger.season.plan import read_season
from tests.ledger.test_season_rules import DAYS, HEAD, competition, write
from tests.pipeline import thirty


def _scored(folder: Path) -> None:
    folder.mkdir()
    for day in DAYS[:2]:
        rows = thirty.pairs(8, 4, 6, lines=True)
        (folder / f"{day}.csv").write_text(thirty.paired(rows), encoding="utf-8")


def test_events_are_scored_as_the_season_or_the_command_says(tmp_path: Path) -> None:
    _scored(tmp_path / "events")
    (tmp_path / "members.csv").write_text("number,name\n77,1 Player1\n", encoding="utf-8")
    head = HEAD + 'options.winners = 1\noptions.members = "members.csv"\n'
    file = write(tmp_path, competition(best="2"), competition("Lines", best="2"), head=head)
    season = read_season(file)
    one = seasonal.standings(season, season.competition("Pairs"))
    assert [len(event.lists) for event in one.events] == [1, 1]
    [first] = [row for row in one.rows if "77" in {p.number for p in row.players}]
    assert first.players[0].name == "1 Player1"
    asked = ["season", "standings", str(file), "--competition", "Pairs"]
    plain = CliRunner().invoke(cli, asked)
    in_imps = CliRunner().invoke(cli, [*asked, "--scoring", "cross-imps"])
    assert (plain.exit_code, in_imps.exit_code) == (0, 0)
    assert plain.output != in_imps.output


@pytest.mark.parametrize(
    ("options", "message"),
    [("{ winers = 1 }", "winers"), ("{ winners = 3 }", "expected one of 1, 2")],
)
def test_an_option_of_a_season_is_checked(tmp_path: Path, options: str, message: str) -> None:
    file = write(tmp_path, competition(options=options, events="{ files = [] }"))
    with pytest.raises(FileProblem, match=message):
        read_season(file)
