"""A wire between a server and its database or Redis, which can be cut and mended."""

import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit, urlunsplit


class Wire:
    """Listens on a port of its own and passes all on to the host and port of a URL; `url` is that by way of here.

    That one end is done with speaking is passed on, too: what the other still says arrives. `alter` is done with what
    goes to that host, first.
    """

    def __init__(self, url: str, default_port: int, alter: Callable[[bytes], bytes] = bytes) -> None:
        self._alter = alter
        parts = urlsplit(url)
        self._there = (parts.hostname or "127.0.0.1", parts.port or default_port)
        self._listening = socket.create_server(("127.0.0.1", 0))
        user = f"{parts.username}@" if parts.username else ""
        self.url = urlunsplit(parts._replace(netloc=f"{user}127.0.0.1:{self._listening.getsockname()[1]}"))
        self._whole = True
        self._flowing = threading.Event()
        self._flowing.set()
        self._ends: list[socket.socket] = []
        self._dead: set[socket.socket] = set()
        self._lock = threading.Lock()
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """Break all connections, and every new one, until it is mended."""
        with self._lock:
            self._whole = False
            ends, self._ends = self._ends, []
        for end in ends:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def stall(self) -> None:
        """Keep all connections open, and let nothing through them, until it is mended."""
        self._flowing.clear()

    def lose(self) -> None:
        """Keep what is open, and let nothing through it ever again, as a phone's line that died while it slept.

        New connections are broken until it is mended.
        """
        with self._lock:
            self._whole = False
            self._dead.update(self._ends)

    def mend(self) -> None:
        """Let connections through again, and what waited in them."""
        self._whole = True
        self._flowing.set()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.cut()
        self._flowing.set()
        self._listening.close()

    def _accept(self) -> None:
        while True:
            try:
                here, _ = self._listening.accept()
            except OSError:
                return
            if not self._whole:
                here.close()
                continue
            try:
                there = socket.create_connection(self._there)
            except OSError:
                here.close()
                continue
            with self._lock:
                self._ends += [here, there]
            threading.Thread(target=self._carry, args=(here, there), daemon=True).start()

    def _carry(self, here: socket.socket, there: socket.socket) -> None:
        """Both ways, until both are done or one is broken."""
        back = threading.Thread(target=self._pass_on, args=(there, here, bytes), daemon=True)
        back.start()
        self._pass_on(here, there, self._alter)
        back.join()
        here.close()
        there.close()

    def _pass_on(self, source: socket.socket, sink: socket.socket, alter: Callable[[bytes], bytes]) -> None:
        try:
            while data := source.recv(65536):
                self._flowing.wait()
                if source not in self._dead:
                    sink.sendall(alter(data))
            sink.shutdown(socket.SHUT_WR)
        except OSError:
            for end in (source, sink):
                with suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)
