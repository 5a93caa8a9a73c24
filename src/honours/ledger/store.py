"""Opening a ledger and working in it: which database, which version, one transaction at a time."""

from __future__ import annotations

import logging
import os
import shlex
import sqlite3
import sys
import threading
import weakref
from collections import defaultdict, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

from sqlalchemy import Connection, Engine, create_engine, event, func, inspect, select, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError
from sqlalchemy.pool import NullPool

from honours.errors import InputError, LedgerError
from honours.ledger import versions
from honours.ledger.chain import BY, signed_reason
from honours.model.message import Message, by_command, joined, mark

_log = logging.getLogger(__name__)
DEFAULT = "honours.db"
_TURN = 0x484F4E52
"""PostgreSQL's writers take turns by this lock, as SQLite's do by its own, so that whether an
event, a member or a kind already exists has a single answer."""
_NAMED = ("people", "numbers", "names", "receipts", "drafts", "submissions", "assertions")
"""The tables from which an erasure removes something."""
_TIDY = "erased"
"""The note that a transaction erased a name."""


class _FirstCome:
    """Lets the writers of one process in one at a time, in the order they came: among those that
    wait for a file SQLite chooses by chance, and some would wait in vain."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self.waiting: deque[object] = deque()
        self._inside: int | None = None

    @contextmanager
    def turn(self) -> Iterator[None]:
        """One's turn; a thread that has it already goes on, and waits for the file itself."""
        if self._inside == threading.get_ident():
            yield
            return
        ticket = object()
        with self._changed:
            self.waiting.append(ticket)
            self._changed.wait_for(lambda: self.waiting[0] is ticket)
            self._inside = threading.get_ident()
        try:
            yield
        finally:
            with self._changed:
                self._inside = None
                self.waiting.popleft()
                self._changed.notify_all()


_writers: defaultdict[str, _FirstCome] = defaultdict(_FirstCome)
"""Those who write in a ledger of this process, by where it is."""


