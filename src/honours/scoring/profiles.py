"""Conventions of scoring programs as named sets of switches, read from ``profiles.toml``."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from functools import cache
from importlib.resources import files
from typing import Any

from honours.errors import InputError, UnknownName
from honours.files import toml_of
from honours.model import Citation
from honours.model.message import Message
from honours.scoring.kernel import TO_EVEN, TOWARDS_AVERAGE, UP

DEFAULT = "ebu"
PROGRAMS = {
    "acblscore": ("acbl",),
    "ebuscore": ("ebuscore",),
    "compscore": ("compscore", "compscore-totals"),
    "brian": ("unfactored",),
    "pianola": ("pianola",),
    "teamsscorer": ("teamsscorer",),
}
"""A word of what a program calls itself, and the profiles and conventions of IMPs that are its."""
HALVES = {"towards average": TOWARDS_AVERAGE, "up": UP, "even": TO_EVEN}


@dataclass(frozen=True, slots=True)
class Profile:
    """The switches of one scoring program; ``profiles.toml`` says what each means."""

    name: str
    title: str
    per_score_beaten: int
    factor_missing: bool
    factor_adjusted: bool
    unit: Fraction
    half: str = "towards average"
    small_groups: Mapping[int, tuple[Fraction, ...]] = field(default_factory=dict)
    larger_exempt: frozenset[int] = frozenset()
    small_when_short: bool = False
    session_rule: bool = False
    flat_average_minus: bool = False
    simplified: bool = False
    totals_unit: Fraction = Fraction(0)
    repeated_board: str = "refused"
    clause: str = ""
    words: str = ""

    def __post_init__(self) -> None:
        if self.unit and self.unit.numerator != 1:
            raise InputError(
                "profile {name!r}: unit {unit} is not one part of 1", name=self.name, unit=self.unit
            )
        if self.half not in HALVES:
            raise UnknownName(
                Message("half of profile {name!r}", name=self.name), self.half, HALVES
            )

    @property
    def citation(self) -> Citation:
        return Citation(
            self.clause or Message("scoring profile {name}", name=self.name), self.words
        )

    def top(self, expected: int) -> Fraction:
        """The most a side can get on a board with this many scores."""
        return Fraction(self.per_score_beaten * max(0, expected - 1))


def profile(name: str) -> Profile:
    """The profile of this name; an unknown one names those there are."""
    known = _profiles()
    if name not in known:
        raise UnknownName("scoring profile", name, known)
    return known[name]


def of_program(program: str) -> tuple[str, ...]:
    """The profiles, or conventions of IMPs, of the program that calls itself so."""
    name = program.lower()
    return next((own for word, own in PROGRAMS.items() if word in name), ())


def profile_names() -> tuple[str, ...]:
    return tuple(_profiles())


@cache
def _profiles() -> dict[str, Profile]:
    text = files(__package__).joinpath("profiles.toml").read_text(encoding="utf-8")
    return read_profiles(text)


def read_profiles(text: str) -> dict[str, Profile]:
    """Every profile of a TOML text; ``like`` takes over what another one says."""
    switches_of: dict[str, dict[str, Any]] = {}
    for name, switches in tomllib.loads(text).items():
        base = switches_of[switches.pop("like")] if "like" in switches else {}
        switches_of[name] = {**base, **_exact(switches), "name": name}
    return {name: Profile(**switches) for name, switches in switches_of.items()}


def switches_known() -> list[str]:
    """The names of what a profile can set."""
    return [field.name for field in fields(Profile) if field.name not in ("name", "title")]


def amend(base: Profile, changes: Mapping[str, str]) -> Profile:
    """A profile with some switches set otherwise, as one would write them in the file."""
    known = switches_known()
    switches: dict[str, Any] = {}
    for name, text in changes.items():
        if name not in known:
            raise UnknownName("switch of a profile", name, known)
        try:
            switches[name] = toml_of(f"value = {text}")["value"]
        except tomllib.TOMLDecodeError:
            switches[name] = text
    for name in ("unit", "totals_unit"):
        if name in switches:
            switches[name] = str(changes[name]).strip('"')
    for name, value in switches.items():
        now = getattr(base, name)
        if isinstance(now, int) and type(value) is not type(now):
            kind = "true or false" if isinstance(now, bool) else "a whole number"
            raise InputError(
                "switch {name}={changes}: expected {kind}",
                name=name,
                changes=changes[name],
                kind=kind,
            )
    changed = ", ".join(f"{name}={text}" for name, text in changes.items())
    return replace(base, name=f"{base.name}, {changed}", **_exact(switches)) if switches else base


def _exact(switches: dict[str, Any]) -> dict[str, Any]:
    exact = dict(switches)
    for key in ("unit", "totals_unit"):
        if key in exact:
            exact[key] = Fraction(exact[key])
    if "small_groups" in exact:
        groups = exact["small_groups"].items()
        exact["small_groups"] = {int(n): tuple(map(_share, shares)) for n, shares in groups}
    if "larger_exempt" in exact:
        exact["larger_exempt"] = frozenset(exact["larger_exempt"])
    return exact


def _share(percent: str) -> Fraction:
    return Fraction(percent.removesuffix("%")) / 100
