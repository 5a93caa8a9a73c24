"""Hostile text in every field of every kind of input and of every form: on every page, in the site,
in every document and export it stays text. Nothing of it becomes markup, and nothing a formula."""

from __future__ import annotations

import csv
import io
import json
import re
import zipfile
from collections.abc import Iterable
from dataclasses import fields, is_dataclass, replace
from email import message_from_bytes
from email.policy import default
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree

import httpx
import pypdf
import pytest
from playwright.sync_api import Browser, Page

from honours.formats.honours_json import write_json
from honours.formats.usebio import write_usebio
from honours.model import Event, Penalty
from honours.pipeline import awarded, ranked, read_account
from honours.reports.pdf import KINDS, make_pdf
from honours.reports.site import build_site
from honours.rulebooks import load
from honours.web.accounts.store import Accounts
from honours.web.settings import Settings
from tests.browser.conftest import Opened, Visitor
from tests.browser.hostile_files import binary_files
from tests.browser.test_every_page import FILES
from tests.browser.test_every_page import _walk as walk
from tests.support import ROOT
from tests.web.federation import PASSWORD
from tests.web.server import serving

pytestmark = pytest.mark.slow
MARKUP = "<hostile-tag onclick=stop() data-hostile=1></td></script>\"'&lt;#panic(1)*x*{{7*7}}${8*8}"
"""An element, an end of the one it may stand in, quotes, typst's code, two kinds of templates."""
TOML = json.dumps(MARKUP)
"""The same as a text of TOML."""
QUOTED = MARKUP.replace('"', '""')
"""The same inside quotation marks of a CSV."""
SIGNS = ("=", "+", "-", "@", "＝", "\t=")
KEPT = {"id", "kind", "scoring", "line", "unit", "deal", "version", "declarer", "denomination"}
"""Words of a vocabulary, and what other fields refer to."""
ELEMENTS = "hostile-tag, [data-hostile], [onclick]"
LOOKED_FOR = """hostile => [
    document.querySelectorAll(hostile).length,
    [...document.querySelectorAll("*")].some(one => one.localName.startsWith("hos")),
    document.querySelector("h1").textContent,
]"""
"""Elements of it, one of as much of it as there was room for, and the title."""
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
    count, begun, title = page.evaluate(LOOKED_FOR, ELEMENTS)
    assert count == 0, where
    assert not begun, where
    assert "49" not in title, where


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


@pytest.mark.parametrize("one_by_one", [False, pytest.param(True, marks=pytest.mark.long)])
def test_no_page_and_no_export_takes_text_for_markup_or_a_formula(
    visit: Opened, file: Path, one_by_one: bool
) -> None:
    visitor = visit()
    dialogs: list[str] = []
    visitor.page.on("dialog", lambda dialog: dialogs.append(dialog.message))
    with httpx.Client(base_url=visitor.address, timeout=240) as client:
        sent = client.post("/events", files={"files": (f"{MARKUP}.json", file.read_bytes())})
        night = sent.headers["location"]
        rule(client, night)
        keep(client, night)
        bring_in(client, file.parent)
        forms: dict[str, Form] = {}
        files: set[str] = set()
        for path in walk(visitor):
            check(visitor.page, path)
            forms |= forms_of(visitor.page)
            files |= downloads_of(visitor.page)
        assert fill_in(visitor.page, client, forms.values(), one_by_one) > 20
        for path in walk(visitor):
            check(visitor.page, path)
        for path in sorted(files):
            exported(visitor.page, path, client.get(path))
        page_tables(visitor, night)
    assert dialogs == []
    visitor.complaints[:] = [c for c in visitor.complaints if "404" not in c]


class Form(NamedTuple):
    """A form of a page: where it goes, and the names and values of its fields by their kinds."""

    action: str
    texts: tuple[str, ...]
    chosen: tuple[tuple[str, str], ...]
    files: tuple[str, ...]


