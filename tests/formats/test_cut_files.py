"""Files cut off at many places: what is lost is refused or doubted, and a doubt is not paid."""

import contextlib
from collections.abc import Iterable
from pathlib import Path

import pytest

from honours.errors import Asked, FileProblem, HonoursError
from honours.formats.detect import read
from honours.formats.honours_json import write_json
from honours.formats.members import MemberList
from honours.formats.table_standings import StandingsFile, StandingsTable
from honours.pipeline import inquired, ranked
from honours.pipeline.account import accounts
from honours.rulebooks import load
from tests.formats.test_detect import MADE
from tests.support import cases

MET = [(b, ns, 4 + (ns + (b - 1) // 2) % 4) for b in range(1, 9) for ns in (1, 2, 3)]
"""Three tables and eight boards, two in a round: board, and who met."""
CSV = "board,ns,ew,score\n" + "".join(f"{b},{ns},{ew},{10 * ns}\n" for b, ns, ew in MET)
TABLE = '[ScoreTable "PairId_NS;PairId_EW;Contract;Declarer;Result"]\n'
PBN = "% PBN 2.1\n" + "".join(
    f'[Event "Tuesday"]\n[Board "{board}"]\n{TABLE}'
    + "".join(f"{ns} {ew} 4S N {8 + ns}\n" for b, ns, ew in MET if b == board)
    for board in range(1, 9)
)
TYPED = "".join(
    f"board {board}\n" + "".join(f"{ns} {ew} 4S N =\n" for b, ns, ew in MET if b == board)
    for board in range(1, 9)
)
LONG = {"results": CSV, "pbn": PBN, "typed-in": TYPED}
"""Results without a mark at their end; where they are cut between rounds nothing can tell."""


def silent(path: Path, text: str, cuts: Iterable[int]) -> list[int]:
    """Where a text may be cut with something lost and no word said."""
    data = text.encode("iso-8859-1")
    path.write_bytes(data)
    whole, doubts = told(path)
    assert not doubts
    found = []
    for at in cuts:
        path.write_bytes(data[:at])
        with contextlib.suppress(HonoursError):
            content, doubts = told(path)
            found += [at] if content != whole and not doubts else []
    return found


def told(path: Path) -> tuple[bytes, tuple[str, ...]]:
    form, content = read(path)
    assert not isinstance(content, MemberList | StandingsTable)
    (account,) = accounts(path, form, content)
    return write_json(content), account.doubts


MARKED = ["usebio", "opengotha", "macmahon", "pairgoth", "acbl-json", "aga-report", "lin"]
PAGES = ["acbl-live", "bbo", "realbridge"]


@pytest.mark.parametrize("kind", [*MARKED, *PAGES])
def test_what_ends_with_a_mark_is_held_to_it(kind: str, tmp_path: Path) -> None:
    size = len(MADE[kind])
    assert silent(tmp_path / "x", MADE[kind], {*range(1, size, 11), *range(size - 30, size)}) == []


@pytest.mark.parametrize("kind", LONG)
def test_results_that_stop_short_are_doubted(kind: str, tmp_path: Path) -> None:
    """Cut after any line; between two rounds nothing can tell."""
    lines = LONG[kind].splitlines(keepends=True)
    ends = {len("".join(lines[:n])): n for n in range(len(lines) // 2, len(lines))}
    boards = len(lines) // 8
    found = silent(tmp_path / "x", LONG[kind], ends)
    assert {(ends[at] - len(lines)) % (2 * boards) for at in found} <= {0}


BY_TABLES = "round,board,ns,ew,score\n" + "".join(
    f"{r},{2 * r - 2 + b},{ns},{5 + (ns + r) % 4},{10 * ns}\n"
    for r in range(1, 5)
    for ns in range(1, 5)
    for b in (1, 2)
)
"""Four tables and four rounds, told table by table."""
LISTS = {
    "boards": "pair,score,boards\n1,60.5,24\n2,50.5,24\n3,40.5,24\n4,48.5,24",
    "decimals": "pair,score\n1,60.25\n2,50.50\n3,41.75\n4,47.50",
    "lines": "pair,line,score\n"
    + "".join(f"{n},{line},{60 - n}\n" for line in ("NS", "EW") for n in range(1, 7)),
    "percentages": "place,pair,percentage\n1,3,60\n2,1,55\n3,4,45\n4,2,40\n",
    "numbers": "pair,score\n3,60\n1,55\n7,54\n5,53\n2,52\n4,51\n6,50\n",
}


def test_a_table_or_a_round_that_stops_short_is_doubted(tmp_path: Path) -> None:
    rows = BY_TABLES.splitlines(keepends=True)
    ends = {len("".join(rows[:n])): len(rows) - n for n in range(4, len(rows))}
    found = [ends[at] for at in silent(tmp_path / "x", BY_TABLES, ends)]
    assert set(found) <= {8, 16, 24, 26, 28, 29}  # between rounds, or in the first one


@cases
def test_a_list_that_stops_short_is_doubted(kind: str, lost: int, tmp_path: Path) -> None:
    """Inside its last figure where all others are alike or as long; a line two pairs short;
    percentages that are above average together; or numbers with gaps."""
    assert silent(tmp_path / "x", LISTS[kind], [len(LISTS[kind]) - lost]) == []


def test_what_another_event_follows_was_not_cut_off(tmp_path: Path) -> None:
    path, rows = tmp_path / "x.csv", CSV[:-10].splitlines()
    events = [f"{name},{row}" for name in ("first", "second") for row in rows[1:]]
    path.write_text("\n".join([f"event,{rows[0]}", *events]), encoding="utf-8")
    first, second = accounts(path, *read(path))
    assert not first.doubts
    assert second.doubts


def test_a_match_on_screen_is_held_to_its_results(tmp_path: Path) -> None:
    """Every board with a result has a deal, and the last is told to its end."""
    path = tmp_path / "x"
    whole = MADE["lin"].replace("I,1,1", "I,1,2").replace("3NN+1|", "3NN+1,2CN=,2CN=|")
    for text in (whole, MADE["lin"].replace("mb|p|pg", "pg")):
        path.write_text(text, encoding="utf-8")
        assert told(path)[1]


def test_a_doubt_is_asked_before_anything_is_paid(tmp_path: Path) -> None:
    path = tmp_path / "tuesday.csv"
    path.write_text(CSV[:-10], encoding="utf-8")
    form, content = read(path)
    (account,) = accounts(path, form, content)
    report, book = ranked(account), load("ebu-clubs")
    with pytest.raises(Asked) as asked:
        inquired(report, book, {"scale": "A"}, as_usual=True)
    (question,) = (one for one in asked.value.questions if "whole" in one.facts)
    assert [one.value for one in question.alternatives] == ["yes", "no"]
    assert inquired(report, book, {"scale": "A", "whole": "yes"}, as_usual=True).awards
    with pytest.raises(FileProblem, match="cut off"):
        inquired(report, book, {"scale": "A", "whole": "no"}, as_usual=True)
    assert isinstance(read(_standings(tmp_path))[1], StandingsFile)


def _standings(folder: Path) -> Path:
    path = folder / "list.csv"
    path.write_text("pair,score,boards\n1,60,24\n2,40", encoding="utf-8")
    content = read(path)[1]
    assert isinstance(content, StandingsFile)
    assert content.doubts
    return path
