"""The studies of the sources again: their order, their figures, and a truth that is found."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from honours.conformance.runner import chosen_claims, run
from honours.errors import InputError
from honours.lab.corpus import Corpus
from honours.lab.sides import as_side
from honours.lab.study.figures import History
from honours.lab.study.proposal_2020 import study_2020
from honours.lab.study.report_2011 import study_2011
from honours.model.verdict import CONSISTENT, CONTRADICTED, FITTED, REPRODUCED
from honours.rulebooks import load
from tests.lab.histories import history, imported

BY_RULE = ("55 tables by acbl-general", "55 tables of 250 by acbl-sof-2011")


def _rows(study: Any, title: str) -> dict[str, dict[str, Any]]:
    frame = next(frame for frame in study.frames if frame.title.startswith(title))
    return {row["figure"]: dict(row) for row in frame.rows}


def test_the_study_of_2020_goes_through_its_tables_in_its_order(corpus: Corpus) -> None:
    book = load("acbl-sof-2020")
    study = study_2020(History(corpus, as_side("acbl-general")), book, bootstraps=4)
    titles = [frame.title for frame in study.frames]
    starts = (
        "Methodology",
        "Formula win a day",
        "Range averages",
        "Awards in a field of uniform",
        "Weighted average",
        "Now and proposed, its",
        "Ten per cent",
        "Now and proposed: the",
        "Strength averaged by team",
        "What depends on our readings",
    )
    assert [t for t in titles for s in starts if t.startswith(s)] == titles
    alone = ("Awards in a field", "Now and proposed, its")
    for frame in study.frames:
        kind = "by the rule alone" if frame.title.startswith(alone) else "synthetic"
        assert kind in frame.note
    assert study.statement.startswith("On a synthetic corpus: ")
    assert all(row["verdict"] == REPRODUCED for row in _rows(study, "Awards in a field").values())
    assert all(row["verdict"] == FITTED for row in _rows(study, "Now and proposed, its").values())
    [more] = _rows(study, "Ten per cent").values()
    assert more["ours"] < 4
    assert study.data()["tables"]


def test_a_curve_that_was_paid_is_found_again(tmp_path: Path) -> None:
    """Everybody is paid 0.14 · MP^0.4 and some luck: the study says so."""
    draw = random.Random(3)
    rows = []
    for row in history(160, pairs=12):
        held = (row["Holding 1"] + row["Holding 2"]) / 2
        paid = round(0.14 * held**0.4 * draw.uniform(0.5, 1.5), 2)
        one = {"Holding 1": held, "Holding 2": held, "Points won": paid}
        rows.append(row | one | {"Class": "Regional", "Sessions": 2})
    corpus = imported(tmp_path, rows).corpus
    study = study_2020(
        History(corpus, as_side("as-paid", corpus)), load("acbl-sof-2020"), bootstraps=30
    )
    curve = _rows(study, "Formula win a day")
    assert abs(curve["1,000 masterpoints"]["ours"] - 2.21) < 0.15
    assert curve["1,000 masterpoints"]["verdict"] == CONSISTENT
    assert "won is what was paid" in study.frames[0].note


def test_the_study_of_2011_has_its_sample_awards(corpus: Corpus) -> None:
    study = study_2011(History(corpus, load("acbl-general")), load("acbl-sof-2011"))
    assert all(row["verdict"] == REPRODUCED for row in _rows(study, "Sample awards").values())
    large = _rows(study, "Commentary: large games")
    assert large["55 tables by acbl-general"]["verdict"] == CONSISTENT
    assert large["55 tables of 250 by acbl-sof-2011"]["verdict"] == CONSISTENT
    assert large["of the corpus, now"]["ours"] is None, "of fewer than five games nothing is shown"
    assert any("is not in its text" in note for note in study.statements)
    assert "all events" in _rows(study, "Summary comparison")


def test_what_the_rule_alone_decides_is_counted_apart(corpus: Corpus) -> None:
    """Agreement that any corpus would show says nothing of this one."""
    made = corpus.study("2020")
    assert "27 of 27 that the rule alone decides agree" in made.statement


def test_every_figure_of_the_corpus_has_an_interval(corpus: Corpus) -> None:
    for source in ("2020", "2011"):
        made = corpus.study(source, won="acbl-general")
        bare = [
            row["figure"]
            for frame in made.frames
            for row in frame
            if "verdict" in row and row["ours"] is not None and row["from (95%)"] is None
            if not frame.of_rule and row["figure"] not in BY_RULE
        ]
        assert bare in ([], ["largest change of an event's F, in %"]), source


def test_the_study_of_2011_has_the_rule_before_where_nothing_is_told_of_pay(
    corpus: Corpus,
) -> None:
    made = corpus.study("2011")
    assert "by what acbl-general pays" in made.statement
    assert _rows(made, "Summary comparison")
    compared: dict[tuple[str, str], str] = {}
    for part, where in (("Genesis of the formula", "Genesis"), ("Sample awards", "Sample SOF")):
        stated = _stated_by_conform(where)
        ours = {name: row["verdict"] for name, row in _rows(made, part).items() if name in stated}
        assert ours == {name: stated[name] for name in ours}
        compared |= {(part, name): verdict for name, verdict in ours.items()}
    assert {REPRODUCED, CONSISTENT, CONTRADICTED} == set(compared.values())


def _stated_by_conform(where: str) -> dict[str, str]:
    """The verdict on each first place that a part of the source prints, as the study names it."""
    stated = {}
    for claim in chosen_claims("acbl-2011"):
        given, take = (claim.let.get("x", {}).get(key) for key in ("given", "take"))
        places = take == "at:1" and set(given or ()) == {"tables", "average_masterpoints"}
        if places and claim.where.startswith(where):
            [verdict] = run([claim])
            average = int(given["average_masterpoints"])
            stated[f"{given['tables']} tables of {average:,}"] = verdict.verdict
    return stated


def test_what_hangs_on_the_readings_of_now(corpus: Corpus) -> None:
    """More credit, strata and the pairs' factor each make now larger and the change smaller."""
    made = corpus.study("2020", now={"credit": ["1.5"]})
    rows = {(str(row["now"]), str(row["events"])): row for row in made.frame("What depends")}
    for row in rows.values():
        tried = [value for value in row.values() if isinstance(value, float)]
        assert tried == sorted(tried, reverse=True)
    (way, alone, _), events = dict.fromkeys(name for name, _ in rows), "all events"
    assert rows[alone, events]["credit 1.5"] > rows[way, events]["credit 1.5"]
    split = _rows(made, "Now and proposed: the")["all events"]
    assert split["ours"] == pytest.approx(rows[way, events]["credit 1.5"])
    assert split["from (95%)"] is not None
    for wrong in ({"credit": ["much"]}, {"tables": ["3"]}, {"edition": ["1999"]}):
        with pytest.raises(InputError):
            corpus.study("2020", now=wrong)