class Ledger:
    """An open ledger. ``reading`` and ``writing`` give a connection in a transaction."""

    def __init__(self, engine: Engine, where: str) -> None:
        self.engine, self.where = engine, where
        # Pooled connections are closed when the ledger is no longer referenced.
        weakref.finalize(self, engine.dispose)

    @property
    def dialect(self) -> str:
        return self.engine.dialect.name

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection that sees one state of the ledger throughout."""
        with plain_problems(self.where), self.engine.connect() as connection:
            if self.dialect != "sqlite":
                connection.execution_options(isolation_level="REPEATABLE READ")
            with connection.begin():
                yield connection

    @contextmanager
    def writing(self, dry_run: bool = False, by: str = "", why: str = "") -> Iterator[Connection]:
        """A connection whose work is committed as a whole or not at all; a dry run commits
        nothing. ``by``, in whose name it is done, is recorded in every link that it adds to the
        chain, with the reason if there is one."""
        with (
            _writers[self.where].turn(),
            plain_problems(self.where, self._holder),
            self.engine.connect() as plain,
        ):
            connection = plain.execution_options(writing=True)
            connection.info[BY] = signed_reason(by, why)
            transaction = connection.begin()
            try:
                if self.dialect != "sqlite":
                    connection.execute(text(f"SET LOCAL lock_timeout = '{PATIENCE}s'"))
                    connection.execute(select(func.pg_advisory_xact_lock(_TURN)))
                yield connection
                if dry_run:
                    transaction.rollback()
                else:
                    transaction.commit()
            except BaseException:
                transaction.rollback()
                raise
            finally:
                connection.info.pop(BY, None)
                erased = connection.info.pop(_TIDY, False) and not dry_run
        if erased:
            with plain_problems(self.where, self._holder):
                self.forget()

    def forget(self) -> None:
        """Leave no trace of erased data in the database's files: neither in SQLite's log, nor in
        the rows that PostgreSQL keeps until it vacuums."""
        with self.engine.connect() as connection:
            if self.dialect == "sqlite":
                connection.exec_driver_sql("ROLLBACK")
                tidied = connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)").one()
                connection.exec_driver_sql("BEGIN")
                if tidied[0]:
                    raise LedgerError(
                        "the name was erased, but {where}-wal still has it, because somebody "
                        "has been reading an older state for {patience} seconds. Erase the "
                        "member again when they are done",
                        where=self.where,
                        patience=PATIENCE,
                    )
                return
        plain = self.engine.execution_options(isolation_level="AUTOCOMMIT")
        with plain.connect() as connection:
            connection.execute(text(f"SET lock_timeout = '{PATIENCE}s'"))
            for table in _NAMED:
                connection.execute(text(f"VACUUM (FULL) {table}"))

    def _holder(self) -> str:
        """Return who held the lock for which a writer waited."""
        if self.dialect == "sqlite":
            return holder_of_file(self.where)
        return holder_on_server(self.engine, _TURN)

    def close(self) -> None:
        self.engine.dispose()


def erased(connection: Connection) -> None:
    """Note that the transaction erased a name, so that no trace of it is left afterwards."""
    connection.info[_TIDY] = True


def open_ledger(url: str = DEFAULT) -> Ledger:
    """The ledger at a path or a URL; an older one is upgraded to this version, a newer or
    missing one is refused."""
    ledger = _connect(url)
    if ledger.dialect == "sqlite" and not Path(ledger.where).is_file():
        raise LedgerError(
            "no ledger at {where}: make one with {remedy}",
            where=ledger.where,
            remedy=by_command("ledger init", Message("Ledger")),
        )
    with ledger.reading() as connection:
        older = versions.check(connection, ledger.where) != versions.NEWEST
    if older:
        with ledger.writing() as connection:
            if (was := versions.check(connection, ledger.where)) != versions.NEWEST:
                versions.upgrade(connection)
                _log.warning(
                    Message(
                        "{where} was made by an older Honours: brought from version {was} to {now}",
                        where=ledger.where,
                        was=was,
                        now=versions.NEWEST,
                    )
                )
    return ledger


def create_ledger(
    url: str = DEFAULT, fill: Callable[[Connection], None] | None = None, dry_run: bool = False
) -> Ledger:
    """A new ledger, empty or filled by ``fill``; refused if there already is one."""
    ledger = _connect(url)
    ours = ledger.dialect == "sqlite" and _new_file(Path(ledger.where))
    try:
        with ledger.writing(dry_run) as connection:
            if inspect(connection).get_table_names():
                raise LedgerError(
                    "there is already a database at {where}; name another with --ledger",
                    where=ledger.where,
                )
            (fill or versions.upgrade)(connection)
        kept = not dry_run
    except BaseException:
        kept = False
        raise
    finally:
        if ours and not kept:
            _take_away(Path(ledger.where))
    return ledger


def _new_file(file: Path) -> bool:
    """Create an empty file if there is none. It will contain names, so only its owner may read
    it, unless they decide otherwise."""
    if not file.parent.is_dir() or file.exists():
        return False
    os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    return True


def _take_away(file: Path) -> None:
    """Remove the remains of a failed attempt."""
    for ending in ("", "-wal", "-shm"):
        Path(f"{file}{ending}").unlink(missing_ok=True)


def upgrade_ledger(url: str = DEFAULT, dry_run: bool = False) -> tuple[str, str]:
    """Upgrade an older ledger to this version; returns the old and the new version."""
    ledger = _connect(url)
    with ledger.writing(dry_run) as connection:
        before = versions.check(connection, ledger.where)
        versions.upgrade(connection)
    ledger.close()
    return before, versions.NEWEST


def _connect(place: str) -> Ledger:
    url = _url(place)
    try:
        engine = create_engine(url, **_kept(url))
    except (ArgumentError, NoSuchModuleError) as error:
        raise InputError(
            "{shown_address}: not a file or a database URL", shown_address=shown_address(place)
        ) from error
    if engine.dialect.name == "sqlite":
        if _unwritable(Path(url.database or "")):
            return Ledger(_only_read(url), url.database or "")
        _prepare_sqlite(engine)
        return Ledger(engine, url.database or "")
    return Ledger(engine, shown_address(url))


def _unwritable(file: Path) -> bool:
    """Return whether neither the file nor what SQLite keeps beside it can be written."""
    beside = Path(f"{file}-wal")
    return file.is_file() and not os.access(file.parent, os.W_OK) and not beside.exists()


def _only_read(url: URL) -> Engine:
    """A file opened as it is where nothing can be written: SQLite would otherwise create its log
    there."""

    def connect() -> sqlite3.Connection:
        path = quote(str(Path(url.database or "").resolve()))
        made = sqlite3.connect(f"file:{path}?immutable=1", uri=True, check_same_thread=False)
        made.isolation_level = None
        return made

    engine = create_engine(url, poolclass=NullPool, creator=connect)

    @event.listens_for(engine, "begin")
    def begun(connection: Connection) -> None:
        if connection.get_execution_options().get("writing"):
            raise LedgerError(
                "the ledger {database}: it can only be read; nothing was written",
                database=url.database,
            )
        connection.exec_driver_sql("BEGIN")

    return engine


def _kept(url: URL) -> dict[str, Any]:
    """Return how connections are pooled: a file is opened anew each time, a server's are reused,
    because making one takes longer than most queries."""
    if url.get_backend_name() == "sqlite":
        return {"poolclass": NullPool}
    return {"pool_pre_ping": True}


def _url(place: str) -> URL:
    """A path is a file of SQLite; ``postgresql://…`` goes through psycopg 3."""
    if "://" not in place:
        return URL.create("sqlite", database=place)
    try:
        url = make_url(place)
    except (ArgumentError, ValueError) as error:
        raise InputError(
            "{shown_address}: not a database URL", shown_address=shown_address(place)
        ) from error
    if url.get_backend_name() == "postgresql":
        return url.set(drivername="postgresql+psycopg")
    if url.get_backend_name() != "sqlite":
        raise InputError(
            "{shown_address}: a ledger is a file, or on PostgreSQL (postgresql://…)",
            shown_address=shown_address(place),
        )
    return url


