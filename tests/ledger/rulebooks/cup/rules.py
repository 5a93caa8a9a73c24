"""Everybody gets the same: quick to work out, for tests of the ledger itself."""

from honours.engine.rules import Number, rule


@rule("notice board")
def places(entrants: Number) -> Number:
    """Everybody."""
    return entrants


@rule("notice board", per="entrant")
def award(win: Number) -> Number:
    """What each player gets."""
    return win
