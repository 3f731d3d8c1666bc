"""Running a command as a person would, and the files for it."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from cardhouse.cli import main
from tests.installed import look_anew

FIGHT = """\
{"cardhouse":1,"game":"initiative","seats":["gm","ada","ben"],"names":{"ada":"Ada L."},"name":"Red Gulch"}
{"by":"gm","do":"add_character","name":"Nan","card":"HA","side":"Law","controller":"ada"}
{"by":"gm","do":"add_character","name":"Doc","card":"S10","side":"Gang","controller":"ben"}
{"by":"gm","do":"add_character","name":"Mole","card":"S5","side":"Gang","hidden":true}
{"by":"gm","do":"start_round"}
{"draw":"initiative","card":"S10"}
{"by":"ben","do":"wait","name":"Doc"}
{"draw":"initiative","card":"HA"}
{"by":"ada","do":"wait","name":"Nan"}
{"by":"ada","undo":1}
"""


class Outcome(NamedTuple):
    """What a command left: its exit status, and what it printed where."""

    status: int
    out: str
    err: str


Run = Callable[..., Outcome]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command line in this process, on a terminal of 80 columns without colours."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("NO_COLOR", "1")

    def run(*arguments: object) -> Outcome:
        capsys.readouterr()
        status = main([str(argument) for argument in arguments])
        return Outcome(status, *capsys.readouterr())

    return run


@pytest.fixture
def install_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str, str], None]]:
    """Installs a game from its name and source, for as long as the test runs; its class is called `TheGame`."""

    def install(name: str, source: str) -> None:
        (tmp_path / f"{name}.py").write_text(source)
        info = tmp_path / f"{name}-1.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Name: {name}\nVersion: 1\n")
        (info / "entry_points.txt").write_text(f"[cardhouse.games]\n{name} = {name}:TheGame\n")
        look_anew()

    monkeypatch.syspath_prepend(str(tmp_path))
    yield install
    monkeypatch.undo()
    look_anew()


@pytest.fixture
def fight(tmp_path: Path) -> Path:
    """A fight in its first round: Nan outranks Doc, who waits, and the Mole hides."""
    file = tmp_path / "fight.jsonl"
    file.write_text(FIGHT, "utf-8")
    return file
