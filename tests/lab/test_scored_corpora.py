"""Places and awards by the scores that the results of a corpus give."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq

from honours.lab.corpus import Corpus
from honours.lab.run import ShardJob, output_file, placed_by_score, rank_results, run
from honours.lab.shard_awards import award_shard
from honours.lab.store import shard_file
from honours.rulebooks import load
from honours.scoring.profiles import profile


def test_scores_are_those_of_the_entrants(corpus: Corpus, tmp_path: Path) -> None:
    job = ShardJob("score", str(corpus.folder), str(tmp_path / "scores"), "ebu")
    run(job, job.signature(corpus.hash, "ebu"))
    scored = pq.read_table(output_file(job, 0))
    shard = corpus.read(0)
    places = dict(
        zip(
            zip(shard.ids[shard.event_of_entrant], shard.entrant, strict=True),
            shard.place,
            strict=True,
        )
    )
    scored_rows = zip(*(scored[c].to_pylist() for c in ("event", "entrant", "place")), strict=True)
    rows = [(places[e, n], p) for e, n, p in scored_rows]
    assert rows
    assert all(expected == place for expected, place in rows)


def test_awards_by_the_scores_are_those_by_the_places_they_give(
    corpus: Corpus, tmp_path: Path
) -> None:
    """The corpus tells the places that its results give by the EBU's convention."""
    plain = ShardJob("award", str(corpus.folder), str(tmp_path / "told"), "acbl-sof-2020")
    scored = replace(plain, output=str(tmp_path / "scored"), scored_by="ebu")
    for job in (plain, scored):
        run(job, job.signature(corpus.hash, "rule"))
    assert output_file(scored, 0).read_bytes() == output_file(plain, 0).read_bytes()


def test_an_event_is_set_aside_whose_results_are_of_others(corpus: Corpus) -> None:
    shard, path = corpus.read(0), shard_file(corpus.folder, "results", 0)
    scored = pq.read_table(path)["event"].unique().to_pylist()
    row = shard.ids.tolist().index(scored[0])
    other = shard.entrant.copy()
    other[shard.entrant_offsets[row]] += 60_000
    ranks = rank_results(path, profile("ebu"))
    placed, bad = placed_by_score(replace(shard, entrant=other), ranks)
    assert [(b.event, b.why) for b in bad] == [
        (scored[0], "its results are not of the entrants it has")
    ]
    awards = award_shard(load("acbl-sof-2020"), placed, bad)
    assert awards.refused[row]
    assert [b.event for b in awards.bad] == scored[:1]
