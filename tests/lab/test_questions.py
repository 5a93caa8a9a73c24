"""Compare, sweep, calibrate, growth, fit and simulate: figures that can be checked by hand."""

from __future__ import annotations

import csv
import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from honours.cli import cli
from honours.errors import InputError, UnknownName
from honours.lab.calibrate import award_aim, award_at, calibrate, total_aim
from honours.lab.compare import Comparison
from honours.lab.corpus import Corpus
from honours.lab.fit import PlayerDays, fit, model, sample_of
from honours.lab.growth import grow
from honours.lab.left_out import event_awards
from honours.lab.report import render
from honours.lab.result import Frame
from honours.lab.simulate import Contest, simulate, statement
from honours.lab.tallies import event_totals
from honours.rulebooks import load
from tests.support import GOLDEN


@pytest.fixture(scope="module")
def comparison(corpus: Corpus) -> Comparison:
    book = load("acbl-sof-2020")
    return corpus.compare(book, book.amend(award_unit="1"))


def test_groups_add_up_to_the_whole(comparison: Comparison) -> None:
    [total] = comparison.frame("All together")
    for group in ("class", "kind", "sessions", "size", "strength", "flight", "stratum", "holding"):
        rows = comparison.by(group).rows
        for name in ("A", "B", "players"):
            assert sum(row[name] for row in rows) == pytest.approx(total[name])


def test_totals_are_those_of_the_awards(corpus: Corpus, comparison: Comparison) -> None:
    [total] = comparison.frame("All together")
    assert event_totals(corpus, [comparison.compared.a]).total(0) == total["A"]


def test_members_are_counted_once(corpus: Corpus, comparison: Comparison) -> None:
    members = len(np.unique(corpus.table("players")["player"].to_numpy()))
    last = comparison.frame("Members who").rows[-1]
    assert last["members"] == members == last["gain"] + last["lose"] + last["unchanged"]


def test_an_unknown_group_lists_the_groups(comparison: Comparison) -> None:
    with pytest.raises(UnknownName, match="strength"):
        comparison.by("strenght")


def test_first_places_are_those_the_2011_source_prints() -> None:
    with (GOLDEN / "acbl_2011_first_place.csv").open(encoding="utf-8") as file:
        published = [*csv.DictReader(file)]
    book, keys = load("acbl-sof-2011"), ("tables", "average_masterpoints")
    ours = [award_at(book, {key: one[key] for key in keys}, 1) for one in published]
    assert [f"{first:.2f}" for first in ours] == [one["first_place_award"] for one in published]
    assert len(ours) == 315


def test_a_frame_goes_everywhere(comparison: Comparison) -> None:
    frame = comparison.by("kind")
    assert frame.pandas().shape[0] == frame.polars().height == len(frame) == frame.arrow().num_rows
    assert frame.csv().startswith("kind,")
    assert "<table>" in frame._repr_html_()


def test_figures_of_a_column_have_as_many_decimals() -> None:
    shown = Frame.of("", [{"a": 0.5, "b": 0.84, "c": 1}, {"a": 0.25, "b": 2.0, "c": 0.0417}]).text()
    assert [line.split() for line in shown.splitlines()[2:]] == [
        ["0.5000", "0.84", "1"],
        ["0.2500", "2.00", "0.0417"],
    ]


def test_an_event_of_strata_is_explained_with_them(corpus: Corpus, comparison: Comparison) -> None:
    """Place 11 may earn more than place 10 as the best of its stratum: the table says which."""
    entrants = corpus.table("entrants").to_pandas()
    event = int(entrants.query("stratum == 1")["event"].iloc[0])
    own = entrants[entrants["event"] == event].sort_values("place", kind="stable")
    *places, total = comparison.explain(event).places
    assert total["place"] == "Total"
    strata = {(int(row["place"]), row["stratum"]) for row in places}
    assert strata <= {
        (place, "ABC"[s]) for place, s in zip(own["place"], own["stratum"], strict=True)
    }


def test_an_event_is_explained_by_what_the_exact_way_gives_everybody(
    corpus: Corpus, comparison: Comparison
) -> None:
    """Of one award the exact way is gone with words; the whole event's awards are the same."""
    entrants = corpus.table("entrants").to_pandas()
    stratified = int(entrants.query("stratum == 1")["event"].iloc[0])
    sides = comparison.compared.a, comparison.compared.b
    for event in (stratified, int(comparison.frame("Events that").rows[0]["event"])):
        explained = comparison.explain(event)
        both = [event_awards(corpus, side, event) for side in sides]
        total = explained.places.rows[-1]
        assert [total["A"], total["B"]] == [
            float(sum(one.amount for one in awards.values())) for awards in both
        ]
        for largest, awards in zip((explained.a, explained.b), both, strict=True):
            assert largest == awards[int(largest.standing.entrant.id)]
            assert largest.amount == max(one.amount for one in awards.values())


