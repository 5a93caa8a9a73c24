"""The smaller parts of a rulebook: readings, dates, standing, variants, figures, ranking lists."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from honours.model import Choice
from honours.model.message import mark


@dataclass(frozen=True, slots=True)
class Reading:
    """A choice of ours as the rulebook declares it: shown when what it is about was used."""

    choice: Choice
    about: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EffectiveDates:
    """From when until when the edition holds, and what replaced it."""

    since: str = ""
    until: str = ""
    newer: str = ""


STATUSES = (
    mark("in force"),
    mark("proposed"),
    mark("superseded"),
    mark("as a program computes it"),
)


@dataclass(frozen=True, slots=True)
class BookStanding:
    """What the rule is worth: whether it holds, what we know it from, and what it refuses because
    nothing was seen of it. ``programs`` are those whose files are awarded by it; ``known_by`` are
    facts, ``formats`` kinds of files that only its federation has, ``countries`` those of its
    members."""

    status: str = "in force"
    evidence: str = ""
    refused: str = ""
    programs: tuple[str, ...] = ()
    known_by: tuple[str, ...] = ()
    formats: tuple[str, ...] = ()
    countries: tuple[str, ...] = ()

    @property
    def needs_confirming(self) -> bool:
        """Whether posting by it takes somebody who says that it is meant."""
        return self.status != "in force"


@dataclass(frozen=True, slots=True)
class Variant:
    """A named set of amendments, e.g. the formula as printed."""

    name: str
    about: str
    changes: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class FigureRule:
    """A further figure of an entrant or player: the quantity that gives it, and how it is shown.
    Without ``decimals`` it is shown as it is."""

    name: str
    about: str
    quantity: str
    unit: str = ""
    decimals: int | None = None


@dataclass(frozen=True, slots=True)
class ListPolicy:
    """What a rulebook does with an event of several ranking lists.

    ``lines`` and ``strata`` are ``each`` (every list pays by itself), ``one`` (only the whole
    field's list counts; lines are ranked together by score) or ``refused``; ``session_lines`` is
    for the lists of a session, where those differ. An entrant of whom the fact ``present`` is 0 was
    not there, and is in no list. ``ties`` is ``place``, or ``score`` where equal scores are ties
    whatever broke them. ``combine`` is ``best`` or ``sum`` of what they pay; with ``sessions =
    "sum"`` what the sessions pay is added up before.
    ``line_words`` are the lists a calculation has when the inputs in ``line_when`` say so.
    ``own`` are inputs that differ from list to list (its tables, its average): they cannot be
    given for an event of several. A session's list is awarded beside the overall one with
    ``session_facts`` and the quantities in ``from_overall``, which it takes from that one; where
    ``section_facts`` are given, each section of the event is awarded beside it with those.
    """

    lines: str = "refused"
    strata: str = "refused"
    combine: str = "best"
    sessions: str = "each"
    line_words: tuple[str, ...] = ()
    line_when: Mapping[str, str] = field(default_factory=dict)
    strata_clause: str = ""
    lines_clause: str = ""
    session_lines: str = ""
    ties: str = "place"
    present: str = ""
    present_clause: str = ""
    ties_clause: str = ""
    own: tuple[str, ...] = ("entrants", "places")
    session_facts: Mapping[str, str] = field(default_factory=dict)
    from_overall: tuple[str, ...] = ()
    section_facts: Mapping[str, str] = field(default_factory=dict)

    @property
    def pays_best(self) -> bool:
        """Whether an entrant has the best of what its lists pay, not their sum."""
        return self.combine == "best"

    @property
    def ranks_together(self) -> bool:
        """Whether the lines of an event are ranked together by score."""
        return self.lines == "one"
