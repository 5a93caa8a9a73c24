"""What the API takes and gives, checked at the edge; examples are part of the description."""

from __future__ import annotations

from typing import Annotated, Any, Generic, Literal, TypeVar
from urllib.parse import urlencode

from fastapi import Query
from pydantic import BaseModel, ConfigDict, Field

T = TypeVar("T")
Text = Annotated[str, Field(max_length=500)]
Whole = Annotated[int, Field(ge=-(10**12), le=10**12)]
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
Limit = Annotated[int, Query(ge=1, le=500, description="How many at most.")]
Offset = Annotated[int, Query(ge=0, le=10**9, description="How many to pass over.")]

PROBLEM_SCHEMA: dict[str, Any] = {
    "type": "object",
    "required": ["type", "title", "status", "detail"],
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "errors": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"field": {"type": "string"}, "message": {"type": "string"}},
            },
        },
    },
    "example": {
        "type": "about:blank",
        "title": "Unprocessable Content",
        "status": 422,
        "detail": "missing 'kind' (what competes)",
        "errors": [{"field": "kind", "message": "missing 'kind' (what competes)"}],
    },
}
PROBLEMS: dict[int | str, dict[str, Any]] = {
    "default": {
        "description": "A problem",
        "content": {"application/problem+json": {"schema": PROBLEM_SCHEMA}},
    }
}


class Strict(BaseModel):
    """A request: a field that is not known is an error, not overlooked."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Told(BaseModel):
    """An answer; more may be added to it later."""

    model_config = ConfigDict(extra="allow")


class Page(BaseModel, Generic[T]):
    """A part of a list; ``next`` is where the rest begins, if there is more."""

    items: list[T]
    total: int
    next: str | None = None


def page(
    items: list[T], path: str, limit: int, offset: int, total: int | None = None, **more: str
) -> Page[T]:
    """The asked part of a list; of a longer one ``items`` are the part already. ``more`` is what
    else was asked, so that the next part is of the same."""
    after = offset + limit
    part = items[offset:after] if total is None else items
    count = len(items) if total is None else total
    asked = {"limit": limit, "offset": after, **{key: said for key, said in more.items() if said}}
    following = f"{path}?{urlencode(asked)}" if after < count else None
    return Page(items=part, total=count, next=following)


# --- requests -----------------------------------------------------------------------------------


class CalculationRequest(Strict):
    """Awards from bare figures."""

    rulebook: Text = Field(examples=["sbu-clubs-2016"])
    given: Given
    ties: Text = Field("", description="Places that are shared.", examples=["3-4"])
    variant: Text = ""
    set: Changes = Field(default_factory=dict)
    explain: bool = Field(False, description="With the explanation of every award.")


class AwardsRequest(Strict):
    """What a rulebook awards for an event."""

    rulebook: Text = Field(examples=["sbu-clubs-2016"])
    given: Given = Field(default_factory=dict, examples=[{}])
    variant: Text = ""
    set: Changes = Field(default_factory=dict)
    explain: Text = Field("", description="An entrant whose award to explain.", examples=["1"])


class FinalRequest(Strict):
    """Who makes the standings final, and why."""

    by: Annotated[str, Field(min_length=1, max_length=200)] = Field(examples=["A. Scorer"])
    why: Text = ""


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
    kind: Text
    by: Annotated[str, Field(min_length=1, max_length=200)]
    why: Text = ""
    law: Text = ""


class JobRequest(Strict):
    """Long work to be done: every figure the sources print gone through again, the ledger
    verified, a synthetic year made (name, scale, seed), or a question to the lab."""

    what: Literal[
        "conformance", "verification", "generate", "compare", "sweep", "audit", "simulate"
    ] = Field(examples=["audit"])
    said: Annotated[
        dict[Text, Text],
        Field(max_length=50, description="What the form of the lab's page says."),
    ] = Field(default_factory=dict, examples=[{"a": "sbu-clubs-2016"}])


# --- answers ------------------------------------------------------------------------------------


class RulebookSummary(BaseModel):
    """A rulebook in a line."""

    id: str
    title: str
    body: str
    edition: str
    revision: int
    unit: str


class Calculated(Told):
    """The schedule of awards, and what the reader must know beside it."""

    rulebook: str
    revision: int
    amended: dict[str, str]
    inputs: dict[str, str]
    quantities: dict[str, str]
    schedule: list[dict[str, Any]]
    choices: list[dict[str, str]]
    notices: list[dict[str, Any]]
    refusal: dict[str, Any] | None


class EventSummary(BaseModel):
    """An event on the desk."""

    id: str
    title: str
    file: str
    added: str
    club: str


class Rulings(BaseModel):
    """The rulings made, and what the last request changed for whom."""

    count: int
    rulings: list[dict[str, Any]]
    changes: list[str]


class Awarded(Told):
    """Every list, and what each entrant gets in the end."""

    rulebook: str
    unit: str
    lists: list[dict[str, Any]]
    awards: list[dict[str, Any]]


class JobTold(BaseModel):
    """How far a job is; ``result`` once it is done."""

    id: str
    what: str
    state: str
    done: int
    total: int
    error: str | None
    result: list[dict[str, Any]] | None
