"""Running a rulebook on one ranking list, or on the bare figures of a calculation."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from fractions import Fraction
from typing import Any

from honours.engine.exact.working import Scope, Working
from honours.engine.graph import AWARD, PLACES, Graph
from honours.engine.known_facts import GIVEN, known_of
from honours.engine.numbers import decimals, round_to, short, show
from honours.engine.rulebook import ONE_COLOUR, FigureRule, Rulebook
from honours.engine.rules import Rule, aggregate, public
from honours.errors import HonoursError, InputError, MissingInput, RulebookError, WrongValue
from honours.model import (
    Award,
    Awards,
    Citation,
    Entrant,
    Facts,
    Field,
    Figure,
    Game,
    KnownFact,
    Notice,
    Origin,
    Player,
    Refusal,
    Sentence,
    Standing,
    Step,
    Value,
)
from honours.model.message import Message, plural

# --- shared places as people write them, and unnamed standings that share them ------------------


def read_ties(text: str) -> dict[int, int]:
    """``"3-4, 7-9"`` as first place → how many share it."""
    ties: dict[int, int] = {}
    end = 0
    for part in filter(None, (p.strip() for p in text.split(","))):
        match = re.fullmatch(r"(\d+)\s*[-–]\s*(\d+)", part)
        if not match or not end < int(match[1]) < int(match[2]):
            raise WrongValue("ties", text, "expected places from–to in order, e.g. 3-4,7-9")
        end = int(match[2])
        ties[int(match[1])] = end - int(match[1]) + 1
    return ties


def ranks(places: int, ties: Mapping[int, int]) -> tuple[Standing, ...]:
    """Unnamed standings from first to the last paid place, with the ties that were asked for."""
    standings: list[Standing] = []
    while len(standings) < places:
        place = len(standings) + 1
        tied = ties.get(place, 1)
        standings += [Standing(Entrant(str(place + i)), place, tied) for i in range(tied)]
    return tuple(standings)


# --- entrants told of one by one -----------------------------------------------------------------

_COUNT = "entrants"


def standings_of(
    rulebook: Rulebook, rows: Sequence[Mapping[str, Any]], named: bool = True
) -> tuple[Standing, ...]:
    """The standings of entrants, each told of by its ``place``, its inputs, a list of them for what
    is per player, and its ``games``; what is empty is not known. Players may be ``named``."""
    tied, standings = Counter(row["place"] for row in rows), []
    for i, row in enumerate(rows, 1):
        of_players: dict[str, list[Any]] = {}
        facts: dict[str, Value] = {}
        for key in (key for key in row if key not in ("place", "games")):
            declared = rulebook.input(key)
            if declared.per == "player" and isinstance(row[key], list):
                of_players[declared.name] = [v if v == "" else declared.read(v) for v in row[key]]
            elif row[key] != "":
                facts[declared.name] = declared.read(row[key])
        players = tuple(
            Player(
                f"{i}.{nth}" if named else "",
                facts={k: v for k, v in zip(of_players, own, strict=True) if v != ""},
            )
            for nth, own in enumerate(zip(*of_players.values(), strict=True), 1)
        )
        games = tuple(
            Game(
                str(game["opponent"]),
                read_facts(rulebook, {k: v for k, v in game.items() if k != "opponent"}),
            )
            for game in row.get("games", ())
        )
        place = row["place"]
        entrant = Entrant(str(i), players)
        standings.append(Standing(entrant, place, tied[place], facts=facts, games=games))
    return tuple(standings)


def _split(
    rulebook: Rulebook, given: Mapping[str, object]
) -> tuple[dict[str, object], dict[str, list[list[str]]]]:
    """Return what is given of the whole field, and what is given entrant by entrant, of its players
    or of itself."""
    rest: dict[str, object] = {}
    listed: dict[str, list[list[str]]] = {}
    for key, value in given.items():
        declared = rulebook.input(key)
        if declared.per not in ("entrant", "player") or not re.search(r"[+,;\n]", str(value)):
            rest[key] = value
            continue
        parts = re.split(r"\s*[,;\n]\s*", str(value).strip().rstrip(",;"))
        for part in parts if declared.per == "entrant" else ():
            if "+" in part:
                raise InputError(
                    "{key}={part}: one is told of each entrant; commas stand between entrants",
                    key=public(declared.name),
                    part=part,
                )
        listed[declared.name] = [[one.strip() for one in part.split("+")] for part in parts]
    return rest, listed


def _rows(
    rulebook: Rulebook, listed: Mapping[str, list[list[str]]], ties: Mapping[int, int]
) -> list[dict[str, Any]]:
    """What is given entrant by entrant as the rows of a list, with the ties asked for; refused
    where two inputs tell of another number of entrants or players."""
    of_players = [name for name in listed if rulebook.inputs[name].per == "player"]
    first = next(iter(listed.items()), ("", []))
    for name, values in listed.items():
        if len(values) != len(first[1]):
            raise InputError(
                "{key} tells of {count}, {other} of {others}",
                key=public(name),
                count=_entrants_counted(len(values)),
                other=public(first[0]),
                others=_entrants_counted(len(first[1])),
            )
    for name in of_players[1:]:
        for place, (own, first_own) in enumerate(
            zip(listed[name], listed[of_players[0]], strict=True), 1
        ):
            if len(own) != len(first_own):
                raise InputError(
                    "at place {place} {key} tells of {own}, {other} of {others}",
                    place=place,
                    key=public(name),
                    own=plural("{count} player", "{count} players", count=len(own)),
                    other=public(of_players[0]),
                    others=plural("{count} player", "{count} players", count=len(first_own)),
                )
    entrants = zip(*listed.values(), strict=True)
    return [
        {
            "place": standing.place,
            **{
                name: values if name in of_players else values[0]
                for name, values in zip(listed, own, strict=True)
            },
        }
        for standing, own in zip(ranks(len(first[1]), ties), entrants, strict=False)
    ]


def _entrants_counted(many: int) -> Message:
    return plural("{count} entrant", "{count} entrants", count=many)


def withheld_notices(awards: Sequence[Award]) -> Iterator[Notice]:
    """Notices of what is withheld from all of an entrant, and from players who have no name."""
    for award in awards:
        place, players = award.standing.place, award.standing.entrant.players
        if award.refusal:
            reason = award.refusal.reason
            text = Message("place {place} gets nothing: {reason}", place=place, reason=reason)
            yield Notice(text, award.refusal.citation)
        for player, refusal in award.withheld:
            text = Message(
                "player {nth} of place {place} gets nothing: {reason}",
                nth=1 + next(k for k, one in enumerate(players) if one is player),
                place=place,
                reason=refusal.reason,
            )
            yield Notice(text, refusal.citation)


# --- the sentences about an award that a club member understands --------------------------------

_MOST_DECIMALS = 2


def in_short(working: Working, i: int, amount: Fraction) -> tuple[Sentence, ...]:
    """The sentences about an award of this amount that apply to it; none where they do not arrive
    at it, because other figures were given. Asking for them shows no further choices."""
    sentences, told = [], {Fraction(0)}
    unit = Fraction(1, 10**working.rulebook.decimals)
    made_of = _made_of(working.graph)
    with working.untracked():
        for rule in working.graph.verdicts("sentence"):
            said = [name for name in rule.arguments if f"{{{name}}}" in rule.message]
            if any(_is_replaced(working, made_of, name) for name in said):
                continue
            try:
                holds, steps = working.is_true(rule, Scope("entrant", i))
            except MissingInput:  # it speaks of what another figure that was given replaces
                continue
            if holds:
                told |= {v for name in said if isinstance(v := steps[name].value, Fraction)}
                values = {n: _in_words(working.rulebook, step) for n, step in steps.items()}
                sentences.append(Sentence(Message(rule.message, **values), Citation(rule.clause)))
    arrives = any(round_to(value, "nearest", unit) == amount for value in told)
    return tuple(sentences) if arrives or amount in told else ()


def _made_of(graph: Graph) -> Container[str]:
    """The names of all that awards are made of; everybody's without a game are made of less."""
    try:
        return graph.below([AWARD, PLACES])
    except MissingInput:
        return frozenset(rule.name for rule in graph.rulebook.rules)


