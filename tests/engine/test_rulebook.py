"""A rulebook as a value: amendments, variants, inputs, dates."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from honours.engine.award import calculate
from honours.engine.rulebook import Input
from honours.errors import InputError, MissingInput, UnknownName
from honours.rulebooks import ids, load
from tests.engine.books import write_book
from tests.support import cases

AGA = {"mean_rating": "7.93", "players": "20"}


def test_an_amendment_is_a_new_rulebook_that_carries_its_difference() -> None:
    book = load("aga-category")
    amended = book.amend(offset="5")
    assert amended.amended == {"offset": "5"}
    assert book.amended == {}
    assert amended.hash != book.hash
    assert calculate(amended, AGA)[0].quantities["exact_category"] == "14.5"
    assert calculate(book, AGA)[0].quantities["exact_category"] == "15.5"


def test_a_variant_is_a_named_amendment() -> None:
    printed = load("aga-category").variant("printed")
    assert calculate(printed, AGA)[0].quantities["exact_category"] == "13.4"
    with pytest.raises(UnknownName, match="printd"):
        load("aga-category").variant("printd")


TABLES = """
[inputs.pairs]
about = "pairs"
[parameters]
unit = { value = "0.5", clause = "§1" }
scale = { value = { club = 1, "two words" = "1/2" }, clause = "§1" }
steps = { value = [[6, 3], [12, 4]], clause = "§1" }
word = { value = "a", clause = "§1", words = ["a", "b"] }
"""
RULES = '''
@rule("§1", per="entrant", rounds=nearest("unit"))
def award(pairs):
    """How much."""
    return pairs
'''


def test_an_item_of_a_table_and_a_table_of_rows_are_amended(tmp_path: Path) -> None:
    book = write_book(tmp_path / "made_up", TABLES, RULES)
    amended = book.amend({"scale.club": "2/3", "steps": "5:1, 7:2.5,8:0", "word": "b", "unit": 0})
    assert amended.parameters["scale"].value == {
        "club": Fraction(2, 3),
        "two words": Fraction(1, 2),
    }
    assert amended.parameters["steps"].value == ((5, 1), (7, Fraction(5, 2)), (8, 0))
    assert amended.parameters["word"].value == "b"
    assert book.amend(steps="5:10000000").parameters["steps"].value == ((5, 10**7),)  # the most
    assert amended.amended == {
        "scale.club": "2/3",
        "steps": "5:1, 7:2.5,8:0",
        "word": "b",
        "unit": "0",
    }
    assert book.parameters["scale"].value == {"club": 1, "two words": Fraction(1, 2)}


@cases
def test_a_wrong_amendment_says_what_would_be_right(
    tmp_path: Path, change: dict[str, str], message: str
) -> None:
    with pytest.raises(InputError) as error:
        write_book(tmp_path / "made_up", TABLES, RULES).amend(change)
    assert str(error.value) == message


def test_the_order_of_amendments_does_not_matter_for_the_hash(tmp_path: Path) -> None:
    book = write_book(tmp_path / "made_up", TABLES, RULES)
    one = book.amend(unit="1").amend(word="b")
    assert one.hash == book.amend(word="b").amend(unit="1").hash
    assert one.hash != book.amend(unit="1").hash


@pytest.mark.parametrize(
    ("declared", "value", "message"),
    [
        (Input("class_", "", "word", words=("a", "b")), "c", "unknown class 'c'. Known: a, b"),
        (
            Input("date", "", "date"),
            "12.5.2019",
            "date=12.5.2019: not a date; expected e.g. 2019-06-30",
        ),
        (
            Input("limit_", "", named={"none": Fraction(0), "all": Fraction(9)}),
            "some",
            "limit=some: not a number or 'none' or 'all'",
        ),
        (Input("n_", "", least=Fraction(3, 2)), 1, "n=1: must be at least 1.5"),
        (Input("n_", "", most=Fraction(3)), "7/2", "n=3.5: must be at most 3"),
        (Input("n_", "", "count"), "7/2", "n=3.5: must be a whole number"),
        (Input("n", ""), "-1", "n=-1: must be at least 0"),
    ],
)
def test_a_wrong_value_says_what_would_be_right(
    declared: Input, value: object, message: str
) -> None:
    with pytest.raises(InputError) as error:
        declared.read(value)
    assert str(error.value) == message


def test_values_are_read_and_shown() -> None:
    limit = Input("limit", "", named={"none": Fraction(0)})
    assert limit.read(" none ") == 0
    assert [limit.shown(Fraction(n)) for n in (0, 5)] == ["none", "5"]
    assert Input("w", "", "word", words=("a",)).read(" a ") == "a"
    assert Input("w", "", "word", words=("a",)).shown("a") == "a"
    assert Input("d", "", "date").read("2019-06-30") == "2019-06-30"
    bounded = Input("n", "", "count", least=Fraction(-1), most=Fraction(3))
    assert [bounded.read(n) for n in ("-1", 3)] == [-1, 3]
    assert Input("n", "").read(0) == 0
    with pytest.raises(InputError, match=r"^n=3000000: must be at most 2000000$"):
        Input("n", "", most=Fraction(2_000_000)).read("3000000")


def test_an_input_is_found_as_people_write_it(tmp_path: Path) -> None:
    toml = TABLES.replace("inputs.pairs", "inputs.class_")
    book = write_book(tmp_path / "made_up", toml, RULES)
    assert book.input("class") is book.input("class_") is book.inputs["class_"]
    assert book.keys == ("class", "places", "date")
    with pytest.raises(UnknownName) as error:
        book.input("clas")
    assert str(error.value) == (
        "unknown key of made-up 'clas'; did you mean 'class'? Known: class, places, date"
    )


def test_ones_own_folder_of_rulebooks(tmp_path: Path) -> None:
    write_book(tmp_path / "many" / "made_up", TABLES, RULES)
    write_book(tmp_path / "many" / "aga_category", TABLES, RULES)
    (tmp_path / "many" / "empty").mkdir()
    many, one = tmp_path / "many", tmp_path / "many" / "made_up"
    assert ids([many])[-1] == "made-up"
    assert len(ids([many])) == len(ids()) + 1
    assert load("made-up", [one]).id == "made-up"
    assert load("aga-category", [one, many]).body == "Nobody"
    assert load("aga-category", [one]).body != "Nobody"
    with pytest.raises(InputError, match=r"/empty: holds no rulebook \(a folder with a rulebook"):
        ids([many / "empty"])
    with pytest.raises(InputError, match=r"/none: no such folder of rulebooks$"):
        ids([tmp_path / "none"])


def test_the_rules_of_a_bundled_rulebook_are_imported_once_under_their_own_name() -> None:
    own = [rule for rule in load("acbl-general").rules if rule.kind == "rule"]
    modules = {rule.function.__module__ for rule in own}
    assert modules == {f"honours.rulebooks.acbl_general.{part}" for part in ("rules", "rules_2017")}


def test_missing_input_says_what_it_is_about() -> None:
    with pytest.raises(MissingInput, match="their mean AGA rating"):
        calculate(load("aga-category"), {"players": "20"})


def test_rulebooks_in_force_on_a_day_come_first() -> None:
    names = ("acbl-sof-2020", "sbu-clubs-2016", "ebu-clubs", "aga-category")
    books = [load(name) for name in names]

    def offered(day: str) -> list[str]:
        return [book.id for book in sorted(books, key=lambda book: book.rank_on(day))]

    assert set(offered("2017-01-10")[:2]) == {"sbu-clubs-2016", "aga-category"}
    assert offered("2026-01-10")[0] == "aga-category"
    assert offered("") == ["aga-category", "acbl-sof-2020", "sbu-clubs-2016", "ebu-clubs"]
