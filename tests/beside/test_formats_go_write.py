"""Compared with real files beside the repository: formats go write."""

from pathlib import Path

import pytest

from honours.formats.detect import read
from honours.formats.go import GoTournament
from honours.formats.go_write import (
    RankedTournament,
    write_aga,
    write_h9,
    write_tou,
)
from honours.model import Field
from honours.pipeline import ranked, read_account
from tests.support import shared

FILES = (
    "opengotha/egc2013.xml",
    "opengotha/handicap-both-lose-2021.xml",
    "opengotha/club-2018.xml",
    "opengotha/clubs-2012.h9",
    "opengotha/chinese-names-2020.h9",
    "h9/default-games-and-byes.h9",
    "h9/play-off-columns.h9",
    "macmahon/macmahon-3.10.xml",
    "pairgoth/finished-2021.tour",
    "tou/format-sample.tou",
    "aga/tournament-report.txt",
)


def given(name: str) -> RankedTournament:
    report = ranked(read_account(shared(f"real/{name}")))
    content = report.account.content
    assert isinstance(content, GoTournament)
    tournament = content
    return RankedTournament(tournament, report.lists[0])


def told(one: RankedTournament, by_default: bool) -> tuple[object, ...]:
    """What a list tells, its players by the number of their line."""
    lines = {player.key: n for n, (_, player) in enumerate(one.lines(), start=1)}
    games = sorted(
        (
            g.round,
            lines[g.white],
            lines[g.black],
            str(g.winner),
            g.handicap,
            g.by_default and by_default,
        )
        for g in one.tournament.games
    )
    byes = sorted((r, lines[key]) for r, key in one.tournament.byes)
    return games, byes, [s.place for s in one.field.standings]


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("kind", ["h9", "tou"])
def test_a_list_is_read_back_equal(name: str, kind: str, tmp_path: Path) -> None:
    source = given(name)
    written = write_h9(source) if kind == "h9" else write_tou(source)
    path = tmp_path / f"out.{kind}"
    path.write_bytes(written.data)
    form, content = read(path)
    assert form.name == kind
    assert isinstance(content, GoTournament)
    back = RankedTournament(content, content.listed or Field())
    assert told(back, kind == "h9") == told(source, kind == "h9")


def test_an_aga_report_is_read_back_equal(tmp_path: Path) -> None:
    source = given("aga/tournament-report.txt")
    path = tmp_path / "x.txt"
    path.write_bytes(write_aga(source).data)
    _, back = read(path)
    assert isinstance(back, GoTournament)
    mine = source.tournament
    assert [p.player.number for p in back.players] == [p.player.number for p in mine.players]
    played = {(g.round, g.white, g.black, g.winner, g.handicap, g.komi) for g in mine.games}
    again = {(g.round, g.white, g.black, g.winner, g.handicap, g.komi) for g in back.games}
    assert again == played
    assert (back.date, back.rounds) == (mine.date, mine.rounds)
