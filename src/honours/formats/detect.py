"""What a file is, by what is in it and never by its name, and how it is read."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from honours.errors import FileProblem, HonoursError
from honours.formats import (
    acbl_json,
    acbl_live,
    aga,
    bbo,
    bridgewebs,
    bws,
    h9,
    hands,
    honours_json,
    html,
    lin,
    macmahon,
    macmahon_wall,
    opengotha,
    pairgoth,
    pbn,
    pbn_events,
    realbridge,
    standing_columns,
    table_results,
    table_standings,
    tou,
    typed_in,
    usebio,
)
from honours.formats.acblscore.event import is_game, read_acblscore
from honours.formats.aga import AgaMember
from honours.formats.file_bytes import decode, open_checked, read_bytes
from honours.formats.go import GoTournament
from honours.formats.partial_events import hand_record_alone
from honours.formats.pbn_tables import BY_TAGS
from honours.formats.sheet import columns_of
from honours.formats.table_standings import StandingsFile, StandingsTable
from honours.formats.vocabulary import plain
from honours.formats.wall_lists import WallList
from honours.formats.workbooks import is_workbook, workbook_text
from honours.model import Event
from honours.model.message import Message, word
from honours.processes.limits import bounded

_HEAD = 1 << 16
_CONTAINER_HEAD = 0x15
"""So far goes what tells one kind of workbook or database from another."""
_ROOT = re.compile(r"\s*<([A-Za-z_][\w.:-]{0,100})")
_BEFORE_ROOT = (("<?", "?>"), ("<!--", "-->"), ("<!DOCTYPE", ">"), ("<!doctype", ">"))

Content = (
    tuple[Event, ...]
    | StandingsFile
    | StandingsTable
    | GoTournament
    | WallList
    | dict[str, AgaMember]
)


@dataclass(frozen=True, slots=True)
class Format:
    """A kind of file: its name for a program and for a person, and its reader."""

    name: str
    title: str
    read: Callable[[str | Path], Content]
    experimental: str = ""

    def __reduce__(self) -> tuple[object, ...]:
        """Sent from one process to another it is named: both know how it is read."""
        return format_called, (self.name,)


class UnknownFormat(FileProblem):
    """A file of no kind we know."""


def format_called(name: str) -> Format:
    """The kind of file of this name."""
    return next(form for form in FORMATS if form.name == name)


USEBIO = Format("usebio", "USEBIO results", usebio.read_usebio)
ACBLSCORE = Format("acblscore", "ACBLscore game file", read_acblscore)
BWS = Format("bws", "Bridgemate results", lambda path: (bws.read_bws(path),))
RESULTS = Format("results", "table of results", table_results.read_result_events)
STANDINGS = Format("standings", "table of standings", table_standings.read_standing_events)
TYPED_IN = Format("typed-in", "travellers typed in", lambda path: (typed_in.read_typed_in(path),))
OPENGOTHA = Format("opengotha", "OpenGotha tournament", opengotha.read_opengotha)
PAIRGOTH = Format("pairgoth", "Pairgoth tournament", pairgoth.read_pairgoth)
MACMAHON = Format(
    "macmahon",
    "MacMahon tournament",
    macmahon.read_macmahon,
    "only files made with the program for us have been seen",
)
MACMAHON_WALL = Format(
    "macmahon-wall",
    "MacMahon wall list",
    macmahon_wall.read_macmahon_wall,
    "only files made with the program for us have been seen",
)
H9 = Format("h9", "EGF wall list (h9)", h9.read_h9)
TOU = Format("tou", "FFG tournament list (.tou)", tou.read_tou)
AGA_REPORT = Format("aga-report", "AGA tournament report", aga.read_aga_report)
OURS = Format("honours", "Honours' own JSON", honours_json.read_honours_json)
_UNSEEN = "no real file of this kind has been seen"
AGA_MEMBERS = Format("aga-members", "AGA member list", aga.read_aga_members, _UNSEEN)
PBN = Format("pbn", "PBN results", lambda path: (pbn_events.read_pbn(path),))
BRIDGEWEBS = Format(
    "bridgewebs", "BridgeWebs results", lambda path: (bridgewebs.read_bridgewebs(path),), _UNSEEN
)
ACBL = Format("acbl-json", "ACBL club results", lambda path: (acbl_json.read_acbl_json(path),))
ACBL_LIVE = Format("acbl-live", "ACBL Live page", lambda path: (acbl_live.read_acbl_live(path),))
BBO = Format("bbo", "Bridge Base Online page", bbo.read_bbo)
REALBRIDGE = Format(
    "realbridge",
    "RealBridge results page",
    realbridge.read_realbridge,
    "only pages that a player's script made have been seen",
)
LIN = Format("lin", "LIN file of Bridge Base Online", lambda path: (lin.read_lin(path),))
FORMATS = (
    USEBIO,
    BWS,
    ACBLSCORE,
    RESULTS,
    STANDINGS,
    TYPED_IN,
    OPENGOTHA,
    PAIRGOTH,
    MACMAHON,
    MACMAHON_WALL,
    H9,
    TOU,
    AGA_REPORT,
    AGA_MEMBERS,
    OURS,
    PBN,
    BRIDGEWEBS,
    ACBL,
    ACBL_LIVE,
    BBO,
    REALBRIDGE,
    LIN,
)
_PAGES = (
    (acbl_json.is_acbl_json, ACBL),
    (acbl_live.is_acbl_live, ACBL_LIVE),
    (realbridge.is_realbridge, REALBRIDGE),
    (bbo.is_bbo, BBO),
)
_OF_RESULTS = {"board", "ns", "ew", "contract", "declarer", "tricks", "north", "south"}
_XML = {"USEBIO": USEBIO, "Tournament": OPENGOTHA, "TournamentData": MACMAHON}


class Unreadable(FileProblem):
    """A reader broke down over a file: it is the reader that is wrong, whatever is in the file."""


def recognise(path: str | Path) -> Format:
    """Which kind of file it is, or a FileProblem that says what was found."""
    with _named_if_it_breaks(path):
        return _recognised(path)


@contextmanager
def _named_if_it_breaks(path: str | Path) -> Iterator[None]:
    """Turns any breakdown of a reader into a message with the file's name."""
    try:
        yield
    except (HonoursError, MemoryError):  # memory is no fault of the reader: see read
        raise
    except Exception as error:
        what = f"{type(error).__name__}: {error}"[:200]
        fault = Message("its reader broke down ({what}): a fault of Honours", what=what)
        raise Unreadable(path, fault) from error


