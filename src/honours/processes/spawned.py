"""Work in processes where none can be forked, as on Windows: each piece gets one that was started,
and had everything imported, before it came.

``python -m honours.processes.spawned MODULE …`` is such a process. It is bounded in computing time
and ends with whoever sent the work; its memory is not bounded there.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import IO

from honours.processes.pool import Processes, Running, Task, importing


class Spawned(Processes):
    """Keeps as many processes ready as work at once."""

    def __init__(self, at_once: int = 4, modules: Sequence[str] = ()) -> None:
        super().__init__(at_once, modules)
        self._at_once = at_once
        self._ready: list[subprocess.Popen[bytes]] = []

    def start(self) -> None:
        with self._lock:
            self._fill()

    def close(self) -> None:
        with self._lock:
            for process in self._ready:
                _Pipes.of(process).__exit__()
                process.wait()
            self._ready.clear()

    def _fill(self) -> None:
        command = [sys.executable, "-m", "honours.processes.spawned", *self._modules]
        while len(self._ready) < self._at_once:
            process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            self._ready.append(process)

    def _begun(self, task: Task, patience: float | None) -> Running:  # noqa: ARG002
        with self._lock:
            self._fill()
            process = self._ready.pop(0)
            self._fill()

        def end(at_once: bool) -> None:
            process.kill()
            if at_once:
                process.wait()

        return self._sent(task, _Pipes.of(process), end)


class _Pipes:
    """Two pipes as if they were a socket."""

    def __init__(self, inwards: IO[bytes] | None, outwards: IO[bytes] | None) -> None:
        assert inwards is not None
        assert outwards is not None
        self._inwards, self._outwards = inwards, outwards

    @classmethod
    def of(cls, process: subprocess.Popen[bytes]) -> _Pipes:
        return cls(process.stdout, process.stdin)

    def __enter__(self) -> _Pipes:
        return self

    def __exit__(self, *_: object) -> None:
        for pipe in (self._outwards, self._inwards):
            with suppress(OSError):
                pipe.close()

    def sendall(self, data: bytes, /) -> None:
        self._outwards.write(data)
        self._outwards.flush()

    def recv(self, most: int, /) -> bytes:
        return os.read(self._inwards.fileno(), most)


def main(*modules: str) -> None:
    """Do the one piece of work that comes over standard input."""
    from honours.processes.fork_server import do_work, prepare

    outwards = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what the work prints goes to the log
    with importing():
        for module in modules:
            prepare(module)
    do_work(_Pipes(os.fdopen(os.dup(0), "rb", buffering=0), outwards))
    outwards.flush()
    os._exit(0)


if __name__ == "__main__":
    main(*sys.argv[1:])
