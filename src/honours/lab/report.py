"""An answer as one HTML file: words, tables, charts, explanations, and what it stands on.

Nothing is fetched: the chart library is inside, run by its interpreter so that no text is ever
evaluated as a script. The same answer gives the same bytes.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from importlib import resources
from pathlib import Path

from honours.engine.explanation import render_html
from honours.lab.charts import chart_of
from honours.lab.compare import Comparison
from honours.lab.frame import Frame
from honours.model import Step

_SCRIPTS = ("vega.min.js", "vega-lite.min.js", "vega-interpreter.min.js")
_POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:"
_STYLE = """
:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:62rem;
margin:2rem auto;padding:0 1rem}table{border-collapse:collapse;margin:.5rem 0 1rem;
font-variant-numeric:tabular-nums;display:block;overflow-x:auto}caption{text-align:left;
font-weight:600}th,td{padding:.15rem .6rem;border-bottom:1px solid #8884;text-align:right}
th:first-child,td:first-child{text-align:left}details.step,div.step{margin-left:1rem}
.chart{background:#fff;color:#000;overflow-x:auto}footer{font-size:.85rem;overflow-wrap:anywhere}
@media print{.download{display:none}}
"""
_DRAW = """
for (const place of document.querySelectorAll(".chart")) {
  const spec = JSON.parse(place.querySelector("script").textContent);
  const parsed = vega.parse(vegaLite.compile(spec).spec, {}, {ast: true});
  new vega.View(parsed, {expr: vega.expressionInterpreter, renderer: "svg",
    container: place.appendChild(document.createElement("div")), hover: true}).runAsync();
}
"""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a report says."""

    title: str
    statements: Sequence[str]
    frames: Sequence[Frame]
    provenance: Mapping[str, str]
    explanations: Sequence[tuple[str, Sequence[Step]]] = field(default=())


def comparison_answer(found: Comparison, explained: int = 5) -> Answer:
    """A comparison with both explanations of the events that change most."""
    events = [row["event"] for row in found.events(explained).rows]
    explanations = [
        (f"Event {event}: first place under A and under B", [a.why for a in found.explain(event)])
        for event in events
    ]
    title = f"{found.title}"
    return Answer(
        title, [found.statement()], list(found.frames()), found.provenance(), explanations
    )


def render(answer: Answer) -> str:
    """The whole page."""
    title = escape(answer.title)
    head = (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f'<meta name="viewport" content="width=device-width"><meta http-equiv='
        f'"Content-Security-Policy" content="{_POLICY}"><style>{_STYLE}</style></head>'
    )
    said = "".join(f"<p>{escape(text)}</p>" for text in answer.statements)
    tables = "".join(_section(frame) for frame in answer.frames)
    why = "".join(_explained(name, steps) for name, steps in answer.explanations)
    reasons = f"<h2>Why</h2>{why}" if why else ""
    body = f"<body><main><h1>{title}</h1>{said}{tables}{reasons}</main>"
    return f"{head}{body}{_footer(answer.provenance)}{_scripts()}</body></html>\n"


def write(answer: Answer, path: str | Path) -> None:
    """Write the page to a file."""
    Path(path).write_text(render(answer), encoding="utf-8")


def _section(frame: Frame) -> str:
    spec = chart_of(frame) if frame.rows else None
    name = "".join(c if c.isalnum() else "-" for c in frame.title.partition(":")[0]).strip("-")
    chart = f'<div class="chart">{_json_script(spec)}</div>' if spec else ""
    return f"<section>{chart}{frame.html()}{_downloads(frame, name.lower())}</section>"


def _downloads(frame: Frame, name: str) -> str:
    data = json.dumps(frame.data(), ensure_ascii=False, default=str)
    files = (("csv", "text/csv", frame.csv()), ("json", "application/json", data))
    links = (
        f'<a download="{name}.{kind}" href="data:{mime};base64,{_base64(text)}">{kind.upper()}</a>'
        for kind, mime, text in files
    )
    return f'<p class="download">Data: {" · ".join(links)}</p>'


def _base64(text: str) -> str:
    return b64encode(text.encode()).decode()


def _json_script(spec: object) -> str:
    # "</" would end the script element early; JSON allows the slash to be escaped.
    text = json.dumps(spec, ensure_ascii=False, default=str).replace("</", "<\\/")
    return f'<script type="application/json">{text}</script>'


def _explained(name: str, steps: Iterable[Step]) -> str:
    inside = "".join(render_html(step) for step in steps)
    return f"<details><summary>{escape(name)}</summary>{inside}</details>"


def _footer(provenance: Mapping[str, str]) -> str:
    said = "".join(
        f"<div>{escape(k)}: <code>{escape(v)}</code></div>" for k, v in provenance.items()
    )
    return f"<footer><h2>What this stands on</h2>{said}</footer>"


def _scripts() -> str:
    folder = resources.files("honours.lab") / "assets"
    texts = [(folder / name).read_text(encoding="utf-8") for name in _SCRIPTS]
    return "".join(f"<script>{text}</script>" for text in (*texts, _DRAW))
