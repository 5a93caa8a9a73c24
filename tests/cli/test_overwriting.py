"""No command writes over a file it did not make as that kind of file, in any room."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from honours.cli import cli
from honours.ledger.store import create_ledger, open_ledger
from tests.ledger.material import event
from tests.support import ROOT

TUESDAY = ROOT / "examples/tuesday.csv"


@pytest.fixture
def ledger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    from honours.ledger.post import post

    monkeypatch.chdir(tmp_path)
    file = tmp_path / "honours.db"
    made = create_ledger(str(file))
    post(made, event(), "me")
    made.close()
    return file


def run(*words: str) -> Result:
    return CliRunner().invoke(cli, list(words))


_YEAR = ("--since", "2017-01-01", "--until", "2017-12-31")
COMMANDS = [
    ("ledger", "returns", "make", "honours.db", *_YEAR),
    ("ledger", "copies", "backup", "honours.db"),
    ("convert", str(TUESDAY), "honours.db", "--to", "usebio"),
    ("convert", str(TUESDAY), "honours.db", "--to", "results"),
    ("pdf", str(TUESDAY), "-o", "honours.db"),
]


@pytest.mark.parametrize("force", [(), ("--force",)], ids=["plain", "--force"])
@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: " ".join(words[:2]))
def test_the_ledger_is_left_alone(
    words: tuple[str, ...], force: tuple[str, ...], ledger: Path
) -> None:
    before = ledger.read_bytes()
    refused = run(*words, *force)
    assert refused.exit_code != 0
    assert "it is a database" in refused.output
    assert ledger.read_bytes() == before
    opened = open_ledger(str(ledger))
    with opened.reading() as connection:
        from honours.ledger.submissions import all_submissions

        assert all_submissions(connection) == []


def test_a_submission_whose_file_cannot_be_written_is_not_made(ledger: Path) -> None:
    refused = run("ledger", "returns", "make", "nowhere/out.xml", *_YEAR)
    assert refused.exit_code != 0
    assert "nothing" not in run("ledger", "returns", "make", "out.xml", *_YEAR).output
    assert ledger.exists()


def test_a_backup_is_replaced_only_when_asked(ledger: Path) -> None:
    assert run("ledger", "copies", "backup", "one.backup").exit_code == 0
    before = Path("one.backup").read_bytes()
    assert run("ledger", "copies", "backup", "one.backup").exit_code != 0
    assert Path("one.backup").read_bytes() == before
    assert run("ledger", "copies", "backup", "one.backup", "--force").exit_code == 0
    assert ledger.exists()


def test_who_sits_at_a_terminal_is_asked(ledger: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run("ledger", "copies", "backup", "one.backup").exit_code == 0
    monkeypatch.setattr("honours.cli.options._at_terminal", lambda: True)
    no = CliRunner().invoke(cli, ["ledger", "copies", "backup", "one.backup"], input="n\n")
    assert (no.exit_code, "Replace it?" in no.output) == (1, True)
    yes = CliRunner().invoke(cli, ["ledger", "copies", "backup", "one.backup"], input="y\n")
    assert yes.exit_code == 0
    assert ledger.exists()


def test_an_export_replaces_nothing_and_writes_nothing_before_it_knows(ledger: Path) -> None:
    out = Path("out")
    out.mkdir()
    (out / "tallies.csv").write_bytes(b"SQLite format 3\x00")
    for force in ((), ("--force",)):
        assert run("ledger", "copies", "export", "out", *force).exit_code != 0
    assert [path.name for path in out.iterdir()] == ["tallies.csv"]
    assert ledger.exists()


def test_a_site_does_not_write_over_what_is_no_page(tmp_path: Path) -> None:
    out = tmp_path / "site"
    out.mkdir()
    (out / "index.html").write_bytes(b"%PDF-1.7")
    assert run("site", str(TUESDAY), str(out), "--force").exit_code != 0
    assert (out / "index.html").read_bytes() == b"%PDF-1.7"
