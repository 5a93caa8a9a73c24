"""USEBIO out: read, write and read again is the same; a patch changes nothing else."""

import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from honours.errors import FileProblem
from honours.formats.usebio import UsebioAwards, patch_usebio, read_usebio, write_usebio
from honours.model import (
    AdjustedScore,
    AssignedScore,
    Entrant,
    Event,
    EventEntrant,
    Penalty,
    Result,
    Session,
)
from honours.scoring import score
from tests.formats.test_usebio import board, document, line, pairs


def read(path: Path) -> Event:
    (event,) = read_usebio(path)
    return event


def test_two_teams_that_meet_twice_stay_two_matches(tmp_path: Path) -> None:
    """In rounds 1 and 3 of a Swiss of four: the victory points of both matches count."""
    results = tuple(
        Result(b, (str(ns),), (str(ew),), score=s, round=r, table=t)
        for r, b, t, ns, ew, s in _SWISS
    )
    teams = tuple(EventEntrant(Entrant(n, name=f"Team {n}"), n) for n in "1234")
    event = Event("Swiss", "teams", "imps", teams, (Session(1, results),), swiss=True)
    path = tmp_path / "out.xml"
    path.write_bytes(write_usebio(event).data)
    before, after = (score(e) for e in (event, read(path)))
    assert before.matches is not None
    assert len(before.matches.matches) == 6
    assert {t.id: t.points for t in after.tallies} == {t.id: t.points for t in before.tallies}


_MET = ((1, (1, 2), (3, 4)), (2, (1, 3), (2, 4)), (3, (1, 2), (3, 4)))
_SWISS = [
    (round_, board, table, *(pair if table % 2 else pair[::-1]), 50 * table - 30 * board)
    for round_, *pairs_ in _MET
    for n, pair in enumerate(pairs_)
    for board in (2 * round_ - 1, 2 * round_)
    for table in (2 * n + 1, 2 * n + 2)
]


def test_patching_twice_leaves_one_award(tmp_path: Path) -> None:
    path = tmp_path / "x.xml"
    path.write_bytes(document(pairs("1", "2") + board(line("1", "2"))).encode("iso-8859-1"))
    for amount in ("12", "24"):
        path.write_bytes(patch_usebio(path, UsebioAwards(f"book {amount}", {"1": amount})))
    data = path.read_bytes()
    assert data.count(b"MASTER_POINTS_AWARDED>24<") == 1
    assert data.count(b"honours-awarded-under") == 1
    assert "Zoë".encode("iso-8859-1") in data
    assert read(path).facts["awarded_under"] == "book 24"


def test_awards_to_strangers_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.xml"
    path.write_bytes(document(pairs("1")).encode("iso-8859-1"))
    with pytest.raises(FileProblem, match="no participant 9"):
        patch_usebio(path, UsebioAwards("book", {"9": "1"}))


def test_what_has_no_place_is_told(tmp_path: Path) -> None:
    path = tmp_path / "x.xml"
    path.write_bytes(document(pairs("1", "2") + board(line("1", "2"))).encode("iso-8859-1"))
    event = read(path)
    (session,) = event.sessions
    weighted = AssignedScore(((Fraction(3, 5), 420), (Fraction(2, 5), -50)))
    ruled = replace(session.results[0], version="b", adjusted=AdjustedScore(weighted, weighted))
    fined = replace(session, results=(ruled,), penalties=(Penalty("1", Fraction(10), "percent"),))
    lost = write_usebio(replace(event, sessions=(fined,))).lost
    assert {one.partition(" (Honours can read")[0] for one in lost} == {
        "penalties",
        "versions of fouled boards",
        "rulings that are not a whole percentage for either side",
    }


def test_names_cannot_break_the_document(tmp_path: Path) -> None:
    path = tmp_path / "x.xml"
    path.write_bytes(document(pairs("1", "2") + board(line("1", "2"))).encode("iso-8859-1"))
    event = replace(read(path), title="<b>&\"'", club="]]>&amp;")
    path.write_bytes(write_usebio(event).data)
    assert (read(path).title, read(path).club) == ("<b>&\"'", "]]>&amp;")


def test_member_numbers_go_where_they_are_missing(tmp_path: Path) -> None:
    path = tmp_path / "x.xml"
    people = (
        "<PARTICIPANTS><PAIR><PAIR_NUMBER>1</PAIR_NUMBER>"
        "<PLAYER><PLAYER_NAME>Ann</PLAYER_NAME></PLAYER>"
        "<PLAYER>\n  <PLAYER_NAME>Ben</PLAYER_NAME>\n"
        "  <NATIONAL_ID_NUMBER>7</NATIONAL_ID_NUMBER></PLAYER></PAIR>"
        "<PAIR><PAIR_NUMBER>2</PAIR_NUMBER><PLAYER><PLAYER_NAME>Cat</PLAYER_NAME>"
        "<NATIONAL_ID_NUMBER/></PLAYER><PLAYER><PLAYER_NAME>Dan</PLAYER_NAME></PLAYER></PAIR>"
        "</PARTICIPANTS>"
    )
    path.write_bytes(document(people + board(line("1", "2"))).encode("iso-8859-1"))
    old = path.read_bytes()
    numbers = {"1": ["11", "7"], "2": ["<13>", ""]}
    grant = UsebioAwards("book", {"1": "5", "2": "0"}, numbers=numbers)
    path.write_bytes(patch_usebio(path, grant))
    written_numbers = [[p.number for p in e.entrant.players] for e in read(path).entrants]
    assert written_numbers == [["11", "7"], ["<13>", ""]]
    assert unpatched(path.read_bytes()) == unpatched(old)


def test_the_number_by_which_lines_know_a_player_stays(tmp_path: Path) -> None:
    path = tmp_path / "x.xml"
    who = "".join(f"<PLAYER><NATIONAL_ID_NUMBER>{n}</NATIONAL_ID_NUMBER></PLAYER>" for n in "1234")
    numbered = zip("NSEW", "1234", strict=True)
    seats = "".join(f"<{s}_PLAYER_NUMBER>{n}</{s}_PLAYER_NUMBER>" for s, n in numbered)
    lines = f"<TRAVELLER_LINE>{seats}<SCORE>420</SCORE></TRAVELLER_LINE>"
    text = document(f"<PARTICIPANTS>{who}</PARTICIPANTS>{board(lines)}")
    path.write_bytes(text.encode("iso-8859-1"))
    path.write_bytes(patch_usebio(path, UsebioAwards("book", {"1": "5"}, numbers={"1": ["99"]})))
    assert [e.entrant.players[0].number for e in read(path).entrants] == ["1", "2", "3", "4"]


def unpatched(data: bytes) -> bytes:
    """Without what a patch may put in."""
    for tag in (rb"MASTER_POINTS", rb"NATIONAL_ID_NUMBER"):
        data = re.sub(rb"<" + tag + rb">.*?</" + tag + rb">|<" + tag + rb"/>", b"", data)
    return re.sub(rb"<\?honours-awarded-under.*?\?>", b"", data).replace(b"\n", b"")
