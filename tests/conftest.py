"""What several tests need: servers and a browser. Each is found or started when a test first asks for it.

`make test` has pytest-xdist run the tests in several processes. Each has servers of its own, or databases of its own
where this machine's are used.
"""

import gc
import os
from collections import Counter, defaultdict
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from operator import itemgetter
from pathlib import Path
from random import Random
from secrets import token_hex

import psycopg
import pytest
from hypothesis import HealthCheck, settings

from cardhouse.testing.browser.chromium import chromium_path
from scripts import services
from tests.once import begin_run, end_run
from tests.thorough import many

ALONE = """
SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
"""
"""Closes what a killed server of the test before left open in the database."""

# The same examples each time, however slow the machine is.
settings.register_profile(
    "cardhouse",
    max_examples=many(100, 30),
    derandomize=True,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("cardhouse")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--folder-times", action="store_true", help="print the seconds that each folder's tests took")
    parser.addoption("--shuffle", type=int, metavar="SEED", help="run modules, and tests within each, in random order")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Print the time per folder, added up over all workers, so that growth is seen."""
    if not config.getoption("--folder-times"):
        return
    seconds: dict[Path, float] = defaultdict(float)
    tests: Counter[Path] = Counter()
    for report in (one for some in terminalreporter.stats.values() for one in some):
        if isinstance(report, pytest.TestReport):
            folder = Path(report.nodeid.partition("::")[0]).parent
            seconds[folder] += report.duration
            tests[folder] += report.when == "call"
    terminalreporter.section("time per folder")
    for folder, spent in sorted(seconds.items(), key=itemgetter(1), reverse=True):
        terminalreporter.write_line(f"{spent:7.1f} s  {tests[folder]:5} tests  {folder}")


def pytest_configure(config: pytest.Config) -> None:
    """The process that begins a run makes its folder, and removes it after all others have ended."""
    if not hasattr(config, "workerinput"):
        begin_run()
        config.add_cleanup(end_run)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """One file is sooner done here than by processes that would have to start first.

    Else there are half as many again as cores, for tests with a browser or a server wait a lot.
    """
    files = {argument.partition("::")[0] for argument in config.args}
    cores = os.cpu_count() or 1
    return 0 if len(files) == 1 and Path(*files).is_file() else cores + cores // 2


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Shuffle if asked to; tests that take long go first, or the other processes would wait for the last of them."""
    seed: int | None = config.getoption("--shuffle")
    if seed is not None:
        random = Random(seed)
        random.shuffle(items)
        places = {file: random.random() for file in sorted({item.path for item in items})}
        items.sort(key=lambda item: places[item.path])
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Have Python look for no garbage among thousands of tests, while they are collected and after, again and again."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.collect()
        gc.freeze()
        gc.enable()


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """The URL of a PostgreSQL where databases may be made."""
    try:
        with services.postgres() as url:
            yield url
    except services.ServiceError as error:
        pytest.fail(str(error), pytrace=False)


@contextmanager
def new_database(server: str, template: str = "template1") -> Iterator[str]:
    """The URL of a new PostgreSQL database, a copy of the template, which goes away at the end of the block."""
    name = f"cardhouse_test_{token_hex(6)}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
        try:
            yield f"{server.rpartition('/')[0]}/{name}"
        finally:
            connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


@pytest.fixture(scope="session")
def postgres_template(postgres_server: str) -> Iterator[str]:
    """The name of a database that has all of Cardhouse's tables, to be copied, and no rows."""
    from cardhouse.server.persistence.repository import Store

    with new_database(postgres_server) as url:
        Store(url).close()
        yield url.rpartition("/")[2]


@pytest.fixture(scope="session")
def _own_postgres(postgres_server: str, postgres_template: str) -> Iterator[str]:
    """A worker's own database with Cardhouse's tables: emptying it is quicker than making another."""
    with new_database(postgres_server, postgres_template) as url:
        yield url


@pytest.fixture(scope="session")
def _own_empty_postgres(postgres_server: str) -> Iterator[str]:
    """A worker's own database without tables."""
    with new_database(postgres_server) as url:
        yield url


@pytest.fixture
def postgres_url(_own_postgres: str) -> str:
    """The URL of a PostgreSQL database as Cardhouse's migrations leave it, which nobody else uses."""
    from cardhouse.server.persistence.schema import house, metadata

    emptied = [name for name in metadata.tables if name != house.name]  # that one always has its one row

    with psycopg.connect(_own_postgres, autocommit=True) as connection:
        connection.execute(ALONE)
        connection.execute(f"TRUNCATE {', '.join(emptied)} RESTART IDENTITY CASCADE".encode())
        connection.execute("UPDATE house SET days = 0, last_day = 0, message = ''")
    return _own_postgres


@pytest.fixture
def empty_postgres_url(_own_empty_postgres: str) -> str:
    """The URL of a PostgreSQL database with nothing in it, which nobody else uses."""
    with psycopg.connect(_own_empty_postgres, autocommit=True) as connection:
        connection.execute(ALONE)
        connection.execute("DROP SCHEMA public CASCADE")
        connection.execute("CREATE SCHEMA public")
    return _own_empty_postgres


@pytest.fixture(scope="session")
def redis_url() -> Iterator[str]:
    """The URL of a Redis; who uses it makes its own names for keys and channels."""
    try:
        with services.redis() as url:
            yield url
    except services.ServiceError as error:
        pytest.fail(str(error), pytrace=False)


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of the browser."""
    return _found(chromium_path())


@pytest.fixture(scope="session")
def whole_chromium() -> str:
    """The path of a browser that has windows."""
    return _found(chromium_path(whole=True))


def _found(path: str | None) -> str:
    if path is None:
        pytest.fail("The browser tests need Chromium, which is not installed. 'make test' installs it.", pytrace=False)
    return path
