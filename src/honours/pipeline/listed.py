"""Ranking lists that are given, not made of results: what they show of their event, and what may be
chosen of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from honours.engine.numbers import exact
from honours.engine.ranking import THE_LIST, by_score, reranked, without_lines
from honours.errors import InputError, MissingInput, WrongValue
from honours.formats.entrants import is_nobody
from honours.formats.sheet import fact_name
from honours.model import Field, Origin, Standing, Value
from honours.model.message import Message
from honours.pipeline.options import SCORING, SWITCHES
from honours.scoring.rulings import UNSAID

_EFFECTIVE = (
    "profile",
    "type",
    "swiss",
    "winners",
    "sections_apart",
    "rank_sections",
    "strata",
    "order",
    "column",
)
"""Options of scoring that mean something of a list that is there already."""
_MATCHES = ("won", "drawn")
BASIS = "ranking_basis"


def refuse_options(choices: Mapping[str, Any], effective: Sequence[str] = ("profile",)) -> None:
    """Refuse options that can have no effect, because nothing is scored."""
    chosen = [o for o in SCORING if choices.get(o.name, o.default) != o.default]
    idle = [option.flag for option in chosen if option.name not in effective]
    idle += [f"--set {name}" for name in choices.get(SWITCHES, {})]
    if idle:
        raise InputError(
            "{options}: only for results that Honours scores; this file already has a "
            "ranking, which is used",
            options=tuple(idle),
        )


def as_listed(
    lists: Sequence[Field], choices: Mapping[str, Any]
) -> tuple[tuple[Field, ...], tuple[str, ...]]:
    """The lists as the options say they are meant, with what they show, and notes on that."""
    refuse_options(choices, _EFFECTIVE)
    there, notes = _without_phantoms(lists)
    if told := choices.get("column"):
        there = _as_column(there, told)
    if choices.get("sections_apart") or choices.get("rank_sections") == "apart":
        there = [own for field in there for own in _sections(field)]
    if choices.get("winners") == "1":
        there = list(without_lines(there))
    elif choices.get("winners") == "2" and not any("line" in _known(field) for field in there):
        raise WrongValue("winners", "2", "there is one list, and no column says who sat which way")
    told = {
        "kind": choices.get("type"),
        "form": "swiss" if choices.get("swiss") else "",
    }
    given = {name: str(value) for name, value in told.items() if value}
    if choices.get("sections_apart") or choices.get("rank_sections"):
        there = [without_fact(field, UNSAID) for field in there]
    return tuple(_with_facts(field, given) for field in _with_boards(there)), notes


def without_fact(field: Field, name: str) -> Field:
    """The list without a fact that somebody has answered."""
    return replace(field, facts={k: v for k, v in field.facts.items() if k != name})


def _known(field: Field) -> set[str]:
    return {*field.facts, *(["line"] if field.line else [])}


def _without_phantoms(lists: Sequence[Field]) -> tuple[list[Field], tuple[str, ...]]:
    """The lists of those who were there: a phantom pair is nobody."""
    there, nobody = [], []
    for field in lists:
        phantoms = [s for s in field.standings if is_nobody(s.entrant)]
        kept = [s for s in field.standings if s not in phantoms] if phantoms else ()
        nobody += phantoms
        there.append(replace(field, standings=reranked(kept)) if phantoms else field)
    if not nobody:
        return there, ()
    names = tuple(dict.fromkeys(f"{s.entrant.id} {s.entrant.title}" for s in nobody))
    return there, (Message("left out as phantoms: {names}", names=names),)


# --- columns that nobody understands ------------------------------------------------------------

COLUMN_WORDS = ("nothing", "stratum", "flight", "drawn")
_MOST_LABELS, _LONGEST_LABEL = 5, 12


def column_words(lists: Sequence[Field], name: str) -> tuple[str, ...]:
    """Return what a column may tell: of strata or flights everybody has one of few short words, or
    one of the first few numbers; of draws a number beside the matches won."""
    values = [s.facts.get(name) for field in lists for s in field.standings]
    if None in values:
        return ()
    labels = {str(value).strip() for value in values}
    numbers = sorted(int(one) for one in labels if one.isdecimal())
    told = {fact for field in lists for s in field.standings for fact in s.facts}
    draws = len(numbers) == len(labels) and "won" in told and "drawn" not in told
    parts = (
        1 < len(labels) <= min(_MOST_LABELS, len(values) - 1)
        and all(0 < len(one) <= _LONGEST_LABEL for one in labels)
        and numbers in ([], [*range(1, len(labels) + 1)])
    )
    return (*(("stratum", "flight") if parts else ()), *(("drawn",) if draws else ()))


def _as_column(lists: Sequence[Field], told: str) -> list[Field]:
    """The lists with a column taken for what somebody says that it tells."""
    header, _, word = told.rpartition("=")
    name = fact_name(header)
    if word not in COLUMN_WORDS:
        raise WrongValue("column", told, "expected one of {words}", words=COLUMN_WORDS)
    if not all(name in s.facts for field in lists for s in field.standings):
        raise WrongValue("column", told, "the file has no such column for everybody")
    if word == "nothing":
        return [*lists]
    if word == "flight":
        return [
            replace(own, group=one) for field in lists for one, own in _parted(field, name).items()
        ]
    read = str if word == "stratum" else exact

    def telling(standing: Standing) -> Standing:
        return replace(standing, facts={**standing.facts, word: read(str(standing.facts[name]))})

    return [replace(field, standings=tuple(map(telling, field.standings))) for field in lists]


def _parted(field: Field, name: str) -> dict[str, Field]:
    """A list for each value of a fact of its standings."""
    values = dict.fromkeys(str(s.facts.get(name, "")) for s in field.standings)
    return {
        one: replace(
            field,
            standings=reranked([s for s in field.standings if str(s.facts.get(name, "")) == one]),
        )
        for one in values
    }


def _sections(field: Field) -> list[Field]:
    """A list for each section that its standings name."""
    apart = _parted(field, "section")
    if len(apart) < 2:
        return [field]
    facts = {**field.facts, **({"line": field.line} if field.line else {})}
    return [
        replace(own, line=" ".join(filter(None, (name, field.line))), of_section=name, facts=facts)
        for name, own in apart.items()
    ]


# --- what they show -----------------------------------------------------------------------------


def _with_facts(field: Field, given: Mapping[str, str]) -> Field:
    """The list with what its columns show: what competes, and that it was played in matches."""
    by_names = kind_by_names(field)
    in_column = {s.facts["kind"] for s in field.standings if "kind" in s.facts}
    said = {k: v for k, v in field.facts.items() if k != "kind" or not by_names or v == by_names}
    contradicted = len(said) < len(field.facts) or bool(by_names and in_column - {by_names})
    if contradicted:
        rest = ({k: v for k, v in s.facts.items() if k != "kind"} for s in field.standings)
        stated = (replace(s, facts=own) for s, own in zip(field.standings, rest, strict=True))
        field = replace(field, standings=tuple(stated))
    shown = {
        name: value
        for name, value in _shown(field, "" if contradicted else by_names).items()
        if name not in said and value
    }
    _check_kind(given, by_names)
    sources = {name: known for name, known in field.sources.items() if name in said}
    field = replace(field, facts=said, sources=sources)
    return field.knowing(shown, Origin.DERIVED, THE_LIST).knowing(given, Origin.TOLD)


def _shown(field: Field, by_names: str) -> dict[str, Value]:
    facts: dict[str, Value] = {"kind": by_names}
    kind = by_names or str(field.facts.get("kind", ""))
    if kind == "pairs" and field.line == field.of_section:  # a list of everybody has one winner
        facts["winners"] = "1"
    if kind in ("pairs", "teams") and _column(field, "won"):
        # In which order who met whom nothing shows: of teams it may be a Swiss or a round robin.
        facts["form"] = "matches" if kind == "teams" else "swiss"
        if matches := _matches(field):
            facts["matches"] = matches
    return facts


def kind_by_names(field: Field) -> str:
    """Return what competes, as far as the number of names of an entrant shows it; a substitute
    makes a pair of three."""
    sizes = Counter(len(s.entrant.players) for s in field.standings if s.entrant.players)
    if not sizes or min(sizes) < 2:
        return ""
    if max(sizes) >= 4:
        return "teams" if min(sizes) >= 3 else ""
    return "pairs" if 2 * sizes[2] > sizes.total() else ""


def _check_kind(given: Mapping[str, object], shown: str) -> None:
    told = given.get("kind")
    if shown and told in ("pairs", "teams", "individual") and told != shown:
        raise WrongValue("kind", told, "the list is of {shown}", shown=Message(shown))


def check_kind(lists: Sequence[Field], given: Mapping[str, object]) -> None:
    """Refuse to be told that something else competes than a list shows."""
    for field in lists:
        _check_kind(given, str(field.facts.get("kind", "")))


def _column(field: Field, name: str) -> list[Fraction]:
    """The figures of a column that is filled for everybody."""
    known = (standing.facts.get(name) for standing in field.standings)
    figures = [value for value in known if isinstance(value, Fraction)]
    return figures if figures and len(figures) == len(field.standings) else []


def _matches(field: Field) -> Fraction | None:
    """Matches that each played: every one is won by somebody, or drawn by two."""
    won, drawn = (_column(field, name) for name in _MATCHES)
    each = (2 * sum(won) + sum(drawn)) / Fraction(len(field.standings))
    most = max(won[i] + (drawn[i] if drawn else 0) for i in range(len(won)))
    return each if drawn and each.denominator == 1 and each >= most else None


def _with_boards(lists: Sequence[Field]) -> tuple[Field, ...]:
    """Adds the number of boards, if the file says how many every entrant played: the most that
    anybody played in the session."""
    boards: dict[tuple[str, str], Fraction] = {}
    for field in lists:
        played = [_played(standing) for standing in field.standings]
        counts = [count for count in played if count is not None]
        if not counts or len(counts) < len(played):
            return tuple(lists)
        key = field.group, field.session
        boards[key] = max(*counts, boards.get(key, Fraction(0)))
    if not all(boards.values()):  # matches of which nothing is known but how they ended
        return tuple(lists)
    return tuple(
        field
        if "boards" in field.facts
        else field.knowing({"boards": boards[field.group, field.session]}, Origin.DERIVED, THE_LIST)
        for field in lists
    )


def _played(standing: Standing) -> Fraction | None:
    """Boards that an entrant played: its own figure, or the most of one of its players."""
    own = standing.facts.get("boards_played")
    known = [own, *(player.facts.get("boards_played") for player in standing.entrant.players)]
    return max((value for value in known if isinstance(value, Fraction)), default=None)


# --- handicaps ----------------------------------------------------------------------------------


def as_told(lists: Sequence[Field], given: Mapping[str, object]) -> tuple[Field, ...]:
    """The lists by scores as they were made. Where a list has handicaps and nothing says whether
    they are in its scores, that is asked; where they are, they are taken out again."""
    return tuple(_unadjusted(field, given) for field in lists)


def _unadjusted(field: Field, given: Mapping[str, object]) -> Field:
    if not any(s.facts.get("handicap") for s in field.standings):
        return field
    basis = given.get(BASIS, field.facts.get(BASIS))
    if basis is None:
        raise MissingInput(
            BASIS,
            Message(
                "the list has handicaps: do its scores include them (handicapped) or not "
                "(unadjusted)? Only unadjusted scores are awarded"
            ),
        )
    if basis != "handicapped":
        return field
    if any(s.score is None for s in field.standings):
        raise InputError(
            "the list ranks with handicaps and has no scores, so nothing can be awarded"
        )
    made = [
        replace(s, score=s.score - Fraction(s.facts.get("handicap", 0)))
        for s in field.standings
        if s.score is not None
    ]
    ranked = replace(field, standings=by_score(made))
    return ranked.knowing({BASIS: "unadjusted"}, Origin.DERIVED, THE_LIST)
