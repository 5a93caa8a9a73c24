"""The fields of submitted forms."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import Depends
from pydantic import BaseModel
from starlette.requests import Request


async def form_fields(request: Request) -> dict[str, str]:
    """The fields of a form as text."""
    form = await request.form()
    return {key: value for key, value in form.items() if isinstance(value, str)}


FormFields = Annotated[dict[str, str], Depends(form_fields)]


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
        elif field.annotation is int and text.isdecimal():
            values[name] = int(text)
    return values
