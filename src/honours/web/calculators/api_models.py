"""What the API takes and gives of rulebooks and calculations; examples are part of it."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, Field

from honours.web.http.api import OpenAnswer, StrictRequest, Text, Whole

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


class RulebookSummary(BaseModel):
    """A rulebook in a line."""

    id: str
    title: str
    body: str
    edition: str
    revision: int
    unit: str
    standing: str


class CalculationAnswer(OpenAnswer):
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
