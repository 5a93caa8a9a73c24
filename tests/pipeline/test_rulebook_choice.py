"""The right rulebook first: of the event's game, of the federation the file shows, of its day."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from honours.cli import cli
from honours.demo import file
from honours.errors import InputError
from honours.pipeline import awarded, ranked, read_account
from honours.pipeline.api import award, score
from honours.pipeline.rulebook_choice import few_fitting, fitting, game_of
from honours.reports.convert import converted_file
from honours.rulebooks import ids, load
from tests.formats.test_acbl_json import ACBL
from tests.formats.test_go import AGA, GOTHA
from tests.formats.test_go_programs import TOU
from tests.formats.test_usebio import board, document, line, pairs

BOOKS = [load(name) for name in ids()]
USEBIO = pairs("1NS", "2EW") + board(line("1", "2"))
ENGLISH = "<P2P_CHARGE_RATE>1</P2P_CHARGE_RATE><DATE>2025-03-04</DATE>"
FILES = {
    "acbl": (ACBL, "bridge", "acbl-clubs-2023"),
    "english": (document(USEBIO, head=ENGLISH), "bridge", "ebu-clubs"),
    "numbers": (
        "pair,player1,player2,number1,number2,score\n1,Ann,Bo,K123456,1234567,60\n2,Cy,Di,,,40\n",
        "bridge",
        "acbl-clubs-2023",
    ),
    "aga": (AGA, "go", "aga-category"),
    "french": (TOU, "go", "egf-2021"),
    "european": (GOTHA.replace('rank="', 'country="DE" rank="'), "go", "egf-2021"),
    "american": (GOTHA.replace('rank="', 'agaId="7" rank="'), "go", "aga-category"),
    "grades": ("place,name,gor\n1,Ann,2100\n2,Bo,2000\n", "go", ""),
    "pairs": ("pair,players,score\n1,Ann & Bo,60\n2,Cy & Di,40\n", "bridge", ""),
    "anything": ("place,name\n1,Ann\n2,Bo\n", "", ""),
}


def path_of(folder: Path, name: str) -> Path:
    path = folder / "event"
    path.write_bytes(FILES[name][0].encode("iso-8859-1"))
    return path


@pytest.mark.parametrize("name", FILES)
def test_what_fits(tmp_path: Path, name: str) -> None:
    account = read_account(path_of(tmp_path, name))
    _, game, first = FILES[name]
    fits = fitting(account, BOOKS)
    assert game_of(account) == game
    assert {fit.book.game for fit in fits} <= ({game} if game else {"bridge", "go", "pinball"})
    shown = [fit for fit in few_fitting(account, BOOKS) if fit.shown_by]
    assert (shown[0].book.id if shown else "") == first


def test_the_edition_of_the_day(tmp_path: Path) -> None:
    (tmp_path / "2017-06-03.csv").write_text(FILES["pairs"][0])
    few = few_fitting(read_account(tmp_path / "2017-06-03.csv"), BOOKS)
    assert all(fit.in_force for fit in few)
    held = {fit.book.id for fit in few}
    assert {"sbu-clubs-2016", "acbl-sof-2011"} <= held
    assert not held & {"sbu-clubs-2024", "acbl-sof-2020"}


@pytest.mark.parametrize(("name", "book"), [("aga", "ebu-clubs"), ("pairs", "egf-2021")])
def test_a_rulebook_of_another_game_awards_nothing(tmp_path: Path, name: str, book: str) -> None:
    report = ranked(read_account(path_of(tmp_path, name)))
    with pytest.raises(InputError, match=f"{book} is for"):
        awarded(report, load(book), {})


def test_what_it_was_awarded_under_and_what_was_paid_by_it(tmp_path: Path) -> None:
    scored = score(read_account(str(file("tuesday.csv"))), winners=1, profile="ebu")
    report = award(scored, "sbu-clubs-2016", as_usual=True)
    ours = converted_file(report.account, "usebio", report).data
    for name, text in (
        ("ours.xml", ours),
        ("theirs.xml", ours.replace(b"honours-awarded", b"other-awarded")),
    ):
        path = tmp_path / name
        path.write_bytes(text)
        first = few_fitting(read_account(path), BOOKS)[0]
        assert first.book.id == "sbu-clubs-2016"
        assert first.shown_by


def test_award_names_what_to_type_and_show_says_why(tmp_path: Path) -> None:
    path = str(path_of(tmp_path, "english"))
    asked = CliRunner().invoke(cli, ["award", path])
    assert asked.exit_code == 2
    assert f"honours award {path} --rulebook ebu-clubs" in asked.output
    assert "aga-category" not in asked.output
    shown = CliRunner().invoke(cli, ["show", path])
    assert "ebu-clubs: its files alone say p2p_charge_rate" in shown.output


def test_award_names_only_what_may_pay_somebody(tmp_path: Path) -> None:
    path = tmp_path / "list.csv"
    path.write_text("player,score\nAda,3\nBen,2\nCat,1\nDan,0\n")
    lines = CliRunner().invoke(cli, ["award", str(path)]).stderr.splitlines()[1:]
    assert 1 < len(lines) < len({book.body for book in BOOKS})
    assert not any("egf-2021" in line or "acbl-clubs-2023" in line for line in lines)
    path.write_text("pair,score\n" + "".join(f"{n},{60 - n}\n" for n in range(1, 13)))
    assert game_of(read_account(path)) == "bridge"
    lines = CliRunner().invoke(cli, ["award", str(path)]).stderr.splitlines()[1:]
    assert len(lines) <= len({book.body for book in BOOKS if book.game == "bridge"})
    assert "acbl-sof-2011" in lines[0]


def test_every_bundled_rulebook_says_its_game() -> None:
    assert all(book.game for book in BOOKS)


def test_a_proposal_is_never_in_force(tmp_path: Path) -> None:
    (tmp_path / "2025-06-03.csv").write_text(FILES["pairs"][0])
    fits = fitting(read_account(tmp_path / "2025-06-03.csv"), BOOKS)
    [proposed] = [fit for fit in fits if fit.book.id == "acbl-sof-2020"]
    assert not proposed.in_force
    assert proposed.book.body not in {fit.book.body for fit in fits if fit.shown_by}
