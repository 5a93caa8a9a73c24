"""The columns that a table of standings may have, in the words people head them with."""

from __future__ import annotations

from honours.formats.vocabulary import Vocabulary

AWARDED = ("award", "awarded under")
"""The columns in which a table tells what was awarded, and under what."""

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
        "masterpoints": ("holding", "holdings", "mps", "mp", "masterpoint", "mptotal"),
        "rating": ("ratings", "gor", "elo", "agarating", "egfrating"),
        "score": (
            "total",
            "totalscore",
            "points",
            "vps",
            "vp",
            "victorypoints",
            "imps",
            "matchpoints",
            "result",
            "score%",
            "punkte",
            "mms",
        ),
        "percentage": ("percent", "%", "pct", "perc", "prozent", "pourcentage"),
        "place": ("position", "pos", "rank", "pl", "placing", "platz", "rang", "plaats"),
        "line": ("direction", "dir", "nsew", "field"),
        "stratum": ("strat", "strata", "category"),
        "section": ("sect", "sec"),
        "session": ("sess", "sessionnumber"),
        "boards": ("boardsplayed", "bds", "boardcount"),
        "won": ("wins", "matcheswon", "win"),
        "drawn": ("draws", "matchesdrawn", "ties", "draw"),
        "handicap": ("hcp", "hcap", "handicapadjustment"),
        "group": ("comparison", "flight", "pool"),
        "event": ("eventid", "eventname"),
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
    },
    numeric=frozenset(
        ("score", "percentage", "masterpoints", "rating", "handicap", "won", "drawn")
    ),
    answers=AWARDED,
)
