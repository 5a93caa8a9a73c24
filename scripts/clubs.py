"""A federation's year with many clubs: ``python -m scripts.clubs [--clubs 500]``.

Every club sends a return a quarter, made up and awarded as clubs do. Into some of them a fault is
put: points of another scale, the number of another member, an event that was sent before under
another title, a file that is cut off, points of an edition that is not in force. All go through the
office's intake: every fault has to be found and named, and nothing else held or refused.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import cycle
from pathlib import Path

from honours.formats.members import ListedMember
from honours.formats.usebio import write_usebio
from honours.ledger import post
from honours.ledger.bulk import lots
from honours.ledger.enrol import enrol
from honours.ledger.events import EventToPost, PreparedEvent
from honours.ledger.intake import IncomingFile, IntakeTerms, take_in
from honours.ledger.receipts import Receipt
from honours.ledger.store import Ledger, create_ledger
from honours.ledger.submissions import events_of
from honours.model import Entrant, Field, Player, Standing
from honours.pipeline import read_accounts
from honours.rulebooks import load

BOOK, OTHER = load("sbu-clubs-2016"), load("sbu-clubs-2024")
QUARTERS = ("2017-02-14", "2017-05-16", "2017-08-15", "2017-11-14")
PAIRS = 8
GIVEN = {"kind": "pairs", "winners": "1", "boards": "24"}
_FIRST = 10_001
"""The first member's number."""
FAULTY = 0.1
"""The share of returns that have a fault."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that is wrong with a return: how it gets there, what becomes of such a return, and
    what has to be said of it."""

    put: Callable[[str, random.Random], str]
    status: str
    said: str


def _scaled(text: str, _chance: random.Random) -> str:
    figure = re.compile(r"(?<=<MASTER_POINTS_AWARDED>)\d+(?=<)")
    return figure.sub(lambda found: str(2 * int(found[0])), text)


def _other_number(text: str, chance: random.Random) -> str:
    numbers = re.findall(r"<NATIONAL_ID_NUMBER>(\d+)<", text)
    number = int(numbers[0])
    first = number < _FIRST + 2 * PAIRS
    wrong = number + (2 * PAIRS if first else -2 * PAIRS) + chance.choice((0, 1))
    return text.replace(f">{numbers[0]}<", f">{wrong}<", 1)


def _renamed(text: str, _chance: random.Random) -> str:
    return re.sub(r"(<EVENT_DESCRIPTION>)[^<]*", r"\1Spring trophy", text)


def _cut(text: str, chance: random.Random) -> str:
    return text[: int(len(text) * chance.uniform(0.3, 0.9))]


def _edition(text: str, _chance: random.Random) -> str:
    return text.replace(BOOK.hash, OTHER.hash).replace(BOOK.id, OTHER.id)


FAULTS: Mapping[str, Fault] = {
    "another scale": Fault(_scaled, "held", " in the return, "),
    "another member's number": Fault(_other_number, "refused", " in the ledger, "),
    "sent before": Fault(_renamed, "refused", "recognised"),
    "cut off": Fault(_cut, "refused", ".xml"),
    "another edition": Fault(_edition, "refused", "was not in force"),
}


def _roll(clubs: int) -> list[ListedMember]:
    """Everybody, with names that nobody takes for another's."""
    chance, seen = random.Random(5), set[str]()
    rows: list[ListedMember] = []
    while len(rows) < clubs * 2 * PAIRS:
        sounds = ("bcdfghklmnprstvwz", "aeiou")
        words = ["".join(chance.choice(sounds[i % 2]) for i in range(8)).title() for _ in range(2)]
        name = " ".join(words)
        if name not in seen:
            seen.add(name)
            number = _FIRST + len(rows)
            rows.append(ListedMember(len(rows) + 2, str(number), name, {}, ()))
    return rows


