"""How programs score pairs in IMPs, as named sets of switches read from a data file."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, fields
from fractions import Fraction
from functools import cache
from importlib.resources import files
from typing import Any

from honours.engine.numbers import exact
from honours.errors import InputError, UnknownName
from honours.scoring.imp_pairs import ImpRules
from honours.scoring.imps import Datum, Divisor, Tie

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

    def rules(self, scoring: str, sections_apart: bool = False) -> ImpRules:
        """The rules for an event scored in ``cross-imps`` or by ``butler``."""
        return ImpRules(
            self.datum if scoring == "butler" else self.divisor,
            self.average_plus,
            self.line_unit,
            self.prorated,
            self.total_unit,
            sections_apart,
        )


def imp_convention(name: str = DEFAULT) -> ImpConvention:
    """The convention of this name; an unknown one names those there are."""
    known = _conventions()
    if name not in known:
        raise UnknownName("IMP convention", name, known)
    return known[name]


@cache
def _conventions() -> dict[str, ImpConvention]:
    text = files(__package__).joinpath("imp_conventions.toml").read_text(encoding="utf-8")
    return read_conventions(text)


def read_conventions(text: str) -> dict[str, ImpConvention]:
    """Every convention of a TOML text."""
    return {name: _convention(name, found) for name, found in tomllib.loads(text).items()}


def _convention(name: str, switches: dict[str, Any]) -> ImpConvention:
    known = [field.name for field in fields(ImpConvention)]
    for key in switches:
        if key not in known[1:]:
            raise UnknownName(f"switch of IMP convention {name!r}:", key, known[1:])
    read = dict(switches)
    for key in {"average_plus", "line_unit", "total_unit"} & set(read):
        read[key] = exact(read[key])
    try:
        if "divisor" in read:
            read["divisor"] = Divisor(read["divisor"])
        if "datum" in read:
            read["datum"] = _datum(read["datum"])
    except (ValueError, TypeError) as error:
        raise InputError(f"IMP convention {name!r}: {error}") from error
    return ImpConvention(name, **read)


def _datum(switches: dict[str, Any]) -> Datum:
    read = dict(switches)
    if "trim_share" in read:
        read["trim_share"] = exact(read["trim_share"])
    if "tie" in read:
        read["tie"] = Tie(read["tie"])
    return Datum(**read)
