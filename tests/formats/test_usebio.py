"""USEBIO: small files of our own for what programs write."""

from pathlib import Path

import pytest

from honours.errors import FileProblem, InputError
from honours.formats.usebio import read_usebio
from honours.model import Event

# --- files of our own ---------------------------------------------------------------------------

PAIR = """<PAIR><PAIR_NUMBER>{n}</PAIR_NUMBER><DIRECTION>{d}</DIRECTION>
<PERCENTAGE>55.5</PERCENTAGE><PLACE>1=</PLACE><STRAT_NUMBER>B</STRAT_NUMBER>
<PLAYER><PLAYER_NAME>Zoë {n}</PLAYER_NAME></PLAYER></PAIR>
"""
LINE = """<TRAVELLER_LINE><NS_PAIR_NUMBER>{ns}</NS_PAIR_NUMBER><EW_PAIR_NUMBER>{ew}</EW_PAIR_NUMBER>
<CONTRACT>{contract}</CONTRACT><PLAYED_BY>N</PLAYED_BY><TRICKS>{tricks}</TRICKS><SCORE>{score}</SCORE>
</TRAVELLER_LINE>"""


def line(ns: str, ew: str, contract: str = "4S", tricks: str = "10", score: str = "420") -> str:
    return LINE.format(ns=ns, ew=ew, contract=contract, tricks=tricks, score=score)


def pairs(*numbers: str) -> str:
    listed = [PAIR.format(n=n.rstrip("NSEW"), d=n.lstrip("0123456789")) for n in numbers]
    return f"<PARTICIPANTS>{''.join(listed)}</PARTICIPANTS>"


def board(*lines: str, number: str = "1") -> str:
    return f"<BOARD><BOARD_NUMBER>{number}</BOARD_NUMBER>{''.join(lines)}</BOARD>"


def document(body: str, kind: str = "PAIRS", head: str = "") -> str:
    return (
        '<?xml version="1.0" encoding="ISO-8859-1"?><!DOCTYPE USEBIO SYSTEM "http://0.0.0.0/x.dtd">'
        f'<USEBIO Version="1.3"><CLUB><CLUB_NAME>C</CLUB_NAME></CLUB><EVENT EVENT_TYPE="{kind}">'
        f"{head}{body}</EVENT></USEBIO>"
    )


def read(folder: Path, text: str) -> Event:
    path = folder / "x.xml"
    path.write_bytes(text.encode("iso-8859-1"))
    (event,) = read_usebio(path)
    return event


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (board(line("1", "")), "a line without both of its pairs"),
        (board(line("1", "2", score="37")), "score '37' is not a multiple of ten"),
        (board(line("1", "2"), number="x"), "board number 'x'"),
        (board(line("1", "2", "9S", score="")), "contract '9S'"),
        (pairs("1"), "participant '1' again"),
        ("<BOARD_SCORING_METHOD>DICE</BOARD_SCORING_METHOD>", "scoring method 'DICE'"),
        ("<DATE>31/02/2025</DATE>", "date '31/02/2025'"),
        ("<MATCH><TEAM>7</TEAM></MATCH>", "a match of '7', who is not a participant"),
    ],
)
def test_refused_with_the_line(tmp_path: Path, body: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        read(tmp_path, document("\n" + pairs("1", "2") + "\n" + body))
    assert message in str(caught.value)
    assert "x.xml, line " in str(caught.value)


def test_not_usebio(tmp_path: Path) -> None:
    for text, message in (
        ("<HTML/>", "an XML file of HTML; expected USEBIO"),
        ("<USEBIO/>", "no event in it"),
        ("<USEBIO><EVENT>", "not well-formed XML: no element found"),
        ('<!DOCTYPE U [<!ENTITY a "b">]><USEBIO>&a;</USEBIO>', "an entity declaration"),
    ):
        with pytest.raises(FileProblem, match=message):
            read(tmp_path, text)


@pytest.mark.parametrize(
    ("kind", "head", "message"),
    [
        ("AGGREGATE", "", "EVENT_TYPE 'AGGREGATE', and no figure on any line"),
        ("PAIRS", "<SCORING_METHOD>IMPS</SCORING_METHOD>", "PAIRS scored in IMPs, and no figure"),
    ],
)
def test_how_it_is_scored_is_asked(tmp_path: Path, kind: str, head: str, message: str) -> None:
    text = document(pairs("1", "2") + board(line("1", "2")), kind, head)
    with pytest.raises(InputError, match=message):
        read(tmp_path, text)
