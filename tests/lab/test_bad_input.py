"""What can be wrong with the tables a corpus is made of, and with its files afterwards."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from honours.errors import HonoursError, InputError
from honours.lab import store
from honours.lab.corpus import Corpus
from honours.lab.history.staging import REASONS
from tests.lab.conftest import small_tables
from tests.lab.histories import lab

EVENTS = 12
PAIRS = 8
AWARD_OF_AN_EVENT = 18 + 12 + 6


def changed(column: str, row: int, value: object) -> Callable[[Any], Any]:
    def change(table: Any) -> Any:
        values = table[column].to_pylist() if column in table.column_names else [None] * len(table)
        values[row] = value
        rest = table.drop_columns([column]) if column in table.column_names else table
        return rest.append_column(column, pa.array(values, pa.int32()))

    return change


def without(event: int) -> Callable[[Any], Any]:
    return lambda table: table.filter(pc.field("event") != event)


def again(row: int) -> Callable[[Any], Any]:
    return lambda table: pa.concat_tables([table, table.slice(row, 1)])


def test_nothing_is_wrong_with_the_small_corpus(small: Path) -> None:
    assert "nothing wrong" in lab("check", small).output


@pytest.mark.parametrize(
    ("changes", "event", "code"),
    [
        ({"players": without(2)}, 2, "no players"),
        ({"entrants": without(4), "players": without(4)}, 4, "no entrants"),
        ({"events": again(1)}, 1, "event twice"),
        ({"entrants": again(PAIRS)}, 1, "entrant twice"),
        ({"entrants": changed("place", 3 * PAIRS, 0)}, 3, "no place"),
        ({"entrants": changed("place", 3 * PAIRS + 1, 7)}, 3, "places"),
        ({"entrants": changed("tied", 3 * PAIRS + 1, 2)}, 3, "places"),
        ({"entrants": changed("line", 2 * PAIRS, 1)}, 2, "line"),
        ({"players": changed("entrant", 0, 99)}, 0, "no entrant"),
        ({"players": changed("holding", 5, -1)}, 0, "holding"),
        ({"players": changed("player", 1, 0)}, 0, "two seats"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_an_event_that_cannot_be_is_set_aside(
    tmp_path: Path, changes: dict[str, Callable[[Any], Any]], event: int, code: str
) -> None:
    """It is named with the reason, and all the others are awarded."""
    tables = small_tables(0, EVENTS)
    tables |= {name: change(tables[name]) for name, change in changes.items()}
    corpus = Corpus.of(tmp_path / "made", unit="corpus", **tables)
    assert corpus.notes == (f"event {event}: {REASONS[code]}",)
    assert corpus.count("events") == EVENTS - 1
    total = sum(corpus.award("sbu-clubs-2016")["amount"].to_pylist())
    assert total == 10_000 * AWARD_OF_AN_EVENT * (EVENTS - 1)


def test_tables_of_nothing_that_can_be_make_no_corpus(tmp_path: Path) -> None:
    tables = small_tables(0, 3)
    tables["players"] = tables["players"].slice(0, 0)
    with pytest.raises(InputError, match="no event could be taken: event 0: an entrant has no"):
        Corpus.of(tmp_path / "made", unit="corpus", **tables)
    assert not (tmp_path / "made").exists()


def corrupt(path: Path, group: int) -> None:
    """Spoil the bytes of a row group's first column, and nothing else."""
    column = pq.ParquetFile(path).metadata.row_group(group).column(0)
    start = column.dictionary_page_offset or column.data_page_offset
    content = bytearray(path.read_bytes())
    content[start : start + column.total_compressed_size] = b"\xff" * column.total_compressed_size
    path.write_bytes(bytes(content))


def refused(folder: Path, message: str) -> None:
    """Every command names the problem, and nothing was begun."""
    out = ("--out", folder / "out")
    runs = [lab("award", folder, "--rulebook", "sbu-clubs-2016", *out), lab("check", folder)]
    for run in (*runs, lab("score", folder, *out)):
        assert run.exit_code == 2, run.output
        assert message in run.output, run.output
    assert not (folder / "out").exists()


def test_a_corrupt_row_group_is_named_before_a_run_and_never_left_out(small: Path) -> None:
    path = store.shard_file(small, "players", 0)
    corrupt(path, 2)
    refused(small, f"{path}: not as it was made")
    with pytest.raises(HonoursError, match="row group 2 is corrupt"):
        Corpus.open(small).award("sbu-clubs-2016")


def test_a_file_that_is_not_there_or_was_changed(small: Path) -> None:
    path = store.shard_file(small, "entrants", 1)
    table = pq.read_table(path)
    pq.write_table(table.take([*range(len(table))][::-1]), path)
    refused(small, f"{path}: not as it was made")
    with pytest.raises(HonoursError, match="not those of the events and players"):
        Corpus.open(small).award("sbu-clubs-2016")
    path.unlink()
    refused(small, f"{path}: missing")


def test_a_folder_of_tables_is_no_corpus_before_it_was_checked(small: Path) -> None:
    (small / "corpus.json").unlink()
    refused(small, "honours.lab.Corpus.of")
    tables = {name: pq.read_table(store.shard_file(small, name, 0)) for name in small_tables(0, 1)}
    made = Corpus.of(small.parent / "made", **tables)
    assert (made.count("events"), made.notes) == (6, ())
