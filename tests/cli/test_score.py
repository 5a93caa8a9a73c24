"""`honours score` and `honours rule`, as a club would use them."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from honours.cli import cli
from honours.cli.rule import command as rule
from honours.cli.score import SHEETS
from tests.support import ROOT

TABLE = """\
board,ns,ew,contract,declarer,tricks
1,1,2,4S,N,=
1,3,4,4S,N,+1
1,5,6,3NT,N,=
1,7,8,4S,N,-1
2,1,4,1NT,E,=
2,3,6,2H,S,-1
2,5,8,PASS,,
2,7,2,2H,S,=
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "tuesday.csv"
    path.write_text(TABLE)
    return path


def run(*words: object, code: int = 0) -> Result:
    result = CliRunner().invoke(cli, [str(word) for word in words])
    assert result.exit_code == code, result.output
    return result


def test_standings(file: Path) -> None:
    shown = run("score", file).output
    assert "tuesday · profile ebu · provisional" in shown
    assert "Winners: 2 proposed" in shown
    assert "83.33" in shown


def test_data_and_csv(file: Path) -> None:
    data = json.loads(run("score", file, "--json", "--matrix", "--explain", "pair 6").output)
    assert [r["line"] for r in data["rankings"]] == ["NS", "EW"]
    best = data["rankings"][1]["standings"][0]
    assert (best["entrant"], best["score"], best["shown_score"]) == ("6", "250/3", "83.33")
    assert data["boards"][0]["lines"][0]["ns"]["points"] == {"1": "4"}
    assert data["matrix"][0]["rows"][0]["1"] == "4"
    assert data["explanation"][0]["name"] == "percentage of 6"
    assert run("score", file, "--csv").output.splitlines()[1] == ",,NS,,,1=,1,,50.00,6.0,2"


def test_sheets(file: Path) -> None:
    shown = run("score", file, "--travellers", "--scorecards", "--matrix").output
    assert "Board 2" in shown
    assert "Pair 7" in shown
    assert "Total 6 of 12: 50.00%" in shown


def test_explanations(file: Path) -> None:
    assert "2 for each score beaten" in run("score", file, "--explain", "1").output
    assert "100 × 10 ÷ 12" in run("score", file, "--explain", "pair 6").output
    assert "did you mean" in run("score", file, "--explain", "pair 66", code=2).output


def test_profiles_and_switches(file: Path) -> None:
    assert "profile acbl" in run("score", file, "--profile", "acbl").output
    assert (
        "profile ebu, per_score_beaten=1 ·"
        in run("score", file, "--set", "per_score_beaten=1").output
    )
    assert "'ebuscore'" in run("score", file, "--profile", "ebuskore", code=2).output
    assert "unknown switch" in run("score", file, "--set", "x=1", code=2).output
    assert "IMPs" in run("score", file, "--scoring", "butler").output


def test_a_night_of_rulings(file: Path) -> None:
    by = ("--by", "A. Director")
    run("rule", file, "correct", 2, "--pair", 1, "--tricks", "8", *by, "--why", "typed wrong")
    run("rule", file, "adjust", 1, "--pair", 1, "--score", "60-40", *by, "--law", "12C2")
    run("rule", file, "name", 3, "Ann Ash", "Bob Birch", *by)
    run("rule", file, "substitute", 3, "Bob Birch", "Eve Elm", *by)
    run("rule", file, "winners", 2, *by)
    run("rule", file, "fouled", 2, "--pairs", "7,5", *by)
    run("rule", file, "final", *by)
    assert "· final (made final" in run("score", file).output
    run("rule", file, "penalty", 3, 10, *by)
    shown = run("score", file).output
    assert "amended" in shown
    assert "Changed since it was made final: 3 " in shown
    assert "Ann Ash & Eve Elm" in shown
    assert "proposed" not in shown
    assert run("rule", file, "list").output.count("[[ruling]]") == 8
    assert "penalty" in run("rule", file, "undo").output
    assert "provisional" in run("score", file, "--no-rulings").output
    assert file.read_text() == TABLE


