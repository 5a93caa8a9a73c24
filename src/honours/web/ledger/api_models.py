"""The API's models of the ledger."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, Field, create_model

from honours.ledger.shapes import DRAFTS, MEMBERS, POSTINGS, PROMOTIONS
from honours.model.member import DETAILS, Detail
from honours.pipeline.options import AWARDING, DECIDING, POSTING, some
from honours.web.events.api_models import AwardsRequest
from honours.web.http.api import (
    FactAnswer,
    OpenAnswer,
    StepAnswer,
    StrictRequest,
    Text,
    shaped,
)

M = TypeVar("M", bound=BaseModel)
Day = Annotated[str, Field(pattern=r"^\d{4}-\d\d-\d\d$", examples=["2017-01-14"])]
WHO_DOES_THIS = "Who does this; with accounts it is whoever signed in."
By = Annotated[str, Field(max_length=200, description=WHO_DOES_THIS)]
Why = Annotated[str, Field(min_length=1, max_length=500, examples=["scored again"])]
Number = Annotated[int, Field(ge=1, le=10**15)]
Name = Annotated[str, Field(min_length=1, max_length=200)]


def declared(name: str) -> Any:
    """A field as the option of this name is declared for commands too."""
    [option] = some((*AWARDING, *POSTING, *DECIDING), name)
    return Field(option.default, description=option.help)


# --- requests -----------------------------------------------------------------------------------


def _with_details(model: type[M], default: Callable[[Detail], Any]) -> type[M]:
    """A model with a field for each detail of a member."""
    details: dict[str, Any] = {
        one.name: (
            type(one.default) if default(one) is not None else type(one.default) | None,
            Field(default(one), description=str(one.about)),
        )
        for one in DETAILS
    }
    made = create_model(model.__name__, __base__=model, __module__=__name__, **details)
    made.__doc__ = model.__doc__
    return made


class _MemberSaid(StrictRequest):
    by: By = ""
    why: Text = Field("", description="Kept with the change; it names nobody.")

    def details(self) -> dict[str, Any]:
        """Return what is said of the member."""
        return self.model_dump(exclude={"by", "why"}, exclude_none=True)


@partial(_with_details, default=lambda detail: detail.default)
class MemberRequest(_MemberSaid):
    """A new member."""

    name: Name = Field(examples=["Alma Reed"])
    number: Annotated[str, Field(max_length=50)] = Field("", examples=["4001"])


@partial(_with_details, default=lambda _: None)
class MemberChange(_MemberSaid):
    """Changes to a member; fields left out stay as they are."""

    name: Name | None = Field(None, examples=["Alma Reed-Stone"])
    number: Annotated[str, Field(max_length=50)] | None = None


class DraftRequest(AwardsRequest):
    """The awards of an event to be held until somebody releases them."""

    explain: Literal[""] = ""
    title: Text = declared("title")
    date: Day | Literal[""] = declared("date")
    club: Text = declared("club")
    points: Text = declared("points")
    numbers_decide: bool = declared("numbers_decide")
    year_begins: Annotated[str, Field(max_length=10)] = declared("year_begins")
    by: By = Field("", examples=["M. Secretary"])


class PostingRequest(DraftRequest):
    """The awards of an event to be posted, once."""

    why: Text = declared("why")
    correct: bool = declared("correct")
    another: bool = declared("another")
    overrule: Text = declared("overrule")
    dry_run: bool = Field(False, description="Only say what would be posted.")


class PostingAnswer(BaseModel):
    """The state of an event's awards: held, posted, changed since; empty if there are none yet."""

    status: str
    changed: bool
    draft: int | None = None
    record: int | None = None
    differences: list[str] = []


class ReleaseRequest(StrictRequest):
    """The release of a draft, and by whom."""

    by: By = Field("", examples=["M. Secretary"])
    another: bool = declared("another")
    overrule: Text = declared("overrule")


class SeasonRequest(StrictRequest):
    """A season in the words of a season file; its events are those of the ledger."""

    season: Annotated[str, Field(max_length=50_000)] = Field(
        examples=[
            'rulebook = "sbu-clubs-2016"\ntitle = "Tuesdays"\nkind = "pairs"\nbest = 3\n'
            '[events]\nledger = "Tuesday*"\n'
        ]
    )
    competition: Text = Field("", description="Which one, if there are several.")


class SeasonPosting(SeasonRequest):
    """The awards of a competition to work out or post, and who posts them."""

    post: bool = Field(False, description="Post it; otherwise it is only worked out.")
    correct: bool = declared("correct")
    why: Text = declared("why")
    overrule: Text = declared("overrule")
    by: By = ""


# --- answers ------------------------------------------------------------------------------------


class ReasonAnswer(BaseModel):
    """The reason why a posting is what it is, as it was explained when it was made."""

    posting: int
    record: int
    who: str
    at: str
    why: str
    doubt: str
    explanation: list[StepAnswer]
    made_from: list[FactAnswer]


class LedgerAnswer(BaseModel):
    """The size of the ledger, and the head of the chain."""

    members: int
    records: int
    postings: int
    head: str


@shaped(MEMBERS)
class MemberAnswer(BaseModel):
    """A member."""


@shaped(POSTINGS)
class StatementPosting(BaseModel):
    """A line of a member's statement."""


class BalanceAnswer(BaseModel):
    """The balance of a member in a kind of points."""

    scheme: str
    kind: str
    balance: str


class StatementAnswer(MemberAnswer):
    """A member's postings in their order, and what they add up to."""

    postings: list[StatementPosting]
    balances: list[BalanceAnswer]


@shaped(PROMOTIONS)
class Promoted(BaseModel):
    """A rank that was reached, and the record that did it."""


class PromotionAnswer(Promoted):
    """A rank that was reached, of whose points, and the record that did it."""

    scheme: str


class RecordAnswer(BaseModel):
    """A line of the chain."""

    record: int
    action: str
    at: str
    who: str
    why: str
    event: str
    date: str
    club: str
    rulebook: str | None = Field(description="The hash of the rulebook that awarded it.")
    doubt: str = Field("", description="What is to be doubted about that rulebook, if anything.")
    postings: int
    reverses: int | None


@shaped(DRAFTS)
class DraftAnswer(BaseModel):
    """Awards held for review."""


class Credited(BaseModel):
    """The points that somebody is awarded by an event."""

    member: int
    name: str
    kind: str
    amount: str


class OutcomeAnswer(BaseModel):
    """The outcome for an event: posted, held, there already, or no award."""

    status: str
    event: str
    date: str
    record: int | None
    rulebook: str
    postings: list[Credited]
    difference: list[str]
    like: str
    newcomers: list[MemberAnswer]
    promotions: list[Promoted]
    remarks: list[str]


class RecordedAnswer(BaseModel):
    """The record that was written, and what may have to follow from it."""

    record: int
    said: str
    remarks: list[str] = []


class SeasonTable(OpenAnswer):
    """A competition's table."""

    competition: str
    kind: str
    needed: int
    rows: list[dict[str, Any]]


class SeasonAwards(BaseModel):
    """The awards of a competition, or the refusal, and the records if it was posted."""

    awards: list[dict[str, Any]]
    posted: list[dict[str, Any]]
