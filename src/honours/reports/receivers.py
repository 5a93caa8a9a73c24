"""What receivers of results check: each concern says whom it is about and how to mend it.

The rules are those that the receivers publish, or that programs which write for them keep to
(``docs/submitting.md``). A concern that ``stops`` is one that the receiver turns a file back for;
the others are queried, and somebody has to answer them there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from honours.formats.go import GoTournament, Winner
from honours.formats.go_write import licence, pin
from honours.formats.wall_lists import WallList
from honours.model import Event, Player
from honours.model.message import Message, joined
from honours.pipeline import Account

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


def _date(account: Account) -> Iterator[Concern]:
    if account.day is None:
        yield _of_event(Message("no date"), Message("say date=2026-01-31"))


# --- bridge ---------------------------------------------------------------------------------------


def ebu(account: Account, details: Mapping[str, str], awarded: bool) -> Iterator[Concern]:
    """My EBU: the organiser, the charge code and every player by number."""
    yield from _date(account)
    club = _detail(account.event, details, "club_number")
    if not re.fullmatch(r"\d{6}", club):
        what = Message("club number {number} is not of six digits", number=club)
        yield _of_event(
            what if club else Message("no club number"), Message("say club_number=123456")
        )
    code = details.get("charge") or str(account.event.facts.get("p2p_charge_rate", ""))
    if code not in EBU_CODES:
        known = tuple(joined(" ", (one, about)) for one, about in EBU_CODES.items())
        unknown = Message("charge code {code} is none we know", code=code)
        yield _of_event(
            unknown if code else Message("no charge code"),
            Message("say charge=10; known: {known}", known=known),
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
            Message("name the rulebook, or say heat=yes for the list of a heat"),
        )
    if not account.event.club:
        yield _of_event(Message("no club"), Message("say club=NAME"))
    yield from _numbers(
        account.event, details, r"\d{1,7}", "SBU", stops=details.get("heat") == "yes"
    )


def bridgewebs(account: Account, _said: Mapping[str, str], _awarded: bool) -> Iterator[Concern]:
    """BridgeWebs: a title, a date, and names."""
    yield from _date(account)
    for player in _nameless(account.event):
        yield Concern(player, Message("has no name"), Message("name them: honours rule FILE name"))


def honours(account: Account, _said: Mapping[str, str], _awarded: bool) -> Iterator[Concern]:
    """Our own return: what a ledger needs in order to recognise an event."""
    yield from _date(account)
    content = account.content
    players = _players(content) if isinstance(content, Event | GoTournament | WallList) else []
    for player in players:
        if not player.number:
            yield Concern(
                player.name or Message("a player without a name"),
                Message("has no number"),
                Message("match a member list (--members) or add it to the results"),
                lacks="number",
            )


def _detail(event: Event, details: Mapping[str, str], name: str) -> str:
    return details.get(name) or str(event.facts.get(name, ""))


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
                Message("match a member list (--members), or say guests={who!q}", who=player.name)
                if player.name
                else Message("match a member list (--members) or add it to the results"),
                stops,
                "number or guest",
            )
        elif not re.fullmatch(form, player.number):
            yield Concern(
                who,
                Message("{number} is no {body} number", number=player.number, body=body),
                Message("correct it, or say guests={who!q}", who=player.name),
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
                Message("name them: honours rule FILE name"),
                stops=True,
            )


def _players(content: Event | GoTournament | WallList) -> list[Player]:
    if isinstance(content, Event):
        return [player for e in content.entrants for player in e.entrant.players]
    tournament = content if isinstance(content, GoTournament) else content.tournament
    return [player.player for player in tournament.players]


def _nameless(event: Event) -> list[str]:
    return [e.number for e in event.entrants if not any(p.name for p in e.entrant.players)]


# --- go -------------------------------------------------------------------------------------------


def _tournament(account: Account) -> GoTournament:
    content = account.content
    assert isinstance(content, GoTournament | WallList), "asked of go only"
    return content if isinstance(content, GoTournament) else content.tournament


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
                Message("match a member list (--members): the report waits until all have one"),
                stops=True,
                lacks="number",
            )
        elif int(number) > _AGA_TEMPORARY:
            yield Concern(
                player.player.name,
                Message(
                    "{number} may be temporary, which the AGA takes no more",
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
        unknown = Message("class {word} is none of the EGD's", word=tournament_class)
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
                Message("add it, or the country of who comes from abroad"),
            )
