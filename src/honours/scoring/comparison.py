"""Which sections are compared with which: all together, each by itself, or some with some."""

from __future__ import annotations

from dataclasses import dataclass

from honours.errors import InputError
from honours.model import Event

SECTIONS_APART = "sections_apart"
"""The fact of an event that says its sections are compared and ranked each by itself."""


@dataclass(frozen=True, slots=True)
class SectionGroups:
    """``groups`` are the sections that meet one field; one that is in none is a field by itself.

    Without groups they are one field, or with ``apart`` a field each.
    """

    apart: bool = False
    groups: tuple[tuple[str, ...], ...] = ()

    def field_of(self, section: str) -> str:
        """The name of the field a section's results are compared in; empty where all are one."""
        if not self.groups:
            return section if self.apart else ""
        group = next((group for group in self.groups if section in group), (section,))
        return "+".join(group)


def comparison(event: Event, apart: bool, chosen: str) -> SectionGroups:
    """As the organiser says (``A+B,C``), else as the file does, else all together."""
    if apart or (are_apart(event) and not chosen):
        return SectionGroups(apart=True)
    as_written = chosen or str(event.facts.get("compared", ""))
    groups = tuple(
        tuple(name.strip() for name in group.split("+") if name.strip())
        for group in as_written.split(",")
        if group.strip()
    )
    if chosen:
        _check(event, [name for group in groups for name in group])
    return SectionGroups(groups=groups if len(groups) > 1 else ())


def are_apart(event: Event) -> bool:
    """Whether the event itself says that its sections are apart."""
    return event.facts.get(SECTIONS_APART) == "yes"


def _check(event: Event, named: list[str]) -> None:
    known = {result.section for session in event.sessions for result in session.results} - {""}
    wrong = [name for name in named if name not in known or named.count(name) > 1]
    if wrong:
        raise InputError(
            "sections compared: {wrong!r} is named twice or is no section of the "
            "event; it has {known}",
            wrong=wrong[0],
            known=", ".join(sorted(known)) or "none",
        )
