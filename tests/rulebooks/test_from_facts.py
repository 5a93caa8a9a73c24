"""What is known of an event decides its awards, without a person saying it again."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from honours.engine.event_awards import EventAwards, award_event
from honours.errors import MissingInput
from honours.formats.table_results import parse_results
from honours.model import Entrant, Field, Player, Standing, Value
from honours.rulebooks import load
from honours.scoring import score
from honours.scoring.award_lists import award_lists
from honours.scoring.rulings import Played, as_declared
from tests.pipeline import thirty


def standings(count: int, players: int = 2, **facts: Value) -> tuple[Standing, ...]:
    """So many entrants, each with its own score."""
    return tuple(
        Standing(
            Entrant(str(n), tuple(Player(f"{n}.{p}") for p in range(players))),
            n,
            1,
            Fraction(100 - n),
            facts,
        )
        for n in range(1, count + 1)
    )


def awarded(rulebook: str, field: Field, **given: str) -> EventAwards:
    return award_event(load(rulebook), [field], {k.rstrip("_"): v for k, v in given.items()})


def amounts(awards: EventAwards) -> list[str]:
    return [a.shown for a in awards.lists[0].schedule]


# --- Scottish clubs -------------------------------------------------------------------------------

SBU = "sbu-clubs-2016"
SWISS: dict[str, Value] = {
    "kind": "teams",
    "form": "swiss",
    "scoring": "imps",
    "boards_per_match": Fraction(5),
    "matches": Fraction(5),
    "boards": Fraction(25),
    "stage_boards": Fraction(25),
}


def test_a_swiss_is_awarded_as_one_by_its_form() -> None:
    field = Field(SWISS, standings(16, 4, won=Fraction(4)))
    assert amounts(awarded(SBU, field))[:5] == ["96", "80", "64", "48", "32"]


def test_a_swiss_of_too_few_teams_is_refused() -> None:
    refusal = awarded(SBU, Field(SWISS, standings(12, 4))).lists[0].refusal
    assert refusal is not None
    assert refusal.reason == "5 matches in a field of 12: it must be at least 3 times as many"


def test_every_stage_needs_20_boards() -> None:
    facts: dict[str, Value] = {
        "kind": "pairs",
        "winners": "1",
        "form": "stages",
        "sessions": Fraction(2),
        "boards": Fraction(42),
        "stage_boards": Fraction(18),
    }
    refusal = awarded(SBU, Field(facts, standings(18))).lists[0].refusal
    assert refusal is not None
    assert refusal.reason.startswith("18 boards, at least 20 needed in every session and stage")


@pytest.mark.parametrize(
    "title", ["Children in Need Sim Pairs", "NATIONAL PAIRS, heat 2", "Lord Thomson trophy"]
)
def test_an_event_that_sounds_like_a_heat_is_asked_about(title: str) -> None:
    field = Field({"title": title, "kind": "pairs", "winners": "1"}, standings(18))
    with pytest.raises(MissingInput, match="the title sounds like a simultaneous or a heat"):
        awarded(SBU, field)
    assert amounts(awarded(SBU, field, event="club"))[0] == "36"
    heat = awarded(SBU, field, event="national-heat").lists[0].refusal
    assert heat is not None
    assert "Master Point numbers of all players goes to the District Secretary" in heat.reason
    assert heat.citation.clause.endswith("Appendix 4")


def test_a_name_that_only_has_such_a_word_in_it_is_nobodys_heat() -> None:
    field = Field({"title": "Simpson Cup", "kind": "pairs", "winners": "1"}, standings(18))
    assert amounts(awarded(SBU, field))[0] == "36"


def test_matches_in_no_known_order_are_asked_about() -> None:
    field = Field({"kind": "teams", "form": "matches"}, standings(9, 4))
    with pytest.raises(MissingInput, match="competition=swiss or competition=session"):
        awarded(SBU, field)


def test_20_boards_are_counted_player_by_player() -> None:
    field = Field({"kind": "teams", "boards": Fraction(24)}, standings(6, 5))
    first = field.standings[0]
    short = first.entrant.players[3]
    people = tuple(
        Player(p.name, "", {"boards_played": Fraction(12 if p is short else 24)})
        for p in first.entrant.players
    )
    listed = (
        Standing(Entrant("1", people), 1, 1, first.score),
        *field.standings[1:],
    )
    [awards] = awarded(SBU, Field(field.facts, listed)).lists
    [(player, refusal)] = awards.schedule[0].withheld
    assert player.name == short.name
    assert refusal.reason == "played 12 boards, at least 20 needed; still counts in the field"


def test_teams_of_one_session_earn_nothing_for_matches_won() -> None:
    facts: dict[str, Value] = {"kind": "teams", "form": "round-robin", "boards": Fraction(25)}
    without = awarded(SBU, Field(facts, standings(6, 4)))
    won = standings(6, 4, won=Fraction(5), drawn=Fraction(0))
    assert amounts(awarded(SBU, Field(facts, won))) == amounts(without) == ["20", "10", *["0"] * 4]


def test_matches_against_the_same_opponents_are_paid_each_time() -> None:
    """A Danish: sixteen teams, the last two rounds against those of the first two."""
    rows = thirty.teams(16, 3, 5).splitlines()
    again = [
        f"{int(row[0]) + 3},{int(board) + 15},{rest}"
        for row in rows[1:]
        if row[0] in "12"
        for board, rest in [row.partition(",")[2].split(",", 1)]
    ]
    event = parse_results("\n".join([*rows, *again]) + "\n", "danish.csv")
    scored = score(as_declared(event, Played(kind="teams", swiss=True)))
    [field] = award_lists(scored)
    assert field.facts["matches"] == 5
    [awards] = award_event(load(SBU), [field], {}).lists
    assert awards.refusal is None
    last = awards.schedule[-1]
    played = Fraction(last.standing.facts["won"]), Fraction(last.standing.facts["drawn"])
    assert last.amount == 8 * played[0] + 4 * played[1]


def test_everybody_entitled_is_awarded_whoever_they_are() -> None:
    """Nothing of a person but the boards they played reaches the guide's rules."""
    [awards] = awarded(SBU, Field({"kind": "pairs", "winners": "1"}, standings(18))).lists
    assert not any(award.withheld for award in awards.schedule)
    asked = {name for name, one in load(SBU).inputs.items() if one.per == "player"}
    assert asked == {"boards_played", "fewest_boards"}


