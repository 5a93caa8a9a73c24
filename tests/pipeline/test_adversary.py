"""Whatever happens to an event on its way, and whatever is called immaterial: no award changes in
silence."""

from __future__ import annotations

from tests.adversary.attack import assail
from tests.adversary.immaterial import attack


def test_what_is_called_immaterial_may_be_anything() -> None:
    tally = attack(300)
    assert tally.draws >= 300
    assert tally.refuted == []


def test_no_event_is_paid_wrongly_without_a_word() -> None:
    found = assail(170, every_door=True)
    assert found.wrong == []
    assert found.refused == []
    assert found.verdicts["right"] > found.events / 2
