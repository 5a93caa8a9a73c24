"""What lies outside Python: the programs the tests use, and how Debian installs them."""

import os
import shutil
import subprocess

# The programs tests need beyond Python, and the Debian packages that hold them.
SYSTEM_TOOLS = {
    "chromium": "chromium",
    "curl": "curl",
    "java": "default-jre-headless",
    "mdb-export": "mdbtools",
    # Debian keeps the server's own programs off the path; this one comes along with them.
    "pg_ctlcluster": "postgresql",
    # Debian keeps games off root's path.
    "/usr/games/salliere": "salliere",
}


def missing_tools() -> list[str]:
    """Name the programs of SYSTEM_TOOLS that are not installed."""
    return [tool for tool in SYSTEM_TOOLS if shutil.which(tool) is None]


def is_root() -> bool:
    """Say whether packages can be installed without asking anyone."""
    return os.geteuid() == 0


def apt_install(packages: list[str]) -> str:
    """Install Debian packages; return what went wrong, or nothing."""
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for arguments in (["update", "-q"], ["install", "-q", "-y", *packages]):
        run = subprocess.run(
            ["apt-get", *arguments], env=environment, capture_output=True, text=True, check=False
        )
    # One unreachable source fails `update` although the package may come from another.
    return run.stderr.strip() if run.returncode else ""
