"""The one vocabulary: every fact that readers, scorer, rulebooks and people speak of."""

from __future__ import annotations

from collections.abc import Iterator

from honours.model.facts import Fact, Of, Supplier

FORMS = ("session", "stages", "swiss", "round-robin", "knock-out", "matches")
"""How an event is put together, as its results show."""

_FILE, _SCORER = Supplier.FILE, Supplier.SCORER
_MEMBERS, _PERSON = Supplier.MEMBERS, Supplier.PERSON
_SAID = (_FILE, _PERSON)
_SHOWN = (_SCORER, _PERSON)
_EITHER = (_FILE, _SCORER, _PERSON)
_HELD = (_FILE, _MEMBERS)
YES_NO = ("no", "yes")

EVENT = (
    Fact("title", "What the event is called.", Of.EVENT, "text", _SAID),
    Fact("date", "The day it was played, or the last of several.", Of.EVENT, "date", _SAID),
    Fact("club", "The club whose event it is.", Of.EVENT, "text", _SAID),
    Fact(
        "kind",
        "What competes: pairs, individuals or teams.",
        Of.EVENT,
        "word",
        _EITHER,
        words=("pairs", "individual", "teams"),
    ),
    Fact(
        "scoring",
        "How a board is scored.",
        Of.EVENT,
        "word",
        _EITHER,
        words=("matchpoints", "cross-imps", "butler", "imps", "board-a-match"),
    ),
    Fact(
        "form",
        "How the event is put together: one session, several stages, a Swiss, a round robin, "
        "a knock-out, or matches of no known order.",
        Of.EVENT,
        "word",
        _EITHER,
        words=FORMS,
    ),
    Fact(
        "winners",
        "How many win a pairs event: 1 with one ranking, 2 where each line has its own.",
        Of.EVENT,
        "word",
        _EITHER,
        words=("1", "2"),
    ),
    Fact(
        "limit",
        "The upper masterpoint limit of the event; left out when there is none.",
        Of.EVENT,
        "number",
        _SAID,
        "masterpoints",
    ),
    Fact("sessions", "How many sessions were played.", Of.EVENT, "count", _SHOWN, "sessions"),
    Fact("lines", "How many lines the results keep apart.", Of.EVENT, "count", _SHOWN, "lines"),
    Fact("sections", "How many sections it was played in.", Of.EVENT, "count", _SHOWN, "sections"),
    Fact(
        "field_entrants",
        "How many pairs, teams or players took part, all lists together.",
        Of.EVENT,
        "count",
        _SHOWN,
        "entrants",
    ),
    Fact("players_present", "How many people played.", Of.EVENT, "count", _SHOWN, "players"),
    Fact(
        "boards",
        "Boards that a player was to play over the whole event.",
        Of.EVENT,
        "count",
        _SHOWN,
        "boards",
    ),
    Fact("matches", "Matches that each entrant was to play.", Of.EVENT, "count", _SHOWN, "matches"),
    Fact(
        "game",
        "What a club game is played for: a regular game, a qualifying one, a championship.",
        Of.EVENT,
        "text",
        _SAID,
    ),
    Fact("limit_b", "The upper limit of the second stratum.", Of.EVENT, "number", _SAID),
    Fact("limit_c", "The upper limit of the third stratum.", Of.EVENT, "number", _SAID),
    Fact(
        "added_tables",
        "Tables of a concurrent game that the event is credited with.",
        Of.EVENT,
        "count",
        _SAID,
        "tables",
    ),
    Fact("rounds", "Rounds of the event, where they are told.", Of.EVENT, "count", _SHOWN),
    Fact(
        "everybody_in_every_session",
        "Whether everybody played in every session or stage.",
        Of.EVENT,
        "word",
        _SHOWN,
        words=("yes", "no"),
    ),
    Fact(
        "complete",
        "Whether everybody played every board or round of the movement.",
        Of.EVENT,
        "word",
        _SHOWN,
        words=("yes", "no"),
    ),
    Fact(
        "handicapped",
        "Whether entrants have handicaps, for the club's prizes.",
        Of.EVENT,
        "word",
        _SHOWN,
        words=YES_NO,
    ),
    Fact(
        "handicap_stones",
        "How many games of a go tournament were given handicap stones.",
        Of.EVENT,
        "count",
        (_FILE,),
        "games",
    ),
    Fact(
        "placing",
        "The criterion that places the players of a go tournament first of all.",
        Of.EVENT,
        "word",
        (_FILE, _SCORER),
        words=("wins", "mcmahon", "other"),
    ),
)

