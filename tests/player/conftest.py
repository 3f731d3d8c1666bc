from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.installed import look_anew

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
GAMES = {"magpies": "magpies.rules:Magpies", "showdown": "showdown.rules:Showdown"}
"""The strangers' games in `examples/`, by what their packages say."""


@pytest.fixture(autouse=True, scope="module")
def strangers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """They are installed, as the house's player knows nothing of them."""
    told = tmp_path_factory.mktemp("strangers") / "strangers-1.dist-info"
    told.mkdir()
    (told / "METADATA").write_text("Metadata-Version: 2.1\nName: strangers\nVersion: 1\n")
    lines = (f"{name} = {there}\n" for name, there in GAMES.items())
    (told / "entry_points.txt").write_text("[cardhouse.games]\n" + "".join(lines))
    with pytest.MonkeyPatch.context() as patch:
        for folder in (told.parent, *(EXAMPLES / game for game in GAMES)):
            patch.syspath_prepend(str(folder))
        look_anew()
        yield
    look_anew()
