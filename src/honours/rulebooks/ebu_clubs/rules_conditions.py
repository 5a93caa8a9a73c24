"""EBU master points in clubs and counties: when nothing may be awarded, and what must be told."""

from honours.engine.rules import rule

MINIMUM = "Handbook 3.1.1 (a) to (e), as the EBU's forum quotes it"
RULE_70 = "The 70% rule"


@rule(MINIMUM)
def tables_needed(event_type, least_tables):
    """The fewest complete tables."""
    return least_tables[event_type]


@rule(RULE_70, when={"kind": "pairs"}, presumes="usual")
def scheduled_boards(boards):
    """The boards that every pair is scheduled to play: those it played, unless said."""
    return boards


@rule(RULE_70, when={"kind": "pairs"}, defines="boards_in_use", presumes="usual")
def boards_in_use_not_given():
    """Unless it is said how many boards are in use, the rule is not tested."""
    return 0


@rule("salliere: the most that a place can get")
def above_the_top(step, scale_places, top):
    """What the steps would make the first award more than the top; 0 if they do not."""
    return max(step * scale_places - top, 0)
