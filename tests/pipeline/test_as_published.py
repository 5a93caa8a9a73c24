"""What a file publishes is what is paid: its program's conventions, and its places."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

import pytest

import honours
from honours.errors import Asked, InputError
from honours.model import Event
from honours.pipeline import Account
from honours.reports.convert import converted_file
from honours.scoring.standings import shown_score
from tests.support import ROOT

TUESDAY, SBU = ROOT / "examples/tuesday.csv", "sbu-clubs-2016"


def one_winner(**changes: object) -> Account:
    account = honours.read(TUESDAY)
    return replace(account, content=replace(account.event, winners=1, **changes))  # type: ignore[arg-type]


def short(account: Account) -> Account:
    """With a board of which two results are missing, which profiles score differently."""
    [session] = account.event.sessions
    lines = [r for r in session.results if r.board != 1]
    lines += [r for r in session.results if r.board == 1][:2]
    return replace(
        account, content=replace(account.event, sessions=(replace(session, results=tuple(lines)),))
    )


def profile(account: Account, **choices: str) -> str:
    scored = honours.score(account, **choices).scored
    assert scored is not None
    return scored.profile.name


def test_the_program_that_wrote_a_file_says_how_it_is_scored(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("HONOURS_PROFILE", "unfactored")
    written = one_winner(program="ACBLscore 8.15")
    report = honours.score(written)
    assert "scored like ACBLscore 8.15: acbl" in [*map(str, report.notes)]
    assert (profile(written), profile(written, profile="ebu")) == ("acbl", "ebu")
    assert profile(one_winner()) == "unfactored"  # the club's, where a file shows nothing


@pytest.mark.parametrize("name", ["acbl", "unfactored"])
def test_else_what_it_publishes_does(name: str) -> None:
    account = short(one_winner())
    by_name = honours.score(account, profile=name)
    printed = {s.entrant.id: shown_score(s) for s in by_name.lists[0].standings}
    assert printed != {
        s.entrant.id: shown_score(s)
        for s in honours.score(account, profile="ebu").lists[0].standings
    }
    published = _publishing(
        account.event, {w: {"percentage": Fraction(p)} for w, p in printed.items()}
    )
    assert profile(replace(account, content=published)) == name


def _publishing(event: Event, figures: Mapping[str, Mapping[str, Fraction]]) -> Event:
    entrants = (replace(e, published=figures[e.entrant.id]) for e in event.entrants)
    return replace(event, entrants=tuple(entrants))


def test_a_published_order_that_results_contradict_is_asked_about() -> None:
    account = one_winner()
    order = [s.entrant.id for s in honours.score(account).lists[0].standings]
    order[:2] = order[1::-1]
    places = {who: {"place": Fraction(n)} for n, who in enumerate(order, 1)}
    account = replace(account, content=_publishing(account.event, places))
    with pytest.raises(Asked) as asked:
        honours.award(honours.score(account, as_usual=True), SBU)
    (question,) = asked.value.questions
    assert [(a.value, a.given["order"]) for a in question.alternatives] == [
        ("scored", "scored"),
        ("published", "published"),
    ]
    for choice, first in (("published", order[0]), ("scored", order[1])):
        report = honours.award(honours.score(account, order=choice, as_usual=True), SBU)
        assert report.awards is not None
        assert max(order, key=report.awards.amount) == first
    with pytest.raises(InputError, match="keeps its own places"):
        converted_file(account, "usebio", report)
