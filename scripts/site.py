"""Build a site of the documentation, with search and the library's reference, readable with or without a network.

    python -m scripts.site [FOLDER]      or make site; open FOLDER/index.html (dist/site)

Links to files that aren't documentation lead to the repository. Everything that the pages load is next to them.
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
"""Replaces the search's worker where there is no server, because browsers then start no workers."""
SHIM_ADDRESS = "https://unpkg.com/iframe-worker/shim"
LINK = re.compile(r"""(?<=\]\()(?!https?:|#)[^)#\s]+|(?<=src=")(?!https?:)[^"]+""")

NAV: dict[str, list[str]] = {
    "Tutorials": ["first-table", "your-own-game"],
    "How-to: play": [
        *(
            "initiative",
            "hackjack",
            "dogpile",
            "dogs",
            "strikes",
            "campaigns",
            "accessibility",
            "lost-game-master",
            "browsers",
            "faq",
        ),
    ],
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
    """Build the site into this folder, replacing it.

    Raises CalledProcessError for a broken link, PageError if the page's packages can't be installed.
    """
    npm()  # not installed yet in a checkout that took its page from the cache
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
    """Write the documents, with links adapted to the site, and a page for each part of the library."""
    shutil.copytree(DOCS, to)
    for document in [*DOCS.glob("*.md"), ROOT / "README.md"]:
        text = rewritten(document)
        (to / ("index.md" if document.parent == ROOT else document.name)).write_text(text, "utf-8")
    for module, title in LIBRARY.items():
        (to / f"{module}.md").write_text(f"# {title}\n\n::: {module}\n", "utf-8")
    for game in GAMES:
        (to / f"rules-{game}.md").write_text(rules_of(game), "utf-8")


def rules_of(game: str) -> str:
    """Return a game's rules, each under its id, with our rulings and the house rules that change it.

    The credit of the original comes first.
    """
    about = catalogue_of(find_game(game))
    parts = [f"# {about.words.title}: rules", about.words.original]
    for key, rule in about.rules.items():
        ours = [f"**{word}:** {text}" for word, text in (("Ruling", rule.ruling), ("House rule", rule.option)) if text]
        parts += [f"## {key}: {rule.title}", rule.text, *ours]
    return "\n\n".join(parts) + "\n"


def rewritten(document: Path) -> str:
    """Return a document's text, with links adapted to the site."""
    return LINK.sub(lambda link: led_from(document, link[0]), document.read_text("utf-8"))


def led_from(document: Path, link: str) -> str:
    """Return a link's target on the site: another page, or the repository."""
    target = (document.parent / link).resolve()
    if target.is_relative_to(DOCS) and target.is_file():
        return target.relative_to(DOCS).as_posix()
    if target == ROOT / "README.md":
        return "index.md"
    kind = "tree" if target.is_dir() else "blob"
    return f"{source()}/{kind}/main/{target.relative_to(ROOT).as_posix()}"


@cache
def source() -> str:
    """Return the repository's address from pyproject.toml."""
    return str(tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["urls"]["Source"])


def configuration() -> str:
    """Return the site's configuration, with its pages in order."""
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
    """Copy what pages would load from elsewhere, and change the pages' links to it."""
    shutil.copyfile(SHIM, site / "assets" / "shim.js")
    for page in site.rglob("*.html"):
        up = "../" * (len(page.relative_to(site).parts) - 1)
        page.write_text(page.read_text("utf-8").replace(SHIM_ADDRESS, f"{up}assets/shim.js"), "utf-8")


if __name__ == "__main__":
    build(*map(Path, sys.argv[1:2]))
