"""Talks to a server that a test runs."""

import json
from typing import Any

from websockets.sync.client import ClientConnection


def said_by(socket: ClientConnection, frame: dict[str, Any], kind: str) -> dict[str, Any]:
    """Say something, and wait for a frame of this kind."""
    socket.send(json.dumps(frame))
    told: dict[str, Any] = {"t": ""}
    while told["t"] != kind:
        told = json.loads(socket.recv(timeout=60))
        assert told["t"] != "error" or kind == "error", told
    return told
