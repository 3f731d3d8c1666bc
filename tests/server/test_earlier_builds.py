"""A page that was open over an upgrade of the server still gets the parts of its own build, for seven days."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.request import urlopen

import pytest

from cardhouse.server.core import earlier_builds
from cardhouse.server.core.earlier_builds import KEPT_SECONDS, EarlierBuilds
from cardhouse.server.core.static_cache import FOLDER
from tests.server.talking import FAST, Server, running

NOW = 1_790_000_000.0
DAY = 86_400


def build(folder: Path, **files: str) -> Path:
    """A page whose scripts have these contents."""
    (folder / "assets").mkdir(parents=True)
    for name, content in files.items():
        (folder / "assets" / f"{name}.js").write_text(content)
        (folder / "assets" / f"{name}.js.br").write_bytes(b"compressed")
    return folder


def has(builds: EarlierBuilds, *names: str) -> list[bool]:
    return [builds.find(f"assets/{name}.js") is not None for name in names]


@pytest.mark.parametrize("links", [True, False])
def test_files_are_kept_for_seven_days_after_they_were_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, links: bool
) -> None:
    if not links:
        monkeypatch.delattr(os, "link")
        monkeypatch.setattr(os, "link", refuse, raising=False)
    first, second = build(tmp_path / "first", menu="1", same="0"), build(tmp_path / "second", lab="2", same="0")
    builds = EarlierBuilds(tmp_path / "kept")
    builds.keep(first, NOW)
    builds.keep(second, NOW + 30 * DAY)  # it was served until then
    file = builds.find("assets/menu.js")
    assert file is not None
    assert (file.copies["identity"], file.media_type) == (b"1", "text/javascript")
    assert "immutable" in file.caching
    builds.keep(second, NOW + 30 * DAY + KEPT_SECONDS)
    assert has(builds, "menu", "same", "lab") == [True, True, True]
    builds.keep(second, NOW + 30 * DAY + KEPT_SECONDS + 1)
    assert has(builds, "menu", "same", "lab") == [False, True, True]


def refuse(*_: Path) -> None:
    raise PermissionError


def test_the_oldest_go_first_if_they_are_too_much(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(earlier_builds, "MOST_BYTES", 25)
    builds = EarlierBuilds(tmp_path / "kept")
    for number, name in enumerate("abcd"):
        builds.keep(build(tmp_path / name, **{name: 10 * name}), NOW + number)
    builds.keep(tmp_path / "d", NOW + 5)
    assert has(builds, "a", "b", "c", "d") == [False, True, True, True]


def test_nothing_else_is_found(tmp_path: Path) -> None:
    (tmp_path / "secret.js").write_text("x")
    builds = EarlierBuilds(tmp_path / "kept")
    builds.keep(build(tmp_path / "page", menu="1"), NOW)
    (tmp_path / "kept" / "assets" / ".part.js").write_text("x")
    for name in (
        "assets/../../secret.js",
        "../secret.js",
        "last-build.txt",
        "assets",
        "assets/",
        "assets/.part.js",
        "x",
    ):
        assert builds.find(name) is None


def test_without_a_place_it_does_without(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    page = build(tmp_path / "page", menu="1")
    nowhere = EarlierBuilds(None)
    nowhere.keep(page, NOW)
    assert nowhere.find("assets/menu.js") is None
    (tmp_path / "file").touch()
    EarlierBuilds(tmp_path / "file").keep(page, NOW)
    assert "may lose parts" in caplog.text


def test_a_server_goes_on_serving_earlier_builds_over_restarts(tmp_path: Path) -> None:
    kept = tmp_path / "cards.db-page"
    EarlierBuilds(kept).keep(build(tmp_path / "earlier", menu="earlier"), NOW)
    with running(f"sqlite:///{tmp_path}/cards.db", *FAST, log=tmp_path / "log") as server:
        for _ in range(2):
            assert fetched(server, "assets/menu.js") == b"earlier"
            server.stop()
            assert {path.name for path in (FOLDER / "assets").glob("*.js")} <= {
                path.name for path in (kept / "assets").iterdir()
            }
            server.start()
        os.utime(kept / "assets" / "menu.js", (NOW - KEPT_SECONDS, NOW - KEPT_SECONDS))
        server.stop()
        server.start()
        server.stop()
        assert not (kept / "assets" / "menu.js").exists()


def fetched(server: Server, path: str) -> bytes:
    with urlopen(f"http://127.0.0.1:{server.port}/{path}") as response:
        assert "immutable" in response.headers["cache-control"]
        content: bytes = response.read()
        return content
