"""Query parameters of the API, made from the options of the pipeline."""

from __future__ import annotations

from collections.abc import Iterable
from inspect import Parameter, Signature
from typing import Annotated, Any

from fastapi import Query

from honours.pipeline.options import Option
from honours.scoring.profiles import profile_names

_MOST, _LONGEST = 999_999, 200


def query_signature(options: Iterable[Option]) -> Signature:
    """The signature of a dependency that takes each option as a query parameter."""
    return Signature(
        [
            Parameter(
                option.name,
                Parameter.KEYWORD_ONLY,
                default="" if option.name == "profile" else option.default,
                annotation=_annotation(option),
            )
            for option in options
        ]
    )


def _annotation(option: Option) -> Any:
    about: dict[str, Any] = {"description": option.help}
    if option.kind == "flag":
        return Annotated[bool, Query(**about)]
    if option.kind == "count":
        return Annotated[int, Query(ge=0, le=_MOST, **about)]
    words = profile_names() if option.name == "profile" else option.words
    if option.kind == "word" or option.name == "profile":
        nothing = [option.nothing] if option.nothing else []
        about["json_schema_extra"] = {"enum": ["", *nothing, *words]}
    return Annotated[str, Query(max_length=_LONGEST, **about)]
