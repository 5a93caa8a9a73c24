"""Pages people read: short sentences, plain nouns, linked in and out, found by their words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import Browser

from tests.support import ROOT

DOCS = ROOT / "docs"
# For those who build on it; its sentences are as long as their subject.
DEVELOPERS = {"architecture.md"}
USERS = [page for page in sorted(DOCS.glob("*.md")) if page.name not in DEVELOPERS]
# "What is posted stays": a clause where English has a noun. A question is not one.
CLAUSE = re.compile(
    r"\bwhat (?:is|was|are|were|has|had|it|they|he|she|you|the|a|an|nobody)\b", re.I
)
LINK = re.compile(r"\]\(([^)#]+\.md)")
MOST_WORDS = 30


def sentences(page: Path) -> list[str]:
    text = re.sub(r"```.*?```|<!--.*?-->", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    text = re.sub(r"(?m)^(?:\||#|!\[|    ).*$", "", text)
    text = re.sub(r"`[^`]*`", "code", text)
    text = re.sub(r"\]\([^)]*\)", "", text)
    paragraphs = re.split(r"\n\s*\n|\n(?=- |\d\. |> )", text)
    return [
        sentence
        for paragraph in paragraphs
        for sentence in re.split(r"(?<=[.!?])\s+", " ".join(paragraph.split()))
        if re.search(r"\w", sentence)
    ]


def test_sentences_are_short() -> None:
    every = [one for page in (ROOT / "README.md", *USERS) for one in sentences(page)]
    long = [one for one in every if len(one.split()) > MOST_WORDS]
    clauses = [one for one in every if CLAUSE.search(one) and not one.endswith("?")]
    assert len(long) <= len(every) * 0.05, "\n".join(long)
    assert len(clauses) <= len(every) * 0.01, "\n".join(clauses)


def test_the_handbook_is_one_a_person_reads() -> None:
    assert len(USERS) <= 25
    words = {page.name: len(page.read_text(encoding="utf-8").split()) for page in USERS}
    assert sum(words.values()) <= 40_000
    assert max(words.values()) <= 2_000, Counter(words).most_common(3)


def test_every_page_leads_on_and_is_led_to() -> None:
    linked = set()
    for page in (*USERS, ROOT / "CONTRIBUTING.md", DOCS / "rulebooks/index.md"):
        leads = {(page.parent / link).resolve() for link in LINK.findall(page.read_text("utf-8"))}
        assert leads - {page}, f"{page.name} leads nowhere"
        linked |= leads
    for page in USERS:
        assert page in linked or page.name == "index.md", f"nothing leads to {page.name}"


# The words newcomers search for, and the page with the answer.
SEARCHED = {
    "why is this award 0": "awards.html",
    "correct a posted event": "club.html",
    "privacy": "privacy.html",
    "dataframe": "python.html",
    "glossary": "glossary.html",
    "windows": "install.html",
    "upgrade": "install.html",
    "backup": "server.html",
    "postgresql": "server.html",
    "neuberg": "conventions.html",
    "licence": "install.html",
    "fitted": "is-it-right.html",
    "add a format": "contributing.html",
    "bridgemate": "evening.html",
}


@pytest.fixture(scope="module")
def hosted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The built site in a folder of a web host."""
    site = ROOT / "build/docs"
    if not (site / "index.html").exists():
        pytest.skip("`./check docs` first")
    root = tmp_path_factory.mktemp("host")
    (root / "club").mkdir()
    (root / "club/docs").symlink_to(site)
    handler = partial(QuietHandler, directory=str(root))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/club/docs/index.html"
        server.shutdown()


class QuietHandler(SimpleHTTPRequestHandler):
    """Serves files without a word."""

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing."""


@pytest.mark.slow
@pytest.mark.parametrize("width", [1366, 390])
@pytest.mark.parametrize("way", ["web", "disk"])
def test_the_search_finds_the_page(hosted: str, way: str, width: int, browser: Browser) -> None:
    start = hosted if way == "web" else (ROOT / "build/docs/index.html").as_uri()
    page = browser.new_page(viewport={"width": width, "height": 800})
    found = {}
    for words in SEARCHED:
        page.goto(start)
        page.locator(
            "label[for=__search]:visible" if width < 400 else ".md-search__input"
        ).first.click()
        page.keyboard.type(words)
        results = page.locator(".md-search-result__item > a")
        results.first.wait_for(state="attached")
        links = [result.get_attribute("href") or "" for result in results.all()[:6]]
        found[words] = {re.split(r"[?#]", link.rpartition("/")[2])[0] for link in links}
    page.close()
    missed = {
        words: found[words] for words, answer in SEARCHED.items() if answer not in found[words]
    }
    assert not missed
