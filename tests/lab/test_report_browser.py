"""Reports in a browser: drawn, silent, alone, accessible, and one click from both explanations."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from honours.lab.compare import Comparison
from honours.lab.corpus import Corpus
from honours.lab.growth import grow
from honours.lab.report import write
from honours.lab.result import Answer, Explanation, Frame
from honours.lab.simulate import Contest
from honours.rulebooks import load
from tests.looking import faults, picture

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def comparison(corpus: Corpus) -> Comparison:
    book = load("acbl-sof-2020")
    return corpus.compare(book, book.amend(total_coefficient="0.08"))


@pytest.fixture(scope="module")
def answer(comparison: Comparison) -> Answer:
    return comparison.whole()


Opened = Callable[..., Page]


@pytest.fixture
def opened(browser: Browser, tmp_path: Path) -> Iterator[Opened]:
    """Opens an answer; at the end nothing was complained of, and nobody was asked anything."""
    contexts, complaints = [], []

    def visit(
        answer: Answer, width: int = 1200, scheme: str = "light", language: str = "en"
    ) -> Page:
        path = tmp_path / "report.html"
        write(answer, path, language=language)
        context = browser.new_context(
            viewport={"width": width, "height": 900},
            color_scheme="dark" if scheme == "dark" else "light",
            accept_downloads=True,
        )
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda m: complaints.append(m.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        own = path.as_uri()
        page.on("request", lambda r: None if _inside(r.url, own) else complaints.append(r.url))
        page.goto(own)
        charts = page.locator(".chart")
        for n in range(charts.count()):
            charts.nth(n).locator("svg").wait_for()
        return page

    yield visit
    for context in contexts:
        context.close()
    assert complaints == []


def _inside(url: str, own: str) -> bool:
    return url.partition("#")[0] == own or url.startswith("data:")


def looked_at(page: Page, name: str) -> None:
    picture(page, f"lab-{name}")
    assert faults(page) == []


@pytest.mark.parametrize(("width", "scheme"), [(1200, "light"), (390, "dark")])
def test_a_comparison_is_drawn_and_accessible(
    comparison: Comparison, answer: Answer, opened: Opened, width: int, scheme: str
) -> None:
    page = opened(answer, width, scheme)
    bars = page.locator('section:has(#by-kind) [aria-roledescription="bar"]')
    assert bars.count() == len(comparison.by("kind"))
    assert page.locator('section:has(#by-flight-and-size) [role="graphics-symbol"]').count()
    looked_at(page, f"comparison-{width}-{scheme}")


def test_an_event_is_one_click_from_both_explanations(
    comparison: Comparison, answer: Answer, opened: Opened
) -> None:
    page = opened(answer)
    event = comparison.frame("Events that").rows[1]["event"]
    assert not page.locator(f"#event-{event} .reason").first.is_visible()
    page.locator("section:has(#events-that-change-most) td a").nth(1).click()
    reasons = page.locator(f"#event-{event} .reason")
    assert reasons.count() == 2
    reasons.nth(0).wait_for()  # the page opens them after it has moved
    reasons.nth(1).wait_for()
    assert "Total" in page.locator(f"#event-{event} table").inner_text()
    looked_at(page, "explained")


def test_the_data_of_a_chart_can_be_taken_home(
    comparison: Comparison, answer: Answer, opened: Opened
) -> None:
    page = opened(answer)
    for kind in ("csv", "json"):
        with page.expect_download() as waiting:
            page.locator(f'a[download="by-size.{kind}"]').click()
        text = waiting.value.path().read_text(encoding="utf-8")
        frame = comparison.by("size")
        assert text == frame.csv() if kind == "csv" else json.loads(text) == frame.data()


def test_the_other_answers_are_drawn_and_accessible(corpus: Corpus, opened: Opened) -> None:
    book = load("acbl-sof-2020")
    contests = [Contest("up", 24, 3000), Contest("down", 24, 300)]
    expected = corpus.simulate([book, "acbl-sof-2011"], contests, 600, runs=200)
    growth = grow(corpus, [book], 2)
    frames = [
        *expected.frames,
        *growth.frames[:1],
        *corpus.sweep(book, "total_coefficient", ["0.08"]).frames,
        Frame.of(
            "Win per day",
            [
                {"holding": 0, "win per day": 0.1, "2020 source": 0.0},
                {"holding": 100, "win per day": 0.9, "2020 source": 0.88},
            ],
        ),
        Frame.of("Range averages", [{"range": "0–50", "won": 0.8, "formula": 0.5, "sample": 9}]),
    ]
    sentences = [expected.statement, growth.statement]
    page = opened(Answer("Other answers", sentences, frames, {"rulebook": book.hash}))
    assert page.locator(".chart svg").count() == len(frames)
    looked_at(page, "others")


def test_charts_speak_the_language_of_a_report_that_was_downloaded(opened: Opened) -> None:
    """Thousands and months were English in a French report."""
    frame = Frame.of("What is paid", [{"value": n, "total": 12_500 * n} for n in (1, 2)])
    page = opened(Answer("Une réponse", [], [frame], {}), language="fr")
    month = page.evaluate("vega.defaultLocale().utcFormat('%B')(new Date(Date.UTC(2024, 7, 1)))")
    assert month == "août"
    axes = page.locator(".chart svg").text_content() or ""
    assert "20\u202f000" in axes
    assert "20,000" not in axes


def test_an_audit_is_accessible(opened: Opened) -> None:
    book = load("acbl-sof-2020")
    from honours.engine.award import calculate

    given = {"entrants": 20, "sessions": 2, "masterpoints": 1000}
    why = calculate(book, given)[0].schedule[0].why
    broken = Frame.of("Broken", [{"promise": "a stronger field never pays less", "of": "pairs"}])
    reasons = [Explanation("a stronger field never pays less", [why, why], sentence="it falls")]
    page = opened(Answer("Audit", ["It would."], [broken], explanations=reasons))
    page.locator("details").first.click()
    assert page.locator(".reason").count() == 2
    looked_at(page, "audit")
