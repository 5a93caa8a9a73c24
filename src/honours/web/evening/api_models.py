"""What the API takes and gives of evenings; examples are part of it."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from honours.evening.plan import KINDS, SCORINGS, SHOWN, STANDINGS
from honours.language import LANGUAGES
from honours.movements.choosing import SIDES
from honours.web.http.api import OneOf, StrictRequest, TableShown, Text

Number = Annotated[int, Field(ge=1, le=200)]
Version = Annotated[int, Field(ge=0, le=100_000)]
Who = Annotated[str, Field(min_length=1, max_length=12)]
ClientKey = Annotated[str, Field(max_length=100)]
Name = Annotated[str, Field(max_length=100)]


class TableSeats(StrictRequest):
    """One table in one round."""

    table: Annotated[int, Field(ge=1, le=64)]
    ns: Annotated[list[Who], Field(max_length=2)]
    ew: Annotated[list[Who], Field(max_length=2)]
    boards: Annotated[list[Number], Field(max_length=64)]


Rounds = Annotated[
    list[Annotated[list[TableSeats], Field(max_length=128)]], Field(min_length=1, max_length=63)
]


MissingSide = Annotated[str, OneOf("", *SIDES)]
Pairs = Annotated[int, Field(ge=0, le=128)]
MovementName = Annotated[str, Field(max_length=80)]


class SectionRequest(StrictRequest):
    """A further section of an evening: B, C and so on."""

    pairs: Pairs = Field(examples=[12])
    movement: MovementName = ""
    missing: MissingSide = ""


class EveningRequest(StrictRequest):
    """An evening to set up; the movement by its kind, round by round, or as a file."""

    title: Annotated[str, Field(min_length=1, max_length=200)] = Field(examples=["Tuesday pairs"])
    date: Annotated[str, Field(pattern=r"^(\d{4}-\d{2}-\d{2})?$")] = Field("", examples=[""])
    club: Annotated[str, Field(max_length=100)] = ""
    series: Text = ""
    section: Annotated[str, Field(max_length=40)] = ""
    director: Annotated[str, Field(max_length=100)] = ""
    kind: Annotated[str, OneOf(*KINDS)] = "pairs"
    pairs: Pairs = Field(0, examples=[8], description="Or how many teams, or players.")
    boards: Annotated[int, Field(ge=2, le=200)] = 24
    movement: Annotated[str, Field(max_length=80)] = Field(
        "", description="A kind of movement; the best there is, if none is named."
    )
    switched: bool = False
    missing: MissingSide = Field(
        "", description="The side that a half table is without; whichever is better, if not said."
    )
    barometer: bool = Field(
        default=False, description="Every table plays the same boards in a round."
    )
    sections: Annotated[list[SectionRequest], Field(max_length=7)] = Field(
        default_factory=list, description="Further sections; what is above is section A."
    )
    sections_apart: bool = Field(
        default=False, description="Each section is compared and ranked by itself."
    )
    triangle: bool = Field(
        default=False, description="In a Swiss of an odd number of teams three play a triangle."
    )
    bye: Annotated[str, Field(pattern=r"^\d{1,2}$")] = Field(
        "12", description="Victory points of a round without opponents."
    )
    movement_file: Annotated[str, Field(max_length=1_000_000)] = Field(
        "", description="A movement of the club's own, as the text of its file."
    )
    movement_name: MovementName = Field("", description="Which of a file that has several.")
    rounds: Rounds | None = None
    scoring: Annotated[str, OneOf(*SCORINGS)] = "matchpoints"
    watched: bool = Field(default=False, description="Results come from a file that grows.")
    rulebook: Annotated[str, Field(max_length=100)] = ""
    given: Annotated[dict[str, Annotated[str, Field(max_length=200)]], Field(max_length=20)] = (
        Field(default_factory=dict, description="What the rulebook asks and results do not say.")
    )
    leads: bool = False
    show: Annotated[str, OneOf(*SHOWN)] = "board"
    standings: Annotated[str, OneOf(*STANDINGS)] = "half"
    correction_minutes: Annotated[int, Field(ge=0, le=10_080)] = 30
    playing: Annotated[
        str, Field(max_length=12, description="The number you play as, if you do.")
    ] = ""


class NamedPlayer(StrictRequest):
    name: Name
    number: Annotated[str, Field(max_length=40)] = ""


class NamesRequest(StrictRequest):
    """Who has which number."""

    names: Annotated[
        dict[Who, Annotated[list[NamedPlayer], Field(max_length=12)]], Field(max_length=200)
    ] = Field(examples=[{"1": [{"name": "Ann Ash"}, {"name": "Bob Birch"}]}])
    teams: Annotated[dict[Who, Name], Field(max_length=200)] = Field(
        default={}, description="What teams are called."
    )


class TableNamesRequest(StrictRequest):
    """Who sits down, as the table says it: the names of a pair by its number."""

    names: Annotated[
        dict[Who, Annotated[list[Name], Field(min_length=1, max_length=2)]], Field(max_length=4)
    ] = Field(examples=[{"1": ["Ann Ash", "Bob Birch"]}])


class EntryRequest(StrictRequest):
    """What a table enters: a result, whether it agrees with the other side's, or a call for the
    director. ``key`` is the client's own name for it: the same key again does nothing."""

    key: Annotated[str, Field(min_length=8, max_length=100)] = Field(examples=["0f3c9a7e51"])
    kind: Literal["result", "confirm", "dispute", "call", "uncall"]
    side: Literal["NS", "EW"] = "NS"
    round: Number = 1
    board: Number = 1
    text: Annotated[str, Field(max_length=40)] = Field("", examples=["4S N +1"])
    lead: Annotated[str, Field(max_length=3)] = ""
    seen: Version = Field(0, description="The version of the result that was looked at.")
    sure: bool = False


