"""The charts of a report, as Vega-Lite specifications with their data inside."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from honours.lab.result import SYNTHETIC, Frame, says_synthetic
from honours.language import DEFAULT, words
from honours.model.message import Message, word

_SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"
_WIDTH, _HEIGHT, _BAR = 340, 240, 22
_GREY = "#767676"
"""Readable on white and on black."""
_SHORT = 5
"""Names of up to this many letters are written upright below a chart."""
_FROM, _TO = "from (95%)", "to (95%)"


Chart = dict[str, Any]


def chart_of(frame: Frame, language: str = DEFAULT) -> Chart | None:
    """The chart that suits a table, chosen by its first columns, in the given language; or
    nothing."""
    made = _suiting(frame)
    return None if made is None else _in_words(made, language)


def _in_words(part: Any, language: str) -> Any:
    """A chart with all its messages in the given language."""
    if isinstance(part, dict):
        return {key: _in_words(value, language) for key, value in part.items()}
    if isinstance(part, list):
        return [_in_words(value, language) for value in part]
    return words(part, language) if isinstance(part, Message) else part


def _suiting(frame: Frame) -> Chart | None:
    columns = frame.columns
    if not frame.rows:
        return None
    if "change %" in columns and not any(row.get("change %") is not None for row in frame.rows):
        return None
    for first, made in _CHARTS.items():
        if tuple(columns[: len(first)]) == first:
            return made(frame)
    by_group = columns[1:2] in (["events"], ["players"]) and columns[0] != "all"
    return bars(frame, columns[0], "change %") if by_group and "change %" in columns else None


def _spec(frame: Frame, columns: list[str], **rest: Any) -> dict[str, Any]:
    values = [{_plain(c): row.get(c) for c in columns} for row in frame.rows]
    size = {"width": _WIDTH, "height": _HEIGHT}
    about: dict[str, Any] = {
        "description": Message("{title}. {note}", title=frame.title, note=frame.note)
        if frame.note
        else frame.title
    }
    if says_synthetic(frame.note):
        about["title"] = {"text": SYNTHETIC, "anchor": "end", "fontSize": 11, "color": "#b5432a"}
    return {"$schema": _SCHEMA, **about, **size, "data": {"values": values}, **rest}


def _plain(name: str) -> str:
    """A field name without the characters Vega-Lite reads as paths."""
    return name.replace(".", "·").replace("[", "(").replace("]", ")")


def _axis(name: str, kind: str, **rest: Any) -> dict[str, Any]:
    return {"field": _plain(name), "type": kind, "title": word(name)} | rest


def bars(frame: Frame, group: str, value: str) -> dict[str, Any]:
    """A bar for each group, in the order of the table, with its figure and, if known, its interval;
    negative values in another colour. If all groups are equal, one bar stands for all.

    The bars are horizontal, so that names can be read without turning the head.
    """
    frame = _equal_as_one(frame, group, value)
    field = f"datum['{_plain(value)}'] < 0"
    colour = {"condition": {"test": field, "value": "#b5432a"}, "value": "#2a6f97"}
    y = _axis(group, "nominal", sort=None, axis={"labelLimit": 150})
    x = _axis(value, "quantitative", scale={"zero": True})
    tooltip = [_axis(group, "nominal"), _axis(value, "quantitative")]
    layers: list[dict[str, Any]] = [
        {"mark": "bar", "encoding": {"y": y, "x": x, "color": colour, "tooltip": tooltip}},
        {
            # Beside the chart, in a column of its own, so that nothing overlaps on a phone.
            "mark": {"type": "text", "align": "left", "aria": False, "color": _GREY},
            "encoding": {
                "y": y,
                "x": {"value": {"expr": "width + 6"}},
                "text": {
                    "field": _plain(value),
                    "type": "quantitative",
                    "format": ("+,.1f" if "change" in value else ",.6~g"),
                },
            },
        },
    ]
    columns = [group, value]
    if value == "change %" and any(row.get(_FROM) is not None for row in frame.rows):
        columns += [_FROM, _TO]
        ends = {"x": {"field": _FROM, "type": "quantitative"}, "x2": {"field": _TO}}
        rule = {"type": "rule", "strokeWidth": 2, "aria": False, "color": _GREY}
        layers.append({"mark": rule, "encoding": {"y": y, **ends}})
    made = _spec(frame, columns, layer=layers)
    return made | {"height": _BAR * max(3, len(frame))}


def _equal_as_one(frame: Frame, group: str, value: str) -> Frame:
    """One row for all groups if nothing distinguishes them."""
    shown = {f"{row[value]:.4g}" for row in frame.rows if row.get(value) is not None}
    if len(frame) < 2 or len(shown) != 1 or any(row.get(value) is None for row in frame.rows):
        return frame
    name = Message("all {count}, equal", count=len(frame))
    return Frame.of(frame.title, [{**frame.rows[0], group: name}], frame.note)


def line(frame: Frame, x: str, y: str) -> dict[str, Any]:
    """One curve."""
    mark = {"type": "line", "point": True}
    encoding = {"x": _axis(x, "quantitative"), "y": _axis(y, "quantitative")}
    return _spec(frame, [x, y], mark=mark, encoding=encoding)


def lines(frame: Frame, x: str, series: list[str]) -> dict[str, Any]:
    """A curve for each of the given columns."""
    named = {name: word(name) for name in series}
    short = all(len(str(row.get(x))) <= _SHORT for row in frame.rows)
    axis = {"axis": {"labelAngle": 0}} if short else {}
    values = [
        {_plain(x): row.get(x), "series": named[name], "value": row.get(name)}
        for name in series
        for row in frame.rows
    ]
    made = _spec(
        frame,
        [x],
        mark={"type": "line", "point": True},
        encoding={
            "x": _axis(x, "ordinal", sort=None, **axis),
            "y": {
                "field": "value",
                "type": "quantitative",
                "scale": {"zero": True},
                "title": Message("points"),
            },
            "color": {
                "field": "series",
                "type": "nominal",
                "title": None,
                "sort": list(named.values()),
            },
        },
    )
    return made | {"data": {"values": values}}


def grid(frame: Frame, x: str, y: str, value: str) -> dict[str, Any]:
    """A coloured square for every combination of two groups: one colour for more, another for
    less."""
    across = list(dict.fromkeys(sorted((row[x] for row in frame.rows), key=_by_number)))
    colour = {
        **_axis(value, "quantitative"),
        "scale": {"scheme": "redblue", "domainMid": 0},
    }
    encoding = {
        "x": _axis(x, "nominal", sort=across, axis={"labelAngle": -40}),
        "y": _axis(y, "nominal", sort=None),
        "color": colour,
        "tooltip": [_axis(y, "nominal"), _axis(x, "nominal"), _axis(value, "quantitative")],
    }
    return _spec(frame, [x, y, value], mark="rect", encoding=encoding)


def _by_number(name: str) -> float:
    """Bands sorted by where they begin."""
    digits = name.replace(",", "").partition("–")[0].partition(" ")[0]
    return float(digits) if digits.isdigit() else float("inf")


def intervals(frame: Frame, value: str, half: str) -> dict[str, Any]:
    """The expected award in each event under each rulebook, with error bars."""
    rows = [
        {**row, "from": row[value] - row[half], "to": row[value] + row[half]} for row in frame.rows
    ]
    base = Frame.of(frame.title, rows, frame.note)
    place = {
        "y": _axis("event", "nominal", sort=None),
        "yOffset": {"field": "rulebook"},
        "color": {"field": "rulebook", "type": "nominal", "title": None},
    }
    zero = {"zero": True}
    span = {
        "x": _axis("from", "quantitative", title=word(value), scale=zero),
        "x2": {"field": "to"},
    }
    layers = [
        {"mark": {"type": "rule", "strokeWidth": 3}, "encoding": {**place, **span}},
        {
            "mark": {"type": "point", "filled": True, "size": 70},
            "encoding": {**place, "x": _axis(value, "quantitative")},
        },
    ]
    made = _spec(base, ["event", "rulebook", value, "from", "to"], layer=layers)
    return made | {"height": 2 * _BAR * max(2, len(frame))}


_SOME_AVERAGES = ("250", "1,250", "2,500", "5,000")


def _sizes(frame: Frame) -> Chart:
    return lines(frame, "tables", [c for c in frame.columns if c in _SOME_AVERAGES])


def _years(frame: Frame) -> Chart:
    return lines(frame, "year", [c for c in frame.columns if c.endswith(" pays")])


def beside_source(frame: Frame) -> Chart:
    """Our figures with their intervals, and what the source prints: a tick, or the two ends of a
    range."""
    rows = []
    for row in frame.rows:
        source = row.get("source")
        low, _, high = source.partition(" – ") if isinstance(source, str) else ("", "", "")
        ends = [float(end.replace(",", "")) for end in (low, high) if end]
        printed = source if isinstance(source, int | float) else None
        rows.append(
            {
                "figure": row["figure"],
                "ours": row.get("ours"),
                "low": row.get(_FROM),
                "high": row.get(_TO),
                "source": printed,
                "least": min(ends, default=None),
                "most": max(ends, default=None),
            }
        )
    y: Chart = {"field": "figure", "type": "nominal", "sort": None, "title": None}
    y["axis"] = {"labelLimit": 190}

    def layer(mark: Chart, x: str, x2: str = "") -> Chart:
        ends = {"x2": {"field": x2}} if x2 else {}
        named = {"field": x, "type": "quantitative", "title": None}
        return {"mark": mark, "encoding": {"y": y, "x": named, **ends}}

    layers = [
        layer({"type": "bar", "color": "#e3d5b8"}, "least", "most"),
        layer({"type": "tick", "color": "#b5432a", "thickness": 3}, "source"),
        layer({"type": "rule", "color": "#2a6f97"}, "low", "high"),
        layer({"type": "point", "filled": True, "color": "#2a6f97"}, "ours"),
    ]
    made = _spec(frame, [], layer=layers)
    return made | {"data": {"values": rows}, "height": _BAR * max(3, len(rows))}


def by_credit(frame: Frame) -> Chart:
    """The change by how many concurrent tables are credited, a line for each type of event, as
    *now* is read."""
    first = frame.rows[0]["now"]
    rows = [
        {"events": row["events"], "credit": name.removeprefix("credit "), "change %": value}
        for row in frame.rows
        if row["now"] == first
        for name, value in row.items()
        if isinstance(value, float)
    ]
    encoding = {
        "x": _axis("credit", "quantitative", title=Message("credit, times its own tables")),
        "y": _axis("change %", "quantitative"),
        "color": _axis("events", "nominal", sort=None),
    }
    made = _spec(frame, [], mark={"type": "line", "point": True}, encoding=encoding)
    return made | {"data": {"values": rows}}


_CHARTS: dict[tuple[str, ...], Callable[[Frame], Chart]] = {
    ("figure", "source"): beside_source,
    ("now", "events"): by_credit,
    ("percentile", "change %"): lambda f: line(f, "percentile", "change %"),
    ("flight", "size"): lambda f: grid(f, "size", "flight", "change %"),
    ("holding", "members"): lambda f: bars(f, "holding", "mean change"),
    ("value", "total"): lambda f: bars(f, "value", "total"),
    ("holding", "win per day"): lambda f: lines(f, "holding", ["win per day", "2020 source"]),
    ("range", "won", "formula"): lambda f: lines(f, "range", ["won", "formula"]),
    ("event", "rulebook"): lambda f: intervals(f, "expected", "± (95%)"),
    ("tables", "0"): _sizes,
    ("year",): _years,
}
