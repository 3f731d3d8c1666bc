"""Set up a checkout: a Python environment in `.venv` and, for the tests, the programs they need.

    python3 scripts/setup.py run        what it takes to play
    python3 scripts/setup.py dev        what it takes to work on Cardhouse
    python3 scripts/setup.py venv       an empty environment, with pip
    python3 scripts/setup.py programs   Chromium, PostgreSQL and Redis, for the tests

It runs before anything is installed, so it uses only the standard library, and syntax that an older Python can read:
that gets a message about its version.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
# On Windows, an environment's programs have another folder and other names.
PYTHON = VENV / "Scripts" / "python.exe" if os.name == "nt" else VENV / "bin" / "python"

BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


class SetupError(Exception):
    """Setup can't continue; the message says why and what to do."""


def set_up(what: str) -> None:
    """Install exactly the locked packages, the built page and Cardhouse itself into `.venv`."""
    if sys.version_info < (3, 11):  # noqa: UP036 (the Python that runs this is the user's)
        raise SetupError(
            f"Cardhouse needs Python 3.11 or newer; {sys.executable} is {sys.version.split()[0]}. "
            "Name a newer one: make PYTHON=python3.12 ..."
        )
    make_environment()
    say("Installing the Python packages")
    install_packages(what)
    say("Building the page")
    if not ran([PYTHON, ROOT / "hatch_build.py"]):
        raise SetupError("The page could not be built.")
    if not pip("install", "--no-build-isolation", "--no-deps", "--editable", str(ROOT)):
        raise SetupError("Cardhouse itself could not be installed; pip's own messages are above.")


def install_packages(what: str) -> None:
    """Install the locked packages with uv, which takes a tenth of the time, or else with pip.

    uv ignores pip's configuration of a registry, so pip may work where it fails.
    """
    wanted = ["--require-hashes", "-r", str(ROOT / "requirements" / f"{what}.txt")]
    # Tests write no bytecode, and would otherwise compile everything repeatedly.
    compiled = ["--compile-bytecode"] if what == "dev" else []
    uv = a_uv()
    if uv and quiet([*uv, "pip", "install", "--quiet", "--python", PYTHON, *compiled, *wanted]):
        return
    if not pip("install", *wanted):
        raise SetupError("The Python packages could not be installed; pip's own messages are above.")


def a_uv() -> list[str | Path] | None:
    """Return a uv to run: the machine's own, or the locked one, installed into `.venv`."""
    if found := shutil.which("uv"):
        return [found]
    lock = ROOT / "requirements" / "uv.txt"
    if quiet([PYTHON, "-m", "pip", "--quiet", "install", "--require-hashes", "-r", lock]):
        return [PYTHON, "-m", "uv"]
    return None


def make_environment() -> None:
    """Create `.venv` with pip, unless it exists and works."""
    if not quiet([PYTHON, "-c", "import sys; sys.exit(sys.version_info < (3, 11))"]):
        say("Making a Python environment in .venv")
        if not ran([sys.executable, "-m", "venv", "--without-pip", "--clear", VENV]):
            raise SetupError("Python's module venv is missing. On Debian, as root: apt-get install python3-venv")
    if quiet([PYTHON, "-m", "pip", "--version"]):
        return
    # Debian's python3 lacks pip and ensurepip, but any user may download a Debian package.
    if not (pip_from_ensurepip() or pip_from_pip() or pip_from_debian()):
        raise SetupError(
            "There is no pip to install Python packages with, and none could be had. "
            "On Debian, as root: apt-get install python3-venv. Then run this again."
        )


def pip_from_ensurepip() -> bool:
    """Install the pip that comes with Python into `.venv`."""
    return find_spec("ensurepip") is not None and quiet([PYTHON, "-m", "ensurepip", "--default-pip"])


def pip_from_pip() -> bool:
    """Install pip into `.venv` with the system's pip."""
    return quiet([sys.executable, "-m", "pip", "--python", PYTHON, "install", "pip"])


def pip_from_debian() -> bool:
    """Install pip into `.venv` from Debian's wheel, without installing the package and without root."""
    if not (shutil.which("apt-get") and shutil.which("dpkg-deb")):
        return False
    say("Fetching pip")
    with tempfile.TemporaryDirectory(prefix="cardhouse-pip-") as name:
        folder = Path(name)
        # Use apt's own sources and keys, but lists in our folder: the system's may be empty, and belong to root.
        (folder / "lists" / "partial").mkdir(parents=True)
        (folder / "cache" / "archives" / "partial").mkdir(parents=True)
        apt = ["apt-get", "-qq", "-o", f"Dir::State::Lists={folder}/lists", "-o", f"Dir::Cache={folder}/cache"]
        apt += ["-o", "APT::Sandbox::User=", "-o", "APT::Update::Post-Invoke::="]
        if not (ran([*apt, "update"], cwd=folder) and ran([*apt, "download", "python3-pip-whl"], cwd=folder)):
            return False
        for package in folder.glob("*.deb"):
            if not ran(["dpkg-deb", "--extract", package, folder / "unpacked"]):
                return False
        wheels = [*folder.glob("unpacked/usr/share/python-wheels/pip-*.whl")]
        return bool(wheels) and quiet([PYTHON, wheels[0] / "pip", "install", "--no-index", wheels[0]])


