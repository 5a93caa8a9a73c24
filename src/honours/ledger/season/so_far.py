"""What players were awarded in a season before one of its events, for rulebooks that ask for it."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from honours.engine.event_awards import EventAwards
from honours.engine.in_turn import paid_players
from honours.engine.periods import period_around
from honours.engine.rulebook import Rulebook
from honours.ledger import year_so_far
from honours.ledger.season.gather import PersonKeys
from honours.ledger.season.plan import Season
from honours.model import Field, Player


class SeasonSoFar:
    """What was awarded in a season, by event and person."""

    def __init__(self, season: Season, rulebook: Rulebook) -> None:
        self._season, self._rulebook = season, rulebook
        self._lists: list[Field] = []
        self._paid: list[tuple[str, Player, Fraction]] = []

    def add(self, awards: EventAwards, lists: tuple[Field, ...], day: str) -> None:
        """Add an event."""
        self._lists += lists
        counted = (one for own in awards.combined.values() for one in own)
        self._paid += [
            (day, who, amount) for one in counted for _, who, amount in paid_players(one)
        ]

    def _first_day(self, period: str, day: str) -> str:
        """The first day of the period that contains a day; the season defines its year."""
        own = self._season.year_of(day) if period == "year" else period_around(period, day)
        return own[0]

    def with_points(
        self, lists: tuple[Field, ...], given: Mapping[str, str], day: str
    ) -> tuple[Field, ...]:
        """An event's lists with what its players were awarded before, in the periods around its
        day."""
        people = PersonKeys([*self._lists, *lists])
        earned: dict[tuple[str, str], Fraction] = {}
        for period in {*self._rulebook.asked_before.values()}:
            since = self._first_day(period, day)
            for _, player, amount in (one for one in self._paid if since <= one[0] <= day):
                key = period, people.key(player)
                earned[key] = earned.get(key, Fraction(0)) + amount

        def points(player: Player, period: str) -> Fraction:
            return earned.get((period, people.key(player)), Fraction(0))

        return year_so_far.with_points(self._rulebook, given, lists, points, year_so_far.THE_SEASON)
