"""Standings as a plain table that the reader of standings reads again, with awards beside them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import pairwise

from honours.engine.numbers import show
from honours.formats.formulas import neutralise
from honours.formats.plain_data import number_text
from honours.formats.standing_columns import AWARDED, COLUMNS
from honours.formats.table_write import Cells, table
from honours.formats.usebio_write import UsebioDocument
from honours.model import Entrant, Field, Player, Standing, Value
from honours.model.facts import Subject, label_of
from honours.model.message import Message
from honours.model.vocabulary import VOCABULARY

_COUNTS = {"boards_played": "boards", "won": "won", "drawn": "drawn", "handicap": "handicap"}
_WORDS = ("section", "stratum")
_HELD = ("masterpoints", "rating", "rating_scale")
_SCORED = {"points", "possible", "line", "printed_score"}
"""Facts that stand in another column, or that only scoring needs."""
_COUNTED = ("winners", "all_lines", "boards", "lines", "sections", "field_entrants")
_SHOWN = {*_COUNTED, "players_present", "kind", "title", "date", "club", "line", "ranking_basis"}
"""Facts of a whole list that its columns show, or that are counted in it."""
_ENTRANT = {"teams": "team", "pairs": "pair"}


@dataclass(frozen=True, slots=True)
class AwardsBeside:
    """What each entrant was awarded, as shown, and by which rulebook."""

    under: str
    amounts: Mapping[str, str] = field(default_factory=dict)


def write_standings(lists: Sequence[Field], given: AwardsBeside | None = None) -> UsebioDocument:
    """A row for every standing of every list."""
    rows = [
        _row(ranking, one if in_order else replace(one, score=None), given)
        for ranking in lists
        for in_order in [_in_order(ranking)]
        for one in ranking.standings
    ]
    return UsebioDocument(table(rows), tuple(dict.fromkeys(_lost(lists))))


def _in_order(ranking: Field) -> bool:
    """Whether places follow the scores: not where a category or a final goes before them, and a
    table with both would contradict itself."""
    scored = sorted((s.place, s.score) for s in ranking.standings if s.score is not None)
    return all(
        one[1] == other[1] if one[0] == other[0] else one[1] >= other[1]
        for one, other in pairwise(scored)
    )


def _row(ranking: Field, standing: Standing, given: AwardsBeside | None) -> Cells:
    entrant = standing.entrant
    awarded: Cells = {}
    if given:
        awarded = dict(zip(AWARDED, (given.amounts.get(entrant.id, ""), given.under), strict=True))
    facts = ranking.facts
    unadjusted = facts.get("ranking_basis") == "unadjusted"
    return {
        "event": neutralise(str(facts.get("title", ""))),
        "date": str(facts.get("date", "")),
        "club": neutralise(str(facts.get("club", ""))),
        "group": neutralise(ranking.group),
        "session": neutralise(ranking.session),
        "line": neutralise(str(facts.get("line", "" if ranking.of_section else ranking.line))),
        **{word: neutralise(str(standing.facts.get(word, ""))) for word in _WORDS},
        "place": standing.placing,
        _ENTRANT.get(str(facts.get("kind")), "entrant"): neutralise(entrant.id),
        "name": neutralise(entrant.name),
        **_people(entrant.players),
        "unadjusted" if unadjusted else "score": _score(standing.score),
        **{column: _number(standing.facts.get(fact)) for fact, column in _COUNTS.items()},
        **awarded,
        **{_column(name, entrant): _plain(value) for name, value in _others(standing)},
        **{name: _plain(value) for name, value in _of_list(ranking)},
    }


def _people(players: Sequence[Player]) -> Cells:
    cells: Cells = {}
    for n, player in enumerate(players, start=1):
        cells |= {f"player{n}": neutralise(player.name), f"number{n}": neutralise(player.number)}
        cells |= {f"{fact}{n}": _plain(player.facts.get(fact, "")) for fact in _HELD}
    return cells


def _score(score: Fraction | None) -> str:
    """Exactly where it is a decimal, else as standings are printed."""
    if score is None:
        return ""
    exact = number_text(score)
    return show(score, 2) if "/" in exact else exact


def _number(value: Value | None) -> str:
    return _score(value) if isinstance(value, Fraction) else ""


def _plain(value: Value) -> str:
    return neutralise(value) if isinstance(value, str) else _score(value)


def _column(name: str, entrant: Entrant) -> str:
    """A fact by its own name, as rulebooks ask for it; what is a player's has the player's number,
    since a column of ranks is one of places."""
    fact = VOCABULARY.get(name)
    if fact and fact.of is Subject.PLAYER and len(entrant.players) == 1:
        return f"{name}1"
    return name if fact and COLUMNS.meaning(name) is None else f"fact {name}"


def _others(standing: Standing) -> Iterator[tuple[str, Value]]:
    known = {*_COUNTS, *_WORDS, *_SCORED}
    return ((name, value) for name, value in standing.facts.items() if name not in known)


def _of_list(ranking: Field) -> Iterator[tuple[str, Value]]:
    """What is known of a list and can be said in a column that is alike for everybody."""
    for name, value in ranking.facts.items():
        fact = VOCABULARY.get(name.partition(".")[0])
        if name not in _SHOWN and fact and COLUMNS.meaning(name) is None:
            yield name, value


def _lost(lists: Sequence[Field]) -> Iterator[str]:
    for ranking in lists:
        if ranking.stratum:
            yield Message("that a list is of stratum {stratum}", stratum=ranking.stratum)
        written = {*_SHOWN, *(name for name, _ in _of_list(ranking))}
        if names := tuple(Message(label_of(n)) for n in ranking.facts if n not in written):
            yield Message("what is known of the whole list: {facts}", facts=names)
        if not _in_order(ranking):
            yield Message("scores, which the places do not follow")
        for standing in ranking.standings:
            if standing.score is not None and "/" in number_text(standing.score):
                yield Message("digits of scores after the second")
            if any(player.facts.keys() - {*_HELD} for player in standing.entrant.players):
                yield Message("players' facts other than masterpoints and ratings")
