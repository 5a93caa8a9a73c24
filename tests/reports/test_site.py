"""The static site: complete, alone in the world, and harmless whatever a file says."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from honours.demo import FILES, file
from honours.errors import InputError
from honours.formats.detect import format_called
from honours.model import Board, Entrant, Event, EventEntrant, Player, Result, Session
from honours.pipeline import Account, Report, awarded, ranked, read_account
from honours.reports.site import build_site, style, write_site
from honours.reports.travellers import diagram
from honours.rulebooks import load

EVIL = "<script>alert(1)</script>"
DEAL = "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"


class Checked(HTMLParser):
    """Gathers what leads away from a page, and whether its elements are closed."""

    VOID = ("meta", "br", "link", "img", "input")

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.links: list[str] = []
        self.ids: list[str] = []
        self.used: set[str] = set()
        self.feed(text)
        assert self.tags == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.used.add(tag)
        if tag not in self.VOID:
            self.tags.append(tag)
        for name, value in attrs:
            assert not name.startswith("on")
            if name in ("href", "src"):
                self.links.append(value or "")
            if name == "id":
                self.ids.append(value or "")

    def handle_endtag(self, tag: str) -> None:
        assert self.tags.pop() == tag


def demo(rulebook: bool = True) -> Report:
    report = ranked(read_account(str(file(FILES[0]))))
    return awarded(report, load("sbu-clubs-2016"), {}) if rulebook else report


def pages(report: Report) -> dict[str, str]:
    return {name: data.decode("utf-8") for name, data in build_site(report).items()}


def check(site: dict[str, str]) -> None:
    """Every page is well formed, asks nobody for anything, and every link arrives."""
    parsed = {name: Checked(text) for name, text in site.items()}
    for name, page in parsed.items():
        assert re.fullmatch(r"[a-z0-9-]+\.html", name)
        assert not page.used & {"script", "link", "img", "iframe", "object"}
        assert len(page.ids) == len(set(page.ids))
        for link in page.links:
            target, _, anchor = link.partition("#")
            assert not anchor or anchor in parsed[target or name].ids
            assert not target or target in parsed


def test_the_demo_is_all_there() -> None:
    site = pages(demo())
    check(site)
    assert set(site) >= {"index.html", "boards.html", "scorecards.html", "awards.html"}
    assert sum(name.startswith("scorecard-") for name in site) == 18
    assert "provisional" in site["index.html"]
    assert "Magnus Young" in site["index.html"]
    assert "perhaps fouled" not in "".join(site.values())
    assert "<details" in site["awards.html"]
    assert "Chapter 1" in site["awards.html"]
    assert "4<span" in site["boards.html"]


def test_without_a_rulebook_there_are_no_awards() -> None:
    site = pages(demo(rulebook=False))
    check(site)
    assert "awards.html" not in site


def made(ids: tuple[str, ...], deal: str = "") -> Report:
    entrants = tuple(EventEntrant(Entrant(i, (Player(EVIL),)), i) for i in ids)
    lines = (
        Result(1, (ids[0],), (ids[1],), score=50, remark=EVIL, lead=EVIL),
        Result(1, (ids[2],), (ids[3],), score=-50),
    )
    session = Session(1, lines, boards=(Board(1, deal),))
    event = Event(EVIL, "pairs", "matchpoints", entrants, (session,), winners=1, club=EVIL)
    return ranked(Account("x.csv", format_called("results"), event))


def test_nothing_of_a_file_is_markup() -> None:
    site = pages(made(("1", "2", "3", EVIL)))
    check(site)
    assert "&lt;script&gt;" in site["index.html"]


def test_names_of_files_are_safe_and_never_the_same() -> None:
    site = pages(made(("../../etc/passwd", "A 7", "a-7", "é/.")))
    check(site)
    assert {
        "scorecard-etc-passwd.html",
        "scorecard-a-7.html",
        "scorecard-a-7-2.html",
        "scorecard-x.html",
    } <= set(site)


def test_a_team_has_two_lines_of_a_board() -> None:
    teams = tuple(EventEntrant(Entrant(n, name=n), n) for n in "12")
    lines = (Result(1, ("1",), ("2",), score=50), Result(1, ("2",), ("1",), score=-50))
    event = Event("Match", "teams", "imps", teams, (Session(1, lines),))
    check(pages(ranked(Account("x.csv", format_called("results"), event))))


def test_a_known_deal_is_drawn() -> None:
    page = pages(made(("1", "2", "3", "4"), DEAL))["boards.html"]
    assert "A K Q J 10 9 8 7 6 5 4 3 2" in page
    assert "Dealer North, nobody vulnerable" in page
    assert "figure class" not in pages(made(("1", "2", "3", "4")))["boards.html"]


@pytest.mark.parametrize("deal", ["", "N", "X:a.b.c.d", "N:a a a a a"])
def test_what_is_no_deal_is_not_drawn(deal: str) -> None:
    assert diagram(1, deal) is None


def test_a_hand_that_is_not_known_is_left_out() -> None:
    drawn = diagram(2, "E:AK...10 - - -")
    assert drawn is not None
    assert list(drawn.hands) == ["E"]
    assert drawn.hands["E"][3] == ("♣", "10")
    assert drawn.caption == "Dealer East, North-South vulnerable"


def test_a_folder_with_something_in_it_is_refused(tmp_path: Path) -> None:
    report = demo()
    write_site(report, tmp_path / "site")
    with pytest.raises(InputError, match="not empty"):
        write_site(report, tmp_path / "site")
    assert write_site(report, tmp_path / "site", force=True)
    (tmp_path / "file").write_text("x", encoding="utf-8")
    with pytest.raises(InputError, match="a file"):
        write_site(report, tmp_path / "file")


def test_the_style_asks_for_nothing() -> None:
    sheet = style()
    assert "url(" not in sheet
    assert "@import" not in sheet
    assert "color-scheme: light dark" in sheet
    assert "@media print" in sheet


def test_notes_of_a_file_are_shown() -> None:
    report = replace(demo(), remarks=("placed by NBW",))
    assert "placed by NBW" in pages(report)["index.html"]
