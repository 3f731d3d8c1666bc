"""Another package's game: a copy of card initiative's folder under another name, with its own entry points.

It stands outside the checkout, in a package of its own, and is installed beside Cardhouse's wheel.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.once import made_once
from tests.walkthrough import ROOT, install

COPIED = "initiative"
NAME = "skirmish"
BINARY = {".woff", ".woff2"}
"""Files that are copied as they are: the world's typefaces."""

OWN_WORDS = "Seen by a view of its own."
"""Beside the table's name, so that its view can be told from what it is a copy of."""

PROJECT = """\
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "skirmish"
version = "1"
dependencies = ["cardhouse"]

[project.entry-points."cardhouse.games"]
skirmish = "skirmish.rules:Skirmish"

[project.entry-points."cardhouse.lab"]
skirmish = "skirmish.lab.questions:QUESTIONS"

[project.entry-points."cardhouse.agents"]
skirmish = "skirmish.agent:SkirmishScene"

[project.entry-points."cardhouse.print"]
tiers = "skirmish.commands:print_tiers"

[project.entry-points."cardhouse.commands"]
tiers = "skirmish.commands:tiers"
"""

PRINT = """\
from cardhouse.print.pen import Face, Paper, Pen
from skirmish.state import TIERS


def tiers_pdf(paper: Paper) -> bytes:
    with Pen(paper, "Skirmish") as pen:
        pen.page()
        for row, (tier, ranks) in enumerate(TIERS.items(), start=1):
            pen.text(20, 20 * row, f"{tier}: {' '.join(ranks)}", Face.SERIF_BOLD, 24)
        return pen.finish()
"""

COMMANDS = """\
import typer

from cardhouse.cli.options import Paper


def tiers() -> None:
    '''List the tiers of a skirmish.'''
    from skirmish.state import TIERS

    typer.echo(" ".join(TIERS))


def print_tiers(paper: Paper = "a4", output: str = "tiers.pdf") -> None:
    '''Print the tiers of a skirmish, to hang up.'''
    from cardhouse.cli.printing import write_pdf
    from cardhouse.print.pen import PAPERS
    from skirmish.print import tiers_pdf

    write_pdf(tiers_pdf(PAPERS[paper]), output, [])
"""


def install_outside(folder: Path) -> dict[str, str]:
    """Write the game into `folder/outside`, and install it into `folder/site`, with Cardhouse as it would be published.

    The page in it is the one that was built, if one was. Returns the environment in which both are found.
    """
    package = folder / "outside" / NAME
    ours = ROOT / "src" / "cardhouse" / "games" / COPIED
    shutil.copytree(ours, package, ignore=shutil.ignore_patterns("__pycache__"))
    for file in list(package.rglob("*.*")):
        if file.suffix not in BINARY:
            file.write_text(renamed(file.read_text("utf-8")), "utf-8")
        file.rename(file.with_name(renamed(file.name)))
    summary = package / "page" / "Summary.svelte"
    summary.write_text(summary.read_text().replace("{#if view.round > 0}", f"{OWN_WORDS}\n{{#if view.round > 0}}"))
    (package / "print").mkdir()
    (package / "print" / "__init__.py").write_text(PRINT)
    (package / "commands.py").write_text(COMMANDS)
    (package.parent / "pyproject.toml").write_text(PROJECT)
    install_published(folder / "site", package.parent)
    return {**os.environ, "PYTHONPATH": str(folder / "site")}


def renamed(text: str) -> str:
    """What is said of card initiative, said of the copy."""
    text = text.replace(f"cardhouse.games.{COPIED}", NAME)
    return text.replace(COPIED, NAME).replace(COPIED.capitalize(), NAME.capitalize())


def install_published(site: Path, *packages: Path) -> None:
    """Install Cardhouse as it would be published, from its wheel, into a folder, and these packages beside it."""
    shutil.copytree(made_once("published", _install_wheel), site)
    install(site, *packages)


def _install_wheel(site: Path) -> None:
    with TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder]
        subprocess.run(command, cwd=ROOT, env={**os.environ, "CARDHOUSE_SKIP_PAGE": "1"}, stdout=sys.stderr, check=True)
        install(site, *Path(folder).glob("cardhouse-*.whl"))


def page_with(env: dict[str, str], folder: Path) -> None:
    """Build the page of the Cardhouse that is installed there anew, with the view of the game outside."""
    site = Path(env["PYTHONPATH"]) / "cardhouse" / "server" / "page"
    command = [sys.executable, "hatch_build.py", "with", str(folder / "outside" / NAME)]
    subprocess.run(command, cwd=ROOT, env={**os.environ, "CARDHOUSE_PAGE": str(site)}, stdout=sys.stderr, check=True)
