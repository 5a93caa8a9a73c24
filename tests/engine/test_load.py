"""Reading a rulebook's folder: whatever its author got wrong is told with its place."""

from __future__ import annotations

from contextlib import suppress
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest

from honours.engine.ranks import Rank, rank_reached
from honours.engine.rulebook import (
    EffectiveDates,
    Input,
    ListPolicy,
    Parameter,
    Reading,
    Rulebook,
    Variant,
)
from honours.engine.rulebook.load import load
from honours.engine.rules import Rounding
from honours.errors import RulebookError
from honours.model import Citation
from tests.engine.books import HEAD, RULES_HEAD, write_book

TOML = """
[inputs.pairs]
about = "pairs"
[parameters]
whole = { value = 1, clause = "§1" }
"""
RULES = '''
@rule("§1")
def places(pairs):
    """How many."""
    return pairs

@rule("§1", per="entrant", rounds=nearest("whole"))
def award(places):
    """How much."""
    return places
'''


def told(folder: Path, toml: str = TOML, rules: str = RULES) -> str:
    with pytest.raises(RulebookError) as error:
        write_book(folder / "made_up", toml, rules)
    return str(error.value)


@pytest.mark.parametrize("value", ["-1", "true", '"2"', "2.5"])
def test_decimals_are_a_whole_number(tmp_path: Path, value: str) -> None:
    write_book(tmp_path / "made_up", TOML, RULES)
    head = HEAD.replace("decimals = 2", f"decimals = {value}")
    (tmp_path / "made_up" / "rulebook.toml").write_text(head + TOML)
    with pytest.raises(
        RulebookError,
        match=r"^made_up/rulebook\.toml, line 7: decimals = .*: expected a whole number$",
    ):
        load(tmp_path / "made_up")


def test_no_decimals_are_allowed(tmp_path: Path) -> None:
    write_book(tmp_path / "made_up", TOML, RULES)
    head = HEAD.replace("decimals = 2", "decimals = 0")
    (tmp_path / "made_up" / "rulebook.toml").write_text(head + TOML)
    assert load(tmp_path / "made_up").decimals == 0


@pytest.mark.parametrize("key", ["title", "body", "edition", "revision", "unit", "decimals"])
def test_what_every_rulebook_states_may_not_be_missing(tmp_path: Path, key: str) -> None:
    write_book(tmp_path / "made_up", TOML, RULES)
    head = "\n".join(line for line in HEAD.split("\n") if not line.startswith(f"{key} ="))
    (tmp_path / "made_up" / "rulebook.toml").write_text(head + TOML)
    with pytest.raises(RulebookError, match=rf"^made_up/rulebook\.toml.*: '{key}' is missing$"):
        load(tmp_path / "made_up")


def test_a_text_that_is_no_utf_8_is_told_with_its_file(tmp_path: Path) -> None:
    write_book(tmp_path / "made_up", TOML, RULES)
    (tmp_path / "made_up" / "README.md").write_bytes(b"caf\xe9")
    with pytest.raises(
        RulebookError,
        match=r"^made_up/README\.md, line 1: the file is not in UTF-8 \(a byte 0xe9\)",
    ):
        load(tmp_path / "made_up")


def test_rules_that_cannot_be_imported_say_why(tmp_path: Path) -> None:
    assert told(tmp_path, rules="1 / 0") == (
        "made_up/rules.py, line 4: cannot be imported: ZeroDivisionError: division by zero"
    )


def test_rules_that_python_finds_no_loader_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from importlib import util

    monkeypatch.setattr(util, "spec_from_file_location", lambda *_: None)
    assert told(tmp_path) == "made_up: rules.py cannot be imported"


def test_a_rule_may_go_on_in_another_file_after_the_first(tmp_path: Path) -> None:
    folder = tmp_path / "made_up"
    write_book(folder, TOML, RULES)
    more = RULES_HEAD + RULES.replace("places(", "more(").replace("award(", "other(")
    (folder / "rules_more.py").write_text(more, encoding="utf-8")
    (folder / "rules.txt").write_text("no rules", encoding="utf-8")
    assert [r.name for r in load(folder).rules] == ["places", "award", "more", "other"]


