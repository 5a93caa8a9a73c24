"""Compared with real files beside the repository: reports sending."""

from pathlib import Path

import pytest

from honours.errors import InputError, UnknownName
from honours.formats.go import GoTournament
from honours.pipeline import Report, ranked, read_account
from honours.reports.sending import prepare, with_details
from tests.reports.test_sending import SAID, back, tuesday
from tests.support import shared


def go(name: str, **details: str) -> Report:
    return ranked(with_details(read_account(shared(f"real/{name}")), details))


def test_the_egd_gets_header_places_and_pins(tmp_path: Path) -> None:
    details = {"class": "B", "place": "PL, Warszawa"}
    prepared = prepare(go("h9/default-games-and-byes.h9"), "egd", details)
    content = back(prepared.written.data, tmp_path / "x.h9")
    assert isinstance(content, GoTournament)
    assert content.facts["CL"] == "B"
    assert content.place == "PL, Warszawa"
    assert content.places[0].entrant.players[0].number == "60805403"
    with pytest.raises(InputError, match="no class; say class=A"):
        prepare(go("opengotha/juvisy.xml"), "egd", {"place": "FR, Juvisy"})
    report = go("opengotha/juvisy.xml", date="2014-05-01")
    asked = prepare(report, "egd", {"class": "A", "place": "x"}).concerns
    assert any("no PIN of eight figures" in str(concern) for concern in asked)


def test_the_aga_takes_nobody_without_a_number() -> None:
    prepared = prepare(go("aga/tournament-report.txt"), "aga", {})
    assert any("90041 may be temporary" in str(concern) for concern in prepared.concerns)
    with pytest.raises(InputError, match="no AGA number; match a member list"):
        prepare(go("opengotha/juvisy.xml", date="2014-05-01"), "aga", {})


def test_a_receiver_of_the_other_game_says_so() -> None:
    with pytest.raises(InputError, match="takes tournaments of go"):
        prepare(tuesday(SAID), "aga", {})
    with pytest.raises(InputError, match="takes bridge results"):
        prepare(go("aga/tournament-report.txt"), "ebu", {})
    with pytest.raises(UnknownName, match="receiver"):
        prepare(tuesday(SAID), "fide", {})
