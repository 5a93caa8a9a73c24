"""Ratings of players from a history, with error bars, and where they cannot be compared."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from honours.errors import InputError
from honours.lab.corpus import Corpus
from honours.lab.left_out import to_merge
from honours.lab.result import Answer, Frame
from honours.lab.skill import (
    Bools,
    Comparisons,
    Floats,
    Ints,
    Ratings,
    Results,
    concordance,
    explained,
    holdings_of,
    holdings_prior,
    home_clubs,
    late_rows,
    rated,
    results_in,
    results_to_tell,
    sums,
)
from honours.lab.tables import PLAYERS
from honours.lab.tallies import MERGED
from honours.model.message import Message, mark, plural

SHOWN_FROM = 8
"""Sessions from which on a rating tells something of a player."""
_SESSIONS = (1, 3, 5, 8, 12, 18, 26, 41)
_TOO_UNSURE = 1.5
METHOD = mark(
    "A grade is what a player would score with a like partner in a field that averages 50. It "
    "takes account of partners, fields and clubs, and is drawn to {prior} by as much as {sessions} "
    "weigh (λ = {shrink:g}). Before {least} sessions it says little."
)


def rate(
    corpus: Corpus, with_holdings: bool, progress: Callable[..., None], on: str = ""
) -> Answer:
    """The ratings of a corpus: how they spread, how sure they are, how well they predict the last
    fifth of the season, and what of clubs can be compared."""
    results = results_to_tell(corpus, on)
    members = results.members
    progress(1, 4)
    ratings = rated(results, members, with_holdings)
    sessions = sums(results.player, results.weight[results.row_of_player], members)
    errors = ratings.errors()
    progress(2, 4)
    late = late_rows(results)
    early, unseen = results.only(~late), results.only(late)
    tested = []
    for label, prior in ((Message("rating"), False), (Message("rating drawn to holdings"), True)):
        if np.isfinite(results.holding).any() or not prior:
            grade = rated(early, members, prior).grade
            strength = unseen.mean(grade[unseen.player])
            right = concordance(Comparisons.of(unseen), strength)
            low, high = (100 * (end or 0.0) for end in (right.low, right.high))
            ends = {"right % from (95%)": low, "right % to (95%)": high}
            share = explained(unseen, strength)[1].value
            tested.append({"by": label, "right %": 100 * right.value, **ends, "R² held out": share})
    progress(3, 4)
    played = sessions > 0
    clubs, warnings = _clubs(ratings, *home_clubs(results, members), played)
    progress(4, 4)
    frames = (
        Frame.of(
            Message("Grades by sessions played"),
            list(_by_sessions(sessions[played], ratings.grade[played], errors[played])),
        ),
        Frame.of(Message("The last fifth of the season, by grades from the rest"), tested),
        Frame.of(Message("Clubs"), clubs),
    )
    notes = [
        Message(
            METHOD,
            prior=Message("what holdings suggest") if with_holdings else Message("50"),
            sessions=plural("{count} session", "{count} sessions", count=round(ratings.shrink[0])),
            shrink=float(ratings.shrink[0]),
            least=SHOWN_FROM,
        ),
        *warnings,
        *_apart(ratings, played),
    ]
    return Answer.about(
        corpus,
        Message("Ratings of players"),
        _sentence(ratings, sessions, errors),
        frames,
        notes,
    )


def _sentence(ratings: Ratings, sessions: Floats, errors: Floats) -> Message:
    enough = sessions >= SHOWN_FROM
    known = enough if enough.any() else sessions > 0
    low, high = np.percentile(ratings.grade[known], (5, 95))
    return Message(
        "Of {members}, {enough:,} have played {least} sessions or more: nine in ten of these have "
        "grades from {low:.1f} to {high:.1f}, each known to ± {error:.1f} (95%); a session has "
        "chance of ± {chance:.1f} in it.",
        members=plural("{count:,} player", "{count:,} players", count=int((sessions > 0).sum())),
        enough=int(enough.sum()),
        least=SHOWN_FROM,
        low=float(low),
        high=float(high),
        error=1.96 * float(np.median(errors[known])),
        chance=1.96 * float(np.sqrt(ratings.variance)),
    )


def _by_sessions(sessions: Floats, grade: Floats, error: Floats) -> Iterator[dict[str, Any]]:
    codes = np.searchsorted(_SESSIONS, np.round(sessions), "right") - 1
    codes = np.maximum(codes, 0)
    small = to_merge(np.bincount(codes, minlength=len(_SESSIONS)))
    for code, least in enumerate(_SESSIONS):
        own = codes == code
        if own.any() and not small[code]:
            low, middle, high = np.percentile(grade[own], (10, 50, 90))
            yield {
                "sessions": Message("{least:,} and more", least=least)
                if code == len(_SESSIONS) - 1
                else f"{least}–{_SESSIONS[code + 1] - 1}",
                "players": int(own.sum()),
                "lowest tenth below": float(low),
                "median": float(middle),
                "highest tenth above": float(high),
                "± (95%)": 1.96 * float(np.median(error[own])),
            }


def _clubs(
    ratings: Ratings, home: Ints | None, names: list[str], played: Any
) -> tuple[list[dict[str, Any]], list[Message]]:
    """The mean grade of each club, and the error of it against the rest."""
    if home is None:
        return [], [
            Message(
                "The corpus does not say which club held an event: clubs that never meet are all "
                "drawn to the same mean, and their grades cannot be compared with each other."
            )
        ]
    counts = np.bincount(home[played], minlength=len(names))
    small = to_merge(counts)
    rows, unsure = [], []
    for code in np.argsort(-counts)[:40]:
        if not counts[code] or small[code]:
            continue
        own = played & (home == code)
        contrast = own / counts[code] - (played & ~own) / max(1, int(played.sum()) - counts[code])
        error = ratings.error_of(contrast.astype(np.float64))
        name = names[code] or MERGED
        rows.append(
            {
                "club": name,
                "players": int(counts[code]),
                "mean grade": float(ratings.grade[own].mean()),
                "± against the rest (95%)": 1.96 * error,
            }
        )
        if error > _TOO_UNSURE:
            unsure.append(str(name))
    if not unsure:
        return rows, []
    return rows, [
        Message(
            "Too few of their members play elsewhere to compare these with the rest: {clubs}.",
            clubs=", ".join(unsure[:8]) + (", …" if len(unsure) > 8 else ""),
        )
    ]


def _apart(ratings: Ratings, played: Any) -> Iterator[Message]:
    """A warning where groups of players have never met."""
    _, counts = np.unique(ratings.groups()[played], return_counts=True)
    if len(counts) > 1:
        yield Message(
            "{groups} of players have never met, directly or through others, the largest of "
            "{largest:,}: between groups grades say nothing.",
            groups=plural("{count:,} group", "{count:,} groups", count=len(counts)),
            largest=int(counts.max()),
        )


# --- ratings as a fact ----------------------------------------------------------------------------

_PARTS = 10


def with_ratings(corpus: Corpus, folder: Path, with_holdings: bool = False) -> Corpus:
    """A copy of a corpus in which every player has the rating that was known before the event: a
    fact, ``skill``, that a rulebook may ask for. The season is in tenths; a tenth is rated by those
    before it, and the first by the prior alone."""
    if folder.exists():
        raise InputError("{folder} already exists; choose another name", folder=folder)
    results = results_in(corpus)
    members = results.members
    order = np.argsort(results.days, kind="stable")
    part = np.empty(len(order), np.int64)
    part[order] = np.arange(len(order)) * _PARTS // len(order)
    grades = [
        _known_before(results, members, part[results.of] < k, with_holdings) for k in range(_PARTS)
    ]
    tenth = dict(zip(results.ids.tolist(), part.tolist(), strict=True))
    whole = np.stack(grades)

    def with_skill(_: int, table: Any) -> Any:
        of = np.array([tenth.get(event, 0) for event in table["event"].to_pylist()], np.int64)
        player = table["player"].to_numpy()
        known = np.minimum(player, members - 1)
        skill = np.where(player < members, whole[of, known], 50.0)
        column = pa.array(np.rint(100 * skill).astype(np.int32))
        others = [name for name in table.column_names if name != "skill"]
        return table.select(others).append_column(PLAYERS.field("skill"), column)

    shutil.copytree(corpus.folder, folder)
    return Corpus.open(folder).with_table("players", with_skill)


def _known_before(results: Results, members: int, rows: Bools, with_holdings: bool) -> Floats:
    if not results.kept(rows).any():
        held = holdings_of(results, members)
        return holdings_prior(results, held) if with_holdings else np.full(members, 50.0)
    return rated(results.only(rows), members, with_holdings).grade
