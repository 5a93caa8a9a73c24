"""Events of every kind that the sources know, drawn at random, with all that a scorer knows.

Nothing of ``honours`` is imported.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

from tests.adversary.reading import Competitor, Contest, Person
from tests.conformance import generator_movements as movements
from tests.conformance.checker import check
from tests.conformance.generator import entrant, matchpointed

Rows = list[dict[str, str]]
POOL = (-620, -430, -170, -140, -110, -50, 50, 90, 110, 120, 140, 170, 420, 620)
SIZES = {"individual": 1, "pairs": 2, "swiss-pairs": 2, "teams": 4, "swiss-teams": 4}
STRATA = ("A", "B", "C")
GIVEN_NAMES = ("Ann", "Ben", "Cat", "Dan", "Eve", "Fay", "Guy", "Hal", "Ivy", "Jon", "Kit", "Lea")


def draw(chance: Random) -> tuple[Contest, Rows]:
    """An event, and the rows of its results where it is told by these."""
    source = chance.choice(
        ("sbu-clubs-2016",) * 3
        + ("acbl-general", "acbl-sof-2011", "acbl-sof-2011", "acbl-sof-2020", "acbl-sof-2020")
        + ("aga-category",)
    )
    if source == "aga-category":
        return _go(chance), []
    if chance.random() < 0.35:
        return _played(chance, source)
    return _listed(chance, source), []


def _people(chance: Random, who: str, many: int) -> tuple[Person, ...]:
    rich = chance.choice((300, 2000, 9000))
    return tuple(
        Person(f"{GIVEN_NAMES[k]} {_surname(who)}", Fraction(chance.randint(1, rich * 100), 100))
        for k in range(many)
    )


def _surname(number: str) -> str:
    """A name of letters alone: digits in a name are an invitation to guess."""
    letters = "abcdefghij"
    return "M" + "".join(letters[int(digit)] for digit in number if digit.isdigit()) + "er"


def _facts(chance: Random, source: str) -> dict[str, Any]:
    """What is true of an event and no list shows."""
    if source == "sbu-clubs-2016":
        unusual = chance.random()
        return {
            "boards": chance.choice((18, 20, 24, 24, 24, 26, 36, 40)),
            "championship": "major" if unusual < 0.08 else "minor" if unusual < 0.16 else "none",
            "supervised": 0.16 <= unusual < 0.22,
        }
    facts: dict[str, Any] = {
        "sessions": chance.choice((1, 1, 2, 2, 3)),
        "grade": chance.choice(("regional", "regional", "sectional", "national", "stac")),
        "limit": chance.choice((0, 0, 0, 0, 100, 299, 500, 750, 2500, 5000)),
        "restrictions": chance.choice((0, 0, 0, 1, 2)),
    }
    if source == "acbl-sof-2011":
        facts["structure"] = chance.choice(("open",) * 4 + ("flight-a", "bracket"))
        facts["limit"] = 0
    if source == "acbl-sof-2020":
        facts["restrictions"] = 0
        facts["boards"] = facts["sessions"] * chance.choice((16, 20, 24, 26, 28, 30))
    return facts


def _listed(chance: Random, source: str) -> Contest:
    """An event of which only its standings are known."""
    kind = chance.choice(("pairs", "pairs", "pairs", "teams", "swiss-teams", "individual"))
    if source == "sbu-clubs-2016" and chance.random() < 0.1:
        kind = "swiss-pairs"
    many = chance.choice((chance.randint(2, 14), chance.randint(5, 40)))
    many *= 2 if kind == "individual" else 1
    facts = _facts(chance, source)
    if kind.startswith("swiss"):
        matches = chance.randint(3, 7)
        facts |= {"matches": matches, "boards": matches * chance.choice((4, 5, 6, 8))}
        if source == "acbl-sof-2020":
            facts["sessions"] = 1
    winners = 2 if kind == "pairs" and chance.random() < 0.3 else 1
    contest = Contest(source, kind, (), winners=winners, **facts)
    contest = replace(contest, who=_competitors(chance, contest, many))
    if source.startswith("acbl-sof") and chance.random() < 0.3 and many >= 6:
        return _stratified(chance, contest)
    if source.startswith("acbl-sof") and chance.random() < 0.15 and many >= 8:
        return _in_flights(contest)
    if source == "sbu-clubs-2016" and SIZES[kind] == 2 and chance.random() < 0.15:
        return _with_boards(chance, contest)
    return contest


def _competitors(chance: Random, contest: Contest, many: int) -> tuple[Competitor, ...]:
    kind, spread, who = contest.kind, chance.choice((6, 40, 400)), []
    size = chance.choice((4, 4, 5, 6)) if kind.endswith("teams") else SIZES[kind]
    numbers = [str(n) for n in range(1, many + 1)]
    won = _matches(chance, numbers, contest.matches)
    for n, number in enumerate(numbers):
        people = _people(chance, number, size)
        if limit := contest.limit:
            people = tuple(replace(p, holding=Fraction(chance.randint(0, limit))) for p in people)
        score = Fraction(5000 + chance.randint(-spread, spread) * 25, 100)
        wins, draws = won.get(number, (0, 0))
        if kind.startswith("swiss"):
            score = Fraction(wins * 20 + draws * 10 + chance.randint(0, 9))
        line = ("NS" if n < (many + 1) // 2 else "EW") if contest.winners == 2 else ""
        who.append(Competitor(number, people, score, line, won=wins, drawn=draws))
    return tuple(who)


def _matches(chance: Random, who: list[str], many: int) -> dict[str, tuple[int, int]]:
    """Wins and draws of everybody, each match of two."""
    tally = {one: [0, 0] for one in who}
    for _ in range(many if len(who) % 2 == 0 else 0):
        met = chance.sample(who, len(who))
        for home, away in zip(met[::2], met[1::2], strict=True):
            if chance.random() < 0.15:
                tally[home][1] += 1
                tally[away][1] += 1
            else:
                tally[home][0] += 1
    return {one: (won, drawn) for one, (won, drawn) in tally.items()}


def _stratified(chance: Random, contest: Contest) -> Contest:
    strata = STRATA[: chance.randint(2, 3)]
    who = tuple(replace(w, stratum=chance.choice(strata)) for w in contest.who)
    there = tuple(name for name in strata if any(w.stratum == name for w in who))
    if len(there) < 2:
        return contest
    return replace(contest, who=who, strata=there, winners=1)


def _in_flights(contest: Contest) -> Contest:
    half = len(contest.who) // 2
    who = tuple(
        replace(w, group="A" if n < half else "X", line="") for n, w in enumerate(contest.who)
    )
    return replace(contest, who=who, winners=1)


def _with_boards(chance: Random, contest: Contest) -> Contest:
    """Everybody's boards are told, and somebody went home early."""
    boards, early = contest.boards, chance.choice(contest.who).id
    who = tuple(
        replace(
            w,
            people=tuple(
                replace(p, boards=min(boards, 12) if (w.id == early and n == 1) else boards)
                for n, p in enumerate(w.people)
            ),
        )
        for w in contest.who
    )
    return replace(contest, who=who)


