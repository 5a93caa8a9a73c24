"""The fields of a form for what a rulebook asks beyond what an evening knows."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from starlette.requests import Request

from honours.engine.rulebook import Rulebook
from honours.web.calculators.calculator import CalculatorState, controls
from honours.web.calculators.controls import Control
from honours.web.evening.set_up import given_in

_GIVEN = "g."
_TOLD = frozenset(
    (
        *("kind", "winners", "boards", "boards_in_use", "sessions", "pairs", "teams", "players"),
        *("entrants", "toe", "form", "competition", "matches", "boards_per_match", "won", "date"),
    )
)
"""What the movement says by itself."""


@dataclass(frozen=True, slots=True)
class AskedFields:
    """The fields of a rulebook: first those it cannot do without, then the optional ones."""

    first: tuple[Control, ...] = ()
    more: tuple[Control, ...] = ()
    key: str = ""
    """Of which rulebook they are, and which come first: a form says so when it is sent again."""


def chosen_book(request: Request, name: str) -> Rulebook | None:
    """The rulebook that a form names, if any."""
    return request.app.state.events.rulebook(name) if name else None


def given_of(form: Mapping[str, str], book: Rulebook | None) -> dict[str, str]:
    """Return what a form gives its rulebook, field by field; an address may have it in one text.
    Fields of a rulebook that was chosen before are dropped."""
    fields = {
        name.removeprefix(_GIVEN): text.strip()[:200]
        for name, text in form.items()
        if name.startswith(_GIVEN) and text.strip()
        if book is not None and book.takes(name.removeprefix(_GIVEN))
    }
    return {**given_in(form.get("given", "")), **fields}


def asked_fields(
    book: Rulebook | None,
    given: Mapping[str, str],
    missing: Collection[str] | None = None,
    before: str = "",
) -> AskedFields:
    """The fields of a rulebook: what is ``missing`` comes first, or what is usually said where
    nobody knows; and what was among the first ``before`` stays there."""
    if book is None:
        return AskedFields()
    main, more = controls(book, CalculatorState(dict(given)))
    wanted = {one.name for one in main} if missing is None else set(missing)
    named, _, names = before.partition(" ")
    wanted |= set(names.split()) if named == book.id else set(given)
    asked = [one for one in (*main, *more) if one.name not in _TOLD or one.name in given]
    first = [one for one in asked if one.name in wanted]
    return AskedFields(
        tuple(map(_field, first)),
        tuple(_field(one) for one in asked if one not in first),
        " ".join((book.id, *sorted(one.name for one in first))),
    )


def _field(control: Control) -> Control:
    return replace(control, slider=None, name=_GIVEN + control.name)
