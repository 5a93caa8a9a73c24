"""The fields of submitted forms."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import Depends
from pydantic import BaseModel
from starlette.requests import Request

from honours.errors import WrongValue

_DIGITS = 15


async def form_fields(request: Request) -> dict[str, str]:
    """The fields of a form as text."""
    form = await request.form()
    return {key: value for key, value in form.items() if isinstance(value, str)}


FormFields = Annotated[dict[str, str], Depends(form_fields)]


def whole(text: str, digits: int = _DIGITS) -> int | None:
    """The whole number that a text is; none where it is no number, or none that can be meant."""
    text = text.strip()
    return int(text) if text.isdecimal() and len(text) <= digits else None


def whole_in(form: Mapping[str, str], name: str, digits: int = _DIGITS) -> int:
    """The whole number of a field; a problem names the field where there is none."""
    text = form.get(name, "")
    number = whole(text, digits)
    if number is None:
        raise WrongValue(name, text.strip()[:20], "expected a whole number")
    return number


def filled_in(model: type[BaseModel], form: Mapping[str, str]) -> dict[str, Any]:
    """What a form says of a request's texts, numbers and boxes; what it leaves empty is left out,
    and a box that is not ticked means no."""
    values: dict[str, Any] = {}
    for name, field in model.model_fields.items():
        text = form.get(name, "").strip()
        if field.annotation is bool:
            values[name] = bool(text)
        elif field.annotation is str and text:
            values[name] = text
        elif field.annotation is int and text:
            values[name] = whole_in(form, name)
    return values
