"""The process that forks a process of its own for every piece of work the server sends.

``python -m honours.web.events.worker SECONDS MEGABYTES`` has everything imported once: a piece of
work begins in milliseconds; each is done under limits of the operating system, then its process is
gone. Standard input is the server's socket: what comes over it is a socket for one piece of work.
"""

from __future__ import annotations

import gc
import os
import pickle
import resource
import signal
import socket
import struct
import sys
import traceback
from contextlib import suppress

import honours.web.events.reading  # noqa: F401  # what the work is made of, imported before any is done
from honours.errors import HonoursError

_CHUNK = 1 << 20


def main(seconds: str, megabytes: str) -> None:
    """Fork for every piece of work, until the server is gone."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for a piece of work's process
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which then hangs up
    gc.freeze()
    with socket.socket(fileno=0) as server:
        while True:
            told, sockets, _, _ = socket.recv_fds(server, 1, 1)
            if not told:
                return
            with socket.socket(fileno=sockets[0]) as asked:
                pid = os.fork()
                if pid:
                    with suppress(OSError):  # somebody who does not wait any more
                        asked.sendall(struct.pack("i", pid))
                    continue
                server.close()
                _answer(asked, int(float(seconds)) + 1, int(megabytes) << 20)
                os._exit(0)


def _answer(asked: socket.socket, seconds: int, size: int) -> None:
    """Do a piece of work and send what it gives, or the error it ends with; nothing is sent of one
    that takes too much."""
    resource.setrlimit(resource.RLIMIT_AS, (size, size))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))  # it reads, and writes into a socket
    try:
        asked.sendall(pickle.dumps(_done(b"".join(iter(lambda: asked.recv(_CHUNK), b"")))))
    except (MemoryError, BrokenPipeError):
        pass
    except Exception:
        traceback.print_exc()


def _done(work: bytes) -> object:
    try:
        return pickle.loads(work)()
    except HonoursError as error:
        return error


if __name__ == "__main__":
    main(*sys.argv[1:])
