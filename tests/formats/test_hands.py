"""Hand records: beside results their hands are shown, alone they say what they are."""

from pathlib import Path

import pytest

from honours.errors import FileProblem
from honours.formats.detect import describe, read
from honours.formats.hands import HANDS_FROM, hands_of_dlm, hands_of_dup
from honours.formats.rulings import is_of_results
from honours.model import Event

RESULTS = "board,ns,ew,score\n1,1,2,50\n1,3,4,-50\n2,1,4,100\n2,3,2,90\n"
DEAL = "N:T53.AJ7.AT.AQ762 AKJ9.T8.KQ42.T83 872.Q9653.765.J9 Q64.K42.J983.K54"
DLM = "[Document]\nFrom board=1\nTo board=1\nBoard 01={}018\n"
PBN = f'% PBN 2.1\n[Board "1"]\n[Deal "{DEAL}"]\n[Board "9"]\n[Deal "{DEAL}"]\n'


def owners(deal: str) -> list[int]:
    hands = [hand.split(".") for hand in deal.removeprefix("N:").split()]
    return [
        next(n for n, hand in enumerate(hands) if rank in hand[suit])
        for suit in range(4)
        for rank in "AKQJT98765432"
    ]


def letters(deal: str) -> str:
    cards = owners(deal)
    pairs = zip(cards[::2], cards[1::2], strict=True)
    return "".join(chr(ord("a") + 4 * first + second) for first, second in pairs)


def dup(deal: str) -> bytes:
    cards = owners(deal)
    numbers = "".join(f"{n + 1:02}" for seat in range(3) for n in range(52) if cards[n] == seat)
    return numbers.encode() + b"\x06AKQ".ljust(68, b" ") + b"YN1  1 32 "


def event(path: Path) -> Event:
    _, content = read(path)
    assert isinstance(content, tuple)
    return content[0]


@pytest.mark.parametrize(
    ("suffix", "data"),
    [
        (".pbn", PBN.encode()),
        (".PBN", PBN.encode()),
        (".dlm", DLM.format(letters(DEAL)).encode()),
        (".dup", dup(DEAL)),
        (".lin", b"qx|o1|md|1S872HQ9653D765CJ9,SQ64HK42DJ983CK54,ST53HAJ7DATCAQ762,|pg||"),
    ],
)
def test_hands_beside_results(tmp_path: Path, suffix: str, data: bytes) -> None:
    path = tmp_path / "tuesday.csv"
    path.write_text(RESULTS, encoding="utf-8")
    (tmp_path / f"tuesday{suffix}").write_bytes(data)
    night = event(path)
    assert [(b.number, b.deal) for b in night.sessions[0].boards] == [(1, DEAL)]
    assert night.facts[HANDS_FROM] == f"tuesday{suffix}"
    assert ("hands from", f"tuesday{suffix}") in describe(path).parts[0]
    assert not is_of_results(tmp_path / f"tuesday{suffix}")
    assert is_of_results(path)


def test_a_record_that_cannot_be_read_is_said(tmp_path: Path) -> None:
    path = tmp_path / "tuesday.csv"
    path.write_text(RESULTS, encoding="utf-8")
    (tmp_path / "tuesday.dlm").write_bytes(b"\0\0\0")
    assert str(event(path).facts[HANDS_FROM]).startswith("tuesday.dlm: ")


def test_a_published_board_of_letters(tmp_path: Path) -> None:
    path = tmp_path / "x.dlm"
    path.write_text(DLM.format("fnbkmmincldklcfcofoiefnapm"), encoding="utf-8")
    assert hands_of_dlm(path)[0].deal.startswith("N:T53.AJ7.AT.AQ762 ")


def test_boards_that_were_dealt_and_not_played(tmp_path: Path) -> None:
    path = tmp_path / "x.dlm"
    dealt = "".join(f"Board {n:02}={letters(DEAL)}018\n" for n in range(1, 100))
    path.write_text(f"[Document]\nFrom board=3\nTo board=16\n{dealt}", encoding="utf-8")
    assert [board.number for board in hands_of_dlm(path)] == list(range(3, 17))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (DLM.format(letters(DEAL)).encode(), r"a hand record \(.dlm\): 1 board, and no results"),
        (dup(DEAL) * 3, r"a hand record \(.dup\): 3 boards, and no results"),
        (PBN.encode(), r"a hand record \(PBN\): 2 boards, and no results"),
    ],
)
def test_a_record_alone_says_what_to_do(tmp_path: Path, data: bytes, message: str) -> None:
    path = tmp_path / "x"
    path.write_bytes(data)
    with pytest.raises(FileProblem, match=message) as caught:
        read(path)
    assert "put it beside a file of results" in str(caught.value)


def test_a_dup_of_several_boards(tmp_path: Path) -> None:
    path = tmp_path / "x.dup"
    path.write_bytes(dup(DEAL) * 2)
    assert [board.number for board in hands_of_dup(path)] == [1, 2]