def _is_replaced(working: Working, made_of: Container[str], name: str) -> bool:
    """Return whether a quantity would have made the award, had not a figure been given that
    replaces it. One that only tells the reader something is read off what did make it."""
    if name == PLACES and name in working.field.facts:
        return True
    graph = working.graph
    if name in made_of or aggregate(name) or graph.operation(name).rule is None:
        return False
    reads = ((aggregate(read) or read) for read in graph.operation(name).reads)
    return not any((read if isinstance(read, str) else read.of) in made_of for read in reads)


def _in_words(rulebook: Rulebook, step: Step) -> str:
    """A value as it is said: a word of a rulebook without its hyphens, a figure that only its rules
    make with the decimals of an award, so that 0.6 does not stand beside 0.42, or two."""
    value = step.value
    if isinstance(value, str):
        return Message(step.shown.replace("-", " "))
    if step.kind != "rule" or value.denominator == 1 or step.shown != show(value):
        return step.shown
    least = 0 if step.name in rulebook.inputs else rulebook.decimals
    most = max(rulebook.decimals, _MOST_DECIMALS)
    return show(value, min(max(decimals(value), least), most))


# --- what a rulebook gives besides an award -----------------------------------------------------


def figures_of(working: Working, entrant: int) -> tuple[Figure, ...]:
    """The further figures of an entrant and of its players; none of what was not told enough for,
    nor where these words have no rule for it."""
    return tuple(
        figure
        for declared in working.rulebook.figures
        if working.graph.active(declared.quantity)
        for figure in _figures(working, declared, entrant)
    )


