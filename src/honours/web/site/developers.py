"""For those who write programs: the API's documentation, and how to call it."""

from __future__ import annotations

import json
import shlex
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from honours.model.message import Message
from honours.model.rights import READ
from honours.model.table import Column, Table, headed, table
from honours.web.http.access import API, guarded_router, may
from honours.web.templating import cell, render

router = guarded_router()


@dataclass(frozen=True, slots=True)
class ApiCall:
    """One call of the API, to be written in the languages people use."""

    method: str
    path: str
    about: str
    body: dict[str, Any] | None = None
    file: str = ""
    keyed: bool = False

    @property
    def headers(self) -> dict[str, str]:
        """A request that changes something can have a key, so that it is done once."""
        return {"idempotency-key": "2017-01-14/tuesday"} if self.keyed else {}

    def curl(self, base: str) -> str:
        """The call on a command line."""
        usual = "POST" if self.file or self.body is not None else "GET"
        parts = ["curl"] + ([f"-X {self.method}"] if self.method != usual else [])
        parts.append(shlex.quote(f"{base}{self.path}"))
        parts += [f"-H {shlex.quote(f'{key}: {value}')}" for key, value in self.headers.items()]
        if self.file:
            parts.append(f"-F file=@{self.file}")
        elif self.body is not None:
            body = shlex.quote(json.dumps(self.body, ensure_ascii=False))
            parts.append(f"-H 'content-type: application/json' \\\n  -d {body}")
        return " ".join(parts)

    def python(self, base: str) -> str:
        """The call in Python."""
        arguments = [repr(f"{base}{self.path}")]
        if self.file:
            arguments.append(f'files={{"file": open("{self.file}", "rb")}}')
        elif self.body is not None:
            arguments.append(f"json={self.body!r}")
        if self.headers:
            arguments.append(f"headers={self.headers!r}")
        return f"httpx.{self.method.lower()}({', '.join(arguments)})"


def calls_of(described: dict[str, Any]) -> list[ApiCall]:
    """Every operation of the API, with the description's own examples."""
    return [
        _call(described, method.upper(), path, operation)
        for path, methods in described["paths"].items()
        for method, operation in methods.items()
    ]


def _call(described: dict[str, Any], method: str, path: str, operation: Any) -> ApiCall:
    keyed = False
    asked: dict[str, str] = {}
    for parameter in operation.get("parameters", ()):
        word = _word(parameter)
        keyed = keyed or parameter["name"].lower() == "idempotency-key"
        if parameter["in"] == "path":
            path = path.replace(f"{{{parameter['name']}}}", word)
        elif parameter["in"] == "query" and parameter.get("required"):
            asked[parameter["name"]] = word
    query = f"?{urlencode(asked)}" if asked else ""
    content = operation.get("requestBody", {}).get("content", {})
    file = "tuesday.csv" if "multipart/form-data" in content else ""
    example = _example(_body(described, operation)) if content and not file else ""
    body = json.loads(example or "{}") if content and not file else None
    shown = path.removeprefix(API) + query
    return ApiCall(method, shown, operation.get("description", ""), body, file, keyed)


def _word(parameter: dict[str, Any]) -> str:
    """An example of what stands in an address."""
    schema = parameter["schema"]
    examples = schema.get("examples") or schema.get("enum")
    if examples:
        return str(examples[0])
    return "1" if schema.get("type") == "integer" else "ID"


@router.get("/developers")
@may(READ)
def developers(request: Request) -> Response:
    base = f"{str(request.base_url).rstrip('/')}/api/v1"
    calls = calls_of(request.app.openapi())
    return render(request, "developers.html", calls=calls, base=base)


@router.get("/api/v1/openapi.json")
@may(READ)
def description(request: Request) -> JSONResponse:
    """The API's description."""
    return JSONResponse(request.app.openapi())


@router.get("/developers/api")
@may(READ)
def reference(request: Request) -> Response:
    described = request.app.openapi()
    operations = [
        operation_of(described, method, path, operation)
        for path, methods in described["paths"].items()
        for method, operation in methods.items()
    ]
    return render(
        request, "reference.html", about=described["info"]["description"], operations=operations
    )


@dataclass(frozen=True, slots=True)
class ApiOperation:
    """One operation of the API as a reader wants it."""

    name: str
    about: str
    parameters: Table
    fields: Table
    example: str
    answers: str


def operation_of(described: dict[str, Any], method: str, path: str, operation: Any) -> ApiOperation:
    """From the description's own words."""
    rows = [
        (p["name"], p["in"], _kind(p["schema"]), p.get("description", ""))
        for p in operation.get("parameters", [])
    ]
    header = (
        headed("name", lang="en"),
        headed("where", lang="en"),
        headed("type", lang="en"),
        headed("about", lang="en"),
    )
    of_body = (header[0], header[2], Column("·", "·"), header[3])
    body = _body(described, operation)
    fields = [
        (
            name,
            _kind(one),
            cell(Message("required") if name in body.get("required", ()) else ""),
            one.get("description", ""),
        )
        for name, one in body.get("properties", {}).items()
    ]
    return ApiOperation(
        f"{method.upper()} {path}",
        operation.get("description", ""),
        table("parameters", header, rows, Message("Parameters")),
        table("fields", of_body, fields, Message("Body")),
        _example(body),
        ", ".join(code for code in operation["responses"] if code.isdecimal()),
    )


def _body(described: dict[str, Any], operation: Any) -> dict[str, Any]:
    for media in operation.get("requestBody", {}).get("content", {}).values():
        name = media["schema"].get("$ref", "").rpartition("/")[2]
        schema: dict[str, Any] = described["components"]["schemas"].get(name, {})
        return schema
    return {}


def _example(body: dict[str, Any]) -> str:
    """The example the description gives, or one made of its fields' examples."""
    fields = body.get("properties", {}).items()
    made = {name: one["examples"][0] for name, one in fields if one.get("examples")}
    example = {**made, **body.get("example", {})}
    return json.dumps(example, ensure_ascii=False, indent=2) if example else ""


def _kind(schema: dict[str, Any]) -> str:
    if "enum" in schema:
        return " | ".join(str(word) or '""' for word in schema["enum"])
    if "anyOf" in schema:
        return " | ".join(_kind(one) for one in schema["anyOf"])
    return str(schema.get("type", schema.get("$ref", "").rpartition("/")[2]))
