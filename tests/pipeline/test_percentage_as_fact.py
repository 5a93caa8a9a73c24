"""The percentage of a scored event reaches a rulebook that asks for it."""

from __future__ import annotations

from pathlib import Path

from honours.demo import file
from honours.pipeline import read_account
from honours.pipeline.api import award, score
from tests.engine.books import write_book

TOML = """
[lists]
lines = "each"
[inputs.entrants]
about = "pairs"
type = "count"
[inputs.percentage]
about = "the percentage"
per = "entrant"
[parameters]
cent = { value = "0.01", clause = "§1" }
"""
RULES = '''
@rule("§1")
def places(entrants):
    """All."""
    return entrants


@rule("§1", per="entrant", rounds=nearest("cent"))
def award(percentage):
    """The percentage itself."""
    return percentage
'''


def test_what_ranks_a_matchpoint_event_is_its_percentage(tmp_path: Path) -> None:
    report = score(read_account(str(file("tuesday.csv"))), profile="ebu")
    awards = award(report, write_book(tmp_path / "percent", TOML, RULES)).awards
    assert awards is not None
    schedule = awards.lists[0].schedule
    assert [float(one.amount) for one in schedule] == [
        round(float(standing.score or 0), 2) for standing in report.lists[0].standings
    ]
    assert schedule[0].amount > 50
