"""Go lists written and read again: games, byes, colours, stones, places, names and numbers."""

from honours.formats.go_write import (
    surname_and_given,
)


def test_names_in_two_parts() -> None:
    assert surname_and_given("Reed, Alma Jo") == ("Reed", "Alma Jo")
    assert surname_and_given("Reed Alma") == ("Reed", "Alma")
    assert surname_and_given("Cho") == ("Cho", "")
