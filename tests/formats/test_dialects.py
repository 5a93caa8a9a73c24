"""The same event in the dialects of programs, browsers and people: other encodings, other ends of
lines, other words for nothing. Each must be read as the plain one is, or be refused in words."""

import quopri
import re
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from honours.errors import InputError
from honours.formats.detect import read
from honours.formats.format import Content
from honours.formats.go import GoTournament
from honours.formats.reading import parse_day
from honours.model import Event

Change = Callable[[str], str | bytes]

H9 = """; EV[Spring Open]
; DT[2019-05-04,2019-05-05]
1 Alder Ann 2d DE B 3 4 10 2+/w0 3+/b0 4+/w0 |12345678
2 Birch Bob 1d DE B 2 5 9 1-/b0 4+/w0 3+/b0 |12345679
3 Cedar Cid 1k DE HH 1 5 8 4+/b0 1-/w0 2-/w0
4 Doe Dan 3k FR 94Ju 0 6 7 3-/w0 2-/b0 1-/b0
"""
TOU = """;name=240504-PARIS
;date=04/05/2024
   1 DUPONT Jean               3D 0123456 75Al   3+w0    2+b0    4+w0
   2 MARTIN Luc                1D 0123457 94Ju   4+b0    1-w0    3+b0
   3 VAN DER BERG Piet         1K ------- NL     1-b0    4+w0    2-w0
   4 NOIR Zoe                 12K 0123458 38Gr   2-w0    3-b0    1-b3
"""
AGA = """TOURNEY Spring Open, Boston, 5/4/2019
    start=5/4/2019
PLAYERS
12345 Smith, Ann 3d
12346 Jones, Bob 2k
12347 Roe, Cid 5k
12348 Poe, Dan 1k
GAMES 1
12345 12346 W 4 0
12347 12348 B 0 7
GAMES 2
12345 12347 W 8 0
12348 12346 W 2 0
"""
PAIR = """<PAIR><PAIR_NUMBER>{0}</PAIR_NUMBER><PERCENTAGE>50.00</PERCENTAGE><PLACE>1=</PLACE>
<PLAYER><PLAYER_NAME>Ann {0}</PLAYER_NAME></PLAYER><PLAYER><PLAYER_NAME>Bob {0}</PLAYER_NAME>
</PLAYER></PAIR>"""
LINE = """<TRAVELLER_LINE><NS_PAIR_NUMBER>{}</NS_PAIR_NUMBER><EW_PAIR_NUMBER>{}</EW_PAIR_NUMBER>
<CONTRACT>4S</CONTRACT><PLAYED_BY>N</PLAYED_BY><TRICKS>10</TRICKS><SCORE>420</SCORE>
<NS_MATCH_POINTS>1</NS_MATCH_POINTS><EW_MATCH_POINTS>1</EW_MATCH_POINTS></TRAVELLER_LINE>"""
USEBIO = f"""<?xml version="1.0" encoding="utf-8"?>
<USEBIO Version="1.2"><CLUB><CLUB_NAME>Café</CLUB_NAME></CLUB><EVENT EVENT_TYPE="PAIRS">
<BOARD_SCORING_METHOD>MATCH_POINTS</BOARD_SCORING_METHOD><DATE>04/05/2019</DATE>
<WINNER_TYPE>1</WINNER_TYPE><PARTICIPANTS>{"".join(map(PAIR.format, "1234"))}</PARTICIPANTS>
<BOARD><BOARD_NUMBER>1</BOARD_NUMBER>{LINE.format(1, 2)}{LINE.format(3, 4)}</BOARD>
</EVENT></USEBIO>"""
PBN = """% PBN 2.1
[Event "Spring"]
[Date "2019.05.04"]
[Board "1"]
[Scoring "MP"]
[ScoreTable "PairId_NS\\2R;PairId_EW\\2R;Contract\\4L;Declarer\\1R;Result\\2R"]
 1  2 4S   N 10
 3  4 3NT  S  9
"""
PAGE = """<html><head><title>RealBridge Result</title></head><body><table>
<tr><th>#</th><th>PAIR</th><th>RANK</th><th>IMPS</th></tr>
<tr><td>1</td><td>Ann and Bob</td><td>1</td><td>12.5</td></tr>
<tr><td>2</td><td>Cid and Dot</td><td>2</td><td>-12.5</td></tr></table></body></html>"""


