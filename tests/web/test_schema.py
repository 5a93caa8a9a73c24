"""Schemathesis against the API: whatever is asked, the answer is as described and no failure.

`HONOURS_API_EXAMPLES=2000 pytest tests/web/test_schema.py` asks thousands.
"""

import os
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis import Case
from schemathesis import pytest as from_pytest
from schemathesis.schemas import BaseSchema
from schemathesis.specs.openapi.checks import positive_data_acceptance

from tests.web.server import example_event

pytestmark = pytest.mark.slow
EXAMPLES = int(os.environ.get("HONOURS_API_EXAMPLES", "10"))
schema = from_pytest.from_fixture("described")


@pytest.fixture(scope="module")
def described(address: str, client: httpx.Client) -> BaseSchema:
    example_event(client)
    return schemathesis.openapi.from_url(f"{address}/api/v1/openapi.json")


@schema.parametrize()
@settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    derandomize=EXAMPLES < 100,
)
def test_every_answer_is_as_described(case: Case[Any], client: httpx.Client) -> None:
    if case.method == "POST" and case.path.endswith("/jobs"):
        for job in client.get("/api/v1/jobs").json()["items"]:
            client.delete(f"/api/v1/jobs/{job['id']}")
    if "{event_id}" in case.path and case.path_parameters:
        case.path_parameters["event_id"] = example_event(client).rpartition("/")[2]
    # What a rulebook refuses (an unknown word, a missing input) no schema can say beforehand.
    case.call_and_validate(excluded_checks=[positive_data_acceptance])