def forms_of(page: Page) -> dict[str, Form]:
    """What may be sent from a page, but for what takes things away: one form of a kind."""
    in_page: list[dict[str, Any]] = page.evaluate(
        "() => [...document.forms].filter(f => f.method == 'post').map(f => ({"
        "action: f.getAttribute('action') || location.pathname,"
        "fields: [...f.elements].filter(e => e.name).map(e => [e.name, e.type, e.value])}))"
    )
    forms = {}
    for form in in_page:
        if re.search(r"/(delete|remove|end|withdraw|sign-out|cancel)$", form["action"]):
            continue
        texts = tuple(n for n, kind, _ in form["fields"] if kind in ("text", "textarea", "search"))
        files = tuple(n for n, kind, _ in form["fields"] if kind == "file")
        chosen = tuple((n, v) for n, _, v in form["fields"] if n not in (*texts, *files))
        kind = re.sub(r"[0-9a-f]{12}|\d+|\?.*", "", form["action"])
        forms[f"{kind} {texts}"] = Form(form["action"], texts, chosen, files)
    return forms


def fill_in(
    page: Page, client: httpx.Client, forms: Iterable[Form], one_by_one: bool = True
) -> int:
    """Every form, with hostile text wherever text may be written, or in each field alone too."""
    sent = 0
    for form in forms:
        each = ((name,) for name in form.texts if one_by_one)
        for hostile_fields in {form.texts, *each, ()}:
            fields = dict(form.chosen) | dict.fromkeys(form.texts, "1")
            fields |= dict.fromkeys(hostile_fields, f"={MARKUP}")
            files = dict.fromkeys(form.files, (f"{MARKUP}.csv", f"name\n={MARKUP}\n"))
            answer = client.post(
                form.action, data=fields, files=files or None, follow_redirects=True
            )
            assert answer.status_code < 500, (form.action, fields)
            looked_at(page, form.action, answer)
            sent += 1
    return sent


def looked_at(page: Page, where: str, answer: httpx.Response) -> None:
    """An answer as the browser would show it."""
    if answer.headers.get("content-type", "").startswith("text/html"):
        page.set_content(answer.text)
        check(page, where)


def downloads_of(page: Page) -> set[str]:
    """The files that a page leads to."""
    links: list[str] = page.eval_on_selector_all(
        "a[href^='/']", "all => all.map(link => link.getAttribute('href'))"
    )
    return {link for link in links if FILES.search(link)}


KINDS_OF_FILES = (
    "application/gzip",
    "application/octet-stream",
    "application/pdf",
    "text/calendar",
    "text/html",
    "text/plain",
)
"""The rest of what is downloaded: documents, pages, and files of receivers and ledgers."""


def exported(page: Page, path: str, answer: httpx.Response) -> None:
    """A file of any kind: no formula in a table, no element in XML, no markup in a site."""
    kind = answer.headers.get("content-type", "").partition(";")[0]
    if answer.status_code != 200 or path.endswith("/original"):
        return
    if kind == "text/csv":
        assert formulas(answer.text) == [], path
    elif kind in ("application/xml", "application/atom+xml", "image/svg+xml"):
        names = {element.tag for element in ElementTree.fromstring(answer.content).iter()}
        assert "hostile-tag" not in names, path
    elif kind == "application/json":
        json.loads(answer.content)
    elif kind == "application/zip":
        with zipfile.ZipFile(io.BytesIO(answer.content)) as site:
            for name in site.namelist():
                page.set_content(site.read(name).decode())
                check(page, f"{path} {name}")
    elif kind == "message/rfc822":
        for part in message_from_bytes(answer.content, policy=default).walk():
            if part.get_content_type() == "text/html":
                page.set_content(part.get_content())
                check(page, path)
    else:
        assert kind in KINDS_OF_FILES, (path, kind)
        looked_at(page, path, answer)