def install_programs() -> None:
    """Install the programs that the tests need, with Debian's package manager."""
    missing = missing_programs()
    if not missing:
        install_lighter_browser()
        return
    names = ", ".join(missing)
    packages = [package for wanted in missing.values() for package in wanted]
    by_hand = f"apt-get install {' '.join(packages)}"
    if not shutil.which("apt-get"):
        raise SetupError(
            f"The tests need {names}, and this machine has no apt-get. Please install them, then try again."
        )
    apt = ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq"]
    if os.geteuid() != 0:
        apt = [*become_root(names, by_hand), *apt]
    say(f"The tests need {names}: installing Debian's {' '.join(packages)}")
    install = [*apt, "install", "-y", "--no-install-recommends", *packages]
    if not (ran([*apt, "update"]) and ran(install, silent=True)):
        raise SetupError(f"{names} could not be installed. By hand, as root: {by_hand}")
    install_lighter_browser()
    if still := missing_programs():
        raise SetupError(f"{', '.join(still)} still can't be found after: {by_hand}")


def install_lighter_browser() -> None:
    """Install headless Chromium as well, with which the tests take a third less time, where that is easy.

    Not every system has it, and the tests work without it.
    """
    if os.environ.get("CARDHOUSE_TEST_CHROMIUM") or shutil.which(BROWSERS[0]) or not shutil.which("apt-get"):
        return
    if os.geteuid() == 0 and quiet(["apt-cache", "show", BROWSERS[0]]):
        say(f"Installing Debian's {BROWSERS[0]}, with which the tests are quicker")
        quiet(["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq", "install", "-y", BROWSERS[0]])


def missing_programs() -> dict[str, list[str]]:
    """Return the missing programs, with the Debian packages that provide each."""
    missing = {}
    if not os.environ.get("CARDHOUSE_TEST_CHROMIUM") and not any(map(shutil.which, BROWSERS[1:])):
        missing["Chromium"] = ["chromium", "fonts-dejavu-core"]
    installed = shutil.which("postgres") or [*Path("/usr/lib/postgresql").glob("*/bin/postgres")]
    if not (installed or os.environ.get("CARDHOUSE_TEST_POSTGRES") or listening(5432)):
        missing["PostgreSQL"] = ["postgresql"]
    if not (shutil.which("redis-server") or os.environ.get("CARDHOUSE_TEST_REDIS") or listening(6379)):
        missing["Redis"] = ["redis-server"]
    return missing


def listening(port: int) -> bool:
    """Return whether the tests may use a server that listens on this port of the machine."""
    if os.environ.get("CARDHOUSE_TEST_PRIVATE"):
        return False
    try:
        socket.create_connection(("127.0.0.1", port), timeout=2).close()
    except OSError:
        return False
    return True


def become_root(names: str, by_hand: str) -> list[str]:
    """Return the prefix that runs a command as root, asking for a password if there is a terminal."""
    if shutil.which("sudo"):
        if quiet(["sudo", "-n", "true"]):
            return ["sudo", "-n"]
        if sys.stdin.isatty():
            print("That takes root's rights; sudo may ask for your password.", flush=True)
            return ["sudo"]
    raise SetupError(f"The tests need {names}, and installing them takes root's rights. As root, once: {by_hand}")


def pip(*arguments: str) -> bool:
    """Run the pip of `.venv`; return whether it succeeded."""
    return ran([PYTHON, "-m", "pip", "--quiet", "--disable-pip-version-check", *arguments])


def ran(command: Sequence[str | Path], cwd: Path = ROOT, silent: bool = False) -> bool:
    """Run a program, showing only errors if `silent`; return whether it succeeded."""
    try:
        return subprocess.run(command, cwd=cwd, stdout=subprocess.DEVNULL if silent else None).returncode == 0
    except OSError:
        return False


def quiet(command: Sequence[str | Path]) -> bool:
    """Run a program without output; return whether it succeeded."""
    try:
        return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True).returncode == 0
    except OSError:
        return False


def say(words: str) -> None:
    """Print what is being done."""
    print(f"{words} ...", flush=True)


def main(arguments: list[str]) -> int:
    """Run the command given as the only argument."""
    try:
        if arguments in (["run"], ["dev"]):
            set_up(arguments[0])
        elif arguments == ["venv"]:
            make_environment()
        elif arguments == ["programs"]:
            install_programs()
        else:
            print((__doc__ or "").strip(), file=sys.stderr)
            return 2
    except SetupError as error:
        print(f"\n{error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
