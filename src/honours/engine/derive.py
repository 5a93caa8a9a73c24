"""How a rulebook's words follow from what is known of an event: its table ``[derive]``.

A fact whose name is that of an input reaches the rulebook by itself. Where the rulebook has
another word for it, or where it must be asked about, a line of ``[derive]`` says so with the
clause: ``competition = [{ is = "swiss", when = { form = "swiss" }, clause = "Chapter 4" }]``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from honours.engine.written_names import public
from honours.errors import MissingInput, RulebookError, UnknownName
from honours.model import Facts, KnownFact, Origin, Value
from honours.model.message import Message
from honours.model.vocabulary import VOCABULARY

KEYS = ("is", "from", "ask", "when", "titled", "clause")


@dataclass(frozen=True, slots=True)
class Derivation:
    """One line of ``[derive]``: the input is ``value``, or what the fact ``source`` says, or is
    asked for with the words of ``ask``, when every fact in ``when`` is one of the words there and
    the title has one of the words in ``titled``."""

    input: str
    clause: str
    value: str = ""
    source: str = ""
    ask: str = ""
    when: Mapping[str, tuple[str, ...]] | None = None
    titled: tuple[str, ...] = ()

    def applies(self, facts: Facts) -> bool:
        for name, words in (self.when or {}).items():
            if name not in facts or str(facts[name]) not in words:
                return False
        if self.source and self.source not in facts:
            return False
        return self.applies_to_title(str(facts.get("title", "")))

    def applies_to_title(self, title: str) -> bool:
        return not self.titled or _has_word(title, self.titled)

    def known(self, facts: Facts) -> KnownFact:
        """What follows, and from what."""
        value: Value = facts[self.source] if self.source else self.value
        names = (*(self.when or {}), *([self.source] if self.source else []))
        because = ", ".join(f"{name}={facts[name]}" for name in names)
        source = f"{because} [{self.clause}]"
        return KnownFact(self.input, value, Origin.DERIVED, source, follows_from=names)


def _has_word(text: str, words: Sequence[str]) -> bool:
    either = "|".join(re.escape(word) for word in words)
    return re.search(rf"(?<!\w)(?:{either})(?!\w)", text, re.IGNORECASE) is not None


def derived(
    derivations: Sequence[Derivation], facts: Facts, given: Mapping[str, Value]
) -> dict[str, KnownFact]:
    """What follows for each input from these facts; the first line that applies counts. A question
    is asked unless somebody told the answer."""
    follows: dict[str, KnownFact] = {}
    settled: set[str] = set()
    for line in derivations:
        if line.input in settled or not line.applies(facts):
            continue
        settled.add(line.input)
        if not line.ask:
            follows[line.input] = line.known(facts)
        elif line.input not in given:
            asks = Message(line.ask)
            question = Message("{question} [{clause}]", question=asks, clause=line.clause)
            raise MissingInput(public(line.input), question)
    return follows


def read_derivations(table: Mapping[str, Any], inputs: Mapping[str, Any]) -> tuple[Derivation, ...]:
    """The lines of a rulebook's ``[derive]``; each is for an input, and speaks of known facts."""
    return tuple(line for name, lines in table.items() for line in _lines(name, lines, inputs))


def _lines(name: str, lines: Any, inputs: Mapping[str, Any]) -> Iterator[Derivation]:
    declared = next((key for key in inputs if name in (key, public(key))), None)
    if declared is None:
        raise UnknownName("input in [derive]", name, inputs)
    if not isinstance(lines, list):
        raise RulebookError("expected a list of lines")
    for line in lines:
        yield _line(declared, line)


def _line(name: str, line: Mapping[str, Any]) -> Derivation:
    for key in line:
        if key not in KEYS:
            raise UnknownName(Message("key of derive.{name}", name=name), key, KEYS)
    if sum(key in line for key in ("is", "from", "ask")) != 1 or not line.get("clause"):
        raise RulebookError("expected one of is, from and ask, and a clause")
    when = {fact: _words(words) for fact, words in line.get("when", {}).items()}
    for fact in (*when, *([line["from"]] if "from" in line else [])):
        if fact not in VOCABULARY:
            raise UnknownName(Message("fact in derive.{name}", name=name), fact, VOCABULARY)
    return Derivation(
        name,
        line["clause"],
        value=str(line.get("is", "")),
        source=line.get("from", ""),
        ask=line.get("ask", ""),
        when=when,
        titled=tuple(line.get("titled", ())),
    )


def _words(words: Any) -> tuple[str, ...]:
    return tuple(map(str, words)) if isinstance(words, list) else (str(words),)