def test_a_ruling_that_cannot_be_is_not_recorded(file: Path) -> None:
    assert "unknown entrant '99'" in run("rule", file, "phantom", 99, "--by", "D", code=2).output
    assert "no rulings" in run("rule", file, "list").output


def test_what_a_ruling_leaves_to_be_done_is_said(file: Path) -> None:
    """Two boards entered as each other take two corrections: the first is kept, with a word."""
    by = ("--by", "D")
    first = run("rule", file, "correct", 1, "--pair", 7, "--to-board", 2, *by).output
    assert "recorded" in first
    assert "7 plays board 2 2 times" in first
    assert "undo" in first
    run("rule", file, "undo")
    assert "cannot" not in run("rule", file, "correct", 1, "--pair", 7, "--tricks", "=", *by).output
    text = run("rule", file, "list").output
    keys = [line.split(" = ")[0] for line in text.splitlines()[1:] if line]
    assert keys == ["kind", "board", "pair", "tricks", "by", "when"]


def test_the_session_rule_is_told_as_it_is(tmp_path: Path) -> None:
    """11 of 18 is 61.11%, though the 3.7 of 6 it makes is 61.67%."""
    path = tmp_path / "night.csv"
    path.write_text(
        "board,ns,ew,score\n1,1,2,420\n1,3,4,450\n1,5,6,400\n1,7,8,-50\n"
        "2,1,4,110\n2,3,6,-100\n2,5,8,0\n2,7,2,110\n"
        "3,1,6,200\n3,3,8,-90\n3,5,2,-140\n3,7,4,990\n"
        "4,1,8,200\n4,3,2,-130\n4,5,4,NP\n4,7,6,AVE+/AVE-\n"
    )
    shown = run("score", path, "--explain", "board 4").output
    assert "session percentage = 3.7   7 had 61.11% on its other boards" in shown
    assert "board 4 = 3.7   of 6, NS against 6" in run("score", path, "--explain", "pair 7").output


def test_scales_and_matches(tmp_path: Path) -> None:
    path = tmp_path / "league.csv"
    path.write_text("round,board,ns,ew,score\n1,1,1,2,420\n1,1,2,1,-50\n1,2,1,2,110\n1,2,2,1,110\n")
    teams = ("score", path, "--type", "teams")
    assert "16.46" in run(*teams).output
    assert "12.80" in run(*teams, "--match-boards", 16).output
    assert " 10.00 " in run(*teams, "--scale", "none").output
    table = tmp_path / "scale.csv"
    table.write_text("boards,up_to,winner,loser\n,3,5,5\n,,8,2\n")
    assert " 8.00 " in run(*teams, "--scale", table).output
    assert "75.00" in run(*teams, "--scoring", "board-a-match").output
    assert "no such file" in run(*teams, "--scale", "wbff", code=2).output.lower()
    by = ("--by", "S")
    run("rule", path, "event", "--type", "teams", *by)
    run("rule", path, "penalty", 1, "0.5", "--unit", "vps", *by)
    run("rule", path, "final", "--match-boards", 16, *by)
    assert "by the WBF continuous scale; as 16 boards" in run("score", path).output
    assert "12.30" in run("score", path, "--match-boards", 16).output
    assert "· final" in run("score", path, "--match-boards", 16).output


def test_sheets_of_matches(tmp_path: Path) -> None:
    """A team has one score on a board, made at two tables; what it was worth is on every sheet."""
    path = tmp_path / "league.csv"
    path.write_text("round,board,ns,ew,score\n1,1,1,2,420\n1,1,2,1,-50\n1,2,1,2,110\n1,2,2,1,110\n")
    data = json.loads(
        run("score", path, "--type", "teams", "--json", *map("--{}".format, SHEETS)).output
    )
    worth = [
        (row["ns"], row["ns points"], row["ew points"]) for row in data["travellers"][0]["rows"]
    ]
    assert worth == [("1", "10", "-10"), ("2", "-10", "10")]
    card = data["scorecards"][0]
    assert card["title"] == "Team 1"
    assert [(row["points"], row["match"]) for row in card["rows"]] == [("10", ""), ("0", "16.46")]
    assert data["matrix"][0]["rows"][1] == {"team": "2", "1": "-10", "2": "0", "score": "3.54"}
    text = run("score", path, "--type", "teams").output
    assert "place  team  name    VPs  won  drawn  margin  boards" in text


