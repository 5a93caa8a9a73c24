"""The requests that an evening takes, of forms and of programs; examples are part of them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from honours.evening.plan import KINDS, SCORINGS, SHOWN, STANDINGS
from honours.language import LANGUAGES
from honours.movements.choosing import SIDES
from honours.web.http.api import OneOf, StrictRequest, Text

Number = Annotated[int, Field(ge=1, le=200)]
RoundNumber = Annotated[int, Field(ge=1, le=63)]
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
        "", description="The missing side of a half table; the better one if you leave it out."
    )
    barometer: bool = Field(
        default=False, description="Every table plays the same boards in a round."
    )
    sections: Annotated[list[SectionRequest], Field(max_length=7)] = Field(
        default_factory=list, description="Further sections; the fields above are section A."
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
    """A player; a name alone is one without a number."""

    name: Name
    number: Annotated[str, Field(max_length=40)] = ""

    @model_validator(mode="before")
    @classmethod
    def _of_a_name(cls, given: Any) -> Any:
        return {"name": given} if isinstance(given, str) else given


class NamesRequest(StrictRequest):
    """Who has which number."""

    names: Annotated[
        dict[Who, Annotated[list[NamedPlayer], Field(max_length=12)]], Field(max_length=200)
    ] = Field(examples=[{"1": [{"name": "Ann Ash"}, {"name": "Bob Birch"}]}])
    teams: Annotated[dict[Who, Name], Field(max_length=200)] = Field(
        default={}, description="What teams are called."
    )


class TableNamesRequest(StrictRequest):
    """The people who sit down, as the table says it: the names of a pair by its number."""

    names: Annotated[
        dict[Who, Annotated[list[Name], Field(min_length=1, max_length=2)]], Field(max_length=4)
    ] = Field(examples=[{"1": ["Ann Ash", "Bob Birch"]}])


class EntryRequest(StrictRequest):
    """An entry of a table: a result, whether it agrees with the other side's, or a call for the
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
    """An entry of a scorer or director, from paper or in place of a table; an empty text takes a
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

    key: ClientKey = ""
    round: RoundNumber


class SeatsRequest(StrictRequest):
    """The seats from a round on: table by table, or as a text with a line a table."""

    first: RoundNumber
    rounds: Rounds | None = None
    text: Annotated[str, Field(max_length=100_000)] = Field("", examples=["round 2\n1: 5 12 7-9"])
    why: Text = ""


class LatePairRequest(StrictRequest):
    """A pair that came late."""

    first: RoundNumber = 2
    players: Annotated[list[NamedPlayer], Field(max_length=2)] = Field(default_factory=list)
