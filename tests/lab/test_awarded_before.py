"""A cap over a period in the lab: what players were awarded before is a running figure over the
whole corpus, the same as one event after the other gives and as the ledger has."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date, timedelta
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

from honours.cli import cli
from honours.engine.award import award
from honours.engine.exact.explanation import render_text
from honours.engine.rulebook import Rulebook
from honours.errors import InputError
from honours.lab import fields, in_order, shard_awards
from honours.lab.corpus import Corpus
from honours.lab.player_days import sample_of
from honours.lab.shard_awards import SCALE, award_shard
from honours.lab.simulate import Contest
from honours.ledger import members
from honours.ledger.events import EventToPost
from honours.ledger.post import post
from honours.ledger.store import create_ledger
from honours.model import Entrant, Field, Player, Standing
from tests.engine.books import write_book
from tests.ledger.test_year_so_far import LISTS, RULES, TOML, files

FIRST = date(2024, 11, 1)
MOST, NOTHING = 60, Fraction(0)
ROUNDED = '@rule("§1", per="player", rounds=nearest("unit"))'
Event = tuple[date, list[tuple[int, list[int]]]]
"""A day, and places with their players."""


@pytest.fixture
def book(tmp_path: Path) -> Rulebook:
    return write_book(tmp_path / "capped", TOML, RULES).amend(most=MOST)


def histories(events: int, seed: int, members: int = 30) -> list[Event]:
    """Events in no order of days, several on a day, pairs and single players, ties among them."""
    draw = random.Random(seed)
    made: list[Event] = []
    for _ in range(events):
        day = FIRST + timedelta(draw.randrange(120))
        people = draw.sample(range(members), 8)
        teams = [people[:2], people[2:4], [people[4]], people[5:7], [people[7]]]
        places = draw.choice([[1, 2, 3, 4, 5], [1, 1, 3, 4, 4], [1, 2, 2, 2, 5]])
        made.append((day, [*zip(places, teams, strict=True)]))
    return made


def corpus_of(
    folder: Path, events: list[Event], dated: bool = True, held: int | None = None
) -> Corpus:
    rows: dict[str, list[dict[str, Any]]] = {"events": [], "entrants": [], "players": []}
    for number, (day, placed) in enumerate(events):
        own_day = {"date": day} if dated else {}
        rows["events"].append({"event": number, "sessions": 2, **own_day})
        places = [place for place, _ in placed]
        for k, (place, team) in enumerate(placed):
            entrant = {"event": number, "entrant": k}
            rows["entrants"].append({**entrant, "place": place, "tied": places.count(place)})
            own = entrant if held is None else {**entrant, "holding": held}
            rows["players"] += [{**own, "player": player} for player in team]
    return Corpus.of(folder, **{name: pd.DataFrame(own) for name, own in rows.items()})


def field_of(
    placed: list[tuple[int, list[int]]], had: Callable[[int], dict[str, Fraction]]
) -> Field:
    places = [place for place, _ in placed]
    standings = [
        Standing(
            Entrant(str(k), tuple(Player(f"P {p}", str(p), had(p)) for p in team)),
            place,
            places.count(place),
        )
        for k, (place, team) in enumerate(placed)
    ]
    return Field({"entrants": Fraction(len(placed))}, tuple(standings))


def one_after_the_other(
    book: Rulebook,
    events: list[Event],
    period: Callable[[date], object],
    held: Mapping[int, Fraction] | None = None,
    won: dict[int, Fraction] | None = None,
) -> dict[tuple[int, int], Fraction]:
    """What each entrant is awarded, by the exact way, in the order of days and numbers."""
    had: dict[tuple[object, int], Fraction] = {}
    amounts = {}
    for number in sorted(range(len(events)), key=lambda n: (events[n][0], n)):
        day, placed = events[number]
        of = period(day)

        def known(player: int, of: object = of) -> dict[str, Fraction]:
            holding = {"masterpoints": held[player]} if held else {}
            return {"earned": had.get((of, player), NOTHING), **holding}

        given = award(book, field_of(placed, known))
        for one in given.schedule:
            amounts[number, int(one.standing.entrant.id)] = one.amount
            for nth, player in enumerate(one.standing.entrant.players):
                key = of, int(player.number)
                had[key] = had.get(key, NOTHING) + one.amount_of(nth)
                if won is not None:
                    won[key[1]] = won.get(key[1], NOTHING) + one.amount_of(nth)
    return amounts


def in_the_lab(corpus: Corpus, book: Rulebook) -> dict[tuple[int, int], Fraction]:
    rows = corpus.award(book).to_pylist()
    return {(r["event"], r["entrant"]): Fraction(r["amount"], SCALE) for r in rows}


@pytest.mark.parametrize("at_a_time", [200_000, 30])
@pytest.mark.parametrize("seed", [1, 2])
def test_random_histories_are_awarded_as_one_after_the_other(
    book: Rulebook, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int, at_a_time: int
) -> None:
    monkeypatch.setattr(in_order, "AT_A_TIME", at_a_time)  # all at once, and block after block
    events = histories(40, seed)
    corpus = corpus_of(tmp_path / "corpus", events)
    expected = one_after_the_other(book, events, lambda day: day.year)
    assert in_the_lab(corpus, book) == expected
    assert any(amount == 0 for amount in expected.values())  # somebody had all there is
    assert len({day for day, _ in events}) < len(events)


def test_events_that_are_awarded_as_a_whole_are_no_different(
    book: Rulebook, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (fields, shard_awards):
        monkeypatch.setattr(module, "whole_events", lambda _, shard: shard.ids >= 0)
    events = histories(12, 3)
    corpus = corpus_of(tmp_path / "corpus", events)
    assert in_the_lab(corpus, book) == one_after_the_other(book, events, lambda day: day.year)


def test_lists_that_add_up_share_the_cap(tmp_path: Path) -> None:
    book = write_book(tmp_path / "capped", LISTS + TOML, RULES)
    entrants = [{"event": 0, "entrant": k, "place": k + 1, "tied": 1, "stratum": k} for k in (0, 1)]
    players = [{"event": 0, "entrant": k, "player": k} for k in (0, 1)]
    again = [[{**row, "event": 1} for row in rows] for rows in (entrants, players)]
    corpus = Corpus.of(
        tmp_path / "corpus",
        events=pd.DataFrame([{"event": n, "date": FIRST + timedelta(n)} for n in (0, 1)]),
        entrants=pd.DataFrame([*entrants, *again[0]]),
        players=pd.DataFrame([*players, *again[1]]),
    )
    # 40 among all and 80 in the lower stratum are due to the second, who has 100 then
    assert [*in_the_lab(corpus, book).values()] == [80, 100, 20, 0]


PERIODS: dict[str, Callable[[date], object]] = {
    "day": lambda day: day,
    "month": lambda day: (day.year, day.month),
    "ever": lambda _: "",
}


@pytest.mark.parametrize("period", PERIODS)
def test_a_cap_over_another_period(tmp_path: Path, period: str) -> None:
    toml = TOML.replace('awarded_in = "year"', f'awarded_in = "{period}"')
    book = write_book(tmp_path / "capped", toml, RULES).amend(most=MOST)
    events = histories(40, 4)
    corpus = corpus_of(tmp_path / "corpus", events)
    assert in_the_lab(corpus, book) == one_after_the_other(book, events, PERIODS[period])


def test_caps_over_two_periods(tmp_path: Path) -> None:
    month = TOML[: TOML.index("[inputs.entrants]")].replace("year", "month")
    toml = month.replace("earned", "of_month") + TOML + 'least = { value = 35, clause = "§1" }\n'
    rules = RULES.replace("earned: Number", "earned: Number, of_month: Number, least: Number")
    rules = rules.replace("most - earned)", "most - earned, least - of_month)")
    book = write_book(tmp_path / "capped", toml, rules).amend(most=MOST)
    (one, other) = (12, 31), (1, 1)
    days = [date(2024, 12, 1), date(2024, *one), date(2025, *other), date(2025, 1, 2)]
    events: list[Event] = [(day, [(1, [1]), (2, [2 + n])]) for n, day in enumerate(days)]
    lab = in_the_lab(corpus_of(tmp_path / "corpus", events), book)
    assert [lab[n, 0] for n in range(4)] == [35, 0, 35, 0]


def test_the_year_may_begin_on_another_day(book: Rulebook, tmp_path: Path) -> None:
    events = [(FIRST + timedelta(3 * n), placed) for n, (_, placed) in enumerate(histories(40, 5))]
    rows = [
        {"Event": number, "Date": f"{day}", "Place": place, "Entrant": k, "Member": f"M{player}"}
        for number, (day, placed) in enumerate(events)
        for k, (place, team) in enumerate(placed)
        for player in team
    ]
    table = tmp_path / "history.csv"
    pd.DataFrame(rows).to_csv(table, index=False)
    plain, own = (
        Corpus.take(table, tmp_path / name, given)
        for name, given in (("plain", {}), ("own", {"year_begins": "12-01"}))
    )
    expected = one_after_the_other(book, events, lambda day: day >= date(2024, 12, 1))
    lab = sorted(in_the_lab(own, book).values())
    assert lab == sorted(expected.values()) != sorted(in_the_lab(plain, book).values())
    assert "from 2024-12-01 to 2025-01-" in own.explain(book, own.number_of("25"), 0)
    with pytest.raises(InputError, match="expected a month and a day"):
        Corpus.take(table, tmp_path / "wrong", {"year_begins": "spring"})


def latest(events: list[Event]) -> int:
    return max(range(len(events)), key=lambda n: (events[n][0], n))


def test_the_lab_gives_what_the_ledger_posts(book: Rulebook, tmp_path: Path) -> None:
    ledger = create_ledger(str(tmp_path / "ledger.db"))
    events = histories(25, 6)
    won = of_players(corpus_of(tmp_path / "corpus", events), book)
    for number in sorted(range(len(events)), key=lambda n: (events[n][0], n)):
        day, placed = events[number]
        field = field_of(placed, lambda _: {})
        outcome = post(
            ledger, EventToPost(f"Event {number}", (field,), book, {}, f"{day}"), "w", another=True
        )
        with ledger.reading() as connection:
            known = members.get(connection, [line.member for line in outcome.lines])
        posted = {known[line.member].number: Fraction(line.amount, 100) for line in outcome.lines}
        assert posted == {player: amount for player, amount in won[number].items() if amount}


def of_players(corpus: Corpus, book: Rulebook) -> dict[int, dict[str, Fraction]]:
    """What each player is awarded, by event."""
    won: dict[int, dict[str, Fraction]] = {}
    for shard in corpus:
        each = award_shard(book, shard).each_player(shard)
        events = shard.ids[shard.event_of_entrant[shard.entrant_of_player]]
        for event, player, amount in zip(events, shard.player, each, strict=True):
            won.setdefault(int(event), {})[str(player)] = Fraction(int(amount), SCALE)
    return won


# --- questions --------------------------------------------------------------------------------


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    return corpus_of(tmp_path / "corpus", histories(40, 7), held=1000)


def test_every_question_gives_the_capped_figures(book: Rulebook, corpus: Corpus) -> None:
    won = of_players(corpus, book)
    total = float(sum(amount for own in won.values() for amount in own.values()))
    free = book.amend(most=5000)
    compared = corpus.compare(book, free)
    assert compared.total.a / SCALE == pytest.approx(total)
    assert compared.total.b > compared.total.a
    assert not compared.left
    assert corpus.sweep(free, "most", [str(MOST)]).rows[1]["total"] == pytest.approx(total)
    assert corpus.sweep(book, "first", ["80"]).rows[1]["total"] == pytest.approx(total)
    calibrated = corpus.calibrate(book.amend(most=100), ["most"], total=total)
    assert float(Fraction(calibrated.found.amended["most"])) == pytest.approx(MOST, rel=0.01)
    sample = sample_of(corpus, book)
    assert sample.won.sum() == pytest.approx(total)
    [ties] = corpus.audit(book).broken  # what was awarded before is no strength of a field
    assert ties.promise == "ties"
    assert ties.touched
    assert ties.touched.events > 0


def test_years_that_follow_are_capped_with_what_is_held_then(tmp_path: Path) -> None:
    events = histories(20, 8)
    toml = TOML + '[inputs.masterpoints]\nabout = "held"\nper = "player"\n'
    rules = RULES.replace("won: Number, most", "won: Number, masterpoints: Number, most")
    rules = rules.replace("min(won,", "min(won * masterpoints / 100,")
    rules = rules.replace('@rule("§1", per="player")', ROUNDED)
    book = write_book(tmp_path / "capped", toml, rules).amend(most=MOST)
    rows = corpus_of(tmp_path / "corpus", events, held=1000).growth([book], 2).rows
    held = dict.fromkeys(range(30), Fraction(10))
    for row in rows:
        won: dict[int, Fraction] = {}
        one_after_the_other(book, events, lambda day: day.year, dict(held), won)
        paid = next(amount for name, amount in row.items() if str(name).endswith("pays"))
        assert paid == pytest.approx(float(sum(won.values())))
        held = {player: own + won.get(player, 0) for player, own in held.items()}


def test_an_explanation_says_where_the_figure_comes_from(book: Rulebook, corpus: Corpus) -> None:
    days = [day for day, _ in histories(40, 7)]
    last = max(range(len(days)), key=lambda n: (days[n], n))
    own = (
        f"by capped in the events of the corpus from 2025-01-01 to {days[last]}, this one left out"
    )
    assert own in corpus.explain(book, last, 0)
    both = corpus.compare(book, book.amend(most=5000)).explain(last)
    assert all(own in render_text(step) for step in both.why)


def test_what_was_tried_otherwise_is_tried_with_what_players_had(
    book: Rulebook, corpus: Corpus
) -> None:
    shard = next(iter(corpus))
    whole = of_players(corpus, book)
    backwards = shard.only(np.arange(20, 40))
    each = award_shard(book, replace(backwards, place=backwards.place)).each_player(backwards)
    assert each.sum() == sum(sum(whole[event].values()) for event in range(20, 40)) * SCALE


# --- where it cannot be known -----------------------------------------------------------------


def test_events_without_a_day_are_left_out_with_the_reason(book: Rulebook, tmp_path: Path) -> None:
    corpus = corpus_of(tmp_path / "corpus", histories(5, 9), dated=False)
    [(why, many)] = corpus.compare(book, book.amend(most=50)).left.items()
    assert many == 5
    assert "does not say on which day it was played (column date)" in why
    assert "asks what players were awarded before (earned)" in why


def test_a_corpus_without_members_is_left_out_with_the_reason(
    book: Rulebook, tmp_path: Path
) -> None:
    events: list[Event] = [(FIRST, [(1, [2 * n]), (2, [2 * n + 1])]) for n in range(6)]
    [why] = corpus_of(tmp_path / "corpus", events).compare(book, book.amend(most=50)).left
    assert "does not say who its players are" in why


def test_a_cluster_is_refused_in_a_sentence(book: Rulebook, corpus: Corpus) -> None:
    for ask in (
        lambda: corpus.compare(book, book, on="tcp://nowhere:1"),
        lambda: corpus.sweep(book, "most", ["1"], on="tcp://nowhere:1"),
        lambda: corpus.growth([book], 2, on="tcp://nowhere:1"),
        lambda: corpus.fit(book, on="tcp://nowhere:1"),
    ):
        with pytest.raises(InputError, match="ask on one machine, not on a cluster"):
            ask()


@pytest.mark.usefixtures("book")
def test_a_run_over_shards_writes_the_capped_awards(corpus: Corpus, tmp_path: Path) -> None:
    from honours.rulebooks import load

    own = load("capped", [str(tmp_path)]).amend(most=MOST)
    asked = ["lab", "award", str(corpus.folder), "--rulebook", f"capped most={MOST}"]
    asked += ["--rulebooks", str(tmp_path), "--out", str(tmp_path / "out"), "--workers", "2"]
    done = CliRunner(env={"HONOURS_TRUST": "1"}).invoke(cli, asked)
    assert done.exit_code == 0, done.output
    assert "one process awards the events in the order of their days" in done.stderr
    rows = pq.read_table(tmp_path / "out" / "awards-00000.parquet").to_pylist()
    written = {(r["event"], r["entrant"]): Fraction(r["amount"], SCALE) for r in rows}
    assert written == in_the_lab(corpus, own)
    on = CliRunner(env={"HONOURS_TRUST": "1"}).invoke(cli, [*asked, "--on", "tcp://nowhere:1"])
    assert "ask on one machine" in on.output


def test_files_of_nights_have_their_days_from_their_names(book: Rulebook, tmp_path: Path) -> None:
    nights = tmp_path / "nights"
    nights.mkdir()
    files(nights)
    corpus = Corpus.take(nights, tmp_path / "corpus")
    assert "4 events have their day from the name of their file" in corpus.notes
    lab = in_the_lab(corpus, book.amend(most=100))
    firsts = [lab[number, 0] for number in range(4)]
    assert firsts == [80, 20, 0, 80]  # as tests/ledger/test_year_so_far.py posts them


def test_a_simulation_says_that_nothing_was_awarded_before(book: Rulebook) -> None:
    contest = Contest("a club night", 12, 100)
    simulated = Corpus.simulate([book], [contest], holding=100, runs=100)
    assert any("What players were awarded before (earned)" in line for line in simulated.statements)
