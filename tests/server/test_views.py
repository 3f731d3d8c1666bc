"""Games' page files are served from their packages, and nothing else is (docs/page-contract.md)."""

import json
import os
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

import cardhouse
from cardhouse.engine import game_names
from cardhouse.testing.serving import serving_house
from tests import asking
from tests.asking import connect
from tests.serving import said_by
from tests.views import PAGE, install_with_page

TOYS = Path(__file__).parents[1] / "browser" / "toys"


class Own:
    """A house that has the game with a page of its own."""

    def __init__(self, folder: Path, address: str, server: "subprocess.Popen[str]") -> None:
        self.game = folder / "site" / "highest"
        self.address = address
        self.server = server

    def get(self, path: str, **headers: str) -> httpx.Response:
        return asking.get(f"{self.address}{path.removeprefix('/')}", headers=headers)

    def page(self, game: str = "highest") -> dict[str, dict[str, object]]:
        page: dict[str, dict[str, object]] = self.get(f"api/games/{game}").raise_for_status().json()["page"]
        return page

    def folder(self) -> str:
        """The address of the page's folder."""
        return str(self.page()["view"]["module"]).rpartition("/")[0]


@contextmanager
def opened(folder: Path, env: dict[str, str]) -> Iterator[Own]:
    with serving_house("--db", f"sqlite:///{folder / 'cards.db'}", env=env) as (server, said):
        yield Own(folder, said.splitlines()[0].split()[-1], server)


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Own]:
    """A house that has it and, from another package, two games without a page."""
    folder = tmp_path_factory.mktemp("views")
    env = install_with_page(folder)
    with opened(folder, {**env, "PYTHONPATH": os.pathsep.join((env["PYTHONPATH"], str(TOYS)))}) as own:
        yield own


def test_the_administrator_learns_which_packages_run_scripts(own: Own) -> None:
    key = (own.game.parents[1] / "cards.db-admin-key").read_text("utf-8").strip()
    packages = own.get("api/house/tables", Authorization=f"Bearer {key}").json()["packages"]
    assert packages == [
        {"name": "cardhouse", "version": cardhouse.__version__, "games": list(game_names()), "scripts": True},
        {"name": "highest", "version": "1", "games": ["highest"], "scripts": True},
        {"name": "toys", "version": "1", "games": ["hush", "posse"], "scripts": False},
    ]
    assert own.get("api/games/hush").json()["page"] == {}


def test_its_modules_are_named_and_may_be_kept_for_ever(own: Own) -> None:
    page = own.page()
    assert sorted(page) == ["judge", "minute", "options", "view", "world"]
    assert re.fullmatch(r"/games/highest/[0-9a-f]{16}/index\.js", str(page["view"]["module"]))
    assert page["view"]["styles"] == [f"{own.folder()}/index.css"]
    assert "styles" not in page["judge"]
    for file in PAGE.rglob("*.*"):
        answer = own.get(f"{own.folder()}/{file.relative_to(PAGE).as_posix()}")
        assert answer.text == file.read_text("utf-8")
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert "script-src 'self'" in answer.headers["content-security-policy"]
    assert own.get(str(page["view"]["module"])).headers["content-type"].startswith("text/javascript")


def test_its_sign_is_listed_as_ours_are(own: Own) -> None:
    games = {game["name"]: game for game in own.get("api/games").json()}
    assert games["highest"]["sign"] == (PAGE / "sign.svg").read_text("utf-8").strip()
    assert games["highest"]["judge"] is True
    for name in game_names():
        assert games[name]["minute"] is True
        assert games[name]["sign"].startswith("<svg ")


@pytest.mark.parametrize("game", game_names())
def test_built_in_views_are_reported_the_same_way(own: Own, game: str) -> None:
    view = own.page(game)["view"]
    for address in (view["module"], *view["styles"], *view.get("preload", [])):  # type: ignore[misc]
        assert own.get(str(address)).status_code == 200, address
    assert "export{" in own.get(str(view["module"])).text.replace(" ", "")


