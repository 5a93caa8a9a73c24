"""MacMahon's XML (versions 2 and 3): players, pairings and the order of its wall list, but no
places. A result has Black first: ``1-0`` is a win of Black."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

from honours.errors import FileProblem
from honours.formats.format import MADE, Format, Told
from honours.formats.go import (
    GoGame,
    GoPlayer,
    GoTournament,
    Placement,
    Winner,
    numbered,
    of_who_came,
    parse_rank,
)
from honours.formats.reading import Problems
from honours.formats.xml import Element, read_xml
from honours.model import Source

_RESULTS = {
    "1-0": Winner.BLACK,
    "0-1": Winner.WHITE,
    "½-½": Winner.JIGO,
    "1/2-1/2": Winner.JIGO,
    "0.5-0.5": Winner.JIGO,
    "0-0": Winner.NEITHER,
    "1-1": Winner.BOTH,
    "?-?": Winner.UNKNOWN,
    "": Winner.UNKNOWN,
}
_CRITERIA = {
    "Score": "MMS",
    "ScoreX": "MMX",
    "Points": "NBW",
    "SOS": "SOSM",
    "SOSOS": "SOSOSM",
    "SODOS": "SODOSM",
    "CUSS": "CUSSM",
    "Rating": "Rating",
    "Level": "Rank",
}
"""What MacMahon calls its criteria, and our names of them; ``MMX`` is the score without the half
points for missed rounds."""
_LOWEST, _HIGHEST = -35, 8


def read_macmahon(path: str | Path) -> GoTournament:
    """Read a MacMahon tournament; unfinished ones too, for they can be shown."""
    return _MacMahonReader(str(path), read_xml(path)).tournament()


def is_macmahon(text: str) -> bool:
    """True if the beginning of an XML file whose root is a tournament is MacMahon's."""
    return "<NumberOfRounds>" in text or "typeversion=" in text


