"""The acts of an evening: whether each is possible, and what it changes.

Every kind of act has a function that checks it against the evening as it stands and returns the
evening after it. Reading a journal again calls the same functions, without the checks.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from hashlib import sha256
from types import MappingProxyType
from typing import Any

from honours.errors import InputError
from honours.evening.board_lines import CONFIRMED, DISPUTED, ENTERED, BoardLine, BoardPlace
from honours.evening.evening import Evening
from honours.evening.plan import EveningPlan, read_plan, read_rounds
from honours.evening.seating import check_seats
from honours.model import Board, Player
from honours.model.message import Message

Act = Mapping[str, Any]
SIDES = ("NS", "EW")
CHANGEABLE = (
    *("title", "leads", "show", "standings", "minutes_a_board", "minutes_a_move"),
    *("correction_minutes", "playing", "rulebook", "given", "director"),
)
"""The parts of a plan that may be changed during the evening."""


MOST_CHANGES = 50
"""How often a table may change a result: a phone is trusted as little as an upload."""


class Conflict(InputError):
    """Somebody else entered something in the meantime: ``line`` is what holds now."""

    def __init__(self, line: BoardLine) -> None:
        self.line = line
        super().__init__(
            Message(
                "board {board} was entered as {text} in the meantime",
                board=line.place.board,
                text=line.shown,
            )
        )


def begun_evening(evening_id: str, act: Act) -> Evening:
    """The evening after its first act."""
    plan = read_plan(act["plan"])
    return Evening(evening_id, plan, rounds=plan.rounds, keys=_keyed({}, act, 1))


def evening_after(evening: Evening, act: Act) -> Evening:
    """The evening after an act that is possible."""
    after = _APPLIED[act["kind"]](evening, act)
    number = evening.number + 1
    return replace(after, number=number, keys=_keyed(evening.keys, act, number))


def check(evening: Evening, act: Act) -> None:
    """Refuse an act that is not possible now."""
    checked = _CHECKED.get(act["kind"])
    if checked is not None:
        checked(evening, act)


def done_before(evening: Evening, act: Act) -> int:
    """The number of the act that had this one's key at its table, 0 if none had. A KeyReused if
    that was another: a client that repeats itself says the same."""
    number, digest = evening.keys.get(_key_at_table(act), (0, ""))
    if number and digest != _digest(act):
        raise KeyReused("key {key} was used before, for something else", key=act["key"])
    return number


class KeyReused(InputError):
    """The key of an act was given to another one."""


def _keyed(
    keys: Mapping[tuple[str, str], tuple[int, str]], act: Act, number: int
) -> Mapping[tuple[str, str], tuple[int, str]]:
    return _with(keys, _key_at_table(act), (number, _digest(act))) if act.get("key") else keys


def _key_at_table(act: Act) -> tuple[str, str]:
    return str(act.get("table", "")), act.get("key", "")


def _digest(act: Act) -> str:
    """Of what a client asked for; when and by whom it was asked, and what they had seen, may
    differ when they ask again."""
    said = {name: act[name] for name in act.keys() - {"at", "by", "seen"}}
    return sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()


def _with(mapping: Mapping[Any, Any], key: Any, value: Any) -> Mapping[Any, Any]:
    return MappingProxyType({**mapping, key: value})


def place_of(act: Act) -> BoardPlace:
    return BoardPlace(act["round"], act["table"], act["board"])


# --- results --------------------------------------------------------------------------------------


def _check_open(evening: Evening) -> None:
    if evening.ended:
        raise InputError("play has ended; the director can still correct a result")
    if evening.plan.watched:
        raise InputError("the results of this evening come from its file")


def _check_result(evening: Evening, act: Act) -> None:
    """A table may enter a board that it has, based on the version it last saw, while its round
    lasts."""
    _check_open(evening)
    place = place_of(act)
    evening.seated(place)
    _check_begun(evening, place)
    line = evening.lines.get(place)
    if line is None:
        return
    if line.version >= MOST_CHANGES:
        raise InputError("board {board}: ask the director", board=place.board)
    if line.version != act["seen"]:
        raise Conflict(line)
    if line.is_there and line.by not in SIDES:
        raise InputError("the director entered board {board}; ask the director", board=place.board)
    if line.is_settled and has_moved_on(evening, place.round, place.table):
        raise InputError("round {round} is over; the director can correct it", round=place.round)


def _check_begun(evening: Evening, place: BoardPlace) -> None:
    """A table may be one round ahead of the room; nobody can have played a later round."""
    table = place.table
    at = max(evening.current, evening.round_at(table), evening.last_entered(table))
    if place.round > at + 1:
        raise InputError("round {round} has not begun", round=place.round)


def has_moved_on(evening: Evening, number: int, table: int) -> bool:
    """Return whether a round is over at a table: the next was begun there or by the director."""
    return max(evening.current, evening.last_entered(table)) > number


def _result(evening: Evening, act: Act) -> Evening:
    by_table = act["by"] in SIDES
    return _entered(evening, act, act["text"], ENTERED if by_table else CONFIRMED)


def _entered(evening: Evening, act: Act, text: str, state: str) -> Evening:
    place = place_of(act)
    before = evening.lines.get(place)
    ns, ew = (tuple(act["ns"]), tuple(act["ew"])) if "ns" in act else _sides(evening, place, before)
    line = BoardLine(
        place,
        ns,
        ew,
        text,
        act.get("lead", ""),
        (before.version if before else 0) + 1,
        state,
        act["by"],
        act["at"],
        bool(act.get("sure")),
        act["by"] in SIDES and before is not None and (before.is_settled or before.reopened),
    )
    return replace(evening, lines=_with(evening.lines, place, line))


def _sides(
    evening: Evening, place: BoardPlace, before: BoardLine | None
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return who sat there when the line was first entered, whatever has changed since."""
    if before is not None:
        return before.ns, before.ew
    seats = evening.seated(place)
    return seats.ns, seats.ew