# --- go -------------------------------------------------------------------------------------------

AGA = "aga-category"


def go(*people: tuple[int, dict[str, Value]]) -> tuple[Standing, ...]:
    """Players in the order of their places, each with a score."""
    return tuple(
        Standing(Entrant(str(n), (Player(f"P{n}", "", facts),)), n, 1, Fraction(score), {})
        for n, (score, facts) in enumerate(people, 1)
    )


FIVE: list[tuple[int, dict[str, Value]]] = [
    (score, {"rating": Fraction(7)}) for score in (4, 3, 3, 1, 0)
]


def test_players_on_one_score_tie_whatever_broke_the_tie() -> None:
    first, second, third, *_ = (
        awarded(AGA, Field({}, go(*FIVE)), section_kind="open").lists[0].schedule
    )
    assert second.shown == third.shown
    assert (second.standing.place, second.standing.tied, first.standing.tied) == (2, 2, 1)


def test_the_section_of_a_list_is_asked() -> None:
    with pytest.raises(MissingInput, match="open section or of a handicapped one"):
        awarded(AGA, Field({}, go(*FIVE)))


def test_who_played_nothing_is_in_no_field() -> None:
    listed = list(go(*FIVE, (0, {"rating": Fraction(-20)})))
    listed[-1] = Standing(listed[-1].entrant, 6, 1, Fraction(0), {"games_played": Fraction(0)})
    answer = awarded(AGA, Field({}, tuple(listed)), section_kind="open")
    assert len(answer.lists[0].schedule) == 5
    assert [n.text for n in answer.notices] == ["left out, because they played nothing: P6"]
    assert answer.lists[0].quantities["mean_rating"] == "7"


