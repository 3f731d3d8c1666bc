"""Another process of ours, to which functions are sent, and which sends back what they tell."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from typing import IO, Any, Final

from cardhouse.engine import CardhouseError

AT_WORK: Final = "from cardhouse.lab.running.subprocess_worker import at_work; at_work()"
ENDED: Final = "ended"
"""What is heard of a process last: it has ended, by itself or by an error."""

Task = Callable[[Callable[[Any], None]], None]
"""What is to be done: a function of the one by which it tells what comes of it."""
Heard = SimpleQueue[tuple["OtherProcess", Any]]


class OtherProcess:
    """It is begun at once, with some more `environment`; what comes of its work is put into a queue, with itself.

    It ends with this one, however that ends. Raises CardhouseError if it can't be begun.
    """

    def __init__(self, heard: Heard, **environment: str) -> None:
        if not sys.executable:
            raise CardhouseError("Nobody knows by which program this one is run.")
        path = os.pathsep.join(part or str(Path.cwd()) for part in sys.path)
        try:
            # Not by `multiprocessing`, which would run the script again that somebody asks this from.
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-c", AT_WORK],
                env={**os.environ, "PYTHONPATH": path, **environment},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
        except OSError as error:
            raise CardhouseError(f"No other process can be begun: {error.strerror}.") from None
        self._thread = threading.Thread(target=self._listen, args=(self._process.stdout, heard), daemon=True)
        self._thread.start()

    def give(self, task: Task) -> None:
        """Have it do this after what it was given before.

        Raises CardhouseError for what can't be sent, as with a notebook's own question.
        """
        try:
            asked = pickle.dumps(task)
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            raise CardhouseError(f"This can't be sent to another process: {error}.") from None
        assert self._process.stdin is not None
        with suppress(OSError):  # it has ended, which is heard of
            self._process.stdin.write(asked)
            self._process.stdin.flush()

    def end(self) -> None:
        """End it, whatever it is doing."""
        self._process.kill()
        self._thread.join()
        self._process.communicate()

    def _listen(self, told: IO[bytes], heard: Heard) -> None:
        with suppress(EOFError, OSError, pickle.UnpicklingError):
            while True:
                heard.put((self, pickle.load(told)))  # noqa: S301 (our own process)
        heard.put((self, ENDED))


# The process itself.


def at_work() -> None:
    """Do what comes by standard input, until that ends, and tell what comes of it by standard output."""
    told = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # whatever a question prints
    given: SimpleQueue[Task] = SimpleQueue()
    threading.Thread(target=_hear, args=(given,), daemon=True).start()

    def tell(what: Any) -> None:
        pickle.dump(what, told)
        told.flush()

    while True:
        given.get()(tell)


def _hear(given: SimpleQueue[Task]) -> None:
    """Take what is to be done; when no more comes, the process at the other end has ended, and so does this one."""
    try:
        while True:
            given.put(pickle.load(sys.stdin.buffer))  # noqa: S301 (of the process that started this one)
    finally:
        os._exit(0)
