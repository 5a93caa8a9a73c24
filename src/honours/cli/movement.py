"""`honours movement`: which movement to play, and what it would pay."""

from __future__ import annotations

from typing import Any

import click

from honours.cli.messages import say, say_json, say_table
from honours.cli.options import pairs, rulebook_in, rulebook_options
from honours.engine.rulebook import Rulebook
from honours.errors import InputError
from honours.formats.bws import read_movement_file
from honours.model.message import joined, plural
from honours.movements.balance import advice, best_switched
from honours.movements.choosing import (
    KINDS,
    OF_PLAYERS,
    OF_TEAMS,
    Offer,
    Wishes,
    movement_of,
    offers_for,
)
from honours.movements.generators import IndividualMovement, barometer
from honours.movements.movement import Movement, check, chosen_movement
from honours.reports import movements as shown
from honours.reports.movements import offer_data, offers_table, one_problem


@click.command("movement")
@click.argument("given", nargs=-1, metavar="[KEY=VALUE]...")
@click.option("--pairs", "how_many", type=click.IntRange(2, 64), help="How many pairs play.")
@click.option("--tables", type=click.IntRange(1, 32), help="How many tables, instead of pairs.")
@click.option("--players", type=click.IntRange(8, 128), help="How many play an individual.")
@click.option("--teams", type=click.IntRange(2, 64), help="How many teams play.")
@click.option("--boards", type=click.IntRange(2, 200), default=24, help="About how many boards.")
@click.option("--kind", type=click.Choice(KINDS), help="Print one movement of this kind.")
@click.option("--rounds", type=click.IntRange(1, 63), help="Rounds, for kinds that leave a choice.")
@click.option("--switched", is_flag=True, help="With the arrow-switches that balance it best.")
@click.option("--barometer", is_flag=True, help="Every table plays the same boards in a round.")
@click.option("--missing", type=click.Choice(("ns", "ew")), help="Side a half table is without.")
@click.option(
    "--file",
    type=click.Path(exists=True, dir_okay=False),
    help="A movement of the club's own, EBUScore's, or a .bws.",
)
@click.option("--name", default="", help="Which movement of a file that has several.")
@click.option("--guide", type=click.IntRange(1), metavar="PAIR", help="The guide card of a pair.")
@click.option("--rulebook", metavar="ID", help="Say what each would pay, and if it may.")
@rulebook_options
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def command(**options: Any) -> None:
    """Compare the movements for an evening, or print one.

    Boards are the nearest whole sets to the number wished. Balance is 100 where everybody competes
    with everybody alike; an event with two winners has none.

    \b
    Examples:
      honours movement --pairs 18 --boards 24 --rulebook sbu-clubs-2016
      honours movement --teams 8 --boards 28 --rulebook sbu-clubs-2016
      honours movement --tables 7 --kind howell --boards 26 --json
      honours movement --pairs 13 --kind mitchell --switched --guide 5
      honours movement --pairs 17 --boards 27 --missing ew --barometer
    """
    if options["kind"] or options["file"]:
        _print_one(options)
    else:
        _compare(options)


def _pairs_of(options: dict[str, Any]) -> int:
    if options["how_many"]:
        return int(options["how_many"])
    if options["tables"]:
        return 2 * int(options["tables"])
    raise InputError("how many play? Give --pairs N or --tables N")


def _compare(options: dict[str, Any]) -> None:
    book = rulebook_in(options)
    offers = _offers(options, book)
    if options["as_json"]:
        say_json({"movements": [offer_data(offer) for offer in offers]})
        return
    if not offers:
        raise InputError("no movement comes near that many boards; try another number")
    if book is not None:
        say(f"{book.body}: {book.title} ({book.id})\n")
    say_table(offers_table(offers).used())
    if problem := one_problem(offers):
        say(joined("", ("\n", book.id if book else "", ": ", problem)))


def _offers(options: dict[str, Any], book: Rulebook | None) -> list[Offer]:
    """Return what may be played by as many pairs, teams or players as there are."""
    kinds = {"teams": "teams", "players": "individual"}
    kind, many = next(
        ((kinds[name], options[name]) for name in kinds if options[name]), ("pairs", 0)
    )
    wishes = Wishes(options["missing"] or "", options["barometer"])
    given = pairs(options["given"])
    return offers_for(kind, many or _pairs_of(options), options["boards"], book, given, wishes)


def _print_one(options: dict[str, Any]) -> None:
    movement = _from_file(options) if options["file"] else _made(options)
    if isinstance(movement, IndividualMovement):
        per_set = _per_set(options, len(movement.rounds))
        if options["as_json"]:
            say_json(shown.individual_data(movement, per_set))
        else:
            say_table(shown.individual_table(movement, per_set))
        return
    per_set = _per_set(options, len(movement.sets), movement.per_set)
    if options["barometer"]:
        movement = barometer(movement)
    if options["switched"]:
        movement = best_switched(movement, per_set)
        say(advice(movement, per_set), err=True)
    if shared := check(movement).shared if options["kind"] not in OF_TEAMS else 0:
        several = plural(
            "tables share a set once: no copy for each",
            "tables share a set {count} times: no copy for each",
            count=shared,
        )
        say(several, err=True)
    if options["as_json"]:
        say_json(shown.movement_data(movement, per_set))
    elif options["guide"]:
        say_table(shown.guide_table(movement, options["guide"], per_set))
    else:
        say_table(shown.rounds_table(movement, per_set))


def _per_set(options: dict[str, Any], sets: int, in_file: int = 0) -> int:
    """The nearest whole number of boards a set, which is said where it is not what was wished; or
    as many as a file says."""
    per_set: int = in_file or max(1, round(options["boards"] / sets))
    if per_set * sets != options["boards"]:
        of_boards = plural(
            "{sets} sets of {count} board: {total} in all",
            "{sets} sets of {count} boards: {total} in all",
            count=per_set,
            sets=sets,
            total=sets * per_set,
        )
        say(of_boards, err=True)
    return per_set


def _from_file(options: dict[str, Any]) -> Movement:
    wished = options["how_many"] or 2 * (options["tables"] or 0)
    file = str(options["file"])
    return chosen_movement(file, read_movement_file(file), wished, options["name"])


def _made(options: dict[str, Any]) -> Movement | IndividualMovement:
    missing = options["missing"] or ""
    return movement_of(options["kind"], _many(options), options["rounds"] or 0, missing)


def _many(options: dict[str, Any]) -> int:
    """Return how many pairs, players or teams there are, by the kind that is asked for."""
    kind, tables = options["kind"], options["tables"] or 0
    if kind in OF_PLAYERS:
        return int(options["players"] or 4 * tables)
    if kind in OF_TEAMS:
        if not (options["teams"] or tables):
            raise InputError("how many play? Give --teams N")
        return int(options["teams"] or tables)
    return _pairs_of(options)
