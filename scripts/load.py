"""Many users at once, for a while: `python -m scripts.load [--users 50] [--seconds 60]`.

Starts a server of its own, has users score and browse while the lab answers one question after the
other and one client sends a body a byte a second, and says whether anything failed, how long a
calculation took and whether memory grew.
"""

import argparse
import random
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count
from math import inf
from pathlib import Path
from statistics import median
from typing import Any

import httpx

from scripts.served import served

CALCULATION = "/calculators/sbu-clubs-2016?kind=pairs&winners=1&pairs={}"
CORPUS = "a-year"
WARM_UP = 30
SLOWEST_SHARE = 20
"""How many times its unloaded median the 99th percentile of a calculation may take."""


@dataclass
class Seen:
    """What the users saw; appended to from many threads, which a list allows."""

    calculations: list[float] = field(default_factory=list)
    others: list[float] = field(default_factory=list)
    questions: list[str] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)


def main() -> int:
    """Run the load; the exit code says whether all held."""
    parser = argparse.ArgumentParser(description=__doc__, prog="python -m scripts.load")
    parser.add_argument("--users", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=60)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, served(Path(folder)) as server:
        return _judge(*_run(server.address, server.process.pid, chosen.users, chosen.seconds))


def _run(address: str, pid: int, users: int, seconds: float) -> tuple[float, Seen, tuple[int, int]]:
    with httpx.Client(base_url=address, timeout=60) as client:
        event = client.post("/events/example").headers["location"]
        _make_corpus(client)
        alone = [_timed(client, CALCULATION.format(n + 8)) for n in range(WARM_UP)]
    before, seen, until = _memory(pid), Seen(), time.monotonic() + seconds
    work: list[tuple[Callable[..., None], tuple[Any, ...]]]
    work = [(_user, (address, event, until, seen, n)) for n in range(users)]
    work += [(_jobs, (address, until, seen)), (_slow, (address, until))]
    threads = [threading.Thread(target=target, args=args) for target, args in work]
    for thread in threads:
        thread.start()
    time.sleep(seconds / 2)
    halfway = _memory(pid)
    for thread in threads:
        thread.join()
    print(f"memory: {before} MB before, {halfway} MB halfway, {_memory(pid)} MB at the end")
    return median(alone), seen, (halfway, _memory(pid))


def _timed(client: httpx.Client, path: str) -> float:
    started = time.monotonic()
    client.get(path).raise_for_status()
    return time.monotonic() - started


def _user(address: str, event: str, until: float, seen: Seen, seed: int) -> None:
    """Somebody who calculates, looks at an event and now and then scores a new one."""
    chance = random.Random(seed)
    pages = [event, f"{event}/travellers", f"{event}/awards?entrant=11", "/", "/rulebooks"]
    time.sleep(chance.uniform(0, 5))  # they do not all come in at once
    with httpx.Client(base_url=address, timeout=120) as client:
        while time.monotonic() < until:
            try:
                if chance.random() < 0.5:
                    path = CALCULATION.format(chance.randint(8, 60))
                    seen.calculations.append(_timed(client, path))
                elif chance.random() < 0.9:
                    seen.others.append(_timed(client, chance.choice(pages)))
                else:
                    client.post("/events/example")
            except httpx.HTTPError as error:
                seen.failures.append(repr(error))
            time.sleep(chance.uniform(1, 5))  # people look at what they asked for


def _make_corpus(client: httpx.Client) -> None:
    corpus = {"name": CORPUS, "scale": "0.02", "seed": "7"}
    _watch(client, client.post("/api/v1/jobs", json={"what": "generate", "said": corpus}), inf)


def _jobs(address: str, until: float, seen: Seen) -> None:
    """One comparison of a whole year after the other, each with another exponent."""
    with httpx.Client(base_url=address, timeout=120) as client:
        for n in count(1):
            if time.monotonic() > until:
                return
            question = {
                "corpus": CORPUS,
                "a": "acbl-sof-2020",
                "b": "acbl-sof-2020",
                "b_with": f"first_exponent={n}/100",
            }
            answer = client.post("/api/v1/jobs", json={"what": "compare", "said": question})
            if answer.status_code != 202:
                seen.failures.append(answer.text)
                return
            if (state := _watch(client, answer, until)) == "failed":
                seen.failures.append(f"a comparison {state}")
            seen.questions.append(state)


def _watch(client: httpx.Client, answer: httpx.Response, until: float) -> str:
    """Wait for a job; one that takes too long is called off."""
    path = f"/api/v1/jobs/{answer.raise_for_status().json()['id']}"
    while (state := str(client.get(path).json()["state"])) == "running":
        if time.monotonic() > until:
            client.post(f"{path}/cancel")
            return state
        time.sleep(1)
    return state


def _slow(address: str, until: float) -> None:
    """A body that comes a byte a second."""

    def body() -> Iterator[bytes]:
        while time.monotonic() < until:
            yield b"x"
            time.sleep(1)

    headers = {"content-type": "application/x-www-form-urlencoded"}
    try:
        httpx.post(f"{address}/events/typed", content=body(), headers=headers, timeout=120)
    except httpx.HTTPError:
        return  # it is cut off, which is as it should be


def _memory(pid: int) -> int:
    """Resident memory in megabytes."""
    text = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    return (
        int(next(line for line in text.splitlines() if line.startswith("VmRSS")).split()[1]) >> 10
    )


def _judge(alone: float, seen: Seen, memory: tuple[int, int]) -> int:
    times = sorted(seen.calculations)
    slowest = times[int(0.99 * (len(times) - 1))] if times else 0.0
    print(
        f"{len(times)} calculations, {len(seen.others)} pages, {seen.questions.count('done')} "
        f"questions to the lab, {len(seen.failures)} failures"
    )
    print(
        f"a calculation: {1000 * alone:.0f} ms alone; under load {1000 * median(times):.0f} ms, "
        f"99th percentile {1000 * slowest:.0f} ms"
    )
    for failure in seen.failures[:5]:
        print(failure)
    held = not seen.failures and slowest < SLOWEST_SHARE * alone
    flat = memory[1] <= memory[0] * 1.2
    print("held" if held and flat else "DID NOT HOLD")
    return 0 if held and flat else 1


if __name__ == "__main__":
    sys.exit(main())
