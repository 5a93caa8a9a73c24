"""Bringing a history: tables and files of events at once, interrupted and gone on with, and what
real files say was paid."""

from __future__ import annotations

import json
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import honours
from honours.engine.numbers import SCALE
from honours.errors import InputError
from honours.lab.corpus import Corpus
from honours.lab.history import importing
from honours.lab.history.event_files import event_rows
from honours.lab.history.importing import ImportRequest, ImportResult, bring
from honours.lab.shard_awards import award_shard
from honours.lab.sides import as_side
from tests.lab.histories import history, imported, lab, write_csv
from tests.support import ROOT

STANDINGS = "pair,score,player1,masterpoints1,player2,masterpoints2\n{}"
PAIRS = [
    "1,60,10000009999,2400,{0},1800",
    "2,55,Z0000002,30,Dot,80",
    "3,50,Eve,700,Fay,650",
]


def _folder(tmp_path: Path, files: int = 4) -> Path:
    folder = tmp_path / "season"
    folder.mkdir()
    for k in range(files):
        rows = "\n".join(PAIRS).format(f"Ben{k}")
        (folder / f"evening-{k}.csv").write_text(STANDINGS.format(rows), encoding="utf-8")
    return folder


def bring_folder(
    folder: Path, target: Path, given: Mapping[str, str] | None = None
) -> ImportResult:
    return bring(ImportRequest([str(folder)], given or {}), target)


def largest(corpus: Corpus) -> Fraction:
    """The most that anybody was paid."""
    paid = award_shard(as_side("as-paid", corpus), corpus.read(0))
    return Fraction(int(paid.amounts.max()), SCALE)


def test_a_folder_may_mix_tables_and_files_of_events(tmp_path: Path) -> None:
    folder = _folder(tmp_path)
    rows = [*history(5)]
    rows[0]["Member 1"] = "Z0000002"
    write_csv(folder / "history.csv", rows)
    (folder / "notes.txt").write_text("Tea at four.", encoding="utf-8")
    brought = bring_folder(folder, tmp_path / "corpus")
    assert brought.events == 9
    assert brought.plan is not None
    assert "1 file of no kind we know, passed over: notes.txt" in map(str, brought.notes())
    corpus = Corpus.open(tmp_path / "corpus")
    assert corpus.table("events")["event"].to_pylist() == list(range(9))
    by_number = corpus.member_ids()
    known = {i: number for number, i in by_number.items()}
    files_players = corpus.read(corpus.shards[-1]).player.tolist()
    assert known["Z0000002"] in files_players, "a member is the same in the table and the files"
    assert "Eve" not in by_number.values(), "names stay out of a corpus"
    assert award_shard(as_side("as-paid", corpus), corpus.read(0)).amounts.any()


def test_an_event_of_a_table_is_not_taken_again_from_its_file(tmp_path: Path) -> None:
    folder = _folder(tmp_path, files=1)
    rows = [
        {"Event ID": "x", "Place": k + 1, "Kind": "Pairs", "Member 1": one, "Member 2": other}
        for k, (one, other) in enumerate(
            [("10000009999", "Ben0"), ("Z0000002", "Dot"), ("Eve", "Fay")]
        )
    ]
    write_csv(folder / "history.csv", [*history(3), *rows])
    brought = bring_folder(folder, tmp_path / "corpus")
    assert brought.events == 4
    assert any("taken once" in str(note) for note in brought.notes())


