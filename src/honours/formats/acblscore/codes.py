"""The words for ACBLscore's codes."""

from __future__ import annotations

from types import MappingProxyType

EVENT_TYPES = MappingProxyType(
    {
        0: "Pairs",
        1: "Teams",
        2: "Individual",
        3: "Home Style Pairs",
        4: "BAM",
        5: "Series Winner",
    }
)
SCORINGS = MappingProxyType(
    {
        0: "Matchpoints",
        1: "IMPs with computed datum",
        2: "Average IMPs",
        3: "Total IMPs",
        4: "Instant Matchpoints",
        5: "BAM Teams",
        6: "Win/Loss",
        7: "Victory Points",
        8: "Knockout",
        9: "ZIP knockout",
        10: "Series Winner",
        13: "IMPs with predetermined datum",
        14: "Double matchpoints",
        15: "Total points",
        16: "BAM Matchpoints",
        18: "Compact KO",
    }
)
RATINGS = MappingProxyType(
    {
        0: "No Masterpoints",
        1: "Club Masterpoint",
        2: "Club Championship",
        3: "Charity Club Championship",
        4: "Unit Championship",
        5: "Sectional",
        6: "Regional",
        7: "Club International Fund",
        8: "Club Membership",
        12: "Upgraded Club Championship",
        14: "STAC",
        15: "National",
        16: "Bridge Plus",
        17: "Progressive Sectional",
        18: "Unit Charity Game",
        19: "Unit Extended Team Game",
        20: "NAP Club Level",
        21: "NAP Unit Level",
        22: "GNT Club Level",
        23: "GNT Unit Level",
        24: "ACBL Wide Charity",
        25: "ACBL Wide International Fund",
        27: "Canada Wide Olympiad",
        28: "World Wide Instant Matchpoints",
        29: "ACBL Wide Instant Matchpoints",
        30: "Junior Fund",
        32: "ACBL Wide Senior",
        33: "COPC Club Level",
        34: "CNTC Master/Non Master",
        35: "CNTC Club Level",
        36: "CNTC Unit Level",
        37: "CWTC",
        38: "Canada Rookie/Master",
        39: "Inter-Club Championship",
        40: "Unit Wide Championship",
        43: "Club Appreciation",
        49: "Club Appreciation Team",
        50: "NABC Fund Raiser",
        51: "GNT Fund Raiser",
        52: "CNTC Fund Raiser",
        55: "Club Education Foundation",
        56: "Unit International Fund",
        57: "Club Membership",
        58: "Unit Education Fund",
        63: "Grass Roots Fund",
    }
)
MOVEMENTS = MappingProxyType(
    {
        0: "Mitchell",
        1: "Howell",
        2: "Web",
        3: "External",
        4: "External BAM",
        5: "Barometer",
        6: "Manual Mitchell",
        7: "Manual Howell",
    }
)
COLOURS = MappingProxyType({0: "", 1: "B", 2: "S", 3: "R", 4: "G", 5: "P"})
COLOUR_WORDS = MappingProxyType(
    {"B": "black", "S": "silver", "R": "red", "G": "gold", "P": "platinum"}
)
CLASSES = MappingProxyType(
    {
        4: "unit-championship",
        5: "sectional",
        6: "regional",
        14: "stac",
        15: "national",
        17: "sectional",
        40: "unit-championship",
    }
)
"""Ratings that are a classification of a tournament in the ACBL's own lists of factors."""
NEAREST_CLASSES = MappingProxyType(dict.fromkeys((20, 21, 22, 23), "sectional"))
"""Qualifying games of national events, which no list has: what they awarded in 2017 comes out with
a factor of 9, and sectional events, with 10 or 11, are the nearest."""
GAMES = MappingProxyType({1: "club", 2: "club-championship", 20: "nap-club", 21: "nap-unit"})
"""Ratings that are a kind of game, by the words of the fact ``game``."""
PUPILS = 47
"""In no list; two games of the type Pupil had it."""
