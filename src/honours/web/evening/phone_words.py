"""The words a table's page uses, in the language of its reader."""

from __future__ import annotations

from honours.language import words
from honours.model.cards import COMPASS, NO_TRUMPS, RANKS
from honours.model.message import Message

_WORDS = {
    "board": Message("Board"),
    "round": Message("Round"),
    "dealer": Message("dealer"),
    "nobody": Message("nobody vulnerable"),
    "NS": Message("North-South"),
    "EW": Message("East-West"),
    "NSEW": Message("all vulnerable"),
    "vulnerable": Message("vulnerable"),
    "contract": Message("Contract"),
    "declarer": Message("Declarer"),
    "lead": Message("Lead"),
    "tricks": Message("Result"),
    "passed": Message("Passed out"),
    "not_played": Message("Not played"),
    "back": Message("Back"),
    "change": Message("Change it"),
    "yes": Message("Yes, that is right"),
    "no": Message("No, it is not"),
    "is_it_so": Message("{side}: is this right?", side="{side}"),
    "made": Message("just made"),
    "score": Message("score"),
    "entered": Message("waits for the other side"),
    "confirmed": Message("confirmed"),
    "disputed": Message("not agreed"),
    "to_enter": Message("to be entered"),
    "unsent": Message("kept on this phone, not sent yet"),
    "offline": Message("no connection: what you enter is kept here and sent later"),
    "sent": Message("all is sent"),
    "sit_out": Message("Nobody to play against: this table sits out."),
    "round_done": Message("All boards of this round are entered."),
    "goes": Message("goes to table"),
    "stays": Message("stays"),
    "sits_out": Message("sits out"),
    "next_round": Message("On to the next round"),
    "finished": Message("That was the last round. Thank you!"),
    "paired_later": Message("All boards are in. The next round is paired by how it stands."),
    "ended": Message("Play has ended. The director can still correct a result."),
    "call": Message("Call the director"),
    "called": Message("The director is called"),
    "results": Message("Results so far"),
    "nothing_shown": Message("The club shows no other results tonight."),
    "turned": Message("Turned: North-South of the movement sit East-West on this board"),
    "conflict": Message("Somebody entered this board in the meantime. What holds now:"),
    "names": Message("Who are you?"),
    "name": Message("name"),
    "save": Message("Save"),
    "director_has": Message("entered by the director"),
    "sure": Message("It is so"),
    "refused": Message("The server did not take it:"),
    "unknown_code": Message("This code is no longer valid. Ask the director for a new one."),
    "until": Message("until"),
    "skip": Message("No lead"),
    "redouble": Message("redoubled"),
    "double": Message("doubled"),
    "plain": Message("not doubled"),
    "pair": Message("Pair"),
    "ns": Message("NS"),
    "ew": Message("EW"),
    **{seat.value: letter for seat, letter in COMPASS.items()},
    "nt": NO_TRUMPS,
    **{f"rank_{rank}": letter for rank, letter in RANKS.items()},
}


def phone_words(language: str) -> dict[str, str]:
    """Every word of the page in a language."""
    return {name: words(message, language) for name, message in _WORDS.items()}