def bring_in(client: httpx.Client, folder: Path) -> None:
    """Every other kind of input: a return, a list of standings, a go tournament, a database, a game
    file, a workbook, travellers typed in, members, a season, and files that are none."""
    usebio = write_usebio(event()).data
    listed = f'pair,player1,player2,score\n1,"=A{QUOTED}","B{QUOTED}",60\n2,"@C{QUOTED}",D,40\n'
    go = (ROOT / "examples/go-open.txt").read_text(encoding="utf-8")
    go = go.replace("River Town Open", MARKUP).replace("Stone, Ada", f"{MARKUP}, Ada")
    contents = {
        "usebio.xml": usebio,
        "standings.csv": listed.encode(),
        "go.txt": go.encode(),
        "nothing.json": f'{{"format": "{MARKUP}"}}'.encode(),
        "nothing.xml": f"<a>{MARKUP}</a>".encode(),
        "nothing.csv": f'"{QUOTED}",b\n1,"{QUOTED}"\n'.encode(),
        "nothing.txt": MARKUP.encode(),
    }
    for name, content in contents.items():
        answer = client.post("/events", files={"files": (f"{MARKUP}{name}", content)})
        assert answer.status_code < 500, name
    for name, content in binary_files(folder, MARKUP).items():
        answer = client.post("/events", files={"files": (f"{MARKUP}{name}", content)})
        assert answer.status_code == 303, name
    typed = (ROOT / "examples/tuesday.csv").read_text(encoding="utf-8")
    client.post("/events/typed", data={"text": f"{typed}\n{MARKUP}"})
    roll = f'number,name\n"{QUOTED}","=E{QUOTED}"\n'
    client.post("/ledger/members", data={"by": MARKUP}, files={"list": ("m.csv", roll.encode())})
    season = f'club = {TOML}\nrulebook = "sbu-clubs-2016"\nyear = 2016-09-01\n'
    season += f'[[competition]]\ntitle = {TOML}\nkind = "pairs"\ntype = "table"\n'
    season += 'events = ["standings.csv"]\n'
    both = [
        ("files", ("year.toml", season.encode())),
        ("files", ("standings.csv", listed.encode())),
    ]
    assert client.post("/ledger/seasons", files=both).status_code < 500


def test_accounts_and_tokens_take_nothing_for_markup(browser: Browser, tmp_path: Path) -> None:
    Accounts(str(tmp_path / "accounts.db")).set(MARKUP[:40], "administrator", PASSWORD)
    with (
        serving(Settings(data=tmp_path, accounts=True)) as address,
        httpx.Client(base_url=address, timeout=120) as client,
    ):
        page = browser.new_page()
        wrong = {"name": MARKUP, "password": MARKUP}
        looked_at(page, "/sign-in", client.post("/sign-in", data=wrong))
        own = {"name": MARKUP[:40], "password": PASSWORD}
        assert client.post("/sign-in", data=own).status_code == 303
        for path in ("/account", "/accounts"):
            looked_at(page, path, client.get(path))
            fill_in(page, client, forms_of(page).values())
            looked_at(page, path, client.get(path))
        page.close()


def rule(client: httpx.Client, night: str) -> None:
    """A ruling with hostile words in all it records."""
    words = {"by": MARKUP, "why": f"={MARKUP}", "law": f"@{MARKUP}"}
    pair = event().entrants[0].entrant.id
    names = {"kind": "name", "pair": pair, "players": f"=cmd {MARKUP[:30]}; ＝x", **words}
    assert client.post(f"{night}/rulings", data=names).status_code == 303


def keep(client: httpx.Client, night: str) -> None:
    """The night in the ledger: members, a record and postings of these names."""
    client.post("/ledger", data={})
    form = {"by": MARKUP, "day": "2020-03-03", "rulebook": "sbu-clubs-2016", "why": MARKUP}
    client.post(f"{night}/draft", data=form)  # which asks who is new
    form["new"] = "yes"
    client.post(f"{night}/draft", data=form)
    client.post("/ledger/drafts/1/release", data={"by": MARKUP})


def page_tables(visitor: Visitor, night: str) -> None:
    """What the button of a table downloads is made by the page itself."""
    visitor.goes_to(night)
    visitor.page.wait_for_load_state()
    visitor.page.locator(".table-menu > summary").first.click()
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
