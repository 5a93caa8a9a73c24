"""Quantities per entrant, player and place, and every step of an award."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

from honours.engine.award import award, calculate
from honours.engine.exact.explanation import render_text
from honours.engine.exact.working import Scope, Working, parameter_step
from honours.model import Awards, Citation, Entrant, Field, Player, Standing
from tests.engine.test_award import RULES, TOML, shown, told, with_rules
from tests.engine.test_of_players import MEMBERS, people


def test_a_player_who_may_not_be_awarded_is_told_apart(tmp_path: Path) -> None:
    barred = """
[refuses.too_strong]
message = "{skill} is too strong"
clause = "§8"
per = "player"
if = "skill > a_table * a_table * a_table"
"""
    book = with_rules(tmp_path, RULES, TOML + barred)

    def awarded(*skills: int) -> Any:
        players = tuple(Player(f"p{s}", facts={"skill": Fraction(s)}) for s in skills)
        field = Field({"entrants": Fraction(2)}, (Standing(Entrant("1", players), 1),))
        return award(book, field).schedule[0]

    both = awarded(9, 10)
    assert (both.amount, both.shown, both.withheld) == (0, "0.00", ())
    assert (both.refusal.reason, both.refusal.citation.clause) == ("9 is too strong", "§8")
    one = awarded(8, 9)
    assert (one.amount, one.shown, one.refusal) == (10, "10.00", None)
    assert [(p.name, r.reason) for p, r in one.withheld] == [("p9", "9 is too strong")]


def test_extras_are_told_where_their_own_inputs_were_given(tmp_path: Path) -> None:
    toml = TOML + '[extras]\nmoney = ["prize"]\nnone = ["nowhere"]\n'
    prize = (
        '\n@rule("§1")\ndef prize(fee, entrants):\n    """All fees."""\n    return fee * entrants\n'
    )
    book = with_rules(tmp_path, RULES + prize, toml)
    assert calculate(book, {"entrants": 4, "fee": 3})[0].extras == {"money": {"prize": "12"}}
    assert calculate(book, {"entrants": 4})[0].extras == {}
    assert calculate(book, {"entrants": 1, "fee": 3})[0].extras == {}


def test_a_choice_is_told_where_what_it_is_about_was_used(tmp_path: Path) -> None:
    toml = (
        TOML
        + """
[choices.one]
reading = "as it stands"
about = ["places"]
[choices.ties]
reading = "shared"
about = ["tied"]
[choices.fees]
reading = "never"
about = ["fee"]
[choices.words]
reading = "by level"
about = ["level"]
"""
    )
    book = with_rules(tmp_path, RULES, toml)

    def choices(ties: str = "") -> list[str]:
        return [c.name for c in calculate(book, {"entrants": 4}, ties)[0].choices]

    assert choices() == ["one", "words"]
    assert choices("1-2") == ["one", "ties", "words"]


LINES = TOML.replace(
    "[inputs.entrants]",
    """[lists]
lines = "each"
line_words = ["NS", "EW"]
line_when = { level = "club" }
[inputs.line]
about = "the line"
type = "word"
words = ["NS", "EW"]
first = "NS"
[inputs.entrants]""",
)


def test_an_event_of_two_lines_gives_a_list_for_each(tmp_path: Path) -> None:
    rules = RULES.replace(
        '@rule("§1")\ndef entrants',
        """@rule("§1", when={"line": "EW"}, \
defines="entrants")
def fewer(tables, a_table):
    \"\"\"One fewer.\"\"\"
    return tables * a_table - 1

@rule("§1", when={"line": "NS"})
def entrants""",
    )
    book = with_rules(tmp_path, rules, LINES.replace("must_agree = true", ""))

    def lines(ties: str = "", **given: object) -> list[tuple[str, list[str]]]:
        lists: list[Awards] = calculate(book, {"tables": 2, **given}, ties)
        return [(a.field.line, [x.shown for x in a.schedule]) for a in lists]

    assert lines() == [("NS", ["10.00", "5.00"]), ("EW", ["10.00"])]
    assert lines(line="EW") == [("EW", ["10.00"])]
    assert lines("1-4") == [("NS", ["3.75"] * 4), ("EW", ["3.333333333333"] * 3)]
    assert lines("1-2,3-4") == [("NS", ["7.50", "7.50"]), ("EW", ["5.00", "5.00"])]
    assert lines(places=4)[1] == ("EW", ["10.00", "5.00", "3.333333333333", "2.50"])
    assert told(book, tables=2, places=5) == "places=5: there are at most 4 entrants"


# --- steps in full --------------------------------------------------------------------------------

STEPS = """
@rule("§1")
def places(entrants):
    \"\"\"All.\"\"\"
    return entrants

@rule("§2", rounds=rounding("direction", "whole"))
def first_share(entrants, a_table):
    \"\"\"The first.\"\"\"
    return entrants / a_table

