"""An answer as one HTML file: words, tables, charts, explanations, and what it stands on.

Nothing is fetched: the chart library is inside, run by its interpreter so that no text is ever
evaluated as a script. The same answer gives the same bytes.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from honours.engine.exact.explanation import render_html
from honours.files import HTML, write_file
from honours.lab.caveats import notes_of, titled
from honours.lab.charts import chart_of
from honours.lab.compare import Comparison
from honours.lab.explained import without_members
from honours.lab.frame import Frame
from honours.lab.sides import name_of
from honours.model import Step

if TYPE_CHECKING:
    from honours.lab.audit.search import Audit

_SCRIPTS = ("vega.min.js", "vega-lite.min.js", "vega-interpreter.min.js")
_POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:"
EXPLAINED = 10
"""The events that change most, of which a report has both explanations."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a report says.

    ``said`` has a sentence for frames, by what they are called (the title before its colon);
    ``places`` a table to stand before an explanation, by the explanation's name.
    """

    title: str
    statements: Sequence[str]
    frames: Sequence[Frame]
    provenance: Mapping[str, str]
    explanations: Sequence[tuple[str, Sequence[Step]]] = field(default=())
    said: Mapping[str, str] = field(default_factory=dict)
    places: Mapping[str, Frame] = field(default_factory=dict)


def comparison_answer(
    comparison: Comparison,
    explained: int = EXPLAINED,
    progress: Callable[[int, int], None] | None = None,
) -> Answer:
    """A comparison; each of the events that change most leads to both explanations of it."""
    events = [row["event"] for row in comparison.events(explained).rows]
    reasons = []
    for event in events:
        reasons.append(comparison.explain(event))
        if progress:
            progress(len(reasons), len(events))
    return Answer(
        titled(
            comparison.corpus, f"{name_of(comparison.b)}, compared with {name_of(comparison.a)}"
        ),
        [comparison.statement(), *notes_of(comparison.corpus)],
        list(comparison.frames(explained)),
        comparison.provenance(),
        [(f"Event {one.event}", [without_members(step) for step in one.why]) for one in reasons],
        comparison.statements(),
        {f"Event {one.event}": one.places for one in reasons},
    )


def audit_answer(audit: Audit) -> Answer:
    """An audit, with both explanations of every promise that is broken."""
    why = [
        (f"{broken.words} ({broken.case})", [s for s in (broken.first, broken.second) if s])
        for broken in audit.broken
    ]
    title = f"Audit of {name_of(audit.rulebook)}"
    stands_on = {audit.rulebook.id: audit.rulebook.hash}
    return Answer(title, [audit.statement()], audit.frames(), stands_on, why)


def render(answer: Answer) -> str:
    """The whole page."""
    title = escape(answer.title)
    head = (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f'<meta name="viewport" content="width=device-width"><meta http-equiv='
        f'"Content-Security-Policy" content="{_POLICY}">'
        f"<style>{_asset('report.css')}</style></head>"
    )
    statements = "".join(f'<p class="said">{escape(text)}</p>' for text in answer.statements)
    sections = "".join(_section(answer, frame) for frame in answer.frames)
    why = "".join(_explained(answer, name, steps) for name, steps in answer.explanations)
    reasons = f'<section><h2 id="why">Why</h2>{why}</section>' if why else ""
    body = f"<body><main><h1>{title}</h1>{statements}{_contents(answer)}{sections}{reasons}</main>"
    return f"{head}{body}{_footer(answer.provenance)}{_scripts()}</body></html>\n"


def write(answer: Answer, path: str | Path, replace: bool = False) -> None:
    """Write the page to a file; a page that is there only if it is to be replaced."""
    write_file(path, render(answer).encode(), HTML, replace)


def _called(frame: Frame) -> str:
    return frame.title.partition(":")[0]


def _anchor(name: str) -> str:
    return "-".join("".join(c if c.isalnum() else " " for c in name.lower()).split())


def _contents(answer: Answer) -> str:
    names = [_called(frame) for frame in answer.frames] + (["Why"] if answer.explanations else [])
    if len(names) < 3:
        return ""
    items = "".join(f'<li><a href="#{_anchor(n)}">{escape(n)}</a></li>' for n in names)
    return f'<nav aria-label="Contents"><ul>{items}</ul></nav>'


def _section(answer: Answer, frame: Frame) -> str:
    name = _called(frame)
    spec = chart_of(frame) if frame.rows else None
    chart = f'<div class="chart">{_json_script(spec)}</div>' if spec else ""
    sentence = f"<p>{escape(answer.said[name])}</p>" if answer.said.get(name) else ""
    leads = {event: f"#event-{event}" for event in _explained_events(answer, frame)}
    table = f'<div class="wide" tabindex="0" role="region" aria-label="{escape(name)}">'
    table += f"{frame.html(leads)}</div>"
    inside = f'<div class="pair">{chart}{table}</div>{_downloads(frame, _anchor(name))}'
    return f'<section><h2 id="{_anchor(name)}">{escape(name)}</h2>{sentence}{inside}</section>'


def _explained_events(answer: Answer, frame: Frame) -> list[object]:
    events = (row.get("event") for row in frame.rows)
    return [event for event in events if f"Event {event}" in answer.places]


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
    # "</script" would end the element early and "<!--" hide its end; JSON lets a sign be escaped.
    text = json.dumps(spec, ensure_ascii=False, default=str).replace("<", "\\u003c")
    return f'<script type="application/json">{text}</script>'


def _explained(answer: Answer, name: str, steps: Iterable[Step]) -> str:
    places = answer.places.get(name)
    table = f'<div class="wide">{places.html()}</div>' if places is not None else ""
    columns = "".join(f'<div class="reason">{render_html(step)}</div>' for step in steps)
    inside = f'{table}<div class="reasons">{columns}</div>'
    summary = f"<summary>{escape(name)}</summary>"
    return f'<details id="{_anchor(name)}">{summary}{inside}</details>'


def _footer(provenance: Mapping[str, str]) -> str:
    notes = "".join(
        f"<div>{escape(k)}: <code>{escape(v)}</code></div>" for k, v in provenance.items() if v
    )
    return f"<footer><h2>What this stands on</h2>{notes}</footer>"


def _asset(name: str) -> str:
    return (resources.files("honours.lab") / "assets" / name).read_text(encoding="utf-8")


def _scripts() -> str:
    return "".join(f"<script>{_asset(name)}</script>" for name in (*_SCRIPTS, "report.js"))
