"""The API's description is one that a pleasant client can be made from."""

from __future__ import annotations

import sys
import types
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from honours.demo import CLUB_NIGHT, file
from honours.model.rights import ACTIONS
from tests.web.generated import source


@pytest.fixture(scope="module")
def described(client: httpx.Client) -> dict[str, Any]:
    document: dict[str, Any] = client.get("/api/v1/openapi.json").json()
    return document


@pytest.fixture(scope="module")
def made(described: dict[str, Any]) -> types.ModuleType:
    module = sys.modules["honours_client"] = types.ModuleType("honours_client")
    exec(source(described), module.__dict__)
    return module


UNTYPED = {
    "RulingRequest",  # whose other words hang on its kind
    "JobAnswer.result",  # of any question of the lab
    "event",
    "rulebook",
    "RulingsAnswer.rulings",
    "SeasonAwards.awards",
    "SeasonAwards.posted",
    "SeasonTable.rows",
    "QualificationAnswer.list",
    "QualificationAnswer.not_posted",
    "QualificationAnswer.tournaments",
}
"""What is a tree or a table of its own, told field by field in the documentation."""


def _untyped(schema: Any, where: str) -> Iterator[str]:
    if isinstance(schema, list):
        for one in schema:
            yield from _untyped(one, where)
    elif isinstance(schema, dict):
        if schema.get("type") == "object" and schema.get("additionalProperties") is True:
            yield where
        for key, one in schema.items():
            inside = f"{where}.{key}" if "." not in where and key != "properties" else where
            named = where if key in ("properties", "items", "anyOf", "schema") else inside
            yield from _untyped(one, named)


def test_every_answer_is_typed_and_every_operation_says_who_may(described: dict[str, Any]) -> None:
    schemas = described["components"]["schemas"]
    plain = {
        name: {"properties": one.get("properties", {}), "type": one.get("type")}
        for name, one in schemas.items()
    }
    loose = {where for name, one in plain.items() for where in _untyped(one, name)}
    for operations in described["paths"].values():
        for one in operations.values():
            answers = [told for code, told in one["responses"].items() if code[0] == "2"]
            contents = [content for told in answers for content in told.get("content", {}).values()]
            loose |= {where.split(".")[0] for where in _untyped(contents, one["operationId"])}
            assert one["x-right"] in {*ACTIONS, "open"}
            assert one["security"] or one["x-right"] == "open"
            refused = one["responses"]["default"]["content"]["application/problem+json"]
            assert refused["schema"] == {"$ref": "#/components/schemas/ProblemAnswer"}
    assert loose <= UNTYPED
    assert set(described["components"]["securitySchemes"]) == {"token", "table"}


def test_a_generated_client_is_pleasant(made: types.ModuleType, client: httpx.Client) -> None:
    honours = made.Client(client)
    calculation = honours.calculate(
        made.CalculationRequest(
            rulebook="sbu-clubs-2016",
            given={"kind": "pairs", "winners": "1", "pairs": 18, "boards": 24},
        )
    )
    assert calculation.schedule[0].place == 1
    assert calculation.schedule[0].award
    [event] = honours.add_event({"files": {"file": ("night.csv", file(CLUB_NIGHT).read_bytes())}})
    posting = honours.event_posting(event.id)
    assert (posting.status, posting.changed) == ("", False)
    honours.begin_ledger()
    member = honours.add_member(made.MemberRequest(name="Ann Ash", number="4001"))
    assert honours.all_members(find="Ash").items[0].member == member.member
    assert honours.member_statement(member.member).postings == []
    with pytest.raises(made.ProblemError) as wrong:
        honours.calculate(
            made.CalculationRequest(rulebook="sbu-clubs-2016", given={"kind": "pears"})
        )
    problem = wrong.value.problem
    assert problem.type in ("urn:honours:unknown-name", "urn:honours:wrong-value")
    assert problem.errors[0].field == "kind"
