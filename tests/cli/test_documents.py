"""`honours site` and `honours pdf` from the command line."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from honours.cli import cli
from tests.support import ROOT

DEMO = ROOT / "examples/tuesday.csv"
SBU = ("--as-usual", "--rulebook", "sbu-clubs-2016")


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cli, [str(argument) for argument in arguments])


@pytest.fixture
def tuesday(tmp_path: Path) -> Path:
    path = tmp_path / "tuesday.csv"
    path.write_bytes(DEMO.read_bytes())
    return path


def test_a_site(tuesday: Path, tmp_path: Path) -> None:
    result = run("site", tuesday, tmp_path / "site", *SBU)
    assert result.exit_code == 0, result.output
    assert "index.html and 21 more pages" in result.output
    assert "not empty" in run("site", tuesday, tmp_path / "site").output


def test_a_site_says_what_is_final_and_what_was_amended(tuesday: Path, tmp_path: Path) -> None:
    assert run("rule", tuesday, "winners", "1", "--by", "A. Director").exit_code == 0
    assert run("rule", tuesday, "final", "--by", "A. Director").exit_code == 0
    run("site", tuesday, tmp_path / "final")
    page = (tmp_path / "final/index.html").read_text(encoding="utf-8")
    assert 'class="badge">final' in page
    penalty = ("penalty", "11", "20", "--by", "A. Director")
    assert run("rule", tuesday, *penalty).exit_code == 0, run("rule", tuesday, *penalty).output
    run("site", tuesday, tmp_path / "amended")
    page = (tmp_path / "amended/index.html").read_text(encoding="utf-8")
    assert 'class="badge warn">' in page
    assert "Changed since made final" in page


def test_a_pdf(tuesday: Path, tmp_path: Path) -> None:
    target = tmp_path / "x.pdf"
    result = run("pdf", tuesday, "--kind", "explanation", "--entrant", "11", *SBU, "-o", target)
    assert result.exit_code == 0, result.output
    assert target.read_bytes().startswith(b"%PDF")
    assert "already exists" in run("pdf", tuesday, "-o", target).output


def test_a_pdf_is_named_after_its_file(
    tuesday: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert "wrote tuesday-results.pdf" in run("pdf", tuesday).output
    assert (tmp_path / "tuesday-results.pdf").exists()


def test_what_a_document_needs_is_asked_for(tuesday: Path) -> None:
    assert "--rulebook" in run("pdf", tuesday, "--kind", "certificates").output
    assert "whose award?" in run("pdf", tuesday, "--kind", "explanation", *SBU).output
