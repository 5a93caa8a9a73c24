"""The same job on a Dask cluster of several processes, one of them killed: the same bytes."""

from __future__ import annotations

import os
import signal
import time
from concurrent.futures import CancelledError
from contextlib import nullcontext
from pathlib import Path
from threading import Thread

import pytest

from honours.errors import InputError
from honours.lab.audit.breach_cost import touched
from honours.lab.corpus import Corpus, write_shard
from honours.lab.run import ShardJob, ShardOutcome, output_file, run, spread_over
from honours.rulebooks import load

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


def _hold(folder: str) -> int:
    """On a worker: from now on a shard that it takes up says so, and waits to be let go."""
    from honours.lab import run

    done, place = run.process, Path(folder)

    def held(job: ShardJob, shard: int) -> ShardOutcome:
        (place / f"{os.getpid()}").write_text(str(shard))
        while not (place / "go").exists():
            time.sleep(0.01)
        return done(job, shard)

    run.process = held
    return os.getpid()


def _kill_in_the_middle(folder: Path, worker: int, many: int) -> None:
    """Kill a worker when all of them have a shard in hand, then let the others go on."""
    until = time.monotonic() + 120
    while time.monotonic() < until:
        if sum(one.stat().st_size > 0 for one in folder.iterdir()) == many:
            break
        time.sleep(0.01)
    os.kill(worker, signal.SIGKILL)
    (folder / "go").touch()


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_killed_worker_changes_nothing(corpus: Corpus, tmp_path: Path) -> None:
    from distributed import Client, LocalCluster

    spread = _in_shards(corpus, tmp_path / "shards", 6)
    here = ShardJob("award", str(spread.folder), str(tmp_path / "here"), "acbl-sof-2020")
    run(here, here.signature(spread.hash, "r"))
    there = ShardJob("award", str(spread.folder), str(tmp_path / "there"), "acbl-sof-2020")
    (tmp_path / "there").mkdir()
    hand = tmp_path / "in hand"
    hand.mkdir()
    with LocalCluster(  # type: ignore[no-untyped-call]
        n_workers=3, threads_per_worker=1, processes=True, dashboard_address=None
    ) as cluster:
        with Client(cluster) as client:  # type: ignore[no-untyped-call]
            workers = list(client.run(_hold, str(hand)).values())
        killer = Thread(target=_kill_in_the_middle, args=(hand, workers[0], len(workers)))
        killer.start()
        done = list(spread_over(cluster.scheduler_address, there, list(spread.shards)))
        killer.join()
    lost = int((hand / str(workers[0])).read_text())
    assert lost in spread.shards  # it had a shard in hand, which somebody else did
    assert sorted(d.shard for d in done) == list(spread.shards)
    assert not any(d.problem for d in done)
    for shard in spread.shards:
        assert output_file(here, shard).read_bytes() == output_file(there, shard).read_bytes()


def test_an_address_where_nobody_answers(tmp_path: Path) -> None:
    job = ShardJob("award", str(tmp_path), str(tmp_path), "acbl-sof-2020")
    with pytest.raises(InputError, match="no Dask scheduler"):
        list(spread_over("nonsense://nowhere", job, [0]))


def test_a_scheduler_that_goes_away_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    class Gone:
        def result(self) -> None:
            raise CancelledError

    class Client:
        def map(self, *_: object, **__: object) -> list[Gone]:
            return [Gone()]

    monkeypatch.setattr("honours.lab.run._client", lambda _: nullcontext(Client()))
    job = ShardJob("award", "corpus", "awards", "acbl-sof-2020")
    with pytest.raises(InputError, match="the scheduler is gone after 0 of 1"):
        list(spread_over("tcp://somewhere:1", job, [0]))


def test_a_corpus_in_an_object_store_is_read_there(
    corpus: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By an address of pyarrow's file systems, of which s3:// is one and file:// another."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    there = Corpus.open(corpus.folder.resolve().as_uri())
    assert there.folder != corpus.folder
    assert there.hash == corpus.hash
    pair = ("acbl-sof-2011", "acbl-sof-2020")
    assert there.compare(*pair).data() == corpus.compare(*pair).data()
    with pytest.raises(InputError, match="nowhere://x"):
        Corpus.open("nowhere://x")


def test_questions_have_the_same_answers_on_a_cluster(corpus: Corpus, tmp_path: Path) -> None:
    """Every question that goes over shards: the statement with its figures is the same."""
    from distributed import LocalCluster

    parted = _in_shards(corpus, tmp_path / "parted", 4)
    with LocalCluster(  # type: ignore[no-untyped-call]
        n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None
    ) as cluster:
        on = cluster.scheduler_address
        pair = ("acbl-sof-2011", "acbl-sof-2020")
        assert parted.compare(*pair, on=on).data() == parted.compare(*pair).data()
        swept = ("acbl-sof-2020", "total_coefficient", ["0.08"])
        assert parted.sweep(*swept, on=on).data() == parted.sweep(*swept).data()
        assert parted.growth(pair, 2, on=on).data() == parted.growth(pair, 2).data()
        fitted = parted.fit(pair[1], on=on, bootstraps=2, seed=1)
        assert fitted.data() == parted.fit(pair[1], bootstraps=2, seed=1).data()
        calibration = parted.calibrate(pair[1], ["total_coefficient"], pair[0], on=on)
        assert (
            calibration.data() == parted.calibrate(pair[1], ["total_coefficient"], pair[0]).data()
        )
        book = load(pair[1])
        assert touched(book, "stronger", parted, on) == touched(book, "stronger", parted)
        assert parted.study("2011", on=on).data() == parted.study("2011").data()
        strengths = ["MP^0.4", "rating"]
        assert parted.predict(strengths, on=on).data() == parted.predict(strengths).data()
        assert parted.rate(on=on).data() == parted.rate().data()
        assert parted.placement(on=on).data() == parted.placement().data()
        assert parted.fair(pair, on=on).data() == parted.fair(pair).data()
        games = parted.gaming(pair[1:], runs=1000, on=on)
        assert games.data() == parted.gaming(pair[1:], runs=1000).data()
