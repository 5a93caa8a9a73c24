"""Compared with real files beside the repository: scoring imp pairs real."""

import xml.etree.ElementTree as ET
from fractions import Fraction

from honours.model import Result
from honours.scoring.imps import (
    ImpRules,
    ImpScores,
    groups_of,
    score_imps,
)
from honours.scoring.scored import Side
from honours.scoring.standings import half_up
from tests.beside.usebio_lines import event, number, results, root, text

CENT = Fraction(1, 100)


PIANOLA = ImpRules(prorated=True, total_unit=CENT)


TEAMS_SCORER = ImpRules(line_unit=CENT)


BUTLER = ImpRules(butler=True)


UNEXPLAINED = {"16": Fraction(12, 7), "17": Fraction(48, 7)}


def compared(scores: ImpScores, published: list[tuple[Result, ET.Element]], tag: str) -> int:
    """How many sides of lines have the published figure; any that has not is an error."""
    by_line = {(x.result.board, x.result.ns): x for board in scores.boards for x in board.lines}
    for result, node in published:
        line = by_line[result.board, result.ns]
        assert line.ns is not None
        assert line.ew is not None
        got = [half_up(side.points, CENT) for side in (line.ns, line.ew)]
        assert got == [number(node, f"NS_{tag}"), number(node, f"EW_{tag}")], result
    return 2 * len(published)


def totals(scores: ImpScores) -> dict[str, Fraction]:
    return {tally.id: half_up(tally.points, CENT) for tally in scores.tallies}


def published_totals(top: ET.Element) -> dict[str, Fraction]:
    return {text(p, "PAIR_NUMBER"): number(p, "TOTAL_SCORE") for p in top.iter("PAIR")}


def test_pianola_cross_imps() -> None:
    top = root("cross-imp-pairs.xml")
    lines = list(results(top))
    scores = score_imps(event("pairs", (r for r, _ in lines)), PIANOLA)
    assert compared(scores, lines, "CROSS_IMP_POINTS") == 384
    published, got = published_totals(top), totals(scores)
    differ = {id for id in published if published[id] != got[id]}
    assert differ == set(UNEXPLAINED)
    assert len(published) == 17
    exact = {tally.id: tally for tally in scores.tallies}
    for id, less in UNEXPLAINED.items():
        lines_give = exact[id].points * exact[id].boards / 24
        assert half_up((lines_give - less) * 24 / exact[id].boards, CENT) == published[id]


def test_pianola_raises_the_rounded_total_of_who_sat_out() -> None:
    """Pair 2: −9/7 on 16 of 24 boards. −1.29 × 1.5 prints −1.94; unrounded it would be −1.93."""
    top = root("cross-imp-pairs.xml")
    lines = event("pairs", (r for r, _ in results(top)))
    assert totals(score_imps(lines, PIANOLA))["2"] == Fraction("-1.94")
    assert totals(score_imps(lines, ImpRules(prorated=True)))["2"] == Fraction("-1.93")
    assert totals(score_imps(lines))["2"] == Fraction("-1.29")


def test_compscore_cross_imps() -> None:
    top = root("cross-imp-howell.xml")
    lines = list(results(top))
    scores = score_imps(event("pairs", (r for r, _ in lines)))
    assert compared(scores, lines, "CROSS_IMP_POINTS") == 216
    assert totals(scores) == published_totals(top)


def test_compscore_butler() -> None:
    """One score off at each end, the mean to 10, a tie away from zero."""
    top = root("butler-howell.xml")
    lines = list(results(top))
    scores = score_imps(event("pairs", (r for r, _ in lines)), BUTLER)
    assert compared(scores, lines, "BUTLER_POINTS") == 280
    assert totals(scores) == published_totals(top)


def test_compscore_data() -> None:
    boards = [b for b in root("butler-howell.xml").iter("BOARD") if text(b, "BOARD_AVERAGE")]
    for board in boards:
        (group,) = groups_of([result for result, _ in results(board)], BUTLER)
        published = number(board, "BOARD_AVERAGE")
        assert group.column(Side.NS).datum == published
        assert group.column(Side.EW).datum == -published
    assert len(boards) == 35


def test_pairs_of_teams_in_cross_imps() -> None:
    """TeamsScorer rounds each line and adds the rounded ones."""
    top = root("multiple-teams.xml")
    lines = list(results(top))
    scores = score_imps(event("pairs", (r for r, _ in lines)), TEAMS_SCORER)
    assert compared(scores, lines, "CROSS_IMP_POINTS") == 480
    pairs = {text(p, "PAIR_NUMBER"): p for p in top.iter("PAIR")}
    # The file gives no total for one pair of team 5.
    given = {id: number(p, "PAIR_IMPS") for id, p in pairs.items() if text(p, "PAIR_IMPS")}
    assert set(pairs) - set(given) == {"5-1-2"}
    assert {id: total for id, total in totals(scores).items() if id in given} == given
