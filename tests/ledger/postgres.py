"""A real PostgreSQL server for the tests, on a socket in a temporary folder."""

from __future__ import annotations

import itertools
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from scripts.system import is_root
from tests.support import needs_tool

OWNER = "postgres"
_SETTINGS = {
    "listen_addresses": "",
    "fsync": "off",
    "full_page_writes": "off",
    "autovacuum": "off",
    "max_connections": "40",
    "shared_buffers": "32MB",
}


def programs() -> Path:
    """Where Debian keeps the server's own programs, the newest version first."""
    needs_tool("pg_ctlcluster")
    paths = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), reverse=True)
    return paths[0].parent if paths else Path(shutil.which("initdb") or "initdb").parent


def _run(*command: str | Path) -> None:
    # initdb refuses root; the package made a user for it.
    owner = {"user": OWNER, "group": OWNER, "extra_groups": []} if is_root() else {}
    subprocess.run(
        list(map(str, command)),
        check=True,
        cwd="/",
        stdout=subprocess.DEVNULL,
        env={**os.environ, "LC_ALL": "C.UTF-8"},
        **owner,
    )  # type: ignore[call-overload]


@contextmanager
def server() -> Iterator[str]:
    """A running server; gives the folder of its socket."""
    bin_ = programs()
    folder = tempfile.mkdtemp(prefix="honours-pg-")
    if is_root():
        shutil.chown(folder, OWNER, OWNER)
    data = f"{folder}/data"
    try:
        _run(bin_ / "initdb", "-D", data, "-U", OWNER, "-A", "trust", "-E", "UTF8", "--no-sync")
        options = " ".join(f"-c {key}='{value}'" for key, value in _SETTINGS.items())
        _run(
            bin_ / "pg_ctl",
            "-D",
            data,
            "-w",
            "-l",
            f"{folder}/log",
            "-o",
            f"-k {folder} {options}",
            "start",
        )
        yield folder
    finally:
        _run(bin_ / "pg_ctl", "-D", data, "-m", "immediate", "-w", "stop")
        shutil.rmtree(folder, ignore_errors=True)


def url(socket: str, database: str) -> str:
    return f"postgresql://{OWNER}@/{database}?host={socket}"


def create_database(socket: str, name: str) -> str:
    import psycopg

    admin = psycopg.connect(f"host={socket} user={OWNER} dbname=postgres", autocommit=True)
    with admin:
        quickly = " STRATEGY FILE_COPY" if admin.info.server_version >= 150000 else ""
        admin.execute(f'CREATE DATABASE "{name}" TEMPLATE template0{quickly}'.encode())
    admin.close()
    return url(socket, name)


_numbers = itertools.count(1)


def another_database(socket: str) -> str:
    """One that nobody has used."""
    return create_database(socket, f"another{next(_numbers)}")


@contextmanager
def moved_to(socket: str, name: str, folder: Path) -> Iterator[None]:
    """Keep a database's tables in another folder for a while; it is gone afterwards."""
    import psycopg

    with psycopg.connect(f"host={socket} user={OWNER} dbname=postgres", autocommit=True) as admin:
        admin.execute(f"CREATE TABLESPACE elsewhere LOCATION '{folder}'".encode())
        admin.execute(f'ALTER DATABASE "{name}" SET TABLESPACE elsewhere'.encode())
        try:
            yield
        finally:
            admin.execute(f'DROP DATABASE "{name}" WITH (FORCE)'.encode())
            admin.execute("DROP TABLESPACE elsewhere")
