"""Ranking lists as tables, text, plain data and CSV: the same columns in a terminal, on a page, on
the site and in files. The games of a go tournament stand beside them (``4+`` beat the player placed
fourth).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from honours.engine.numbers import show
from honours.engine.ranking import WHOLE_EVENT
from honours.engine.rules import titled
from honours.formats.detect import SCORINGS
from honours.formats.go import GoGame, GoPlayer, GoTournament, Winner, fact_of_criterion
from honours.language import DEFAULT, words
from honours.model import Entrant, Field, Result, Standing
from honours.model.message import Message, by_option, joined, quoted
from honours.model.table import Cell, Column, Kind, Link, Table, headed, table
from honours.pipeline import Report
from honours.reports.drawing import draw_csv, draw_text
from honours.scoring.checks import suspicions
from honours.scoring.contracts import write_contract, write_tricks
from honours.scoring.movement import propose_winners
from honours.scoring.rulings import Ruling
from honours.scoring.scored import (
    NOUNS,
    ScoredEvent,
    ScoredLine,
    Side,
    entrants,
    table_score,
)
from honours.scoring.standings import Ranking, column, decimals_of, shown_place, shown_score
from honours.scoring.status import status

_NO_GAME = "–"
_RESULTS = {
    Winner.WHITE: "1–0",
    Winner.BLACK: "0–1",
    Winner.JIGO: "½–½",
    Winner.BOTH: "1–1",
    Winner.NEITHER: "0–0",
    Winner.UNKNOWN: "?",
}
_GRADE = headed("grade", Kind.CODE)


def tournament_of(report: Report) -> GoTournament | None:
    """The go tournament that a report is of, if it is of one."""
    tournament = report.account.content
    return tournament if isinstance(tournament, GoTournament) else None


def shown_grade(rank: int | Fraction | None) -> str:
    """``5d`` or ``3k``, as go players write it; 1 dan counts as 0, 1 kyu as -1."""
    if rank is None:
        return ""
    return f"{rank + 1}d" if rank >= 0 else f"{-rank}k"


@dataclass(frozen=True, slots=True)
class _PlayerPlaces:
    """The players of a tournament in its list: by key, entrant and line."""

    ids: Mapping[str, str]
    lines: Mapping[str, str]
    players: Mapping[str, GoPlayer]

    def line(self, key: str) -> str:
        return self.lines.get(self.ids[key], "?")

    def named(self, key: str) -> Cell:
        """A player's name with the place, leading to their games."""
        name = self.players[key].player.name
        return Cell(name, link=self.link(key), note=self.line(key))

    def link(self, key: str) -> Link:
        return Link("scorecard", self.ids[key])


def _places(tournament: GoTournament, field: Field) -> _PlayerPlaces:
    lines = {s.entrant.id: str(n) for n, s in enumerate(field.standings, start=1)}
    players = {player.key: player for player in tournament.players}
    ids = {key: _entrant(player, lines) for key, player in players.items()}
    return _PlayerPlaces(ids, lines, players)


def games(tournament: GoTournament, field: Field) -> dict[str, tuple[Cell, ...]]:
    """Entrant → a cell for every round: the opponent's line in the list, and how it went; it leads
    to the opponent's games."""
    places = _places(tournament, field)
    played = _played(tournament)
    return {
        one: tuple(
            Cell("bye") if (n, key) in tournament.byes else _cell(played.get((key, n)), key, places)
            for n in range(1, tournament.rounds + 1)
        )
        for key, one in places.ids.items()
    }


def _played(tournament: GoTournament) -> dict[tuple[str, int], GoGame]:
    return {
        (key, game.round): game for game in tournament.games for key in (game.white, game.black)
    }


def games_of_player(tournament: GoTournament, field: Field, entrant: str) -> Table:
    """Every round of one player: against whom, with which colour and handicap, and the result."""
    places, played = _places(tournament, field), _played(tournament)
    [key] = [key for key, one in places.ids.items() if one == entrant]
    columns = (
        headed("round", Kind.NUMBER),
        headed("against"),
        _GRADE,
        headed("colour", Kind.WORD),
        headed("handicap", Kind.NUMBER),
        headed("result", Kind.CODE),
    )
    rows: list[tuple[Cell | str, ...]] = []
    for number in range(1, tournament.rounds + 1):
        game = played.get((key, number))
        if game is None:
            bye = Message("bye") if (number, key) in tournament.byes else _NO_GAME
            rows.append((str(number), bye, "", "", "", ""))
            continue
        other = game.opponent(key)
        rows.append(
            (
                str(number),
                places.named(other),
                shown_grade(places.players[other].rank),
                Message("white") if key == game.white else Message("black"),
                str(game.handicap or ""),
                _sign(game, key) + ("!" if game.by_default else ""),
            )
        )
    return table("games", columns, rows)


