"""Measures of how well a strength orders results that it has not seen: concordance, calibration and
variance explained, by class of event."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from honours.engine.rulebook import Rulebook
from honours.errors import HonoursError, InputError
from honours.lab.calibrate import award_at
from honours.lab.corpus import Corpus
from honours.lab.intervals import Estimate
from honours.lab.result import Answer, Frame
from honours.lab.sides import name_of
from honours.lab.skill import (
    FEWEST_CLUBS,
    Comparisons,
    Floats,
    Results,
    calibration,
    ceiling,
    class_names,
    concordance,
    explained,
    formula,
    late_rows,
    members_interval,
    paired_difference,
    rated,
    results_to_tell,
)
from honours.model.message import Message, mark, plural

RATING, BOTH, STRATUM = "rating", "holdings+rating", "stratum"
_WORDS = (RATING, BOTH, STRATUM)
_FEWEST_LISTS = 10
Strength = Callable[[Results], Floats]


def is_strength(text: str) -> bool:
    """Return whether a text is a strength of its own, and not the name of a rulebook."""
    return text in _WORDS or "mp" in text.lower()


def predict(
    corpus: Corpus,
    strengths: Sequence[str | Rulebook],
    progress: Callable[..., None],
    on: str = "",
) -> Answer:
    """Answer how well each strength orders the results of a corpus."""
    named = {one if isinstance(one, str) else name_of(one): one for one in strengths}
    worked = {name: _strength(one) for name, one in named.items()}
    results = results_to_tell(corpus, on)
    unseen = results
    if set(worked) & {RATING, BOTH}:  # ratings are fitted to the rest of the season
        late = late_rows(results)
        unseen, early = results.only(late), results.only(~late)
        for name in set(worked) & {RATING, BOTH}:
            grade = rated(early, results.members, name == BOTH).grade
            worked[name] = lambda some, grade=grade: some.mean(grade[some.player])  # type: ignore[misc]
    compared = Comparisons.of(unseen)
    rows, bands, values = [], [], dict[str, Floats]()
    for done, (name, strength) in enumerate(worked.items(), 1):
        values[name] = strength(unseen)
        if not np.isfinite(values[name]).any():
            raise InputError("{name}: no holding of any player is known", name=name)
        row, own = _row(compared, name, values[name])
        rows.append(row)
        bands += own
        progress(done, len(worked))
    frames = (
        Frame.of(Message("How well each strength orders results"), rows),
        Frame.of(
            Message("On the same comparisons, in points of a hundred"),
            list(_differences(compared, values)),
        ),
        Frame.of(Message("By class of event"), list(_by_class(unseen, values))),
        Frame.of(Message("Chances predicted and seen"), bands),
        Frame.of(
            Message("Holdings of 0, counted as they are and left out"), _zeros(unseen, worked)
        ),
    )
    books = [one for one in named.values() if isinstance(one, Rulebook)]
    return Answer.about(
        corpus,
        Message("Does a strength order results?"),
        _sentence(rows[0], ceiling(unseen)),
        frames,
        tuple(_notes(results, unseen, set(worked))),
        books,
    )


def _strength(one: str | Rulebook) -> Strength:
    """A strength of entrants: f of each player, then the mean."""
    if isinstance(one, Rulebook):
        return _by_rulebook(one)
    if one == STRATUM:
        return lambda results: -results.stratum.astype(np.float64)
    if one in _WORDS:
        return lambda results: np.full(len(results.score), np.nan)  # fitted to other events later
    function = formula(one)
    return lambda results: results.mean(function(results.holding))


def _by_rulebook(book: Rulebook) -> Strength:
    """Return a strength by what a rulebook pays for first place if everybody holds so much,
    interpolated between a few holdings."""
    if not any("masterpoints" in name for name in book.inputs):
        raise InputError("{rulebook} takes no account of holdings", rulebook=book.id)
    knots = np.unique(np.round(np.append([0, 300, 10_000], np.geomspace(10, 100_000, 49))))
    given = {"entrants": "52", "kind": "pairs", "sessions": "2", "class": "regional"}
    key = "masterpoints"
    if "average_masterpoints" in book.keys:
        key, given = "average_masterpoints", {**given, "entrants": "", "tables": "26"}
    fits = {name: text for name, text in given.items() if text and book.takes(name)}
    worth, why = dict[float, float](), ""
    for knot in knots.tolist():
        try:
            worth[knot] = award_at(book, {**fits, key: f"{knot:.0f}"}, 1)
        except HonoursError as error:  # more than the rule has a value for counts as the most
            why = error.brief
    if len(worth) < 2:
        raise InputError(
            "{rulebook}: no event can be made up to read its strength from ({why})",
            rulebook=book.id,
            why=why,
        )
    known, paid = (np.array([*some]) for some in (worth, worth.values()))
    return lambda results: results.mean(np.interp(results.holding, known, paid))


def ends(name: str, one: Estimate, times: float = 1.0) -> dict[str, Any]:
    """The columns of a figure with its interval."""
    low, high = (None if end is None else float(times * end) for end in (one.low, one.high))
    begin, end = Message("{what} from (95%)", what=name), Message("{what} to (95%)", what=name)
    return {name: float(times * one.value), begin: low, end: high}


def _row(
    compared: Comparisons, name: str, strength: Floats
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The figures of one strength, and its bands."""
    inside, held_out = explained(compared.results, strength)
    chances = calibration(compared, strength)
    members = members_interval(compared, strength)
    row = {
        "strength": name,
        "comparisons": int(np.isfinite(compared.gap(strength)).sum()),
        **ends("right %", concordance(compared, strength), 100),
        "of other members from (95%)": 100 * float(members.low or 0),
        "of other members to (95%)": 100 * float(members.high or 0),
        "R²": inside,
        **ends("R² held out", held_out),
        **ends("log loss", chances.loss),
        "slope": chances.slope,
    }
    bands = [
        {
            "strength": name,
            "chance": f"{100 * low:.0f}–{100 * high:.0f}%",
            "comparisons": many,
            "predicted %": 100 * said,
            "seen %": 100 * seen,
        }
        for low, high, many, said, seen in chances.bands
    ]
    return row, bands


