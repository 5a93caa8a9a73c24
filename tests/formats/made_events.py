"""Events made up by hypothesis: everything a plain table can say, and no more unless asked."""

from __future__ import annotations

from datetime import date
from fractions import Fraction

from hypothesis import strategies as st

from honours.model import (
    AdjustedScore,
    ArtificialScore,
    AssignedScore,
    Contract,
    Denomination,
    Entrant,
    Event,
    EventEntrant,
    Player,
    Result,
    Seat,
    Session,
)

_LETTERS = st.characters(
    codec="utf-8",
    exclude_categories=("Cc", "Cs", "Cf", "Zl", "Zp", "Zs", "Cn", "Co"),
    exclude_characters="&",
)
words = st.one_of(
    st.text(_LETTERS, min_size=1, max_size=12),
    st.sampled_from(
        ["=1+1", "+Ann", "-Bo", "@x", "'=y", "Ann Lee", "O'Hara", 'a "b", c', "#import", "<script>"]
    ),
)
names = words.filter(lambda text: text.strip() == text)
_shares = st.integers(0, 99).map(lambda n: ArtificialScore(Fraction(n, 100)))
plain_rulings = st.builds(AdjustedScore, _shares, _shares)
_averages = st.sampled_from(
    [
        ArtificialScore(Fraction(3, 5), True),
        ArtificialScore(Fraction(2, 5), True),
        ArtificialScore(Fraction(1, 2)),
    ]
)
_scores = st.integers(-30, 30).map(lambda n: AssignedScore(((Fraction(1), 10 * n),)))
rulings = st.one_of(
    plain_rulings,
    st.builds(AdjustedScore, _averages, _averages),
    st.tuples(_scores, _scores).filter(lambda s: s[0] != s[1]).map(lambda s: AdjustedScore(*s)),
    st.builds(AdjustedScore, _scores, _averages),
)
contracts = st.builds(
    Contract,
    st.integers(1, 7),
    st.sampled_from(Denomination),
    st.sampled_from(Seat),
    st.integers(0, 2),
)


@st.composite
def outcomes(draw: st.DrawFn, ruling: st.SearchStrategy[AdjustedScore]) -> dict[str, object]:
    """What happened on a line, as keywords of Result."""
    kind = draw(st.sampled_from(["played", "score", "passed", "unplayed", "ruled", "whole"]))
    if kind == "ruled":
        return {"adjusted": draw(ruling)}
    if kind == "passed":
        return {"passed_out": True, "score": 0}
    if kind == "unplayed":
        return {}
    score = 10 * draw(st.integers(-300, 300))
    if kind == "score":
        return {"score": score}
    outcome = {"contract": draw(contracts), "tricks": draw(st.integers(0, 13))}
    return outcome | ({"score": score} if kind == "whole" else {})


@st.composite
def howells(draw: st.DrawFn, ruling: st.SearchStrategy[AdjustedScore] = rulings) -> Event:
    """Pairs that all have their own numbers, and sit now North-South and now East-West."""
    tables, boards = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    numbers = [str(n) for n in range(1, 2 * tables + 1)]
    results = []
    for board in range(1, boards + 1):
        order = draw(st.permutations(numbers))
        meetings = zip(order[::2], order[1::2], strict=True)
        results += [draw(_lines(board, ns, ew, ruling)) for ns, ew in meetings]
    return _event(draw, [(n, n, "") for n in numbers], results, 0)


@st.composite
def mitchells(draw: st.DrawFn, ruling: st.SearchStrategy[AdjustedScore] = rulings) -> Event:
    """Pairs numbered from 1 in either line, every board played at every table."""
    tables = draw(st.integers(2, 4))
    results = [
        draw(_lines(board + 1, f"{n + 1}NS", f"{(n + board) % tables + 1}EW", ruling))
        for board in range(tables)
        for n in range(tables)
    ]
    seats = [(f"{n}{line}", str(n), line) for line in ("NS", "EW") for n in range(1, tables + 1)]
    return _event(draw, seats, results, 2)


@st.composite
def _lines(
    draw: st.DrawFn, board: int, ns: str, ew: str, ruling: st.SearchStrategy[AdjustedScore]
) -> Result:
    outcome = draw(outcomes(ruling))
    remark = draw(st.just("") | names)
    lead = draw(st.sampled_from(["", "D10", "SA"]))
    return Result(board, (ns,), (ew,), remark=remark, lead=lead, **outcome)  # type: ignore[arg-type]


def _event(
    draw: st.DrawFn, seats: list[tuple[str, str, str]], results: list[Result], winners: int
) -> Event:
    named = draw(st.booleans())
    people = st.tuples(names, names).map(lambda two: tuple(Player(name) for name in two))
    entrants = tuple(
        EventEntrant(Entrant(id, draw(people) if named else ()), number, line)
        for id, number, line in seats
    )
    day = draw(st.none() | st.dates(date(1990, 1, 1), date(2090, 1, 1)))
    session = Session(draw(st.integers(1, 3)), tuple(results))
    return Event(draw(names), "pairs", "matchpoints", entrants, (session,), winners, date=day)
