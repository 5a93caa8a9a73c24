"""An event for a receiver: checked as the receiver would, then written as it takes it. Nothing is
sent anywhere: what comes of it is a file.

Each concern says whom it is about and how to mend it. The rules are those that the receivers
publish, or that programs which write for them keep to (``docs/publish.md``). A concern that
``stops`` is one that the receiver turns a file back for; the others are queried, and somebody has
to answer them there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from typing import Literal

from honours.errors import InputError, UnknownName
from honours.files import JSON, TEXT, XML, FileKind
from honours.formats.bridgewebs import write_bridgewebs
from honours.formats.detect import format_called
from honours.formats.format import WrittenFile
from honours.formats.go import GoTournament, Winner
from honours.formats.go_write import RankedTournament, licence, pin, write_aga, write_h9, write_tou
from honours.formats.reading import iso_day, parse_day
from honours.formats.usebio import VERSIONS, write_usebio
from honours.model import Event, EventEntrant, Player, Value
from honours.model.message import Message, by_command, by_key, by_option, joined
from honours.pipeline import Account, Report
from honours.reports.convert import converted_file, with_awards
from honours.rings import added
from honours.scoring.standings import half_up

EBU_CODES = {
    "04": Message("a novice session, no charge"),
    "10": Message("a normal club session"),
    "11": Message("a social or supervised session, no master points"),
    "12": Message("a mentor session"),
    "22": Message("a novice session at half price, no master points"),
    "30": Message("a licensed affiliated event"),
    "40": Message("a licensed charity event"),
    "50": Message("a blue-pointed event"),
    "60": Message("a licensed county green-pointed event"),
    "99": Message("an event of the EBU"),
}
_WITHOUT_POINTS = ("11", "22")
EGD_CLASSES = ("A", "B", "C", "D", "X")
_AGA_TEMPORARY = 90_000
"""OpenGotha gives 99999 downwards to who has no number; the AGA takes them no more."""
_MATCH = by_option("members")
_MATCH_OR_ADD = Message("match a member list ({remedy}) or add it to the results", remedy=_MATCH)
_NAME_THEM = Message("name them: {remedy}", remedy=by_command("rule FILE name", Message("Names")))


@dataclass(frozen=True, slots=True)
class Concern:
    """Something a receiver asks about: of whom, what, and how to mend it. ``lacks`` is what
    somebody is without: a ``number``, or a ``number`` unless they are a ``guest``."""

    who: str
    what: str
    mend: str
    stops: bool = False
    lacks: Literal["", "number", "number or guest"] = ""

    def __str__(self) -> str:
        return str(self.text)

    @property
    def text(self) -> Message:
        return Message("{who}: {what}; {mend}", who=self.who, what=self.what, mend=self.mend)


def _of_event(what: str, mend: str) -> Concern:
    return Concern(Message("the event"), what, mend, stops=True)


def _say(name: str, value: str) -> Message:
    return Message("say {remedy}", remedy=by_key(name, value))


def _date(account: Account) -> Iterator[Concern]:
    if account.day is None:
        yield _of_event(Message("no date"), _say("date", "2026-01-31"))


# --- bridge ---------------------------------------------------------------------------------------


def ebu(account: Account, details: Mapping[str, str], awarded: bool) -> Iterator[Concern]:
    """My EBU: the organiser, the charge code and every player by number."""
    yield from _date(account)
    club = details.get("club_number") or str(account.event.facts.get("club_number", ""))
    if not re.fullmatch(r"\d{6}", club):
        what = Message("club number {number} is not of six digits", number=club)
        yield _of_event(
            what if club else Message("no club number"),
            _say("club_number", "123456"),
        )
    code = details.get("charge") or str(account.event.facts.get("p2p_charge_rate", ""))
    if code not in EBU_CODES:
        known = tuple(joined(" ", (one, about)) for one, about in EBU_CODES.items())
        unknown = Message("charge code {code} is unknown", code=code)
        yield _of_event(
            unknown if code else Message("no charge code"),
            Message("say {remedy}; known: {known}", remedy=by_key("charge", "10"), known=known),
        )
    elif awarded and code in _WITHOUT_POINTS:
        yield _of_event(
            Message("charge code {code} has no master points", code=code),
            Message("leave the rulebook out, or say another code"),
        )
    yield from _numbers(account.event, details, r"\d{5,8}", "EBU")


def sbu(account: Account, details: Mapping[str, str], awarded: bool) -> Iterator[Concern]:
    """MEMPAD: a ranking with everybody's number; of a heat no points."""
    yield from _date(account)
    if details.get("heat") == "yes" and awarded:
        yield _of_event(
            Message("a heat of a national event: clubs award no points for it"),
            Message("leave the rulebook out (Guide, chapter 3 and appendix 4)"),
        )
    elif details.get("heat") != "yes" and not awarded:
        yield Concern(
            Message("the event"),
            Message("no master points in it"),
            Message(
                "name the rulebook, or say {remedy} for the list of a heat",
                remedy=by_key("heat", "yes"),
            ),
        )
    if not account.event.club:
        yield _of_event(Message("no club"), _say("club", "NAME"))
    yield from _numbers(
        account.event, details, r"\d{1,7}", "SBU", stops=details.get("heat") == "yes"
    )