def rounds_of(tournament: GoTournament, field: Field) -> list[Table]:
    """A table for every round: who played whom, with what handicap, and how it went."""
    places = _places(tournament, field)
    columns = (
        Column("table", Message("table no."), Kind.NUMBER),
        headed("white"),
        Column("white grade", Message("grade"), Kind.CODE),
        headed("black"),
        Column("black grade", Message("grade"), Kind.CODE),
        headed("handicap", Kind.NUMBER),
        headed("komi", Kind.NUMBER),
        headed("result", Kind.CODE),
    )
    made = []
    for number in range(1, tournament.rounds + 1):
        rows: list[tuple[Cell | str, ...]] = [
            (
                str(game.table or ""),
                places.named(game.white),
                shown_grade(places.players[game.white].rank),
                places.named(game.black),
                shown_grade(places.players[game.black].rank),
                str(game.handicap or ""),
                "" if game.komi is None else show(game.komi),
                _RESULTS[game.winner] + ("!" if game.by_default else ""),
            )
            for game in tournament.games
            if game.round == number
        ]
        without = ", ".join(
            places.players[key].player.name for n, key in sorted(tournament.byes) if n == number
        )
        foot = Message("Bye: {names}", names=without) if without else ""
        title = Message("Round {round}", round=number)
        made.append(table(f"round-{number}", columns, rows, caption=title, foot=foot).used())
    return made


def deciding(tournament: GoTournament, field: Field) -> dict[str, set[str]]:
    """Entrant → the facts that decided between the player and a neighbour of the same score."""
    names = [fact_of_criterion(name) for name in tournament.placement.criteria]
    decided: dict[str, set[str]] = {}
    for above, below in zip(field.standings, field.standings[1:], strict=False):
        differ = [n for n in names if above.facts.get(n) != below.facts.get(n)]
        if differ and differ[0] != names[0]:
            for standing in (above, below):
                decided.setdefault(standing.entrant.id, set()).add(differ[0])
    return decided


def _entrant(player: GoPlayer, lines: Mapping[str, str]) -> str:
    """A player's id in the list: the number, or the key where the list goes by that."""
    return player.key if player.player.number not in lines else player.player.number


def _cell(game: GoGame | None, key: str, places: _PlayerPlaces) -> Cell:
    if game is None:
        return Cell(_NO_GAME)
    colour = "w" if key == game.white else "b"
    stones = str(game.handicap or "") + ("!" if game.by_default else "")
    other = game.opponent(key)
    text = f"{places.line(other)}{_sign(game, key)}/{colour}{stones}"
    return Cell(text, link=places.link(other))


def _sign(game: GoGame, key: str) -> str:
    signs = {Winner.JIGO: "=", Winner.UNKNOWN: "?"}
    return signs.get(game.winner, "+" if game.points(key) else "-")


# --- ranking lists -----------------------------------------------------------------------------


ENTRANT = {
    "pairs": Message("pair"),
    "teams": Message("team"),
    "individual": Message("player"),
}
"""What one entrant is called in an event of each kind."""
_UNITS = {"matchpoints": "%", "cross-imps": Message("IMPs"), "butler": Message("IMPs")}
_KEPT_ASIDE = {"line", "section", "stratum", "handicap", "games_played"}
_PLACE = headed("place", Kind.PLACE)
_NAME = Column("players", Message("name"))
_LABELS = (
    headed("session", Kind.CODE),
    headed("section", Kind.CODE),
    headed("line", Kind.CODE),
    headed("stratum", Kind.CODE),
    headed("handicapped", Kind.WORD),
)


# --- of a scored event ----------------------------------------------------------------------------


