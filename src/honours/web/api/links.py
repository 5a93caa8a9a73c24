"""How one answer leads to the next request: OpenAPI links, and the keys of requests."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Header

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
