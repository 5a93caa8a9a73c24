"""Facts of an event, its sessions and matches, and of a ranking list."""

from __future__ import annotations

from honours.model.facts import Fact, Subject, Supplier

FORMS = ("session", "stages", "swiss", "round-robin", "knock-out", "matches")
"""How an event is put together, as its results show."""

_FILE, _SCORER = Supplier.FILE, Supplier.SCORER
_PERSON = Supplier.PERSON
_SAID = (_FILE, _PERSON)
_SHOWN = (_SCORER, _PERSON)
_EITHER = (_FILE, _SCORER, _PERSON)
_YES_NO = ("yes", "no")

EVENT = (
    Fact("title", "What the event is called.", Subject.EVENT, "text", _SAID),
    Fact("date", "The day it was played, or the last of several.", Subject.EVENT, "date", _SAID),
    Fact("club", "The club whose event it is.", Subject.EVENT, "text", _SAID),
    Fact(
        "kind",
        "What competes: pairs, individuals or teams.",
        Subject.EVENT,
        "word",
        _EITHER,
        words=("pairs", "individual", "teams"),
    ),
    Fact(
        "scoring",
        "How a board is scored.",
        Subject.EVENT,
        "word",
        _EITHER,
        words=("matchpoints", "cross-imps", "butler", "imps", "board-a-match"),
    ),
    Fact(
        "form",
        "How the event is put together: one session, several stages, a Swiss, a round robin, "
        "a knock-out, or matches of no known order.",
        Subject.EVENT,
        "word",
        _EITHER,
        words=FORMS,
    ),
    Fact(
        "winners",
        "How many win a pairs event: 1 with one ranking, 2 where each line has its own.",
        Subject.EVENT,
        "word",
        _EITHER,
        words=("1", "2"),
    ),
    Fact(
        "limit",
        "The upper masterpoint limit of the event; left out when there is none.",
        Subject.EVENT,
        "number",
        _SAID,
        "masterpoints",
    ),
    Fact("sessions", "How many sessions were played.", Subject.EVENT, "count", _SHOWN, "sessions"),
    Fact(
        "lines", "How many lines the results keep apart.", Subject.EVENT, "count", _SHOWN, "lines"
    ),
    Fact(
        "sections",
        "How many sections it was played in.",
        Subject.EVENT,
        "count",
        _SHOWN,
        "sections",
    ),
    Fact(
        "field_entrants",
        "How many pairs, teams or players took part, all lists together.",
        Subject.EVENT,
        "count",
        _SHOWN,
        "entrants",
    ),
    Fact("players_present", "How many people played.", Subject.EVENT, "count", _SHOWN, "players"),
    Fact(
        "boards",
        "Boards that a player was to play over the whole event.",
        Subject.EVENT,
        "count",
        _SHOWN,
        "boards",
    ),
    Fact(
        "matches",
        "Matches that each entrant was to play.",
        Subject.EVENT,
        "count",
        _SHOWN,
        "matches",
    ),
    Fact(
        "game",
        "What a club game is played for: a regular game, a qualifying one, a championship.",
        Subject.EVENT,
        "text",
        _SAID,
    ),
    Fact("class", "The class of the event in its body's own list.", Subject.EVENT, "text", _SAID),
    Fact("pupils", "Whether it is a game for pupils.", Subject.EVENT, "word", _SAID, words=_YES_NO),
    Fact(
        "membership",
        "To whom a club game is open.",
        Subject.EVENT,
        "word",
        _SAID,
        words=("open", "invitational", "newcomer"),
    ),
    Fact("strata", "Its strata, the highest first.", Subject.EVENT, "text", _SAID),
    Fact(
        "lowest_limit",
        "The lowest upper limit of any stratum below the top one.",
        Subject.EVENT,
        "number",
        _SAID,
        "masterpoints",
    ),
    Fact("limit_b", "The upper limit of the second stratum.", Subject.EVENT, "number", _SAID),
    Fact("limit_c", "The upper limit of the third stratum.", Subject.EVENT, "number", _SAID),
    Fact(
        "added_tables",
        "Tables of a concurrent game that the event is credited with.",
        Subject.EVENT,
        "count",
        _SAID,
        "tables",
    ),
    Fact("rounds", "Rounds of the event, where they are told.", Subject.EVENT, "count", _SHOWN),
    Fact(
        "everybody_in_every_session",
        "Whether everybody played in every session or stage.",
        Subject.EVENT,
        "word",
        _SHOWN,
        words=_YES_NO,
    ),
    Fact(
        "complete",
        "Whether everybody played every board or round of the movement.",
        Subject.EVENT,
        "word",
        _SHOWN,
        words=_YES_NO,
    ),
    Fact(
        "handicapped",
        "Whether entrants have handicaps, for the club's prizes.",
        Subject.EVENT,
        "word",
        _SHOWN,
        words=_YES_NO,
    ),
    Fact(
        "handicap_stones",
        "How many games of a go tournament were given handicap stones.",
        Subject.EVENT,
        "count",
        (_FILE,),
        "games",
    ),
    Fact(
        "placing",
        "The criterion that places the players of a go tournament first of all.",
        Subject.EVENT,
        "word",
        (_FILE, _SCORER),
        words=("wins", "mcmahon", "other"),
    ),
)

