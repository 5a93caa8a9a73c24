"""The fields of submitted forms."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import NoneType
from typing import Annotated, Any, get_args, get_origin

from fastapi import Depends
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ValidationError
from starlette.requests import Request

from honours.errors import WrongValue

_DIGITS = 15


class FormTexts(dict[str, str]):
    """The fields of a form as text; one that it does not have is empty."""

    def __missing__(self, name: str) -> str:
        return ""


async def form_fields(request: Request) -> FormTexts:
    """The fields of a form."""
    form = await request.form()
    return FormTexts((key, value) for key, value in form.items() if isinstance(value, str))


FormFields = Annotated[FormTexts, Depends(form_fields)]


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


async def form_texts(request: Request) -> dict[str, list[str]]:
    """All that was typed in each field of a form."""
    form = await request.form()
    return {
        key: [text.strip() for text in form.getlist(key) if isinstance(text, str)] for key in form
    }


def sent_as(model: type[BaseModel]) -> Any:
    """``Annotated[RoleRequest, sent_as(RoleRequest)]``: the request that a form's fields make."""

    async def read(request: Request) -> Any:
        values = filled_in(model, await form_texts(request))
        with unlike_description():
            return model.model_validate(values, strict=False)

    return Depends(read)


@contextmanager
def unlike_description(name: str = "") -> Iterator[None]:
    """Raise what is wrong with fields of a form, or with the one of this name, as it is raised for
    those of a request."""
    try:
        yield
    except ValidationError as error:
        located = [{**one, "loc": one["loc"] or (name,)} for one in error.errors()]
        raise RequestValidationError(located) from error


def filled_in(model: type[BaseModel], texts: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """Return what a form says of a request; what it leaves empty is left out, unless that is to
    empty it, and a box that is not ticked means no."""
    values: dict[str, Any] = {}
    for name, field in model.model_fields.items():
        given = [text for text in texts.get(name, ()) if text]
        kinds = (field.annotation, *get_args(field.annotation))
        if get_origin(field.annotation) is list:
            values[name] = given
        elif bool in kinds:
            values[name] = bool(given)
        elif NoneType in kinds and name in texts:
            values[name] = texts[name][-1]
        elif given:
            values[name] = given[-1]
    return values
