"""Thirty small events of every kind, made up, each with what no file can say of it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field

from tests.support import ROOT


@dataclass(frozen=True, slots=True)
class Case:
    """A file, the rulebook that awards it, what is given, and how it is scored; what is usual is
    confirmed.

    ``asks`` is what is asked for where something is missing, ``refuses`` some words of the reason
    where nothing is awarded.
    """

    name: str
    text: str
    rulebook: str
    given: dict[str, str] = field(default_factory=dict)
    options: dict[str, str] = field(default_factory=dict)
    asks: str = ""
    refuses: str = ""
    suffix: str = ".csv"


def _meetings(entrants: list[str], round_: int) -> list[tuple[str, str]]:
    """The circle method: everybody meets somebody else in every round."""
    fixed, rest = entrants[0], entrants[1:]
    turned = rest[round_ % len(rest) :] + rest[: round_ % len(rest)]
    ring = [fixed, *turned]
    half = len(ring) // 2
    pairs = list(zip(ring[:half], reversed(ring[half:]), strict=True))
    return [(b, a) if round_ % 2 else (a, b) for a, b in pairs]


def _people(entrant: str, many: int) -> str:
    return " & ".join(f"{entrant} Player{k}" for k in range(1, many + 1))


def _score(seed: random.Random) -> int:
    return seed.choice([-620, -430, -170, -140, -110, -50, 50, 90, 110, 120, 140, 170, 420, 620])


def pairs(many: int, rounds: int, boards: int, lines: bool = False, session: int = 1) -> list[str]:
    """Rows of a pairs session: everybody plays the same boards in the same round."""
    seed = random.Random(many * 1000 + rounds * 10 + boards + session)
    rows = []
    for round_ in range(rounds):
        names = [str(n) for n in range(1, many + 1)]
        half = many // 2
        met = _meetings(names, round_)
        if lines:
            met = [(names[k], names[half + (k + round_) % half]) for k in range(half)]
        for board in range(round_ * boards + 1, (round_ + 1) * boards + 1):
            for table, (ns, ew) in enumerate(met, 1):
                who = f"{ns},{ew},{_people(ns, 2)},{_people(ew, 2)}"
                rows.append(f"{session},{board},{round_ + 1},{table},{who},{_score(seed)}")
    return rows


_PAIRS = "session,board,round,table,ns,ew,nsplayers,ewplayers,score"


def paired(*sessions: list[str], extra: str = "") -> str:
    head = f"{_PAIRS}{',' + extra.partition('=')[0] if extra else ''}"
    end = f",{extra.partition('=')[2]}" if extra else ""
    return "\n".join([head, *(row + end for rows in sessions for row in rows)]) + "\n"


def in_sections(many: int) -> str:
    """Two sections that play the same boards, their pairs numbered on."""
    first, second = pairs(many, 8, 3), []
    for row in pairs(many, 8, 3, session=2):
        _session, board, round_, table, ns, ew, *_, score = row.split(",")
        ns, ew = (str(int(number) + many) for number in (ns, ew))
        who = f"{ns},{ew},{_people(ns, 2)},{_people(ew, 2)}"
        second.append(f"1,{board},{round_},{table},{who},{score}")
    rows = [f"{row},A" for row in first] + [f"{row},B" for row in second]
    return "\n".join([f"{_PAIRS},section", *rows]) + "\n"


def individuals(many: int, rounds: int, boards: int) -> str:
    """Results of players who change partners every round."""
    seed = random.Random(many * 31 + rounds)
    rows = ["board,round,table,north,south,east,west,score"]
    for round_ in range(rounds):
        seats = [f"Player {n}" for n in range(1, many + 1)]
        seed.shuffle(seats)
        for board in range(round_ * boards + 1, (round_ + 1) * boards + 1):
            for table in range(many // 4):
                who = ",".join(seats[4 * table : 4 * table + 4])
                rows.append(f"{board},{round_ + 1},{table + 1},{who},{_score(seed)}")
    return "\n".join(rows) + "\n"


def teams(many: int, rounds: int, boards: int) -> str:
    """Matches of teams of four at two tables each."""
    seed = random.Random(many * 77 + rounds * 7 + boards)
    rows = ["round,board,ns,ew,nsplayers,ewplayers,score"]
    for round_ in range(rounds):
        for home, away in _meetings([f"T{n}" for n in range(1, many + 1)], round_):
            for board in range(round_ * boards + 1, (round_ + 1) * boards + 1):
                for ns, ew in ((home, away), (away, home)):
                    who = f"{ns},{ew},{_people(ns, 4)},{_people(ew, 4)}"
                    rows.append(f"{round_ + 1},{board},{who},{_score(seed)}")
    return "\n".join(rows) + "\n"


def standings(many: int, players: int = 2, head: str = "", extra: str = "") -> str:
    """A ranking, best first; ``extra`` may speak of {n}, the entrant's number."""
    rows = [f"no,score,players{head}"]
    rows += [
        f"{n},{100 - n},{_people(f'E{n}', players)}{extra.format(n=n)}" for n in range(1, many + 1)
    ]
    return "\n".join(rows) + "\n"


