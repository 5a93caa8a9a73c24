"""Many events at once, in columns: :mod:`honours.scoring.kernel` and :mod:`honours.scoring.chunks`
as machine code.

Importing this imports NumPy and Numba; scoring a single event does not. A corpus holds scores
only: fouled boards and rulings are for the exact way, and this one has nothing to say of them.
Compiled code is kept on disk under a digest of everything that went into it, because Numba's own
cache does not notice a change in another file.
"""

from __future__ import annotations

import hashlib
import inspect
import os
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache, partial, reduce
from operator import or_
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import numba
import numpy as np
from numpy.typing import ArrayLike, NDArray

from honours.engine.columns.threads import on_all_cores
from honours.errors import InputError
from honours.places import own_folder
from honours.scoring import chunks, kernel, simd
from honours.scoring.profiles import HALVES, Profile

_njit: Any = numba.njit  # whose types leave out ``_nrt``


@cache
def _jitted(function: Callable[..., Any]) -> Callable[..., Any]:
    return numba.njit(error_model="numpy")(function)


def compiled_module(
    module: ModuleType, uses: Sequence[ModuleType], doors: Sequence[str]
) -> Mapping[str, Callable[..., Any]]:
    """The functions of a module named in ``doors``, compiled with everything they call in it and in
    ``uses``.

    What these functions call is inlined into them. Nothing in these modules allocates an array, so
    that no references are counted (``_nrt``): that would happen in every iteration and in every
    thread, with threads waiting for each other. Where compiling is switched off, as coverage needs
    it, they are the functions as they are written.
    """
    if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]
        return {name: getattr(module, name) for name in doors}
    text = inspect.getsource(module)
    path = _kept_as(text, *map(inspect.getsource, uses), *doors)
    scope: dict[str, Any] = {"__name__": __name__}
    exec(compile(text, str(path or module.__file__), "exec"), scope)
    functions = {k: f for k, f in scope.items() if isinstance(f, FunctionType)}
    for name, function in functions.items():
        if function.__module__ != __name__:
            scope[name] = _jitted(function)
        elif name not in doors:
            scope[name] = _njit(error_model="numpy", inline="always", _nrt=False)(function)
    compiler = _njit(error_model="numpy", nogil=True, cache=path is not None, _nrt=False)
    return {name: compiler(scope[name]) for name in doors}


def _kept_as(source: str, *others: str) -> Path | None:
    """The file of a source, named by a digest of it and of everything it calls; written if
    missing."""
    own = Path(__file__).read_text(encoding="utf-8")
    digest = hashlib.sha256(f"{numba.__version__} {np.__version__} {own}".encode())
    for text in (*others, source):
        digest.update(text.encode())
    folder = own_folder("cache") / "compiled"
    path = folder / f"h{digest.hexdigest()[:32]}.py"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            with tempfile.NamedTemporaryFile("w", dir=folder, delete=False) as file:
                file.write(source)
            os.replace(file.name, path)
    except OSError:
        return None
    return path


# --- events in columns -------------------------------------------------------------------------


Whole = NDArray[Any]
Totals = list[Whole]
"""Of some entrants: event, number, and what :class:`ScoredColumns` has of them."""
Rules = tuple[tuple[int, bool, int, int, bool], Whole, NDArray[np.bool_]]

_loops = compiled_module(chunks, (kernel, simd), ("event_end", "score_chunk"))
_event_end: Callable[..., int] = _loops["event_end"]
_score_chunk: Callable[..., tuple[int, int]] = _loops["score_chunk"]

_SMALL_TYPES = (np.int32, np.uint8, np.uint16, np.uint16, np.int16)
"""Of event, board, ns, ew and score: what a corpus holds them in."""
_ROWS_A_CHUNK = 500_000
_BINS = 16_384


@dataclass(frozen=True, slots=True)
class ScoredColumns:
    """The totals of every entrant by event and number, and matchpoints of every result.

    Matchpoints, points and possible points are whole numbers of the profile's unit (tenths for
    ``ebu``); percentages are hundredths of a per cent, half up. Places are by the exact ratio.
    """

    ns_matchpoints: Whole
    """North-South's; empty where only totals were asked for."""
    event: Whole
    entrant: Whole
    points: Whole
    possible: Whole
    boards: Whole
    percentage: Whole
    place: Whole
    tied: Whole