def _check_state_of_line(evening: Evening, act: Act) -> None:
    """The other side confirms or denies the version it saw; refused if that has changed since."""
    _check_open(evening)
    line = evening.line(place_of(act))
    if line is None:
        raise InputError("board {board} is not entered yet", board=act["board"])
    if line.version != act["seen"]:
        raise Conflict(line)
    if line.by == act["by"]:
        raise InputError("one side enters a result, and the other side confirms it")


def _with_state(state: str) -> Callable[[Evening, Act], Evening]:
    def changed(evening: Evening, act: Act) -> Evening:
        line = evening.lines[place_of(act)]
        sure = line.sure or bool(act.get("sure"))
        changed = replace(line, state=state, sure=sure)
        return replace(evening, lines=_with(evening.lines, line.place, changed))

    return changed


def _check_correct(evening: Evening, act: Act) -> None:
    """A director or scorer may correct any seated board at any time, based on the version last
    seen."""
    if evening.plan.watched:
        raise InputError("the results of this evening come from its file; use a ruling")
    place = place_of(act)
    line = evening.lines.get(place)
    if line is None:
        evening.seated(place)
    seen = act.get("seen")
    if line is not None and seen is not None and line.version != seen:
        raise Conflict(line)


def _device(evening: Evening, act: Act) -> Evening:
    """A result of a table device, which both sides agreed on there. It never replaces what a person
    entered: where they differ the director decides."""
    place = place_of(act)
    line = evening.lines.get(place)
    try:
        seats = evening.seated(place)
    except InputError:
        seats = None
    if seats is None or ((act["ns"],), (act["ew"],)) != (seats.ns, seats.ew):
        return _stray(evening, act)
    if line is None or not line.is_there or line.by == act["by"]:
        at_seats = {**act, "ns": seats.ns, "ew": seats.ew}
        return _entered(evening, at_seats, act["text"], CONFIRMED)
    if line.text == act["text"]:
        agreed = replace(line, state=CONFIRMED, rival="")
    else:
        agreed = replace(line, state=DISPUTED, rival=act["text"], version=line.version + 1)
    return replace(evening, lines=_with(evening.lines, place, agreed))


def _stray(evening: Evening, act: Act) -> Evening:
    return replace(evening, strays=(*evening.strays, act))


# --- who sits where -------------------------------------------------------------------------------


