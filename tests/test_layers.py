"""Dependencies point downward, and games know nothing of each other but their parts (CONTRIBUTING.md)."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parent.parent / "src" / "cardhouse"
DOCS = PACKAGE.parent.parent / "docs"

BELOW = {
    "cards": set(),
    "engine": {"cards"},
    "player": {"cards", "engine"},
    "testing": {"cards", "engine", "player"},
    "lab": {"cards", "engine", "player"},
    "print": {"cards", "engine"},
    "agents": {"cards", "engine", "player"},
    "games": {"cards", "engine"},
    "server": {"cards", "engine", "lab", "player"},
    "cli": {"cards", "engine", "lab", "server", "print", "testing"},
}
"""What each part may import, beside itself and the package's own version."""
ROOMS = {
    "lab": {"lab"},
    "print": {"print"},
    "agent": {"agents"},
    "commands": {"cli", "lab", "print"},
}
"""What the rooms of a game's folder may import beside what its rules may, and its other rooms."""
FLOORS = {
    "engine": ("values", "chance", "game", "diagnostics", "table", "authoring", "integrity"),
    "lab": ("statistics", "questions", "kernels", "running", "words", "plots", "search", "reports"),
    "server": (
        *("core", "wire", "persistence", "process", "jobs", "cluster", "access", "transport"),
        *("table", "transcripts", "files", "management", "api", "socket", "lab", "app"),
    ),
}
"""The folders of a part, bottom up: none imports, when it is loaded, one that stands further up."""
PARTS = {"gunfight": {"initiative", "hackjack"}}
"""The games that are parts of another."""


def imported(file: Path) -> Iterator[str]:
    """The names of the modules a file imports, inside functions too."""
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, "imports are absolute here"
            yield node.module or ""


@cache
def modules() -> list[tuple[str, tuple[str, ...], str]]:
    """Each file, its place in the package, and what it imports of Cardhouse, one by one."""
    return list(_modules())


def _modules() -> Iterator[tuple[str, tuple[str, ...], str]]:
    for file in PACKAGE.rglob("*.py"):
        place = file.relative_to(PACKAGE).with_suffix("").parts
        for name in imported(file):
            if name.startswith("cardhouse."):
                yield str(file.relative_to(PACKAGE)), place, name


@pytest.mark.parametrize("part", BELOW)
def test_a_part_knows_nothing_of_those_above_it(part: str):
    for file, place, name in modules():
        if place[0] == part:
            beside = ROOMS.get(place[2], set()) if part == "games" and len(place) > 2 else set()
            assert name.split(".")[1] in {part, *BELOW[part], *beside}, f"{file} imports {name}"


@pytest.mark.parametrize("part", FLOORS)
def test_a_folder_knows_nothing_of_those_above_it(part: str):
    floors = FLOORS[part]
    assert {folder.parent.name for folder in (PACKAGE / part).glob("*/__init__.py")} == set(floors)
    for file in (PACKAGE / part).glob("*/**/*.py"):
        here = file.relative_to(PACKAGE / part).parts[0]
        for name in loaded(file):
            there = name.split(".")
            if there[:2] == ["cardhouse", part] and len(there) > 2:
                assert there[2] in floors[: floors.index(here) + 1], f"{file} imports {name}"


@pytest.mark.parametrize("part", FLOORS)
def test_the_architecture_page_shows_the_folders_as_they_are(part: str):
    """Each with the first sentence of its docstring, in the order in which they may import each other."""
    _, _, table = (DOCS / "architecture.md").read_text("utf-8").partition(f"| folder of `{part}` | content |\n")
    shown = [line.strip("| ").split(" | ") for line in table.partition("\n\n")[0].splitlines()[1:]]
    assert [name.strip("`") for name, _ in shown] == list(FLOORS[part])
    for name, content in shown:
        docstring = ast.get_docstring(ast.parse((PACKAGE / part / name.strip("`") / "__init__.py").read_text("utf-8")))
        assert docstring is not None
        assert docstring.splitlines()[0].rstrip(".").casefold() == content.casefold(), name


