"""Why what a file paid an entrant is not what a rulebook does: a tie, another list, a refusal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from honours.engine.award import award
from honours.engine.event_awards import EventAwards
from honours.engine.ranking import WHOLE_EVENT
from honours.engine.rulebook import Rulebook
from honours.errors import InputError
from honours.model import Award, Awards, EventEntrant, Value
from honours.model.message import Message, joined, mark, word
from honours.pipeline.checking.figures import written

_NEAR = 8
"""So many more or fewer tables or entrants are tried."""
DECIMALS = 2
"""Of the points that are compared."""


@dataclass(frozen=True, slots=True)
class DifferingAward:
    """An entrant whose award differs; ``in_file`` has everybody's place and award in the file."""

    book: Rulebook
    awards: EventAwards
    entrant: EventEntrant
    published: Fraction
    in_file: Mapping[str, tuple[Value | None, Fraction]]

    @property
    def who(self) -> str:
        return self.entrant.entrant.id

    def of_all_lists(self) -> Iterator[tuple[Awards, Award]]:
        for awards in self.awards.lists:
            for item in awards.schedule:
                if item.standing.entrant.id == self.who:
                    yield awards, item

    def is_about(self, amount: Fraction, other: Fraction) -> bool:
        """Whether two amounts are the same but for how a share is rounded."""
        return abs(amount - other) <= Fraction(1, 10**self.book.decimals)

    def terms(self, awards: Awards, item: Award) -> dict[str, str]:
        """The values of a message about its place in a list: which, and by which clause."""
        clause = item.why.citation.clause if item.why.citation else self.book.title
        return {"place": item.standing.placing, "name": _named(awards), "clause": clause}


def cause(case: DifferingAward) -> Message | None:
    ours = case.awards.amount(case.who)
    return (
        _of_eligibility(case, ours)
        or _of_sessions(case)
        or _of_another_list(case, ours)
        or _of_refusal(case, ours)
        or _of_tie_in_the_file(case)
        or _of_tie_of_ours(case, ours)
        or _of_another_place(case)
        or _of_rule(case, ours)
    )


def _of_eligibility(case: DifferingAward, ours: Fraction) -> Message | None:
    if case.entrant.entrant.is_barred and not case.published and ours:
        return Message("the file says that the pair is not eligible")
    return None


def _of_sessions(case: DifferingAward) -> Message | None:
    """The file pays the sections of all sessions together, and holds one session."""
    earlier = case.entrant.published.get("earlier_masterpoints")
    now = case.entrant.published.get("section_masterpoints", Fraction(0))
    if not isinstance(earlier, Fraction) or not isinstance(now, Fraction):
        return None
    if case.published != earlier + now:
        return None
    return Message(
        "the file pays the sections of all sessions together: {earlier} before this one, {now} in "
        "it; we see this session alone",
        earlier=written(earlier, DECIMALS),
        now=written(now, DECIMALS),
    )


def _of_another_list(case: DifferingAward, ours: Fraction) -> Message | None:
    """What the file paid is what another of the rankings pays."""
    for awards, item in case.of_all_lists():
        if case.published and item.amount == case.published != ours:
            return Message(
                "the file pays place {place} of {name}; {rulebook} pays the better of its lists",
                rulebook=case.book.id,
                **case.terms(awards, item),
            )
    return None


def _of_refusal(case: DifferingAward, ours: Fraction) -> Message | None:
    if ours:
        return None
    refusals = [
        refusal
        for awards, item in case.of_all_lists()
        if (refusal := item.refusal or awards.refusal) is not None
    ]
    if not refusals:
        return None
    return Message(
        "{rulebook} refuses it: {reason} [{clause}]",
        rulebook=case.book.id,
        reason=refusals[0].reason,
        clause=refusals[0].citation.clause,
    )


def _of_tie_in_the_file(case: DifferingAward) -> Message | None:
    """The file has it share a place with others, and pays the mean of what we pay them."""
    for awards, item in case.of_all_lists():
        ours = {a.standing.entrant.id: a for a in awards.schedule}
        alike = [who for who in ours if case.in_file.get(who) == case.in_file[case.who]]
        shared = sum((ours[who].amount for who in alike), Fraction(0)) / len(alike)
        if len(alike) > 1 and case.is_about(shared, case.published):
            return Message(
                "the file has it share a place with {others}, and pays each the mean of what they "
                "get; here it is place {place} of {name} [{clause}]",
                others=tuple(who for who in alike if who != case.who),
                **case.terms(awards, item),
            )
    return None


