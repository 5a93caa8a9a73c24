"""What four hands are worth with all cards seen: tricks by declarer and strain, and par.

The solver is endplay's (the extra ``hands``); without it nothing is shown.
"""

from __future__ import annotations

from dataclasses import dataclass

from honours.rings import has, require
from honours.scoring.contracts import dealer, vulnerable

STRAINS = ("NT", "S", "H", "D", "C")
SEATS = ("N", "S", "E", "W")
_DOUBLED = {"passed": "", "doubled": "x", "redoubled": "xx"}
_VULNERABLE = {"": "none", "NS": "ns", "EW": "ew", "NSEW": "both"}


@dataclass(frozen=True, slots=True)
class DoubleDummy:
    """``tricks`` has a row a declarer (N, S, E, W), a figure a strain (NT, S, H, D, C); ``par`` are
    contracts with their results (``4S N``, ``=``); ``score`` is what they bring North-South."""

    tricks: tuple[tuple[int, ...], ...]
    par: tuple[tuple[str, str], ...]
    score: int


def solvable() -> bool:
    """Whether the solver is there."""
    return has("endplay")


def solve(board: int, deal: str) -> DoubleDummy:
    """Solve a deal of four whole hands: about half a second of computing."""
    require("endplay")
    from endplay.dds import calc_dd_table, par
    from endplay.types import Deal, Denom, Player, Vul

    table = calc_dd_table(Deal(deal))
    denoms = {"NT": Denom.nt, "S": Denom.spades, "H": Denom.hearts}
    denoms |= {"D": Denom.diamonds, "C": Denom.clubs}
    players = {"N": Player.north, "S": Player.south, "E": Player.east, "W": Player.west}
    tricks = tuple(
        tuple(int(table[denoms[strain], players[seat]]) for strain in STRAINS) for seat in SEATS
    )
    best = par(table, Vul[_VULNERABLE[vulnerable(board)]], players[str(dealer(board))])
    return DoubleDummy(tricks, tuple(_contract(one) for one in best), int(best.score))


def _contract(one: object) -> tuple[str, str]:
    """endplay's contract as ours: what was bid by whom, and the result."""
    level, denom = int(one.level), one.denom  # type: ignore[attr-defined]
    if not level:
        return "Pass", ""
    doubled = _DOUBLED[one.penalty.name]  # type: ignore[attr-defined]
    strain = "NT" if denom.name == "nt" else denom.name[0].upper()
    seat = one.declarer.name[0].upper()  # type: ignore[attr-defined]
    result = int(one.result)  # type: ignore[attr-defined]
    return f"{level}{strain}{doubled} {seat}", f"{result:+d}" if result else "="
