"""What a chart must not make of its figures."""

from __future__ import annotations

from honours.lab.charts import chart_of
from honours.lab.corpus import Corpus
from honours.lab.result import Frame


def test_the_source_is_drawn_over_the_fit(corpus: Corpus) -> None:
    spec = chart_of(corpus.fit("acbl-sof-2020", bootstraps=2).frame("Win per day"))
    assert spec is not None
    assert spec["transform"][0]["fold"] == ["win per day", "2020 source"]


def test_an_axis_of_totals_begins_at_zero() -> None:
    """Five bars from 600,000 up made a tenth look like everything."""
    swept = [{"value": "1", "total": 640_000.0}, {"value": "2", "total": 610_000.0}]
    spec = chart_of(Frame.of("Sweep", swept))
    assert spec is not None
    assert spec["layer"][0]["encoding"]["x"]["scale"] == {"zero": True}
    years = [{"year": 1, "a pays": 640_000.0}, {"year": 2, "a pays": 650_000.0}]
    grown = chart_of(Frame.of("Growth", years))
    assert grown is not None
    assert grown["encoding"]["y"]["scale"] == {"zero": True}


def test_groups_that_are_all_equal_are_one_bar() -> None:
    rows = [{"size": name, "events": 40, "change %": 12.5} for name in ("0–8", "8–16", "16–24")]
    spec = chart_of(Frame.of("By size", rows))
    assert spec is not None
    assert [value["size"] for value in spec["data"]["values"]] == ["all 3, equal"]
    rows[1]["change %"] = 12.0
    apart = chart_of(Frame.of("By size", rows))
    assert apart is not None
    assert len(apart["data"]["values"]) == 3
