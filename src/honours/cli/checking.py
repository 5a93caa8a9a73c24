"""What ``--check`` prints: the figures that were compared, and those that differ."""

from __future__ import annotations

from typing import TYPE_CHECKING

from honours.cli.messages import json_text

if TYPE_CHECKING:
    from honours.pipeline.checking import FigureCheck


def check_text(checked: FigureCheck, as_json: bool) -> str:
    """As one JSON object, or as a table with a sentence above it."""
    if as_json:
        return json_text(checked.data())

    from honours.reports.checking import checked_table
    from honours.reports.drawing import draw_text

    shown = checked_table(checked)
    return draw_text(shown) if shown.rows else shown.caption