def test_the_terms_of_the_code_are_where_contributing_says():
    _, _, terms = (DOCS.parent / "CONTRIBUTING.md").read_text("utf-8").partition("### Terms of the code")
    named = re.findall(r"`((?:engine|lab|player|server|testing)/[\w/.]+)`", terms.partition("\n## ")[0])
    assert len(named) > 20
    assert [one for one in named if not (PACKAGE / one).exists()] == []


def loaded(file: Path) -> Iterator[str]:
    """The modules that a file imports as soon as it is imported itself."""
    for node in ast.parse(file.read_text("utf-8")).body:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""


def test_a_game_knows_only_its_parts():
    for file, place, name in modules():
        there = name.split(".")[2:]
        if place[0] == "games" and len(place) > 2 and name.startswith("cardhouse.games."):
            here = place[1]
            is_shared = not (PACKAGE / "games" / there[0]).is_dir()
            assert is_shared or there[0] in {here, *PARTS.get(here, ())}, f"{file} imports {name}"


def test_rules_know_nothing_of_the_other_rooms():
    for file, place, name in modules():
        there = name.split(".")
        if place[0] == "games" and len(place) > 2 and place[2] not in ROOMS and there[1] == "games":
            assert not set(there[3:4]) & set(ROOMS), f"{file} imports {name}"


def test_each_class_name_stands_for_one_thing():
    """Games have terms of their own, and the socket's frames are named after the protocol's words."""
    places: dict[str, list[str]] = {}
    for file in PACKAGE.rglob("*.py"):
        place = file.relative_to(PACKAGE).with_suffix("").parts
        if "starter" not in place and place[0] != "games" and place != ("server", "wire", "protocol"):
            for node in ast.parse(file.read_text("utf-8")).body:
                if isinstance(node, ast.ClassDef):
                    places.setdefault(node.name, []).append("/".join(place))
    assert {name: several for name, several in places.items() if len(several) > 1} == {}


def test_every_part_has_its_place():
    parts = {folder.name for folder in PACKAGE.iterdir() if any(folder.glob("*.py"))}
    assert parts <= set(BELOW)


GAME = re.compile(
    r"(?<![a-z])(?:"
    + "|".join(game.name for game in (PACKAGE / "games").iterdir() if (game / "rules.py").exists())
    + r")(?![a-z])"
)
PAGE = PACKAGE.parent.parent / "web" / "src"
PAGE_FLOORS = (
    *("i18n", "lib", "stores", "api", "art", "fairness", "client", "ui", "views"),
    *("forms", "options", "minute", "log", "table", "joining", "recap", "replay", "preview", "campaigns", "menu"),
    *("home", "admin", "lessons", "designer", "printing", "lab", "elements", "basicView", "pages"),
)
"""The folders of the page, bottom up: none imports, when it is loaded, one that stands further up."""
NOT_FOR_VIEWS = {"home", "admin", "lessons", "designer", "printing", "lab", "elements", "basicView", "pages"}
"""The folders of the page that games' views don't use."""
MOST_MODULES = 25


def test_no_code_outside_a_games_folder_names_it():
    named = [
        f"{file.relative_to(PACKAGE)}: {word}"
        for file in PACKAGE.rglob("*.py")
        if file.relative_to(PACKAGE).parts[0] != "games"
        for word in words_of(file)
        if GAME.search(word)
    ]
    assert not named


def words_of(file: Path) -> Iterator[str]:
    """Names and texts in a file's code; docstrings may give examples."""
    tree = ast.parse(file.read_text("utf-8"))
    prose = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in prose:
            yield node.value.lower()
        elif isinstance(node, ast.Name | ast.Attribute | ast.alias):
            yield (
                node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else node.name
            ).lower()