def bridgewebs(account: Account, _said: Mapping[str, str], _awarded: bool) -> Iterator[Concern]:
    """BridgeWebs: a title, a date, and names."""
    yield from _date(account)
    for player in [
        e.number for e in account.event.entrants if not any(p.name for p in e.entrant.players)
    ]:
        yield Concern(player, Message("has no name"), _NAME_THEM)


def honours(account: Account, _said: Mapping[str, str], _awarded: bool) -> Iterator[Concern]:
    """Our own return: what a ledger needs in order to recognise an event."""
    yield from _date(account)
    content = account.content
    players = _players(content) if isinstance(content, Event | GoTournament) else []
    for player in players:
        if not player.number:
            yield Concern(
                player.name or Message("a player without a name"),
                Message("has no number"),
                _MATCH_OR_ADD,
                lacks="number",
            )


def guests(details: Mapping[str, str]) -> frozenset[str]:
    """Those who are no members, as they were named."""
    return frozenset(
        name.strip().casefold() for name in details.get("guests", "").split("&") if name
    )


def _numbers(
    event: Event, details: Mapping[str, str], form: str, body: str, stops: bool = False
) -> Iterator[Concern]:
    yield from _incomplete(event)
    visiting = guests(details)
    for player in _players(event):
        if player.name.casefold() in visiting:
            continue
        who = player.name or Message("a player without a name")
        if not player.number:
            yield Concern(
                who,
                Message("no {body} number", body=body),
                Message(
                    "match a member list ({remedy}), or say {other}",
                    remedy=_MATCH,
                    other=by_key("guests", player.name),
                )
                if player.name
                else _MATCH_OR_ADD,
                stops,
                "number or guest",
            )
        elif not re.fullmatch(form, player.number):
            yield Concern(
                who,
                Message("{number} is no {body} number", number=player.number, body=body),
                Message("correct it, or say {remedy}", remedy=by_key("guests", player.name)),
                stops,
            )


def _incomplete(event: Event) -> Iterator[Concern]:
    """Entrants who are not all named: a receiver credits people, not numbers. A phantom that plays
    without being listed is nobody."""
    fewest = {"individual": 1, "pairs": 2}.get(event.kind, 4)
    unlisted = str(event.facts.get("unlisted", "")).split(", ")
    for entrant in event.entrants:
        there = len(entrant.entrant.players)
        if there < fewest and (there or entrant.number not in unlisted):
            yield Concern(
                entrant.entrant.title,
                Message("{there} of {fewest} players are known", there=there, fewest=fewest),
                _NAME_THEM,
                stops=True,
            )


def _players(content: Event | GoTournament) -> list[Player]:
    if isinstance(content, Event):
        return [player for e in content.entrants for player in e.entrant.players]
    return [player.player for player in content.players]