PARTS = (
    Fact(
        "boards_per_session",
        "Boards that a player was to play in each session, where all are equally long.",
        Of.SESSION,
        "count",
        _SHOWN,
        "boards",
    ),
    Fact(
        "stage_boards",
        "Boards of the shortest session or stage.",
        Of.SESSION,
        "count",
        _SHOWN,
        "boards",
    ),
    Fact(
        "boards_of_sessions",
        "Boards of every session in order, as 26+20.",
        Of.SESSION,
        "text",
        _SHOWN,
        "boards",
    ),
    Fact(
        "boards_per_match",
        "Boards of each match, where all are equally long; else of the shortest.",
        Of.MATCH,
        "count",
        _EITHER,
        "boards",
    ),
)

LISTS = (
    Fact("entrants", "Entrants in the ranking list.", Of.LIST, "count", _SHOWN, "entrants"),
    Fact("line", "The line that the list is of.", Of.LIST, "word", _EITHER, words=("NS", "EW")),
    Fact(
        "section",
        "The section that the list is of.",
        Of.LIST,
        "text",
        _EITHER,
        spellings=("sect", "sec"),
    ),
    Fact(
        "stratum",
        "The stratum that the list is of, or that an entrant is in.",
        Of.LIST,
        "text",
        _SAID,
        spellings=("strat", "strata", "category"),
    ),
    Fact(
        "session",
        "The session that the list is of.",
        Of.LIST,
        "text",
        _EITHER,
        spellings=("sess", "sessionnumber"),
    ),
)

ENTRANTS = (
    Fact(
        "boards_played",
        "Boards that an entrant, or one of its players, did play.",
        Of.ENTRANT,
        "count",
        (_FILE, _SCORER),
        "boards",
        spellings=("boards", "bds", "boardcount"),
    ),
    Fact(
        "fewest_boards",
        "Boards that an entrant, or one of its players, played in the stage it played least of.",
        Of.ENTRANT,
        "count",
        (_FILE, _SCORER),
        "boards",
    ),
    Fact(
        "won",
        "Matches won.",
        Of.ENTRANT,
        "count",
        (_FILE, _SCORER),
        "matches",
        spellings=("wins", "matcheswon", "win"),
    ),
    Fact(
        "drawn",
        "Matches drawn.",
        Of.ENTRANT,
        "count",
        (_FILE, _SCORER),
        "matches",
        spellings=("draws", "matchesdrawn", "ties", "draw"),
    ),
    Fact("byes", "Rounds without an opponent.", Of.ENTRANT, "count", (_SCORER,), "rounds"),
    Fact(
        "handicap",
        "What is added to an entrant's score for the club's prizes; no award sees it.",
        Of.ENTRANT,
        "number",
        (_FILE,),
        spellings=("hcp", "hcap", "handicapadjustment"),
    ),
)

PLAYERS = (
    Fact(
        "masterpoints",
        "A player's masterpoint holding at the date of the event.",
        Of.PLAYER,
        "number",
        _HELD,
        "masterpoints",
        spellings=("holding", "holdings", "mps", "mp", "masterpoint", "mptotal"),
    ),
    Fact(
        "rating",
        "A player's rating at the date of the event.",
        Of.PLAYER,
        "number",
        _HELD,
        spellings=("ratings", "elo", "agarating"),
    ),
    Fact(
        "gor",
        "A go player's rating on the scale of the European Go Database.",
        Of.PLAYER,
        "number",
        _HELD,
        spellings=("egfrating", "egdrating"),
    ),
    Fact(
        "grade",
        "A go player's grade by number: 0 for 1 dan, -1 for 1 kyu.",
        Of.PLAYER,
        "number",
        _HELD,
    ),
    Fact(
        "eligible",
        "Whether a player may be given points.",
        Of.PLAYER,
        "word",
        _HELD,
        words=("yes", "no"),
        spellings=("eligibility", "mayhavepoints"),
    ),
    Fact("games_played", "Games of go that a player played.", Of.PLAYER, "count", (_SCORER,)),
    Fact(
        "paid",
        "What a player was paid for the event; no award sees it.",
        Of.PLAYER,
        "number",
        (_FILE,),
        "points",
        spellings=(
            "pointswon",
            "masterpointswon",
            "mpwon",
            "mpswon",
            "mpsearned",
            "award",
            "awarded",
            "pointsawarded",
            "masterpointsawarded",
            "pointspaid",
            "actual",
        ),
    ),
)

VOCABULARY = {
    fact.name: fact for group in (EVENT, PARTS, LISTS, ENTRANTS, PLAYERS) for fact in group
}
"""Every fact by its name."""


def facts_of(about: Of) -> Iterator[Fact]:
    """The facts about one thing, in the order they are declared."""
    return (fact for fact in VOCABULARY.values() if fact.of is about)
