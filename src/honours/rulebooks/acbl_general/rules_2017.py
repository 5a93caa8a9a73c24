"""ACBL's general formula as ACBLscore paid it in 2017: what differs from the paper of 2011."""

from honours.engine.rules import nearest, rule

FILES = "ACBLscore files of 2017"
OF_2017 = {"edition": "2017"}


@rule(f"{FILES}, R", when=OF_2017, defines="r_factor")
def r_factor_of_2017(class_, r_factors_2017):
    """R, the classification factor."""
    return r_factors_2017[class_]


@rule(f"{FILES}, M", when=OF_2017, defines="m_factor")
def m_factor_of_2017(
    limit,
    unlimited_m,
    low_m_2017,
    low_slope_2017,
    low_end_2017,
    middle_m_2017,
    middle_slope_2017,
    middle_end_2017,
    high_m_2017,
    high_slope_2017,
):
    """M, the upper masterpoint limit strength factor."""
    if limit == 0:
        return unlimited_m
    if limit <= low_end_2017:
        return low_m_2017 + limit / low_slope_2017
    if limit <= middle_end_2017:
        return middle_m_2017 + limit / middle_slope_2017
    return high_m_2017 + limit / high_slope_2017


@rule(f"{FILES}, T", when=OF_2017, defines="type_factor")
def type_factor_of_2017(kind, type_factors_2017):
    """T, the type of game factor."""
    return type_factors_2017[kind]


@rule(f"{FILES}, ties", when=OF_2017, defines="places")
def places_of_2017(entrants):
    """The places that have a value: those below the paid ones count where a tie covers them."""
    return entrants


@rule(f"{FILES}, places below", per="place", when=OF_2017, rounds=nearest("award_unit"))
def rounded_points(points):
    """What a place is worth, rounded."""
    return points


@rule(f"{FILES}, ties", per="entrant", when=OF_2017, rounds=nearest("award_unit"))
def shared_points(covered_rounded_points, tied):
    """Those who tie share the rounded awards of the places they cover, the unpaid ones too."""
    return covered_rounded_points / tied


@rule(f"{FILES}, ties", per="entrant", when=OF_2017, defines="award")
def award_of_2017(place, paid_places, shared_points):
    """What each player is awarded."""
    return 0 if place > paid_places else shared_points


@rule(f"{FILES}, places below", per="place", when=OF_2017)
def paid_points(rounded_points, place, paid_places):
    """What a place is paid."""
    return rounded_points if place <= paid_places else 0


@rule(f"{FILES}, places below", when=OF_2017, defines="total", rounds=nearest("award_unit"))
def total_of_2017(sum_of_paid_points):
    """All paid places together."""
    return sum_of_paid_points
