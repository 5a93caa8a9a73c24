"""From Python, five calls lead from a file to a posted award."""

import doctest
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import honours
from honours.errors import UnknownName
from honours.ledger.post import POSTED
from honours.ledger.store import create_ledger
from honours.pipeline import Report, api, options
from tests.pipeline.thirty import paired, pairs, teams
from tests.support import ROOT

SBU = "sbu-clubs-2016"
TUESDAY = ROOT / "examples" / "tuesday.csv"
NAMES = "\n".join(f"{n},P{n} One & P{n} Two,{100 - n}" for n in range(1, 10))


AGA_FACTS = {"section_kind": "open", "qualifier": "yes", "minimum_category": "none"}


def test_five_calls_reach_a_posted_award(tmp_path: Path) -> None:
    create_ledger(str(tmp_path / "club.db"))
    night = tmp_path / "night.csv"
    night.write_text(f"pair,players,score\n{NAMES}\n", encoding="utf-8")
    event = honours.rule(honours.read(night))
    report = honours.award(
        honours.score(event), "sbu-clubs-2016", {"kind": "pairs", "winners": "1"}, as_usual=True
    )
    outcome = honours.post(report, tmp_path / "club.db", "Eve", date="2017-01-14")
    assert outcome.status == POSTED
    assert [line.amount for line in outcome.lines] == [18, 18, 12, 12, 6, 6]


def test_a_ruling_changes_the_standings() -> None:
    event = honours.read(TUESDAY)
    fine = {"kind": "penalty", "pair": "11", "amount": "1000", "unit": "matchpoints", "by": "A. D."}
    before, after = (honours.score(one, winners=1) for one in (event, honours.rule(event, fine)))
    assert before.lists[0].standings[0].entrant.id == "11"
    assert after.lists[0].standings[-1].entrant.id == "11"


def test_an_unknown_option_is_named() -> None:
    with pytest.raises(UnknownName, match="winers"):
        honours.score(honours.read(TUESDAY), winers=1)


def test_a_bare_event_and_a_bare_list_work_as_ever() -> None:
    event = honours.read(TUESDAY).event
    assert honours.score(event).profile.name == "ebu"
    report = honours.award(honours.score(honours.read(TUESDAY), winners=1), SBU, as_usual=True)
    assert report.awards is not None
    listed = honours.award(report.awards.lists[0].field, SBU, as_usual=True).awards
    assert listed is not None
    assert [a.amount for a in listed.lists[0].schedule] == [
        a.amount for a in report.awards.lists[0].schedule
    ]


@pytest.mark.parametrize("option", [*options.SCORING, *options.AWARDING, *options.POSTING])
def test_every_option_says_what_it_means(option: options.Option) -> None:
    assert option.help.endswith(".")
    assert option.read("") == option.default


def test_the_example_in_the_docstring(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    result = doctest.testmod(api)
    assert result.attempted > 0
    assert result.failed == 0


def _known(report: Report) -> dict[str, tuple[str, str]]:
    assert report.awards is not None
    return {one.name: (str(one.value), str(one.origin)) for one in report.awards.lists[0].known}


def test_what_names_show_is_derived_and_what_is_given_is_told(
    tmp_path: Path,
) -> None:
    file = tmp_path / "night.csv"
    file.write_text(paired(pairs(10, 8, 3)), encoding="utf-8")
    known = _known(
        honours.award(honours.score(honours.read(file)), "sbu-clubs-2016", as_usual=True)
    )
    assert (known["kind"], known["winners"]) == (("pairs", "derived"), ("1", "derived"))
    given = honours.score(honours.read(file), type="pairs", winners="1")
    known = _known(honours.award(given, "sbu-clubs-2016", as_usual=True))
    assert (known["kind"], known["winners"]) == (("pairs", "told"), ("1", "told"))


def test_what_a_word_of_the_rulebook_follows_from_is_not_told_as_not_used(tmp_path: Path) -> None:
    path = tmp_path / "swiss.csv"
    path.write_text(teams(16, 5, 5), encoding="utf-8")
    report = honours.award(
        honours.score(honours.read(path), type="teams", swiss=True), SBU, as_usual=True
    )
    assert report.awards is not None
    known = {one.name: one for one in report.awards.lists[0].known}
    assert "form=swiss" in known["competition"].source
    assert known["form"].used
    assert not known["rounds"].used


def test_a_rating_of_another_scale_is_told_as_not_used(tmp_path: Path) -> None:
    path = tmp_path / "go.csv"
    rows = "\n".join(f"{n},P{n},{9 - n},{2300 - n},EGF,{9 - n}" for n in range(1, 7))
    head = "place,player1,score,rating1,rating_scale1,rank1"
    path.write_text(f"{head}\n{rows}\n", encoding="utf-8")
    listed = honours.score(honours.read(path))
    report = honours.award(listed, "aga-category", AGA_FACTS, as_usual=True)
    assert report.awards is not None
    known = {one.name: one for one in report.awards.lists[0].known}
    assert (known["rating"].used, known["rank"].used) == (False, True)
    assert report.not_understood == ()


@pytest.mark.parametrize("what", [None, 7, b"x", [7], {"pair": [1, 2]}])
def test_what_is_of_another_type_is_refused_by_its_name(what: Any) -> None:
    for call in (honours.read, honours.score, partial(honours.award, rulebook=SBU)):
        with pytest.raises(
            honours.HonoursError, match=r"^a (NoneType|int|bytes|list|dict), expected"
        ):
            call(what)
