"""An explanation rendered: the tree of steps as text, as JSON-able data and as HTML.

This is the one place that does so; everybody else builds :class:`~honours.model.Step` trees.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from html import escape
from itertools import groupby
from typing import Any

from honours.engine.formula import value_text
from honours.engine.names import public
from honours.engine.numbers import brief
from honours.language import DEFAULT, is_translated, words
from honours.model import Award, Citation, Step
from honours.model.message import Message, word

SEE_ABOVE = Message("(see above)")
_SHOWN_PARTS = 6
_LINE = 110


def title(step: Step) -> str:
    """The step's name as words."""
    return public(step.name).replace("_", " ")


def shown(step: Step) -> str:
    """The step's value for a reader: a third as 1/3."""
    if step.rounding or not isinstance(step.value, Fraction):
        return step.shown
    short = brief(step.value)
    return short if "/" in short else step.shown


def explain(award: Award) -> str:
    """Why an award is what it is, as text: in short, then in full."""
    return render_explanation(award.why)


def render_explanation(step: Step) -> str:
    """In short, then the whole tree."""
    short = render_short(step)
    head = f"In short:\n{short}\n\nIn full:\n" if short else ""
    return head + render_text(step)


# --- in short -------------------------------------------------------------------------------


def in_short(step: Step, words: Callable[[str], str] = str) -> list[tuple[str, str]]:
    """What a secretary would say of an award, a clause at a time: the words, and the clause."""
    said = groupby(step.short, key=lambda sentence: sentence.citation.clause)
    return [(" ".join(words(sentence.text) for sentence in some), clause) for clause, some in said]


def render_short(step: Step) -> str:
    """What a secretary would say; of a rulebook without such sentences the steps at which the
    figure came about, one a line, without those that only pass it on."""
    if step.short:
        return "\n".join(f"  {text} ({clause})" for text, clause in in_short(step))
    return "\n".join(f"  {_short(found)}" for found in _essential(step, set()))


def _essential(step: Step, seen: set[tuple[str, str]]) -> Iterator[Step]:
    if (step.name, step.shown) in seen:
        return
    seen.add((step.name, step.shown))
    if step.kind == "rule" and step.working and not _passes_on(step):
        yield step
    for used in step.uses:
        yield from _essential(used, seen)


def _passes_on(step: Step) -> bool:
    """Whether the value is one that it was given: ``36 / 1``, the larger of (36, 0). An item of a
    table is none: which one it is says where the figure comes from."""
    if _is_item(step):
        return not isinstance(step.value, Fraction)
    used = (u for u in step.uses if u.kind != "parameter" or title(u) == step.formula)
    return step.working == step.shown or any(u.value == step.value for u in used)


def _is_item(step: Step) -> bool:
    """Whether the rule takes an item of a table, and nothing else."""
    tables = (f"{title(used)}[" for used in step.uses if used.kind == "parameter")
    return step.formula.endswith("]") and any(step.formula.startswith(t) for t in tables)


def _short(step: Step) -> str:
    parts = [f"{title(step)} = {step.formula}", f"= {step.working}", *_result(step)]
    if step.citation:
        parts.append(f"  [{step.citation.clause}]")
    line = " ".join(parts)
    return line if len(line) <= _LINE else "\n      ".join(part.strip() for part in parts)


def _result(step: Step) -> list[str]:
    if _is_item(step):
        return [f"({', '.join(f'{title(u)} {shown(u)}' for u in _keys(step))})"]
    if step.rounding:
        return [f"→ {step.shown}"]
    return [f"= {value_text(step.value)}"] if isinstance(step.value, Fraction) else []


def _keys(step: Step) -> list[Step]:
    """What an item of a table was looked up by."""
    return [used for used in step.uses if not step.formula.startswith(f"{title(used)}[")]


