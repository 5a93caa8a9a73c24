"""What a ledger keeps of an explanation can be said later as it was then, in any language."""

from __future__ import annotations

import pytest

from honours.demo import CLUB_NIGHT, file
from honours.engine.exact.explanation import render_text
from honours.language import LANGUAGES
from honours.ledger import stored_explanations
from honours.pipeline import awarded, ranked, read_account
from honours.rulebooks import load


@pytest.mark.parametrize(
    ("rulebook", "given"),
    [("sbu-clubs-2016", {}), ("ebu-clubs", {"scale": "A"}), ("acbl-general", {"class": "stac"})],
)
def test_it_is_said_in_every_language_as_on_the_day(rulebook: str, given: dict[str, str]) -> None:
    awards = awarded(ranked(read_account(str(file(CLUB_NIGHT)))), load(rulebook), given).awards
    assert awards is not None
    kept = stored_explanations.to_text(awards)
    for entrant, counted in awards.combined.items():
        for award, step in zip(counted, stored_explanations.why(kept, entrant), strict=True):
            for language in LANGUAGES:
                assert render_text(step, language) == render_text(award.why, language)
