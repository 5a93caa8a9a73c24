"""For those who write programs: the API's documentation, and how to call it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from honours.web.tables import Table, table
from honours.web.templating import render
from honours.web.texts import mark

router = APIRouter()


@dataclass(frozen=True, slots=True)
class Call:
    """One call of the API, to be written in the languages people use."""

    method: str
    path: str
    body: dict[str, Any] | None = None
    file: str = ""

    def curl(self, base: str) -> str:
        """The call on a command line."""
        if self.file:
            return f"curl {base}{self.path} -F file=@{self.file} -H 'idempotency-key: {self.file}'"
        if self.body is None:
            return f"curl {base}{self.path}"
        return (
            f"curl {base}{self.path} -H 'content-type: application/json' \\\n"
            f"  -d '{json.dumps(self.body)}'"
        )

    def python(self, base: str) -> str:
        """The call in Python."""
        address = json.dumps(base + self.path)
        if self.file:
            headers = json.dumps({"idempotency-key": self.file})
            opened = f'open("{self.file}", "rb")'
            return f'httpx.post({address}, files={{"file": {opened}}}, headers={headers})'
        if self.body is None:
            return f"httpx.{self.method.lower()}({address}).json()"
        return f"httpx.post({address}, json={json.dumps(self.body)}).json()"


CALLS = (
    Call("GET", "/rulebooks"),
    Call("POST", "/calculations",
         {"rulebook": "sbu-clubs-2016", "given": {"kind": "pairs", "winners": "1", "pairs": 18}}),
    Call("POST", "/events", file="tuesday.csv"),
    Call("GET", "/events/ID"),
    Call("GET", "/events/ID/sheets/travellers"),
    Call("POST", "/events/ID/rulings",
         {"kind": "penalty", "pair": "3", "amount": "10", "unit": "percent", "by": "A. Director"}),
    Call("POST", "/events/ID/rulings/undo", {}),
    Call("POST", "/events/ID/awards", {"rulebook": "sbu-clubs-2016", "explain": "1"}),
    Call("POST", "/jobs", {"what": "conformance"}),
)  # fmt: skip


@router.get("/developers")
def developers(request: Request) -> Response:
    base = f"{str(request.base_url).rstrip('/')}/api/v1"
    return render(request, "developers.html", calls=CALLS, base=base)


@router.get("/developers/api")
def reference(request: Request) -> Response:
    described = request.app.openapi()
    operations = [
        operation_of(described, method, path, told)
        for path, methods in described["paths"].items()
        for method, told in methods.items()
    ]
    return render(request, "reference.html", about=described["info"]["description"],
                  operations=operations)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation of the API as a reader wants it."""

    name: str
    about: str
    parameters: Table
    fields: Table
    example: str
    answers: str


def operation_of(described: dict[str, Any], method: str, path: str, told: Any) -> Operation:
    """From the description's own words."""
    rows = [
        (p["name"], p["in"], _kind(p["schema"]), p.get("description", ""))
        for p in told.get("parameters", [])
    ]
    header = (mark("name"), mark("where"), mark("type"), mark("about"))
    body = _body(described, told)
    fields = [
        (name, _kind(one), mark("required") if name in body.get("required", ()) else "",
         one.get("description", ""))
        for name, one in body.get("properties", {}).items()
    ]  # fmt: skip
    return Operation(
        f"{method.upper()} {path}",
        told.get("description", ""),
        table("parameters", mark("Parameters"), header, rows),
        table("fields", mark("Body"), (mark("name"), mark("type"), "·", mark("about")), fields),
        _example(body),
        ", ".join(code for code in told["responses"] if code.isdecimal()),
    )


def _body(described: dict[str, Any], told: Any) -> dict[str, Any]:
    for media in told.get("requestBody", {}).get("content", {}).values():
        name = media["schema"].get("$ref", "").rpartition("/")[2]
        found: dict[str, Any] = described["components"]["schemas"].get(name, {})
        return found
    return {}


def _example(body: dict[str, Any]) -> str:
    """The example the description gives, or one made of its fields' examples."""
    fields = body.get("properties", {}).items()
    made = {name: one["examples"][0] for name, one in fields if one.get("examples")}
    found = body.get("example") or made
    return json.dumps(found, ensure_ascii=False, indent=2) if found else ""


def _kind(schema: dict[str, Any]) -> str:
    if "enum" in schema:
        return " | ".join(str(word) or '""' for word in schema["enum"])
    if "anyOf" in schema:
        return " | ".join(_kind(one) for one in schema["anyOf"])
    return str(schema.get("type", schema.get("$ref", "").rpartition("/")[2]))
