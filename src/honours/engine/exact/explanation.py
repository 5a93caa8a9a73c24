"""An explanation rendered: the tree of steps as text, as JSON-able data and as HTML.

This is the one place that does so; everybody else builds :class:`~honours.model.Step` trees.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import groupby
from typing import Any

from jinja2 import Environment, PackageLoader
from markupsafe import Markup

from honours.engine.exact.formula import value_text
from honours.engine.numbers import brief
from honours.engine.rules import public, titled
from honours.language import DEFAULT, is_translated, shown_figure, words
from honours.model import Award, Citation, Step
from honours.model.message import Message, joined, word

SEE_ABOVE = Message("(see above)")
_SHOWN_PARTS = 6
_LINE = 110
_DECIMAL, _LISTED = re.compile(r"\d+\.\d+"), re.compile(r"(?<=[\d)]), (?=[\d(])")


def title(step: Step) -> str:
    """The step's name in words."""
    if step.called or isinstance(step.name, Message):
        return step.called or step.name
    return titled(step.name)


def step_value(step: Step) -> str:
    """The step's value for a reader: a third as 1/3."""
    if step.rounding or not isinstance(step.value, Fraction):
        return step.shown
    short = brief(step.value)
    return short if "/" in short else step.shown


def explain(award: Award) -> str:
    """Return why an award is what it is, as English text: in short, then in full."""
    return render_explanation(award.why)


def render_explanation(step: Step, language: str = DEFAULT) -> str:
    """In short, then the whole tree, in the reader's language; clauses and what they say are in
    the words of the rulebook."""
    short, full = render_short(step, language), render_text(step, language)
    if not short:
        return full
    in_short, in_full = words(Message("In short:"), language), words(Message("In full:"), language)
    return f"{in_short}\n{short}\n\n{in_full}\n{full}"


# --- in short -----------------------------------------------------------------------------------


def in_short(step: Step, language: str = DEFAULT) -> list[tuple[str, str]]:
    """Return a secretary's words on an award: for each clause the sentences, and the clause."""
    by_clause = groupby(step.short, key=lambda sentence: sentence.citation.clause)
    return [
        (" ".join(_figured(sentence.text, language) for sentence in some), clause)
        for clause, some in by_clause
    ]


def render_short(step: Step, language: str = DEFAULT) -> str:
    """Return what a secretary would say or, if the rulebook has no such sentences, the steps at
    which the figure came about, one a line, without those that only pass it on."""
    if step.short:
        return "\n".join(f"  {text} ({clause})" for text, clause in in_short(step, language))
    return "\n".join(f"  {_short(one, language)}" for one in _essential(step, set()))


def _essential(step: Step, seen: set[tuple[str, str]]) -> Iterator[Step]:
    if (step.name, step.shown) in seen:
        return
    seen.add((step.name, step.shown))
    if step.kind == "rule" and step.working and not _passes_on(step):
        yield step
    for used in step.uses:
        yield from _essential(used, seen)


def _passes_on(step: Step) -> bool:
    """Return whether the value is one that it was given: ``36 / 1``, the larger of (36, 0). An item
    of a table is none: which one it is says where the figure comes from."""
    if step.item_of:
        return not isinstance(step.value, Fraction)
    used = (u for u in step.uses if u.kind != "parameter" or title(u) == step.formula)
    return step.working == step.shown or any(u.value == step.value for u in used)


def _short(step: Step, language: str) -> str:
    named, formula = words(title(step), language), _figured(step.formula, language)
    result = [_figured(part, language) for part in _result(step)]
    parts = [f"{named} = {formula}", f"= {_figured(step.working, language)}", *result]
    if step.citation:
        parts.append(f"  [{step.citation.clause}]")
    line = " ".join(parts)
    return line if len(line) <= _LINE else "\n      ".join(part.strip() for part in parts)


def _result(step: Step) -> list[str]:
    if step.item_of:
        keys = tuple(
            joined(" ", (title(used), step_value(used)))
            for used in [used for used in step.uses if used.name != step.item_of]
        )
        return [Message("({keys})", keys=keys)]
    if step.rounding:
        return [f"→ {step.shown}"]
    return [f"= {value_text(step.value)}"] if isinstance(step.value, Fraction) else []


