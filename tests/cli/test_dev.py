"""`cardhouse dev`, as far as it shows on the terminal; tests/browser/test_dev.py has what the page shows."""

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from cardhouse.testing.serving import serving_house
from tests import asking
from tests.asking import connect
from tests.cli.conftest import Run
from tests.serving import said_by

NAME = "red_dog"

Change = Callable[[str, str, str], None]


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game that was just begun."""
    folder = tmp_path_factory.mktemp("begun")
    command = [sys.executable, "-m", "cardhouse", "new", NAME]
    subprocess.run(command, cwd=folder, stdout=subprocess.DEVNULL, check=True)
    return folder / NAME


@pytest.fixture
def game(begun: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(begun, tmp_path / NAME))


@pytest.fixture
def change(game: Path) -> Change:
    """Saves a file of the game anew."""

    def change(file: str, old: str, new: str) -> None:
        text = (game / file).read_text("utf-8")
        assert old in text
        (game / file).write_text(text.replace(old, new), "utf-8")

    return change


class Terminal:
    """What `cardhouse dev` has printed: the address, the links by whose they are, and what comes then."""

    def __init__(self, server: "subprocess.Popen[str]", said: str) -> None:
        assert server.stdout is not None
        self.server = server
        self.address = said.splitlines()[0].split()[-1]
        self.links = {line[2:].split("  ")[0]: line.split()[-1] for line in said.splitlines() if "#" in line}
        self.lines = iter(server.stdout)

    def waits_for(self, text: str) -> str:
        """The line that has this in it."""
        return next(line for line in self.lines if text in line)

    def sits(self, whose: str) -> dict[str, object]:
        """What somebody is told of the table, by their link."""
        table, _, token = self.links[whose].rpartition("/")[2].partition("#")
        with connect(self.address.replace("http", "ws") + "ws") as socket:
            return said_by(socket, {"t": "sit", "table": table, "token": token}, "table")


@pytest.fixture
def terminal(game: Path) -> Iterator[Terminal]:
    with serving_house(str(game), "--no-browser", command="dev") as (server, said):
        yield Terminal(server, said)


@pytest.fixture(scope="module")
def unchanged(begun: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Terminal, Path]]:
    """A game that nobody changes, and its folder."""
    game = Path(shutil.copytree(begun, tmp_path_factory.mktemp("unchanged") / NAME))
    with serving_house(str(game), "--no-browser", command="dev") as (server, said):
        yield Terminal(server, said), game


def test_it_prints_the_links_of_all_seats(unchanged: tuple[Terminal, Path]):
    terminal, _ = unchanged
    others = [f"{name} (careful bot)" for name in ("Ada", "Ben", "Cem", "Dot")]
    assert list(terminal.links) == [
        "You, the game master",
        *others,
        "The table screen",
    ], "nobody else can sit down: bots have all the seats"
    assert terminal.sits("You, the game master")["you"] == "gm"
    assert terminal.sits("Ben (careful bot)")["you"] == "p2"
    assert terminal.sits("The table screen")["you"] == "screen"


@pytest.mark.soak
def test_ctrl_c_closes_the_house_while_the_next_process_still_starts(game: Path):
    """A terminal tells all processes of it, those too that have hardly begun."""
    command = [sys.executable, "-m", "cardhouse", "dev", str(game), "--port", "0", "--no-browser"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, start_new_session=True) as server:
        assert server.stdout is not None
        while "Ctrl-C" not in server.stdout.readline():
            pass
        os.killpg(server.pid, signal.SIGINT)
        out, err = server.communicate()
    assert (server.returncode, out, err) == (0, "\nThe server has stopped.\n", "")


def test_its_files_are_in_a_folder_that_git_ignores(unchanged: tuple[Terminal, Path]):
    _, game = unchanged
    assert {file.name for file in game.iterdir()} == {"pyproject.toml", NAME, "tests", ".cardhouse"}
    assert (game / ".cardhouse" / ".gitignore").read_text() == "*\n"


MISTAKES = [
    (
        f"{NAME}/words.toml",
        'stop = "Stop"',
        '# stop = "Stop"',
        "red_dog/words.toml has no words for stop of its actions: write under [actions], stop = ",
    ),
    (f"{NAME}/rules.toml", "title = ", "titel = ", "line 2: R-1.titel is an unknown field; did you mean title?"),
    (f"{NAME}/__init__.py", "Offer((seat,), More)", "Offer((seat), More)", 'write Offer(("gm",), More), with a comma'),
    ("pyproject.toml", "cardhouse.games", "cardhouse.gmaes", "pyproject.toml names no game"),
    (
        f"{NAME}/points.py",
        "HIGHEST = 10",
        "HIGHEST = 1 / 0",
        "red_dog/points.py, line 7: ZeroDivisionError: division by zero",
    ),
]
"""A file, what it says, what it should not say, and what is said of that."""


@pytest.mark.soak
def test_a_mistake_is_shown_until_it_is_fixed(terminal: Terminal, change: Change):
    """Each is mended as the next is made."""
    before: tuple[str, str, str] | None = None
    for file, right, wrong, sentence in MISTAKES:
        change(file, right, wrong)
        if before is not None:
            change(*before)
        terminal.waits_for(sentence)
        before = (file, wrong, right)
    assert before is not None
    change(*before)
    terminal.waits_for("red_dog reloaded.")


@pytest.mark.soak
def test_rules_that_stumble_at_the_table_say_where(terminal: Terminal, change: Change):
    change(f"{NAME}/__init__.py", "self.turned.append(card)", "self.turned.add(card)")
    terminal.waits_for("red_dog reloaded.")
    table, _, token = terminal.links["You, the game master"].rpartition("/")[2].partition("#")
    with connect(terminal.address.replace("http", "ws") + "ws") as socket:
        said_by(socket, {"t": "sit", "table": table, "token": token}, "table")
        answer = {"t": "answer", "id": "a" * 22, "at": 0, "answer": {"do": "more"}}
        told = said_by(socket, answer, "error")["message"]
    assert told == (
        "The game crashed at red_dog/__init__.py, line 65: AttributeError: 'list' object has no attribute 'add'."
    )
    terminal.waits_for(told)


@pytest.mark.soak
def test_a_house_that_ends_by_itself_is_opened_again(terminal: Terminal, change: Change):
    change(f"{NAME}/__init__.py", "self.turned.append(card)", '__import__("os")._exit(1)')
    terminal.waits_for("red_dog reloaded.")
    table, _, token = terminal.links["You, the game master"].rpartition("/")[2].partition("#")
    with connect(terminal.address.replace("http", "ws") + "ws") as socket:
        said_by(socket, {"t": "sit", "table": table, "token": token}, "table")
        socket.send(json.dumps({"t": "answer", "id": "a" * 22, "at": 0, "answer": {"do": "more"}}))
        terminal.waits_for("The server stopped unexpectedly and was restarted.")
    terminal.waits_for("red_dog reloaded.")
    assert terminal.sits("You, the game master")["n"] == 0


@pytest.mark.soak
def test_a_loop_that_never_ends_is_ended_by_the_next_change(terminal: Terminal, change: Change):
    change(f"{NAME}/__init__.py", "self.turned.append(card)", "while True: pass")
    terminal.waits_for("red_dog reloaded.")
    table, _, token = terminal.links["You, the game master"].rpartition("/")[2].partition("#")
    with connect(terminal.address.replace("http", "ws") + "ws") as socket:
        said_by(socket, {"t": "sit", "table": table, "token": token}, "table")
        socket.send(json.dumps({"t": "answer", "id": "a" * 22, "at": 0, "answer": {"do": "more"}}))
        change(f"{NAME}/__init__.py", "while True: pass", "self.turned.append(card)")
        terminal.waits_for("red_dog reloaded.")
    assert terminal.sits("You, the game master")["n"] == 0


@pytest.mark.soak
def test_a_game_that_cannot_be_loaded_at_first_is_waited_for(game: Path, change: Change):
    change(f"{NAME}/__init__.py", "def keep(self)", "def keep(self")
    command = [sys.executable, "-m", "cardhouse", "dev", str(game), "--port", "0", "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            assert "red_dog/__init__.py, line 83: invalid syntax" in server.stdout.readline()
            change(f"{NAME}/__init__.py", "def keep(self", "def keep(self)")
            address = server.stdout.readline().split()[-1]
            assert asking.get(f"{address}api/games/{NAME}").json()["title"] == "Red dog"
        finally:
            server.kill()


@pytest.mark.soak
def test_a_folder_is_opened_once_at_a_time(unchanged: tuple[Terminal, Path]):
    _, game = unchanged
    command = [sys.executable, "-m", "cardhouse", "dev", str(game), "--port", "0", "--no-browser"]
    second = subprocess.run(command, capture_output=True, text=True)
    assert second.returncode == 2
    assert second.stderr.startswith("cardhouse: Another server has the database ")


@pytest.mark.soak
def test_new_makes_another_table(game: Path):
    """Without it the same is there the next time (tests/browser/test_dev.py)."""
    tables = []
    for options in ((), ("--new",)):
        with serving_house(str(game), "--no-browser", *options, command="dev") as (server, said):
            tables.append(Terminal(server, said).links["You, the game master"].rpartition("/")[2])
            server.send_signal(signal.SIGINT)
            server.wait()
    assert tables[0] != tables[1]
    assert json.loads((game / ".cardhouse" / "table.json").read_text())["id"] == tables[1].partition("#")[0]


def test_a_user_already_in_the_folder_is_told_so(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (inside := tmp_path / "red_dog").mkdir()
    monkeypatch.chdir(inside)
    status, _, err = run("dev", "red_dog", "--no-browser")
    assert status == 2
    assert "you are already in that folder, so write a dot for it: cardhouse dev ." in err


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (None, "pyproject.toml: name the folder of a game's package, as cardhouse new NAME writes one."),
        ("[project", "pyproject.toml can't be read: "),
        ("[tool]", "pyproject.toml needs a [project] table with a name and entry points"),
        ('project = "red_dog"', "pyproject.toml needs a [project] table with a name and entry points"),
        ('[project]\nname = "red_dog"', 'pyproject.toml names no game: write [project.entry-points."cardhouse.games"]'),
    ],
)
def test_a_folder_that_is_no_games(run: Run, tmp_path: Path, text: str | None, why: str):
    if text is not None:
        (tmp_path / "pyproject.toml").write_text(text)
    status, _, err = run("dev", tmp_path, "--no-browser")
    assert status == 2
    assert why in err
