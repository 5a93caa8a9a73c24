"""The ACBL's pages: club results of my.acbl.org, whose page holds them as JSON (or the JSON alone),
and live.acbl.org's page of one pair's scorecard or of one board with all its results.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from fractions import Fraction
from html import unescape
from pathlib import Path

from honours.errors import FileProblem
from honours.formats.acblscore import NEAREST_CLASSES, facts_of_limits, facts_of_rating
from honours.formats.bbo import seen_by
from honours.formats.entrants import (
    EW,
    NS,
    EntrantKey,
    Seats,
    entrants_with_ids,
    line_of,
    seats_of,
    unique_ids,
    with_ids,
)
from honours.formats.format import Format, Told, page
from honours.formats.html import (
    CellPart,
    HtmlPage,
    PageCell,
    PageRow,
    PageTable,
    cell_text,
    page_text,
    read_page,
)
from honours.formats.json_data import Object, items, read_object, whole, word
from honours.formats.notation import average as average_of
from honours.formats.notation import (
    deal_of,
    is_not_played,
    is_passed_out,
    parse_contract,
    parse_seat,
    read_outcome,
)
from honours.formats.reading import ISO, ONE_BOARD, ONE_PAIR, PARTIAL, Problems, day_like, named_day
from honours.formats.sheet import figures, parse_number
from honours.model import (
    AdjustedScore,
    Board,
    Entrant,
    Event,
    EventEntrant,
    Player,
    Result,
    Session,
    Source,
    Value,
)
from honours.model.message import Message
from honours.scoring.award_lists import COLUMNS

_EMBEDDED = re.compile(r"\bvar\s{1,9}data\s{0,9}=\s{0,9}(?=\{)")
_ATTRIBUTE = re.compile(r'v-bind:data="(?=\{&quot;)')
_MONTH_FIRST = r"\A(?P<month>\d{1,2})/(?P<day>\d{1,2})/(?P<year>\d{4})"
_SCORING = {"MATCH_POINTS": "matchpoints", "CROSS_IMPS": "cross-imps", "IMPS": "cross-imps"}
_SUITS = ("spades", "hearts", "diamonds", "clubs")
_FIGURES = {
    "percentage": "percentage",
    "score": "total_score",
    "boards_played": "boards_played",
    "adjustment": "adjustment",
}


def is_acbl_json(text: str) -> bool:
    """True if a page or a text has an object with sessions in it."""
    if text.lstrip().startswith("{"):
        return '"sessions"' in text and ('"pair_summaries"' in text or '"sections"' in text)
    return _EMBEDDED.search(text) is not None or _ATTRIBUTE.search(text) is not None


def read_acbl_json(path: str | Path) -> Event:
    """Read a club's published results; FileProblems lists all that is wrong in them."""
    data = _object(path, page_text(path))
    kind = word(data, "type").upper() or "PAIRS"
    if kind not in ("PAIRS", "INDIVIDUAL"):
        fault = Message("an ACBL club result of {kind}", kind=kind.lower()[:30])
        raise FileProblem(path, fault, "one of pairs; ask the club for its game file")
    return _AcblJsonReader(str(path)).event(data)


def _object(path: str | Path, text: str) -> Object:
    """The object of a page's script, or of the attribute that repeats it."""
    if (match := _EMBEDDED.search(text)) is not None:
        content = read_object(path, text, match.end())
    elif (match := _ATTRIBUTE.search(text)) is not None:
        end = text.find('"', match.end())
        content = read_object(path, unescape(text[match.end() : end if end > 0 else len(text)]))
    else:
        content = read_object(path, text)
    if not items(content, "sessions"):
        raise FileProblem(path, "no sessions in it", "an ACBL club result")
    return content


def _day(text: str) -> date | None:
    """The ACBL writes the month first; its times are ISO."""
    return day_like(_MONTH_FIRST, text) or day_like(rf"\A{ISO}", text)


