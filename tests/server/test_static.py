"""Static files: their types, and the port."""

from __future__ import annotations

import asyncio
import mimetypes
import socket
from pathlib import Path

import pytest

from cardhouse.engine import CardhouseError, find_game, game_names
from cardhouse.server.api import games
from cardhouse.server.app.lifecycle import _is_port_used, bind_option, load_games, serve
from cardhouse.server.core import static_cache
from cardhouse.server.core.static_cache import FOLDER, read_page

SCRIPT = "text/javascript"


def test_types_are_not_those_of_the_machine(tmp_path: Path) -> None:
    """On Windows whatever program was installed last says what a .js is."""
    for name in ("index.html", "page.js", "page.css", "sign.svg", "strange.xyz"):
        (tmp_path / name).write_text("x")
    usual = mimetypes.types_map[".js"]
    mimetypes.add_type("text/plain", ".js")
    mimetypes.add_type("text/plain", ".svg")
    try:
        kinds = {name: file.media_type for name, file in read_page(tmp_path).items()}
    finally:
        mimetypes.add_type(usual, ".js")
        mimetypes.add_type("image/svg+xml", ".svg")
    assert kinds == {
        "index.html": "text/html",
        "page.js": SCRIPT,
        "page.css": "text/css",
        "sign.svg": "image/svg+xml; charset=utf-8",
        "strange.xyz": "application/octet-stream",
    }


def test_game_data_is_prepared_before_any_request(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(static_cache, "_CACHE", {})
    load_games()
    made = dict(static_cache._CACHE)
    assert len(made) == 1 + len(game_names())
    assert asyncio.run(static_cache.cached(games._game_info, find_game("dogs"))) in made.values()
    assert made == static_cache._CACHE


def test_every_file_of_the_page_has_a_type() -> None:
    assert not [name for name, file in read_page(FOLDER).items() if file.media_type == "application/octet-stream"]


def test_on_windows_a_port_is_ours_alone() -> None:
    """There SO_REUSEADDR shares a port with anybody; Winsock has SO_EXCLUSIVEADDRUSE as its complement."""
    assert bind_option("linux") == bind_option("darwin") == socket.SO_REUSEADDR
    assert bind_option("win32") == getattr(socket, "SO_EXCLUSIVEADDRUSE", ~socket.SO_REUSEADDR)


@pytest.mark.parametrize(
    ("first", "second"), [("127.0.0.1", "127.0.0.1"), ("0.0.0.0", "127.0.0.1"), ("127.0.0.1", "0.0.0.0")]
)
def test_there_is_no_second_house_on_a_port(tmp_path: Path, first: str, second: str) -> None:
    with socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        other.bind((first, 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(
            CardhouseError, match=f"Nothing can listen on {second}, port {port}: Address already in use"
        ):
            serve(second, port, f"sqlite:///{tmp_path}/cards.db")


def test_where_the_system_would_share_a_port_the_first_house_is_asked(tmp_path: Path) -> None:
    """As macOS and BSD would the address of one network and that of all."""
    with socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        other.bind(("127.0.0.1", 0))
        other.listen()
        assert _is_port_used("0.0.0.0", other.getsockname()[1])
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        assert not _is_port_used("127.0.0.1", free.getsockname()[1])
