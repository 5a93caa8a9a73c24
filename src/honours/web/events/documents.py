"""Documents of an event that take a while to draw: made by a process of its own, from the report
and the name of the rulebook."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import urlencode

from honours.demo import CLUB_NIGHT, file
from honours.language import DEFAULT
from honours.model import Player
from honours.pipeline import Account, Report, inquired, ranked
from honours.pipeline.anonymous import HiddenPlayers, anonymous
from honours.pipeline.options import chosen_options
from honours.pipeline.standing_answers import StandingAnswers
from honours.reports import views
from honours.reports.drawing import HOUSE, Dress, draw_text
from honours.reports.pdf import make_pdf
from honours.reports.site import build_site
from honours.rulebooks import load
from honours.web.events.reading import look_into

SITE = "site"


@dataclass(frozen=True, slots=True)
class AwardingChoice:
    """The rulebook, and its folders, by which a document shows awards; none if empty."""

    rulebook: str = ""
    given: Mapping[str, str] = field(default_factory=dict)
    folders: tuple[str, ...] = ()
    standing: StandingAnswers = field(default_factory=StandingAnswers)


def public(
    account: Account, choices: Mapping[str, Any], awarding: AwardingChoice, hidden: HiddenPlayers
) -> Report:
    """The event as the world may see it: scored without the names of those who opted out."""
    shown = anonymous(account, hidden)
    report = ranked(shown, choices)
    if not awarding.rulebook:
        return report
    report = replace(report, standing=awarding.standing)
    return inquired(report, load(awarding.rulebook, awarding.folders), awarding.given)


@dataclass(frozen=True, slots=True)
class Audience:
    """For whom a document is made: without those who are ``hidden``, in a club's dress and the
    reader's language."""

    hidden: HiddenPlayers = field(default_factory=HiddenPlayers)
    dress: Dress = HOUSE
    language: str = DEFAULT
    home: str = ""
    """Where the club's front door is, for what is read beside it."""

    def player_page(self, player: Player) -> str:
        """Return the address of a player's page; empty where the player is not named."""
        if not player.name or player.name == self.hidden.instead:
            return ""
        return f"{self.home}/players?{urlencode({'name': player.name, 'number': player.number})}"


def document(
    account: Account,
    choices: Mapping[str, Any],
    kind: str,
    awarding: AwardingChoice,
    shown: Audience,
) -> bytes:
    """A PDF of this kind, or a site as a ZIP file."""
    report = public(account, choices, awarding, shown.hidden)
    if kind == SITE:
        return _zipped(build_site(report, shown.language, shown.dress))
    return make_pdf(report, kind, language=shown.language, dress=shown.dress)


def published_pages(
    account: Account,
    choices: Mapping[str, Any],
    awarding: AwardingChoice,
    shown: Audience,
    sheets: Sequence[str],
) -> dict[str, bytes]:
    """Every page of a public address."""
    report = public(account, choices, awarding, shown.hidden)
    return build_site(report, shown.language, shown.dress, sheets, shown.home, shown.player_page)


def letter_parts(
    account: Account, choices: Mapping[str, Any], awarding: AwardingChoice, shown: Audience
) -> tuple[str, str, bytes]:
    """Return the parts of a letter: the title, the standings as text, and the results sheet."""
    report = public(account, choices, awarding, shown.hidden)
    text = "\n\n".join(draw_text(one, shown.language) for one in views.standings(report))
    pdf = make_pdf(report, "results", language=shown.language, dress=shown.dress)
    return report.account.title, text, pdf


def rehearse() -> None:
    """Read, rank and draw an event once: the formats, tables and templates that this loads take
    many times as long as the work itself, and are then at hand in every process that is forked."""
    [account, *_] = look_into(str(file(CLUB_NIGHT)), CLUB_NIGHT).accounts
    published_pages(account, chosen_options({}), AwardingChoice(), Audience(), ())


def _zipped(files: Mapping[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()
