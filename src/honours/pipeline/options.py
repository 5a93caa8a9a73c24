"""Every option of scoring, awarding and posting an event, declared once.

The command line, query parameters, fields of the API, forms and the keyword arguments of
:mod:`honours.pipeline.api` are all made from these declarations.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from honours.errors import UnknownName, WrongValue
from honours.model.message import Message, mark
from honours.scoring.scorer import TIE_BREAKS
from honours.scoring.victory_points import SCALES

Kind = Literal["word", "flag", "count", "text", "file", "table", "pairs"]
"""``word`` is one of a few; ``file`` a file of one's own; ``table`` one of a few words or a file;
``pairs`` any number of ``name=value``."""


@dataclass(frozen=True, slots=True)
class Option:
    """One thing that may be chosen: its name, what it means, what it may be, and its default."""

    name: str
    help: Message
    kind: Kind = "text"
    default: Any = ""
    words: tuple[str, ...] = ()
    least: int = 0
    metavar: str = ""
    nothing: str = ""
    """Another way to say that nothing is chosen."""
    label: str = ""
    """What a form calls it."""
    unsaid: str = ""
    """What happens where nothing is chosen, as a form says it."""

    @property
    def flag(self) -> str:
        """Its name on a command line."""
        return f"--{self.name.replace('_', '-')}"

    def read(self, value: object) -> Any:
        """The value, checked; text is taken as an address or a form writes it."""
        if value is None or value in ("", (), self.default) or str(value) == (self.nothing or None):
            return self.default
        if self.kind == "flag":
            return value is True or str(value).casefold() not in ("false", "no", "0", "off")
        if self.kind == "count":
            return self._count(value)
        if self.kind == "pairs":
            return self._pairs(value)
        text = str(value).strip()
        if self.kind == "word" and text not in self.words:
            raise WrongValue(self.name, text, "expected one of {words}", words=tuple(self.words))
        return text

    def _count(self, value: object) -> int:
        text = str(value).strip()
        if not text.isdecimal() or len(text) > 6 or int(text) < self.least:
            raise WrongValue(
                self.name, text, "expected a whole number from {least} on", least=self.least
            )
        return int(text)

    def _pairs(self, value: object) -> tuple[str, ...]:
        if isinstance(value, Mapping):
            return tuple(f"{name}={text}" for name, text in value.items())
        return (value,) if isinstance(value, str) else tuple(map(str, value))  # type: ignore[call-overload]


SECTIONS = ("open", "handicapped")

SCORING = (
    Option(
        "profile",
        Message("The conventions to matchpoint by."),
        metavar="NAME",
        label=Message("profile"),
        unsaid=Message("as the program that wrote the file, or as it publishes, else the club's"),
    ),
    Option(
        "type",
        Message("What the entrants are, where the file does not say."),
        "word",
        words=("pairs", "individual", "teams"),
        label=Message("entrants"),
        unsaid=Message("as the file says"),
    ),
    Option(
        "scoring",
        Message("matchpoints, cross-imps, butler, imps or board-a-match."),
        metavar="METHOD",
        label=Message("method of scoring"),
    ),
    Option("swiss", Message("Every round is a match."), "flag", False, label=Message("a Swiss")),
    Option(
        "imps",
        Message("The conventions to score IMPs by."),
        metavar="NAME",
        label=Message("IMP conventions"),
    ),
    Option(
        "scale",
        Message("Victory points; FILE is a table."),
        "table",
        words=tuple(SCALES),
        metavar="|".join((*SCALES, "FILE")),
        label=Message("victory points"),
        unsaid=Message("none, unless the file has them"),
    ),
    Option(
        "match_boards",
        Message("Boards the scale is asked for; otherwise those scored."),
        "count",
        0,
        least=1,
        metavar="N",
        label=Message("boards of a match"),
    ),
    Option(
        "bye",
        Message("What a round without a match is worth."),
        metavar="POINTS",
        label=Message("a bye is worth"),
    ),
    Option(
        "one_match",
        Message("All that two teams played is one match."),
        "flag",
        False,
        label=Message("one match in all"),
    ),
    Option(
        "mean_of_tables",
        Message("Teams of eight: the mean, not the sum."),
        "flag",
        False,
        label=Message("mean of the tables"),
    ),
    Option(
        "winners",
        Message("One list, or one a line."),
        "word",
        words=("1", "2"),
        nothing="0",
        label=Message("winners"),
        unsaid=Message("as the file or the movement says"),
    ),
    Option(
        "one_winner",
        Message("Sections that have one winner, where the others have two."),
        metavar="B,C",
        label=Message("sections with one winner"),
        unsaid=Message("as the file or the movement says"),
    ),
    Option(
        "sections_apart",
        Message("Compare and rank each section by itself."),
        "flag",
        False,
        label=Message("sections apart"),
    ),
    Option(
        "compare",
        Message("Which sections are compared with which, where the file does not say."),
        metavar="A+B,C",
        label=Message("sections compared"),
    ),
    Option(
        "rank_sections",
        Message("Rank them otherwise than they are compared."),
        "word",
        words=(mark("together"), mark("apart")),
        label=Message("sections ranked"),
        unsaid=Message("as they are compared"),
    ),
    Option(
        "expected",
        Message("Scores every board should have."),
        "count",
        0,
        label=Message("scores a board should have"),
    ),
    Option(
        "strata",
        Message("Their order, the highest first."),
        metavar="A,B,C",
        label=Message("strata"),
    ),
    Option(
        "column",
        Message("What a column that is not understood tells: stratum, flight or nothing."),
        metavar="COLUMN=WORD",
        label=Message("a column tells"),
        unsaid=Message("asked where it may be strata or flights"),
    ),
    Option(
        "handicap",
        Message("A second ranking with handicaps."),
        "flag",
        False,
        label=Message("with handicaps"),
    ),
    Option(
        "minimum_boards",
        Message("Fewer are shown and not ranked."),
        "count",
        0,
        label=Message("boards needed to be ranked"),
    ),
    Option(
        "tie_break",
        Message("head-to-head, margin, tops or above-average."),
        "word",
        words=tuple(TIE_BREAKS),
        label=Message("ties broken by"),
        unsaid=Message("nothing: the place is shared"),
    ),
    Option(
        "mean_of_sessions",
        Message("Average the sessions' percentages."),
        "flag",
        False,
        label=Message("mean of the sessions"),
    ),
    Option(
        "order",
        Message("The places that the file publishes, or those that its results make."),
        "word",
        words=(mark("published"), mark("scored")),
        label=Message("places"),
        unsaid=Message("as the results make them; asked where an award hangs on it"),
    ),
    Option(
        "each_session",
        Message("Rank every session too."),
        "flag",
        False,
        label=Message("each session too"),
    ),
)
"""How results are scored and ranked."""

AWARDING = (
    Option(
        "section",
        Message("The section to award; for go: open or handicapped."),
        metavar="NAME",
        label=Message("section to award"),
    ),
    Option(
        "members",
        Message("A member list: numbers, names, holdings or ratings."),
        "file",
        metavar="FILE",
    ),
    Option(
        "confirm",
        Message("Who a player is; may be repeated. NAME=none: no member."),
        "pairs",
        (),
        metavar="NAME=NUMBER",
    ),
    Option("answers", Message("A file of NAME=NUMBER, one a line."), "file", metavar="FILE"),
    Option(
        "standing",
        Message("A club's standing answers; otherwise club.toml beside the event's file."),
        "file",
        metavar="FILE",
    ),
    Option(
        "as_usual",
        Message("Nothing was unusual: confirms at once what the rulebook calls usual."),
        "flag",
        False,
        label=Message("nothing unusual"),
    ),
    Option(
        "date",
        Message("The event's day, if the file does not say; ratings and holdings of it count."),
        metavar="YYYY-MM-DD",
        label=Message("date"),
    ),
)
"""What belongs to an event's awards besides the rulebook and what that asks."""

