"""Every mistake an author can make is a sentence with file and line and the nearest right word.

Each is made in the folder that `honours rulebook new` writes, which has none.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from honours.engine.rulebook.lint import faults, lint
from honours.engine.rulebook.load import load, starting_files
from honours.errors import HonoursError

TOML, RULES, EXAMPLES = "rulebook.toml", "rules.py", "examples.toml"
SECTION = "[parameters]"
ENDS = "return covered_points / tied"
MISTAKES = [
    (TOML, 'about = "how many entered"\n', "", "line 11: inputs.entrants: 'about' is missing"),
    (TOML, 'about = "how', 'abuot = "how', "line 12: .*unknown key 'abuot'; did you mean 'about'"),
    (TOML, 'type = "count"', 'type = "cuont"', "line 13: .*'cuont'; did you mean 'count'"),
    (TOML, "[inputs.", "[input.", "line 11: .*'input'; did you mean 'inputs'"),
    (TOML, "decimals = 2", "decimal = 2", "line 6: .*'decimal'; did you mean 'decimals'"),
    (TOML, 'clause = "§1", ', "", "line 18: parameters.least_entrants: 'clause' is missing"),
    (TOML, 'value = "0.10"', "value = 0.1.0", "line 19"),
    (TOML, 'value = "0.10"', 'value = "a tenth"', "line 19: .*'a tenth' is not a number"),
    (TOML, SECTION, f'{SECTION}\nspare = {{ value = 3, clause = "§1" }}', "line 18: spare is"),
    (TOML, SECTION, f'[lists]\nlines = "eech"\n{SECTION}', "line 18: .*did you mean 'each'"),
    (
        TOML,
        SECTION,
        f'[figures.one]\nabout = "t"\nquantity = "pionts"\n{SECTION}',
        "line 17: figures, one: nothing is called pionts; did you mean 'points'",
    ),
    (TOML, SECTION, f'[colours]\ngold = "awrad"\n{SECTION}', "line 18: .*did you mean 'award'"),
    (TOML, SECTION, f'[extras]\nmore = ["pionts"]\n{SECTION}', "line 18: .*did you mean 'points'"),
    (
        TOML,
        SECTION,
        f'[variants.v]\nabout = "x"\nset = {{ shaer = "1/3" }}\n{SECTION}',
        "line 17: variant v: unknown parameter of our-club 'shaer'; did you mean 'share'",
    ),
    (
        TOML,
        SECTION,
        f'[choices.c]\nreading = "x"\nabout = ["pionts"]\n{SECTION}',
        "line 17: choices, c: nothing is called pionts; did you mean 'points'",
    ),
    (TOML, SECTION, f'[[ranks]]\nnmae = "Star"\n{SECTION}', "line 18: .*did you mean 'name'"),
    (TOML, SECTION, f"[derive]\nentrnats = []\n{SECTION}", "line 18: .*did you mean 'entrants'"),
    (TOML, SECTION, f"[[posting]]\npiont = [3]\n{SECTION}", "line 18: .*did you mean 'points'"),
    (TOML, SECTION, f'[standing]\nstatus = "in farce"\n{SECTION}', "did you mean 'in force'"),
    (TOML, 'type = "count"', 'type = "word"', "line 11: entrants is a word, and words= must say"),
    (TOML, "most = 10000", "most = 1\nleast = 2", "line 11: entrants: least is more than most"),
    (TOML, "most = 10000", "first = -1", "line 11: the first of entrants is refused"),
    (TOML, 'example = "12"', 'example = "x"', "line 11: the example of entrants is refused"),
    (TOML, "most = 10000", 'must_agree = "yes"', "line 14: .*expected true or false"),
    (TOML, "decimals = 2", 'decimals = "two"', "line 6: decimals = 'two': expected a whole number"),
    (TOML, "revision = 1", 'revision = "one"', "line 4: revision = 'one': expected a whole"),
    (TOML, SECTION, f'[effective]\nsince = "2019-13-01"\n{SECTION}', "line 18: .*as 2019-06-30"),
    (
        TOML,
        SECTION,
        f'{SECTION}\nentrants = {{ value = 3, clause = "§1" }}',
        "line 18: entrants is a parameter and an input",
    ),
    (RULES, "* points_each", "* round(points_each)", "line 14: .*unknown name 'round'"),
    (RULES, "* points_each", "* points_each.numerator", "line 14: .*has .numerator"),
    (RULES, ENDS, "if tied > 1:\n        return tied", "line 29: .*end it with a return"),
    (RULES, "points_each)", "points_each = 1)", "line 11: .*a value of its own"),
    (RULES, "def places(entrants", "def places(tied", "line 17: .*asks for tied and is per field"),
    (RULES, "def places(entrants", "def places(award", "line 17: .*ask for sum_of_award"),
    (RULES, "place(entrants", "place(first_place", "line 11: .*goes in a circle"),
    (RULES, "def places(", "def first_place(", "line 18: .*line 12 already: only the last"),
    (RULES, '@rule("§3", rounds', '@rule("§3", defines="award", rounds', "line 29: .*twice"),
    (RULES, '@rule("§2", rounds=nearest("cent"))\n', "", "function first_place has no @rule"),
    (
        RULES,
        '@rule("§2", rounds=nearest("cent"))\n',
        '@rule("§2")\nclass Odd: pass\n',
        "line 1.*Odd",
    ),
    (RULES, "def first_place", "async def first_place", "line 11: first_place is no plain"),
    (RULES, "< least_entrants", "+ least_entrants", "line 6: .*expected yes or no"),
    (RULES, '"§1")\ndef', '"§1", per="game")\ndef', "line 6: .*'game'. Known: field, player"),
    (RULES, "@refuses", "import sys; sys.exit(3)\n@refuses", "line 6: cannot be imported"),
    (RULES, "honours.engine.rules", "honours.engine.rulse", "did you mean 'honours.engine.rules'"),
    (RULES, "nearest, refuses", "refuses", "line 11: .*from honours.engine.rules import nearest"),
    (RULES, "* points_each", "/ (points_each - points_each)", "rules.py, line 14: .*by zero"),
    (RULES, "def award(", "def awrad(", "no rule defines award; did you mean 'awrad'"),
    (RULES, 'per="entrant"', 'per="entrants"', "line 29: .*did you mean 'entrant'"),
    (RULES, 'nearest("cent")', 'nearest("cnet")', "line 11: .*did you mean 'cent'"),
    (RULES, 'nearest("cent")', 'nearst("cent")', "line 11: .*did you mean 'nearest'"),
    (RULES, 'rounds=up("whole")', 'rounds="up"', "line 17: rounds='up': expected a rounding"),
    (RULES, 'starts="first_', 'starts="frist_', "line 23: .*did you mean 'first_place'"),
    (RULES, 'starts="first_', 'start="first_', "line 23: .*'start'; did you mean 'starts'"),
    (RULES, ', starts="first_place"', "", "line 23: .*starts= must name"),
    (RULES, "(covered_points", "(coverd_points", "line 29: .*did you mean 'covered_points'"),
    (RULES, "(covered_points", "(points", "line 29: .*per place: ask for covered_points"),
    (RULES, ENDS, "return covered_points / teid", "line 32: .*'teid'; did you mean 'tied'"),
    (RULES, ENDS, "return sum(x for x in [tied])", "line 32: .*a comprehension.* sum_of_x"),
    (RULES, ENDS, "half = tied\n    return half", "line 32: .*give the value a rule of its own"),
    (RULES, ENDS, f"{ENDS} * 0.5", "line 32: rule award has the number 0.5"),
    (
        RULES,
        ENDS,
        "return covered_points ** tied",
        r"line 32: rule award has \*\*, which a rule may not have: powers are power",
    ),
    (RULES, ENDS, "return math.sqrt(tied)", "line 32: .*unknown name 'math'"),
    (
        RULES,
        ENDS,
        f"{ENDS} if tied in (1, tied) else 0",
        "line 32: .* has in, .*: compare with == and",
    ),
    (RULES, ENDS, f"{ENDS} if tied is not None else 0", "line 32: .*compare with !="),
    (RULES, ENDS, "pass", "line 32: rule award has a statement Pass"),
    (RULES, "< least_entrants", "< least_entrant", "line 8: .*did you mean 'least_entrants'"),
    (RULES, "{entrants} entered", "{entrnts} entered", "line 6: .*did you mean 'entrants'"),
    (RULES, '"""What first place is worth."""\n    ', "", "line 11: .*says nothing about itself"),
    (RULES, '@rule("§2", ', '@rule("", ', "line 11: rule first_place cites no clause"),
    (RULES, '@rule("§2", ', "@rule(", "line 11: .*'clause'"),
    (RULES, '@rule("§2", ', '@rule("§2", when="x", ', "line 11: when='x': expected words by name"),
    (RULES, "place(entrants", "place(sum_of_best_entrants", "line 11: .*best= must say how many"),
    (RULES, "nearest, refuses", "neerest, refuses", "line 3: .*'neerest'; did you mean 'nearest'"),
    (
        RULES,
        "nearest, refuses",
        "exp, nearest, refuses",
        "line 3: .*from honours.engine.numbers import exp",
    ),
    (RULES, "* points_each", "* points_each(", "line 14: .*never closed"),
    (
        RULES,
        "return previous",
        "if previous > share: return share\n    return previous",
        "line 26: ",
    ),
    (EXAMPLES, "entrants = 12", "entrnats = 12", "line 2, .*did you mean 'entrants'"),
    (EXAMPLES, "expect.awards", "expekt.awards", "line 2, .*did you mean 'expect'"),
    (EXAMPLES, "expect.awards", "expect.award", "line 2, .*did you mean 'awards'"),
    (EXAMPLES, "ties =", "tie =", "line 8, .*'tie'; did you mean 'ties'"),
    (EXAMPLES, "given = { entrants = 12 }\nexpect", "expect", "line 2, .*'given' is missing"),
    (EXAMPLES, "[[example]]", "[[exmaple]]", "line 1: .*did you mean 'example'"),
    (EXAMPLES, 'name = "three entrants"\n', "", "line 14, .*'name' is missing"),
    (EXAMPLES, "three entrants", "twelve entrants", "line 15, .*another example is called so"),
    (EXAMPLES, "expect.refusal", "expect.quantities.frist_place", "did you mean 'first_place'"),
    (EXAMPLES, "expect.refusal", "expect.at.first", "line 15, .*'first' is no place"),
    (EXAMPLES, 'ties = "2-3"', "list = [{ entrants = 3 }]", "line 8, .*place is missing"),
    (EXAMPLES, 'ties = "2-3"', "list = 3", "line 8, .*list = '3': expected a table"),
    (
        EXAMPLES,
        'ties = "2-3"',
        "list = [{ place = 1, count = '3' }]",
        "count is missing or no whole",
    ),
    (EXAMPLES, 'ties = "2-3"', "list = [{ place = 1, games = [{ opponent = 9 }] }]", "no opponent"),
    (EXAMPLES, 'ours = "one too few"', 'ours = "x"\nprinted = "3"', "line 15, .*reason must say"),
    (EXAMPLES, "[[example]]", "[[grid]]\nname = 'g'\n[[example]]", "line 2, .*'down' is missing"),
    (EXAMPLES, 'ours = "one too few"\n', "", "line 15, .*neither where it is published"),
    (
        EXAMPLES,
        "entrants = 3 }",
        "entrants = 4 }",
        "rules.py, line 6: no example is refused by too_few",
    ),
]


def folder(to: Path, file: str = "", old: str = "", new: str = "") -> Path:
    to.mkdir()
    for name, text in starting_files("our-club", 2026).items():
        assert name != file or old in text
        (to / name).write_text(text.replace(old, new, 1) if name == file else text, "utf-8")
    return to


def told(rulebook: Path) -> list[str]:
    try:
        return lint(load(rulebook))
    except HonoursError as error:
        return [str(error)]


def test_the_folder_to_begin_with_has_no_fault(tmp_path: Path) -> None:
    assert told(folder(tmp_path / "our_club")) == []


@pytest.mark.parametrize(("file", "old", "new", "expected"), MISTAKES)
def test_a_mistake_is_told(tmp_path: Path, file: str, old: str, new: str, expected: str) -> None:
    sentences = told(folder(tmp_path / "our_club", file, old, new))
    right = [s for s in sentences if re.search(expected, s)]
    assert right, sentences
    assert all(s.startswith("our_club/") for s in sentences), sentences


@pytest.mark.parametrize("file", [TOML, RULES, EXAMPLES, "README.md"])
def test_a_missing_file_is_told_with_one_that_is_nearly_called_so(
    tmp_path: Path, file: str
) -> None:
    made = folder(tmp_path / "our_club")
    other = file.replace(".", "s.")
    (made / file).rename(made / other)
    assert told(made) == [f"our_club/{file}, line 1: the file is missing; did you mean {other!r}?"]


def test_bytes_that_are_no_text_are_told_with_their_line(tmp_path: Path) -> None:
    made = folder(tmp_path / "our_club")
    (made / EXAMPLES).write_bytes(b"# one\n# tw\xe9\n")
    (sentence,) = told(made)
    assert sentence.startswith("our_club/examples.toml, line 2: the file is not in UTF-8")


def test_what_is_no_toml_is_told_with_its_line(tmp_path: Path) -> None:
    for text, line in (("\nname\n", 2), ('a = 1\nname = """\n\n', 3)):
        made = folder(tmp_path / f"our_club{line}")
        (made / EXAMPLES).write_text(text, "utf-8")
        (sentence,) = told(made)
        assert sentence.startswith(f"our_club{line}/examples.toml, line {line}: ")
        assert "(at" not in sentence


