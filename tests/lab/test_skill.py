"""Skill that was planted is found again, and intervals hold what they promise."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from honours.errors import InputError
from honours.lab.corpus import Corpus
from honours.lab.generate.clubs import ClubSeason, season
from honours.lab.skill import (
    Comparisons,
    Ratings,
    calibration,
    ceiling,
    concordance,
    explained,
    formula,
    holdings_prior,
    members_interval,
    paired_difference,
)
from honours.lab.tallies import event_totals
from tests.engine.books import write_book

LONG = bool(os.environ.get("HONOURS_LONG"))
"""Count intervals as often as a promise of 95% needs; otherwise a sample of them."""


@pytest.fixture(scope="module")
def planted() -> ClubSeason:
    return season(1)


def test_golden_figures_of_what_strengths_tell(planted: ClubSeason) -> None:
    results = planted.results()
    compared = Comparisons.of(results)
    golden = {
        "MP": (0.6396, 0.0779, 0.6619),
        "MP^0.4": (0.6447, 0.1625, 0.6352),
        "max(MP,300)^0.4": (0.6308, 0.1163, 0.6510),
        "log(MP+10)": (0.6458, 0.1819, 0.6292),
    }
    for text, figures in golden.items():
        strength = results.mean(formula(text)(results.holding))
        found = (
            concordance(compared, strength).value,
            explained(results, strength)[1].value,
            calibration(compared, strength).loss.value,
        )
        assert found == pytest.approx(figures, abs=0.00006), text
    powered, floored = (
        results.mean(formula(text)(results.holding)) for text in ("MP^0.4", "max(MP,300)^0.4")
    )
    less = paired_difference(compared, powered, floored)
    assert (less.value, less.low, less.high) == pytest.approx((0.0140, 0.0107, 0.0173), abs=6e-5)
    of_members = members_interval(compared, powered)
    assert (of_members.low, of_members.high) == pytest.approx((0.6297, 0.6598), abs=6e-5)
    assert concordance(compared, results.mean(planted.grade[results.player])).value < 0.68
    assert ceiling(results) == pytest.approx(0.674, abs=0.005)


def test_golden_ratings(planted: ClubSeason) -> None:
    results, members = planted.results(), len(planted.held)
    early, late = (results.only(rows) for rows in (planted.day < 32, planted.day >= 32))
    plain = Ratings(early, members, 3, club=planted.club, shrink_club=5)
    prior = holdings_prior(early, planted.held)
    both = Ratings(early, members, 5, prior, planted.club, 50)
    assert plain.grade[:5] == pytest.approx([51.4507, 49.9757, 47.2029, 45.0746, 51.7378], abs=1e-4)
    assert plain.variance == pytest.approx(47.30, abs=0.01)
    compared = Comparisons.of(late)
    for grade, figures in (
        (plain.grade, (0.6402, 0.1665)),
        (both.grade, (0.6541, 0.2038)),
        (prior, (0.6480, 0.1781)),
        (planted.grade, (0.6775, 0.2534)),
    ):
        strength = late.mean(grade[late.player])
        found = concordance(compared, strength).value, explained(late, strength)[1].value
        assert found == pytest.approx(figures, abs=6e-5)
    played = np.bincount(results.player, minlength=members) > 0
    errors = plain.errors()[played]
    off = plain.grade[played] - planted.grade[played]
    assert np.median(errors) == pytest.approx(3.561, abs=0.002)
    assert np.mean(abs(off - off.mean()) < 1.96 * errors) == pytest.approx(0.949, abs=0.001)


def test_clubs_that_never_meet_are_told_apart_by_their_errors() -> None:
    """Closed clubs are groups of their own, and their means are unsure; a few visits help."""
    errors = []
    for closed in (True, False):
        world = season(3, clubs=6, members=60, weeks=20, closed=closed)
        results, members = world.results(), len(world.held)
        ratings = Ratings(results, members, 3, club=world.club, shrink_club=5)
        own = world.club == 0
        errors.append(ratings.error_of(own / own.sum() - ~own / (~own).sum()))
        groups = len(set(ratings.groups()[np.unique(results.player)].tolist()))
        assert (groups > 1) is closed
    assert errors[0] > 2 > errors[1]


@pytest.mark.parametrize(("clubs", "weeks"), [(47, 1), (6, 8)])
def test_intervals_hold_what_they_promise(clubs: int, weeks: int) -> None:
    """Of 100 histories at least 93 have the truth within their 95% interval: of other days for one
    game a club, of other members where these meet again. The truth is the mean of others."""
    many = 300 if LONG else 40
    found = []
    for seed in range(2 * many):
        results = season(seed, clubs=clubs, members=100 if weeks > 1 else 24, weeks=weeks).results()
        strength = results.mean(formula("MP^0.4")(results.holding))
        interval = concordance if weeks == 1 else members_interval
        found.append(interval(Comparisons.of(results), strength))
    truth = np.mean([one.value for one in found[many:]])
    hits = sum((one.low or 1) <= truth <= (one.high or 0) for one in found[:many])
    assert hits >= (0.93 if LONG else 0.87) * many


def test_a_strength_is_a_function_of_holdings() -> None:
    held = np.array([0.0, 400.0])
    assert formula("max(MP, 300)^0.4")(held) == pytest.approx(np.maximum(held, 300) ** 0.4)
    assert formula("log(mp+10)/2")(held) == pytest.approx(np.log(held + 10) / 2)
    for wrong in ("MP.real", "open('x')", "strength", "MP^", "log(MP-1)"):
        with pytest.raises(InputError, match="is not a strength"):
            formula(wrong)


def test_a_rating_can_be_a_fact(corpus: Corpus, tmp_path: Path) -> None:
    """A rulebook of a committee's own asks for it; nobody's first event has seen anything."""
    made = corpus.rated(tmp_path / "rated")
    skill = made.table("players")["skill"].to_numpy()
    assert (skill[:100] == 5000).all()
    assert len(np.unique(skill)) > 100
    book = write_book(tmp_path / "by-skill", BY_SKILL_TOML, BY_SKILL)
    totals = event_totals(made, [book])
    assert totals.events == made.count("events"), totals.left
    assert totals.total(0) > 0
    assert event_totals(corpus, [book]).events == 0


BY_SKILL_TOML = """
[lists]
lines = "one"
strata = "one"
combine = "best"
[inputs.entrants]
about = "entrants"
type = "count"
[inputs.skill]
about = "the rating by results"
per = "player"
most = 100
[parameters]
cent = { value = "0.01", clause = "§1" }
"""
BY_SKILL = '''
@rule("§1")
def places(entrants):
    """All."""
    return entrants

@rule("§1", per="place")
def worth(mean_of_skill, place):
    """The mean rating by place."""
    return mean_of_skill / place

@rule("§1", per="entrant", rounds=nearest("cent"))
def award(covered_worth, tied):
    """Shared."""
    return covered_worth / tied
'''
