"""The files a new rulebook begins with: small, complete, and without a fault."""

from __future__ import annotations

import re

from honours.errors import InputError

_TOML = """title = "{title}"
body = "Whose rule it is"
edition = "{year}"
revision = 1
unit = "points"
decimals = 2

[sources.rules]
title = "The document the rule is taken from"

[inputs.entrants]
about = "how many entered"
type = "count"
most = 10000
example = "12"

[parameters]
least_entrants = {{ value = 4, clause = "§1", quote = "at least four" }}
points_each = {{ value = "0.10", clause = "§2", quote = "a tenth of a point for each entrant" }}
share = {{ value = "1/2", clause = "§3", quote = "half of the place above" }}
paid_share = {{ value = "1/3", clause = "§3", quote = "the upper third" }}
whole = {{ value = 1, clause = "§3", quote = "rounded up" }}
cent = {{ value = "0.01", clause = "§4", quote = "to the nearest hundredth" }}
"""
_RULES = '''"""{title}: the rule, in the order of its document."""

from honours.engine.rules import Number, nearest, refuses, rule, up


@refuses("{{entrants}} entered, at least {{least_entrants}} needed", "§1")
def too_few(entrants: Number, least_entrants: Number) -> bool:
    return entrants < least_entrants


@rule("§2", rounds=nearest("cent"))
def first_place(entrants: Number, points_each: Number) -> Number:
    """What first place is worth."""
    return entrants * points_each


@rule("§3", rounds=up("whole"))
def places(entrants: Number, paid_share: Number) -> Number:
    """How many places are paid."""
    return entrants * paid_share


@rule("§3", per="place", starts="first_place")
def points(previous: Number, share: Number) -> Number:
    """What a place is worth."""
    return previous * share


@rule("§4", per="entrant", rounds=nearest("cent"))
def award(covered_points: Number, tied: Number) -> Number:
    """What each gets; those who tie share the places they cover."""
    return covered_points / tied
'''
_EXAMPLES = """[[example]]
name = "twelve entrants"
ours = "12 × 0.10 = 1.20, then half of the place above"
given = { entrants = 12 }
expect.awards = ["1.20", "0.60", "0.30", "0.15"]

[[example]]
name = "a tie for second"
ours = "(0.60 + 0.30) / 2"
given = { entrants = 12 }
ties = "2-3"
expect.awards = ["1.20", "0.45", "0.45", "0.15"]

[[example]]
name = "three entrants"
ours = "one too few"
given = { entrants = 3 }
expect.refusal = "at least 4 needed"
"""
_README = """# {title}

What it covers, what it refuses, and where you had to choose: write it here. These files are a
beginning that holds together; `docs/write-a-rulebook.md` says what else a rule may say.
"""


def starting_files(rulebook_id: str, year: int) -> dict[str, str]:
    """The texts of a new rulebook's folder, by file."""
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", rulebook_id):
        raise InputError(
            "{rulebook_id!r}: an id has small letters, digits and hyphens: village-cup",
            rulebook_id=rulebook_id,
        )
    title = rulebook_id.replace("-", " ").capitalize()
    return {
        "rulebook.toml": _TOML.format(title=title, year=year),
        "rules.py": _RULES.format(title=title),
        "examples.toml": _EXAMPLES,
        "README.md": _README.format(title=title),
    }