def test_the_third_of_many_tables_is_told_with_its_line(tmp_path: Path) -> None:
    more = "".join(f'[inputs.{n}]\nabout = "x"\nfirst = 1\n' for n in ("one", "two", "three"))
    sentences = told(folder(tmp_path / "our_club", TOML, SECTION, more + SECTION))
    at = [s.partition(": ")[0] for s in sentences]
    assert at == [f"our_club/rulebook.toml, line {line}" for line in (17, 20, 23)]


def test_a_rulebook_without_an_example_says_so(tmp_path: Path) -> None:
    made = folder(tmp_path / "our_club")
    (made / EXAMPLES).write_text("", "utf-8")
    assert told(made)[0] == (
        "our_club/examples.toml, line 1: there is no example, each as [[example]]"
    )


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ("own(covered_points) / tied", "calls own, which only a rule that is tabulated=True may"),
        (
            "covered_points / tied if tied in (1, tied) else 0",
            "has in, which a rule may not have: compare with == and or",
        ),
    ],
)
def test_a_body_that_cannot_be_compiled_is_told_by_the_check(
    tmp_path: Path, body: str, fault: str
) -> None:
    rulebook = folder(
        tmp_path / "our_club", RULES, ENDS, f"return {body}\n\n\ndef own(x):\n    return x"
    )
    checked = faults(load(rulebook))
    assert checked.in_columns == 0
    assert checked.not_in_columns == "not run in columns before the rules are mended"
    assert [s for s in checked.faults if f"our_club/rules.py, line 32: rule award {fault}" in s]
