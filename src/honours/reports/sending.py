"""An event for a receiver: checked as the receiver would, then written as it takes it.

Nothing is sent anywhere: what comes of it is a file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache

from honours.errors import InputError, UnknownName
from honours.files import JSON, TEXT, XML, FileKind
from honours.formats.bridgewebs import write_bridgewebs
from honours.formats.detect import format_called
from honours.formats.go import GoTournament
from honours.formats.go_write import RankedTournament, write_aga, write_h9, write_tou
from honours.formats.reading import iso_day, parse_day
from honours.formats.usebio import VERSIONS, UsebioDocument, write_usebio
from honours.formats.wall_lists import WallList
from honours.model import Event, EventEntrant, Player, Value
from honours.model.message import Message, joined
from honours.pipeline import Account, Report
from honours.reports import receivers
from honours.reports.convert import converted_file, with_awards
from honours.reports.receivers import Concern
from honours.rings import added
from honours.scoring.rounding import half_up

Said = Mapping[str, str]
_CENT = Fraction(1, 100)
_EVENT_KEYS = ("club", "club_number", "contact", "date", "title")


@dataclass(frozen=True, slots=True)
class Receiver:
    """Who takes results: what they are, of which game, and what may be said for them."""

    name: str
    title: str
    game: str
    kind: FileKind
    concerns: Callable[[Account, Said, bool], Iterator[Concern]]
    write: Callable[[Report, Said], UsebioDocument]
    keys: tuple[str, ...] = ()
    ending: str = ".xml"
    """How the name of its file ends."""


@dataclass(frozen=True, slots=True)
class PreparedFile:
    """A file for a receiver, what it has no place for, and what the receiver will ask."""

    receiver: Receiver
    written: UsebioDocument
    concerns: tuple[Concern, ...]


class TurnedBack(InputError):
    """A file that its receiver would not take, with all that it would ask."""

    def __init__(self, concerns: Sequence[Concern]) -> None:
        self.concerns = tuple(concerns)
        super().__init__(joined("\n", (concern.text for concern in concerns)))


def receiver(name: str) -> Receiver:
    known = all_receivers()
    if name not in known:
        raise UnknownName("receiver", name, known)
    return known[name]


def with_details(account: Account, details: Said) -> Account:
    """The account with details that somebody supplied: the event's day, its club and the club's
    number."""
    content = account.content
    day = details.get("date", "")
    changes: dict[str, object] = {}
    if day:
        changes["date"] = parse_day(iso_day("date", day))
    if details.get("title"):
        changes["title"] = details["title"]
    if isinstance(content, WallList):
        return replace(
            account,
            content=replace(content, tournament=replace(content.tournament, **changes)),  # type: ignore[arg-type]
        )
    if isinstance(content, GoTournament):
        return replace(account, content=replace(content, **changes))  # type: ignore[arg-type]
    if not isinstance(content, Event):
        return account
    facts: dict[str, Value] = dict(content.facts)
    facts |= {name: details[name] for name in ("club_number", "contact") if details.get(name)}
    if details.get("club"):
        changes["club"] = details["club"]
    return replace(account, content=replace(content, facts=facts, **changes))  # type: ignore[arg-type]


def takers(account: Account) -> list[Receiver]:
    """The receivers that take an event of this game."""
    game = "go" if account.is_go else "bridge" if account.played is not None else ""
    return [one for one in all_receivers().values() if one.game in ("", game)]


def concerns_of(report: Report, to: str, details: Said) -> tuple[Concern, ...]:
    """What a receiver will ask about an event."""
    chosen = receiver(to)
    account = report.account
    if chosen.game == "go" and not account.is_go:
        raise InputError("{title} takes tournaments of go", title=chosen.title)
    if chosen.game == "bridge" and account.played is None:
        raise InputError(
            "{title} takes results of bridge; {path} has none",
            title=chosen.title,
            path=account.called,
        )
    concerns = chosen.concerns(account, details, report.awards is not None)
    return tuple(dict.fromkeys(concerns))


def prepare(report: Report, to: str, details: Said) -> PreparedFile:
    """The file for a receiver; an InputError lists all that it would be turned back for."""
    concerns = concerns_of(report, to, details)
    if any(concern.stops for concern in concerns):
        raise TurnedBack(concerns)
    chosen = receiver(to)
    return PreparedFile(chosen, chosen.write(report, details), concerns)


def keys_of(name: str) -> tuple[str, ...]:
    """The details a receiver takes, and no others."""
    return (*_EVENT_KEYS, *receiver(name).keys)


# --- bridge ---------------------------------------------------------------------------------------


def _usebio(report: Report, details: Said) -> UsebioDocument:
    version = details.get("version", VERSIONS[0])
    if version not in VERSIONS:
        raise UnknownName("version of USEBIO", version, VERSIONS)
    event = _with_places(report, report.account.event)
    if report.book is not None and report.awards is not None:
        event = with_awards(event, report)
    facts: dict[str, Value] = {**event.facts, "mps_awarded_flag": "Y" if report.awards else "N"}
    if details.get("charge"):
        facts["p2p_charge_rate"] = details["charge"]
    entrants = tuple(_with_guests(e, details) for e in event.entrants)
    program = event.program or "Honours"
    made = replace(event, facts=facts, entrants=entrants, program=program)
    return write_usebio(made, version=version)


def checked_return(
    events: Sequence[Event], to: str, details: Said
) -> tuple[tuple[Event, ...], tuple[Concern, ...]]:
    """The events of a period as a receiver takes them, and what it will ask of each; an InputError
    lists all that they would be turned back for."""
    chosen = receiver(to)
    if extra := [key for key in details if key not in keys_of(to)]:
        raise UnknownName(Message("key for {title}", title=chosen.title), extra[0], keys_of(to))
    made, concerns = [], []
    for event in events:
        account = with_details(Account(event.title, format_called("usebio"), event), details)
        concerns += [
            replace(concern, who=Message("{event}: {who}", event=event.title, who=concern.who))
            for concern in chosen.concerns(account, details, True)
        ]
        facts = dict(account.event.facts)
        if details.get("charge"):
            facts["p2p_charge_rate"] = details["charge"]
        entrants = tuple(_with_guests(e, details) for e in account.event.entrants)
        made.append(replace(account.event, facts=facts, entrants=entrants))
    if any(concern.stops for concern in concerns):
        raise TurnedBack(tuple(dict.fromkeys(concerns)))
    return tuple(made), tuple(dict.fromkeys(concerns))


def _with_places(report: Report, event: Event) -> Event:
    """The event with the places and scores that we make of it."""
    standings = {s.entrant.id: s for field in report.lists for s in field.standings}
    name = "percentage" if event.scoring == "matchpoints" and not event.swiss else "total_score"

    def placed(e: EventEntrant) -> EventEntrant:
        standing = standings.get(e.entrant.id)
        if standing is None:
            return e
        published: dict[str, Value] = {"place": Fraction(standing.place)}
        if standing.score is not None:
            published[name] = half_up(standing.score, _CENT)
        return replace(e, published={**e.published, **published})

    return replace(event, entrants=tuple(map(placed, event.entrants)))


def _with_guests(entrant: EventEntrant, details: Said) -> EventEntrant:
    """A guest has no number in the file, as those who have none anywhere."""
    visiting = receivers.guests(details)

    def shown(player: Player) -> Player:
        return replace(player, number="") if player.name.casefold() in visiting else player

    return replace(entrant, entrant=entrant.entrant.with_players(shown))


def _bridgewebs(report: Report, _said: Said) -> UsebioDocument:
    return write_bridgewebs(report.account.event, report.lists)


def _honours(report: Report, _said: Said) -> UsebioDocument:
    return converted_file(report.account, "json", report)


# --- go -------------------------------------------------------------------------------------------


def _ranked(report: Report) -> RankedTournament:
    content = report.account.content
    assert isinstance(content, GoTournament | WallList), "asked of go only"
    tournament = content if isinstance(content, GoTournament) else content.tournament
    return RankedTournament(tournament, report.lists[0])


def _aga(report: Report, _said: Said) -> UsebioDocument:
    return write_aga(_ranked(report))


def _egd(report: Report, details: Said) -> UsebioDocument:
    return write_h9(_ranked(report), details)


def _ffg(report: Report, details: Said) -> UsebioDocument:
    return write_tou(_ranked(report), details)


_OURS = (
    Receiver(
        "ebu",
        "My EBU (USEBIO)",
        "bridge",
        XML,
        receivers.ebu,
        _usebio,
        ("charge", "version", "guests"),
    ),
    Receiver(
        "sbu",
        "the SBU's MEMPAD (USEBIO)",
        "bridge",
        XML,
        receivers.sbu,
        _usebio,
        ("heat", "version", "guests"),
    ),
    Receiver("aga", "the AGA's ratings (report)", "go", TEXT, receivers.aga, _aga, ending=".txt"),
    Receiver(
        "egd",
        "the European Go Database (h9)",
        "go",
        TEXT,
        receivers.egd,
        _egd,
        ("class", "place", "dates", "handicap", "komi", "time"),
        ".h9",
    ),
    Receiver(
        "ffg",
        "the French go federation (.tou)",
        "go",
        TEXT,
        receivers.ffg,
        _ffg,
        ("place", "comment", "size", "time", "adjusted_time", "komi"),
        ".tou",
    ),
    Receiver(
        "bridgewebs",
        "BridgeWebs (CSV)",
        "bridge",
        TEXT,
        receivers.bridgewebs,
        _bridgewebs,
        ending=".csv",
    ),
    Receiver(
        "honours",
        "another Honours (JSON)",
        "",
        JSON,
        receivers.honours,
        _honours,
        ending=".json",
    ),
)


@cache
def all_receivers() -> dict[str, Receiver]:
    """Who takes results, by name: those we know and those that installed packages add."""
    return {one.name: one for one in (*_OURS, *added("receivers"))}