class _MacMahonReader:
    """One file on its way to a GoTournament."""

    def __init__(self, path: str, root: Element) -> None:
        self._path, self._problems = path, Problems(path)
        # The settings stand in the root, or beside lists of players and rounds.
        self._root, self._settings = root, root.first("Tournament") or root
        if any(_all(root, "TeamParticipant")):
            raise FileProblem(path, "a MacMahon tournament of teams", "one of individuals")

    def tournament(self) -> GoTournament:
        rounds = self._whole(self._settings, "NumberOfRounds")
        listed = [e for e in _all(self._root, None) if e.first("GoPlayer") is not None]
        players = [self._player(e) for e in listed]
        games, byes = self._pairings()
        known = {player.key for player in players}
        for number, key in byes:
            if key not in known or not 1 <= number <= rounds:
                self._problems.add("a bye of {key!r} in round {number}", key=key, number=number)
        version = self._settings.word("VersionSaved").removeprefix("MacMahon").strip()
        as_listed = GoTournament(
            title=self._settings.word("Name"),
            players=tuple(players),
            games=tuple(games),
            rounds=rounds,
            placement=self._placement(),
            byes=frozenset(byes),
            program=f"MacMahon {version}".strip(),
            source=Source(self._path),
        )
        return of_who_came(as_listed, self._problems)

    def _whole(self, e: Element, tag: str) -> int:
        text = e.word(tag)
        if text.lstrip("-").isdecimal() and len(text) < 10:
            return int(text)
        if text:
            self._problems.add(
                "{tag} {text!r} is not a whole number", e.line, tag=tag, text=text[:20]
            )
        return 0

    def _player(self, e: Element) -> GoPlayer:
        """A participant with rank, rating and the rounds they missed."""
        person = e.first("GoPlayer") or e
        name = f"{person.word('Surname')} {person.word('FirstName')}".strip()
        pin, rank = person.word("EgdPin"), parse_rank(person.word("GoLevel"))
        if rank is None:
            level = person.word("GoLevel")
            self._problems.add(
                "level {level!r} of {name}",
                person.line,
                "one like 5d or 12k",
                level=level,
                name=name,
            )
        rating = self._whole(person, "Rating")
        away = {self._number(one) for one in e.all("NotPlayingInRound")}
        correction = 1 if _is_true(e, "SuperBarMember") else 0
        if _is_true(e, "ScoreAdjustment"):
            correction += self._whole(e, "ScoreAdjustmentValue")
        return GoPlayer(
            key=e.word("Id"),
            player=numbered(name, {"egf_pin": pin}, "EGF" if rating else ""),
            rank=rank,
            country=person.word("Country").upper(),
            club=person.word("Club"),
            present=tuple(number not in away for number in range(1, max(away, default=0) + 1)),
            correction=correction,
            strength=Fraction(rating) if rating else None,
        )

    def _number(self, e: Element) -> int:
        good = e.text.isdecimal() and len(e.text) < 3
        if not good:
            self._problems.add("{tag} {text!r} is not a round", e.line, tag=e.tag, text=e.text[:20])
        return int(e.text) if good else 0

    def _pairings(self) -> tuple[list[GoGame], set[tuple[int, str]]]:
        """The games of every round, and the byes."""
        games: list[GoGame] = []
        byes: set[tuple[int, str]] = set()
        for round_ in _all(self._root, None):
            number = self._whole(round_, "RoundNumber") if round_.first("Pairing") else 0
            for pairing in round_.all("Pairing"):
                black, white = pairing.word("Black"), pairing.word("White")
                if _is_true(pairing, "PairingWithBye"):
                    byes.add((number, black if black not in ("", "0") else white))
                else:
                    games.append(self._game(pairing, number, white, black))
        return games, byes

    def _game(self, e: Element, number: int, white: str, black: str) -> GoGame:
        result = e.word("Result").removesuffix("!")
        if result not in _RESULTS:
            self._problems.add(
                "result {result!r}", e.line, "1-0, 0-1, ½-½ or the like", result=result[:20]
            )
        return GoGame(
            number,
            white,
            black,
            _RESULTS.get(result, Winner.UNKNOWN),
            self._whole(e, "Handicap"),
            by_default=_is_true(e, "ResultByReferee"),
            table=self._whole(e, "BoardNumber"),
            source=Source(self._path, e.line),
        )

    def _placement(self) -> Placement:
        """The criteria of the wall list, with the bars of starting scores."""
        listed = self._root.first("Walllist") or self._settings.first("Walllist")
        names = (
            [e.word("ShortName") for e in listed.children if e.word("ShortName")] if listed else []
        )
        floor = self._bar("LowerMacMahonBar", _LOWEST)
        return Placement(
            criteria=tuple(_CRITERIA.get(name, name) for name in names) or ("MMS", "SOSM"),
            bar=self._bar("UpperMacMahonBar", _HIGHEST),
            floor=floor,
            zero=floor,
            absent_mms=Fraction(1, 2),
            floored=False,
            bye_has_own_sum=not _is_true(self._settings, "ByeShouldResultInZeroSOSetc"),
            handicap_in_sums=self._settings.word("HandicapIncludeInTieBreakers") != "false",
        )

    def _bar(self, name: str, without: int) -> int:
        rank = parse_rank(self._settings.word(f"{name}Level"))
        return rank if rank is not None and _is_true(self._settings, name) else without


def _all(element: Element, tag: str | None) -> Iterator[Element]:
    """The element and everything in it of a tag, or of any."""
    if tag in (None, element.tag):
        yield element
    for child in element.children:
        yield from _all(child, tag)


def _is_true(element: Element, tag: str) -> bool:
    return element.word(tag).lower() == "true"


FORMATS = (
    Format(
        "macmahon",
        "MacMahon tournament",
        (
            Told.BY_MARK,
            lambda seen: (
                seen.root == "TournamentData"
                or (seen.root == "Tournament" and is_macmahon(seen.text))
            ),
        ),
        read_macmahon,
        MADE,
    ),
)
