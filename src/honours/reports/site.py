"""A results site of plain files: standings, scorecards, boards and awards with their reasons.

Every page stands alone: no scripts, no requests to anywhere, its style inside it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

from markupsafe import Markup

from honours import __version__
from honours.engine.exact.explanation import render_explanation_html
from honours.errors import InputError
from honours.files import HTML, check_target, write_file
from honours.language import DEFAULT
from honours.model import Player
from honours.model.message import Message, plural
from honours.model.table import Link
from honours.pipeline import Report
from honours.reports import views
from honours.reports.drawing import HOUSE, Dress, caption, environment
from honours.reports.travellers import in_order, names_of, places_of, scorecards, with_names
from honours.reports.views import Traveller
from honours.scoring import ScoredEvent
from honours.scoring.status import Status

INDEX, BOARDS, CARDS, AWARDS = "index.html", "boards.html", "scorecards.html", "awards.html"


class SitePage(NamedTuple):
    """A page the navigation leads to."""

    file: str
    title: Message


class ListedEvent(NamedTuple):
    """An event as an index shows it; ``folder`` is where its site is."""

    folder: str
    title: str
    subtitle: Message


@dataclass(frozen=True, slots=True)
class Site:
    """The head of every page of the event."""

    title: str
    subtitle: Message
    source: str
    dress: Dress = HOUSE
    sheets: tuple[str, ...] = ()
    home: str = ""
    state: Status | None = None
    rulebook: str = ""
    unit: str = ""
    pages: tuple[SitePage, ...] = ()
    language: str = DEFAULT
    version: str = __version__


def _scored_pages(
    report: Report, scored: ScoredEvent, site: Site, links: dict[str, str]
) -> dict[str, bytes]:
    """The pages that lead to every card and show every board."""
    names = names_of(scored)
    titles = [(links[one], c.caption) for one, c in zip(links, scorecards(scored), strict=True)]
    boards = [_named(board, names, links) for board in views.boards(report)]
    return {
        CARDS: _render("scorecards.html", site, CARDS, cards=titles),
        BOARDS: _render("boards.html", site, BOARDS, boards=boards),
    }


def build_site(
    report: Report,
    language: str = DEFAULT,
    dress: Dress = HOUSE,
    sheets: Sequence[str] = (),
    home: str = "",
    player_page: Callable[[Player], str] = lambda _player: "",
) -> dict[str, bytes]:
    """The site's files by name, in a club's dress. A page has its style inside it, unless it is
    served with ``sheets`` beside it; ``home`` is the club's front door, and ``player_page`` says
    where a player has a page."""
    links = dict(_links(report))
    address = partial(_address, links)
    site = replace(_site(report, links, language), dress=dress, sheets=tuple(sheets), home=home)
    pages = {
        INDEX: _render(
            "standings.html",
            site,
            INDEX,
            standings=[table.linked(address) for table in views.standings(report)],
            notes=report.notes,
        )
    }
    paid = {p.entrant.id: p for p in views.payments(report)}
    anchors = dict(_unique(paid, "award"))
    if report.scored is not None and links:
        pages |= _scored_pages(report, report.scored, site, links)
        for one, card in zip(links, scorecards(report.scored), strict=True):
            pages[links[one]] = _render(
                "scorecard.html",
                site,
                links[one],
                title=caption(card, language),
                card=replace(
                    with_names(card.used(), names_of(report.scored)).linked(address), caption=""
                ),
                paid=paid.get(one),
                placed=places_of(report.scored, one),
                players=_with_pages(report.scored, one, player_page),
            )
    if report.awards is not None:
        pages[AWARDS] = _render(
            "awards.html",
            site,
            AWARDS,
            payments=tuple(paid.values()),
            anchors=anchors,
            rule_notes=views.rule_notes(report),
            made_from=views.made_from(report),
        )
    return pages


def _address(links: dict[str, str], link: Link) -> str:
    """An entrant leads to its scorecard, a board to its place among the boards."""
    if link.kind == "board":
        return f"{BOARDS}#{link.at or views.board_anchor(link.name)}"
    return links.get(link.name, "") if link.kind == "scorecard" else ""


def _with_pages(
    scored: ScoredEvent, entrant: str, player_page: Callable[[Player], str]
) -> list[tuple[str, str]]:
    """The players of an entrant who have a page of their own, and where it is."""
    own = [one.entrant for one in scored.event.entrants if one.entrant.id == entrant]
    every = ((player.name, player_page(player)) for one in own for player in one.players)
    return [(name, page) for name, page in every if page]


def _named(board: Traveller, names: dict[str, str], links: dict[str, str]) -> Traveller:
    """A board with names at hand, leading to their cards."""
    return replace(board, table=with_names(board.table, names).linked(partial(_address, links)))


def _site(report: Report, links: dict[str, str], language: str) -> Site:
    pages = [SitePage(INDEX, Message("Standings"))]
    if links:
        pages += [SitePage(CARDS, Message("Scorecards")), SitePage(BOARDS, Message("Boards"))]
    if report.awards is not None:
        pages.append(SitePage(AWARDS, Message("Awards")))
    return Site(
        title=report.account.title,
        subtitle=views.subtitle(report),
        source=Path(report.account.called).name,
        state=views.state(report),
        rulebook=views.rulebook_line(report),
        unit=report.book.unit if report.book else "",
        pages=tuple(pages),
        language=language,
    )


def _render(template: str, site: Site, here: str, **data: Any) -> bytes:
    page = environment(site.language, "honours.reports").get_template(template)
    return page.render(
        site=site,
        here=here,
        style=style(),
        explained=partial(render_explanation_html, language=site.language),
        **data,
    ).encode("utf-8")


@cache
def style(dress: Dress = HOUSE) -> Markup:
    """The one design in a club's dress, to be put into a page that stands alone: it asks nobody for
    the files of the typeface."""
    folder = resources.files("honours.reports") / "assets"
    sheets = ((folder / name).read_text(encoding="utf-8") for name in ("tokens.css", "house.css"))
    alone = re.sub(r"@font-face \{[^}]*\}\n", "", "\n".join((*sheets, dress.sheet)))
    return Markup(alone)  # ours; of a dress a colour, if it is one


def _links(report: Report) -> Iterable[tuple[str, str]]:
    """A page for every entrant that has boards to show."""
    if report.scored is None or not report.scored.boards:
        return ()
    ids = in_order(report.scored)
    return [(one, f"{name}.html") for one, name in _unique(ids, "scorecard")]


def card_page(entrant: str) -> str:
    """The page of an entrant's card, unless another's would be called the same."""
    return f"scorecard-{views.file_name_part(entrant)}.html"


def _unique(ids: Iterable[str], kind: str) -> list[tuple[str, str]]:
    """Names that are safe as anchors and files, each with its id."""
    ids = list(ids)
    return list(zip(ids, unique_names(ids, kind), strict=True))


def unique_names(ids: Iterable[str], kind: str) -> list[str]:
    """Names that are safe as files and anchors; two that come out the same are numbered."""
    taken: set[str] = set()
    named = []
    for one in ids:
        base = name = f"{kind}-{views.file_name_part(one)}"
        number = 2
        while name in taken:
            name, number = f"{base}-{number}", number + 1
        taken.add(name)
        named.append(name)
    return named


def check_folder(target: Path, force: bool) -> None:
    """Refuse a file, and a folder that holds anything unless ``force``."""
    if target.exists() and not target.is_dir():
        raise InputError("{target} is a file; a site is a folder", target=target)
    if target.is_dir() and any(target.iterdir()) and not force:
        raise InputError("{target} is not empty; --force writes into it anyway", target=target)


def write_index(
    folder: str | Path, title: str, events: Sequence[ListedEvent], language: str = DEFAULT
) -> Path:
    """The page that leads to the sites of many events."""
    target = Path(folder) / INDEX
    how_many = plural("{count:,} event", "{count:,} events", count=len(events))
    site = Site(title, how_many, title, language=language)
    write_file(target, _render("events.html", site, INDEX, events=events), HTML, replace=True)
    return target


def write_site(
    report: Report, folder: str | Path, force: bool = False, language: str = DEFAULT
) -> tuple[Path, ...]:
    """Write the site into a folder; one that holds anything is refused unless ``force``."""
    target = Path(folder)
    check_folder(target, force)
    files = build_site(report, language)
    target.mkdir(parents=True, exist_ok=True)
    for name in files:
        check_target(target / name, HTML, replace=True)
    for name, data in files.items():
        write_file(target / name, data, HTML, replace=True)
    return tuple(target / name for name in files)
