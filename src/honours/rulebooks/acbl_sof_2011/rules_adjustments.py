"""ACBL's strength of field award system of 2011: strata, flights, brackets and sessions."""

from honours.engine.rules import nearest, rule

BASIC = "Basic SOF Formula"
ADJUSTMENTS = "Adjustments to Basic Formula"
SESSIONS = "Session Awards"

# --- adjustments to the basic formula -------------------------------------------------------


@rule(ADJUSTMENTS, when={"structure": "open"}, defines="adjusted_award")
def award_of_open_event(formula_award):
    """The whole field's award for first place."""
    return formula_award


@rule(ADJUSTMENTS, when={"structure": "flight-a"}, defines="adjusted_award")
def award_of_flight_a(formula_award, flight_a_share):
    """The award for first place in a stand-alone flight A."""
    return flight_a_share * formula_award


@rule(
    ADJUSTMENTS,
    when={"structure": "bracket", "bracket_uplift": "fraction"},
    defines="adjusted_award",
)
def award_of_bracket(formula_award, bracket_rate, strength, bracket_from):
    """The award for first place in a bracket, raised by a fraction."""
    return formula_award * (1 + bracket_rate * max(strength - bracket_from, 0))


@rule(
    ADJUSTMENTS,
    when={"structure": "bracket", "bracket_uplift": "masterpoints"},
    defines="adjusted_award",
)
def award_of_bracket_in_masterpoints(formula_award, bracket_rate, strength, bracket_from):
    """The award for first place in a bracket, raised by masterpoints."""
    return formula_award + bracket_rate * max(strength - bracket_from, 0)


@rule(ADJUSTMENTS, per="entrant")
def a_only_order(capped_holding, in_top_stratum):
    """Ranks the entrants of the top stratum above all others, even those without points."""
    return (capped_holding + 1) * in_top_stratum


@rule(ADJUSTMENTS, per="entrant")
def a_only_counted(rank_of_a_only_order, highest, in_top_stratum):
    """1 for the highest pairs or teams of the top stratum, 0 for all others."""
    return max(min(highest + 1 - rank_of_a_only_order, 1), 0) * in_top_stratum


@rule(ADJUSTMENTS, per="entrant")
def a_only_holding(capped_holding, a_only_counted):
    """What of an entrant's holdings goes into the top stratum's average."""
    return capped_holding * a_only_counted


@rule(ADJUSTMENTS, per="entrant")
def a_only_players(count_of_masterpoints, a_only_counted):
    """How many of an entrant's players go into the top stratum's average."""
    return count_of_masterpoints * a_only_counted


@rule(ADJUSTMENTS)
def a_only_average_masterpoints(sum_of_a_only_holding, sum_of_a_only_players):
    """Average masterpoints per player of the top stratum alone."""
    return sum_of_a_only_holding / max(sum_of_a_only_players, 1)


@rule(ADJUSTMENTS)
def a_only_tables(sum_of_in_top_stratum, entrants_per_table):
    """The tables that the entrants of the top stratum alone would fill."""
    return sum_of_in_top_stratum / entrants_per_table


@rule(ADJUSTMENTS)
def a_only_basic_value(
    a_only_average_masterpoints,
    thousand,
    join,
    a_only_tables,
    most_tables,
    lower_s,
    lower_constant,
    lower_table_s,
    lower_table_constant,
    upper_s,
    upper_constant,
    upper_table_s,
    upper_table_constant,
):
    """The basic value of the top stratum's own entrants and tables."""
    if a_only_average_masterpoints <= join:
        return (
            lower_s * (a_only_average_masterpoints / thousand)
            + lower_constant
            + min(a_only_tables, most_tables)
            / most_tables
            * (lower_table_s * (a_only_average_masterpoints / thousand) + lower_table_constant)
        )
    return (
        upper_s * (a_only_average_masterpoints / thousand)
        + upper_constant
        + min(a_only_tables, most_tables)
        / most_tables
        * (upper_table_s * (a_only_average_masterpoints / thousand) + upper_table_constant)
    )


@rule(ADJUSTMENTS)
def a_only_award(a_only_basic_value, minimum_basic, maximum_basic, scale, minimum_scaled):
    """The stand-alone award of the top stratum."""
    return max(min(max(a_only_basic_value, minimum_basic), maximum_basic) * scale, minimum_scaled)


@rule(ADJUSTMENTS, when={"comparison": "overall", "stratum_kind": "none"}, defines="first_overall")
def first_of_event(adjusted_award):
    """First overall, unrounded."""
    return adjusted_award


@rule(ADJUSTMENTS, when={"comparison": "overall", "stratum_kind": "top"}, defines="first_overall")
def first_of_top_stratum(adjusted_award, top_stratum_share, a_only_award):
    """First overall in the top stratum, unrounded."""
    return max(adjusted_award, top_stratum_share * a_only_award)


@rule(ADJUSTMENTS, when={"comparison": "overall", "stratum_kind": "lower"}, defines="first_overall")
def first_of_lower_stratum(formula_award):
    """First overall in a lower stratum, unrounded: no uplift."""
    return formula_award


@rule(SESSIONS, when={"comparison": "session"}, defines="first_overall")
def first_of_session(formula_award, session_share):
    """First in a session, unrounded: no uplift."""
    return session_share * formula_award


@rule(BASIC, rounds=nearest("award_unit"))
def first_place(first_overall):
    """The award for first place."""
    return first_overall
