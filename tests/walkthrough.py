"""Extracts the walk-through's game from CONTRIBUTING.md and installs it, as a reader would."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from tests.once import made_once

ROOT = Path(__file__).resolve().parent.parent
TRANSCRIPTS = ROOT / "tests" / "transcripts"
"""The golden transcripts of our own games, in a folder for each."""

_HEADED = re.compile(r"^`([^`\n]+)`\n\n```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def files_in(document: str) -> dict[str, str]:
    """The code blocks of a document that stand under a file's name, by that name."""
    return dict(_HEADED.findall((ROOT / document).read_text("utf-8")))


def write_files(document: str, folder: Path) -> None:
    """Write those files into a folder."""
    for name, text in files_in(document).items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")


def install_highest(folder: Path) -> dict[str, str]:
    """Write *highest card wins* into `folder/highest` and install it into `folder/site`.

    Returns the environment in which Cardhouse finds it.
    """
    made = made_once("highest", _install_highest)
    shutil.copytree(made, folder, dirs_exist_ok=True)
    path = os.pathsep.join(filter(None, (str(folder / "site"), os.environ.get("PYTHONPATH", ""))))
    return {**os.environ, "PYTHONPATH": path}


def _install_highest(folder: Path) -> None:
    write_files("CONTRIBUTING.md", folder)
    install(folder / "site", folder / "highest")


def install(site: Path, *packages: Path) -> None:
    """Install packages, from their folders or as wheels, into a folder of their own, without any network."""
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", "install"]
    offline = ["--no-index", "--no-deps", "--no-build-isolation"]
    subprocess.run([*pip, *offline, "--target", site, *packages], check=True)