def _figures(working: Working, declared: FigureRule, entrant: int) -> Iterator[Figure]:
    level = working.graph.level(declared.quantity)
    players = working.field.standings[entrant].entrant.players
    try:
        if level == "player":
            for nth, player in enumerate(players or (None,)):
                yield _figure(working, declared, Scope("player", entrant, nth), player)
        else:
            yield _figure(working, declared, Scope("entrant", entrant), None)
    except MissingInput:
        return


def _figure(working: Working, declared: FigureRule, scope: Scope, player: Player | None) -> Figure:
    working.graph.level_read(declared.quantity, scope.level)
    step = working.step(declared.quantity, scope)
    text, places = step.shown, declared.decimals
    if places is not None and isinstance(step.value, Fraction):
        text = show(step.value, places)
    unit = f" {declared.unit}" if declared.unit else ""
    return Figure(declared.name, step.value, text + unit, step, player)


def colours_of(working: Working, entrant: int, amount: Fraction) -> dict[str, Fraction]:
    """The kinds of points an award is made of, leaving out those that are zero."""
    declared = working.rulebook.colours
    if ONE_COLOUR in declared:
        quantity = declared[ONE_COLOUR]
        try:
            named = quantity in working.field.facts or working.graph.active(quantity)
            return {working.step(quantity).shown: amount} if named and amount else {}
        except MissingInput:
            return {}
    if not declared:
        return {}
    scope = Scope("entrant", entrant)
    for quantity in declared.values():
        working.graph.level_read(quantity, "entrant")
    colours = {c: working.number(q, scope) for c, q in declared.items()}
    total = sum(colours.values(), Fraction(0))
    if total != amount:
        listed = ", ".join(f"{colour} {show(points)}" for colour, points in colours.items())
        raise RulebookError(
            "{id}: the colours ({listed}) make {total}, the award is {amount}",
            id=working.rulebook.id,
            listed=listed,
            total=show(total),
            amount=show(amount),
        )
    return {colour: points for colour, points in colours.items() if points}


def extras_of(working: Working) -> dict[str, dict[str, str]]:
    """Further answers a rulebook declares for some words, e.g. a Swiss match's win and draw."""
    extras: dict[str, dict[str, str]] = {}
    for name, quantities in working.rulebook.extras.items():
        for quantity in filter(working.graph.active, quantities):
            working.graph.level_read(quantity, "field")
            with suppress(MissingInput):  # one whose own inputs were not given was not asked for
                extras.setdefault(name, {})[quantity] = working.step(quantity).shown
    return extras


# --- running a rulebook on one ranking list, or on the bare figures of a calculation ------------

_MOST_ENTRANTS = 100_000


