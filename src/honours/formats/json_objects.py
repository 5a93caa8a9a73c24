"""JSON that other programs wrote: looked into with care, for anything may stand anywhere."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

from honours.errors import FileProblem

Object = Mapping[str, Any]
_LONGEST = 40
_WHOLE = re.compile(r"[+-]?\d{1,9}")
_NUMBER = re.compile(r"[+-]?\d{1,18}(?:\.\d{1,18})?")


def read_object(path: str | Path, text: str, start: int = 0) -> Object:
    """The object that stands at a place of a text; what follows it does not matter."""
    begin = len(text) - len(text[start:].lstrip())
    try:
        content, _ = json.JSONDecoder(parse_float=Decimal, parse_int=_bounded).raw_decode(
            text, begin
        )
    except (ValueError, RecursionError) as error:
        raise FileProblem(path, "not JSON: {error}", error=str(error)[:200]) from error
    if not isinstance(content, dict):
        raise FileProblem(path, "no JSON object", "one in braces")
    return content


def _bounded(digits: str) -> int | str:
    """A whole number; one too long to be anything stays text."""
    return int(digits) if len(digits) <= _LONGEST else digits


def items(parent: Object, name: str) -> list[Object]:
    """A list of objects; anything else in it is left out."""
    value = parent.get(name)
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def word(parent: Object, *names: str) -> str:
    """The first of the names that holds a text or a number, as text."""
    for name in names:
        value = parent.get(name)
        if isinstance(value, str | int | Decimal) and not isinstance(value, bool) and value != "":
            return str(value).strip()
    return ""


def whole(parent: Object, name: str) -> int:
    """A whole number; 0 where there is none."""
    text = word(parent, name)
    return int(text) if _WHOLE.fullmatch(text) else 0


def exact(parent: Object, name: str) -> Fraction | None:
    """A number exactly as it stands; ``None`` where there is none."""
    text = word(parent, name)
    return Fraction(text) if _NUMBER.fullmatch(text) else None