def test_no_code_of_the_page_outside_a_games_folder_names_it():
    files = code_of_the_page(PAGE)
    assert len(files) > 50
    named = [str(file.relative_to(PAGE)) for file in files if GAME.search(without_comments(file.read_text("utf-8")))]
    assert not named


@pytest.mark.parametrize("game", sorted(folder.parent.name for folder in PACKAGE.glob("games/*/page")))
def test_a_view_is_made_with_the_page_and_its_parts(game: str):
    views = {(PACKAGE / "games" / part / "page").resolve() for part in (game, *PARTS.get(game, ()))}
    for file in code_of_the_page(PACKAGE / "games" / game / "page"):
        for name in re.findall(r"\b(?:from|import)\s*\(?\s*['\"]([^'\"]+)", file.read_text("utf-8")):
            first, *further = name.split("/")
            if first in (".", ".."):
                found = (file.parent / name.partition("?")[0]).resolve()
                assert views & set(found.parents), f"{file} imports {name}"
                assert found.is_file(), f"{file} imports {name}"
            else:
                of_the_page = first == "$page" and further[0] in PAGE_FLOORS and further[0] not in NOT_FOR_VIEWS
                assert first in ("svelte", "$contract") or of_the_page, f"{file} imports {name}"


def test_a_folder_of_the_page_knows_nothing_of_those_above_it():
    assert {folder.name for folder in PAGE.iterdir() if folder.is_dir() and code_of_the_page(folder)} == {*PAGE_FLOORS}
    for place, floor in enumerate(PAGE_FLOORS):
        for file in code_of_the_page(PAGE / floor):
            for name in LOADED.findall(file.read_text("utf-8")):
                found = (file.parent / name).resolve()
                if PAGE in found.parents and found.parent != PAGE and found.suffix in (".ts", ".svelte"):
                    assert found.relative_to(PAGE).parts[0] in PAGE_FLOORS[: place + 1], f"{file} imports {name}"


LOADED = re.compile(r"""^\s*(?:import|export)\s(?!type\b)(?:[^'"();]*?\sfrom\s)?\s*['"](\.[^'"?]+)""", re.MULTILINE)
"""The relative imports of TypeScript that load a module at once."""


def test_the_architecture_page_shows_the_folders_of_the_page():
    _, _, table = (DOCS / "architecture.md").read_text("utf-8").partition("| folder of `web/src` | content |\n")
    shown = [line.split("|")[1].strip(" `") for line in table.partition("\n\n")[0].splitlines()[1:]]
    assert shown == [*PAGE_FLOORS]


def test_no_folder_holds_more_modules_than_can_be_surveyed():
    modules = [*PACKAGE.rglob("*.py"), *code_of_the_page(PAGE), *code_of_the_page(PACKAGE / "games")]
    sizes = Counter(file.parent for file in modules)
    assert len(sizes) > 100
    assert {str(folder): size for folder, size in sizes.items() if size > MOST_MODULES} == {}


def test_the_folders_of_games_pages_have_the_same_names():
    """A place of the view, a module of the page contract, or a theme that CONTRIBUTING names."""
    _, _, named = (DOCS.parent / "CONTRIBUTING.md").read_text("utf-8").partition("In `page/`,")
    allowed = set(re.findall(r"`(\w+)/`", named.partition("\n\n")[0]))
    assert len(allowed) > 5
    for page in PACKAGE.glob("games/*/page"):
        assert {folder.name for folder in page.iterdir() if folder.is_dir()} <= allowed, page


def code_of_the_page(folder: Path) -> list[Path]:
    """The files of code below a folder that are no tests."""
    return [file for file in folder.rglob("*.*") if file.suffix in (".ts", ".svelte") and ".test." not in file.name]


def without_comments(code: str) -> str:
    return re.sub(r"/\*.*?\*/|<!--.*?-->|^\s*//.*$", "", code, flags=re.DOTALL | re.MULTILINE)
