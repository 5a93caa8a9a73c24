"""An answer as one HTML file: text, tables, charts, explanations, and the data it is based on.

Nothing is fetched: the chart library is included, and uses Vega's expression interpreter so that no
text is ever evaluated as a script. The same answer gives the same bytes.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Collection
from importlib import resources
from pathlib import Path
from typing import Any

from markupsafe import Markup

from honours.engine.exact.explanation import render_html
from honours.files import HTML, write_file
from honours.lab.charts import chart_of
from honours.lab.result import Answer, Explanation, Frame
from honours.language import DEFAULT
from honours.model.message import Message
from honours.reports.drawing import environment

_SCRIPTS = ("vega.min.js", "vega-lite.min.js", "vega-interpreter.min.js", "chart-language.js")


def render(answer: Answer, language: str = DEFAULT) -> str:
    """The whole page."""
    page = environment(language, "honours.lab", "honours.reports").get_template("report.html")
    explanations = [*answer.explanations, *answer.in_report]
    events = {one.name for one in explanations if one.places is not None}
    sections = [_section(frame, events, language) for frame in answer.frames]
    contents = [(section["anchor"], section["name"]) for section in sections]
    if explanations:
        contents.append(("why", Message("Why")))
    return page.render(
        answer=answer,
        style=_style(),
        contents=contents,
        sections=sections,
        front=[one for name in answer.front for one in sections if one["name"].startswith(name)],
        reasons=[_reason(one) for one in explanations],
        stands_on=[(name, value) for name, value in answer.provenance.items() if value],
        scripts=[Markup(_asset(name)) for name in (*_SCRIPTS, "report.js")],
    )


def write(answer: Answer, path: str | Path, replace: bool = False, language: str = DEFAULT) -> None:
    """Write the page to a file; an existing one is replaced only on request."""
    write_file(path, render(answer, language).encode(), HTML, replace)


def _anchor(name: str) -> str:
    return "-".join("".join(c if c.isalnum() else " " for c in name.lower()).split())


def _section(frame: Frame, explained: Collection[str], language: str) -> dict[str, Any]:
    """A table with its chart and its data for download; events that are explained link to it."""
    spec, anchor = chart_of(frame, language), _anchor(frame.name)

    def why(event: object) -> str:
        name = Message("Event {event}", event=event)
        return f"#{_anchor(name)}" if name in explained else ""

    return {
        "anchor": anchor,
        "name": frame.name,
        "sentence": frame.statement,
        "chart": _json(spec) if spec else "",
        "table": frame.table({"event": why}),
        "files": _files(frame, anchor),
    }


def _files(frame: Frame, name: str) -> list[dict[str, str]]:
    data = json.dumps(frame.data(), ensure_ascii=False, default=str)
    files = (("csv", "text/csv", frame.csv()), ("json", "application/json", data))
    return [
        {
            "name": f"{name}.{kind}",
            "kind": kind.upper(),
            "address": f"data:{mime};base64,{b64encode(text.encode()).decode()}",
        }
        for kind, mime, text in files
    ]


def _json(spec: object) -> Markup:
    # "</script" would end the element early and "<!--" hide its end; JSON lets a sign be escaped.
    return Markup(json.dumps(spec, ensure_ascii=False, default=str).replace("<", "\\u003c"))


def _reason(one: Explanation) -> dict[str, Any]:
    return {
        "anchor": _anchor(one.name),
        "name": one.name,
        "sentence": one.sentence,
        "places": None if one.places is None else one.places.table(),
        "steps": [Markup(render_html(step)) for step in one.steps],
    }


def _style() -> Markup:
    """The house style, with the additions that only reports of the lab need."""
    from honours.reports.site import style as house_style  # a fifth of a second, for pages only

    return house_style() + Markup(_asset("report.css"))


def _asset(name: str) -> str:
    return (resources.files("honours.lab") / "assets" / name).read_text(encoding="utf-8")
