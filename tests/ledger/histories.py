"""Random histories of a ledger against a model of it in memory, step by step, on either database.

Members come, change and go, events are posted, corrected, taken back, drafted, released and
withdrawn, members are merged and parted, lists are brought in again. After every step the balances
of whom it touched are what the model says; after every so many, everybody's balances, the ranks and
the heads noted on the way are held against the ledger, and ``verify`` finds it sound.

    python -m tests.ledger.histories --steps 10000 --seed 1            # a file and a server
    python -m tests.ledger.histories --on postgresql                   # one of the two
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

from honours.errors import InputError
from honours.formats.members import ListedMember
from honours.ledger import members, ranks, release
from honours.ledger.balances import summed
from honours.ledger.checkpoint import line_of, read_checkpoint
from honours.ledger.enrol import enrol
from honours.ledger.events import EventToPost
from honours.ledger.post import ALREADY, DIFFERS, POSTED, post, reverse
from honours.ledger.statement import statement
from honours.ledger.store import Ledger, create_ledger
from honours.ledger.verify import verify
from honours.model.member import Member
from tests.ledger import postgres
from tests.ledger.material import BOOK, event, pair

_PAIRS = range(1, 7)
_WINNERS = (12, 6)
"""What the first and the second pair's players get for a night."""


@dataclass
class Model:
    """What must be so: who is who, which nights are posted in which order, what lists brought."""

    nights: dict[int, tuple[int, list[int]]] = field(default_factory=dict)
    drafts: dict[int, tuple[int, list[int]]] = field(default_factory=dict)
    into: dict[int, int] = field(default_factory=dict)
    opened: dict[int, int] = field(default_factory=dict)
    ids: dict[str, int] = field(default_factory=dict)
    names: dict[int, str] = field(default_factory=dict)
    erased: set[int] = field(default_factory=set)
    heads: list[str] = field(default_factory=list)

    def root(self, member: int) -> int:
        while member in self.into:
            member = self.into[member]
        return member

    def balances(self) -> Counter[int]:
        """What everybody has, in units."""
        held: Counter[int] = Counter()
        for member, units in self.opened.items():
            held[self.root(member)] += units
        for _, order in self.nights.values():
            for each, units in zip(order, _WINNERS, strict=False):
                for player in pair(each):
                    held[self.root(self.ids[player.number])] += units
        return held


def _event(night: int, order: list[int]) -> EventToPost:
    return event(f"Night {night}", f"2017-{night % 12 + 1:02d}-{night % 28 + 1:02d}", order)


