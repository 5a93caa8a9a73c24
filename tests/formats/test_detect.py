"""Files are recognised by what is in them: the ending is never looked at."""

import os
from io import BytesIO, TextIOWrapper
from pathlib import Path
from threading import Thread

import pytest

from honours.errors import FileProblem
from honours.formats.detect import experimental, read, recognise
from tests.formats.test_acbl_json import ACBL
from tests.formats.test_bridgewebs import BRIDGEWEBS
from tests.formats.test_go import AGA, EGF, FFG, GOTHA, H9, MEMBERS
from tests.formats.test_go_programs import MACMAHON, MACMAHON_WALL, PAIRGOTH, TOU
from tests.formats.test_pages import ACBL_LIVE, BBO, LIN, REALBRIDGE
from tests.formats.test_pbn import MATCH, PBN
from tests.formats.test_usebio import board, document, line, pairs
from tests.support import ROOT

MADE = {
    "usebio": document(pairs("1", "2") + board(line("1", "2"))),
    "opengotha": GOTHA,
    "h9": H9,
    "tou": TOU,
    "macmahon": MACMAHON,
    "macmahon-wall": MACMAHON_WALL,
    "pairgoth": PAIRGOTH,
    "aga-report": AGA,
    "games": "Black;White;Result\nAnn;Bo;B+R\n",
    "aga-members": MEMBERS,
    "egf-members": EGF,
    "ffg-members": FFG,
    "standings": "Pos;Name;Score\n1;Ann;5,5\n",
    "results": "Board\tNS\tEW\tScore\n1\t1\t2\t50\n",
    "pbn": PBN,
    "bridgewebs": BRIDGEWEBS,
    "acbl-json": ACBL,
    "acbl-live": ACBL_LIVE,
    "bbo": BBO,
    "realbridge": REALBRIDGE,
    "lin": LIN,
    "typed-in": "board 1\n1 2 4S N =\n",
}


@pytest.mark.parametrize("kind", MADE)
@pytest.mark.parametrize("ending", ["xml", "csv", ""])
def test_the_ending_says_nothing(tmp_path: Path, kind: str, ending: str) -> None:
    path = tmp_path / f"file.{ending}"
    path.write_bytes(MADE[kind].encode("iso-8859-1"))
    form, content = read(path)
    assert form.name == kind
    assert content


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"PK\x03\x04 and so on", "a damaged or encrypted zip archive"),
        (b"%PDF-1.7", "a PDF"),
        (b"<?xml version='1.0'?><svg></svg>", "an XML file of svg"),
        (b"Dear club,\nplease find", "not a kind of file we know: it begins 'Dear club,'"),
        (b"a\0b", "not a text file"),
        (b"\n \n", "it begins ''"),
    ],
)
def test_what_is_not_known_is_named(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "x.csv"
    path.write_bytes(content)
    with pytest.raises(FileProblem) as caught:
        recognise(path)
    assert message in str(caught.value)


def test_our_examples_are_recognised() -> None:
    assert recognise(ROOT / "examples/tuesday-pairs.csv").name == "results"
    assert recognise(ROOT / "examples/club-pairs.csv").name == "standings"


def test_standard_input_and_pipes_are_read_as_often_as_need_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = MADE["results"].encode()
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(data)))
    assert read("-")[0].name == "results"
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = Thread(target=pipe.write_bytes, args=(data,))
    writer.start()
    assert read(pipe)[0].name == "results"
    writer.join()


def test_experimental_readings_say_so(tmp_path: Path) -> None:
    path = tmp_path / "x.xml"
    path.write_bytes(MADE["usebio"].encode("iso-8859-1"))
    assert "strata" in experimental(*read(path))
    path.write_text(MADE["bridgewebs"], encoding="utf-8")
    assert experimental(*read(path)) == "no real file of this kind has been seen"
    path.write_text(MATCH, encoding="utf-8")
    assert "boards without tables" in experimental(*read(path))
