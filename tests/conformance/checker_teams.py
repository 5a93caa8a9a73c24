"""Matches between teams: their boards put together from the tables, in IMPs or won and lost."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from tests.conformance.checker_boards import HALF, Distribution, artificial, distribution, rounded
from tests.conformance.checker_scores import imps, score_of, wbf_victory_points

Line = dict[str, Any]


# --- one board --------------------------------------------------------------------------------


def board_points(lines: list[Line], team: str, settings: Line) -> Fraction | None:
    """What a board is worth to a team; ``None`` if there is nothing to compare.

    A table that did not play is no table; a ruling at the only other one still counts.
    """
    played = [line for line in lines if line["adjusted"] or score_of(line) is not None]
    home = [line for line in played if line["ns"][0] == team]
    away = [line for line in played if line["ew"][0] == team]
    if not home or not away:
        points = [_ruled([artificial(x, _side(x, team))], settings) for x in played]
    else:
        points = [_tables(x, y, settings) for x in home for y in away]
    counted = [x for x in points if x is not None]
    if not counted:
        return None
    total = sum(counted, Fraction(0))
    return total / len(counted) if settings["divided"] else total


def _side(line: Line, team: str) -> str:
    return "ns" if line["ns"][0] == team else "ew"


def _ruled(rulings: list[Line | None], settings: Line) -> Fraction | None:
    """What artificial scores at one or both tables make of the board."""
    shares = [Fraction(ruling["share"]) for ruling in rulings if ruling]
    if not shares:
        return None
    share = sum(shares, Fraction(0)) / len(shares)
    return share if settings["won"] else (share - HALF) * 10 * Fraction(settings["average_plus"])


def _tables(home: Line, away: Line, settings: Line) -> Fraction | None:
    ruled = _ruled([artificial(home, "ns"), artificial(away, "ew")], settings)
    if ruled is not None:
        return ruled
    mine, theirs = distribution(home, "ns"), distribution(away, "ew")
    if mine is None or theirs is None:
        return None
    if home["version"] != away["version"]:
        return _ruled([{"share": "3/5"}], settings)
    return _swing(mine, theirs, settings["won"])


def _swing(mine: Distribution, theirs: Distribution, won: bool) -> Fraction:
    """Both tables' scores for North-South: ours at the one, our opponents' at the other."""
    total = Fraction(0)
    for weight, score in mine:
        for other_weight, other in theirs:
            lead = score - other
            worth = (HALF if lead == 0 else Fraction(int(lead > 0))) if won else imps(lead)
            total += weight * other_weight * worth
    return total


# --- matches ----------------------------------------------------------------------------------


def team_matches(event: Line) -> list[Line]:
    """Every match of a teams event: ``{session, round, scored, boards, totals: {team: …}}``."""
    settings = event["settings"] | {"won": event["scoring"] == "board-a-match"}
    settings["divided"] |= settings["won"]
    gathered: dict[Any, dict[Any, list[Line]]] = {}
    first: dict[Any, Any] = {}
    for session in event["sessions"]:
        for line in session["results"]:
            teams = tuple(sorted((line["ns"][0], line["ew"][0])))
            key = (session["number"], line["round"], teams)
            if not settings["rounds_apart"]:
                key = first.setdefault(teams, key)
            board = (session["number"], line["board"])
            gathered.setdefault(key, {}).setdefault(board, []).append(line)
    matches = [_team_match(key, boards, settings) for key, boards in gathered.items()]
    return [match for match in matches if match["scored"]]


def _team_match(key: Any, boards: dict[Any, list[Line]], settings: Line) -> Line:
    session, number, teams = key
    both = [[board_points(lines, team, settings) for team in teams] for lines in boards.values()]
    counted = [pair for pair in both if None not in pair]
    totals = {
        team: sum((pair[nth] or Fraction(0) for pair in counted), Fraction(0))
        for nth, team in enumerate(teams)
    }
    match = {"session": session, "round": number, "totals": totals}
    return match | {"scored": len(counted), "boards": settings["length"] or len(counted)}


def pair_matches(event: Line, given: list[list[Any]], points: list[list[Any]]) -> list[Line]:
    """The matches of Swiss pairs: what each got against the field on the round's boards."""
    matches: dict[Any, Line] = {}
    for session, sides, got in zip(event["sessions"], given, points, strict=True):
        for line, award, value in zip(session["results"], sides, got, strict=True):
            pairs = {side: line[side][0] for side in ("ns", "ew")}
            if any(value[side][pair] is None for side, pair in pairs.items()):
                continue
            key = (session["number"], line["round"], frozenset(pairs.values()))
            fresh = {"session": key[0], "round": key[1], "scored": 0, "totals": {}}
            match = matches.setdefault(key, fresh)
            match["scored"] += 1
            match["boards"] = event["settings"]["length"] or match["scored"]
            for side, pair in pairs.items():
                worth = _worth(value[side][pair], award[side].top)
                match["totals"][pair] = match["totals"].get(pair, Fraction(0)) + worth
    if event["scoring"] == "matchpoints":
        for match in matches.values():
            match["totals"] = {x: total / match["scored"] for x, total in match["totals"].items()}
    return list(matches.values())


