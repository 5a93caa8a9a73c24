"""A cap over the club's year is the same whether an event is posted over the API or on a page."""

from __future__ import annotations

from pathlib import Path

from honours.web.settings import Settings
from tests.engine.books import write_book
from tests.ledger.test_year_so_far import DAYS, FOLDER, RULES, TOML, files
from tests.web.server import client_of, kept_anew

V1 = "/api/v1"
SHOWN = ["0.00", "20.00", "26.67"]
"""Of the third night: the first pair has all there is, the second 80."""


def test_the_api_and_a_page_tell_a_rulebook_what_was_awarded_before(tmp_path: Path) -> None:
    write_book(tmp_path / "books" / FOLDER, TOML, RULES)
    nights = files(tmp_path)
    settings = Settings(data=tmp_path / "data", rulebooks=(str(tmp_path / "books"),))
    with client_of(settings) as client:
        events = [kept_anew(client, path.name, path.read_bytes()) for path in nights[:3]]
        amounts = []
        for event, day in zip(events[:2], DAYS, strict=False):
            asked = {"rulebook": FOLDER, "by": "w", "date": day, "another": True}
            answer = client.post(f"{V1}{event}/postings", json=asked).json()
            amounts.append([line["amount"] for line in answer["postings"]][::2])
        assert amounts == [["80.00", "40.00", "26.67"], ["20.00", "40.00", "26.67"]]
        assert any("derived from the ledger" in remark for remark in answer["remarks"])
        before = client.get(f"{events[2]}/awards?rulebook={FOLDER}&entrant=101a%2B101b").text
        assert "100 − 100" in before
        assert "what a player was awarded this year before (the ledger)" in before
        asked = {"rulebook": FOLDER}
        over_api = client.post(f"{V1}{events[2]}/awards", json=asked).json()
        assert [row["award"] for row in over_api["lists"][0]["schedule"]] == SHOWN
        downloaded = client.get(f"{events[2]}/download/awards.csv?rulebook={FOLDER}").text
        assert all(f",{amount}" in downloaded for amount in SHOWN)
        held = {"by": "w", "day": DAYS[2], "new": "yes"}
        draft = client.post(f"{events[2]}/draft?rulebook={FOLDER}", data=held).text
        assert "earned is derived from the ledger" in draft
        shown = client.get("/ledger/drafts/1").text
        assert "100 − 100" in shown
        assert "Ann 2" in shown
        assert "Ann 1" not in shown