def _go(chance: Random) -> Contest:
    many, top = chance.randint(3, 30), chance.choice((3, 6, 9))
    who = []
    for n in range(1, many + 1):
        person = Person(
            f"{GIVEN_NAMES[n % 12]} {_surname(str(n))}",
            rating=Fraction(chance.randint(110, top * 100), 100),
        )
        who.append(Competitor(str(n), (person,), Fraction(chance.randint(0, 6))))
    return Contest("aga-category", "individual", tuple(who), open_section=chance.random() < 0.85)


# --- results --------------------------------------------------------------------------------------


def _played(chance: Random, source: str) -> tuple[Contest, Rows]:
    """An event of pairs with every result, ranked by the independent scorer."""
    facts = _facts(chance, source)
    facts["limit"] = 0
    two = chance.random() < 0.4
    sittings = 1 if two or source == "sbu-clubs-2016" else chance.choice((1, 1, 2))
    if two:
        tables, each = chance.choice(((5, 4), (5, 5), (7, 3), (7, 4), (9, 3)))
        ns, ew = ([str(first + n) for n in range(1, tables + 1)] for first in (0, 100))
        sides = {**dict.fromkeys(ns, "NS"), **dict.fromkeys(ew, "EW")}
        seats = [movements.mitchell(ns, ew, each)]
        boards = tables * each
    else:
        many, each = chance.choice(((6, 4), (6, 5), (8, 3), (10, 3), (12, 2), (14, 2)))
        sides = {str(n): "" for n in range(1, many + 1)}
        seats = [movements.howell(chance, [*sides], each) for _ in range(sittings)]
        boards = (many - 1) * each
    foul = source == "sbu-clubs-2016" and chance.random() < 0.2
    sessions, rows = [], []
    people = {one: _people(chance, one, 2) for one in sides}
    for number, lines in enumerate(seats, 1):
        results = [_result(chance, line) for line in lines]
        if foul:
            _fouled(chance, results)
        sessions.append({"number": number, "results": results, "matches": [], "penalties": []})
        rows += [_row(line, number, people) for line in results]
    event = matchpointed(chance, 2 if two else 1) | {
        "entrants": [entrant(one, side) for one, side in sides.items()],
        "sessions": sessions,
    }
    event["settings"] |= {"profile": "ebu", "simplified": False, "sessions_ranked": True}
    scores, by_session = _scores(event, len(seats))
    facts |= {"boards": boards * len(seats), "sessions": len(seats)}
    kept = source == "acbl-sof-2011" and len(seats) > 1
    who = tuple(
        Competitor(
            one,
            people[one],
            scores[one],
            sides[one],
            sessions=tuple(own[one] for own in by_session) if kept else (),
        )
        for one in sides
    )
    return Contest(source, "pairs", who, winners=2 if two else 1, **facts), rows