class History:
    """One ledger and its model, changed together."""

    def __init__(self, ledger: Ledger, seed: int) -> None:
        self.ledger, self.model, self.chance = ledger, Model(), random.Random(seed)
        self.count: Counter[str] = Counter()
        self._next = 0
        rows = [ListedMember(1, p.number, p.name, {}, ()) for each in _PAIRS for p in pair(each)]
        enrol(ledger, rows, "roll.csv", "w", BOOK)
        with ledger.reading() as connection:
            for row in rows:
                self._known(members.find(connection, row.number))
        self._steps: Sequence[Callable[[], None]] = (
            *[self.post] * 4,
            *[self.correct] * 2,
            *[self.take_back] * 2,
            self.newcomer,
            self.newcomer,
            self.same_list,
            self.merge,
            self.part,
            self.erase,
            self.rename,
            self.draft,
            self.settle,
            self.note_head,
        )

    def _known(self, member: Member) -> None:
        self.model.ids[member.number], self.model.names[member.id] = member.id, member.name

    def step(self) -> None:
        """One thing by chance, and what it touched is as the model says."""
        doing = self.chance.choice(self._steps)
        doing()
        self.count[doing.__name__] += 1
        self._check([self.chance.choice(sorted(self.model.names))])

    def _order(self) -> list[int]:
        return self.chance.sample(_PAIRS, len(_PAIRS))

    def _night(self, night: int, order: list[int], why: str = "") -> str:
        done = post(
            self.ledger, _event(night, order), "w", another=True, correct=bool(why), why=why
        )
        if done.status == POSTED:
            self.model.nights[night] = (done.record or 0, order)
        return done.status

    def post(self) -> None:
        night, order = self.chance.randint(1, 60), self._order()
        before = self.model.nights.get(night)
        wanted = POSTED if before is None else ALREADY if before[1] == order else DIFFERS
        assert self._night(night, order) == wanted

    def correct(self) -> None:
        if self.model.nights:
            night, order = self.chance.choice(sorted(self.model.nights)), self._order()
            same = self.model.nights[night][1] == order
            assert self._night(night, order, "again") == (ALREADY if same else POSTED)

    def take_back(self) -> None:
        if self.model.nights:
            night = self.chance.choice(sorted(self.model.nights))
            reverse(self.ledger, self.model.nights.pop(night)[0], "w", "void")

    def newcomer(self) -> None:
        self._next += 1
        number, units = f"n{self._next}", self.chance.randint(0, 500)
        self._bring(number, units)
        with self.ledger.reading() as connection:
            self._known(members.find(connection, number))
        self.model.opened[self.model.ids[number]] = units

    def _bring(self, number: str, units: int) -> None:
        brought = (("local", Fraction(units)),)
        row = ListedMember(1, number, f"Newcomer {number}", {}, brought)
        enrol(self.ledger, [row], "more.csv", "w", BOOK)

    def same_list(self) -> None:
        """The same line again changes nothing; another balance needs a reason."""
        alone = [
            m
            for m in self.model.opened
            if self.model.root(m) == m and m not in self.model.into.values()
        ]
        if not alone:
            return
        member = self.chance.choice(sorted(set(alone) - self.model.erased) or [0])
        number = next((n for n, m in self.model.ids.items() if m == member), "")
        if number.startswith("n") and self.model.names[member] == f"Newcomer {number}":
            self._bring(number, self.model.opened[member])

    def _free(self) -> list[int]:
        """Who may be merged: not erased, not merged yet, no player of a night."""
        players = {self.model.ids[p.number] for each in _PAIRS for p in pair(each)}
        taken = self.model.erased | players | {*self.model.into}
        return sorted(m for m in self.model.names if m not in taken)

    def merge(self) -> None:
        free = self._free()
        there = sorted(set(self.model.names) - self.model.erased)
        if free:
            member, into = self.chance.choice(free), self.chance.choice(there)
            with self.ledger.writing() as connection:
                if self.model.root(into) == self.model.root(member):
                    try:
                        members.merge(connection, member, into, "w")
                    except InputError:
                        return
                    raise AssertionError("merged with themselves")
                members.merge(connection, member, into, "w")
            self.model.into[member] = into

    def part(self) -> None:
        if self.model.into:
            member = self.chance.choice(sorted(self.model.into))
            with self.ledger.writing() as connection:
                members.unmerge(connection, member, "w")
            del self.model.into[member]

    def erase(self) -> None:
        merged = {*self.model.into, *self.model.into.values()}
        free = [m for m in self._free() if m not in merged]
        if len(free) > 5:
            member = self.chance.choice(free)
            with self.ledger.writing() as connection:
                members.erase(connection, member, "w")
            self.model.erased.add(member)
            self.model.ids = {n: m for n, m in self.model.ids.items() if m != member}
            self.model.names[member] = members.ERASED

    def rename(self) -> None:
        free = self._free()
        if free:
            member = self.chance.choice(free)
            self.model.names[member] = f"Renamed {self.chance.randint(1, 10**6)}"
            with self.ledger.writing() as connection:
                members.change(connection, member, name=self.model.names[member])

    def draft(self) -> None:
        night, order = self.chance.randint(100, 130), self._order()
        if night not in self.model.nights and night not in self.model.drafts:
            held = release.draft(self.ledger, _event(night, order), "w")
            assert held.status == release.HELD
            self.model.drafts[night] = (held.record or 0, order)

    def settle(self) -> None:
        if not self.model.drafts:
            return
        night = self.chance.choice(sorted(self.model.drafts))
        number, order = self.model.drafts.pop(night)
        if self.chance.random() < 0.4:
            release.withdraw(self.ledger, number, "w", "not so")
            return
        done = release.release(self.ledger, number, "v", another=True)
        assert done.status == POSTED
        self.model.nights[night] = (done.record or 0, order)

    def note_head(self) -> None:
        with self.ledger.reading() as connection:
            self.model.heads.append(line_of(connection))

    # --- what must hold ---------------------------------------------------------------------------

    def _check(self, ids: Sequence[int]) -> None:
        wanted = self.model.balances()
        with self.ledger.reading() as connection:
            for member in {self.model.root(one) for one in ids}:
                own = members.get(connection, [member])[member]
                assert own.name == self.model.names[member], (own, self.model.names[member])
                total = sum(statement(connection, own).balances.values())
                assert total == wanted[member], (member, total, wanted[member])

    def check_all(self) -> None:
        """Everybody's balances and ranks, and that the ledger verifies and continues its heads."""
        wanted = {member: units for member, units in self.model.balances().items() if units}
        with self.ledger.reading() as connection:
            held = Counter[int]()
            for (member, _), units in summed(connection).items():
                held[member] += units
            assert {m: u for m, u in held.items() if u} == wanted
            rungs = ranks.listed(connection, BOOK.body, BOOK.ranks)
            ranked = {r.member.id: sum(r.points.values()) for r in rungs if any(r.points.values())}
            assert ranked == wanted
        for head in self.chance.sample(self.model.heads, min(2, len(self.model.heads))) or [""]:
            verification = verify(self.ledger, head=read_checkpoint(head) if head else None)
            assert verification.sound, (verification.findings, verification.since)


def run(
    ledger: Ledger,
    seed: int,
    steps: int,
    every: int,
    tell: Callable[[int], None] = lambda _step: None,
) -> Counter[str]:
    """A history of so many steps; what does not hold is an error that names the step."""
    history = History(ledger, seed)
    for number in range(1, steps + 1):
        try:
            history.step()
            if number % every == 0 or number == steps:
                history.check_all()
                tell(number)
        except Exception as error:
            raise AssertionError(f"seed {seed}, step {number}: {error!r}") from error
    return history.count


def main() -> int:
    """The long run, on both databases."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--every", type=int, default=1000, help="steps between whole checks")
    parser.add_argument("--on", choices=("sqlite", "postgresql"), help="one database only")
    asked = parser.parse_args()
    if asked.on != "postgresql":
        with tempfile.TemporaryDirectory() as folder:
            _told("SQLite", create_ledger(str(Path(folder) / "ledger.db")), asked)
    if asked.on != "sqlite":
        with postgres.server() as socket:
            _told("PostgreSQL", create_ledger(postgres.another_database(socket)), asked)
    return 0


def _told(where: str, ledger: Ledger, asked: argparse.Namespace) -> None:
    def tell(step: int) -> None:
        print(f"{where}: {step} steps", file=sys.stderr, flush=True)

    counts = run(ledger, asked.seed, asked.steps, asked.every, tell)
    ledger.close()
    text = ", ".join(f"{count} {name}" for name, count in sorted(counts.items()))
    print(f"{where}: {asked.steps} steps from seed {asked.seed}, no difference: {text}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
