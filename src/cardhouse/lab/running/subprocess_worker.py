"""A worker process of our own that receives functions and sends back their reports."""

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
"""The last message of a process: it has ended, by itself or with an error."""

Task = Callable[[Callable[[Any], None]], None]
"""A task: it is called with a function that sends reports."""
Heard = SimpleQueue[tuple["OtherProcess", Any]]


class OtherProcess:
    """A worker process, started at once with additional `environment`; its reports are put into a queue, with itself.

    It ends with this process, however that ends. Raises CardhouseError if it can't be started.
    """

    def __init__(self, heard: Heard, **environment: str) -> None:
        if not sys.executable:
            raise CardhouseError("Can't find the program that runs this one.")
        path = os.pathsep.join(part or str(Path.cwd()) for part in sys.path)
        try:
            # `multiprocessing` would run the user's script again.
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-c", AT_WORK],
                env={**os.environ, "PYTHONPATH": path, **environment},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
        except OSError as error:
            raise CardhouseError(f"Can't start another process: {error.strerror}.") from None
        self._thread = threading.Thread(target=self._listen, args=(self._process.stdout, heard), daemon=True)
        self._thread.start()

    def give(self, task: Task) -> None:
        """Queue a task.

        Raises CardhouseError if it can't be sent, such as a question defined in a notebook.
        """
        try:
            asked = pickle.dumps(task)
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            raise CardhouseError(f"This can't be sent to another process: {error}.") from None
        assert self._process.stdin is not None
        with suppress(OSError):  # it has ended, which its queue reports
            self._process.stdin.write(asked)
            self._process.stdin.flush()

    def end(self) -> None:
        """End it, whatever it is doing."""
        self._process.kill()
        self._thread.join()
        self._process.communicate()

    def _listen(self, pipe: IO[bytes], heard: Heard) -> None:
        with suppress(EOFError, OSError, pickle.UnpicklingError):
            while True:
                heard.put((self, pickle.load(pipe)))  # noqa: S301 (our own process)
        heard.put((self, ENDED))


# The process itself.


def at_work() -> None:
    """Run the tasks from standard input until it closes, reporting on standard output."""
    pipe = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # whatever a question prints
    given: SimpleQueue[Task] = SimpleQueue()
    threading.Thread(target=_hear, args=(given,), daemon=True).start()

    def tell(message: Any) -> None:
        pickle.dump(message, pipe)
        pipe.flush()

    while True:
        given.get()(tell)


def _hear(given: SimpleQueue[Task]) -> None:
    """Receive tasks; when the input closes, the other process has ended, and this one exits."""
    try:
        while True:
            given.put(pickle.load(sys.stdin.buffer))  # noqa: S301 (from the process that started this one)
    finally:
        os._exit(0)