def _result(chance: Random, line: dict[str, Any]) -> dict[str, Any]:
    rest = {"contract": None, "tricks": None, "passed_out": False, "adjusted": None}
    return {**line, **rest, "version": "", "score": chance.choice(POOL)}


def _fouled(chance: Random, results: list[dict[str, Any]]) -> None:
    """A board that was played in two versions, each by two tables at least."""
    board = chance.choice(results)["board"]
    lines = [line for line in results if line["board"] == board]
    if len(lines) >= 4:
        for n, line in enumerate(lines):
            line["version"] = "a" if n < len(lines) // 2 else "b"


def _row(
    line: dict[str, Any], session: int, people: dict[str, tuple[Person, ...]]
) -> dict[str, str]:
    (ns,), (ew,) = line["ns"], line["ew"]
    row = {
        "session": str(session),
        "board": str(line["board"]),
        "round": str(line["round"]),
        "table": str(line["table"]),
        "ns": ns,
        "ew": ew,
        "nsplayers": " & ".join(p.name for p in people[ns]),
        "ewplayers": " & ".join(p.name for p in people[ew]),
        "score": str(line["score"]),
    }
    return {**row, "version": line["version"]} if line["version"] else row


def _scores(
    event: dict[str, Any], sittings: int
) -> tuple[dict[str, Fraction], list[dict[str, Fraction]]]:
    """What everybody scored over all, and in each session."""
    overall: dict[str, Fraction] = {}
    sessions: list[dict[str, Fraction]] = [{} for _ in range(sittings)]
    for one in check(event)["rankings"]:
        number = one["list"]["session"]
        own = overall if not number else sessions[int(number) - 1]
        own |= {who: Fraction(score) for who, (_, _, score) in one["places"].items()}
    return overall, sessions


# --- what a scorer can say of it ------------------------------------------------------------------


def answers(contest: Contest) -> dict[str, str]:
    """The true answer to whatever may be asked of the event."""
    swiss = contest.kind.startswith("swiss")
    known = {
        "kind": contest.kind.removeprefix("swiss-"),
        "winners": str(contest.winners),
        "boards": str(contest.boards),
        "championship": contest.championship,
        "supervised": "yes" if contest.supervised else "no",
        "competition": "swiss" if swiss else "session",
        "permission": "yes",
        "sessions": str(contest.sessions),
        "class": contest.grade,
        "limit": str(contest.limit or "none"),
        "restrictions": str(contest.restrictions),
        "structure": contest.structure,
        "boards_per_session": str(Fraction(contest.boards, contest.sessions)),
        "section_kind": "open" if contest.open_section else "handicapped",
        "strata": ",".join(contest.strata),
        "profile": "ebu",
        "order": "scored",
    }
    if contest.source.startswith("acbl") and contest.kind == "swiss-teams":
        known["kind"] = "swiss"
    if swiss:
        known |= {
            "matches": str(contest.matches),
            "boards_per_match": str(contest.boards // contest.matches),
            "form": "swiss",
        }
    return known


USUAL = {
    "championship": ("none",),
    "supervised": ("no",),
    "restrictions": ("0",),
    "structure": ("open",),
    "boards": ("24",),
    "boards_per_session": ("24", "26", "28"),
    "competition": ("session",),
    "permission": (),
}
"""What a confirmation that nothing is unusual says."""


def unusual(contest: Contest) -> dict[str, str]:
    """What of it is out of the ordinary: a confirmation alone would be untrue."""
    true = answers(contest)
    return {fact: true[fact] for fact, usual in USUAL.items() if true[fact] not in usual}
