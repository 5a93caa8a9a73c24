"""The common parts of the API: requests and answers, pages of lists, keys and links."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Generic, TypeVar

from fastapi import Depends, Header, Path, Query
from pydantic import BaseModel, ConfigDict, Field, create_model
from pydantic_core.core_schema import CoreSchema, literal_schema
from starlette.requests import Request

from honours.errors import WrongValue
from honours.model.shape import Shape
from honours.web.http.forms import whole_in

T = TypeVar("T")
M = TypeVar("M", bound=BaseModel)
Text = Annotated[str, Field(max_length=500)]
Whole = Annotated[int, Field(ge=-(10**12), le=10**12)]
Id = Annotated[int, Path(ge=1, le=10**15)]
"""The number of something in an address."""


class OneOf:
    """``Annotated[str, OneOf(WORDS)]``: one of a few words that are declared elsewhere."""

    def __init__(self, *words: str) -> None:
        self.words = list(map(str, words))

    def __get_pydantic_core_schema__(self, _source: Any, _handler: Any) -> CoreSchema:
        return literal_schema(self.words)


class StrictRequest(BaseModel):
    """A request: a field that is not known is an error, not overlooked."""

    model_config = ConfigDict(extra="forbid", strict=True)


class OpenAnswer(BaseModel):
    """An answer; more may be added to it later."""

    model_config = ConfigDict(extra="allow")


def shaped(shape: Shape[Any]) -> Callable[[type[M]], type[M]]:
    """A model with a field for all that a shape tells programs."""

    def made(model: type[M]) -> type[M]:
        told: dict[str, Any] = {
            one.key: (one.type, ...) for one in shape.told if one.type is not None
        }
        whole = create_model(model.__name__, __base__=model, __module__=model.__module__, **told)
        whole.__doc__ = model.__doc__
        return whole

    return made


class ColumnAnswer(BaseModel):
    """A column of a table: its key in the rows, what it is called and what its cells are."""

    key: str
    title: str
    kind: str
    unit: str = ""


class TableShown(BaseModel):
    """A table: what each column is, and every row by the columns' keys; figures are texts."""

    name: str
    title: str
    columns: list[ColumnAnswer]
    rows: list[dict[str, str | int | float | None]]
    foot: str = ""


class CitationAnswer(BaseModel):
    """A clause, and its words."""

    clause: str
    words: str


class ClauseInShort(BaseModel):
    """A sentence of an explanation, and the clause it is by."""

    text: str
    clause: str


class PartAnswer(BaseModel):
    """The value that a part counts for in a sum."""

    of: str
    value: str


class StepAnswer(BaseModel):
    """A step of an explanation: what it is, what it came to and from what."""

    name: str
    value: str
    kind: str
    in_short: list[ClauseInShort] = []
    about: str = ""
    formula: str = ""
    working: str = ""
    because: str = ""
    rounding: str = ""
    citation: CitationAnswer | None = None
    parts: list[PartAnswer] = []
    uses: list[StepAnswer] = []


class FactAnswer(BaseModel):
    """A fact, how it is known, and whether it counted."""

    name: str
    value: str
    origin: str
    source: str
    used: bool
    instead_of: str = ""
    lists: list[str] = []


class Page(BaseModel, Generic[T]):
    """A part of a list; ``next`` is where the rest begins, if there is more."""

    items: list[T]
    total: int | None = Field(
        None, description="Of how many; not counted again for what follows a page."
    )
    next: str | None = None


class PageQuery:
    """What of a list is asked for: so many at most, of those that follow one. Where the rest begins
    has the same query, with whatever else was asked."""

    def __init__(
        self,
        request: Request,
        limit: Annotated[int, Query(ge=1, le=500, description="How many at most.")] = 100,
        after: Annotated[str, Query(max_length=100, description="Those that follow it.")] = "",
    ) -> None:
        self.request, self.limit, self.after = request, limit, after

    @property
    def behind(self) -> int | None:
        """The number of the one that the part follows, if any."""
        return whole_in({"after": self.after}, "after") if self.after else None

    def of(self, items: list[T], key: str) -> Page[T]:
        """The asked part of a list whose items are known by a ``key``."""
        keys = [str(getattr(one, key)) for one in items]
        if self.after and self.after not in keys:
            raise WrongValue("after", self.after, "nothing follows it: it is not there any more")
        first = keys.index(self.after) + 1 if self.after else 0
        last = first + self.limit
        behind = keys[last - 1] if last < len(items) else ""
        return self.page(items[first:last], behind, len(items))

    def page(self, items: list[T], behind: object, total: int | None = None) -> Page[T]:
        """A part of a list that goes on ``behind`` something; at its end behind nothing."""
        return Page(items=items, total=total, next=address_after(self.request, behind) or None)


Paging = Annotated[PageQuery, Depends()]


def address_after(request: Request, behind: object, **more: str) -> str:
    """The address at which a list goes on behind something, with what else was asked; empty at its
    end."""
    url = request.url.include_query_params(**more, after=behind)
    return f"{url.path}?{url.query}" if behind else ""


Key = Annotated[
    str,
    Header(
        alias="Idempotency-Key",
        max_length=200,
        description="Asked again with the same key, the same is answered and nothing done twice.",
        examples=["2017-01-14/tuesday"],
    ),
]


def leads_to(parameter: str, where: str, *operations: str) -> dict[str, Any]:
    """The links of an answer: ``where`` in it is what each operation takes as ``parameter``."""
    taken = {parameter: f"$response.body#{where}"}
    links = {name: {"operationId": name, "parameters": taken} for name in operations}
    return {"links": links}
