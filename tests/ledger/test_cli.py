"""The commands: what they print, what they exit with, and that a dry run leaves nothing."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from honours.cli import cli
from honours.cli.ledger import command as ledger_group
from honours.cli.season import command as season_group
from honours.ledger import versions
from tests.support import ROOT

NIGHT = str(ROOT / "examples" / "club-pairs.csv")
SBU = (
    "kind=pairs",
    "winners=1",
    "--as-usual",
    "--rulebook",
    "sbu-clubs-2016",
    "--date",
    "2017-01-14",
)


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HONOURS_BY", "tester")


def run(*arguments: str, **more: Any) -> Result:
    return CliRunner().invoke(cli, list(arguments), **more)


def ledger(*arguments: str, expect: int = 0, **more: Any) -> Result:
    done = run("ledger", *arguments, **more)
    assert done.exit_code == expect, done.output
    return done


def data(*arguments: str, expect: int = 0) -> Any:
    return json.loads(ledger(*arguments, "--json", expect=expect).output)


@pytest.fixture
def posted() -> None:
    ledger("init")
    ledger("import-members", str(ROOT / "examples" / "members.csv"), "--rulebook", "sbu-clubs-2016")
    ledger("post", NIGHT, *SBU)


def test_from_nothing_to_a_statement() -> None:
    assert "new ledger" in ledger("init").output
    assert "already" in ledger("init", expect=2).output
    assert "posted as record 1" in ledger("post", NIGHT, *SBU).output
    printed = ledger("statement", "4001").output
    assert "club pairs" in printed
    assert "local: 12" in printed
    assert data("statement", "alma reed")["balances"][0]["balance"] == "12"


@pytest.mark.usefixtures("posted")
def test_posting_again_and_otherwise() -> None:
    assert "already there as record 2; nothing was changed" in ledger("post", NIGHT, *SBU).output
    other = ledger("post", NIGHT, "championship=major", *SBU, expect=1).output
    assert "--correct --why" in other
    assert "Alma Reed & Boris Lund: place 1, 12 points in the ledger, place 1, 18" in other
    like = ledger("post", NIGHT, *SBU[:-1], "2017-01-15", expect=1).output
    assert "looks like club pairs of 2017-01-14" in like
    assert "--another" in like
    done = data("post", NIGHT, "championship=major", *SBU, "--correct", "--why", "the final")
    assert (done["status"], done["record"]) == ("posted", 4)
    assert "not like 2025-03-31" in ledger("post", NIGHT, *SBU[:-1], "soon", expect=2).output


def test_a_repeated_command_under_a_key() -> None:
    ledger("init")
    ledger("post", NIGHT, *SBU, "--key", "night-1")
    assert "by record 2" in ledger("reverse", "1", "--why", "void", "--key", "k").output
    assert "by record 2" in ledger("reverse", "1", "--why", "void", "--key", "k").output
    assert data("post", NIGHT, *SBU, "--key", "night-1")["status"] == "already posted"
    assert data("post", NIGHT, *SBU)["record"] == 3


def test_from_results_of_boards_to_postings() -> None:
    ledger("init")
    boards = str(ROOT / "examples" / "tuesday.csv")
    done = data("post", boards, "winners=1", *SBU[2:])
    assert [p["amount"] for p in done["postings"]][::2] == ["36", "30", "24", "18", "12", "6"]
    assert all(member["visitor"] for member in done["newcomers"])
    nameless = str(ROOT / "examples" / "tuesday-pairs.csv")
    assert "no players" in ledger("post", nameless, *SBU[1:], expect=2).output


@pytest.mark.usefixtures("posted")
def test_drafts_are_reviewed_and_released() -> None:
    late = (*SBU[:-1], "2017-02-01", "--title", "Late", "--draft")
    assert data("post", NIGHT, *late)["status"] == "held"
    assert "Late" in ledger("drafts").output
    ledger("allow", "Secretary")
    assert "may not release" in ledger("release", "1", expect=2).output
    asked = ledger("release", "1", "--by", "Secretary", expect=1).output
    assert "looks like" in asked
    done = data("release", "1", "--by", "Secretary", "--another")
    assert done["status"] == "posted"
    assert data("drafts", "--all")[0]["status"] == "released"
    ledger("post", NIGHT, *SBU[:-1], "2017-03-01", "--title", "Later", "--draft")
    ledger("withdraw", "2", "--why", "no")
    assert ledger("drafts").output == "no drafts\n"


@pytest.mark.usefixtures("posted")
def test_people() -> None:
    assert data("edit", "4001", "--opted-out", "--name", "Alma Reed-Lund")["opted_out"] is True
    assert "Boris Lund's already" in ledger("edit", "4001", "--number", "4002", expect=2).output
    public = ledger("members", "--public").output
    assert "Alma" not in public
    assert "Alma" not in ledger("ranks", "--public").output
    assert "counts as" in ledger("merge", "4005", "4003", "--why", "twice").output
    assert "again" in ledger("merge", "4005", "--undo").output
    assert "MEMBER INTO" in ledger("merge", "4005", expect=2).output
    assert "Forget" in ledger("erase", "4002", input="n\n", expect=1).output
    ledger("erase", "4002", "--yes")
    assert "Boris" not in ledger("members").output
    added = data("kinds", "--add", "gold", "--rulebook", "sbu-clubs-2016")
    assert added[-1]["name"] == "gold"
    assert "needs --rulebook" in ledger("kinds", "--add", "x", expect=2).output
    assert "sound" in ledger("verify").output


@pytest.mark.usefixtures("posted")
def test_why_ranks_and_reversal() -> None:
    assert "the larger of" in ledger("why", "8").output
    assert data("why", "8")["explanation"][0]["value"] == "12"
    assert "an opening balance" in ledger("why", "1").output
    printed = ledger("ranks", "--member", "4004").output
    assert "Scottish Master" in printed
    assert "Opening balances" in printed
    assert data("ranks")[0]["members"][0]["rank"] == "Scottish Master"
    assert "taken back by record 3" in ledger("reverse", "2", "--why", "void").output
    assert "already" in ledger("reverse", "2", "--why", "void", expect=2).output


@pytest.mark.usefixtures("posted")
def test_copies_and_verification(tmp_path: Path) -> None:
    assert "2 records" in ledger("export", "out").output
    assert ledger("export", "nowhere", "--dry-run").output
    assert not (tmp_path / "nowhere").exists()
    assert data("import", "out", "--ledger", "copy.db")["verdict"] == "sound"
    ledger("backup", "b.backup")
    assert "sound" in ledger("restore", "b.backup", "--ledger", "again.db").output
    assert f"version {versions.NEWEST} already" in ledger("upgrade").output
    counts = data("verify", "--every")
    assert counts["counts"] == {"sound": 11}
    assert len(counts["postings"]) == 11
    import sqlite3

    with sqlite3.connect("copy.db") as raw:
        raw.execute("UPDATE people SET name = 'Mallory' WHERE member = 1")
    assert "people 1: was changed" in ledger("verify", "--ledger", "copy.db", expect=1).output


@pytest.mark.usefixtures("posted")
def test_submissions(tmp_path: Path) -> None:
    period = ("--since", "2017-01-01", "--until", "2017-12-31")
    assert data("submit", "out.xml", *period, "--dry-run")["dry_run"] is True
    assert not (tmp_path / "out.xml").exists()
    assert "1 record in out.xml" in ledger("submit", "out.xml", *period).output
    before = (tmp_path / "out.xml").read_bytes()
    assert data("submit", "again.xml", "--again", "1")["records"] == [2]
    assert (tmp_path / "again.xml").read_bytes() == before
    failed = ledger("submit", "no/such/out.xml", "--again", "1", expect=2).output
    assert "no folder to write into" in failed
    assert "--since 2017-01-01 --until" in ledger("submit", "x.xml", expect=2).output
    ledger("edit", "4001", "--number", "")
    once = ledger("submit", "more.xml", "--again", "1", "--to", "honours").output
    assert "Alma Reed: has no number; add it: honours ledger edit NAME --number NUMBER" in once
    assert once.count("Alma Reed") == 1
    answer = data("submissions", "--mark", "1", "--status", "rejected", "--remark", "number")
    assert [r["id"] for r in answer["pending"]] == [2]
    assert answer["submissions"][0]["remark"] == "number"
    assert "rejected" in ledger("submissions").output
    assert "needs --status" in ledger("submissions", "--mark", "1", expect=2).output


SEASON = str(ROOT / "examples" / "season" / "year.toml")
MEMBERS = str(ROOT / "examples" / "members.csv")
PERIOD = ("--since", "2017-01-01", "--until", "2017-12-31")
LATE = (NIGHT, *SBU[:-1], "2017-05-05", "--title", "Late")
NEW_ZEALAND = ("--rulebook", "nz-bridge")
EACH: dict[str, list[tuple[str, ...]]] = {
    "init": [("--ledger", "new.db")],
    "import-members": [("new.csv",)],
    "members": [()],
    "edit": [("4001", "--opted-out")],
    "post": [
        (*LATE, "--another"),
        (*LATE, "--draft"),
        (NIGHT, "championship=major", *SBU, "--correct", "--why", "the final"),
    ],
    "intake": [(str(ROOT / "examples/season/saturdays"), *SBU[:-2])],
    "receipts": [(), ("--status", "posted")],
    "duplicates": [()],
    "qualify": [(str(ROOT / "examples" / "masters.toml"),)],
    "drafts": [()],
    "release": [("1", "--another")],
    "withdraw": [("1", "--why", "x")],
    "allow": [("Eve", "--no-longer"), ("Eve",)],
    "reverse": [("2", "--why", "x")],
    "act": [],  # no bundled rulebook has any: tests/ledger/test_living.py
    "living": [("4001", *NEW_ZEALAND)],
    "statement": [("4001",)],
    "why": [("8",)],
    "ranks": [(), ("--member", "4001")],
    "points": [PERIOD, (*PERIOD, "--out", "points.csv")],
    "roll": [(), ("--out", "roll.parquet")],
    "totals": [PERIOD, (*PERIOD, "--out", "totals.csv")],
    "promotions": [PERIOD, (*PERIOD, "--out", "promotions.json")],
    "year": [("2017", "year-2017"), ("2017", "year-2017", "--statements")],
    "merge": [("4001", "4002"), ("7002", "--undo")],
    "erase": [("4001",)],
    "kinds": [(), ("--add", "gold", "--rulebook", "sbu-clubs-2016")],
    "submit": [("out.xml", *PERIOD)],
    "submissions": [(), ("--mark", "1", "--status", "sent")],
    "verify": [()],
    "export": [("out",), ("out", "--format", "parquet")],
    "import": [("exported", "--ledger", "new.db")],
    "backup": [("new.backup",)],
    "restore": [("old.backup", "--ledger", "new.db")],
    "upgrade": [()],
    "head": [(), ("-o", "new.json")],
    "witness": [("head.json", "--key", "my.key", "--kept", "signed.txt")],
    "follows": [("head.json", "head.json")],
    "key": [("new.key",)],
    "prove": [("8", "proof.json")],
    "check-proof": [("proved.json", "--head", "head.json")],
    "assert": [("2017-12-31", "national", "0")],
    "assertions": [("--withdraw", "1")],
    "standings": [(SEASON,), (SEASON, "--ledger", "honours.db")],
    "award": [(SEASON,), (SEASON, "--post", "--ledger", "honours.db")],
}
"""Something to do with every command of the ledger and the season."""


@pytest.fixture
def lively(tmp_path: Path) -> Path:
    """A ledger with something of everything for the commands to work on."""
    ledger("init")
    ledger("import-members", MEMBERS, "--rulebook", "sbu-clubs-2016")
    ledger("post", NIGHT, *SBU)
    ledger("post", NIGHT, *SBU[:-1], "2017-03-03", "--title", "Held", "--draft")
    (tmp_path / "twin.csv").write_text("number,name\n7002,Twin\n", encoding="utf-8")
    ledger("import-members", "twin.csv")
    ledger("merge", "7002", "4005")
    ledger("submit", "sent.xml", "--since", "2016-01-01", "--until", "2017-12-31")
    ledger("post", NIGHT, *SBU[:-1], "2017-06-06", "--title", "Unsent", "--another")
    ledger("assert", "2016-12-31", "national", "0")
    ledger("export", "exported")
    ledger("backup", "old.backup")
    ledger("head", "-o", "head.json")
    ledger("key", "my.key")
    ledger("prove", "8", "proved.json")
    (tmp_path / "new.csv").write_text("number,name\n7001,New Member\n", encoding="utf-8")
    return tmp_path


def everything_in(folder: Path) -> dict[Path, bytes]:
    return {file: file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def test_every_command_answers_in_json_and_a_dry_run_of_it_leaves_everything_as_it_was(
    lively: Path,
) -> None:
    before = everything_in(lively)
    for group in (ledger_group, season_group):
        for name in group.commands:
            for arguments in EACH[name]:
                command = [str(group.name), name, *arguments, "--dry-run"]
                plain, as_json = run(*command), run(*command, "--json")
                assert (plain.exit_code, as_json.exit_code) == (0, 0), (command, plain.output)
                assert json.loads(as_json.stdout) is not None, command
                assert everything_in(lively) == before, command


def test_every_command_does_something_without_a_dry_run(lively: Path) -> None:
    """So that the dry runs above are of something: each writes, or answers the same."""
    looks_only = {
        "members",
        "drafts",
        "statement",
        "why",
        "ranks",
        "verify",
        "standings",
        "upgrade",
        "check-proof",
        "follows",
        "living",
        "duplicates",
        "qualify",
        "receipts",
    }
    before = everything_in(lively)
    for group in (ledger_group, season_group):
        for name in group.commands:
            if not EACH[name]:
                continue
            if name in looks_only:
                assert run(str(group.name), name, *EACH[name][-1]).exit_code == 0, name
                continue
            done = run(str(group.name), name, *EACH[name][-1], input="y\n")
            assert done.exit_code == 0, (name, done.output)
            assert everything_in(lively) != before, name
            restore(lively, before)


def restore(folder: Path, before: dict[Path, bytes]) -> None:
    for file in everything_in(folder):
        file.unlink()
    for file, content in before.items():
        file.write_bytes(content)


def test_every_command_has_an_example() -> None:
    for group in (ledger_group, season_group):
        for name, each in group.commands.items():
            assert "Example" in (each.help or ""), name
            assert f"honours {group.name} {name}" in (each.help or ""), name


def test_a_dry_run_says_so_and_leaves_no_new_ledger(tmp_path: Path) -> None:
    assert "dry run: nothing was written" in ledger("init", "--dry-run").output
    assert list(tmp_path.iterdir()) == []
    assert "honours ledger init" in ledger("verify", expect=2).output


def test_the_season_posts_once() -> None:
    ledger("init")
    assert "--post needs a ledger" in run("season", "award", SEASON, "--post").output
    arguments = ("season", "award", SEASON, "--post", "--ledger", "honours.db")
    assert "(dry run" in run(*arguments, "--dry-run").output
    assert "bonus: posted, record 1" in run(*arguments).output
    assert "bonus: already posted, record 1" in run(*arguments).output
    assert "Ann Adair" in run("season", "standings", SEASON, "--all").output
    assert "nobody has this number" in ledger("statement", "nobody", expect=2).output


def test_a_season_that_differs_is_refused_with_the_command_that_corrects_it(tmp_path: Path) -> None:
    ledger("init")
    shutil.copytree(Path(SEASON).parent, tmp_path / "season")
    own = str(tmp_path / "season" / "year.toml")
    arguments = ("season", "award", own, "--post", "--ledger", "honours.db")
    assert run(*arguments).exit_code == 0
    last = sorted((tmp_path / "season" / "saturdays").iterdir())[-1]
    last.write_text(last.read_text(encoding="utf-8").replace(",57.64", ",97.64"), encoding="utf-8")
    done = run(*arguments)
    assert done.exit_code == 1
    assert "bonus: differs, record 1" in done.output
    assert '--correct --why "…"' in done.output
    assert "posted, record 3" in run(*arguments, "--correct", "--why", "misread").output


def test_columns_of_a_list_that_are_not_used_are_named(tmp_path: Path) -> None:
    ledger("init")
    people = "number,name,local,telephone\n1002,Ann Adair,150,555\n"
    (tmp_path / "m.csv").write_text(people, encoding="utf-8")
    output = ledger("import-members", "m.csv").output
    assert "not used of the list: local, telephone" in output
    assert "balances are taken when it is said whose points they are" in output
    output = ledger("import-members", "m.csv", "--rulebook", "sbu-clubs-2016").output
    assert "not used of the list: telephone\n" in output
    assert "whose points" not in output


def test_promotions_name_the_event(tmp_path: Path) -> None:
    """Just below Club Master, then a season's bonus and an evening."""
    ledger("init")
    people = "number,name,local\n1002,Ann Adair,150\n4001,Alma Reed,195\n"
    (tmp_path / "m.csv").write_text(people, encoding="utf-8")
    ledger("import-members", "m.csv", "--rulebook", "sbu-clubs-2016")
    output = run("season", "award", SEASON, "--post", "--ledger", "honours.db").output
    assert (
        "Promoted: Ann Adair (1002) is now Club Master, by Saturday Pairs, bonus 2017-03-25"
        in output
    )
    output = ledger("post", NIGHT, *SBU).output
    assert "Promoted: Alma Reed (4001) is now Club Master, by club pairs 2017-01-14" in output
    output = ledger("ranks", "--member", "4001").output.splitlines()[-1]
    assert re.split(r"\s{2,}", output) == [
        "2017-01-14",
        "4001",
        "Alma Reed",
        "Club Master",
        "club pairs",
        "3",
    ]
