"""What goes wrong on the way to a door: facts dropped, renamed, contradicted, in another unit.

A mishap changes a drawn event in place and says what it did, or nothing where it cannot happen to
this one. What is true of the event stays as it was.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from tests.adversary.doors import Drawn
from tests.adversary.events import Rows, answers

Mishap = Callable[[Drawn, Random], str]

KNOWLEDGE = ("stratum", "flight", "line", "drawn", "session", "version", "round", "table")
"""What a file that has it not says by that: an event without strata or flights has none, beside
wins nothing was drawn, a list without lines has one winner, and boards that are not marked were
not fouled."""
ALIKE = {
    "score": ("Total", "VPs", "Result", "Percentage", "Gesamt", "Pts"),
    "masterpoints": ("Holding", "MP", "MPs", "Points held", "Masterpoint total"),
    "line": ("Direction", "Dir", "NS/EW", "Orientation", "Side"),
    "stratum": ("Strat", "Category"),
    "flight": ("Bracket", "Comparison", "Event group"),
    "won": ("Wins", "W", "Matches won", "Victories"),
    "drawn": ("Draws", "D", "Tied"),
    "boards": ("Bds", "Boards played", "Hands"),
    "rating": ("Rating", "AGA", "Strength"),
    "player": ("Name", "Member", "Participant"),
    "pair": ("Pair no", "No", "Nr", "Number", "Start position"),
    "team": ("Team no", "#", "Team number"),
    "ns": ("NS pair", "N/S", "North-South"),
    "ew": ("EW pair", "E/W", "East-West"),
    "board": ("Bd", "Board no", "Deal"),
}


def _columns(rows: Rows) -> list[str]:
    return list(dict.fromkeys(name for row in rows for name in row))


def _stem(name: str) -> str:
    return name.rstrip("0123456789")


def _table(drawn: Drawn) -> Rows:
    return drawn.results or drawn.rows


def _renamed(drawn: Drawn, names: dict[str, str]) -> None:
    rows = _table(drawn)
    rows[:] = [{names.get(k, k): v for k, v in row.items()} for row in rows]


def nothing(_drawn: Drawn, _chance: Random) -> str:
    return "as it is"


def drop(drawn: Drawn, chance: Random) -> str:
    """A column that somebody left out."""
    stems = sorted({_stem(name) for name in _columns(_table(drawn))} - {*KNOWLEDGE})
    stem = chance.choice(stems)
    rows = _table(drawn)
    rows[:] = [{k: v for k, v in row.items() if _stem(k) != stem} for row in rows]
    return f"without {stem}"


def drop_some(drawn: Drawn, chance: Random) -> str:
    """A cell or two that nobody filled in."""
    rows = _table(drawn)
    row, name = chance.choice(rows), chance.choice(_columns(rows))
    if _stem(name) in ("drawn", "version", "round", "table", "session", "nsplayers", "ewplayers"):
        return ""
    if name in ("player2", "boards1", "boards2") or not row.get(name):
        return ""
    row[name] = ""
    return f"one {_stem(name)} left empty"


def rename(drawn: Drawn, chance: Random) -> str:
    """A column under another heading."""
    stems = sorted({_stem(name) for name in _columns(_table(drawn))} & ALIKE.keys())
    if not stems:
        return ""
    stem = chance.choice(stems)
    word = chance.choice(ALIKE[stem])
    columns = [name for name in _columns(_table(drawn)) if _stem(name) == stem]
    _renamed(drawn, {n: word + (f" {n[len(stem) :]}" if n != stem else "") for n in columns})
    return f"{stem} as {word}"


def strange(drawn: Drawn, chance: Random) -> str:
    """A column under a heading nobody understands."""
    rest = {"session", "version", "round", "table"}
    stem = chance.choice(sorted({_stem(name) for name in _columns(_table(drawn))} - rest))
    columns = [name for name in _columns(_table(drawn)) if _stem(name) == stem]
    _renamed(drawn, {n: f"xq{n[len(stem) :]}" for n in columns})
    drawn.true["column"] = f"xq={stem if stem in ('stratum', 'flight', 'drawn') else 'nothing'}"
    return f"{stem} under a strange heading"


def contradict(drawn: Drawn, chance: Random) -> str:
    """Something told that the list speaks against."""
    contest, many = drawn.contest, len(drawn.contest.who)
    kind = contest.kind.removeprefix("swiss-")
    counts = {"pairs": "pairs", "teams": "teams", "individual": "players"}
    wrong = {
        "entrants": str(max(many - 1, 1)),
        "kind": {"pairs": "teams", "teams": "pairs", "individual": "pairs"}[kind],
    }
    if contest.winners == 1:  # one list with a column of lines is nothing strange
        wrong["winners"] = "2"
    if contest.source == "sbu-clubs-2016":
        wrong[counts[kind]] = str(many + 4)
        wrong["tables"] = str(many + 3)
    if contest.source == "aga-category":
        wrong = {"players": str(many + 4), "entrants": str(many - 1)}
    if drawn.results and contest.source == "sbu-clubs-2016":
        wrong["boards"] = str(contest.boards + 12)
    if contest.source.startswith("acbl") and chance.random() < 0.5:
        wrong = {"entrants": str(max(many - 1, 1))}
    fact = chance.choice(sorted(wrong))
    drawn.told[fact] = wrong[fact]
    return f"told {fact}, which is not so"


def places_against_scores(drawn: Drawn, chance: Random) -> str:
    """A column of places that its scores do not make."""
    if drawn.results or len(drawn.rows) < 4 or "line" in drawn.rows[0] or "flight" in drawn.rows[0]:
        return ""
    numbers = list(range(1, len(drawn.rows) + 1))
    at = chance.randrange(len(numbers) - 1)
    if drawn.rows[at]["score"] == drawn.rows[at + 1]["score"]:
        return ""
    numbers[at], numbers[at + 1] = numbers[at + 1], numbers[at]
    for row, place in zip(drawn.rows, numbers, strict=True):
        row["place"] = str(place)
    return "places against scores"


def places_without_ties(drawn: Drawn, _chance: Random) -> str:
    """Those who tied are numbered one after another."""
    if drawn.results or "line" in drawn.rows[0] or "flight" in drawn.rows[0]:
        return ""
    scores = [row["score"] for row in drawn.rows]
    if len({*scores}) == len(scores):
        return ""
    for place, row in enumerate(drawn.rows, 1):
        row["place"] = str(place)
    return "places that part ties"


def kind_column(drawn: Drawn, _chance: Random) -> str:
    """A column that says something else than the names show."""
    if drawn.results or drawn.contest.kind not in ("pairs", "teams"):
        return ""
    for row in drawn.rows:
        row["kind"] = "teams" if drawn.contest.kind == "pairs" else "pairs"
    return "a column kind against the names"


def decimal_commas(drawn: Drawn, _chance: Random) -> str:
    """Numbers as half of Europe writes them."""
    for row in _table(drawn):
        for name, value in row.items():
            if "." in value and _stem(name) in ("score", "masterpoints", "rating"):
                row[name] = value.replace(".", ",")
    return "decimal commas"


def thousands(drawn: Drawn, chance: Random) -> str:
    """Thousands marked off."""
    mark = chance.choice((",", ".", " ", "'"))
    done = False
    for row in drawn.rows:
        for name, value in row.items():
            whole, dot, part = value.partition(".")
            if _stem(name) == "masterpoints" and len(whole) > 3:
                decimal = "," if mark == "." else "."
                row[name] = f"{whole[:-3]}{mark}{whole[-3:]}{decimal if dot else ''}{part}"
                done = True
    return f"thousands with {mark!r}" if done else ""


def units(drawn: Drawn, chance: Random) -> str:
    """Figures with their unit, or of another one."""
    rows, name = drawn.rows, chance.choice(_columns(drawn.rows))
    unit = {"score": "%", "masterpoints": " MP", "boards": " boards", "rating": " dan"}
    if drawn.results or _stem(name) not in unit:
        return ""
    for row in rows:
        row.update({k: f"{v}{unit[_stem(k)]}" for k, v in row.items() if _stem(k) == _stem(name)})
    return f"{_stem(name)} with its unit"


def phantom(drawn: Drawn, chance: Random) -> str:
    """A pair that is nobody."""
    if drawn.results or drawn.contest.kind != "pairs" or drawn.contest.strata:
        return ""
    row = dict.fromkeys(drawn.rows[0], "")
    name = chance.choice(("Phantom", "Sit out", "Relais", "Bye"))
    row |= {"pair": "99", "player1": name, "player2": name, "score": "0"}
    row |= {k: drawn.rows[0][k] for k in row if k in ("line", "flight")}
    row |= {k: "0" for k in row if _stem(k) in ("masterpoints",)}
    row |= {k: str(drawn.contest.boards) for k in row if _stem(k) == "boards"}
    drawn.rows.append(row)
    return f"a pair called {name}"


def averages(drawn: Drawn, chance: Random) -> str:
    """A line at the foot that is no entrant."""
    if drawn.results:
        return ""
    row = dict.fromkeys(drawn.rows[0], "")
    first = next(iter(row))
    row |= {first: chance.choice(("Total", "Average", "Mean")), "score": "50.00"}
    drawn.rows.append(row)
    return "a line of totals"


def shuffled(drawn: Drawn, chance: Random) -> str:
    chance.shuffle(_table(drawn))
    return "rows in no order"


def titled(drawn: Drawn, _chance: Random) -> str:
    """A title that speaks of something the source refuses, and it is so."""
    if drawn.results or drawn.contest.source != "sbu-clubs-2016":
        return ""
    word = "Supervised Play" if drawn.contest.supervised else "Tuesday evening"
    for row in drawn.rows:
        row["event"] = word
    return f"an event called {word}"


def told_rightly(drawn: Drawn, chance: Random) -> str:
    """Everything that somebody could ask is told beforehand."""
    true = answers(drawn.contest)
    keys = {
        "sbu-clubs-2016": ("kind", "winners", "boards", "championship", "supervised"),
        "acbl-general": ("kind", "sessions", "class", "limit", "restrictions"),
        "acbl-sof-2011": ("kind", "sessions", "class", "restrictions", "structure"),
        "acbl-sof-2020": ("kind", "sessions", "class", "limit", "boards_per_session"),
        "aga-category": ("section_kind",),
    }[drawn.contest.source]
    drawn.told |= {key: true[key] for key in keys if chance.random() < 0.8}
    return "told beforehand"


MISHAPS: tuple[Mishap, ...] = (
    nothing,
    drop,
    drop_some,
    rename,
    strange,
    contradict,
    places_against_scores,
    places_without_ties,
    kind_column,
    decimal_commas,
    thousands,
    units,
    phantom,
    averages,
    shuffled,
    titled,
    told_rightly,
)
