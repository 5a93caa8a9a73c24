"""Awards over a corpus: the compiled way gives what one event at a time gives, exactly."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from honours.engine.columns import exact_only_note
from honours.engine.event_awards import award_event
from honours.engine.numbers import SCALE
from honours.engine.ranking import tied_by_score
from honours.errors import InputError
from honours.lab import shard_awards
from honours.lab.corpus import Corpus
from honours.lab.fields import (
    award_whole,
    ranking_lists,
    with_ties_of,
)
from honours.lab.generate.year import Recipe, generate
from honours.lab.left_out import reasons, shard_table
from honours.lab.run import ShardJob, output_file, run
from honours.lab.shard_awards import award_shard
from honours.lab.shards import Shard
from honours.lab.store import MISSING
from honours.model import Entrant, Field, Standing
from honours.rulebooks import load
from tests.engine.books import write_book


def _one_by_one(rulebook: str, shard: Shard, row: int) -> list[int]:
    """The event's awards through the door a single event goes."""
    awards = award_whole(load(rulebook), shard, row)
    first, last = shard.entrant_offsets[row : row + 2]
    return [int(awards.amount(str(k)) * SCALE) for k in shard.entrant[first:last]]


@pytest.mark.parametrize("rulebook", ["acbl-sof-2011", "acbl-sof-2020"])
def test_a_corpus_is_awarded_as_its_events_are(corpus: Corpus, rulebook: str) -> None:
    shard = corpus.read(0)
    awards = award_shard(load(rulebook), shard)
    tried = 0
    for row in range(0, len(shard.ids), 5):
        first, last = shard.entrant_offsets[row : row + 2]
        if not awards.refused[row]:
            assert list(awards.amounts[first:last]) == _one_by_one(rulebook, shard, row)
            tried += 1
    assert tried > 5


def test_columns_leave_nothing_of_a_year_in_doubt(tmp_path: Path) -> None:
    """A bound that no row comes near to would send one event in thirty the exact way."""
    year = generate(tmp_path / "year", Recipe(seed=3, scale=0.1))
    for rulebook in ("acbl-sof-2011", "acbl-sof-2020"):
        assert not any(award_shard(load(rulebook), shard).derived for shard in year)


def test_lower_strata_may_hold_as_many_as_the_whole_field(corpus: Corpus) -> None:
    shard = corpus.read(0).only([0])
    strata = np.ones(len(shard.entrant), np.uint8)
    strata[:2], strata[-2:] = 0, 2  # below the top, all but two are eligible, and two of them again
    mixed = replace(shard, stratum=strata)
    [lists] = ranking_lists(mixed, "each")
    assert [len(lists.entrants_of(k)) for k in range(3)] == [len(strata), len(strata) - 2, 2]
    amounts = award_shard(load("acbl-sof-2020"), mixed).amounts
    assert list(amounts) == _one_by_one("acbl-sof-2020", mixed, 0)


LOSING = '''
@rule("§1")
def places(entrants):
    """All."""
    return entrants

@rule("§1", per="entrant")
def award(place, entrants, third):
    """Who is in the lower two thirds loses points."""
    return entrants * third - place
'''
LOSING_TOML = """
[lists]
strata = "each"
[inputs.entrants]
about = "how many"
type = "count"
[refuses.too_few]
message = "{entrants} entered"
clause = "§1"
if = "entrants < least"
[parameters]
least = { value = 5, clause = "§1" }
third = { value = "1/2", clause = "§1" }
"""


def test_who_loses_points_loses_them_in_the_lab_too(corpus: Corpus, tmp_path: Path) -> None:
    book = write_book(tmp_path / "losing", LOSING_TOML, LOSING)
    shard = corpus.read(0).only([0])
    strata = np.zeros(len(shard.entrant), np.uint8)
    strata[-2:] = 1  # two in a stratum of their own, whose list is refused
    mixed = replace(shard, stratum=strata)
    standings = [
        Standing(Entrant(str(k)), int(place), int(tied), facts={"stratum": "AB"[strata[k]]})
        for k, (place, tied) in enumerate(zip(shard.place, shard.tied, strict=True))
    ]
    awards = award_event(book, [Field({}, tuple(standings))], {})
    exactly = [int(awards.amount(str(k)) * SCALE) for k in range(len(standings))]
    assert min(exactly) < 0
    assert list(award_shard(book, mixed).amounts) == exactly


def test_strata_are_refused_in_the_lab_as_in_an_event(corpus: Corpus, tmp_path: Path) -> None:
    book = write_book(tmp_path / "plain", LOSING_TOML.replace('"each"', '"refused"'), LOSING)
    shard = corpus.read(0).only([0, 1])
    strata = np.zeros(len(shard.entrant), np.uint8)
    strata[0] = 1  # of the first event
    standings = (Standing(Entrant("0"), 1, 1, facts={"stratum": "A"}),)
    with pytest.raises(InputError) as refusal:
        award_event(book, [Field({}, standings)], {})
    awards = award_shard(book, replace(shard, stratum=strata))
    assert [(b.event, b.why) for b in awards.bad] == [(int(shard.ids[0]), refusal.value.brief)]
    assert list(awards.refused) == [True, False]
    assert reasons(book, shard, awards)[0].tolist() == [0, -1]


