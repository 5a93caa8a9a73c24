"""Corpora: the same from the same seed, near the sources, and honest about bad files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from honours.errors import InputError
from honours.lab import store
from honours.lab.checks import check_files
from honours.lab.corpus import Corpus
from honours.lab.generate.year import Recipe, generate


def test_a_seed_makes_the_same_bytes(corpus: Corpus, tmp_path: Path) -> None:
    again = generate(tmp_path / "again", Recipe(seed=3, scale=0.01))
    assert again.hash == corpus.hash
    other = generate(tmp_path / "other", Recipe(seed=4, scale=0.01))
    assert other.hash != corpus.hash


def test_the_report_says_how_well_the_figures_are_met(corpus: Corpus) -> None:
    figures = {f["figure"]: f for f in corpus.manifest["figures"]}
    assert figures["median tables of those"]["published"] == 22
    assert abs(figures["median tables of those"]["corpus"] - 22) <= 2
    assert "variance of results explained by holdings" in figures
    assert sum("share of player-days" in name for name in figures) == 12


@pytest.mark.slow
def test_a_larger_corpus_meets_the_figures(tmp_path: Path) -> None:
    made = generate(tmp_path / "year", Recipe(seed=11, scale=0.2, boards=False))
    figures = {f["figure"]: f for f in made.manifest["figures"]}
    assert figures["median tables of those"]["corpus"] == 22
    assert abs(figures["share reaching 60 tables"]["corpus"] - 0.05) < 0.01
    assert abs(figures["variance of results explained by holdings"]["corpus"] - 0.21) < 0.03
    shares = [f for name, f in figures.items() if "share of player-days" in name]
    assert all(abs(f["corpus"] - f["published"]) < 0.03 for f in shares)
    means = [f for name, f in figures.items() if "mean of the formula" in name]
    assert all(abs(f["off"]) < 0.08 for f in means)


def _rewrite(folder: Path, table: str, change: Callable[[Any], Any]) -> Path:
    path = store.shard_file(folder, table, 0)
    pq.write_table(change(pq.read_table(path)), path)
    return path


def test_a_missing_column_is_named(copy: Path) -> None:
    _rewrite(copy, "players", lambda t: t.drop_columns(["holding"]))
    with pytest.raises(InputError, match=r"players-00000.parquet: column 'holding' is missing"):
        check_files(copy)


def test_a_wrong_type_is_named(copy: Path) -> None:
    _rewrite(copy, "entrants", lambda t: t.set_column(3, "place", t["place"].cast(pa.float64())))
    with pytest.raises(InputError, match=r"column 'place' is double; expected uint16"):
        check_files(copy)


def test_an_event_split_over_two_row_groups_is_named(copy: Path) -> None:
    path = store.shard_file(copy, "entrants", 0)
    pq.write_table(pq.read_table(path), path, row_group_size=101)
    with pytest.raises(InputError, match=r"event \d+ is split: .*row group 0 and .*row group 1"):
        check_files(copy)


def test_overlapping_files_are_named(copy: Path) -> None:
    for table in ("events", "entrants", "players", "results"):
        first = store.shard_file(copy, table, 0)
        store.shard_file(copy, table, 1).write_bytes(first.read_bytes())
    with pytest.raises(InputError, match=r"row group 0 begins at event 0, after \d+ in"):
        check_files(copy)


def test_unsorted_rows_and_nulls_are_named_with_their_row_group(copy: Path) -> None:
    _rewrite(copy, "events", lambda t: t.take(list(range(t.num_rows))[::-1]))

    def with_null(table: Any) -> Any:
        values = table["holding"].to_pylist()
        values[7] = None
        at = table.schema.get_field_index("holding")
        return table.set_column(at, "holding", pa.array(values, pa.int32()))

    _rewrite(copy, "players", with_null)
    with pytest.raises(InputError) as caught:
        check_files(copy, thorough=True)
    assert "events-00000.parquet: row group 0 is not sorted by event at its row 1" in str(
        caught.value
    )
    assert "row group 0: 'holding' is null in its row 7" in str(caught.value)


def test_a_corrupt_row_group_is_named(copy: Path) -> None:
    path = store.shard_file(copy, "players", 0)
    content = bytearray(path.read_bytes())
    content[200:400] = b"\xff" * 200
    path.write_bytes(bytes(content))
    with pytest.raises(InputError, match=r"players-00000.parquet: row group 0 is corrupt"):
        check_files(copy, thorough=True)


def test_a_bad_event_is_set_aside(copy: Path) -> None:
    _rewrite(copy, "players", lambda t: t.filter(pa.compute.not_equal(t["event"], 2)))
    shard = Corpus.open(copy).read(0)
    assert [(b.event, b.why) for b in shard.bad] == [(2, "an entrant has no players")]
    assert 2 not in shard.ids
    assert shard.entrant_offsets[-1] == len(shard.entrant)


def test_row_groups_never_split_an_event() -> None:
    events = np.repeat(np.arange(5), [3, 9, 1, 4, 2])
    spans = list(store.row_groups(events, 5))
    assert spans == [(0, 3), (3, 12), (12, 17), (17, 19)]


def test_a_folder_without_a_corpus_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="honours lab generate"):
        Corpus.open(tmp_path / "nowhere")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "x").write_text("x")
    with pytest.raises(InputError, match="not empty"):
        generate(tmp_path / "full", Recipe(scale=0.01))
