"""Tables and charts of the lab as pages show them."""

from __future__ import annotations

from typing import Any

from honours.lab.result import Frame, Leads
from honours.model.message import word
from honours.model.table import Table


def frame_table(frame: Frame, leads: Leads | None = None, caption: str = "") -> Table:
    """A table of the lab as a page shows it: its title without what it compares."""
    return frame.table(leads, word(caption or frame.name))


def charted(frame: Frame, leads: Leads, language: str) -> tuple[Table, dict[str, Any] | None]:
    """A table of the lab with the chart that suits it."""
    from honours.lab.charts import chart_of

    return frame_table(frame, leads), chart_of(frame, language)
