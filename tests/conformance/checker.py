"""The independent scorer: an event as plain data in, all its points and places out.

It imports nothing from ``honours`` and goes another way wherever there is one: all scores of a
board are compared with all, everything is a ``Fraction``, a place counts who is better.

**In** (numbers that need not be whole are strings such as ``"3/5"``)::

    kind, scoring, winners, swiss     as in the model's Event
    entrants   [{id, line, section, stratum, handicap, carried}]
    sessions   [{number, results, matches, penalties: [{entrant, amount, unit}]}]
      results  [{board, ns: [id], ew: [id], section, round, table, version, passed_out,
                 score, contract: {level, denomination, declarer, doubled}, tricks,
                 adjusted: {ns, ew}}]     None for what is not there
      a side of ``adjusted`` is {share, session_rule} or {scores: [[weight, score for NS]]}
    settings   profile     ebu, acbl, compscore, unfactored
               simplified  the EBU's alternative where exactly one score is missing
               sections    compared together or apart;  rank_sections  likewise
               winners     1 or 2 lists, 0 to see who met whom
               strata      names from the highest, or none
               handicap    a second list with handicaps;  minimum_boards to be ranked
               expected    scores a board should have, 0 for as many as the fullest has
               mean_of_sessions, sessions_ranked, tie_break (which changes no place)
               divisor, trim, unit, average_plus, line_unit, prorated, total_unit   for IMPs
               scale       wbf, none, or bands [[margin up to or None, winner, loser]]
               length      boards a match counts as, 0 for those scored
               divided     the mean of a team's pairs of tables, not their sum
               bye         points for a round without a match, or None
               rounds_apart  whether two teams that meet again play another match

**Out**::

    lines      [[{side: {id: points or None}} for each result] for each session]; none for teams
    tallies    {id: {points, possible, boards}}, for matches also won, drawn, matches
    rankings   [{list: {session, section, line, stratum, handicapped},
                 places: {id: [place, tied, score]}}]
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from tests.conformance.checker_boards import (
    PROFILES,
    SIDES,
    Given,
    away_from_nothing,
    butler,
    cross_imps,
    matchpoints,
    rounded,
)
from tests.conformance.checker_rankings import rankings, score
from tests.conformance.checker_teams import (
    finish,
    given_matches,
    match_tallies,
    pair_matches,
    team_matches,
)

Event = dict[str, Any]
Points = dict[str, dict[str, Fraction | None]]
NONE = Fraction(0)


def check(event: Event) -> Event:
    """Score and rank the event."""
    if event["kind"] == "teams":
        return _answer(event, [], match_sittings(event, team_matches(event)))
    settings = event["settings"]
    given = [pair_session(session, event) for session in event["sessions"]]
    points = [settle(*both, settings) for both in zip(event["sessions"], given, strict=True)]
    if event["swiss"]:
        return _answer(event, points, match_sittings(event, pair_matches(event, given, points)))
    parts = zip(event["sessions"], given, points, strict=True)
    sittings = [tally(*part, settings) for part in parts]
    return _answer(event, points, sittings, _programme(event, given, sittings))


def match_sittings(event: Event, played: list[Event]) -> list[dict[str, Event]]:
    """What each entrant of an event of matches gathered in each session."""
    matches = played + given_matches(event)
    finish(event, matches)
    return match_tallies(event, matches)


def _answer(
    event: Event,
    lines: list[list[Points]],
    sittings: list[dict[str, Event]],
    programme: Fraction = NONE,
) -> dict[str, Any]:
    together = _mean if event["settings"]["mean_of_sessions"] else _added
    totals = _with_carried(event["entrants"], together(sittings), programme)
    return {
        "lines": [[_shown(line) for line in session] for session in lines],
        "tallies": _texts(totals),
        "rankings": _lists(event, totals, sittings),
    }


def _lists(event: Event, totals: dict[str, Event], sittings: list[dict[str, Event]]) -> list[Event]:
    """The lists of the event and, if chosen, of its sessions, in an order of their own."""
    settings = event["settings"] | {"winners": event["settings"]["winners"] or lines_kept(event)}
    who = [
        entrant | {"line": entrant["line"] or _usual(entrant, event)}
        for entrant in event["entrants"]
    ]
    lists = rankings(who, totals, settings, "")
    carried = any(Fraction(entrant["carried"]) for entrant in event["entrants"])
    if settings["sessions_ranked"] and (len(sittings) > 1 or carried):
        for session, sitting in zip(event["sessions"], sittings, strict=True):
            lists += rankings(who, sitting, settings, str(session["number"]))
    return sorted(lists, key=lambda ranking: str(ranking["list"]))


def _usual(entrant: Event, event: Event) -> str:
    """The direction in which an entrant has most lines, for files that do not say."""
    seats = [
        side
        for session in event["sessions"]
        for line in session["results"]
        for side in SIDES
        if entrant["id"] in line[side]
    ]
    return "EW" if seats.count("ew") > seats.count("ns") else "NS"


def lines_kept(event: Event) -> int:
    """Two winners if no pair ever sat in the other direction."""
    seats = {
        (one, side)
        for session in event["sessions"]
        for line in session["results"]
        for side in SIDES
        for one in line[side]
    }
    both = any((one, "ns") in seats and (one, "ew") in seats for one, _ in seats)
    return 1 if both or event["kind"] != "pairs" else 2


def pair_session(session: Event, event: Event) -> list[dict[str, Given]]:
    """What each side of each line gets, the session rule aside."""
    settings, lines = event["settings"], session["results"]
    apart = settings["sections"] == "apart"
    boards: dict[tuple[str, int], list[int]] = {}
    for nth, line in enumerate(lines):
        boards.setdefault((line["section"] if apart else "", line["board"]), []).append(nth)
    given: list[dict[str, Given]] = [{} for _ in lines]
    for (section, _), numbers in boards.items():
        fullest = max(len(x) for key, x in boards.items() if key[0] == section)
        most = settings["expected"] or fullest
        same = [lines[nth] for nth in numbers]
        for nth, sides in zip(numbers, _board(same, most, event), strict=True):
            given[nth] = sides
    return given


def _board(lines: list[Event], most: int, event: Event) -> list[dict[str, Given]]:
    settings = event["settings"]
    if event["scoring"] == "cross-imps":
        return cross_imps(lines, settings)
    if event["scoring"] == "butler":
        return butler(lines, settings)
    return matchpoints(lines, most, settings)


def settle(session: Event, given: list[dict[str, Given]], settings: Event) -> list[Points]:
    """Points of every entrant on every line, average plus and minus following the session."""
    points = []
    for line, sides in zip(session["results"], given, strict=True):
        points.append(
            {
                side: {
                    one: _followed(one, sides[side], session, given, settings) for one in line[side]
                }
                for side in SIDES
            }
        )
    return points


def _followed(
    one: str, award: Given, session: Event, given: list[dict[str, Given]], settings: Event
) -> Fraction | None:
    if award.share is None:
        return award.points
    share = _session_share(one, session, given)
    better = share is not None and (
        share > award.share if award.share > Fraction(1, 2) else share < award.share
    )
    if share is None or not better:
        return award.points
    profile = PROFILES[settings["profile"]]
    return rounded(share * award.top, profile["step"], profile["half"], award.top / 2)


def _session_share(one: str, session: Event, given: list[dict[str, Given]]) -> Fraction | None:
    """What the entrant got of what it could on the session's other boards."""
    points = possible = Fraction(0)
    for line, sides in zip(session["results"], given, strict=True):
        for side in SIDES:
            award = sides[side]
            if one in line[side] and award.points is not None and award.share is None:
                points += award.points
                possible += award.top
    return points / possible if possible else None


