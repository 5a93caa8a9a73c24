"""Rulings of a director or a scorer: a fouled board, an adjusted score, a penalty, what was played,
what is known of some pairs, and that the standings are final."""

from __future__ import annotations

from fractions import Fraction

from honours.engine.numbers import show
from honours.errors import InputError, MissingInput, UnknownName
from honours.formats.contracts import (
    average,
    is_passed_out,
    parse_contract,
    parse_ruling,
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
    number,
    read_where,
    several,
    where_in_words,
    who_is,
    whole,
)
from honours.model import AdjustedScore, ArtificialScore, AssignedScore, Penalty
from honours.model.message import Message, joined, mark, plural, word
from honours.scoring.contracts import ns_score
from honours.scoring.ruling_kinds import (
    AT_FAULT,
    About,
    Adjust,
    Final,
    Fine,
    Foul,
    Played,
    What,
    Winners,
)
from honours.scoring.rulings import EVENT_KINDS, SCORINGS

UNITS = ("matchpoints", "percent", "imps", "vps")
"""What a penalty may be counted in."""
_ADJUSTED = "60-40, ave+/ave-, 60% 4SN=, 40% 4SN-1"
_PAIRS = RulingField("pairs", Message("pairs"), "3, 4", required=True, type="many", argument=True)


def _read_foul(words: Words) -> What:
    fault = {str(pair): str(degree) for pair, degree in words.get("fault", {}).items()}
    for degree in fault.values():
        if degree not in AT_FAULT:
            raise UnknownName("degree of fault", degree, AT_FAULT)
    need(words, "board")
    return Foul(
        whole(words, "board"),
        tuple(str(pair) for pair in need(words, "pairs")),
        str(words.get("version") or "fouled"),
        tuple(fault.items()),
        str(words.get("section", "")),
        whole(words, "session"),
    )


def _tell_foul(what: Foul, names: Names) -> Message:
    return Message(
        "board {board}: fouled for {who}", board=what.board, who=several(what.entrants, names)
    )


def _read_adjust(words: Words) -> What:
    where = read_where(words)
    if words.get("score"):
        both = read_adjusted(str(words["score"]), where.board)
        return Adjust(where, both.ns, both.ew)
    sides = [str(words.get(side) or "") for side in ("ns", "ew")]
    if not any(sides):
        raise MissingInput("score", Message("or ns, or ew"), Message("the ruling 'adjust'"))
    ns, ew = (read_side(text, where.board) if text else None for text in sides)
    return Adjust(where, ns, ew)


def read_adjusted(text: str, board: int) -> AdjustedScore:
    """One ruling for both sides: ``60-40``, ``AVE+/AVE-``, or an assigned score."""
    adjusted = parse_ruling(text)
    if adjusted is not None:
        return adjusted
    both = read_side(text, board)
    return AdjustedScore(both, both)


def read_side(text: str, board: int) -> ArtificialScore | AssignedScore:
    """What one side gets: ``AVE+``, ``55%``, ``420``, ``4SN=``, ``60% 4SN=, 40% 4SN-1``.

    Assigned scores are North-South's, whichever side they are given to.
    """
    plain = tidy(text)
    average_score = average(plain)
    if average_score is not None:
        return average_score
    if plain.endswith("%") and plain[:-1].replace(".", "", 1).isdigit():
        return ArtificialScore(Fraction(plain[:-1]) / 100)
    scores = tuple(_weighted(part.strip(), board) for part in plain.split(","))
    total = sum(weight for weight, _ in scores)
    if total != 1 or any(weight <= 0 for weight, _ in scores):
        raise InputError(
            "{text!r}: the weights make {float:g}%; expected 100%",
            text=text,
            float=float(100 * total),
        )
    return AssignedScore(scores)


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


def _tell_adjust(what: Adjust, names: Names) -> Message:
    return Message(
        "{where}: North-South {ns}, East-West {ew}",
        where=where_in_words(what.where, names),
        ns=_given(what.ns),
        ew=_given(what.ew),
    )


def _given(score: ArtificialScore | AssignedScore | None) -> str:
    if score is None:
        return Message("as at the table")
    if isinstance(score, ArtificialScore):
        return f"{show(100 * score.share)}%"
    return ", ".join(f"{_share(weight)}{points:+d}" for weight, points in score.scores)


def _share(weight: Fraction) -> str:
    return "" if weight == 1 else f"{show(100 * weight)}% "


def _read_fine(words: Words) -> What:
    unit = str(words.get("unit") or "matchpoints")
    if unit not in UNITS:
        raise UnknownName("unit of a penalty", unit, UNITS)
    need(words, "amount")
    amount = number(words, "amount") or Fraction(0)
    penalty = Penalty(str(need(words, "pair")), amount, unit, str(words.get("why", "")))
    return Fine(penalty, whole(words, "session"))


def _tell_fine(what: Fine, names: Names) -> Message:
    penalty = what.penalty
    return Message(
        "{who}: penalty of {amount} {unit}",
        who=who_is(penalty.entrant, names),
        amount=show(penalty.amount),
        unit=word(penalty.unit),
    )


def _read_winners(words: Words) -> What:
    return Winners(whole(words, "winners"), tuple(map(str, words.get("one_winner") or ())))