def test_an_interrupted_import_of_files_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stopped in the middle of the third file, it has two; started again, what it would have had
    at once."""
    folder = _folder(tmp_path)
    whole = bring_folder(folder, tmp_path / "whole").corpus
    taken, seen = event_rows, list[object]()

    def stopping(*arguments: Any) -> Any:
        seen.append(arguments)
        if len(seen) == 3:
            raise KeyboardInterrupt
        return taken(*arguments)

    with monkeypatch.context() as patched:
        patched.setattr(importing, "event_rows", stopping)
        stopped = lab("import", folder, tmp_path / "corpus")
    assert stopped.exit_code == 130
    assert "holds 2 of 4 files; the same command continues from here" in stopped.stderr
    assert Corpus.open(tmp_path / "corpus").table("events").num_rows == 2
    other = lab("import", folder, tmp_path / "corpus", "class=regional")
    assert "holds another import that is not finished" in other.output
    again = lab("import", folder, tmp_path / "corpus", "--json")
    assert json.loads(again.stdout)["events"] == 4
    corpus = Corpus.open(tmp_path / "corpus")
    for table in ("events", "entrants", "players"):
        assert corpus.table(table).to_pylist() == whole.table(table).to_pylist()
    assert "stopped after" not in corpus.manifest["about"]
    assert not (tmp_path / "corpus" / ".import").exists()


# --- what was paid ------------------------------------------------------------------------------


def test_whole_figures_that_no_rule_explains_are_left_out_and_asked_about(tmp_path: Path) -> None:
    folder = tmp_path / "files"
    folder.mkdir()
    (folder / "a.xml").write_text(_usebio((17, 13, 3)), encoding="utf-8")
    brought = bring_folder(folder, tmp_path / "corpus")
    assert not brought.corpus.tells_paid
    assert any("say paid=points or paid=hundredths" in str(note) for note in brought.notes())
    in_hundredths = bring_folder(folder, tmp_path / "told", {"paid": "hundredths"})
    assert largest(in_hundredths.corpus) == Fraction(17, 100)
    wrong = lab("import", folder, tmp_path / "wrong", "paid=thousandths")
    assert wrong.exit_code == 2
    assert "unit of what was paid" in wrong.output


def _usebio(points: tuple[int, ...]) -> str:
    pairs = "".join(
        f"<PAIR><PAIR_NUMBER>{k}</PAIR_NUMBER><PERCENTAGE>{60 - k}</PERCENTAGE>"
        f"<PLACE>{k}</PLACE><MASTER_POINTS><MASTER_POINTS_AWARDED>{won}</MASTER_POINTS_AWARDED>"
        "<MASTER_POINT_TYPE>BLACK</MASTER_POINT_TYPE></MASTER_POINTS>"
        f"<PLAYER><PLAYER_NAME>A{k}</PLAYER_NAME></PLAYER>"
        f"<PLAYER><PLAYER_NAME>B{k}</PLAYER_NAME></PLAYER></PAIR>"
        for k, won in enumerate(points, 1)
    )
    return (
        '<?xml version="1.0"?><USEBIO Version="1.2"><CLUB><CLUB_NAME>C</CLUB_NAME></CLUB>'
        '<EVENT EVENT_TYPE="MP_PAIRS"><EVENT_DESCRIPTION>E</EVENT_DESCRIPTION>'
        "<DATE>01/02/2020</DATE><WINNER_TYPE>1</WINNER_TYPE>"
        f"<PARTICIPANTS>{pairs}</PARTICIPANTS></EVENT></USEBIO>"
    )


# --- from Python --------------------------------------------------------------------------------


def test_python_takes_what_the_command_takes(tmp_path: Path) -> None:
    """A folder of files and tables, one file, and events that were read and ruled on."""
    folder = _folder(tmp_path, files=2)
    write_csv(folder / "history.csv", [*history(3)])
    assert lab("import", folder, tmp_path / "command", "class=regional").exit_code == 0
    taken = Corpus.take(folder, tmp_path / "python", given={"class": "regional"})
    for table in ("events", "entrants", "players"):
        command = Corpus.open(tmp_path / "command").table(table)
        assert taken.table(table).to_pylist() == command.to_pylist()
    alone = Corpus.take(folder / "evening-1.csv", tmp_path / "alone", profile="acbl")
    assert alone.count("events") == 1
    assert alone.manifest["about"]["profile"] == "acbl"


def test_python_takes_events_that_were_read(tmp_path: Path) -> None:
    results = tmp_path / "boards.csv"
    lines = ["board,ns,ew,score"]
    scores = (420, 450, -50, 170)
    lines += [f"{b},{k + 1},{k + 11},{scores[(b + k) % 4]}" for b in range(1, 5) for k in range(4)]
    results.write_text("\n".join(lines) + "\n", encoding="utf-8")
    ruling = {"kind": "winners", "winners": "1", "by": "A. Director"}
    ruled = honours.rule(honours.read(results), ruling)
    corpus = Corpus.take([ruled, _folder(tmp_path, files=1)], tmp_path / "corpus")
    assert corpus.count("events") == 2
    assert "line" not in corpus.table("entrants").column_names
    apart = Corpus.take(honours.read(results), tmp_path / "apart")
    assert apart.table("entrants")["line"].to_pylist() == [1] * 4 + [2] * 4


def test_an_unknown_option_of_taking_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="profle"):
        Corpus.take(_folder(tmp_path, files=1), tmp_path / "corpus", profle="acbl")


def test_an_event_in_two_files_of_a_folder_is_taken_once(tmp_path: Path) -> None:
    """88 events were made of 47 titles: a folder held each as two programs write it."""
    source = tmp_path / "season"
    source.mkdir()
    content = (ROOT / "examples" / "go-open.txt").read_bytes()
    for name in ("open.txt", "copy of open.txt"):
        (source / name).write_bytes(content)
    brought = bring(ImportRequest([str(source)]), tmp_path / "corpus")
    assert brought.events == 1
    assert any("taken once" in str(note) for note in brought.notes())


def test_a_tournament_is_the_event_where_no_other_column_names_one(tmp_path: Path) -> None:
    rows = [{"Tournament": row.pop("Event ID"), "Sort": 1, **row} for row in history(20)]
    made = imported(tmp_path, rows)
    assert made.events == 20
    notes = [str(note) for note in made.notes()]
    assert "corpus.csv: column 'Tournament' is taken for the event's id" in notes
    assert any("column 'Sort' is left out: not understood" in note for note in notes)


@pytest.mark.parametrize("query", ["select * from results;", "select * from results limit 100"])
def test_a_query_may_end_as_queries_do_and_is_told_what_is_wrong(
    tmp_path: Path, query: str
) -> None:
    duckdb = pytest.importorskip("duckdb")
    write_csv(tmp_path / "a.csv", history(12))
    with duckdb.connect(str(tmp_path / "a.duckdb")) as db:
        db.execute(f"create view results as select * from read_csv('{tmp_path / 'a.csv'}')")
    assert bring(
        ImportRequest([str(tmp_path / "a.duckdb")], query=query), tmp_path / "corpus"
    ).events
    with pytest.raises(InputError, match="the query fails: Parser Error"):
        bring(ImportRequest([str(tmp_path / "a.duckdb")], query="select from"), tmp_path / "other")
