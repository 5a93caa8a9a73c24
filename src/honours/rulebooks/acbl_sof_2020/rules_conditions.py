"""ACBL strength of field, 2020: what is not awarded, and what the reader must be told."""

from honours.engine.rules import notices, refuses

MOTION = "Moved that"
DEFINED = "Definitions"
FORMULA = "Appendix, The Math"

# --- what is covered ------------------------------------------------------------------------


@refuses("events with a knockout phase are excluded", MOTION, when={"kind": "knockout"})
def knockout():
    return True


@refuses("STaCs are excluded", MOTION, when={"kind": "stac"})
def sectional_at_clubs():
    return True


@refuses(
    "STaCs are excluded, though the list of rating factors has {rating_factor} for them",
    MOTION,
    when={"class_": "stac"},
)
def stac_class(rating_factor):
    return True


@refuses(
    "the Grand National Teams have an arbitrary first place award: excluded",
    MOTION,
    when={"kind": "grand-national-teams"},
)
def grand_national_teams():
    return True


@refuses(
    "events with an arbitrary first place award are excluded", MOTION, when={"kind": "fixed-award"}
)
def fixed_award():
    return True


@refuses("{places} places cannot be paid to {entrants} entrants", f"{DEFINED}, P")
def more_places_than_entrants(places, entrants):
    return places > entrants


@notices(
    "the formulas are headed “Regional and Sectional”; the list of rating factors also has "
    "this class, so it is awarded with its {rating_factor}",
    FORMULA,
    when={"class_": ("regional-at-nabc", "national")},
)
def other_class(rating_factor):
    return True


@notices(
    "{places} places were given; they are also P in the exponent, while the raw decay keeps "
    "a quarter of the field, {quarter_of_field}",
    f"{DEFINED}, P (our reading)",
)
def places_given(places, quarter_of_field, depth_of_small_fields):
    return places != max(quarter_of_field, depth_of_small_fields)


@notices(
    "each stratum is an event of the entrants eligible in it; an entrant gets the best award "
    "it earns in any",
    "Real-World Examples, stratum awards (our reading)",
    when={"stratum_kind": ("top", "lower")},
)
def best_of_strata():
    return True


@notices(
    "the factor suggested for limited games was asked for, but no limit was given",
    "Limited Events",
    when={"factor_for": "limited-and-concurrent"},
)
def limited_without_limit(limit, no_limit):
    return limit == no_limit
