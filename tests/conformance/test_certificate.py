"""The certificate for other programs: its suite is right by our own way, and says what is wrong."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from honours.cli import cli
from honours.conformance.certificate import check_answers, suite, write_suite
from honours.errors import InputError, UnknownName
from honours.pipeline import awarded, ranked, read_accounts
from honours.reports.convert import converted_file
from honours.rulebooks import load
from tests.support import ROOT


def _answers(path: Path, rows: list[dict[str, str]]) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, ["event", "line", "entrant", "award"], extrasaction="ignore")
        writer.writeheader()
        writer.writerows(rows)
    return path


def test_the_files_with_what_is_told_are_awarded_as_answered(tmp_path: Path) -> None:
    assert write_suite("acbl-general", tmp_path / "suite") == len(suite("acbl-general"))
    told = {row["event"]: row["told"] for row in _rows(tmp_path / "suite" / "events.csv")}
    right = _rows(tmp_path / "suite" / "answers.csv")
    paths = sorted((tmp_path / "suite" / "events").iterdir())
    assert {path.suffix for path in paths} == {".csv", ".json", ".xml"}
    for path in paths:
        [account] = read_accounts(path)
        event = f"acbl-general/{path.stem}"
        given = dict(part.split("=", 1) for part in told[event].split())
        awards = awarded(ranked(account), load("acbl-general"), given).awards
        assert awards is not None
        for row in (row for row in right if row["event"] == event):
            assert str(float(awards.amount(row["entrant"]))) == str(float(row["award"]))
            assert row["clause"]
    assert check_answers(tmp_path / "suite" / "answers.csv").wrong == ()


def test_usebio_has_both_lists_by_place_and_nothing_that_only_we_can_read(tmp_path: Path) -> None:
    write_suite("sbu-clubs-2016", tmp_path / "suite")
    events = tmp_path / "suite" / "events"
    [account] = read_accounts(events / "example-10-pairs.xml")
    assert [(one.line, len(one.standings)) for one in ranked(account).lists] == [
        ("NS", 12),
        ("EW", 12),
    ]
    assert (events / "a-player-short-of-boards.json").exists()
    assert not (events / "a-player-short-of-boards.xml").exists()
    assert not any(b"<?honours" in path.read_bytes() for path in events.glob("*.xml"))


def test_answers_may_be_awarded_usebio_files(tmp_path: Path) -> None:
    write_suite("abf-sessions", tmp_path / "suite")
    documents = sorted((tmp_path / "suite" / "events").glob("*.xml"))
    told = {row["event"]: row["told"] for row in _rows(tmp_path / "suite" / "events.csv")}
    for path in documents:
        [account] = read_accounts(path)
        given = dict(part.split("=", 1) for part in told[f"abf-sessions/{path.stem}"].split())
        report = awarded(ranked(account), load("abf-sessions"), given)
        if report.awards and report.awards.combined:
            path.write_bytes(converted_file(account, "usebio", report).data)
    checked = check_answers(tmp_path / "suite" / "events")
    assert checked.right > 300
    assert checked.wrong == ()


def test_a_wrong_answer_is_told_with_the_right_one_and_its_clause(tmp_path: Path) -> None:
    event = next(e for e in suite("sbu-clubs-2016") if e.name == "example-10-pairs")
    rows = [one.row() for one in event.answers()]
    rows[1]["award"], rows[-1]["award"] = "35", ""
    assert [row["entrant"] for row in rows[:2]] == ["1NS", "2NS"]
    path = _answers(tmp_path / "answers.csv", rows)
    checked = check_answers(path)
    [(right, theirs)] = checked.wrong
    assert (right.entrant, right.shown, theirs) == ("2NS", "30", "35")
    assert right.clause.startswith("Chapter 1")
    assert len(checked.unanswered) == len(suite("sbu-clubs-2016")) - 1
    result = CliRunner().invoke(cli, ["certify", "--check", str(path), "--json"])
    assert result.exit_code == 1
    assert json.loads(result.output)["wrong"][0]["answered"] == "35"


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("event,entrant\n", InputError),
        ("event,entrant,award\nsbu-clubs-2016/example-1,1,many\n", InputError),
        ("event,entrant,award\nsbu-clubs-2016/example-99,1,4\n", UnknownName),
        ("event,entrant,award\nno-such-rulebook/example-1,1,4\n", UnknownName),
    ],
)
def test_answers_that_cannot_be_compared_are_refused(
    tmp_path: Path, text: str, error: type[Exception]
) -> None:
    path = tmp_path / "answers.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(error):
        check_answers(path)


def test_what_salliere_does_otherwise(tmp_path: Path) -> None:
    """Its 164 runs answer the events of the same figures. It is wrong for individuals whose
    original entry counts: it takes the tables for a quarter of what they are."""
    runs = json.loads((ROOT / "tests/golden/ebu_salliere.json").read_text(encoding="utf-8"))
    by_name = {event.name: event for event in suite("ebu-clubs")}
    rows = []
    for case in runs["cases"]:
        name = f"{case['kind']} {case['entrants']} on scale {case['scale']} over {case['boards']}"
        more = [f" ties {tie}" for tie in case.get("ties", [])]
        if "original_entry_tables" in case:
            more.append(f" original entry {case['original_entry_tables']} tables")
        event = by_name.get(f"{name} boards{''.join(more)}".lower().replace(" ", "-"))
        if event is None:
            continue
        for answer in event.answers():
            paid = case.get("awards", [])
            amount = paid[answer.place - 1] if answer.place <= len(paid) else 0
            rows.append({**answer.row(), "award": str(amount)})
    checked = check_answers(_answers(tmp_path / "answers.csv", rows))
    assert checked.right > 2000
    wrong = {right.event: right.why for right, _ in checked.wrong}
    assert all("individual" in event and "original-entry" in event for event in wrong)
    assert wrong
    assert all("one player a table of the original entry" in why for why in wrong.values())


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
