"""What can be wrong with the files of a corpus, one by one, as the commands tell it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result

from honours.cli import cli
from honours.lab import store
from honours.lab.corpus import Corpus
from tests.lab.histories import lab
from tests.support import cases

EVENTS = 12
PAIRS = 8
AWARD_OF_AN_EVENT = 18 + 12 + 6
ROWS = {"events": 2, "entrants": 2 * PAIRS, "players": 4 * PAIRS, "results": 2 * PAIRS}
"""Of a row group: two events."""


def award(folder: Path) -> Result:
    return lab("award", folder, "--rulebook", "sbu-clubs-2016", "--out", folder / "out", "--json")


def spoil(folder: Path, table: str, change: Callable[[Any], Any], rows: int = 0) -> None:
    path = store.shard_file(folder, table, 0)
    changed = change(pq.read_table(path))
    pq.write_table(changed, path, row_group_size=rows or ROWS[table])


def with_null(column: str, row: int) -> Callable[[Any], Any]:
    def change(table: Any) -> Any:
        values = table[column].to_pylist()
        values[row] = None
        at, kind = table.schema.get_field_index(column), table.schema.field(column).type
        return table.set_column(at, column, pa.array(values, kind))

    return change


def corrupt(path: Path, group: int) -> None:
    """Spoil the bytes of a row group's first column, and nothing else."""
    column = pq.ParquetFile(path).metadata.row_group(group).column(0)
    start = column.dictionary_page_offset or column.data_page_offset
    content = bytearray(path.read_bytes())
    content[start : start + column.total_compressed_size] = b"\xff" * column.total_compressed_size
    path.write_bytes(bytes(content))


def refused(folder: Path, message: str) -> None:
    """Every command names the problem, and nothing was begun."""
    for run in (award(folder), lab("check", folder)):
        assert run.exit_code == 2, run.output
        assert message in run.output, run.output
    assert not (folder / "out").exists()


def set_aside(folder: Path, events: dict[int, str]) -> None:
    """These events are reported with file and row group, and all the others are awarded."""
    run = award(folder)
    data = json.loads(run.stdout)
    assert {one["event"]: one["why"] for one in data["set_aside"]} == events
    assert not data["problems"]
    assert data["total"] == AWARD_OF_AN_EVENT * (EVENTS - len(events))
    checked = json.loads(lab("check", folder, "--json").stdout)
    assert {one["event"]: one["why"] for one in checked["set_aside"]} == events


def test_nothing_is_wrong_with_the_small_corpus(small: Path) -> None:
    assert "nothing wrong" in lab("check", small).output
    spoil(small, "events", with_null("boards", 2))  # which may be null
    set_aside(small, {})


def _backwards(table: Any) -> Any:
    return table.take(list(range(table.num_rows))[::-1])


@pytest.mark.parametrize(
    ("table", "change", "rows", "message"),
    [
        (
            "players",
            lambda t: t.drop_columns(["player"]),
            0,
            "column 'player' is missing; expected int32",
        ),
        (
            "entrants",
            lambda t: t.set_column(2, "place", t["place"].cast(pa.float64())),
            0,
            "column 'place' is double; expected uint16",
        ),
        ("entrants", _backwards, 1000, "row group 0 is not sorted by event at its row 8"),
        ("entrants", _backwards, 0, "row group 1 begins at event 2, after 5 in"),
        ("entrants", lambda t: t, 12, "event 1 is split: entrants-00000.parquet, row group 0 and"),
    ],
    ids=["a column", "a type", "rows", "row groups", "an event in two"],
)
def test_a_file_that_cannot_be_used(
    small: Path, table: str, change: Callable[[Any], Any], rows: int, message: str
) -> None:
    spoil(small, table, change, rows)
    refused(small, f"{table}-00000.parquet: {message}")


def test_a_file_that_is_not_there_or_not_parquet(small: Path) -> None:
    store.shard_file(small, "players", 1).unlink()
    refused(small, "players-00001.parquet: missing")
    store.shard_file(small, "events", 1).write_text("event,kind\n1,pairs\n")
    refused(small, "events-00001.parquet: not a Parquet file that can be read")


def test_overlapping_files(small: Path) -> None:
    for table in ("events", "entrants", "players", "results"):
        path = store.shard_file(small, table, 1)
        path.write_bytes(store.shard_file(small, table, 0).read_bytes())
    refused(
        small,
        "events-00001.parquet: row group 0 begins at event 0, after 5 in "
        "events-00000.parquet, row group 2",
    )


