"""Pages people read: short sentences, plain nouns, linked in and out, found by their words."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest

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


@pytest.mark.skipif(
    not (ROOT / "build/docs/search/search_index.json").exists(), reason="`./check docs` first"
)
@pytest.mark.parametrize("words", SEARCHED)
def test_the_search_finds_the_page(words: str) -> None:
    """By the words of titles and texts, as lunr ranks them: titles first."""
    index = json.loads((ROOT / "build/docs/search/search_index.json").read_text("utf-8"))["docs"]
    wanted = words.split()

    def found(part: dict[str, str]) -> float:
        title, text = part["title"].lower(), part["text"].lower()
        hits = sum(10 * (word in title) + (word in text) for word in wanted)
        return float(part.get("boost", 1)) * hits

    best = sorted(index, key=found, reverse=True)[:10]
    assert SEARCHED[words] in {part["location"].partition("#")[0] for part in best}
