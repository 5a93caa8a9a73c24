"""A scored event as text, as plain data and as CSV."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from typing import Any

from honours.formats.detect import SCORINGS
from honours.language import DEFAULT, words
from honours.model import Result, Standing
from honours.model.message import Message, joined
from honours.reports.drawing import draw_csv, draw_text
from honours.reports.standings import all_rankings, one_line, ranking_table
from honours.scoring.contracts import write_contract, write_tricks
from honours.scoring.movement import propose_winners
from honours.scoring.ruling_kinds import Ruling
from honours.scoring.scored import ScoredBoard, ScoredEvent, ScoredLine
from honours.scoring.sides import Side, entrants, table_score
from honours.scoring.standings import Ranking, shown_place, shown_score
from honours.scoring.status import status
from honours.scoring.suspect_boards import suspicions


def scored_text(
    scored: ScoredEvent, rulings: Sequence[Ruling] = (), language: str = DEFAULT
) -> str:
    """The standings with what a reader must know beside them."""
    parts = [words(_heading(scored, rulings), language)]
    parts += [draw_text(ranking_table(scored, one), language) for one in scored.rankings]
    notes = [words(note, language) for note in _notes(scored, rulings)]
    return "\n\n".join([*parts, *(["\n".join(notes)] if notes else [])])


def _heading(scored: ScoredEvent, rulings: Sequence[Ruling]) -> Message:
    event = scored.event
    title = f"{event.title}, {event.date}" if event.date else event.title
    return one_line([title, _method(scored), status(scored, rulings).message])


def _method(scored: ScoredEvent) -> Message:
    """By what it was scored: the profile, or in IMPs how they are counted and what follows."""
    way = scored.event.scoring
    profile = Message("profile {name}", name=scored.profile.name)
    parts: list[str] = [profile if way == "matchpoints" else SCORINGS.get(way, way)]
    parts += [str(scored.imps.rules)] if scored.imps else []
    parts += [str(scored.matches.rules)] if scored.matches else []
    return joined(", ", parts)


def _notes(scored: ScoredEvent, rulings: Sequence[Ruling]) -> Iterator[Message]:
    file = shlex.quote(str(scored.event.source.path)) if scored.event.source else "FILE"
    if not scored.event.winners and scored.event.kind == "pairs" and not scored.event.swiss:
        proposal = propose_winners(scored.event)
        one_winner = ",".join(proposal.one_winner)
        yield (
            Message(
                "Winners: two proposed, and one in {sections}; {reason}.",
                sections=one_winner,
                reason=proposal.reason,
            )
            if one_winner
            else Message(
                "Winners: {winners} proposed; {reason}.",
                winners=proposal.winners,
                reason=proposal.reason,
            )
        )
        besides = f" --one-winner {shlex.quote(one_winner)}" if one_winner else ""
        command = f"honours rule {file} winners {proposal.winners}{besides} --by …"
        yield Message("  Confirm it: {command}", command=command)
    if scored.event.swiss and not scored.matches:
        yield Message(
            "Swiss: ranked by matchpoints; --scale FILE makes victory points of every match."
        )
    for change in status(scored, rulings).changes:
        yield Message("Changed since made final: {change}", change=change)
    for oddity in scored.oddities:
        where = Message("{where}: {what}", where=str(oddity.source), what=oddity.text)
        yield Message("Odd: {what}", what=where if oddity.source else oddity.text)
    for suspicion in suspicions(scored.event):
        yield Message("Look at {what}", what=suspicion.message)
        if suspicion.remedy:
            command = f"honours rule {file} {suspicion.remedy} --by …"
            yield Message("  If so: {command}", command=command)


# --- data ---------------------------------------------------------------------------------------


def scored_data(scored: ScoredEvent, rulings: Sequence[Ruling] = ()) -> dict[str, Any]:
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
    score = line.side(side)
    if score is not None:
        points = {one: str(score.points_of(one)) for one in data["entrants"]}
        data |= {"points": points, "top": str(score.top), "how": score.how}
    return data


# --- CSV ----------------------------------------------------------------------------------------


def scored_csv(scored: ScoredEvent) -> str:
    """A row for every standing of every list."""
    return draw_csv(all_rankings(scored))