# --- go -------------------------------------------------------------------------------------------


def _tournament(account: Account) -> GoTournament:
    content = account.content
    assert isinstance(content, GoTournament), "asked of go only"
    return content


def _unfinished(tournament: GoTournament) -> Iterator[Concern]:
    for what in tournament.missing():
        yield _of_event(what, Message("finish the tournament first"))


def aga(account: Account, _said: Mapping[str, str], _awarded: bool) -> Iterator[Concern]:
    """The AGA's ratings: every player a member by number, every game with a result."""
    yield from _date(account)
    tournament = _tournament(account)
    yield from _unfinished(tournament)
    there = {key for game in tournament.games for key in (game.white, game.black)}
    for player in tournament.players:
        number = player.player.number
        if player.key not in there:
            continue
        if not re.fullmatch(r"\d{1,6}", number):
            yield Concern(
                player.player.name,
                Message("no AGA number"),
                Message(
                    "match a member list ({remedy}): the report waits until all have one",
                    remedy=_MATCH,
                ),
                stops=True,
                lacks="number",
            )
        elif int(number) > _AGA_TEMPORARY:
            yield Concern(
                player.player.name,
                Message(
                    "{number} may be temporary, which the AGA no longer accepts",
                    number=number,
                ),
                Message("give the number of the membership"),
            )
        if player.rank is None:
            yield Concern(player.player.name, Message("no rank"), Message("add it, as 4k or 5d"))
    for game in tournament.games:
        if game.winner in (Winner.JIGO, Winner.BOTH, Winner.NEITHER):
            yield _of_event(
                Message("round {round}: a game that neither won, or both", round=game.round),
                Message("the AGA takes a winner: White or Black"),
            )


def egd(account: Account, details: Mapping[str, str], _awarded: bool) -> Iterator[Concern]:
    """The European Go Database: a class, a place and the days; PINs tell namesakes apart."""
    yield from _date(account)
    tournament = _tournament(account)
    yield from _unfinished(tournament)
    tournament_class = details.get("class") or tournament.facts.get("CL", "")
    if tournament_class not in EGD_CLASSES:
        unknown = Message("class {word} is not one of the EGD's", word=tournament_class)
        yield _of_event(
            unknown if tournament_class else Message("no class"),
            Message("say class=A, B, C, D (on the Internet) or X for none"),
        )
    place = details.get("place") or tournament.facts.get("PC") or tournament.place
    if not place:
        yield _of_event(Message("no place"), Message("say place='FR, Paris'"))
    elif "," not in place.lstrip(", "):
        town = place.lstrip(", ")
        yield Concern(
            Message("the event"),
            Message("{town} without its country", town=town),
            Message("say place='FR, {town}', or choose it in the EGD's form", town=town),
        )
    for player in tournament.players:
        if not pin(player.player):
            yield Concern(
                player.player.name,
                Message("no PIN of eight figures"),
                Message("add it, if the player is in the EGD: namesakes are told apart by it"),
            )
        if not player.country:
            yield Concern(
                player.player.name,
                Message("no country"),
                Message("it is written XX: give its two letters"),
            )


def ffg(account: Account, details: Mapping[str, str], _awarded: bool) -> Iterator[Concern]:
    """The French federation: a licence, or a country for who comes from abroad."""
    yield from _date(account)
    tournament = _tournament(account)
    yield from _unfinished(tournament)
    if not (details.get("place") or tournament.place):
        yield _of_event(Message("no town"), Message("say place=Paris"))
    for player in tournament.players:
        if not licence(player.player) and player.country in ("", "FR"):
            yield Concern(
                player.player.name,
                Message("no licence of seven figures"),
                Message("add it, or the country of a player from abroad"),
            )


# --- files for receivers -----------------------------------------------------------------------


Said = Mapping[str, str]
_CENT = Fraction(1, 100)
_EVENT_KEYS = ("club", "club_number", "contact", "date", "title")


