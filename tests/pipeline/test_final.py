"""The files of a final of two sessions, given together, are paid as the program paid it."""

from fractions import Fraction
from functools import partial
from pathlib import Path

from honours.ledger.intake import IncomingFile, IntakeTerms, take_in
from honours.ledger.store import create_ledger
from honours.pipeline import read_accounts
from honours.rulebooks import load
from tests.adversary.doors import posted_in
from tests.formats.acblscore_builder import Game, Pair, game_file, mitchell

NAP_UNIT = 21
EARLIER, RED = 0, 2


def session(number: int) -> bytes:
    """Four pairs; both lines' winners of the second get the same, and East-West 2 brings 0.75."""
    pairs = [
        Pair(n, line, ((f"{line}{n}", "One", "", 0), (f"{line}{n}", "Two", "", 0)), boards=2)
        for n in (1, 2)
        for line in "NE"
    ]
    if number == 2:
        pairs[-1].awards = {EARLIER: [(75, RED, 1)]}
        pairs[-1].carry = 40
    return game_file(Game([mitchell(pairs)], rating=NAP_UNIT, session=number, sessions=2))


def test_the_last_session_pays_for_all(tmp_path: Path) -> None:
    files = [tmp_path / f"session-{n}.ACA" for n in (1, 2)]
    for number, file in enumerate(files, 1):
        file.write_bytes(session(number))
    ledger = create_ledger(str(tmp_path / "unit.db"))
    book = load("acbl-clubs-2017")
    terms = IntakeTerms(book, as_usual=True, overrule="as the program paid")
    incoming = [IncomingFile(f.name, f.name, partial(read_accounts, f)) for f in files]
    first, last = take_in(ledger, incoming, terms, "Eve")
    assert (first.status, last.status) == ("refused", "posted")
    assert "session 1 of 2" in first.said[0]
    paid = posted_in(str(tmp_path / "unit.db"))
    assert paid["E2 One"] == paid["N1 One"] + Fraction("0.75")
