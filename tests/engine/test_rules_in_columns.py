"""Rulebooks of every form: columns give what the exact way gives."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from honours.engine.award import award
from honours.engine.columns.award import award_fields
from honours.engine.exact.working import Working
from honours.errors import InputError, MissingInput, RulebookError
from honours.model import Entrant, Field, Standing
from tests.engine.column_books import (
    AWARD,
    FIELDS,
    PLACES,
    TOML,
    WEIGHED,
    agree,
    agree_in_units,
    exactly,
    field,
    made,
)

SEEDED = [
    replace(f, standings=tuple(replace(s, facts={"seed": Fraction(s.place)}) for s in f.standings))
    for f in FIELDS
]


def test_players_places_and_entrants(tmp_path: Path) -> None:
    book = made(tmp_path, WEIGHED)
    agree(book)
    agree_in_units(book)
    agree_in_units(book)  # once more, what players weigh being remembered


@pytest.mark.parametrize("times", [10**4, 10**5, 10**6, 10**9])
def test_awards_may_be_large(tmp_path: Path, times: int) -> None:
    book = made(
        tmp_path, WEIGHED.replace("covered_worth / tied", f"covered_worth / tied * {times}")
    )
    most = max(a for each in exactly(book, FIELDS) for a in each or ())
    assert most > times
    agree(book)
    agree_in_units(book)


@pytest.mark.parametrize(
    "worth",
    [
        # over places that are own to each field, over shared ones, and their number
        "mean_of_own, place):\n    return mean_of_own / place",
        "mean_of_base, factor, place):\n    return mean_of_base * factor / place",
        "sum_of_base, count_of_base, factor, place):\n"
        "    return sum_of_base * factor / count_of_base / place",
        "sum_of_own, count_of_own, place):\n    return sum_of_own / count_of_own / place",
    ],
)
def test_sums_and_means_over_places(tmp_path: Path, worth: str) -> None:
    head = WEIGHED[: WEIGHED.index('@rule("§1", per="place")\ndef worth')]
    own = '@rule("§1", per="place")\ndef own(place, factor):\n    return factor / place\n\n'
    agree(made(tmp_path, f'{head}{own}@rule("§1", per="place")\ndef worth({worth}\n'))


def test_a_place_that_starts_from_what_is_shared(tmp_path: Path) -> None:
    rules = WEIGHED.replace(
        '@rule("§1", per="place")\ndef worth(base, factor):\n'
        '    """Of a place."""\n    return base * factor',
        '@rule("§1")\ndef top(entrants, third):\n'
        "    return entrants * third\n\n"
        '@rule("§1", per="place", starts="top")\n'
        "def worth(previous, factor):\n"
        "    return previous / (factor + 1)",
    )
    assert rules != WEIGHED
    agree(made(tmp_path, rules))


def test_a_word_of_an_entrant(tmp_path: Path) -> None:
    rules = (
        WEIGHED.replace(
            'def award(covered_worth, tied):\n    """Shared."""\n    return covered_worth / tied',
            "def award(covered_worth, tied, bonus):\n"
            '    """Shared."""\n    return covered_worth / tied * bonus',
        )
        + '\n@rule("§1", per="entrant")\ndef bonus(mood: str, scale):\n'
        "    return scale[mood]\n"
    )
    moods = [
        replace(
            f,
            standings=tuple(
                replace(s, facts={"mood": "bad" if s.place % 2 else "good"}) for s in f.standings
            ),
        )
        for f in FIELDS
    ]
    agree(made(tmp_path, rules), moods)
    agree(made(tmp_path, rules))


def test_what_is_per_entrant_asked_per_player_and_a_fact_of_an_entrant(tmp_path: Path) -> None:
    rules = WEIGHED.replace(
        "def weight(strength, sessions",
        "def weight(average, seed, strength, sessions",
    ).replace(
        "power(strength + sessions, third)", "power(strength + average + seed + sessions, third)"
    )
    agree(made(tmp_path, rules), SEEDED)
    agree(made(tmp_path, rules))


def test_without_players_a_fact_of_theirs_is_the_same_for_all(tmp_path: Path) -> None:
    rules = (
        PLACES
        + AWARD
        + '''
@rule("§1", per="place")
def worth(mean_of_strength, place):
    """Of a place."""
    return mean_of_strength / place
'''
    )
    bare = Field(
        {"entrants": Fraction(3), "strength": Fraction(7, 3)},
        tuple(Standing(Entrant(str(i)), i) for i in (1, 2, 3)),
    )
    agree(made(tmp_path, rules), [bare])


def test_an_award_with_no_unit_and_one_that_is_constant(tmp_path: Path) -> None:
    rules = (
        PLACES
        + '''
@rule("§1", rounds=up("whole"))
def fixed(third, whole):
    """Always the same."""
    return third + whole

@rule("§1", per="entrant", rounds=nearest("cent"))
def award(fixed, sum_of_strength):
    """For taking part."""
    return fixed + sum_of_strength
'''
    )
    agree(made(tmp_path, rules))
    agree(made(tmp_path, rules).amend(whole="0"))


def test_a_missing_fact_is_told_and_leaves_nothing_half_done(tmp_path: Path) -> None:
    rules = WEIGHED.replace("def base(place, entrants", "def base(fee, place, entrants")
    toml = TOML + '[inputs.fee]\nabout = "the fee"\n'
    book = made(tmp_path, rules, toml)
    for _ in range(2):
        with pytest.raises(MissingInput, match=r"missing 'fee' \(the fee\)"):
            award_fields(book, FIELDS)
    agree(book, [replace(f, facts={**f.facts, "fee": Fraction(1)}) for f in FIELDS])


def test_a_rule_that_asks_for_what_is_below_it(tmp_path: Path) -> None:
    rules = WEIGHED.replace("def base(place", "def base(average, place")
    with pytest.raises(RulebookError, match="'average' is per entrant, asked per place"):
        award_fields(made(tmp_path, rules), FIELDS)


def test_means_over_players_asked_for_by_places_and_players(tmp_path: Path) -> None:
    """What is the field's is the same for each of its places and of its players."""
    by_place = WEIGHED.replace(
        "def worth(base, factor", "def worth(mean_of_strength, base, factor"
    ).replace("return base * factor", "return base * factor * mean_of_strength")
    agree(made(tmp_path / "place", by_place))
    agree_in_units(made(tmp_path / "place", by_place))
    by_player = WEIGHED.replace(
        "def weight(strength,", "def weight(mean_of_strength, strength,"
    ).replace("power(strength + sessions,", "power(strength + mean_of_strength + sessions,")
    agree(made(tmp_path / "player", by_player))
    by_itself = WEIGHED.replace("tied)", "tied, mean_of_average)")
    by_itself = by_itself.replace("covered_worth / tied", "covered_worth / tied + mean_of_average")
    agree(made(tmp_path / "itself", by_itself))