@dataclass(frozen=True, slots=True)
class Receiver:
    """A receiver of results: what they are, of which game, and what may be said for them."""

    name: str
    title: str
    game: str
    kind: FileKind
    concerns: Callable[[Account, Said, bool], Iterator[Concern]]
    write: Callable[[Report, Said], WrittenFile]
    keys: tuple[str, ...] = ()
    ending: str = ".xml"
    """How the name of its file ends."""


@dataclass(frozen=True, slots=True)
class PreparedFile:
    """A file for a receiver, what it has no place for, and what the receiver will ask."""

    receiver: Receiver
    written: WrittenFile
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
    """The concerns a receiver has about an event."""
    chosen = receiver(to)
    account = report.account
    if chosen.game == "go" and not account.is_go:
        raise InputError("{title} takes tournaments of go", title=chosen.title)
    if chosen.game == "bridge" and account.played is None:
        raise InputError(
            "{title} takes bridge results; {path} has none",
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


def _usebio(report: Report, details: Said) -> WrittenFile:
    version = details.get("version", VERSIONS[0])
    if version not in VERSIONS:
        raise UnknownName("version of USEBIO", version, VERSIONS)
    event = _with_places(report, report.account.event)
    if report.book is not None and report.awards is not None:
        event = with_awards(event, report)
    made = _as_charged(replace(event, program=event.program or "Honours"), details)
    flag = {"mps_awarded_flag": "Y" if report.awards else "N"}
    return write_usebio(replace(made, facts={**made.facts, **flag}), version=version)


def _as_charged(event: Event, details: Said) -> Event:
    """The event with its charge code, and its guests without a number."""
    charge = {"p2p_charge_rate": details["charge"]} if details.get("charge") else {}
    entrants = tuple(_with_guests(e, details) for e in event.entrants)
    return replace(event, facts={**event.facts, **charge}, entrants=entrants)


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
        made.append(_as_charged(account.event, details))
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
    visiting = guests(details)

    def shown(player: Player) -> Player:
        return replace(player, number="") if player.name.casefold() in visiting else player

    return replace(entrant, entrant=entrant.entrant.with_players(shown))


# --- go -------------------------------------------------------------------------------------------


def _ranked(report: Report) -> RankedTournament:
    return RankedTournament(_tournament(report.account), report.lists[0])


_OURS = (
    Receiver(
        "ebu",
        "My EBU (USEBIO)",
        "bridge",
        XML,
        ebu,
        _usebio,
        ("charge", "version", "guests"),
    ),
    Receiver(
        "sbu",
        "the SBU's MEMPAD (USEBIO)",
        "bridge",
        XML,
        sbu,
        _usebio,
        ("heat", "version", "guests"),
    ),
    Receiver(
        "aga",
        "the AGA's ratings (report)",
        "go",
        TEXT,
        aga,
        lambda report, _: write_aga(_ranked(report)),
        ending=".txt",
    ),
    Receiver(
        "egd",
        "the European Go Database (h9)",
        "go",
        TEXT,
        egd,
        lambda report, details: write_h9(_ranked(report), details),
        ("class", "place", "dates", "handicap", "komi", "time"),
        ".h9",
    ),
    Receiver(
        "ffg",
        "the French go federation (.tou)",
        "go",
        TEXT,
        ffg,
        lambda report, details: write_tou(_ranked(report), details),
        ("place", "comment", "size", "time", "adjusted_time", "komi"),
        ".tou",
    ),
    Receiver(
        "bridgewebs",
        "BridgeWebs (CSV)",
        "bridge",
        TEXT,
        bridgewebs,
        lambda report, _: write_bridgewebs(report.account.event, report.lists),
        ending=".csv",
    ),
    Receiver(
        "honours",
        "another Honours (JSON)",
        "",
        JSON,
        honours,
        lambda report, _: converted_file(report.account, "json", report),
        ending=".json",
    ),
)


@cache
def all_receivers() -> dict[str, Receiver]:
    """The receivers of results by name: those we know and those that installed packages add."""
    return {one.name: one for one in (*_OURS, *added("receivers"))}
