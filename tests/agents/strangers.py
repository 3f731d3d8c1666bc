"""Games without a scene of their own: the walk-through's, a new package's and the engine's toys."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.installed import look_anew
from tests.walkthrough import ROOT, install, write_files

TOYS = ROOT / "tests" / "engine" / "toys"
INSTALLED = ("highest", "red_dog")
STRANGERS = (*INSTALLED, "toy", "duo", "egg", "sealed")


def install_strangers(folder: Path) -> Path:
    """Install the walk-through's game and that of `cardhouse new` into a folder; returns it."""
    write_files("CONTRIBUTING.md", folder)
    subprocess.run([sys.executable, "-m", "cardhouse", "new", "red_dog"], cwd=folder, check=True, capture_output=True)
    install(folder / "site", folder / "highest", folder / "red_dog")
    return folder / "site"


@contextmanager
def found_in(*folders: Path) -> Iterator[None]:
    """The games that are installed in these folders are found beside ours."""
    with pytest.MonkeyPatch.context() as patch:
        for folder in folders:
            patch.syspath_prepend(str(folder))
        look_anew()
        yield
    for module in [module for module in sys.modules if module.partition(".")[0] in INSTALLED]:
        del sys.modules[module]  # or a package would seem to be there that is on no path any more
    look_anew()
