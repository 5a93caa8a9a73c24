"""Who took part in a go tournament, and on which scale they are rated: for programs that list
everybody who registered and keep every rating on the EGF's scale."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from honours.formats.go import GoGame, GoPlayer, GoTournament
from honours.formats.problems import Problems
from honours.model import Player, Value
from honours.model.message import Message, plural

_MANY = 5
_MOST_ROUNDS = 64


def who_came(
    players: Sequence[GoPlayer], games: Iterable[GoGame], byes: Iterable[tuple[int, str]]
) -> list[GoPlayer]:
    """Who has a game or a bye; everybody while there is none at all."""
    there = {k for g in games for k in (g.white, g.black)} | {key for _, key in byes}
    return [player for player in players if player.key in there] if there else list(players)


def of_who_came(listed: GoTournament, problems: Problems) -> GoTournament:
    """A tournament as its file lists it, once it is one that can have been played: without those
    who never came, and with each rating on the scale of its federation."""
    if not 1 <= listed.rounds <= _MOST_ROUNDS:
        problems.add("{rounds} rounds", rounds=listed.rounds)
    keys = Counter(player.key for player in listed.players)
    for player in listed.players:
        if keys[player.key] > 1:
            problems.add("player {name!r} twice", name=player.player.name)
    for game in listed.games:
        if not 1 <= game.round <= listed.rounds:
            line = game.source.line if game.source else 0
            problems.add(
                "a game in round {round} of {rounds}", line, round=game.round, rounds=listed.rounds
            )
    check_games(listed.games, keys, problems)
    problems.settle()
    there = who_came(listed.players, listed.games, listed.byes)
    rated, scales = on_their_scales(there)
    return replace(
        listed,
        players=tuple(rated),
        games=tuple(sorted(listed.games, key=lambda game: (game.round, game.table))),
        notices=(*never_came(listed.players, there), *scales),
    )


def check_games(games: Iterable[GoGame], known: Collection[str], problems: Problems) -> None:
    """Every game is of two players who are known, and nobody plays twice in a round."""
    seated: dict[tuple[int, str], int] = {}
    for game in games:
        line = game.source.line if game.source else 0
        if game.white == game.black:
            problems.add(
                "round {round}: a game of {key!r} against {key!r}",
                line,
                round=game.round,
                key=game.white,
            )
            continue
        for key in (game.white, game.black):
            if key not in known:
                problems.add(
                    "round {round}: a game of {key!r}, who is no player",
                    line,
                    round=game.round,
                    key=key,
                )
            if (game.round, key) in seated:
                first = seated[game.round, key]
                problems.add(
                    "{key!r} plays twice in round {round}, first on line {first}"
                    if first
                    else "{key!r} plays twice in round {round}",
                    line,
                    key=key,
                    round=game.round,
                    first=first,
                )
            seated.setdefault((game.round, key), line)


def never_came(players: Sequence[GoPlayer], there: Sequence[GoPlayer]) -> list[str]:
    """Who registered and has neither a game nor a bye, and so is no entrant."""
    keys = {player.key for player in there}
    absent = [player.player.name for player in players if player.key not in keys]
    if not absent:
        return []
    named = ", ".join(absent[:_MANY]) + (" …" if len(absent) > _MANY else "")
    return [
        plural(
            "{count:,} player of the list has no game and no bye: {named}",
            "{count:,} players of the list have no game and no bye: {named}",
            count=len(absent),
            named=named,
        )
    ]


def on_their_scales(players: Sequence[GoPlayer]) -> tuple[list[GoPlayer], list[str]]:
    """Ratings on the scale of the federation they came from; one typed by hand or of no known
    origin is the AGA's where the other ratings of the event are."""
    american = _is_american(players)
    rated: list[GoPlayer] = []
    typed = 0
    off = [p for p in players if p.strength is not None and p.gor is None]
    for player in players:
        if player.strength is None or player.gor is None:
            rated.append(player)
            continue
        origin = str(player.player.facts.get("rating_origin", "")).upper()
        by_hand = not origin.startswith(("AGA", "EGF", "FFG"))
        typed += by_hand
        aga = origin.startswith("AGA") or (by_hand and american)
        facts = {**player.player.facts, **_rating(player.strength, aga)}
        rated.append(replace(player, player=replace(player.player, facts=facts)))
    notes: list[str] = [
        Message(
            "{name} has the rating {rating}, which is off the scale: taken as none",
            name=p.player.name,
            rating=str(p.strength),
        )
        for p in off
    ]
    if not typed:
        return rated, notes
    scale = Message("the AGA's, as the others are") if american else Message("the EGF's")
    note = plural(
        "{count:,} rating typed in by hand: taken to be on {scale}",
        "{count:,} ratings typed in by hand: taken to be on {scale}",
        count=typed,
        scale=scale,
    )
    return rated, [*notes, note]


def _is_american(players: Sequence[GoPlayer]) -> bool:
    """Whether an event is one of the AGA's, by where its ratings and numbers come from."""
    facts = [player.player.facts for player in players]
    origins = [str(one.get("rating_origin", "")).upper()[:3] for one in facts]
    european = origins.count("EGF") + origins.count("FFG")
    american = sum("aga_id" in one or o == "AGA" for one, o in zip(facts, origins, strict=True))
    return american > european and 2 * american > len(players)


def _rating(rating: Fraction, american: bool) -> dict[str, Value]:
    """The AGA's scale has no ratings between -1 and 1: 2050 is where 1 dan and 1 kyu touch."""
    if not american:
        return {"rating": rating, "rating_scale": "EGF"}
    own = (rating - 1950 if rating >= 2050 else rating - 2150) / 100
    return {"rating": own, "rating_scale": "AGA"}


def numbered(name: str, numbers: Mapping[str, str], origin: str) -> Player:
    """A player with the numbers that federations gave, by the facts they are, and where the rating
    comes from; the first number there is is the member's."""
    facts: dict[str, Value] = {fact: number for fact, number in numbers.items() if number}
    member = next(filter(None, numbers.values()), "")
    return Player(name, member, {**facts, **({"rating_origin": origin} if origin else {})})
