"""A new USEBIO document from an Event; what it has no place for is reported, never dropped
silently."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import NamedTuple
from xml.sax.saxutils import escape, quoteattr

from honours.formats.entrants import EntrantKey, unique_ids
from honours.formats.plain_data import to_plain
from honours.formats.usebio import KNOWN_FACTS, NEWER
from honours.formats.usebio_lines import PUBLISHED
from honours.formats.usebio_people import FIGURES
from honours.formats.usebio_remarks import (
    EVENT,
    instruction,
    is_plain,
    of_entrant,
    of_line,
    of_match,
    of_player,
    of_session,
)
from honours.model import (
    AdjustedScore,
    ArtificialScore,
    Board,
    Event,
    EventEntrant,
    Facts,
    Match,
    Player,
    Result,
    Session,
    Value,
)
from honours.model.message import Message
from honours.scoring.contracts import write_bid

_METHODS = {
    "matchpoints": "MATCH_POINTS",
    "cross-imps": "CROSS_IMPS",
    "butler": "BUTLER",
    "imps": "IMPS",
    "board-a-match": "POINT_A_BOARD",
}
_KINDS = {"pairs": "PAIRS", "teams": "TEAMS", "individual": "INDIVIDUAL"}
_FIGURES = {**FIGURES, "PLACE": "place"}
_AWARDED = ("masterpoints", "masterpoint_type")
_OURS = {"event_type", "usebio", "unlisted", "awarded_under", "club_number", "contact"}
_WRITTEN = frozenset((*_FIGURES.values(), *_AWARDED))
_FIGURES_OF_LINES = frozenset(PUBLISHED.values())
VERSIONS = ("1.2", "1.3")
_SUITS = ("SPADES", "HEARTS", "DIAMONDS", "CLUBS")
_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'


class UsebioDocument(NamedTuple):
    """A document, and what of the event it could not say."""

    data: bytes
    lost: tuple[str, ...]


def write_usebio(event: Event, *more: Event, version: str = "1.2") -> UsebioDocument:
    """A new document of an event, or of several of one club."""
    events = (event, *more)
    number = event.facts.get("club_number")
    club = f"<CLUB>{_tag('CLUB_NAME', event.club)}{_tag('CLUB_ID_NUMBER', number)}</CLUB>"
    body = "\n".join(part for each in events for part in _event(each, version))
    text = f'{_HEAD}<USEBIO Version="{version}">\n{club}\n{body}\n</USEBIO>\n'
    lost = dict.fromkeys(loss for each in events for loss in _lost(each))
    return UsebioDocument(text.encode("utf-8"), tuple(map(_in_a_remark, lost)))


def _in_a_remark(lost: str) -> Message:
    return Message(
        "{what} (another Honours reads that in remarks of the file, other programs do not)",
        what=lost,
    )


def _tag(name: str, value: Value | int | None) -> str:
    """A small element; nothing for an empty value."""
    if value is None or value == "":
        return ""
    text = _decimal(value) if isinstance(value, Fraction) else str(value)
    return f"<{name}>{escape(text)}</{name}>"


def _decimal(value: Fraction) -> str:
    """A number exactly; those that are no decimals have no place in a file."""
    if value.denominator == 1:
        return str(value.numerator)
    digits = 0
    while (value * 10**digits).denominator != 1:
        digits += 1
        if digits > 30:
            raise ValueError(Message("{value} is not a decimal number", value=value))
    scaled = int(abs(value) * 10**digits)
    sign = "-" if value < 0 else ""
    return f"{sign}{scaled // 10**digits}.{scaled % 10**digits:0{digits}d}"


def _event(event: Event, version: str) -> Iterator[str]:
    swiss = "SWISS_" if event.swiss else ""
    yield f'<EVENT EVENT_TYPE="{swiss}{_KINDS[event.kind]}">'
    if under := event.facts.get("awarded_under"):
        yield f"<?honours-awarded-under {under}?>"
    yield _tag("BOARD_SCORING_METHOD", _METHODS[event.scoring])
    matches = [match for session in event.sessions for match in session.matches]
    if any(m.home_vps is not None for m in matches) and "match_scoring_method" not in event.facts:
        yield _tag("MATCH_SCORING_METHOD", "VPS")
    yield _tag("PROGRAM_NAME", event.program)
    yield _tag("EVENT_DESCRIPTION", event.title)
    form = "%d/%m/%Y" if version == "1.2" else "%Y-%m-%d"
    yield _tag("DATE", event.date.strftime(form) if event.date else "")
    yield _tag("WINNER_TYPE", event.winners or None)
    yield from _facts(event, version)
    yield "<PARTICIPANTS>" if not _sections(event) else ""
    if not _sections(event):
        yield from _participants(event, event.entrants, version)
        yield "</PARTICIPANTS>"
    for session in event.sessions:
        yield from _session(event, session, version)
    yield "</EVENT>"


def _facts(event: Event, version: str) -> Iterator[str]:
    """The facts that USEBIO has an element for, then the others, for us alone."""
    rest: dict[str, Value] = {}
    for name, value in event.facts.items():
        if name.upper() in KNOWN_FACTS:
            newer = NEWER.get(name, "") if version != "1.2" else ""
            yield _tag(newer or name.upper(), value)
        elif name not in _OURS:
            rest[name] = value
    if contact := event.facts.get("contact"):
        yield f"<CONTACT>{_tag('FULL_NAME', contact)}</CONTACT>"
    if version != "1.2":
        yield _stratification(event)
    yield instruction(EVENT, {"facts": to_plain(rest)})


def _stratification(event: Event) -> str:
    """The strata, the top one first, as 1.3 declares them."""
    strata = "".join(
        "<STRAT>"
        + _tag("STRAT_NUMBER", number)
        + _tag("STRAT_LABEL", label)
        + _tag("UPPER_LIMIT", event.facts.get(f"stratum_limit.{label}"))
        + _tag("NUMBER_OF_PAIRS", sum(e.stratum >= label for e in event.entrants))
        + "</STRAT>"
        for label, number in _strata(event, "1.3").items()
    )
    return f"<STRATIFICATION><STRATS>{strata}</STRATS></STRATIFICATION>" if strata else ""


def _strata(event: Event, version: str) -> dict[str, int]:
    """The strata by label with their numbers, the top one first; 1.2 has none."""
    labels = sorted({e.stratum for e in event.entrants} - {""}) if version != "1.2" else []
    return {label: number for number, label in enumerate(labels, start=1)}


def _sections(event: Event) -> list[str]:
    return list(dict.fromkeys(e.section for e in event.entrants if e.section))


def _participants(event: Event, entrants: Iterable[EventEntrant], version: str) -> Iterator[str]:
    unlisted = str(event.facts.get("unlisted", "")).split(", ")
    strata, ids = _strata(event, version), _ids_when_read(event)
    for entrant in entrants:
        if entrant.number not in unlisted or entrant.entrant.players:
            yield _participant(event.kind, entrant, strata.get(entrant.stratum), ids)


def _ids_when_read(event: Event) -> dict[str, str]:
    """The ids that a reader of the document will give to entrants, by their own."""
    if not any(entrant.games for entrant in event.entrants):
        return {}
    lined = event.winners == 2
    keys = {
        e.entrant.id: EntrantKey(e.section, e.number, e.line if lined else "")
        for e in event.entrants
    }
    ids = unique_ids(keys.values())
    return {own: ids[key] for own, key in keys.items()}


def _participant(kind: str, e: EventEntrant, stratum: int | None, ids: Mapping[str, str]) -> str:
    inner = "".join(_tag(tag, e.published.get(name)) for tag, name in _FIGURES.items())
    inner += _tag("HANDICAP", e.handicap or None) + _tag("STRAT_NUMBER", stratum)
    inner += _masterpoints(e.published)
    inner += of_entrant(e, _WRITTEN, ids, "" if stratum else e.stratum)
    if kind == "individual":
        player = e.entrant.players[0] if e.entrant.players else Player("")
        return f"<PLAYER>{_tag('PLAYER_NUMBER', e.number)}{inner}{_person(player)}</PLAYER>"
    people = "".join(_team_mate(player) for player in e.entrant.players)
    if kind == "teams":
        named = f"TEAM_ID={quoteattr(e.number)} TEAM_NAME={quoteattr(e.entrant.name)}"
        return f"<TEAM {named}>{inner}{people}</TEAM>"
    numbered = _tag("PAIR_NUMBER", e.number) + _tag("DIRECTION", e.line)
    return f"<PAIR>{numbered}{inner}{people}</PAIR>"


def _masterpoints(published: Facts) -> str:
    inner = _tag("MASTER_POINTS_AWARDED", published.get("masterpoints"))
    inner += _tag("MASTER_POINT_TYPE", published.get("masterpoint_type"))
    return f"<MASTER_POINTS>{inner}</MASTER_POINTS>" if inner else ""


def _person(player: Player) -> str:
    return (
        _tag("PLAYER_NAME", player.name)
        + _tag("NATIONAL_ID_NUMBER", player.number)
        + _tag("CLUB_ID_NUMBER", player.facts.get("club_number"))
        + of_player(player)
    )


def _team_mate(player: Player) -> str:
    """A player of a pair or team; those who were not all awarded the same have their own."""
    own = {name: player.facts[f"own_{name}"] for name in _AWARDED if f"own_{name}" in player.facts}
    return f"<PLAYER>{_person(player)}{_masterpoints(own)}</PLAYER>"


def _session(event: Event, session: Session, version: str) -> Iterator[str]:
    numbers = {e.entrant.id: e.number for e in event.entrants}
    yield f'<SESSION SESSION_ID="{session.number}">{of_session(session.penalties)}'
    for section in _sections(event) or [""]:
        if section:
            yield f"<SECTION SECTION_ID={quoteattr(section)}>"
            if session.number == event.sessions[0].number:
                members = [e for e in event.entrants if e.section == section]
                people = _participants(event, members, version)
                yield f"<PARTICIPANTS>{''.join(people)}</PARTICIPANTS>"
        lines = [r for r in session.results if r.section == section or not section]
        yield from _boards(lines, session, numbers)
        if section:
            yield "</SECTION>"
    if session.boards:
        yield f"<HANDSET>{''.join(_hands(board) for board in session.boards)}</HANDSET>"
    yield "</SESSION>"


def _boards(lines: Iterable[Result], session: Session, numbers: Mapping[str, str]) -> Iterator[str]:
    """Lines in matches go there; the rest by board, in the order they came."""
    matched: dict[tuple[int, frozenset[str]], list[Result]] = {
        (m.round, frozenset((m.home, m.away))): [] for m in session.matches
    }
    loose: list[Result] = []
    for line in lines:
        matched.get((line.round, frozenset((*line.ns, *line.ew))), loose).append(line)
    yield from _grouped(loose, numbers)
    for match in session.matches:
        # Two matches of one round between the same teams: their lines are written once.
        results = matched.pop((match.round, frozenset((match.home, match.away))), [])
        yield _match(match, "".join(_grouped(results, numbers, in_match=True)), numbers)


def _grouped(
    lines: Iterable[Result], numbers: Mapping[str, str], in_match: bool = False
) -> Iterator[str]:
    boards: dict[int, list[Result]] = {}
    for line in lines:
        boards.setdefault(line.board, []).append(line)
    for board, results in boards.items():
        inner = "".join(_line(line, numbers, in_match) for line in results)
        yield f"<BOARD>{_tag('BOARD_NUMBER', board)}{inner}</BOARD>"


def _match(match: Match, boards: str, numbers: Mapping[str, str]) -> str:
    home = match.home_imps if match.home_vps is None else match.home_vps
    away = match.away_imps if match.away_vps is None else match.away_vps
    head = _tag("ROUND_NUMBER", match.round) + _tag("TEAM", numbers.get(match.home, ""))
    head += _tag("OPPOSING_TEAM", numbers.get(match.away, ""))
    head += _tag("TEAM_SCORE", home) + _tag("OPPOSING_TEAM_SCORE", away)
    return f"<MATCH>{head}{of_match(match)}{boards}</MATCH>"


def _line(line: Result, numbers: Mapping[str, str], in_match: bool) -> str:
    ns, ew = ([numbers.get(id, id) for id in side] for side in (line.ns, line.ew))
    if len(ns) == 1:
        who = _tag("NS_PAIR_NUMBER", ns[0]) + _tag("EW_PAIR_NUMBER", ew[0])
    else:
        seats = zip("NSEW", (*ns, *ew), strict=True)
        who = "".join(_tag(f"{seat}_PLAYER_NUMBER", number) for seat, number in seats)
    figures = "".join(_tag(tag, line.published.get(name)) for tag, name in PUBLISHED.items())
    inner = f"{who}{_played(line)}{_tag('LEAD', line.lead)}{figures}{_tag('NOTES', line.remark)}"
    return f"<TRAVELLER_LINE>{inner}{of_line(line, in_match, _FIGURES_OF_LINES)}</TRAVELLER_LINE>"


def _played(line: Result) -> str:
    if line.adjusted is not None:
        return _tag("SCORE", _shares(line.adjusted))
    if line.passed_out:
        return _tag("CONTRACT", "PASS") + _tag("SCORE", line.score)
    if line.contract is None:
        return _tag("SCORE", "NP" if line.score is None else line.score)
    c = line.contract
    contract = _tag("CONTRACT", write_bid(c))
    played = _tag("PLAYED_BY", c.declarer.value) + _tag("TRICKS", line.tricks)
    return contract + played + _tag("SCORE", line.score)


def _shares(adjusted: AdjustedScore) -> str:
    """``A6040``; USEBIO knows whole percentages below a hundred and nothing else."""
    shares = [
        int(side.share * 100) if isinstance(side, ArtificialScore) else 50
        for side in (adjusted.ns, adjusted.ew)
    ]
    return "A" + "".join(f"{min(share, 99):02d}" for share in shares)


def _hands(board: Board) -> str:
    first, _, cards_dealt = board.deal.partition(":")
    seats = "NESWNESW"["NESW".index(first) :] if first in "NESW" else "NESW"
    hands = ""
    for seat, hand in zip(seats, cards_dealt.split(), strict=False):
        suits = "".join(
            f"<{suit}>{cards}</{suit}>"
            for suit, cards in zip(_SUITS, hand.split("."), strict=False)
        )
        hands += f"<HAND>{_tag('DIRECTION', seat)}{suits}</HAND>"
    return f"<BOARD>{_tag('BOARD_NUMBER', board.number)}{hands}</BOARD>"


def line_in_words(line: Result) -> Message:
    """How a message names a line of results: the board, and who met."""
    ns, ew = " ".join(line.ns), " ".join(line.ew)
    return Message("board {board}, {ns} v {ew}", board=line.board, ns=ns, ew=ew)


def _lost(event: Event) -> Iterator[str]:
    """What other programs will not find in the document, although ours will."""
    yield from _unseen(event)
    for session in event.sessions:
        for penalty in session.penalties:
            yield Message("a penalty of {entrant}", entrant=penalty.entrant)
        for line in session.results:
            where = line_in_words(line)
            if line.version:
                yield Message(
                    "{where}: the version {version!r} of a fouled board",
                    where=where,
                    version=line.version,
                )
            if line.adjusted and not is_plain(line.adjusted):
                yield Message(
                    "{where}: a ruling that is not a whole percentage for either side", where=where
                )


def _unseen(event: Event) -> Iterator[str]:
    lines = [line for session in event.sessions for line in session.results]
    met = {(m.round, frozenset((m.home, m.away))) for s in event.sessions for m in s.matches}
    loose = [x for x in lines if (x.round, frozenset((*x.ns, *x.ew))) not in met]
    if any(line.round for line in loose):
        yield Message("rounds")
    if any(line.table for line in lines):
        yield Message("tables")
    players = [p for e in event.entrants for p in e.entrant.players]
    if any("masterpoints" in p.facts for p in players):
        yield Message("holdings")
    if any(e.games for e in event.entrants):
        yield Message("games")
    if any(e.carried for e in event.entrants):
        yield "carry-over"
