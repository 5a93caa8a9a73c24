"""The audit finds what is known to be broken, and what is planted in an unknown rulebook."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from honours.engine.rulebook import Rulebook
from honours.lab.audit.boundaries import held_at_zero, size_jumps, strength_jumps
from honours.lab.audit.promises import PROMISES, AuditCase, Breach, Search, cases_of, figure
from honours.lab.audit.search import Audit, audit
from honours.language import words
from honours.model.message import Message
from honours.rulebooks import load
from tests.engine.books import write_book

BY_NAME = {p.name: p for p in PROMISES}


def _found(book: Rulebook, promise: str) -> Audit:
    return _tried(book, next(iter(cases_of(book))), promise)


def _tried(book: Rulebook, case: AuditCase, promise: str) -> Audit:
    made = Audit(book)
    made.search(case, BY_NAME[promise])
    return made


def _jumps(search: Search, case: AuditCase) -> list[Breach]:
    return [breach for breach in search(case) if breach]


def test_a_weak_newcomer_lowers_the_first_award_of_2020() -> None:
    [broken] = _found(load("acbl-sof-2020"), "newcomer").broken
    assert "then one more of 0" in broken.smallest.trial.words
    assert "place 1 falls" in broken.smallest.found
    assert len(broken.explanation().steps) == 2


def test_the_worst_case_is_told_beside_the_smallest() -> None:
    [broken] = _found(load("acbl-sof-2020"), "newcomer").broken
    assert broken.worst.by > broken.smallest.by
    assert f"at worst: {broken.worst.words}" in broken.text()
    assert broken.row()["at worst"] == broken.worst.words


def test_figures_of_a_broken_promise_are_as_the_reader_writes_them() -> None:
    [text] = _found(load("acbl-sof-2020"), "newcomer").lines()
    assert re.search(r"de \d+,\d\d à \d+,\d\d", words(text, "fr"))
    assert not re.search(r"\d\.\d", words(text, "fr"))
    assert re.search(r"from \d+\.\d\d to \d+\.\d\d", text)


@pytest.mark.parametrize(
    ("written", "in_french"),
    [("-0.00099900434", "-0,00099900434"), ("2.5", "2,5"), ("3", "3"), ("1/3", "1/3")],
)
def test_a_figure_has_the_comma_of_the_language_however_long_it_is(
    written: str, in_french: str
) -> None:
    said = Message("{raw} held", raw=figure(written))
    assert str(said) == f"{written} held"
    assert words(said, "fr") == f"{in_french} held"


def test_a_limit_that_keeps_nobody_out_changes_awards_of_2020() -> None:
    """The source says that limits no longer matter; the floor of holdings depends on them."""
    [broken] = _found(load("acbl-sof-2020"), "limit").broken
    assert "without a limit or with one of" in broken.smallest.trial.words


def test_what_rounding_makes_of_a_tie_is_no_broken_promise() -> None:
    made = _found(load("acbl-sof-2011"), "ties")
    assert not made.broken
    [row] = made.rounding
    assert "the tie makes 0.15" in row["at most"]


def test_the_drop_of_2011_is_closed_in_on() -> None:
    jump = _jumps(strength_jumps, next(iter(cases_of(load("acbl-sof-2011")))))[0]
    assert "strength 1250, then of 1250.01" in jump.words
    assert "falls" in jump.found


def test_the_negative_slope_of_the_aga_is_found() -> None:
    jumps = _jumps(held_at_zero, next(iter(cases_of(load("aga-category")))))
    assert any("strength 1.1" in j.words and "slope would be -0.00" in j.found for j in jumps)


def test_every_step_of_the_sbu_is_a_jump_and_a_tie_makes_points() -> None:
    book = load("sbu-clubs-2016")
    case = next(iter(cases_of(book)))
    jumps = {jump.trial.words for jump in _jumps(size_jumps, case)}
    assert {"6 entrants, then 7", "9 entrants, then 10"} <= jumps
    [broken] = _found(book, "ties").broken
    assert "makes" in broken.smallest.found


def test_a_mitchell_is_tried_line_by_line() -> None:
    """16 pairs in one list share 126, eight in each line 60 twice; eight pairs 36 and 60."""
    book = load("sbu-clubs-2016")
    *_, lines = cases_of(book)
    assert lines.label.endswith("kind=pairs, winners=2, in two lines")
    [broken] = _tried(book, lines, "lines").broken
    assert broken.smallest.trial.words == "8 entrants, in one list or in two lines of 4"
    assert broken.smallest.found == "one list pays 36, two lines 60"
    assert "6 entrants, then 7" in {jump.trial.words for jump in _jumps(size_jumps, lines)}


LINED = '''
@rule("§1")
def places(entrants):
    """All."""
    return entrants

@rule("§1", per="place")
def worth(entrants, place, all_lines, weight):
    """Less for each of the other line who is too many."""
    return entrants + 1 - place + weight * (entrants + entrants - all_lines)

@rule("§1", per="entrant", rounds=nearest("cent"))
def award(covered_worth, tied):
    """TIES."""
    return covered_worth / tied
'''
LINED_TOML = """
[lists]
lines = "each"
line_words = ["NS", "EW"]
line_when = { winners = "2" }
[inputs.entrants]
about = "entrants of the list"
type = "count"
[inputs.all_lines]
about = "of both"
type = "count"
example = "16"
[inputs.line]
about = "which"
type = "word"
words = ["NS", "EW"]
[inputs.winners]
about = "winners"
type = "word"
words = ["1", "2"]
first = "1"
[parameters]
cent = { value = "0.01", clause = "§1" }
weight = { value = "1/2", clause = "§1" }
"""


def test_a_defect_that_only_two_lines_show_is_caught(tmp_path: Path) -> None:
    """One more in the other line takes half a point from everybody in this one."""
    book = write_book(tmp_path / "lined", LINED_TOML, LINED)
    *_, lines = cases_of(book)
    [broken] = _tried(book, lines, "newcomer").broken
    assert broken.smallest.trial.words == "3 entrants in either line, then one more in the other"
    assert broken.smallest.found == "place 1 falls from 3.00 to 2.50"


PLANTED = '''
@rule("§1", rounds=up("whole"))
def places(entrants, half):
    """Half."""
    return entrants * half

@rule("§1")
def mean_skill(mean_of_skill):
    """Mean."""
    return mean_of_skill

@rule("§1", rounds=nearest("cent"))
def first(entrants, mean_skill, knee, drop):
    """FIRST."""
    return entrants + (mean_skill if mean_skill <= knee else mean_skill - drop)

@rule("§1", per="place", starts="first")
def points(place, previous, share, odd):
    """PLACES."""
    if place == odd:
        return previous + 1
    return previous * share

@rule("§1", per="entrant", rounds=nearest("cent"))
def award(covered_points, tied):
    """TIES."""
    return covered_points / tied * min(tied, 1 + 1)
'''
TOML = """
[inputs.entrants]
about = "entrants"
type = "count"
[inputs.skill]
about = "skill"
per = "player"
most = 100
[parameters]
half = { value = "1/2", clause = "§1" }
whole = { value = 1, clause = "§1" }
cent = { value = "0.01", clause = "§1" }
knee = { value = 20, clause = "§1" }
drop = { value = 9, clause = "§1" }
share = { value = "3/4", clause = "§1" }
odd = { value = 3, clause = "§1" }
"""


@pytest.mark.slow
def test_planted_defects_are_caught(tmp_path: Path) -> None:
    """A fall at a strength, a place that pays more than the one above, and ties that pay double."""
    audited = audit(write_book(tmp_path / "planted", TOML, PLANTED))
    broken = " ".join(row["promise"] for row in audited.frame("Broken"))
    for promise in ("stronger field", "boundary of strength", "better place", "ties", "entrant"):
        assert promise in broken
    assert "permuting" not in broken
    assert "planted" in audited.text()


def test_events_are_made_up_for_a_rulebook_that_needs_forty(tmp_path: Path) -> None:
    """And for one that awards one word of an event only."""
    few = """
[refuses.too_few]
message = "fewer than {fewest} entrants"
clause = "§1"
if = "entrants < fewest"
[refuses.other_sort]
message = "only of the second sort"
clause = "§1"
when = { sort = "first" }
"""
    asked = '[inputs.sort]\nabout = "sort"\ntype = "word"\nwords = ["first", "second"]\n'
    asked += 'first = "first"\n'
    limit = 'fewest = { value = 40, clause = "§1" }\n'
    book = write_book(tmp_path / "large", TOML + limit + asked + few, PLANTED)
    [case] = cases_of(book)
    assert case.facts == {"sort": "second"}
    assert _tried(book, case, "place").broken