class LineRequest(StrictRequest):
    """What a scorer or director enters, from paper or in place of a table; an empty text takes a
    result out again."""

    key: ClientKey = ""
    round: Number
    table: Number
    board: Number
    text: Annotated[str, Field(max_length=40)] = Field(examples=["4S N +1"])
    language: Annotated[str, OneOf(*LANGUAGES)] = Field(
        "en", description="In whose letters the text is: of `fr`, `4P O =` is `4S W =`."
    )
    lead: Annotated[str, Field(max_length=3)] = ""
    seen: Version | None = None
    sure: bool = False


class LinesRequest(StrictRequest):
    """Several lines in the order they were typed."""

    lines: Annotated[list[LineRequest], Field(max_length=400)]


class RoundRequest(StrictRequest):
    """A round that begins now."""

    round: Annotated[int, Field(ge=1, le=63)]


class SeatsRequest(StrictRequest):
    """Who sits where from a round on."""

    first: Annotated[int, Field(ge=1, le=63)]
    rounds: Rounds
    why: Text = ""


class LatePairRequest(StrictRequest):
    """A pair that came late."""

    first: Annotated[int, Field(ge=1, le=63)] = 2
    players: Annotated[list[NamedPlayer], Field(max_length=2)] = Field(default_factory=list)


class LineAnswer(BaseModel):
    """What holds for a board at a table."""

    round: int
    table: int
    board: int
    ns: list[str]
    ew: list[str]
    text: str
    spelled: str = Field("", description="The text in the letters of the reader's language.")
    lead: str
    state: str
    version: int
    by: str
    score: int | None
    questions: list[str]


class EntryAnswer(BaseModel):
    """What came of an entry: ``again`` if it was made before. The ``questions`` of a line are
    asked of the table; the entry is kept all the same."""

    number: int
    again: bool
    line: LineAnswer | None = None


class ClockAnswer(BaseModel):
    """The times of a round."""

    round: int
    begins: str | None
    ends: str | None


class EveningAnswer(BaseModel):
    """An evening as whoever asks may see it."""

    id: str
    title: str
    date: str
    club: str
    section: str
    number: int
    round: int
    rounds: int
    results: int
    of: int
    ended: str
    event: str
    clock: ClockAnswer | None


