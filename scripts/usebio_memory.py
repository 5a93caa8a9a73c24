"""How much memory reading a long USEBIO file takes: `python -m scripts.usebio_memory 100` (MB).

Writes a file of made-up events of that size, reads it, and prints the growth of the process's
memory beside the size of the file. The bound is three times the file.
"""

import random
import resource
import sys
import tempfile
import time
from pathlib import Path

from honours.formats.usebio import read_usebio

MEGABYTE = 1 << 20
PAIRS, BOARDS = 40, 26


def event(dice: random.Random) -> str:
    """A Mitchell of twenty tables and twenty-six boards, about 200 KB."""
    people = "".join(
        f"<PAIR>\n  <PAIR_NUMBER>{n}</PAIR_NUMBER>\n  <PERCENTAGE>{dice.uniform(30, 70):.2f}"
        f"</PERCENTAGE>\n  <PLACE>{n}</PLACE>\n  <PLAYER><PLAYER_NAME>Player {dice.random():.9f}"
        "</PLAYER_NAME></PLAYER>\n</PAIR>\n"
        for n in range(1, PAIRS + 1)
    )
    boards = "".join(board(number, dice) for number in range(1, BOARDS + 1))
    head = "<BOARD_SCORING_METHOD>MATCH_POINTS</BOARD_SCORING_METHOD>"
    return (
        f'<EVENT EVENT_TYPE="PAIRS">{head}\n<PARTICIPANTS>\n{people}</PARTICIPANTS>\n'
        f"{boards}</EVENT>\n"
    )


def board(number: int, dice: random.Random) -> str:
    half = PAIRS // 2
    lines = "".join(
        "  <TRAVELLER_LINE>\n"
        f"    <NS_PAIR_NUMBER>{ns}</NS_PAIR_NUMBER>\n"
        f"    <EW_PAIR_NUMBER>{half + 1 + (ns + number) % half}</EW_PAIR_NUMBER>\n"
        f"    <CONTRACT>{dice.randint(1, 7)}{dice.choice(('NT', 'S', 'H', 'D', 'C'))}</CONTRACT>\n"
        f"    <PLAYED_BY>{dice.choice('NESW')}</PLAYED_BY>\n"
        f"    <LEAD>{dice.choice('SHDC')}{dice.randint(2, 9)}</LEAD>\n"
        f"    <TRICKS>{dice.randint(0, 13)}</TRICKS>\n"
        f"    <SCORE>{10 * dice.randint(-99, 99)}</SCORE>\n"
        f"    <NS_MATCH_POINTS>{dice.randint(0, 38)}</NS_MATCH_POINTS>\n"
        f"    <EW_MATCH_POINTS>{dice.randint(0, 38)}</EW_MATCH_POINTS>\n"
        "  </TRAVELLER_LINE>\n"
        for ns in range(1, half + 1)
    )
    return f"<BOARD>\n  <BOARD_NUMBER>{number}</BOARD_NUMBER>\n{lines}</BOARD>\n"


def write(path: Path, megabytes: int) -> int:
    """Write a file of about that size; how many bytes it has."""
    dice = random.Random(1)
    with path.open("w", encoding="utf-8") as file:
        file.write('<?xml version="1.0"?>\n<USEBIO Version="1.2">\n')
        while file.tell() < megabytes * MEGABYTE:
            file.write(event(dice))
        file.write("</USEBIO>\n")
    return path.stat().st_size


def measure(megabytes: int) -> tuple[int, int, int, float]:
    """Bytes of the file, bytes the process grew by, results read, and seconds."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "long.xml"
        size = write(path, megabytes)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        started = time.process_time()
        events = read_usebio(path)
        seconds = time.process_time() - started
        grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    results = sum(len(session.results) for e in events for session in e.sessions)
    return size, grown * 1024, results, seconds


if __name__ == "__main__":
    size, grown, results, seconds = measure(int(sys.argv[1]) if len(sys.argv) > 1 else 100)
    print(
        f"{size / MEGABYTE:.0f} MB, {results} results: {grown / MEGABYTE:.0f} MB of memory "
        f"({grown / size:.2f} times the file), {seconds:.1f} s"
    )
    sys.exit(grown > 3 * size)
