"""The one canonical way to write data, so that the same data always gives the same text and
digest."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from honours.engine.numbers import exact
from honours.errors import InputError
from honours.model import Facts, Value
from honours.model.message import Message


def text_of(data: Any) -> str:
    """Data as JSON with sorted keys and no spaces."""
    return json.dumps(data, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def check_text(values: Iterable[object]) -> None:
    """Refuse text that either database cannot store, so that a copy always fits into both."""
    for value in values:
        if isinstance(value, str) and "\x00" in value:
            raise InputError(Message("{text!r}: a text with a NUL in it", text=value[:80]))


def data_of(text: str) -> Any:
    return json.loads(text)


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def value_text(value: Value) -> str:
    """A fact as text: a number begins with ``=``, and a word that begins with ``=`` gets a
    second one."""
    if isinstance(value, Fraction):
        return f"={value}"
    return f"={value}" if value.startswith("=") else value


def value_of(text: str) -> Value:
    if text.startswith("=="):
        return text[1:]
    return exact(text[1:]) if text.startswith("=") else text


def facts_data(facts: Facts) -> dict[str, str]:
    return {name: value_text(value) for name, value in facts.items()}


def facts_of(data: Mapping[str, str]) -> dict[str, Value]:
    return {name: value_of(text) for name, text in data.items()}
