"""Random events of every kind, each from a seed and a number, in the checker's shape.

``generate(seed, number)`` always gives the same event. Kinds take turns, so that any run of
``len(KINDS)`` numbers has one of each. Nothing of ``honours`` is imported.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any

from tests.conformance import generator_movements as movements
from tests.conformance import generator_results as results

Event = dict[str, Any]
SETTINGS: Event = {
    "sections": "together",
    "rank_sections": "together",
    "handicap": False,
    "minimum_boards": 0,
    "strata": [],
    "expected": 0,
    "mean_of_sessions": False,
    "sessions_ranked": False,
    "tie_break": "",
    "average_plus": "3",
    "line_unit": "0",
    "prorated": False,
    "total_unit": "0",
}
PROFILES = ("ebu", "ebu", "acbl", "acbl", "compscore", "unfactored", "ebuscore", "compscore-totals")


def generate(seed: int, number: int) -> Event:
    """Event ``number`` of the run that ``seed`` makes."""
    rng = Random(f"{seed}:{number}")
    names = sorted(KINDS)
    name = names[number % len(names)]
    event = KINDS[name](rng)
    _dress(rng, event)
    return {"title": f"{name} {seed}:{number}", "family": name, **event}


def ids(count: int, first: int = 1, prefix: str = "") -> list[str]:
    return [f"{prefix}{first + nth}" for nth in range(count)]


def entrant(name: str, line: str = "", section: str = "") -> Event:
    """An entrant nobody has said anything about yet."""
    rest = {"stratum": "", "handicap": "0", "carried": "0"}
    return {"id": name, "line": line, "section": section, **rest}


def session(rng: Random, number: int, seatings: list[Event], units: tuple[str, ...]) -> Event:
    """A sitting with its results and penalties; one in three goes smoothly."""
    trouble = rng.choice((0, 0.15, 0.5))
    names = sorted({one for line in seatings for side in ("ns", "ew") for one in line[side]})
    return {
        "number": number,
        "results": results.play(rng, seatings, trouble),
        "matches": [],
        "penalties": results.penalties(rng, names, units) if trouble else [],
    }


def _dress(rng: Random, event: Event) -> None:
    """Strata, handicaps, carry-over and thresholds, each in some events."""
    settings = event["settings"]
    if rng.random() < 0.3:
        settings["strata"] = ["A", "B", "C"][: rng.randint(2, 3)]
        for one in event["entrants"]:
            one["stratum"] = rng.choice(settings["strata"])
        settings["strata"] = sorted({one["stratum"] for one in event["entrants"]})
    if rng.random() < 0.3:
        settings["handicap"] = True
        for one in event["entrants"]:
            one["handicap"] = str(Fraction(rng.randint(-8, 8), 2))
    if rng.random() < 0.2:
        for one in event["entrants"]:
            one["carried"] = str(Fraction(rng.randint(0, 60), 2))
    if rng.random() < 0.2:
        settings["minimum_boards"] = rng.randint(3, 12)
    settings["sessions_ranked"] = rng.random() < 0.3
    if event["scoring"] == "matchpoints" and not event["swiss"]:
        settings["mean_of_sessions"] = rng.random() < 0.3
        settings["tie_break"] = rng.choice(("", "", "head-to-head", "tops", "above-average"))
        if rng.random() < 0.3:
            event["winners"] = settings["winners"] = 0


# --- matchpointed pairs -----------------------------------------------------------------------


def matchpointed(rng: Random, winners: int, **settings: Any) -> Event:
    """The frame of a matchpointed pairs event, with the profile it is scored under."""
    chosen = SETTINGS | {"profile": rng.choice(PROFILES), "winners": winners}
    chosen["simplified"] = chosen["profile"] == "ebu" and rng.random() < 0.25
    return {
        "kind": "pairs",
        "scoring": "matchpoints",
        "winners": winners,
        "swiss": False,
        "settings": chosen | settings,
    }


UNITS = ("matchpoints", "percent")


def _section(
    rng: Random, first: int, name: str, switch: int = 0
) -> tuple[list[Event], list[Event]]:
    """A Mitchell section, perhaps with a pair missing: its entrants and lines."""
    tables = rng.randint(3, 9)
    ns, ew = ids(tables, first), ids(tables, first + 100)
    who = [entrant(one, "NS", name) for one in ns] + [entrant(one, "EW", name) for one in ew]
    if rng.random() < 0.3:
        ew[rng.randrange(tables)] = ""
    each = rng.randint(1, 3)
    lines = movements.mitchell(ns, ew, each, name, switch)
    played = {one for line in lines for one in line["ns"] + line["ew"]}
    return [one for one in who if one["id"] in played], lines


def mitchell(rng: Random) -> Event:
    entrants, lines = _section(rng, 1, "")
    sessions = [session(rng, 1, lines, UNITS)]
    more = len(entrants) // 2 + rng.randint(0, 2) if rng.random() < 0.1 else 0
    frame = matchpointed(rng, 2, expected=more)
    if rng.random() < 0.2:
        entrants = [one | {"line": ""} for one in entrants]
    return frame | {"entrants": entrants, "sessions": sessions}


def arrow_switched(rng: Random) -> Event:
    entrants, lines = _section(rng, 1, "", switch=1)
    sessions = [session(rng, 1, lines, UNITS)]
    return matchpointed(rng, 1) | {"entrants": entrants, "sessions": sessions}


def howell(rng: Random) -> Event:
    names = ids(rng.randint(4, 13))
    lines = movements.howell(rng, names, rng.randint(1, 3))
    sessions = [session(rng, 1, lines, UNITS)]
    return matchpointed(rng, 1) | {"entrants": [entrant(x) for x in names], "sessions": sessions}


def _some_sections(rng: Random) -> tuple[list[Event], list[Event], Event]:
    """Two or three sections over the same boards: entrants, lines, and whether scored apart."""
    entrants, lines = [], []
    for nth, name in enumerate("ABC"[: rng.randint(2, 3)]):
        more, played = _section(rng, 1000 * (nth + 1), name)
        entrants += more
        lines += played
    how = {key: rng.choice(("together", "apart")) for key in ("sections", "rank_sections")}
    return entrants, lines, how


def sections(rng: Random) -> Event:
    entrants, lines, how = _some_sections(rng)
    sessions = [session(rng, 1, lines, UNITS)]
    frame = matchpointed(rng, rng.choice((1, 2)), **how)
    return frame | {"entrants": entrants, "sessions": sessions}


def multi_session(rng: Random) -> Event:
    """The same pairs meet again; the second sitting may be shorter."""
    names = ids(rng.randint(5, 10))
    sessions = [
        session(rng, nth + 1, movements.howell(rng, names, rng.randint(1, 2), rounds), UNITS)
        for nth, rounds in enumerate((0, rng.randint(2, 4), 0)[: rng.randint(2, 3)])
    ]
    return matchpointed(rng, 1) | {"entrants": [entrant(x) for x in names], "sessions": sessions}


def individual(rng: Random) -> Event:
    names = ids(rng.randint(8, 17))
    lines = movements.individual(rng, names, rng.randint(3, 7), rng.randint(1, 2))
    played = {one for line in lines for one in line["ns"] + line["ew"]}
    frame = matchpointed(rng, 1) | {"kind": "individual"}
    who = [entrant(x) for x in names if x in played]
    return frame | {"entrants": who, "sessions": [session(rng, 1, lines, UNITS)]}


# --- IMPs -------------------------------------------------------------------------------------


def _frame(kind: str, scoring: str, swiss: bool = False, **settings: Any) -> Event:
    chosen = SETTINGS | {"winners": 1, "profile": "ebu"} | settings
    return {"kind": kind, "scoring": scoring, "winners": 1, "swiss": swiss, "settings": chosen}


def _imp_pairs(rng: Random, scoring: str, **settings: Any) -> Event:
    """Pairs or individuals, in one session or two."""
    kind = rng.choice(("pairs", "pairs", "individual"))
    if rng.random() < 0.3:
        return _imp_sections(rng, scoring, **settings)
    names = ids(rng.randint(8, 14)) if kind == "individual" else ids(rng.randint(4, 12))
    sessions = []
    for number in range(1, rng.choice((2, 2, 3))):
        if kind == "individual":
            lines = movements.individual(rng, names, rng.randint(3, 6), 2)
        else:
            lines = movements.howell(rng, names, rng.randint(1, 3))
        sessions.append(session(rng, number, lines, ("imps",)))
    frame = _frame(kind, scoring, average_plus=rng.choice(("3", "2")), **settings)
    frame["settings"]["line_unit"] = rng.choice(("0", "0", "1", "1/10", "1/100"))
    frame["settings"]["prorated"] = rng.random() < 0.3
    frame["settings"]["total_unit"] = rng.choice(("0", "1/10", "1"))
    return frame | {"entrants": [entrant(x) for x in names], "sessions": sessions}


def _imp_sections(rng: Random, scoring: str, **settings: Any) -> Event:
    entrants, lines, how = _some_sections(rng)
    frame = _frame("pairs", scoring, **settings, **how)
    sessions = [session(rng, 1, lines, ("imps",))]
    return frame | {"entrants": entrants, "sessions": sessions}


def cross_imps(rng: Random) -> Event:
    return _imp_pairs(rng, "cross-imps", divisor=rng.choice(("sum", "n-1", "n")))


def butler(rng: Random) -> Event:
    return _imp_pairs(rng, "butler", trim=rng.randint(0, 2), unit=rng.choice((0, 1, 10)))


# --- matches ----------------------------------------------------------------------------------

BANDS = [[0, "10", "10"], [3, "11", "9"], [9, "14", "6"], [20, "17", "3"], [None, "20", "0"]]
"""A made-up scale in whole IMPs, the last band open."""

PERCENT_BANDS = [[1, "10", "10"], [5, "12", "8"], [12, "16", "4"], [None, "20", "0"]]
"""The same for percentages above average."""


def _matches(rng: Random, scoring: str, swiss: bool, **settings: Any) -> Event:
    """The frame of an event of teams, with what a bye is worth."""
    bye = rng.choice((None, None, "12"))
    scale = rng.choice(("wbf", "", BANDS))
    chosen: Event = {"scale": scale, "bye": bye, "rounds_apart": True}
    chosen |= {"length": rng.choice((0, 0, 8)), "divided": rng.random() < 0.3}
    return _frame("teams", scoring, swiss, **chosen | settings)


def _units(event: Event) -> tuple[str, ...]:
    """In what a penalty may be given; IMPs come off a match, so a scale needs to know which."""
    if event["scoring"] == "board-a-match":
        return UNITS
    return ("vps",) if event["settings"]["scale"] else ("imps",)


def _teams(rng: Random, frame: Event, rounds: int, tables: int = 2) -> Event:
    names = ids(rng.randint(3, 9), prefix="T")
    lines = movements.teams(rng, names, rounds, rng.randint(2, 8), tables)
    who = [entrant(x) for x in names]
    return frame | {"entrants": who, "sessions": [session(rng, 1, lines, _units(frame))]}


def teams(rng: Random) -> Event:
    return _teams(rng, _matches(rng, "imps", swiss=False), 9)


def teams_of_eight(rng: Random) -> Event:
    return _teams(rng, _matches(rng, "imps", swiss=False), rng.randint(1, 3), tables=4)


def swiss_teams(rng: Random) -> Event:
    return _teams(rng, _matches(rng, "imps", swiss=True), rng.randint(2, 4))


def board_a_match(rng: Random) -> Event:
    frame = _matches(rng, "board-a-match", swiss=False, scale="", bye=None)
    return _teams(rng, frame, rng.randint(2, 5))


def head_to_head(rng: Random) -> Event:
    """Two teams, one long match in several stanzas, fined in IMPs."""
    frame = _matches(rng, "imps", swiss=False, rounds_apart=False, bye=None)
    each, rounds = rng.randint(2, 8), rng.randint(2, 4)
    lines = [
        line | {"round": turn + 1, "board": line["board"] + turn * each}
        for turn in range(rounds)
        for line in movements.teams(rng, ["T1", "T2"], 1, each)
    ]
    sessions = [session(rng, 1, lines, ("imps",))]
    return frame | {"entrants": [entrant("T1"), entrant("T2")], "sessions": sessions}


def league(rng: Random) -> Event:
    """Matches of which only the IMPs are known."""
    names = ids(rng.randint(3, 8), prefix="T")
    played = [
        {
            "round": turn + 1,
            "home": home,
            "away": away,
            "home_imps": str(rng.randint(0, 60)),
            "away_imps": str(rng.randint(0, 60)),
            "boards": rng.choice((8, 16, 24)),
        }
        for turn, matches in enumerate(movements.circle(names))
        for home, away in matches
        if home and away
    ]
    sitting = {"number": 1, "results": [], "matches": played, "penalties": []}
    frame = _matches(rng, "imps", swiss=False)
    return frame | {"entrants": [entrant(x) for x in names], "sessions": [sitting]}


def swiss_pairs(rng: Random) -> Event:
    """Pairs against the field, what they got on a round's boards a match against who they met."""
    names = ids(rng.randint(4, 11))
    lines = movements.howell(rng, names, rng.randint(2, 6), rng.randint(2, 4))
    scoring = rng.choice(("matchpoints", "cross-imps"))
    scale = PERCENT_BANDS if scoring == "matchpoints" else rng.choice(("wbf", BANDS))
    frame = _frame("pairs", scoring, swiss=True, divisor="n-1", scale=scale)
    frame["settings"] |= {"bye": rng.choice((None, "12")), "rounds_apart": True}
    frame["settings"] |= {"length": rng.choice((0, 0, 6)), "divided": False}
    sessions = [session(rng, 1, lines, ("vps",))]
    return frame | {"entrants": [entrant(x) for x in names], "sessions": sessions}


KINDS: dict[str, Callable[[Random], Event]] = {
    "mitchell": mitchell,
    "arrow-switched": arrow_switched,
    "howell": howell,
    "sections": sections,
    "multi-session": multi_session,
    "individual": individual,
    "cross-imps": cross_imps,
    "butler": butler,
    "teams": teams,
    "teams-of-eight": teams_of_eight,
    "swiss-teams": swiss_teams,
    "swiss-pairs": swiss_pairs,
    "board-a-match": board_a_match,
    "head-to-head": head_to_head,
    "league": league,
}
