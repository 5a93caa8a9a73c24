"""An evening's acts: what may be done, what it changes, and that nothing of it is lost."""

from pathlib import Path

import pytest

from honours.errors import FileProblem, InputError
from honours.evening.acts import Conflict, KeyReused
from honours.evening.board_lines import (
    CONFIRMED,
    DISPUTED,
    ENTERED,
    BoardPlace,
    tidy_lead,
    tidy_outcome,
)
from honours.evening.doubts import questions
from honours.evening.evening import Evening
from honours.evening.hidden_boards import hidden_from, seen_by
from honours.evening.live import missing, progress, shows_standings, tables_now, to_look_at
from honours.evening.plan import EveningPlan, rounds_data, with_movement
from honours.evening.results import event_of
from honours.evening.seating import seat_faults, with_late_pair
from honours.evening.store import Evenings, KeptEvening
from honours.evening.swiss_rounds import next_swiss_round
from honours.model import Event
from honours.movements.choosing import with_half_table
from honours.movements.generators import any_mitchell, howell
from honours.movements.movement import Movement
from honours.scoring.checks import Suspicion, suspicions
from tests.evening.standing import report_of


def begun(folder: Path, movement: Movement | None = None, per_set: int = 2) -> KeptEvening:
    plan = with_movement(EveningPlan("Tuesday pairs", "2026-11-17"), movement or howell(4), per_set)
    return Evenings(folder).begin(plan, "D")


def enter(kept: KeptEvening, place: BoardPlace, text: str, seen: int = 0, key: str = "") -> Evening:
    content = {**place._asdict(), "text": tidy_outcome(text), "seen": seen}
    return kept.do("result", "NS", key, content).evening


def confirm(kept: KeptEvening, place: BoardPlace, seen: int = 1, kind: str = "confirm") -> Evening:
    return kept.do(kind, "EW", content={**place._asdict(), "seen": seen}).evening


def first_place(evening: Evening) -> BoardPlace:
    return next(evening.places())[0]


def test_a_result_is_entered_confirmed_and_scored(tmp_path: Path) -> None:
    kept = begun(tmp_path)
    place = first_place(kept.now())
    line = enter(kept, place, "4s n +1").lines[place]
    assert (line.text, line.state, line.score) == ("4S N +1", ENTERED, 450)
    assert confirm(kept, place).lines[place].state == CONFIRMED
    assert confirm(kept, place, kind="dispute").lines[place].state == DISPUTED


def test_the_same_key_is_the_same_act(tmp_path: Path) -> None:
    kept = begun(tmp_path)
    place = first_place(kept.now())
    enter(kept, place, "3NT S =", key="k1")
    again = enter(kept, place, "3NT S =", key="k1", seen=1)
    assert again.number == 2
    with pytest.raises(KeyReused):
        enter(kept, place, "1C N =", key="k1")
    assert kept.now().lines[place].text == "3NT S ="


def test_what_two_phones_enter_at_once_is_a_conflict_not_a_loss(tmp_path: Path) -> None:
    kept = begun(tmp_path)
    place = first_place(kept.now())
    enter(kept, place, "3NT S =")
    with pytest.raises(Conflict, match="3NT S ="):
        enter(kept, place, "3NT S +1")
    assert enter(kept, place, "3NT S +1", seen=1).lines[place].version == 2
    for seen in range(2, 50):
        enter(kept, place, f"3NT S +{seen % 2}", seen=seen)
    with pytest.raises(InputError, match="ask the director"):
        enter(kept, place, "3NT S =", seen=50)


def test_a_board_of_another_round_or_table_is_refused(tmp_path: Path) -> None:
    kept = begun(tmp_path)
    evening = kept.now()
    place = first_place(evening)
    later = next(p for p, _ in evening.places() if p.table == place.table and p.round == 3)
    with pytest.raises(InputError, match="in round 3, not in round 1"):
        enter(kept, later._replace(round=1), "pass")
    with pytest.raises(InputError, match="not played at table"):
        enter(kept, place._replace(board=99), "pass")


def test_the_side_that_entered_does_not_confirm(tmp_path: Path) -> None:
    kept = begun(tmp_path)
    place = first_place(kept.now())
    enter(kept, place, "pass")
    with pytest.raises(InputError, match="other side"):
        kept.do("confirm", "NS", content={**place._asdict(), "seen": 1})


def test_what_the_director_entered_stays(tmp_path: Path) -> None:
    kept = begun(tmp_path)
    place = first_place(kept.now())
    kept.do("correct", "A. Director", content={**place._asdict(), "text": "1NT N =", "seen": 0})
    with pytest.raises(InputError, match="director entered"):
        enter(kept, place, "pass", seen=1)


def test_a_round_that_is_over_is_the_directors(tmp_path: Path) -> None:
    kept = begun(tmp_path)
    place = first_place(kept.now())
    enter(kept, place, "1NT N =")
    confirm(kept, place)
    kept.do("round", "D", content={"round": 2})
    with pytest.raises(InputError, match="round 1 is over"):
        enter(kept, place, "1NT N +1", seen=1)
    kept.do("correct", "D", content={**place._asdict(), "text": "1NT N +1", "seen": 1})
    assert kept.now().lines[place].score == 120


