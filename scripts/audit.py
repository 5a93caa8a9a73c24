"""Looks up known vulnerabilities of every locked dependency: `python -m scripts.audit`.

Needs a database of advisories, PyPI's or else OSV's. Where neither can be reached it says so and
lets the checks go on: that the locks were not audited must be seen, not passed over.
"""

import subprocess
import sys

from scripts.environment import ROOT

LOCKS = ("requirements/dev.lock",)  # which holds all of the others
SERVICES = ("pypi", "osv")
FOUND = "known vulnerabilit"
"""What pip-audit says when it has found some; else it stops because it could not look."""
PATIENCE = "10"
"""Seconds that a database is waited for."""


def main() -> int:
    """1 if a locked version has a known vulnerability, else 0."""
    for service in SERVICES:
        outcome = audit(service)
        if outcome.returncode == 0:
            print(f"no known vulnerabilities in {' and '.join(LOCKS)}, says {service}")
            return 0
        if FOUND in outcome.stderr.lower():
            print(outcome.stdout + outcome.stderr)
            return 1
    print("NOT AUDITED: no database of advisories could be reached")
    return 0


def audit(service: str) -> "subprocess.CompletedProcess[str]":
    """What a database says of the locks."""
    locks = [part for lock in LOCKS for part in ("--requirement", f"{ROOT}/{lock}")]
    quiet = ("--progress-spinner", "off", "--timeout", PATIENCE)
    command = [sys.executable, "-m", "pip_audit", "--disable-pip", "--require-hashes"]
    return subprocess.run(
        [*command, "--vulnerability-service", service, *quiet, *locks],
        capture_output=True,
        text=True,
        check=False,
    )


if __name__ == "__main__":
    sys.exit(main())
