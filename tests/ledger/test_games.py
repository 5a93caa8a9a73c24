"""A rulebook that counts games: what it awards is posted, derived again and explained."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

import honours
from honours.errors import InputError
from honours.ledger import submissions
from honours.ledger.balances import summed
from honours.ledger.events import EventToPost
from honours.ledger.facts import from_text, to_text
from honours.ledger.intake import IncomingFile, IntakeTerms, take_in
from honours.ledger.post import ALREADY, DIFFERS, POSTED, post
from honours.ledger.receipts import POSTED as RECEIVED
from honours.ledger.receipts import REFUSED
from honours.ledger.statement import reason
from honours.ledger.store import Ledger, create_ledger
from honours.ledger.submissions import usebio
from honours.ledger.verify import verify
from honours.model import Entrant, Field, Game, Player, Standing
from honours.pipeline import awarded, ranked, read_accounts
from honours.rulebooks import load

HALF = Fraction(1, 2)


def tournament(*results: Fraction | int) -> EventToPost:
    """Three players who all met: the results of Ada against Ben and Cleo, of Ben against Cleo."""
    ben, cleo, last = map(Fraction, results)
    games = {
        "Ada": (Game("b", {"result": ben}), Game("c", {"result": cleo})),
        "Ben": (Game("a", {"result": 1 - ben}), Game("c", {"result": last})),
        "Cleo": (Game("a", {"result": 1 - cleo}), Game("b", {"result": 1 - last})),
    }
    standings = tuple(
        Standing(
            Entrant(name[0].lower(), (Player(name, str(70 + place)),)),
            place,
            facts={"gor": Fraction(2200 - 100 * place)},
            games=played,
        )
        for place, (name, played) in enumerate(games.items(), start=1)
    )
    lists = (Field({"entrants": Fraction(3)}, standings),)
    book = load("egf-2021")
    return EventToPost("Open", lists, book, {"class": "A"}, "2025-03-15")


def test_changes_of_ratings_are_posted_and_derived_again(file_ledger: Ledger) -> None:
    event = tournament(1, HALF, 0)
    outcome = post(file_ledger, event, "w")
    assert outcome.status == POSTED
    awards = honours.award_event(event.rulebook, event.lists, event.given)
    paid = sorted(items[0].amount for items in awards.combined.values())
    assert sorted(Fraction(line.amount, 1000) for line in outcome.lines) == paid
    assert paid[0] < 0
    with file_ledger.reading() as connection:
        assert min(summed(connection).values()) == paid[0] * 1000
    assert verify(file_ledger).sound


def test_posting_games_again_changes_nothing_and_another_result_is_told(
    file_ledger: Ledger,
) -> None:
    post(file_ledger, tournament(1, HALF, 0), "w")
    assert post(file_ledger, tournament(1, HALF, 0), "w").status == ALREADY
    outcome = post(file_ledger, tournament(1, 1, 0), "w")
    assert outcome.status == DIFFERS
    assert any("game" in line for line in map(str, outcome.difference)), outcome.difference


def test_the_reason_of_a_posting_has_the_further_figures(file_ledger: Ledger) -> None:
    post(file_ledger, tournament(1, HALF, 0), "w")
    with file_ledger.reading() as connection:
        award, rating = reason(connection, 1).explanations
    assert (award.name, rating.name) == ("award", "new_rating")
    assert "game 1 of Ada" in str(rating.uses)


def returned(ledger: Ledger, folder: Path) -> Path:
    """The return of the one event of a ledger."""
    post(ledger, tournament(1, HALF, 0), "w")
    submissions.submit(ledger, "2025-01-01", "2025-12-31", "w")
    file = folder / "return.xml"
    with ledger.reading() as connection:
        file.write_bytes(usebio(connection, 1))
    return file


def test_a_return_tells_the_games_and_its_receiver_derives_the_awards(
    file_ledger: Ledger, tmp_path: Path
) -> None:
    [account] = read_accounts(returned(file_ledger, tmp_path))
    [listed] = ranked(account).lists
    assert [[dict(game.facts) for game in s.games] for s in listed.standings] == [
        [dict(game.facts) for game in s.games] for s in tournament(1, HALF, 0).lists[0].standings
    ]
    federation = create_ledger(str(tmp_path / "federation.db"))
    [receipt] = take_in(federation, [IncomingFile("r", "d", lambda: [account])], IntakeTerms(), "w")
    assert (receipt.status, receipt.said) == (RECEIVED, ())
    with file_ledger.reading() as own, federation.reading() as theirs:
        assert sorted(summed(own).values()) == sorted(summed(theirs).values())


def test_a_return_without_games_says_why_it_cannot_be_awarded(
    file_ledger: Ledger, tmp_path: Path
) -> None:
    file = returned(file_ledger, tmp_path)
    text = file.read_text("utf-8")
    without = re.sub(r',"games":\[.*?\](?=\}\?>)', "", text)
    assert '"games"' in text
    assert '"games"' not in without
    file.write_text(without, "utf-8")
    [account] = read_accounts(file)
    with pytest.raises(InputError, match="places and no games"):
        awarded(ranked(account), load("egf-2021"), {"class": "A"})
    federation = create_ledger(str(tmp_path / "federation.db"))
    [receipt] = take_in(federation, [IncomingFile("r", "d", lambda: [account])], IntakeTerms(), "w")
    assert receipt.status == REFUSED


def test_games_are_kept_without_names_and_read_again(file_ledger: Ledger) -> None:
    outcome = post(file_ledger, tournament(1, HALF, 0), "w")
    assert outcome.prepared is not None
    facts = outcome.prepared.facts
    text = to_text(facts)
    assert "Ada" not in text
    assert from_text(text).lists[0].standings == facts.lists[0].standings


def test_a_rulebook_that_counts_no_games_keeps_none(file_ledger: Ledger) -> None:
    event = replace(
        tournament(1, HALF, 0),
        rulebook=load("sbu-clubs-2016"),
        given={"kind": "pairs", "winners": "1"},
    )
    outcome = post(file_ledger, event, "w")
    assert outcome.prepared is not None
    assert '"games"' not in to_text(outcome.prepared.facts)
