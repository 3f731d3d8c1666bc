"""The lab's cache is in each system's usual place."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from cardhouse.lab.questions.paths import _caches, cache_folder

HOME = Path("/home/ada")


@pytest.mark.parametrize(
    ("platform", "environment", "folder"),
    [
        ("linux", {}, HOME / ".cache"),
        ("linux", {"XDG_CACHE_HOME": "/caches"}, Path("/caches")),
        ("darwin", {}, HOME / "Library" / "Caches"),
        ("darwin", {"XDG_CACHE_HOME": "/caches"}, Path("/caches")),
        ("win32", {}, HOME / "AppData" / "Local"),
        ("win32", {"LOCALAPPDATA": "/local", "XDG_CACHE_HOME": "/caches"}, Path("/local")),
    ],
)
def test_each_system_has_a_place_for_caches(platform: str, environment: dict[str, str], folder: Path):
    assert _caches(platform, environment, HOME) == folder


def test_ours_is_a_folder_in_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path))
    assert cache_folder() == tmp_path / "cardhouse"


NOBODY = """
import pwd, sys
def unknown(uid): raise KeyError(uid)
pwd.getpwuid = unknown  # as in a container that runs with any number as its user
sys.argv[0] = "cardhouse"
from cardhouse.cli import main
sys.exit(main())
"""


def by_nobody(tmp_path: Path, *asked: str) -> subprocess.CompletedProcess[str]:
    """What a command says to a user whom the system doesn't know."""
    gone = ("HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "TERM", "LANG", "USER", "CARDHOUSE_DATABASE")
    env = {name: value for name, value in os.environ.items() if name not in gone} | {"TMPDIR": str(tmp_path)}
    command = [sys.executable, "-c", NOBODY, *asked]
    return subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=env, check=False)


def test_without_a_home_a_run_has_a_cache_of_its_own_and_leaves_nothing(tmp_path: Path):
    """Another user's folder in the shared one for temporary files could hold machine code that isn't ours."""
    asked = by_nobody(tmp_path, "lab", "hackjack", "deadly", "--trials", "50")
    assert (asked.returncode, asked.stderr) == (0, "")
    assert [*tmp_path.iterdir()] == []


def test_without_a_home_a_database_is_asked_for(tmp_path: Path):
    asked = by_nobody(tmp_path, "tables", "list")
    assert asked.returncode == 2
    assert "This user has no home folder to keep a database in. Name a database: --db sqlite:///" in asked.stderr
    assert [*tmp_path.iterdir()] == []
