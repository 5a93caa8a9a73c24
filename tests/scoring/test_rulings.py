"""Rulings applied to an event, in their own words; the results file stays as it is."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from honours.errors import FileProblems, InputError
from honours.model import (
    AdjustedScore,
    ArtificialScore,
    AssignedScore,
    Contract,
    Denomination,
    Entrant,
    Event,
    EventEntrant,
    Penalty,
    Player,
    Result,
    Seat,
    Session,
    Source,
)
from honours.scoring.rulings import (
    Adjust,
    Correct,
    EntrantFacts,
    Final,
    Fine,
    Foul,
    Name,
    Phantom,
    Played,
    Ruling,
    Substitute,
    What,
    Where,
    Winners,
    apply,
    as_teams,
    change,
    find_entrant,
)
from honours.scoring.scored import table_score
from tests.scoring.events import AVERAGE_PLUS, line
from tests.support import cases

FOUR_SPADES = Contract(4, Denomination.SPADES, Seat.NORTH)
PEOPLE = (Player("Ann"), Player("Bob"))


def played(board: int, ns: str, ew: str, tricks: int | None, **more: object) -> Result:
    return Result(board, (ns,), (ew,), contract=FOUR_SPADES, tricks=tricks, **more)  # type: ignore[arg-type]


def entrant(id: str, **more: object) -> EventEntrant:
    players = PEOPLE if id == "A1" else ()
    return EventEntrant(Entrant(id, players), number=id[1:], section=id[0], **more)  # type: ignore[arg-type]


EVENT = Event(
    "Tuesday",
    "pairs",
    "matchpoints",
    tuple(entrant(id) for id in ("A1", "A2", "A3", "A4", "B1", "B5")),
    (
        Session(
            1,
            (
                played(1, "A1", "A2", 10, section="A"),
                played(1, "A3", "A4", 9, section="A"),
                played(1, "B1", "B5", 10, section="B"),
                line(2, "A1", "A4", 50),
                played(2, "A3", "A2", None),
            ),
        ),
        Session(2, (played(1, "A1", "A3", 11, section="A"),)),
    ),
)


def told(what: What, event: Event = EVENT) -> str:
    with pytest.raises(InputError) as error:
        change(event, what)
    return str(error.value)


def lines(event: Event, session: int = 1) -> tuple[Result, ...]:
    return event.sessions[session - 1].results


def corrected(**words: object) -> Result:
    event = change(EVENT, Correct(Where(1, "A2"), **words))  # type: ignore[arg-type]
    assert lines(event)[1:] == lines(EVENT)[1:]
    assert lines(event, 2) == lines(EVENT, 2)
    return lines(event)[0]


def test_an_entrant_is_found_by_its_id_or_its_number() -> None:
    assert find_entrant(EVENT, "A1") == "A1"
    assert find_entrant(EVENT, "5") == "B5"
    with pytest.raises(InputError, match=r"^1 could be A1 or B1: say which$"):
        find_entrant(EVENT, "1")
    with pytest.raises(InputError, match=r"^unknown entrant 'C9'\. Known: A1, A2, A3, A4, B1, B5"):
        find_entrant(EVENT, "C9")


def test_a_line_is_corrected() -> None:
    assert corrected(tricks=12).tricks == 12
    assert table_score(corrected(over=-2)) == -100
    assert table_score(corrected(over=1)) == 450
    assert corrected(score=-50) == Result(1, ("A1",), ("A2",), -50, section="A")
    assert corrected(passed_out=True) == Result(1, ("A1",), ("A2",), passed_out=True, section="A")
    assert corrected(not_played=True) == Result(1, ("A1",), ("A2",), section="A")
    assert (corrected(turned=True).ns, corrected(turned=True).ew) == (("A2",), ("A1",))
    assert corrected(ns="A3").ns == ("A3",)
    assert corrected(ew="A4").ew == ("A4",)
    assert corrected(board=7).board == 7
    assert corrected() == lines(EVENT)[0]
    other = Contract(3, Denomination.NO_TRUMPS, Seat.EAST)
    assert table_score(corrected(contract=other, tricks=9)) == -400
    assert corrected(tricks=0).tricks == 0
    assert corrected(tricks=13).tricks == 13


def test_a_corrected_line_loses_its_ruling_and_its_score() -> None:
    ruled = replace(lines(EVENT)[0], score=420, adjusted=AdjustedScore(AVERAGE_PLUS, AVERAGE_PLUS))
    session = replace(EVENT.sessions[0], results=(ruled, *lines(EVENT)[1:]))
    event = replace(EVENT, sessions=(session, EVENT.sessions[1]))
    new = lines(change(event, Correct(Where(1, "A2"), tricks=9)))[0]
    assert (new.score, new.adjusted, table_score(new)) == (None, None, -50)
    for again in (Correct(Where(1, "A2"), turned=True), Correct(Where(1, "A2"), board=3)):
        moved = lines(change(event, again))[0]
        assert (moved.score, moved.tricks) == (None, 10)
        assert moved.adjusted is not None
    bare = change(EVENT, Correct(Where(2, "A4"), turned=True))
    assert lines(bare)[3].score == 50


@pytest.mark.parametrize(
    ("what", "message"),
    [
        (
            Correct(Where(1, "A1"), score=50),
            "board 1 has 2 lines with A1; name the session or the other pair",
        ),
        (Correct(Where(1, "B5", section="A"), score=50), "board 1 has no line with B5"),
        (Correct(Where(9, "B5"), score=50), "board 9 has no line with B5"),
        (Correct(Where(1, "A2", session=2), score=50), "board 1 has no line with A2"),
        (Correct(Where(1, "A2"), tricks=14), "board 1: 14 tricks; expected 0 to 13"),
        (Correct(Where(1, "A2"), over=-11), "board 1: -1 tricks; expected 0 to 13"),
        (
            Correct(Where(2, "A4"), tricks=3),
            "board 2: give the contract and the tricks, or the score",
        ),
        (
            Correct(Where(2, "A4"), over=3),
            "board 2: give the contract and the tricks, or the score",
        ),
        (
            Correct(Where(2, "A3"), contract=FOUR_SPADES),
            "board 2: give the contract and the tricks, or the score",
        ),
        (Substitute("A1", "Zoe", Player("Eve")), "unknown player of A1 'Zoe'. Known: Ann, Bob"),
        (Foul(9, ("A1", "A3")), "board 9 was not played by A1, A3"),
        (Foul(1, ("A1", "B1"), section="B"), "board 1 was not played by A1"),
        (
            Foul(1, ("A1",), fault=(("A1", "yes"),)),
            "board 1: 2 tables met version 'fouled', so it is scored and nobody's fault matters",
        ),
        (
            Adjust(Where(2, "A3"), None, AVERAGE_PLUS),
            "board 2 has no result to stand: rule for both sides",
        ),
        (
            Fine(Penalty("A1", Fraction(1), "imps")),
            "a penalty in imps; expected matchpoints or percent",
        ),
        (
            Fine(Penalty("A1", Fraction(1), "percent"), session=3),
            "unknown session '3'. Known: 1, 2",
        ),
        (Winners(3), "3 winners; expected 1 or 2"),
        (Winners(0), "0 winners; expected 1 or 2"),
        (Played("squads"), "unknown kind of event 'squads'. Known: pairs, individual, teams"),
        (
            Played(scoring="points"),
            "unknown way of scoring 'points'; did you mean 'matchpoints'? "
            "Known: matchpoints, cross-imps, butler, imps, board-a-match",
        ),
        (Played("individual"), "the results are of pairs and cannot be of individual"),
        (
            EntrantFacts(("A1",)),
            "expected a stratum, a handicap or carried points",
        ),
    ],
)
def test_what_cannot_be_ruled_says_why(what: What, message: str) -> None:
    assert told(what) == message


def test_a_session_says_which_line_is_meant() -> None:
    event = change(EVENT, Correct(Where(1, "A1", session=2), tricks=7))
    assert lines(event, 2)[0].tricks == 7
    assert lines(event) == lines(EVENT)
    event = change(EVENT, Correct(Where(1, "A1", session=1), tricks=7))
    assert (lines(event)[0].tricks, lines(event, 2)[0].tricks) == (7, 11)


def test_who_an_entrant_is() -> None:
    event = change(EVENT, Name("5", (Player("Cy", "101"),)))
    assert [e.entrant.title for e in event.entrants] == ["Ann & Bob", "A2", "A3", "A4", "B1", "Cy"]
    event = change(EVENT, Substitute("A1", "Bob", Player("Eve")))
    assert event.entrants[0].entrant.title == "Ann & Eve"
    assert event.entrants[0].number == "1"


def test_a_phantom_goes_with_its_lines() -> None:
    event = change(EVENT, Phantom("A3"))
    assert [e.entrant.id for e in event.entrants] == ["A1", "A2", "A4", "B1", "B5"]
    assert [(r.ns, r.ew) for r in lines(event)] == [
        (("A1",), ("A2",)),
        (("B1",), ("B5",)),
        (("A1",), ("A4",)),
    ]
    assert lines(event, 2) == ()


def test_a_fouled_board_is_told_by_section_and_session() -> None:
    def versions(what: Foul) -> list[str]:
        event = change(EVENT, what)
        return [r.version for s in event.sessions for r in s.results]

    assert versions(Foul(1, ("A1", "B5"), "late")) == ["late", "", "late", "", "", "late"]
    assert versions(Foul(1, ("A1",), session=1)) == ["fouled", "", "", "", "", ""]
    assert versions(Foul(1, ("B1",), section="B")) == ["", "", "fouled", "", "", ""]


@cases
def test_where_one_table_met_a_version_its_fault_counts(
    fault: tuple[tuple[str, str], ...], ns: tuple[str, bool], ew: tuple[str, bool]
) -> None:
    event = change(EVENT, Foul(1, ("A2",), fault=fault))
    adjusted = lines(event)[0].adjusted
    expected = (ArtificialScore(Fraction(share), rule) for share, rule in (ns, ew))
    assert adjusted == AdjustedScore(*expected)
    assert all(r.adjusted is None for r in (*lines(event)[1:], *lines(event, 2)))


def test_a_ruling_lets_the_result_stand_for_a_side() -> None:
    event = change(EVENT, Adjust(Where(1, "A2"), None, AVERAGE_PLUS))
    assert lines(event)[0].adjusted == AdjustedScore(
        AssignedScore(((Fraction(1), 420),)), AVERAGE_PLUS
    )
    event = change(EVENT, Adjust(Where(1, "A2"), AVERAGE_PLUS, None))
    assert lines(event)[0].adjusted == AdjustedScore(
        AVERAGE_PLUS, AssignedScore(((Fraction(1), 420),))
    )


def test_a_penalty_is_of_the_first_session_or_of_another() -> None:
    fine = Penalty("5", Fraction(10), "percent", "late")
    known = replace(fine, entrant="B5")
    once = change(EVENT, Fine(fine))
    assert [s.penalties for s in once.sessions] == [(known,), ()]
    twice = change(once, Fine(fine, session=2))
    assert [s.penalties for s in twice.sessions] == [(known,), (known,)]
    again = change(once, Fine(fine))
    assert again.sessions[0].penalties == (known, known)


@cases
def test_in_what_points_are_taken(kind: str, scoring: str, swiss: bool, units: str) -> None:
    event = replace(EVENT, kind=kind, scoring=scoring, swiss=swiss)
    assert told(Fine(Penalty("A1", Fraction(1), "beers")), event) == (
        f"a penalty in beers; expected {units}"
    )
    fined = change(event, Fine(Penalty("A1", Fraction(1), units.rsplit(" or ", maxsplit=1)[-1])))
    assert len(fined.sessions[0].penalties) == 1


def test_what_kind_of_event_it_was() -> None:
    assert change(EVENT, Winners(2)).winners == 2
    assert change(EVENT, Winners(1)).winners == 1
    event = change(EVENT, Played(scoring="butler", swiss=True))
    assert (event.kind, event.scoring, event.swiss) == ("pairs", "butler", True)
    assert change(event, Played("pairs")) == event
    assert change(event, Played(swiss=False)).swiss is False
    single = replace(EVENT, kind="individual")
    assert told(Played(swiss=True), single) == "a Swiss is for pairs or teams, not individuals"
    assert change(single, Played("individual")).kind == "individual"


def test_pairs_of_the_same_number_are_a_team() -> None:
    entrants = (
        EventEntrant(Entrant("NS1", PEOPLE), number="1", line="NS"),
        EventEntrant(Entrant("EW1", (Player("Cy"), Player("Bob"))), number="1", line="EW"),
        EventEntrant(Entrant("2"), line="NS"),
    )
    results = (line(1, "NS1", "2", 50), line(1, "2", "EW1", 60), line(2, "2", "stranger", 0))
    event = as_teams(Event("match", "pairs", "matchpoints", entrants, (Session(1, results),), 2))
    assert [(e.entrant.id, e.entrant.title, e.line) for e in event.entrants] == [
        ("1", "Ann & Bob & Cy", ""),
        ("2", "2", ""),
    ]
    assert [(r.ns, r.ew) for r in lines(event)] == [
        (("1",), ("2",)),
        (("2",), ("1",)),
        (("2",), ("stranger",)),
    ]
    assert (event.kind, event.scoring, event.winners) == ("teams", "imps", 1)
    assert change(EVENT, Played("teams", "board-a-match")).scoring == "board-a-match"
    assert as_teams(replace(EVENT, scoring="board-a-match")).scoring == "board-a-match"


def test_teams_of_the_same_number_in_two_sections_stay_apart() -> None:
    assert [e.entrant.id for e in as_teams(EVENT).entrants] == [
        "A1",
        "A2",
        "A3",
        "A4",
        "B1",
        "B5",
    ]
    one_section = replace(EVENT, entrants=tuple(e for e in EVENT.entrants if e.section == "A"))
    assert [e.entrant.id for e in as_teams(one_section).entrants] == ["1", "2", "3", "4"]


def test_what_is_known_of_entrants() -> None:
    event = change(EVENT, EntrantFacts(("A1", "5"), "B"))
    assert [e.stratum for e in event.entrants] == ["B", "", "", "", "", "B"]
    event = change(event, EntrantFacts(("A1",), handicap=Fraction(5), carried=Fraction(7)))
    first, second = event.entrants[:2]
    assert (first.stratum, first.handicap, first.carried) == ("B", Fraction(5), Fraction(7))
    assert second.handicap == second.carried == 0
    event = change(event, EntrantFacts(("A1",), stratum=""))
    assert (event.entrants[0].stratum, event.entrants[0].handicap) == ("", Fraction(5))


def ruling(what: What, path: str = "", when: str = "now") -> Ruling:
    return Ruling(what, "Dir", when, source=Source(path, 7) if path else None)


def test_rulings_follow_each_other_and_all_that_cannot_be_is_told() -> None:
    event = apply(EVENT, [ruling(Winners(2)), ruling(Winners(1)), ruling(Final((), ""))])
    assert event.winners == 1
    with pytest.raises(FileProblems) as error:
        apply(EVENT, [ruling(Winners(3)), ruling(Winners(1)), ruling(Winners(4), "r.toml")])
    assert str(error.value) == (
        "rulings: 3 winners; expected 1 or 2\nr.toml, line 7: 4 winners; expected 1 or 2"
    )
