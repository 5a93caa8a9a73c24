"""The golden figures of the rulebooks that no source prints, each read from its own file."""

import json
from fractions import Fraction
from typing import Any

import pytest

from honours.engine.award import calculate
from honours.model import Awards
from honours.rulebooks import load
from tests.support import GOLDEN

pytestmark = pytest.mark.usefixtures("in_columns_too")


def golden(name: str) -> Any:
    return json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))


def paid(awards: Awards) -> list[str]:
    return [item.shown for item in awards.schedule if item.amount]


def by_place(awards: Any) -> dict[int, str]:
    return (
        {int(place): str(award) for place, award in awards.items()}
        if isinstance(awards, dict)
        else {place: str(award) for place, award in enumerate(awards, start=1)}
    )


def test_vbl() -> None:
    book, cases = load("vbl-2017"), golden("vbl_2017")["cases"]
    for case in cases:
        given: dict[str, Any] = {"kind": "individual" if "players" in case else "pairs"}
        given |= {key: case[key] for key in ("pairs", "players", "category") if key in case}
        given |= {"event": "large"} if case["kind"].startswith("large") else {}
        given |= {"lines": case["lines"]} if case.get("lines", 1) > 1 else {}
        shown = [item.shown for item in calculate(book, given)[0].schedule]
        for place, award in by_place(case["awards"]).items():
            assert shown[place - 1] == award, case
    assert len(cases) == 24


def test_ebu_as_salliere_awards() -> None:
    book, cases = load("ebu-clubs"), golden("ebu_salliere")["cases"]
    wrong = 0
    for case in cases:
        counted = "pairs" if case["kind"] == "pairs" else "players"
        given = {"kind": case["kind"], counted: case["entrants"], "boards": case["boards"]}
        given |= {"scale": case["scale"]}
        if "original_entry_tables" in case:
            given["original_entry_tables"] = case["original_entry_tables"]
        [awards] = calculate(book, given, ",".join(case.get("ties", [])))
        if "refused" in case:
            assert awards.refusal is not None, case
        elif case["kind"] == "individual" and "original_entry_tables" in case:
            wrong += 1  # the program is wrong there, its own file says: do not follow
        else:
            assert paid(awards) == [str(award) for award in case["awards"]], case
    assert (len(cases), wrong) == (164, 2)


def test_abf_lines_and_winners() -> None:
    book, figures = load("abf-sessions"), golden("abf")
    for line in figures["lines"]:
        given = {"kind": "pairs", "winners": line["winners"], "tables": line["tables"]}
        given |= {"event_grade": line["W"], "entrants": line["pairs_in_field"]}
        given |= {"line": "NS"} if line["winners"] == 2 else {}
        ties = line["ties"] or ""
        assert paid(calculate(book, given, ties)[0]) == line["awards"], line
    for weight, tables, mitchell, howell in figures["winner_by_formula_W_T_mitchell_howell"][
        "rows"
    ]:
        for winners, winner in ((2, mitchell), (1, howell)):
            given = {"kind": "pairs", "winners": winners, "tables": tables, "event_grade": weight}
            given |= {"line": "NS"} if winners == 2 else {}
            assert float(calculate(book, given)[0].schedule[0].shown) == winner, given


def test_egf_games() -> None:
    book = load("egf-2021")
    classes = {"1": "A", "0.75": "B", "0.5": "C", "0.25": "D"}
    for game in golden("egf_2021")["games"]:
        given = {"entrants": 1, "class": classes[game["weight"]], "gor": game["rating"]}
        given |= {"opponent_gor": game["opponent"], "result": game["result"]}
        given |= {"stones": game["stones_received"]}
        if game["rating"] == -900:
            continue  # never below -900: an example of the rulebook has the whole list
        [awards] = calculate(book, given)
        figures = {f.name: f.shown for item in awards.schedule for f in item.figures}
        assert game["new"] in figures.values() or game["new"] in awards.quantities.values(), game


