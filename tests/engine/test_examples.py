"""Examples as a rulebook's author writes them: what is wrong in the file, and what comes out."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from honours.engine.rulebook import Rulebook
from honours.engine.rulebook.examples import differences, examples, fields, run
from honours.engine.rulebook.lint import RulebookCheck, faults
from honours.errors import RulebookError
from honours.model import Field
from tests.engine.books import write_book
from tests.support import cases

TOML = """
[inputs.entrants]
about = "entrants"
type = "count"
[inputs.strength]
about = "a player's strength"
per = "player"
first = 1
[inputs.seed]
about = "an entrant's seed"
per = "entrant"
first = 0
[inputs.barred]
about = "barred"
per = "player"
type = "word"
words = ["yes", "no"]
first = "no"
[parameters]
unit = { value = "0.5", clause = "§1" }
least = { value = 2, clause = "§1" }
many = { value = 5, clause = "§1" }
[extras]
match = ["win"]
[refuses.too_few]
message = "{entrants} are too few"
clause = "§1"
if = "entrants < least"
[refuses.is_barred]
message = "barred"
clause = "§1"
per = "player"
if = "barred == 'yes'"
[notices.many_entrants]
message = "{entrants} are many"
clause = "§1"
if = "entrants > many"
"""
RULES = '''

@rule("§1")
def places(entrants):
    """How many places pay."""
    return entrants - 1

@rule("§1")
def win(places):
    """What a match won is worth."""
    return places

@rule("§1", per="place")
def worth(place, places):
    """A place's worth."""
    return places + 1 - place

@rule("§1", per="entrant", rounds=nearest("unit"))
def award(covered_worth, tied, mean_of_strength, seed):
    """How much."""
    return covered_worth / tied * mean_of_strength + seed
