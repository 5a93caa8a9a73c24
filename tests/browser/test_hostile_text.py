"""Hostile text in every field of an event, its rulings and its members: on every page, in the site,
in every document and export it stays text. Nothing of it becomes markup, and nothing a formula."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import fields, is_dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import httpx
import pypdf
import pytest
from playwright.sync_api import Browser, Page

from honours.formats.honours_json import write_json
from honours.model import Event, Penalty
from honours.pipeline import awarded, ranked, read_account
from honours.reports.pdf import KINDS, make_pdf
from honours.reports.site import build_site
from honours.rulebooks import load
from tests.browser.conftest import Opened, Visitor
from tests.browser.test_every_page import _walk as walk
from tests.support import ROOT

pytestmark = pytest.mark.slow
MARKUP = "<hostile-tag onclick=stop() data-hostile=1></td></script>\"'&lt;#panic(1)*x*{{7*7}}${8*8}"
"""An element, an end of the one it may stand in, quotes, typst's code, two kinds of templates."""
SIGNS = ("=", "+", "-", "@", "＝", "\t=")
KEPT = {"id", "kind", "scoring", "line", "unit", "deal", "version", "declarer", "denomination"}
"""Words of a vocabulary, and what other fields refer to."""
ELEMENTS = "hostile-tag, [data-hostile], [onclick]"
DATA = re.compile(r"=|[-+]?\d+([.,/]\d+)*%?")


def hostile(value: Any, name: str = "", sign: str = "=") -> Any:
    """The same, with every free text of it hostile."""
    if is_dataclass(value) and not isinstance(value, type):
        changed = {f.name: hostile(getattr(value, f.name), f.name, sign) for f in fields(value)}
        return replace(value, **changed)
    if isinstance(value, tuple) and name not in ("ns", "ew", "scores"):
        several = name in ("entrants", "players")
        signs = SIGNS if several else (sign,)
        return tuple(hostile(one, name, signs[i % len(signs)]) for i, one in enumerate(value))
    if type(value) is str and name not in KEPT:
        return f"{sign}{value}{MARKUP}"
    return value


def event() -> Event:
    """A night with something hostile wherever somebody may write something."""
    night = read_account(ROOT / "examples/tuesday.csv").event
    bad: Event = hostile(replace(night, source=None))
    sessions = tuple(
        replace(
            session,
            results=tuple(replace(one, section="", source=None) for one in session.results),
            penalties=(Penalty(bad.entrants[0].entrant.id, Fraction(1), "matchpoints", MARKUP),),
        )
        for session in bad.sessions
    )
    entrants = tuple(replace(one, section="", stratum="", number="") for one in bad.entrants)
    return replace(bad, sessions=sessions, entrants=entrants)


def check(page: Page, where: str) -> None:
    assert page.locator(ELEMENTS).count() == 0, where
    assert "49" not in page.locator("h1").first.inner_text(), where


def formulas(text: str) -> list[str]:
    """Cells that a spreadsheet would run."""
    rows = csv.reader(io.StringIO(text))
    cells = (cell for row in rows for cell in row)
    return [
        cell
        for cell in cells
        if re.match(r"[=+\-@\t\r＝＋－＠]", cell) and not DATA.fullmatch(cell)
    ]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "night.json"
    path.write_bytes(write_json((event(),)))
    return path


def test_no_page_and_no_export_takes_text_for_markup_or_a_formula(
    visit: Opened, file: Path
) -> None:
    visitor = visit()
    dialogs: list[str] = []
    visitor.page.on("dialog", lambda dialog: dialogs.append(dialog.message))
    with httpx.Client(base_url=visitor.address, timeout=240) as client:
        sent = client.post("/events", files={"files": (f"{MARKUP}.json", file.read_bytes())})
        night = sent.headers["location"]
        rule(client, night)
        keep(client, night)
        for path in walk(visitor):
            check(visitor.page, path)
        for what in ("standings.csv", "awards.csv"):
            assert formulas(client.get(f"{night}/download/{what}").text) == [], what
        page_tables(visitor, night)
    assert dialogs == []
    visitor.complaints[:] = [c for c in visitor.complaints if "404" not in c]


def rule(client: httpx.Client, night: str) -> None:
    """A ruling with hostile words in all it records."""
    words = {"by": MARKUP, "why": f"={MARKUP}", "law": f"@{MARKUP}"}
    pair = event().entrants[0].entrant.id
    names = {"kind": "name", "pair": pair, "players": f"=cmd {MARKUP[:30]}; ＝x", **words}
    assert client.post(f"{night}/rulings", data=names).status_code == 303


def keep(client: httpx.Client, night: str) -> None:
    """The night in the ledger: members, a record and postings of these names."""
    client.post("/ledger", data={})
    said = {"by": MARKUP, "day": "2020-03-03", "rulebook": "sbu-clubs-2016", "why": MARKUP}
    client.post(f"{night}/draft", data=said)  # which asks who is new
    said["new"] = "yes"
    client.post(f"{night}/draft", data=said)
    client.post("/ledger/drafts/1/release", data={"by": MARKUP})


def page_tables(visitor: Visitor, night: str) -> None:
    """What the button of a table downloads is made by the page itself."""
    visitor.goes_to(night)
    visitor.page.wait_for_load_state()
    with visitor.page.expect_download() as waiting:
        visitor.page.locator("[data-as=csv]").first.click()
    assert formulas(Path(waiting.value.path()).read_text(encoding="utf-8")) == []


def test_the_site_takes_nothing_for_markup(browser: Browser, file: Path, tmp_path: Path) -> None:
    report = awarded(ranked(read_account(file)), load("sbu-clubs-2016"), {"date": "2017-01-01"})
    page = browser.new_page()
    for language in ("en", "fr"):
        for name, data in build_site(report, language).items():
            target = tmp_path / language / name
            target.parent.mkdir(exist_ok=True)
            target.write_bytes(data)
            page.goto(target.as_uri())
            check(page, name)
    page.close()


@pytest.mark.parametrize("kind", KINDS)
def test_a_document_shows_it_as_it_is(file: Path, kind: str) -> None:
    report = awarded(ranked(read_account(file)), load("sbu-clubs-2016"), {"date": "2017-01-01"})
    entrant = event().entrants[0].entrant.id if kind == "explanation" else ""
    pages = pypdf.PdfReader(io.BytesIO(make_pdf(report, kind, entrant))).pages
    text = re.sub(r"\s+", "", "".join(page.extract_text() for page in pages))
    assert "<hostile-tag" in text
    assert "#panic(1)*x*" in text
