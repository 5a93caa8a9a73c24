"""Tables written: what a spreadsheet must not run, and what a table has no place for."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from honours.errors import FileProblem, FileProblems
from honours.formats.honours_json import read_honours_json, write_json
from honours.formats.table_results import read_results
from honours.formats.table_standings import read_standings
from honours.formats.table_write import AwardsBeside, write_results, write_standings
from honours.model import (
    AdjustedScore,
    AssignedScore,
    Board,
    Entrant,
    Event,
    EventEntrant,
    Field,
    Penalty,
    Player,
    Result,
    Session,
    Standing,
    Value,
)
from tests.formats.made_events import names
from tests.support import ROOT, cases

EVIL = '=HYPERLINK("http://x")'


def event(*results: Result, names: str = "Ann") -> Event:
    entrants = tuple(EventEntrant(Entrant(n, (Player(names + n),)), n) for n in ("1", "2"))
    return Event("Night", "pairs", "matchpoints", entrants, (Session(1, results),))


def test_no_cell_is_run_by_a_spreadsheet(tmp_path: Path) -> None:
    line = Result(1, ("1",), ("2",), score=-50, remark=EVIL, lead=EVIL, version=EVIL)
    made = replace(event(line, names=EVIL), title=EVIL)
    path = tmp_path / "x.csv"
    path.write_bytes(write_results(made).data)
    cells = path.read_text(encoding="utf-8").replace('"', "").split(",")
    assert not any(cell.startswith("=") for cell in cells)
    assert "-50" in cells
    back = read_results(path)
    assert back.title == EVIL
    assert back.sessions[0].results[0].remark == EVIL
    assert back.entrants[0].entrant.players[0].name == f"{EVIL}1"


def test_what_a_table_has_no_place_for_is_told() -> None:
    half = AssignedScore(((Fraction(1, 2), 50), (Fraction(1, 2), -50)))
    ruled = Result(1, ("1",), ("2",), score=100, adjusted=AdjustedScore(half, half))
    made = event(ruled)
    session = replace(
        made.sessions[0],
        boards=(Board(1, "N:..."),),
        penalties=(Penalty("1", Fraction(1), "matchpoints"),),
    )
    facts = {"event_type": "BUTLER", "unsaid": "winners", "usebio": "1.2"}
    made = replace(made, sessions=(session,), scoring="butler", club="Club", winners=1, facts=facts)
    lost = " | ".join(write_results(made).lost)
    assert not {"unsaid", "usebio"} & set(lost.split())  # how a file was read is no loss
    for words in (
        "scored by butler",
        "the club",
        "the event type",
        "1 deal",
        "1 penalty",
        "how many winners",
        "a ruling that a table has no words for",
        "the result before",
    ):
        assert words in lost


def test_standings_with_awards_are_read_back(tmp_path: Path) -> None:
    before = read_standings(ROOT / "examples/club-pairs.csv")
    written = write_standings(before.lists, AwardsBeside("book revision 1", {"1": "1.50"}))
    assert written.lost == ()
    path = tmp_path / "x.csv"
    path.write_bytes(written.data)
    after = read_standings(path)
    assert after.lists == before.lists
    assert after.ignored == ("award", "awarded under")
    assert path.read_text(encoding="utf-8").splitlines()[1].endswith("1.50,book revision 1")


def test_scores_that_places_do_not_follow_are_left_out_and_told(tmp_path: Path) -> None:
    """A category goes before the wins, and a final before the score of the qualifying."""
    order = ((1, 2), (2, 4), (3, 3))
    standings = tuple(
        Standing(Entrant(str(place)), place, score=Fraction(score)) for place, score in order
    )
    written = write_standings([Field(standings=standings)])
    assert written.lost == ("scores, which the places do not follow",)
    path = tmp_path / "x.csv"
    path.write_bytes(written.data)
    (field,) = read_standings(path).lists
    assert [(one.place, one.score) for one in field.standings] == [(1, None), (2, None), (3, None)]


def test_what_is_known_of_a_player_and_of_the_list_travels_or_is_told(tmp_path: Path) -> None:
    held: dict[str, Value] = {"rating": Fraction(2476), "rating_scale": "EGF"}
    standing = Standing(
        Entrant("7", (Player("Ann", "12", held),)),
        1,
        score=Fraction(4),
        facts={"rank": Fraction(5)},
    )
    written = write_standings(
        [Field(standings=(standing,), facts={"handicap_stones": Fraction(9)})]
    )
    assert written.lost == ()
    path = tmp_path / "x.csv"
    path.write_bytes(written.data)
    ((player,),) = (s.entrant.players for s in read_standings(path).lists[0].standings)
    assert player.facts == {**held, "rank": Fraction(5)}


def test_a_score_that_is_no_decimal_is_rounded_and_told(tmp_path: Path) -> None:
    standing = Standing(Entrant("7", (Player("Ann", "=1"),)), 1, score=Fraction(200, 3))
    written = write_standings([Field(standings=(standing,), line="NS")])
    assert written.lost == ("further digits of scores",)
    path = tmp_path / "x.csv"
    path.write_bytes(written.data)
    (field,) = read_standings(path).lists
    assert field.standings[0].score == Fraction("66.67")
    assert field.standings[0].entrant.players[0].number == "=1"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"honours": "results", "version": 2}', "version 2"),
        ('{"honours": "pictures", "version": 1}', "a document of 'pictures'"),
        ('{"honours": "results", "version": 1}', "events: 'None', expected a list"),
        ('{"honours": "results", "version": 1, "events": [{"title": 7}]}', r"events\[0\].title"),
        ('{"honours": "results", "version": 1, "events": [{"name": "x"}]}', "unknown 'name'"),
        ('{"honours": "results", "version": 1, "events": [{"title": "x"}]}', "no kind"),
        ('{"honours": "standings", "version": 1, "lists": [{"facts": {"a": "1/0"}}]}', "number"),
        ('{"honours": "standings", "version": 1, "lists": [{"facts": {"a": true}}]}', "number"),
        ('{"honours": ' + "[" * 100_000, "nested too deep"),
        ('{"honours": "x"', "not JSON"),
        ("[1]", "without its kind"),
    ],
)
def test_json_that_is_not_ours_is_refused(text: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(FileProblem, match=words):
        read_honours_json(path)


def test_json_says_nothing_of_the_machine(tmp_path: Path) -> None:
    made = write_json((read_results(ROOT / "examples/tuesday-pairs.csv"),))
    assert str(ROOT).encode() not in made
    path = tmp_path / "x.json"
    path.write_bytes(made)
    assert isinstance(read_honours_json(path), tuple)


LINE = {"board": 1, "ns": ["1"], "ew": ["2"]}
EVENT: dict[str, object] = {
    "title": "x",
    "kind": "pairs",
    "scoring": "matchpoints",
    "entrants": [{"entrant": {"id": "1"}}, {"entrant": {"id": "2"}}],
    "sessions": [{"results": [LINE]}],
}


@cases
def test_json_that_could_not_be_scored_is_refused(
    change: dict[str, object], words: str, tmp_path: Path
) -> None:
    path = tmp_path / "x.json"
    good = {"honours": "results", "version": 1, "events": [EVENT]}
    path.write_text(json.dumps(good), encoding="utf-8")
    assert read_honours_json(path)
    path.write_text(json.dumps(good | {"events": [EVENT | change]}), encoding="utf-8")
    with pytest.raises(FileProblem, match=words):
        read_honours_json(path)


def test_json_of_go_that_could_not_be_placed_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    game = {"round": 1, "white": "a", "black": "b", "winner": "white"}
    for tournament, words in (
        ({"games": [game]}, "round 1: a against b"),
        ({"games": [], "rounds": 10**9}, "rounds"),
    ):
        content = {"title": "x", "players": [], "rounds": 1, "placement": {"criteria": []}}
        content |= tournament
        path.write_text(
            json.dumps({"honours": "go", "version": 1, "tournament": content}), encoding="utf-8"
        )
        with pytest.raises(FileProblem, match=words):
            read_honours_json(path)


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(at=st.integers(0, 10**6), new=st.binary(max_size=6), cut=st.integers(0, 8))
def test_mutated_json_is_read_or_refused(
    at: int, new: bytes, cut: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    good = write_json((read_results(ROOT / "examples/tuesday-pairs.csv"),))
    at %= len(good)
    path = tmp_path_factory.getbasetemp() / "mutated.json"
    path.write_bytes(good[:at] + new + good[at + cut :])
    with suppress(FileProblem, FileProblems):
        read_honours_json(path)


_scores = st.integers(0, 8000).map(lambda n: Fraction(n, 100))


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    scores=st.lists(_scores, min_size=1, max_size=9), who=st.lists(names, min_size=9, max_size=9)
)
def test_any_standings_are_read_back_equal(
    scores: list[Fraction], who: list[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    ordered = sorted(scores, reverse=True)
    standings = tuple(
        Standing(
            Entrant(str(n), (Player(who[n - 1], str(100 + n), {"masterpoints": score}),)),
            ordered.index(score) + 1,
            ordered.count(score),
            score,
            {"won": Fraction(n)},
        )
        for n, score in enumerate(ordered, start=1)
    )
    path = tmp_path_factory.getbasetemp() / "standings.csv"
    path.write_bytes(write_standings((Field(standings=standings),)).data)
    [ranking] = read_standings(path).lists
    assert ranking.standings == standings
