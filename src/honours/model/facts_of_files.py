"""What files say beside what was played: their own reckoning, and how they are to be read.

No award is made from any of these. What a file's program worked out is kept under ``published``
of an entrant or a line of a traveller, to compare with; lines of a go file's head that only such a
file has are kept to be written again.
"""

from __future__ import annotations

from honours.model.facts import Fact, FactType, Subject, Supplier

_FILE = (Supplier.FILE,)
_SCORED = (Supplier.FILE, Supplier.SCORER)


def _published(name: str, meaning: str, type_: FactType = "number", each: str = "") -> Fact:
    return Fact(f"published.{name}", meaning, Subject.PUBLISHED, type_, _FILE, each=each)


def _in_file(name: str, meaning: str, type_: FactType = "text", each: str = "") -> Fact:
    return Fact(name, meaning, Subject.FILE, type_, _FILE, each=each)


def _criterion(name: str, meaning: str) -> Fact:
    return Fact(name, meaning, Subject.ENTRANT, "number", _SCORED)


_SIDES = {"ns": "North-South", "ew": "East-West"}
_FIGURES = {
    "matchpoints": "Matchpoints",
    "percentage": "The percentage",
    "imps": "IMPs",
    "cross_imps": "Cross-IMPs",
    "butler": "Butler IMPs",
    "vps": "Victory points",
}

PUBLISHED = (
    _published("place", "The place.", "count", each="session"),
    _published("percentage", "The percentage.", each="session"),
    _published("total_score", "The total.", each="session"),
    _published("boards_played", "How many boards it played.", "count", each="session"),
    _published("wins_or_draws", "Matches won, a draw being a half.", each="session"),
    _published("adjustment", "What a ruling adds to or takes from the total.", each="session"),
    _published("strat_place", "The place in its stratum.", "count", each="session"),
    _published("section_place", "The place in a section.", "count", each="stratum"),
    _published("overall_place", "The place over all sections.", "count", each="stratum"),
    _published("qualified", "The place among those who qualify.", "count", each="stratum"),
    _published("carried_imps", "IMPs carried into a match."),
    _published("masterpoints", "What the file pays for the event.", each="session"),
    _published("masterpoint_type", "The kind of those points.", "text", each="session"),
    _published("masterpoints_for", "The ranking that they are for.", "text"),
    _published("section_masterpoints", "What the file pays for a place in the section."),
    _published("earlier_masterpoints", "What the file paid for earlier sessions."),
    *(
        _published(f"{side}_{figure}", f"{what} of {line} on a board.")
        for figure, what in _FIGURES.items()
        for side, line in _SIDES.items()
    ),
)
"""What a file's own program worked out, of an entrant and of a line of a traveller."""

FILES = (
    _in_file("columns", "Columns that a rulebook may use."),
    _in_file("not_understood", "Columns that nothing is made of."),
    _in_file("unsaid", "What the file does not say of its event."),
    _in_file("given", "What whoever scored the event said of it."),
    _in_file("part", "The part of an event that a page shows."),
    _in_file("told_by_tags", "Whether a PBN file tells results by tags, board after board."),
    _in_file("hands_from", "The file that the hands are from."),
    _in_file("unlisted", "Who played and is in no list of entrants."),
    _in_file("compared", "Sections whose results are compared with one another."),
    _in_file("ranked", "Sections that are ranked together."),
    _in_file("one_winner_sections", "Sections with one winner, where others have two."),
    _in_file("matches_to_play", "Matches that have no result yet.", "count"),
    _in_file("holdings_unknown", "Players whose holding is 0: none, or not known.", "count"),
    _in_file("stratified_by", "What strata are made by: the highest player, or the average."),
    _in_file("programme", "The longest programme of boards of any section.", "count"),
    _in_file("rated", "What the program calls the rating of the game."),
    _in_file("class_nearest", "The rating, where the class is only the nearest to it."),
    _in_file("published_masterpoints", "What a page says was paid for a place.", "number"),
    _in_file("awarded_under", "The rulebook that the points in the file were given under."),
    _in_file("club_number", "The club's number, or that of a player's club."),
    _in_file("contact", "Whom to ask about the file."),
    _in_file("venue", "Where it was played."),
    _in_file("pairs", "Pairs, as the head of the file counts them.", "count"),
    _in_file("section_count", "Sections, as the head of the file counts them.", "count"),
    _in_file("session_count", "Sessions, as the head of the file counts them.", "count"),
    _in_file("usebio", "The version of USEBIO."),
    _in_file("program_version", "The version of the program that wrote the file."),
    _in_file("event_identifier", "The event's number at the program or club."),
    _in_file("event_type", "The type of the event, in USEBIO's words."),
    _in_file("event_rating", "The rating of the event, in USEBIO's words."),
    _in_file("match_scoring_method", "How matches are scored, in USEBIO's words."),
    _in_file("master_point_scale", "The scale that the points in the file are from."),
    _in_file("master_point_type", "The kind of points the file pays."),
    _in_file("mps_awarded_flag", "Whether the file pays points."),
    _in_file("p2p_charge_rate", "The EBU's rate of pay to play."),
    _in_file("ebu_charge_code", "The EBU's code for what an event is charged."),
    _in_file("header", "A line of a go file's head, by its own word.", each="word of the head"),
)
"""How a file is to be read, and particulars of it."""

_SUMS = {
    "W": "wins",
    "M": "McMahon scores",
    "B": "scores within their groups",
}
GO_CRITERIA = (
    _criterion("NBW", "Wins, with the points for byes."),
    _criterion("MMS", "The McMahon score."),
    _criterion("MMX", "The McMahon score as MacMahon counts it."),
    _criterion("BZS", "The score within one's group."),
    _criterion("STS", "The Strasbourg score."),
    _criterion("CAT", "The category."),
    _criterion("CUSSW", "The sum of wins after each round."),
    _criterion("CUSSM", "The sum of McMahon scores after each round."),
    _criterion("SOSTS", "The sum of opponents' Strasbourg scores."),
    *(
        _criterion(f"{name}{letter}", meaning.format(scores=scores))
        for letter, scores in _SUMS.items()
        for name, meaning in {
            "SOS": "The sum of opponents' {scores}.",
            "SODOS": "The sum of beaten opponents' {scores}.",
            "SOSOS": "The sum of opponents' sums of opponents' {scores}.",
        }.items()
    ),
    *(
        _criterion(f"SOS{letter}-{least}", f"That sum of {scores} without the lowest {least}.")
        for letter, scores in _SUMS.items()
        for least in (1, 2)
    ),
    _criterion("EXT", "Exploits attempted."),
    _criterion("EXR", "Exploits that succeeded."),
    _criterion("SDC", "Direct comparison, where all who are level have met."),
    _criterion("DC", "Direct comparison along chains of wins."),
    _criterion("rank_criterion", "The rank, where places go by it."),
    _criterion("rating_criterion", "The rating, where places go by it."),
)
"""What places go players, by the names of the programs."""
