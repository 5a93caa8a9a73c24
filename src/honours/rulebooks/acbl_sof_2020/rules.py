"""ACBL strength of field, the 2020 proposal, in the order of its appendix.

The strength of the field cancels in A(1)/T, so the places relative to it depend only on the
number of entrants, the sessions and the kind: ``relative_award`` is that curve, and an award is
R/14 × F × factor times it.
"""

from honours.engine.numbers import each_counted, how_many_counts, power, row_for
from honours.engine.rules import nearest, rounding, rule

PAIRS = {"kind": ("pairs", "individual")}
TEAMS = {"kind": ("teams", "swiss", "board-a-match")}

DEFINED = "Definitions"
FORMULA = "Appendix, The Math"
METHOD = "Methodology"

# --- N', the entrants that count for first place --------------------------------------------


@rule(f"{DEFINED}, N’", when=PAIRS, defines="entrants_for_first")
def pairs_for_first(entrants, pairs_pivot, size_exponent):
    """N’, the number of entrants used for the first place award."""
    if entrants > pairs_pivot:
        return pairs_pivot * power(entrants / pairs_pivot, size_exponent)
    return entrants


@rule(f"{DEFINED}, N’", when=TEAMS, defines="entrants_for_first")
def teams_for_first(entrants, teams_pivot, size_exponent):
    """N’, the number of teams used for the first place award."""
    if entrants > teams_pivot:
        return teams_pivot * power(entrants / teams_pivot, size_exponent)
    return entrants


# --- limits ---------------------------------------------------------------------------------


@rule(f"{DEFINED}, MPc", presumes="asked")
def limit(no_limit):
    """An event whose limit is not given has none."""
    return no_limit


@rule(f"{DEFINED}, MPc")
def stratum_limit(limit):
    """The limit of these entrants' stratum: the event's where there are no strata."""
    return limit


@rule(f"{DEFINED}, S")
def lowest_limit(stratum_limit):
    """The lowest limit of any stratum, as far as is known."""
    return stratum_limit


# --- S, sessions or session equivalents -----------------------------------------------------


@rule(f"{DEFINED}, S", presumes="usual")
def boards_per_session(deals_unless_given):
    """The deals of a session: a full one unless they are given."""
    return deals_unless_given


@rule(f"{DEFINED}, S")
def full_session_deals(
    lowest_limit, no_limit, newer_players_limit, newer_players_deals, full_session_from
):
    """The deals from which a session of this event is a full one."""
    if no_limit < lowest_limit <= newer_players_limit:
        return newer_players_deals
    return full_session_from


@rule(f"{DEFINED}, S")
def session_equivalent(
    boards_per_session,
    full_session_deals,
    full_session_from,
    full_session_to,
    short_session_divisor,
):
    """What a session of so many deals counts."""
    if boards_per_session > full_session_to:
        return boards_per_session / full_session_to
    if boards_per_session >= full_session_deals:
        return 1
    return (boards_per_session + full_session_from) / short_session_divisor


@rule(f"{DEFINED}, S")
def lengths(boards_of_sessions):
    """Whether the sessions are told one by one."""
    return "different" if boards_of_sessions else "equal"


@rule(f"{DEFINED}, S", when={"lengths": "equal"}, defines="session_equivalents")
def equal_sessions(sessions, session_equivalent):
    """S, the number of sessions or session equivalents."""
    return sessions * session_equivalent


@rule(f"{DEFINED}, S", when={"lengths": "different"}, defines="session_equivalents")
def different_sessions(
    boards_of_sessions, full_session_deals, full_session_from, session_scale, newer_session_scale
):
    """S, each session counted by its own deals."""
    if full_session_deals < full_session_from:
        return each_counted(boards_of_sessions, newer_session_scale)
    return each_counted(boards_of_sessions, session_scale)


@rule(f"{DEFINED}, S", when={"lengths": "different"})
def told(boards_of_sessions):
    """The sessions whose deals are told."""
    return how_many_counts(boards_of_sessions)


# --- P, places --------------------------------------------------------------------------------


@rule(f"{DEFINED}, P", rounds=rounding("places_rounding", "whole"))
def quarter_of_field(entrants, paid_share):
    """P as the raw decay uses it: a quarter of the field."""
    return entrants * paid_share


@rule(f"{DEFINED}, P")
def depth_of_small_fields(entrants, depth_table):
    """The places that the depth of field table pays in small fields."""
    return row_for(entrants, depth_table)


@rule(f"{DEFINED}, P")
def places(quarter_of_field, depth_of_small_fields):
    """P, the places receiving overall awards."""
    return max(quarter_of_field, depth_of_small_fields)


# --- R and F ----------------------------------------------------------------------------------


@rule(f"{DEFINED}, R")
def rating_factor(class_, rating_factors):
    """R, the rating factor of the event."""
    return rating_factors[class_]


@rule(f"{DEFINED}, MPc", when={"floor_limit_of": "event"}, defines="floor_limit")
def floor_limit_of_event(limit):
    """The limit that decides whether the floor applies."""
    return limit


@rule(f"{DEFINED}, MPc", when={"floor_limit_of": "stratum"}, defines="floor_limit")
def floor_limit_of_stratum(stratum_limit):
    """The limit that decides whether the floor applies."""
    return stratum_limit


@rule(f"{DEFINED}, MPc")
def masterpoint_floor(floor_limit, no_limit, floor_above, open_floor):
    """The least that a player's holding counts as."""
    if no_limit < floor_limit <= floor_above:
        return 0
    return open_floor


