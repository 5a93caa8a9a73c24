"""Work done in separate processes: one way to run it, and one policy of what it may use and return.

What people send is read, ranked and drawn, and what they ask of the lab is answered, by a process
that can be stopped at any time and that the operating system bounds in computing time, memory and
what it may write. What comes back is made of our own frozen classes and plain values, or it does
not come back.
"""

import os
from collections.abc import Sequence

from honours.processes.limits import LONG, READING, Limits, bounded
from honours.processes.pool import (
    Busy,
    Processes,
    Progress,
    Running,
    Turns,
    Work,
    WorkStopped,
    careful_load,
)


def processes(at_once: int = 4, modules: Sequence[str] = ()) -> Processes:
    """The processes of one server or command, in the way that this system has them."""
    if hasattr(os, "fork"):
        return Processes(at_once, modules)
    from honours.processes.spawned import Spawned  # which is a program of its own too

    return Spawned(at_once, modules)


__all__ = (
    "LONG",
    "READING",
    "Busy",
    "Limits",
    "Processes",
    "Progress",
    "Running",
    "Turns",
    "Work",
    "WorkStopped",
    "bounded",
    "careful_load",
    "processes",
)
