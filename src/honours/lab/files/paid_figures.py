"""The payments recorded in files of events: converted to points from any unit, and compared with
the rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from honours.engine.rulebook import Rulebook
from honours.errors import UnknownName
from honours.lab.tables import UNITS
from honours.model import Entrant
from honours.model.message import Message, plural
from honours.pipeline import Report
from honours.pipeline.checking.awards import published_awards
from honours.pipeline.checking.paid_units import HUNDREDTHS, POINTS, PaidUnit, paid_as

KEY = "paid"
"""The option that says whether the files' figures are points or hundredths."""
WORDS = {"points": POINTS, "hundredths": HUNDREDTHS}
UNCLEAR = Message(
    "what was paid is left out: its figures are whole, and no rulebook tells whether they are "
    "points or hundredths; say paid=points or paid=hundredths"
)
_SEATS = 4
_COUNTED = ("agree", "lines", "events")
Paying = Callable[[Entrant], list[int | None]]


@dataclass
class PaidFigures:
    """Reads what events were paid, and counts how often that agrees with the rulebooks."""

    unit: str = ""
    agree: Counter[str] = field(default_factory=Counter)
    lines: Counter[str] = field(default_factory=Counter)
    events: Counter[str] = field(default_factory=Counter)
    """For each rulebook: figures that agree, figures that can be compared, and events."""
    hundredths: int = 0

    def __post_init__(self) -> None:
        if self.unit and self.unit not in WORDS:
            raise UnknownName(Message("unit of what was paid"), self.unit, WORDS)
        self._books: list[Rulebook] = []
        self._known: dict[str, str] = {}

    def of(self, report: Report) -> tuple[Paying, Message | None]:
        """What each player of an entrant was paid, with a remark if one is needed."""
        account = report.account
        if account.played is None or not published_awards(account.played):
            return _unknown, None
        written = self._written(report)
        if written.scale is None:
            return _unknown, UNCLEAR
        self.hundredths += written.scale == HUNDREDTHS
        return _paying(report, written.scale), None

    def _written(self, report: Report) -> PaidUnit:
        """The unit in which the file records payments; a unit given for all files takes
        precedence."""
        program = report.account.event.program
        rulebook = paid_as(report, self._rulebooks(), self._known.get(program, ""))
        assert rulebook is not None
        if rulebook.is_clear:
            self._known[program] = rulebook.reading
        if rulebook.book:
            self.agree[rulebook.book] += rulebook.agree
            self.lines[rulebook.book] += rulebook.lines
            self.events[rulebook.book] += 1
        return PaidUnit(WORDS[self.unit]) if self.unit else rulebook

    def _rulebooks(self) -> Sequence[Rulebook]:
        from honours.rulebooks import ids, load

        if not self._books:
            self._books = [load(name) for name in ids()]
        return self._books

    def about(self) -> dict[str, str]:
        """The unit of the payments and the rulebook's owner, judged by the rulebooks they agree
        with; several units are named as such, so that no total of them is compared with one."""
        agreeing = [book for book in self._rulebooks() if self.agree[book.id]]
        units = {(book.unit, book.body) for book in agreeing}
        if not units:
            return {}
        if len(units) > 1:
            return {"unit": ", ".join(f"{unit} ({body})" for unit, body in sorted(units))}
        [(unit, body)] = units
        return {"unit": unit, "body": body}

    def data(self) -> dict[str, Any]:
        """The state to store in the folder of an import that may be interrupted."""
        counted = {name: dict(getattr(self, name)) for name in _COUNTED}
        return {**counted, "hundredths": self.hundredths, "known": dict(self._known)}

    def go_on(self, data: Mapping[str, Any]) -> None:
        """Continue from the state of an interrupted import."""
        self.hundredths = int(data["hundredths"])
        for name in _COUNTED:
            setattr(self, name, Counter(data[name]))
        self._known = dict(data["known"])

    def notes(self) -> Iterator[Message]:
        """How well payments agree with the rules, one line per rulebook."""
        for book, events in self.events.most_common():
            yield Message(
                "paid: as {rulebook} pays in {agree:,} of {figures} of {events}",
                rulebook=book,
                agree=self.agree[book],
                figures=plural("{count:,} figure", "{count:,} figures", count=self.lines[book]),
                events=plural("{count:,} event", "{count:,} events", count=events),
            )
        if self.hundredths:
            yield Message(
                "paid: {events} in hundredths, taken as points",
                events=plural("{count:,} event", "{count:,} events", count=self.hundredths),
            )


def _unknown(entrant: Entrant) -> list[int | None]:
    return [None] * max(len(entrant.players), _SEATS)


def _paying(report: Report, scale: Fraction) -> Paying:
    """The payments of an event in which somebody was paid: anyone the file does not mention was
    paid nothing."""
    awards = published_awards(report.account.event)

    def paid(entrant: Entrant) -> list[int | None]:
        whole = awards.get(entrant.id, Fraction(0))
        own = [player.facts.get("own_masterpoints") for player in entrant.players]
        amounts = [value if isinstance(value, Fraction) else whole for value in own]
        seats = [*amounts, *[whole] * (_SEATS - len(amounts))]
        return [round(amount * scale / UNITS["paid"]) for amount in seats]

    return paid
