"""Tries every reader on damaged files: `python -m scripts.fuzz --minutes 60 FOLDER…`.

The files of the folders, and the small ones of the tests, are changed at random and taken the whole
way: shown, scored with all their sheets, awarded, converted. Whatever meets them must answer or
refuse: a breakdown, a file that takes more than
a few seconds of computing (not of the clock, which a busy machine stretches), or more memory than
there is, is a find. Small files are taken more often than large ones. Finds are kept in build/fuzz,
at most 50 of them; the files they came from are not copied. The seed is printed, so that a run can
be had again.
"""

import argparse
import hashlib
import random
import resource
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from pathlib import Path

from honours.errors import HonoursError
from honours.formats.detect import Unreadable, contents, read
from honours.formats.members import MemberList
from honours.pipeline import Account, Report, accounts, awarded, ranked
from honours.reports import travellers
from honours.reports.convert import converted_file
from honours.reports.standings import rankings
from honours.rulebooks import load

KEPT = Path(__file__).resolve().parent.parent / "build" / "fuzz"
MOST_KEPT = 50
AWARDED_BY = (
    ("egf-2021", {"class": "A"}),
    ("aga-category", {"section": "open"}),
    ("ebu-clubs", {"scale": "A"}),
    ("sbu-clubs-2016", {"kind": "pairs", "winners": "1"}),
    ("acbl-sof-2020", {"class": "regional", "sessions": "2", "kind": "pairs"}),
)
"""The rulebooks that are tried, and what they are told."""
SECONDS = 20
MEMORY = 3 << 30
LARGEST = 1 << 20
SMALL = 1 << 13
PIECES = (
    b"\0",
    b"\xff",
    b'"',
    b"'",
    b",",
    b";",
    b"\t",
    b"\n",
    b"<",
    b">",
    b"&",
    b"|",
    b"{",
    b"[",
    b"<!--",
    b"]]>",
    b"<!ENTITY a 'b'>",
    b"-",
    b"=",
    b"0",
    b"99999999999999999999",
    b"9" * 5000,
    b"1e9",
    b"nan",
    b"inf",
    b"%",
    b"\xef\xbb\xbf",
    b" " * 40_000,
    "½♠−Ⅷ²".encode(),
)


def mutated(data: bytes, dice: random.Random) -> bytes:
    """The data with a few bytes changed, pieces put in, cut out or repeated."""
    for _ in range(dice.choice((1, 2, 8))):
        at, end = sorted(dice.randrange(len(data) + 1) for _ in range(2))
        match dice.randrange(5):
            case 0:
                data = data[:at] + dice.choice(PIECES) + data[at:]
            case 1:
                data = data[:at] + data[min(end, at + 20) :]
            case 2:
                data = data[:at] + data[at : at + 40] * dice.choice((2, 50)) + data[at:]
            case 3:
                data = data[:at] + bytes([dice.randrange(256)]) + data[at + 1 :]
            case _:
                data = data[:end] if end else data
    return data


def broken(path: Path) -> str:
    """What breaks when a file is read and taken the whole way; empty where nothing does."""
    try:
        form, content = read(path)
        contents(path, form, content)
        if not isinstance(content, MemberList):
            every = accounts(path, form, content)
            return next(filter(None, (tried for one in every[:3] for tried in _tries(one))), "")
    except Unreadable as error:
        return str(error)
    except HonoursError:
        return ""
    return ""


def _tries(account: Account) -> Iterator[str]:
    """What breaks in each thing that is made of an event; nothing where it is made or refused."""
    report: Report | None = None

    def rank() -> None:
        nonlocal report
        report = ranked(account)

    yield _breaks("score", rank)
    if report is None:
        return
    ready: Report = report
    if (scored := ready.scored) is not None:
        for name in ("travellers", "scorecards", "matrix"):
            yield _breaks(name, partial(getattr(travellers, name), scored))
    yield _breaks("rankings", partial(rankings, ready))
    for book, given in AWARDED_BY:
        yield _breaks(f"award by {book}", partial(awarded, ready, _rulebook(book), given))
    for kind in ("json", "standings", "results", "usebio"):
        yield _breaks(f"convert to {kind}", partial(converted_file, account, kind, ready))


_rulebook = cache(load)


def _breaks(what: str, work: Callable[[], object]) -> str:
    try:
        work()
    except (TimeoutError, MemoryError):
        raise
    except HonoursError:
        pass
    except Exception as error:
        at = traceback.extract_tb(error.__traceback__)[-1]
        return f"{what}: {type(error).__name__}: {error} ({at.filename}:{at.lineno})"[:300]
    return ""


def seeds(folders: Iterable[str]) -> Iterator[bytes]:
    """The files to start from."""
    from tests.formats.test_detect import MADE  # the small files of the tests

    yield from (text.encode("iso-8859-1", "replace") for text in MADE.values())
    for folder in folders:
        for path in sorted(Path(folder).rglob("*")):
            if path.is_file() and 0 < path.stat().st_size <= LARGEST:
                yield path.read_bytes()


def _too_slow(_signal: int, _frame: object) -> None:
    raise TimeoutError(f"more than {SECONDS} s of computing")


def _tried(path: Path) -> str:
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        return broken(path)
    except (TimeoutError, MemoryError) as error:
        return repr(error)
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def main() -> int:
    """Run for a while; 1 when something broke."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="*", metavar="FOLDER")
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 30))
    options = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    signal.signal(signal.SIGVTALRM, _too_slow)
    dice, material = random.Random(options.seed), list(seeds(options.folders))
    weights = [1 / (SMALL + len(data)) for data in material]
    print(f"seed {options.seed}, {len(material)} files", flush=True)
    end, count, failures = time.monotonic() + 60 * options.minutes, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x"
        while time.monotonic() < end:
            data = mutated(dice.choices(material, weights)[0], dice)
            path.write_bytes(data)
            count += 1
            if what := _tried(path):
                failures += 1
                _keep(data, what)
    used = time.process_time()
    print(f"{count} files in {used / 60:.1f} minutes of computing, {failures} finds")
    return 1 if failures else 0


def _keep(data: bytes, what: str) -> None:
    print(what[:200], flush=True)
    KEPT.mkdir(parents=True, exist_ok=True)
    if len(list(KEPT.iterdir())) < MOST_KEPT:
        (KEPT / hashlib.sha256(data).hexdigest()[:12]).write_bytes(data)


if __name__ == "__main__":
    sys.exit(main())
