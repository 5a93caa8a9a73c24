"""A results site of plain files: standings, scorecards, boards and awards with their reasons.

Every page stands alone: no scripts, no requests to anywhere, its style inside it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from honours import __version__
from honours.engine.explanation import render_html
from honours.errors import InputError, how_many
from honours.files import HTML, check_target, write_file
from honours.model import Step
from honours.pipeline import Report
from honours.reports import views
from honours.reports.travellers import scorecards
from honours.scoring.status import Status

INDEX, BOARDS, CARDS, AWARDS = "index.html", "boards.html", "scorecards.html", "awards.html"
_SUITS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}


class Page(NamedTuple):
    """A page the navigation leads to."""

    file: str
    title: str


class Listed(NamedTuple):
    """An event as an index shows it; ``folder`` is where its site is."""

    folder: str
    title: str
    subtitle: str


@dataclass(frozen=True, slots=True)
class Site:
    """What every page says of the event; ``links`` lead from an entrant to its scorecard."""

    title: str
    subtitle: str
    source: str
    state: Status | None = None
    rulebook: str = ""
    unit: str = ""
    pages: tuple[Page, ...] = ()
    links: dict[str, str] = field(default_factory=dict)
    version: str = __version__


@cache
def _environment() -> Environment:
    env = Environment(
        loader=PackageLoader("honours.reports", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    env.globals |= {
        "explained": _explained,
        "suits": _suits,
        "figures": views.figures,
    }
    return env


def _explained(step: Step) -> Markup:
    return Markup(render_html(step))  # it escapes whatever it shows


def _suits(text: str) -> Markup:
    """A contract or a card with the signs of the suits, red ones in red."""
    told = Markup("")
    for letter in text:
        sign = _SUITS.get(letter, "")
        # A seat comes after a space (4S N), a suit never does.
        if sign and not told.endswith(" "):
            kind = "red" if letter in "HD" else "black"
            told += Markup('<span class="{}">{}</span>').format(kind, sign)
        else:
            told += escape(letter)
    return told


def build_site(report: Report) -> dict[str, bytes]:
    """The site's files by name."""
    links = dict(_links(report))
    site = _site(report, links)
    pages = {
        INDEX: _render(
            "standings.html",
            site,
            INDEX,
            standings=views.standings(report),
            oddities=views.oddities(report),
            notes=report.notes,
        )
    }
    paid = {p.entrant.id: p for p in views.payments(report)}
    anchors = dict(_unique(paid, "award"))
    if report.scored is not None and links:
        cards = dict(zip(links, scorecards(report.scored), strict=True))
        titles = [(links[one], card.title) for one, card in cards.items()]
        pages[CARDS] = _render("scorecards.html", site, CARDS, cards=titles)
        for one, card in cards.items():
            about = {
                "card": views.pruned(card),
                "paid": paid.get(one),
                "anchor": anchors.get(one, ""),
            }
            pages[links[one]] = _render("scorecard.html", site, links[one], **about)
        pages[BOARDS] = _render("boards.html", site, BOARDS, boards=views.boards(report))
    if report.awards is not None:
        pages[AWARDS] = _render(
            "awards.html",
            site,
            AWARDS,
            payments=tuple(paid.values()),
            anchors=anchors,
            rule_notes=views.rule_notes(report),
        )
    return pages


def _site(report: Report, links: dict[str, str]) -> Site:
    told = [Page(INDEX, "Standings")]
    if links:
        told += [Page(CARDS, "Scorecards"), Page(BOARDS, "Boards")]
    if report.awards is not None:
        told.append(Page(AWARDS, "Awards"))
    return Site(
        title=report.account.title,
        subtitle=views.subtitle(report),
        source=Path(report.account.called).name,
        state=views.state(report),
        rulebook=views.rulebook_line(report),
        unit=report.book.unit if report.book else "",
        pages=tuple(told),
        links=links,
    )


def _render(template: str, site: Site, here: str, **data: Any) -> bytes:
    text = _environment().get_template(template).render(site=site, here=here, **data)
    return text.encode("utf-8")


def _links(report: Report) -> Iterable[tuple[str, str]]:
    """A page for every entrant that has boards to show."""
    if report.scored is None or not report.scored.boards:
        return ()
    ids = [tally.id for tally in report.scored.tallies]
    return [(one, f"{name}.html") for one, name in _unique(ids, "scorecard")]


def _unique(ids: Iterable[str], kind: str) -> list[tuple[str, str]]:
    """Names that are safe as anchors and files, each with its id."""
    ids = list(ids)
    return list(zip(ids, unique_names(ids, kind), strict=True))


def unique_names(ids: Iterable[str], kind: str) -> list[str]:
    """Names that are safe as files and anchors; two that come out the same are numbered."""
    taken: set[str] = set()
    named = []
    for one in ids:
        base = name = f"{kind}-{views.safe(one)}"
        number = 2
        while name in taken:
            name, number = f"{base}-{number}", number + 1
        taken.add(name)
        named.append(name)
    return named


def check_folder(target: Path, force: bool) -> None:
    """Refuse a file, and a folder that holds anything unless ``force``."""
    if target.exists() and not target.is_dir():
        raise InputError(f"{target} is a file; a site is a folder")
    if target.is_dir() and any(target.iterdir()) and not force:
        raise InputError(f"{target} is not empty; --force writes into it all the same")


def write_index(folder: str | Path, title: str, events: Sequence[Listed]) -> Path:
    """The page that leads to the sites of many events."""
    target = Path(folder) / INDEX
    site = Site(title, how_many(len(events), "event"), title)
    write_file(target, _render("events.html", site, INDEX, events=events), HTML, replace=True)
    return target


def write_site(report: Report, folder: str | Path, force: bool = False) -> tuple[Path, ...]:
    """Write the site into a folder; one that holds anything is refused unless ``force``."""
    target = Path(folder)
    check_folder(target, force)
    files = build_site(report)
    target.mkdir(parents=True, exist_ok=True)
    for name in files:
        check_target(target / name, HTML, replace=True)
    for name, data in files.items():
        write_file(target / name, data, HTML, replace=True)
    return tuple(target / name for name in files)
