"""Provide PostgreSQL and Redis for tests and benchmarks.

Servers running on this machine are used if they let us in; otherwise private ones are started, and stopped at the end.

    python scripts/services.py COMMAND ...   run a command with CARDHOUSE_TEST_POSTGRES and CARDHOUSE_TEST_REDIS set

With CARDHOUSE_TEST_PRIVATE=1 private ones are started in any case.
"""

import ctypes
import getpass
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

import psycopg

POSTGRES = "CARDHOUSE_TEST_POSTGRES"
REDIS = "CARDHOUSE_TEST_REDIS"
PRIVATE = "CARDHOUSE_TEST_PRIVATE"

POSTGRES_PORT = 5432
REDIS_PORT = 6379
START_SECONDS = 60.0
DIE_WITH_PARENT = 1  # Linux's PR_SET_PDEATHSIG
# Looked up before any fork: a process forked while other threads run should load nothing.
_prctl = ctypes.CDLL(None).prctl if sys.platform == "linux" else None


class ServiceError(Exception):
    """A server is missing or won't start; the message says which, why and what to do."""


@contextmanager
def postgres() -> Iterator[str]:
    """Yield the URL of a PostgreSQL whose user may create databases."""
    if url := os.environ.get(POSTGRES):
        yield url
        return
    if not os.environ.get(PRIVATE):
        for user in ("postgres", getpass.getuser()):
            url = postgres_url(user, POSTGRES_PORT)
            if postgres_answers(url):
                yield url
                return
    with private_postgres() as url:
        yield url


@contextmanager
def redis() -> Iterator[str]:
    """Yield the URL of a Redis."""
    if url := os.environ.get(REDIS):
        yield url
    elif not os.environ.get(PRIVATE) and redis_answers(REDIS_PORT):
        yield redis_url(REDIS_PORT)
    else:
        with private_redis() as url:
            yield url


class Service(NamedTuple):
    """A server that can be started, stopped and killed repeatedly; its data are in its folder.

    `stop` is the signal for an orderly stop: the default makes PostgreSQL stop at once, despite open connections.
    """

    name: str
    command: list[str | Path]
    folder: Path
    owner: pwd.struct_passwd
    ready: Callable[[], bool]
    url: str
    log: str = "log"
    stop: signal.Signals = signal.SIGINT


@contextmanager
def postgres_service(where: Path | None = None) -> Iterator[Service]:
    """Create a private PostgreSQL, not started yet, in a temporary folder inside `where`."""
    postgres = find_postgres()
    owner = postgres_owner()
    with tempfile.TemporaryDirectory(prefix="cardhouse-postgres-", dir=where) as name:
        folder = Path(name)
        os.chown(folder, owner.pw_uid, owner.pw_gid)
        data = folder / "data"
        made = subprocess.run(
            [postgres.with_name("initdb"), data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "-N"],
            cwd=folder,
            user=owner.pw_uid,
            group=owner.pw_gid,
            extra_groups=[] if os.geteuid() == 0 else None,
            capture_output=True,
            text=True,
        )
        if made.returncode:
            raise ServiceError(f"PostgreSQL could not make a database folder: {made.stderr.strip()}")
        port = free_port()
        url = postgres_url("postgres", port)
        command: list[str | Path] = [postgres, "-D", data, "-p", str(port), "-h", "127.0.0.1", "-k", folder]
        yield Service("PostgreSQL", command, folder, owner, lambda: postgres_answers(url), url)


@contextmanager
def redis_service() -> Iterator[Service]:
    """Create a private Redis without persistence, not started yet."""
    program = shutil.which("redis-server")
    if program is None:
        raise ServiceError(
            f"The tests need Redis: none is installed, and none on port {REDIS_PORT} lets us in "
            f"without a password. Install it, or name one in {REDIS}."
        )
    with tempfile.TemporaryDirectory(prefix="cardhouse-redis-") as name:
        folder = Path(name)
        port = free_port()
        command: list[str | Path] = [program, "--bind", "127.0.0.1", "--port", str(port), "--dir", folder]
        command += ["--save", "", "--appendonly", "no"]
        yield Service("Redis", command, folder, ourselves(), lambda: redis_answers(port), redis_url(port))


def listening(command: Sequence[object], port: int, log: Path) -> Service:
    """Return a service for any other command that listens on this port of loopback, and ends at SIGTERM."""
    name, *arguments = map(str, command)
    url = f"http://127.0.0.1:{port}"
    return Service(
        Path(name).name,
        [name, *arguments],
        log.parent,
        ourselves(),
        lambda: not is_free(port),
        url,
        log.name,
        signal.SIGTERM,
    )


