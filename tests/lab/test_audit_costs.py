"""What broken promises cost on a corpus whose events were made so that it is known."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa

from honours.engine.numbers import SCALE
from honours.lab.audit.breach_cost import touched
from honours.lab.audit.promises import cases_of, varied_cases
from honours.lab.corpus import Corpus
from honours.lab.shard_awards import award_shard
from honours.rulebooks import load
from tests.support import cases


def _corpus(folder: Path, sizes: list[int], lined: bool = False) -> Corpus:
    """Club evenings of pairs of so many each; in two lines of half, if they have lines."""
    entrants, players = [], []
    member = 0
    for event, size in enumerate(sizes):
        for k in range(size):
            line = 1 + k % 2 if lined else None
            place = 1 + k // 2 if lined else 1 + k
            row = {"event": event, "entrant": k, "place": place, "tied": 1, "line": line}
            entrants.append(row | {"overall_place": 1 + k if lined else None})
            for _ in range(2):
                players.append({"event": event, "entrant": k, "player": member, "holding": 50_000})
                member += 1
    events = [
        {"event": n, "kind": "pairs", "sessions": 2, "boards_per_session": 24, "class": "regional"}
        for n in range(len(sizes))
    ]
    tables = {"events": events, "entrants": entrants, "players": players}
    return Corpus.of(
        folder, unit="corpus", **{name: pa.Table.from_pylist(rows) for name, rows in tables.items()}
    )


@cases
def test_the_events_a_promise_touches_are_counted(
    tmp_path: Path, promise: str, rulebook: str, sizes: list[int], expected: list[int]
) -> None:
    cost = touched(load(rulebook), promise, _corpus(tmp_path / "corpus", sizes))
    assert cost is not None
    assert [cost.tried, cost.events] == expected
    assert (cost.cost > 0) == (cost.events > 0)


def test_two_lines_beside_one_list_of_all(tmp_path: Path) -> None:
    book = load("sbu-clubs-2016")
    lines, one = (_corpus(tmp_path / name, [8], lined=name == "ab") for name in ("ab", "c"))
    paid = [
        int(award_shard(book, corpus.read(0)).to_players(corpus.read(0)).sum())
        for corpus in (lines, one)
    ]
    cost = touched(book, "lines", lines)
    assert cost is not None
    assert (cost.tried, cost.events) == (1, 1)
    assert cost.cost == abs(paid[0] - paid[1]) / SCALE > 0


def test_the_same_deals_in_longer_sessions(tmp_path: Path) -> None:
    cost = touched(load("acbl-sof-2020"), "deals", _corpus(tmp_path / "c", [20, 40]))
    assert cost is not None
    assert cost.tried == 2
    assert cost.events == 2, "a session is a day there, however many its deals"


def test_every_number_a_rulebook_declares_is_varied() -> None:
    book = load("abf-sessions")
    [case, *_] = cases_of(book)
    names = {
        name
        for other in varied_cases(case)
        for name, value in other.facts.items()
        if case.facts.get(name) != value
    }
    assert len(names) >= 3
