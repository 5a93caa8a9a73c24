"""The answer of ``--check``: the figures that were compared, and those that differ."""

from __future__ import annotations

from honours.cli.folders import Made
from honours.cli.messages import chosen_language
from honours.pipeline.checking.figures import FigureCheck
from honours.reports.drawing import caption, draw_text
from honours.reports.provenance import checked_table


def check_answer(checked: FigureCheck, as_json: bool) -> Made:
    """As one JSON object, or as a table with a sentence above it."""
    if as_json:
        return checked.data()
    shown = checked_table(checked)
    language = chosen_language()
    return draw_text(shown, language) if shown.rows else caption(shown, language)