def stratified(many: int) -> str:
    rows = ["no,score,stratum,player1,masterpoints1,player2,masterpoints2"]
    for n in range(1, many + 1):
        stratum, held = "ABC"[n % 3], 3000 // (1 + n % 3) + n
        rows.append(f"{n},{90 - n},{stratum},E{n} One,{held},E{n} Two,{held + 50}")
    return "\n".join(rows) + "\n"


def five_in_a_team() -> str:
    heads = [f"player{k},boards_played{k}" for k in range(1, 6)]
    rows = [f"team,score,{','.join(heads)}"]
    for n, team in enumerate("ABCDEF"):
        fifth = f"{team} Five,12" if team == "A" else ","
        four = ",".join(f"{team} {k},{12 if team == 'A' and k == 'Four' else 24}" for k in FOUR)
        rows.append(f"{team},{90 - n},{four},{fifth}")
    return "\n".join(rows) + "\n"


FOUR = ("One", "Two", "Three", "Four")
GO = (ROOT / "examples" / "go-open.txt").read_text(encoding="utf-8")
NO_SHOW = GO.replace("506 Joseki, Fay 4d\n", "506 Joseki, Fay 4d\n507 Absent, Gus 1k\n")
HANDICAP = GO.replace("501 504 W 0 7", "501 504 W 3 0")
GO_TIES = "place,name,rating,score\n" + "".join(
    f"{n},P{n},{8 - n / 2},{score}\n" for n, score in enumerate((5, 4, 4, 3, 3, 3, 1), 1)
)
SBU, G2020, G2011, GENERAL, AGA = (
    "sbu-clubs-2016",
    "acbl-sof-2020",
    "acbl-sof-2011",
    "acbl-general",
    "aga-category",
)
NIGHT = pairs(10, 8, 3)
OPEN = {"class": "regional", "limit": "none"}
STRONG = {"strength_factor": "22", **OPEN}
SWISS = {"type": "teams", "scoring": "imps", "swiss": "true"}
BAM = {"type": "teams", "scoring": "board-a-match"}


def cases() -> Iterator[Case]:
    yield from _sbu_sessions()
    yield from _sbu_competitions()
    yield from _acbl()
    yield from _other_bodies()
    yield from _go()


def _sbu_sessions() -> Iterator[Case]:
    two = pairs(16, 8, 3, lines=True)
    sections = paired(NIGHT, extra="section=A")
    yield Case("one-winner", paired(NIGHT), SBU)
    yield Case("two-winners", paired(two), SBU)
    yield Case("two-winners-as-one", paired(two), SBU, {}, {"winners": "1"})
    yield Case("a-section", sections, SBU, {}, {"sections_apart": "true"})
    yield Case("two-sections", in_sections(10), SBU, {}, {"rank_sections": "together"})
    yield Case("two-sections-unsaid", in_sections(10), SBU, asks="rank_sections")
    yield Case("two-sections-apart", in_sections(10), SBU, {}, {"sections_apart": "true"})
    handicaps = standings(12, head=",handicap", extra=",{n}")
    made = {"winners": "1", "boards": "24", "ranking_basis": "unadjusted"}
    yield Case("handicaps", handicaps, SBU, made)
    yield Case("handicaps-in-what", handicaps, SBU, asks="ranking_basis")
    yield Case("a-strange-column", paired(NIGHT, extra="weather=rain"), SBU)
    yield Case("a-column-of-the-rulebook", paired(NIGHT, extra="championship=major"), SBU)
    yield Case("stages", paired(NIGHT, pairs(10, 8, 3, session=2)), SBU)
    short = paired(NIGHT, pairs(10, 6, 3, session=2))
    yield Case("a-short-stage", short, SBU, refuses="at least 20 needed")
    yield Case("a-short-night", paired(pairs(10, 6, 3)), SBU, refuses="at least 20 needed")
    yield Case("heat-of-the-sim-pairs", paired(NIGHT), SBU, asks="event")
    yield Case("own-sim-pairs", paired(NIGHT), SBU, {"event": "club"})


