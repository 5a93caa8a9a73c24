"""One event, five ways to its awards: command, page, API, Python, ledger. They all say the same."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import httpx
import pytest
from click.testing import CliRunner

import honours
from honours import rulebooks
from honours.cli import cli
from honours.engine.numbers import exact
from honours.errors import HonoursError
from honours.ledger.store import create_ledger
from honours.pipeline import Report
from honours.web.settings import Settings
from tests.pipeline.thirty import Case, cases
from tests.web.server import serving

CASES = list(cases())
DAY = "2017-01-14"
USUAL = {"as_usual": "true"}
Answer = dict[str, Fraction] | str
"""What each entrant gets, or the words in which it is asked or refused."""


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    settings = Settings(data=tmp_path_factory.mktemp("data"), per_minute=10_000)
    with serving(settings) as address, httpx.Client(base_url=address, timeout=120) as client:
        yield client


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> str:
    where = str(tmp_path_factory.mktemp("ledger") / "club.db")
    create_ledger(where)
    return where


@pytest.fixture(params=CASES, ids=lambda case: case.name)
def case(request: pytest.FixtureRequest) -> Case:
    chosen: Case = request.param
    return chosen


@pytest.fixture
def file(case: Case, tmp_path: Path) -> Path:
    path = tmp_path / f"{case.name}{case.suffix}"
    path.write_text(case.text, encoding="utf-8")
    return path


KINDS = {
    *("one-winner", "two-winners", "two-sections", "stages", "swiss-pairs", "swiss-teams"),
    *("general-board-a-match", "five-in-a-team", "individual", "aggregate", "final"),
    *("2020-strata", "go-ties", "go-no-show", "handicaps", "go-handicap"),
}


def test_there_are_thirty_events_of_every_kind() -> None:
    names = {case.name for case in CASES}
    assert len(CASES) == len(names) >= 30
    assert names >= KINDS


def test_all_five_ways_give_the_same(
    case: Case, file: Path, client: httpx.Client, ledger: str
) -> None:
    report = _by_python(case, file)
    answer = _answer(report)
    if case.asks:
        assert answer == f"asked {case.asks}"
    elif case.refuses:
        assert case.refuses in str(answer)
    else:
        assert isinstance(answer, dict)
        assert any(answer.values())
    assert _by_command(case, file) == answer
    event = client.post("/api/v1/events", files={"file": (file.name, file.read_bytes())}).json()
    assert _by_api(case, client, event[0]["id"]) == answer
    assert _by_page(case, client, event[0]["id"], answer) == answer
    assert _by_ledger(case, file, ledger) == _players(report)


# --- the ways ---------------------------------------------------------------------------------


def _by_python(case: Case, file: Path) -> Report | str:
    try:
        scored = honours.score(honours.read(file), **case.options)
        return honours.award(scored, case.rulebook, case.given, as_usual=True)
    except honours.Asked as asked:
        return f"asked {', '.join(asked.names)}"
    except HonoursError as error:
        return str(error)


def _answer(report: Report | str) -> Answer:
    if isinstance(report, str):
        return report
    assert report.awards is not None
    refused = [one.refusal.reason for one in report.awards.lists if one.refusal]
    if refused:
        return refused[0]
    return {one: report.awards.amount(one) for one in report.awards.combined}


def _players(report: Report | str) -> Any:
    """What each person gets who gets something."""
    if isinstance(report, str):
        return report
    assert report.awards is not None
    if any(one.refusal for one in report.awards.lists):
        return {}
    earned: dict[str, Fraction] = {}
    for counted in report.awards.combined.values():
        for award in counted:
            withheld = {player.name for player, _ in award.withheld}
            for player in award.standing.entrant.players:
                if award.amount and player.name not in withheld and not award.refusal:
                    earned[player.name] = earned.get(player.name, Fraction(0)) + award.amount
    return earned


def _options(case: Case) -> list[str]:
    flags = []
    for name, value in (case.options | USUAL).items():
        option = f"--{name.replace('_', '-')}"
        flags += [option] if value == "true" else [option, value]
    return [*flags, "--rulebook", case.rulebook, *(f"{k}={v}" for k, v in case.given.items())]


def _by_command(case: Case, file: Path) -> Answer:
    done = CliRunner().invoke(cli, ["award", str(file), *_options(case), "--json"])
    if done.exit_code == 3:
        return _asked(json.loads(done.stdout)["questions"])
    return _error(done.stderr) if done.exit_code else _told(json.loads(done.stdout))


def _asked(questions: list[dict[str, Any]]) -> str:
    return f"asked {', '.join(one['facts'][0] for one in questions)}"


def _by_api(case: Case, client: httpx.Client, event: str) -> Answer:
    asked = {"rulebook": case.rulebook, "given": case.given}
    answer = client.post(f"/api/v1/events/{event}/awards", params=case.options | USUAL, json=asked)
    if answer.status_code == 409:
        return _asked(answer.json()["questions"])
    return _told(answer.json()) if answer.is_success else str(answer.json()["detail"])


def _by_page(case: Case, client: httpx.Client, event: str, expected: Answer) -> Answer:
    asked = {f"g.{key}": value for key, value in case.given.items()}
    query = {"rulebook": case.rulebook, **asked, **case.options, **USUAL}
    page = client.get(f"/events/{event}/awards", params=query)
    assert page.status_code == 200
    data = client.get(f"/events/{event}/download/awards.json", params=query)
    if not data.is_success:
        assert data.status_code == 409
        answers = re.findall(rf'href="[^"]*[.&?]{case.asks}=\w', html.unescape(page.text))
        return expected if len(answers) > 1 else page.text
    answer = _told(data.json())
    shown = [answer] if isinstance(answer, str) else ['id="made-from"']
    assert all(words in page.text for words in shown)
    return answer


def _by_ledger(case: Case, file: Path, ledger: str) -> Any:
    more = ["--ledger", ledger, "--date", DAY, "--by", "Eve", "--dry-run", "--json"]
    if not rulebooks.load(case.rulebook).in_force_on(DAY):
        more += ["--overrule", "to compare the ways"]
    done = CliRunner().invoke(cli, ["ledger", "post", str(file), *_options(case), *more])
    if done.exit_code == 3:
        typed = f"{case.asks}=", f"--{case.asks.replace('_', '-')} "
        return f"asked {case.asks}" if any(t in done.stderr for t in typed) else done.stderr
    if done.exit_code:
        return _error(done.stderr)
    earned: dict[str, Fraction] = {}
    for line in json.loads(done.stdout)["postings"]:
        earned[line["name"]] = earned.get(line["name"], Fraction(0)) + exact(line["amount"])
    return earned


def _told(data: dict[str, Any]) -> Answer:
    refused = [one["refusal"]["reason"] for one in data["lists"] if one["refusal"]]
    return (
        refused[0] if refused else {one["entrant"]: exact(one["award"]) for one in data["awards"]}
    )


def _error(text: str) -> str:
    return text.partition("Error: ")[2].strip()
