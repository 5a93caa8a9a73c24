"""What a rule may say beyond a schedule of places: games, opponents, the best of many, several
figures, colours, players awarded differently. The exact way and columns agree."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from honours.engine.award import award, calculate
from honours.engine.columns.award import award_fields
from honours.engine.rulebook import Rulebook
from honours.engine.rulebook.lint import faults, lint
from honours.errors import InputError, MissingInput, RulebookError
from honours.model import Entrant, Field, Game, Player, Standing
from tests.engine.books import write_book

ELO = """
[inputs.rating]
about = "rating before"
per = "entrant"
least = -3000
[inputs.result]
about = "1, 1/2 or 0"
per = "game"
[inputs.opponent_rating]
about = "the other's rating"
per = "game"
[inputs.entrants]
about = "how many"
type = "count"
[figures.rating]
about = "rating after"
quantity = "new_rating"
decimals = 0
[figures.games]
about = "games played"
quantity = "played"
[figures.title]
about = "what it is called"
quantity = "title"
[parameters]
k = { value = 32, clause = "§1" }
spread = { value = 400, clause = "§1" }
ten = { value = 10, clause = "§1" }
tenth = { value = "0.1", clause = "§2" }
master = { value = 1600, clause = "§3" }
"""
ELO_RULES = '''
@rule("§1", per="game")
def expected(rating, opponent_rating, spread, ten):
    """What was to be expected."""
    return 1 / (1 + power(ten, (opponent_rating - rating) / spread))

@rule("§1", per="game")
def gain(result, expected, k):
    """What a game changes."""
    return k * (result - expected)

@rule("§2")
def places(entrants):
    """All."""
    return entrants

@rule("§2", per="entrant", rounds=nearest("tenth"))
def award(sum_of_gain):
    """What the tournament changes."""
    return sum_of_gain

@rule("§2", per="entrant")
def new_rating(rating, award):
    """Rating after."""
    return rating + award

@rule("§2", per="entrant")
def played(count_of_result):
    """Games."""
    return count_of_result

@rule("§3", per="entrant")
def title(new_rating, master) -> str:
    """What it is called."""
    return "master" if new_rating >= master else "player"
'''
ELO_CASES = """
[[example]]
name = "two games"
ours = "equal ratings: 16 points a win"
given = { }
list = [
  { place = 1, rating = 1600, games = [
    { opponent = 2, result = 1 }, { opponent = 2, result = "1/2" } ] },
  { place = 2, rating = 1600, games = [
    { opponent = 1, result = 0 }, { opponent = 1, result = "1/2" } ] },
]
expect.awards = ["16.00", "-16.00"]
expect.figures = { rating = ["1616", "1584"], title = ["master", "player"], games = ["2", "2"] }
"""


def write(folder: Path, toml: str, rules: str, cases: str = "") -> Rulebook:
    return write_book(folder / "made_up", toml, rules, cases)


def elo(folder: Path) -> Rulebook:
    return write(folder, ELO, ELO_RULES, ELO_CASES)


def rated(number: int, rating: int, *games: tuple[int, str]) -> Standing:
    player = Player(f"P{number}", facts={"rating": Fraction(rating)})
    played = tuple(Game(str(other), {"result": Fraction(result)}) for other, result in games)
    return Standing(Entrant(str(number), (player,)), number, games=played)


def both_ways(rulebook: Rulebook, field: Field) -> list[Fraction]:
    """What the exact way gives, which columns must give too."""
    exactly = [a.amount for a in award(rulebook, field).schedule]
    assert award_fields(rulebook, [field, field]) == [exactly, exactly]
    return exactly


def test_ratings_from_games(tmp_path: Path) -> None:
    checked = faults(elo(tmp_path))
    assert (checked.examples, checked.faults, checked.in_columns) == (1, [], 0)
    assert "is per game: it cannot be run in columns" in checked.not_in_columns


def test_a_rating_of_the_single_player_is_the_entrants(tmp_path: Path) -> None:
    standings = (
        rated(1, 1800, (2, "1"), (3, "0")),
        rated(2, 1400, (1, "0")),
        rated(3, 1600, (1, "1")),
    )
    field = Field({"entrants": Fraction(3)}, standings)
    first, second, third = both_ways(elo(tmp_path), field)
    assert (second, third) == (Fraction("-2.9"), Fraction("24.3"))
    assert first == Fraction("-21.4")  # 2.909 − 24.312


def test_who_played_no_game_gains_nothing(tmp_path: Path) -> None:
    standings = (rated(1, 1500, (2, "1")), rated(2, 1500, (1, "0")), rated(3, 1500))
    field = Field({"entrants": Fraction(3)}, standings)
    assert both_ways(elo(tmp_path), field) == [16, -16, 0]


def test_an_opponent_who_is_not_there_is_named(tmp_path: Path) -> None:
    field = Field({"entrants": Fraction(1)}, (rated(1, 1500, (7, "1")),))
    with pytest.raises(InputError, match="P1 has a game against '7', who is not in the list"):
        award(elo(tmp_path), field)


def test_a_bare_calculation_is_about_one_game(tmp_path: Path) -> None:
    given = {"entrants": 1, "rating": 1600, "opponent_rating": 1600, "result": 1}
    (answer,) = calculate(elo(tmp_path), given)
    assert [a.shown for a in answer.schedule] == ["16.00"]
    with pytest.raises(MissingInput, match="opponent_rating"):
        calculate(elo(tmp_path), {"entrants": 1, "rating": 1600, "result": 1})


BEST = """
[inputs.rank]
about = "rank"
per = "player"
[inputs.entrants]
about = "how many"
type = "count"
[parameters]
counted = { value = 2, clause = "§1" }
unit = { value = "0.01", clause = "§1" }
slope = { value = [[0, 10], [10, 30], [20, 35]], clause = "§2" }
[inputs.points]
about = "points"
per = "entrant"
"""
BEST_RULES = '''
@rule("§1", per="player")
def worth(rank):
    """What a player brings."""
    return 1 + exp(0 - ln(rank))

@rule("§1", best="counted")
def value(sum_of_best_worth, count_of_worth):
    """What the field is worth."""
    return sum_of_best_worth * count_of_worth

@rule("§1")
def places(entrants):
    """All."""
    return entrants

@rule("§2", per="entrant")
def share(points, slope: Rows):
    """By the row it reaches."""
    return row_for(points, slope)

@rule("§2", per="entrant", rounds=nearest("unit"))
def award(value, share, rank_of_points, counted):
    """The best two get it doubled."""
    if rank_of_points <= counted:
        return value * share * (1 + 1)
    return value * share
'''
IMPORTS = """
from honours.engine.numbers import exp, ln, row_for
from honours.engine.rulebook import Rows
"""


def ranked(*rows: tuple[int, tuple[int, ...]]) -> Field:
    standings = tuple(
        Standing(
            Entrant(
                str(i),
                tuple(Player(f"{i}.{j}", facts={"rank": Fraction(r)}) for j, r in enumerate(ranks)),
            ),
            i,
            facts={"points": Fraction(points)},
        )
        for i, (points, ranks) in enumerate(rows, 1)
    )
    return Field({"entrants": Fraction(len(rows))}, standings)


def test_the_best_of_a_field_and_the_row_of_a_table(tmp_path: Path) -> None:
    made = write(tmp_path, BEST, IMPORTS + BEST_RULES)
    amounts = both_ways(made, ranked((25, (1, 2)), (5, (4,)), (15, (4, 4)), (0, (4,))))
    value = (2 + Fraction(3, 2)) * 6
    assert amounts == [2 * 35 * value, 10 * value, 2 * 30 * value, 10 * value]


def test_best_and_how_many_go_together(tmp_path: Path) -> None:
    rules = IMPORTS + BEST_RULES
    without = lint(write(tmp_path / "a", BEST, rules.replace(', best="counted"', "")))
    assert (
        "made_up/rules.py, line 13: rule value takes the best of many: best= must say how many"
        in without
    )
    idle = rules.replace('@rule("§1", per="player")', '@rule("§1", per="player", best="counted")')
    expected = "rule worth says best='counted' and takes the best of nothing"
    assert f"made_up/rules.py, line 8: {expected}" in lint(write(tmp_path / "b", BEST, idle))


CAPPED = """
[inputs.earned]
about = "what a player has earned this season"
per = "player"
first = 0
[inputs.entrants]
about = "how many"
type = "count"
[parameters]
most = { value = 10, clause = "§1" }
first = { value = 4, clause = "§1" }
red_share = { value = "1/2", clause = "§2" }
unit = { value = "0.01", clause = "§2" }
"""
CAPPED_RULES = '''
@rule("§1")
def places(entrants):
    """All."""
    return entrants

@rule("§1", per="entrant", rounds=nearest("unit"))
def won(first, place):
    """By the place."""
    return first / place

@rule("§1", per="player")
def award(won, most, earned):
    """No more than the season allows."""
    return max(min(won, most - earned), 0)
'''


def people(*earned: tuple[int, ...]) -> Field:
    return Field(
        {"entrants": Fraction(len(earned))},
        tuple(
            Standing(
                Entrant(
                    str(i),
                    tuple(
                        Player(f"{i}.{j}", facts={"earned": Fraction(e)})
                        for j, e in enumerate(each)
                    ),
                ),
                i,
            )
            for i, each in enumerate(earned, 1)
        ),
    )


def test_a_cap_over_a_season_is_each_players_own(tmp_path: Path) -> None:
    made = write(tmp_path, CAPPED.replace("red_share", "#"), CAPPED_RULES)
    field = people((0, 8), (9, 12))
    answer = award(made, field)
    shares = [[int(share) for share in a.shares] for a in answer.schedule]
    assert shares == [[4, 2], [1, 0]]
    assert [a.amount_of(1) for a in answer.schedule] == [2, 0]
    assert both_ways(made, field) == [4, 1]


COLOURED = CAPPED + '[colours]\nred = "red"\nblack = "black"\n'
COLOURED_RULES = (
    CAPPED_RULES.replace('per="player")\ndef award', 'per="entrant")\ndef award')
    .replace("most - earned", "most")
    .replace("most, earned", "most")
    + '''
@rule("§2", per="entrant", rounds=up("unit"))
def red(award, red_share):
    """The odd cent is red."""
    return award * red_share

@rule("§2", per="entrant")
def black(award, red):
    """The rest."""
    return award - red
'''
)


def test_colours_make_the_award(tmp_path: Path) -> None:
    made = write(tmp_path, COLOURED, COLOURED_RULES)
    answer = award(made, people((0,), (0,), (0,)))
    assert answer.schedule[2].colours == {"red": Fraction("0.67"), "black": Fraction("0.66")}
    wrong = write(tmp_path / "wrong", COLOURED, COLOURED_RULES.replace("award - red", "award"))
    with pytest.raises(
        RulebookError, match=r"the colours \(red 2, black 4\) make 6, the award is 4"
    ):
        award(wrong, people((0,)))


def test_a_figure_that_nothing_defines(tmp_path: Path) -> None:
    toml = ELO.replace('quantity = "played"', 'quantity = "plaid"')
    problems = lint(write(tmp_path, toml, ELO_RULES, ELO_CASES))
    message = "figures, games: nothing is called plaid; did you mean 'played'?"
    assert f"made_up/rulebook.toml, line 28: {message}" in problems


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("sum([x for x in (1, 1)])", "has a comprehension, which a rule may not have: sums over"),
        ("sum_of_gian", "speaks of unknown name 'sum_of_gian'; did you mean 'sum_of_gain'?"),
        ("sum_of_gain ** 1", "has **, which a rule may not have: powers are power(x, exponent)"),
    ],
)
def test_a_body_is_told_with_its_line(tmp_path: Path, body: str, message: str) -> None:
    rules = ELO_RULES.replace("return sum_of_gain", f"return {body}")
    messages = [f for f in lint(write(tmp_path, ELO, rules, ELO_CASES)) if message in f]
    assert messages
    assert messages[0].startswith("made_up/rules.py, line 23: rule award ")
