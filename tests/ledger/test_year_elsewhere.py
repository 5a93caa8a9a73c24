"""A cap over the club's year where the ledger is not asked, or was asked by an older Honours."""

from __future__ import annotations

from pathlib import Path

import pytest

import honours
from honours.engine.periods import LAST_DAY
from honours.engine.rulebook import Rulebook
from honours.ledger.consequences import asked_since, resting_on_record
from honours.ledger.facts import EventFacts
from honours.ledger.post import POSTED, post
from honours.ledger.store import Ledger
from honours.reports.convert import converted_file
from honours.reports.pdf import make_pdf
from honours.reports.sending import concerns_of
from honours.reports.site import build_site
from tests.engine.books import write_book
from tests.ledger.test_year_so_far import FOLDER, RULES, TOML, files, night
from tests.reports.test_pdf import text_of


@pytest.fixture
def book(tmp_path: Path) -> Rulebook:
    return write_book(tmp_path / "books" / FOLDER, TOML, RULES)


@pytest.mark.usefixtures("book")
def test_documents_of_an_event_that_is_not_posted_say_what_they_assume(tmp_path: Path) -> None:
    path = files(tmp_path)[0]
    report = honours.award(
        honours.score(honours.read(path)), FOLDER, rulebooks=[tmp_path / "books"]
    )
    assumed = "earned is assumed: 0. What players were awarded before is not known here"
    for kind in ("results", "certificates", "award-list", "explanation"):
        entrant = "101a+101b" if kind == "explanation" else ""
        text = " ".join(text_of(make_pdf(report, kind, entrant)).split())
        assert assumed in text, kind
    site = build_site(report)
    assert any(assumed in page.decode() for name, page in site.items() if name.endswith(".html"))


@pytest.mark.usefixtures("book")
def test_what_is_sent_of_an_event_that_is_not_posted_says_what_it_assumes(tmp_path: Path) -> None:
    path = tmp_path / "night.csv"
    path.write_text("board,ns,ew,ns_score\n1,1,2,420\n1,3,4,-50\n2,1,4,100\n2,3,2,50\n", "utf-8")
    report = honours.award(
        honours.score(honours.read(path), winners=1), FOLDER, rulebooks=[tmp_path / "books"]
    )
    texts = [str(concern) for concern in concerns_of(report, "honours", {})]
    assert any("earned is assumed: 0" in text and "post the event" in text for text in texts)
    lost = [str(one) for one in converted_file(report.account, "usebio", report).lost]
    assert "that earned is assumed to be 0" in lost


@pytest.mark.parametrize("period", ["year", "month"])
def test_what_an_earlier_revision_awarded_rests_in_its_own_period_alone(
    file_ledger: Ledger, tmp_path: Path, period: str
) -> None:
    """The first edition asked nothing, and its record does not say until when it counts."""
    days = ("2026-11-20", "2026-11-28", "2027-01-10")
    uncapped = TOML.replace('awarded_in = "year"\n', "")
    first = write_book(tmp_path / "first" / FOLDER, uncapped, RULES)
    capped = TOML.replace('awarded_in = "year"', f'awarded_in = "{period}"')
    second = write_book(tmp_path / "second" / FOLDER, capped, RULES)
    for book, day in zip((first, second, second), days, strict=True):
        assert post(file_ledger, night(book, day), "w", another=True).status == POSTED
    with file_ledger.reading() as connection:
        named = [str(note) for note in resting_on_record(connection, 1)]
    assert [text.partition(",")[0] for text in named] == [f"Night of {days[1]} of {days[1]}"]


@pytest.mark.parametrize(
    ("until", "since"),
    [
        ("2026-12-31", "2026-01-01"),
        ("2026-08-31", "2025-09-01"),
        ("2027-02-28", "2026-03-01"),
        ("", "2025-05-04"),
        (LAST_DAY, ""),
    ],
)
def test_since_when_a_record_of_an_older_honours_asks(until: str, since: str) -> None:
    assert asked_since(EventFacts((), {}, "", counts_until=until), "2026-05-03") == since
