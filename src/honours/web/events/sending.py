"""An event for a receiver, as a page or a program asks for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from honours.pipeline import Report
from honours.reports.sending import receiver, with_details
from honours.web.events.choices import ScoringChoices
from honours.web.events.service import EventService, OpenEvent


@dataclass(frozen=True, slots=True)
class SendingChoice:
    """For whom, by which rulebook if by any, and what is said to either."""

    to: str
    rulebook: str = ""
    details: Mapping[str, str] = field(default_factory=dict)
    given: Mapping[str, str] = field(default_factory=dict)
    as_usual: bool = False

    def report(self, service: EventService, opened: OpenEvent, choices: ScoringChoices) -> Report:
        """The event with what is said of it, awarded if a rulebook is named."""
        if self.rulebook:
            book = service.rulebook(self.rulebook)
            confirmed = choices.confirming(self.as_usual)
            report = service.awarded(opened, confirmed, book, self.given)
        else:
            report = service.report(opened, choices)
        return replace(report, account=with_details(report.account, self.details))

    def file_name(self, opened: OpenEvent) -> str:
        """What the file is called."""
        return named_after(opened, f"{self.to}{receiver(self.to).ending}")


def named_after(opened: OpenEvent, what: str) -> str:
    """A file's name with what its event is called: letters, figures and hyphens only."""
    title = opened.kept.title.lower()
    plain = "".join(c if c.isascii() and c.isalnum() else "-" for c in title)
    name = "-".join(part for part in plain.split("-") if part)[:60] or "event"
    return f"{name}-{what}"