def test_a_sum_of_what_players_weigh_per_entrant(tmp_path: Path) -> None:
    rules = WEIGHED.replace(
        "def average(mean_of_strength,",
        "def average(sum_of_weight, mean_of_strength,",
    ).replace("- sum_of_strength + 1", "- sum_of_strength + sum_of_weight")
    rules = rules.replace("covered_worth / tied", "covered_worth / tied + average").replace(
        "covered_worth, tied)",
        "covered_worth, tied, average)",
    )
    agree(made(tmp_path, rules))


def test_how_many_places_pay_may_depend_on_who_plays(tmp_path: Path) -> None:
    rules = WEIGHED.replace(
        PLACES,
        '''
@rule("§1", rounds=down("whole"))
def places(sum_of_strength, whole):
    """As many as they are strong, two at the most."""
    return min(sum_of_strength, whole + whole)
''',
    )
    agree(made(tmp_path, rules))


def test_shapes_met_later_are_worked_out_then(tmp_path: Path) -> None:
    rules = (
        WEIGHED
        + '''
@rule("§1")
def each_session(entrants, sessions):
    """In a session."""
    return entrants / sessions
'''
    )
    rules = rules.replace(
        "covered_worth, tied)",
        "covered_worth, tied, each_session)",
    )
    rules = rules.replace("covered_worth / tied", "covered_worth / tied + each_session")
    book = made(tmp_path, rules)
    played = [field([(9, 3), (7, 7, 1)], sessions=n) for n in (1, 2)]
    agree(book, played)
    agree(book, [*played, field([(9, 3), (7, 1), (5, 5)], sessions=3)])
    with pytest.raises(InputError, match="a division by zero"):
        award_fields(book, [field([(9, 3), (7, 1)], sessions=0)])
    agree(book, [field([(9, 3), (7, 1)], sessions=4)])


