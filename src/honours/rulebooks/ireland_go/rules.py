"""The Irish selection for the Korea Prime Minister Cup: rating, tournaments, earlier visits."""

from honours.engine.numbers import row_for
from honours.engine.rules import rule

SCORE = "Score"


@rule(SCORE)
def places(entrants):
    """Everybody who wishes to go has a score."""
    return entrants


@rule(SCORE, per="entrant")
def earned(tournaments, a_tournament):
    """What the tournaments add."""
    return tournaments * a_tournament


@rule(SCORE, per="entrant")
def deduction(years_since, deductions):
    """What an earlier visit takes off."""
    return row_for(years_since, deductions)


@rule(SCORE, per="entrant")
def award(gor, earned, deduction):
    """The score: the highest of those who are eligible goes."""
    return gor + earned - deduction
