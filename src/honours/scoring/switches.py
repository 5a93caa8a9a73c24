"""Conventions of programs as named sets of switches: read from TOML, and set otherwise by what
somebody types; a switch is what the type of its field is."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, is_dataclass, replace
from enum import StrEnum
from fractions import Fraction
from functools import cache
from importlib.resources import files
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from honours.engine.numbers import exact
from honours.errors import InputError, UnknownName
from honours.files import toml_of
from honours.model.message import Message, either

_NAMES = ("name", "title")
_T = TypeVar("_T")


@cache
def bundled(kind: Callable[..., _T], file: str) -> dict[str, _T]:
    """The sets of a file beside this module."""
    return read_sets(kind, files(__package__).joinpath(file).read_text(encoding="utf-8"))


def read_sets(kind: Callable[..., _T], text: str) -> dict[str, _T]:
    """Every set of a TOML text; ``like`` takes over what another one says."""
    switches_of: dict[str, dict[str, Any]] = {}
    for name, switches in tomllib.loads(text).items():
        base = switches_of[switches.pop("like")] if "like" in switches else {}
        switches_of[name] = {**base, **switches}
    return {
        name: kind(name=name, **_values(kind, switches)) for name, switches in switches_of.items()
    }


def switches_of(kind: type) -> list[str]:
    """The names by which a switch can be set: ``divisor``, or ``datum.trim`` of a set within."""
    hints = get_type_hints(kind)
    inner = {name: hints[name] for name in _declared(kind) if is_dataclass(hints[name])}
    plain = [name for name in _declared(kind) if name not in (*_NAMES, *inner)]
    return plain + [f"{name}.{part}" for name, own in inner.items() for part in _declared(own)]


def amend(base: _T, changes: Mapping[str, str]) -> _T:
    """A set with some switches set otherwise, as one would write them in the file."""
    known = switches_of(type(base))
    amended: Any = base
    for name, text in changes.items():
        if name not in known:
            raise UnknownName("switch", name, known)
        switch, _, part = name.partition(".")
        value = {switch: {part: _literal(text)} if part else _literal(text)}
        amended = replace(amended, **_values(type(base), value, amended))
    changed = ", ".join(f"{name}={text}" for name, text in changes.items())
    return replace(amended, name=f"{amended.name}, {changed}") if changes else base


def _declared(kind: Any) -> list[str]:
    """The switches of a set; what only an event decides is none."""
    return [one.name for one in fields(kind) if not one.metadata.get("of_event")]


def _literal(text: str) -> object:
    """A value as one would write it in the file; a word needs no quotation marks."""
    word = text.lower() if text.lower() in ("true", "false") else text
    try:
        return toml_of(f"value={word}")["value"]
    except (tomllib.TOMLDecodeError, InputError):
        return text


def _values(kind: Any, switches: Mapping[str, Any], base: Any = None) -> dict[str, Any]:
    """The switches as the values they stand for; of a set within, what is not said stays."""
    hints, known = get_type_hints(kind), _declared(kind)
    values = {}
    for name, given in switches.items():
        if name not in known:
            raise UnknownName("switch", name, known)
        if is_dataclass(hints[name]):
            own: Any = getattr(base, name) if base is not None else hints[name]()
            values[name] = replace(own, **_values(hints[name], given, own))
        else:
            values[name] = _value(name, hints[name], given)
    return values


def _value(name: str, kind: Any, given: Any) -> Any:
    def wrong(expected: str) -> InputError:
        shown = str(given).lower() if isinstance(given, bool) else given
        return InputError(
            "switch {name}={given}: expected {expected}", name=name, given=shown, expected=expected
        )

    if kind is Fraction:
        return exact(str(given).removesuffix("%")) / (100 if str(given).endswith("%") else 1)
    if kind in (bool, int):
        if type(given) is not kind:
            raise wrong(Message("true or false") if kind is bool else Message("a whole number"))
        return given
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        if given not in list(kind):
            raise wrong(either(kind))
        return kind(given)
    inner = get_args(kind)
    if get_origin(kind) in (tuple, frozenset) and isinstance(given, Iterable):
        return get_origin(kind)(_value(name, inner[0], one) for one in given)
    if inner and isinstance(given, Mapping):
        return {int(key): _value(name, inner[1], one) for key, one in given.items()}
    return given
