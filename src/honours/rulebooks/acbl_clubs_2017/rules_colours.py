"""ACBL club games: which colours an award is made of."""

from honours.engine.rules import nearest, rule, up

CLUB_LEVEL = "Files: colours of NAP at club level"
UNIT_LEVEL = "Files: colours of NAP at unit level"
PLAIN = ("club", "club-championship")


@rule("Files: club games are black", per="entrant", when={"game": PLAIN}, defines="gold")
def no_gold():
    """Gold points."""
    return 0


@rule("Files: club games are black", per="entrant", when={"game": PLAIN}, defines="red")
def no_red():
    """Red points."""
    return 0


@rule(CLUB_LEVEL, per="entrant", when={"game": "nap-club"}, defines="gold")
def no_gold_at_club_level():
    """Gold points."""
    return 0


@rule(CLUB_LEVEL, when={"game": "nap-club"})
def red_part(stratum_limit, black_limit, red_share):
    """The part of an award that is red: none in strata of low limits."""
    return 0 if 0 < stratum_limit <= black_limit else red_share


@rule(CLUB_LEVEL, per="entrant", when={"game": "nap-club"}, defines="red", rounds=up("cent"))
def red_at_club_level(award, red_part):
    """Red points: half of the award, the odd cent with them."""
    return award * red_part


@rule(UNIT_LEVEL, when={"game": "nap-unit"})
def gold_share(limit, m_middle_end, gold_shares):
    """The part of an award that is gold, by the limit of the game."""
    if limit == 0:
        return gold_shares["0"]
    return gold_shares["1"] if limit > m_middle_end else gold_shares["2"]


@rule(
    UNIT_LEVEL,
    per="entrant",
    when={"game": "nap-unit", "award_of": "overall"},
    defines="gold",
    rounds=nearest("cent"),
)
def gold_overall(award, gold_share):
    """Gold points."""
    return award * gold_share


@rule(
    UNIT_LEVEL,
    per="entrant",
    when={"game": "nap-unit", "award_of": "section"},
    defines="gold",
    rounds=nearest("cent"),
)
def gold_of_the_first(award, gold_share, place):
    """Gold points: of a section's first alone."""
    return award * gold_share if place == 1 else 0


@rule(UNIT_LEVEL, per="entrant", when={"game": "nap-unit"}, defines="red")
def red_at_unit_level(award, gold):
    """Red points: what is not gold."""
    return award - gold


@rule("Files: colours", per="entrant")
def black(award, gold, red):
    """Black points: the rest."""
    return award - gold - red