def ranking_table(scored: ScoredEvent, ranking: Ranking) -> Table:
    """A ranking list: who, where, with what score, and what stands beside it.

    An entrant leads to its scorecard, a score to how it came about.
    """
    lines = (*ranking.standings, *ranking.unranked)
    noun = NOUNS.get(scored.event.kind, "entrant")
    columns = [
        _PLACE,
        Column("pair", ENTRANT.get(scored.event.kind, Message("entrant")), Kind.CODE),
        _NAME,
    ]
    columns.append(Column("score", score_unit(scored), Kind.NUMBER))
    rows: list[list[Cell | str]] = [
        [
            shown_place(standing),
            Cell(standing.entrant.id, link=Link("scorecard", standing.entrant.id)),
            Cell(name_beside(standing.entrant), link=Link("scorecard", standing.entrant.id)),
            Cell(
                standing.score,
                shown_score(standing),
                link=Link("reasons", f"{noun} {standing.entrant.id}"),
            ),
        ]
        for standing in lines
    ]
    made = table("standings", columns, rows, caption=ranking.title)
    for name in ("points", *_of_matches(scored), "boards_played"):
        made = made.beside(_FACTS[name], _fact_cells(scored, lines, name))
    return made if _shows_points(scored) else made.without("points")


_FACTS = {
    "points": headed("points", Kind.NUMBER),
    "won": headed("won", Kind.NUMBER),
    "drawn": headed("drawn", Kind.NUMBER),
    "margin": headed("margin", Kind.NUMBER),
    "boards_played": headed("boards", Kind.NUMBER),
}


def _of_matches(scored: ScoredEvent) -> tuple[str, ...]:
    return ("won", "drawn", "margin") if scored.matches else ()


def _shows_points(scored: ScoredEvent) -> bool:
    """A percentage is of points; IMPs and victory points are the score itself."""
    return scored.event.scoring == "matchpoints" and not scored.matches


def _fact_cells(scored: ScoredEvent, lines: Sequence[Standing], name: str) -> list[Cell]:
    """A fact of everybody in the list, figures with as many decimals."""
    values = [line.facts.get(name, "") for line in lines]
    decimals = _points_decimals(scored) if name == "points" else 0
    exact = [Fraction(value) for value in values if value != ""]
    figures = iter(column(exact, decimals))
    return [Cell(value, next(figures) if value != "" else "") for value in values]


def _points_decimals(scored: ScoredEvent) -> int:
    """Matchpoints as their profile rounds them, IMPs and victory points with two decimals."""
    if not _shows_points(scored):
        return 2
    return decimals_of(scored.profile.unit) if scored.profile.unit else 2


def score_unit(scored: ScoredEvent) -> str:
    """The unit of the score that ranks."""
    if scored.matches and scored.matches.rules.scale:
        return Message("VPs")
    if scored.matches:
        return "%" if scored.event.scoring == "board-a-match" else Message("IMPs")
    return _UNITS.get(scored.event.scoring, Message("score"))


def all_rankings(scored: ScoredEvent) -> Table:
    """Every standing of every list, with which list it is in: what files of them hold."""
    rows: list[tuple[Cell | str, ...]] = []
    columns: tuple[Column, ...] = ()
    for ranking in scored.rankings:
        lines = (*ranking.standings, *ranking.unranked)
        own = ranking_table(scored, ranking)
        if not _shows_points(scored):
            own = own.without("boards").beside(
                _FACTS["points"], _fact_cells(scored, lines, "points")
            )
            own = own.beside(_FACTS["boards_played"], _fact_cells(scored, lines, "boards_played"))
        columns = own.columns
        labels = (ranking.session, ranking.section, ranking.line, ranking.stratum)
        handicapped = "yes" if ranking.handicapped else ""
        rows += [(*map(str, labels), handicapped, *row) for row in own.rows]
    return table("standings", (*_LABELS, *columns), rows)


# --- of lists that a file gives -------------------------------------------------------------------


def given_table(field: Field, report: Report) -> Table:
    """A ranking list as a file gives it, with its facts and the games of a go tournament."""
    names = dict.fromkeys(name for s in field.standings for name in s.facts)
    tournament = tournament_of(report)
    aside = _KEPT_ASIDE | ({"rank"} if tournament and "grade" in names else set())
    facts = [name for name in names if name not in aside]
    rounds, played = _games(tournament, field)
    decided = deciding(tournament, field) if tournament else {}
    columns = [
        _PLACE,
        headed("entrant", Kind.CODE),
        _NAME,
        headed("score", Kind.NUMBER),
        *(Column(name, titled(name), Kind.CODE) for name in facts),
        *rounds,
    ]
    rows: list[list[Cell | str]] = []
    for standing in field.standings:
        link = Link("scorecard", standing.entrant.id)
        own = [_fact_figure(name, standing, decided) for name in facts]
        rows.append(
            [
                standing.placing,
                Cell(standing.entrant.id, link=link),
                Cell(name_beside(standing.entrant), link=link),
                figure("" if standing.score is None else standing.score),
                *own,
                *played.get(standing.entrant.id, ("",) * len(rounds)),
            ]
        )
    return table("standings", columns, rows, caption=list_title(field))


