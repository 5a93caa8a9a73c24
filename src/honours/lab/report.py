"""An answer as one HTML file: text, tables, charts, explanations, and the data it is based on.

Nothing is fetched: the chart library is included, and uses Vega's expression interpreter so that no
text is ever evaluated as a script. The same answer gives the same bytes.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from honours.engine.exact.explanation import render_html, render_text
from honours.files import HTML, write_file
from honours.lab.charts import chart_of
from honours.lab.compare import Comparison, without_members
from honours.lab.questions import EXPLAINED
from honours.lab.result import Frame, Progress, notes_of, titled, unwatched
from honours.lab.sides import name_of
from honours.language import DEFAULT, words
from honours.model import Step
from honours.model.message import Message
from honours.reports.drawing import environment

if TYPE_CHECKING:
    from honours.lab.audit.search import Audit

_SCRIPTS = ("vega.min.js", "vega-lite.min.js", "vega-interpreter.min.js", "chart-language.js")


@dataclass(frozen=True, slots=True)
class Answer:
    """The content of a report.

    ``said`` has a sentence for some frames, by frame name (the title before its colon); ``places``
    has a table to show before an explanation, by the explanation's name.
    """

    title: str
    statements: Sequence[str]
    frames: Sequence[Frame]
    provenance: Mapping[str, str]
    explanations: Sequence[tuple[str, Sequence[Step]]] = field(default=())
    said: Mapping[str, str] = field(default_factory=dict)
    places: Mapping[str, Frame] = field(default_factory=dict)
    plain: Mapping[str, Any] = field(default_factory=dict)
    """The same as plain data."""
    told: Sequence[str | Frame | Step] = field(default=())
    """What a terminal shows, if not the statements and all the tables."""
    sides: tuple[str, str] = (Message("before"), Message("after"))
    """The names of the two steps of an explanation."""
    front: Sequence[str] = field(default=())
    """The names of the frames whose charts come first, before all tables."""

    def data(self) -> dict[str, Any]:
        """The same as plain data."""
        return dict(self.plain)

    def answer(self, progress: Progress = unwatched, whole: bool = True) -> Answer:
        """The answer itself, since a question may return a finished report."""
        del progress, whole
        return self

    def text(self, language: str = DEFAULT) -> str:
        """The text for a terminal."""
        parts = self.told or (*self.statements, *self.frames)
        return "\n\n".join(_as_text(part, language) for part in parts)


def _as_text(part: str | Frame | Step, language: str) -> str:
    if isinstance(part, str):
        return words(part, language)
    return part.text(language) if isinstance(part, Frame) else render_text(part, language)


def comparison_answer(
    comparison: Comparison, explained: int = EXPLAINED, progress: Progress = unwatched
) -> Answer:
    """The report of a comparison; each of the most changed events links to both explanations of
    it."""
    frames = list(comparison.frames())  # once, for the page and for the data beside it
    changed = comparison.events(explained) if explained else None
    reasons = []
    for row in changed or ():
        reasons.append(comparison.explain(row["event"]))
        progress(len(reasons), len(changed or ()))
    sides, sentences = (comparison.a, comparison.b), comparison.statements() if explained else {}
    title = Message("{b}, compared with {a}", a=name_of(sides[0]), b=name_of(sides[1]))
    grouped = comparison.by(*comparison.asked) if comparison.asked else None
    statements = [comparison.statement(), *([grouped.statement()] if grouped else [])]
    notes = (*comparison.notes, *notes_of(comparison.corpus, *sides))
    statements = [*filter(None, statements), *notes]
    return Answer(
        titled(comparison.corpus, title),
        statements,
        [changed if changed and frame.name == changed.name else frame for frame in frames],
        comparison.provenance(),
        [
            (explanation_name(one.event), [without_members(step) for step in one.why])
            for one in reasons
        ],
        sentences,
        {explanation_name(one.event): one.places for one in reasons},
        comparison.data_of(frames, sentences) if explained else {},
        (*statements, grouped.table()) if grouped else (),
        (name_of(sides[0]), name_of(sides[1])),
    )


def explanation_name(event: object) -> Message:
    """The name of an event's explanation."""
    return Message("Event {event}", event=event)


def audit_answer(audit: Audit) -> Answer:
    """The report of an audit, with both explanations of every broken promise."""
    names = [Message("{promise} ({case})", promise=b.words, case=b.case) for b in audit.broken]
    why = [[step for step in (broken.first, broken.second) if step] for broken in audit.broken]
    title = Message("Audit of {rulebook}", rulebook=name_of(audit.rulebook))
    return Answer(
        title,
        [audit.statement()],
        audit.frames(),
        audit.provenance(),
        list(zip(names, why, strict=True)),
        {name: broken.in_short for name, broken in zip(names, audit.broken, strict=True)},
        plain=audit.data(),
    )


def render(answer: Answer, language: str = DEFAULT) -> str:
    """The whole page."""
    page = environment(language, "honours.lab", "honours.reports").get_template("report.html")
    sections = [_section(answer, frame, language) for frame in answer.frames]
    contents = [(section["anchor"], section["name"]) for section in sections]
    if answer.explanations:
        contents.append(("why", Message("Why")))
    return page.render(
        answer=answer,
        style=_style(),
        contents=contents,
        sections=sections,
        front=[one for name in answer.front for one in sections if one["name"].startswith(name)],
        reasons=[_reason(answer, name, steps) for name, steps in answer.explanations],
        stands_on=[(name, value) for name, value in answer.provenance.items() if value],
        scripts=[Markup(_asset(name)) for name in (*_SCRIPTS, "report.js")],
    )


def write(answer: Answer, path: str | Path, replace: bool = False, language: str = DEFAULT) -> None:
    """Write the page to a file; an existing one is replaced only on request."""
    write_file(path, render(answer, language).encode(), HTML, replace)


def _anchor(name: str) -> str:
    return "-".join("".join(c if c.isalnum() else " " for c in name.lower()).split())


def _section(answer: Answer, frame: Frame, language: str) -> dict[str, Any]:
    """A table with its chart, a sentence about it, and its data for download."""
    name, spec = frame.name, chart_of(frame, language) if frame.rows else None
    leads = {event: f"#event-{event}" for event in _explained_events(answer, frame)}
    return {
        "anchor": _anchor(name),
        "name": name,
        "sentence": answer.said.get(name, ""),
        "chart": _json(spec) if spec else "",
        "table": frame.table({frame.columns[0]: lambda event: leads.get(event, "")})
        if frame.rows
        else frame.table(),
        "files": _files(frame, _anchor(name)),
    }


def _explained_events(answer: Answer, frame: Frame) -> list[object]:
    events = (row.get("event") for row in frame.rows)
    return [event for event in events if explanation_name(event) in answer.places]


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


def _reason(answer: Answer, name: str, steps: Iterable[Step]) -> dict[str, Any]:
    places = answer.places.get(name)
    return {
        "anchor": _anchor(name),
        "name": name,
        "places": None if places is None else places.table(),
        "steps": [Markup(render_html(step)) for step in steps],
    }


def _style() -> Markup:
    """The house style, with the additions that only reports of the lab need."""
    from honours.reports.site import style as house_style  # a fifth of a second, for pages only

    return house_style() + Markup(_asset("report.css"))


def _asset(name: str) -> str:
    return (resources.files("honours.lab") / "assets" / name).read_text(encoding="utf-8")
