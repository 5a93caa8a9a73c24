"""A server as a process of its own: what the load script and the tests of a real server start."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Served:
    """A running server: where it answers, and the process that does."""

    address: str
    process: subprocess.Popen[str]


def start(folder: Path, *options: str) -> Served:
    """`honours serve` on any free port, its events in ``folder``; it listens on return."""
    command = [sys.executable, "-m", "honours", "serve", "--port", "0", "--no-browser"]
    server = subprocess.Popen(
        [*command, "--data", str(folder), *options], stdout=subprocess.PIPE, text=True
    )
    assert server.stdout is not None
    line = server.stdout.readline()
    addresses = [word for word in line.split() if word.startswith("http")]
    if not addresses:
        server.wait(10)
        raise RuntimeError(f"the server did not start: {line!r}")
    return Served(addresses[0].rstrip("/"), server)


@contextmanager
def served(folder: Path, *options: str) -> Iterator[Served]:
    """A server for as long as it is needed."""
    server = start(folder, *options)
    try:
        yield server
    finally:
        server.process.terminate()
        server.process.wait(20)
        assert server.process.stdout is not None
        server.process.stdout.close()