@rule("§3", per="place", starts="first_share")
def place_share(previous, a_table):
    \"\"\"A place.\"\"\"
    return previous / a_table

@rule("§4", rounds=up("nothing"))
def unrounded(first_share, a_table):
    \"\"\"As it is.\"\"\"
    return first_share / a_table

@rule("§5", per="entrant")
def award(covered_place_share, tied, unrounded):
    \"\"\"Shared.\"\"\"
    return covered_place_share / tied + unrounded
"""
MODES = """
direction = { value = "down", clause = "§9", words = ["up", "down", "nearest"], about = "where to" }
nothing = { value = 0, clause = "§9" }
"""


IN_FULL = [
    "award = 1.75   Shared.",
    "    = covered place share / tied + unrounded",
    "    = 1.5 / 2 + 1",
    "    [§5]",
    "  covered place share = 1.5   place share summed over the paid places this tie covers",
    "      place 2 1, place 3 0.5",
    "    place share = 1   A place.",
    "        = previous / a table",
    "        = 2 / 2",
    "        [§3]",
    "      previous = 2   place share at place 1, the place above",
    "        first share = 2   The first.",
    "            = entrants / a table",
    "            = 5 / 2",
    "            2.5 rounded down, in steps of 1",
    "            [§2]",
    "          entrants = 5   entrants",
    "          a table = 2",
    "              [§1]",
    "      a table = 2   (see above)",
    "  tied = 2",
    "  unrounded = 1   As it is.",
    "      = first share / a table",
    "      = 2 / 2",
    "      [§4]",
    "    first share = 2   The first.   (see above)",
    "    a table = 2   (see above)",
]


def test_every_step_of_an_award(tmp_path: Path) -> None:
    """Of 5 the first has 2.5, down 2; then 1, ½, …; the second and third share 1 and ½."""
    book = with_rules(tmp_path, STEPS, TOML + MODES)
    [awards] = calculate(book, {"entrants": 5}, "2-3")
    step = awards.schedule[1].why
    assert render_text(step).splitlines() == IN_FULL
    assert parameter_step(book.parameters["direction"]).about == "where to"
    first = awards.schedule[0].why.uses[0].uses[0]
    assert (first.name, first.kind, first.about, first.formula, first.working) == (
        "place_share",
        "rule",
        "A place.",
        "first share",
        "2",
    )
    assert first.citation == Citation("§3")
    up = book.amend(direction="up", nothing="0.75")
    [awards] = calculate(up, {"entrants": 5})
    assert [a.shown for a in awards.schedule][:2] == ["4.50", "3.00"]
    unrounded = awards.schedule[0].why.uses[2]
    assert (unrounded.shown, unrounded.rounding) == ("1.50", "1.5 rounded up, in steps of 0.75")


def test_what_is_known_of_a_player_goes_before_what_is_said_of_all(tmp_path: Path) -> None:
    known = Player("Ann", facts={"skill": Fraction(9)})
    standings = (
        Standing(Entrant("1", (known,)), 1, facts={"skill": Fraction(5)}),
        Standing(Entrant("2", (Player("Bob"),)), 2, facts={"skill": Fraction(5)}),
        Standing(Entrant("3", (Player("Cid"),)), 3),
    )
    field = Field({"entrants": Fraction(3), "skill": Fraction(3)}, standings)
    working = Working(with_rules(tmp_path, MEMBERS), field)
    assert [working.number("average", Scope("entrant", i)) for i in range(3)] == [9, 5, 3]


def test_what_an_entrant_carries_and_no_rule_asks_for_changes_nothing(tmp_path: Path) -> None:
    facts = {"shoe": Fraction(44), "entrants": Fraction(9)}
    player = Player("Ann", facts={"hat": Fraction(7)})
    field = Field({"entrants": Fraction(2)}, (Standing(Entrant("1", (player,)), 1, facts=facts),))
    assert [a.shown for a in award(with_rules(tmp_path, RULES), field).schedule] == ["10.00"]


def test_who_does_not_tie_is_alone_at_a_place(tmp_path: Path) -> None:
    rules = RULES.replace("def worth(place,", "def worth(place, tied,")
    book = with_rules(tmp_path, rules.replace("return top[level] / place", "return tied"))
    assert shown(book, "1-2", entrants=4) == [(1, 2, "1.00"), (1, 2, "1.00")]


def test_names_are_told_as_words(tmp_path: Path) -> None:
    all_shares = """
@rule("§1")
def total(sum_of_place_share):
    return sum_of_place_share
"""
    working = Working(
        with_rules(tmp_path, STEPS + all_shares, TOML + MODES), Field({"entrants": Fraction(3)})
    )
    assert working.step("total").uses[0].about == "sum of place share over 3 places"
    worth = Working(with_rules(tmp_path / "more", RULES), people()).step("worth", Scope("place", 2))
    assert [used.name for used in worth.uses] == ["place", "top", "level"]
