"""The ledger refuses what a rulebook's body forbids, whichever way an event comes."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from sqlalchemy import select

from honours.engine.ranks import year_around
from honours.errors import InputError, LedgerError, RulebookError
from honours.ledger import kinds, schema, submissions
from honours.ledger.answers import outcome_data
from honours.ledger.derive import Payment, PointsKind
from honours.ledger.enrol import import_members
from honours.ledger.events import EventToPost
from honours.ledger.list_tables import roll
from honours.ledger.lists import ListQuery
from honours.ledger.members import find
from honours.ledger.post import ALREADY, FORBIDDEN, POSTED, post, resting_on_record
from honours.ledger.release import allow, draft, release
from honours.ledger.season.plan import read_season
from honours.ledger.season.standings import CountedEvent, season_standings
from honours.ledger.shapes import POSTINGS
from honours.ledger.statement import reason, statement
from honours.ledger.store import Ledger
from honours.ledger.submissions import events, unnumbered
from honours.ledger.verify import verify
from honours.model import Award, Entrant, Field, Player, Standing, Step
from honours.reports.drawing import draw_text
from honours.rulebooks import load
from tests.engine.books import write_book
from tests.ledger.material import GIVEN, event, pair, ranked
from tests.ledger.test_season_rules import HEAD, competition
from tests.support import cases


def major(title: str, day: str, order: list[int] | None = None) -> EventToPost:
    return event(title, day, order, championship="major")


def test_points_of_another_colour_are_refused_with_the_clause(ledger: Ledger) -> None:
    outcome = post(ledger, event(points="national"), "Eve")
    assert outcome.status == FORBIDDEN
    assert "not national (red) ones [Introduction]" in outcome.difference[0]
    assert post(ledger, event(), "Eve").record == 1


def test_a_rule_not_in_force_takes_a_reason_which_the_statement_has(ledger: Ledger) -> None:
    late = event(day="2025-01-14")
    outcome = post(ledger, late, "Eve")
    assert outcome.status == FORBIDDEN
    [why] = outcome.difference
    assert "was not in force on 2025-01-14 [" in why
    assert post(ledger, late, "Eve", overrule="our district asks for it").status == POSTED
    with ledger.reading() as connection:
        kept = reason(connection, 1).record
    assert kept.why == f"overruled: our district asks for it ({why})"


def test_a_second_major_of_a_kind_in_a_year_is_refused(ledger: Ledger) -> None:
    assert post(ledger, major("Cup", "2017-01-14"), "Eve").status == POSTED
    other = major("Plate", "2017-11-04", order=[6, 5, 4, 3, 2, 1])
    outcome = post(ledger, other, "Eve")
    assert outcome.status == FORBIDDEN
    [why] = outcome.difference
    assert why.startswith("Cup of 2017-01-14 is record 1: a club nominates one major")
    next_year = major("Plate", "2018-11-03", order=[6, 5, 4, 3, 2, 1])
    assert post(ledger, next_year, "Eve").status == POSTED


def test_who_may_overrules_with_a_reason_that_is_kept(ledger: Ledger) -> None:
    allow(ledger, "M. Secretary")
    wanted = event(points="national")
    with pytest.raises(InputError, match="Eve may not release"):
        post(ledger, wanted, "Eve", overrule="agreed")
    outcome = post(ledger, wanted, "M. Secretary", overrule="agreed with the union")
    assert outcome.status == POSTED
    with ledger.reading() as connection:
        kept = reason(connection, 1).record
        shown = POSTINGS.table(statement(connection, find(connection, "101a")).lines)
    assert kept.why.startswith("overruled: agreed with the union (national points: clubs are")
    assert "overruled: agreed with the union" in draw_text(shown)


def test_a_statement_tells_an_overruling_by_its_value_in_the_readers_language(
    ledger: Ledger,
) -> None:
    post(ledger, event(), "Eve", why="the draw was overruled: see the minutes")
    other = event("Plate", "2017-02-14", points="national", order=[1, 3, 2, 4, 5, 6])
    assert post(ledger, other, "Eve", overrule="agreed").status == POSTED
    with ledger.reading() as connection:
        shown = POSTINGS.table(statement(connection, find(connection, "101a")).lines)
    in_english, in_french = draw_text(shown), draw_text(shown, "fr")
    assert "the draw was overruled" not in in_english
    assert "overruled: agreed (national points" in in_english
    assert "passé outre : agreed (" in in_french


def test_a_draft_is_refused_when_it_is_released(ledger: Ledger) -> None:
    draft(ledger, event(points="national"), "Eve")
    assert release(ledger, 1, "Eve").status == FORBIDDEN


def test_who_may_releases_a_draft_against_it_with_a_reason(ledger: Ledger) -> None:
    held = draft(ledger, event(points="national"), "Eve")
    assert "not national (red) ones" in held.remarks[0]
    outcome = release(ledger, 1, "Eve", overrule="agreed")
    assert outcome.status == POSTED
    with ledger.reading() as connection:
        assert reason(connection, 1).record.why.startswith("drafted by Eve; overruled: agreed (")


def test_a_second_minor_of_a_kind_in_a_year_is_refused(ledger: Ledger) -> None:
    first = event("Spoon", "2017-01-14", championship="minor")
    second = event("Fork", "2017-11-04", [6, 5, 4, 3, 2, 1], championship="minor")
    assert post(ledger, first, "Eve").status == POSTED
    outcome = post(ledger, second, "Eve")
    assert outcome.status == FORBIDDEN
    assert "one minor championship of each kind" in outcome.difference[0]


def test_only_one_minor_may_be_similar_to_a_major(ledger: Ledger) -> None:
    """A session of pairs and one of teams as majors; then each of them as a minor."""

    def championship(title: str, day: str, word: str, kind: str, order: list[int]) -> EventToPost:
        return replace(
            event(title, day, order), given={**GIVEN, "kind": kind, "championship": word}
        )

    nominated = [
        championship("Pairs cup", "2017-01-14", "major", "pairs", [1, 2, 3, 4, 5, 6]),
        championship("Teams cup", "2017-02-14", "major", "teams", [2, 1, 3, 4, 5, 6]),
        championship("Pairs plate", "2017-03-14", "minor", "pairs", [3, 1, 2, 4, 5, 6]),
    ]
    for one in nominated:
        assert post(ledger, one, "Eve").status == POSTED
    last = championship("Teams plate", "2017-04-14", "minor", "teams", [4, 1, 2, 3, 5, 6])
    outcome = post(ledger, last, "Eve")
    assert outcome.status == FORBIDDEN
    [why] = outcome.difference
    assert "only one minor championship may be similar to a major one" in why


def test_a_consolation_final_is_part_of_its_championship(ledger: Ledger) -> None:
    given = {**GIVEN, "championship": "major", "toe": "24", "boards": "24", "events": "4"}
    final = replace(event("Cup, final"), given={**given, "competition": "final"})
    others = event("Cup, consolation", order=[6, 5, 4, 3, 2, 1])
    rest = replace(others, given={**given, "competition": "consolation-final"})
    assert post(ledger, rest, "Eve", another=True).status == POSTED
    assert post(ledger, final, "Eve", another=True).status == POSTED


def regional(points: str = "", **given: str) -> EventToPost:
    facts = {"kind": "pairs", "sessions": "2", "class": "regional", **given}
    return replace(
        event(points=points), rulebook=load("acbl-general"), given=facts, day="2010-05-05"
    )


def test_points_have_the_colour_of_the_class_of_event(ledger: Ledger) -> None:
    outcome = post(ledger, regional(), "Eve")
    assert outcome.status == POSTED
    assert {one["kind"] for one in outcome_data(outcome)["postings"]} == {"gold"}
    assert verify(ledger).sound
    assert post(ledger, regional(), "Eve").status == ALREADY


def test_points_of_another_colour_than_the_class_gives_are_refused(ledger: Ledger) -> None:
    outcome = post(ledger, regional("black"), "Eve")
    assert outcome.status == FORBIDDEN
    [why] = outcome.difference
    assert why.startswith("black points: an event of this class gives gold ones [Established")
    assert post(ledger, regional("gold"), "Eve").status == POSTED


def test_an_award_of_two_colours_is_two_postings(ledger: Ledger) -> None:
    given = {"kind": "pairs", "game": "nap-club"}
    one = replace(event(points=""), rulebook=load("acbl-clubs-2017"), given=given, day="2017-07-05")
    outcome = post(ledger, one, "Eve", overrule="ACBLscore did")
    assert outcome.status == POSTED
    [first, second, *_] = outcome_data(outcome)["postings"]
    assert (first["member"], second["member"]) == (1, 1)
    assert {first["kind"], second["kind"]} == {"red", "black"}
    assert verify(ledger).sound


def test_points_of_a_body_of_colours_are_called_by_them(ledger: Ledger, tmp_path: Path) -> None:
    """They are kept as local and national, and both words go on working."""
    said = {"kind": "pairs", "game": "club"}
    one = replace(event(points=""), rulebook=load("acbl-clubs-2017"), given=said, day="2017-07-05")
    assert post(ledger, one, "Eve", overrule="ACBLscore did").status == POSTED
    acbl = load("acbl-clubs-2017").body
    with ledger.reading() as connection:
        kept = connection.execute(select(schema.kinds.c.name, schema.kinds.c.colour)).all()
        assert ("local", "black") in [tuple(row) for row in kept]
        black = kinds.get(connection, acbl, "local")
        assert black == kinds.get(connection, acbl, "black")
        assert (black.name, black.kept_name) == ("black", "local")
        held = roll(connection, ListQuery(acbl)).table()
        assert [c.key for c in held.columns if c.key in ("black", "local")] == ["black"]
        account = statement(connection, find(connection, "#1"))
        assert {line.kind.name for line in account.lines} == {"black"}
    file = tmp_path / "members.csv"
    file.write_text("number,name,local,red\n77,New Player,5,7\n", encoding="utf-8")
    brought = import_members(ledger, file, "Eve", load("acbl-clubs-2017"))
    assert [(kind.name, units) for _, kind, units in brought.balances] == [
        ("black", 500),
        ("red", 700),
    ]
    assert verify(ledger).sound


def test_an_event_without_a_day_is_asked_for_it(ledger: Ledger) -> None:
    with pytest.raises(InputError, match="its date is not known"):
        post(ledger, event(day=""), "Eve")


TOML = """
[inputs.entrants]
about = "entrants"
type = "count"
[parameters]
whole = { value = 1, clause = "§1" }
"""
RULES = '''
@rule("§1")
def places(entrants):
    """All."""
    return entrants

@rule("§1", per="entrant")
def award(whole):
    """One."""
    return whole
'''


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ('points = ["local"]\nclause = "§2"', "reason"),
        ('reason = "so"\nclause = "§2"', "points or once_a_year"),
        ('point = ["local"]\nreason = "so"\nclause = "§2"', "point"),
    ],
)
def test_a_wrong_limit_is_named(tmp_path: Path, table: str, message: str) -> None:
    with pytest.raises(RulebookError, match=message):
        write_book(tmp_path / "made_up", f"{TOML}\n[[posting]]\n{table}\n", RULES)


def test_the_year_is_the_clubs_own(ledger: Ledger) -> None:
    autumn = replace(major("Cup", "2016-11-14"), year_begins="09-01")
    assert post(ledger, autumn, "Eve").status == POSTED
    other = [6, 5, 4, 3, 2, 1]
    spring = replace(major("Plate", "2017-03-04", order=other), year_begins="09-01")
    assert post(ledger, spring, "Eve").status == FORBIDDEN
    held = draft(ledger, spring, "Eve")
    assert held.record is not None
    assert release(ledger, held.record, "Eve").status == FORBIDDEN
    by_the_calendar = replace(spring, year_begins="")
    assert post(ledger, by_the_calendar, "Eve", dry_run=True).status != FORBIDDEN
    later = replace(major("Plate", "2017-09-02", order=other), year_begins="09-01")
    assert post(ledger, later, "Eve").status == POSTED


@cases
def test_a_day_is_in_one_year(day: str, begins: str, year: list[str]) -> None:
    assert list(year_around(day, begins)) == year


def test_a_year_begins_on_a_day_there_is() -> None:
    with pytest.raises(InputError, match="begins on 31-12: expected a month and a day"):
        year_around("2017-01-14", "31-12")


def test_a_player_whose_part_has_no_colour_is_said_in_points() -> None:
    """A cap lets one of a pair have 5.00 of 11.90; which colour these are nobody says."""
    gold, grey = (PointsKind(n, "league", name, name, 2) for n, name in enumerate(("gold", "grey")))
    payment = Payment(gold, {"gold": gold, "grey": grey})
    colours = {"gold": Fraction("9.90"), "grey": Fraction(2)}
    why = Step("award", Fraction("11.90"), "11.90", "rule")
    award = Award(Standing(Entrant("1"), 1), Fraction("11.90"), "11.90", why, colours=colours)
    assert payment.parts(award, award.amount) == {gold: Fraction("9.90"), grey: 2}
    with pytest.raises(LedgerError, match=r"place 1 gets 5\.00 of 11\.90.*gold, grey"):
        payment.parts(award, Fraction(5))


def test_who_has_no_number_is_told_before_a_return_goes_out(ledger: Ledger) -> None:
    nameless = {1: (Player("Visiting Vic", ""), Player("Bob 1", "101b"))}
    night = replace(event(), lists=(ranked([1, 2, 3, 4, 5, 6], {**_all(), **nameless}),))
    assert post(ledger, night, "w").status == POSTED
    submissions.submit(ledger, "2017-01-01", "2017-12-31", "w")
    with ledger.reading() as connection:
        lines = [str(one) for one in unnumbered(events(connection, 1))]
    assert lines == [
        "Club night, 2017-01-14: these players have no number and may not be credited: Visiting Vic"
    ]


def _all() -> dict[int, tuple[Player, ...]]:
    return {n: pair(n) for n in range(1, 7)}


def test_a_correction_says_which_bonus_rests_on_it(ledger: Ledger) -> None:
    post(ledger, event(), "w")
    bonus = event(
        "Saturdays, bonus", "2017-03-25", competition="aggregate", events="8", counted="4"
    )
    done = post(ledger, bonus, "w", another=True)
    assert done.status == POSTED, (done.status, done.difference, done.remarks)
    with ledger.reading() as connection:
        [note] = resting_on_record(connection, 1)
        assert "Saturdays, bonus of 2017-03-25, record 2" in str(note)
        assert resting_on_record(connection, 2) == ()
        assert resting_on_record(connection, 99) == ()
    again = post(ledger, event(order=[2, 1, 3, 4, 5, 6]), "w", correct=True, why="scored again")
    assert any("award the season again" in str(remark) for remark in again.remarks)


def _night(day: str, *teams: tuple[str, str]) -> CountedEvent:
    standings = tuple(
        Standing(
            Entrant(str(place), tuple(Player(n, n) for n in players.split()), name),
            place,
            1,
            Fraction(60 - place),
        )
        for place, (name, players) in enumerate(teams, 1)
    )
    return CountedEvent(day, "League", (Field({}, standings),), "", day)


def test_a_team_is_known_by_its_name_when_a_player_is_replaced(tmp_path: Path) -> None:
    file = tmp_path / "season.toml"
    text = competition("League", kind='"teams"', type="", best="", played="2")
    (tmp_path / "events").mkdir()
    (tmp_path / "events" / "2017-01-01.csv").write_text("place,names\n1,A\n", encoding="utf-8")
    file.write_text(HEAD + text, encoding="utf-8")
    season = read_season(file)
    nights = [
        _night("2017-01-01", ("Reds", "a b c d"), ("Blues", "e f g h")),
        _night("2017-02-01", ("REDS", "a b c x"), ("Blues", "e f g h")),
        _night("2017-03-01", ("", "a b c d"), ("Blues", "e f g y")),
    ]
    table = season_standings(season.competition("League"), nights)
    rows = {row.title: row for row in table.rows}
    assert rows["Reds"].played == 2
    assert [p.name for p in rows["Reds"].players] == ["a", "b", "c"]
    assert rows["Blues"].played == 3
    assert [p.name for p in rows["Blues"].players] == ["e", "f", "g", "h"]
    assert rows["a & b & c & d"].played == 1  # nobody said which team that was
    assert table.field().standings[0].entrant.name in ("Reds", "Blues")