def render_short_html(step: Step, words: Callable[[str], str] = str) -> str:
    """The same as a list, empty where there is nothing to say in short."""
    if step.short:
        spoken = in_short(step, words)
        said = (f"{escape(text)} <cite>{escape(clause)}</cite>" for text, clause in spoken)
        return f'<ol class="short">{"".join(f"<li>{one}</li>" for one in said)}</ol>'
    lines = "".join(f"<li>{_short_html(found)}</li>" for found in _essential(step, set()))
    return f'<ol class="short">{lines}</ol>' if lines else ""


def _short_html(step: Step) -> str:
    said = [f"= {step.formula}", f"= {step.working}"]
    told = " ".join(f"<span>{escape(part)}</span>" for part in said)
    result = "".join(f" <output>{escape(part)}</output>" for part in _result(step))
    cited = f" <cite>{escape(step.citation.clause)}</cite>" if step.citation else ""
    return f"<b>{escape(title(step))}</b> {told}{result}{cited}"


# --- in full --------------------------------------------------------------------------------


def render_text(step: Step) -> str:
    """The tree as an indented outline; what was already explained is only named again."""
    return "\n".join(_lines(step, 0, set()))


def _lines(step: Step, depth: int, seen: set[tuple[str, str]]) -> list[str]:
    pad = "  " * depth
    known = (step.name, step.shown) in seen
    head = f"{pad}{title(step)} = {shown(step)}"
    if step.about:
        head += f"   {step.about}"
    if known and (step.uses or step.citation):
        return [f"{head}   {SEE_ABOVE}"]
    seen.add((step.name, step.shown))
    lines = [head, *(f"{pad}    {detail}" for detail in details(step))]
    for used in step.uses:
        lines += _lines(used, depth + 1, seen)
    return lines


def details(step: Step) -> list[str]:
    """How the value came about, a line each: formula, working, rounding, parts, clause."""
    found = []
    if step.formula and step.formula not in (title(step), shown(step)):
        found.append(f"= {step.formula}")
    if step.working and step.working not in (step.formula, step.shown, shown(step)):
        found.append(f"= {step.working}")
    if step.because:
        found.append(Message("since {reason}", reason=step.because))
    if step.rounding:
        found.append(step.rounding)
    if step.parts:
        listed = ", ".join(f"{who} {value}" for who, value in step.parts[:_SHOWN_PARTS])
        more = len(step.parts) - _SHOWN_PARTS
        some = Message("{listed}, and {more} more", listed=listed, more=more)
        found.append(some if more > 0 else listed)
    if step.citation:
        found.append(f"[{step.citation}]")
    return found


# --- as data and as HTML ----------------------------------------------------------------------


def to_data(step: Step) -> dict[str, Any]:
    """The tree as plain data: dictionaries, lists and text."""
    data: dict[str, Any] = {"name": public(step.name), "value": step.shown, "kind": step.kind}
    if step.short:
        data["in_short"] = [{"text": text, "clause": clause} for text, clause in in_short(step)]
    for key in ("about", "formula", "working", "because", "rounding"):
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


def render_html(step: Step, language: str = DEFAULT, opened: bool = False) -> str:
    """The tree as nested disclosure elements, without scripts or styles of its own.

    Names and formulas are in the words of the rulebook; what is said about them is in the reader's
    language where it is known there, and says so.
    """
    head = f"<b>{escape(title(step))}</b> = <output>{escape(shown(step))}</output>"
    if step.about:
        head += f" {_told('small', word(step.about), language)}"
    lines = "".join(_told("p", line, language) for line in details(step))
    if not step.uses and not lines:
        return f'<div class="step {step.kind}">{head}</div>'
    inner = lines + "".join(render_html(used, language) for used in step.uses)
    state = " open" if opened else ""
    return f'<details class="step {step.kind}"{state}><summary>{head}</summary>{inner}</details>'


def _told(tag: str, text: str, language: str) -> str:
    """A text in an element that names the language it is in, where that is not English."""
    own = f' lang="{language}"' if language != DEFAULT and is_translated(text, language) else ""
    return f"<{tag}{own}>{escape(words(text, language))}</{tag}>"