def _differences(compared: Comparisons, values: dict[str, Floats]) -> Iterator[dict[str, Any]]:
    first, *others = values
    for other in others:
        more = paired_difference(compared, values[first], values[other])
        name = Message("{one} less {other}", one=first, other=other)
        yield {"strengths": name, **ends("difference", more, 100)}


def _by_class(results: Results, values: dict[str, Floats]) -> Iterator[dict[str, Any]]:
    names, codes = class_names(results)
    for code, label in enumerate(names):
        kept = results.kept(codes == code)
        if len(np.unique(results.lists[kept])) < _FEWEST_LISTS:
            continue
        own, most = results.only(kept), ceiling(results.only(kept))
        compared = Comparisons.of(own)
        for name, strength in values.items():
            yield {
                "events": label,
                "strength": name,
                **ends("right %", concordance(compared, strength[kept]), 100),
                "R²": explained(own, strength[kept])[0],
                "ceiling %": None if most is None else 100 * most,
            }


def _zeros(results: Results, worked: dict[str, Strength]) -> list[dict[str, Any]]:
    """The first function of holdings with entrants of whom a holding is 0, and without: a 0 may
    mean that nobody knows."""
    zero = results.mean((results.holding == 0).astype(np.float64)) > 0
    held = [name for name in worked if "mp" in name.lower()]
    if not zero.any() or not held:
        return []
    rows = []
    for label, some in (
        (Message("as they are"), results),
        (Message("left out"), results.only(~zero)),
    ):
        compared = Comparisons.of(some)
        right = concordance(compared, worked[held[0]](some))
        share = explained(some, worked[held[0]](some))[0]
        rows.append(
            {
                "holdings of 0": label,
                "entrants": len(some.score),
                "comparisons": len(compared),
                **ends("right %", right, 100),
                "R²": share,
            }
        )
    return rows


def _sentence(row: dict[str, Any], most: float | None) -> Message:
    return Message(
        "In {right:.0f} of 100 comparisons those with more {strength} finished ahead{ends}; a coin "
        "has 50, perfect knowledge of the players {most}.",
        right=row["right %"],
        strength=row["strength"],
        ends=""
        if row["right % from (95%)"] is None
        else Message(
            " ({low:.0f}–{high:.0f})", low=row["right % from (95%)"], high=row["right % to (95%)"]
        ),
        most=Message("a figure that places alone do not tell")
        if most is None
        else Message("about {most:.0f}", most=100 * most),
    )


SCALE_OF_CHANCE = mark(
    "What is compared is a line of a section: {lists} of {events}. R² held out and chances are by "
    "the slope of other events. The ceiling takes luck as in real club games, and what is left "
    "besides talent as form and partnership in proportions that are assumed, since "
    "players seen once cannot tell."
)


def _notes(results: Results, unseen: Results, asked: set[str]) -> Iterator[Message]:
    yield Message(
        SCALE_OF_CHANCE,
        lists=plural("{count:,} list", "{count:,} lists", count=len(np.unique(unseen.lists))),
        events=plural("{count:,} event", "{count:,} events", count=len(np.unique(unseen.of))),
    )
    if asked & {RATING, BOTH}:
        yield Message(
            "Everything is measured on the last fifth of the season; ratings are fitted to what "
            "went before."
        )
    if results.by_place:
        yield plural(
            "{count:,} list tells places and no percentages: the normal score of the place stands "
            "for them, which cannot tell a narrow win from a wide one.",
            "{count:,} lists tell places and no percentages: the normal score of the place stands "
            "for them, which cannot tell a narrow win from a wide one.",
            count=results.by_place,
        )
    clubs = len(set(results.clubs.tolist()) - {""})
    if clubs < FEWEST_CLUBS and len(np.unique(results.player)) < 0.5 * len(results.player):
        yield Message(
            "The same members meet again and again: intervals over events are for these members on "
            "other days; those of other members are beside them."
        )
    unknown = int(np.isnan(results.holding).sum())
    if unknown:
        yield plural(
            "{count:,} holding is not known; comparisons it is needed for are left out.",
            "{count:,} holdings are not known; comparisons they are needed for are left out.",
            count=unknown,
        )