def award(
    rulebook: Rulebook, field: Field, in_words: bool = True, only: Container[str] | None = None
) -> Awards:
    """Return what the rulebook awards to each standing of the field, and why: the latter
    ``in_words`` unless nobody reads them. Where ``only`` some entrants are asked for, by their ids,
    the schedule has no others."""
    working = Working(rulebook, field, in_words)
    refusal = _refusal(working)
    schedule = () if refusal else _schedule(working, only)
    extras = {} if refusal else extras_of(working)
    steps = tuple(working.field_steps())
    notices = () if refusal else tuple(_notices(working))
    used = {*working.used, *working.graph.words}
    return Awards(
        rulebook=rulebook.id,
        revision=rulebook.revision,
        amended=rulebook.amended,
        unit=rulebook.unit,
        field=field,
        quantities={s.name: s.shown for s in steps},
        schedule=schedule,
        why=steps,
        refusal=refusal,
        notices=notices,
        choices=tuple(r.choice for r in rulebook.readings if used.intersection(r.about)),
        extras=extras,
        unused=frozenset(field.facts) - used - {"date"},
        known=known_of(working),
    )


def calculate(
    rulebook: Rulebook, given: Mapping[str, object], ties: str = "", in_words: bool = True
) -> list[Awards]:
    """The awards by place for bare figures: no list of entrants, only what is known of the field.

    ``ties`` says which places are shared: ``"3-4, 7-9"``. An event with several ranking lists
    (two lines of a Mitchell) gives one result for each.
    """
    with listing_keys(rulebook):
        fields = calculated_fields(rulebook, given, ties)
        awards = [award(rulebook, field, in_words) for field in fields]
    more = (*standing_notices(rulebook), *not_used(rulebook, awards, given))
    for n, one in enumerate(awards):
        # down to the last place that is awarded anything, or has a further figure: one that gets
        # nothing between others is a line like theirs
        told = [k for k, x in enumerate(one.schedule, 1) if x.amount or x.refusal or x.figures]
        notices = (*one.notices, *withheld_notices(one.schedule), *more)
        awards[n] = replace(one, schedule=one.schedule[: max(told, default=0)], notices=notices)
    return awards


@contextmanager
def listing_keys(rulebook: Rulebook) -> Iterator[None]:
    """Adds to an error about a missing input the keys that the rulebook takes."""
    try:
        yield
    except MissingInput as missing:
        examples = rulebook.examples_of(missing.names)
        raise missing.among(rulebook.id, rulebook.keys, examples) from None


def standing_notices(rulebook: Rulebook) -> tuple[Notice, ...]:
    """Return what the reader must know about a rule that is not simply in force, where the rule
    says so itself."""
    standing = rulebook.standing
    if not standing.evidence or not standing.needs_confirming:
        return ()
    text = Message(
        "This rule is {standing}. {evidence}",
        standing=Message(standing.status),
        evidence=standing.evidence,
    )
    return (Notice(text, Citation(rulebook.edition)),)


def not_used(
    rulebook: Rulebook, lists: Sequence[Awards], given: Mapping[str, object]
) -> tuple[Notice, ...]:
    """Return a notice of what was given but not used, because something else given replaces it."""
    if any(a.refusal for a in lists):
        return ()
    idle = [k for k in given if all(rulebook.input(k).name in a.unused for a in lists)]
    if not idle:
        return ()
    facts = tuple(f"{key}={given[key]}" for key in idle)
    text = Message("not used for these awards: {facts}", facts=facts)
    return (Notice(text, Citation("What was given")),)


