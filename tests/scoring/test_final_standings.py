"""Whether standings are provisional or final, and what is different since."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from honours.model import (
    Event,
    Penalty,
)
from honours.model.message import Message
from honours.scoring import ScoringOptions, score
from honours.scoring.rulings import (
    Final,
    Fine,
    Played,
    Ruling,
    Winners,
    change,
)
from honours.scoring.status import Status, changes, published_places, status
from tests.scoring.events import mitchell
from tests.scoring.test_rulings import ruling

NIGHT = mitchell([[50, 60, 70], [50, 60, 70]])


def final(event: Event, when: str = "Monday") -> Ruling:
    return ruling(Final(published_places(score(event)), "profile ebu"), when=when)


def test_a_ruling_is_called_as_in_files() -> None:
    kinds = [Ruling(what, "TD", "now").kind for what in (Winners(1), Played("teams"))]
    assert kinds == ["winners", "event"]


def test_standings_are_provisional_until_they_are_made_final() -> None:
    scored = score(NIGHT)
    assert status(scored, [ruling(Winners(2))]) == Status(Message("provisional"))
    assert str(status(scored, [])) == "provisional"
    made = status(scored, [final(NIGHT), ruling(Winners(2))])
    assert made == Status(Message("final"), (), "Monday")
    assert str(made) == "final (made final Monday)"


def test_what_is_different_since_is_told() -> None:
    fined = change(NIGHT, Fine(Penalty("N3", Fraction(8), "matchpoints")))
    since = status(score(fined), [final(NIGHT)])
    assert (since.word, since.since) == ("amended", "Monday")
    assert since.changes == (
        "N3: place 1 with 100.00 → place 2= with 0.00",
        "N2: place 2 with 50.00 → place 1 with 50.00",
        "N1: place 3 with 0.00 → place 2= with 0.00",
    )
    again = status(score(fined), [final(NIGHT), final(fined, "Tuesday")])
    assert again == Status(Message("amended"), since.changes, "Tuesday")
    otherwise = status(score(NIGHT, options=ScoringOptions(minimum_boards=1)), [final(NIGHT)])
    assert otherwise == Status(
        Message("not the final standings, which are scored by profile ebu"), (), "Monday"
    )


def test_each_change_names_who_and_what() -> None:
    before = (("1", "1", "60.00", "Ann"), ("2", "", "40.00", "Bob"), ("3", "3", "30.00", "Cy"))
    after = (("1", "1", "60.00", "Anna"), ("3", "3", "30.00", "Cy"), ("4", "2", "50.00", "Di"))
    assert changes(before, after) == (
        "1: Ann, place 1 with 60.00 → Anna, place 1 with 60.00",
        "2 Bob: place - with 40.00 → not listed",
        "4 Di: not listed → place 2 with 50.00",
    )


def test_who_is_in_several_lists_is_published_as_in_the_first() -> None:
    strata = tuple(
        replace(e, stratum="A" if e.entrant.id in ("N1", "E1") else "B", handicap=Fraction(5))
        for e in NIGHT.entrants
    )
    scored = score(
        replace(NIGHT, entrants=strata), options=ScoringOptions(handicap=True, winners=1)
    )
    listed = published_places(scored)
    assert len(scored.rankings) > 1
    assert len(listed) == 6
    assert listed == tuple(
        (s.entrant.id, shown, f"{float(s.score or 0):.2f}", s.entrant.title)
        for s, shown in zip(scored.rankings[0].standings, (p for _, p, _, _ in listed), strict=True)
    )
