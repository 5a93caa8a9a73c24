"""The Village Cup: a made-up rulebook, the worked example of docs/write-a-rulebook.md."""

from honours.engine.rules import nearest, rule, up


@rule("§2")
def top(pairs, points_a_pair):
    """The winner's points."""
    return pairs * points_a_pair


@rule("§3", rounds=up("whole"))
def places(pairs, paid_share):
    """How many places are paid."""
    return pairs * paid_share


@rule("§3", per="place", starts="top")
def points(previous, share):
    """The points of a place."""
    return previous * share


@rule("§4", per="entrant", rounds=nearest("whole"))
def award(covered_points, tied):
    """What each gets; those who tie share equally."""
    return covered_points / tied
