"""EBU master points in clubs and counties: when nothing may be awarded, and what must be told."""

from honours.engine.rules import notices, presumes, refuses, rule

MINIMUM = "Handbook 3.1.1 (a) to (e), as the EBU's forum quotes it"
RULE_70 = "The 70% rule"
ORDINARY = ("A", "B", "C", "D", "E")
QUALI_FINALS = ("QA", "QB", "QC", "QD", "QE")


@refuses(
    "{competition}: its scale is in the handbook, which is not at hand",
    "Not seen: Swiss, leagues, knock-outs, aggregates, simultaneous pairs",
    when={"competition": ("swiss", "league", "knock-out", "aggregate", "simultaneous")},
)
def scale_not_seen(competition):
    return True


@refuses(
    "a quali-final of {kind}: only pairs with one winner and individuals have a step there",
    "salliere: scales QA to QE",
    when={"scale": QUALI_FINALS, "event_type": ("two-winner-pairs", "teams")},
)
def quali_final_without_a_step(kind):
    return True


@rule(MINIMUM, tabulated=True)
def tables_needed(event_type, least_tables):
    """The fewest complete tables."""
    return least_tables[event_type]


@refuses("{complete_tables} complete tables, at least {tables_needed} needed", MINIMUM)
def too_few_tables(complete_tables, tables_needed):
    return complete_tables < tables_needed


@refuses(
    "{boards} boards each, at least {least_boards} needed",
    "salliere: boards",
    when={"scale": ORDINARY},
)
def too_few_boards(boards, least_boards):
    return boards < least_boards


@presumes(RULE_70, when={"kind": "pairs"}, usual=True)
def scheduled_boards(boards):
    """The boards that every pair is scheduled to play: those it played, unless said."""
    return boards


@presumes(RULE_70, when={"kind": "pairs"}, defines="boards_in_use", usual=True)
def boards_in_use_not_given():
    """Unless it is said how many boards are in use, the rule is not tested."""
    return 0


@refuses(
    "{scheduled_boards} of {boards_in_use} boards in use: every pair must be scheduled to play "
    "at least 70% of them",
    RULE_70,
    when={"kind": "pairs"},
)
def under_70_per_cent(scheduled_boards, boards_in_use, least_scheduled):
    return scheduled_boards < least_scheduled * boards_in_use


@rule("salliere: the most that a place can get", tabulated=True)
def above_the_top(step, scale_places, top):
    """What the steps would make the first award more than the top; 0 if they do not."""
    return max(step * scale_places - top, 0)


@notices(
    "the steps would give the winner more than the most of {top}: see how it is cut",
    "salliere: the most that a place can get",
)
def cut_at_the_top(above_the_top, top):
    return above_the_top > 0
