"""The rulebooks that fit an event: those of its game, the federation's that its file shows first,
then what was in force on its day."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from honours.engine.rulebook import Rulebook
from honours.errors import Asked, InputError
from honours.formats.format import BRIDGE, GO
from honours.formats.go import GoTournament
from honours.model import Event, Field, Player
from honours.model.message import Message, joined, word
from honours.pipeline.account import Account
from honours.pipeline.published import has_places_alone

if TYPE_CHECKING:
    from honours.pipeline.report import Report

_FEW = 3
_OF_GO = {"gor", "grade", "games_played"}
_OF_BRIDGE = {"masterpoints", "line", "boards_played", "stratum", "percentage"}
PROPOSED = "proposed"


@dataclass(frozen=True, slots=True)
class FittingRulebook:
    """A rulebook of the event's game; ``shown_by`` is what in the file is its federation's."""

    book: Rulebook
    shown_by: tuple[Message, ...]
    in_force: bool

    @property
    def why(self) -> Message:
        """The reason for its place among the rulebooks."""
        dated = [Message("in force on the day")] if self.in_force else []
        if self.book.standing.status == PROPOSED:
            dated = [Message("proposed, not in force")]
        return joined(", ", [*self.shown_by, *dated] or [Message("of the same game")])


def game_of(account: Account) -> str:
    """The game that was played, where the file shows it."""
    content = account.content
    if isinstance(content, Event):
        # A return has the places of one person each whatever was played.
        is_return = has_places_alone(content) and content.kind == "individual"
        return "" if is_return else BRIDGE
    if isinstance(content, GoTournament):
        return GO
    return account.form.game or _game_of_lists(content.lists)


def _game_of_lists(lists: Iterable[Field]) -> str:
    """Of standings: games and grades are of go; pairs, teams and holdings of bridge."""
    lists = tuple(lists)
    if any(field.facts.get("kind") in ("pairs", "teams") for field in lists):
        return BRIDGE
    standings = [standing for field in lists for standing in field.standings]
    facts = {name for s in standings for name in (*s.facts, *_facts_of(s.entrant.players))}
    if any(len(s.entrant.players) > 1 for s in standings) or facts & _OF_BRIDGE:
        return BRIDGE
    return GO if any(s.games for s in standings) or facts & _OF_GO else ""


def _facts_of(players: Iterable[Player]) -> set[str]:
    return {name for player in players for name in player.facts}


def require_game(account: Account, book: Rulebook) -> None:
    """Refuse to award an event by a rulebook of another game."""
    played = game_of(account)
    if played and book.game and book.game != played:
        raise InputError(
            "{file} is an event of {played}, and {rulebook} is for {game}",
            file=account.called,
            played=word(played),
            rulebook=book.id,
            game=word(book.game),
        )


def fitting(account: Account, books: Iterable[Rulebook], day: str = "") -> list[FittingRulebook]:
    """The rulebooks of the event's game, the likeliest first."""
    game = game_of(account)
    day = day or (account.likely_day.isoformat() if account.likely_day else "")
    fits = [
        FittingRulebook(book, tuple(_shown(account, book)), bool(day) and _covers(book, day))
        for book in books
        if not game or book.game in ("", game)
    ]
    own = {fit.book.body for fit in fits if fit.shown_by}
    return sorted(
        fits,
        key=lambda fit: (
            fit.book.body not in own,
            not fit.in_force,
            not fit.shown_by,
            fit.book.rank_on(day),
            fit.book.id,
        ),
    )


def few_fitting(account: Account, books: Iterable[Rulebook]) -> list[FittingRulebook]:
    """The few to choose from: of the federation that the file shows, else of those that held on its
    day, else of all of its game."""
    fits = fitting(account, books)
    shown = {fit.book.body for fit in fits if fit.shown_by}
    if len(shown) != 1 and (paid := _paid_by(account, fits)):
        why = Message("its points are what it gives")
        fits.sort(key=lambda fit: fit.book.id != paid)
        fits[0] = replace(fits[0], shown_by=(*fits[0].shown_by, why))
    own = {fit.book.body for fit in fits if fit.shown_by}
    held = [fit for fit in fits if fit.in_force]
    return [fit for fit in fits if fit.book.body in own][:_FEW] or held or fits


def paying(account: Account, fits: Sequence[FittingRulebook]) -> list[list[FittingRulebook]]:
    """The rulebooks by which somebody may be paid, whatever the answers are; all where there are
    none such. Those of one body are together."""
    from honours.pipeline.report import ranked

    several = fits
    if not all(fit.shown_by for fit in fits):
        report = ranked(account)
        several = [fit for fit in fits if fit.shown_by or _may_pay(report, fit.book)] or fits
    bodies = dict.fromkeys(fit.book.body for fit in several)
    return [[fit for fit in several if fit.book.body == body] for body in bodies]


def _may_pay(report: Report, book: Rulebook) -> bool:
    from honours.pipeline.report import WHOLE, inquired

    try:
        awards = inquired(report, book, {WHOLE: "yes"}, as_usual=True).awards
    except Asked as asked:
        outcomes = [a.outcome for question in asked.questions for a in question.alternatives]
        return any(outcome.top or outcome.asks for outcome in outcomes)
    except InputError:
        return False
    assert awards is not None
    return any(a.amount or a.figures for items in awards.combined.values() for a in items)


def _paid_by(account: Account, fits: Sequence[FittingRulebook]) -> str:
    """The rulebook that gives what the file says was awarded; none where it does not say, or where
    no rulebook gives nearly all of it."""
    from honours.pipeline.checking.awards import check_awards, says_awards

    if not says_awards(account):
        return ""
    try:
        found = check_awards(account, [fit.book for fit in fits], {})
    except InputError:
        return ""
    return found.best_profile.partition(" ")[0] if 10 * found.agree >= 9 * found.lines else ""


def _covers(book: Rulebook, day: str) -> bool:
    since, until = book.effective.since, book.effective.until
    if book.standing.status == PROPOSED:
        return False
    return bool(since or until) and (not since or since <= day) and (not until or day <= until)


def _shown(account: Account, book: Rulebook) -> Iterator[Message]:
    """Yield what a file shows that only files of the rulebook's federation have."""
    standing = book.standing
    if account.form.name in standing.formats:
        yield Message("a file of its kind: {kind}", kind=word(account.form.title))
    (facts, countries), players = _told(account), account.players
    if account.played and book.id in str(account.played.facts.get("awarded_under", "")).split():
        yield Message("it was awarded under it")
    numbers = [p.number for p in players if p.number]
    if standing.numbers and any(re.fullmatch(standing.numbers, number) for number in numbers):
        yield Message("numbers of its members")
    for fact in standing.known_by:
        name, _, value = fact.partition("=")
        told = sum(
            str(p.facts.get(name, "-")).startswith(value) for p in players if name in p.facts
        )
        if fact in facts or 2 * told > len(players):
            yield Message("its files alone say {fact}", fact=fact)
    program = account.program
    if program and any(name.lower() in program.lower() for name in standing.programs):
        yield Message("written by {program}", program=program)
    at_home = sum(countries[one] for one in standing.countries)
    if 2 * at_home > sum(countries.values()):
        listed = sorted(one for one in standing.countries if countries[one])
        yield Message("most players are of {countries}", countries=", ".join(listed[:_FEW]))


def _told(account: Account) -> tuple[set[str], Counter[str]]:
    """The facts of an event, and how many of its players are of each country."""
    content = account.content
    if isinstance(content, GoTournament):
        return set(content.facts), Counter(p.country for p in content.players if p.country)
    return (set(content.facts) if isinstance(content, Event) else set()), Counter()
