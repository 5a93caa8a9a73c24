"""The verification light: whether the ledger was found sound, and whether it has grown since."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

from honours.ledger.requests import Answer
from honours.ledger.schema import end_of
from honours.web.jobs.kept_answers import KeptAnswers
from honours.web.jobs.service import Job, Jobs
from honours.web.ledger.service import VERIFICATION, LedgerService, verification


@dataclass(frozen=True, slots=True)
class VerificationLight:
    """``colour`` is green, amber (grown since, or not all explained), red (altered), grey (never
    looked at) or working."""

    colour: str
    job: Job | None = None
    verified: Answer | None = None
    at: str = ""
    grown: bool = False


class VerificationStatus:
    """Derives everything again when asked, as a job; what was found last is kept."""

    def __init__(self, service: LedgerService, jobs: Jobs) -> None:
        self._service, self._jobs = service, jobs
        self._job: Job | None = None

    def switch_on(self) -> None:
        """Begin to verify, unless that is being done."""
        if self._job is None or self._job.state != "running":
            work = partial(verification, settings=self._service.settings)
            self._job = self._jobs.start("verification", work)

    def shown(self) -> VerificationLight:
        """The light as it is now."""
        job = self._job and self._job.now()
        if job is not None and job.state == "running":
            return VerificationLight("working", job)
        kept: Any = KeptAnswers(self._service.settings.data).get(VERIFICATION)
        failed = job is not None and job.state in ("failed", "cancelled")
        if failed or not kept or kept["where"] != self._service.where:
            return VerificationLight("grey", job)
        found: Answer = kept["found"]
        if found["verdict"] == "altered":
            return VerificationLight("red", job, found, kept["at"])
        grown = found["head"] != self._head()
        colour = "green" if found["verdict"] == "sound" and not grown else "amber"
        return VerificationLight(colour, job, found, kept["at"], grown)

    def _head(self) -> str:
        with self._service.reading() as connection:
            return str(end_of(connection).head)
