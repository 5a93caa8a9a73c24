"""An event is posted once; corrections and reversals leave everything readable."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction

import pytest
from sqlalchemy import select, text

from honours.engine.event_awards import award_event
from honours.engine.exact.explanation import render_short
from honours.errors import InputError, LedgerError
from honours.ledger import kinds, members
from honours.ledger.answers import reason_answer
from honours.ledger.balances import summed
from honours.ledger.post import (
    ALREADY,
    DIFFERS,
    NOTHING,
    POSTED,
    RECOGNISED,
    post,
    reverse,
)
from honours.ledger.release import draft, release
from honours.ledger.schema import records
from honours.ledger.shapes import reason_data
from honours.ledger.statement import reason, statement
from honours.ledger.store import Ledger
from honours.ledger.verify import verify
from honours.model import Entrant, KnownFact, Origin, Player, Standing
from honours.reports.drawing import draw_answer
from honours.rulebooks import load
from tests.ledger.material import event, pair, ranked


def held(ledger: Ledger, number: str) -> dict[str, int]:
    with ledger.reading() as connection:
        own = statement(connection, members.find(connection, number))
    return {kind.name: units for kind, units in own.balances.items()}


def test_posting_credits_every_player(ledger: Ledger) -> None:
    outcome = post(ledger, event(), "Eve")
    assert outcome.status == POSTED
    assert [line.amount for line in outcome.lines] == [12, 12, 6, 6]
    assert held(ledger, "101a") == {"local": 12}
    assert held(ledger, "Bob 2") == {"local": 6}
    assert verify(ledger).sound


def test_posting_again_changes_nothing_and_says_so(ledger: Ledger) -> None:
    first = post(ledger, event(), "Eve")
    again = post(ledger, event(), "Eve")
    assert (again.status, again.record) == (ALREADY, first.record)
    assert held(ledger, "101a") == {"local": 12}


def test_a_dry_run_leaves_nothing(ledger: Ledger) -> None:
    assert post(ledger, event(), "Eve", dry_run=True).status == POSTED
    assert post(ledger, event(), "Eve").record == 1
    with ledger.reading() as connection:
        assert len(members.everyone(connection)) == 12


def test_other_results_are_refused_with_the_difference(ledger: Ledger) -> None:
    post(ledger, event(), "Eve")
    other = post(ledger, event(order=[2, 1, 3, 4, 5, 7]), "Eve")
    assert other.status == DIFFERS
    text = "\n".join(other.difference)
    assert "Ann 2 & Bob 2: place 2, 6 points in the ledger, place 1, 12 points now" in text
    assert "Ann 6 & Bob 6: place 6, 0 points in the ledger, not there now" in text
    with ledger.reading() as connection, pytest.raises(InputError, match="unknown member"):
        members.find(connection, "107a")


def test_other_rules_are_refused_too(ledger: Ledger) -> None:
    post(ledger, event(), "Eve")
    assert post(ledger, event(points="national"), "Eve").status == DIFFERS


def test_a_correction_is_a_reversal_and_a_new_posting(ledger: Ledger) -> None:
    post(ledger, event(), "Eve")
    with pytest.raises(InputError, match="reason"):
        post(ledger, event(order=[2, 1, 3, 4, 5, 6]), "Eve", correct=True)
    done = post(ledger, event(order=[2, 1, 3, 4, 5, 6]), "Eve", correct=True, why="line 7 misread")
    assert done.status == POSTED
    assert held(ledger, "101a") == {"local": 6}
    with ledger.reading() as connection:
        rows = connection.execute(select(records).order_by(records.c.id)).all()
        own = statement(connection, members.find(connection, "101a"))
    assert [(r.action, r.why) for r in rows] == [
        ("award", ""),
        ("reversal", "line 7 misread"),
        ("award", "line 7 misread"),
    ]
    assert [line.amount for line in own.lines] == [12, -12, 6]
    assert own.lines[1].reverses == own.lines[0].posting
    assert verify(ledger).sound


def test_there_must_be_something_to_correct(ledger: Ledger) -> None:
    with pytest.raises(InputError, match="nothing to correct"):
        post(ledger, event(), "Eve", correct=True, why="x")


@pytest.mark.parametrize(
    "change",
    [
        {"title": "Another name"},
        {"day": "2017-01-15"},
        {"source": "other.xml", "title": "Tue"},
    ],
)
def test_the_same_session_from_another_file_is_asked_about(
    ledger: Ledger, change: dict[str, str]
) -> None:
    post(ledger, event(), "Eve")
    again = event(**change)  # type: ignore[arg-type]
    outcome = post(ledger, again, "Eve")
    assert (outcome.status, outcome.record) == (RECOGNISED, 1)
    assert outcome.like == "Club night of 2017-01-14"
    assert post(ledger, again, "Eve", another=True).status == POSTED


def test_it_is_recognised_without_numbers_and_with_other_scores(ledger: Ledger) -> None:
    post(ledger, event(), "Eve")
    field = event().lists[0]
    plain = replace(
        field,
        standings=tuple(
            replace(
                s,
                score=(s.score or Fraction(0)) * 2,
                entrant=Entrant(
                    f"p{s.place}", tuple(Player(p.name.upper()) for p in s.entrant.players)
                ),
            )
            for s in field.standings
        ),
    )
    assert post(ledger, replace(event("Tuesday"), lists=(plain,)), "Eve").status == RECOGNISED


def test_the_same_people_on_the_same_day_are_asked_about(ledger: Ledger) -> None:
    post(ledger, event(), "Eve")
    assert post(ledger, event("Late", order=[6, 5, 4, 3, 2, 1]), "Eve").status == RECOGNISED
    other_day = event("Late", day="2017-01-21", order=[6, 5, 4, 3, 2, 1])
    assert post(ledger, other_day, "Eve").status == POSTED


def test_a_reversed_event_may_be_posted_again(ledger: Ledger) -> None:
    post(ledger, event(), "Eve")
    number = reverse(ledger, 1, "Eve", "void")
    with pytest.raises(InputError, match="already reversed by record 2"):
        reverse(ledger, 1, "Eve", "again")
    with pytest.raises(InputError, match="only events and opening balances"):
        reverse(ledger, number, "Eve", "again")
    with pytest.raises(InputError, match="needs a reason"):
        reverse(ledger, 1, "Eve", "")
    assert held(ledger, "101a") == {"local": 0}
    assert post(ledger, event(), "Eve").status == POSTED
    assert verify(ledger).sound


def test_what_the_rulebook_refuses_is_not_posted(ledger: Ledger) -> None:
    outcome = post(ledger, event(supervised="yes"), "Eve")
    assert outcome.status == NOTHING
    assert "supervised play is never awarded" in outcome.remarks[0]
    assert post(ledger, event(), "Eve").record == 1


def test_who_played_too_little_gets_nothing(ledger: Ledger) -> None:
    def played(n: int, *boards: int) -> tuple[Player, ...]:
        return tuple(
            replace(p, facts={"boards_played": Fraction(b)})
            for p, b in zip(pair(n), boards, strict=True)
        )

    everybody = {n: played(n, 24, 24) for n in range(2, 7)} | {1: played(1, 24, 12)}
    field = ranked([1, 2, 3, 4, 5, 6], everybody)
    outcome = post(ledger, replace(event(), lists=(field,)), "Eve")
    assert [line.amount for line in outcome.lines] == [12, 6, 6]
    assert verify(ledger).sound


def test_kinds_of_points_stay_apart(ledger: Ledger) -> None:
    post(ledger, event(), "Eve")
    agreed = "agreed with the union"
    red = event("Congress", "2017-02-01", points="red")
    post(ledger, red, "Eve", another=True, overrule=agreed)
    with ledger.writing() as connection:
        kinds.add(connection, "Scottish Bridge Union", "gold", "gold", 0)
    gold = event("Gold cup", "2017-03-01", points="gold")
    post(ledger, gold, "Eve", another=True, overrule=agreed)
    assert held(ledger, "101a") == {"local": 12, "national": 12, "gold": 12}
    with pytest.raises(InputError, match="unknown kind of points"):
        post(ledger, event("Cup", "2017-04-01", points="blue"), "Eve")
    assert verify(ledger).sound


def test_fractions_of_points_are_whole_units(ledger: Ledger) -> None:
    book = load("aga-category")
    field = ranked(list(range(1, 21)))
    alone = replace(
        field,
        standings=tuple(
            replace(s, entrant=replace(s.entrant, players=s.entrant.players[:1]))
            for s in field.standings
        ),
    )
    given = {"mean_rating": "7.93", "players": "20", "section_kind": "open"}
    one = replace(event("Open"), lists=(alone,), rulebook=book, given=given)
    outcome = post(ledger, one, "Eve")
    assert outcome.prepared is not None
    assert outcome.prepared.payment.usual.decimals == 2
    assert outcome.prepared.payment.usual.shown(outcome.lines[0].amount) == "11.90"
    assert verify(ledger).sound


def test_a_posting_says_why(ledger: Ledger) -> None:
    post(ledger, event(), "Eve")
    with ledger.reading() as connection:
        why = reason(connection, 1)
        with pytest.raises(InputError, match="no posting 99"):
            reason(connection, 99)
    assert why.steps[0].shown == "12"
    assert why.steps[0].citation is not None
    posted = event()
    worked_out = award_event(posted.rulebook, posted.lists, posted.given).lists[0].schedule[0]
    assert render_short(why.steps[0]) == render_short(worked_out.why)


def test_stored_facts_hold_no_names(ledger: Ledger) -> None:
    post(ledger, event(), "Eve")
    with ledger.reading() as connection:
        row = connection.execute(select(records)).one()
    assert "Ann 1" not in row.facts + row.explanation
    assert not re.search(r"\b101a\b", row.facts + row.explanation)


@pytest.mark.parametrize(
    ("players", "message"),
    [
        ((), "the ledger credits people"),
        ((Player(""),), "without name and number"),
        (pair(2), "twice in one ranking list: in Ann 2 & Bob 2"),
    ],
)
def test_entrants_that_cannot_be_credited(
    file_ledger: Ledger, players: tuple[Player, ...], message: str
) -> None:
    field = ranked([1, 2, 3, 4, 5, 6])
    odd = (Standing(Entrant("x", players), 7), *field.standings)
    with pytest.raises(InputError, match=message):
        post(file_ledger, replace(event(), lists=(replace(field, standings=odd),)), "Eve")


def test_namesakes_must_be_told_apart(file_ledger: Ledger) -> None:
    with file_ledger.writing() as connection:
        members.add(connection, "Ann 9", "1")
        members.add(connection, "Ann 9", "2")
    field = ranked([1, 2, 3, 4, 5, 9], {9: (Player("Ann 9"), Player("Bob 9"))})
    with pytest.raises(InputError, match="several members have this name"):
        post(file_ledger, replace(event(), lists=(field,)), "Eve")


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE postings SET amount = amount + 1",
        "DELETE FROM postings",
        "UPDATE records SET title = 'x'",
        "DELETE FROM records",
    ],
)
def test_the_database_itself_refuses_changes(ledger: Ledger, statement: str) -> None:
    post(ledger, event(), "Eve")
    with pytest.raises(LedgerError, match="only ever added to"), ledger.writing() as connection:
        connection.execute(text(statement))
    assert verify(ledger).sound


def test_balances_are_sums_of_postings(ledger: Ledger) -> None:
    post(ledger, event(), "Eve")
    post(ledger, event("Late", "2017-02-01", [6, 5, 4, 3, 2, 1]), "Eve")
    with ledger.reading() as connection:
        totals = summed(connection)
    assert sorted(totals.values()) == [6, 6, 6, 6, 12, 12, 12, 12]


def test_a_record_keeps_what_its_awards_were_made_from(ledger: Ledger) -> None:
    post(ledger, event(), "Eve", why="agreed")
    with ledger.reading() as connection:
        why = reason(connection, 1)
    text = draw_answer(reason_answer(why))
    assert "Reason: agreed" in text
    assert "In short:\n  6 pairs, so the top third, 2 pairs, score." in text
    assert "third = 1/3" in text
    assert "Derived: entrants: 6" in text
    assert "kind: pairs, winners: 1" in text
    assert "awarded before: no" in text.partition("Assumed, because nothing else is known: ")[2]
    kept = {one["name"]: one for one in reason_data(why)["made_from"]}
    assert kept["entrants"]["source"] == "the ranking list"


def test_a_draft_keeps_where_its_facts_come_from(ledger: Ledger) -> None:
    field = ranked([1, 2, 3, 4, 5, 6])
    boards = KnownFact("boards", Fraction(24), Origin.DERIVED, "the results")
    known = replace(field, facts={"boards": Fraction(24)}, sources={"boards": boards})
    draft(ledger, replace(event(), lists=(known,)), "Eve")
    release(ledger, 1, "Eve")
    with ledger.reading() as connection:
        [kept] = [one for one in reason(connection, 1).known if one.name == "boards"]
    assert (kept.origin, kept.source) == (Origin.DERIVED, "the results")
