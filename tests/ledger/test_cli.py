"""The commands: what they print, what they exit with, and that a dry run leaves nothing."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result

from honours.cli import cli
from honours.cli.ledger import command as ledger_group
from honours.cli.season import command as season_group
from tests.support import ROOT, table

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
    told = json.loads(ledger(*arguments, "--json", expect=expect).output)
    return told.get("items", told)


@pytest.fixture
def posted() -> None:
    ledger("init")
    ledger(
        "members", "import", str(ROOT / "examples" / "members.csv"), "--rulebook", "sbu-clubs-2016"
    )
    ledger("post", NIGHT, *SBU)


@pytest.mark.usefixtures("posted")
def test_posting_again_and_otherwise() -> None:
    assert (
        "already in the ledger as record 2; nothing was changed"
        in ledger("post", NIGHT, *SBU).output
    )
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
def test_people() -> None:
    assert (
        data("members", "edit", "4001", "--opted-out", "--name", "Alma Reed-Lund")["opted_out"]
        is True
    )
    assert (
        "already belongs to Boris Lund"
        in ledger("members", "edit", "4001", "--number", "4002", expect=2).output
    )
    public = ledger("members", "list", "--public").output
    assert "Alma" not in public
    assert "Alma" not in ledger("lists", "ranks", "--public").output
    assert "counts as" in ledger("members", "merge", "4005", "4003", "--why", "twice").output
    assert "again" in ledger("members", "unmerge", "4005", "--why", "two").output
    assert "Forget" in ledger("members", "erase", "4002", input="n\n", expect=1).output
    ledger("members", "erase", "4002", "--yes")
    assert "Boris" not in ledger("members", "list").output
    added = data("lists", "kinds", "--add", "gold", "--rulebook", "sbu-clubs-2016")
    assert added[-1]["kind"] == "gold"
    assert "needs --rulebook" in ledger("lists", "kinds", "--add", "x", expect=2).output
    assert "sound" in ledger("audit", "verify").output


@pytest.mark.usefixtures("posted")
def test_submissions(tmp_path: Path) -> None:
    period = ("--since", "2017-01-01", "--until", "2017-12-31")
    assert data("returns", "make", "out.xml", *period, "--dry-run")["dry_run"] is True
    assert not (tmp_path / "out.xml").exists()
    assert "1 record in out.xml" in ledger("returns", "make", "out.xml", *period).output
    before = (tmp_path / "out.xml").read_bytes()
    assert data("returns", "make", "again.xml", "--again", "1")["records"] == [2]
    assert (tmp_path / "again.xml").read_bytes() == before
    failed = ledger("returns", "make", "no/such/out.xml", "--again", "1", expect=2).output
    assert "not a folder that can be written to" in failed
    assert "--since 2017-01-01 --until" in ledger("returns", "make", "x.xml", expect=2).output
    ledger("members", "edit", "4001", "--number", "")
    once = ledger("returns", "make", "more.xml", "--again", "1", "--to", "honours").output
    assert (
        "Alma Reed: has no number; add it: honours ledger members edit NAME --number NUMBER" in once
    )
    assert once.count("Alma Reed") == 1
    marked = data("returns", "mark", "1", "--status", "rejected", "--remark", "number")
    assert (marked["status"], marked["remark"]) == ("rejected", "number")
    assert [r["record"] for r in data("returns", "list")["pending"]] == [2]


SEASON = str(ROOT / "examples" / "season" / "year.toml")
MEMBERS = str(ROOT / "examples" / "members.csv")
EACH: dict[str, list[list[str]]] = {
    command: [shlex.split(line.format(examples=ROOT / "examples")) for line in lines]
    for command, lines in table(__file__, "EACH").items()
}


def _commands(group: click.Group, *path: str) -> Iterator[tuple[str, ...]]:
    for name, one in group.commands.items():
        if isinstance(one, click.Group):
            yield from _commands(one, *path, name)
        else:
            yield (*path, name)


COMMANDS = [*_commands(ledger_group, "ledger"), *_commands(season_group, "season")]
LISTED = (("members", "list"), ("drafts", "list"), ("years", "list"), ("returns", "list"))


@pytest.fixture
def lively(tmp_path: Path) -> Path:
    """A ledger with something of everything for the commands to work on."""
    ledger("init")
    ledger("members", "import", MEMBERS, "--rulebook", "sbu-clubs-2016")
    ledger("post", NIGHT, *SBU)
    ledger("post", NIGHT, *SBU[:-1], "2017-03-03", "--title", "Held", "--draft")
    (tmp_path / "twin.csv").write_text("number,name\n7002,Twin\n", encoding="utf-8")
    ledger("members", "import", "twin.csv")
    ledger("members", "merge", "7002", "4005", "--why", "one")
    ledger("returns", "make", "sent.xml", "--since", "2016-01-01", "--until", "2017-12-31")
    ledger("post", NIGHT, *SBU[:-1], "2017-06-06", "--title", "Unsent", "--another")
    ledger("years", "close", "2015-12-31")
    ledger("audit", "assert", "2016-12-31", "national", "0")
    ledger("copies", "backup", "old.backup")
    ledger("audit", "head", "-o", "head.json")
    ledger("audit", "key", "my.key")
    ledger("audit", "prove", "8", "proved.json")
    (tmp_path / "new.csv").write_text("number,name\n7001,New Member\n", encoding="utf-8")
    return tmp_path


def everything_in(folder: Path) -> dict[Path, bytes]:
    return {file: file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def test_every_command_answers_in_json_and_a_dry_run_of_it_leaves_everything_as_it_was(
    lively: Path,
) -> None:
    before = everything_in(lively)
    for path in COMMANDS:
        for arguments in EACH[" ".join(path)]:
            command = [*path, *arguments, "--dry-run"]
            plain, as_json = run(*command), run(*command, "--json")
            assert (plain.exit_code, as_json.exit_code) == (0, 0), (command, plain.output)
            assert json.loads(as_json.stdout)["format"] == 1, command
            assert everything_in(lively) == before, command


def test_every_command_does_something_without_a_dry_run(lively: Path) -> None:
    """So that the dry runs above are of something: each writes, or answers the same."""
    looks_only = {
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
        "decide",
    }
    before = everything_in(lively)
    for path in COMMANDS:
        for arguments in EACH[" ".join(path)][-1:]:
            done = run(*path, *arguments, input="y\n")
            assert done.exit_code == 0, (path, done.output)
            if path[-1] not in looks_only and path[1:] not in LISTED:
                assert everything_in(lively) != before, path
                restore(lively, before)


def restore(folder: Path, before: dict[Path, bytes]) -> None:
    for file in everything_in(folder):
        file.unlink()
    for file, content in before.items():
        file.write_bytes(content)


def test_a_dry_run_says_so_and_leaves_no_new_ledger(tmp_path: Path) -> None:
    assert "dry run: nothing was written" in ledger("init", "--dry-run").output
    assert list(tmp_path.iterdir()) == []
    assert "honours ledger init" in ledger("audit", "verify", expect=2).output


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
    output = ledger("members", "import", "m.csv").output
    assert "columns that were not used: local, telephone" in output
    assert "opening balances are posted only when you say whose points they are" in output
    output = ledger("members", "import", "m.csv", "--rulebook", "sbu-clubs-2016").output
    assert "columns that were not used: telephone\n" in output
    assert "whose points" not in output


def test_promotions_name_the_event(tmp_path: Path) -> None:
    """Just below Club Master, then a season's bonus and an evening."""
    ledger("init")
    people = "number,name,local\n1002,Ann Adair,150\n4001,Alma Reed,195\n"
    (tmp_path / "m.csv").write_text(people, encoding="utf-8")
    ledger("members", "import", "m.csv", "--rulebook", "sbu-clubs-2016")
    output = run("season", "award", SEASON, "--post", "--ledger", "honours.db").output
    assert (
        "Promoted: Ann Adair (1002) is now Club Master, by Saturday Pairs, bonus 2017-03-25"
        in output
    )
    output = ledger("post", NIGHT, *SBU).output
    assert "Promoted: Alma Reed (4001) is now Club Master, by club pairs 2017-01-14" in output
    output = ledger("lists", "ranks", "--member", "4001").output.splitlines()[-1]
    assert re.split(r"\s{2,}", output) == [
        "2017-01-14",
        "4001",
        "Alma Reed",
        "Club Master",
        "club pairs",
        "3",
    ]
