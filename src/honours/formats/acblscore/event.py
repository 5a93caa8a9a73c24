"""What an ACBLscore file says, as events: one a game, with strata, holdings and what it published.

The facts of an event are named as rulebooks ask for them. ``class`` is there where the ACBL's
list of factors has the game's rating; ``rated`` is the rating in ACBLscore's words.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from fractions import Fraction
from pathlib import Path

from honours.errors import FileProblem
from honours.formats.acbl_facts import facts_of_limits, facts_of_rating
from honours.formats.acblscore.codes import COLOUR_WORDS, NEAREST_CLASSES
from honours.formats.acblscore.game import GameEvent, GameFile, is_game, read_game
from honours.formats.acblscore.sections import (
    AVERAGE,
    AVERAGE_MINUS,
    AVERAGE_PLUS,
    LATE,
    AwardCell,
    Entry,
    GameLine,
    GamePlayer,
    GameSection,
    LineSide,
    StratumRank,
)
from honours.formats.entrants import EW, NS, EntrantKey, unique_ids
from honours.formats.file_bytes import MEGABYTE, read_bytes
from honours.formats.format import Format, head
from honours.model import (
    AdjustedScore,
    ArtificialScore,
    AssignedScore,
    Entrant,
    Event,
    EventEntrant,
    Penalty,
    Player,
    Result,
    Session,
    Source,
    Value,
)
from honours.scoring.shown_facts import COLUMNS

LARGEST = 16 * MEGABYTE
"""The largest file seen has 43 kilobytes; a hundred full sections would have ten megabytes."""
NON_MEMBER = "NM"
_LINES = {"N": NS, "E": EW, "": ""}
_WHOLE = Fraction(1)
_PUPIL = 4
_MEMBERSHIP = {1: "invitational", 2: "newcomer", 4: "newcomer", 5: "newcomer"}
"""To whom a club game is open, by ACBLscore's list of club games."""
_AVERAGES = {
    AVERAGE_MINUS: ArtificialScore(Fraction(2, 5), session_rule=True),
    AVERAGE: ArtificialScore(Fraction(1, 2)),
    AVERAGE_PLUS: ArtificialScore(Fraction(3, 5), session_rule=True),
}
"""Averages as Law 12C2 means them; that ACBLscore does otherwise is for its profile to say."""

__all__ = ["is_game", "read_acblscore"]


def read_acblscore(path: str | Path) -> tuple[Event, ...]:
    """Every game of a file; damaged ones and kinds nobody has seen are a FileProblem."""
    game = read_game(str(path), read_bytes(path, LARGEST))
    return tuple(_event(str(path), game, event) for event in game.events)


def _event(path: str, game: GameFile, event: GameEvent) -> Event:
    seatings = {
        EntrantKey(section.letter, str(entry.number), _LINES[entry.line]): (section, entry)
        for section in event.sections
        for entry in section.entries
    }
    seats = _Seats(path, event, unique_ids(seatings))
    entrants = tuple(seats.entrant(seating, entry) for seating, (_, entry) in seatings.items())
    results = tuple(line for section in event.sections for line in seats.results(section))
    if not results:
        raise FileProblem(
            path, "{name}: no results in it", "a game that was scored by board", name=event.name
        )
    penalties = tuple(
        Penalty(seats.ids[seating], -entry.adjustment, "matchpoints")
        for seating, (_, entry) in seatings.items()
        if entry.adjustment
    )
    return Event(
        title=event.name.strip() or Path(path).stem,
        kind="pairs",
        scoring="matchpoints",
        entrants=entrants,
        sessions=(Session(max(event.session, 1), results, penalties=penalties),),
        winners=1 if all(section.howell for section in event.sections) else 2,
        date=_day(event, game),
        club=event.club.strip(),
        program=f"ACBLscore {float(game.version):.2f}",
        facts=_facts(event),
        source=Source(path),
    )


def _day(event: GameEvent, game: GameFile) -> date | None:
    """The day in words; where that was left out, the day the file was made."""
    for form in ("%B %d, %Y", "%b %d, %Y"):
        try:
            return datetime.strptime(event.date.strip(), form).replace(tzinfo=UTC).date()
        except ValueError:
            continue
    return game.created.date() if game.created else None