@rule(f"{DEFINED}, MPc", per="player")
def holding_and_eligibility(masterpoints, eligibility_points):
    """MP, a player's holding with any eligibility points."""
    return masterpoints + eligibility_points


@rule(f"{DEFINED}, MPc", per="player")
def corrected_masterpoints(holding_and_eligibility, masterpoint_floor):
    """MPc, a player's corrected masterpoint holding."""
    return max(holding_and_eligibility, masterpoint_floor)


@rule(f"{DEFINED}, F", per="player")
def player_strength(corrected_masterpoints, strength_exponent):
    """What a player adds to the strength of the field."""
    return power(corrected_masterpoints, strength_exponent)


@rule(f"{DEFINED}, F")
def strength_factor(mean_of_player_strength):
    """F, the strength of field factor: the average over all players entered."""
    return mean_of_player_strength


# --- A(1) and T, relative to R/14 × F ---------------------------------------------------------


@rule(f"{FORMULA}, A(1) of pair and individual events", when=PAIRS, defines="relative_first")
def relative_first_of_pairs(
    first_coefficient,
    strength_norm,
    entrants_for_first,
    session_equivalents,
    first_exponent,
    usual_sessions,
    length_exponent,
):
    """A(1) without R/14 × F."""
    return (
        first_coefficient
        / strength_norm
        * power(entrants_for_first * session_equivalents, first_exponent)
        * power(session_equivalents / usual_sessions, length_exponent)
    )


@rule(f"{FORMULA}, A(1) of Swiss and board-a-match events", when=TEAMS, defines="relative_first")
def relative_first_of_teams(
    first_coefficient,
    strength_norm,
    pairs_a_team,
    entrants_for_first,
    session_equivalents,
    first_exponent,
    usual_sessions,
    length_exponent,
):
    """A(1) without R/14 × F, as if the same players were pairs."""
    return (
        first_coefficient
        / strength_norm
        * power(pairs_a_team * entrants_for_first, first_exponent)
        * power(session_equivalents, first_exponent)
        * power(session_equivalents / usual_sessions, length_exponent)
    )


@rule(f"{FORMULA}, T")
def relative_total(total_coefficient, entrants, session_equivalents):
    """T without R/14 × F."""
    return total_coefficient * entrants * session_equivalents


# --- D and the places below first -------------------------------------------------------------


@rule(f"{FORMULA}, D")
def decay(relative_first, relative_total, quarter_of_field, unpaid_allowance):
    """D, the raw decay factor. R/14 × F is in A(1) and in T and cancels."""
    return 1 - relative_first / relative_total * (
        quarter_of_field / (quarter_of_field + unpaid_allowance)
    )


@rule(f"{FORMULA}, D(x)", per="place")
def decay_to(place, decay, decay_power, second_place, places, most_second_share):
    """D(x), the share that this place has of the place above."""
    if place == second_place:
        return min(power(decay, decay_power), most_second_share)
    return power(decay, decay_power * (1 - (place - second_place) / places))


@rule(f"{FORMULA}, A(x)", per="place", starts="relative_first")
def relative_award(previous, decay_to):
    """A(x) without R/14 × F."""
    return previous * decay_to


# --- awards -----------------------------------------------------------------------------------


@rule(f"{METHOD}, other factors; Limited Events")
def factor(factor_for, suggested_factors):
    """The factor on both A(1) and T, 1 unless asked for."""
    return suggested_factors[factor_for]


@rule(f"{FORMULA}, A(1) and T")
def award_scale(rating_factor, regional_rating, strength_factor, factor):
    """R/14 × F and any factor: what multiplies A(1) and T alike."""
    return rating_factor / regional_rating * strength_factor * factor


@rule(f"{FORMULA}, A(x)", per="entrant", rounds=nearest("award_unit"))
def shared_award(award_scale, covered_relative_award, tied):
    """A(x), shared by those who tie."""
    return award_scale * covered_relative_award / tied


@rule("Online Events", per="entrant")
def award(shared_award, least_award):
    """What each player is awarded: nothing below the least award."""
    if shared_award < least_award:
        return 0
    return shared_award


# --- beside the awards ------------------------------------------------------------------------


@rule(f"{FORMULA}, A(1)", rounds=nearest("award_unit"))
def first_award(award_scale, relative_first):
    """A(1), the award for first place."""
    return award_scale * relative_first


@rule(f"{FORMULA}, T", rounds=nearest("award_unit"))
def approximate_total(award_scale, relative_total):
    """T, the approximate total to be awarded in the event."""
    return award_scale * relative_total


@rule("Real-World Examples, the totals", rounds=nearest("award_unit"))
def places_total(award_scale, sum_of_relative_award):
    """What the places add up to, before each is rounded."""
    return award_scale * sum_of_relative_award


@rule(f"{METHOD}, e(MP)", rounds=nearest("award_unit"))
def expected_win(holding, win_coefficient, strength_exponent):
    """What a player with this holding is expected to win in a day of two sessions."""
    return win_coefficient * power(holding, strength_exponent)


# --- the colour -----------------------------------------------------------------------------


@rule(
    "Discussion: “pigmentation is left unchanged” (our reading)",
    when={"class_": ("sectional", "stac")},
    defines="colour",
)
def silver():
    """The colour of the points."""
    return "silver"


@rule(
    "Discussion: “pigmentation is left unchanged” (our reading)",
    when={"class_": ("regional", "regional-at-nabc")},
    defines="colour",
)
def gold():
    """The colour of the points."""
    return "gold"


@rule(
    "Discussion: “pigmentation is left unchanged” (our reading)",
    when={"class_": "national"},
    defines="colour",
)
def platinum():
    """The colour of the points."""
    return "platinum"