class BoardAt(BaseModel):
    """A board as it lies at a table."""

    board: int
    dealer: str
    vulnerable: str


class SeatsAt(BaseModel):
    """Who plays which boards."""

    ns: list[str]
    ew: list[str]
    boards: list[BoardAt]


class RoundAt(BaseModel):
    """A round at a table; ``next`` is the table and side of each afterwards, and if they play."""

    round: int
    over: bool
    seats: list[SeatsAt]
    next: dict[str, list[str | bool]]


class TableAnswer(BaseModel):
    """All that a table's page needs."""

    evening: str
    title: str
    number: int
    table: int
    label: str
    round: int
    current: int
    clock: ClockAnswer | None
    leads: bool
    show: str
    ended: str
    swiss: bool
    called: bool
    names: dict[str, str]
    rounds: list[RoundAt]
    lines: list[LineAnswer]
    versions: dict[str, int]


class BoardLineSeen(BaseModel):
    """What was made of a board at a table."""

    ns: str
    ew: str
    text: str
    lead: str
    score: int | None


class BoardAnswer(BaseModel):
    """What was made of a board so far, and its hands if they are known; ``hidden`` from a table
    until it has confirmed its own result."""

    board: int
    hidden: bool
    lines: list[BoardLineSeen]
    deal: str


class TablePace(BaseModel):
    """How far a table is."""

    table: int
    name: str
    round: int
    ns: str
    ew: str
    confirmed: int
    waiting: int
    missing: list[int]
    slow: bool
    called: str


class SeveralAnswer(BaseModel):
    """Whether a line was entered, and why not."""

    key: str
    entered: bool
    problem: str = ""


class StandingsNow(BaseModel):
    """How an evening stands; provisional ``until`` it can no longer be corrected."""

    number: int
    provisional: bool
    until: str | None
    shown: bool
    lists: list[TableShown]
    problem: str


class OfferAwards(BaseModel):
    """What a list of a movement would pay, place by place."""

    awards: list[str]
    list: dict[str, str]


class OfferAnswer(BaseModel):
    """A movement that may be played, without its rounds."""

    kind: str
    name: str
    rounds: int
    boards_per_round: int
    boards: int
    boards_each: list[int]
    sit_outs: int
    winners: int
    balance: str | None
    shared: int
    opponents: list[int]
    minutes: int
    switched_rounds: list[int]
    awards: list[OfferAwards]
    for_each_match_won: str | None
    refused: str | None
    refused_with_a_bye: str | None


class PaperSheet(BaseModel):
    """A traveller or a score slip: its title, and which of the grid's lines are on it."""

    title: str
    lines: list[int]


class GridLine(BaseModel):
    """A line of the grid: who plays, and what stands there once something does."""

    round: int
    table: int
    board: int
    table_name: str
    ns: list[str]
    ew: list[str]
    version: int
    spelled: str = ""
    score: int | None = None
    why: str = ""
    doubtful: str = ""
    ns_points: str = ""
    ew_points: str = ""
    match: str = ""


class GridAnswer(BaseModel):
    """The lines of an evening with what they have scored so far, in the reader's letters and
    figures; ``match`` is what a match of teams is worth to either side by now."""

    sheets: dict[str, list[PaperSheet]]
    lines: list[GridLine]
    names: dict[str, str]


class NewEveningAnswer(BaseModel):
    """An evening that was set up, with the codes of its tables."""

    id: str
    title: str
    rounds: int
    tables: list[int]


class CodesAnswer(BaseModel):
    """The codes of the tables and of the big screen: whoever has one may enter there."""

    screen: str
    tables: dict[str, str]


class LatePair(BaseModel):
    """The number a late pair got."""

    pair: str


class MissingBoards(BaseModel):
    """Boards of the rounds so far that were not entered."""

    missing: list[dict[str, int]]
    doubtful: list[LineAnswer]


class EveningFileAnswer(BaseModel):
    """Whether the file had something new."""

    new: bool
    number: int
