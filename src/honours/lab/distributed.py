"""The same job on a Dask cluster, relying on Dask's own scheduler and retries.

Needs the extra ``honours[distributed]``, and a folder that every worker sees under the same path.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from honours.errors import InputError
from honours.lab.run import ShardJob, ShardOutcome, process

_RETRIES = 3
T = TypeVar("T")
A = TypeVar("A")


def spread_over(address: str, job: ShardJob, shards: list[int]) -> Iterator[ShardOutcome]:
    """Process the shards on the cluster at an address; if a worker dies, its shards are done
    again."""
    with _client(address) as client:
        import distributed

        # pure=False: a shard counts as done when its file exists, whatever the cluster remembers.
        futures = client.map(process, [job] * len(shards), shards, retries=_RETRIES, pure=False)
        for future in distributed.as_completed(futures):  # type: ignore[no-untyped-call]
            yield future.result()


def mapped(address: str, work: Callable[[A], T], given: list[A]) -> Iterator[T]:
    """Apply the work to each item on the cluster, giving results in the order of the items."""
    with _client(address) as client:
        futures = client.map(work, given, retries=_RETRIES, pure=False)
        for future in futures:
            yield future.result()


def _client(address: str) -> Any:
    try:
        from distributed import Client
    except ImportError as error:
        raise InputError("--on needs Dask: install honours[distributed]") from error
    try:
        return Client(address, timeout="10s")  # type: ignore[no-untyped-call]
    except (OSError, ValueError) as error:
        raise InputError(
            "{address}: no Dask scheduler answers there ({error})", address=address, error=error
        ) from error