def _names(evening: Evening, act: Act) -> Evening:
    named = {
        who: tuple(Player(str(one["name"]), str(one.get("number", ""))) for one in players)
        for who, players in act["names"].items()
    }
    teams = {who: str(name) for who, name in act.get("teams", {}).items()}
    return replace(
        evening,
        names=MappingProxyType({**evening.names, **named}),
        teams=MappingProxyType({**evening.teams, **teams}),
    )


def _check_new_seats(evening: Evening, act: Act) -> None:
    check_seats(evening, act["first"], read_rounds(act["rounds"]))


def _seats(evening: Evening, act: Act) -> Evening:
    before = evening.rounds[: act["first"] - 1]
    plan = replace(evening.plan, winners=act.get("winners", evening.plan.winners))
    return replace(evening, plan=plan, rounds=(*before, *read_rounds(act["rounds"])))


def _check_round(evening: Evening, act: Act) -> None:
    evening.seats(act["round"])


def _round(evening: Evening, act: Act) -> Evening:
    return replace(evening, started=_with(evening.started, act["round"], act["at"]))


def _call(evening: Evening, act: Act) -> Evening:
    if act["on"]:
        return replace(evening, calls=_with(evening.calls, act["table"], act["at"]))
    rest = {table: at for table, at in evening.calls.items() if table != act["table"]}
    return replace(evening, calls=MappingProxyType(rest))


# --- the rest -------------------------------------------------------------------------------------


def _check_undo(evening: Evening, _act: Act) -> None:
    if not evening.rulings:
        raise InputError("there is no ruling to undo")


def _deals(evening: Evening, act: Act) -> Evening:
    deals = {int(number): Board(int(number), deal) for number, deal in act["deals"].items()}
    return replace(evening, deals=MappingProxyType(deals))


def changed_plan(plan: EveningPlan, changed: Act) -> EveningPlan:
    """The plan with changes to the parts of it that may change."""
    known = {one.name for one in fields(plan)} & set(CHANGEABLE)
    return replace(plan, **{name: value for name, value in changed.items() if name in known})


def _check_end(evening: Evening, _act: Act) -> None:
    if not evening.plan.watched and not any(line.is_there for line in evening.lines.values()):
        raise InputError("nothing has been entered yet, so there is no event")


def _reopen(evening: Evening, act: Act) -> Evening:
    rulings = tuple(act.get("rulings", evening.rulings))
    return replace(evening, ended="", event="", settled=False, rulings=rulings)


_APPLIED: dict[str, Callable[[Evening, Act], Evening]] = {
    "result": _result,
    "confirm": _with_state(CONFIRMED),
    "dispute": _with_state(DISPUTED),
    "correct": lambda evening, act: _entered(evening, act, act["text"], CONFIRMED),
    "device": _device,
    "devices": lambda evening, act: replace(
        evening, devices=MappingProxyType({**evening.devices, **act["known"]})
    ),
    "stray": _stray,
    "names": _names,
    "seats": _seats,
    "round": _round,
    "call": _call,
    "ruling": lambda evening, act: replace(evening, rulings=(*evening.rulings, act["words"])),
    "undo": lambda evening, _: replace(evening, rulings=evening.rulings[:-1]),
    "deals": _deals,
    "settings": lambda evening, act: replace(
        evening, plan=changed_plan(evening.plan, act["changed"])
    ),
    "codes": lambda evening, _: replace(evening, generation=evening.generation + 1),
    "file": lambda evening, act: replace(evening, file=act["digest"], file_name=act["name"]),
    "end": lambda evening, act: replace(evening, ended=act["at"], ended_by=act["by"]),
    "reopen": _reopen,
    "event": lambda evening, act: replace(evening, event=act["event"]),
    "settled": lambda evening, _: replace(evening, settled=True),
}
_CHECKED: dict[str, Callable[[Evening, Act], None]] = {
    "result": _check_result,
    "confirm": _check_state_of_line,
    "dispute": _check_state_of_line,
    "correct": _check_correct,
    "seats": _check_new_seats,
    "round": _check_round,
    "undo": _check_undo,
    "end": _check_end,
}