def _worth(points: Fraction, top: Fraction) -> Fraction:
    """IMPs, or the percentage above average."""
    return points * 100 / top - 50 if top else points


def given_matches(event: Line) -> list[Line]:
    """The matches a file gives by their IMPs."""
    matches = []
    for session in event["sessions"]:
        for match in session["matches"]:
            lead = Fraction(match["home_imps"]) - Fraction(match["away_imps"])
            totals = {match["home"]: lead, match["away"]: -lead}
            fields = {"session": session["number"], "round": match["round"], "totals": totals}
            fields["boards"] = event["settings"]["length"] or match["boards"]
            matches.append(fields | {"scored": match["boards"]})
    return matches


# --- what they are worth ----------------------------------------------------------------------


def finish(event: Line, matches: list[Line]) -> None:
    """Give every match its ``margins`` and ``points`` by team, fines in IMPs included."""
    won = event["scoring"] == "board-a-match"
    for match in matches:
        totals = match["totals"]
        half = HALF * match["scored"] if won else Fraction(0)
        match["margins"] = {team: total - half for team, total in totals.items()}
        fines = {team: _fine(event, match["session"], team) for team in totals}
        match["points"] = {
            team: _points(total, match["margins"][team] - fines[team], match, event["settings"])
            for team, total in totals.items()
        }


def _fine(event: Line, session: int, team: str) -> Fraction:
    """IMPs that come off the team's match, where a scale makes victory points of them."""
    if not event["settings"]["scale"]:
        return Fraction(0)
    taken = [
        Fraction(penalty["amount"])
        for sitting in event["sessions"]
        if sitting["number"] == session
        for penalty in sitting["penalties"]
        if penalty["unit"] == "imps" and penalty["entrant"] == team
    ]
    return sum(taken, Fraction(0))


def _points(total: Fraction, margin: Fraction, match: Line, settings: Line) -> Fraction:
    scale = settings["scale"]
    if not scale:
        return total
    if scale == "wbf":
        winner, loser = wbf_victory_points(abs(margin), match["boards"])
    else:
        winner, loser = _band(margin, scale)
    return winner if margin >= 0 else loser


def _band(margin: Fraction, scale: list[list[Any]]) -> tuple[Fraction, Fraction]:
    """The first band that reaches as far as the margin in whole IMPs, a half counted up."""
    size = rounded(abs(margin), Fraction(1), "up", Fraction(0))
    reached = [band for band in scale if band[0] is None or size <= band[0]]
    return Fraction(reached[0][1]), Fraction(reached[0][2])


def match_tallies(event: Line, matches: list[Line]) -> list[dict[str, Line]]:
    """Points, boards and matches won and drawn of every team, session by session."""
    sittings = []
    for session in event["sessions"]:
        totals: dict[str, Line] = {}
        for match in matches:
            for team in match["totals"] if match["session"] == session["number"] else ():
                _count(totals.setdefault(team, nothing()), match, team, event)
        _rest(totals, matches, session["number"], event["settings"])
        for penalty in session["penalties"]:
            total = totals.setdefault(penalty["entrant"], nothing())
            total["points"] -= _off_total(penalty, event["settings"])
        sittings.append(totals)
    return sittings


def nothing() -> Line:
    """Where every team starts."""
    counts = dict.fromkeys(("boards", "won", "drawn", "matches_played"), 0)
    return {"points": Fraction(0), "possible": Fraction(0), **counts}


def _count(total: Line, match: Line, team: str, event: Line) -> None:
    total["points"] += match["points"][team]
    total["boards"] += match["scored"]
    if event["scoring"] == "board-a-match":
        total["possible"] += match["scored"]
    total["won"] += match["margins"][team] > 0
    total["drawn"] += match["margins"][team] == 0
    total["matches_played"] += 1


def _rest(totals: dict[str, Line], matches: list[Line], session: int, settings: Line) -> None:
    """Byes, to those who play in the session and have no match in one of its rounds."""
    if settings["bye"] is None:
        return
    own = [match for match in matches if match["session"] == session]
    for number in {match["round"] for match in own}:
        met = {team for match in own if match["round"] == number for team in match["totals"]}
        for team in totals.keys() - met:
            totals[team]["points"] += Fraction(settings["bye"])


def _off_total(penalty: Line, settings: Line) -> Fraction:
    if penalty["unit"] == "imps" and settings["scale"]:
        return Fraction(0)
    return Fraction(penalty["amount"]) / (100 if penalty["unit"] == "percent" else 1)
