"""An explanation rendered: the tree of steps as text, as JSON-able data and as HTML.

This is the one place that does so; everybody else builds :class:`~honours.model.Step` trees.
"""

from __future__ import annotations

from html import escape
from typing import Any

from honours.model import Award, Citation, Step

_SHOWN_PARTS = 6


def title(step: Step) -> str:
    """The step's name as words."""
    return step.name.rstrip("_").replace("_", " ")


def explain(award: Award) -> str:
    """Why an award is what it is, as text."""
    return render_text(award.why)


def render_text(step: Step) -> str:
    """The tree as an indented outline; what was already explained is only named again."""
    return "\n".join(_lines(step, 0, set()))


def _lines(step: Step, depth: int, seen: set[tuple[str, str]]) -> list[str]:
    pad = "  " * depth
    known = (step.name, step.shown) in seen
    head = f"{pad}{title(step)} = {step.shown}"
    if step.about:
        head += f"   {step.about}"
    if known and step.uses:
        return [f"{head}   (see above)"]
    seen.add((step.name, step.shown))
    lines = [head, *(f"{pad}    {detail}" for detail in details(step))]
    for used in step.uses:
        lines += _lines(used, depth + 1, seen)
    return lines


def details(step: Step) -> list[str]:
    """How the value came about, a line each: formula, working, rounding, parts, clause."""
    found = []
    if step.formula and step.formula != title(step):
        found.append(f"= {step.formula}")
    if step.working and step.working not in (step.formula, step.shown):
        found.append(f"= {step.working}")
    if step.rounding:
        found.append(f"{step.rounding}")
    if step.parts:
        shown = ", ".join(f"{who} {value}" for who, value in step.parts[:_SHOWN_PARTS])
        more = len(step.parts) - _SHOWN_PARTS
        found.append(f"{shown}, and {more} more" if more > 0 else shown)
    if step.citation:
        found.append(f"[{step.citation}]")
    return found


def to_data(step: Step) -> dict[str, Any]:
    """The tree as plain data: dictionaries, lists and text."""
    data: dict[str, Any] = {"name": step.name.rstrip("_"), "value": step.shown, "kind": step.kind}
    for key in ("about", "formula", "working", "rounding"):
        if getattr(step, key):
            data[key] = getattr(step, key)
    if step.citation:
        data["citation"] = citation_data(step.citation)
    if step.parts:
        data["parts"] = [{"of": who, "value": value} for who, value in step.parts]
    if step.uses:
        data["uses"] = [to_data(used) for used in step.uses]
    return data


def citation_data(citation: Citation) -> dict[str, str]:
    """A citation as plain data."""
    return {"clause": citation.clause, "words": citation.words}


def render_html(step: Step) -> str:
    """The tree as nested disclosure elements, without scripts or styles of its own."""
    head = f"<b>{escape(title(step))}</b> = <output>{escape(step.shown)}</output>"
    if step.about:
        head += f" <small>{escape(step.about)}</small>"
    told = "".join(f"<p>{escape(line)}</p>" for line in details(step))
    if not step.uses and not told:
        return f'<div class="step {step.kind}">{head}</div>'
    inner = told + "".join(render_html(used) for used in step.uses)
    return f'<details class="step {step.kind}"><summary>{head}</summary>{inner}</details>'
