"""Compared with real files beside the repository: formats pages."""

from honours.formats.lin import outcome, parse_lin
from honours.formats.reading import read_text
from tests.formats.test_pages import event as event_of
from tests.support import shared


def test_a_match_in_lin() -> None:
    match = event_of(shared("real/bbo/vugraph-teams.lin"))
    assert (match.kind, match.scoring, len(match.sessions[0].results)) == ("teams", "imps", 30)
    assert [e.published["carried_imps"] for e in match.entrants] == [80, 99]
    deals = list(parse_lin(read_text(shared("real/bbo/vugraph-teams.lin"))))
    played = {(d.number, 2 if d.room == "c" else 1): outcome(d)[:2] for d in deals}
    for result in match.sessions[0].results:
        assert played[result.board, result.table] == (result.contract, result.tricks)
