"""The charts of a report, as Vega-Lite specifications with their data inside."""

from __future__ import annotations

from typing import Any

from honours.lab.frame import Frame

_SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"
_WIDTH, _HEIGHT = 560, 260


def chart_of(frame: Frame) -> dict[str, Any] | None:
    """The chart that suits a table: what changes by group, a curve, or nothing."""
    columns = frame.columns
    if "change %" in columns and columns[0] not in ("percentile", "all", "value"):
        return bars(frame, columns[0], "change %")
    if columns[:2] == ["percentile", "change %"]:
        return line(frame, "percentile", "change %")
    if "gain" in columns and "lose" in columns:
        return bars(frame, "holding", "mean change")
    if columns[0] == "value" and "total" in columns:
        return bars(frame, "value", "total")
    if columns[0] == "holding" and "win per day" in columns:
        return line(frame, "holding", "win per day")
    if columns[0] == "year":
        return lines(frame, "year", [c for c in columns if c.endswith(" pays")])
    return None


def _spec(frame: Frame, columns: list[str], **rest: Any) -> dict[str, Any]:
    values = [{_plain(c): row.get(c) for c in columns} for row in frame.rows]
    size = {"width": _WIDTH, "height": _HEIGHT}
    return {"$schema": _SCHEMA, **size, "data": {"values": values}, **rest}


def _plain(name: str) -> str:
    """A field name without the characters Vega-Lite reads as paths."""
    return name.replace(".", "·").replace("[", "(").replace("]", ")")


def _axis(name: str, kind: str, **rest: Any) -> dict[str, Any]:
    return {"field": _plain(name), "type": kind, "title": name, **rest}


def bars(frame: Frame, group: str, value: str) -> dict[str, Any]:
    """A bar for each group, in the order of the table; below zero in another colour."""
    field = f"datum['{_plain(value)}'] < 0"
    colour = {"condition": {"test": field, "value": "#b5432a"}, "value": "#2a6f97"}
    encoding = {
        "x": _axis(group, "nominal", sort=None),
        "y": _axis(value, "quantitative"),
        "color": colour,
        "tooltip": [_axis(group, "nominal"), _axis(value, "quantitative")],
    }
    return _spec(frame, [group, value], mark="bar", encoding=encoding)


def line(frame: Frame, x: str, y: str) -> dict[str, Any]:
    """One curve."""
    mark = {"type": "line", "point": True}
    encoding = {"x": _axis(x, "quantitative"), "y": _axis(y, "quantitative")}
    return _spec(frame, [x, y], mark=mark, encoding=encoding)


def lines(frame: Frame, x: str, series: list[str]) -> dict[str, Any]:
    """A curve for each of some columns."""
    names = [_plain(s) for s in series]
    return _spec(
        frame,
        [x, *series],
        transform=[{"fold": names}],
        mark={"type": "line", "point": True},
        encoding={
            "x": _axis(x, "ordinal"),
            "y": {"field": "value", "type": "quantitative", "scale": {"zero": False}},
            "color": {"field": "key", "type": "nominal", "title": None},
        },
    )
