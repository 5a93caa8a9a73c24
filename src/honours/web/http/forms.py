"""The fields of submitted forms."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends
from starlette.requests import Request


async def form_fields(request: Request) -> dict[str, str]:
    """The fields of a form as text."""
    form = await request.form()
    return {key: value for key, value in form.items() if isinstance(value, str)}


FormFields = Annotated[dict[str, str], Depends(form_fields)]
