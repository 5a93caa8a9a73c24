"""Strata of events in a corpus: those that nobody is in have limits too."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from honours.lab.history.importing import ImportRequest, bring
from honours.lab.sides import specified
from honours.pipeline import Report, awarded, ranked, read_accounts
from honours.rulebooks import load
from tests.lab.imported import amounts_of, in_order
from tests.support import cases

STRATIFIED = """pair,score,stratum,player1,masterpoints1,player2,masterpoints2,limit,limit_b,limit_c
1,61.5,{0},Ann,240.25,Ben,180,300,200,100
2,58,{1},Cid,12,Dot,80.5,300,200,100
3,55,{0},Eve,70,Fay,65,300,200,100
4,52,{1},Gus,31,Hal,40,300,200,100
5,49,{1},Ida,10,Jan,0,300,200,100
6,47,{0},Kim,90,Lou,110,300,200,100
"""


def _stratified(folder: Path, labels: tuple[str, str], limits: Mapping[str, int]) -> Report:
    """An event whose strata have limits, some of them nobody is in."""
    path = folder / "event.csv"
    path.write_text(STRATIFIED.format(*labels), encoding="utf-8")
    report = ranked(read_accounts(path)[0])
    known = {f"stratum_limit.{label}": Fraction(limit) for label, limit in limits.items()}
    lists = tuple(replace(f, facts={**f.facts, **known}) for f in report.lists)
    return replace(report, lists=lists)


@cases
def test_strata_that_nobody_is_in_keep_their_limits(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    labels: tuple[str, str],
    limits: Mapping[str, int],
) -> None:
    report = _stratified(tmp_path, labels, limits)
    monkeypatch.setattr("honours.lab.history.importing.score", lambda _account, **_options: report)
    wanted = ImportRequest([tmp_path / "event.csv"], {"class": "sectional"})
    corpus = bring(wanted, tmp_path / "corpus").corpus
    number = {label: k for k, label in enumerate(limits)}
    assert set(corpus.table("entrants")["stratum"].to_pylist()) == {number[x] for x in labels}
    book = load("acbl-clubs-2017")
    given = {"game": "nap-club"}
    amounts, aside = amounts_of(corpus, specified(book, given))
    expected = awarded(report, book, given).awards
    assert expected is not None
    assert not aside
    assert amounts == [[expected.amount(s.entrant.id) for s in in_order(report)]]
    assert any(amounts[0])
