"""What decides an award and nobody said is asked, with what hangs on it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner

import honours
from honours.cli import cli
from honours.model import Origin
from honours.pipeline import Report
from honours.pipeline.inquiry import OpenQuestion
from tests.pipeline.thirty import paired, pairs, standings
from tests.support import cases

SBU, G2011, G2020 = "sbu-clubs-2016", "acbl-sof-2011", "acbl-sof-2020"
NIGHT = paired(pairs(10, 8, 3))
HELD = "pair,player1,player2,masterpoints1,masterpoints2,percentage\n" + "".join(
    f"{n},P{n} X,Q{n} X,{50 * n},{40 * n},{70 - n}\n" for n in range(1, 15)
)


Given = Mapping[str, str]


def award(
    folder: Path, text: str, book: str, given: Given | None = None, as_usual: bool = False
) -> Report:
    path = folder / "night.csv"
    path.write_text(text, encoding="utf-8")
    return honours.award(honours.score(honours.read(path)), book, given, as_usual=as_usual)


def asked(
    folder: Path, text: str, book: str, given: Given | None = None, as_usual: bool = False
) -> dict[str, OpenQuestion]:
    with pytest.raises(honours.Asked) as error:
        award(folder, text, book, given, as_usual)
    return {fact: one for one in error.value.questions for fact in one.facts}


@pytest.mark.parametrize(
    ("text", "book", "given", "fact", "answer"),
    [
        (HELD, G2020, {"class": "regional", "sessions": "2"}, "limit", "none"),
        (HELD, G2011, {"class": "regional"}, "sessions", "1"),
        (NIGHT, "ebu-clubs", {}, "scale", "A"),
        (
            standings(16, 4),
            SBU,
            {"competition": "swiss", "boards_per_match": "6", "boards": "24"},
            "won",
            "1",
        ),
    ],
)
def test_what_decides_is_asked_though_a_default_would_pay(
    text: str, book: str, given: dict[str, str], fact: str, answer: str, tmp_path: Path
) -> None:
    question = asked(tmp_path, text, book, given, as_usual=True)[fact]
    values = {one.value: one.outcome for one in question.alternatives}
    assert answer in values
    assert len({one.top for one in values.values()}) > 1


@cases
def test_a_title_takes_a_fact_out_of_what_is_usual(title: str, fact: str, tmp_path: Path) -> None:
    path = tmp_path / f"{title}.csv"
    path.write_text(NIGHT, encoding="utf-8")
    with pytest.raises(honours.Asked) as error:
        honours.award(honours.score(honours.read(path)), SBU, as_usual=True)
    assert fact in error.value.names


def test_usual_answers_are_one_question_and_confirming_them_is_recorded(tmp_path: Path) -> None:
    one, *_ = asked(tmp_path, NIGHT, SBU).values()
    assert one.of == "usual"
    assert {"supervised", "event", "competition"} <= {*one.facts}
    awards = award(tmp_path, NIGHT, SBU, as_usual=True).awards
    assert awards is not None
    known = {k.name: k for k in awards.lists[0].known}
    assert known["supervised"].source == "confirmed: nothing unusual"
    assert all(k.origin is not Origin.ASSUMED for a in awards.lists for k in a.known if k.used)


def test_what_changes_nothing_is_noted_and_not_asked(tmp_path: Path) -> None:
    told = {"event": "club", "competition": "session", "championship": "none"}
    told |= {"supervised": "no", "ranking_basis": "unadjusted", "awarded_before": "no"}
    report = award(tmp_path, NIGHT, SBU, told)
    assert report.inquiry is not None
    immaterial = {fact for one in report.inquiry.immaterial for fact in one.facts}
    assert "seeded" in immaterial
    assert report.awards is not None
    origins = {k.name: k.origin for k in report.awards.lists[0].known}
    assert origins["seeded"] is Origin.IMMATERIAL


def test_more_players_than_seats_cannot_all_have_played_everything(tmp_path: Path) -> None:
    given = {"kind": "teams", "boards": "25"}
    question = asked(tmp_path, standings(8, 6), SBU, given, as_usual=True)["boards_played"]
    assert question.of == "column"
    assert "6 players" in question.hint


def test_a_limit_is_none_that_somebody_exceeds(tmp_path: Path) -> None:
    given = {"class": "regional", "sessions": "2"}
    question = asked(tmp_path, HELD, G2020, given, as_usual=True)["limit"]
    assert all(int(one.value) >= 700 for one in question.alternatives if one.value.isdecimal())


# --- standing answers -----------------------------------------------------------------------------


CLUB = """\
[answers]
scale = "B"
[answers.Tuesday]
scale = "A"
as_usual = true
"""


def test_a_club_answers_once(tmp_path: Path) -> None:
    (tmp_path / "club.toml").write_text(CLUB, encoding="utf-8")
    path = tmp_path / "2017-01-10.csv"  # a Tuesday
    path.write_text(NIGHT, encoding="utf-8")
    awards = honours.award(honours.score(honours.read(path)), "ebu-clubs").awards
    assert awards is not None
    [scale] = [k for k in awards.lists[0].known if k.name == "scale"]
    assert (scale.value, scale.origin) == ("A", Origin.TOLD)
    assert "club.toml" in scale.source
    assert "Tuesday" in scale.source
    other = path.rename(tmp_path / "2017-01-11.csv")
    with pytest.raises(honours.Asked) as error:
        honours.award(honours.score(honours.read(other)), "ebu-clubs")
    assert "scale" not in error.value.names


def test_a_standing_answer_gives_way_to_the_title(tmp_path: Path) -> None:
    (tmp_path / "club.toml").write_text('[answers]\nsupervised = "no"\n', encoding="utf-8")
    path = tmp_path / "supervised-play.csv"
    path.write_text(NIGHT, encoding="utf-8")
    with pytest.raises(honours.Asked) as error:
        honours.award(honours.score(honours.read(path)), SBU, as_usual=True)
    assert "supervised" in error.value.names


def test_answers_that_are_none_name_their_file(tmp_path: Path) -> None:
    (tmp_path / "club.toml").write_text("[answers]\nwinners = [1]\n", encoding="utf-8")
    path = tmp_path / "night.csv"
    path.write_text(NIGHT, encoding="utf-8")
    with pytest.raises(honours.HonoursError, match=r"club\.toml"):
        honours.score(honours.read(path))


# --- at a terminal --------------------------------------------------------------------------------


def test_a_command_tells_asked_from_refused(tmp_path: Path) -> None:
    path = tmp_path / "night.csv"
    path.write_text(NIGHT, encoding="utf-8")
    words = ["award", str(path), "--rulebook", "ebu-clubs", "--json"]
    done = CliRunner().invoke(cli, words)
    assert done.exit_code == 3
    scale, *_ = json.loads(done.stdout)["questions"]
    assert scale["facts"] == ["scale"]
    assert {one["value"] for one in scale["alternatives"]} >= {"A", "B", "QE"}
    assert "scale=A" in done.stderr
    done = CliRunner().invoke(cli, [*words, "scale=A", "--as-usual"])
    assert done.exit_code == 0
