"""What is said before and after: players without numbers, bonuses that rest on an event, teams."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from honours.ledger import submissions
from honours.ledger.post import POSTED, post, resting_on_record
from honours.ledger.season.plan import read_season
from honours.ledger.season.standings import CountedEvent, season_standings
from honours.ledger.store import Ledger
from honours.ledger.submissions import events, unnumbered
from honours.model import Entrant, Field, Player, Standing
from tests.ledger.material import event, pair, ranked
from tests.ledger.test_season_rules import HEAD, competition


def test_who_has_no_number_is_told_before_a_return_goes_out(ledger: Ledger) -> None:
    nameless = {1: (Player("Visiting Vic", ""), Player("Bob 1", "101b"))}
    night = replace(event(), lists=(ranked([1, 2, 3, 4, 5, 6], {**_all(), **nameless}),))
    assert post(ledger, night, "w").status == POSTED
    submissions.submit(ledger, "2017-01-01", "2017-12-31", "w")
    with ledger.reading() as connection:
        lines = [str(one) for one in unnumbered(events(connection, 1))]
    assert lines == [
        "Club night, 2017-01-14: without a number, so that they may not be credited: Visiting Vic"
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