class _AcblJsonReader:
    def __init__(self, path: str) -> None:
        self._path, self._problems = path, Problems(path)
        self._people: dict[EntrantKey, EventEntrant] = {}
        self._strata: Mapping[str, str] = {}

    def _scoring(self, data: Object) -> str:
        method = word(data, "board_scoring_method").upper()
        if method and method not in _SCORING:
            self._problems.add(
                "scoring by {method!r}",
                expected="one of {scoring}",
                method=method,
                scoring=tuple(_SCORING),
            )
        return _SCORING.get(method, "matchpoints")

    def event(self, data: Object) -> Event:
        sessions = items(data, "sessions")
        self._strata = _strata(data)
        lines = [list(self._session(session)) for session in sessions]
        if not any(lines) and not self._problems.found:
            self._problems.add("no results in it")
        scoring = self._scoring(data)
        self._problems.settle()
        ids = unique_ids(self._people)
        lined = {s.line for s in self._people} == {NS, EW}
        return Event(
            title=word(data, "name", "event_name", "title") or Path(self._path).stem,
            kind="individual" if word(data, "type").upper() == "INDIVIDUAL" else "pairs",
            scoring=scoring,
            entrants=entrants_with_ids(self._people, ids),
            sessions=tuple(
                Session(
                    n,
                    tuple(with_ids(r, sides, ids) for sides, r in session_lines),
                    (),
                    _hands(session),
                )
                for n, (session, session_lines) in enumerate(
                    zip(sessions, lines, strict=True), start=1
                )
            ),
            winners={"1": 1, "2": 2}.get(word(data, "winner_type"), 2 if lined else 1),
            date=_day(word(data, "end_date", "start_date", "date")),
            club=word(data, "club_name", "club"),
            program=word(data, "program_name", "program", "software"),
            facts=_facts(data),
            source=Source(self._path),
        )

    # --- who --------------------------------------------------------------------------------

    def _session(self, session: Object) -> Iterator[tuple[Seats, Result]]:
        """The lines of a session with who sat there, once its pairs are known."""
        for section in items(session, "sections"):
            name = word(section, "name", "letter", "section")
            lines = set()
            for summary in items(section, "pair_summaries"):
                lines.add(self._pair(summary, name).line)
            apart = {NS, EW} <= lines
            for board in items(section, "boards"):
                for result in items(board, "board_results"):
                    if (line := self._line(board, result, name, apart)) is not None:
                        yield line

    def _pair(self, pair: Object, section: str) -> EntrantKey:
        """Take a pair in under its section, number and line."""
        number = word(pair, "pair_number")
        seating = EntrantKey(section, number, line_of(word(pair, "direction")))
        if not number:
            self._problems.add("a pair of section {section} without a number", section=section)
        players = tuple(self._player(player) for player in items(pair, "players"))
        self._people.setdefault(
            seating,
            EventEntrant(
                Entrant("", players),
                number,
                seating.line,
                section,
                self._strata.get(word(pair, "strat"), word(pair, "strat")),
                self._number(pair, "handicap") or Fraction(0),
                published=self._published(pair),
            ),
        )
        return seating

    def _player(self, player: Object) -> Player:
        """A player with number and holding; who is no member has no number."""
        facts: dict[str, Value] = {}
        holding = self._number(player, "mp_total")
        if holding is not None:
            facts["masterpoints"] = holding
        name = " ".join(word(player, "name").rstrip(", ").split())
        last, comma, first = name.partition(",")
        number = word(player, "id_number")
        # Who is no member has a number with a sign, or one made for the day.
        member = player.get("is_valid_member") not in (0, False) and not number.startswith(
            ("#", "tmp:")
        )
        called = f"{first.strip()} {last.strip()}" if comma else name
        return Player(called, number if member else "", facts)

    def _published(self, pair: Object) -> dict[str, Value]:
        """The figures published of a pair: scores, places by stratum, masterpoints."""
        texts = ((name, word(pair, key)) for key, name in _FIGURES.items())
        facts: dict[str, Value] = figures(self._problems, texts)
        for place in items(pair, "strat_place"):
            rank = re.match(r"\d{1,4}", word(place, "rank"))
            if rank:
                stratum = word(place, "strat_number")
                kind = "section" if word(place, "type").lower() == "section" else "overall"
                facts[f"{kind}_place.{self._strata.get(stratum, stratum)}"] = Fraction(rank[0])
                if stratum == "1" and (kind == "overall" or "place" not in facts):
                    facts["place"] = Fraction(rank[0])
        awards = [items(player, "awards_score") for player in items(pair, "players")]
        if paid := max(awards, key=len, default=[]):
            totals = [self._number(award, "total") or Fraction(0) for award in paid]
            facts["masterpoints"] = max(totals)
            colours = [word(c, "color") for award in paid for c in items(award, "pigment")]
            if kinds := "+".join(dict.fromkeys(c.lower() for c in colours if c)):
                facts["masterpoint_type"] = kinds
        return facts

    def _number(self, entry: Object, name: str) -> Fraction | None:
        text = word(entry, name)
        return (
            self._problems.attempt(0, lambda t: parse_number(t, name=name), text) if text else None
        )

    # --- what -------------------------------------------------------------------------------

    def _line(
        self, board: Object, line: Object, section: str, apart: bool
    ) -> tuple[Seats, Result] | None:
        """A line with its seats, or nothing where it cannot be read."""
        number, ns, ew = (
            word(board, "board_number", "board"),
            word(line, "ns_pair"),
            word(line, "ew_pair"),
        )
        where = Message(
            "section {section}, board {number}, {ns} v {ew}",
            section=section,
            number=number,
            ns=ns,
            ew=ew,
        )
        try:
            if not re.fullmatch(r"0{0,3}[1-9]\d{0,3}", number) or not ns or not ew:
                raise ValueError(Message("no board or no pair"))
            bare = Result(
                int(number),
                (ns,),
                (ew,),
                section=section,
                round=whole(line, "round_number"),
                table=whole(line, "table_number"),
                published=self._figures(line),
                source=Source(self._path),
            )
            result = _outcome(line, bare)
        except ValueError as error:
            self._problems.add("{where}: {error}", where=where, error=error)
            return None
        [own], [other] = seats_of(bare, apart)
        return ((self._known(own),), (self._known(other),)), result

    def _known(self, seating: EntrantKey) -> EntrantKey:
        """The listed pair of that number, or one taken in without players."""
        listed = [s for line in ("", NS, EW) if (s := seating._replace(line=line)) in self._people]
        match = next((s for s in listed if s.line == seating.line or len(listed) == 1), None)
        if match is None:
            self._people[seating] = EventEntrant(
                Entrant(""), seating.number, seating.line, seating.section
            )
        return match or seating

    def _figures(self, entry: Object) -> dict[str, Value]:
        sides = (
            (f"{side}_matchpoints", word(entry, f"{side}_match_points")) for side in ("ns", "ew")
        )
        return figures(self._problems, sides)


