"""Commands of other packages are found, listed and run like ours."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.installed import look_anew

TAROT = """\
import typer
from cardhouse.cli.options import Paper
from cardhouse.engine import CardhouseError

tarot = typer.Typer(invoke_without_command=True, add_completion=False)

@tarot.callback()
def tarot_():
    '''Ask the cards.'''

@tarot.command("ask")
def ask(question: str):
    '''Ask one question.'''
    if question == "me":
        raise CardhouseError("The cards don't know you.")
    typer.echo(f"{question}? The Tower.")

def print_tarot(paper: Paper = "a4"):
    '''Print the cards of fate.'''
    typer.echo(f"78 cards on {paper}")
"""

Install = Callable[..., None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Installs a package: its name, its source, and its entry points, by the last word of their groups."""

    def install(name: str, source: str, **groups: dict[str, str]) -> None:
        (tmp_path / f"{name}.py").write_text(source)
        info = tmp_path / f"{name}-1.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Name: {name}\nVersion: 1\n")
        lines = []
        for group, brought in groups.items():
            lines += [f"[cardhouse.{group}]", *(f"{typed} = {name}:{what}" for typed, what in brought.items())]
        (info / "entry_points.txt").write_text("\n".join(lines))
        look_anew()

    monkeypatch.syspath_prepend(str(tmp_path))
    yield install
    monkeypatch.undo()
    look_anew()


def test_a_package_brings_commands(run: Run, install: Install) -> None:
    install("tarot_cards", TAROT, commands={"tarot": "tarot"}, print={"tarot": "print_tarot"})
    assert "Ask the cards." in run("--help").out
    assert "Print the cards of fate." in run("print", "--help").out
    assert run("tarot", "ask", "Why") == (0, "Why? The Tower.\n", "")
    assert run("tarot", "ask", "me") == (2, "", "cardhouse: The cards don't know you.\n")
    assert run("print", "tarot", "--paper", "letter").out == "78 cards on letter\n"
    assert run("tarot", "ask").err.endswith("(See cardhouse tarot ask --help.)\n")


def test_a_broken_one_says_so_and_leaves_the_others(run: Run, install: Install) -> None:
    install("broken_cards", "import nothing_of_this_name", commands={"broken": "it"}, print={"broken": "it"})
    out = " ".join(run("--help").out.split())
    assert "broken can't be loaded: ModuleNotFoundError" in out
    assert "wounds" in out
    assert run("broken").status == 2
    assert run("print", "broken") == (
        2,
        "",
        "cardhouse: print broken can't be loaded: ModuleNotFoundError: No module named 'nothing_of_this_name'.\n",
    )
    out = " ".join(run("print", "--help").out.split())
    assert "print broken can't be loaded" in out
    assert "Make a PDF of Hackjack" in out


def test_broken_questions_of_the_lab_say_so_and_leave_the_others(run: Run, install: Install) -> None:
    install("broken_lab", "import nothing_of_this_name", lab={"dogs": "it"})
    out = " ".join(run("lab", "--help").out.split())
    assert "The questions of the lab about dogs can't be" in out
    assert "Hackjack: questions about its rules." in out
    for words in ((), ("price", "--cards", 2)):
        done = run("lab", "dogs", *words)
        assert done.status == 2
        assert "The questions of the lab about dogs can't be loaded: ModuleNotFoundError" in done.err


def test_a_packages_command_is_loaded_only_when_used(run: Run, install: Install) -> None:
    install("lazy_cards", "raise SystemError('loaded')", print={"lazy": "it"})
    assert run("print", "dogs", "--help").status == 0
    assert "loaded" not in run("--help").out


def test_none_takes_the_place_of_our_own(run: Run, install: Install) -> None:
    install("greedy_cards", TAROT, commands={"games": "print_tarot"})
    assert "Card initiative" in run("games").out
