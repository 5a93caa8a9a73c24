"""What comes of an event at a door: right, asked, refused or wrong."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from honours.errors import HonoursError
from tests.adversary.doors import Answer, Drawn, Questions, Way
from tests.adversary.events import answers, unusual
from tests.adversary.reading import NOTHING, REFUSED, Contest, right, withheld

MOST_ROUNDS = 8


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of it: ``right``, ``asked``, ``refused`` or ``wrong``, and which facts were
    asked on the way."""

    what: str
    asked: tuple[str, ...] = ()
    why: str = ""


def judged(drawn: Drawn, way: Callable[[], Way]) -> Verdict:
    """Whether everybody gets what is right, once every question is answered by what is true."""
    contest = drawn.contest
    true, odd = {**answers(contest), **drawn.true}, unusual(contest)
    told, asked, usual = dict(drawn.told), list[str](), False
    try:
        door = way()
        for _ in range(MOST_ROUNDS):
            try:
                return _compared(contest, door(told, usual), tuple(asked))
            except Questions as open_:
                facts = [fact for names, _ in open_.asked for fact in names]
                asked += [fact for fact in facts if fact not in asked]
                more = {f: true[f] for f in facts if f in true and f not in told}
                bundled = {f for names, of in open_.asked if of == "usual" for f in names}
                more = {f: v for f, v in more.items() if f not in bundled or f in odd}
                if "boards_played" in bundled and withheld(contest):
                    return Verdict("asked", tuple(asked), "who knows better confirms nothing")
                if bundled and not usual:
                    usual = True
                elif not more:
                    return Verdict("asked", tuple(asked), str(open_))
                told |= more
    except HonoursError as error:
        return Verdict("refused", tuple(asked), str(error))
    return Verdict("asked", tuple(asked), "without end")


def _compared(contest: Contest, answer: Answer, asked: tuple[str, ...]) -> Verdict:
    expected, paid = right(contest), answer.paid
    if expected == REFUSED:
        if any(paid.values()):
            return Verdict("wrong", asked, f"refused by the source, paid {_top(paid)}")
        return Verdict("right", asked)
    assert not isinstance(expected, str)
    none = withheld(contest)
    due: dict[str, Fraction] = {}
    for one in contest.who:
        named = [p.name for p in one.people if p.name in paid]
        due |= {name: NOTHING if name in none else expected[one.id] for name in named or [one.id]}
    if answer.refused and not any(paid.values()):
        return Verdict("refused" if any(due.values()) else "right", asked, answer.refused)
    differ = [w for w in {**due, **paid} if due.get(w, NOTHING) != paid.get(w, NOTHING)]
    if not differ:
        return Verdict("right", asked)
    first = differ[0]
    why = f"{first}: {_text(paid.get(first))} for {_text(due.get(first))}, of {len(differ)}"
    what = "warned" if answer.warned else "wrong"
    return Verdict(what, asked, f"{why}; {_top(paid)} for {_top(due)}")


def _text(amount: Fraction | None) -> str:
    return "0" if amount is None else f"{float(amount):.2f}"


def _top(paid: Mapping[str, Fraction]) -> str:
    return " / ".join(_text(one) for one in sorted(paid.values(), reverse=True)[:3])