def _outcome(line: Object, bare: Result) -> Result:
    """The outcome of a line; a contract without its declarer says nothing."""
    ns, ew, declarer = (word(line, name) for name in ("ns_score", "ew_score", "declarer"))
    contract = word(line, "contract")
    if not declarer and not is_passed_out(contract):
        contract = ""
    tricks = (word(line, "tricks_taken") or word(line, "result")) if contract else ""
    return read_outcome(bare, contract, declarer, tricks, ns, ew)


def _strata(data: Object) -> dict[str, str]:
    """The strata by number, with their labels."""
    return {
        word(stratum, "number"): word(stratum, "label") or word(stratum, "number")
        for stratum in items(data, "strats")
    }


def _facts(data: Object) -> dict[str, Value]:
    """Facts of the event as the page states them: in the words of rulebooks, then in its own."""
    rating = whole(data, "rating")
    asked = facts_of_rating(rating) | facts_of_limits(_limits(data))
    if sessions := whole(data, "number_of_sessions"):
        asked["sessions"] = Fraction(sessions)
    if "game" in asked:
        asked["added_tables"] = Fraction(whole(data, "concurrent_limited_tables"))
    game = data.get("game_type")
    rated = word(game, "type_name") if isinstance(game, Mapping) else ""
    own = {
        "rated": rated,
        "club_number": word(data, "club_id_number"),
        "stratified_by": word(data, "stratification_type").lower(),
        "class_nearest": rated if rating in NEAREST_CLASSES else "",
        COLUMNS: ", ".join(asked),
    }
    return {**asked, **{name: text for name, text in own.items() if text}}


def _limits(data: Object) -> list[tuple[str, Fraction]]:
    """The strata with their upper limits, the top one first."""
    strata = sorted(items(data, "strats"), key=lambda stratum: whole(stratum, "number"))
    return [
        (word(stratum, "label") or word(stratum, "number"), Fraction(whole(stratum, "limit")))
        for stratum in strata
    ]