def test_an_event_split_over_two_files(small: Path) -> None:
    for table in ("events", "entrants", "players"):
        last = pq.read_table(store.shard_file(small, table, 0)).filter(pc.field("event") == 5)
        path = store.shard_file(small, table, 1)
        pq.write_table(pa.concat_tables([last, pq.read_table(path)]), path)
    refused(
        small,
        "event 5 is split: players-00000.parquet, row group 2 and "
        "players-00001.parquet, row group 0",
    )


@pytest.mark.parametrize(
    ("table", "column", "row", "events"),
    [
        ("entrants", "place", 3 * PAIRS + 1, [3]),
        ("players", "player", 2 * PAIRS * 4, [4]),
        ("entrants", "event", 3 * PAIRS, [2, 3]),
    ],
)
def test_a_null_costs_its_event_only(
    small: Path, table: str, column: str, row: int, events: list[int]
) -> None:
    """Without the number of its event, a row costs the events on either side."""
    spoil(small, table, with_null(column, row))
    group, inside = divmod(row, ROWS[table])
    where = f"{table}-00000.parquet, row group {group}"
    set_aside(small, dict.fromkeys(events, f"{where}: {column!r} is null in its row {inside}"))
    message = f"{table}-00000.parquet: row group {group}: {column!r} is null in its row {inside}"
    assert message in lab("check", small).stderr


def test_an_event_without_a_number(small: Path) -> None:
    spoil(small, "events", with_null("event", 3))
    reasons = {
        2: "events-00000.parquet, row group 1: 'event' is null in its row 1",
        3: "entrants-00000.parquet, row group 1: it is not in the table of events",
    }
    set_aside(small, reasons)


@cases
def test_an_event_that_a_table_lacks(
    small: Path, tables: list[str], event: int, reason: str
) -> None:
    for table in tables:
        spoil(small, table, lambda t: t.filter(pc.field("event") != event))
    set_aside(small, {event: reason})


def test_a_corrupt_row_group_costs_its_events_only(small: Path) -> None:
    corrupt(store.shard_file(small, "players", 0), 2)
    run = award(small)
    assert run.exit_code == 1
    assert run.stderr.startswith(f"{small}/players-00000.parquet: row group 2: is corrupt")
    data = json.loads(run.stdout)
    assert [one["event"] for one in data["set_aside"]] == [4, 5]
    assert "players-00000.parquet, row group 2: is corrupt" in data["set_aside"][0]["why"]
    assert data["total"] == AWARD_OF_AN_EVENT * (EVENTS - 2)


def test_what_is_set_aside_is_told_in_a_line_a_reason(small: Path) -> None:
    spoil(small, "players", lambda t: t.filter(pc.greater(pc.field("event"), 3)))
    out = small / "out"
    run = lab("award", small, "--rulebook", "sbu-clubs-2016", "--out", out)
    assert run.exit_code == 0
    assert "set aside: 4 events (0, 1, 2, 3)" in run.stderr


def test_what_is_set_aside_is_told_in_the_readers_language(small: Path) -> None:
    spoil(small, "players", lambda t: t.filter(pc.field("event") != 2))
    in_french = CliRunner(env={"HONOURS_LANGUAGE": "fr"})
    books = ("sbu-clubs-2016", "ebu-clubs")
    for command in (
        ["award", small, "--rulebook", books[0], "--out", small / "out"],
        ["compare", small, *books],
    ):
        run = in_french.invoke(cli, ["lab", *map(str, command)])
        assert "un inscrit n’a pas de joueurs" in run.output, run.output


def test_a_corrupt_row_group_of_results_is_not_the_end_of_scoring(small: Path) -> None:
    corrupt(store.shard_file(small, "results", 0), 1)
    run = lab("score", small, "--out", small / "out", "--json")
    assert run.exit_code == 1
    data = json.loads(run.stdout)
    assert data["rows"] == PAIRS * (EVENTS - 2)
    assert "results-00000.parquet, row group 1: is corrupt" in data["problems"][0]["problem"]
    assert "events 2 to 3 set aside" in data["problems"][0]["problem"]


def test_a_null_among_results_is_not_the_end_of_scoring(small: Path) -> None:
    spoil(small, "results", with_null("score", 0))
    run = lab("score", small, "--out", small / "out", "--json")
    data = json.loads(run.stdout)
    assert data["rows"] == PAIRS * (EVENTS - 1)
    assert "'score' is null in its row 0: event 0 set aside" in data["problems"][0]["problem"]


def test_unsorted_rows_never_give_an_answer(small: Path) -> None:
    """A notebook that does not ask for a check is not told figures made from shuffled rows."""
    spoil(small, "entrants", lambda t: t.take(list(range(t.num_rows))[::-1]), rows=1000)
    with pytest.raises(Exception, match="not sorted by event"):
        Corpus.open(small).award("sbu-clubs-2016")
