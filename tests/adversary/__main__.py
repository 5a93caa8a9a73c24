"""``python -m tests.adversary --events 10000``: no silent difference, whatever happens on the way.

Each event is drawn with all that a scorer knows (``events``), something happens to it
(``mishaps``), and it comes by a door (``doors``); the sources, read once more (``reading``), say
what is right. ``--every-door`` takes each event that nothing happened to through all of them.
``--draws 10000`` tries to refute what is called immaterial instead (``immaterial``).
"""

from __future__ import annotations

import argparse
import sys

from tests.adversary.attack import assail
from tests.adversary.immaterial import attack


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=0)
    parser.add_argument("--draws", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--every-door", action="store_true")
    parser.add_argument("--mishap", default="", help="only this one")
    arguments = parser.parse_args()
    if arguments.draws:
        tally = attack(arguments.draws, arguments.seed)
        print(f"{tally.draws:,} values told of {tally.events:,} events")
        print("asked: " + ", ".join(f"{fact} {count}" for fact, count in tally.asked.most_common()))
        for one in tally.refuted:
            print(f"REFUTED {one}")
        sys.exit(bool(tally.refuted))
    found = assail(arguments.events or 1000, arguments.seed, arguments.every_door, arguments.mishap)
    print(found.told)
    sys.exit(bool(found.wrong))


if __name__ == "__main__":
    main()