def _hands(session: Object) -> tuple[Board, ...]:
    """The deals of a session's hand record."""
    boards = {}
    for record in items(session, "hand_records"):
        number = whole(record, "board")
        hands = [
            ".".join(word(record, f"{seat}_{suit}") for suit in _SUITS)
            for seat in ("north", "east", "south", "west")
        ]
        deal = deal_of(hands)
        if deal and 1 <= number <= 9999:
            boards[number] = Board(number, deal)
    return tuple(boards[number] for number in sorted(boards))


# --- pages of ACBL Live ------------------------------------------------------------------------


_LISTED = re.compile(r"\((\w{1,3})-(NS|EW)\) ?(\d{1,4}) ?- ?(.{1,120})")
_PAIRS = re.compile(r"(\d{1,4}) ?- ?.{0,200}? vs\. ?(\d{1,4}) ?-")
_SECTION = re.compile(r"Section (\w{1,3})")
_BOARD = re.compile(r"Board # ?(\d{1,4})")
_SUITED = re.compile(r"[♠♥♦♣] ?[AKQJT0-9 -]*")
_OWN_FIGURES = {
    "%": "percentage",
    "Score": "total_score",
    "Adjust": "adjustment",
    "mps": "masterpoints",
}
_OTHER = "a page of ACBL Live of another kind"
_EXPECTED = "a pair's scores or a board's detail; for a whole event ask for its game file"


def is_acbl_live(text: str) -> bool:
    """True if a page is one of live.acbl.org."""
    return (
        "live.acbl.org" in text and re.search("<title>ACBL Live", text, re.IGNORECASE) is not None
    )


def read_acbl_live(path: str | Path) -> Event:
    """Read a page; FileProblems lists all that is wrong in it."""
    page = read_page(str(path))
    heads = [row.texts() for table in page.tables for row in table.rows[:1]]
    reading = _AcblLiveReader(str(path), page)
    if any("Vs" in head and "Board" in head for head in heads):
        return reading.scorecard()
    if any("Pairs" in head and "Contract" in head for head in heads):
        return reading.board()
    raise FileProblem(path, _OTHER, _EXPECTED)


_UnseatedResult = tuple[Seats, Result]
"""A result on its way, its pairs still by where they sit."""


