"""What people and programs of version de80847 type and ask goes on working: every command with its
options, every address of the API with its parameters and fields, every page."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import click
import pytest

from honours.cli import cli
from honours.web.app import unguarded
from honours.web.settings import Settings

THEN: dict[str, Any] = json.loads(
    (Path(__file__).parent / "files" / "then.json").read_text(encoding="utf-8")
)


@pytest.fixture(scope="module")
def spec(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return unguarded(Settings(data=tmp_path_factory.mktemp("data"))).openapi()


@pytest.mark.parametrize("words", THEN["commands"])
def test_a_command_of_then_takes_what_it_took(words: str) -> None:
    command: click.Command = cli
    for name in words.split():
        assert isinstance(command, click.Group)
        inner = command.get_command(click.Context(command), name)
        assert inner is not None, f"there is no `honours {words}` any more"
        command = inner
    options = {
        flag: one
        for one in command.params
        if isinstance(one, click.Option)
        for flag in (*one.opts, *one.secondary_opts)
    }
    assert set(THEN["commands"][words]) <= set(options)
    for flag, choices in THEN["words"].get(words, {}).items():
        wanted = options[flag].type
        known = wanted.choices if isinstance(wanted, click.Choice) else choices
        assert set(choices) <= set(map(str, known)), flag


@pytest.mark.parametrize("asked", THEN["api"])
def test_an_address_of_the_api_of_then_takes_what_it_took(asked: str, spec: dict[str, Any]) -> None:
    method, _, path = asked.partition(" ")
    operation = spec["paths"][path][method.lower()]
    before = THEN["api"][asked]
    assert set(before["parameters"]) <= {one["name"] for one in operation.get("parameters", ())}
    assert set(before["fields"]) <= _fields(spec, operation)


def _fields(spec: dict[str, Any], operation: dict[str, Any]) -> set[str]:
    content = operation.get("requestBody", {}).get("content", {})
    schema = content.get("application/json", {}).get("schema", {})
    name = schema.get("$ref", "").rpartition("/")[2]
    return set(spec["components"]["schemas"].get(name, {}).get("properties", {}))


def test_every_page_of_then_is_there(tmp_path: Path) -> None:
    routes = {
        f"{method} {_shape(path)}"
        for path, methods in _routes(unguarded(Settings(data=tmp_path)).router)
        for method in methods
    }
    gone = [page for page in THEN["pages"] if _shape(page) not in routes]
    assert not gone


def _shape(path: str) -> str:
    return re.sub(r"\{[^}]*\}", "{}", path)


def _routes(router: Any) -> list[tuple[str, set[str]]]:
    paths = []
    for route in router.routes:
        if methods := getattr(route, "methods", None):
            paths.append((route.path, methods))
        elif inner := getattr(route, "original_router", None) or getattr(route, "app", None):
            paths += _routes(inner) if hasattr(inner, "routes") else []
    return paths