def test_a_refusal_too_near_its_limit_is_decided_exactly(tmp_path: Path) -> None:
    rules = (
        WEIGHED
        + '''
@rule("§1")
def root(sum_of_strength, third):
    """The third root."""
    return power(sum_of_strength, third)
'''
    )
    weak = """
[refuses.too_weak]
message = "too weak"
clause = "§1"
if = "root <= whole + whole"
"""
    eight = field([(16, 8), (4, 4)])
    more = field([(16, 8), (4, 5)])
    fewer = field([(16, 8), (4, 3)])
    book = made(tmp_path, rules, TOML + weak)
    assert exactly(book, [eight, fewer]) == [None, None]
    agree(book, [eight, more, fewer])


def test_a_field_that_asks_for_what_only_its_entrants_have(tmp_path: Path) -> None:
    toml = TOML.replace(
        'about = "an entrant\'s seed"\nper = "entrant"\nfirst = 0',
        'about = "an entrant\'s seed"\nper = "entrant"',
    )
    rules = WEIGHED.replace("def factor(sum", "def factor(seed, sum")
    with pytest.raises(RulebookError, match="seed"):
        award_fields(made(tmp_path, rules, toml), SEEDED)


RANKED = (
    PLACES
    + '''
@rule("§1", per="entrant")
def strong(sum_of_strength):
    """An entrant's strength."""
    return sum_of_strength

@rule("§1", rounds=up("cent"))
def factor(mean_of_strength, third):
    """Of the field."""
    return mean_of_strength * third

@rule("§1", per="entrant", rounds=down("cent"))
def award(rank_of_strong, factor, tied):
    """By strength alone."""
    return factor / rank_of_strong / tied
'''
)
WEAK = """
[refuses.weak]
message = "weak"
clause = "§1"
per = "player"
if = "strength < whole"
"""
LEVEL = [
    field([(9, 3), (6, 6), (12,), (4, 4, 4), (20,), (1, 1)]),
    field([(1,), (2,), (2,), (3, 4)], {2: 2}),
]


def test_ranks_and_roundings_up_and_down(tmp_path: Path) -> None:
    book = made(tmp_path, RANKED)
    agree(book)
    agree(book, LEVEL)
    agree_in_units(book, LEVEL)


def test_what_is_too_large_to_be_remembered_is_worked_out_each_time(tmp_path: Path) -> None:
    """Facts about the largest that is remembered, in fields of 1 to 5 players, twice."""
    book, edge = made(tmp_path, WEIGHED), 2**23
    near = [(edge,), (edge + 1, edge - 1), (4 * edge, 3, edge), (edge, 2**33)]
    fields = [field([own, (5, 4), (1,)][: 1 + k % 3]) for k, own in enumerate((*near, *near))]
    agree_in_units(book, fields)
    agree_in_units(book, fields[::-1])


def test_what_differs_from_field_to_field_is_remembered_for_some_and_right_for_all(
    tmp_path: Path,
) -> None:
    """Twice as many lengths of an event as have a row in the memory, each of them twice."""
    book = made(tmp_path, WEIGHED)
    fields = [
        field([(9, 3), (7, 7, 1), (5,)], sessions=sessions)
        for sessions in (*range(1, 16 + 1), *range(16, 0, -1))
    ]
    agree_in_units(book, fields)
    agree_in_units(book, fields[::-1])


def test_who_is_refused_by_player_is_left_out(tmp_path: Path) -> None:
    agree(made(tmp_path / "all", WEIGHED))
    agree(made(tmp_path / "some", WEIGHED, TOML + WEAK))
    agree(made(tmp_path / "some", WEIGHED, TOML + WEAK), LEVEL)


@pytest.mark.parametrize(
    ("rules", "toml"),
    [(WEIGHED, TOML), (RANKED, TOML), (WEIGHED, TOML + WEAK)],
    ids=["sums", "ranks", "weak"],
)
def test_words_nobody_reads_are_not_missed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rules: str, toml: str
) -> None:
    """Of many players only the first has the words how its quantity was got."""
    book = made(tmp_path, rules, toml)
    short = [award(book, each) for each in (*FIELDS, *LEVEL)]
    monkeypatch.setattr(Working, "bare_step", Working.step)
    assert short == [award(book, each) for each in (*FIELDS, *LEVEL)]


