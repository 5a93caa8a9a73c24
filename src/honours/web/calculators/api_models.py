"""The API's models of rulebooks and calculations; examples are part of them."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, Field

from honours.web.http.api import (
    CitationAnswer,
    FactAnswer,
    OpenAnswer,
    StrictRequest,
    Text,
    Whole,
)

Given = Annotated[
    dict[Text, Text | Whole],
    Field(
        max_length=200,
        description="What is known of the event; numbers as text or whole, never as floats.",
        examples=[{"kind": "pairs", "winners": "1", "pairs": 18}],
    ),
]
Changes = Annotated[
    dict[Text, Text],
    Field(max_length=50, description="Parameters to amend.", examples=[{}]),
]


class CalculationRequest(StrictRequest):
    """Awards from bare figures."""

    rulebook: Text = Field(examples=["sbu-clubs-2016"])
    given: Given
    ties: Text = Field("", description="Places that are shared.", examples=["3-4"])
    variant: Text = ""
    set: Changes = Field(default_factory=dict)
    explain: bool = Field(False, description="With the explanation of every award.")


Facts = Annotated[
    dict[Text, Text | Whole],
    Field(
        max_length=50,
        description="Facts by their name, as columns of a file are headed; numbers as text or "
        "whole, never as floats.",
        examples=[{"masterpoints": "812.5"}],
    ),
]


class PlayerSent(StrictRequest):
    """A player, with what the rulebook asks of one."""

    name: Text = Field(examples=["Ann Ash"])
    number: Text = ""
    facts: Facts = Field(default_factory=dict)


class StandingSent(StrictRequest):
    """A line of a ranking list; ties are counted from the places."""

    entrant: Annotated[str, Field(min_length=1, max_length=100)] = Field(examples=["1"])
    place: Annotated[int, Field(ge=1, le=100_000)] = Field(examples=[1])
    players: Annotated[list[PlayerSent], Field(max_length=20)] = Field(default_factory=list)
    score: Text | Whole | None = Field(None, examples=["61.25"])
    facts: Facts = Field(default_factory=dict, examples=[{}])


class ListSent(StrictRequest):
    """A ranking list of the event: of all of it, or of a line, a session, a stratum, a section or
    a flight."""

    standings: Annotated[list[StandingSent], Field(min_length=1, max_length=2000)]
    facts: Facts = Field(default_factory=dict, examples=[{}])
    line: Text = ""
    stratum: Text = ""
    session: Text = ""
    section: Text = ""
    group: Text = Field("", description="The flight or bracket, an event of its own.")


class StandingsRequest(StrictRequest):
    """The standings of an event, to be awarded and not kept."""

    rulebook: Text = Field(examples=["sbu-clubs-2016"])
    lists: Annotated[list[ListSent], Field(min_length=1, max_length=50)]
    given: Given = Field(default_factory=dict, examples=[{"kind": "pairs", "winners": "1"}])
    as_usual: bool = Field(False, description="Confirms at once what the rulebook calls usual.")
    variant: Text = ""
    set: Changes = Field(default_factory=dict)


class RulebookSummary(BaseModel):
    """A rulebook: whose rule, since when, backed by what, last looked at when, what is missing."""

    id: str
    title: str
    body: str
    edition: str
    revision: int
    unit: str
    standing: str
    since: str
    until: str
    newer: str
    backed_by: str
    missing: str
    looked: str
    stale: bool


class PlayerAwarded(BaseModel):
    """A player of an entrant."""

    name: str
    number: str


class RefusalAnswer(BaseModel):
    """The reason why nothing is awarded, and the clause that says so."""

    reason: str
    citation: str


class NoticeAnswer(BaseModel):
    """A remark that the reader must know, and its clause."""

    text: str
    citation: CitationAnswer


class FigureAnswer(BaseModel):
    """A figure that a rulebook gives beside the award."""

    name: str
    value: str
    player: str = ""


class PlaceAwarded(BaseModel):
    """The award of a place; where there are several lists, its fields say which it is of."""

    place: int
    award: str
    entrant: str = ""
    tied: int = 1
    refusal: RefusalAnswer | None = None
    colours: dict[str, str] = {}
    figures: list[FigureAnswer] = []
    shares: list[str] = []
    line: str = ""
    stratum: str = ""
    session: str = ""
    section: str = ""
    group: str = ""
    stage: str = ""


class ChoiceAnswer(BaseModel):
    """A reading that the source does not settle."""

    name: str
    reading: str
    parameter: str


class EntrantAwarded(OpenAnswer):
    """The award of each player of an entrant in the end, all lists together."""

    entrant: str
    name: str
    place: int
    players: list[PlayerAwarded]
    award: str = Field(description="In the rulebook's unit.")


class ListAwarded(OpenAnswer):
    """The awards of a ranking list, place by place."""

    entrants: int
    quantities: dict[str, str]
    schedule: list[PlaceAwarded]
    refusal: RefusalAnswer | None


class AwardsAnswer(OpenAnswer):
    """Every list, and what each entrant gets in the end."""

    rulebook: str
    revision: int
    unit: str
    lists: list[ListAwarded]
    awards: list[EntrantAwarded]
    facts: list[FactAnswer] = Field(description="All it was made from, and how it is known.")
    notices: list[NoticeAnswer]


class CalculationAnswer(OpenAnswer):
    """The schedule of awards, and what the reader must know beside it."""

    rulebook: str
    revision: int
    amended: dict[str, str]
    inputs: dict[str, str]
    quantities: dict[str, str]
    schedule: list[PlaceAwarded]
    choices: list[ChoiceAnswer]
    notices: list[NoticeAnswer]
    refusal: RefusalAnswer | None
