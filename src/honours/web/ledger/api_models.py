"""What the ledger's part of the API takes and gives."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AliasChoices, BaseModel, Field

from honours.web.events.api_models import AwardsRequest
from honours.web.http.api import Strict, Text, Told

Day = Annotated[str, Field(pattern=r"^\d{4}-\d\d-\d\d$", examples=["2017-01-14"])]
By = Annotated[
    str, Field(max_length=200, description="Who does this; with accounts it is whoever signed in.")
]
Why = Annotated[str, Field(min_length=1, max_length=500, examples=["scored again"])]
Number = Annotated[int, Field(ge=1, le=10**15)]
Name = Annotated[str, Field(min_length=1, max_length=200)]


# --- requests -----------------------------------------------------------------------------------


class MemberRequest(Strict):
    """A new member."""

    name: Name = Field(examples=["Alma Reed"])
    number: Annotated[str, Field(max_length=50)] = Field("", examples=["4001"])
    visitor: bool = False
    opted_out: bool = Field(False, description="Does not want to be published.")


class MemberChange(Strict):
    """What is other of a member; what is not said stays."""

    name: Name | None = Field(None, examples=["Alma Reed-Stone"])
    number: Annotated[str, Field(min_length=1, max_length=50)] | None = None
    opted_out: bool | None = Field(None, examples=[True])


class MergeRequest(Strict):
    """Whose postings these are, too."""

    into: Number = Field(examples=[2])
    by: By = ""
    why: Why


class ReasonRequest(Strict):
    """Who does it, and why."""

    by: By = Field("", examples=["M. Secretary"])
    why: Why


class DraftRequest(AwardsRequest):
    """What to award for an event, to be held until somebody releases it."""

    explain: Literal[""] = ""
    title: Text = Field("", description="If the file does not say.")
    date: Day | Literal[""] = Field("", description="If the file does not say.")
    club: Text = Field("", description="If the event has none.")
    points: Text = Field("local", description="The kind of points it pays.")
    by: By = Field("", examples=["M. Secretary"])


class PostingRequest(DraftRequest):
    """What to award for an event and to post, once."""

    why: Text = ""
    correct: bool = Field(False, description="Replace what was posted for it; takes a reason.")
    another: bool = Field(False, description="It is not the session it looks like.")
    overrule: Text = Field(
        "", description="Why it is posted against what the rulebook's body forbids."
    )
    dry_run: bool = Field(False, description="Only say what would be posted.")


class ReleaseRequest(Strict):
    """Who lets a draft go."""

    by: By = Field("", examples=["M. Secretary"])
    another: bool = Field(False, description="It is not the session it looks like.")


class SeasonRequest(Strict):
    """A season in the words of a season file; its events are those of the ledger."""

    season: Annotated[str, Field(max_length=50_000)] = Field(
        examples=[
            'rulebook = "sbu-clubs-2016"\ntitle = "Tuesdays"\nkind = "pairs"\nbest = 3\n'
            '[events]\nledger = "Tuesday*"\n'
        ]
    )
    competition: Text = Field("", description="Which one, if there are several.")


class SeasonPosting(SeasonRequest):
    """What a competition awards, and who posts it."""

    post: bool = Field(False, description="Post it; otherwise it is only worked out.")
    correct: bool = Field(False, description="Replace what was posted for it; takes a reason.")
    why: Text = ""
    by: By = ""


# --- answers ------------------------------------------------------------------------------------


class LedgerTold(BaseModel):
    """How much there is, and the head of the chain."""

    members: int
    records: int
    postings: int
    head: str


class MemberTold(BaseModel):
    """A member."""

    member: int
    number: str
    name: str
    visitor: bool
    opted_out: bool


class StatementTold(MemberTold):
    """A member's postings in their order, and what they add up to."""

    postings: list[dict[str, Any]]
    balances: list[dict[str, str]]


class RungTold(MemberTold):
    """Where a member stands, and what the next rank still needs."""

    scheme: str
    rank: str
    next: str
    points: dict[str, str]
    missing: dict[str, str]


class PromotionTold(BaseModel):
    """A rank that was reached, and the record that did it."""

    scheme: str
    rank: str
    record: int
    event: str
    date: str


class RecordTold(BaseModel):
    """A line of the chain."""

    record: int
    action: str
    at: str
    who: str
    why: str
    event: str
    date: str
    club: str
    postings: int
    reverses: int | None


class DraftTold(BaseModel):
    """Awards held for review."""

    draft: int
    status: str
    event: str
    date: str
    club: str
    rulebook: str
    who: str
    at: str
    settled_by: str
    remark: str
    record: int | None


class OutcomeTold(Told):
    """What became of an event: posted, held, there already, or no award."""

    status: str
    event: str
    date: str = Field(validation_alias=AliasChoices("date", "day"))
    """An answer that was kept under a key says ``day`` if it is an old one."""
    record: int | None
    rulebook: str
    postings: list[dict[str, Any]]
    newcomers: list[MemberTold]
    promotions: list[dict[str, Any]]
    remarks: list[str]


class Recorded(BaseModel):
    """The record that was written."""

    record: int


class SeasonTable(Told):
    """A competition's table."""

    competition: str
    kind: str
    needed: int
    rows: list[dict[str, Any]]


class SeasonAwards(BaseModel):
    """What a competition awards or is refused, and the records if it was posted."""

    awards: list[dict[str, Any]]
    posted: list[dict[str, Any]]
