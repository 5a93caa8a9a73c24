"""The rulebooks of a question with other numbers: as text in its address, as fields in its form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from honours.lab.questions import QUESTIONS, Question, read_question
from honours.web.calculators.controls import Control, parameter_controls, published

if TYPE_CHECKING:
    from honours.engine.rulebook import Rulebook
    from honours.engine.rulebook.inputs import Parameter


@dataclass(frozen=True, slots=True)
class Amending:
    """The numbers of the rulebook in a field; ``text`` is what was said that has no field."""

    field: str
    book: str
    controls: list[Control]
    text: str

    @property
    def changed(self) -> int:
        return sum(bool(control.value) for control in self.controls)

    @property
    def example(self) -> str:
        prefix = _prefix(self.field, self.book)
        first = next((one for one in self.controls if one.slider), None)
        return f"{first.name.removeprefix(prefix)}={first.placeholder}" if first else ""


def amending(field: str, book: Rulebook, text: str) -> Amending:
    """The fields that say what a text says."""
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
    return Amending(field, book.id, controls, " ".join(rest))


def read_form(kind: str, form: Mapping[str, str], books: Mapping[str, Rulebook]) -> Question:
    """The question of a form: what its fields change joins what was typed, which goes before."""
    values = dict(form)
    fields = QUESTIONS[kind].fields if kind in QUESTIONS else ()
    for field in fields:
        book = books.get(form.get(field.name, ""))
        if field.type == "rulebook" and book is not None:
            values[f"{field.name}_with"] = _as_text(field.name, book, form)
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
