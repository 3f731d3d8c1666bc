"""The packages in `examples/`, installed next to Cardhouse's wheel, without the checkout."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from tests.outside import install_published
from tests.walkthrough import ROOT

EXAMPLES = ROOT / "examples"


def install_example(name: str, folder: Path) -> dict[str, str]:
    """Copy the package to `folder/NAME`, and install it into `folder/site` with Cardhouse as it would be published.

    Returns the environment in which both are found.
    """
    left_out = shutil.ignore_patterns("__pycache__", ".pytest_cache", "build", "*.egg-info")
    shutil.copytree(EXAMPLES / name, folder / name, ignore=left_out)
    install_published(folder / "site", folder / name)
    return {**os.environ, "PYTHONPATH": str(folder / "site"), "COLUMNS": "120"}


def runs(folder: Path, env: dict[str, str]) -> Callable[..., str]:
    """What runs Python in that environment, and gives what it prints; it must go well."""

    def python(*arguments: str) -> str:
        done = subprocess.run([sys.executable, *arguments], cwd=folder, env=env, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    return python
