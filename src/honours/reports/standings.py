"""Ranking lists as tables: the same columns in a terminal, on a page, on the site and in files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from honours.engine.numbers import show
from honours.engine.ranking import WHOLE_EVENT
from honours.engine.written_names import titled
from honours.formats.go import GoTournament
from honours.model import Entrant, Field, Standing
from honours.model.message import Message, joined
from honours.model.table import Cell, Column, Kind, Link, Table, table
from honours.pipeline import Report
from honours.reports.wall_list import deciding, games, shown_grade, tournament_of
from honours.scoring.rounding import column, decimals_of
from honours.scoring.scored import NOUNS, ScoredEvent
from honours.scoring.standings import Ranking, shown_place, shown_score

ENTRANT = {
    "pairs": Message("pair"),
    "teams": Message("team"),
    "individual": Message("player"),
}
"""What one entrant is called in an event of each kind."""
_UNITS = {"matchpoints": "%", "cross-imps": Message("IMPs"), "butler": Message("IMPs")}
_KEPT_ASIDE = {"line", "section", "stratum", "handicap", "games_played"}
_PLACE = Column("place", Message("place"), Kind.PLACE)
_NAME = Column("players", Message("name"))
_LABELS = (
    Column("session", Message("session"), Kind.CODE),
    Column("section", Message("section"), Kind.CODE),
    Column("line", Message("line"), Kind.CODE),
    Column("stratum", Message("stratum"), Kind.CODE),
    Column("handicapped", Message("handicapped"), Kind.WORD),
)


# --- of a scored event ----------------------------------------------------------------------------


def ranking_table(scored: ScoredEvent, ranking: Ranking) -> Table:
    """A ranking list: who, where, with what score, and what stands beside it.

    An entrant leads to its scorecard, a score to how it came about.
    """
    lines = (*ranking.standings, *ranking.unranked)
    noun = NOUNS.get(scored.event.kind, "entrant")
    columns = [_PLACE, _entrant_column(scored.event.kind), _NAME]
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
    "points": Column("points", Message("points"), Kind.NUMBER),
    "won": Column("won", Message("won"), Kind.NUMBER),
    "drawn": Column("drawn", Message("drawn"), Kind.NUMBER),
    "margin": Column("margin", Message("margin"), Kind.NUMBER),
    "boards_played": Column("boards", Message("boards"), Kind.NUMBER),
}


def _entrant_column(kind: str) -> Column:
    return Column("pair", ENTRANT.get(kind, Message("entrant")), Kind.CODE)


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
    """What the score that ranks is counted in."""
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
        Column("entrant", Message("entrant"), Kind.CODE),
        _NAME,
        Column("score", Message("score"), Kind.NUMBER),
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
    """Which list of its event a field is; empty for the only one."""
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
    """What describes an event in one line, without the empty parts."""
    return joined(" · ", [part for part in parts if part])
