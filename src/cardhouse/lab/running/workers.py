"""Workers: threads, processes, or a cluster of machines. Results come in the order of the tasks."""

from __future__ import annotations

import multiprocessing
import os
import socket
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from itertools import islice
from typing import Any, TypeVar
from urllib.parse import urlsplit

from cardhouse.engine import CardhouseError

AHEAD = 4
"""The number of tasks for each worker that are submitted in advance."""
PATIENCE = 3
"""The timeout of a cluster in seconds."""

Task = TypeVar("Task")
Result = TypeVar("Result")


class Halted(KeyboardInterrupt):
    """A stop was requested without Ctrl-C."""


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def workers_for(*, compiled: bool, cores: int, cluster: str | None) -> Iterator[tuple[Executor, int]]:
    """Yield the workers and their number; tasks that haven't started at the end of the block are cancelled.

    Machine code runs on threads, Python on processes. Raises CardhouseError if the cluster doesn't answer.
    """
    if cluster is not None:
        with _cluster(cluster) as found:
            yield found
        return
    pool = ThreadPoolExecutor(cores) if compiled else ProcessPoolExecutor(cores, _processes(), end_with_parent)
    try:
        yield pool, cores
    finally:
        pool.shutdown(cancel_futures=True)


def end_with_parent() -> None:
    """End this process with the one that started it, which can't do so itself if it is killed."""
    parent = multiprocessing.parent_process()

    def wait() -> None:
        assert parent is not None
        parent.join()
        os._exit(1)

    if parent is not None:
        threading.Thread(target=wait, name="end with parent", daemon=True).start()


def _processes() -> multiprocessing.context.BaseContext:
    """Return the fork context where forking is safe, which it isn't with other threads, otherwise spawn."""
    can_copy = threading.active_count() == 1 and "fork" in multiprocessing.get_all_start_methods()
    return multiprocessing.get_context("fork" if can_copy else "spawn")


@contextmanager
def _cluster(address: str) -> Iterator[tuple[Executor, int]]:
    """Yield the workers of a Dask cluster. A lost one only costs time: its tasks go to the others."""
    host, port = _place_of(address)
    try:
        from distributed import Client
    except ImportError:
        raise CardhouseError("A cluster needs more packages: pip install 'cardhouse[cluster]'.") from None
    try:
        socket.create_connection((host, port), PATIENCE).close()  # Dask itself would keep trying if nothing listens
        client: Any = Client(address, timeout=PATIENCE, set_as_default=False)  # type: ignore[no-untyped-call]
    except (OSError, TimeoutError):
        raise CardhouseError(f"No Dask scheduler answers at {address}.") from None
    with client:
        threads = sum(client.nthreads().values())
        if not threads:
            raise CardhouseError(f"The scheduler at {address} has no workers.")
        yield client.get_executor(pure=False), threads


def _place_of(address: str) -> tuple[str, int]:
    """Return the host and port of a scheduler."""
    with suppress(ValueError):
        parts = urlsplit(address)
        if parts.scheme in ("tcp", "tls", "ws", "wss") and parts.hostname and parts.port:
            return parts.hostname, parts.port
    raise CardhouseError(f"--on takes the address of a Dask scheduler, such as tcp://10.0.0.5:8786, not {address}.")


def in_order(
    executor: Executor, workers: int, work: Callable[[Task], Result], tasks: Iterable[Task]
) -> Generator[Result, None, None]:
    """Yield the result of each task, in order, with only a few tasks submitted at a time."""
    left = iter(tasks)
    under_way = deque(executor.submit(work, task) for task in islice(left, workers * AHEAD))
    try:
        while under_way:
            result = under_way.popleft().result()
            under_way.extend(executor.submit(work, task) for task in islice(left, 1))
            yield result
    finally:
        for future in under_way:
            future.cancel()