@pytest.mark.parametrize("text", ["8S N =", "4S N +5", "lots", "", "4S", "4S N = " * 10])
def test_what_cannot_be_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        tidy_outcome(text)


def test_leads_are_cards() -> None:
    assert [tidy_lead(one) for one in ("sa", "H10", "", None)] == ["SA", "HT", "", ""]
    with pytest.raises(InputError):
        tidy_lead("X9")


# --- the disk -------------------------------------------------------------------------------------


def test_half_a_line_is_cut_off_and_the_rest_read_again(tmp_path: Path) -> None:
    kept = begun(tmp_path)
    place = first_place(kept.now())
    enter(kept, place, "4H E -1", key="a")
    before = kept.now()
    journal = kept.folder / "journal.jsonl"
    whole = journal.read_bytes()
    journal.write_bytes(whole + b'{"kind":"result","at":"2026')
    again = KeptEvening(kept.folder)
    assert again.now() == before
    assert journal.read_bytes() == whole
    assert enter(again, place, "4H E -1", key="a").number == before.number


def test_a_journal_with_a_foreign_line_says_which(tmp_path: Path) -> None:
    kept = begun(tmp_path)
    with (kept.folder / "journal.jsonl").open("a") as file:
        file.write("what?\n")
    with pytest.raises(FileProblem, match=r"line 2.*no act"):
        KeptEvening(kept.folder).now()


def test_what_another_process_did_is_seen(tmp_path: Path) -> None:
    kept = begun(tmp_path)
    other = KeptEvening(kept.folder)
    place = first_place(kept.now())
    enter(other, place, "2D W =")
    assert kept.now().lines[place].text == "2D W ="
    with pytest.raises(Conflict):
        enter(kept, place, "2D W +1")


def test_codes_open_one_table_of_one_evening(tmp_path: Path) -> None:
    kept, other = begun(tmp_path), begun(tmp_path)
    evenings = Evenings(tmp_path)
    opened = evenings.opened_by(kept.code(3))
    assert opened is not None
    assert (opened[0].id, opened[1]) == (kept.id, 3)
    forged = kept.code(3).replace("-3-", "-4-")
    foreign = other.code(3).replace(other.id, kept.id)
    assert [evenings.opened_by(one) for one in (forged, foreign, "", "x-1-y")] == [None] * 4
    old = kept.code(3)
    kept.do("codes", "D")
    assert Evenings(tmp_path).opened_by(old) is None
    assert Evenings(tmp_path).opened_by(KeptEvening(kept.folder).code(3)) is not None


# --- who sits where -------------------------------------------------------------------------------


def test_a_late_pair_fills_the_half_table(tmp_path: Path) -> None:
    kept = begun(tmp_path, with_half_table(any_mitchell(5)))
    evening = kept.now()
    late, rounds = with_late_pair(evening, 2)
    assert late == "10"
    after = kept.do("seats", "D", content={"first": 2, "rounds": rounds_data(rounds)})
    assert all(seats.ns and seats.ew for one in after.evening.rounds[1:] for seats in one)


@pytest.mark.parametrize("tables", [6, 7, 9])
def test_a_late_pair_roves_where_all_tables_are_full(tmp_path: Path, tables: int) -> None:
    evening = begun(tmp_path, any_mitchell(tables)).now()
    late, rounds = with_late_pair(evening, 2)
    assert all(sum(late in s.entrants for s in one) == 1 for one in rounds)
    assert list(seat_faults((evening.rounds[0], *rounds))) == []


def test_seats_that_cannot_be_are_refused(tmp_path: Path) -> None:
    kept = begun(tmp_path)
    evening = kept.now()
    place = first_place(evening)
    [first] = rounds_data(evening.rounds[:1])
    with pytest.raises(InputError, match="again"):
        kept.do("seats", "D", content={"first": 2, "rounds": [first]})
    enter(kept, place, "pass")
    with pytest.raises(InputError, match="round 1 has results"):
        kept.do("seats", "D", content={"first": 1, "rounds": [first]})


def test_the_next_swiss_round_has_no_replay(tmp_path: Path) -> None:
    kept = begun(tmp_path)
    evening = kept.now()
    pairing, seats = next_swiss_round(
        Evening("0" * 12, evening.plan, rounds=evening.rounds[:1]), [str(n) for n in range(1, 9)]
    )
    met = {frozenset(s.entrants) for s in evening.rounds[0]}
    assert len(pairing.matches) == 4
    assert not met & {frozenset(s.entrants) for s in seats}


# --- what is seen ---------------------------------------------------------------------------------


