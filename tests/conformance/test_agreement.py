"""The scorer and the independent checker agree, on every kind of event and the whole score table.

The full run of some thousand events is a command: see :mod:`tests.conformance.agreement`.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from honours.scoring import contracts, imps
from honours.scoring.victory_points import WBF
from tests.conformance import agreement, checker_scores, convert, generator, generator_results

SEED = 20
EACH = 20
KINDS = sorted(generator.KINDS)


@pytest.mark.parametrize("kind", KINDS)
def test_events_of_every_kind(kind: str) -> None:
    for nth in range(EACH):
        event = generator.generate(SEED, KINDS.index(kind) + nth * len(KINDS))
        assert event["family"] == kind
        assert agreement.differences(event) == [], event["title"]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ebu", "acbl", "compscore", "unfactored", "ebuscore"])
def test_the_compiled_way(name: str) -> None:
    from tests.conformance import compiled  # only here, because it imports Numba

    for simplified in (False, True) if name == "ebu" else (False,):
        events = compiled.events(SEED, EACH, name, simplified)
        assert len(events) == EACH
        assert compiled.differences(events, name, simplified) == []


def imp_event(divisor: str, *lines: dict[str, Any]) -> dict[str, Any]:
    """One board in cross-IMPs, each line a table of its own."""
    settings = generator.SETTINGS | {"profile": "ebu", "winners": 1, "divisor": divisor}
    results = [
        generator_results.NOTHING
        | {"board": 1, "ns": [f"N{nth}"], "ew": [f"E{nth}"], "section": "", "round": 1}
        | {"table": nth}
        | line
        for nth, line in enumerate(lines, start=1)
    ]
    who = [generator.entrant(one) for line in results for one in line["ns"] + line["ew"]]
    sitting = {"number": 1, "results": results, "matches": [], "penalties": []}
    event = {"title": "open", "kind": "pairs", "scoring": "cross-imps", "winners": 1}
    return event | {"swiss": False, "entrants": who, "sessions": [sitting], "settings": settings}


AVERAGE = generator_results.artificial(Fraction(1, 2))
RULED = {"adjusted": {"ns": AVERAGE, "ew": AVERAGE}}


def test_version_with_one_score_and_a_ruling_is_lone_in_imps() -> None:
    other = {"score": 50, "version": "b"}
    assert agreement.differences(imp_event("n-1", {"score": 420}, RULED, other, other)) == []


def test_lone_version_in_a_sum_of_imps_is_average_plus() -> None:
    lone = {"score": 50, "version": "b"}
    assert agreement.differences(imp_event("sum", {"score": 420}, {"score": 450}, lone)) == []


@pytest.mark.parametrize("board", range(1, 17))
def test_every_contract(board: int) -> None:
    everything = product(range(1, 8), "CDHSN", "NESW", range(3), range(14))
    for level, denomination, declarer, doubled, tricks in everything:
        words = {"level": level, "denomination": denomination}
        words |= {"declarer": declarer, "doubled": doubled}
        due = checker_scores.contract_score(board, words, tricks)
        assert contracts.ns_score(convert.contract(words), tricks, board) == due


def test_every_difference_in_imps() -> None:
    for halves in range(9000):
        difference = Fraction(halves, 2)
        assert imps.imps(difference) == checker_scores.imps(difference)
        assert imps.imps(-difference) == checker_scores.imps(-difference)


@pytest.mark.parametrize("boards", [1, 2, 7, 8, 12, 16, 20, 32, 48])
def test_every_margin_in_victory_points(boards: int) -> None:
    for halves in range(240):
        margin = Fraction(halves, 2)
        winner, loser = checker_scores.wbf_victory_points(margin, boards)
        assert WBF.victory_points(margin, boards) == winner
        assert margin == 0 or WBF.victory_points(-margin, boards) == loser


def test_a_difference_is_found_wherever_it_is() -> None:
    """The comparison itself: a changed, an added and a missing figure."""
    same = {"a": ["1", {"b": None}], "c": "2"}
    assert list(agreement.unlike(same, same)) == []
    assert list(agreement.unlike(same, {"a": ["1", {"b": "0"}], "c": "2"})) == [
        "/a/1/b: checker None, scorer 0"
    ]
    assert len(list(agreement.unlike(same, {"a": ["1"], "d": "2"}))) == 3
