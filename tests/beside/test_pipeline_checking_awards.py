"""Compared with real files beside the repository: pipeline checking awards."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from honours.cli import cli
from honours.pipeline import awarded, ranked, read_account, read_accounts
from honours.pipeline.checking.awards import check_awards
from honours.pipeline.checking.figures import FigureCheck
from honours.rulebooks import ids, load
from tests.support import shared

CLUBS = "acbl-clubs-2017"
EXPLAINED = {
    # sections are paid by the session and of all sessions together, and ours has one ranking
    "final-session-2.ACA": ("sections of all sessions", "by this session alone", "place"),
}


def checked(name: str, books: tuple[str, ...] = ()) -> FigureCheck:
    account = read_account(shared(f"real/{name}"))
    return check_awards(account, [load(i) for i in books or ids()], {})


@pytest.mark.parametrize(
    "path", sorted(shared("real/acblscore").glob("*.json")), ids=lambda path: path.stem
)
def test_what_acblscore_awarded_comes_out_of_the_file_alone(path: Path) -> None:
    for account in read_accounts(path.with_suffix("")):
        comparison = check_awards(account, [load(CLUBS)], {})
        if path.stem in EXPLAINED:
            reasons = EXPLAINED[path.stem]
            assert all(any(word in d.why for word in reasons) for d in comparison.differences)
            assert comparison.agree * 2 > comparison.lines
        else:
            assert (comparison.agree, comparison.differences) == (comparison.lines, ())


@pytest.mark.parametrize(
    ("name", "best"),
    [
        ("usebio/usebio-and-pbn.xml", "ebu-clubs scale=A"),
        ("usebio/mp-pairs.xml", "ebu-clubs scale=A"),
        ("usebio/mp-pairs-howell.xml", "abf-sessions event_grade=red"),
        ("usebio/cross-imp-howell.xml", "abf-sessions event_grade=green"),
        ("acblscore/tie-for-first.aca", CLUBS),
    ],
)
def test_the_rulebook_and_the_reading_that_a_program_used(name: str, best: str) -> None:
    comparison = checked(name)
    assert (comparison.best_profile, comparison.differences) == (best, ())


def test_colours_are_those_of_the_file() -> None:
    [account] = read_accounts(shared("real/acblscore/tie-for-first.aca"))
    awards = awarded(ranked(account), load(CLUBS), {}).awards
    assert awards is not None
    for entrant in account.event.entrants:
        colours = entrant.published.get("masterpoint_type", "")
        [award] = awards.combined[entrant.entrant.id]
        assert "+".join(award.colours) == colours, entrant.entrant.id


def test_a_tie_that_only_the_file_has_is_told_as_one() -> None:
    comparison = checked("usebio/mp-pairs-mitchell-adjusted.xml", ("abf-sessions",))
    why = {d.where.partition(",")[0]: d.why for d in comparison.differences}
    assert why["15NS"].startswith("the file has it share a place with 19NS, and pays each the mean")
    assert why["19NS"].startswith("the file has it share a place with 15NS")


def test_each_difference_from_another_rulebook_names_a_clause() -> None:
    comparison = checked("usebio/usebio-and-pbn.xml", ("sbu-clubs-2016",))
    assert comparison.differences
    assert all("[" in d.why or "place" in d.why for d in comparison.differences)


def test_a_game_that_was_never_ranked_overall_is_read_so() -> None:
    comparison = checked("acblscore/not-ranked-overall.ACA")
    assert (comparison.agree, comparison.best_profile) == (30, CLUBS)


def test_a_page_of_the_acbl_tells_its_rulebook_what_a_game_file_does() -> None:
    comparison = checked("acbl/club-results-page.html")
    assert (comparison.agree, comparison.differences) == (11, ())


def test_all_events_of_a_file_are_compared() -> None:
    path = str(shared("real/acblscore/penalty.ACM"))
    data = json.loads(CliRunner().invoke(cli, ["award", path, "--check", "--json"]).stdout)
    assert (data["lines"], data["agree"], data["best_profile"]) == (34, 34, CLUBS)


def test_an_event_paid_by_section_and_overall_is_shown() -> None:
    path = str(shared("real/acblscore/two-sections-scored-across.ACA"))
    made = CliRunner().invoke(
        cli, ["award", path, "--event", "1", "--as-usual", "--rulebook", CLUBS]
    )
    assert made.exit_code == 0, made.output
    assert "Section BB line NS stratum A" in made.stdout
    assert "as a program computes it" in made.stdout


def test_the_command_finds_the_rulebook_or_takes_the_one_it_is_given() -> None:
    path = str(shared("real/acblscore/smallest-howell.ACE"))
    data = json.loads(CliRunner().invoke(cli, ["award", path, "--check", "--json"]).stdout)
    assert data == {
        "format": 1,
        "lines": 6,
        "agree": 6,
        "best_profile": CLUBS,
        "differences": [],
    }
    other = CliRunner().invoke(cli, ["award", path, "--check", "--rulebook", "acbl-general"])
    assert "published figures agree with acbl-general" in other.stdout
    assert f"best agrees {CLUBS}: 6" in other.stdout
    missing = CliRunner().invoke(cli, ["award", path])
    assert "--rulebook acbl-clubs-2017" in missing.output
