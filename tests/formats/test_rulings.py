"""Rulings: written beside the results, read back, applied, and told what is wrong with them."""

from __future__ import annotations

from datetime import datetime, timedelta
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import honours
from honours.errors import FileProblems, InputError, UnknownName
from honours.formats.rulings import (
    add_ruling,
    dated,
    parse_rulings,
    read_adjusted,
    read_ruling,
    read_rulings,
    undo_ruling,
)
from honours.formats.typed_in import parse_typed_in
from honours.model import AdjustedScore, ArtificialScore, AssignedScore, Event, Result
from honours.scoring import score
from honours.scoring.rulings import apply
from honours.scoring.scored import table_score
from tests.pipeline.thirty import paired, pairs
from tests.support import cases

TEXT = """\
pair 1 Ann & Bob
board 1
1 2  4S N =
3 4  4S N =
5 6  4S N -1
board 2
1 4  +420
3 6  +420
5 2  +50
"""
NOTE = {"by": "Dir", "when": "2025-03-31 22:10", "why": "asked", "law": "79B"}


def ruled(**words: Any) -> Event:
    ruling = read_ruling({**NOTE, **words})
    return apply(parse_typed_in(TEXT, "tuesday.txt"), [ruling])


def line(event: Event, board: int, pair: str) -> Result:
    lines = [r for r in event.sessions[0].results if r.board == board]
    return next(r for r in lines if pair in (*r.ns, *r.ew))


@cases
def test_a_line_is_put_right(words: dict[str, Any], expected: int | None) -> None:
    event = ruled(kind="correct", board=1, pair="1", **words)
    changed = line(event, words.get("to_board", 1), "2")
    assert table_score(changed) == expected
    assert changed.ns == (("2",) if words.get("turned") else ("1",))


def test_names_and_substitutes() -> None:
    named = ruled(kind="name", pair="3", players=["Cy", "Di"], numbers=["101"])
    people = next(e.entrant.players for e in named.entrants if e.entrant.id == "3")
    assert [(p.name, p.number) for p in people] == [("Cy", "101"), ("Di", "")]
    other = ruled(kind="substitute", pair="1", absent="Bob", player="Eve", number="7")
    assert other.entrants[0].entrant.title == "Ann & Eve"


def test_a_substitute_in_mid_session_plays_the_rest(tmp_path: Path) -> None:
    path = tmp_path / "night.csv"
    path.write_text(paired(pairs(12, 9, 3)), encoding="utf-8")
    account = honours.read(path)
    first = account.event.entrants[0].entrant
    gone, stayed = (player.name for player in first.players)
    words = {"kind": "substitute", "pair": first.id, "absent": gone, "player": "Eve"}

    def withheld(since: int) -> set[str]:
        report = honours.score(honours.rule(account, {**words, "from_round": since, "by": "D"}))
        awards = honours.award(report, "sbu-clubs-2016", as_usual=True).awards
        assert awards is not None
        [one] = (a for a in awards.lists[0].schedule if a.standing.entrant.id == first.id)
        assert len(one.standing.entrant.players) == 3
        return {player.name for player, _ in one.withheld}

    assert withheld(8) == {"Eve"}
    assert withheld(3) == {gone}
    assert withheld(5) == {gone, "Eve"}
    assert stayed not in withheld(5)
    with pytest.raises(InputError, match="its rounds are"):
        withheld(10)


def test_fault_where_one_table_met_the_version() -> None:
    event = ruled(kind="fouled", board=1, pairs=["1"], fault={"1": "yes", "2": "no"})
    adjusted = line(event, 1, "1").adjusted
    assert adjusted is not None
    assert [s.share for s in (adjusted.ns, adjusted.ew) if isinstance(s, ArtificialScore)] == [
        Fraction(2, 5),
        Fraction(3, 5),
    ]
    with pytest.raises(FileProblems, match="nobody's fault"):
        ruled(kind="fouled", board=1, pairs=["1", "3"], fault={"1": "yes"})


@cases
def test_assigned_scores(text: str, expected: list[list[Any]]) -> None:
    both = AssignedScore(tuple((Fraction(weight), points) for weight, points in expected))
    assert read_adjusted(text, 1) == AdjustedScore(both, both)


def test_adjusted_scores_by_side() -> None:
    event = ruled(kind="adjust", board=1, pair="1", ns="ave+", ew="45%")
    adjusted = line(event, 1, "1").adjusted
    plus = ArtificialScore(Fraction(3, 5), session_rule=True)
    assert adjusted == AdjustedScore(plus, ArtificialScore(Fraction(9, 20)))
    assert read_adjusted("60-40", 1) == AdjustedScore(
        ArtificialScore(Fraction(3, 5)), ArtificialScore(Fraction(2, 5))
    )


@cases
def test_a_ruling_is_called_the_same_wherever_it_is_shown(words: dict[str, Any]) -> None:
    assert read_ruling({**NOTE, **words}).kind == words["kind"]


def test_a_penalty() -> None:
    event = ruled(kind="penalty", pair="1", amount="10", unit="percent")
    before = {t.id: t.points for t in score(parse_typed_in(TEXT, "t")).tallies}
    after = {t.id: t.points for t in score(event).tallies}
    # A tenth of a top of 4.
    assert before["1"] - after["1"] == Fraction(2, 5)


