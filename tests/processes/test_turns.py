"""Whose turn it is: nobody who asks for much keeps the others waiting."""

import threading
from contextlib import ExitStack

import pytest

from honours.processes import Busy, Turns
from honours.web.http.problems import problem_of


def test_only_so_many_do_heavy_work_at_once() -> None:
    turns = Turns(1, seconds=0.01)
    with turns.taken(), pytest.raises(Busy, match="try again"), turns.taken():
        pass
    with turns.taken():  # and who is done makes room
        assert problem_of(Busy()).status == 503


def test_people_take_turns() -> None:
    turns, order, waiting = Turns(1), [], []

    def work(who: str) -> None:
        with turns.taken(who):
            order.append(who)

    with ExitStack() as place:
        place.enter_context(turns.taken("ann"))
        for who in ("ann", "ann", "ann", "bob", "cat"):
            before = sum(map(len, turns._waiting.values()))
            thread = threading.Thread(target=work, args=(who,))
            thread.start()
            waiting.append(thread)
            while sum(map(len, turns._waiting.values())) == before:
                pass
    for thread in waiting:
        thread.join()
    assert order == ["ann", "bob", "cat", "ann", "ann"]


def test_one_person_may_not_fill_the_room() -> None:
    turns = Turns(1, waiting=1, seconds=600)

    def wait() -> None:
        with turns.taken("ann"):
            pass

    thread = threading.Thread(target=wait)
    with turns.taken("bob"):
        thread.start()
        while not turns._waiting:
            pass
        with pytest.raises(Busy), turns.taken("ann"):
            pass
    thread.join()  # it gets its turn, and outlives no test
