"""How an evening stands, worked out in this process; a server has it done by another."""

from honours.evening.evening import Evening
from honours.evening.results import account_of, ranked_so_far, with_awards
from honours.pipeline import Report, ranked


def report_of(evening: Evening) -> tuple[Report, str]:
    """The report with what its rulebook would award, or why it would not."""
    account = account_of(evening)
    return with_awards(evening, ranked(account) if evening.ended else ranked_so_far(account))