def calculated_fields(
    rulebook: Rulebook, given: Mapping[str, object], ties: str = ""
) -> list[Field]:
    """The fields of a calculation, each with unnamed standings from first to the last paid, or of
    those of whom something is told."""
    rest, told = _split(rulebook, given)
    shared = read_ties(ties)
    standings = standings_of(rulebook, _rows(rulebook, told, shared), named=False)
    facts, many = read_facts(rulebook, rest), len(standings)
    sources = {name: KnownFact(name, "", Origin.TOLD, GIVEN) for name in told}
    if told and _COUNT in rulebook.inputs:
        if (counted := facts.setdefault(_COUNT, Fraction(many))) != many:
            raise InputError(
                "{key} tells of {count}; {entrants}={counted} was given",
                key=public(next(iter(told))),
                count=_entrants_counted(many),
                entrants=_COUNT,
                counted=str(counted),
            )
        sources[_COUNT] = KnownFact(_COUNT, counted, Origin.DERIVED, GIVEN)
    check_agreement(rulebook, facts)
    listed = Field(facts, standings, sources=sources)
    fields = _lists(rulebook, listed)
    room = max(_entrants(Working(rulebook, field)) for field in fields)
    last = max((first + size - 1 for first, size in shared.items()), default=0)
    if last > room:
        raise InputError(
            "a tie down to place {last}: there are at most {room} entrants", last=last, room=room
        )
    return [_ranked(rulebook, field, shared, room) for field in fields]


def read_facts(rulebook: Rulebook, given: Mapping[str, object]) -> dict[str, Value]:
    """Return the facts that were given, each value read by the input it is for."""
    facts: dict[str, Value] = {}
    for key, value in given.items():
        declared = rulebook.input(key)
        if declared.several and re.search(r"[+,;]", str(value)):
            declared = rulebook.inputs[declared.several]
        facts[declared.name] = declared.read(value)
    return facts


def check_agreement(rulebook: Rulebook, facts: Facts) -> None:
    """Two inputs that say the same thing in other words must agree: 9 tables are not 20 pairs."""
    for name in facts:
        if not rulebook.inputs[name].must_agree:
            continue
        others = {k: v for k, v in facts.items() if k != name}
        try:
            worked_out = Working(rulebook, Field(others)).step(name)
        except MissingInput:
            continue
        same = {public(n) for n in others if rulebook.inputs[n].must_agree}
        inputs = {s.name: s.shown for s in inputs_of(worked_out) if s.name in same}
        if inputs and worked_out.value != facts[name]:
            value = facts[name]
            given = f"{public(name)}={show(value) if isinstance(value, Fraction) else value}"
            rest = ", ".join(f"{key}={shown}" for key, shown in inputs.items())
            raise InputError(
                "{given} does not agree with {rest}, which gives {shown}",
                given=given,
                rest=rest,
                shown=worked_out.shown,
            )


def inputs_of(step: Step) -> Iterator[Step]:
    """Yield the inputs, known or given, that a step comes from."""
    if step.kind == "input":
        yield step
    for used in step.uses:
        yield from inputs_of(used)


def _lists(rulebook: Rulebook, field: Field) -> list[Field]:
    lists, facts = rulebook.lists, field.facts
    case = Graph(rulebook, facts)
    several = lists.line_words and all(case.word(k) == w for k, w in lists.line_when.items())
    if not several or "line" in facts:
        return [replace(field, line=str(facts.get("line", "")))]
    if field.standings:
        raise InputError(
            "entrants are told of one by one, and this calculation has {count} ranking lists; say "
            "which with line={line}",
            count=len(lists.line_words),
            line=lists.line_words[0],
        )
    return [Field({**facts, "line": line}, line=line) for line in lists.line_words]


def _ranked(rulebook: Rulebook, field: Field, ties: Mapping[int, int], room: int) -> Field:
    """The field with unnamed standings; places and ties may run past the shorter of two lines."""
    if field.standings:
        return field
    working = Working(rulebook, field)
    if _refusal(working):
        return field
    places, most = int(working.number(PLACES)), _entrants(working)
    if PLACES in field.facts and places > room:
        raise WrongValue("places", places, "there are at most {room} entrants", room=room)
    within = {first: min(size, most + 1 - first) for first, size in ties.items() if first <= most}
    return replace(field, standings=ranks(places, within))


def _entrants(working: Working) -> int:
    """Return how many compete or, if a rulebook does not speak of entrants, more than ever did."""
    try:
        return int(working.number("entrants"))
    except HonoursError:
        return _MOST_ENTRANTS


def _refusal(working: Working) -> Refusal | None:
    for rule in working.graph.refusals("field"):
        holds, steps = working.is_true(rule)
        if holds:
            reason = _message(rule, steps)
            if rule.asks:
                raise MissingInput(public(rule.asks), reason)
            return Refusal(reason, Citation(rule.clause))
    return None


