"""Everybody gets the same: quick to work out, for tests of the ledger itself."""

from honours.engine.rules import rule


@rule("notice board")
def places(entrants):
    """Everybody."""
    return entrants


@rule("notice board", per="entrant")
def award(win):
    """What each player gets."""
    return win
