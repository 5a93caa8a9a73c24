"""How strong a field was, and handicaps that a member list brings."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from honours.formats.members import Matching, read_members
from honours.model import Event
from honours.pipeline import read_account, with_members
from honours.pipeline.field_strength import field_strength


def standings(tmp_path: Path, title: str, held: list[int]) -> Path:
    rows = [f"{title},{n},{70 - n},P{n},{m}" for n, m in enumerate(held, 1)]
    file = tmp_path / "night.csv"
    text = "\n".join(["event,place,percent,player1,masterpoints1", *rows])
    file.write_text(text + "\n", encoding="utf-8")
    return file


@pytest.mark.parametrize(
    ("title", "held", "doubts"),
    [
        ("Pairs under 300", [120, 200, 400], ["P3"]),
        ("Pairs 0-300", [120, 200, 300], []),
        ("Open pairs", [100] * 8, ["500"]),
        ("Open pairs", [100] * 7 + [900], []),
        ("Tuesday", [100] * 8, []),
    ],
)
def test_what_a_title_says_is_held_against_the_field(
    title: str, held: list[int], doubts: list[str], tmp_path: Path
) -> None:
    strength = field_strength(read_account(standings(tmp_path, title, held)))
    assert strength is not None
    assert (strength.mean, strength.known) == (Fraction(sum(held), len(held)), len(held))
    assert len(strength.doubts) == len(doubts)
    assert all(word in said for word, said in zip(doubts, strength.doubts, strict=True))


def test_handicaps_come_with_a_member_list(tmp_path: Path) -> None:
    file = tmp_path / "results.csv"
    names = "ns names,ew names"
    rows = ["1,1,2,50,Ann A & Bob B,Cy C & Di D", "2,1,2,50,Ann A & Bob B,Cy C & Di D"]
    file.write_text("\n".join([f"board,ns,ew,score,{names}", *rows]) + "\n", encoding="utf-8")
    listed = tmp_path / "members.csv"
    text = "number,name,handicap\n1,Ann A,4\n2,Bob B,2\n3,Cy C,1\n4,Di D,\n"
    listed.write_text(text, encoding="utf-8")
    account = with_members(read_account(file), Matching(read_members(listed)))
    assert isinstance(account.content, Event)
    assert [one.handicap for one in account.content.entrants] == [3, 0]
