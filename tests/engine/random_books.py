"""Rulebooks drawn at random from what authors may write, and events for them.

python -m tests.engine.random_books 0 500     so many from the first seed, both ways
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from random import Random

from honours.engine.award import award
from honours.engine.columns.award import award_fields
from honours.errors import HonoursError
from honours.model import Entrant, Field, Player, Standing
from tests.engine.books import write_book

TOML = """
[inputs]
entrants = { about = "n", type = "count" }
sessions = { about = "s", first = 1 }
rate = { about = "r", first = "1/3" }
strength = { about = "p", per = "player", first = 2 }
seed = { about = "e", per = "entrant", first = 0, least = -5 }
[parameters]
cent = { value = "0.01", clause = "§1" }
tenth = { value = "0.1", clause = "§1" }
whole = { value = 1, clause = "§1" }
half = { value = "1/2", clause = "§1" }
third = { value = "1/3", clause = "§1" }
seven = { value = 7, clause = "§1" }
"""
NUMBERS = ["half", "third", "seven", "whole"]
ROUNDINGS = ["", "", 'nearest("cent")', 'up("tenth")', 'down("whole")', 'nearest("whole")']


def expression(draw: Random, names: Sequence[str], depth: int = 0) -> str:
    """Some arithmetic with these names."""
    one, other, third, fourth = (
        expression(draw, names, depth + 1) if depth < 3 else draw.choice(names) for _ in range(4)
    )
    sign = draw.choice(["<", "<=", ">", ">=", "==", "!="])
    return draw.choice(
        [
            draw.choice(names),
            draw.choice(names),
            f"({one} {draw.choice('+-*/')} {other})",
            f"({one} {draw.choice('+-*/')} {other})",
            f"({one} {draw.choice('+-*/')} {other})",
            f"{draw.choice(['min', 'max'])}({one}, {other})",
            f"({one} if {other} {sign} {third} else {fourth})",
            f"power(abs({one}), {draw.choice(['half', 'third', 'whole'])})",
            f"log10(abs({one}) + whole)",
        ]
    )


def rule(
    draw: Random, name: str, per: str, names: Sequence[str], ends: str = "", starts: str = ""
) -> str:
    """A rule of some of these names, which ends as said."""
    body = expression(draw, [*names, *NUMBERS]) + ends
    read = list(dict.fromkeys([*names, *NUMBERS, "previous", "tied", "covered_worth"]))
    arguments = ", ".join(f"{n}" for n in read if re.search(rf"\b{n}\b", body))
    rounds = 'nearest("cent")' if name == "award" else draw.choice(ROUNDINGS)
    more = f", rounds={rounds}" if rounds else ""
    more += f', starts="{starts}"' if starts else ""
    head = f'@rule("§1", per="{per}"{more})\ndef {name}({arguments}):\n    """Drawn."""\n'
    return f"{head}    return {body}\n\n"


def rules(draw: Random) -> str:
    """The rules of a rulebook."""
    facts = ["entrants", "sessions", "rate"]
    of_players = ["sum_of_one", "mean_of_one", "mean_of_strength", "count_of_strength"]
    ranked = ["rank_of_pair"] if draw.random() < 0.4 else []
    summed = ["sum_of_pair"] if draw.random() < 0.4 else []
    places = draw.choice(["entrants", "max(entrants * third, whole)", "abs(base)", "abs(total)"])
    text = rule(draw, "base", "field", facts)
    text += rule(draw, "one", "player", ["strength", "base", "rate"])
    text += rule(
        draw, "pair", "entrant", ["sum_of_strength", "mean_of_one", "seed", "tied", "base"]
    )
    text += rule(draw, "total", "field", [*facts, "base", *draw.sample(of_players, 2), *summed])
    down = draw.choice([(), (" * previous", "total"), (" + previous", "total")])
    text += rule(draw, "worth", "place", ["place", "base", "total"], *down)
    text += rule(
        draw, "award", "entrant", ["place", "base", "pair", *ranked], " * covered_worth / tied"
    )
    arguments = [n for n in (*facts, "base", "total", *NUMBERS) if re.search(rf"\b{n}\b", places)]
    head = ", ".join(f"{n}" for n in arguments)
    text += f'@rule("§1")\ndef places({head}):\n    """All."""\n'
    text += f"    return min({places}, 100)\n\n"
    return text


def refusals(draw: Random) -> str:
    """What it refuses, if anything."""
    sign, head = draw.choice("<>"), '\nmessage = "no"\nclause = "§1"\n'
    text = f'[refuses.no]{head}if = "total {sign} seven"\n' if draw.random() < 0.5 else ""
    if draw.random() < 0.4:
        text += f'[refuses.nor]{head}per = "player"\nif = "strength {sign} sessions * 3"\n'
    return text


def field(draw: Random) -> Field:
    """An event with ties and entrants of one to three players."""
    many, standings = draw.randint(1, 14), list[Standing]()
    while len(standings) < many:
        place, tied = (
            len(standings) + 1,
            min(draw.choice([1, 1, 1, 2, 3, 5]), many - len(standings)),
        )
        for _ in range(tied):
            held = [
                Fraction(draw.choice([0, 1, 2, 8, 27, draw.randint(0, 400)]), draw.choice([1, 4]))
                for _ in range(draw.choice([1, 2, 2, 3]))
            ]
            players = tuple(Player("p", facts={"strength": h}) for h in held)
            seed = {"seed": Fraction(draw.randint(-3, 4))}
            standings.append(
                Standing(Entrant(str(len(standings)), players), place, tied, facts=seed)
            )
    facts = {
        "entrants": Fraction(many),
        "sessions": Fraction(draw.choice([1, 2, 3]), draw.choice([1, 2])),
        "rate": Fraction(draw.randint(1, 9), draw.choice([2, 3, 10])),
    }
    return Field(facts, tuple(standings))


def differences(seed: int, folder: Path, events: int = 12) -> Iterator[str]:
    """Where columns give another award than the exact way; events that the exact way cannot award
    are left out, and so are rulebooks of awards that are too large to be counted."""
    draw = Random(seed)
    book = write_book(folder / "made_up", TOML + refusals(draw), rules(draw))
    fields, exactly = [], []
    for one in [field(draw) for _ in range(events)]:
        try:
            awards = award(book, one, in_words=False)
        except HonoursError:
            continue
        fields.append(one)
        exactly.append(None if awards.refusal else [a.amount for a in awards.schedule])
    if any(abs(amount) > 10**10 for amounts in exactly for amount in amounts or ()):
        return
    for right, ours in zip(exactly, award_fields(book, fields), strict=True):
        if right != ours:
            yield f"{seed}: exactly {right}, in columns {ours}"


if __name__ == "__main__":
    first, count = map(int, sys.argv[1:])
    for number in range(first, first + count):
        with tempfile.TemporaryDirectory() as made:
            print(*differences(number, Path(made)), sep="\n", end="")
    print(f"{count} rulebooks compared")
