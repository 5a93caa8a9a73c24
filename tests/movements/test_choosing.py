"""Which movement: what it would pay, and whether the rulebook's conditions hold."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from honours.cli import cli
from honours.errors import FileProblem
from honours.movements.balance import advice, best_switched
from honours.movements.choosing import offers, swiss
from honours.movements.generators import any_mitchell, howell
from honours.movements.movement import read_movements
from honours.rulebooks import load
from tests.support import cases


def test_eleven_pairs_by_the_scottish_guide() -> None:
    """20 boards for whoever plays least decide: 11 rounds of two make 20, 10 rounds 18."""
    offered = offers(11, 22, load("sbu-clubs-2016"))
    by_rounds = {
        (len(o.movement.rounds), o.per_set): o for o in offered if "howell" in o.movement.kind
    }
    full = by_rounds[11, 2]
    assert (full.least_boards, full.refusal) == (20, "")
    assert [a.shown for a in full.awards[0].schedule] == ["24", "18", "12", "6"]
    short = by_rounds[10, 2]
    assert short.least_boards == 18
    assert "20" in short.refusal


def test_seven_pairs_as_a_mitchell_are_too_few() -> None:
    offered = offers(7, 21, load("sbu-clubs-2016"))
    two_winners = [o for o in offered if o.findings.winners == 2]
    assert two_winners
    assert all("complete tables" in o.refusal for o in two_winners)


def test_what_a_rulebook_asks_for_is_said() -> None:
    offered = offers(18, 24, load("ebu-clubs"))
    assert all("scale" in offer.refusal for offer in offered)
    assert not any(o.refusal for o in offers(18, 26, load("ebu-clubs"), {"scale": "A"})[:3])


def test_the_command_prints_a_movement_as_data() -> None:
    run = CliRunner().invoke(
        cli, ["movement", "--pairs", "10", "--boards", "27", "--kind", "howell", "--json"]
    )
    assert run.exit_code == 0
    rounds = json.loads(run.stdout)["rounds"]
    assert len(rounds) == 9
    assert set(rounds[0][0]) == {"table", "ns", "ew", "boards"}
    played = [
        (pair, board)
        for tables in rounds
        for row in tables
        for pair in (row["ns"], row["ew"])
        for board in row["boards"]
    ]
    assert len(played) == len(set(played)) == 10 * 27


@cases
def test_the_command_prints_every_kind(arguments: list[str]) -> None:
    run = CliRunner().invoke(cli, ["movement", *arguments])
    assert run.exit_code == 0, run.output
    assert "round" in run.stdout


def test_a_club_writes_its_own_movement(tmp_path: Path) -> None:
    own = howell(5)
    head = f"{len(own.pairs)} {own.tables} {len(own.rounds)} {len(own.sets)} 0"
    rows = ["  ".join(f"{s.ns}-{s.ew} {s.set}" for s in seats) for seats in own.rounds]
    file = tmp_path / "own.asc"
    file.write_text("\n".join((head, *rows, "")), encoding="ascii")
    [movement] = read_movements(file)
    assert movement.rounds == own.rounds


def test_ebuscore_files_are_read(tmp_path: Path) -> None:
    file = tmp_path / "PSMovements.txt"
    file.write_text("Two tables\n0,2,6,2,3,0\n4,1,1,4,2,2,4,3,3\n2,3,1,3,1,2,1,2,3\n", "ascii")
    [movement] = read_movements(file)
    assert movement.rounds == howell(2).rounds


@cases
def test_a_wrong_file_is_refused_with_its_line(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "own.asc"
    file.write_text(text, encoding="ascii")
    with pytest.raises(FileProblem, match=message):
        read_movements(file)


@cases
def test_swiss_teams_and_individuals_are_compared_too(asked: list[str], text: str) -> None:
    shown = CliRunner().invoke(cli, ["movement", *asked, "--rulebook", "sbu-clubs-2016"])
    assert shown.exit_code == 0, shown.output
    assert text in shown.output


def test_a_swiss_has_no_replays_and_one_bye_each() -> None:
    movement = swiss(7, 5)
    met = [frozenset((s.ns, s.ew)) for _, s in movement.played()]
    assert len(met) == len(set(met)) == 15
    assert len({movement.sitting_out(n) for n in range(1, 6)}) == 5


def test_the_usual_advice_stands_beside_the_best_switch() -> None:
    text = advice(best_switched(any_mitchell(12), 2), 2)
    assert str(text).startswith("balance 89.1; the usual advice")
    assert str(text).endswith("rounds 11, 12, 88.5")


@pytest.mark.parametrize(("pairs", "kind"), [(8, "howell"), (14, "mitchell"), (18, "mitchell")])
def test_what_is_offered_first_is_what_clubs_play(pairs: int, kind: str) -> None:
    first = offers(pairs, 24)[0]
    assert first.movement.kind.endswith(kind)
    assert first.per_set >= 3
