"""ACBL club games: who may not be paid. The real events are evidence of the rulebook."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from honours.engine.event_awards import award_event
from honours.model import Entrant, Field, Player, Standing
from honours.rulebooks import load


def test_a_pair_that_is_not_eligible_sits_at_a_table_and_is_shown_with_nothing() -> None:
    """Six tables with three guests in each line: the others are paid as of six tables."""
    barred = {"1", "2", "3"}
    standings = tuple(
        Standing(
            Entrant(
                str(n), (Player(f"P{n}", facts={"eligible": "no"} if str(n) in barred else {}),)
            ),
            n,
            score=Fraction(70 - n),
        )
        for n in range(1, 7)
    )
    given, book = {"game": "club"}, load("acbl-clubs-2017")
    others = tuple(replace(s, entrant=replace(s.entrant, id=f"{s.entrant.id}E")) for s in standings)
    lines = [Field(standings=standings, line="NS"), Field(standings=others, line="EW")]
    awards = award_event(book, lines, given)
    alone = award_event(book, [replace(f, standings=f.standings[3:]) for f in lines], given)
    section = next(one for one in awards.lists if one.field.section)
    assert section.field.facts["tables"] == 6
    assert awards.amount("4") == 2 * alone.amount("4") > 0
    shown = {i.standing.entrant.id: i.refusal for one in awards.lists for i in one.schedule}
    assert {who for who, refusal in shown.items() if refusal} >= barred
