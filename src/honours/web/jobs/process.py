"""The process that does one job: the work comes in on standard input, what is told goes out.

It gives way to the server (a low priority) and ends with it, even if the server is killed.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
import threading
import traceback
from types import FrameType

from honours.errors import HonoursError
from honours.web.jobs.service import FAILED, Work

_NICENESS = 5


class CalledOff(BaseException):
    """The server said to stop: nothing that catches errors should catch this."""


class Telling:
    """Where the server listens; what the work prints goes to the log instead."""

    def __init__(self) -> None:
        self._out = os.fdopen(os.dup(1), "wb")
        os.dup2(2, 1)

    def __call__(self, *told: object) -> None:
        try:
            self._out.write(pickle.dumps(told))
            self._out.flush()
        except BrokenPipeError:
            os._exit(1)  # the server is gone: nobody listens any more

    def step(self, done: int, total: int) -> None:
        self("step", done, total)


def main() -> None:
    """Do the work that is sent, and tell how it goes."""
    os.nice(_NICENESS)
    signal.signal(signal.SIGTERM, _called_off)
    tell = Telling()
    work: Work = pickle.load(sys.stdin.buffer)
    threading.Thread(target=_end_with_the_server, daemon=True).start()
    try:
        tell("done", work(tell))
    except HonoursError as error:
        tell("failed", str(error))
    except CalledOff:
        tell("failed", "cancelled")
    except Exception:
        traceback.print_exc()
        tell("failed", FAILED)
    os._exit(0)  # all is said: nothing is to be tidied up that could still be called off


def _called_off(_signal: int, _frame: FrameType | None) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # once is enough
    raise CalledOff


def _end_with_the_server() -> None:
    """The other end of standard input is the server's: it closes when the server is gone."""
    while os.read(0, 1024):
        pass
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    main()
