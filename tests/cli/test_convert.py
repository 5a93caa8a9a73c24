"""`honours convert`: kinds, awards, refusals, and a folder in the place of a file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import honours
from honours.cli import cli, pdf
from honours.cli.convert import KINDS
from honours.formats.detect import read
from honours.pipeline import read_account
from honours.reports.convert import ENDINGS
from honours.reports.pdf import KINDS as DOCUMENTS
from tests.formats.test_usebio import board, document, line, pairs
from tests.pipeline import thirty
from tests.support import ROOT

TUESDAY = ROOT / "examples/tuesday.csv"
SBU = ("--as-usual", "--rulebook", "sbu-clubs-2016")


def convert(*arguments: object) -> Result:
    return CliRunner().invoke(cli, ["convert", *map(str, arguments)])


def done(*arguments: object) -> Result:
    result = convert(*arguments)
    assert result.exit_code == 0, result.output
    return result


@pytest.mark.parametrize(
    ("ending", "kind"), [(".xml", "usebio"), (".csv", "results"), (".json", "honours")]
)
def test_the_ending_says_the_kind(ending: str, kind: str, tmp_path: Path) -> None:
    target = tmp_path / f"x{ending}"
    assert f"wrote {target}" in done(TUESDAY, target).output
    form, _ = read(target)
    assert form.name == kind
    before, after = read_account(TUESDAY).event, read_account(target).event
    assert len(after.sessions[0].results) == len(before.sessions[0].results)
    assert [e.entrant for e in after.entrants] == [e.entrant for e in before.entrants]


def test_the_kind_may_be_said(tmp_path: Path) -> None:
    target = tmp_path / "x.txt"
    assert "expected .xml, .csv or .json" in convert(TUESDAY, target).output
    done(TUESDAY, target, "--to", "standings")
    assert read(target)[0].name == "standings"


def test_nothing_is_written_over_unasked(tmp_path: Path) -> None:
    target = tmp_path / "x.json"
    target.write_text("[1]", encoding="utf-8")
    result = convert(TUESDAY, target)
    assert result.exit_code == 2
    assert "already exists" in result.output
    assert target.read_text(encoding="utf-8") == "[1]"
    done(TUESDAY, target, "--force")
    assert [path.name for path in tmp_path.iterdir()] == ["x.json"]


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    result = convert(TUESDAY, tmp_path / "none" / "x.json")
    assert result.exit_code == 2
    assert "not a folder that can be written to" in result.output


def test_awards_go_into_a_new_document(tmp_path: Path) -> None:
    target = tmp_path / "x.xml"
    done(TUESDAY, target, *SBU)
    event = read_account(target).event
    got = {e.entrant.id: e.published["masterpoints"] for e in event.entrants}
    assert got["11"] == 36
    assert got["16"] == 0
    assert event.facts["awarded_under"] == "sbu-clubs-2016 revision 1"


def test_awards_are_put_into_the_usebio_file_that_was_read(tmp_path: Path) -> None:
    source, target = tmp_path / "a.xml", tmp_path / "b.xml"
    numbers = [str(n) for n in range(1, 13)]
    lines = "".join(line(a, b) for a, b in zip(numbers[::2], numbers[1::2], strict=True))
    boards = "".join(board(lines, number=str(n)) for n in range(1, 25))
    text = document(pairs(*numbers) + boards).replace("<EVENT ", "<!-- kept --><EVENT ")
    source.write_bytes(text.encode("iso-8859-1"))
    result = convert(source, target, *SBU, "winners=1")
    assert result.exit_code == 0, result.output
    made = target.read_bytes().decode("iso-8859-1")
    assert "<!-- kept -->" in made
    assert "honours-awarded-under sbu-clubs-2016 revision 1" in made
    assert "MASTER_POINTS_AWARDED" in made


def test_a_table_with_awards_is_of_standings(tmp_path: Path) -> None:
    target = tmp_path / "x.csv"
    done(TUESDAY, target, *SBU)
    head, first = target.read_text(encoding="utf-8").splitlines()[:2]
    assert head.endswith("award,awarded under") or "award,awarded under" in head
    assert "sbu-clubs-2016 revision 1" in first
    result = convert(TUESDAY, target, *SBU, "--to", "results", "--force")
    assert "no place for awards" in result.output


def test_json_has_the_awards_beside_the_event(tmp_path: Path) -> None:
    target = tmp_path / "x.json"
    done(TUESDAY, target, *SBU)
    data = json.loads(target.read_text(encoding="utf-8"))
    assert data["awards"]["rulebook"] == "sbu-clubs-2016"
    assert len(read_account(target).event.entrants) == 18


def test_a_refusal_writes_nothing(tmp_path: Path) -> None:
    target = tmp_path / "x.xml"
    result = convert(ROOT / "examples/tuesday-pairs.csv", target, *SBU)
    assert result.exit_code == 2
    assert "no award" in result.output
    assert not target.exists()


def test_keys_without_a_rulebook_are_refused(tmp_path: Path) -> None:
    assert "name it with --rulebook" in convert(TUESDAY, tmp_path / "x.xml", "winners=1").output


def test_one_of_several_events(tmp_path: Path) -> None:
    source = tmp_path / "a.csv"
    source.write_text("event,board,ns,ew,score\nMon,1,1,2,50\nTue,1,3,4,50\n", encoding="utf-8")
    assert "2 events (Mon, Tue" in convert(source, tmp_path / "x.xml").output
    done(source, tmp_path / "x.xml", "--event", "Tue")
    done(source, tmp_path / "y.xml", "--event", "2")
    assert (tmp_path / "x.xml").read_bytes() == (tmp_path / "y.xml").read_bytes()
    assert read_account(tmp_path / "x.xml").event.title == "Tue"
    assert "did you mean 'Mon'" in convert(source, tmp_path / "z.xml", "--event", "Mo").output


def test_a_folder(tmp_path: Path) -> None:
    source = tmp_path / "in"
    (source / "deep").mkdir(parents=True)
    (source / "a.csv").write_bytes(TUESDAY.read_bytes())
    (source / "deep/b.csv").write_bytes(TUESDAY.read_bytes())
    (source / "bad.csv").write_text("nothing we know\n", encoding="utf-8")
    (source / ".hidden").write_text("x", encoding="utf-8")
    assert "say --to" in convert(source, tmp_path / "out").output
    result = convert(source, tmp_path / "out", "--to", "json")
    assert result.exit_code == 2
    assert "2 converted, 1 not" in result.output
    assert "bad.csv, line 1: not a kind of file" in result.output
    assert (tmp_path / "out/a.csv.json").exists()
    assert (tmp_path / "out/deep/b.csv.json").exists()
    assert "is inside" in convert(source, source / "out", "--to", "json").output


def test_the_commands_know_every_kind() -> None:
    assert list(KINDS) == list(ENDINGS)
    assert pdf.KINDS == DOCUMENTS


def test_member_numbers_go_into_the_usebio_file_that_was_read(tmp_path: Path) -> None:
    night, members, out = (tmp_path / name for name in ("night.xml", "members.csv", "out.xml"))
    done(TUESDAY, night)
    members.write_text("number,name\n77,Magnus Young\n", encoding="utf-8")
    done(night, out, *SBU, "--members", members)
    numbers = {
        p.name: p.number for e in read_account(out).event.entrants for p in e.entrant.players
    }
    assert numbers["Magnus Young"] == "77"


def test_what_is_said_of_an_event_is_written(tmp_path: Path) -> None:
    (tmp_path / "swiss.csv").write_text(thirty.teams(16, 5, 5), encoding="utf-8")
    for target in ("swiss.xml", "swiss.json"):
        file = tmp_path / target
        asked = ["convert", str(tmp_path / "swiss.csv"), str(file), "--swiss"]
        assert CliRunner().invoke(cli, asked).exit_code == 0
        report = honours.award(honours.score(honours.read(file)), "sbu-clubs-2016", as_usual=True)
        assert report.awards is not None
        [awards] = report.awards.lists
        assert awards.field.facts["competition"] == "swiss"
        known = {one.name: one.source for one in awards.known}
        assert known["form"] != "what was given"