def test_equal_scores_tie_in_the_lab_as_in_an_event(corpus: Corpus, tmp_path: Path) -> None:
    toml = LOSING_TOML.replace('strata = "each"', 'strata = "one"\nties = "score"')
    book = write_book(tmp_path / "ties", toml.replace("value = 5", "value = 1"), LOSING)
    scores = (60, 55, 55, 50, 45, 45, 45)  # parted by something else
    parted = tuple(
        Standing(Entrant(str(k)), k + 1, 1, Fraction(score)) for k, score in enumerate(scores)
    )
    awards = award_event(book, [Field({}, parted)], {})
    many = len(scores)
    shard = corpus.read(0).only([0])
    shared = [s.place for s in tied_by_score(parted)]
    shard = replace(
        shard,
        entrant=np.arange(many, dtype=np.uint16),
        stratum=np.zeros(many, np.uint8),
        place=np.arange(1, many + 1, dtype=np.uint16),
        tied=np.ones(many, np.uint16),
        entrant_offsets=np.array([0, many]),
        player_offsets=shard.player_offsets[: many + 1],
        player=shard.player[: shard.player_offsets[many]],
        holding=shard.holding[: shard.player_offsets[many]],
        of_entrants={"score_place": np.array(shared, np.int32)},
        of_players={},
    )
    ranked = with_ties_of(book, shard)
    assert ranked.place.tolist() == shared == [1, 2, 2, 4, 5, 5, 5]
    assert ranked.tied.tolist() == [1, 2, 2, 1, 3, 3, 3]
    exactly = [int(awards.amount(str(k)) * SCALE) for k in range(many)]
    assert award_shard(book, shard).amounts.tolist() == exactly


IN_LINES = LOSING.replace("entrants * third - place", "entrants * third + in_top_stratum").replace(
    "place, entrants, third",
    "in_top_stratum, entrants, third",
)
IN_LINES_TOML = LOSING_TOML.replace(
    "[lists]", '[lists]\nlines = "each"\ncombine = "COMBINE"'
).replace("value = 5", "value = 1")
TOP = """
[inputs.in_top_stratum]
about = "whether in the top stratum"
per = "entrant"
first = 0
"""


@pytest.mark.parametrize("combine", ["best", "sum"])
@pytest.mark.parametrize("strata", ["ABBC AACC", "BBBB ABCC", "CBCB AAAA", "BBBB BBBB"])
def test_the_lines_of_an_event_have_its_strata(
    corpus: Corpus,
    tmp_path: Path,
    strata: str,
    combine: str,
) -> None:
    toml = IN_LINES_TOML.replace("COMBINE", combine).replace("[parameters]", f"{TOP}[parameters]")
    book = write_book(tmp_path / "lines", toml, IN_LINES)
    lines = strata.split()
    fields, k = [], 0
    for name, labels in zip(("NS", "EW"), lines, strict=True):
        own = [
            Standing(Entrant(str(k + i)), i + 1, 1, facts={"stratum": label})
            for i, label in enumerate(labels)
        ]
        fields.append(Field({}, tuple(own), line=name))
        k += len(own)
    awards = award_event(book, fields, {})
    shard = corpus.read(0).only([0])
    shard = replace(
        shard,
        entrant=np.arange(k, dtype=np.uint16),
        stratum=np.array(["ABC".index(c) for c in "".join(lines)], np.uint8),
        place=np.array([1, 2, 3, 4] * 2, np.uint16),
        tied=np.ones(k, np.uint16),
        line=np.array([1, 1, 1, 1, 2, 2, 2, 2], np.uint8),
        entrant_offsets=np.array([0, k]),
        player_offsets=shard.player_offsets[: k + 1],
        player=shard.player[: shard.player_offsets[k]],
        holding=shard.holding[: shard.player_offsets[k]],
        of_entrants={},
        of_players={},
    )
    exactly = [int(awards.amount(str(i)) * SCALE) for i in range(k)]
    assert list(award_shard(book, shard).amounts) == exactly


EACH = LOSING.replace(
    '''@rule("§1", per="entrant")
def award(place, entrants, third):
    """Who is in the lower two thirds loses points."""
    return entrants * third - place''',
    '''@rule("§1", per="player", rounds=nearest("third"))
def award(place, entrants, masterpoints, limit):
    """Less to who holds much."""
    return min(entrants - place, max(limit - masterpoints, 0) / limit)''',
)
EACH_TOML = (
    LOSING_TOML.replace('strata = "each"', 'strata = "one"').replace(
        "[parameters]", '[inputs.masterpoints]\nabout = "held"\nper = "player"\n[parameters]'
    )
    + 'limit = { value = 1000, clause = "§1" }\n'
)


