"""Mistakes of levels, words and names: told before any example is run, with file, line and the way
out."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from honours.engine.award import calculate
from honours.engine.rulebook.lint import faults
from honours.engine.rulebook.load import load
from honours.errors import HonoursError, RulebookError
from tests.engine.test_mistakes import ENDS, EXAMPLES, RULES, SECTION, TOML, folder

ASKS = "def award(covered_points, tied"
KIND = '[inputs.kind]\nabout = "k"\ntype = "word"\nwords = ["pairs", "teams"]\nfirst = "pairs"\n'
SEED = '[inputs.seed]\nabout = "s"\nper = "PER"\nfirst = 1\n'
Edit = tuple[str, str, str]


def declared(text: str) -> Edit:
    """An edit that declares something before the parameters."""
    return TOML, SECTION, f"{text}\n{SECTION}"


def number(text: str) -> Edit:
    """An edit that declares a parameter."""
    return TOML, SECTION, f"{SECTION}\n{text}"


def also(argument: str) -> Edit:
    """An edit by which the award asks for one thing more."""
    return RULES, ASKS, f"def award({argument}, covered_points, tied"


def in_body(test: str) -> Edit:
    """An edit that begins the body of the award."""
    return RULES, ENDS, f"if {test}:\n        return 0\n    {ENDS}"


MISTAKES: list[tuple[list[Edit], str]] = [
    (
        [declared('[extras]\nmore = ["points"]')],
        "line 18: extras, more: points is per place, and must be per field",
    ),
    (
        [declared('[figures.one]\nabout = "t"\nquantity = "points"')],
        "line 17: figures, one: points is per place, and must be per entrant / player",
    ),
    (
        [declared('[figures.one]\nabout = "t"\nquantity = "first_place"')],
        "line 17: figures, one: first_place is per field",
    ),
    ([declared('[colours]\nred = "points"')], "line 18: colours, red: points is per place"),
    ([declared("[colours]\nred = [3]")], "line 18: .*expected a text"),
    ([declared('[colours]\nall = "first_place"')], "line 18: .*must be an input that is a word"),
    ([also("rank_of_first_place")], "line 29: .*only entrants and players have a rank"),
    (
        [declared(SEED.replace("PER", "player")), also("rank_of_seed")],
        "line 29: .*give the rank a rule of that level",
    ),
    ([also("covered_first_place")], "line 29: .*a tie covers only what is per place"),
    ([also("mean_of_first_place")], "line 29: .*there is only one of it"),
    (
        [declared(SEED.replace("PER", "entrant")), also("sum_of_seed")],
        "line 29: .*that is its own; a rule per field goes over all entrants",
    ),
    (
        [declared(SEED.replace("PER", "entrant")), also("opponent_seed")],
        'line 29: .*only a rule per="game" has an opponent',
    ),
    (
        [
            declared(SEED.replace("PER", "entrant")),
            (RULES, "def places(entrants", "def places(seed, entrants"),
        ],
        "line 17: rule places is per field and asks for seed, which is per entrant: .*sum_of_seed",
    ),
    ([also("previous")], 'line 29: .*only a rule per="place" has a place above'),
    (
        [(RULES, "def points(previous", "def points(tied, previous")],
        "line 23: .*a place by itself is not shared",
    ),
    ([(RULES, 'starts="first_place"', 'starts="award"')], "line 23: .*must be per field"),
    (
        [(RULES, 'per="entrant", rounds', 'starts="first_place", per="entrant", rounds')],
        "line 29: .*does not ask for previous",
    ),
    ([(RULES, 'per="entrant", rounds', "rounds")], "line 29: .*must be per entrant / player"),
    ([(RULES, '"§3", rounds', '"§3", per="entrant", rounds')], "line 17: .*must be per field"),
    ([(RULES, 'per="entrant", rounds', 'best=2, per="entrant", rounds')], "line 29: best of @rule"),
    (
        [(RULES, '@rule("§2", rounds=nearest("cent"))', "@rule")],
        "line 11: clause of @rule is first",
    ),
    (
        [(RULES, '@rule("§2", rounds', '@rule("§2")\n@rule("§2", rounds')],
        "line 11: function first_place has two decorators",
    ),
    (
        [declared(KIND), (RULES, '@rule("§2", ', '@rule("§2", when={"kind": "piars"}, ')],
        "line 11: kind is never 'piars' but pairs, teams; did you mean 'pairs'",
    ),
    (
        [(RULES, '@rule("§2", ', '@rule("§2", when={"entrants": "12"}, ')],
        "line 11: .*when= chooses by words, and entrants is a count",
    ),
    (
        [declared(KIND), also("kind"), in_body('kind == "teems"')],
        "line 32: kind is never 'teems' .*did you mean 'teams'",
    ),
    (
        [declared(KIND), also("kind"), (RULES, ENDS, f"{ENDS} * kind")],
        "line 32: rule award: kind is a word or a table, and no number",
    ),
    ([number('way = { value = "up", clause = "§1" }')], "line 18: .*a word needs words"),
    (
        [number('way = { value = "upp", words = ["up"], clause = "§1" }')],
        "line 18: .*unknown value 'upp'; did you mean 'up'",
    ),
    (
        [
            (RULES, "import nearest", "import rounding, nearest"),
            (RULES, 'up("whole")', 'rounding("dwon", "whole")'),
        ],
        "line 17: the rounding of places is never 'dwon' .*did you mean 'down'",
    ),
    ([(TOML, "whole = { value = 1", "whole = { value = -1")], "line 22: .*cannot be negative"),
    (
        [(TOML, 'cent = { value = "0.01"', 'cent = { value = "1/3"')],
        "line 29: an award is rounded in steps of 1/3: points are kept to four decimals",
    ),
    ([number('rows = { value = [[5, 1], [2, 3]], clause = "§1" }')], "line 18: .*do not rise"),
    ([number('rows = { value = [[5, 1], [7]], clause = "§1" }')], "line 18: .*equally long"),
    ([number('rows = { value = [], clause = "§1" }')], "line 18: table rows has no rows"),
    (
        [
            (RULES, "from honours", "from honours.engine.numbers import power\nfrom honours"),
            (RULES, "entrants * paid_share", "power(entrants) * paid_share"),
        ],
        r"line 21: rule places calls power\(entrants\): it is power\(base, exponent\)",
    ),
    ([(RULES, "{entrants} entered", "{entrants entered")], "line 6: .*a brace too many or too few"),
    (
        [(RULES, '"{entrants} entered, at least {least_entrants} needed"', '""')],
        "line 6: .*message",
    ),
    ([(RULES, '"§1")\ndef', '"§1", asks="entrnats")\ndef')], "line 6: .*did you mean 'entrants'"),
    ([declared('[lists]\nown = ["entrnats"]')], "line 18: lists, own: .*did you mean 'entrants'"),
    ([declared('[lists]\nfrom_overall = ["fist_place"]')], "line 18: .*did you mean 'first_place'"),
    (
        [declared('[choices.c]\nreading = "x"\nabout = ["points"]\nparameter = "shaer"')],
        "line 17: choices, c: nothing is called shaer; did you mean 'share'",
    ),
    (
        [
            declared(
                '[colours]\nred = "award"\n[[ranks]]\nname = "A"\nneeds = { rde = 1 }\nclause = "c"'
            )
        ],
        "line 19: ranks, A: nothing is called rde; did you mean 'red'",
    ),
    (
        [declared(KIND + '[derive]\nkind = [{ is = "piars", titled = ["x"], clause = "c" }]')],
        "line 23: kind is never 'piars' .*did you mean 'pairs'",
    ),
    ([declared('[inputs.place]\nabout = "x"')], "line 17: place cannot be called so: the engine"),
    ([declared('[inputs.top]\nabout = "x"\nholds = "seed"')], "line 17: .*no input per player"),
    ([declared("[inputs]\nseed = 3")], "inputs.seed: expected a table"),
    (
        [declared('[inputs.seed]\nabout = "x"\nfirst = 1\nusual = 1')],
        "line 20: .*one of first, usual",
    ),
    (
        [declared('[effective]\nsince = "2020-01-01"\nuntil = "2019-01-01"')],
        "line 19: the edition ends before it begins",
    ),
    ([number('award = { value = 1, clause = "§1" }')], "rule award is a parameter too"),
    (
        [
            (RULES, "import nearest", "import rounding, nearest"),
            (RULES, 'up("whole")', 'rounding("cent", "whole")'),
        ],
        "line 17: .*the way cent says, which is a number",
    ),
    (
        [
            (RULES, "import nearest", "import presumes, nearest"),
            (RULES, '@rule("§2", rounds=nearest("cent"))', '@presumes("§2")'),
        ],
        "line 11: first_place presumes what is no input",
    ),
    ([(EXAMPLES, "expect.awards =", "expect.extras =")], "expect.extras is no table"),
    (
        [(EXAMPLES, 'ties = "2-3"', "list = [{ place = 1, seed = { from = 1 } }]")],
        "expected { from = …, step = … }",
    ),
    ([declared('[inputs.award]\nabout = "x"')], "line 17: award is what the rules work out"),
    ([declared('[inputs.sum_of_x]\nabout = "x"')], "line 17: .*is an aggregate"),
    ([declared('[inputs."a b"]\nabout = "x"')], "line 17: .*letters, digits and _"),
    ([declared('[inputs.class]\nabout = "x"')], "line 17: .*as class_ it is class to people"),
    ([(RULES, "def places(entrants", "def places(*entrants")], "line 17: .*names each of its arg"),
    ([(EXAMPLES, 'ties = "2-3"', 'expect.figures.rating = ["1"]')], "'rating': there is none"),
    (
        [declared('[derive]\nentrants = [{ from = "field_entrnats", clause = "c" }]')],
        "line 18: .*did you mean 'field_entrants'.$",
    ),
]


def told(rulebook: Path) -> list[str]:
    try:
        return faults(load(rulebook)).faults
    except HonoursError as error:
        return [str(error)]


def edited(to: Path, edits: list[Edit]) -> Path:
    made = folder(to)
    for file, old, new in edits:
        text = (made / file).read_text("utf-8")
        assert old in text
        (made / file).write_text(text.replace(old, new, 1), "utf-8")
    return made


@pytest.mark.parametrize(("edits", "expected"), MISTAKES)
def test_a_mistake_is_told(tmp_path: Path, edits: list[Edit], expected: str) -> None:
    sentences = told(edited(tmp_path / "our_club", edits))
    assert [s for s in sentences if re.search(expected, s)], sentences
    assert all("our_club/" in s for s in sentences), sentences


@pytest.mark.parametrize(
    "text",
    [
        '[extras]\nmore = ["points"]',
        '[figures.one]\nabout = "t"\nquantity = "points"',
        '[colours]\nred = "points"',
    ],
)
def test_what_is_shown_at_a_wrong_level_is_an_error_where_nobody_checked(
    tmp_path: Path, text: str
) -> None:
    book = load(edited(tmp_path / "our_club", [declared(text)]))
    with pytest.raises(RulebookError, match="'points' is per place, asked per"):
        calculate(book, {"entrants": 12})