def list_title(field: Field) -> Message:
    """The name of a field among the lists of its event; empty for the only one."""
    section = field.of_section or field.section
    line = field.line.removeprefix(field.of_section).strip()
    parts = [
        field.group,
        Message("the only section") if section == WHOLE_EVENT else "",
        Message("section {section}", section=section) if section not in ("", WHOLE_EVENT) else "",
        Message("line {line}", line=line) if line else "",
        Message("stratum {stratum}", stratum=field.stratum) if field.stratum else "",
        Message("session {session}", session=field.session) if field.session else "",
    ]
    return joined(" ", [part for part in parts if part])


def figure(value: Fraction | str) -> Cell:
    """A fact of a list: a number with two decimals unless it is whole."""
    if isinstance(value, str):
        return Cell(value)
    return Cell(value, show(value, 2 if value.denominator > 1 else 0))


def _fact_figure(name: str, standing: Standing, decided: Mapping[str, set[str]]) -> Cell:
    """A fact of a standing; a grade as go players write it, and what broke a tie marked."""
    value = standing.facts.get(name, "")
    if name == "grade" and isinstance(value, Fraction):
        return Cell(value, shown_grade(value))
    broke = name in decided.get(standing.entrant.id, ())
    return replace(figure(value), marks=frozenset({"decides"} if broke else ()))


def _games(
    tournament: GoTournament | None, field: Field
) -> tuple[list[Column], dict[str, tuple[Cell, ...]]]:
    """The rounds of a go tournament; nothing for other lists."""
    if tournament is None:
        return [], {}
    numbers = range(1, tournament.rounds + 1)
    rounds = [Column(f"round {n}", Message("round {number}", number=n)) for n in numbers]
    return rounds, games(tournament, field)


# --- of either ------------------------------------------------------------------------------------


def rankings(report: Report) -> tuple[Table, ...]:
    """Every ranking list of an event, as it was scored or given."""
    if report.scored is not None:
        scored = report.scored
        return tuple(ranking_table(scored, ranking) for ranking in scored.rankings)
    return tuple(given_table(field, report) for field in report.lists)


def entrants_of(report: Report) -> Iterable[tuple[str, ...]]:
    """The entrants of every list, in the order of its rows."""
    if report.scored is not None:
        lists = [(*r.standings, *r.unranked) for r in report.scored.rankings]
    else:
        lists = [field.standings for field in report.lists]
    return (tuple(standing.entrant.id for standing in one) for one in lists)


def name_beside(entrant: Entrant) -> str:
    """The name where it says more than the number beside it."""
    return entrant.title if entrant.title != entrant.id else ""


def one_line(parts: Iterable[str]) -> Message:
    """A description of an event in one line, without the empty parts."""
    return joined(" · ", [part for part in parts if part])


# --- a scored event as text --------------------------------------------------------------------


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
    parts += [scored.imps.rules.comparison] if scored.imps else []
    parts += [str(scored.matches.rules)] if scored.matches else []
    return joined(", ", parts)


def _notes(scored: ScoredEvent, rulings: Sequence[Ruling]) -> Iterator[Message]:
    file = quoted(str(scored.event.source.path)) if scored.event.source else "FILE"
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
        besides = f" --one-winner {quoted(one_winner)}" if one_winner else ""
        command = f"honours rule {file} winners {proposal.winners}{besides} --by …"
        yield Message("  Confirm it: {command}", command=command)
    if scored.event.swiss and not scored.matches:
        yield Message(
            "Swiss: ranked by matchpoints; {remedy} makes victory points of every match.",
            remedy=by_option("scale", "FILE"),
        )
    for change in status(scored, rulings).changes:
        yield Message("Changed since it was made final: {change}", change=change)
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
        "boards": [
            {
                "board": board.number,
                "session": board.session,
                "section": board.section,
                "lines": [_line_data(line) for line in board.lines],
            }
            for board in scored.boards
        ],
        "odd": [str(oddity) for oddity in scored.oddities],
        "suspected": [str(suspicion) for suspicion in suspicions(event)],
        "rulings": rulings_data(rulings),
    }


def rulings_data(rulings: Sequence[Ruling]) -> list[dict[str, str]]:
    """The rulings in the order they were made: who ruled what, and why."""
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
    """The entrants who sat there, with their scores; nothing where they have no score."""
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