def _tell_winners(what: Winners, _names: Names) -> Message:
    if what.one_winner:
        names = ", ".join(what.one_winner)
        return plural(
            "two winners, one in section {names}",
            "two winners, one in each of the sections {names}",
            count=len(what.one_winner),
            names=names,
        )
    return Message("one winner") if what.number == 1 else Message("two winners")


def _read_played(words: Words) -> What:
    swiss = str(words.get("swiss", "")).lower()
    if swiss not in ("", "yes", "no"):
        raise InputError("swiss {swiss!r} is neither yes nor no", swiss=swiss)
    kind, scoring = str(words.get("type", "")), str(words.get("scoring", ""))
    if not (kind or scoring or swiss):
        raise InputError("nothing is said of the event; expected type, scoring or swiss")
    return Played(kind, scoring, swiss == "yes" if swiss else None)


def _tell_played(what: Played, _names: Names) -> Message:
    parts = [word(text) for text in (what.kind, what.scoring) if text]
    if what.swiss is not None:
        parts.append(Message("Swiss") if what.swiss else Message("not Swiss"))
    return joined(", ", parts)


def _read_about(words: Words) -> What:
    stratum = str(words["stratum"]) if words.get("stratum") else None
    pairs = tuple(str(pair) for pair in need(words, "pairs"))
    return About(pairs, stratum, number(words, "handicap"), number(words, "carried"))


def _tell_about(what: About, names: Names) -> Message:
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
    return Message("{who}: {what}", who=several(what.entrants, names), what=joined(", ", parts))


def _read_final(words: Words) -> What:
    rows = need(words, "standings")
    if any(isinstance(row, str) or len(row) != 4 for row in rows):
        raise InputError("standings are not rows of entrant, place, score and name")
    lines = tuple((str(a), str(b), str(c), str(d)) for a, b, c, d in rows)
    return Final(lines, str(need(words, "scored")))


def _tell_final(_what: Final, _names: Names) -> Message:
    return Message("the standings were made final")


DECISIONS = (
    RulingKind(
        mark("fouled"),
        Message("Mark a board fouled"),
        Message("Some pairs met the board in another version."),
        (
            BOARD,
            RulingField("pairs", Message("who met the other version"), "3, 4", True, "many"),
            RulingField("version", Message("name of the version"), rare=True),
            RulingField("fault", Message("at fault"), "3=yes, 4=no", type="pairs", rare=True),
            *WHERE,
        ),
        _read_foul,
        _tell_foul,
        'fouled 7 --pairs 3,12 --by "A. Director" --why "hands misboarded"',
    ),
    RulingKind(
        mark("adjust"),
        Message("Adjust a score"),
        Message("Give a line an adjusted score, for both sides or each."),
        (
            BOARD,
            PAIR,
            RulingField("score", Message("for both sides"), _ADJUSTED, type="result"),
            RulingField("ns", Message("for North-South"), "ave+", type="result"),
            RulingField("ew", Message("for East-West"), "ave-", type="result"),
            *WHERE,
        ),
        _read_adjust,
        _tell_adjust,
        'adjust 9 --pair 3 --ns ave+ --ew ave- --by "A. Director" --law 12C2',
    ),
    RulingKind(
        mark("penalty"),
        Message("Give a penalty"),
        Message("Take points from a pair; a percentage is of a board's top."),
        (
            WHO,
            RulingField("amount", Message("how much"), "10", required=True, argument=True),
            RulingField("unit", Message("of what"), words=UNITS, usual="percent"),
            RulingField("session", Message("session"), type="number", rare=True),
        ),
        _read_fine,
        _tell_fine,
        'penalty 3 10 --by "A. Director" --why "late" --law 90',
    ),
    RulingKind(
        mark("winners"),
        Message("Say how many winners"),
        Message("One ranking list, or one for each line."),
        (
            RulingField(
                "winners", Message("winners"), required=True, words=("1", "2"), argument=True
            ),
            RulingField(
                "one_winner",
                Message("sections that have one winner"),
                Message("where the others have two: B"),
                type="many",
                rare=True,
            ),
        ),
        _read_winners,
        _tell_winners,
        'winners 2 --by "A. Scorer"',
    ),
    RulingKind(
        mark("event"),
        Message("Say what was played"),
        Message("What kind of event it was, where the file does not say."),
        (
            RulingField("type", Message("type"), words=EVENT_KINDS),
            RulingField("scoring", Message("scoring"), words=SCORINGS),
            RulingField("swiss", Message("every round is a match"), type="yes or no"),
        ),
        _read_played,
        _tell_played,
        'event --type pairs --scoring cross-imps --by "A. Scorer"',
    ),
    RulingKind(
        mark("entrants"),
        Message("Stratum, handicap, carry-over"),
        Message("What is to be known of some pairs beforehand."),
        (
            _PAIRS,
            RulingField("stratum", Message("stratum"), "B"),
            RulingField("handicap", Message("handicap"), "2.5"),
            RulingField("carried", Message("carried over")),
        ),
        _read_about,
        _tell_about,
        'entrants 3,4,9 --stratum B --handicap 2.5 --by "A. Scorer"',
    ),
)
FINAL = RulingKind(
    "final",
    Message("Make final"),
    Message("Make the standings final as they are; what changes later is shown as amended."),
    (RulingField("scored", Message("scoring")), RulingField("standings", Message("Standings"))),
    _read_final,
    _tell_final,
)
"""What a person rules is none of its words: they follow from the event as it stands."""
