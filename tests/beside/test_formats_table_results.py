"""Compared with real files beside the repository: formats table results."""

from honours.formats.table_results import read_result_events
from tests.support import shared


def test_every_line_of_the_acbl_results() -> None:
    events = read_result_events(shared("real/acbl/results.csv"))
    results = [r for e in events for s in e.sessions for r in s.results]
    assert (len(events), len(results)) == (47, 12392)
    assert sum(r.adjusted is not None for r in results) == 14
    assert sum(r.adjusted is None and r.score is None for r in results) == 9
    assert sum("ns_matchpoints" in r.published for r in results) == 12392