def _facts(event: GameEvent) -> dict[str, Value]:
    """What the file says of the game: in the words of rulebooks, then in its own."""
    limits = [Fraction(stratum.limit) for stratum in event.strata]
    strata = list(zip(strata_names(event), limits, strict=True))
    asked = {**_what_it_is(event), **facts_of_limits(strata)}
    own: dict[str, Value] = {
        "rated": event.rating_name,
        "session": Fraction(event.session),
        "compared": ", ".join("+".join("+".join(r) for r in scored) for scored in event.groups),
        "ranked": ", ".join("+".join(r) for scored in event.groups for r in scored),
        "programme": Fraction(max(section.maximum for section in event.sections)),
        "stratified_by": "average" if event.by_average else "highest",
        COLUMNS: ", ".join(asked),
    }
    unknown = sum(not p.holding for s in event.sections for e in s.entries for p in e.players)
    if unknown:
        own["holdings_unknown"] = Fraction(unknown)
    if event.rating in NEAREST_CLASSES:
        own["class_nearest"] = event.rating_name
    howells = [section.letter for section in event.sections if section.howell]
    if 0 < len(howells) < len(event.sections):
        own["one_winner_sections"] = ", ".join(howells)
    if event.club_number.strip():
        own["club_number"] = event.club_number.strip()
    return {**asked, **own}


