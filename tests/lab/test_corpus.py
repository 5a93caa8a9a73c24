"""Corpora: the same from the same seed, near the sources, and honest about bad files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from honours.errors import InputError
from honours.lab import store
from honours.lab.corpus import Corpus, write_shard
from honours.lab.generate.clubs import club_tables, fit_to, season
from honours.lab.generate.figures import Figures
from honours.lab.generate.year import Recipe, generate, generate_like
from honours.lab.skill import results_in
from honours.lab.tables import TABLES, describe

EXPLAINED = "variance of points won in a day explained by holdings"


def test_a_seed_makes_the_same_bytes(corpus: Corpus, tmp_path: Path) -> None:
    again = generate(tmp_path / "again", Recipe(seed=3, scale=0.01))
    assert again.hash == corpus.hash
    other = generate(tmp_path / "other", Recipe(seed=4, scale=0.01))
    assert other.hash != corpus.hash


def test_the_report_says_how_well_the_figures_are_met(corpus: Corpus) -> None:
    figures = {f["figure"]: f for f in corpus.figures}
    assert figures["median tables of those"]["published"] == 22
    assert abs(figures["median tables of those"]["corpus"] - 22) <= 2
    assert figures[EXPLAINED]["published"] == 0.21
    assert figures["points won in a day"]["published"] == 2.38
    assert sum("share of player-days" in name for name in figures) == 12
    assert sum("points won in a day, " in name for name in figures) == 12


def test_a_corpus_too_small_for_a_curve_says_nothing_of_it() -> None:
    assert EXPLAINED not in {f["figure"] for f in Figures().report()}


@pytest.mark.slow
def test_a_larger_corpus_meets_the_figures(tmp_path: Path) -> None:
    made = generate(tmp_path / "year", Recipe(seed=11, scale=0.2, boards=False))
    figures = {f["figure"]: f for f in made.figures}
    assert figures["median tables of those"]["corpus"] == 22
    assert abs(figures["share reaching 60 tables"]["corpus"] - 0.05) < 0.01
    shares = [f for name, f in figures.items() if "share of player-days" in name]
    assert all(abs(f["corpus"] - f["published"]) < 0.03 for f in shares)
    means = [f for name, f in figures.items() if "mean of the formula" in name]
    assert all(abs(f["off"]) < 0.08 for f in means)


def test_a_year_is_like_what_it_was_fitted_to(tmp_path: Path) -> None:
    """The ranges' points but for a common factor, and what holdings tell in real club games; the
    report says of every published figure whether it was fitted."""
    made = generate(tmp_path / "year", Recipe(seed=1, scale=0.2, boards=False, clubs=12))
    figures = {str(f["figure"]): f for f in made.figures}
    [between] = [f for name, f in figures.items() if name.startswith("variance between ranges")]
    assert abs(between["off"]) < 0.2
    real = [f for f in figures.values() if "club games" in f["source"]]
    assert len(real) == 6
    assert abs(figures["variance of percentages in a line"]["off"]) < 0.1
    assert abs(figures["comparisons that MP^0.4 orders right"]["off"]) < 0.04
    assert {str(f["fitted"]) for f in figures.values() if f["published"] is not None} == {
        "yes",
        "no",
    }
    assert str(figures[EXPLAINED]["fitted"]) == "no"
    events = made.table("events")
    assert len(set(events["club"].drop_null().to_pylist())) == 12


def test_a_season_is_made_like_a_history(tmp_path: Path) -> None:
    """The world that a history was made from is found, and made again."""
    planted = season(5, clubs=8, members=80)
    writer = Corpus.create(tmp_path / "history", {})
    tables = club_tables(planted, np.arange(len(planted.held)), 0, 17_000)
    writer.add(write_shard(tmp_path / "history", 0, tables))
    history = writer.finish()
    world = fit_to(results_in(history)).world
    assert (world.slope, world.talent, world.luck) == pytest.approx((2.7, 3.0, 6.35), rel=0.15)
    assert (world.level, world.spread) == pytest.approx((3.4, 1.1), abs=0.4)
    made = generate_like(tmp_path / "like", history)
    off = {str(f["figure"]): f["off"] for f in made.figures}
    assert max(map(abs, off.values())) < 0.25


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


def test_every_column_is_described() -> None:
    for row in describe():
        assert row["about"]
        assert row["null"]


def test_a_generated_corpus_holds_the_columns_the_page_names(corpus: Corpus) -> None:
    for name, schema in TABLES.items():
        own = corpus.table(name).schema
        assert {f.name for f in schema if not f.nullable} <= set(own.names) <= set(schema.names)
        assert all(own.field(n).type == schema.field(n).type for n in own.names)