def test_long_questions_tell_how_far_they_are(corpus: Corpus) -> None:
    book, steps = load("acbl-sof-2020"), []

    def tell(done: int, of: int, _so_far: str = "") -> None:
        steps.append((done, of))

    grow(corpus, [book], 2, tell)
    assert steps == [(1, 3), (2, 3), (3, 3)]
    fit(sample_of(corpus, book), bootstraps=3, progress=tell)
    assert steps[3:] == [(1, 3), (2, 3), (3, 3)]
    wanted = 1.02 * event_totals(corpus, [book]).total(0)
    calibrate(book, ["total_coefficient"], [total_aim(corpus, wanted)], tell)
    done, of = steps[-1]
    assert done == of > 2


def test_the_report_is_self_contained(comparison: Comparison) -> None:
    steps: list[tuple[int, int]] = []
    answer = comparison.whole(lambda done, of: steps.append((done, of)))
    assert steps == [(done, 10) for done in range(1, 11)]
    page = render(answer)
    loaded = re.findall(r"""<(?:script|link|img|iframe)[^>]*?(?:src|href)=["']?([^"' >]+)""", page)
    assert loaded == []
    assert "compared with" in page
    assert comparison.compared.corpus.hash in page
    assert comparison.compared.a.hash in page
    assert page.count('class="chart"') > 5
    for spec in re.findall(r'<script type="application/json">(.*?)</script>', page):
        assert json.loads(spec)["$schema"].endswith("v5.json")
    assert 'download="by-kind.csv"' in page
    assert page == render(answer)


def test_a_sweep_begins_with_the_rulebook_as_it_is(corpus: Corpus) -> None:
    swept = corpus.sweep("acbl-sof-2020", "total_coefficient", ["0.07", "0.08"])
    now, same, other = swept.frames[0].rows
    assert [now["value"], same["value"], other["value"]] == ["as it is", "0.07", "0.08"]
    assert now["total"] == same["total"] < other["total"]


def test_calibration_meets_its_aims(corpus: Corpus) -> None:
    book = load("acbl-sof-2020")
    wanted = 1.1 * event_totals(corpus, [book]).total(0)
    given = {"entrants": "60", "kind": "pairs", "sessions": "2", "masterpoints": "1250"}
    aims = [total_aim(corpus, wanted), award_aim(given, 1, 20.0)]
    calibration = calibrate(book, ["total_coefficient", "first_coefficient"], aims)
    assert calibration.values["met"]
    assert "compared with acbl-sof-2020" in calibration.statement
    with pytest.raises(InputError, match="not a number"):
        calibrate(book, ["depth_table"], aims)


def test_inflation_begets_inflation(corpus: Corpus) -> None:
    growth = grow(corpus, ["acbl-sof-2020"], 3)
    pays = [row["acbl-sof-2020 pays"] for row in growth.frames[0]]
    held = [row["acbl-sof-2020 mean holding"] for row in growth.frames[0]]
    assert pays[0] < pays[1] < pays[2]
    assert pays[2] / pays[0] < held[2] / held[0]  # "less than 4%" for 10%: an exponent below 1


def _won_by(
    truth: tuple[float, ...], sample: PlayerDays, explained: float, seed: int
) -> PlayerDays:
    """The same players winning by a known curve and chance that leaves R² as wanted."""
    random = np.random.default_rng(seed)
    mean = model(sample.holding, *truth)
    noise = np.sqrt(mean.var() * (1 - explained) / explained)
    return replace(sample, won=mean + noise * random.standard_normal(len(mean)))


def test_a_known_truth_is_recovered(corpus: Corpus) -> None:
    sample = sample_of(corpus, "acbl-sof-2020")
    truth, covered, expected = (0.04, 0.1393, 0.4), np.zeros(3), []
    for seed in range(8):
        fitted = fit(_won_by(truth, sample, 0.21, seed), bootstraps=20, seed=seed)
        assert fitted.r_squared == pytest.approx(0.21, abs=0.03)
        covered += [value in (fitted.interval(k) or ()) for k, value in enumerate(truth)]
        expected.append([fitted.expected(mp) for mp in (300, 3000, 10000)])
    assert np.mean(expected, axis=0) == pytest.approx([1.40, 3.47, 5.59], rel=0.03)
    assert (covered >= 5).all()  # few events: the intervals hold the truth four times in five


def test_an_even_field_gives_everybody_the_same_chance() -> None:
    """In a field of equals the expected award is the schedule's mean: known without simulating."""
    book = load("acbl-sof-2020")
    contest = Contest("even", entrants=20, holding=1000, spread=0.0)
    [expected] = simulate([book], [contest], 1000, runs=20_000, seed=2)
    from honours.engine.award import calculate

    given = {"entrants": 20, "kind": "pairs", "sessions": 2, "masterpoints": 1000}
    [awards] = calculate(book, given)
    mean = float(sum(a.amount for a in awards.schedule)) / 20
    assert abs(expected.mean - mean) < 4 * expected.error
    with pytest.raises(InputError, match="too few"):
        simulate([book], [contest], 1000, runs=10)


