"""The API's models of events; examples are part of them."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from honours.formats.rulings import ASKED
from honours.pipeline.options import AWARDING
from honours.web.calculators.api_models import Changes, Given
from honours.web.http.api import StrictRequest, Text

_HELP = {option.name: option.help for option in AWARDING}


class AwardsRequest(StrictRequest):
    """The rulebook to award an event by, and what it is given."""

    rulebook: Text = Field(examples=["sbu-clubs-2016"])
    given: Given = Field(default_factory=dict, examples=[{}])
    variant: Text = ""
    set: Changes = Field(default_factory=dict)
    as_usual: bool = Field(False, description=_HELP["as_usual"])
    explain: Text = Field("", description="An entrant whose award to explain.", examples=["1"])


class MembersRequest(StrictRequest):
    """A member list for an event, as its file has it, and who its players are."""

    list: Annotated[str, Field(min_length=1, max_length=2_000_000)] = Field(
        description=_HELP["members"], examples=["number,name,rating\n501,Ada Stone,6.5\n"]
    )
    name: Text = Field("members.csv", description="What the list is called.")
    confirm: dict[str, Text] = Field(default_factory=dict, description=_HELP["confirm"])


class MembersAnswer(BaseModel):
    """The member list that is kept with an event, and what a person should look at."""

    name: str
    confirm: dict[str, str]
    remarks: list[str]


class SendRequest(StrictRequest):
    """An event for a receiver: which one, and the details for it and for a rulebook."""

    to: Text = Field(examples=["ebu"])
    details: dict[str, Text] = Field(
        default_factory=dict,
        description="What the file does not say; each receiver's keys are those listed for it.",
        examples=[{"date": "2026-03-03", "club_number": "123456", "charge": "10"}],
    )
    rulebook: Text = Field("", description="The rulebook that awards, where points are sent.")
    given: Given = Field(default_factory=dict)
    as_usual: bool = Field(False, description=_HELP["as_usual"])


class ReceiverAnswer(BaseModel):
    """A receiver of the event, and the details it takes."""

    name: str
    title: str
    keys: list[str]


class ConcernAnswer(BaseModel):
    """A question of a receiver: about whom, what, and how to mend it."""

    who: str
    what: str
    mend: str
    stops: bool = Field(description="Whether the file would be turned back for it.")


class SendingAnswer(BaseModel):
    """The questions a receiver would ask, and what its file has no place for."""

    to: str
    ready: bool
    file: str = Field(description="What the file is called.")
    concerns: list[ConcernAnswer]
    lost: list[str]


class FinalRequest(StrictRequest):
    """The one who makes the standings final, and why."""

    by: Annotated[str, Field(min_length=1, max_length=200)] = Field(examples=["A. Scorer"])
    why: Text = ""


_RULINGS = "; ".join(f"{kind}: {', '.join(one.names)}" for kind, one in ASKED.items())
"""The words of each kind of ruling."""


class RulingRequest(BaseModel):
    """A ruling in the words of a rulings file; which others belong depends on ``kind``."""

    model_config = ConfigDict(
        extra="allow",
        json_schema_extra={
            "additionalProperties": True,
            "example": {
                "kind": "penalty",
                "pair": "3",
                "amount": "10",
                "unit": "percent",
                "by": "A. Director",
                "why": "late",
            },
        },
    )
    kind: Annotated[str, Field(max_length=200, description=_RULINGS)]
    by: Annotated[str, Field(min_length=1, max_length=200)]
    why: Text = ""
    law: Text = ""


class EventSummary(BaseModel):
    """An event in a line."""

    id: str
    title: str
    file: str
    added: str
    club: str


class RulingsAnswer(BaseModel):
    """The rulings made, and what the last request changed for whom."""

    count: int
    rulings: list[dict[str, Any]]
    changes: list[str]
