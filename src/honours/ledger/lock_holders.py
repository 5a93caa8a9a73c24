"""Whom a writer is waiting for: who holds the ledger's write lock, as far as the system can
tell."""

from __future__ import annotations

import os
import shlex
from pathlib import Path

from sqlalchemy import Engine, text

from honours.model.message import Message, joined, mark

PATIENCE = 20
"""How many seconds a writer waits for another before it gives up and names it."""

_HOLDER = text(
    "SELECT a.pid, a.usename, a.application_name, a.client_addr, a.xact_start "
    "FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid "
    "WHERE l.locktype = 'advisory' AND l.granted AND l.objid = :turn "
    "AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())"
)


def holder_of_file(path: str) -> str:
    """The process that holds a SQLite file or one of its companion files, by the system's list
    of locks."""
    try:
        wanted = {
            os.stat(file).st_ino
            for ending in ("", "-shm", "-wal", "-journal")
            if Path(file := path + ending).exists()
        }
        locks = Path("/proc/locks").read_text(encoding="ascii").splitlines()
    except OSError:
        return ""
    # "1: POSIX  ADVISORY  WRITE 4711 08:01:131090 120 120"; "->" before those that wait.
    for words in (line.split() for line in locks if "->" not in line):
        inode = int(words[5].rpartition(":")[2])
        if words[3] == "WRITE" and inode in wanted and (pid := int(words[4])) > 0:
            return _process(pid)
    return ""


def _process(pid: int) -> str:
    template = mark("process {pid} (this one)") if pid == os.getpid() else mark("process {pid}")
    process = Message(template, pid=pid)
    try:
        words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\x00")
    except OSError:
        return process
    command = shlex.join(word.decode(errors="replace") for word in words if word)
    return Message("{process}: {command}", process=process, command=command[:120])


def holder_on_server(engine: Engine, turn: int) -> str:
    """The session that holds the write lock on PostgreSQL."""
    with engine.connect() as connection:
        row = connection.execute(_HOLDER, {"turn": turn}).first()
    if row is None:
        return ""
    session = Message("session {pid} of {user}", pid=row.pid, user=row.usename)
    if row.client_addr:
        session = Message("{session} from {host}", session=session, host=str(row.client_addr))
    if row.application_name:
        session = joined(" ", (session, f"({row.application_name})"))
    if row.xact_start:
        moment = f"{row.xact_start:%H:%M:%S}"
        session = Message("{session} since {time}", session=session, time=moment)
    return session
