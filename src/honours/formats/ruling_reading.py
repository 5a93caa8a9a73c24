"""The words of each kind of ruling, read into what the scorer applies."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from honours.engine.numbers import exact
from honours.errors import InputError, MissingInput, UnknownName
from honours.formats.contracts import (
    average,
    is_not_played,
    is_passed_out,
    is_relative,
    parse_contract,
    parse_ruling,
    parse_score,
    parse_seat,
    parse_tricks,
    tidy,
)
from honours.model import Adjusted, Artificial, Assigned, Contract, Penalty, Player
from honours.model.message import Message
from honours.scoring.contracts import ns_score
from honours.scoring.ruling_kinds import (
    AT_FAULT,
    About,
    Adjust,
    Correct,
    Final,
    Fine,
    Foul,
    Name,
    Phantom,
    Played,
    Substitute,
    What,
    Where,
    Winners,
)

Words = Mapping[str, Any]

UNITS = ("matchpoints", "percent", "imps", "vps")
"""What a penalty may be counted in."""


def _need(words: Words, key: str) -> Any:
    if words.get(key) in (None, "", []):
        raise MissingInput(key, needed_for=Message("the ruling {kind!r}", kind=words["kind"]))
    return words[key]


def _whole(words: Words, key: str) -> int:
    value = words.get(key) or 0
    if not str(value).lstrip("-").isdigit():
        raise InputError("{key} {value!r} is not a whole number", key=key, value=value)
    return int(value)


def _number(words: Words, key: str) -> Fraction | None:
    """``10``, ``2.5`` or ``1/2``; nothing where nothing is said."""
    if words.get(key) in (None, ""):
        return None
    try:
        return exact(str(words[key]))
    except InputError as error:
        raise InputError("{key} {error}", key=key, error=error) from error


def _where(words: Words) -> Where:
    _need(words, "board")
    return Where(
        _whole(words, "board"),
        str(_need(words, "pair")),
        str(words.get("section", "")),
        _whole(words, "session"),
    )


def read_correct(words: Words) -> What:
    contract = str(words.get("contract", ""))
    call = None if not contract or is_passed_out(contract) else _contract(words, contract)
    tricks = str(words.get("tricks", "")) or (parse_contract(contract).result if call else "")
    against = is_relative(tricks)
    return Correct(
        _where(words),
        _whole(words, "to_board") or None,
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


def read_name(words: Words) -> What:
    names = [str(name) for name in _need(words, "players")]
    numbers = [str(number) for number in words.get("numbers", [])]
    numbers += [""] * (len(names) - len(numbers))
    players = (Player(name, number) for name, number in zip(names, numbers, strict=False))
    return Name(str(_need(words, "pair")), tuple(players))


def read_substitute(words: Words) -> What:
    player = Player(str(_need(words, "player")), str(words.get("number", "")))
    return Substitute(str(_need(words, "pair")), str(_need(words, "absent")), player)


def read_phantom(words: Words) -> What:
    return Phantom(str(_need(words, "pair")))


def read_foul(words: Words) -> What:
    fault = {str(pair): str(degree) for pair, degree in words.get("fault", {}).items()}
    for degree in fault.values():
        if degree not in AT_FAULT:
            raise UnknownName("degree of fault", degree, AT_FAULT)
    _need(words, "board")
    return Foul(
        _whole(words, "board"),
        tuple(str(pair) for pair in _need(words, "pairs")),
        str(words.get("version") or "fouled"),
        tuple(fault.items()),
        str(words.get("section", "")),
        _whole(words, "session"),
    )


def read_fine(words: Words) -> What:
    unit = str(words.get("unit") or "matchpoints")
    if unit not in UNITS:
        raise UnknownName("unit of a penalty", unit, UNITS)
    _need(words, "amount")
    amount = _number(words, "amount") or Fraction(0)
    penalty = Penalty(str(_need(words, "pair")), amount, unit, str(words.get("why", "")))
    return Fine(penalty, _whole(words, "session"))


def read_final(words: Words) -> What:
    rows = _need(words, "standings")
    if any(isinstance(row, str) or len(row) != 4 for row in rows):
        raise InputError("standings are not rows of entrant, place, score and name")
    lines = tuple((str(a), str(b), str(c), str(d)) for a, b, c, d in rows)
    return Final(lines, str(_need(words, "scored")))


def read_winners(words: Words) -> What:
    return Winners(_whole(words, "winners"))


def read_played(words: Words) -> What:
    swiss = str(words.get("swiss", "")).lower()
    if swiss not in ("", "yes", "no"):
        raise InputError("swiss {swiss!r} is neither yes nor no", swiss=swiss)
    kind, scoring = str(words.get("type", "")), str(words.get("scoring", ""))
    if not (kind or scoring or swiss):
        raise InputError("nothing is said of the event; expected type, scoring or swiss")
    return Played(kind, scoring, swiss == "yes" if swiss else None)


def read_about(words: Words) -> What:
    stratum = str(words["stratum"]) if words.get("stratum") else None
    pairs = tuple(str(pair) for pair in _need(words, "pairs"))
    return About(pairs, stratum, _number(words, "handicap"), _number(words, "carried"))


# --- adjusted scores ----------------------------------------------------------------------------


def read_adjust(words: Words) -> What:
    where = _where(words)
    if words.get("score"):
        both = read_adjusted(str(words["score"]), where.board)
        return Adjust(where, both.ns, both.ew)
    sides = [str(words.get(side) or "") for side in ("ns", "ew")]
    if not any(sides):
        raise MissingInput("score", Message("or ns, or ew"), Message("the ruling 'adjust'"))
    ns, ew = (read_side(text, where.board) if text else None for text in sides)
    return Adjust(where, ns, ew)


def read_adjusted(text: str, board: int) -> Adjusted:
    """One ruling for both sides: ``60-40``, ``AVE+/AVE-``, or an assigned score."""
    adjusted = parse_ruling(text)
    if adjusted is not None:
        return adjusted
    both = read_side(text, board)
    return Adjusted(both, both)


def read_side(text: str, board: int) -> Artificial | Assigned:
    """What one side gets: ``AVE+``, ``55%``, ``420``, ``4SN=``, ``60% 4SN=, 40% 4SN-1``.

    Assigned scores are North-South's, whichever side they are given to.
    """
    plain = tidy(text)
    average_score = average(plain)
    if average_score is not None:
        return average_score
    if plain.endswith("%") and plain[:-1].replace(".", "", 1).isdigit():
        return Artificial(Fraction(plain[:-1]) / 100)
    scores = tuple(_weighted(part.strip(), board) for part in plain.split(","))
    total = sum(weight for weight, _ in scores)
    if total != 1 or any(weight <= 0 for weight, _ in scores):
        raise InputError(
            "{text!r}: the weights make {float:g}%; expected 100%",
            text=text,
            float=float(100 * total),
        )
    return Assigned(scores)


def _weighted(text: str, board: int) -> tuple[Fraction, int]:
    weight, percent, rest = text.partition("%")
    if not percent:
        return Fraction(1), _score(text, board)
    return Fraction(weight) / 100, _score(rest.strip().removeprefix("OF "), board)


def _score(text: str, board: int) -> int:
    if text.lstrip("+-").isdigit():
        return int(text)
    if is_passed_out(text):
        return 0
    call = parse_contract(text)
    if call.declarer is None or not call.result:
        raise InputError("{text!r} needs a declarer and a result, like 4SN= or 4SN-1", text=text)
    contract = call.played_by(call.declarer)
    return ns_score(contract, parse_tricks(call.result, call.level), board)
