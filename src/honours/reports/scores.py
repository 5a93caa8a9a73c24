"""A scored event as text, as plain data and as CSV."""

from __future__ import annotations

import csv
import io
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from honours.formats.formulas import neutralise
from honours.reports.tables import text_table
from honours.scoring.contracts import write_contract, write_tricks
from honours.scoring.movement import propose_winners
from honours.scoring.rounding import column, decimals_of
from honours.scoring.scored import NOUNS
from honours.scoring.sides import Side, entrants, table_score
from honours.scoring.standings import shown_place, shown_score
from honours.scoring.status import status
from honours.scoring.suspect import suspicions

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from honours.model import Result, Standing
    from honours.scoring.ruling_kinds import Ruling
    from honours.scoring.scored import Scored, ScoredBoard, ScoredLine
    from honours.scoring.standings import Ranking

COLUMNS = (
    *("session", "section", "line", "stratum", "handicapped", "place", "pair", "players"),
    *("score", "points", "boards"),
)
UNITS = {"matchpoints": "%", "cross-imps": "IMPs", "butler": "IMPs"}


# --- text ---------------------------------------------------------------------------------------


def scored_text(scored: Scored, rulings: Sequence[Ruling] = ()) -> str:
    """The standings with what a reader must know beside them."""
    parts = [_heading(scored, rulings)]
    parts += [_ranking_text(scored, ranking) for ranking in scored.rankings]
    parts += ["\n".join(notes) for notes in [list(_notes(scored, rulings))] if notes]
    return "\n\n".join(parts)


def _heading(scored: Scored, rulings: Sequence[Ruling]) -> str:
    event = scored.event
    day = f", {event.date}" if event.date else ""
    return f"{event.title}{day} · {_method(scored)} · {status(scored, rulings)}"


def _method(scored: Scored) -> str:
    """By what it was scored: the profile, or in IMPs how they are counted and what follows."""
    way = scored.event.scoring
    parts = [f"profile {scored.profile.name}" if way == "matchpoints" else way]
    parts += [str(scored.imps.rules)] if scored.imps else []
    parts += [str(scored.matches.rules)] if scored.matches else []
    return ", ".join(parts)


def _ranking_text(scored: Scored, ranking: Ranking) -> str:
    noun = NOUNS.get(scored.event.kind, "entrant")
    header = ("place", noun, "name", score_unit(scored), *_beside(scored), "boards")
    place, id, name, score, points, boards = zip(*ranking_rows(scored, ranking), strict=True)
    beside = [points if x == "points" else _fact(ranking, x) for x in _beside(scored)]
    rows = list(zip(place, id, name, score, *beside, boards, strict=True))
    body = text_table(header, rows)
    return f"{ranking.title}\n{body}" if ranking.title else body


def _beside(scored: Scored) -> tuple[str, ...]:
    """What stands beside the score: the points a percentage is of, or the matches."""
    if scored.matches:
        return ("won", "drawn", "margin")
    return ("points",) if scored.event.scoring == "matchpoints" else ()


def _fact(ranking: Ranking, name: str) -> list[str]:
    """A fact of everybody in the list, figures with as many decimals."""
    values = [line.facts.get(name, "") for line in (*ranking.standings, *ranking.unranked)]
    figures = iter(column(value for value in values if isinstance(value, Fraction)))
    return [value if isinstance(value, str) else next(figures) for value in values]


def score_unit(scored: Scored) -> str:
    """What the score that ranks is counted in."""
    if scored.matches and scored.matches.rules.scale:
        return "VPs"
    if scored.matches:
        return "%" if scored.event.scoring == "board-a-match" else "IMPs"
    return UNITS.get(scored.event.scoring, "score")


def ranking_rows(scored: Scored, ranking: Ranking) -> Iterator[tuple[str, ...]]:
    """Place, id, name, score, points and boards of everybody in the list, as shown."""
    lines = (*ranking.standings, *ranking.unranked)
    points = [Fraction(line.facts["points"]) for line in lines]
    for standing, shown in zip(lines, column(points, points_decimals(scored)), strict=True):
        who = standing.entrant
        yield (
            shown_place(standing),
            who.id,
            who.title if who.title != who.id else "",
            shown_score(standing),
            shown,
            str(standing.facts["boards_played"]),
        )


def points_decimals(scored: Scored) -> int:
    """Matchpoints as their profile rounds them, IMPs and victory points with two decimals."""
    if scored.event.scoring != "matchpoints" or scored.matches:
        return 2
    return decimals_of(scored.profile.unit) if scored.profile.unit else 2


