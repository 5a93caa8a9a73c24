"""USEBIO: small files of our own for what programs write."""

from datetime import date
from fractions import Fraction
from pathlib import Path

import pytest

from honours.errors import FileProblem, InputError
from honours.formats.usebio import read_usebio
from honours.model import Event
from tests.support import cases

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


def test_scores_with_decimals_and_players_without_names(tmp_path: Path) -> None:
    """As salliere writes them."""
    body = pairs("1NS", "2NS").replace("</PAIR>", 2 * "<PLAYER><PLAYER_NAME/></PLAYER>" + "</PAIR>")
    written = read(tmp_path, document(body + board(line("1", "2", "", "", "-430.0"))))
    assert [r.score for r in written.sessions[0].results] == [-430]
    assert [len(e.entrant.players) for e in written.entrants] == [2, 2]


def test_same_numbers_in_both_lines(tmp_path: Path) -> None:
    head = "<WINNER_TYPE>2</WINNER_TYPE><DATE>2025-03-31</DATE>"
    event = read(tmp_path, document(pairs("1NS", "1EW") + board(line("1", "1")), head=head))
    assert [e.entrant.id for e in event.entrants] == ["1NS", "1EW"]
    (result,) = event.sessions[0].results
    assert (result.ns, result.ew) == (("1NS",), ("1EW",))
    first = event.entrants[0]
    assert first.stratum == "B"
    assert first.published["place"] == 1
    assert first.entrant.players[0].name == "Zoë 1"
    assert event.date == date(2025, 3, 31)


def test_sessions_and_sections(tmp_path: Path) -> None:
    section = '<SECTION SECTION_ID="{}">{}{}</SECTION>'
    both = "".join(section.format(s, pairs("1", "2"), board(line("1", "2"))) for s in "AB")
    body = "".join(f'<SESSION SESSION_ID="{n}">{both}</SESSION>' for n in (1, 2))
    event = read(tmp_path, document(body))
    assert [e.entrant.id for e in event.entrants] == ["A1", "A2", "B1", "B2"]
    assert [len(s.results) for s in event.sessions] == [2, 2]
    assert event.entrants[0].published["percentage.2"] == Fraction("55.5")


def test_individual(tmp_path: Path) -> None:
    people = "".join(f"<PLAYER><PLAYER_NUMBER>{n}</PLAYER_NUMBER></PLAYER>" for n in range(1, 5))
    seats = "".join(
        f"<{s}_PLAYER_NUMBER>{n}</{s}_PLAYER_NUMBER>" for n, s in enumerate("NSEW", start=1)
    )
    body = f"<PARTICIPANTS>{people}</PARTICIPANTS>"
    body += board(f"<TRAVELLER_LINE>{seats}<SCORE>-50</SCORE></TRAVELLER_LINE>")
    event = read(tmp_path, document(body, "INDIVIDUAL"))
    assert event.kind == "individual"
    (result,) = event.sessions[0].results
    assert (result.ns, result.ew, result.score) == (("1", "2"), ("3", "4"), -50)


def test_swiss_pairs(tmp_path: Path) -> None:
    match = (
        "<MATCH><ROUND_NUMBER>2</ROUND_NUMBER><NS_PAIR_NUMBER>1</NS_PAIR_NUMBER>"
        "<EW_PAIR_NUMBER>2</EW_PAIR_NUMBER><NS_SCORE>12.5</NS_SCORE><EW_SCORE>7.5</EW_SCORE></MATCH>"
    )
    head = "<MATCH_SCORING_METHOD>VPS</MATCH_SCORING_METHOD>"
    event = read(tmp_path, document(pairs("1", "2") + match, "SWISS_PAIRS", head))
    assert event.swiss
    (given,) = event.sessions[0].matches
    assert (given.round, given.home, given.away_vps) == (2, "1", Fraction("7.5"))


def test_who_plays_without_being_listed_is_named(tmp_path: Path) -> None:
    event = read(tmp_path, document(pairs("1") + board(line("1", "9", score="A5050"))))
    assert [e.entrant.id for e in event.entrants] == ["1", "9"]
    assert event.facts["unlisted"] == "9"


def test_passed_out_and_unplayed(tmp_path: Path) -> None:
    lines = [
        line("1", "2", "PASS", "", "0"),
        line("1", "2", "", "", "NP"),
        line("1", "2", score=""),
    ]
    body = pairs("1", "2") + "".join(board(x, number=str(n)) for n, x in enumerate(lines, start=1))
    passed, unplayed, unscored = read(tmp_path, document(body)).sessions[0].results
    assert (passed.passed_out, passed.score) == (True, 0)
    assert (unplayed.score, unplayed.contract) == (None, None)
    assert (unscored.score, unscored.tricks) == (None, 10)


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
        ("<MATCH><TEAM>7</TEAM></MATCH>", "a match of '7', who is no participant"),
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


@cases
def test_how_it_is_scored(tmp_path: Path, kind: str, head: str, figure: str, scoring: str) -> None:
    lines = line("1", "2")
    if figure:
        figures = f"<NS_{figure}>1</NS_{figure}><EW_{figure}>-1</EW_{figure}></TRAVELLER_LINE>"
        lines = lines.replace("</TRAVELLER_LINE>", figures)
    text = document(pairs("1", "2") + board(lines), kind, head)
    assert read(tmp_path, text).scoring == scoring


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


def test_strata_have_their_labels_and_limits(tmp_path: Path) -> None:
    strata = """<STRATIFICATION><STRATS><STRAT><STRAT_NUMBER>2</STRAT_NUMBER>
<STRAT_LABEL>B</STRAT_LABEL><UPPER_LIMIT>200</UPPER_LIMIT></STRAT></STRATS></STRATIFICATION>"""
    listed = pairs("1", "2").replace("<STRAT_NUMBER>B<", "<STRAT_NUMBER>2<")
    event = read(tmp_path, document(listed + board(line("1", "2")), head=strata))
    assert {e.stratum for e in event.entrants} == {"B"}
    assert event.facts["stratum_limit.B"] == 200
