"""What lies outside Python: the programs the tests use, and how Debian installs them."""

import os
import shutil
import subprocess
import threading

# The programs tests need beyond Python, and the Debian packages that hold them.
SYSTEM_TOOLS = {
    # Chromium without windows: pages are the same, and take half of the work.
    "chromium-headless-shell": "chromium-headless-shell",
    "curl": "curl",
    "java": "default-jre-headless",
    "mdb-export": "mdbtools",
    # Debian keeps the server's own programs off the path; this one comes along with them.
    "pg_ctlcluster": "postgresql",
    # Debian keeps games off root's path.
    "/usr/games/salliere": "salliere",
}


ELSEWHERE = {
    "browser": {"node": "nodejs", "npm": "npm"},
    "windows": {"wine": "wine", "x86_64-w64-mingw32-gcc": "gcc-mingw-w64-x86-64-win32"},
}
"""What more is needed to try another system."""


def missing_tools(mode: str | None = None) -> dict[str, str]:
    """The programs that a mode of ./check needs and are not installed, with their packages."""
    tools = {**SYSTEM_TOOLS, **ELSEWHERE.get(mode or "", {})}
    return {tool: package for tool, package in tools.items() if shutil.which(tool) is None}


def browser() -> str | None:
    """The path of the browser that tests use; all of chromium, where there is nothing smaller."""
    return shutil.which("chromium-headless-shell") or shutil.which("chromium")


def is_root() -> bool:
    """Say whether packages can be installed without asking anyone."""
    return os.geteuid() == 0


_ONE_AT_A_TIME = threading.Lock()
"""apt-get gives up when another apt-get is at work."""


def apt_install(packages: list[str]) -> str:
    """Install Debian packages; return what went wrong, or nothing."""
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    with _ONE_AT_A_TIME:
        for arguments in (["update", "-q"], ["install", "-q", "-y", *packages]):
            command = ["apt-get", *arguments]
            run = subprocess.run(
                command, env=environment, capture_output=True, text=True, check=False
            )
    # One unreachable source fails `update` although the package may come from another.
    return run.stderr.strip() if run.returncode else ""