def test_a_rulebook_may_be_in_force_for_ever(tmp_path: Path) -> None:
    assert write_book(tmp_path / "made_up", TOML, RULES).effective == EffectiveDates("", "", "")


def test_every_text_counts_for_the_hash(tmp_path: Path) -> None:
    one = write_book(tmp_path / "one" / "made_up", TOML, RULES)
    same = write_book(tmp_path / "two" / "made_up", TOML, RULES)
    other = write_book(tmp_path / "three" / "made_up", TOML, RULES, readme="Covers. Refuses!")
    assert one.hash == same.hash != other.hash
    assert len(one.hash) == 64


FULL = """
[effective]
since = 2020-01-01
until = "2021-12-31"
newer = "Use the next."
[lists]
lines = "each"
line_words = ["NS", "EW"]
line_when = { kind = "mitchell" }
[inputs.pairs]
about = "how many pairs"
type = "count"
per = "entrant"
least = "2"
most = 100
example = 12
must_agree = true
named = { none = 0 }
[inputs.kind]
about = "the kind"
type = "word"
words = ["mitchell", "howell"]
first = "howell"
[parameters]
half = { value = 0.5, clause = "§1", quote = "a half", about = "what half is" }
word = { value = "a", clause = "§2", words = ["a", "b"] }
table = { value = { x = "1/3" }, clause = "§3" }
rows = { value = [[1, 2], [3, "4.5"]], clause = "§4" }
[choices.reading]
reading = "as we read it"
about = ["half", "word"]
parameter = "word"
[choices.plain]
reading = "plainly"
about = []
[variants.other]
about = "another"
set = { half = 0.25, word = "b" }
[extras]
match = ["win", "draw"]
[[ranks]]
name = "Master"
needs = { total = 100, green = "2.5" }
clause = "§9"
quote = "a master"
[[ranks]]
name = "Grand"
needs = { total = 200 }
clause = "§10"
"""


def test_all_that_a_rulebook_states_is_read(tmp_path: Path) -> None:
    book = write_book(tmp_path / "made_up", FULL, RULES, "[[example]]\nname = 1.5\n")
    assert (book.id, book.title, book.body, book.edition) == (
        "made-up",
        "A test rulebook",
        "Nobody",
        "1",
    )
    assert (book.revision, book.unit, book.decimals) == (1, "points", 2)
    assert book.sources == {"none": "None"}
    assert book.effective == EffectiveDates("2020-01-01", "2021-12-31", "Use the next.")
    assert book.lists == ListPolicy("each", line_words=("NS", "EW"), line_when={"kind": "mitchell"})
    assert book.readme == "Covers. Refuses."
    assert book.examples["example"] == [{"name": Decimal("1.5")}]
    assert book.extras == {"match": ("win", "draw")}
    assert book.variants == {"other": Variant("other", "another", {"half": "0.25", "word": "b"})}
    assert book.readings == (
        Reading("reading", "as we read it", ("half", "word"), "word"),
        Reading("plain", "plainly", ()),
    )
    assert book.rules[1].rounds == Rounding("nearest", "whole")


def test_inputs_and_parameters_are_read(tmp_path: Path) -> None:
    book = write_book(tmp_path / "made_up", FULL, RULES)
    assert book.inputs["pairs"] == Input(
        "pairs",
        "how many pairs",
        "count",
        "entrant",
        (),
        None,
        Fraction(2),
        Fraction(100),
        "12",
        must_agree=True,
        named={"none": Fraction(0)},
    )
    assert book.inputs["kind"] == Input(
        "kind", "the kind", "word", words=("mitchell", "howell"), default="howell"
    )
    assert list(book.inputs) == ["pairs", "kind", "places", "date"]
    rows = ((Fraction(1), Fraction(2)), (Fraction(3), Fraction("4.5")))
    assert book.parameters == {
        "half": Parameter("half", Fraction(1, 2), Citation("§1", "a half"), "what half is"),
        "word": Parameter("word", "a", Citation("§2", ""), words=("a", "b")),
        "table": Parameter("table", {"x": Fraction(1, 3)}, Citation("§3")),
        "rows": Parameter("rows", rows, Citation("§4")),
    }