def test_players_of_one_entrant_are_paid_each_their_own(corpus: Corpus, tmp_path: Path) -> None:
    book = write_book(tmp_path / "each", EACH_TOML, EACH)
    shard = corpus.read(0)
    awards = award_shard(book, shard)
    assert awards.of_players is not None
    assert not exact_only_note(book)
    assert awards.derived == 0
    checked = 0
    rows = range(*(int(n) for n in shard.entrant_offsets[1:3]))
    combined = award_whole(book, shard, 1).combined
    for row in rows:
        [one] = combined[str(shard.entrant[row])]
        first, last = shard.player_offsets[row : row + 2]
        own = [int(one.amount_of(k) * SCALE) for k in range(last - first)]
        assert awards.of_players[first:last].tolist() == own
        checked += len(set(own)) > 1
    assert checked
    assert awards.to_players(shard).sum() == awards.of_players.sum()


def test_an_award_that_a_table_cannot_hold_is_refused_by_name(corpus: Corpus) -> None:
    shard = corpus.read(0).only([0])
    awards = award_shard(load("acbl-sof-2020"), shard)
    awards.amounts[1] = 300_000 * SCALE
    message = f"event {shard.ids[0]} awards 300,000; a table holds up to 214,748"
    with pytest.raises(InputError, match=message):
        shard_table(shard, awards)


def test_the_order_of_entrants_does_not_matter(corpus: Corpus) -> None:
    shard = corpus.read(0).only([0])
    turned = replace(
        shard,
        place=shard.place[::-1].copy(),
        tied=shard.tied[::-1].copy(),
        stratum=shard.stratum[::-1].copy(),
        player=shard.player[::-1].copy(),
        holding=shard.holding[::-1].copy(),
        player_offsets=np.concatenate(([0], np.cumsum(np.diff(shard.player_offsets)[::-1]))),
    )
    book = load("acbl-sof-2020")
    straight, other = award_shard(book, shard).amounts, award_shard(book, turned).amounts
    assert list(straight) == list(other[::-1])


def test_threads_change_nothing(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    shard, book = corpus.read(0), load("acbl-sof-2020")
    monkeypatch.setenv("HONOURS_THREADS", "1")
    one = award_shard(book, shard).amounts
    monkeypatch.setenv("HONOURS_THREADS", "3")
    monkeypatch.setattr("honours.engine.columns.award._AT_ONCE", 200)
    assert (award_shard(book, shard).amounts == one).all()


def test_a_run_goes_on_where_it_stopped(corpus: Corpus, tmp_path: Path) -> None:
    job = ShardJob("award", str(corpus.folder), str(tmp_path / "out"), "acbl-sof-2020")
    signature = job.signature(corpus.hash, "rule")
    first = run(job, signature)
    before = output_file(job, 0).read_bytes()
    again = run(job, signature)
    assert (first.data()["resumed"], again.data()["resumed"]) == (0, 1)
    assert again.data()["total"] == first.data()["total"] > 0
    output_file(job, 0).unlink()
    run(job, signature)
    assert output_file(job, 0).read_bytes() == before
    with pytest.raises(InputError, match="another job"):
        run(job, job.signature("another corpus", "rule"))


@pytest.mark.parametrize("rulebook", ["acbl-sof-2011", "acbl-sof-2020"])
def test_holes_are_found_in_columns(
    corpus: Corpus, rulebook: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    book, shard = load(rulebook), corpus.read(0)
    holding = shard.holding.copy()
    holding[:: len(holding) // 9] = MISSING
    spoilt = replace(shard, holding=holding)
    lost = {
        *shard.ids[
            [shard.event_of(shard.entrant_of(k)) for k in (holding < 0).nonzero()[0].tolist()]
        ]
    }
    whole, spoilt_rows = award_shard(book, shard), np.flatnonzero(np.isin(shard.ids, [*lost]))
    exactly = []
    for row in spoilt_rows.tolist():
        with suppress(InputError):
            exactly.append(award_whole(book, spoilt, row))
    tried: list[int] = []

    def counted(*arguments: Any, **named: Any) -> Any:
        tried.append(1)
        return award_whole(*arguments, **named)

    monkeypatch.setattr(shard_awards, "award_whole", counted)
    awards = award_shard(book, spoilt)
    assert len(tried) < 9
    assert {bad.event for bad in awards.bad} <= lost
    assert len(awards.bad) + len(exactly) == len(lost)
    assert len({bad.why for bad in awards.bad}) == 1
    assert awards.derived == 0
    kept = np.repeat(~np.isin(shard.ids, [*lost]), shard.sizes)
    assert (awards.amounts[kept] == whole.amounts[kept]).all()
    assert not awards.amounts[~kept].any()
