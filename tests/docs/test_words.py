"""One word a thing: what people read has none of the words that ours take the place of."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest

from honours.formats.rulings import UNITS
from honours.ledger import submissions
from honours.ledger.list_files import FORMATS
from honours.ledger.release import PENDING, RELEASED, WITHDRAWN
from honours.ledger.season import plan
from honours.ledger.shapes import DRAFT_STATUSES, SUBMISSION_STATUSES
from honours.model.rights import ACTIONS
from honours.pipeline import options
from honours.reports import convert, pdf
from honours.scoring.scorer import TIE_BREAKS
from honours.web.app import unguarded
from honours.web.settings import Settings
from tests.docs.commands import every_command
from tests.support import ROOT

INSTEAD = {
    "entry": "entrant, or posting",
    "entries": "entrants, or postings",
    "contestant": "entrant",
    "dataset": "corpus",
    "payout": "award",
    "ruleset": "rulebook",
    "prize": "award",
}
WORD = re.compile(rf"\b({'|'.join(INSTEAD)})s?\b", re.IGNORECASE)
# What the sources print stands in their words.
QUOTED = {"conformance.md", "sentences.md"}
PAGES = [path for path in sorted((ROOT / "docs").rglob("*.md")) if path.name not in QUOTED]


@pytest.mark.parametrize("path", [ROOT / "README.md", *PAGES], ids=lambda path: path.name)
def test_a_page_uses_our_words(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    wrong = WORD.findall(text)
    assert not wrong, f"say {INSTEAD[wrong[0].lower()]}"


def test_the_help_uses_our_words() -> None:
    for words, command in every_command():
        wrong = WORD.findall(" ".join([command.help or "", *_options(command)]))
        assert not wrong, f"`{words} --help`: say {INSTEAD[wrong[0].lower()]}"


def _options(command: click.Command) -> list[str]:
    return [option.help or "" for option in command.params if isinstance(option, click.Option)]


# A command offers its words without importing what they are the words of.
OFFERED = {
    ("honours accounts role", "actions"): tuple(ACTIONS),
    ("honours convert", "kind"): convert.ENDINGS,
    ("honours ledger copies export", "form"): FORMATS,
    ("honours pdf", "kind"): pdf.KINDS,
    ("honours pdf", "paper"): pdf.PAPERS,
    ("honours rule event", "type"): plan.KINDS,
    ("honours rule penalty", "unit"): UNITS,
    ("honours score", "type"): plan.KINDS,
}


def test_an_option_offers_the_words_of_what_it_calls() -> None:
    known = dict(every_command())
    for (words, name), expected in OFFERED.items():
        (option,) = (one for one in known[words].params if one.name == name)
        assert isinstance(option.type, click.Choice)
        assert tuple(option.type.choices) == tuple(expected), (words, name)


def test_the_api_and_the_pages_take_the_words_of_what_they_call(tmp_path: Path) -> None:
    described = unguarded(Settings(data=tmp_path)).openapi()
    asked = described["paths"]["/api/v1/ledger/drafts"]["get"]["parameters"]
    [drafted] = [one["schema"]["enum"] for one in asked if one["name"] == "status"]
    assert tuple(drafted) == ("", PENDING, RELEASED, WITHDRAWN) == ("", *DRAFT_STATUSES)
    [tie_break] = [one for one in options.SCORING if one.name == "tie_break"]
    assert tie_break.words == tuple(TIE_BREAKS)
    models = described["components"]["schemas"]
    sent = models["SubmissionStatus"]["properties"]["status"]["enum"]
    assert tuple(sent) == submissions.STATUSES == SUBMISSION_STATUSES
    assert tuple(models["ActionsRequest"]["properties"]["actions"]["items"]["enum"]) == tuple(
        ACTIONS
    )
