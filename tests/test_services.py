"""The private servers for tests start, answer, and are gone afterwards in any case."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psycopg
import pytest

from scripts import services

SHOW = f'echo "${services.POSTGRES} ${services.REDIS}"'


def port_of(url: str) -> int:
    return int(url.rpartition(":")[2].partition("/")[0])


def gone(postgres: str, redis: str) -> bool:
    return not services.postgres_answers(postgres) and not services.redis_answers(port_of(redis))


@pytest.fixture
def private(monkeypatch):
    monkeypatch.setenv(services.PRIVATE, "1")
    monkeypatch.delenv(services.POSTGRES, raising=False)
    monkeypatch.delenv(services.REDIS, raising=False)


@pytest.mark.soak
def test_private_servers_live_as_long_as_their_block(private):
    with services.postgres() as postgres, services.redis() as redis:
        with psycopg.connect(postgres, autocommit=True) as connection:
            connection.execute("CREATE DATABASE one")
        assert services.redis_answers(port_of(redis))
        assert port_of(postgres) != services.POSTGRES_PORT
    assert gone(postgres, redis)


def test_a_command_gets_their_addresses_and_gives_its_status(private):
    command = [sys.executable, services.__file__, "sh", "-c", f"{SHOW}; exit 7"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 7
    assert gone(*done.stdout.split())


@pytest.mark.soak
def test_they_stop_when_the_one_who_started_them_is_killed(private, monkeypatch, request):
    # Their folders stay behind then. Not in tmp_path: that is closed to the user whom PostgreSQL runs as.
    folder = tempfile.mkdtemp()
    request.addfinalizer(lambda: shutil.rmtree(folder))
    Path(folder).chmod(0o755)
    monkeypatch.setenv("TMPDIR", folder)
    command = [sys.executable, services.__file__, "sh", "-c", f"{SHOW}; exec sleep 60"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True) as started:
        assert started.stdout is not None
        addresses = started.stdout.readline().split()
        started.kill()
        os.killpg(started.pid, signal.SIGKILL)  # the command too
    deadline = time.monotonic() + 60
    while not gone(*addresses) or [*Path(folder).glob("*/data/postmaster.pid")]:  # which PostgreSQL removes last
        assert time.monotonic() < deadline, "still running"


def test_a_missing_server_is_told_in_plain_words(private, monkeypatch):
    monkeypatch.setattr("shutil.which", lambda name: None)
    with pytest.raises(services.ServiceError, match=r"The tests need Redis: none is installed"), services.redis():
        pass


def test_addresses_that_are_given_are_used(monkeypatch):
    monkeypatch.setenv(services.POSTGRES, "postgresql://somewhere/else")
    monkeypatch.setenv(services.REDIS, "redis://somewhere")
    with services.postgres() as postgres, services.redis() as redis:
        assert (postgres, redis) == ("postgresql://somewhere/else", "redis://somewhere")