def _notes(scored: Scored, rulings: Sequence[Ruling]) -> Iterator[str]:
    file = scored.event.source.path if scored.event.source else "FILE"
    if not scored.event.winners and scored.event.kind == "pairs" and not scored.event.swiss:
        proposal = propose_winners(scored.event)
        yield f"Winners: {proposal.winners} proposed; {proposal.reason}."
        yield f"  Confirm it: honours rule {file} winners {proposal.winners} --by …"
    if scored.event.swiss and not scored.matches:
        yield "Swiss: ranked by matchpoints; --scale FILE makes victory points of every match."
    for change in status(scored, rulings).changes:
        yield f"Changed since made final: {change}"
    yield from (f"Odd: {oddity}" for oddity in scored.oddities)
    for suspicion in suspicions(scored.event):
        yield f"Look at {suspicion}"
        if suspicion.remedy:
            yield f"  If so: honours rule {file} {suspicion.remedy} --by …"


# --- data ---------------------------------------------------------------------------------------


def scored_data(scored: Scored, rulings: Sequence[Ruling] = ()) -> dict[str, Any]:
    """Everything as dictionaries, lists, text and whole numbers; exact numbers as text."""
    event, now = scored.event, status(scored, rulings)
    return {
        "event": {
            "title": event.title,
            "date": str(event.date) if event.date else None,
            "kind": event.kind,
            "scoring": event.scoring,
            "winners": scored.winners,
        },
        "profile": scored.profile.name,
        "scored_by": scored.chosen,
        "status": {"word": now.word, "since": now.since, "changes": list(now.changes)},
        "rankings": [_ranking_data(ranking) for ranking in scored.rankings],
        "boards": [_board_data(board) for board in scored.boards],
        "odd": [str(oddity) for oddity in scored.oddities],
        "suspected": [str(suspicion) for suspicion in suspicions(event)],
        "rulings": rulings_data(rulings),
    }


def rulings_data(rulings: Sequence[Ruling]) -> list[dict[str, str]]:
    """Who ruled what and why, in the order it was done."""
    return [
        {"kind": r.kind, "by": r.by, "when": r.when, "why": r.why, "law": r.law} for r in rulings
    ]


def _ranking_data(ranking: Ranking) -> dict[str, Any]:
    return {
        "section": ranking.section,
        "line": ranking.line,
        "stratum": ranking.stratum,
        "session": ranking.session,
        "handicapped": ranking.handicapped,
        "tie_break": ranking.tie_break,
        "standings": [
            _standing_data(standing) for standing in (*ranking.standings, *ranking.unranked)
        ],
    }


def _standing_data(standing: Standing) -> dict[str, Any]:
    facts = {name: str(value) for name, value in standing.facts.items()}
    return {
        "entrant": standing.entrant.id,
        "players": [player.name for player in standing.entrant.players],
        "place": standing.place,
        "tied": standing.tied,
        "shown_place": shown_place(standing),
        "score": str(standing.score),
        "shown_score": shown_score(standing),
        **facts,
    }


def _board_data(board: ScoredBoard) -> dict[str, Any]:
    return {
        "board": board.number,
        "session": board.session,
        "section": board.section,
        "lines": [_line_data(line) for line in board.lines],
    }


def _line_data(line: ScoredLine) -> dict[str, Any]:
    result = line.result
    return {
        **_outcome_data(result),
        "version": result.version,
        "ns": _side_data(line, Side.NS),
        "ew": _side_data(line, Side.EW),
    }


def _outcome_data(result: Result) -> dict[str, Any]:
    contract, tricks = result.contract, result.tricks
    return {
        "contract": write_contract(contract) if contract else ("Pass" if result.passed_out else ""),
        "result": write_tricks(contract, tricks) if contract and tricks is not None else "",
        "score": table_score(result),
        "adjusted": result.adjusted is not None,
    }


def _side_data(line: ScoredLine, side: Side) -> dict[str, Any]:
    """Who sat there, and what they got; nothing where they have no score."""
    data: dict[str, Any] = {"entrants": list(entrants(line.result, side))}
    found = line.side(side)
    if found is not None:
        points = {one: str(found.points_of(one)) for one in data["entrants"]}
        data |= {"points": points, "top": str(found.top), "how": found.how}
    return data


# --- CSV ----------------------------------------------------------------------------------------


def scored_csv(scored: Scored) -> str:
    """A row for every standing of every list."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for ranking in scored.rankings:
        labels = (ranking.session, ranking.section, ranking.line, ranking.stratum)
        handicapped = "yes" if ranking.handicapped else ""
        for place, pair, name, *rest in ranking_rows(scored, ranking):
            writer.writerow((*labels, handicapped, place, pair, neutralise(name), *rest))
    return out.getvalue()