def test_how_a_table_looks_is_told_with_its_drawings(own: Own) -> None:
    games = {game["name"]: game for game in own.get("api/games").json()}
    assert games["highest"]["world"] == own.page()["world"]
    assert own.page()["world"] == {
        **json.loads((PAGE / "world" / "world.json").read_text("utf-8")),
        "poster": f"{own.folder()}/world/poster.svg",
    }
    for name in game_names():
        world = games[name]["world"]
        assert len(world["cloth"]) == 3
        for part in ("horizon", "texture", "poster", "back", "face"):
            assert own.get(world[part]).status_code == 200, (name, part)


@pytest.fixture(scope="module")
def secretive(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Own]:
    """A house whose game has files beside its page that are nobody's business."""
    folder = tmp_path_factory.mktemp("secretive")
    env = install_with_page(folder)
    (folder / "site" / "highest" / "page" / "world" / "world.json").write_text('{"cloth": ["red"]}')
    for name in (".hidden.js", "notes.py", "view.svelte"):
        (folder / "site" / "highest" / "page" / name).write_text("secret")
    with opened(folder, env) as own:
        yield own


@pytest.mark.parametrize(
    "path",
    [
        "{folder}/",
        "{folder}/missing.js",
        "{folder}/../../../rules.toml",
        "{folder}/%2e%2e/%2e%2e/__init__.py",
        "{folder}/..%2f__init__.py",
        "{folder}/.hidden.js",
        "{folder}/notes.py",
        "{folder}/view.svelte",
        "/games/highest/0000000000000000/index.js",
        "/games/highest/page/index.js",
        "/games/initiative/index.js",
        "{initiative}/../index.ts",
        "{initiative}/../sign.svg",
    ],
)
def test_nothing_else_of_a_package_is_served(secretive: Own, path: str) -> None:
    initiative = str(secretive.page("initiative")["world"]["poster"]).rpartition("/")[0]
    answer = secretive.get(path.format(folder=secretive.folder(), initiative=initiative))
    assert answer.status_code == 404
    assert "secret" not in answer.text


def test_a_world_that_cannot_be_read_is_not_told(secretive: Own) -> None:
    assert "world" not in secretive.page()


@pytest.mark.soak
def test_another_content_has_another_address(tmp_path: Path) -> None:
    env = install_with_page(tmp_path)
    with opened(tmp_path, env) as own:
        before = own.folder()
    (tmp_path / "site" / "highest" / "page" / "parts" / "row.js").write_text("export const row = 1")
    with opened(tmp_path, env) as own:
        assert own.folder() != before
        assert own.get(f"{before}/index.js").status_code == 404


@pytest.mark.soak
def test_a_page_that_is_too_large_is_not_served_and_the_log_says_so(tmp_path: Path) -> None:
    env = install_with_page(tmp_path)
    page = tmp_path / "site" / "highest" / "page"
    with (page / "large.png").open("wb") as file:
        file.truncate(40 * 2**20)
    (page / "sign.svg").write_text("x" * 20_000)
    with opened(tmp_path, env) as own:
        assert own.page() == {}
        assert next(game["sign"] for game in own.get("api/games").json() if game["name"] == "highest") == ""
        own.server.kill()
        _, log = own.server.communicate()
    assert "is not served: it has more than 33554432 bytes" in log
    assert "sign.svg is not shown: a sign has 16384 bytes at most" in log


def test_what_a_page_says_of_a_view_that_failed_is_one_line_of_the_log_a_minute(tmp_path: Path) -> None:
    with opened(tmp_path, install_with_page(tmp_path)) as own:
        made = asking.post(f"{own.address}api/tables", json={"game": "highest", "seats": ["ada"]}).json()
        token = made["links"]["ada"]
        failed = {"t": "view_failed", "slot": "middle", "error": "TypeError: x\n2026-01-01 a forged line"}
        with connect(own.address.replace("http", "ws") + "ws") as socket:
            said_by(socket, {"t": "sit", "table": made["table"], "token": token}, "table")
            for _ in range(3):
                socket.send(json.dumps(failed))
            refused = said_by(socket, {**failed, "error": "x" * 500}, "error")
            assert refused["code"] == "malformed"
            said_by(socket, {"t": "ping"}, "pong")
        own.server.kill()
        _, log = own.server.communicate()
    lines = [line for line in log.splitlines() if "failed" in line]
    assert len(lines) == 1
    assert lines[0].endswith(
        r"A page says that the view of highest failed: 'TypeError: x\n2026-01-01 a forged line' in 'middle'"
    )
    assert token not in log