def _prepare_sqlite(engine: Engine) -> None:
    """Set up SQLite: explicit transactions, enforced foreign keys, and erasures that really
    erase."""

    @event.listens_for(engine, "connect")
    def connected(dbapi: Any, _record: object) -> None:
        dbapi.isolation_level = None
        for pragma in (
            f"busy_timeout = {PATIENCE * 1000}",
            "journal_mode = wal",  # readers do not wait for writers, nor writers for readers
            "foreign_keys = on",
            "secure_delete = on",
            "synchronous = full",
        ):
            dbapi.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def begun(connection: Connection) -> None:
        # A transaction that became a writer only halfway would find the ledger changed under it.
        writing = connection.get_execution_options().get("writing")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")


_WAITED = "another program is writing in it; nothing was written. Try again"
# What SQLite and PostgreSQL say → what it means to the user.
_MEANINGS = (
    (
        "readonly database",
        "it can only be read; nothing was written. Give yourself the right to "
        "write the file and its folder",
    ),
    ("read-only", "it can only be read; nothing was written"),
    ("disk is full", "the disk is full; nothing was written. Make room and do it again"),
    ("no space left", "the disk is full; nothing was written. Make room and do it again"),
    ("could not write init file", "the server has no room to let anybody in. Make room"),
    ("database is locked", _WAITED),
    ("lock timeout", _WAITED),
    ("locknotavailable", _WAITED),
    ("unable to open", "the file cannot be opened or its folder cannot be written"),
    ("not a database", "the file is not a ledger"),
    ("malformed", "the file is damaged: restore a backup with `honours ledger copies restore`"),
    ("disk i/o error", "the disk failed; nothing was written"),
    ("connection refused", "the server does not answer"),
    ("connection failed", "the server cannot be reached"),
    ("only ever added to", "the database refuses to change what was written"),
)


@contextmanager
def plain_problems(where: str, holder: Callable[[], str] = lambda: "") -> Iterator[None]:
    """Raise a database's error as a LedgerError that names the ledger and, after waiting in vain
    for a lock, its holder."""
    try:
        yield
    except Exception as error:
        message = _database_words(error)
        if message is None:
            raise
        meaning = next((m for sign, m in _MEANINGS if sign in message.lower()), "")
        if meaning == _WAITED and (who := holder()):
            meaning = Message(
                "{meaning}; waited {patience} seconds for {who}",
                meaning=meaning,
                patience=PATIENCE,
                who=who,
            )
        detail = f"{meaning} ({message})" if meaning else message
        raise LedgerError("the ledger {where}: {detail}", where=where, detail=detail) from error


def _database_words(error: Exception) -> str | None:
    """The database's message, from SQLAlchemy or, while copying rows, from psycopg itself."""
    psycopg = sys.modules.get("psycopg")
    if isinstance(error, DBAPIError):
        return " ".join(str(error.orig).split())
    if psycopg is not None and isinstance(error, psycopg.Error):
        return " ".join(str(error).split())
    return None


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


_SECRET = frozenset({"password", "passfile", "sslpassword", "sslkey", "passwd", "pwd"})


def shown_address(place: str | URL) -> str:
    """A path unchanged; a database URL without its credentials."""
    if isinstance(place, str) and "://" not in place:
        return place
    try:
        url = make_url(place)
    except (ArgumentError, ValueError):
        return str(place).partition("://")[0] + "://…"
    shown = {key: "***" if key.lower() in _SECRET else value for key, value in url.query.items()}
    return url.set(query=shown).render_as_string(hide_password=True)