def tally(
    session: Event, given: list[dict[str, Given]], points: list[Points], settings: Event
) -> dict[str, Event]:
    """Points, the most they could be, and boards of each entrant in one session."""
    totals: dict[str, Event] = {}
    for line, sides, got in zip(session["results"], given, points, strict=True):
        for side in SIDES:
            for one in line[side]:
                value = got[side][one]
                if value is not None:
                    total = totals.setdefault(one, _nothing())
                    total["points"] += value
                    total["possible"] += sides[side].top
                    total["boards"] += 1
    if settings["prorated"]:
        _prorate(totals, Fraction(settings["total_unit"]))
    tops = [sides[side].top for sides in given for side in SIDES]
    for penalty in session["penalties"]:
        amount = Fraction(penalty["amount"])
        if penalty["unit"] == "percent":
            amount *= max(tops) / 100
        totals.setdefault(penalty["entrant"], _nothing())["points"] -= amount
    return totals


def _prorate(totals: dict[str, Event], unit: Fraction) -> None:
    """Totals in IMPs as if all had played as many boards as who played most."""
    most = max((total["boards"] for total in totals.values()), default=0)
    for total in totals.values():
        if total["boards"] < most:
            total["points"] = away_from_nothing(total["points"], unit) * most / total["boards"]


