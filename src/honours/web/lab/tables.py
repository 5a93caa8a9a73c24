"""Tables and charts of the lab as pages show them."""

from __future__ import annotations

from typing import Any

from honours.lab.result import Frame, Leads
from honours.model.message import mark, word
from honours.model.table import Table

COLUMNS = (
    *(mark("class"), mark("kind"), mark("sessions"), mark("size"), mark("strength")),
    *(mark("flight"), mark("stratum"), mark("holding"), mark("events"), mark("first A")),
    *(mark("first B"), mark("players"), mark("change"), mark("change %"), mark("percentile")),
    *(mark("refused by A"), mark("refused by B"), mark("gain"), mark("lose"), mark("unchanged")),
    *(mark("mean change"), mark("members"), mark("event"), mark("entrants"), mark("value")),
    *(mark("total"), mark("mean first"), mark("players paid"), mark("promise"), mark("of")),
    *(mark("broken by"), mark("found"), mark("tried"), mark("rulebook"), mark("expected")),
    *(mark("± (95%)"), mark("chance of an award"), mark("first place"), mark("all")),
    *(mark("figure"), mark("source"), mark("published"), mark("off"), mark("set aside")),
    *(mark("everybody"), mark("title"), mark("tables"), mark("from (95%)"), mark("to (95%)")),
    *(mark("sure"), mark("alike"), mark("events alike"), mark("alike %"), mark("over")),
    *(mark("under"), mark("win per day"), mark("2020 source"), mark("estimate"), mark("aim")),
    *(mark("wanted"), mark("before"), mark("after"), mark("off %"), mark("verdict"), mark("ours")),
    *(mark("why"), mark("year"), mark("range"), mark("at worst"), mark("at most")),
    *(mark("term"), mark("sample"), mark("formula"), mark("won"), mark("2020 actual")),
    *(mark("2020 formula"), mark("formula from (95%)"), mark("formula to (95%)")),
    *(mark("events tried"), mark("events touched"), mark("points"), mark("rating")),
)


def frame_table(frame: Frame, leads: Leads | None = None, caption: str = "") -> Table:
    """A table of the lab as a page shows it: its title without what it compares."""
    return frame.table(leads, word(caption or frame.name))


def charted(frame: Frame, leads: Leads, language: str) -> tuple[Table, dict[str, Any] | None]:
    """A table of the lab with the chart that suits it."""
    from honours.lab.charts import chart_of

    return frame_table(frame, leads), chart_of(frame, language)
