"""An evening in which one section has two winners and another one: a Mitchell and a Howell."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

import honours
from honours.errors import InputError
from honours.evening.evening import Evening
from honours.evening.plan import EveningPlan, with_movement
from honours.evening.results import event_of
from honours.evening.sections import with_sections
from honours.evening.store import Evenings
from honours.formats.honours_json import write_json
from honours.formats.usebio import write_usebio
from honours.ledger.store import create_ledger
from honours.model import Event
from honours.movements.generators import any_mitchell, howell
from honours.pipeline import Report
from honours.scoring import ScoringOptions, score
from honours.scoring.movement import propose_winners
from honours.scoring.rulings import Winners, change
from tests.evening.standing import report_of

TEXTS = ("4S N =", "3NT E -1", "2H S +1", "1NT W =", "pass")


def played(folder: Path, apart: bool = False) -> Evening:
    """Seven tables of a Mitchell and four of a Howell, 21 boards."""
    plan = EveningPlan("Two kinds", "2016-11-17", rulebook="sbu-clubs-2016", sections_apart=apart)
    movements = (any_mitchell(7, 7), howell(4, 7))
    plan = with_sections(plan, [with_movement(plan, movement, 3) for movement in movements])
    kept = Evenings(folder).begin(plan, "Dora")
    chance = random.Random(3)
    for place, _ in list(kept.now().places()):
        content = {**place._asdict(), "text": chance.choice(TEXTS), "lead": ""}
        kept.do("correct", "Dora", content=content)
    names = {who: [{"name": f"{side} {who}"} for side in "NS"] for who in kept.now().entrants}
    kept.do("names", "Dora", content={"names": names})
    return kept.do("end", "Dora").evening


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Evening:
    return played(tmp_path_factory.mktemp("evening"))


def lists_of(report: Report) -> dict[str, set[str]]:
    return {one.line: {s.entrant.id for s in one.standings} for one in report.lists}


A_NS = {f"A{n}" for n in range(1, 8)}
A_EW = {f"A{n}" for n in range(8, 15)}
B = {f"B{n}" for n in range(1, 9)}
LISTS = {"A NS": A_NS, "A EW": A_EW, "B": B}


@pytest.mark.parametrize("apart", [False, True])
def test_each_line_and_each_section_has_its_list(tmp_path: Path, apart: bool) -> None:
    report, why = report_of(played(tmp_path, apart))
    assert why == ""
    assert lists_of(report) == LISTS
    facts = {one.line: one.facts for one in report.lists}
    assert {line: known["winners"] for line, known in facts.items()} == {
        "A NS": "2",
        "A EW": "2",
        "B": "1",
    }
    assert facts["A NS"]["all_lines"] == 14
    assert report.scored is not None
    assert {len(board.lines) for board in report.scored.boards} == ({7, 4} if apart else {11})
    assert report.awards is not None
    tops = [max(a.amount for a in one.schedule) for one in report.awards.lists]
    assert tops == [30, 30, 18]  # a third of 7 pairs by 10, of 8 pairs by 6


BEST = {
    "ebu-clubs scale=A": [30, 30, 18],
    "abf-sessions event_grade=green": [Fraction("0.21"), Fraction("0.21"), Fraction("0.24")],
    "vbl-2017": [Fraction("0.28"), Fraction("0.28"), Fraction("0.32")],
    "acbl-general class=sectional limit=none": [Fraction("3.5")],
    "acbl-clubs-2017 game=club": [0, Fraction("0.7"), Fraction("0.7"), Fraction("0.8")],
}
"""What the first of each list gets: of the lines and of the section, of the whole field, or of that
and then of the section's."""


@pytest.mark.parametrize("rulebook", BEST)
def test_what_each_rulebook_pays(evening: Evening, rulebook: str) -> None:
    report, _ = report_of(evening)
    name, *given = rulebook.split()
    told = dict(one.split("=") for one in given)
    awards = honours.award(report, name, told, as_usual=True).awards
    assert awards is not None
    tops = [max((a.amount for a in one.schedule), default=0) for one in awards.lists]
    assert tops == BEST[rulebook]
    notices = " ".join(str(notice.text) for notice in awards.notices)
    if name.startswith("acbl"):
        assert "A NS, A EW and B are ranked together by their scores" in notices
    else:
        assert "each list counts its own pairs and tables" in notices


@pytest.mark.parametrize("kind", ["json", "xml"])
def test_a_file_tells_it_again(tmp_path: Path, evening: Evening, kind: str) -> None:
    event = event_of(evening)
    path = tmp_path / f"evening.{kind}"
    path.write_bytes(write_json((event,)) if kind == "json" else write_usebio(event).data)
    report = honours.score(honours.read(path))
    assert lists_of(report) == LISTS
    awarded = honours.award(report, "sbu-clubs-2016", as_usual=True)
    ledger = create_ledger(str(tmp_path / "club.db"))
    outcome = honours.post(awarded, ledger, "Dora", club="Ours")
    assert outcome.status == "posted"
    assert len(outcome.lines) == 2 * (3 + 4 + 3)  # two players of each pair that scores


# --- a file that does not say it ------------------------------------------------------------------


def unsaid(evening: Evening) -> Event:
    event = event_of(evening)
    entrants = tuple(replace(one, line="") for one in event.entrants)
    return replace(event, winners=0, facts={}, entrants=entrants)


def test_results_show_which_section_has_one_winner(evening: Evening) -> None:
    event = unsaid(evening)
    proposal = propose_winners(event)
    assert (proposal.winners, proposal.one_winner) == (2, ("B",))
    assert proposal.reason == (
        "in section B pairs played in both directions, in section A none did"
    )
    scored = score(event)
    assert [str(one.title) for one in scored.rankings] == [
        "section A, NS",
        "section A, EW",
        "section B",
    ]
    assert {len(score(event, options=ScoringOptions(winners=n)).rankings) for n in (1, 2)} == {1, 2}


def test_who_scores_it_may_say_which(evening: Evening) -> None:
    event = unsaid(evening)
    chosen = score(event, options=ScoringOptions(one_winner=("A",)))
    assert [str(one.title) for one in chosen.rankings] == [
        "section A",
        "section B, NS",
        "section B, EW",
    ]
    ruled = change(event, Winners(2, ("B",)))
    assert score(ruled).one_winner == ("B",)
    assert len(score(change(ruled, Winners(1))).rankings) == 1


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (ScoringOptions(one_winner=("C",)), "'C' is no section of the event; it has A, B"),
        (ScoringOptions(one_winner=("A", "B")), "that is winners=1"),
        (ScoringOptions(winners=1, one_winner=("B",)), "where the others have two"),
    ],
)
def test_what_cannot_be(evening: Evening, options: ScoringOptions, said: str) -> None:
    with pytest.raises(InputError, match=said):
        score(unsaid(evening), options=options)