def _nothing() -> Event:
    return {"points": Fraction(0), "possible": Fraction(0), "boards": 0}


def _added(sittings: list[dict[str, Event]]) -> dict[str, Event]:
    """Several sessions as one: points and possible points summed."""
    totals: dict[str, Event] = {}
    for sitting in sittings:
        for one, part in sitting.items():
            total = totals.setdefault(one, dict.fromkeys(part, 0))
            for key, amount in part.items():
                total[key] += amount
    return totals


def _mean(sittings: list[dict[str, Event]]) -> dict[str, Event]:
    """Several sessions as one: each percentage weighs the same."""
    totals = _added(sittings)
    for one, total in totals.items():
        scores = [score(sitting[one]) for sitting in sittings if one in sitting]
        total["points"] = sum(scores, Fraction(0)) / len(scores)
        total["possible"] = Fraction(100)
    return totals


def _programme(
    event: Event, given: list[list[dict[str, Given]]], sittings: list[dict[str, Event]]
) -> Fraction:
    """The most anybody's boards were worth, played or not; 0 where carry-over is added whole.

    That is with every profile that prints totals as they are, and where percentages are averaged,
    for then everybody's programme is a hundred.
    """
    settings = event["settings"]
    profile = PROFILES[settings["profile"]]
    if event["scoring"] != "matchpoints" or not profile.get("programme"):
        return NONE
    if settings["mean_of_sessions"]:
        return NONE
    worth = {one: Fraction(0) for sitting in sittings for one in sitting}
    for session, awards in zip(event["sessions"], given, strict=True):
        tops = _tops(session, awards, settings["sections"] == "apart")
        for line, sides, top in zip(session["results"], awards, tops, strict=True):
            for side in SIDES:
                for one in set(line[side]) & worth.keys():
                    worth[one] += top if sides[side].points is None else sides[side].top
    return max(worth.values(), default=NONE)


def _tops(session: Event, awards: list[dict[str, Given]], apart: bool) -> list[Fraction]:
    """For each line, the most a side got its board scored out of, in the field it was met in."""
    fields = [(line["board"], line["section"] if apart else "") for line in session["results"]]
    return [
        max(
            sides[side].top
            for other, sides in zip(fields, awards, strict=True)
            for side in SIDES
            if other == field
        )
        for field in fields
    ]


def _with_carried(
    entrants: list[Event], totals: dict[str, Event], programme: Fraction
) -> dict[str, Event]:
    """What was carried over, less of it for who could get less than a whole programme."""
    for entrant in entrants:
        if entrant["id"] in totals:
            total = totals[entrant["id"]]
            weight = total["possible"] / programme if programme else 1
            total["points"] += Fraction(entrant["carried"]) * weight
    return totals


def _shown(line: Points) -> Event:
    return {
        side: {one: None if x is None else str(x) for one, x in line[side].items()}
        for side in SIDES
    }


def _texts(totals: dict[str, Event]) -> dict[str, Event]:
    return {one: {key: str(x) for key, x in total.items()} for one, total in totals.items()}
