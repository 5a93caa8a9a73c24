"""JSON: that of other programs, and the model as plain data and back by its type declarations.

Exact numbers are text (``"62.5"``, ``"1/3"``). Among facts, where a word may stand as well, a word
is ``{"word": "NS"}``. What has its default is left out.
"""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Callable, Mapping
from datetime import date
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from functools import cache
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from honours.errors import FileProblem
from honours.model import Source
from honours.model.message import Message

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


# --- the model as plain data -------------------------------------------------------------------


_MOST_DIGITS = 12
_LONGEST_NUMBER = 400


THE_FILE = Message("the file")


class NotPlain(ValueError):
    """Data that is not what a type asks for; says where in it."""


def to_plain(value: Any) -> Any:
    """Plain data of a model object; where things were read (``source``) is left out."""
    if isinstance(value, Fraction):
        return number_text(value)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, StrEnum):
        return value.value
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {name: to_plain(inner) for name, inner in _parts(value)}
    if isinstance(value, Mapping):
        return {
            key: ({"word": inner} if isinstance(inner, str) else to_plain(inner))
            for key, inner in value.items()
        }
    if isinstance(value, frozenset):
        return [to_plain(item) for item in sorted(value)]
    if isinstance(value, tuple):
        return [to_plain(item) for item in value]
    return value


def number_text(value: Fraction) -> str:
    """A number exactly: as a decimal where it is a short one, else as ``p/q``."""
    for digits in range(_MOST_DIGITS + 1):
        scaled = value * 10**digits
        if scaled.denominator == 1:
            whole, part = divmod(abs(scaled.numerator), 10**digits)
            sign = "-" if value < 0 else ""
            return f"{sign}{whole}.{part:0{digits}d}" if digits else f"{sign}{whole}"
    return str(value)


def _parts(value: Any) -> list[tuple[str, Any]]:
    """The fields that differ from their default."""
    fields = []
    for field in dataclasses.fields(value):
        item = getattr(value, field.name)
        default = field.default
        if field.default_factory is not dataclasses.MISSING:
            default = field.default_factory()
        if not isinstance(item, Source) and (default is dataclasses.MISSING or item != default):
            fields.append((field.name, item))
    return fields


def from_plain(kind: Any, data: Any, where: str = "") -> Any:
    """An object of the declared type; NotPlain says what is wrong and where."""
    for applies, read in _READERS:
        if applies(kind):
            return read(kind, data, where)
    raise TypeError(f"{kind} has no plain form")


def _expect(data: Any, kind: type, where: str, expected: str) -> Any:
    if not isinstance(data, kind) or (isinstance(data, bool) and kind is not bool):
        raise NotPlain(
            Message(
                "{where}: {value!r}, expected {expected}",
                where=where or THE_FILE,
                value=str(data)[:60],
                expected=expected,
            )
        )
    return data


def _number(_kind: Any, data: Any, where: str) -> Fraction:
    text = _expect(data, str, where, "a number as text")
    try:
        if len(text) > _LONGEST_NUMBER:
            raise ValueError(text)
        return Fraction(text)
    except (ValueError, ZeroDivisionError) as error:
        raise NotPlain(
            Message(
                "{where}: {text!r}, expected a number like 62.5 or 1/3", where=where, text=text[:60]
            )
        ) from error


def _simple(kind: Any, data: Any, where: str) -> Any:
    names = {int: "a whole number", str: "text", bool: "true or false"}
    return _expect(data, kind, where, names[kind])


def _from_text(kind: Any, data: Any, where: str) -> Any:
    """A day or one of a few words."""
    text = _expect(data, str, where, "text")
    try:
        return date.fromisoformat(text) if kind is date else kind(text)
    except ValueError as error:
        raise NotPlain(
            Message(
                "{where}: {text!r} is no {name}",
                where=where,
                text=text[:60],
                name=kind.__name__.lower(),
            )
        ) from error


def _sequence(kind: Any, data: Any, where: str) -> Any:
    """A tuple or a set of its declared types."""
    items = _expect(data, list, where, "a list")
    inner = get_args(kind)
    if get_origin(kind) is frozenset:
        return frozenset(from_plain(inner[0], x, f"{where}[{n}]") for n, x in enumerate(items))
    kinds = inner[:1] * len(items) if inner[-1] is Ellipsis else inner
    if len(kinds) != len(items):
        raise NotPlain(
            Message(
                "{where}: {count} items, expected {wanted}",
                where=where,
                count=len(items),
                wanted=len(kinds),
            )
        )
    pairs = zip(kinds, items, strict=True)
    return tuple(from_plain(k, item, f"{where}[{n}]") for n, (k, item) in enumerate(pairs))


def _mapping(kind: Any, data: Any, where: str) -> dict[str, Any]:
    content = _expect(data, dict, where, "an object")
    return {key: _read_fact(get_args(kind)[1], v, f"{where}.{key}") for key, v in content.items()}


def _read_fact(kind: Any, data: Any, where: str) -> Any:
    if isinstance(data, dict) and set(data) == {"word"}:
        return _expect(data["word"], str, f"{where}.word", "text")
    return from_plain(Fraction if Fraction in get_args(kind) else kind, data, where)


def _union(kind: Any, data: Any, where: str) -> Any:
    """``None``, or the first type whose fields are those of the data."""
    kinds = [k for k in get_args(kind) if k is not NoneType]
    if data is None and len(kinds) < len(get_args(kind)):
        return None
    for one in kinds[:-1]:
        if isinstance(data, dict) and data.keys() <= _hints(one).keys():
            return from_plain(one, data, where)
    return from_plain(kinds[-1], data, where)


@cache
def _hints(kind: Any) -> dict[str, Any]:
    hints = get_type_hints(kind)
    return {field.name: hints[field.name] for field in dataclasses.fields(kind)}


def _record(kind: Any, data: Any, where: str) -> Any:
    """An object of a class, by the declarations of its fields."""
    content = _expect(data, dict, where, "an object")
    hints = _hints(kind)
    for key in content.keys() - hints.keys():
        raise NotPlain(
            Message(
                "{where}: unknown {key!r}, expected {known}",
                where=where or THE_FILE,
                key=key,
                known=tuple(hints),
            )
        )
    values = {key: from_plain(hints[key], v, f"{where}.{key}") for key, v in content.items()}
    missing = [
        f.name
        for f in dataclasses.fields(kind)
        if f.name not in values
        and (f.default is dataclasses.MISSING and f.default_factory is dataclasses.MISSING)
    ]
    if missing:
        raise NotPlain(
            Message("{where}: no {missing}", where=where or THE_FILE, missing=tuple(missing))
        )
    return kind(**values)


def _origin(kind: Any) -> Any:
    return get_origin(kind)


_Applies = Callable[[Any], bool]
_READERS: tuple[tuple[_Applies, Callable[[Any, Any, str], Any]], ...] = (
    (lambda kind: kind is Fraction, _number),
    (lambda kind: kind in (int, str, bool), _simple),
    (lambda kind: _origin(kind) in (Union, UnionType), _union),
    (lambda kind: _origin(kind) in (tuple, frozenset), _sequence),
    (lambda kind: _origin(kind) is Mapping, _mapping),
    (dataclasses.is_dataclass, _record),
    (lambda kind: kind is date or issubclass(kind, StrEnum), _from_text),
)
