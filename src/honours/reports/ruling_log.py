"""What a ruling says, in a sentence: the log of an event as a person reads it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from honours.engine.numbers import show
from honours.model import Artificial, Assigned
from honours.model.message import Message, joined, word
from honours.reports.deals import contract_words
from honours.scoring import ruling_kinds as kinds

if TYPE_CHECKING:
    from honours.scoring.ruling_kinds import Ruling, Where

Names = Mapping[str, str]
"""What entrants are called, by their numbers."""


def in_words(ruling: Ruling, names: Names) -> Message:
    """What was ruled, of which board and whom."""
    return _SAYING[type(ruling.what)](ruling.what, names)


def _who(entrant: str, names: Names) -> str:
    name = names.get(entrant, "")
    return f"{entrant} ({name})" if name and name != entrant else entrant


def _several(entrants: Sequence[str], names: Names) -> str:
    return ", ".join(_who(one, names) for one in entrants)


def _where(where: Where, names: Names) -> Message:
    board = Message("board {board}", board=where.board)
    parts: list[str] = [board]
    parts += [Message("section {section}", section=where.section)] if where.section else []
    parts += [Message("session {session}", session=where.session)] if where.session else []
    return joined(", ", [*parts, _who(where.entrant, names)])


def _correct(what: kinds.Correct, names: Names) -> Message:
    return Message(
        "{where}: {what}", where=_where(what.where, names), what=joined(", ", list(_put(what)))
    )


def _put(what: kinds.Correct) -> Iterator[Message]:
    """Every part that is put right."""
    over = None if what.over is None else f"{what.over:+d}" if what.over else "="
    contract = None if what.contract is None else contract_words(what.contract)
    parts: tuple[tuple[object, Message], ...] = (
        (what.not_played or None, Message("not played")),
        (what.passed_out or None, Message("passed out")),
        (contract, Message("contract {contract}", contract=contract)),
        (what.tricks, Message("{tricks} tricks", tricks=what.tricks)),
        (over, Message("result {result}", result=over)),
        (what.score, Message("score {score}", score=what.score)),
        (what.board, Message("it was board {board}", board=what.board)),
        (what.ns, Message("North-South was {who}", who=what.ns)),
        (what.ew, Message("East-West was {who}", who=what.ew)),
        (what.turned or None, Message("the pairs sat the other way round")),
    )
    yield from (sentence for value, sentence in parts if value is not None)


def _name(what: kinds.Name, _names: Names) -> Message:
    players = " & ".join(player.name or player.number for player in what.players)
    return Message("{who} is {players}", who=what.entrant, players=players)


def _substitute(what: kinds.Substitute, _names: Names) -> Message:
    player = what.player.name or what.player.number
    return Message(
        "{who}: {player} played for {absent}", who=what.entrant, player=player, absent=what.absent
    )


def _phantom(what: kinds.Phantom, names: Names) -> Message:
    return Message("{who} was not there", who=_who(what.entrant, names))


def _foul(what: kinds.Foul, names: Names) -> Message:
    return Message(
        "board {board}: fouled for {who}", board=what.board, who=_several(what.entrants, names)
    )


def _adjust(what: kinds.Adjust, names: Names) -> Message:
    return Message(
        "{where}: North-South {ns}, East-West {ew}",
        where=_where(what.where, names),
        ns=_given(what.ns),
        ew=_given(what.ew),
    )


def _given(score: Artificial | Assigned | None) -> str:
    if score is None:
        return Message("as at the table")
    if isinstance(score, Artificial):
        return f"{show(100 * score.share)}%"
    return ", ".join(f"{_share(weight)}{points:+d}" for weight, points in score.scores)


def _share(weight: Fraction) -> str:
    return "" if weight == 1 else f"{show(100 * weight)}% "


def _fine(what: kinds.Fine, names: Names) -> Message:
    penalty = what.penalty
    return Message(
        "{who}: penalty of {amount} {unit}",
        who=_who(penalty.entrant, names),
        amount=show(penalty.amount),
        unit=word(penalty.unit),
    )


def _winners(what: kinds.Winners, _names: Names) -> Message:
    return Message("one winner") if what.number == 1 else Message("two winners")


def _played(what: kinds.Played, _names: Names) -> Message:
    parts = [word(text) for text in (what.kind, what.scoring) if text]
    if what.swiss is not None:
        parts.append(Message("Swiss") if what.swiss else Message("not Swiss"))
    return joined(", ", parts)


def _about(what: kinds.About, names: Names) -> Message:
    known = (
        (Message("stratum"), what.stratum),
        (Message("handicap"), what.handicap),
        (Message("carried over"), what.carried),
    )
    parts = [
        Message("{name} {value}", name=name, value=show(v) if isinstance(v, Fraction) else v)
        for name, v in known
        if v is not None
    ]
    return Message("{who}: {what}", who=_several(what.entrants, names), what=joined(", ", parts))


def _final(_what: kinds.Final, _names: Names) -> Message:
    return Message("the standings were made final")


_SAYING: dict[type, Callable[[Any, Names], Message]] = {
    kinds.Correct: _correct,
    kinds.Name: _name,
    kinds.Substitute: _substitute,
    kinds.Phantom: _phantom,
    kinds.Foul: _foul,
    kinds.Adjust: _adjust,
    kinds.Fine: _fine,
    kinds.Winners: _winners,
    kinds.Played: _played,
    kinds.About: _about,
    kinds.Final: _final,
}
