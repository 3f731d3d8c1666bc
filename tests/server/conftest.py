"""Servers for the tests of this folder: on SQLite and on PostgreSQL, each with a database of its own."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.conftest import new_database
from tests.server.talking import FAST, Server, close_sockets, running

KINDS = ("sqlite", pytest.param("postgres", marks=pytest.mark.soak))
"""Which database a server has in tests of what it does with any: the contract of a store, and all that several servers
do with PostgreSQL, are tested on both in the first tier."""


@pytest.fixture(params=KINDS)
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of a new, empty database."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/cards.db"
    url: str = request.getfixturevalue("postgres_url")
    return url


@pytest.fixture(scope="module", params=KINDS)
def house(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server for all tests of a module, which make tables of their own."""
    folder = tmp_path_factory.mktemp("house")
    with a_database(request, folder) as database, running(database, *FAST, log=folder / "log") as server:
        yield server


@contextmanager
def a_database(request: pytest.FixtureRequest, folder: Path) -> Iterator[str]:
    """The URL of a new, empty database of the kind that the fixture is asked for, until the end of the block."""
    if request.param == "sqlite":
        yield f"sqlite:///{folder}/cards.db"
        return
    with new_database(*map(request.getfixturevalue, ("postgres_server", "postgres_template"))) as url:
        yield url


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server on SQLite for all tests of a module that would say the same of any database."""
    folder = tmp_path_factory.mktemp("server")
    with running(f"sqlite:///{folder}/cards.db", *FAST, log=folder / "log") as found:
        yield found


@pytest.fixture(scope="module")
def two(
    postgres_server: str, postgres_template: str, redis_url: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Server, Server]]:
    """Two servers on one PostgreSQL, which hear of each other through Redis, for all tests of a module."""
    folder = tmp_path_factory.mktemp("two")
    with (
        new_database(postgres_server, postgres_template) as url,
        running(url, *FAST, "--redis", redis_url, log=folder / "a") as one,
        running(url, *FAST, "--redis", redis_url, log=folder / "b") as other,
    ):
        yield one, other
    logs = (folder / "a").read_text() + (folder / "b").read_text()
    assert "Traceback" not in logs, logs


@pytest.fixture(autouse=True)
def _leave_tidy(request: pytest.FixtureRequest) -> Iterator[None]:
    """No test may leave a socket open, or a traceback in its server's log."""
    yield
    close_sockets()
    for name in {"house", "server"} & set(request.fixturenames):
        assert "Traceback" not in request.getfixturevalue(name).log.read_text()
