"""The numbers of a question: as text in its address, as fields and sliders in its form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from honours.engine.numbers import exact
from honours.engine.rulebook import Parameter, Rulebook
from honours.errors import HonoursError
from honours.lab.questions import QUESTIONS, Question, read_question
from honours.web.calculators.controls import (
    Control,
    Slider,
    amending_slider,
    parameter_controls,
    published,
)

_AROUND = (Fraction(4, 5), Fraction(6, 5))
"""Values are suggested from a fifth below what is published to a fifth above."""
_TRIED, _MOST_TRIED = 5, 20


@dataclass(frozen=True, slots=True)
class AmendmentFields:
    """The numbers of the rulebook in a field; ``text`` is what was said that has no field."""

    field: str
    book: str
    controls: list[Control]
    text: str
    choosing: str = ""
    """The field that asks which of them may change."""
    chosen: tuple[str, ...] = ()
    other: str = ""
    """What that field says beside the numbers that have a box."""

    @property
    def changed(self) -> int:
        return sum(bool(control.value) for control in self.controls)

    @property
    def example(self) -> str:
        prefix = _prefix(self.field, self.book)
        first = next((one for one in self.controls if one.slider), None)
        return f"{first.name.removeprefix(prefix)}={first.placeholder}" if first else ""

    @property
    def boxes(self) -> list[Control]:
        """The numbers that may be chosen, with what is published."""
        return [one for one in self.controls if one.slider]

    def plain_name(self, control: Control) -> str:
        """The name of a number in its rulebook."""
        return control.name.removeprefix(_prefix(self.field, self.book))


def amending(
    field: str, book: Rulebook, text: str, choosing: str = "", names: str = ""
) -> AmendmentFields:
    """The fields that say what a text says; those in ``choosing`` which of the numbers in ``names``
    may change."""
    changes, rest = {}, []
    for part in text.split():
        name, _, value = part.partition("=")
        parameter = book.parameters.get(name)
        if value and parameter is not None and _has_field(parameter):
            changes[name] = value
        else:
            rest.append(part)
    prefix = _prefix(field, book.id)
    controls = parameter_controls(book, changes, prefix)
    named = names.replace(",", " ").split()
    known = [name for name in named if name in book.parameters and _is_number(book, name)]
    other = " ".join(name for name in named if name not in known)
    return AmendmentFields(field, book.id, controls, " ".join(rest), choosing, tuple(known), other)


def _is_number(book: Rulebook, name: str) -> bool:
    return isinstance(book.parameters[name].value, Fraction)


@dataclass(frozen=True, slots=True)
class RangeFields:
    """Fields for the values of a number that are to be tried: ``first`` to ``last``, so many of
    them; ``text`` is what was said that is no such range."""

    field: str
    published: str
    slider: Slider
    first: str
    last: str
    count: int
    text: str


def ranging(field: str, book: Rulebook | None, parameter: str, text: str) -> RangeFields | None:
    """The fields for values of a parameter of a rulebook; nothing where that is no number."""
    if book is None or parameter not in book.parameters or not _is_number(book, parameter):
        return None
    value = book.parameters[parameter].value
    assert isinstance(value, Fraction)
    slider, values = amending_slider(value), _numbers(text)
    step = exact(slider[2])
    ends = [step * round(share * value / step) for share in _AROUND]
    ends = [min(values), max(values)] if values else sorted(ends)
    many = max(2, len(values)) if values else _TRIED
    own = _evenly(ends[0], ends[1], many)
    typed = "" if own.split() == text.replace(",", " ").split() else text
    shown = published(book.parameters[parameter])
    return RangeFields(field, shown, slider, _short(ends[0]), _short(ends[1]), many, typed)


def _numbers(text: str) -> list[Fraction]:
    try:
        return [exact(part) for part in text.replace(",", " ").split()]
    except (HonoursError, ValueError, ZeroDivisionError):
        return []


def _evenly(first: Fraction, last: Fraction, many: int) -> str:
    """So many values from one end to the other, in six decimals at most."""
    values = [first + (last - first) * k / (many - 1) for k in range(many)]
    return " ".join(dict.fromkeys(map(_short, values)))


def _short(value: Fraction) -> str:
    return f"{float(round(value, 6)):.6f}".rstrip("0").rstrip(".")


def _ranged(field: str, form: Mapping[str, str]) -> str:
    """The values that the fields of a range say; nothing where they say none."""
    ends = [_numbers(form.get(f"{field}.{end}", "")) for end in ("from", "to")]
    count = form.get(f"{field}.count", "")
    if not all(len(end) == 1 for end in ends) or not count.isdecimal():
        return ""
    return _evenly(ends[0][0], ends[1][0], max(2, min(int(count[:4]), _MOST_TRIED)))


def _boxed(field: str, form: Mapping[str, str]) -> str:
    """The numbers whose boxes are ticked, and those that were typed."""
    boxes = [key.partition(".")[2] for key in form if key.startswith(f"{field}.")]
    typed = form.get(field, "").replace(",", " ").split()
    return " ".join(dict.fromkeys([*boxes, *typed]))


def read_form(kind: str, form: Mapping[str, str], books: Mapping[str, Rulebook]) -> Question:
    """The question of a form: what its fields change joins what was typed, which goes before."""
    values = dict(form)
    fields = QUESTIONS[kind].fields if kind in QUESTIONS else ()
    for field in (one for own in fields for one in own.inputs(form)):
        book = books.get(form.get(field.key, ""))
        if field.type == "rulebook" and book is not None:
            values[f"{field.key}_with"] = _as_text(field.key, book, form)
        elif field.type == "values" and not form.get(field.key, "").strip():
            values[field.key] = _ranged(field.key, form)
        elif field.type in ("parameters", "boxes"):
            values[field.key] = _boxed(field.key, form)
    return read_question(kind, values)


def _as_text(field: str, book: Rulebook, form: Mapping[str, str]) -> str:
    typed = form.get(f"{field}_with", "").split()
    names = {part.partition("=")[0] for part in typed}
    changes = []
    for name, parameter in book.parameters.items():
        value = "".join(form.get(f"{_prefix(field, book.id)}{name}", "").split())
        if value and name not in names and value != published(parameter):
            changes.append(f"{name}={value}")
    return " ".join([*changes, *typed])


def _has_field(parameter: Parameter) -> bool:
    return not isinstance(parameter.value, Mapping | tuple)


def _prefix(field: str, book: str) -> str:
    """Of a field's name: the numbers of another rulebook than the chosen one say nothing."""
    return f"{field}.{book}."