@dataclass(slots=True)
class _AcblLiveReader:
    path: str
    page: HtmlPage
    people: dict[EntrantKey, EventEntrant] = field(default_factory=dict)
    problems: Problems = field(init=False)

    def __post_init__(self) -> None:
        self.problems = Problems(self.path)

    # --- one pair's card --------------------------------------------------------------------

    def scorecard(self) -> Event:
        """The event of one pair's scorecard."""
        own = self._listed()
        if own is None:
            raise FileProblem(self.path, _OTHER, _EXPECTED)
        self._own_figures(own)
        table = next(t for t in self.page.tables if t.rows and "Vs" in t.rows[0].texts())
        lines = list(self._card(table, own))
        return self._event(lines, (), ONE_PAIR)

    def _listed(self) -> EntrantKey | None:
        """Everybody in the list to choose from; the pair whose card it is."""
        own: EntrantKey | None = None
        for option in self.page.options:
            parts = _LISTED.fullmatch(option.text)
            if parts:
                seating = EntrantKey(parts[1], parts[3], parts[2])
                self._add(seating, parts[4].split(" & "), ())
                if "selected" in option.attributes:
                    own = seating
        return own

    def _add(self, seating: EntrantKey, names: Sequence[str], numbers: Sequence[str]) -> None:
        padded = [*numbers, "", ""]
        players = tuple(Player(name.strip(), padded[n].strip()) for n, name in enumerate(names[:2]))
        self.people[seating] = EventEntrant(
            Entrant("", players), seating.number, seating.line, seating.section
        )

    def _numbered(self, seating: EntrantKey, title: str) -> None:
        """Member numbers, which stand in a title: ``7341361 | 8527527``."""
        known = self.people.get(seating)
        numbers = [number.strip() for number in title.split("|")]
        if known is None or len(numbers) != len(known.entrant.players):
            return
        players = tuple(
            replace(player, number=number if number.isdecimal() else "")
            for player, number in zip(known.entrant.players, numbers, strict=True)
        )
        self.people[seating] = replace(known, entrant=Entrant("", players))

    def _own_figures(self, own: EntrantKey) -> None:
        """Add stratum, carry-over and published figures to the pair whose card it is."""
        heading = next((h for h in self.page.headings if h.attributes.get("title")), None)
        if heading is not None:
            self._numbered(own, heading.attributes["title"])
        table = next((t for t in self.page.tables if t.rows and "Flt" in t.rows[0].texts()), None)
        if table is None or len(table.rows) < 3:
            return
        names = _columns(table.rows[0], table.rows[1])
        cells = dict(zip(names, table.rows[2].texts(), strict=False))
        entrant = self.people[own]
        carried = self._number(cells.get("Carry Over", ""))
        self.people[own] = replace(
            entrant,
            stratum=cells.get("Flt", ""),
            carried=carried or Fraction(0),
            published=self._published(cells),
        )

    def _published(self, cells: dict[str, str]) -> dict[str, Value]:
        """The figures of the pair's own row, places named by list and stratum."""
        texts = ((name, cells.get(column, "").strip(" -")) for column, name in _OWN_FIGURES.items())
        published: dict[str, Value] = figures(self.problems, texts)
        if cells.get("Color"):
            published["masterpoint_type"] = cells["Color"].lower()
        for column, text in cells.items():
            kind, _, stratum = column.partition(" place ")
            if stratum and (rank := re.match(r"\d{1,4}", text)):
                published[f"{kind}_place.{stratum}"] = Fraction(rank[0])
                published.setdefault("place", Fraction(rank[0]))
        return published

    def _card(self, table: PageTable, own: EntrantKey) -> Iterator[_UnseatedResult]:
        """The lines of a scorecard, each against the pair it names."""
        names = table.rows[0].texts()
        for row in table.rows[1:]:
            cells = dict(zip(names, row.cells, strict=False))
            number = cell_text(cells, "Board")
            versus = re.match(r"(\d{1,4}) ?-", cell_text(cells, "Vs"))
            if not number.isdecimal() or versus is None:
                continue
            other = EntrantKey(own.section, versus[1], NS if own.line == EW else EW)
            if other not in self.people:
                self._add(other, [], ())
            self._numbered(other, cells["Vs"].attributes.get("title", ""))
            score = cell_text(cells, "Plus") or cell_text(cells, "Minus")
            sides = (own, other) if own.line == NS else (other, own)
            yield self._line(sides, int(number[:4]), cells, score, own.line)

    # --- one board --------------------------------------------------------------------------

    def board(self) -> Event:
        """The event of one board with all its results."""
        heading = " ".join(h.text for h in self.page.headings)
        section, number = _SECTION.search(heading), _BOARD.search(heading)
        if number is None:
            raise FileProblem(self.path, _OTHER, _EXPECTED)
        tables = [t for t in self.page.tables if t.rows and "Pairs" in t.rows[0].texts()]
        # The second table has the same results as East-West see them.
        table = next((t for t in tables if t.before.endswith("N-S")), tables[0])
        name = section[1] if section else ""
        lines = list(self._travellers(table, int(number[1]), name))
        deal = deal_of(_live_hands(self.page.words))
        boards = (Board(int(number[1]), deal),) if deal else ()
        return self._event(lines, boards, ONE_BOARD)

    def _travellers(self, table: PageTable, board: int, section: str) -> Iterator[_UnseatedResult]:
        """The lines of a board's table as North-South see them."""
        names = table.rows[0].texts()
        for row in table.rows[1:]:
            cells = dict(zip(names, row.cells, strict=False))
            pairs = _PAIRS.match(cell_text(cells, "Pairs"))
            if pairs is None:
                continue
            people = [p for p in cells["Pairs"].parts if "data-acbl" in p.attributes]
            sides = (EntrantKey(section, pairs[1], NS), EntrantKey(section, pairs[2], EW))
            for seating, pair in zip(sides, (people[:2], people[2:4]), strict=True):
                numbers = [part.attributes["data-acbl"] for part in pair]
                self._add(seating, [part.text for part in pair], numbers)
            yield self._line(sides, board, cells, cell_text(cells, "Score"), NS)

    # --- both -------------------------------------------------------------------------------

    def _line(
        self,
        sides: tuple[EntrantKey, EntrantKey],
        board: int,
        cells: dict[str, PageCell],
        score: str,
        line: str,
    ) -> _UnseatedResult:
        """A result whose score and matchpoints are those of one line."""
        own = (f"{line.lower()}_matchpoints", cell_text(cells, "Matchpoints").strip(" -"))
        bare = Result(
            board,
            ("",),
            ("",),
            section=sides[0].section,
            published=figures(self.problems, [own]),
            source=Source(self.path),
        )
        try:
            result = _live_outcome(
                bare, cell_text(cells, "Contract"), cell_text(cells, "By"), score, line
            )
        except ValueError as error:
            self.problems.add(
                "board {board}, {ns} v {ew}: {error}",
                board=board,
                ns=sides[0].number,
                ew=sides[1].number,
                error=error,
            )
            result = bare
        return ((sides[0],), (sides[1],)), result

    def _number(self, text: str) -> Fraction | None:
        digits = text.strip(" -") if text.strip() == "-" else text.strip()
        return self.problems.attempt(0, parse_number, digits) if digits else None

    def _event(
        self, lines: Sequence[_UnseatedResult], boards: tuple[Board, ...], partial: str
    ) -> Event:
        """An event of these lines, which is a part of the one that was played."""
        if not lines:
            self.problems.add("no results in it", expected=_EXPECTED)
        self.problems.settle()
        ids = unique_ids(self.people)
        results = tuple(with_ids(result, sides, ids) for sides, result in lines)
        title = next((h.text for h in self.page.headings if h.tag == "h2"), "")
        title = title.removeprefix("Board detail for ").removesuffix(" Scores")
        return Event(
            title=title or Path(self.path).stem,
            kind="pairs",
            scoring="matchpoints",
            entrants=entrants_with_ids(self.people, ids),
            sessions=(Session(1, results, boards=boards),),
            winners=2,
            date=_live_day(self.page),
            program="ACBL Live",
            facts={PARTIAL: partial},
            source=Source(self.path),
        )


