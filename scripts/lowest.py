"""Install the lowest versions that pyproject.toml allows, and test Cardhouse with them.

    python -m scripts.lowest

They are installed into a separate environment, with the wheel as it would be published; then tests run that start the
server, talk to it by HTTP and WebSocket, send it pictures, print, and have the lab write reports.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from scripts.setup import PYTHON, ROOT, a_uv

RUN = ("pytest>=9", "pytest-timeout>=2.4", "pytest-xdist>=3.8", "hypothesis>=6.120", "httpx>=0.28", "pypdfium2>=5")
"""The tests' own requirements."""
TESTS = (
    "tests/server/test_http.py",
    "tests/server/test_protocol.py",
    "tests/server/test_pictures.py",
    "tests/cli/test_print.py",
    "tests/lab/test_report.py",
)


def main() -> int:
    """Install and test; return the exit status."""
    uv = a_uv()
    if uv is None:
        print("This takes uv, and there is none: pip install uv", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory(prefix="cardhouse-lowest-") as name:
        folder = Path(name)
        python = folder / "env" / PYTHON.relative_to(PYTHON.parent.parent)
        install: list[str | Path] = [*uv, "pip", "install", "--quiet", "--python", python]
        lowest = ["--resolution", "lowest-direct", "--extra", "lab", "--extra", "postgres", "--extra", "print"]
        wheel = [sys.executable, "-m", "pip", "--quiet", "wheel", "--no-build-isolation", "--no-deps", "-w", name, "."]
        ran([*uv, "venv", "--quiet", "--python", sys.executable, folder / "env"])
        ran([*install, *lowest, "-r", "pyproject.toml"])
        ran([*install, *RUN])
        ran(wheel)
        built: list[str | Path] = [*folder.glob("*.whl")]
        ran([*install, "--no-deps", *built])
        # outside the checkout's source, so that the wheel is imported
        return subprocess.run([python, "-m", "pytest", "-q", *TESTS], cwd=ROOT, env=environment()).returncode


def environment() -> dict[str, str]:
    """Return this process's environment without the path to the checkout's source."""
    return {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}


def ran(command: Sequence[str | Path]) -> None:
    """Run a program; raises CalledProcessError if it fails."""
    subprocess.run(command, cwd=ROOT, check=True)


if __name__ == "__main__":
    sys.exit(main())