def test_the_rulebooks_own_input_goes_before_the_common_one(tmp_path: Path) -> None:
    toml = TOML + '[inputs.places]\nabout = "own"\n'
    assert write_book(tmp_path / "made_up", toml, RULES).inputs["places"].about == "own"


def test_a_rank_is_not_reached_without_a_kind_it_needs() -> None:
    master = Rank("Master", {"total": Fraction(2), "gold": Fraction(1)}, Citation("§1"))
    assert rank_reached([master], {"red": Fraction(9)}) is None
    assert rank_reached([master], {"red": Fraction(1), "gold": Fraction(1)}) is master


def test_a_rank_may_name_a_kind_of_points_by_its_colour() -> None:
    """A ledger may keep red points as national ones."""
    star = Rank("Star", {"red": Fraction(10), "total": Fraction(15)}, Citation("§1"))
    assert star.still_needs({"national": Fraction(8), "local": Fraction(9)}) == {"red": 2}
    assert rank_reached([star], {"national": Fraction(10), "local": Fraction(9)}) is star
    local = Rank("Club", {"local": Fraction(3)}, Citation("§1"))
    assert rank_reached([local], {"black": Fraction(3)}) is local


def test_ranks_need_every_kind_of_points(tmp_path: Path) -> None:
    ranks = write_book(tmp_path / "made_up", FULL, RULES).ranks
    assert [(r.name, r.citation.clause, r.citation.words) for r in ranks] == [
        ("Master", "§9", "a master"),
        ("Grand", "§10", ""),
    ]

    def reached(**points: str) -> str:
        rank = rank_reached(ranks, {kind: Fraction(many) for kind, many in points.items()})
        return rank.name if rank else ""

    assert reached(green="2.5", black="97.5") == "Master"
    assert reached(green="2.4", black="150") == ""
    assert reached(black="150") == ""
    assert reached(green="99.9") == ""
    assert reached(green="2.4", black="197.6") == "Grand"
    assert reached() == ""


def test_an_edition_keeps_rules_of_another_with_what_they_need(tmp_path: Path) -> None:
    other = write_book(tmp_path / "older", FULL, RULES.replace("(pairs)", "(pairs, half)"))
    folder = tmp_path / "newer"
    kept = f'[keeps]\nedition = "older@1"\ndigest = "{other.text_hash}"\ncited = "Old, "\n'
    award = (
        '@rule("§2", per="entrant")\ndef award(places):\n    """How much."""\n    return places\n'
    )

    def newer(keeps: str) -> Rulebook:
        with suppress(RulebookError):
            write_book(folder, f"{keeps}[inputs]\n", award)
        return load(folder, editions={"older@1": other}.__getitem__)

    book = newer(f'{kept}rules = ["places"]\n')
    assert [(r.name, r.clause) for r in book.rules] == [("places", "Old, §1"), ("award", "§2")]
    assert list(book.inputs) == ["pairs", "places", "date"]
    assert book.parameters["half"].citation == Citation("Old, §1", "a half")
    assert book.readings == ()
    with pytest.raises(RulebookError, match=r"unknown rule of older@1 'plces'; did you mean 'pl"):
        newer(f'{kept}rules = ["plces"]\n')
    with pytest.raises(RulebookError, match=f"older@1 has the digest {other.text_hash}"):
        newer(kept.replace(other.text_hash, "another") + "rules = []\n")
    with pytest.raises(RulebookError, match="nothing is known here of other editions"):
        load(folder)