def _sbu_competitions() -> Iterator[Case]:
    yield Case("swiss-teams", teams(16, 5, 5), SBU, {}, SWISS)
    too_many = "at least 3 times"
    yield Case("swiss-of-too-many-matches", teams(12, 5, 5), SBU, {}, SWISS, refuses=too_many)
    swiss_pairs = {"scoring": "cross-imps", "swiss": "true"}
    yield Case("swiss-pairs", paired(pairs(20, 5, 5)), SBU, {}, swiss_pairs)
    yield Case("round-robin", teams(6, 5, 5), SBU, {}, {"type": "teams", "scoring": "imps"})
    yield Case("teams-by-their-tables", teams(6, 5, 5), SBU)
    yield Case("five-in-a-team", five_in_a_team(), SBU, {"kind": "teams", "boards": "24"})
    yield Case("individual", individuals(12, 8, 3), SBU)
    listed = {"kind": "individual", "boards": "24"}
    yield Case("individual-as-a-list", standings(12, 1), SBU, listed)
    aggregate = {"kind": "pairs", "competition": "aggregate", "events": "4", "qualifiers": "12"}
    yield Case("aggregate", standings(12), SBU, {**aggregate, "events_kind": "pairs"})
    final = {"kind": "pairs", "competition": "final", "toe": "24", "finalists": "12"}
    final |= {"winners": "1", "events": "4"}
    yield Case("final", standings(12), SBU, {**final, "boards": "36"})


def _other_bodies() -> Iterator[Case]:
    two = paired(pairs(16, 8, 3, lines=True))
    yield Case("ebu-two-lines", two, "ebu-clubs", {"scale": "A"})
    yield Case("ebu-unsaid", two, "ebu-clubs", asks="scale")
    yield Case("abf-howell", paired(NIGHT), "abf-sessions", {"event_grade": "red"})
    yield Case("vbl-club-night", two, "vbl-2017", {"event": "club"})
    yield Case("nap-in-two-colours", two, "acbl-clubs-2017", {"game": "nap-club"})
    handicaps = standings(12, head=",handicap", extra=",{n}")
    game = {"game": "nap-club", "winners": "1", "ranking_basis": "unadjusted"}
    yield Case("nap-by-handicap", handicaps, "acbl-clubs-2017", game, refuses="handicap games")


def _acbl() -> Iterator[Case]:
    two = paired(pairs(16, 8, 3, lines=True))
    yield Case("2020-two-lines", two, G2020, STRONG)
    yield Case("2020-short", paired(pairs(10, 6, 3)), G2020, STRONG)
    yield Case("2020-strata", stratified(21), G2020, {**OPEN, "sessions": "2"})
    held = {"average_masterpoints": "900", "class": "regional"}
    both = paired(NIGHT, pairs(10, 8, 3, session=2))
    yield Case("2011-sessions", both, G2011, held, {"each_session": "true"})
    yield Case("general-board-a-match", teams(8, 7, 4), GENERAL, OPEN, BAM)
    yield Case("2011-board-a-match", teams(8, 7, 4), G2011, held, BAM, refuses="oard-a-match")


def _go() -> Iterator[Case]:
    qualifier = {"qualifier": "yes", "minimum_category": "none"}
    mean = {"mean_rating": "3", **qualifier}
    yield Case("go-ties", GO_TIES, AGA, qualifier, {"section": "open"})
    yield Case("go-open", GO, AGA, mean, {"section": "open"}, suffix=".txt")
    yield Case("go-no-show", NO_SHOW, AGA, mean, {"section": "open"}, suffix=".txt")
    yield Case("go-unsaid", HANDICAP, AGA, mean, {}, asks="section_kind", suffix=".txt")
    handicapped = {"section": "handicapped"}
    yield Case("go-handicap", HANDICAP, AGA, mean, handicapped, refuses="open", suffix=".txt")