PARTS = (
    Fact(
        "boards_per_session",
        "Boards that a player was to play in each session, where all are equally long.",
        Subject.SESSION,
        "count",
        _SHOWN,
        "boards",
    ),
    Fact(
        "stage_boards",
        "Boards of the shortest session or stage.",
        Subject.SESSION,
        "count",
        _SHOWN,
        "boards",
    ),
    Fact(
        "boards_of_sessions",
        "Boards of every session in order, as 26+20.",
        Subject.SESSION,
        "text",
        _SHOWN,
        "boards",
    ),
    Fact(
        "boards_per_match",
        "Boards of each match, where all are equally long; else of the shortest.",
        Subject.MATCH,
        "count",
        _EITHER,
        "boards",
    ),
)

LISTS = (
    Fact("entrants", "Entrants in the ranking list.", Subject.LIST, "count", _SHOWN, "entrants"),
    Fact(
        "line",
        "The line that the list is of, or that an entrant sat in.",
        Subject.LIST,
        "word",
        _EITHER,
        words=("NS", "EW"),
        spellings=("direction", "dir", "nsew", "field"),
    ),
    Fact(
        "all_lines",
        "Entrants of all lines together.",
        Subject.LIST,
        "count",
        (_SCORER,),
        "entrants",
    ),
    Fact(
        "ranking_basis",
        "What the list ranks by: scores as they were made, scores with handicaps, or scores within "
        "strata.",
        Subject.LIST,
        "word",
        _SAID,
        words=("unadjusted", "handicapped", "stratified"),
    ),
    Fact(
        "stratum_limit",
        "The upper masterpoint limit of a stratum.",
        Subject.LIST,
        "number",
        _SAID,
        "masterpoints",
        each="stratum",
    ),
    Fact("stratum_level", "A stratum by number, 0 the top one.", Subject.LIST, "count", (_SCORER,)),
    Fact(
        "stratum_entrants",
        "Entrants that are eligible in a stratum, all lines and sections together.",
        Subject.LIST,
        "count",
        (_SCORER,),
        "entrants",
    ),
    Fact(
        "section",
        "The section that the list is of, or that an entrant sat in, by its name.",
        Subject.LIST,
        "text",
        _EITHER,
        spellings=("sect", "sec"),
    ),
    Fact(
        "section_kind",
        "Whether a section of a go tournament is open, or played with handicap stones.",
        Subject.LIST,
        "word",
        _SAID,
        words=("open", "handicapped"),
    ),
    Fact(
        "stratum",
        "The stratum that the list is of, or that an entrant is in, by its name.",
        Subject.LIST,
        "text",
        _SAID,
        spellings=("strat", "strata", "category"),
    ),
    Fact(
        "stratum_kind",
        "Whether the list is of an event without strata, of the top stratum or of a lower one.",
        Subject.LIST,
        "word",
        _SHOWN,
        words=("none", "top", "lower"),
    ),
    Fact(
        "session",
        "The session that the list is of.",
        Subject.LIST,
        "text",
        _EITHER,
        spellings=("sess", "sessionnumber", "evening"),
    ),
)