def loaded(folder: Path, text: str | bytes) -> Content:
    path = folder / "event.txt"
    path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
    return read(path)[1]


def wide(text: str) -> bytes:
    return text.encode("utf-16")


def marked(text: str) -> bytes:
    return b"\xef\xbb\xbf" + text.encode("utf-8")


def swap(old: str, new: str) -> Change:
    def change(text: str) -> str:
        assert old in text
        return text.replace(old, new)

    return change


ANY: list[Change] = [wide, marked, swap("\n", "\r\n"), lambda text: text + "\x1a"]
OF_H9: list[Change] = [
    swap(" ", "\t"),
    swap(" 2d ", " 2dan "),
    swap(" 2d ", " 2 dan "),
    swap(" 2d ", " 2d* "),
    swap("/w0", "/W"),
    swap(" DE B ", " DE - "),
    swap(" DE ", " GER "),
    swap("2 Birch", "2. Birch"),
    swap("|12345678", "12345678"),
    swap("2019-05-04,", "04.05.2019,"),
    swap("1 Alder", "--------\n1 Alder"),
    swap("1 Alder", "Pl Name Rk Co Club MMS SOS SOSOS\n1 Alder"),
    swap(" 3 4 10 ", " 3,0 4 10 "),
]


def told_by_list(content: Content) -> tuple[object, ...]:
    assert isinstance(content, GoTournament)
    t = content
    games = [(g.round, g.white, g.black, g.winner, g.handicap) for g in t.games]
    people = [(p.player.name, p.player.number, p.rank) for p in t.players]
    return games, people, t.date, [s.place for s in content.places]


@pytest.mark.parametrize("change", [*ANY, *OF_H9])
def test_h9(tmp_path: Path, change: Change) -> None:
    assert told_by_list(loaded(tmp_path, change(H9))) == told_by_list(loaded(tmp_path, H9))


def test_an_unknown_rank_is_none(tmp_path: Path) -> None:
    content = loaded(tmp_path, H9.replace(" 2d ", " ? "))
    assert isinstance(content, GoTournament)
    assert content.players[0].rank is None


@pytest.mark.parametrize(
    "change",
    [
        *ANY,
        swap("04/05/2024", "2024-05-04"),
        swap("04/05/2024", "04/05/24"),
        swap("38Gr", "    "),
        swap("75Al", "    "),
        lambda text: re.sub(r"(\d[+-])([wb])", r"\1/\2", text),
        lambda text: text.replace("3D", "3d").encode("latin-1"),
    ],
)
def test_tou(tmp_path: Path, change: Change) -> None:
    assert told_by_list(loaded(tmp_path, change(TOU))) == told_by_list(loaded(tmp_path, TOU))


def test_rounds_without_numbers_in_a_report_of_the_aga(tmp_path: Path) -> None:
    def told(text: str | bytes) -> list[tuple[int, str, str]]:
        content = loaded(tmp_path, text)
        assert isinstance(content, GoTournament)
        return [(g.round, g.white, g.black) for g in content.games]

    plain = told(AGA)
    assert told(re.sub(r"GAMES \d", "GAMES", AGA)) == plain
    assert told(AGA.replace("GAMES 1", "GAMES").replace("GAMES 2\n", "")) == plain


def told_by_event(content: Content) -> tuple[object, ...]:
    assert isinstance(content, tuple)
    (event,) = content
    assert isinstance(event, Event)
    lines = [(r.board, r.ns, r.ew, r.score, r.passed_out) for r in event.sessions[0].results]
    published = [e.published.get("place") for e in event.entrants]
    return event.club, event.date, lines, published


