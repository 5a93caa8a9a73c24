"""Rulings that put right what a file has wrong: a line, who a pair is, who played, who did not."""

from __future__ import annotations

from collections.abc import Iterator

from honours.errors import MissingInput
from honours.formats.contracts import (
    is_not_played,
    is_passed_out,
    is_relative,
    parse_contract,
    parse_score,
    parse_seat,
    parse_tricks,
    tidy,
)
from honours.formats.ruling_parts import (
    BOARD,
    PAIR,
    WHERE,
    WHO,
    Names,
    RulingField,
    RulingKind,
    Words,
    need,
    read_where,
    where_in_words,
    who_is,
    whole,
)
from honours.model import Contract, Player
from honours.model.cards import contract_words
from honours.model.message import Message, joined, mark
from honours.scoring.ruling_kinds import (
    Correct,
    Name,
    Phantom,
    Substitute,
    What,
)


def _read_correct(words: Words) -> What:
    contract = str(words.get("contract", ""))
    call = None if not contract or is_passed_out(contract) else _contract(words, contract)
    tricks = str(words.get("tricks", "")) or (parse_contract(contract).result if call else "")
    against = is_relative(tricks)
    return Correct(
        read_where(words),
        whole(words, "to_board") or None,
        str(words["ns"]) if words.get("ns") else None,
        str(words["ew"]) if words.get("ew") else None,
        call,
        None if against or not tricks or is_not_played(tricks) else parse_tricks(tricks, 1),
        parse_score(str(words["score"])) if words.get("score") not in (None, "") else None,
        bool(contract) and is_passed_out(contract),
        bool(words.get("turned")),
        bool(tricks) and is_not_played(tricks),
        _over(tricks) if against else None,
    )


def _over(text: str) -> int:
    """``=``, ``+1`` or ``-2`` as a number; whether the contract allows it is seen at its line."""
    digits = tidy(text).replace(" ", "")
    return 0 if digits == "=" else int(digits)


def _contract(words: Words, text: str) -> Contract:
    call = parse_contract(text)
    seat = str(words.get("declarer", ""))
    declarer = parse_seat(seat) if seat else call.declarer
    if declarer is None:
        raise MissingInput("declarer", needed_for=Message("contract {text}", text=text))
    return call.played_by(declarer)


def _tell_correct(what: Correct, names: Names) -> Message:
    return Message(
        "{where}: {what}",
        where=where_in_words(what.where, names),
        what=joined(", ", list(_put(what))),
    )


def _put(what: Correct) -> Iterator[Message]:
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


def _read_name(words: Words) -> What:
    names = [str(name) for name in need(words, "players")]
    numbers = [str(number) for number in words.get("numbers", [])]
    numbers += [""] * (len(names) - len(numbers))
    players = (Player(name, number) for name, number in zip(names, numbers, strict=False))
    return Name(str(need(words, "pair")), tuple(players))


def _tell_name(what: Name, _names: Names) -> Message:
    players = " & ".join(player.name or player.number for player in what.players)
    return Message("{who} is {players}", who=what.entrant, players=players)


def _read_substitute(words: Words) -> What:
    player = Player(str(need(words, "player")), str(words.get("number", "")))
    return Substitute(str(need(words, "pair")), str(need(words, "absent")), player)


def _tell_substitute(what: Substitute, _names: Names) -> Message:
    player = what.player.name or what.player.number
    return Message(
        "{who}: {player} played for {absent}", who=what.entrant, player=player, absent=what.absent
    )


def _read_phantom(words: Words) -> What:
    return Phantom(str(need(words, "pair")))


def _tell_phantom(what: Phantom, names: Names) -> Message:
    return Message("{who} was not there", who=who_is(what.entrant, names))


CORRECTIONS = (
    RulingKind(
        mark("correct"),
        Message("Correct a line"),
        Message("Put a result right; what is left empty stays as it was."),
        (
            BOARD,
            PAIR,
            RulingField("contract", Message("contract"), "4S, 3NTx, pass, 4SN=", type="result"),
            RulingField("declarer", Message("declarer"), words=("N", "E", "S", "W")),
            RulingField("tricks", Message("tricks"), "=, +1, -2, 10, NP", type="result"),
            RulingField(
                "score", Message("score"), Message("North-South's, where there is no contract")
            ),
            RulingField("to_board", Message("the board it really was"), type="number", rare=True),
            RulingField("ns", Message("who really sat North-South"), rare=True),
            RulingField("ew", Message("who really sat East-West"), rare=True),
            RulingField(
                "turned", Message("the pairs sat the other way round"), type="yes", rare=True
            ),
            *WHERE,
        ),
        _read_correct,
        _tell_correct,
        'correct 5 --pair 2 --contract 4SN= --by "A. Scorer"',
    ),
    RulingKind(
        mark("name"),
        Message("Name a pair"),
        Message("Say who a pair is."),
        (
            WHO,
            RulingField(
                "players", Message("names"), "Ann Ash, Bob Birch", True, "many", argument=True
            ),
            RulingField("numbers", Message("member numbers"), type="many"),
        ),
        _read_name,
        _tell_name,
        'name 3 "Ann Ash" "Bob Birch" --by "A. Scorer"',
    ),
    RulingKind(
        mark("substitute"),
        Message("Name a substitute"),
        Message("Somebody played instead of an absent player."),
        (
            WHO,
            RulingField("absent", Message("who was absent"), required=True, argument=True),
            RulingField("player", Message("who played"), required=True, argument=True),
            RulingField("number", Message("member number")),
        ),
        _read_substitute,
        _tell_substitute,
        'substitute 3 "Ann Ash" "Eve Elm" --by "A. Director"',
    ),
    RulingKind(
        mark("phantom"),
        Message("Take out a pair that was not there"),
        Message("Its lines go, and it is not ranked."),
        (WHO,),
        _read_phantom,
        _tell_phantom,
        'phantom 12 --by "A. Scorer"',
    ),
)