def score_columns(
    event: ArrayLike,
    board: ArrayLike,
    ns: ArrayLike,
    ew: ArrayLike,
    score: ArrayLike,
    profile: Profile,
    matchpoints: bool = True,
) -> ScoredColumns:
    """Score results that stand together by event and board, and rank each event in one list.

    ``score`` is North-South's; entrants are numbered from 0, each number once in an event.
    Without ``matchpoints`` only the totals are worked out.
    """
    results = _results(event, board, ns, ew, score)
    parts, ns_points = _scored(results, _rules(profile), matchpoints)
    return ScoredColumns(ns_points, *_joined(parts))


def each_ranked(
    results: tuple[ArrayLike, ...], profile: Profile, use: Callable[[Totals], None]
) -> None:
    """Score event, board, ns, ew and score, and hand event, entrant, place and ties of every
    entrant to ``use``: some events at a time, in arrays that are written over afterwards."""
    columns = _results(*results)
    given = (np.empty(0, np.int16), False, int(np.iinfo(np.int32).max))
    state, _ = _score(
        columns, _rules(profile), given, lambda totals: use([*totals[:2], *totals[-2:]])
    )
    if state & chunks.SCATTERED:
        _refuse_scattered(columns[0], columns[1])


def _results(*given: ArrayLike) -> tuple[Whole, ...]:
    """The columns of results in the types they are scored in."""
    results = tuple(_whole(c, t) for c, t in zip(given, _SMALL_TYPES, strict=True))
    if len({len(column) for column in results}) > 1:
        raise InputError("the columns differ in length")
    return results


def _copied(totals: Totals) -> Totals:
    return [column.copy() for column in totals]


def _scored(results: Any, rules: Rules, wanted: bool) -> tuple[list[Any], Whole]:
    """The totals in parts, and the matchpoints in the narrowest type that holds them."""
    rows = len(results[0]) if wanted else 0

    def scored_in(kind: type) -> tuple[Whole, int, list[Any]]:
        matchpoints: Whole = np.empty(rows, kind)
        given = (matchpoints, wanted, int(np.iinfo(kind).max))
        return matchpoints, *_score(results, rules, given, _copied)

    matchpoints, state, parts = scored_in(np.int16)
    if state & chunks.TOO_NARROW:
        matchpoints, state, parts = scored_in(np.int32)
    if state & chunks.SCATTERED:
        _refuse_scattered(results[0], results[1])
    return parts, matchpoints


def _whole(column: ArrayLike, small: type) -> Whole:
    """The column in the small type if it fits, else in the largest."""
    array = np.ascontiguousarray(column)
    if array.dtype == small:
        return array
    limits = np.iinfo(small)
    fits = not len(array) or (array.min() >= limits.min and array.max() <= limits.max)
    return array.astype(small if fits else np.int64)


def _score(
    results: Any, rules: Rules, given: Any, use: Callable[[Totals], Any]
) -> tuple[int, list[Any]]:
    """Score in chunks of whole events, on every core; what was wrong, and what ``use`` made of the
    totals of each."""
    spans = _spans(results[0])
    longest = max((end - begin for begin, end in spans), default=0)
    rooms = _rooms_for(rules, _numbers(results), results[4].dtype)
    written = _totals_of(results[0].dtype, results[2].dtype)

    def score(span: tuple[int, int]) -> tuple[int, Any]:
        room, totals = rooms.take(longest + 1), written.take(2 * longest)
        count, state = _score_chunk(*span, results, rules, room, given, totals)
        kept = use([column[:count] for column in totals])
        rooms.free.append(room)
        written.free.append(totals)
        return state, kept

    done = on_all_cores(score, spans)
    return reduce(or_, (state for state, _ in done), chunks.FINE), [kept for _, kept in done]


def _spans(events: Whole) -> list[tuple[int, int]]:
    """Rows of whole events that are scored in one go: about as many each."""
    spans, begin, rows = [], 0, len(events)
    while begin < rows:
        end = _event_end(events, min(begin + _ROWS_A_CHUNK, rows) - 1)
        spans.append((begin, end))
        begin = end
    return spans


