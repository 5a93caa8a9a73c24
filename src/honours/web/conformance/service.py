"""The verdicts on every printed figure, worked out once for as long as the server runs."""

from __future__ import annotations

from honours.conformance.runner import ClaimVerdict, chosen_claims, run
from honours.web.jobs.service import Job, Jobs, Progress


class ConformanceRun:
    """Starts going through the sources when first asked."""

    def __init__(self, jobs: Jobs) -> None:
        self._jobs = jobs
        self._job: Job | None = None

    def verdicts(self) -> list[ClaimVerdict] | None:
        """Every verdict, or nothing yet."""
        if self._job is None or self._job.state in ("failed", "cancelled"):
            self._job = self._jobs.start("conformance", go_through)
        verdicts: list[ClaimVerdict] | None = self._job.result
        return verdicts

    def progress(self) -> tuple[int, int]:
        """Return how many claims were judged so far, and how many there are."""
        return (self._job.done, self._job.total) if self._job else (0, 0)


def go_through(progress: Progress) -> list[ClaimVerdict]:
    """Judge every claim, step by step."""
    claims = chosen_claims()
    verdicts: list[ClaimVerdict] = []
    for verdict in run(claims):
        verdicts.append(verdict)
        progress.step(len(verdicts), len(claims))
    return verdicts