def _of_tie_of_ours(case: DifferingAward, ours: Fraction) -> Message | None:
    """Its score is that of others, who share what the file pays them apart."""
    for awards, item in case.of_all_lists():
        tied = [
            a.standing.entrant.id
            for a in awards.schedule
            if a.standing.place == item.standing.place and a.standing.entrant.id in case.in_file
        ]
        paid = [case.in_file[who][1] for who in tied]
        mean = sum(paid, Fraction(0)) / len(tied) if tied else Fraction(0)
        if len(set(paid)) > 1 and case.is_about(mean, ours):
            return Message(
                "it has the score of {others} and shares place {place} of {name} with them "
                "[{clause}]; the file parts them",
                others=tuple(who for who in tied if who != case.who),
                **case.terms(awards, item),
            )
    return None


def _of_another_place(case: DifferingAward) -> Message | None:
    """What the file paid is what another place of the same list gets."""
    for awards, item in case.of_all_lists():
        for other in awards.schedule:
            if (
                case.published
                and other.amount == case.published
                and other.standing.place != item.standing.place
            ):
                template = (
                    mark(
                        "the file pays it as place {other} of {name}, by this session alone; with "
                        "what was carried over it is {place}"
                    )
                    if case.entrant.carried
                    else mark("the file pays it as place {other} of {name}, where it is {place}")
                )
                terms = case.terms(awards, item)
                return Message(template, other=other.standing.placing, **terms)
    return None


def _of_rule(case: DifferingAward, ours: Fraction) -> Message | None:
    """By which clause ours is what it is, and how much the file has of it."""
    lists_and_awards = list(case.of_all_lists())
    if not lists_and_awards:
        return Message("the pair is in no ranking list of {rulebook}", rulebook=case.book.id)
    awards, item = max(lists_and_awards, key=lambda pair: pair[1].amount)
    terms = case.terms(awards, item)
    if not ours:
        return Message(
            "place {place} of {name} is beyond those that {rulebook} pays [{clause}]",
            rulebook=case.book.id,
            **terms,
        )
    if case.published:
        return _of_another_count(case, awards, terms) or Message(
            "not explained by places, ties, lists, sessions or counts: place {place} of {name} by "
            "[{clause}]",
            **terms,
        )
    if case.entrant.carried:
        return Message(
            "place {place} of {name} with what was carried over [{clause}]; the file counts this "
            "session alone, and pays nothing for it",
            **terms,
        )
    return Message("place {place} of {name} by [{clause}]; the file pays it nothing", **terms)


def _of_another_count(
    case: DifferingAward, awards: Awards, terms: Mapping[str, object]
) -> Message | None:
    """What the file paid is what the same place gets in a field of another size."""
    facts = awards.field.facts
    for name in ("tables", "entrants"):
        counted = facts.get(name)
        if not isinstance(counted, Fraction):
            continue
        near = sorted(range(-_NEAR, _NEAR + 1), key=abs)
        for other in (counted + step for step in near if step and counted + step > 0):
            field = replace(awards.field, facts={**facts, name: other})
            try:
                [item] = award(case.book, field, in_words=False, only={case.who}).schedule
            except (InputError, ValueError):
                continue
            if item.amount == case.published:
                return Message(
                    "the file pays place {place} of {name} as of {other} {counted}, where we count "
                    "{ours} [{clause}]",
                    other=written(other, 0),
                    counted=Message(name),
                    ours=written(counted, 0),
                    **terms,
                )
    return None


def _named(awards: Awards) -> Message:
    """A ranking list in words."""
    count = len(awards.field.standings)
    label = dict(awards.field.label)
    if label.get("section") == WHOLE_EVENT:
        label["section"] = ""
    if not label:
        return Message("all {count}", count=count)
    parts = (part for name, text in label.items() for part in (word(name), text) if part)
    return Message("{label} ({count})", label=joined(" ", parts), count=count)
