"""An HTTP client with a chosen source address that ignores errors: all of 127.0.0.0/8 is this machine."""

import json
from http.client import HTTPConnection, HTTPException
from typing import Any

ATTACKER = "127.0.0.1"


class Web:
    """One connection, kept as long as the server keeps it."""

    def __init__(self, port: int, source: str = ATTACKER, timeout: float = 30.0) -> None:
        self.connection = HTTPConnection("127.0.0.1", port, timeout=timeout, source_address=(source, 0))

    def ask(self, method: str, path: str, body: Any = None, token: str | None = None) -> tuple[int, bytes]:
        """Return the status and the body; status 0 if there was no response, or the connection was closed."""
        data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        headers = {"Content-Type": "application/json", **({"Accept-Encoding": "gzip"} if method == "GET" else {})}
        if token is not None:
            headers["Authorization"] = f"Bearer {token}"
        try:
            self.connection.request(method, path, data, headers)
            answer = self.connection.getresponse()
            return answer.status, answer.read()
        except (OSError, HTTPException):
            self.connection.close()
            return 0, b""

    def get(self, path: str, token: str | None = None) -> tuple[int, bytes]:
        return self.ask("GET", path, None, token)

    def post(self, path: str, body: Any) -> tuple[int, bytes]:
        return self.ask("POST", path, body)

    def make_table(self, **wanted: Any) -> dict[str, Any]:
        """Make a table, which must succeed: its id is under `table`, its links under `links`."""
        return self._made("/api/tables", wanted)

    def import_table(self, transcript: bytes) -> dict[str, Any]:
        """Make a table from a transcript."""
        return self._made("/api/tables/import", transcript)

    def _made(self, path: str, body: Any) -> dict[str, Any]:
        status, said = self.post(path, body)
        if status != 201:
            raise RuntimeError(f"No table could be made: {status} {said[:300]!r}")
        made: dict[str, Any] = json.loads(said)
        return made