def test_what_looks_wrong_is_proposed_with_its_ruling(tmp_path: Path) -> None:
    path = tmp_path / "night.csv"
    scores = {1: (420, 450, 420, 420, 980, 1010), 2: (-620, 620, -620, -650, -620, -620)}
    rows = [
        f"{board},{1 + (2 * table)},{2 + (2 * (table + board)) % 12},{points}"
        for board, board_scores in scores.items()
        for table, points in enumerate(board_scores)
    ]
    path.write_text("\n".join(["board,ns,ew,score", *rows, ""]))
    shown = run("score", path).output
    assert f"If so: honours rule {path} correct 2 --pair 3 --turned --by" in shown
    ruling = shown.split("If so: ")[1].splitlines()[0].split()[1:-2]
    run(*ruling, "--by", "D")


def test_switches_of_imps(file: Path) -> None:
    way = ("score", file, "--scoring", "cross-imps")
    assert "cross-imps, a sum" in run(*way, "--set", "divisor=sum").output
    assert "cross-imps, divided by n-1" in run(*way).output
    butler = ("score", file, "--scoring", "butler", "--set", "datum.unit=0", "--set")
    assert "datum exact, 0 off each end" in run(*butler, "datum.trim=0").output
    assert "unknown switch" in run(*way, "--set", "datum.trin=2", code=2).output
    assert "expected sum, n-1 or n" in run(*way, "--set", "divisor=all", code=2).output
    assert "true or false" in run(*way, "--set", "simplified=perhaps", code=2).output


def test_strata_handicaps_and_carry_over(file: Path) -> None:
    by = ("--by", "S")
    run("rule", file, "entrants", "1,3,2", "--stratum", "A", "--carried", "3", *by)
    run("rule", file, "entrants", "5,7,4,6,8", "--stratum", "B", "--handicap", "2.5", *by)
    shown = run("score", file, "--handicap", "--winners", 1).output
    for title in ("Stratum A", "Stratum B", "Stratum B, with handicap"):
        assert f"\n{title}\n" in shown
    assert "nobody is in any" in run("score", file, "--strata", "X,Y", code=2).output
    assert "carried over = 3" in run("score", file, "--explain", "pair 3").output


def test_travellers_typed_in(tmp_path: Path) -> None:
    path = tmp_path / "typed"
    path.write_text("title Tuesday\nboard 1\n1 2 4SN=\n3 4 4SN-1\n")
    assert "Tuesday · profile ebu" in run("score", path).output


def test_bad_input_is_told_with_its_lines(tmp_path: Path) -> None:
    path = tmp_path / "bad.csv"
    path.write_text(
        "board,ns,ew,score\n1,1,1,50\n1,2,3,50\n1,2,3,90\n2,4,5,50\n3,2,3,50\n3,2,4,50\n"
    )
    printed = run("score", path, code=2).output
    for line, problem in (
        (2, "plays against itself"),
        (4, "again, as line 3 has"),
        (5, "nobody but 4 against 5"),
        (7, "2 plays board 3 2 times (lines 6, 7)"),
    ):
        assert f"bad.csv, line {line}: " in printed
        assert problem in printed