# --- in full ------------------------------------------------------------------------------------


def render_text(step: Step, language: str = DEFAULT) -> str:
    """The tree as an indented outline; what was already explained is only named again."""
    return "\n".join(_lines(step, language, 0, set()))


def _lines(step: Step, language: str, depth: int, seen: set[tuple[str, str]]) -> list[str]:
    pad = "  " * depth
    known = (step.name, step.shown) in seen
    head = f"{pad}{words(title(step), language)} = {_figured(step_value(step), language)}"
    if step.about:
        head += f"   {words(word(step.about), language)}"
    if known and (step.uses or step.citation):
        return [f"{head}   {words(SEE_ABOVE, language)}"]
    seen.add((step.name, step.shown))
    lines = [head, *(f"{pad}    {_detail(detail, language)}" for detail in details(step))]
    for used in step.uses:
        lines += _lines(used, language, depth + 1, seen)
    return lines


def details(step: Step) -> list[str]:
    """Return how the value came about, a line each: formula, working, rounding, parts, clause."""
    lines: list[str] = []
    if step.formula and step.formula not in (title(step), step_value(step)):
        lines.append(_equals(step.formula))
    if step.working and step.working not in (step.formula, step.shown, step_value(step)):
        lines.append(_equals(step.working))
    if step.because:
        lines.append(Message("since {reason}", reason=step.because))
    if step.rounding:
        lines.append(step.rounding)
    if step.parts:
        listed = joined(", ", (joined(" ", part) for part in step.parts[:_SHOWN_PARTS]))
        more = len(step.parts) - _SHOWN_PARTS
        some = Message("{listed}, and {more} more", listed=listed, more=more)
        lines.append(some if more > 0 else listed)
    if step.citation:
        lines.append(f"[{step.citation}]")
    return lines


def _equals(formula: str) -> Message:
    return Message("= {formula}", formula=formula)


def _detail(line: str, language: str) -> str:
    """A line in a language; a clause is a quotation and stays as it is."""
    return _figured(line, language) if isinstance(line, Message) else line


def _figured(text: str, language: str) -> str:
    """A text whose figures are set as the language sets them; where that takes commas, what is
    listed beside figures is kept apart by semicolons."""
    in_words = words(text, language)
    if shown_figure("0.5", language) == "0.5" or not _DECIMAL.search(in_words):
        return in_words
    apart = _LISTED.sub(" ; ", in_words)
    return _DECIMAL.sub(lambda figure: shown_figure(figure[0], language), apart)


# --- as data and as HTML ------------------------------------------------------------------------


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


def render_html(step: Step, language: str = DEFAULT) -> Markup:
    """The tree as nested disclosure elements.

    Clauses are in the words of the rulebook; names and formulas, and what is said about them, are
    in the reader's language where they are known there, and say so.
    """
    return Markup(_template(language).full(step, False))


def render_explanation_html(step: Step, language: str = DEFAULT, opened: bool = False) -> Markup:
    """In short, in the reader's language, then the whole tree in the words of the rulebook."""
    return Markup(_template(language).whole(step, opened))


@cache
def _template(language: str) -> Any:
    """The macros of ``explanation.html`` for a language."""
    env = Environment(loader=PackageLoader(__package__, "."), autoescape=True)

    def translated(text: str) -> bool:
        return language != DEFAULT and is_translated(text, language)

    def detail(text: str) -> str:
        return _figured(text, language) if translated(text) else _detail(text, language)

    env.globals.update(
        language=language,
        title=title,
        step_value=step_value,
        details=details,
        word=word,
        equals=_equals,
        translated=translated,
        detail=detail,
        result=_result,
        figured=lambda text: _figured(text, language),
        sentences=lambda step: in_short(step, language),
        essential=lambda step: list(_essential(step, set())),
        in_short=Message("In short"),
        in_full=Message("In full"),
    )
    return env.get_template("explanation.html").module