def test_a_declared_rank_counts_with_its_middle_where_a_rating_is_missing() -> None:
    ranked: list[tuple[int, dict[str, Value]]] = [
        (4, {"rating": Fraction("6.5")}),
        (3, {"rank": "6D"}),
        (2, {"rank": "6 dan"}),
        (1, {"rating": Fraction("6.5")}),
        (0, {"rank": "6d"}),
    ]
    answer = awarded(AGA, Field({}, go(*ranked)), section_kind="open").lists[0]
    assert answer.quantities["mean_rating"] == "6.5"
    assert "declared-rank" in [choice.name for choice in answer.choices]


def test_an_award_tells_the_category() -> None:
    answer = awarded(AGA, Field({}, go(*FIVE)), section_kind="open").lists[0]
    assert answer.notices[0].text == "the tournament is of category 13 (exactly 12.6)"


def test_a_qualifier_below_the_category_its_invitational_asks_gives_no_points() -> None:
    answer = awarded(AGA, Field({}, go(*FIVE)), section_kind="open", minimum_category="14").lists[0]
    assert answer.refusal is not None
    assert "asks for category 14 at least" in answer.refusal.reason


# --- ACBL -----------------------------------------------------------------------------------------

ACBL = ("acbl-general", "acbl-sof-2011", "acbl-sof-2020")
HOLDING: dict[str, Value] = {"masterpoints": Fraction(1500)}


def line(name: str, *scores: int) -> Field:
    """A line of a Mitchell, every player with the same holding."""
    people = tuple(
        Standing(
            Entrant(f"{name}{n}", (Player(f"{name}{n}a", "", HOLDING), Player("b", "", HOLDING))),
            n,
            1,
            Fraction(score),
        )
        for n, score in enumerate(scores, 1)
    )
    facts: dict[str, Value] = {"kind": "pairs", "sessions": Fraction(1), "form": "session"}
    return Field(facts, people, name)


@pytest.mark.parametrize("rulebook", ACBL)
def test_the_lines_of_a_mitchell_are_ranked_together(rulebook: str) -> None:
    lines = [line("NS", 60, 55, 50, 45, 40), line("EW", 58, 54, 50, 46, 42)]
    answer = award_event(load(rulebook), lines, {"class": "regional"})
    [ranking] = answer.lists
    assert [s.entrant.id for s in ranking.field.standings[:3]] == ["NS1", "EW1", "NS2"]
    assert "the lines are ranked together by their scores" in [n.text for n in answer.notices]


@pytest.mark.parametrize("rulebook", ACBL)
def test_the_class_of_an_event_is_asked(rulebook: str) -> None:
    with pytest.raises(MissingInput, match="the class of the event, which no results show"):
        award_event(load(rulebook), [line("", 60, 55, 50, 45)], {})


def acbl_teams(**facts: Value) -> Field:
    people = tuple(
        Standing(
            Entrant(str(n), tuple(Player(f"{n}{p}", "", HOLDING) for p in "abcd")),
            n,
            1,
            Fraction(50 - n),
        )
        for n in range(1, 17)
    )
    return Field({"kind": "teams", "sessions": Fraction(1), **facts}, people)


def test_board_a_match_has_its_factor_and_2011_refuses_it() -> None:
    played = acbl_teams(scoring="board-a-match", form="round-robin")
    plain = acbl_teams(scoring="imps", form="round-robin")
    for_bam, for_imps = (
        awarded("acbl-general", field, class_="regional").lists[0].schedule[0].amount
        for field in (played, plain)
    )
    assert for_bam == Fraction("6.67")
    assert for_imps == Fraction("6.07")
    refusal = awarded("acbl-sof-2011", played, class_="regional").lists[0].refusal
    assert refusal is not None
    assert refusal.reason.startswith("board-a-match: only pairs and Swiss teams")


@pytest.mark.parametrize("rulebook", ACBL)
def test_a_knock_out_is_refused(rulebook: str) -> None:
    refusal = awarded(rulebook, acbl_teams(form="knock-out"), class_="regional").lists[0].refusal
    assert refusal is not None
    assert "knockout" in refusal.reason


