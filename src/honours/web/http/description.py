"""The API's description of itself: who may ask what, how they say who they are, and the problems
it may answer with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fastapi import FastAPI
from fastapi.routing import APIRoute
from pydantic import BaseModel, Field

from honours.model.rights import OPEN
from honours.web.http.access import permission_of
from honours.web.http.problems import KINDS, MEDIA_TYPE

_TOKEN: dict[str, list[str]] = {"token": []}
_TABLE: dict[str, list[str]] = {"table": []}
SECURITY: dict[str, Any] = {
    "token": {
        "type": "http",
        "scheme": "bearer",
        "description": "A token of an account; a server without accounts takes none.",
    },
    "table": {
        "type": "http",
        "scheme": "table",
        "description": "The code of a table of an evening, as its phone has it.",
    },
}


class FaultAnswer(BaseModel):
    """One thing that is wrong: where, a field or a line, and what."""

    field: str
    message: str


class AlternativeAnswer(BaseModel):
    """The awards that one answer to a question would lead to."""

    value: str = ""
    given: dict[str, str] = {}
    top: list[str] = []
    pays: str = ""
    refused: str = ""
    asks: list[str] = []
    against: str = ""


class QuestionAnswer(BaseModel):
    """A question that decides an award and that nobody answered."""

    facts: list[str]
    of: str = Field(json_schema_extra={"enum": ["event", "column", "option", "usual"]})
    why: str = ""
    taken: str = ""
    clause: str = ""
    text: str = ""
    alternatives: list[AlternativeAnswer] = []


class ProblemAnswer(BaseModel):
    """A problem as RFC 9457 has it: what was wrong; `type` is its name."""

    type: str = Field(json_schema_extra={"enum": [*KINDS]}, examples=["urn:honours:missing-input"])
    title: str = Field(examples=["Unprocessable Content"])
    status: int = Field(examples=[422])
    detail: str = Field(examples=["missing 'kind' (what competes)"])
    errors: list[FaultAnswer] = Field([], description="The offending fields or lines.")
    questions: list[QuestionAnswer] = Field([], description="The questions to answer first.")


PROBLEMS: dict[int | str, dict[str, Any]] = {
    "default": {"description": "A problem", "model": ProblemAnswer}
}


def describe(app: FastAPI, routes: Sequence[APIRoute], who_does_this: str) -> None:
    """Have the application describe itself; without accounts a request names whoever makes it, in
    the field that is described as ``who_does_this``."""
    described = app.openapi

    def openapi() -> dict[str, Any]:
        document = described()
        if "securitySchemes" in document["components"]:
            return document
        document["components"]["securitySchemes"] = SECURITY
        for route in routes:
            action = permission_of(route.endpoint).action
            for method in route.methods or ():
                asked = document["paths"][f"/api/v1{route.path_format}"][method.lower()]
                by_code = "{table}" in route.path or route.path.endswith(("/stream", "/screen"))
                signed = [_TOKEN, *[_TABLE] * by_code]
                # Without accounts nobody signs in, and a token is not looked at.
                optional: list[dict[str, list[str]]] = [{}] if app.state.accounts is None else []
                asked["security"] = [] if action is OPEN else [*optional, *signed]
                asked["x-right"] = action.name
                told = asked["responses"]["default"]["content"]
                told[MEDIA_TYPE] = told.pop("application/json", None) or told[MEDIA_TYPE]
        if app.state.accounts is None:
            _have_named(document, who_does_this)
        return document

    app.openapi = openapi  # type: ignore[method-assign]


def _have_named(document: dict[str, Any], who_does_this: str) -> None:
    for schema in document["components"]["schemas"].values():
        own = schema.get("properties", {}).get("by", {})
        asked = schema.setdefault("required", []) if own else []
        if own.get("description") == who_does_this and "by" not in asked:
            asked.append("by")
            own.pop("default", None)
            own["minLength"] = 1
