"""How strong a field was, and handicaps that a member list brings."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from honours.formats.members import Matching, read_members
from honours.model import Event
from honours.pipeline import ranked, read_account, with_members
from honours.pipeline.field_strength import field_strength
from honours.pipeline.options import chosen_options
from tests.support import cases


def standings(tmp_path: Path, title: str, held: list[int]) -> Path:
    rows = [f"{title},{n},{70 - n},P{n},{m}" for n, m in enumerate(held, 1)]
    file = tmp_path / "night.csv"
    text = "\n".join(["event,place,percent,player1,masterpoints1", *rows])
    file.write_text(text + "\n", encoding="utf-8")
    return file


@cases
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


@pytest.mark.parametrize(
    ("by_handicap", "handicaps"), [(True, ["-31/10", "1", "0", "0"]), (False, ["0"] * 4)]
)
def test_a_rating_gives_a_handicap_to_those_who_are_ranked_with_one(
    tmp_path: Path, by_handicap: bool, handicaps: list[str]
) -> None:
    """Two whose grades are 2.35 and 3.85 above average give 3.1 away, as the EBU prints."""
    file = tmp_path / "results.csv"
    rows = ["1,1,2,50,Ann A & Bob B,Cy C & Di D", "1,3,4,90,,"]
    text = "\n".join(["board,ns,ew,score,ns names,ew names", *rows])
    file.write_text(text + "\n", encoding="utf-8")
    listed = tmp_path / "members.csv"
    text = "number,name,NGS grade\n1,Ann A,52.35\n2,Bob B,53.85\n3,Cy C,50\n4,Di D,48\n"
    listed.write_text(text, encoding="utf-8")
    account = with_members(read_account(file), Matching(read_members(listed)))
    report = ranked(account, chosen_options({"handicap": by_handicap, "winners": "1"}))
    assert report.scored is not None
    entrants = report.scored.event.entrants
    assert [one.handicap for one in entrants] == [Fraction(text) for text in handicaps]
    lists = [one.handicapped for one in report.scored.rankings]
    assert lists == ([False, True] if by_handicap else [False])
    assert len(report.remarks) == 2 * by_handicap