def test_who_plays_sees_nothing_they_have_still_to_play(tmp_path: Path) -> None:
    kept = begun(tmp_path)
    kept.do("settings", "D", content={"changed": {"playing": {"dora": "1"}}})
    kept.do("round", "D", content={"round": len(kept.now().rounds)})
    evening = kept.now()
    mine = next(p for p, s in evening.places() if "1" in s.entrants)
    theirs = next(p for p, s in evening.places() if p.board == mine.board and "1" not in s.entrants)
    enter(kept, theirs, "4S N =")
    kept.do("ruling", "D", content={"words": {"kind": "adjust", "board": mine.board}})
    seen = seen_by(kept.now(), "dora")
    assert mine.board in hidden_from(kept.now(), "dora")
    assert theirs not in seen.lines
    assert seen.rulings == ()
    assert theirs in seen_by(kept.now(), "somebody else").lines
    enter(kept, mine, "4S N =")
    assert theirs not in seen_by(kept.now(), "dora").lines  # not yet confirmed
    confirm(kept, mine)
    assert theirs in seen_by(kept.now(), "dora").lines
    kept.do("end", "D")
    assert hidden_from(kept.now(), "dora") == frozenset()


def play(kept: KeptEvening, rounds: int = 99) -> None:
    """Everybody plays, each board with a result of its own."""
    for place, _ in kept.now().places():
        if place.round <= rounds:
            text = f"{1 + place.board % 4}NT {'NESW'[place.table % 4]} ="
            enter(kept, place, text)
            confirm(kept, place)


def test_standings_are_shown_from_half_way(tmp_path: Path) -> None:
    kept = begun(tmp_path, howell(3), 1)
    places = [place for place, _ in kept.now().places()]
    for made, place in enumerate(places):
        assert shows_standings(kept.now()) == (2 * made >= len(places))
        kept.do("round", "D", content={"round": place.round})
        enter(kept, place, "pass")


def test_what_is_missing_and_slow_is_told(tmp_path: Path) -> None:
    kept = begun(tmp_path)
    play(kept, 1)
    place = next(p for p, _ in kept.now().places() if p.round == 2)
    kept.do("round", "D", content={"round": 2})
    enter(kept, place, "pass")
    evening = kept.now()
    assert progress(evening) == (9, 56)
    assert len(missing(evening)) == 7
    assert not shows_standings(evening)
    kept.do("round", "D", content={"round": 3})
    assert [table.table for table in tables_now(kept.now()) if table.slow] == [1, 2, 3, 4]


def test_a_table_that_sits_out_waits_for_the_room(tmp_path: Path) -> None:
    kept = begun(tmp_path, with_half_table(any_mitchell(5)))
    evening = kept.now()
    [table] = {s.table for s in evening.seats(1) if not s.is_played}
    assert evening.round_at(table) == 1
    place = next(p for p, _ in evening.places() if p.table == table and p.round == 2)
    assert enter(kept, place, "pass").round_at(table) == 2
    assert kept.do("round", "D", content={"round": 2}).evening.round_at(table) == 2


def test_what_was_ruled_on_is_not_to_be_looked_at_again(tmp_path: Path) -> None:
    kept = begun(tmp_path)
    place = first_place(kept.now())
    enter(kept, place, "6NT S -1")
    evening = confirm(kept, place, kind="dispute")
    [(line, _)] = to_look_at(evening)
    words = {"kind": "adjust", "board": f"{place.board}", "pair": line.ns[0], "score": "60-40"}
    assert to_look_at(kept.do("ruling", "D", content={"words": words | {"by": "D"}}).evening) == []


def test_an_evening_becomes_an_event(tmp_path: Path) -> None:
    kept = begun(tmp_path)
    named = {
        str(n): [{"name": f"P{n}a"}, {"name": f"P{n}b", "number": f"{n}"}] for n in range(1, 9)
    }
    kept.do("names", "D", content={"names": named})
    kept.do("settings", "D", content={"changed": {"rulebook": "sbu-clubs-2016"}})
    play(kept)
    event = event_of(kept.now())
    assert len(event.sessions[0].results) == 56
    assert event.winners == 1
    report, problem = report_of(kept.now())
    assert problem == ""
    assert report.awards is not None
    assert len(report.lists[0].standings) == 8


def test_only_a_board_at_which_something_was_entered_is_looked_at_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every viewer's page once compared all lines of the evening, and a phone's all for each."""
    kept = begun(tmp_path, any_mitchell(7))
    places = [place for place, *_ in kept.now().places()]
    for place in places[:-1]:
        enter(kept, place, "4S N =")
    looked: list[int] = []

    def counted(event: Event) -> tuple[Suspicion, ...]:
        looked.append(event.sessions[0].results[0].board)
        return suspicions(event)

    monkeypatch.setattr("honours.evening.doubts.suspicions", counted)
    assert to_look_at(kept.now()) == to_look_at(kept.now()) == []
    assert len(looked) == len(set(looked))
    looked.clear()
    evening = enter(kept, places[-1], "4S S -9")
    for _ in range(2):
        [(line, why)] = to_look_at(evening)
        assert (line.place, len(why)) == (places[-1], 1)
        assert questions(evening, line) == why
        assert not questions(evening, evening.lines[places[0]])
    assert looked == [places[-1].board]
