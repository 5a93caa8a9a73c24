"""How programs score pairs in IMPs, as named sets of switches read from a data file."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from fractions import Fraction
from functools import cache
from importlib.resources import files
from typing import Any

from honours.engine.numbers import exact
from honours.errors import InputError, UnknownName
from honours.model.message import Message, either
from honours.scoring.comparison import SectionGroups
from honours.scoring.imp_pairs import ImpRules
from honours.scoring.imps import Datum, DatumTie, Divisor

DEFAULT = "exact"


@dataclass(frozen=True, slots=True)
class ImpConvention:
    """The switches of one program; ``imp_conventions.toml`` says what each means."""

    name: str
    title: str
    divisor: Divisor = Divisor.COMPARISONS
    datum: Datum = Datum()  # noqa: RUF009 - frozen, so one may serve all
    average_plus: Fraction = Fraction(3)
    line_unit: Fraction = Fraction(0)
    prorated: bool = False
    total_unit: Fraction = Fraction(0)

    def __str__(self) -> str:
        return self.name

    def rules(self, scoring: str, compared: SectionGroups | None = None) -> ImpRules:
        """The rules for an event scored in ``cross-imps`` or by ``butler``."""
        return ImpRules(
            self.datum if scoring == "butler" else self.divisor,
            self.average_plus,
            self.line_unit,
            self.prorated,
            self.total_unit,
            compared or SectionGroups(),
        )


def imp_convention(name: str = DEFAULT) -> ImpConvention:
    """The convention of this name; an unknown one names those there are."""
    known = _conventions()
    if name not in known:
        raise UnknownName("IMP convention", name, known)
    return known[name]


def convention_names() -> tuple[str, ...]:
    return tuple(_conventions())


@cache
def _conventions() -> dict[str, ImpConvention]:
    text = files(__package__).joinpath("imp_conventions.toml").read_text(encoding="utf-8")
    return read_conventions(text)


def read_conventions(text: str) -> dict[str, ImpConvention]:
    """Every convention of a TOML text."""
    return {name: _convention(name, switches) for name, switches in tomllib.loads(text).items()}


def switches_known() -> list[str]:
    """The names by which a switch can be set: ``divisor``, ``datum.trim``."""
    plain = [field.name for field in fields(ImpConvention)[2:] if field.name != "datum"]
    return plain + [f"datum.{field.name}" for field in fields(Datum)]


def amend(base: ImpConvention, changes: Mapping[str, str]) -> ImpConvention:
    """A convention with some switches set otherwise: ``divisor=sum``, ``datum.trim=2``."""
    if not changes:
        return base
    switches: dict[str, Any] = {}
    for name, text in changes.items():
        if name not in switches_known():
            raise UnknownName("switch of IMPs", name, switches_known())
        switch, _, part = name.partition(".")
        within = switches.setdefault("datum", {}) if part else switches
        within[part or switch] = _literal(text)
    changed = ", ".join(f"{name}={text}" for name, text in changes.items())
    read = _read(f"{base.name}, {changed}", switches, base.datum)
    return replace(base, name=f"{base.name}, {changed}", **read)


def _literal(text: str) -> object:
    """A whole number or true and false as such, anything else as it is written."""
    words = {"true": True, "false": False}
    return words.get(text.lower(), int(text) if text.lstrip("-").isdigit() else text)


def _convention(name: str, switches: dict[str, Any]) -> ImpConvention:
    return ImpConvention(name, **_read(name, switches, Datum()))


def _read(name: str, switches: dict[str, Any], datum: Datum) -> dict[str, Any]:
    """The switches as the values they stand for; what is not said of a datum stays."""
    known = [field.name for field in fields(ImpConvention)][1:]
    for key in switches:
        if key not in known:
            raise UnknownName(Message("switch of IMP convention {name!r}:", name=name), key, known)
    read = dict(switches)
    for key in {"average_plus", "line_unit", "total_unit"} & set(read):
        read[key] = exact(read[key])
    if not isinstance(read.get("prorated", False), bool):
        raise InputError("IMP convention {name!r}: prorated is neither true nor false", name=name)
    try:
        if "divisor" in read:
            read["divisor"] = _one_of(Divisor, "divisor", read["divisor"])
        if "datum" in read:
            read["datum"] = replace(datum, **_datum(read["datum"]))
    except (ValueError, TypeError) as error:
        raise InputError("IMP convention {name!r}: {error}", name=name, error=error) from error
    return read


def _datum(switches: dict[str, Any]) -> dict[str, Any]:
    read = dict(switches)
    for key in ("trim", "trim_from", "unit"):
        if key in read and type(read[key]) is not int:
            raise ValueError(
                Message("datum.{key} is {read!r}; expected a whole number", key=key, read=read[key])
            )
    if "trim_share" in read:
        read["trim_share"] = exact(read["trim_share"])
    if "tie" in read:
        read["tie"] = _one_of(DatumTie, "datum.tie", read["tie"])
    return read


def _one_of(words: type[StrEnum], name: str, word: str) -> StrEnum:
    if word not in list(words):
        raise ValueError(
            Message(
                "{name} is {word!r}; expected {words}",
                name=name,
                word=word,
                words=either(words),
            )
        )
    return words(word)
