"""Scoring an event as the options say: profile, scales, and how it is ranked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import fields, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from honours.engine.numbers import exact
from honours.errors import InputError
from honours.model import Event, EventEntrant
from honours.model.message import Message
from honours.pipeline.options import CLUB, PROFILE_UNSAID, SWITCHES
from honours.pipeline.published import publishes
from honours.scoring import ScoredEvent, ScoringOptions, imps, profiles, score
from honours.scoring.imps import ImpRules, imp_convention
from honours.scoring.matches import MatchRules
from honours.scoring.profiles import Profile
from honours.scoring.rulings import Played, as_declared
from honours.scoring.switches import amend, switches_of
from honours.scoring.victory_points import SCALES, WBF, Scale, read_scale

_AVERAGE = 50
"""The percentage, and so the rating by results, of an average player."""


def switches_known() -> frozenset[str]:
    """The switches of scoring that may be set: those of the profile and of IMPs."""
    return frozenset((*switches_of(ImpRules), *switches_of(Profile)))


def with_conventions(
    event: Event, choices: Mapping[str, Any]
) -> tuple[Mapping[str, Any], tuple[Message, ...]]:
    """The choices with the profile and the conventions of IMPs that nobody chose: those of the
    program that wrote the file, else those that give what the file publishes, else the club's; and
    why, where the file decided. Where nothing did, ``PROFILE_UNSAID`` is among the choices."""
    key = "profile" if event.scoring == "matchpoints" else "imps"
    if choices[key]:
        return choices, ()
    usual = (choices[CLUB] or profiles.DEFAULT) if key == "profile" else imps.DEFAULT
    known = profiles.profile_names() if key == "profile" else tuple(imps.conventions())
    own = [name for name in profiles.of_program(event.program) if name in known]
    if len(own) == 1:
        why = Message("scored like {program}: {name}", program=event.program, name=own[0])
        return {**choices, key: own[0]}, (why,)
    best = _reproducing(event, usual)
    if best and best != usual:
        why = Message("scored by {name}, which reproduces the published figures", name=best)
        return {**choices, key: best}, (why,)
    unsaid = key == "profile" and not best and not choices[CLUB] and profile_matters(event)
    return {**choices, key: usual, PROFILE_UNSAID: unsaid}, ()


def profile_matters(event: Event) -> bool:
    """Return whether some board has an adjusted score, was fouled, or has fewer scores than others:
    on all others every profile agrees."""
    for session in event.sessions:
        if any(line.adjusted or line.version for line in session.results):
            return True
        played = Counter((line.section, line.board) for line in session.results)
        if len({*played.values()}) > 1:
            return True
    return False


def _reproducing(event: Event, usual: str) -> str:
    """The conventions by which most of what a file publishes is ours; the usual ones unless others
    agree in more, and none where it publishes nothing."""
    if not any(session.results for session in event.sessions) or not publishes(event):
        return ""
    from honours.pipeline.checking.scores import check_scores

    try:
        checked = check_scores([event])
    except InputError:  # it cannot be scored by any: scoring says why
        return ""
    agree = checked.others
    better = agree.get(checked.best_profile, 0) > agree.get(usual, -1)
    return checked.best_profile if better else usual


def as_chosen(event: Event, choices: Mapping[str, Any]) -> Event:
    """The event changed to what the choices say was played."""
    played = Played(choices["type"], choices["scoring"], choices["swiss"] or None)
    winners = choices["winners"] or ("2" if choices["one_winner"] else "")
    declared = as_declared(event, played, winners)
    if not choices["handicap"] or declared.scoring != "matchpoints":
        return declared
    return replace(declared, entrants=tuple(map(_by_rating, declared.entrants)))


def _by_rating(one: EventEntrant) -> EventEntrant:
    """An entrant that has no handicap with one that lifts its players' mean rating to average."""
    ratings = [player.facts.get("skill") for player in one.entrant.players]
    known = [rating for rating in ratings if isinstance(rating, Fraction)]
    if one.handicap or not known or len(known) < len(ratings):
        return one
    return replace(one, handicap=_AVERAGE - sum(known, Fraction(0)) / len(known))


def score_as_chosen(event: Event, choices: Mapping[str, Any]) -> ScoredEvent:
    """Score an event as :func:`honours.pipeline.options.chosen_options` made the choices."""
    played = as_chosen(event, choices)
    choices, _ = with_conventions(played, choices)
    profile, convention = _conventions(choices)
    apart = choices["sections_apart"]
    by_name = {one.name: choices[one.name] for one in fields(ScoringOptions) if one.name in choices}
    as_meant = {
        "compared": choices["compare"],
        "sessions_ranked": choices["each_session"],
        "rank_sections_apart": (choices["rank_sections"] or ("apart" if apart else "")) == "apart",
        "winners": int(choices["winners"] or 0),
        "one_winner": several_in(choices["one_winner"]),
        "strata": several_in(choices["strata"]),
        "imps": convention,
        "matches": _matches(played, choices, convention),
    }
    return score(played, profile, ScoringOptions(**{**by_name, **as_meant}))


def several_in(text: str) -> tuple[str, ...]:
    """Return the names in a text: ``A, B`` is two."""
    return tuple(part.strip() for part in text.split(",") if part.strip())


def _conventions(choices: Mapping[str, Any]) -> tuple[Profile, str | ImpRules]:
    """The profile and the convention of IMPs, each with the switches that are its own."""
    switches: Mapping[str, str] = choices[SWITCHES]
    known = switches_of(ImpRules)
    in_imps = {name: text for name, text in switches.items() if name in known}
    rest = {name: text for name, text in switches.items() if name not in known}
    profile = amend(profiles.profile(choices["profile"] or profiles.DEFAULT), rest)
    name = choices["imps"] or imps.DEFAULT
    if not in_imps:
        return profile, name
    return profile, amend(imp_convention(name), in_imps)


def _matches(
    event: Event, choices: Mapping[str, Any], convention: str | ImpRules
) -> MatchRules | None:
    """Return how matches are scored; ``None`` if the scorer's own default serves."""
    imps = imp_convention(convention) if isinstance(convention, str) else convention
    rules = MatchRules(
        _scale(event, choices["scale"]),
        choices["match_boards"],
        imps.average_plus,
        choices["mean_of_tables"],
        exact(choices["bye"]) if choices["bye"] else None,
        rounds_apart=not choices["one_match"],
    )
    plain = MatchRules(_scale(event, ""))
    asked = choices["scale"] or rules != plain
    return rules if asked and (event.kind == "teams" or event.swiss) else None


def _scale(event: Event, name: str) -> Scale | None:
    if not name:
        return WBF if event.scoring not in ("board-a-match", "matchpoints") else None
    return SCALES[name.lower()] if name.lower() in SCALES else read_scale(Path(name))