def _recognised(path: str | Path) -> Format:
    with open_checked(path) as file:
        head = file.read(_HEAD)
    if (form := _packed(path, head)) is not None:
        return form
    # A head may end inside a character: the last ones do not matter here.
    text = decode(path, head[: len(head) // 4 * 4] if len(head) == _HEAD else head)
    if text.lstrip().startswith("<"):
        return _xml(path, text)
    if honours_json.is_honours_json(text):
        return OURS  # before the next, whose words may be names in ours
    if pairgoth.is_pairgoth(text):
        return PAIRGOTH
    if acbl_json.is_acbl_json(text):
        return ACBL
    return _text(path, text)


def _packed(path: str | Path, head: bytes) -> Format | None:
    """What is no plain text, or not yet: databases, game files, workbooks, archives of pages."""
    if bws.is_bws(head):
        return BWS
    if is_game(head):
        return ACBLSCORE
    if hands.is_dup(head):
        raise hand_record_alone(path, ".dup", len(hands.hands_of_dup(path)))
    if is_workbook(head):
        return _text(path, workbook_text(path, read_bytes(path)))
    if html.is_archive(head):
        return _page(path)
    if format := _binary(head):
        raise FileProblem(path, format, _all())
    return None


def _binary(head: bytes) -> str:
    return "a PDF" if head.startswith(b"%PDF") else ""


def _xml(path: str | Path, text: str) -> Format:
    name = _root(text)
    if name.lower() == "html":
        return _page(path)
    if name == "Tournament" and macmahon.is_macmahon(text):
        return MACMAHON
    if name not in _XML:
        raise FileProblem(path, "an XML file of {name}", _all(), name=name or "nothing")
    return _XML[name]


def _root(text: str) -> str:
    """The first element's name, after declarations, comments and a DOCTYPE, which may hold
    declarations of its own in brackets."""
    at = len(text) - len(text.lstrip())
    while opening := next((pair for pair in _BEFORE_ROOT if text.startswith(pair[0], at)), None):
        end = text.find(opening[1], at)
        bracket = text.find("[", at, end)
        if opening[1] == ">" and bracket >= 0:
            end = text.find(">", max(text.find("]", bracket), at))
        if end < 0:
            return ""
        at = end + len(opening[1])
        at += len(text[at:]) - len(text[at:].lstrip())
    match = _ROOT.match(text, at)
    return match[1] if match else ""


def _page(path: str | Path) -> Format:
    """Which page it is: what tells it may stand anywhere in it."""
    text = html.page_text(path)
    for looks_like, form in _PAGES:
        if looks_like(text):
            return form
    raise FileProblem(path, "a web page that we do not know", _all())


def _text(path: str | Path, text: str) -> Format:
    lines = [line for line in text.splitlines() if line.strip()]
    if hands.is_dlm(lines):
        raise hand_record_alone(path, ".dlm", len(hands.hands_of_dlm(path)))
    for looks_like, format in (
        (lin.is_lin, LIN),
        (pbn.is_pbn, PBN),
        (bridgewebs.is_bridgewebs, BRIDGEWEBS),
        (h9.is_h9, H9),
        (tou.is_tou, TOU),
        (macmahon_wall.is_macmahon_wall, MACMAHON_WALL),
        (aga.is_report, AGA_REPORT),
        (aga.is_member_list, AGA_MEMBERS),
    ):
        if looks_like(lines):
            return format
    if typed_in.is_typed_in(text):
        return TYPED_IN
    if len(columns_of(text, table_results.COLUMNS) & _OF_RESULTS) > 1:
        return RESULTS
    if _is_list_of_players(lines):
        raise FileProblem(
            path,
            "a list of players for a go tournament, and no results",
            "the tournament's own file, or its wall list",
        )
    # Two known columns are enough: the reader says best which one is missing.
    if len(columns_of(text, standing_columns.COLUMNS)) > 1:
        return STANDINGS
    first = lines[0].strip()[:60] if lines else ""
    raise UnknownFormat(
        path, Message("not a kind of file we know: it begins {first!r}", first=first), _all(), 1
    )


def _is_list_of_players(lines: Sequence[str]) -> bool:
    """Whether a table is what OpenGotha exports of its players: names and ranks, and no more."""
    header = {plain(cell) for cell in re.split(r"[;,\t]", lines[0][:400])} if lines else set()
    return {"name", "firstname", "rank"} <= header and not header & {"score", "points", "place"}


def _all() -> Message:
    return Message("one of: {formats}", formats=tuple(word(form.title) for form in FORMATS))


def read(path: str | Path) -> tuple[Format, Content]:
    """What a file is, and what is in it, with the hands of a record beside it; one that takes too
    much time or memory is refused."""
    with bounded(str(path)):
        form = recognise(path)
        with _named_if_it_breaks(path):
            content = form.read(path)
            if isinstance(content, tuple) and len(content) == 1:
                content = (hands.with_hands(path, content[0]),)
            return form, content


def experimental(form: Format, content: Content, path: str | Path = "") -> str:
    """Why a reading is experimental: built from a description, never seen a real file. Or empty."""
    return _of_content(form, content) or (_of_container(path) if path else "")


def _of_container(path: str | Path) -> str:
    """Whether what a table or a database stands in is of a kind that we met no real file of."""
    with open_checked(path) as file:
        head = file.read(_CONTAINER_HEAD)
    if is_workbook(head):
        return Message("only workbooks that programs wrote for us have been seen")
    if bws.is_bws(head) and head[-1]:
        return Message("no real file of Jet 4 has been seen")
    return ""


def _of_content(form: Format, content: Content) -> str:
    if form is PBN and isinstance(content, tuple) and BY_TAGS in content[0].facts:
        return Message("no real PBN file of boards without tables has been seen")
    if form not in (USEBIO, BWS) or not isinstance(content, tuple):
        return form.experimental
    for event in content:
        if event.swiss:
            return Message("no real USEBIO file of a Swiss event has been seen")
        if event.kind == "individual":
            return Message("no real file of an individual ({form}) has been seen", form=form.title)
        if any(entrant.stratum for entrant in event.entrants):
            return Message("no real USEBIO file with strata has been seen")
    return ""
