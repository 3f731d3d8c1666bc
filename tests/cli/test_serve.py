import re
import signal
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from cardhouse.cli import serving
from cardhouse.testing.serving import serving_house
from tests import asking
from tests.cli.conftest import Run


@pytest.fixture
def db(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'cards.db'}"


def test_it_prints_the_address_to_open(db: str, tmp_path: Path):
    with serving_house("--db", db) as (server, said):
        address = re.fullmatch(r"Cardhouse is open: (http://127\.0\.0\.1:\d+/)", said.splitlines()[0])
        assert address is not None
        assert "For phones, restart with make play LAN=1" in said
        assert f"Tables are saved in {tmp_path / 'cards.db'}." in said
        games = asking.get(f"{address[1]}api/games").json()
        assert "initiative" in [game["name"] for game in games]
        server.send_signal(signal.SIGINT)
        out, err = server.communicate()
        assert (server.returncode, out, err) == (0, "\nThe server has stopped.\n", "")


@pytest.mark.soak
def test_a_house_of_several_processes_opens_and_closes_as_one(db: str):
    with serving_house("--db", db, "--workers", "2") as (server, said):
        address = re.match(r"Cardhouse is open: (http://127\.0\.0\.1:\d+/)", said)
        assert address is not None
        assert {asking.get(f"{address[1]}api/house").status_code for _ in range(4)} == {200}
        server.send_signal(signal.SIGINT)
        out, err = server.communicate()  # which nobody has open any more
        assert (server.returncode, out, err) == (0, "\nThe server has stopped.\n", "")


def test_the_home_network_gets_a_qr_code(db: str):
    with serving_house("--db", db, "--lan") as (_, said):
        if "//127." in said.splitlines()[0]:
            assert "This machine isn't on a network" in said
        else:
            assert said.count("█") > 100
            assert "can scan this code" in said


@pytest.mark.soak
def test_a_proxys_address_is_the_one_to_open(db: str):
    with serving_house("--db", db, "--address", "https://cards.example.org") as (_, said):
        assert said.startswith("Cardhouse is open: https://cards.example.org/\nEveryone can create tables, ")
    with serving_house("--db", db, "--address", "https://cards.example.org", "--keep", "52w") as (_, said):
        assert said.startswith("Cardhouse is open: https://cards.example.org/\nTables are saved")


@pytest.fixture
def taken() -> Iterator[int]:
    """A port that somebody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield listening.getsockname()[1]


def test_a_port_that_is_taken(run: Run, db: str, taken: int):
    status, _, err = run("serve", "--db", db, "--port", taken)
    assert (status, err) == (
        2,
        f"cardhouse: Nothing can listen on 127.0.0.1, port {taken}: Address already in use.\n",
    )


def test_without_a_port_the_next_free_one_is_used(taken: int, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(serving, "PORT", taken)
    assert taken < serving.free_port("127.0.0.1") < taken + serving.TRIED


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--db", "cards"], '"cards" isn\'t a database URL. '),
        (["--db", "mysql://localhost/cards"], "Cardhouse keeps its tables in SQLite or PostgreSQL, not in mysql."),
        (["--db", "sqlite:////nowhere/cards.db"], "There is no folder /nowhere "),
        (["--db", "postgresql://me:secret@127.0.0.1:1/x"], "The database postgresql"),
        (["--port", "70000"], "Invalid value for '--port': "),
        (["--address", "cards.example.org"], '"cards.example.org" isn\'t an address. '),
        (["--address", "ftp://cards.example.org"], '"ftp://cards.example.org" isn\'t an address. '),
        (["--workers", "0"], "--workers must be from 1 to 64, "),
        (["--proxy", "proxy.example.org"], '"proxy.example.org" isn\'t the address or network of a proxy. '),
    ],
)
def test_invalid_options_are_refused(run: Run, arguments: list[str], sentence: str):
    status, out, err = run("serve", *arguments)
    assert (status, out) == (2, "")
    assert err.startswith(f"cardhouse: {sentence}")
    assert "secret" not in err


def test_passwords_are_not_printed():
    assert serving.shown("postgresql://me:secret@host/x") == "postgresql://me:***@host/x"
