"""What was given beside the ranking lists of an event: for all of them, and for one alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field

from honours.engine.award import read_facts
from honours.engine.rulebook import Rulebook
from honours.errors import UnknownName
from honours.model import Facts, Field, Value


@dataclass(frozen=True, slots=True)
class GivenFacts:
    """What was given ``of_all`` lists, and what of one alone (``tables.NS``, ``limit.B``), by the
    label of its line, section or session, or of its stratum."""

    of_all: Facts
    by_label: Mapping[str, Facts] = field(default_factory=dict)
    by_stratum: Mapping[str, Facts] = field(default_factory=dict)

    @classmethod
    def read(
        cls,
        rulebook: Rulebook,
        given: Mapping[str, object],
        labels: Set[str],
        strata: Sequence[str],
    ) -> GivenFacts:
        """What was given, each value read by the input that it is for."""
        own: dict[str, dict[str, object]] = {}
        for key, value in given.items():
            name, dot, label = key.partition(".")
            own.setdefault(label if dot else "", {})[name] = value
        of_all = read_facts(rulebook, own.pop("", {}))
        for label in own:
            if label not in {*labels, *strata}:
                raise UnknownName("ranking list", label, sorted({*labels, *strata}))
        facts = {label: read_facts(rulebook, values) for label, values in own.items()}
        return cls(
            of_all,
            {label: values for label, values in facts.items() if label not in strata},
            {label: values for label, values in facts.items() if label in strata},
        )

    def of_list(self, listed: Field, stratum: str) -> dict[str, Value]:
        """What was given for a list. Its own value goes before the one for all, and its stratum's
        before that of its line."""
        own = {k: v for label in listed.label.values() for k, v in self._by(label).items()}
        return {**self.of_all, **own, **self.by_stratum.get(stratum, {})}

    def _by(self, label: str) -> Facts:
        return self.by_label.get(label, {})
