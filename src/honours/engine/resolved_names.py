"""Which rule, number or input a name stands for in one case: the graph, resolved.

The words of a case (``kind=teams``, ``competition=final``) choose among the rules that define a
quantity; what was given counts as given and is not worked out again.
"""

from __future__ import annotations

from collections.abc import Mapping, Set

from honours.engine.rulebook import Input, Parameter, Rulebook
from honours.engine.rules import OPPONENT, Rule
from honours.engine.written_names import public, titled
from honours.errors import InputError, MissingInput, RulebookError
from honours.model import Value

Found = Input | Parameter | Rule


def opposed(name: str) -> str | None:
    """``rating`` for the argument ``opponent_rating`` of a rule per game."""
    return name.removeprefix(OPPONENT) if name.startswith(OPPONENT) else None


class ResolvedNames:
    """Names resolved for one rulebook and what was given.

    ``given`` is what is known of the field; ``below`` names what its entrants and players carry.
    """

    def __init__(self, rulebook: Rulebook, given: Mapping[str, Value], below: Set[str]) -> None:
        self.rulebook, self.given, self.below = rulebook, given, below
        self.words: dict[str, str] = {}
        self._found: dict[str, Found] = {}

    def word(self, name: str) -> str:
        """The word that an input, a parameter or a rule on words gives for ``name``."""
        if name not in self.words:
            self.words[name] = self._word(name)
        return self.words[name]

    def _word(self, name: str) -> str:
        value = self.find(name)
        if isinstance(value, Input):
            return str(self.given.get(name, value.default))
        if isinstance(value, Parameter):
            return str(value.value)
        try:
            arguments = [self.word_or_number(a) for a in value.arguments]
        except MissingInput as missing:
            raise self._either(name, missing) from None
        return str(value.function(*arguments))

    def _either(self, name: str, missing: MissingInput) -> MissingInput:
        """A word that may be given, or worked out from what is missing: name both."""
        declared = self.rulebook.inputs.get(name)
        if declared is None:
            return missing
        return MissingInput((public(name), *missing.names), declared.about)

    def word_or_number(self, name: str) -> object:
        """What a rule on words takes as an argument: a word, or a number of the rulebook."""
        value = self.find(name)
        return value.value if isinstance(value, Parameter) else self.word(name)

    def find(self, name: str) -> Found:
        """What ``name`` stands for here."""
        if name not in self._found:
            self._found[name] = self._find(name)
        return self._found[name]

    def _find(self, name: str) -> Found:
        book = self.rulebook
        declared = book.inputs.get(name)
        if declared and (name in self.given or name in self.below):
            return declared
        if name in book.parameters:
            return book.parameters[name]
        active = self.active(name)
        if active:
            return active
        if declared and declared.default is not None:
            return declared
        if declared:
            raise MissingInput(public(name), declared.about)
        raise self._undefined(name)

    def active(self, name: str) -> Rule | None:
        """The one rule that defines ``name`` for the words of this case."""
        active = [r for r in self.rulebook.rules_for(name) if r.applies(self.word)]
        if len(active) > 1:
            raise RulebookError(
                "{id}: {name!r} is defined twice for these words", id=self.rulebook.id, name=name
            )
        return active[0] if active else None

    def _undefined(self, name: str) -> Exception:
        choices = [r.when for r in self.rulebook.rules_for(name) if r.when]
        if not choices and opposed(name) in self.rulebook.inputs:
            return InputError(
                "{id} counts games, and a calculation has no opponents: nothing says {name}. Award "
                "a file of games; or the rulebook declares an input {name} per game",
                id=self.rulebook.id,
                name=public(name),
            )
        if not choices:
            return RulebookError("{id}: nothing defines {name!r}", id=self.rulebook.id, name=name)
        keys = sorted({key for when in choices for key in when})
        case = ", ".join(f"{public(k)}={self.word(k)}" for k in keys)
        return InputError(
            "{id} has no {title} for {case}", id=self.rulebook.id, title=titled(name), case=case
        )