@pytest.mark.parametrize("at", [0, 1])
def test_sbu_strata(at: int) -> None:
    book, case = load("sbu-clubs-2024"), golden("sbu_strata_2026")["examples"][at]
    given = {"kind": "pairs", "winners": 1, "boards": 24}
    lists = {
        "overall": {"pairs": case["pairs"], "stratum_kind": "top", "lower_pairs": case["B"]},
        "B_awards": {"pairs": case["B"], "stratum_kind": "lower", "stratum_level": 1},
        "C_awards": {"pairs": case.get("C"), "stratum_kind": "lower", "stratum_level": 2},
    }
    for name, facts in lists.items():
        if name in case:
            awards = calculate(book, {**given, **facts})[0]
            assert paid(awards) == [str(award) for award in case[name]], name


def test_ebu_as_real_files_and_the_forum_have_it() -> None:
    book, figures = load("ebu-clubs"), golden("ebu_real")
    for case in figures["real_files"]:
        given = {"kind": case["kind"], "boards": case["boards_each"], "scale": "A"}
        if case["kind"] == "teams":
            lists = calculate(book, {**given, "teams": case["teams"]})
        elif case["winners"] == 1:
            lists = calculate(book, {**given, "winners": 1, "pairs": case["pairs"]})
        else:
            pairs = sum(case["pairs_each_line"])
            lists = calculate(book, {**given, "winners": 2, "pairs": pairs})
            assert len(lists) == 2
        awards = [str(award) for award in case.get("awards") or case["awards_each_line"]]
        assert [paid(one) for one in lists] == [awards] * len(lists), case["program"]
    boards = {"1/4": 12, "1/3": 24, "1/2": 36}
    for case in figures["printed"]:
        given = {"kind": case["kind"], "scale": "A"}
        given["boards"] = case.get("boards") or boards[case["share"]]
        given |= {key: case[key] for key in ("teams", "pairs") if key in case}
        if "tables" in case and case["kind"] == "pairs":
            given["pairs"] = 2 * case["tables"]
        elif "tables" in case:
            given["players"] = 4 * case["tables"]
        [awarded] = calculate(book, given)
        if "awards" in case:
            assert paid(awarded) == [str(award) for award in case["awards"]]
        else:
            assert len(paid(awarded)) == case["places"], case
    assert (len(figures["real_files"]), len(figures["printed"])) == (7, 7)


def test_aga_category_and_points() -> None:
    book, figures = load("aga-category"), golden("aga")
    for case in figures["cases"]:
        given = {"mean_rating": str(case["mean_rating"]), "players": case["players"]}
        [awards] = calculate(book, given)
        for name in ("exact_category", "category", "slope"):
            if name in case:
                shown = Fraction(awards.quantities[name])
                assert round(shown, 2) == Fraction(str(case[name])), name
        points = [str(points) for points in case.get("points", ())]
        assert [item.shown for item in awards.schedule][: len(points)] == points
    limits = figures["limits"]
    low, high = (Fraction(str(limit)) for limit in limits["mean_rating"])
    for mean, players, refused in (
        (low, limits["min_players"], False),
        (low, limits["min_players"] - 1, True),
        (low - Fraction("0.1"), limits["min_players"], True),
        (high, 20, False),
        (high + Fraction("0.1"), 20, True),
    ):
        [awards] = calculate(book, {"mean_rating": mean, "players": players})
        assert (awards.refusal is not None) is refused, (mean, players)


def test_every_golden_file_is_read() -> None:
    """The figures of the WBF belong to no rulebook: its tables are cut short in the source."""
    known = {
        *("abf", "acbl_2020", "acbl_club_2017", "aga", "ebu_fouled_boards", "ebu_full_events"),
        *("ebu_real", "ebu_salliere", "egf_2021", "ifpa_wppr", "sbu_clubs_2016"),
        *("sbu_strata_2026", "vbl_2017", "wbf"),
    }
    assert {path.stem for path in GOLDEN.glob("*.json")} == known
