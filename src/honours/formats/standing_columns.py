"""The columns that a table of standings may have, in the words people head them with."""

from __future__ import annotations

from honours.formats.vocabulary import Vocabulary
from honours.model.vocabulary import VOCABULARY

AWARDED = ("award", "awarded under")
"""The columns in which a table tells what was awarded, and under what."""

_FACTS = (
    "masterpoints",
    "rating",
    "percentage",
    "place",
    "line",
    "stratum",
    "section",
    "session",
    "won",
    "drawn",
    "handicap",
)
"""Facts that a reader of standings does more with than hand them on."""

_BEFORE_HANDICAPS = (
    "unadjustedscore",
    "unadjusted%",
    "unadjustedpercentage",
    "raw",
    "raw%",
    "rawscore",
    "rawpercentage",
    "scratch",
    "scratch%",
    "scratchscore",
    "scorebeforehandicap",
    "beforehandicap",
)
"""A score as it was made, beside one that a handicap was added to."""

COLUMNS = Vocabulary(
    spellings={
        "entrant": (
            "pair",
            "pairno",
            "pairnumber",
            "pairnr",
            "team",
            "teamno",
            "teamnumber",
            "no",
            "nr",
            "#",
            "id",
            "entrantid",
        ),
        "title": ("name", "teamname", "pairname"),
        "players": ("names", "members", "playernames", "player", "spieler", "joueurs"),
        "number": (
            "numbers",
            "membernumber",
            "memberno",
            "memberid",
            "playernumber",
            "acblnumber",
            "ebunumber",
            "sbunumber",
            "agaid",
            "egfpin",
            "licence",
        ),
        **{name: VOCABULARY[name].spellings for name in _FACTS},
        "boards": VOCABULARY["boards_played"].spellings,
        # Of a list that somebody typed, its points are what it is by.
        "score": ("points", *VOCABULARY["score"].spellings),
        "unadjusted": _BEFORE_HANDICAPS,
        "group": ("comparison", "flight", "bracket", "pool"),
        "event": ("eventid", "eventname"),
        "date": ("day", "played", "playedon", "datum"),
        "club": ("clubname",),
    },
    numbered={
        "player": ("name", "playername", "member", "spieler", "joueur"),
        "number": (
            "membernumber",
            "memberno",
            "playernumber",
            "id",
            "playerid",
            "no",
            "acblnumber",
            "ebunumber",
            "memberid",
        ),
        "masterpoints": ("holding", "mps", "mp", "masterpoint", "playermasterpoints"),
        "rating": ("playerrating",),
        "boards": ("boardsplayed", "bds", "playerboards"),
        "round": ("rd", "runde", "ronde", "tour", "game"),
    },
    numeric=frozenset(
        ("score", "percentage", "unadjusted", "masterpoints", "rating", "handicap", "won", "drawn")
    ),
    answers=AWARDED,
)