def _what_it_is(event: GameEvent) -> dict[str, Value]:
    facts: dict[str, Value] = {"sessions": Fraction(max(event.sessions, 1))}
    facts |= facts_of_rating(event.rating)
    if "game" in facts:
        entries = (entry for section in event.sections for entry in section.entries)
        overall = any(rank.overall_place for entry in entries for rank in entry.ranks)
        facts["ranked_overall"] = "yes" if overall else "no"
        facts["pupils"] = "yes" if event.club_game == _PUPIL else "no"
        facts["membership"] = _MEMBERSHIP.get(event.club_game, "open")
        facts["added_tables"] = Fraction(event.added_entries // 2)
    return facts


def strata_names(event: GameEvent) -> tuple[str, ...]:
    """What the strata are called: their letters where these tell them apart, in their order."""
    letters = tuple(stratum.letter for stratum in event.strata)
    in_order = list(letters) == sorted(set(letters))
    return letters if in_order else tuple(str(n + 1) for n in range(len(letters)))


@dataclass(frozen=True, slots=True)
class _Seats:
    """An event's pairs by where they sit, on the way into the model."""

    path: str
    event: GameEvent
    ids: Mapping[EntrantKey, str]

    def entrant(self, seating: EntrantKey, entry: Entry) -> EventEntrant:
        return EventEntrant(
            Entrant(self.ids[seating], tuple(_players(entry))),
            seating.number,
            seating.line,
            seating.section,
            self._stratum(entry),
            carried=entry.carry,
            published=_published(entry, strata_names(self.event)),
        )

    def _stratum(self, entry: Entry) -> str:
        names = strata_names(self.event)
        return names[entry.stratum - 1] if 1 <= entry.stratum <= len(names) > 1 else ""

    def results(self, section: GameSection) -> Iterator[Result]:
        for board, lines in section.boards:
            for line in lines:
                yield self._result(section, board, line)

    def _result(self, section: GameSection, board: int, line: GameLine) -> Result:
        sides = [
            self._id(section, side, "" if section.howell else name)
            for side, name in ((line.ns, NS), (line.ew, EW))
        ]
        score, adjusted, remark = _outcome(line)
        published: dict[str, Value] = {}
        if not remark:
            published["ns_matchpoints"] = line.ns.matchpoints
            published["ew_matchpoints"] = line.ew.matchpoints
        return Result(
            board,
            (sides[0],),
            (sides[1],),
            score=score,
            adjusted=adjusted,
            section=section.letter,
            round=line.round,
            table=line.table,
            remark=remark,
            published=published,
            source=Source(self.path),
        )

    def _id(self, section: GameSection, side: LineSide, line: str) -> str:
        entrant = self.ids.get(EntrantKey(section.letter, str(side.pair), line))
        if entrant is None:
            raise FileProblem(
                self.path,
                "damaged: section {letter}: a result of pair {pair}{row}",
                "a pair that is entered",
                letter=section.letter,
                pair=side.pair,
                row=line,
            )
        return entrant


def _players(entry: Entry) -> Iterator[Player]:
    """The players that are named; those of a pair that gets no award are not eligible."""
    for player in entry.players:
        if player.first.strip() or player.last.strip() or player.number.strip():
            yield _player(player, not entry.not_eligible)


def _player(player: GamePlayer, eligible: bool) -> Player:
    name = " ".join(part.strip() for part in (player.first, player.last) if part.strip())
    number = player.number.strip()
    # 0 is none or not known: the program takes it for none when it makes strata.
    facts: dict[str, Value] = {"masterpoints": Fraction(player.holding)}
    if not eligible:
        facts["eligible"] = "no"
    about = (("city", player.city), ("state", player.state), ("bridge_rank", player.rank))
    for key, text in about:
        if text.strip():
            facts[key] = text.strip()
    return Player(name, "" if number == NON_MEMBER else number, facts)


def _published(entry: Entry, strata: Sequence[str]) -> dict[str, Value]:
    """What ACBLscore made of a pair; nothing of one it did not score."""
    published: dict[str, Value] = {}
    if entry.session >= 0 and entry.boards:
        published |= {
            "percentage": entry.percent,
            "total_score": entry.final if entry.carry else entry.session,
            "boards_played": Fraction(entry.boards),
        }
    for rank in entry.ranks:
        published |= _places(strata[rank.stratum - 1], rank)
        if rank.stratum == 1 and rank.rank:
            # Of those who tie only the paid places say so; the rank parts them.
            published["place"] = Fraction(rank.section_place if rank.section_last else rank.rank)
    return published | _awarded(entry)


def _places(stratum: str, rank: StratumRank) -> dict[str, Value]:
    places = {
        f"section_place.{stratum}": rank.rank,
        f"overall_place.{stratum}": rank.overall_place,
        f"qualified.{stratum}": rank.qualified,
    }
    return {name: Fraction(place) for name, place in places.items() if place}


def _awarded(entry: Entry) -> dict[str, Value]:
    awarded: dict[str, Value] = {}
    if entry.awards.total:
        awarded["masterpoints"] = _sum(entry.awards.total)
        awarded["masterpoint_type"] = "+".join(
            dict.fromkeys(COLOUR_WORDS.get(c.colour, "") for c in entry.awards.total)
        )
        first = entry.awards.total[0].reason
        awarded["masterpoints_for"] = "overall" if first >= 10 else "section"
    if entry.awards.current:
        awarded["section_masterpoints"] = _sum(entry.awards.current)
    if entry.awards.previous:
        awarded["earlier_masterpoints"] = _sum(entry.awards.previous)
    return awarded


def _sum(cells: Sequence[AwardCell]) -> Fraction:
    return sum((cell.points for cell in cells), Fraction(0))


def _outcome(line: GameLine) -> tuple[int | None, AdjustedScore | None, str]:
    """North-South's score, or a ruling, or why there is neither."""
    ns, ew = line.ns, line.ew
    if ns.score is not None and ew.score == -ns.score:
        return ns.score, None, ""
    for side in (ns, ew):
        if side.score is None and side.word not in _AVERAGES:
            return None, None, "late play" if side.word == LATE else "not played"
    return None, AdjustedScore(_given(ns, 1), _given(ew, -1)), ""


def _given(side: LineSide, sign: int) -> ArtificialScore | AssignedScore:
    """A side's average, or its own score as seen by North-South."""
    if side.score is not None:
        return AssignedScore(((_WHOLE, sign * side.score),))
    return _AVERAGES[side.word]


FORMATS = (Format("acblscore", "ACBLscore game file", head(is_game), read_acblscore),)
