"""Events as receivers take them: what would be turned back is told, what is written reads back."""

import shlex
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from honours.cli import cli
from honours.demo import file
from honours.errors import InputError
from honours.formats.detect import read
from honours.model import Event
from honours.pipeline import Report, awarded, ranked, read_account
from honours.reports.sending import all_receivers, prepare, with_details
from honours.rulebooks import load
from honours.web.templating import on_page

SAID = {"date": "2026-03-03", "club": "Kelso", "club_number": "123456", "charge": "10"}


def tuesday(details: dict[str, str], rulebook: str = "") -> Report:
    report = ranked(with_details(read_account(str(file("tuesday.csv"))), details))
    return awarded(report, load(rulebook), {}) if rulebook else report


def back(data: bytes, path: Path) -> object:
    path.write_bytes(data)
    return read(path)[1]


def event_of(data: bytes, path: Path) -> Event:
    content = back(data, path)
    assert isinstance(content, tuple)
    event: Event = content[0]
    return event


@pytest.mark.parametrize("version", ["1.2", "1.3"])
def test_ebu_gets_charge_code_club_number_places_and_points(version: str, tmp_path: Path) -> None:
    details = {**SAID, "version": version, "contact": "A. Scorer"}
    prepared = prepare(tuesday(details, "sbu-clubs-2016"), "ebu", details)
    event = event_of(prepared.written.data, tmp_path / "x.xml")
    assert event.facts["club_number"] == "123456"
    assert event.facts["contact"] == "A. Scorer"
    assert event.facts["p2p_charge_rate"] == "10"
    element = "P2P_CHARGE_RATE" if version == "1.2" else "EBU_CHARGE_CODE"
    assert f"<{element}>10<".encode() in prepared.written.data
    assert (event.date.isoformat() if event.date else "", event.club) == ("2026-03-03", "Kelso")
    first = min(event.entrants, key=lambda e: e.published["place"])
    assert first.published["place"] == 1
    assert Fraction(first.published["masterpoints"]) > 0
    assert first.number == next(
        e.number for e in tuesday(SAID).account.event.entrants if e.entrant == first.entrant
    )


def test_what_the_ebu_would_turn_back_is_told_at_once() -> None:
    with pytest.raises(InputError) as refused:
        prepare(tuesday({}), "ebu", {})
    lines = str(refused.value).splitlines()
    assert lines[0].startswith("the event: no date; say date=")
    assert "the event: no club number; say club_number=123456" in lines
    assert any(line.startswith("the event: no charge code; say charge=10") for line in lines)
    wrong = {**SAID, "club_number": "12", "charge": "77"}
    with pytest.raises(InputError, match="club number 12 is not of six digits"):
        prepare(tuesday(wrong), "ebu", wrong)
    social = {**SAID, "charge": "11"}
    with pytest.raises(InputError, match="charge code 11 has no master points"):
        prepare(tuesday(social, "sbu-clubs-2016"), "ebu", social)


def test_a_player_without_a_number_is_asked_about_unless_a_guest() -> None:
    prepared = prepare(tuesday(SAID), "ebu", SAID)
    asked = {concern.who for concern in prepared.concerns}
    assert "Rory Logan" in asked
    visiting = {**SAID, "guests": "Rory Logan & Fraser Muir"}
    fewer = {concern.who for concern in prepare(tuesday(SAID), "ebu", visiting).concerns}
    assert asked - fewer == {"Rory Logan", "Fraser Muir"}


def test_what_is_advised_can_be_typed() -> None:
    """A shell takes the advice for one word, and a page speaks of the name alone."""
    concerns = prepare(tuesday(SAID), "ebu", SAID).concerns
    mend = next(concern.mend for concern in concerns if concern.who == "Rory Logan")
    advised = str(mend).rpartition("say ")[2]
    assert shlex.split(advised) == ["guests=Rory Logan"]
    assert "“guests”" in str(on_page(mend))


def test_a_pair_that_nobody_named_stops_a_return(tmp_path: Path) -> None:
    path = tmp_path / "unnamed.csv"
    path.write_text("board,ns,ew,score\n1,1,2,420\n1,3,4,-50\n", encoding="utf-8")
    account = with_details(read_account(path), SAID)
    with pytest.raises(InputError, match="3: 0 of 2 players are known; name them: `honours rule"):
        prepare(ranked(account), "ebu", SAID)


def test_a_heat_goes_to_the_district_whole_and_without_points() -> None:
    """Guide, chapter 3 and appendix 4: everybody's number, no points of the club."""
    details = {"date": "2026-03-03", "club": "Kelso", "heat": "yes"}
    with pytest.raises(InputError, match="clubs award no points for it"):
        prepare(tuesday(details, "sbu-clubs-2016"), "sbu", details)
    with pytest.raises(InputError, match="Rory Logan: no SBU number"):
        prepare(tuesday(details), "sbu", details)


def test_bridgewebs_and_our_own_return_are_read_back(tmp_path: Path) -> None:
    details = {"date": "2026-03-03"}
    report = tuesday(details)
    event = event_of(prepare(report, "bridgewebs", details).written.data, tmp_path / "x.csv")
    mine = report.account.event
    assert len(event.sessions[0].results) == len(mine.sessions[0].results)
    account = replace(report.account, content=event)
    again = {s.entrant.title: s.score for f in ranked(account).lists for s in f.standings}
    assert again == {s.entrant.title: s.score for f in report.lists for s in f.standings}
    own = event_of(prepare(report, "honours", details).written.data, tmp_path / "x.json")
    assert own.sessions[0].results[0].contract == mine.sessions[0].results[0].contract


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cli, [str(one) for one in arguments])


def test_the_command_writes_a_new_file_and_never_over_another(tmp_path: Path) -> None:
    out = tmp_path / "web.csv"
    command = ("submit", file("tuesday.csv"), "--to", "bridgewebs", "--out", out, "date=2026-03-03")
    assert run(*command).stdout == f"wrote {out}\n"
    again = run(*command)
    assert again.exit_code == 2
    assert "already exists" in again.output
    refused = run("submit", file("tuesday.csv"), "--to", "ebu", "--out", tmp_path / "x.xml")
    assert refused.exit_code == 2
    assert "no charge code" in refused.output
    assert not (tmp_path / "x.xml").exists()
    assert set(all_receivers()) == {"ebu", "sbu", "aga", "egd", "ffg", "bridgewebs", "honours"}
