"""A step of the event loop that never ends is ended, wherever it is, and everybody else plays on."""

import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from cardhouse.engine import Table
from cardhouse.server.app import factory
from cardhouse.server.management.table_manager import TableManager
from cardhouse.server.table import settings
from tests.server.talking import FAST, Server, running

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no timer that could interrupt")

NEVER = "and round and round"
SECONDS = 0.4


def loops(*_: Any, **__: Any) -> Any:
    while True:
        pass


def searches(*_: Any, **__: Any) -> Any:
    return re.fullmatch("(a|a)*b", "a" * 60)


def prepare() -> None:
    """Some of the server's code and of a game's, which ends for everybody, never does for this name."""
    factory.ENDLESS_SECONDS = SECONDS
    for where, method, stuck in (
        (TableManager, "make", loops),
        (settings, "read_name", searches),
        (Table, "_act", searches),
    ):
        patch.object(where, method, _stuck_at_the_name(getattr(where, method), stuck)).start()


def _stuck_at_the_name(method: Callable[..., Any], stuck: Callable[..., Any]) -> Callable[..., Any]:
    def patched(*given: Any, **more: Any) -> Any:
        return (stuck if NEVER in repr((given, more)) else method)(*given, **more)

    return patched


@pytest.fixture
def stuck(tmp_path: Path) -> Any:
    with running(f"sqlite:///{tmp_path}/cards.db", *FAST, log=tmp_path / "log", prepare=prepare) as server:
        yield server


def test_whatever_never_ends_is_ended_and_all_tables_go_on(stuck: Server) -> None:
    table = stuck.make_table()
    ada = table.sit("p1")
    status, told = stuck.post("/api/tables", {"game": "initiative", "seats": 3, "name": NEVER})
    assert (status, told["code"]) == (500, "our_error")
    ada.say(t="name", name=NEVER)
    assert ada.hear("error")["message"].startswith("Something went wrong on our side; nothing has changed.")
    gm = table.sit("gm")
    refused = gm.ask({"do": "add_character", "name": NEVER, "card": "HA"})
    assert refused["t"] == "error"
    assert "stopped in an endless loop: server/test_loop_watchdog.py" in refused["message"]
    gm.do("add_character", name="Nan", card="HA")
    ada.catch_up(gm.n)
    assert stuck.log.read_text().count("loop_watchdog.StepTooLong") == 2