@pytest.mark.parametrize(
    "change",
    [
        *ANY,
        lambda text: text.encode("cp1252"),
        lambda text: text.partition("?>")[2].encode("cp1252"),
        lambda text: "\n\n" + text,
        lambda text: text + "\0\0",
        swap("1=</PLACE>", "1/4</PLACE>"),
        swap("1=</PLACE>", "T1</PLACE>"),
        swap("1=</PLACE>", "1st</PLACE>"),
        swap("04/05/2019", "2019-05-04"),
        swap("04/05/2019", "04/05/19"),
        swap("04/05/2019", "4 May 2019"),
        swap("50.00", "50,00"),
        swap("50.00", "-"),
        swap(
            LINE.format(1, 2),
            LINE.format(1, 2) + "<TRAVELLER_LINE><NS_PAIR_NUMBER>3"
            "</NS_PAIR_NUMBER></TRAVELLER_LINE>",
        ),
    ],
)
def test_usebio(tmp_path: Path, change: Change) -> None:
    assert told_by_event(loaded(tmp_path, change(USEBIO))) == told_by_event(
        loaded(tmp_path, USEBIO)
    )


def test_a_decimal_comma_is_no_comma_of_thousands(tmp_path: Path) -> None:
    content = loaded(tmp_path, USEBIO.replace("50.00", "51,25"))
    assert isinstance(content, tuple)
    assert content[0].entrants[0].published["percentage"] == 51 + 0.25


def test_words_for_passed_out_and_no_place(tmp_path: Path) -> None:
    text = USEBIO.replace("<SCORE>420</SCORE>", "<SCORE>PASS</SCORE>", 1)
    text = text.replace("<CONTRACT>4S</CONTRACT>", "<CONTRACT>-</CONTRACT>", 1)
    content = loaded(tmp_path, text.replace("1=</PLACE>", "-</PLACE>"))
    assert isinstance(content, tuple)
    assert content[0].sessions[0].results[0].passed_out
    assert "place" not in content[0].entrants[0].published


@pytest.mark.parametrize(
    "change",
    [
        *ANY,
        swap("2019.05.04", "2019-05-04"),
        swap("MP", "MatchPoints"),
        swap(" 3  4", " 5  -           \n 3  4"),
    ],
)
def test_pbn(tmp_path: Path, change: Change) -> None:
    assert told_by_event(loaded(tmp_path, change(PBN))) == told_by_event(loaded(tmp_path, PBN))


def test_a_way_of_scoring_that_we_do_not_know_is_not_taken_for_matchpoints(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="Scoring 'Cavendish', and no figure"):
        loaded(tmp_path, PBN.replace("MP", "Cavendish"))


def archive(text: str) -> bytes:
    """As a browser saves a page with all that belongs to it."""
    head = (
        "From: <Saved by Blink>\r\nMIME-Version: 1.0\r\n"
        'Content-Type: multipart/related; type="text/html"; boundary="--x"\r\n\r\n----x\r\n'
        "Content-Type: text/html\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n"
    )
    return head.encode() + quopri.encodestring(text.encode()) + b"\r\n----x--\r\n"


@pytest.mark.parametrize(
    "change",
    [
        *ANY,
        archive,
        lambda text: "<!-- saved from url=(0020)https://example.org/ -->\n" + text,
        lambda text: re.sub(r"</?[a-z]+", lambda tag: tag[0].upper(), text),
    ],
)
def test_a_page_saved_by_another_browser(tmp_path: Path, change: Change) -> None:
    def told(text: str | bytes) -> list[object]:
        (field,) = loaded(tmp_path, text).lists  # type: ignore[union-attr]
        return [(s.place, s.score, [p.name for p in s.entrant.players]) for s in field.standings]

    assert told(change(PAGE)) == told(PAGE)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2015-10-22", date(2015, 10, 22)),
        ("20151022", date(2015, 10, 22)),
        ("22/10/2015 19:30", date(2015, 10, 22)),
        ("22/10/15", date(2015, 10, 22)),
        ("22.10.98", date(1998, 10, 22)),
        ("Thu 22nd October 2015", date(2015, 10, 22)),
        ("October 22, 2015", date(2015, 10, 22)),
    ],
)
def test_days(text: str, day: date) -> None:
    assert parse_day(text) == day


@pytest.mark.parametrize("text", ["", "22", "10/22/2015", "32 May 2015", "someday 2015"])
def test_no_days(text: str) -> None:
    with pytest.raises(ValueError, match="is not like"):
        parse_day(text)