def test_2020_counts_the_deals_that_were_played() -> None:
    short = replace(
        line("", *range(60, 20, -2)),
        facts={"kind": "pairs", "sessions": Fraction(1), "boards_per_session": Fraction(18)},
    )
    full = replace(short, facts={**short.facts, "boards_per_session": Fraction(24)})
    worth = [awarded("acbl-sof-2020", f, class_="regional").lists[0] for f in (short, full)]
    assert [w.quantities["session_equivalents"] for w in worth] == ["0.875", "1"]
    assert worth[0].schedule[0].amount < worth[1].schedule[0].amount


def test_2020_takes_sessions_of_different_lengths_as_a_fact() -> None:
    field = replace(
        line("", *range(60, 20, -2)),
        facts={"kind": "pairs", "sessions": Fraction(2), "boards_of_sessions": "26+20"},
    )
    answer = awarded("acbl-sof-2020", field, class_="regional").lists[0]
    assert answer.quantities["session_equivalents"] == "1.916666667"


def test_2011_pays_sessions_0_4_of_each_line() -> None:
    overall = [line("NS", *range(60, 40, -2)), line("EW", *range(59, 39, -2))]
    sessions = [replace(f, session="1") for f in overall]
    answer = award_event(
        load("acbl-sof-2011"), [*overall, *sessions], {"class": "regional", "sessions": "2"}
    )
    whole, north, east = answer.lists
    assert len(whole.schedule) == 20
    assert [a.quantities["places"] for a in (north, east)] == ["4", "4"]
    assert [a.quantities["tables"] for a in (whole, north)] == ["10", "10"]
    assert [a.extras["points"]["colour"] for a in (whole, north)] == ["gold", "red"]


def test_a_handicap_in_the_file_is_told_of() -> None:
    facts: dict[str, Value] = {"kind": "pairs", "winners": "1", "handicapped": "yes"}
    notices = [n.text for n in awarded(SBU, Field(facts, standings(18))).lists[0].notices]
    assert notices == [
        "points go by the un-adjusted ranking list; the handicapped one is for prizes only"
    ]


def test_an_open_section_with_handicap_stones_is_told_of() -> None:
    facts: dict[str, Value] = {"handicap_stones": Fraction(3), "mean_rating": Fraction(5)}
    field = Field(facts, go(*((9 - n, {}) for n in range(6))))
    [awards] = awarded(AGA, field, section_kind="open").lists
    assert any(notice.text.startswith("3 games were given handicap") for notice in awards.notices)
    assert awards.schedule[0].amount > 0


def test_a_refusal_has_no_more_decimals_than_one_reads_out() -> None:
    field = Field({"mean_rating": Fraction(1, 3)}, go(*((9 - n, {}) for n in range(6))))
    refusal = awarded(AGA, field, section_kind="open").lists[0].refusal
    assert refusal is not None
    assert refusal.reason == "a mean rating of 0.3333 is below 1.1"


def test_neither_strength_of_field_rule_asks_for_other_events_or_restrictions() -> None:
    for book in ("acbl-sof-2011", "acbl-sof-2020"):
        assert not {"added_tables", "concurrent_tables", "other_events"} & set(load(book).keys)
    assert not {"restrictions", "limit_factor", "m_factor"} & set(load("acbl-sof-2020").keys)
    field = Field({"kind": "pairs", "sessions": Fraction(2)}, standings(20))
    known = {"strength_factor": "22", "class": "regional"}
    open_to_all = award_event(load("acbl-sof-2020"), [field], known)
    limited = award_event(load("acbl-sof-2020"), [field], {**known, "limit": "5000"})
    assert amounts(limited) == amounts(open_to_all)


def test_the_general_formula_is_the_product_of_its_six_factors() -> None:
    """40 tables, a regional of two sessions, limit 750, one restriction, individual."""
    facts: dict[str, Value] = {"kind": "individual", "sessions": Fraction(2)}
    given = {"class": "regional", "tables": "40", "limit": "750", "restrictions": "1"}
    [awards] = award_event(load("acbl-general"), [Field(facts, standings(20, 1))], given).lists
    first = Fraction(50, 60) * 14 * Fraction(3, 2) * Fraction(7, 10) * Fraction(8, 10)
    assert awards.schedule[0].amount == round(first * Fraction(3, 4), 2)