def test_lines_that_cannot_be_read_and_lines_that_cannot_be_are_told_together(
    tmp_path: Path,
) -> None:
    path = tmp_path / "bad.csv"
    path.write_text(
        "board,ns,ew,contract,declarer,tricks,score\n1,1,1,4S,N,=,\n0,2,3,4S,N,=,\n"
        "1,2,3,8S,N,=,\n1,4,5,4S,N,14,\n1,6,7,,,,37\n2,2,3,4S,N,=,\n2,2,3,4S,N,=,\n"
        "2,4,,4S,N,=,\n9,4,5,4S,N,=,\n"
    )
    printed = run("score", path, code=2).output
    lines = [int(text.split(":")[0]) for text in printed.split("bad.csv, line ")[1:]]
    assert lines == [2, 3, 4, 5, 6, 8, 9, 10]


@pytest.mark.parametrize("name", sorted(rule.commands))
def test_every_ruling_has_help_with_an_example(file: Path, name: str) -> None:
    assert "Example:" in run("rule", file, name, "--help").output


def test_a_club_chooses_its_profile_once(tmp_path: Path) -> None:
    """Four scores of five: the EBU's simpler way gives whole matchpoints, event after event."""
    rows = ["board,ns,ew,contract,declarer,tricks"]
    rows += [
        f"1,{n},{n + 10},1NT,N,{tricks}" for n, tricks in enumerate(("+3", "+2", "+1", "="), 1)
    ]
    rows += [f"2,{n},{n + 10},1NT,N,=" for n in range(1, 6)]
    path = tmp_path / "short.csv"
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    chosen = {"HONOURS_PROFILE": "ebu-simplified"}
    asked = ["score", str(path), "--explain", "board 1"]
    simpler = CliRunner().invoke(cli, asked, env=chosen)
    usual = CliRunner().invoke(cli, asked)
    assert "M and one for the missing score" in simpler.output, simpler.output
    assert "reduce the top by one, increase the bottom by one" in simpler.output
    assert "M and one for the missing score" not in usual.output
    assert ", beaten" in usual.output
    assert ", not beaten" in usual.output


def test_a_ruling_that_is_proposed_can_be_typed(tmp_path: Path) -> None:
    file = tmp_path / "our tuesday.csv"
    file.write_bytes((ROOT / "examples" / "tuesday.csv").read_bytes())
    output = CliRunner().invoke(cli, ["score", str(file)]).output
    command = next(line for line in output.splitlines() if "Confirm it: " in line)
    assert shlex.split(command.partition("Confirm it: ")[2])[:4] == [
        "honours",
        "rule",
        str(file),
        "winners",
    ]


def test_a_place_of_go_is_explained_by_what_broke_the_tie(tmp_path: Path) -> None:
    path = tmp_path / "open.txt"
    path.write_text(
        "TOURNEY Open\nPLAYERS\n1 Reed, Alma 1d\n2 Lund, Bo 1d\n3 Oak, Cleo 1d\n4 Elm, Di 1d\n"
        "GAMES 1\n1 3 W 0 7\n2 4 W 0 7\nGAMES 2\n1 4 W 0 7\n2 3 B 0 7\nEND\n"
    )
    data = json.loads(run("score", path, "--explain", "lund, bo", "--json").output)
    (step,) = data["explanation"]
    assert step["value"] == "3"
    assert [one["name"] for one in step["uses"]] == ["NBW", "SOSW"]
    assert step["because"].startswith(
        "SOSW places it after Oak, Cleo: 1 to 3; NBW places it before"
    )
    refused = run("score", path, "--explain", "Lund, B", code=2)
    assert "'Lund, Bo'" in refused.output
    assert "does not say what was awarded" in run("award", path, "--check", code=2).output


def test_a_game_of_go_is_ruled_on(tmp_path: Path) -> None:
    file = tmp_path / "open.txt"
    file.write_bytes((ROOT / "examples/go-open.txt").read_bytes())
    assert run("score", file).stdout.splitlines()[2].split()[1] == "501"
    run("rule", file, "game", 3, 501, "--winner", "black", "--by", "A. Director")
    assert run("score", file).stdout.splitlines()[2].split()[1] == "506"
    run("rule", file, "game", 9, 501, "--winner", "black", "--by", "A. Director", code=2)
    run("rule", file, "penalty", 501, 10, "--by", "A. Director", code=2)
