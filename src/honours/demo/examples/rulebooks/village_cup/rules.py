"""The Village Cup: a made-up rulebook, the worked example of docs/write-a-rulebook.md."""

from honours.engine.rules import Number, nearest, refuses, rule, up


@refuses("{pairs} pairs, at least {least_pairs} needed", "§1")
def too_few(pairs: Number, least_pairs: Number) -> bool:
    return pairs < least_pairs


@rule("§2")
def top(pairs: Number, points_a_pair: Number) -> Number:
    """The winner's points."""
    return pairs * points_a_pair


@rule("§3", rounds=up("whole"))
def places(pairs: Number, paid_share: Number) -> Number:
    """How many places are paid."""
    return pairs * paid_share


@rule("§3", per="place", starts="top")
def points(previous: Number, share: Number) -> Number:
    """The points of a place."""
    return previous * share


@rule("§4", per="entrant", rounds=nearest("whole"))
def award(covered_points: Number, tied: Number) -> Number:
    """What each gets; those who tie share equally."""
    return covered_points / tied