def _columns(first: PageRow, second: PageRow) -> list[str]:
    """The names of a table's columns under a header of two rows."""
    below = iter(second.texts())
    names: list[str] = []
    for cell in first.cells:
        width = cell.attributes.get("colspan", "1")
        if width.isdecimal() and 1 < int(width[:2]) < 20:
            under = [next(below, "") for _ in range(int(width[:2]))]
            names += [f"{cell.text.lower()} place {name}".strip() for name in under]
        else:
            names.append(cell.text)
    return names


def _live_day(page: HtmlPage) -> date | None:
    return next((day for h in page.headings if (day := named_day(h.text))), None)


def _live_outcome(bare: Result, contract: str, declarer: str, score: str, line: str) -> Result:
    """The result of a row; ``score`` is as the line sees it."""
    if is_not_played(score) or is_not_played(contract):
        return bare
    given = average_of(score) if score else None
    if given is not None:
        # What the other side was given is not in the row: the same is the usual ruling.
        return replace(bare, adjusted=AdjustedScore(given, given))
    if is_passed_out(contract) or is_passed_out(score) or (not score and not contract):
        return replace(bare, score=0, passed_out=True)
    points = seen_by(line, score) or 0
    if not contract or not declarer:
        return replace(bare, score=points)
    try:
        called = parse_contract(contract).played_by(parse_seat(declarer))
    except ValueError:
        return replace(bare, score=points, remark=f"contract {contract}")
    return replace(bare, score=points, contract=called)


def _live_hands(words: Sequence[CellPart]) -> list[str]:
    """The four hands of a diagram, which come as North, West, East and South."""
    suits = [w.text for w in words if w.tag == "span" and _SUITED.fullmatch(w.text)]
    suits = [text.strip("♠♥♦♣ ") for text in suits if len(text) > 1]
    if len(suits) != 16:
        return []
    north, west, east, south = (".".join(suits[at : at + 4]) for at in range(0, 16, 4))
    return [north, east, south, west]


FORMATS = (
    Format(
        "acbl-json",
        "ACBL club results",
        (Told.BY_NAME, lambda seen: is_acbl_json(seen.page or "\n".join(seen.lines))),
        read_acbl_json,
    ),
    Format("acbl-live", "ACBL Live page", page(is_acbl_live), read_acbl_live),
)