def test_a_howell_and_a_mitchell_pay_nearly_the_same() -> None:
    """16 equal pairs in one list, or in two of eight: the schedules are known without chance."""
    book = load("sbu-clubs-2016")
    contests = [
        Contest(name, entrants=16, holding=300, spread=0.0, sessions=1, boards=24, lists=lists)
        for name, lists in (("Howell", 1), ("Mitchell", 2))
    ]
    howell, mitchell = simulate([book], contests, 300, runs=4000, seed=3)
    assert howell.everybody == (36 + 30 + 24 + 18 + 12 + 6) / 16
    assert mitchell.everybody == (30 + 20 + 10) / 8
    for expected in (howell, mitchell):
        assert abs(expected.mean - expected.everybody) < 4 * expected.error
    assert "would, within the error, pay" in statement([howell, mitchell])


def test_points_per_person_grow_with_the_field_by_as_much_as_is_said() -> None:
    contests = [Contest(str(n), n, 300, spread=0.0, sessions=1, boards=24) for n in (12, 24)]
    small, large = simulate([load("sbu-clubs-2016")], contests, 300, runs=400)
    assert small.everybody == (24 + 18 + 12 + 6) / 12
    assert large.everybody == (48 + 42 + 36 + 30 + 24 + 18 + 12 + 6) / 24


def test_playing_down_pays_a_weak_player_and_playing_up_a_strong_one() -> None:
    """Under a rule that pays a strong field far more, who can win there had better go there."""
    book = load("acbl-sof-2020")
    up, down = Contest("up", 24, 5000), Contest("down", 24, 200, facts={"limit": "750"})
    weak_up, weak_down = simulate([book], [up, down], 200, runs=4000)
    strong_up, strong_down = simulate([book], [up, down], 20_000, runs=4000)
    assert weak_down.mean - weak_up.mean > 4 * np.hypot(weak_down.error, weak_up.error)
    assert strong_up.mean - strong_down.mean > 4 * np.hypot(strong_up.error, strong_down.error)
    assert "±" in statement([weak_up, weak_down])


def test_a_fit_takes_only_the_events_that_are_asked_for(corpus: Corpus) -> None:
    everything = sample_of(corpus, "acbl-sof-2020")
    regionals = sample_of(corpus, "acbl-sof-2020", only={"class": ("regional",)})
    sectionals = sample_of(corpus, "acbl-sof-2020", only={"class": ("sectional",)})
    assert 0 < len(regionals.won) < len(everything.won)
    assert not set(regionals.event) & set(sectionals.event)
    with pytest.raises(UnknownName, match="did you mean 'class'"):
        sample_of(corpus, "acbl-sof-2020", only={"clas": ("regional",)})


def test_the_floor_of_a_fit_finds_the_curve_of_who_is_paid_as_if_they_held_more() -> None:
    random = np.random.default_rng(2)
    holding = random.lognormal(6, 1.6, 4000)
    won = 0.2 + 0.14 * np.maximum(holding, 300) ** 0.4 + random.normal(0, 0.1, 4000)
    days = PlayerDays(holding, won, np.repeat(np.arange(200), 20), np.arange(4000))
    without, floored = (fit(days, bootstraps=2, floor=floor) for floor in (0.0, 300.0))
    assert floored.values[2] == pytest.approx(0.4, abs=0.01)
    assert abs(without.values[2] - 0.4) > 0.1
    assert floored.r_squared > without.r_squared


def test_the_limits_of_a_simulation_stand_where_its_answer_is(tmp_path: Path) -> None:
    event = ("--holding", "600", "--event", "up: entrants=8 holding=3000", "--runs", "100")
    command = ["lab", "simulate", "acbl-sof-2020", *event]
    text = CliRunner().invoke(cli, command).output
    answer, limits, *_ = text.split("\n\n")
    assert answer.endswith("an afternoon.")  # with nothing to compare it with
    assert "not of any real club" in limits
    assert (
        "not of any real club"
        in json.loads(CliRunner().invoke(cli, [*command, "--json"]).output)["notes"][0]
    )
    page = tmp_path / "report.html"
    CliRunner().invoke(cli, [*command, "--html", str(page)])
    assert "not of any real club" in page.read_text(encoding="utf-8")


def test_a_corpus_simulates_as_the_command_does(corpus: Corpus) -> None:
    contests = [Contest("open", 20, 3000), Contest("limited", 20, 350)]
    answer = corpus.simulate(["acbl-sof-2011"], contests, 600, runs=100)
    [frame] = answer.frames
    assert [row["event"] for row in frame.rows] == ["open", "limited"]
    assert "not of any real club" in answer.statements[1]
