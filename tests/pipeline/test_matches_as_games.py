"""Matches of teams are games to a rulebook: of a file, and of a corpus made from it."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

import honours
from honours.demo import file
from honours.engine.rulebook import Rulebook
from honours.lab.corpus import Corpus
from honours.lab.fields import award_whole
from honours.lab.history.importing import ImportRequest, bring
from honours.lab.shards import read_shard
from honours.model import Game, Player
from honours.pipeline import read_account
from honours.pipeline.api import award, score
from tests.engine.books import write_book

TOML = """
[inputs.entrants]
about = "teams"
type = "count"
[inputs.result]
about = "1 for a win"
per = "game"
[inputs.match_score]
about = "victory points"
per = "game"
[inputs.match_margin]
about = "IMPs"
per = "game"
least = -200
[inputs.match_boards]
about = "boards"
per = "game"
[parameters]
step = { value = "0.05", clause = "§1" }
"""
RULES = '''
@rule("§1")
def places(entrants):
    """All."""
    return entrants


@rule("§2", per="game", rounds=nearest("step"))
def worth(
    result, match_score, match_margin, match_boards
):
    """What a match pays."""
    return result + (match_score + abs(match_margin)) / match_boards


@rule("§3", per="entrant")
def award(sum_of_worth, opponents):
    """What all matches pay."""
    return sum_of_worth + opponents


@rule("§3", per="game")
def met(opponent_place_of):
    """Where the opponent came."""
    return opponent_place_of


@rule("§3", per="entrant")
def place_of(place):
    """The place."""
    return place


@rule("§3", per="entrant")
def opponents(sum_of_met):
    """Where the opponents came, added up."""
    return sum_of_met
'''


@pytest.fixture
def per_match(tmp_path: Path) -> Rulebook:
    return write_book(tmp_path / "per_match", TOML, RULES)


def known(game: Game, fact: str) -> Fraction:
    value = game.facts[fact]
    assert isinstance(value, Fraction)
    return value


def test_a_match_is_a_game_of_either_team() -> None:
    [teams] = score(read_account(str(file("league.csv")))).lists
    by_id = {standing.entrant.id: standing for standing in teams.standings}
    for standing in teams.standings:
        assert sum(known(game, "match_score") for game in standing.games) == standing.score
        assert len(standing.games) == standing.facts["matches_played"]
        for game in standing.games:
            [seen] = [g for g in by_id[game.opponent].games if g.opponent == standing.entrant.id]
            assert known(game, "result") + known(seen, "result") == 1
            assert known(game, "match_margin") == -known(seen, "match_margin")
            assert known(game, "match_boards") == known(seen, "match_boards") > 0


def test_what_matches_pay_is_the_same_in_a_corpus(tmp_path: Path, per_match: Rulebook) -> None:
    path = str(file("league.csv"))
    awards = award(score(read_account(path)), per_match).awards
    assert awards is not None
    corpus = Corpus.take([path], tmp_path / "corpus")
    again = award_whole(per_match, read_shard(corpus.folder, 0), 0)
    ours, theirs = (
        sorted((item.standing.place, item.amount) for item in one.lists[0].schedule)
        for one in (awards, again)
    )
    assert ours == theirs
    assert len({amount for _, amount in ours}) > 1
    assert min(amount for _, amount in ours) > Fraction(0)
    assert honours.explain(awards.lists[0].schedule[0]).count("game 1 of")


def test_a_corpus_says_whose_games_it_leaves_out(tmp_path: Path) -> None:
    """A team that is barred from awards is in no list, and the games against it in no corpus."""
    path = file("league.csv")
    account = read_account(str(path))
    barred = tuple(
        replace(e, entrant=replace(e.entrant, players=(Player("Barred", "", {"eligible": "no"}),)))
        if e.number == "Ash"
        else e
        for e in account.event.entrants
    )
    without = replace(account, content=replace(account.event, entrants=barred))
    imported = bring(ImportRequest([without]), tmp_path / "corpus")
    [said] = imported.data()["without_games"]
    assert "Ash played and is in no list, being barred from awards" in said
    assert f"its games are left out: {said}" in map(str, imported.notes())
