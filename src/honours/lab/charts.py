"""The charts of a report: Vega-Lite specifications of ``charts.json``, with their data inside.

A text of a specification that begins with ``@`` names a column of the table, or a part that the
chart has in its place; names are put into the reader's language, in the data as well.
"""

from __future__ import annotations

import json
import re
from importlib.resources import files
from typing import Any

from honours.lab.result import SYNTHETIC, Frame, says_synthetic
from honours.language import DEFAULT, words
from honours.model.message import Message, mark, word

_SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"
_SIZE = {"width": 340, "height": 240}
_BAR = 22
_DECLARED = json.loads((files(__package__) / "charts.json").read_text("utf-8"))
_HIGH_AS_ITS_ROWS = ("bars", "intervals", "beside_source")
_TITLES = (mark("credit, times its own tables"),)
_NAMED = re.compile(r"@([^'@]+)")
Chart = dict[str, Any]


def chart_of(frame: Frame, language: str = DEFAULT) -> Chart | None:
    """The chart that suits a table, chosen by its first columns, in the given language; or
    nothing."""
    parts = _suiting(frame)
    if not parts:
        return None
    if "group" in parts:
        frame = _equal_as_one(frame, parts["group"], parts["value"])
    whose = () if parts.get("value", "change %") == "change %" else (parts["value"],)
    parts |= {"low": " ".join((*whose, "from (95%)")), "high": " ".join((*whose, "to (95%)"))}
    about = Message("{title}. {note}", title=frame.title, note=frame.note)
    made: Chart = {"$schema": _SCHEMA, **_SIZE}
    made["description"] = words(about if frame.note else frame.title, language)
    if says_synthetic(frame.note):
        told = {"text": words(SYNTHETIC, language), "anchor": "end", "fontSize": 11}
        made["title"] = told | {"color": "#b5432a"}
    values = [{_field(c, language): _cell(v, language) for c, v in row.items()} for row in frame]
    made |= {"data": {"values": values}}
    made |= _filled(_DECLARED["kinds"][parts["kind"]], parts, frame.columns, language)
    if parts["kind"] in _HIGH_AS_ITS_ROWS:
        made["height"] = _BAR * max(3, len(frame))
    return made


def _suiting(frame: Frame) -> dict[str, str]:
    """The kind of chart that suits a table, and which columns have which part in it."""
    columns = frame.columns
    if "change %" in columns and all(row.get("change %") is None for row in frame):
        return {}
    for chosen in _DECLARED["charts"]:
        if columns[: len(chosen["begins"])] == chosen["begins"]:
            return dict(chosen)
    by_group = columns[1:2] in (["events"], ["players"]) and columns[0] != "all"
    if by_group and "change %" in columns:
        return {"kind": "bars", "group": columns[0], "value": "change %"}
    return {}


def _filled(part: Any, parts: dict[str, str], columns: list[str], language: str) -> Any:
    """A specification with the names of columns in their places."""
    if isinstance(part, dict):
        return {key: _filled(value, parts, columns, language) for key, value in part.items()}
    if isinstance(part, list):
        return [_filled(value, parts, columns, language) for value in part]
    if part == "@series":
        series = re.compile(parts.get("series", "credit .*"))
        return [_field(name, language) for name in columns if series.fullmatch(name)]
    if not isinstance(part, str):
        return part
    return _NAMED.sub(lambda named: _field(parts.get(named[1], named[1]), language), part)


def _cell(value: Any, language: str) -> Any:
    return words(value, language) if isinstance(value, str) else value


def _field(name: str, language: str) -> str:
    """A field name in the reader's words, without the characters Vega-Lite reads as paths."""
    text = words(word(name), language)
    return text.replace(".", "·").replace("[", "(").replace("]", ")").replace("'", "’")


def _equal_as_one(frame: Frame, group: str, value: str) -> Frame:
    """One row for all groups if nothing distinguishes them."""
    known = [row[value] for row in frame if row.get(value) is not None]
    if len(frame) < 2 or len(known) < len(frame) or len({f"{one:.4g}" for one in known}) > 1:
        return frame
    name = Message("all {count}, equal", count=len(frame))
    return Frame.of(frame.title, [{**frame.rows[0], group: name}], frame.note)
