"""Every sentence of the sources that says what must, may or must not be, and what we do about it.

A file here is one source: ``[where, words, answer, obeys, breaks]`` a sentence. An answer is
``example NAME`` of the rulebook, ``figure WHERE`` of ``honours conform``, ``refused RULE`` of the
rulebook, ``not ours: whose``, or ``test FILE::NAME``, where it is no event of a rulebook: what the
ledger or a season does, with words for both events.

``obeys`` is the made-up event, an example of the rulebook, that obeys the sentence, or the printed
``figure``; ``breaks`` the one that breaks it: ``event NAME``, an example of which somebody is
refused, ``paid 3=18 4=12``, the same event paid otherwise at these places, or ``set
PARAMETER=VALUE``, the same paid by another number (``BOOK:PARAMETER=VALUE`` for a figure). A test
runs both and sees the difference, and says when an answer names something that is not there.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from functools import cache
from importlib import resources

from honours.engine.numbers import show
from honours.errors import RulebookError, UnknownName

IMPLEMENTED, REFUSED, NOT_OURS = "implemented", "refused", "not ours"
ANSWERS = (IMPLEMENTED, REFUSED, NOT_OURS)
_PROOFS = {"example": "example", "test": "test", "figure": "printed figure"}


@dataclass(frozen=True, slots=True)
class SourceSentence:
    """A sentence of a source: a few of its words, the verdict, and what stands behind it.

    ``by`` is the test, example or figure, the sentence we answer, or whose it is instead.
    """

    source: str
    where: str
    words: str
    verdict: str
    by: str
    rule: str = ""
    obeys: str = ""
    breaks: str = ""

    kinds = ANSWERS

    @property
    def kind(self) -> str:
        return self.verdict

    def as_dict(self) -> dict[str, str]:
        return asdict(self)


def source_ids() -> tuple[str, ...]:
    """The sources, by the names that ``honours conform`` has for them."""
    files = resources.files(__package__).iterdir()
    names = (f.name.removesuffix(".toml") for f in files if f.name.endswith(".toml"))
    return tuple(sorted(n.replace("_", "-") for n in names))


def sentences(wanted: str = "") -> list[SourceSentence]:
    """The sentences of all sources, of one, or of the source of a rulebook."""
    sources = {source: str(_table(source)["rulebook"]) for source in source_ids()}
    if not wanted:
        return [one for source in sources for one in _read(source)]
    asked = [s for s, book in sources.items() if wanted in (s, book)]
    if not asked:
        raise UnknownName("source or rulebook", wanted, [*sources, *filter(None, sources.values())])
    return [one for source in asked for one in _read(source)]


@cache
def _table(source: str) -> dict[str, object]:
    file = resources.files(__package__) / f"{source.replace('-', '_')}.toml"
    return tomllib.loads(file.read_text(encoding="utf-8"))


def title(source: str) -> str:
    """Return the title of the source."""
    return str(_table(source)["title"])


def _read(source: str) -> Iterator[SourceSentence]:
    table = _table(source)
    rows = table["sentences"]
    assert isinstance(rows, list)
    for where, words, answer, *events in rows:
        one = _sentence(source, str(table["rulebook"]), where, words, answer)
        yield replace(one, **dict(zip(("obeys", "breaks"), events, strict=False)))


def _sentence(source: str, rulebook: str, where: str, words: str, answer: str) -> SourceSentence:
    how, _, name = answer.partition(" ")
    if answer.startswith("not ours: "):
        return SourceSentence(source, where, words, NOT_OURS, answer.removeprefix("not ours: "))
    if how == "refused":
        return SourceSentence(source, where, words, REFUSED, _refusal(rulebook, name), name)
    if how not in _PROOFS:
        raise RulebookError(
            "sentences of {source}, {where}: {answer!r} is no answer",
            source=source,
            where=where,
            answer=answer,
        )
    return SourceSentence(source, where, words, IMPLEMENTED, f"{_PROOFS[how]}: {name}")


def _refusal(rulebook: str, rule: str) -> str:
    """The sentence that the rulebook answers, with dots for what an event tells."""
    from honours.rulebooks import load

    book = load(rulebook)

    def said(match: re.Match[str]) -> str:
        known = book.parameters.get(match[1])
        return show(known.value) if known and isinstance(known.value, Fraction) else "…"

    for one in book.rules:
        if one.kind == "refusal" and one.function.__name__ == rule:
            return re.sub(r"\{(\w+)\}", said, one.message)
    raise RulebookError("{rulebook} has no refusal {rule!r}", rulebook=rulebook, rule=rule)
