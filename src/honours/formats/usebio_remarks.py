"""What USEBIO has no element for, kept in processing instructions: others pass over them, we read
them again.

Rounds, tables, holdings, carry-over, penalties, weighted rulings and facts of the event stand so
beside the elements they are of, as small JSON objects.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from types import MappingProxyType
from typing import Any, NamedTuple

from honours.formats.plain_data import NotPlain, from_plain, to_plain
from honours.formats.problems import Problems
from honours.formats.xml import Element
from honours.model import (
    AdjustedScore,
    ArtificialScore,
    EventEntrant,
    Facts,
    Match,
    Penalty,
    Player,
    Result,
)

LINE, ENTRANT, PLAYER = "honours-line", "honours-entrant", "honours-player"
EVENT, SESSION, MATCH = "honours-event", "honours-session", "honours-match"
_LONGEST = 20_000


class LineRemarks(NamedTuple):
    """What a line says beside its elements."""

    round: int = 0
    table: int = 0
    version: str = ""
    adjusted: AdjustedScore | None = None
    published: Facts = MappingProxyType({})


def instruction(target: str, data: Mapping[str, Any]) -> str:
    """An XML instruction that holds these values; empty if there are none."""
    content = {name: value for name, value in data.items() if value not in (None, "", 0, {}, [])}
    if not content:
        return ""
    text = json.dumps(content, ensure_ascii=True, separators=(",", ":")).replace("?>", "?\\u003e")
    return f"<?{target} {text}?>"


def is_plain(adjusted: AdjustedScore) -> bool:
    """Whether USEBIO can say it: whole percentages below a hundred for both sides."""
    return all(
        isinstance(side, ArtificialScore)
        and not side.session_rule
        and (side.share * 100).denominator == 1
        and side.share < 1
        for side in (adjusted.ns, adjusted.ew)
    )


def of_line(line: Result, in_match: bool, written: frozenset[str]) -> str:
    rest = {name: value for name, value in line.published.items() if name not in written}
    ruled = line.adjusted if line.adjusted and not is_plain(line.adjusted) else None
    return instruction(
        LINE,
        {
            "round": 0 if in_match else line.round,
            "table": line.table,
            "version": line.version,
            "adjusted": to_plain(ruled) if ruled else None,
            "published": to_plain(rest),
        },
    )


def of_entrant(
    entrant: EventEntrant, written: frozenset[str], ids: Mapping[str, str], stratum: str = ""
) -> str:
    """Of an entrant; its stratum too, where the version has no element for it. ``ids`` are those
    by which a reader of the file will know the opponents of its games."""
    rest = {k: v for k, v in entrant.published.items() if k not in written}
    carried = to_plain(entrant.carried) if entrant.carried else None
    games = tuple(replace(game, opponent=ids.get(game.opponent, "")) for game in entrant.games)
    content = {"published": to_plain(rest), "carried": carried, "stratum": stratum}
    return instruction(ENTRANT, {**content, "games": to_plain(games)})


def of_player(player: Player) -> str:
    facts = {k: v for k, v in player.facts.items() if not k.startswith("own_")}
    facts.pop("club_number", None)
    return instruction(PLAYER, {"facts": to_plain(facts)})


def of_match(match: Match) -> str:
    """The IMPs of a match whose victory points are its score, how long it was, and that it was a
    bye: USEBIO has no word for one."""
    imps = {"home": match.home_imps, "away": match.away_imps} if match.home_vps is not None else {}
    content = {name: to_plain(value) for name, value in imps.items() if value is not None}
    bye = {} if match.away else {"bye": True}
    return instruction(MATCH, {**content, **bye, "boards": match.boards})


def is_bye(element: Element, problems: Problems) -> bool:
    """Whether our instruction says that a match is against nobody."""
    return (
        MATCH in element.instructions and held_object(element, MATCH, problems).get("bye") is True
    )


def match_kept(element: Element, given: Match, problems: Problems) -> Match:
    """The match with what our instruction says beside its elements."""
    if MATCH not in element.instructions:
        return given
    data = held_object(element, MATCH, problems)
    home, away = (_read(Fraction, data.get(name), element, problems) for name in ("home", "away"))
    boards = _count(data, "boards") or given.boards
    if given.home_vps is None:
        return replace(given, boards=boards)
    return replace(given, home_imps=home, away_imps=away, boards=boards)


def of_session(penalties: tuple[Penalty, ...]) -> str:
    return instruction(SESSION, {"penalties": to_plain(penalties)})


# --- read again -----------------------------------------------------------------------------------


def held_object(element: Element, target: str, problems: Problems) -> dict[str, Any]:
    """The object held by an instruction of ours; empty if it holds none."""
    text = element.instructions.get(target, "")
    if not text:
        return {}
    try:
        data = json.loads(text) if len(text) <= _LONGEST else None
    except (ValueError, RecursionError):
        data = None
    if not isinstance(data, dict):
        problems.add("the instruction {target}: not an object", element.line, target=target)
        return {}
    return data


def line_kept(element: Element, problems: Problems) -> LineRemarks:
    data = held_object(element, LINE, problems)
    adjusted = _read(AdjustedScore, data.get("adjusted"), element, problems)
    published = _read(Facts, data.get("published"), element, problems) or {}
    version = str(data.get("version", ""))
    return LineRemarks(_count(data, "round"), _count(data, "table"), version, adjusted, published)


def facts_kept(element: Element, target: str, name: str, problems: Problems) -> Facts:
    facts: Facts = (
        _read(Facts, held_object(element, target, problems).get(name), element, problems) or {}
    )
    return facts


def value_kept(kind: Any, element: Element, target: str, name: str, problems: Problems) -> Any:
    """A value of a declared type that an instruction holds, or ``None``."""
    return _read(kind, held_object(element, target, problems).get(name), element, problems)


def _count(data: Mapping[str, Any], name: str) -> int:
    value = data.get(name)
    return value if isinstance(value, int) and 0 <= value < 10**6 else 0


def _read(kind: Any, data: Any, element: Element, problems: Problems) -> Any:
    if data is None:
        return None
    try:
        return from_plain(kind, data)
    except NotPlain as error:
        problems.add("an instruction of ours: {error}", element.line, error=error)
        return None
