"""EBU master points: beside the program salliere, on its whole events, and on real files."""

from __future__ import annotations

import csv
import random
import subprocess
from pathlib import Path

import pytest

from honours.engine.award import calculate
from honours.errors import MissingInput
from honours.model import Origin
from honours.pipeline import awarded, ranked, read_account
from honours.rulebooks import load
from tests.support import needs_tool

SCALES = ("A", "B", "C", "D", "E", "QA", "QB", "QC", "QD", "QE")
ENTRANTS = {"pairs": "pairs", "individual": "players"}


def _scores(rng: random.Random, entrants: int) -> list[int]:
    """Percentages in order, with ties here and there."""
    score, scores = 95, []
    for _ in range(entrants):
        scores.append(score)
        score -= rng.choice((0, 1, 1, 1))
    return scores


def _ties(scores: list[int]) -> str:
    """Which places are shared: ``3-4, 7-9``."""
    spans = {s: (scores.index(s) + 1, scores.index(s) + scores.count(s)) for s in scores}
    return ", ".join(f"{first}-{last}" for first, last in spans.values() if last > first)


def _salliere(folder: Path, kind: str, scale: str, boards: int, scores: list[int]) -> list[int]:
    """What the program awards, in order of place."""
    program = [needs_tool("java"), "-jar", needs_tool("/usr/games/salliere")]
    names = folder / "names.csv"
    people = ("first", "second") if kind == "pairs" else ("only",)
    with names.open("w", newline="", encoding="ascii") as file:
        rows = csv.writer(file)
        rows.writerows((i, *people, s, s) for i, s in enumerate(scores, 1))
    with (folder / "boards.csv").open("w", newline="", encoding="ascii") as file:
        csv.writer(file).writerows(
            (board, 1, 2, "4H", "N", 10, "", "", "") for board in range(1, boards + 1)
        )
    command = [*program, f"--mpscale={scale}", "localpoint", "--", "boards.csv", "names.csv"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=120)
    with names.open(newline="", encoding="ascii") as file:
        written = {int(row[0]): row for row in csv.reader(file) if row}
    paid = [written[i][3 + len(people)] for i in range(1, len(scores) + 1)]
    return [int(float(points or 0)) for points in paid]


@pytest.mark.parametrize("seed", range(10))
def test_random_events_are_paid_as_salliere_pays_them(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    kind = rng.choice(("pairs", "individual"))
    scale, boards = rng.choice(SCALES), rng.randint(12, 48)
    scores = _scores(rng, rng.randint(8, 60))
    given = {"kind": kind, ENTRANTS[kind]: len(scores), "boards": boards, "scale": scale}
    [awards] = calculate(load("ebu-clubs"), given, _ties(scores))
    ours = [int(award.amount) for award in awards.schedule]
    ours += [0] * (len(scores) - len(ours))
    assert ours == _salliere(tmp_path, kind, scale, boards, scores)


def _table(folder: Path, boards: list[str]) -> Path:
    rows = (f"{n},A {n},B {n},{70 - n},{count}" for n, count in enumerate(boards, 1))
    path = folder / "standings.csv"
    path.write_text("\n".join(["place,player1,player2,percentage,boards", *rows]), encoding="utf-8")
    return path


def test_a_column_of_boards_says_how_many_the_event_had(tmp_path: Path) -> None:
    """As many as who played most; one who sat out does not make it shorter."""
    given = {"kind": "pairs", "scale": "A"}
    book = load("ebu-clubs")
    report = ranked(read_account(_table(tmp_path, ["22", "24", *["23"] * 6])))
    assert report.lists[0].sources["boards"].origin is Origin.DERIVED
    awards = awarded(report, book, given).awards
    assert awards is not None
    assert [a.shown for a in awards.lists[0].schedule][:4] == ["18", "12", "6", "0"]
    short = awarded(ranked(read_account(_table(tmp_path, ["11"] * 8))), book, given).awards
    assert short is not None
    assert "12" in str(short.lists[0].refusal)


@pytest.mark.parametrize("boards", [["24", "", *["24"] * 6], ["0"] * 8])
def test_boards_of_which_some_are_not_said_are_asked(tmp_path: Path, boards: list[str]) -> None:
    report = ranked(read_account(_table(tmp_path, boards)))
    with pytest.raises(MissingInput, match="boards"):
        awarded(report, load("ebu-clubs"), {"kind": "pairs", "scale": "A"})
