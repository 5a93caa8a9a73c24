"""ACBL's strength of field award system of 2011: strata, flights, brackets and sessions."""

from __future__ import annotations

from honours.engine.numbers import up_to
from honours.engine.rules import Number, nearest, rule

BASIC = "Basic SOF Formula"
ADJUSTMENTS = "Adjustments to Basic Formula"
SESSIONS = "Session Awards"

# --- adjustments to the basic formula -------------------------------------------------------


@rule(ADJUSTMENTS, when={"structure": "open"}, defines="adjusted_award")
def award_of_open_event(formula_award: Number) -> Number:
    """The whole field's award for first place."""
    return formula_award


@rule(ADJUSTMENTS, when={"structure": "flight-a"}, defines="adjusted_award")
def award_of_flight_a(formula_award: Number, flight_a_share: Number) -> Number:
    """The award for first place in a stand-alone flight A."""
    return flight_a_share * formula_award


@rule(
    ADJUSTMENTS,
    when={"structure": "bracket", "bracket_uplift": "fraction"},
    defines="adjusted_award",
)
def award_of_bracket(
    formula_award: Number, bracket_rate: Number, strength: Number, bracket_from: Number
) -> Number:
    """The award for first place in a bracket, raised by a fraction."""
    return formula_award * (1 + bracket_rate * max(strength - bracket_from, 0))


@rule(
    ADJUSTMENTS,
    when={"structure": "bracket", "bracket_uplift": "masterpoints"},
    defines="adjusted_award",
)
def award_of_bracket_in_masterpoints(
    formula_award: Number, bracket_rate: Number, strength: Number, bracket_from: Number
) -> Number:
    """The award for first place in a bracket, raised by masterpoints."""
    return formula_award + bracket_rate * max(strength - bracket_from, 0)


@rule(ADJUSTMENTS, per="entrant")
def a_only_order(capped_holding: Number, in_top_stratum: Number) -> Number:
    """Ranks the entrants of the top stratum above all others, even those without points."""
    return (capped_holding + 1) * in_top_stratum


@rule(ADJUSTMENTS, per="entrant")
def a_only_counted(rank_of_a_only_order: Number, highest: Number, in_top_stratum: Number) -> Number:
    """1 for the highest pairs or teams of the top stratum, 0 for all others."""
    return max(min(highest + 1 - rank_of_a_only_order, 1), 0) * in_top_stratum


@rule(ADJUSTMENTS, per="entrant")
def a_only_holding(capped_holding: Number, a_only_counted: Number) -> Number:
    """What of an entrant's holdings goes into the top stratum's average."""
    return capped_holding * a_only_counted


@rule(ADJUSTMENTS, per="entrant")
def a_only_players(count_of_masterpoints: Number, a_only_counted: Number) -> Number:
    """How many of an entrant's players go into the top stratum's average."""
    return count_of_masterpoints * a_only_counted


@rule(ADJUSTMENTS)
def a_only_average_masterpoints(
    sum_of_a_only_holding: Number, sum_of_a_only_players: Number
) -> Number:
    """Average masterpoints per player of the top stratum alone."""
    return sum_of_a_only_holding / max(sum_of_a_only_players, 1)


@rule(ADJUSTMENTS)
def a_only_tables(sum_of_in_top_stratum: Number, entrants_per_table: Number) -> Number:
    """The tables that the entrants of the top stratum alone would fill."""
    return sum_of_in_top_stratum / entrants_per_table


@rule(ADJUSTMENTS)
def a_only_basic_value(
    a_only_average_masterpoints: Number,
    thousand: Number,
    join: Number,
    a_only_tables: Number,
    most_tables: Number,
    lower_s: Number,
    lower_constant: Number,
    lower_table_s: Number,
    lower_table_constant: Number,
    upper_s: Number,
    upper_constant: Number,
    upper_table_s: Number,
    upper_table_constant: Number,
) -> Number:
    """The basic value of the top stratum's own entrants and tables."""
    return up_to(
        a_only_average_masterpoints,
        join,
        lower_s * (a_only_average_masterpoints / thousand)
        + lower_constant
        + min(a_only_tables, most_tables)
        / most_tables
        * (lower_table_s * (a_only_average_masterpoints / thousand) + lower_table_constant),
        upper_s * (a_only_average_masterpoints / thousand)
        + upper_constant
        + min(a_only_tables, most_tables)
        / most_tables
        * (upper_table_s * (a_only_average_masterpoints / thousand) + upper_table_constant),
    )


@rule(ADJUSTMENTS)
def a_only_award(
    a_only_basic_value: Number,
    minimum_basic: Number,
    maximum_basic: Number,
    scale: Number,
    minimum_scaled: Number,
) -> Number:
    """The stand-alone award of the top stratum."""
    return max(min(max(a_only_basic_value, minimum_basic), maximum_basic) * scale, minimum_scaled)


@rule(ADJUSTMENTS, when={"comparison": "overall", "stratum_kind": "none"}, defines="first_overall")
def first_of_event(adjusted_award: Number) -> Number:
    """First overall, unrounded."""
    return adjusted_award


@rule(ADJUSTMENTS, when={"comparison": "overall", "stratum_kind": "top"}, defines="first_overall")
def first_of_top_stratum(
    adjusted_award: Number, top_stratum_share: Number, a_only_award: Number
) -> Number:
    """First overall in the top stratum, unrounded."""
    return max(adjusted_award, top_stratum_share * a_only_award)


@rule(ADJUSTMENTS, when={"comparison": "overall", "stratum_kind": "lower"}, defines="first_overall")
def first_of_lower_stratum(formula_award: Number) -> Number:
    """First overall in a lower stratum, unrounded: no uplift."""
    return formula_award


@rule(SESSIONS, when={"comparison": "session"}, defines="first_overall")
def first_of_session(formula_award: Number, session_share: Number) -> Number:
    """First in a session, unrounded: no uplift."""
    return session_share * formula_award


@rule(BASIC, rounds=nearest("award_unit"))
def first_place(first_overall: Number) -> Number:
    """The award for first place."""
    return first_overall