def ourselves() -> pwd.struct_passwd:
    """Return the user that runs this."""
    return pwd.getpwuid(os.geteuid())


@contextmanager
def private_postgres() -> Iterator[str]:
    """Start a private PostgreSQL in a temporary folder."""
    with postgres_service() as service, running(service):
        yield service.url


@contextmanager
def private_redis() -> Iterator[str]:
    """Start a private Redis without persistence."""
    with redis_service() as service, running(service):
        yield service.url


@contextmanager
def running(service: Service) -> Iterator[int]:
    """Run a server during the block, once it answers; yield its process id.

    Raises ServiceError, with its log, if it doesn't start.
    """
    log = service.folder / service.log
    with log.open("wb") as output:
        server = subprocess.Popen(
            service.command,
            cwd=service.folder,
            user=service.owner.pw_uid,
            group=service.owner.pw_gid,
            extra_groups=[] if os.geteuid() == 0 else None,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,  # otherwise Ctrl-C would end it before the tests that use it
            preexec_fn=stop_with_parent,
        )
    try:
        deadline = time.monotonic() + START_SECONDS
        while not service.ready():
            if server.poll() is not None or time.monotonic() > deadline:
                raise ServiceError(f"{service.name} would not start:\n{log.read_text(errors='replace').strip()}")
            time.sleep(0.05)
        yield server.pid
    finally:
        server.send_signal(service.stop)
        try:
            server.wait(START_SECONDS)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


def stop_with_parent() -> None:
    """Make Linux stop this process when its parent dies, even by SIGKILL."""
    if _prctl is not None:
        _prctl(DIE_WITH_PARENT, signal.SIGINT)


def find_postgres() -> Path:
    """Find the server program, which Debian doesn't put on the PATH."""
    installed = Path("/usr/lib/postgresql").glob("*/bin/postgres")
    newest_first = sorted(installed, key=lambda path: float(path.parts[4]), reverse=True)
    on_path = shutil.which("postgres")
    for program in [*newest_first, *([Path(on_path).resolve()] if on_path else [])]:
        if program.with_name("initdb").exists():
            return program
    raise ServiceError(
        f"The tests need PostgreSQL: none is installed, and none on port {POSTGRES_PORT} lets us in "
        f"without a password. Install it, or name one in {POSTGRES}."
    )


def postgres_owner() -> pwd.struct_passwd:
    """Return the user for PostgreSQL: ours, but never root, which it refuses."""
    if os.geteuid() != 0:
        return ourselves()
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    raise ServiceError("PostgreSQL can't run as root, and there is no user 'postgres' or 'nobody' to run it as.")


def postgres_answers(url: str) -> bool:
    """Return whether a PostgreSQL lets us in."""
    try:
        psycopg.connect(url, connect_timeout=2).close()
    except psycopg.OperationalError:
        return False
    return True


def redis_answers(port: int) -> bool:
    """Return whether a Redis answers on this port without a password."""
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=2) as connection:
            connection.sendall(b"PING\r\n")
            return connection.recv(7) == b"+PONG\r\n"
    except OSError:
        return False


def postgres_url(user: str, port: int) -> str:
    """Return the URL of the database that every PostgreSQL has."""
    return f"postgresql://{user}@127.0.0.1:{port}/postgres"


def redis_url(port: int) -> str:
    """Return the URL of a Redis on this machine."""
    return f"redis://127.0.0.1:{port}/0"


def free_port() -> int:
    """Find a free port on loopback."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def ports_in_a_row(count: int) -> list[int]:
    """Find this many consecutive free ports."""
    while True:
        first = free_port()
        ports = list(range(first, first + count))
        if all(is_free(port) for port in ports):
            return ports


def is_free(port: int) -> bool:
    """Return whether this port of loopback is free."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) != 0


def main(command: list[str]) -> int:
    """Run a command with both servers available; return its exit status."""
    if not command:
        print((__doc__ or "").strip(), file=sys.stderr)
        return 2
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        with ExitStack() as stack:
            environment = {
                **os.environ,
                POSTGRES: stack.enter_context(postgres()),
                REDIS: stack.enter_context(redis()),
            }
            return subprocess.run(command, env=environment).returncode
    except ServiceError as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
