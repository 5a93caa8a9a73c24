"""The format of a source's conformance file.

::

    title = "Masterpoint Calculation Using Strength of Field, 2020 proposal"
    file = "acbl-strength-of-field-2020-proposal.txt"   # its name among the sources
    rulebook = "acbl-sof-2020"                          # unless an item says otherwise

    [[figures]]                       # many figures of one calculation, one item each
    where = "Gatlinburg, proposed"
    lines = [[812, 868]]              # lines of the source they stand on: numbers or [from, to]
    given = { entrants = 71, strength_factor = "31.7345" }
    take = "awards"                   # each place; or one taking, or a list beside ``printed``
    each = { pairs = [46, 43] }       # or: a key that differs from figure to figure
    at = [155, 156]                   # the line of each figure, instead of ``lines``
    printed = ["41.38", "32.19"]

    [[tables]]                        # a table of figures, one item a cell
    where = "Sample SOF Awards"
    header = 134                      # the line of the columns' values; the rows follow it
    rows = { tables = [4, 8] }
    columns = { average_masterpoints = [0, 250] }
    take = "at:1"
    cells = '''
    2.68 3.13
    3.11 3.77'''

    [[claims]]                        # one figure or statement
    where = "Real-World Examples"
    lines = [801]
    printed = "about 44% more"
    value = "44"                      # the figure in it, where the text has another one first
    let = { g = { given = {...}, take = "quantity:strength_factor" }, w = {...} }
    ours = "100 * (g / w - 1)"
    within = "1"                      # else: must be the printed figure, where ours is an award
                                      # or a parameter, or round to it, where it is a quantity
    relation = "<"                    # or: how ours must stand to the value
    truth = true                      # or: ours is a comparison, which must hold; no value
    verdict = "contradicted"          # what we say of it; "reproduced" unless stated
    reason = "F alone gives 41.5%"

    [[fitted]]                        # inputs that no source prints, found by what they give
    given = { strength_factor = "19.084" }      # in a calculation with this
    inputs = ["strength_factor", "entrants"]    # these were found
    why = "F is not printed"

    [[unchecked]]                     # a claim nobody can check from the sources
    where, lines, printed, needs      # needs: the data it would take; printed may be a list

    [[exempt]]                        # numbers that state nothing to check
    lines, reason
    numbers = ["3", "7"]              # only these of the lines
    pattern = 'p ?\\d+'               # or only those inside this; without lines: anywhere

Every number of a source is accounted for by its own item: one in ``printed`` of an item that names
its line, one in the ``given`` of a calculation there (once a calculation), or an exemption.

A taking is ``at:3`` (a place's award), ``first:3`` (of the first three), ``total`` (of all),
``places`` (how many are paid), ``quantity:x`` (of the field), ``place:x.3`` (a per-place quantity,
unrounded unless its rule rounds), ``entrant:x.3`` (of the third in the list), ``sum:x`` (a per-
place quantity summed over the paid places), ``parameter:x`` or ``parameter:x.item``,
``extra:group.x``, ``refused`` (1 or 0), ``rank:Name.total`` (what a rank needs).
A calculation may have ``rulebook``, ``set``, ``ties``, ``line`` and ``list`` (standings as in a
rulebook's examples). ``board`` and ``ranking`` are worked out by the scorer: see
:mod:`honours.conformance.scorer`. An expression knows ``+ - * / ( )``, comparisons, ``power``,
``log10``, ``min``, ``max``, ``abs``, ``up``, ``down``, ``nearest`` (to whole numbers) and the names
in ``let``. What is ours is always worked out: a ``let`` is a calculation, never a figure copied
from the page. A figure that is checked a second time with a parameter ``set`` is one item: what it
is under the variant is told beside it.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cache
from importlib import resources
from typing import Any

from honours.errors import RulebookError, UnknownName

Lines = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Claim:
    """One figure or statement of a source and how it is checked."""

    source: str
    where: str
    printed: str
    lines: Lines
    value: str = ""
    let: Mapping[str, Any] = field(default_factory=dict)
    ours: str = ""
    within: str = ""
    relation: str = ""
    truth: bool = False
    verdict: str = "reproduced"
    reason: str = ""
    needs: str = ""
    fitted: tuple[str, ...] = ()
    """What we had to find for want of a printed input, each with its value and why."""
    variant: Mapping[str, Any] = field(default_factory=dict)
    """The same calculations with the parameters of a variant, where they are checked so too."""

    @property
    def calculations(self) -> tuple[Mapping[str, Any], ...]:
        return tuple(value for value in self.let.values() if isinstance(value, Mapping))

    @property
    def only_quotes(self) -> bool:
        """Whether it compares nothing but parameters, which were copied from the page."""
        takings = [str(c["take"]).partition(":")[0] for c in self.calculations]
        return bool(takings) and set(takings) <= {"parameter", "rank"}

    @property
    def is_loose(self) -> bool:
        """Whether less is compared than the digits that are printed: a figure that is said to be
        about so much, a bound, or a figure of which only the bounds are known."""
        bounded = self.truth and re.fullmatch(r"[\d.,]+", self.printed) is not None
        return bool(self.relation) or bounded or float(self.within or 0) > 0

    @property
    def rulebooks(self) -> frozenset[str]:
        """The rulebooks it is checked with; none where the scorer is asked or nothing can be."""
        return frozenset(c["rulebook"] for c in self.calculations if c["rulebook"])


@dataclass(frozen=True, slots=True)
class Exemption:
    """Numbers of a source that state nothing to check, and why."""

    lines: Lines
    reason: str
    numbers: tuple[str, ...] = ()
    pattern: str = ""


@dataclass(frozen=True, slots=True)
class SourceDocument:
    """A source with everything it prints."""

    id: str
    title: str
    file: str
    rulebook: str
    claims: tuple[Claim, ...]
    exempt: tuple[Exemption, ...]


def source_ids() -> tuple[str, ...]:
    """The ids of the sources, from their files."""
    files = resources.files(__package__).iterdir()
    names = (f.name.removesuffix(".toml") for f in files if f.name.endswith(".toml"))
    return tuple(sorted(n.replace("_", "-") for n in names))


@cache
def load_source(source_id: str) -> SourceDocument:
    """Read a source's conformance file."""
    from honours.conformance.reading import claims, exemption

    if source_id not in source_ids():
        raise UnknownName("source", source_id, source_ids())
    file = resources.files(__package__) / f"{source_id.replace('-', '_')}.toml"
    table = tomllib.loads(file.read_text(encoding="utf-8"), parse_float=Decimal)
    book = table.get("rulebook", "")
    try:
        source_claims = tuple(claims(source_id, table, book))
        exempt = tuple(exemption(row) for row in table.get("exempt", []))
        return SourceDocument(source_id, table["title"], table["file"], book, source_claims, exempt)
    except (KeyError, TypeError, ValueError) as error:
        raise RulebookError(
            "conformance of {source_id}: {error!r}", source_id=source_id, error=error
        ) from error
