"""Answers that were wrong once: like with like, units, what is nearest, what cannot be."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from click.testing import CliRunner

from honours.cli import cli
from honours.errors import InputError
from honours.lab import shard_awards
from honours.lab.corpus import Corpus
from honours.lab.fields import award_whole
from honours.lab.history.staging import REASONS
from honours.lab.intervals import Interval
from honours.lab.left_out import FEW_MEMBERS
from honours.lab.report import render
from honours.lab.result import Answer
from honours.lab.shard_awards import award_shard
from honours.lab.simulate import MOST_ENTRANTS, Contest, simulate
from honours.lab.tallies import GroupSums
from honours.rulebooks import load
from tests.lab.conftest import small_tables
from tests.support import ROOT


def _total(compared: Answer) -> Any:
    return compared.frame("All together").rows[0]


def test_what_calibrate_finds_compare_confirms(corpus: Corpus) -> None:
    """Totals were taken over different events: 'meets every aim' was 17.9% less."""
    calibration = corpus.calibrate("acbl-sof-2020", ["total_coefficient"], "acbl-sof-2011")
    assert calibration.values["met"]
    assert calibration.frames[0].rows[0]["to (95%)"]
    found = load("acbl-sof-2020").amend(calibration.values["parameters"])
    compared = corpus.compare("acbl-sof-2011", found)
    assert abs(_total(compared)["change %"]) < 0.1
    assert calibration.left == compared.left


def test_growth_pays_in_the_same_events(corpus: Corpus) -> None:
    growth = corpus.growth(["acbl-sof-2011", "acbl-sof-2020"], 2)
    compared = corpus.compare("acbl-sof-2011", "acbl-sof-2020")
    first, total = growth.frames[0].rows[0], _total(compared)
    assert first["acbl-sof-2011 pays"] == pytest.approx(total["A"])
    assert first["acbl-sof-2020 pays"] == pytest.approx(total["B"])
    assert f"in {total['events']:,} events" in growth.statement


def test_what_comes_nearest_is_looked_for_far_away(corpus: Corpus) -> None:
    calibration = corpus.calibrate("acbl-sof-2020", ["least_award"], 100.0)
    fifty = corpus.calibrate(load("acbl-sof-2020").amend(least_award="50"), ["least_award"], 100.0)
    [nearest], [start] = calibration.frames[0], fifty.frames[0]
    assert abs(nearest["after"] - 100) <= abs(start["before"] - 100)


def test_a_rule_that_cannot_pay_says_so(corpus: Corpus, recwarn: pytest.WarningsRecorder) -> None:
    compared = corpus.compare("acbl-sof-2011", load("acbl-sof-2020").amend(total_coefficient="0"))
    assert "decay cannot be worked out (a division by zero)" in compared.statement
    assert compared.compared.sums.total.events < 3
    assert not [w for w in recwarn if issubclass(w.category, RuntimeWarning)]


def test_points_of_different_federations_are_compared_as_shares_only(corpus: Corpus) -> None:
    compared = corpus.compare("sbu-clubs-2016", "acbl-sof-2020")
    assert "only the shares of what each pays are compared" in compared.statement
    assert "more" not in re.sub(r"\(.*\)", "", compared.statement)
    columns = compared.by("class").columns
    assert "share A %" in columns
    assert "change %" not in columns
    shares = [row["share B %"] for row in compared.by("class")]
    assert sum(shares) == pytest.approx(100)
    with pytest.raises(InputError, match="do not pay in the same unit"):
        corpus.calibrate("acbl-sof-2020", ["total_coefficient"], "sbu-clubs-2016")


def _with(name: str, column: str, values: list[int], kind: Any) -> dict[str, Any]:
    tables = small_tables(0, 3)
    table = tables[name]
    at = table.column_names.index(column)
    return {**tables, name: table.set_column(at, column, pa.array(values, kind))}


def test_eight_firsts_and_a_member_in_every_seat_are_set_aside(tmp_path: Path) -> None:
    firsts = _with("entrants", "place", [1] * 8 + [*range(1, 9)] * 2, pa.uint16())
    corpus = Corpus.of(tmp_path / "a", unit="corpus", **firsts)
    assert corpus.notes == (f"event 0: {REASONS['places']}",)
    with pytest.raises(InputError, match="a member is in two seats"):
        Corpus.of(tmp_path / "b", unit="corpus", **_with("players", "player", [7] * 48, pa.int32()))


def test_the_guides_own_rulebook_is_awarded(corpus: Corpus) -> None:
    village = load("village-cup", [ROOT / "examples" / "rulebooks"])
    events, entrants = corpus.table("events"), corpus.table("entrants")
    stratified = {*entrants.filter(pc.greater(entrants["stratum"], 0))["event"].to_pylist()}
    kinds = zip(events["event"].to_pylist(), events["kind"].to_pylist(), strict=True)
    plain = [event for event, kind in kinds if kind == "pairs" and event not in stratified]
    compared = corpus.compare(village, village)
    assert _total(compared)["events"] == len(plain) > 0
    reason = "village-cup does not speak of strata; leave the column out"
    assert f"{len(stratified)}: {reason}" in compared.statement


def test_whose_points_is_said_at_every_figure(corpus: Corpus) -> None:
    compared = corpus.compare("acbl-sof-2011", "acbl-sof-2020")
    assert "points to players" in compared.statement
    assert "points to players" in compared.by("size").note
    swept = corpus.sweep("acbl-sof-2020", "total_coefficient", ["0.08"])
    assert "total: points to players" in swept.frames[0].note
    out = str(corpus.folder.parent / "awards")
    words = ["lab", "award", str(corpus.folder), "--rulebook", "acbl-sof-2020", "--out", out]
    made = CliRunner().invoke(cli, words)
    assert "each entrant's counted once" in made.output


def test_what_would_run_for_minutes_is_refused_at_once() -> None:
    book = load("acbl-sof-2020")
    with pytest.raises(InputError, match="100,000 entrants; at most 2,000"):
        simulate([book], [Contest("huge", 100_000, 500)], 500)
    with pytest.raises(InputError, match="would take minutes; at most 50,000 runs"):
        simulate([book], [Contest("long", MOST_ENTRANTS, 500)], 500, 10**6)


def test_every_report_and_chart_of_a_synthetic_corpus_says_so(corpus: Corpus) -> None:
    compared = corpus.compare("acbl-sof-2011", "acbl-sof-2020")
    assert compared.data()["synthetic"] is True
    page = render(compared.whole())
    assert "(synthetic)</title>" in page
    assert "The corpus is synthetic: made by a program" in page
    charts = re.findall(r'<script type="application/json">(.*?)</script>', page, re.S)
    assert len(charts) > 5
    assert all('"text": "synthetic"' in chart for chart in charts)
    fitted = corpus.fit("acbl-sof-2020", bootstraps=2)
    for answer in (compared, fitted, corpus.sweep("acbl-sof-2020", "total_coefficient", ["0.08"])):
        assert answer.statement.startswith("On a synthetic corpus: ")


def test_no_table_is_about_a_handful_of_members(corpus: Corpus) -> None:
    compared = corpus.compare("acbl-sof-2011", "acbl-sof-2020")
    for row in compared.frame("Members who"):
        assert row["members"] >= FEW_MEMBERS
    sums = compared.compared.sums.by(["holding"])
    assert all(own.members >= FEW_MEMBERS for own in sums.values())
    for row in compared.frame("Events that"):
        assert row["entrants"] * 4 >= FEW_MEMBERS
    page = render(compared.whole())
    assert "player 1</" not in page


def test_headlines_speak_only_of_groups_of_which_they_are_sure(corpus: Corpus) -> None:
    compared = corpus.compare("acbl-sof-2011", "acbl-sof-2020")
    for group in ("class", "flight", "strength", "holding"):
        grouping = compared.compared.sums.by([group])
        sure = any(own.is_sure for own in grouping.values())
        assert bool(compared.by(group).statement) == (sure and len(grouping) > 1)


def test_a_number_that_no_event_can_be_awarded_with_is_said_to_be_that(corpus: Corpus) -> None:
    """A NumPy warning, then "would pay the same ... in 1 events"."""
    comparison = corpus.compare("acbl-sof-2020", "acbl-sof-2020 total_coefficient=0")
    statement = comparison.statement
    assert "cannot be worked out (a division by zero)" in statement
    assert "in 1 events" not in statement
    if comparison.compared.sums.total.events:
        assert "few events: no more than an indication" in statement


def test_a_number_that_leaves_nothing_to_divide_by_is_found_once(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Event by event, from all of its players, it took as long as awarding the history."""
    awarded: list[int] = []

    def counting(*arguments: Any, **named: Any) -> Any:
        awarded.append(1)
        return award_whole(*arguments, **named)

    monkeypatch.setattr(shard_awards, "award_whole", counting)
    book = load("acbl-sof-2020").amend({"total_coefficient": "0"})
    shards = list(corpus)
    quickly = [award_shard(book, shard).bad for shard in shards]
    assert len(awarded) < sum(map(len, quickly)) / 2
    for shard, bad in zip(shards, quickly, strict=True):
        for one in bad[:3]:
            [row] = np.flatnonzero(shard.ids == one.event).tolist()
            with pytest.raises(InputError) as error:
                award_whole(book, shard, row)
            assert error.value.brief == one.why


def test_a_change_from_less_than_nothing_is_in_points() -> None:
    """Ratings may be lost on the whole: 0.89 beside -0.04 was '2642.9% less'."""
    lost = GroupSums(events=40, players=80, a=-350, b=8_900)
    assert lost.percent is None
    whole = GroupSums(events=40, players=80, a=100, b=200, interval=Interval(-5.0, 128.0))
    assert whole.row({}, whole)["from (95%)"] is None  # a share of all has no interval
