"""The award commands as a user meets them: answers, refusals, and errors that say what to do."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from honours.cli import cli
from honours.engine.rulebook.load import starting_files
from tests.support import ROOT, cases

AGA = ("calc", "aga-category", "mean_rating=7.93", "players=20")
SBU = ("calc", "sbu-clubs-2016", "kind=pairs")
SOF = ("calc", "acbl-sof-2020", "kind=pairs", "entrants=20", "sessions=2", "strength_factor=20")
GENERAL = ("calc", "acbl-general", "tables=4", "class=regional", "sessions=2")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli, list(arguments))


def answer(*arguments: str) -> Any:
    result = run(*arguments, "--json")
    assert result.exit_code == 0, result.output
    told = json.loads(result.output)
    return told.get("items", told)


def test_calc_prints_one_object() -> None:
    data = answer(*AGA)
    assert data["rulebook"] == "aga-category"
    assert data["inputs"] == {"mean_rating": "7.93", "players": "20"}
    assert data["quantities"]["category"] == "16"
    assert data["schedule"][0] == {"place": 1, "award": "11.9"}
    assert len(data["schedule"]) == 20
    assert data["refusal"] is None
    assert {c["name"] for c in data["choices"]} >= {"category-formula"}


def test_a_refusal_is_an_answer() -> None:
    data = answer("calc", "aga-category", "mean_rating=11", "players=20")
    assert data["schedule"] == []
    assert data["refusal"] == {
        "reason": "a mean rating of 11 is above 10.8",
        "citation": "Limits",
    }


def test_set_and_variant_are_carried() -> None:
    assert answer(*AGA, "--set", "offset=5")["amended"] == {"offset": "5"}
    assert answer(*AGA, "--variant", "printed")["quantities"]["exact_category"] == "13.4"


def test_two_lines_are_in_the_schedule() -> None:
    data = answer("calc", "sbu-clubs-2016", "kind=pairs", "winners=2", "tables=9.5")
    by_line = {
        line: [i["award"] for i in data["schedule"] if i["line"] == line] for line in ("NS", "EW")
    }
    assert by_line == {"NS": ["40", "30", "20", "10"], "EW": ["30", "20", "10"]}


def test_a_swiss_adds_its_match_awards() -> None:
    data = answer(
        "calc",
        "sbu-clubs-2016",
        "kind=teams",
        "competition=swiss",
        "teams=16",
        "boards_per_match=5",
        "matches=5",
    )
    assert [i["award"] for i in data["schedule"]] == ["64", "48", "32", "16"]
    assert set(data["match_awards"].values()) == {"8", "4"}


def test_explain_is_clause_by_clause() -> None:
    text = run(*AGA, "--explain", "--place", "2").output
    assert "Why 10.2 for place 2" in text
    assert "[Distribution of Qualification Points]" in text
    assert answer(*AGA, "--explain")["explanation"][1]["value"] == "10.2"


@cases
def test_errors_name_what_is_wrong_and_exit_2(arguments: tuple[str, ...], message: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert message in result.output


def test_rulebooks_lists_them() -> None:
    text = run("rulebooks").output
    assert "sbu-clubs-2016" in text
    own = run("rulebooks", "--rulebooks", str(ROOT / "examples" / "rulebooks"), "--json")
    assert "village-cup" in {b["id"] for b in json.loads(own.output)["items"]}


def test_rulebook_show_has_parameters_with_citations_and_choices() -> None:
    text = run("rulebook", "show", "aga-category").output
    assert "rating_exponent" in text
    assert "R̄ to the power 2.1" in text
    assert "Where we had to choose" in text
    data = json.loads(run("rulebook", "show", "aga-category", "--json").output)
    assert {"name": "printed", "about": "the category formula as printed"} in data["variants"]


def test_rulebook_check_says_what_is_wrong(tmp_path: Path) -> None:
    import shutil

    shutil.copytree(ROOT / "examples" / "rulebooks" / "village_cup", tmp_path / "village_cup")
    good = run("rulebook", "check", "village-cup", "--rulebooks", str(tmp_path))
    assert good.exit_code == 0, good.output
    file = tmp_path / "village_cup" / "examples.toml"
    file.write_text(file.read_text().replace('"20", "10"', '"20", "11"'))
    bad = run("rulebook", "check", "village-cup", "--rulebooks", str(tmp_path))
    assert bad.exit_code == 1
    assert "expected ['20', '11', '5', '3'], got ['20', '10', '5', '3']" in bad.output


def test_what_was_given_and_plays_no_part_is_told() -> None:
    proposed, unused = answer(*SOF, "masterpoints=100", "limit=3000")["notices"]
    assert proposed["text"].startswith("This rule is proposed.")
    assert unused["text"] == "not used for these awards: masterpoints=100"
    assert answer(*SOF, "limit=3000")["notices"] == [proposed]
    two_lines = answer(*SBU, "winners=2", "pairs=20", "teams=9")["notices"]
    assert [n["text"] for n in two_lines] == ["not used for these awards: teams=9"]


def test_an_unlimited_event_has_the_factor_of_one() -> None:
    assert answer(*GENERAL)["quantities"]["factor_for_limit"] == "1"
    assert "limit = none" in run(*GENERAL, "--explain").output


def test_a_tie_may_run_past_the_shorter_of_two_lines() -> None:
    data = answer(*SBU, "winners=2", "tables=9.5", "--ties", "4-10")
    ties = {
        line: [i["tied"] for i in data["schedule"] if i["line"] == line and "tied" in i]
        for line in ("NS", "EW")
    }
    assert ties == {"NS": [7] * 7, "EW": []}
    whole = answer(*SBU, "winners=2", "tables=9.5", "--ties", "1-10")["schedule"]
    assert [i["tied"] for i in whole] == [10] * 10 + [9] * 9


def test_points_per_session_are_added_up_and_the_table_says_so(tmp_path: Path) -> None:
    book = tmp_path / "own" / "our_club"
    book.mkdir(parents=True)
    for name, text in starting_files("our-club", 2026).items():
        added = '[lists]\nsessions = "sum"\n\n[parameters]'
        (book / name).write_text(text.replace("[parameters]", added), "utf-8")
    scores = {1: (60, 50, 45, 40), 2: (40, 60, 50, 45)}
    rows = [f"{s},{n},{x}" for s, of in scores.items() for n, x in enumerate(of, 1)]
    file = tmp_path / "two.csv"
    file.write_text("\n".join(["session,entrant,score", *rows]), "utf-8")
    own = ("--as-usual", "--rulebook", "our-club", "--rulebooks", str(tmp_path / "own"))
    paid = run("award", str(file), *own).output
    assert "Each entrant gets the sum of its sessions\n" in paid, paid
    last = paid.partition("Each entrant")[2].partition("\n\n")[0].splitlines()
    assert [line.split()[-1] for line in last[3:]] == ["0.40", "0.60", "0.20", "0"]
