"""Another package's scene is found next to ours; a broken one is reported."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from cardhouse.agents.registry import class_for, scenes
from cardhouse.games.initiative.agent import InitiativeScene
from tests.installed import look_anew

STRANGER = """\
from cardhouse.games.initiative.agent import InitiativeScene

class Scene(InitiativeScene):
    game = "duel"
"""


@pytest.fixture(autouse=True)
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "duel_agents.py").write_text(STRANGER)
    info = tmp_path / "duel-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Name: duel\nVersion: 1\n")
    entries = ("duel = duel_agents:Scene", "gone = duel_agents:Gone", "wrong = duel_agents:Scene")
    (info / "entry_points.txt").write_text("\n".join(["[cardhouse.agents]", *entries]))
    look_anew()
    yield
    monkeypatch.undo()
    look_anew()


def test_they_are_found() -> None:
    with pytest.warns(UserWarning, match="Agents can't play") as warned:
        found = scenes()
    assert list(found) == ["dogpile", "dogs", "duel", "gunfight", "hackjack", "initiative"]
    assert issubclass(found["duel"], InitiativeScene)
    assert class_for(found["duel"], object, "Env").__name__ == "DuelEnv"
    assert [str(one.message).partition(":")[0] for one in warned] == [
        "Agents can't play gone",
        "Agents can't play wrong",
    ]
