"""The same job on a Dask cluster of several processes, one of them killed: the same bytes."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from honours.errors import InputError
from honours.lab.corpus import Corpus, write_shard
from honours.lab.distributed import spread_over
from honours.lab.run import Done, Job, output_file, run

pytest.importorskip("distributed")


def _in_shards(corpus: Corpus, folder: Path, count: int) -> Corpus:
    """The corpus again, with its events spread over several shards."""
    import pyarrow.compute as pc

    writer = Corpus.create(folder, {})
    ids = corpus.table("events")["event"].to_pylist()
    cuts = [ids[len(ids) * k // count] for k in range(count)] + [ids[-1] + 1]
    for k in range(count):
        tables = {}
        for name in ("events", "entrants", "players"):
            table = corpus.table(name)
            event = table["event"]
            inside = pc.and_(pc.greater_equal(event, cuts[k]), pc.less(event, cuts[k + 1]))
            tables[name] = table.filter(inside)
        writer.add(write_shard(folder, k, tables))
    return writer.finish()


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_killed_worker_changes_nothing(corpus: Corpus, tmp_path: Path) -> None:
    from distributed import Client, LocalCluster

    spread = _in_shards(corpus, tmp_path / "shards", 6)
    here = Job("award", str(spread.folder), str(tmp_path / "here"), "acbl-sof-2020")
    run(here, here.signature(spread.hash, "r"))
    there = Job("award", str(spread.folder), str(tmp_path / "there"), "acbl-sof-2020")
    (tmp_path / "there").mkdir()
    with LocalCluster(  # type: ignore[no-untyped-call]
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as cluster:
        with Client(cluster) as client:  # type: ignore[no-untyped-call]
            pids = client.run(os.getpid)
        done: list[Done] = []
        for one in spread_over(cluster.scheduler_address, there, list(spread.shards)):
            if not done:
                os.kill(next(iter(pids.values())), signal.SIGKILL)
            done.append(one)
    assert sorted(d.shard for d in done) == list(spread.shards)
    assert not any(d.problem for d in done)
    for shard in spread.shards:
        assert output_file(here, shard).read_bytes() == output_file(there, shard).read_bytes()


def test_an_address_where_nobody_answers(tmp_path: Path) -> None:
    job = Job("award", str(tmp_path), str(tmp_path), "acbl-sof-2020")
    with pytest.raises(InputError, match="no Dask scheduler"):
        list(spread_over("nonsense://nowhere", job, [0]))
