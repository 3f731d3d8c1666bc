"""Makes a site of the documents, with search and the library's reference, that is read with or without a network.

    python -m scripts.site [FOLDER]      or make site; it is begun at FOLDER/index.html (dist/site)

What a document says of files that aren't documents leads to the repository. Everything the pages load lies beside them.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from functools import cache
from pathlib import Path

from cardhouse.engine import catalogue_of, find_game
from hatch_build import npm

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
SITE = ROOT / "dist" / "site"
SHIM = ROOT / "web" / "node_modules" / "iframe-worker" / "shim" / "index.js"
"""Where there is no server, browsers start no worker, which the search is; it stands in for one."""
SHIM_ADDRESS = "https://unpkg.com/iframe-worker/shim"
LINK = re.compile(r"""(?<=\]\()(?!https?:|#)[^)#\s]+|(?<=src=")(?!https?:)[^"]+""")

NAV: dict[str, list[str]] = {
    "Tutorials": ["first-table", "your-own-game"],
    "How-to: play": ["initiative", "hackjack", "dogpile", "dogs", "faq"],
    "How-to: host": ["hosting", "conventions", "administration", "operations"],
    "How-to: write games and bots": ["authors", "agents"],
    "How-to: use the lab": ["lab"],
    "Reference": [
        *("glossary", "cli", "bots", "author-api", "page-contract", "protocol", "transcript"),
        *("stability", "dependencies"),
    ],
    "How-to: release": ["releasing"],
    "Explanation": ["architecture", "trust", "deal-together", "dogs-fallout", "dogpile-bots", "dogs-bots"],
    "Findings": [
        *(f"findings-{of}" for of in ("hackjack", "initiative", "gunfight", "dogpile", "dogpile-decks")),
        *(f"findings-{of}" for of in ("dogs", "dogs-dice", "feel", "sensitivity")),
    ],
}
GAMES = ("initiative", "hackjack", "gunfight", "dogpile", "dogs")
LIBRARY = {
    "cardhouse.cards": "Cards and decks",
    "cardhouse.engine": "Tables, questions and games",
    "cardhouse.testing": "Tests for a game",
    "cardhouse.lab": "Odds and simulation",
}


def build(site: Path = SITE) -> None:
    """Build the site into this folder, which is made anew.

    Raises CalledProcessError if a link leads nowhere, PageError if the page's parts can't be installed.
    """
    npm()  # in a checkout that took its page from the cache, the page's parts aren't installed
    with tempfile.TemporaryDirectory(prefix="cardhouse-site-") as name:
        folder = Path(name)
        write_sources(folder / "docs")
        (folder / "zensical.toml").write_text(configuration(), "utf-8")
        command: list[str | Path] = [Path(sys.executable).with_name("zensical"), "build", "--strict"]
        environment = {**os.environ, "NO_COLOR": "1"}
        subprocess.run(command, cwd=folder, check=True, env=environment, stdout=subprocess.PIPE, text=True)
        bring_along(folder / "site")
        shutil.rmtree(site, ignore_errors=True)
        shutil.copytree(folder / "site", site)


def write_sources(to: Path) -> None:
    """The documents, with links that hold there, and a page for each part of the library."""
    shutil.copytree(DOCS, to)
    for document in [*DOCS.glob("*.md"), ROOT / "README.md"]:
        text = rewritten(document)
        (to / ("index.md" if document.parent == ROOT else document.name)).write_text(text, "utf-8")
    for module, title in LIBRARY.items():
        (to / f"{module}.md").write_text(f"# {title}\n\n::: {module}\n", "utf-8")
    for game in GAMES:
        (to / f"rules-{game}.md").write_text(rules_of(game), "utf-8")


def rules_of(game: str) -> str:
    """A game's rules, each under its id, with our rulings and the house rules that change it."""
    about = catalogue_of(find_game(game))
    parts = [f"# {about.words.title}: rules"]
    for key, rule in about.rules.items():
        ours = [f"**{word}:** {text}" for word, text in (("Ruling", rule.ruling), ("House rule", rule.option)) if text]
        parts += [f"## {key}: {rule.title}", rule.text, *ours]
    return "\n\n".join(parts) + "\n"


def rewritten(document: Path) -> str:
    """Its text, with links that hold on the site."""
    return LINK.sub(lambda link: led_from(document, link[0]), document.read_text("utf-8"))


def led_from(document: Path, link: str) -> str:
    """Where a link leads there: to another page, or to the repository."""
    target = (document.parent / link).resolve()
    if target.is_relative_to(DOCS) and target.is_file():
        return target.relative_to(DOCS).as_posix()
    if target == ROOT / "README.md":
        return "index.md"
    kind = "tree" if target.is_dir() else "blob"
    return f"{source()}/{kind}/main/{target.relative_to(ROOT).as_posix()}"


@cache
def source() -> str:
    """Where pyproject.toml says that the repository is."""
    return str(tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["urls"]["Source"])


def configuration() -> str:
    """The site's plan: its pages in their order."""
    parts = ['{ "Cardhouse" = "index.md" }']
    for title, pages in NAV.items():
        there = ", ".join(f'"{page}.md"' for page in pages)
        parts.append(f'{{ "{title}" = [{there}] }}')
    rules = ", ".join(f'"rules-{game}.md"' for game in GAMES)
    parts.append(f'{{ "Rules" = [{rules}] }}')
    library = ", ".join(f'{{ "{title}" = "{module}.md" }}' for module, title in LIBRARY.items())
    parts.append(f'{{ "The library" = [{library}] }}')
    return f"""\
[project]
site_name = "Cardhouse"
site_description = "Play card-driven tabletop games with friends in a browser."
docs_dir = "docs"
site_dir = "site"
use_directory_urls = false
nav = [{", ".join(parts)}]

[project.theme]
font = false
features = ["navigation.sections", "search.highlight", "content.code.copy"]

[project.plugins.offline]

[project.plugins.mkdocstrings.handlers.python]
paths = ['{ROOT / "src"}']

[project.plugins.mkdocstrings.handlers.python.options]
members = true
show_source = false
show_root_toc_entry = false
show_symbol_type_toc = true
separate_signature = true
docstring_style = "google"
filters = ["!^_", "!^__all__$"]
"""


def bring_along(site: Path) -> None:
    """What pages would load from elsewhere lies beside them instead."""
    shutil.copyfile(SHIM, site / "assets" / "shim.js")
    for page in site.rglob("*.html"):
        up = "../" * (len(page.relative_to(site).parts) - 1)
        page.write_text(page.read_text("utf-8").replace(SHIM_ADDRESS, f"{up}assets/shim.js"), "utf-8")


if __name__ == "__main__":
    build(*map(Path, sys.argv[1:2]))
