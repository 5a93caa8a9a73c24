"""Conventions of scoring programs as named sets of switches, read from ``profiles.toml``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from honours.errors import InputError, UnknownName
from honours.model import Citation
from honours.model.message import Message
from honours.scoring.kernel import TO_EVEN, TOWARDS_AVERAGE, UP
from honours.scoring.switches import bundled

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
    known: Mapping[str, Profile] = bundled(Profile, "profiles.toml")
    if name not in known:
        raise UnknownName("scoring profile", name, known)
    return known[name]


def of_program(program: str) -> tuple[str, ...]:
    """The profiles, or conventions of IMPs, of the program that calls itself so."""
    name = program.lower()
    return next((own for word, own in PROGRAMS.items() if word in name), ())


def profile_names() -> tuple[str, ...]:
    return tuple(bundled(Profile, "profiles.toml"))
