"""The documents' examples run as written."""

import doctest
import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from itertools import takewhile
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

import cardhouse
from cardhouse.agents.scene import Scene
from cardhouse.cli import main
from cardhouse.engine import Ask, Game, Header, Offer, Seen, catalogue_of, find_game, game_names, read_header
from cardhouse.engine.values.errors import Code
from cardhouse.server.core.game_pages import WorldColours
from cardhouse.server.wire import protocol
from tests.installed import look_anew
from tests.walkthrough import ROOT, install, install_highest, write_files

DOCUMENTS = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", *(f"docs/{p.name}" for p in (ROOT / "docs").glob("*.md")))
BLOCK = re.compile(r"^(`[^`\n]+`\n\n)?```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(document: str, language: str) -> list[str]:
    """The code blocks of a language that are no files."""
    found = BLOCK.findall((ROOT / document).read_text("utf-8"))
    return [text for heading, name, text in found if name == language and not heading]


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """A folder with all the files that documents show, and an environment where the game they make is installed."""
    folder = tmp_path_factory.mktemp("documents")
    environment = install_highest(folder)
    for document in DOCUMENTS:
        write_files(document, folder)
    return folder, {**environment, "COLUMNS": "80", "NO_COLOR": "1"}


@pytest.fixture(scope="module")
def with_redblack(elsewhere: tuple[Path, dict[str, str]]) -> tuple[Path, dict[str, str]]:
    """The same, with the package of docs/authors.md installed as well, which the others' samples don't list."""
    folder, environment = elsewhere
    install(folder / "redblack_site", folder / "redblack")
    path = os.pathsep.join((str(folder / "redblack_site"), environment["PYTHONPATH"]))
    return folder, {**environment, "PYTHONPATH": path}


def test_the_protocol_says_every_code_of_an_error():
    said = set(re.findall(r"`([a-z_]+)`", (ROOT / "docs/protocol.md").read_text("utf-8")))
    assert set(get_args(Code)) <= said


SAMPLES = [
    pytest.param(text, id=f"{document} {number}")
    for document in DOCUMENTS
    for number, text in enumerate(blocks(document, "pycon"), start=1)
]


@pytest.mark.parametrize("text", SAMPLES)
def test_python_samples(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    for document in DOCUMENTS:
        write_files(document, tmp_path)
    sample = doctest.DocTestParser().get_doctest(text, {}, "sample", None, None)
    report: list[str] = []
    assert sample.examples
    assert doctest.DocTestRunner().run(sample, out=report.append).failed == 0, "".join(report)


def test_the_packages_own_sample():
    assert doctest.testmod(cardhouse) == (0, 3)


def commands(text: str) -> Iterator[tuple[str, str]]:
    """Each command of a console block, with what it is said to print."""
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, printed = part.partition("\n")
        yield command, printed


CONSOLE = [
    pytest.param(command, printed, id=f"{document} {command}")
    for document in DOCUMENTS
    if document != "docs/your-own-game.md"  # tests/examples/test_your_own_game.py
    for text in blocks(document, "console")
    for command, printed in commands(text)
    if command.startswith(("cardhouse ", "python ")) and not command.startswith("cardhouse serve")
]
PIPES = [
    pytest.param(command, printed, id=command[:40])
    for text in blocks("docs/trust.md", "console")
    for command, printed in commands(text)
    if command.startswith("printf ")
]


@pytest.fixture
def here(
    elsewhere: tuple[Path, dict[str, str]], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[Callable[[list[str]], tuple[int, str, str]]]:
    """Runs a command in this process, which has most of Cardhouse loaded, in the folder of the documents' files."""
    folder, environment = elsewhere

    def run(words: list[str]) -> tuple[int, str, str]:
        capsys.readouterr()
        return main(words), *capsys.readouterr()

    monkeypatch.chdir(folder)
    monkeypatch.syspath_prepend(str(folder / "site"))
    for name in ("COLUMNS", "NO_COLOR"):
        monkeypatch.setenv(name, environment[name])
    look_anew()
    yield run
    monkeypatch.undo()
    sys.modules.pop("highest", None)
    look_anew()


@pytest.mark.parametrize(("command", "printed"), CONSOLE)
def test_console_samples(command: str, printed: str, request: pytest.FixtureRequest):
    program, *words = shlex.split(command)
    if program == "cardhouse" and not is_of_redblack(command):
        status, out, err = request.getfixturevalue("here")(words)
    else:
        fixture = "with_redblack" if is_of_redblack(command) else "elsewhere"
        folder, environment = request.getfixturevalue(fixture)
        typed = [sys.executable, *(["-m", "cardhouse"] if program == "cardhouse" else []), *words]
        done = subprocess.run(typed, cwd=folder, env=environment, capture_output=True, text=True)
        status, out, err = done.returncode, done.stdout, done.stderr
    assert (status, err) == (0, "")
    if printed:
        assert bare(out) == bare(printed)


def is_of_redblack(command: str) -> bool:
    """Whether a command needs the package of docs/authors.md, which brings commands of its own."""
    return "redblack" in command or command.startswith("cardhouse chances")


@pytest.mark.parametrize(("command", "printed"), PIPES)
def test_commands_of_a_shell(command: str, printed: str):
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == (printed, "")


@pytest.mark.soak
def test_the_authors_package_passes_its_own_tests(with_redblack: tuple[Path, dict[str, str]]):
    folder, environment = with_redblack
    words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "redblack"]
    done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def bare(text: str) -> list[str]:
    """Lines without blanks at their ends."""
    return [line.rstrip() for line in text.strip().splitlines()]


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_block_is_of_a_tested_kind(document: str):
    found = BLOCK.findall((ROOT / document).read_text("utf-8"))
    assert {language for heading, language, _ in found if not heading} <= {"pycon", "console", "text", "json"}


@pytest.mark.parametrize("document", DOCUMENTS)
def test_json_samples_are_worlds_of_the_page_contract(document: str):
    for sample in blocks(document, "json"):
        assert msgspec.json.decode(sample, type=WorldColours).cloth


@pytest.mark.parametrize("document", DOCUMENTS)
def test_links_lead_somewhere(document: str):
    text = (ROOT / document).read_text("utf-8")
    for target, place in re.findall(r"(?:\]\(|src=\")([^)#\"]*)(?:#([^)]*))?[)\"]", text):
        if target.startswith("https://"):
            continue
        file = (ROOT / document).parent / target if target else ROOT / document
        assert file.exists(), target
        assert not place or place in headings(file), place


SHORT = ("README.md", *(f"docs/{name}.md" for name in ("campaigns", "strikes", "accessibility", "lost-game-master")))
"""Documents whose commands are indented, and whose labels are in italics."""


@pytest.mark.parametrize("document", SHORT)
def test_indented_commands_exist_with_their_options(document: str, here: Callable[[list[str]], tuple[int, str, str]]):
    for line in re.findall(r"^    (\S.*)$", (ROOT / document).read_text("utf-8"), re.MULTILINE):
        program, *words = shlex.split(line.replace("\\", "/"), comments=True)
        if program == "make":
            assert subprocess.run(["make", "--dry-run", *words], cwd=ROOT, capture_output=True).returncode == 0, line
        elif program == "python":
            assert f"python3 {' '.join(words)} " in (ROOT / words[0]).read_text("utf-8"), line
        elif program.endswith("cardhouse"):
            options = [word.partition("=")[0] for word in words if word.startswith("--")]
            names = list(takewhile(lambda word: not word.startswith("-"), words))
            status, out, err = here([*names, "--help"])
            assert (status, err) == (0, ""), line
            assert [option for option in options if option not in out] == [], line
        else:
            assert (program, words[0]) in {("git", "clone"), ("cd", "cardhouse")}, line


CURLY = "\N{RIGHT SINGLE QUOTATION MARK}"


def labels() -> Iterator[str]:
    """The page's and the games' texts, as patterns."""
    for file in (ROOT / "web" / "src" / "i18n").glob("en*.ts"):
        yield from re.findall(r"'((?:[^'\\\n]|\\.)+)'", file.read_text("utf-8"))
    for game in map(find_game, game_names()):
        words = msgspec.to_builtins(catalogue_of(game).words)
        yield from (text for table in words.values() if isinstance(table, dict) for text in leaves(table))


def leaves(table: dict[str, Any]) -> Iterator[str]:
    for text in table.values():
        yield from leaves(text) if isinstance(text, dict) else [text]


@pytest.mark.parametrize("document", SHORT[1:])
def test_labels_in_guides_are_those_of_the_page(document: str):
    known = {text.replace(CURLY, "'") for text in labels()}
    shown = re.findall(r"(?<![*\w])\*([^*\n]+)\*(?!\*)", (ROOT / document).read_text("utf-8").replace(CURLY, "'"))
    assert shown
    assert [label for label in shown if label not in known] == []


def test_the_readme_is_short_and_leads_with_a_command_that_works():
    text = (ROOT / "README.md").read_text("utf-8")
    assert len(text.split()) <= 600
    urls = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["urls"]
    assert text.index(f"git clone {urls['Source']}") < text.index("make play") < text.index("uvx")
    assert text.index("isn't on PyPI yet") < text.index("uvx")
    assert urls["Issues"] in text


def headings(file: Path) -> list[str]:
    """The names by which the headings of a document can be linked to."""
    found = re.findall(r"^#+ (.*)$", file.read_text("utf-8"), re.MULTILINE)
    return [re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in found]


def test_the_notation_is_as_it_is_described():
    text = (ROOT / "docs" / "transcript.md").read_text("utf-8")
    shown = [json.loads(line) for line in re.findall(r"^(?:\| `|    )(\{.*?\})(?:`| *$)", text, re.MULTILINE)]
    header, *lines = shown
    assert read_header(json.dumps(header)).game == "initiative"
    described = set(re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE))
    assert described == set(Header.__struct_fields__)
    kinds = {next(key for key in line if key != "by") for line in lines}
    assert kinds == {"do", "draw", "roll", "time", "links", "put_right", "undo", "redo", "seat", "device", "end"}
    words = {action.word() for game in ("initiative", "dogpile") for action in find_game(game).actions} | {"step"}
    assert {line["do"] for line in lines if "do" in line} <= words


def test_the_frames_are_as_they_are_described():
    text = (ROOT / "docs" / "protocol.md").read_text("utf-8")
    shown = re.findall(r"^\| `(\{.*?\})` \|", text, re.MULTILINE)
    for frame in shown:
        whole = re.sub(r'"[0-9a-f]{2}…"', f'"{"a" * 64}"', frame.replace("{…}", "{}"))
        protocol.decode(whole.replace('"…"', f'"{"a" * 22}"'))
    assert {json.loads(frame.replace("{…}", "{}"))["t"] for frame in shown} == set(protocol.WORDS)


def test_the_errors_are_as_they_are_listed():
    text = (ROOT / "docs" / "protocol.md").read_text("utf-8")
    listed = re.findall(r"`(\w+)`", text.partition("Codes: ")[2].partition("\n")[0])
    sources = "".join(file.read_text("utf-8") for file in (ROOT / "src" / "cardhouse").rglob("*.py"))
    assert [code for code in listed if f'"{code}"' not in sources] == []


def test_the_versions_agree():
    assert f"## [{cardhouse.__version__}]" in (ROOT / "CHANGELOG.md").read_text("utf-8")


NAMED_TEST = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_test_that_a_document_names_is_there(document: str):
    for file, name in NAMED_TEST.findall((ROOT / document).read_text("utf-8")):
        assert re.search(rf"^\s*(async )?def {name}\(", (ROOT / file).read_text("utf-8"), re.MULTILINE), (
            f"{file}::{name}"
        )


def test_every_promise_names_its_test():
    text = (ROOT / "docs/trust.md").read_text("utf-8")
    tables = re.findall(r"^\| promise \| test \|\n\| --- \| --- \|\n((?:\| .*\n)+)", text, re.MULTILINE)
    promises = [row for rows in tables for row in rows.splitlines()]
    assert len(promises) > 15
    assert [row for row in promises if not NAMED_TEST.search(row)] == []


@pytest.mark.parametrize("kind", [Game, Ask, Offer, Scene, Seen])
def test_the_authors_api_is_whole(kind: type):
    """All that an author may write or call is on the page of it."""
    named = set(re.findall(r"\w+", (ROOT / "docs/author-api.md").read_text("utf-8")))
    own = {name for name in [*kind.__annotations__, *vars(kind)] if not name.startswith("_")}
    assert own - named - INSIDE == set()


INSIDE = {
    # the engine's calls
    *("become_part_of", "usual_seats", "play_by", "run_interruption", "read_options", "as_kept_now"),
    *("is_open", "problems", "faults", "meant", "distance", "as_json"),
}


def test_the_browsers_told_are_those_that_the_page_is_built_for():
    built = re.search(r"target: \['chrome(\d+)', 'firefox(\d+)', 'safari([\d.]+)'\]", read("web/vite.config.ts"))
    assert built
    for file in ("docs/browsers.md", "web/index.html"):
        told = re.search(r"Chrome (?:and|or) Edge (\d+), Firefox\s+(\d+)(?:,| and) Safari ([\d.]+)", read(file))
        assert told, file
        assert tuple(number.rstrip(".") for number in told.groups()) == built.groups(), file


def read(file: str) -> str:
    return (ROOT / file).read_text("utf-8")