def _night(club: int, day: str, people: list[ListedMember], chance: random.Random) -> EventToPost:
    """A club's evening of its own pairs, in the order of the day."""
    own = people[club * 2 * PAIRS :][: 2 * PAIRS]
    players = [Player(one.name, one.number) for one in chance.sample(own, len(own))]
    standings = tuple(
        Standing(
            Entrant(str(n + 1), (players[2 * n], players[2 * n + 1])), n + 1, 1, Fraction(70 - n)
        )
        for n in range(PAIRS)
    )
    title = f"Pairs of {day[:7]}"
    return EventToPost(title, (Field(standings=standings),), BOOK, GIVEN, day, f"Club {club + 1}")


def returns(clubs: int, folder: Path, faulty: float = FAULTY) -> Iterator[tuple[str, str, str]]:
    """The returns of a year, in the order they come: name, text, and what fault is in it. An event
    under another title is sent by its club after the one it repeats."""
    chance, people = random.Random(7), _roll(clubs)
    sending = create_ledger(str(folder / "clubs.db"))
    enrol(sending, people, "roll", "w", BOOK)
    kinds = cycle(FAULTS)
    nights = [_night(club, day, people, chance) for day in QUARTERS for club in range(clubs)]
    number = 0
    for some in lots(nights, 50):
        prepared = post.foresee_all(sending, some)
        plain = [one for one in prepared if isinstance(one, PreparedEvent)]
        assert len(plain) == len(some), [str(one) for one in prepared]
        with sending.writing() as connection:
            records = post.post_plain(connection, plain, "w")
        with sending.reading() as connection:
            sent = [events_of(connection, [record]) for record in records]
        texts = [write_usebio(*one).data.decode() for one in sent]
        for night, text in zip(some, texts, strict=True):
            number += 1
            name = f"{number:05d} {night.club}.xml"
            if chance.random() >= faulty:
                yield name, text, ""
                continue
            fault = next(kinds)
            if fault == "sent before":
                yield name, text, ""
                name = f"{number:05d} again.xml"
            yield name, FAULTS[fault].put(text, chance), fault


def received(
    ledger: Ledger, clubs: int, folder: Path, faulty: float = FAULTY
) -> Iterator[tuple[str, Receipt]]:
    """The receipt of every return, with the fault that was put into it."""
    faults: dict[str, str] = {}

    def incoming() -> Iterator[IncomingFile]:
        for name, text, fault in returns(clubs, folder, faulty):
            file = folder / name
            file.write_text(text, encoding="utf-8")
            faults[name] = fault
            digest = hashlib.sha256(text.encode()).hexdigest()
            yield IncomingFile(name, digest, partial(read_accounts, file))

    enrol(ledger, _roll(clubs), "roll", "office", BOOK)
    for receipt in take_in(ledger, incoming(), IntakeTerms(given=GIVEN), "office"):
        yield faults[receipt.source], receipt


def judged(fault: str, receipt: Receipt) -> str:
    """What is wrong with what became of a return; nothing if it is as it should be."""
    said = "; ".join(receipt.said)
    if not fault:
        return "" if receipt.status == "posted" else f"{receipt.status}: {said}"
    expected = FAULTS[fault]
    named = receipt.status == expected.status and expected.said in said
    return "" if named else f"{fault} was {receipt.status}: {said}"


def main() -> int:
    """Run the year; the exit code says whether every fault was found and nothing else was held."""
    parser = argparse.ArgumentParser(description=__doc__, prog="python -m scripts.clubs")
    parser.add_argument("--clubs", type=int, default=500)
    clubs = parser.parse_args().clubs
    counts, wrong, began = Counter[str](), [], time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        ledger = create_ledger(f"{folder}/federation.db")
        for fault, receipt in received(ledger, clubs, Path(folder)):
            counts[fault or "nothing wrong"] += 1
            if said := judged(fault, receipt):
                wrong.append(f"{receipt.source}: {said}")
    for fault, count in counts.most_common():
        print(f"{count:6,} {fault}")
    print(f"{time.process_time() - began:.0f} s of CPU, clubs and office together")
    print("\n".join(wrong[:20]) or "every fault was found and named, and nothing else was held")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