@cases
def test_words_that_say_nothing(words: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_ruling({**NOTE, **words})


def test_kept_beside_the_results_and_undone(tmp_path: Path) -> None:
    results = tmp_path / "tuesday.txt"
    results.write_text(TEXT)
    assert read_rulings(results) == ()
    awkward = 'said "so"\n\tand \\ more'
    add_ruling(results, {"kind": "phantom", "pair": "6", **NOTE, "why": awkward})
    add_ruling(
        results, {"kind": "fouled", "board": 1, "pairs": ["1"], "fault": {"1": "no"}, **NOTE}
    )
    first, second = read_rulings(results)
    assert first.why == awkward
    assert (second.by, second.when, second.law) == ("Dir", "2025-03-31 22:10", "79B")
    assert second.source is not None
    assert second.source.line == 9
    assert results.read_text() == TEXT
    assert "fouled" in undo_ruling(results)
    assert read_rulings(results) == (first,)
    undo_ruling(results)
    assert read_rulings(results) == ()
    with pytest.raises(InputError, match="no ruling to undo"):
        undo_ruling(results)


def test_words_are_written_in_one_order_with_the_time_they_are_said() -> None:
    given = {"why": "late", "law": "", "by": "Dir", "amount": "10", "session": 0, "pair": "3"}
    words = dated({**given, "kind": "penalty"})
    assert list(words) == ["kind", "pair", "amount", "by", "when", "why"]
    assert datetime.now().astimezone() - datetime.fromisoformat(words["when"]) < timedelta(
        minutes=1
    )
    assert dated({**words, "when": "22:10"})["when"] == "22:10"
    with pytest.raises(UnknownName, match="colour"):
        read_ruling(dated({**words, "colour": "red"}))


def test_a_rulings_file_with_mistakes_tells_them_all() -> None:
    text = '[[ruling]]\nkind = "phantom"\n\n[[ruling]]\nkind = "x"\n\n[other]\n'
    with pytest.raises(FileProblems) as caught:
        parse_rulings(text, "r.toml")
    assert [problem.line for problem in caught.value.problems] == [None, 1, 4]
    with pytest.raises(InputError, match="not TOML"):
        parse_rulings("[[", "r.toml")


def test_what_kind_of_event_it_was() -> None:
    """In a match both teams sit in both directions, so a file of pairs numbers them apart."""
    text = "pair 1 Ann & Bob\nboard 1\n1 2 4SN=\n2 1 4SN-1\nboard 2\n1 2 pass\n2 1 +50\n"
    event = parse_typed_in(text, "match.txt")
    assert [e.entrant.id for e in event.entrants] != ["1", "2"]
    words = {"kind": "event", "type": "teams", "swiss": "yes", **NOTE}
    teams = apply(event, [read_ruling(words)])
    assert [(e.entrant.id, e.entrant.title) for e in teams.entrants] == [
        ("1", "Ann & Bob"),
        ("2", "2"),
    ]
    assert (teams.kind, teams.scoring, teams.swiss) == ("teams", "imps", True)
    assert score(teams).matches is not None
    for wrong, message in (
        ({"type": "squads"}, "unknown kind of event"),
        ({"type": "individual"}, "cannot be of individual"),
        ({"scoring": "points"}, "unknown way of scoring"),
        ({"type": "squads", "scoring": "points"}, "unknown kind of event"),
    ):
        with pytest.raises(FileProblems, match=message):
            apply(event, [read_ruling({"kind": "event", **wrong, **NOTE})])
    with pytest.raises(InputError, match="expected type, scoring or swiss"):
        read_ruling({"kind": "event", **NOTE})


def test_what_is_known_of_entrants_beforehand() -> None:
    given = {"pairs": ["3", "5"], "stratum": "B", "handicap": "2.5", "carried": "12"}
    event = ruled(kind="entrants", **given)
    three = next(e for e in event.entrants if e.entrant.id == "3")
    assert (three.stratum, three.handicap, three.carried) == ("B", Fraction(5, 2), Fraction(12))
    assert {e.stratum for e in event.entrants if e.entrant.id not in ("3", "5")} == {""}
    with pytest.raises(FileProblems, match="expected a stratum"):
        ruled(kind="entrants", pairs=["3"])


@cases
def test_a_correction_nobody_can_have_meant(words: dict[str, Any], message: str) -> None:
    with pytest.raises((FileProblems, InputError), match=message):
        ruled(kind="correct", board=1, pair="1", **words)


def test_a_ruling_for_one_side_lets_the_result_stand_for_the_other() -> None:
    event = ruled(kind="adjust", board=1, pair="1", ns="ave-")
    adjusted = line(event, 1, "1").adjusted
    assert adjusted is not None
    assert adjusted.ew == AssignedScore(((Fraction(1), 420),))
    assert isinstance(adjusted.ns, ArtificialScore)
    with pytest.raises(InputError, match="missing 'score'"):
        ruled(kind="adjust", board=1, pair="1")


def test_weights_make_a_whole() -> None:
    with pytest.raises(InputError, match="the weights make 90%"):
        ruled(kind="adjust", board=1, pair="1", score="60% 4SN=, 30% 4SN-1")


def test_a_penalty_is_in_a_unit_of_the_event() -> None:
    with pytest.raises(FileProblems, match="expected matchpoints or percent"):
        ruled(kind="penalty", pair="1", amount="2", unit="imps")
    with pytest.raises(InputError, match="amount 'abc' is not a number"):
        ruled(kind="penalty", pair="1", amount="abc")
