"""Between the checker's plain data and the product: an event in, what the scorer made of it out."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from honours import model
from honours.scoring import ScoredEvent, ScoringOptions, score
from honours.scoring.imps import Datum, Divisor, ImpRules
from honours.scoring.matches import MatchRules
from honours.scoring.profiles import profile
from honours.scoring.scored import ScoredLine, Side, entrants
from honours.scoring.standings import Ranking, Tally
from honours.scoring.victory_points import WBF, Band, Scale, ScaleTable, TableScale

Data = dict[str, Any]
MATCH_FACTS = ("won", "drawn", "matches_played")


# --- in ---------------------------------------------------------------------------------------


def event(data: Data) -> model.Event:
    """The event as the scorer is given it."""
    return model.Event(
        title=data["title"],
        kind=data["kind"],
        scoring=data["scoring"],
        entrants=tuple(_entrant(x) for x in data["entrants"]),
        sessions=tuple(_session(x) for x in data["sessions"]),
        winners=data["winners"],
        swiss=data["swiss"],
    )


def _entrant(data: Data) -> model.EventEntrant:
    return model.EventEntrant(
        model.Entrant(data["id"]),
        number=data["id"],
        line=data["line"],
        section=data["section"],
        stratum=data["stratum"],
        handicap=Fraction(data["handicap"]),
        carried=Fraction(data["carried"]),
    )


def _session(data: Data) -> model.Session:
    penalties = (
        model.Penalty(x["entrant"], Fraction(x["amount"]), x["unit"]) for x in data["penalties"]
    )
    return model.Session(
        data["number"],
        results=tuple(_result(x) for x in data["results"]),
        matches=tuple(_match(x) for x in data["matches"]),
        penalties=tuple(penalties),
    )


def _result(data: Data) -> model.Result:
    return model.Result(
        data["board"],
        tuple(data["ns"]),
        tuple(data["ew"]),
        score=data["score"],
        contract=contract(data["contract"]) if data["contract"] else None,
        tricks=data["tricks"],
        passed_out=data["passed_out"],
        adjusted=_adjusted(data["adjusted"]) if data["adjusted"] else None,
        version=data["version"],
        section=data["section"],
        round=data["round"],
        table=data["table"],
    )


def contract(data: Data) -> model.Contract:
    return model.Contract(
        data["level"],
        model.Denomination(data["denomination"]),
        model.Seat(data["declarer"]),
        data["doubled"],
    )


def _adjusted(data: Data) -> model.AdjustedScore:
    return model.AdjustedScore(_ruling(data["ns"]), _ruling(data["ew"]))


def _ruling(data: Data) -> model.ArtificialScore | model.AssignedScore:
    if "share" in data:
        return model.ArtificialScore(Fraction(data["share"]), data["session_rule"])
    return model.AssignedScore(tuple((Fraction(weight), score) for weight, score in data["scores"]))


def _match(data: Data) -> model.Match:
    return model.Match(
        data["round"],
        data["home"],
        data["away"],
        home_imps=Fraction(data["home_imps"]),
        away_imps=Fraction(data["away_imps"]),
        boards=data["boards"],
    )


# --- the organiser's choices ------------------------------------------------------------------


def options(data: Data) -> ScoringOptions:
    settings = data["settings"]
    return ScoringOptions(
        sections_apart=settings["sections"] == "apart",
        rank_sections_apart=settings["rank_sections"] == "apart",
        winners=settings["winners"],
        strata=tuple(settings["strata"]),
        handicap=settings["handicap"],
        minimum_boards=settings["minimum_boards"],
        tie_break=settings["tie_break"],
        mean_of_sessions=settings["mean_of_sessions"],
        sessions_ranked=settings["sessions_ranked"],
        expected=settings["expected"],
        imps=convention(settings),
        matches=match_rules(settings) if "scale" in settings else None,
    )


def convention(settings: Data) -> ImpRules:
    """How IMPs are counted; only the figures that the event's way of scoring has."""
    return ImpRules(
        "generated",
        "generated",
        divisor=Divisor(settings.get("divisor", "n-1")),
        datum=Datum(trim=settings.get("trim", 1), unit=settings.get("unit", 10)),
        average_plus=Fraction(settings["average_plus"]),
        line_unit=Fraction(settings["line_unit"]),
        prorated=settings["prorated"],
        total_unit=Fraction(settings["total_unit"]),
    )


def match_rules(settings: Data) -> MatchRules:
    return MatchRules(
        scale=_scale(settings["scale"]),
        length=settings["length"],
        divided=settings["divided"],
        average_plus=Fraction(settings["average_plus"]),
        bye=None if settings["bye"] is None else Fraction(settings["bye"]),
        rounds_apart=settings["rounds_apart"],
    )


def _scale(bands: Any) -> Scale | None:
    if not bands or bands == "wbf":
        return WBF if bands else None
    table = ScaleTable(
        tuple(
            Band(None if limit is None else Fraction(limit), Fraction(winner), Fraction(loser))
            for limit, winner, loser in bands
        )
    )
    return TableScale("generated", (table,))


# --- out --------------------------------------------------------------------------------------


def scored(data: Data) -> Data:
    """What the scorer makes of the event, in the shape of the checker's answer."""
    settings = data["settings"]
    rules = replace(profile(settings["profile"]), simplified=settings.get("simplified", False))
    return answer(data, score(event(data), rules, options(data)))


def answer(data: Data, scored: ScoredEvent) -> Data:
    """Lines in the order they were given, totals and ranking lists."""
    pairs = data["sessions"] if data["kind"] != "teams" else []
    return {
        "lines": [_lines(session, scored) for session in pairs],
        "tallies": {tally.id: _tally(tally) for tally in scored.tallies},
        "rankings": sorted((_ranking(x) for x in scored.rankings), key=lambda x: str(x["list"])),
    }


def _lines(session: Data, scored: ScoredEvent) -> list[Data]:
    """A line is known by its board and who sat North-South."""
    lines = {
        (line.result.board, line.result.ns): line
        for board in scored.boards
        if board.session == session["number"]
        for line in board.lines
    }
    return [_line(lines[x["board"], tuple(x["ns"])]) for x in session["results"]]


def _line(line: ScoredLine) -> Data:
    given: Data = {}
    for side in Side:
        got = line.side(side)
        given[side.lower()] = {
            one: None if got is None else str(got.points_of(one))
            for one in entrants(line.result, side)
        }
    return given


def _tally(tally: Tally) -> Data:
    counts = {
        "points": str(tally.points),
        "possible": str(tally.possible),
        "boards": str(tally.boards),
    }
    matches = {key: str(tally.facts[key]) for key in MATCH_FACTS if key in tally.facts}
    return counts | matches


def _ranking(ranking: Ranking) -> Data:
    labels = {
        "session": ranking.session,
        "section": ranking.section,
        "line": ranking.line,
        "stratum": ranking.stratum,
        "handicapped": ranking.handicapped,
    }
    places = {
        standing.entrant.id: [standing.place, standing.tied, str(standing.score)]
        for standing in (*ranking.standings, *ranking.unranked)
    }
    return {"list": labels, "places": places}
