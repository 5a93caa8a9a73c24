"""ACBL's general formula, B × R × S × M × P × T, in the order of the 2011 paper."""

from honours.engine.numbers import log10, row_for
from honours.engine.rules import nearest, rule, up

FORMULA = "The Current Masterpoint System"
BELOW_FIRST = "Overall Awards below First Place"
DEPTH = "Proposal of 2020, P"
OLDER = ("2011", "2020", "2003")
"""The editions but the one of 2017, which is in ``rules_2017.py``."""

# --- the field ------------------------------------------------------------------------------


@rule(f"{DEPTH} (our reading)")
def entrants(tables, kind, entrants_per_table):
    """Those who entered, from the tables they fill."""
    return tables * entrants_per_table[kind]


@rule(f"{FORMULA}, B")
def tables(entrants, kind, entrants_per_table):
    """The tables that the entrants fill."""
    return entrants / entrants_per_table[kind]


# --- the factors ----------------------------------------------------------------------------


@rule(f"{FORMULA}, B")
def table_count_factor(tables, linear_tables, table_offset, table_divisor, logarithm_divisor):
    """B, the table count factor."""
    if tables <= linear_tables:
        return (tables + table_offset) / table_divisor
    return log10(tables / logarithm_divisor)


@rule(f"{FORMULA}, R", when={"edition": "2011"}, defines="r_factor")
def r_factor_of_2011(class_, r_factors_2011):
    """R, the classification factor of the 2011 paper; 0 where it has none."""
    return r_factors_2011.get(class_, 0)


@rule("Proposal of 2020, R", when={"edition": "2020"}, defines="r_factor")
def r_factor_of_2020(class_, r_factors_2020):
    """R, the rating factor of the 2020 proposal; 0 where it has none."""
    return r_factors_2020.get(class_, 0)


@rule("Technical file of 2003, R", when={"edition": "2003"}, defines="r_factor")
def r_factor_of_2003(class_, r_factors_2003):
    """R, the classification factor of the 2003 technical file; 0 where we have none."""
    return r_factors_2003.get(class_, 0)


@rule(f"{FORMULA}, S")
def award_sessions(sessions):
    """The sessions that an award is for."""
    return sessions


@rule(f"{FORMULA}, S")
def sessions_factor(award_sessions, sessions_weight):
    """S, the sessions factor."""
    return sessions_weight * (award_sessions + 1)


@rule(f"{FORMULA}, M", when={"edition": OLDER})
def factor_for_limit(limit, unlimited_m, lower_limit, lower_m, upper_limit, upper_m):
    """The strength factor of a limit, or of none; 0 for a limit above the largest printed one."""
    if limit == 0:
        return unlimited_m
    if limit <= lower_limit:
        return lower_m
    if limit <= upper_limit:
        return lower_m + (upper_m - lower_m) * (limit - lower_limit) / (upper_limit - lower_limit)
    return 0


@rule(f"{FORMULA}, M", when={"edition": OLDER})
def m_factor(factor_for_limit):
    """M, the upper masterpoint limit strength factor."""
    return factor_for_limit


@rule(f"{FORMULA}, P")
def restriction_factor(restrictions, unrestricted_p, one_restriction_p, more_restrictions_p):
    """P, the restriction factor."""
    if restrictions == 0:
        return unrestricted_p
    if restrictions == 1:
        return one_restriction_p
    return more_restrictions_p


@rule(f"{FORMULA}, T", when={"edition": OLDER})
def type_factor(kind, type_factors):
    """T, the type of game factor."""
    return type_factors[kind]


# --- the awards -----------------------------------------------------------------------------


@rule(FORMULA)
def open_award(table_count_factor, r_factor, sessions_factor):
    """First overall of an open event: B × R × S."""
    return table_count_factor * r_factor * sessions_factor


@rule(FORMULA)
def limited_award(open_award, m_factor):
    """First overall under the limit on masterpoints: B × R × S × M."""
    return open_award * m_factor


@rule(FORMULA)
def restricted_award(limited_award, restriction_factor):
    """First overall under other restrictions too: B × R × S × M × P."""
    return limited_award * restriction_factor


@rule(FORMULA)
def first_overall(restricted_award, type_factor):
    """First overall = B × R × S × M × P × T."""
    return restricted_award * type_factor


@rule(FORMULA, rounds=nearest("award_unit"))
def first_place(first_overall):
    """The award for first place."""
    return first_overall


@rule(DEPTH, rounds=up("whole"))
def paid_places(entrants, depth_divisor, depth_of_small_fields):
    """How many places are paid."""
    return max(entrants / depth_divisor, row_for(entrants, depth_of_small_fields))


@rule(DEPTH, when={"edition": OLDER})
def places(paid_places):
    """How many places are paid."""
    return paid_places


@rule(BELOW_FIRST)
def last_share(award_sessions, last_shares):
    """The last place that is a share of the place above."""
    return row_for(award_sessions, last_shares)


@rule(BELOW_FIRST, per="place", starts="first_place")
def points(
    place,
    previous,
    first_place,
    award_sessions,
    last_share,
    share_of_place_above,
    sessions_multiple,
    offset,
):
    """The award of a place, unrounded."""
    if place <= last_share:
        return share_of_place_above * previous
    if award_sessions == 1:
        return first_place / place
    return award_sessions * first_place / (place + sessions_multiple * award_sessions - offset)


@rule(BELOW_FIRST, per="entrant", when={"edition": OLDER}, rounds=nearest("award_unit"))
def award(covered_points, tied):
    """What each player is awarded: those who tie share the places they cover."""
    return covered_points / tied


@rule(
    "Proposal of 2020, columns headed Now, Total",
    when={"edition": OLDER},
    rounds=nearest("award_unit"),
)
def total(sum_of_points):
    """All places together, rounded once, as the columns are totalled."""
    return sum_of_points


# --- the colour -----------------------------------------------------------------------------


@rule(
    "Established practice (our reading)",
    when={"class_": ("sectional", "stac")},
    defines="colour",
)
def silver():
    """The colour of the points."""
    return "silver"


@rule(
    "Established practice (our reading)",
    when={"class_": ("regional", "regional-at-nabc")},
    defines="colour",
)
def gold():
    """The colour of the points."""
    return "gold"


@rule(
    "Established practice (our reading)",
    when={"class_": "national"},
    defines="colour",
)
def platinum():
    """The colour of the points."""
    return "platinum"


@rule(
    "Established practice (our reading)",
    when={"class_": "unit-championship"},
    defines="colour",
)
def black():
    """The colour of the points."""
    return "black"