'''


def book(folder: Path, cases: str) -> Rulebook:
    return write_book(folder / "made_up", TOML, RULES, cases)


def case(folder: Path, text: str) -> list[str]:
    """What is different in the first example of a file."""
    made = book(folder, f'[[example]]\nname = "one"\n{text}\n')
    [example] = examples(made)
    return differences(example, run(made, example))


@cases
def test_a_wrong_file_is_told_with_its_place(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(RulebookError) as error:
        list(examples(book(tmp_path, text)))
    assert str(error.value) == f"made_up/{message}"


GRID = """
[[grid]]
name = "table"
published = "Table 1"
given = { strength = 2 }
down = "entrants"
across = "seed"
columns = [1, 3]
quantity = "win"
rows = { 4 = ["3", "3"], 6 = ["5", "4"] }
"""


def test_every_cell_of_a_grid_is_an_example(tmp_path: Path) -> None:
    made = book(tmp_path, GRID)
    cells = list(examples(made))
    assert [c.name for c in cells] == [
        "table, entrants 4, seed 1",
        "table, entrants 4, seed 3",
        "table, entrants 6, seed 1",
        "table, entrants 6, seed 3",
    ]
    assert {(c.published, c.ours) for c in cells} == {("Table 1", "")}
    assert cells[3].given == {"strength": 2, "entrants": "6", "seed": "3"}
    assert [differences(c, run(made, c)) for c in cells] == [
        [],
        [],
        [],
        ["quantities: expected {'win': '4'}, got {'win': '5'}"],
    ]


def test_a_grid_of_our_own_with_nothing_given(tmp_path: Path) -> None:
    own = GRID.replace('published = "Table 1"\ngiven = { strength = 2 }', 'ours = "made up"')
    cells = list(examples(book(tmp_path, own)))
    assert {(c.published, c.ours) for c in cells} == {("", "made up")}
    assert cells[0].given == {"entrants": "4", "seed": "1"}


def test_the_list_of_an_example_has_its_ties(tmp_path: Path) -> None:
    text = 'given = { entrants = 4 }\nties = "2-3"\nexpect = { places = 3 }'
    made = book(tmp_path, f'[[example]]\nname = "one"\n{text}\n')
    [field] = fields(made, next(iter(examples(made))))
    assert [(s.place, s.tied) for s in field.standings] == [(1, 1), (2, 2), (2, 2)]


def test_a_grid_with_a_short_row_is_told(tmp_path: Path) -> None:
    with pytest.raises(
        RulebookError,
        match=r"^made_up/examples.toml, line 3, table: entrants 4: a cell is missing$",
    ):
        list(examples(book(tmp_path, GRID.replace('4 = ["3", "3"]', '4 = ["3"]'))))


@cases
def test_what_comes_out_is_held_against_what_is_expected(
    tmp_path: Path, text: str, expected: list[str]
) -> None:
    assert case(tmp_path, text) == expected


LISTED = """
given = {}
list = [
    { place = 1, strength = ["4", "2"], seed = 1 },
    { place = 2, strength = ["3", "1"], barred = ["no", "yes"] },
    { place = 2, strength = "5", barred = ["yes", "yes"] },
]
"""


def test_an_example_may_list_its_entrants(tmp_path: Path) -> None:
    """(2 × 3) + 1, and the second and third share 1 at a mean of 2; who is barred gets nothing."""
    made = book(tmp_path, f'[[example]]\nname = "one"\n{LISTED}expect = {{ places = 2 }}\n')
    [example] = examples(made)
    [field] = fields(made, example)
    assert field.facts == {"entrants": 3}
    assert [(s.place, s.tied, dict(s.facts)) for s in field.standings] == [
        (1, 1, {"seed": Fraction(1)}),
        (2, 2, {}),
        (2, 2, {"strength": Fraction(5)}),
    ]
    assert [[(p.name, dict(p.facts)) for p in s.entrant.players] for s in field.standings] == [
        [("1.1", {"strength": 4}), ("1.2", {"strength": 2})],
        [("2.1", {"strength": 3, "barred": "no"}), ("2.2", {"strength": 1, "barred": "yes"})],
        [("3.1", {"barred": "yes"}), ("3.2", {"barred": "yes"})],
    ]
    assert [s.entrant.id for s in field.standings] == ["1", "2", "3"]
    [awards] = run(made, example)
    assert [a.amount for a in awards.schedule] == [7, 1, 0]


def test_who_is_withheld_from_is_named(tmp_path: Path) -> None:
    assert case(tmp_path, LISTED + 'expect = { withheld = ["", "2.2", "all"] }') == []
    assert case(tmp_path, LISTED + 'expect = { withheld = ["", "2.1", ""] }') == [
        "withheld: expected ['', '2.1', ''], got ['', '2.2', 'all']"
    ]
    three = 'given = {}\nlist = [{ place = 1, barred = ["yes", "no", "yes"] }, { place = 2 }]\n'
    assert case(tmp_path, three + 'expect = { withheld = ["1.1 1.3", ""] }') == []


def test_an_entrant_without_players_has_none(tmp_path: Path) -> None:
    text = '[[example]]\nname = "one"\ngiven = {}\nlist = [{ place = 1 }]\nexpect.places = 1\n'
    made = book(tmp_path, text)
    [field] = fields(made, next(examples(made)))
    assert field.standings[0].entrant.players == ()


GOOD = """
[[example]]
name = "few"
ours = "too few"
given = { entrants = 1 }
expect.refusal = "too few"
[[example]]
name = "many"
ours = "5 + 4 + …"
given = { entrants = 6 }
expect.at = { 1 = "5.00" }
[[example]]
name = "barred"
ours = "one is"
given = {}
list = [{ place = 1, barred = ["yes"] }, { place = 2 }]
expect.withheld = ["all", ""]
"""


def test_a_rulebook_that_holds_together_has_no_fault(tmp_path: Path) -> None:
    assert faults(book(tmp_path, GOOD)) == RulebookCheck(3, [], in_columns=3)


def test_every_fault_is_told_with_its_example(tmp_path: Path) -> None:
    wrong = GOOD.replace('1 = "5.00"', '1 = "6.00"').replace("entrants = 1 }", "entrants = -1 }")
    assert faults(book(tmp_path, wrong)) == RulebookCheck(
        3,
        [
            "made_up/examples.toml, line 3, few: entrants=-1: must be at least 0",
            "made_up/examples.toml, line 8, many: at: expected {'1': '6.00'}, got {'1': '5.00'}",
            "lint: made_up/rulebook.toml, line 37: no example is refused by too_few",
        ],
        in_columns=2,
        not_in_columns="the others end in an error before that",
    )


def test_a_fault_of_the_lint_is_told(tmp_path: Path) -> None:
    few = GOOD.split("[[example]]")[1]
    checked = faults(book(tmp_path, "[[example]]" + few))
    assert checked.examples == 1
    assert "lint: made_up/rules.py, line 21: no example reaches award" in checked.faults


def test_where_the_two_ways_differ_both_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = [[Fraction(1, 2)], None, [Fraction(0), Fraction(1)]]
    monkeypatch.setattr("honours.engine.columns.award.award_fields", lambda *_: wrong)
    assert faults(book(tmp_path, GOOD)).faults == [
        "few: exactly refused, in columns 0.5",
        "many: exactly 5 4 3 2 1, in columns refused",
        "barred: exactly 0 0, in columns 0 1",
    ]


def test_the_two_ways_are_compared_as_an_example_amends_the_rule(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    amended = GOOD.replace(
        "given = { entrants = 6 }", "given = { entrants = 6 }\nset = { many = 7 }"
    )
    books: list[dict[str, str]] = []

    def noted(rulebook: Rulebook, fields: list[Field]) -> list[None]:
        books.append(dict(rulebook.amended))
        return [None for _ in fields]

    monkeypatch.setattr("honours.engine.columns.award.award_fields", noted)
    wrong = faults(book(tmp_path, amended)).faults
    assert books == [{}, {"many": "7"}]
    assert "many: exactly 5 4 3 2 1, in columns refused" in wrong


def test_the_awards_of_two_lines_are_expected_line_by_line(tmp_path: Path) -> None:
    lines = """
[lists]
lines = "each"
line_words = ["NS", "EW"]
[inputs.line]
about = "line"
type = "word"
words = ["NS", "EW"]
first = "NS"
"""
    text = """
[[example]]
name = "two"
given = { entrants = 3 }
expect.awards = { NS = ["2.00", "1.00"], EW = ["2.00"] }
"""
    made = write_book(tmp_path / "made_up", TOML + lines, RULES, text)
    [example] = examples(made)
    assert differences(example, run(made, example)) == [
        "awards: expected {'NS': ['2.00', '1.00'], 'EW': ['2.00']}, "
        "got {'NS': ['2.00', '1.00'], 'EW': ['2.00', '1.00']}"
    ]
