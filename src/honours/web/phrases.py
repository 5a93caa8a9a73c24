"""What scoring, ledger and lab say in English sentences, recognised and told in another language.

They say a sentence with figures and names in it. Here is each sentence with places for those: one
that is recognised is translated, one that is not stays English and says so in its markup.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from honours.web.texts import FROM_BELOW, Worded, mark

OF_AUDITS = (
    mark("%(count)s entrants of strength %(level)s, then of %(higher)s"),
    mark("%(count)s entrants of strength %(level)s, then one more of %(newcomer)s"),
    mark("%(count)s entrants, then one more"),
    mark("%(count)s entrants in either line, then one more in the other"),
    mark("%(count)s entrants of strength %(level)s, 2 sessions twice or 4 sessions"),
    mark("%(count)s entrants, 2 sessions twice or 4 sessions"),
    mark("%(count)s players of strength %(level)s, as %(pairs)s pairs or %(teams)s teams"),
    mark("%(count)s players, as %(pairs)s pairs or %(teams)s teams"),
    mark("%(count)s entrants of strength %(level)s, in one list or in two lines of %(half)s"),
    mark("%(count)s entrants, in one list or in two lines of %(half)s"),
    mark("%(count)s entrants, %(paid)s paid, a tie of two for first"),
    mark("%(count)s entrants, %(paid)s paid, a tie of two for second"),
    mark("%(count)s entrants, %(paid)s paid, a tie of two for the last paid place"),
    mark("%(count)s entrants, %(paid)s paid, a tie of three across the last paid place"),
    mark("%(count)s entrants, %(paid)s paid, all tied"),
    mark("%(count)s entrants of mixed strength, listed backwards"),
    mark("%(count)s entrants, then %(more)s"),
    mark("%(count)s entrants of strength %(level)s"),
    mark("place %(place)s falls from %(old)s to %(new)s"),
    mark("place %(place)s earns %(above)s, place %(next)s earns %(below)s"),
    mark("two one-day events pay %(twice)s in total, one two-day event %(once)s (%(change)s)"),
    mark("as pairs they are paid %(two)s, as teams %(four)s"),
    mark("one list pays %(once)s, two lines %(twice)s"),
    mark("the tie makes %(off)s: %(before)s → %(after)s"),
    mark("the tie loses %(off)s: %(before)s → %(after)s"),
    mark("the order of the list changes awards"),
    mark("first place falls from %(old)s to %(new)s at once"),
    mark("first place rises from %(old)s to %(new)s at once"),
    mark("first place goes from %(old)s to %(new)s with entrant %(number)s"),
    mark("%(name)s would be %(raw)s and is held at 0"),
)
OF_SCORING = (
    mark("board %(board)s: far from the rest (NS %(pairs)s: %(scores)s)"),
    mark("board %(board)s: perhaps fouled: scores far from the rest (NS %(pairs)s: %(scores)s)"),
    mark(
        "board %(board)s: perhaps fouled: from one round on the scores are far from the rest "
        "(NS %(pairs)s: %(scores)s)"
    ),
    mark("board %(board)s: perhaps entered in the wrong direction (NS %(pairs)s: %(scores)s)"),
    mark("Board %(board)s"),
    mark("%(who)s is at tables %(places)s in round %(round)s"),
    mark("%(who)s plays board %(board)s %(count)s times"),
    mark("%(kind)s events have one ranking"),
    mark("every pair kept its direction, so the lines never compare"),
    mark("%(moved)s of %(all)s pairs played in both directions (%(some)s)"),
    mark("not the final standings, which are scored by %(how)s"),
    mark("%(who)s: %(before)s → %(after)s"),
    mark("place %(place)s with %(score)s"),
    mark("%(name)s, place %(place)s with %(score)s"),
)
OF_FILES = (
    mark("1 player"),
    mark("%(count)s players"),
    mark("no players"),
    mark("%(count)s by name"),
    mark("%(count)s adjusted"),
    mark("%(count)s passed out"),
    mark("%(count)s without a result"),
    mark("1 entrant"),
    mark("%(count)s entrants"),
    mark("%(count)s tied"),
    mark("one winner"),
    mark("two winners"),
    mark("Swiss pairs"),
    mark("Swiss teams"),
    mark("matchpoints"),
    mark("table of results"),
    mark("travellers typed in"),
    mark("table of standings"),
)
OF_THE_LEDGER = (
    mark("drafted by %(who)s"),
    mark("Opening balances"),
    mark("record %(number)s (%(title)s)"),
    mark("record %(number)s is missing"),
    mark("posting %(number)s"),
    mark("members"),
    mark("the end of the chain"),
    mark("the file"),
    mark("its facts cannot be read (%(error)s)"),
    mark("has %(count)s postings; %(written)s written"),
    mark("has 1 posting; %(written)s written"),
    mark("its postings are not those that were written"),
    mark("does not follow from the record before it"),
    mark("something in it was changed"),
    mark("was changed behind the ledger's back"),
    mark("is of no table of the ledger"),
    mark("%(count)s are there, the ledger made %(made)s"),
    mark("belongs to no record"),
    mark("is not merged as the records say"),
    mark("was erased and has a name again"),
    mark("has lost its name without an erasure"),
    mark("is gone: %(table)s could be changed"),
    mark("cannot be read (%(error)s)"),
    mark("posted with %(said)s, now with another rule or kind"),
)
PHRASES = (*OF_AUDITS, *OF_SCORING, *OF_FILES, *OF_THE_LEDGER)
TOLD = mark("%(what)s: %(said)s")
_PLACE = re.compile(r"%\((\w+)\)s")
_COMMAS = re.compile(r"([,;] )")
_LONGEST = 400
"""A longer text is no sentence of ours, and takes long to compare."""
_NO_WORDS = re.compile(r"[\W\d_]*")


@cache
def _expressions() -> tuple[tuple[str, re.Pattern[str]], ...]:
    found = []
    for phrase in PHRASES:
        pieces = _PLACE.split(phrase)
        parts = (f"(?P<{p}>.+?)" if i % 2 else re.escape(p) for i, p in enumerate(pieces))
        found.append((phrase, re.compile("".join(parts))))
    return tuple(found)


@lru_cache(4096)
def recognised(text: str) -> str:
    """The same text, as one to be translated where it is known: a sentence, one after a colon, or
    a list of them."""
    if text in FROM_BELOW:
        return Worded(text)
    if len(text) > _LONGEST:
        return text
    for phrase, expression in _expressions():
        if match := expression.fullmatch(text):
            return Worded(phrase, **{k: recognised(v) for k, v in match.groupdict().items()})
    what, colon, said = text.partition(": ")
    if colon and (both := _all_known([what, said])):
        return Worded(TOLD, what=both[0], said=both[1])
    parts = _COMMAS.split(text)  # and the commas between them
    if len(parts) > 1 and (told := _all_known(parts[::2])):
        known = [told[i // 2] if i % 2 == 0 else one for i, one in enumerate(parts)]
        places = "".join(f"%(p{i})s" for i in range(len(known)))
        return Worded(places, **{f"p{i}": part for i, part in enumerate(known)})
    return text


def _all_known(parts: list[str]) -> list[str]:
    """The parts recognised, if all of them are or have no words."""
    found = [recognised(part) for part in parts]
    known = all(isinstance(p, Worded) or _NO_WORDS.fullmatch(p) for p in found)
    return found if known else []