@dataclass(frozen=True, slots=True)
class _Rooms:
    """Arrays that threads work in, kept from one call to the next, because a corpus is scored in
    many."""

    new: Callable[[int], tuple[Whole, ...]]
    free: list[tuple[Whole, ...]] = field(default_factory=list)

    def take(self, size: int) -> tuple[Whole, ...]:
        """Reserve room for so much; nobody else is given it, and one that is too small is given
        up."""
        try:
            room = self.free.pop()
        except IndexError:
            return self.new(size)
        return room if len(room[0]) >= size else self.new(size)


def _rooms_for(rules: Rules, numbers: int, kind: np.dtype[Any]) -> _Rooms:
    switches, small, exempt = rules
    return _rooms_of(switches, small.tobytes(), exempt.tobytes(), numbers, kind)


@lru_cache(maxsize=4)
def _rooms_of(*alike: Any) -> _Rooms:
    """Those for the same rules, numbers and kind of score, with the worth of boards as far as it
    is worked out."""
    return _Rooms(partial(_work_arrays, *alike[-2:]))


def _work_arrays(numbers: int, kind: np.dtype[Any], size: int) -> tuple[Whole, ...]:
    """Room for so many results; the order is that of :mod:`honours.scoring.chunks`."""
    compared = max(size, chunks.COUNT_FROM) + simd.WIDE
    return (
        np.empty(size, np.uint64),
        np.empty(compared, kind),
        np.zeros(numbers, np.int64),
        np.zeros(numbers, np.int64),
        np.empty(chunks.LAST_FROM + 2 * size, np.int64),
        np.zeros(chunks.LAST_SLOT + 1, np.int64),
        np.empty(compared, kind),
        np.empty(numbers, np.int64),
        np.empty(_BINS, np.int64),
    )


def _numbers(results: Any) -> int:
    """The number of numbers that entrants can have."""
    sides = results[2:4]
    if all(side.dtype == np.uint16 for side in sides):
        return 2**16
    return 1 + max(int(side.max(initial=0)) for side in sides)


@lru_cache(maxsize=4)
def _totals_of(events: np.dtype[Any], numbers: np.dtype[Any]) -> _Rooms:
    """Room for the totals of chunks: of what is beyond the entrants there are, no memory is ever
    touched."""
    kinds = (events, numbers, np.int64, np.int64, np.int32, np.int32, np.int32, np.int32)
    return _Rooms(lambda most: tuple(np.empty(most, kind) for kind in kinds))


def _joined(parts: list[Any]) -> list[Whole]:
    if not parts:
        return [np.empty(0, np.int64)] * 8
    return on_all_cores(np.concatenate, list(zip(*parts, strict=True)))


def _refuse_scattered(events: Whole, boards: Whole) -> None:
    """Results that do not rise by event and board must still stand together."""
    changes = (events[1:] != events[:-1]) | (boards[1:] != boards[:-1])
    new = np.append(0, np.flatnonzero(changes) + 1)
    pairs = np.stack([events[new], boards[new]]).astype(np.int64)
    of_event = events[np.append(0, np.flatnonzero(events[1:] != events[:-1]) + 1)]
    scattered = np.unique(pairs, axis=1).shape[1] < pairs.shape[1]
    if scattered or len(np.unique(of_event)) < len(of_event):
        raise InputError("the results of an event, or of a board in it, do not stand together")


def _rules(profile: Profile) -> Rules:
    """The profile's switches, and best and worst share in per cent by size of group, for boards
    that are short of scores."""
    if not profile.unit:
        raise InputError(
            "profile {name!r} does not round, and columns hold whole units", name=profile.name
        )
    switches = (
        profile.per_score_beaten,
        profile.simplified,
        profile.unit.denominator,
        HALVES[profile.half],
        profile.factor_missing,
    )
    groups = profile.small_groups if profile.small_when_short else {}
    small = np.zeros((max(groups, default=0) + 1, 2), np.int64)
    for size, shares in groups.items():
        small[size] = int(100 * shares[0]), int(100 * shares[-1])
    exempt = np.array([size in profile.larger_exempt for size in range(len(small))])
    return switches, small, exempt
