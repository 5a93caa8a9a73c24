"""A client written from the API's description, as a developer would have one generated: a class
for every schema, a method for every operation."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterator
from typing import Any

HEAD = """
from __future__ import annotations
from dataclasses import dataclass, fields, is_dataclass, asdict
from typing import Any, get_args, get_origin, get_type_hints
import types, httpx

class ProblemError(Exception):
    def __init__(self, problem):
        super().__init__(problem.detail)
        self.problem = problem

def _made(kind, data):
    if data is None or kind is Any:
        return data
    if is_dataclass(kind):
        hints = get_type_hints(kind)
        return kind(**{f.name: _made(hints[f.name], data.get(f.name)) for f in fields(kind)})
    origin, inner = get_origin(kind), get_args(kind)
    if origin is list:
        return [_made(inner[0], one) for one in data]
    if origin is dict:
        return {key: _made(inner[1], one) for key, one in data.items()}
    if origin is types.UnionType:
        some = [one for one in inner if one is not types.NoneType]
        return _made(some[0], data) if len(some) == 1 else data
    return data
"""


def source(document: dict[str, Any]) -> str:
    """The text of a module with the client."""
    schemas = document["components"]["schemas"]
    parts = [HEAD]
    for name, schema in schemas.items():
        parts += ["@dataclass(kw_only=True)", f"class {_class(name)}:"]
        lines = [
            f"    {_word(key)}: {_type(one)} | None = None"
            for key, one in schema.get("properties", {}).items()
        ]
        parts += lines or ["    pass"]
    parts += ["class Client:", "    def __init__(self, http): self.http = http"]
    for path, operations in document["paths"].items():
        for method, one in operations.items():
            parts += _method(path, method, one)
    return "\n".join(parts)


def _method(path: str, method: str, operation: dict[str, Any]) -> Iterator[str]:
    asked = operation.get("parameters", [])
    names = {one["name"]: _word(one["name"].lower().replace("-", "_")) for one in asked}
    required = [names[one["name"]] for one in asked if one.get("required")]
    optional = [f"{names[one['name']]}=None" for one in asked if not one.get("required")]
    body = operation.get("requestBody", {}).get("content", {})
    sent = ["body"] if body else []
    yield f"    def {operation['operationId']}(self, {', '.join([*required, *sent, *optional])}):"
    at = re.sub(r"\{(\w+)\}", lambda m: "{" + names[m[1]] + "}", path)
    query = {one["name"]: names[one["name"]] for one in asked if one["in"] == "query"}
    params = ", ".join(f"{key!r}: {name}" for key, name in query.items())
    yield f"        params = {{k: v for k, v in {{{params}}}.items() if v is not None}}"
    if "application/json" in body:
        yield "        sent = {k: v for k, v in asdict(body).items() if v is not None}"
        how = ", json=sent"
    else:
        how = ", **body" if body else ""
    yield f"        got = self.http.request({method!r}, f{at!r}, params=params{how})"
    yield "        if got.status_code >= 400:"
    yield "            raise ProblemError(_made(ProblemAnswer, got.json()))"
    yield f"        return {_answer(operation)}"


def _answer(operation: dict[str, Any]) -> str:
    told = next(one for code, one in operation["responses"].items() if code[0] == "2")
    content = told.get("content", {})
    if not content:
        return "None"
    schema = content.get("application/json", {}).get("schema", {"type": "string"})
    return "got.content" if schema == {"type": "string"} else f"_made({_type(schema)}, got.json())"


def _type(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        return _class(schema["$ref"].rpartition("/")[2])
    if "anyOf" in schema:
        return " | ".join(dict.fromkeys(map(_type, schema["anyOf"])))
    if schema.get("type") == "array":
        return f"list[{_type(schema.get('items', {}))}]"
    if schema.get("type") == "object":
        inner = schema.get("additionalProperties")
        return f"dict[str, {_type(inner) if isinstance(inner, dict) else 'Any'}]"
    plain = {"string": "str", "integer": "int", "number": "float", "boolean": "bool"}
    return {**plain, "null": "None"}.get(schema.get("type", ""), "Any")


def _class(name: str) -> str:
    return re.sub(r"\W|_$", "", name)


def _word(name: str) -> str:
    return f"{name}_" if keyword.iskeyword(name) else re.sub(r"\W", "_", name)