OF_EACH = tuple(option for option in (*SCORING, *AWARDING) if option.name != "date")
"""What may be said of many events alike: how each is scored and who its players are."""

POSTING = (
    Option(
        "title",
        Message("The event's title, if the file does not say."),
        metavar="TEXT",
        label=Message("title"),
    ),
    Option("club", Message("The club, if the file does not say."), metavar="NAME"),
    Option(
        "points",
        Message(
            "The kind of points it pays; otherwise the colours that the rulebook says, else local."
        ),
        metavar="KIND",
        label=Message("kind of points"),
    ),
    Option(
        "numbers_decide",
        Message("Numbers count even where names differ."),
        "flag",
        False,
        label=Message("numbers decide"),
    ),
    Option(
        "year_begins",
        Message("The first day of the club's year, if it is not the calendar's."),
        metavar="MM-DD",
    ),
)
"""What a ledger is told of an event besides its awards."""

DECIDING = (
    Option("correct", Message("Replace what was posted for this event."), "flag", False),
    Option("another", Message("It is not the session it looks like."), "flag", False),
    Option("why", Message("The reason; a correction needs one."), metavar="TEXT"),
    Option(
        "overrule",
        Message("Why it is posted against what the rulebook's body forbids."),
        metavar="TEXT",
    ),
)
"""What is said where an event stands in the way of a posting."""

PROFILE = "HONOURS_PROFILE"
"""The variable of the environment that names a club's conventions, for commands and the server."""

CLUB = "club_profile"
"""The key of the club's own conventions among the choices: for whatever shows no others."""
UNSAID = "profile_unsaid"
"""The key among the choices that says that nothing decided on a profile, and that it matters."""
SWITCHES = "set"
"""The key of the switches of profile and IMPs among the choices: name → value."""


IN_A_REQUEST = tuple(
    replace(option, kind="word") if option.kind == "table" else option
    for option in (*SCORING, *AWARDING)
    if option.kind not in ("file", "pairs")
)
"""What a request to a server may choose: everything but files of one's own."""


def some(options: Iterable[Option], *names: str) -> tuple[Option, ...]:
    """The options with these names."""
    return tuple(option for option in options if option.name in names)


def option_values(options: Iterable[Option], values: Mapping[str, object]) -> dict[str, Any]:
    """The value of each of these options: as given and checked, or its default."""
    return {option.name: option.read(values.get(option.name)) for option in options}


def options_changed(options: Iterable[Option], values: Mapping[str, object]) -> dict[str, Any]:
    """The options that were given a value other than their default."""
    read = ((option, option.read(values.get(option.name))) for option in options)
    return {option.name: value for option, value in read if value != option.default}


def chosen_options(
    values: Mapping[str, object], options: Iterable[Option] = SCORING
) -> dict[str, Any]:
    """As :func:`option_values`, refusing names that are no option."""
    known = {option.name: option for option in options}
    for name in values:
        if name not in known and name not in (SWITCHES, CLUB):
            raise UnknownName("option", name, (*known, SWITCHES))
    choices = option_values(known.values(), values)
    switches = dict(values.get(SWITCHES) or {})  # type: ignore[call-overload]
    return choices | {
        SWITCHES: switches,
        CLUB: values.get(CLUB) or os.environ.get(PROFILE, ""),
    }
