"""The lab's cache is in each system's usual place."""

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
