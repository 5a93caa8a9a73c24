"""What players were awarded before an event by the rulebook in question.

This is a running figure over the whole corpus: events are taken in the order of their days, those
of one day by number, and each starts from what the earlier ones awarded. It is worked out once per
rulebook, the first time it is needed, and kept in a temporary file that disappears with the
process. A shard's figures are looked up there by event and player, so that a modified event
(without its last entrant, say) is still tried with what its players really had.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryFile
from threading import Lock
from typing import IO, TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from honours.engine.compiled.batch import spans
from honours.engine.rulebook import Rulebook
from honours.lab.in_order import CorpusOverview, Read, blocks_in_order, look_over
from honours.lab.shards import Ints, Shard, read_shard
from honours.lab.store import Written
from honours.lab.waves import AmountsHad, EventBlock, column_of

if TYPE_CHECKING:
    from honours.lab.corpus import Corpus

_KEPT = 24
"""How many rulebooks' figures are kept at a time, on disk: as many as one question may ask about,
because each of its shards is awarded by all of them."""
Advance = Callable[[int, int], None]
"""Called with how many events have been awarded in order, out of how many."""


@dataclass(frozen=True, slots=True)
class FiguresBefore:
    """For each event, the rows of its players in a file: who they are, and what each had in each
    period, in ten-thousandths."""

    ids: Ints
    begins: Ints
    sizes: Ints
    player: NDArray[np.int32]
    before: dict[str, Ints]

    def of(self, shard: Shard) -> dict[str, Ints]:
        """What the players of a shard had; 0 for anyone who was not in the event."""
        if not len(self.ids):
            return {name: np.zeros(len(shard.player), np.int64) for name in self.before}
        at = np.minimum(np.searchsorted(self.ids, shard.ids), len(self.ids) - 1)
        sizes = np.where(self.ids[at] == shard.ids, self.sizes[at], 0)
        rows = spans(self.begins[at], sizes)
        player = self.player[rows]
        if np.array_equal(player, shard.player):
            return {name: np.asarray(column[rows]) for name, column in self.before.items()}
        keys = _keys(np.repeat(np.arange(len(at)), sizes), player)
        order = np.argsort(keys)
        wanted = _keys(shard.event_of_entrant[shard.entrant_of_player], shard.player)
        return {
            n: AmountsHad(keys[order], column[rows][order]).of(wanted)
            for n, column in self.before.items()
        }


def _keys(event: Ints, player: NDArray[Any]) -> Ints:
    return event.astype(np.int64) << 32 | player.astype(np.int64)


class OrderedCorpus:
    """A corpus, possibly modified, in the order of its days."""

    def __init__(self, read: Read, year_begins: str = "") -> None:
        self._read, self.year_begins = read, year_begins
        self._overview: CorpusOverview | None = None
        self._figures: OrderedDict[str, FiguresBefore] = OrderedDict()
        self._lock = Lock()

    def as_if(self, changed: Callable[[Shard], Shard]) -> OrderedCorpus:
        """The same corpus with every shard changed by a function."""
        return OrderedCorpus(lambda: map(changed, self._read()), self.year_begins)

    def overview(self) -> CorpusOverview:
        with self._lock:
            return self._looked_over()

    def work_out(self, book: Rulebook, advance: Advance) -> None:
        """Work the figures of a rulebook out ahead of the first question for them, watched."""
        self._figures_of(book, advance)

    def columns(self, book: Rulebook, shard: Shard) -> dict[str, Ints]:
        """What the players of a shard had been awarded by a rulebook before, column by column."""
        figures = self._figures_of(book).of(shard)
        return {column_of(period): figures[period] for period in book.asked_before.values()}

    @property
    def dated_events(self) -> int:
        """How many events have a day, by which they are put in order."""
        return len(self._looked_over().ids)

    def _looked_over(self) -> CorpusOverview:
        if self._overview is None:
            self._overview = look_over(self._read)
        return self._overview

    def _figures_of(
        self, book: Rulebook, advance: Advance = lambda _done, _of: None
    ) -> FiguresBefore:
        with self._lock:
            if book.hash not in self._figures:
                self._figures[book.hash] = self._run(book, advance)
            self._figures.move_to_end(book.hash)
            if len(self._figures) > _KEPT:
                self._figures.popitem(last=False)
            return self._figures[book.hash]

    def _run(self, book: Rulebook, advance: Advance) -> FiguresBefore:
        """Award the whole corpus, event after event."""
        periods = sorted({*book.asked_before.values()})
        return _written(_blocks_before(self, book, periods, advance), periods)

    def blocks(self, periods: Sequence[str]) -> Iterator[EventBlock]:
        """The blocks of the corpus in order."""
        for shards in blocks_in_order(self._read, self._looked_over()):
            if shards:
                yield EventBlock(shards, periods, self.year_begins)


def _blocks_before(
    history: OrderedCorpus, book: Rulebook, periods: Sequence[str], advance: Advance
) -> Iterator[tuple[EventBlock, dict[str, Ints]]]:
    had: dict[str, AmountsHad] = {}
    done = 0
    for block in history.blocks(periods):
        of = history.dated_events

        def within(events: int, earlier: int = done, of: int = of) -> None:
            advance(earlier + events, of)

        before, had = block.awarded(book, had, within)
        done += len(block.ids)
        yield block, before


def _written(
    blocks: Iterator[tuple[EventBlock, dict[str, Ints]]], periods: Sequence[str]
) -> FiguresBefore:
    """The figures of all blocks, in unnamed temporary files."""
    ids, sizes = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    with ExitStack() as open_files:
        who, *columns = (open_files.enter_context(TemporaryFile()) for _ in ("", *periods))
        for block, before in blocks:
            ids.append(block.ids)
            sizes.append(block.sizes)
            who.write(block.player.astype(np.int32).tobytes())
            for period, file in zip(periods, columns, strict=True):
                file.write(before[period].tobytes())
        player = _on_disk(who, np.int32)
        figures = {p: _on_disk(file, np.int64) for p, file in zip(periods, columns, strict=True)}
    every, many = np.concatenate(ids), np.concatenate(sizes)
    order = np.argsort(every)
    begins = (np.cumsum(many) - many)[order]
    return FiguresBefore(every[order], begins, many[order], player, figures)


def _on_disk(file: IO[bytes], kind: type[Any]) -> NDArray[Any]:
    """A file's content as an array, of which only the parts that are read occupy memory."""
    file.flush()
    return np.memmap(file, kind, "r") if file.tell() else np.zeros(0, kind)


def history_of(corpus: Corpus) -> OrderedCorpus:
    """A corpus in the order of its days, kept from one question to the next until one of its
    files is rewritten."""
    begins = str(corpus.manifest.get("about", {}).get("year_begins", ""))
    return _history(corpus.folder.resolve(), corpus.shards, corpus.checked, begins, corpus.written)


@lru_cache(maxsize=4)
def _history(
    folder: Path, shards: tuple[int, ...], checked: bool, begins: str, written: Written
) -> OrderedCorpus:
    del written
    return OrderedCorpus(lambda: (read_shard(folder, n, checked) for n in shards), begins)
