"""Real histories have holes: what a missing value counts as, and what hangs on it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from honours.errors import InputError
from honours.lab.corpus import Corpus
from honours.lab.history.plan import read_plan
from tests.lab.histories import history, write_csv

BOOK = "acbl-sof-2020"


def _holed(events: int = 60) -> Iterator[dict[str, Any]]:
    """A history in which about one holding in fifty is empty."""
    draw = random.Random(2)
    for row in history(events):
        yield row | ({"Holding 2": ""} if draw.random() < 0.05 else {})


def _holdings(corpus: Corpus) -> Any:
    return corpus.table("players")["holding"].to_numpy(zero_copy_only=False)


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_csv(tmp_path_factory.mktemp("holed") / "holed.csv", _holed())


def test_a_hole_counts_as_the_policy_says(table: Path, tmp_path: Path) -> None:
    left = Corpus.take(table, tmp_path / "left")
    missing = np.isnan(_holdings(left))
    [hole] = left.manifest["holes"]
    assert (hole["rows"], hole["policy"]) == (missing.sum(), "leave-out")
    compared = left.compare("as-paid", BOOK)
    assert sum(compared.left.values()) == hole["events"] == 60 - compared.total.events
    assert len(compared.left) == 1  # one reason, counted
    assert any("Those left out" in note for note in compared.statements)
    for policy in ("300", "median", "nearest"):
        made = Corpus.take(table, tmp_path / policy, {"missing.holding": policy})
        held = _holdings(made)
        assert not np.isnan(held).any()
        assert (held[~missing] == _holdings(left)[~missing]).all()
        whole = made.compare("as-paid", BOOK)
        assert whole.total.events == 60
        assert not any("Those left out" in note for note in whole.statements)
        # members hold the same all year in this history: the nearest is the truth
        truth = _holdings(Corpus.take(_full(tmp_path, policy), tmp_path / f"{policy}-full"))
        if policy == "nearest":
            assert (held == truth).mean() > 0.999
        if policy == "300":
            assert (held[missing] == 30_000).all()


def _full(folder: Path, name: str) -> Path:
    return write_csv(folder / f"{name}.csv", history(60))


def test_a_wrong_policy_is_refused_before_anything_is_made(table: Path, tmp_path: Path) -> None:
    for key, text in (("missing.holding", "many"), ("missing.weather", "0")):
        with pytest.raises(InputError, match=text if key.endswith("holding") else "weather"):
            Corpus.take(table, tmp_path / "none", {key: text})
    assert not (tmp_path / "none").exists()


def test_what_was_not_readable_is_not_nothing(tmp_path: Path) -> None:
    """A payment of n/a leaves the event out of what was paid, unless a policy counts it."""
    rows = [row | ({"Points won": "n/a"} if k == 3 else {}) for k, row in enumerate(history(30))]
    table = write_csv(tmp_path / "paid.csv", iter(rows))
    made = Corpus.take(table, tmp_path / "made")
    assert made.compare("as-paid", BOOK).total.events == 29
    counted = Corpus.take(table, tmp_path / "counted", {"missing.paid": "0"})
    assert counted.compare("as-paid", BOOK).total.events == 30


def test_words_nobody_knows_are_taken_for_what_they_most_likely_mean(tmp_path: Path) -> None:
    words = {"Regional": "REG", "Sectional": "SEC"}
    rows = (row | {"Class": words[row["Class"]], "Kind": "Prs"} for row in history(12))
    made = Corpus.take(write_csv(tmp_path / "words.csv", rows), tmp_path / "made")
    events = made.table("events")
    assert set(events["class"].to_pylist()) == {"regional", "sectional"}
    assert set(events["kind"].to_pylist()) == {"pairs"}
    assert read_plan(made.folder / "import.toml")["words"]["class"]["SEC"] == "sectional"
    assert any("SEC = sectional" in note for note in made.notes)


def test_a_table_of_unknown_columns_asks_what_they_are(tmp_path: Path) -> None:
    """It drafts the plan, which may be completed; or the command says the rest."""
    names = {"Event ID": "Evt", "Place": "Fin"}
    rows = ({names.get(k, k): v for k, v in row.items()} for row in history(12))
    table = write_csv(tmp_path / "odd.csv", rows)
    with pytest.raises(InputError, match=r"Evt=event, or write it into .*made\.plan\.toml"):
        Corpus.take(table, tmp_path / "made")
    draft = tmp_path / "made.plan.toml"
    assert not (tmp_path / "made").exists()
    told = Corpus.take(table, tmp_path / "told", {"Evt": "event", "Fin": "place"})
    text = draft.read_text().replace('"Evt" = ""', '"Evt" = "event"')
    draft.write_text(text.replace('"Fin" = ""', '"Fin" = "place"'))
    made = Corpus.take(table, tmp_path / "made", plan_file=draft)
    assert made.count("events") == told.count("events") == 12
    assert made.table("players") == told.table("players")
    with pytest.raises(InputError, match="meaning of the column Evt"):
        Corpus.take(table, tmp_path / "wrong", {"Evt": "evnt"})


def test_what_nothing_can_be_awarded_from_says_so(tmp_path: Path) -> None:
    rows = (row | {"Class": "zzz", "Kind": "qqq"} for row in history(6))
    made = Corpus.take(write_csv(tmp_path / "none.csv", rows), tmp_path / "made")
    assert any("no rulebook awards anything" in note for note in made.notes)


def test_a_table_that_looks_like_a_list_of_members_is_asked_about_too(tmp_path: Path) -> None:
    """Its id and its places have names of their own; Type is the class where Kind is the kind."""
    rows = [f"T{e},SEC,Prs,{p},M{10 * e + p},{100 * p}" for e in (1, 2) for p in range(1, 9)]
    path = tmp_path / "own.csv"
    path.write_text("\n".join(["Tourney no,Type,Kind,Fin,Member,MP", *rows]), encoding="utf-8")
    with pytest.raises(InputError, match=r"Type = class.*Import again"):
        Corpus.take(path, tmp_path / "made")
    assert 'Fin" = ""' in (tmp_path / "made.plan.toml").read_text(encoding="utf-8")
    told = {"Tourney no": "event", "Fin": "place"}
    corpus = Corpus.take(path, tmp_path / "made", told)
    assert corpus.table("events").select(["class", "kind"]).to_pylist() == 2 * [
        {"class": "sectional", "kind": "pairs"}
    ]