def test_a_whole_unit_is_rounded_to(tmp_path: Path) -> None:
    rules = WEIGHED.replace(
        'rounds=nearest("cent"))\ndef factor', 'rounds=up("whole"))\ndef factor'
    )
    assert rules.count('up("whole")') == 1
    agree(made(tmp_path, rules, TOML + WEAK))


def test_what_needs_nothing_is_tabulated_once(tmp_path: Path) -> None:
    rules = WEIGHED.replace("tied)", "tied, fixed)").replace(
        "covered_worth / tied", "covered_worth / tied + fixed"
    )
    fixed = '\n@rule("§1")\ndef fixed():\n    return Fraction(7, 2)\n'
    agree(made(tmp_path, f"from fractions import Fraction\n{rules}{fixed}"))


@pytest.mark.parametrize("sign", [">=", "<="])
def test_near_a_limit_either_side_is_unsure(tmp_path: Path, sign: str) -> None:
    """The third root of 8 as a float may be a hair below 2, or above."""
    rules = (
        WEIGHED
        + '''
@rule("§1", per="player")
def root_of_one(strength, third):
    """The third root of a player's."""
    return power(strength, third)

@rule("§1")
def root(sum_of_root_of_one):
    """Of all together."""
    return sum_of_root_of_one
'''
    )
    far = f"""
[refuses.too_far]
message = "too far"
clause = "§1"
if = "root {sign} whole + whole"
"""
    book = made(tmp_path, rules, TOML + far)
    eight = [field([(32,), (0, 0)]), field([(1,), (1,)]), field([(160,), (4,)])]
    agree(book, [*eight, replace(eight[0], facts={"entrants": Fraction(2)})])


TWO_SUMS = WEIGHED.replace(
    "def factor(sum_of_weight,",
    "def factor(sum_of_weight, mean_of_weight,",
).replace("return sum_of_weight /", "return mean_of_weight * 3 + sum_of_weight /")
OF_THE_FIELD = (
    WEIGHED.replace("strength, sessions", "strength, heads").replace(
        "power(strength + sessions, third)", "strength * heads + third"
    )
    + '''
@rule("§1")
def heads(count_of_strength):
    """How many."""
    return count_of_strength
'''
)
ROUNDED = WEIGHED.replace(
    '@rule("§1", per="player")', '@rule("§1", per="player", rounds=down("whole"))'
).replace("power(strength + sessions, third)", "strength - sessions + power(third, third) * 0")


@pytest.mark.parametrize(
    "rules", [TWO_SUMS, OF_THE_FIELD, ROUNDED], ids=["two sums", "of the field", "rounded"]
)
def test_what_depends_on_more_than_a_fact_is_not_remembered(tmp_path: Path, rules: str) -> None:
    assert rules != WEIGHED
    book = made(tmp_path, rules)
    fields = [*FIELDS, *FIELDS[::-1], field([(9, 3), (7, 1), (5, 5), (9,)])]
    for _ in range(2):
        agree_in_units(book, fields)


def test_a_doubt_about_a_player_is_not_remembered_away(tmp_path: Path) -> None:
    """At a limit a float cannot say on which side it lies, and a later rule may hide that."""
    near = WEIGHED.replace(
        "strength, sessions, third",
        "strength, whole, third",
    )
    near = near.replace(
        "power(strength + sessions, third)", "third if power(strength, third) <= whole else whole"
    )
    near = near.replace(
        'count_of_average):\n    """Of the field."""\n'
        "    return sum_of_weight / count_of_strength + count_of_average",
        "count_of_average, whole):\n"
        '    """Of the field."""\n'
        "    if sum_of_weight > whole:\n        return sum_of_weight\n"
        "    return count_of_average",
    )
    assert near.count("<= whole else") == near.count("return count_of_average") == 1
    book, fields = made(tmp_path, near), [field([(4, 9), (4,), (8, 8)]), field([(4, 4), (4, 8)])]
    for _ in range(2):
        agree_in_units(book, fields)