def _message(rule: Rule, steps: Mapping[str, Step]) -> Message:
    return Message(
        rule.message,
        **{
            name: (Message(step.shown) if isinstance(step.value, str) else short(step.value))
            for name, step in steps.items()
        },
    )


def _notices(working: Working) -> Iterator[Notice]:
    """Yield what the reader must be told, such as that an event is outside the edition's dates."""
    book, when = working.rulebook, str(working.field.facts.get("date", ""))
    since, until = book.effective.since, book.effective.until
    early, late = since and when and when < since, until and when and when > until
    if early or late:
        text = Message(
            "the event of {day} is outside this edition ({edition}), which begins on {bound}."
            if early
            else "the event of {day} is outside this edition ({edition}), which ended on {bound}.",
            day=when,
            edition=book.edition,
            bound=since if early else until,
        )
        if late and book.effective.newer:
            text = Message("{text} {newer}", text=text, newer=book.effective.newer)
        yield Notice(text, Citation(f"{book.title}, {book.edition}"))
    for rule in working.graph.verdicts("notice"):
        with suppress(MissingInput):  # it speaks of what another figure that was given replaces
            holds, steps = working.is_true(rule)
            if holds:
                working.used[rule.name] = None  # a choice may be about what this notice says
                yield Notice(_message(rule, steps), Citation(rule.clause))


def _schedule(working: Working, only: Container[str] | None) -> tuple[Award, ...]:
    working.number(PLACES)  # how many places pay is told even where nobody is listed
    by_player = working.graph.refusals("player")
    return tuple(
        _standing_award(working, i, standing, by_player)
        for i, standing in enumerate(working.field.standings)
        if only is None or standing.entrant.id in only
    )


def _standing_award(working: Working, i: int, standing: Standing, by_player: list[Rule]) -> Award:
    people = range(max(1, len(standing.entrant.players)))
    refused = {p: r for p in people if (r := _player_refusal(working, by_player, i, p))}
    if len(refused) == len(people):
        return _nothing(standing, *refused[0], working.rulebook.decimals)
    scopes = [Scope("player", i, p) for p in people]  # what each earned, or the entrant
    if working.graph.level(AWARD) != "player":
        working.graph.level_read(AWARD, "entrant")
        scopes = [Scope("entrant", i)]
    shares = tuple(working.number(AWARD, scope) for scope in scopes)
    amount = max(shares)
    step = working.step(AWARD, scopes[shares.index(amount)])
    if working.in_words:
        step = replace(step, short=in_short(working, i, amount))
    withheld = tuple((standing.entrant.players[p], r) for p, (r, _) in refused.items())
    colours = working.rulebook.colours
    # a least award may be finer than the unit all others are rounded to (AGA's 0.01)
    places = max(working.rulebook.decimals, decimals(amount))
    return Award(
        standing,
        amount,
        show(amount, places),
        step,
        withheld=withheld,
        shares=shares if len(shares) > 1 else (),
        colours=colours_of(working, i, amount),
        one_kind=len(colours) == 1 and ONE_COLOUR not in colours,
        figures=figures_of(working, i),
    )


def _nothing(standing: Standing, refusal: Refusal, from_: Mapping[str, Step], places: int) -> Award:
    """No award, for the reason of the refusal alone: what the place would earn plays no part."""
    shown = show(Fraction(0), places)
    short = Sentence(Message("No award: {reason}.", reason=refusal.reason), refusal.citation)
    why = Step(
        AWARD,
        Fraction(0),
        shown,
        "rule",
        because=refusal.reason,
        citation=refusal.citation,
        uses=tuple(from_.values()),
        short=(short,),
    )
    return Award(standing, Fraction(0), shown, why, refusal=refusal)


def _player_refusal(
    working: Working, rules: list[Rule], i: int, player: int
) -> tuple[Refusal, Mapping[str, Step]] | None:
    """Return why a player gets nothing and what that comes from, or ``None``."""
    for rule in rules:
        holds, steps = working.is_true(rule, Scope("player", i, player))
        if holds:
            working.used[rule.name] = None  # a choice may be about whom this refuses
            return Refusal(_message(rule, steps), Citation(rule.clause)), steps
    return None
