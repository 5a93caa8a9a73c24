"""Compared with real files beside the repository: formats acblscore."""

import json
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from honours.formats.acblscore import (
    COLOURS,
    EVENT_TYPES,
    MOVEMENTS,
    RATINGS,
    SCORINGS,
    read_game,
)
from tests.support import shared

FOLDER = shared("real/acblscore")


FILES = sorted(path.with_suffix("") for path in FOLDER.glob("*.json"))


WORDS = {"late": "Late Play", "not played": "Not Played", "A-": "Ave-", "A": "Ave", "A+": "Ave+"}


def game(path: Path) -> Any:
    return read_game(str(path), path.read_bytes())


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_value_we_read_is_what_an_independent_decoder_reads(path: Path) -> None:
    published = json.loads(path.with_name(path.name + ".json").read_text("utf-8"))[0]
    _without_rank_names(published)
    decoded = _file(game(path), path.name)
    _without_clubs_of_tournaments(published, decoded)
    for name, difference in _differences(published, decoded):
        pytest.fail(f"{name}: {difference}")


def _without_rank_names(published: dict[str, Any]) -> None:
    """The decoder's names for ranks are out of date: the letter is what the file has."""
    for event in published["event"]:
        for section in event["section"].values():
            for entry in section["entry"].values():
                for player in entry["player"]:
                    player.pop("acbl_rank")


def _without_clubs_of_tournaments(published: dict[str, Any], ours: dict[str, Any]) -> None:
    """What a club game has for its club is the name of a tournament."""
    for theirs, own in zip(published["event"], ours["event"], strict=True):
        if theirs["tournament_flag"]:
            own["tournament"] = own.pop("club")
            own.pop("club_num")


def _differences(published: Any, ours: Any, where: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(published, dict) and isinstance(ours, dict):
        for key, value in ours.items():
            if key not in published:
                yield where, f"{key} is not there"
            else:
                yield from _differences(published[key], value, f"{where}/{key}")
    elif isinstance(published, list) and isinstance(ours, list):
        if len(published) != len(ours):
            yield where, f"{len(published)} there, {len(ours)} here"
        for n, (theirs, own) in enumerate(zip(published, ours, strict=False)):
            yield from _differences(theirs, own, f"{where}/{n}")
    elif isinstance(published, float | int) and isinstance(ours, Fraction | int):
        if Fraction(str(published)) != ours:
            yield where, f"{published} there, {ours} here"
    elif published != ours:
        yield where, f"{published!r} there, {ours!r} here"


def _file(read: Any, name: str) -> dict[str, Any]:
    return {
        "ACBLscore_version": f"{float(read.version):.2f}",
        "creation_timestamp": read.created and read.created.isoformat(),
        "decode_format_version": 4,
        "event": [_event(event) for event in read.events],
        "filename": name,
    }


def _event(e: Any) -> dict[str, Any]:
    return {
        "club": e.club,
        "club_num": e.club_number,
        "combining_and_ranking": [[list(ranked) for ranked in scored] for scored in e.groups],
        "date": e.date,
        "event_name": e.name,
        "event_scoring": SCORINGS[0],
        "event_scoring_id": 0,
        "event_type": EVENT_TYPES[0],
        "event_type_id": 0,
        "final_session_flag": int(e.session == e.sessions),
        "handicap_type_id": 0,
        "nsessions": e.sessions,
        "nstrats": len(e.strata),
        "rating": RATINGS.get(e.rating),
        "rating_id": e.rating,
        "section": {s.letter: _section(s, e.strata) for s in e.sections},
        "session_num": e.session,
        "strat": [_stratum(s) for s in e.strata],
        "stratify_by_avg_flag": int(e.by_average),
    }


def _stratum(s: Any) -> dict[str, Any]:
    return {"letter": s.letter, "max_mp": s.limit}


def _section(s: Any, strata: Sequence[Any]) -> dict[str, Any]:
    ranks = [rank for entry in s.entries for rank in entry.ranks]
    return {
        "board": {
            str(number): [[x.round, x.table, *_side(x.ns), *_side(x.ew)] for x in lines]
            for number, lines in s.boards
        },
        "entry": {f"{e.number}{e.line}": _entry(e, strata) for e in s.entries},
        "has_overall_rankings": int(any(r.overall_place for r in ranks)),
        "has_quals": int(any(r.qualified for r in ranks)),
        "is_howell": int(s.howell),
        "letter": s.letter,
        "maximum_score": s.maximum,
        "movement_type": MOVEMENTS[int(s.howell)],
    }


def _side(side: Any) -> list[Any]:
    shown = WORDS[side.word] if side.score is None else side.score
    return [side.pair, shown, side.matchpoints]


def _player(p: Any) -> dict[str, Any]:
    return {
        "acbl_rank_letter": p.rank or "\0",
        "city": p.city,
        "fname": p.first,
        "lname": p.last,
        "mp_total": p.holding,
        "pnum": p.number,
        "state": p.state,
    }


def _entry(e: Any, strata: Sequence[Any]) -> dict[str, Any]:
    return {
        **_award(e, strata),
        "eligibility": e.not_eligible,
        "nboards": e.boards,
        "pct": e.percent,
        "player": [_player(p) for p in e.players],
        "rank": [
            {
                "overall_rank_high": r.overall_last,
                "overall_rank_low": r.overall_place,
                "qual_flag": r.qualified,
                "rank": r.rank,
                "section_rank_high": r.section_last,
                "section_rank_low": r.section_place,
            }
            for r in e.ranks
        ],
        "score_adjustment": e.adjustment,
        "score_carrover": e.carry,
        "score_final": e.final,
        "score_session": e.session,
        "strat_num": e.stratum,
    }


def _award(entry: Any, strata: Sequence[Any]) -> dict[str, Any]:
    def cells(some: Sequence[Any]) -> list[list[Any]]:
        return [
            [
                c.points,
                COLOURS.get(c.colour, ""),
                "SO"[c.reason // 10] + strata[c.reason % 10 - 1].letter,
                c.reason,
            ]
            for c in some
        ]

    made = {name: cells(getattr(entry, name)) for name in ("previous", "current", "total")}
    return {"award": made} if any(made.values()) else {}
