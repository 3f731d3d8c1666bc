"""Build everything that a tag publishes into dist/, check it, and build it again elsewhere with identical bytes.

    python -m scripts.release [TAG]      or make release

It takes what is committed, or, in an unpacked sdist, the folder as it is. With a tag, the version and the changelog
must be ready for it. docs/releasing.md describes what is published, and how.
"""

import gzip
import hashlib
import io
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import urllib.request
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from scripts.setup import a_uv

ROOT = Path(__file__).resolve().parent.parent
DIST = ROOT / "dist"
NOT_SOURCES = (".venv", ".state", "dist", "node_modules", "__pycache__", ".*_cache", ".hypothesis", "shots")
BUILT = ("src/cardhouse/faces", "src/cardhouse/server/page", "web/src/faces")
MOST_BYTES = 120_000_000
"""The largest base install on disk."""
PLATFORMS = {"amd64": "x86_64-manylinux_2_28", "arm64": "aarch64-manylinux_2_28"}
"""The image's platforms, as docker and as uv name them."""
PYTHON_OF_IMAGE = "3.13"
VALID = """
import pathlib, sys
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
sys.exit(JsonStrictValidator(SchemaVersion.from_version(sys.argv[2])).validate_str(pathlib.Path(sys.argv[1]).read_text()))
"""
"""A program that validates a bill of materials."""
MISSING = {"Your package does not have author-email data."}
"""The accepted reports of pyroma: the project has no mailbox, only an issue tracker."""
NPM = re.compile(r"^## (\S+) - (\S+) \((.+)\)$", re.MULTILINE)
"""A package whose code is in the page's scripts, in the notices that its build writes."""

Words = Sequence[str | Path]


class ReleaseError(Exception):
    """This can't be released; the message says why."""


def main(arguments: list[str]) -> int:
    """Build and check everything; return the exit status."""
    os.environ.setdefault("SOURCE_DATE_EPOCH", moment())
    with tempfile.TemporaryDirectory(prefix="cardhouse-release-") as name:
        try:
            release(Path(name), arguments[0] if arguments else "")
        except (ReleaseError, subprocess.CalledProcessError) as error:
            print(f"\nNot released: {error}", file=sys.stderr)
            return 1
    return 0


def release(folder: Path, tag: str) -> None:
    """Build, check and publish into dist/. Raises ReleaseError or CalledProcessError if anything is wrong."""
    version = version_of(ROOT)
    section = changes(version)
    if tag:
        check_tag(tag, version, section)
    first, second = folder / "first" / "dist", folder / "second" / "elsewhere"
    for out in (first, second):
        say(f"Building {version} in {out}")
        build(out, section)
    differing = [name for name in names(first) | names(second) if content(first, name) != content(second, name)]
    if differing:
        raise ReleaseError(f"Built twice, these files differ: {', '.join(sorted(differing))}.")
    say("The second build has the same bytes as the first")
    check(first, folder)
    shutil.rmtree(DIST, ignore_errors=True)
    shutil.copytree(first, DIST)
    with tarfile.open(next(DIST.glob("*-site.tar.gz"))) as site:
        unpack(site, DIST / "site")
    print("".join(f"{digest(DIST / name)}  {name}\n" for name in sorted(names(first))), end="", flush=True)
    if "Unreleased" in section.partition("\n")[0]:
        say(f"Before the tag: give {version} its date in CHANGELOG.md")


# Building.


def moment() -> str:
    """Return the commit's time, or, without git, the time of the changelog's last change."""
    if is_checkout():
        return output_text(["git", "log", "-1", "--format=%ct"], ROOT).strip()
    return str(int((ROOT / "CHANGELOG.md").stat().st_mtime))


def is_checkout() -> bool:
    """Return whether this folder is a git checkout."""
    return (ROOT / ".git").exists()


def build(out: Path, section: str) -> None:
    """Build all files from a clean copy of what is committed, next to the folder."""
    out.mkdir(parents=True)
    checkout = out.parent / "checkout"
    clean_copy(checkout)
    # The page's cache serves other checkouts of the same sources; here it must be built.
    environment = {**os.environ, "XDG_CACHE_HOME": str(out.parent / "cache"), "PYTHONPATH": ""}
    hatchling: Words = [sys.executable, "-m", "hatchling", "build", "--directory", out, "--target"]
    run_program([*hatchling, "sdist"], checkout, environment)
    (sdist,) = out.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        unpack(archive, out.parent)
    unpacked = out.parent / sdist.name.removesuffix(".tar.gz")
    if missing := files(checkout) - files(unpacked):
        raise ReleaseError(f"The sdist has no {', '.join(sorted(missing))}.")
    run_program([*hatchling, "wheel"], unpacked, environment)  # from the sdist alone
    (wheel,) = out.glob("*.whl")
    (out / f"{unpacked.name}-changes.md").write_text(section, "utf-8")
    (out / f"{unpacked.name}.cdx.json").write_text(bill_of_materials(wheel, unpacked, out.parent), "utf-8")
    site = out.parent / "site"
    here = {**environment, "PYTHONPATH": str(unpacked / "src")}
    run_program([sys.executable, "-m", "scripts.site", site], unpacked, here)
    (out / f"{unpacked.name}-site.tar.gz").write_bytes(packed(site))


def clean_copy(to: Path) -> None:
    """Copy what is committed, or the content of an sdist."""
    if is_checkout():
        with tarfile.open(fileobj=io.BytesIO(output_bytes(["git", "archive", "HEAD"], ROOT))) as archive:
            unpack(archive, to)
    else:
        shutil.copytree(ROOT, to, ignore=shutil.ignore_patterns(*NOT_SOURCES))
        for built in BUILT:
            shutil.rmtree(to / built, ignore_errors=True)


def bill_of_materials(wheel: Path, source: Path, folder: Path) -> str:
    """Return the image's bill of materials (CycloneDX): its pinned packages, and those whose code is in the page."""
    home = environment_with(folder / "image", [])
    (packages,) = home.glob("lib/python*/site-packages")
    run_program(install_for("amd64", packages), folder)
    tools = environment_with(folder / "tools", requirements("release"))
    command: Words = [tools / "bin" / "cyclonedx-py", "environment", "--output-reproducible"]
    bill: dict[str, Any] = json.loads(output_text([*command, "--pyproject", source / "pyproject.toml", home], source))
    with zipfile.ZipFile(wheel) as opened:
        notices = opened.read("cardhouse/server/page/licences.txt").decode()
    page = [in_the_page(*found) for found in NPM.findall(notices)]
    cardhouse = bill["metadata"]["component"]
    cardhouse["version"] = version_of(source)
    bill["components"] += page
    (own,) = (one for one in bill["dependencies"] if one["ref"] == cardhouse["bom-ref"])
    own["dependsOn"] = sorted({*own.get("dependsOn", []), *(one["bom-ref"] for one in page)})
    text = json.dumps(bill, indent=1, sort_keys=True) + "\n"
    (folder / "bill.json").write_text(text, "utf-8")
    run_program([tools / "bin" / "python", "-c", VALID, folder / "bill.json", bill["specVersion"]], folder)
    return text


def install_for(platform: str, place: Path) -> Words:
    """Return the command that installs the image's packages for a platform, whichever Python runs here."""
    wanted = ["--only-binary", ":all:", "--python-platform", PLATFORMS[platform], "--python-version", PYTHON_OF_IMAGE]
    return [*uv(), "pip", "install", "--quiet", "--target", place, *wanted, *requirements("house")]


def in_the_page(name: str, version: str, licence: str) -> dict[str, Any]:
    """Return a package of npm for the bill of materials."""
    purl = f"pkg:npm/{quote(name, safe='/')}@{version}"
    licences = [{"license": {"id": licence}}]
    return {"type": "library", "bom-ref": purl, "name": name, "version": version, "purl": purl, "licenses": licences}


def packed(folder: Path) -> bytes:
    """Return a folder as an archive that doesn't depend on when and by whom it was made."""
    plain, small = io.BytesIO(), io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                info = tarfile.TarInfo(path.relative_to(folder).as_posix())
                info.size, info.mtime, info.mode = path.stat().st_size, int(os.environ["SOURCE_DATE_EPOCH"]), 0o644
                with path.open("rb") as file:
                    archive.addfile(info, file)
    with gzip.GzipFile(fileobj=small, mode="wb", mtime=0) as file:
        file.write(plain.getvalue())
    return small.getvalue()


def changes(version: str) -> str:
    """Return a version's section of the changelog."""
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    found = re.search(rf"^## \[{re.escape(version)}\].*?(?=^## \[|\Z)", text, re.MULTILINE | re.DOTALL)
    if found is None:
        raise ReleaseError(f"CHANGELOG.md has no section [{version}].")
    return found[0].rstrip() + "\n"


def check_tag(tag: str, version: str, section: str) -> None:
    """Raise ReleaseError unless the tag names the version, and the changelog its date."""
    if tag != f"v{version}":
        raise ReleaseError(f"The tag {tag} doesn't name the version: it is v{version}.")
    if not re.match(r"## \[[^]]+\] - \d{4}-\d{2}-\d{2}$", section.partition("\n")[0]):
        raise ReleaseError(f"CHANGELOG.md has no date for {version}.")


# Checks.


def check(out: Path, folder: Path) -> None:
    """Raise ReleaseError or CalledProcessError if anything is wrong."""
    (wheel,), (sdist,) = out.glob("*.whl"), (one for one in out.glob("*.tar.gz") if "-site" not in one.name)
    tools = environment_with(folder / "tools", requirements("release"))
    run_program([tools / "bin" / "twine", "check", "--strict", wheel, sdist], folder)
    check_rating(tools, folder / "first" / sdist.name.removesuffix(".tar.gz"))
    base = environment_with(folder / "base", [str(wheel)])
    run_program([*uv(), "pip", "check", "--python", python_in(base)], folder)
    used = sum(path.lstat().st_blocks * 512 for path in base.rglob("*"))
    if used > MOST_BYTES:
        raise ReleaseError(f"The base install takes {used / 1e6:.0f} MB; it may take {MOST_BYTES / 1e6:.0f}.")
    say(f"The base install takes {used / 1e6:.0f} MB")
    for platform in PLATFORMS:
        run_program([*install_for(platform, folder / platform), "--dry-run"], folder)
        say(f"The image's packages are there for {platform}")
    for what, command, environment in ways_to_run(wheel, tools, folder):
        serves(command, version_of(ROOT), {**os.environ, **environment}, folder)
        say(f"{what}: prints its version, and serves")


def check_rating(tools: Path, unpacked: Path) -> None:
    """Raise ReleaseError if pyroma reports anything unexpected."""
    said = output_text([tools / "bin" / "pyroma", "--directory", unpacked], unpacked)
    found, rating = re.findall(r"Found cardhouse\n-+\n(.*?)-+\nFinal rating: (\S+)", said, re.DOTALL)[0]
    if not set(found.splitlines()) <= MISSING:
        raise ReleaseError(f"pyroma: {said}")
    say(f"pyroma: {rating} {found}".rstrip())


def ways_to_run(wheel: Path, tools: Path, folder: Path) -> Iterator[tuple[str, Words, dict[str, str]]]:
    """Yield each way to run the wheel that the README names: its name, the command, and its environment."""
    places = {"UV_TOOL_DIR": str(folder / "uv-tools"), "UV_TOOL_BIN_DIR": str(folder / "uv-bin")}
    run_program([*uv(), "tool", "install", "--quiet", wheel], folder, {**os.environ, **places})
    yield "uv tool install", [folder / "uv-bin" / "cardhouse"], {}
    yield "uvx", [*uv(), "tool", "run", "--quiet", "--from", wheel, "cardhouse"], places
    pipx = {"PIPX_HOME": str(folder / "pipx"), "PIPX_BIN_DIR": str(folder / "pipx-bin")}
    yield "pipx run", [tools / "bin" / "pipx", "run", "--quiet", "--spec", wheel, "cardhouse"], pipx


def serves(command: Words, version: str, environment: dict[str, str], folder: Path) -> None:
    """Raise ReleaseError unless the command prints its version, and starts a server that answers."""
    if output_text([*command, "--version"], folder, environment).strip() != f"cardhouse {version}":
        raise ReleaseError(f"{command[0]} doesn't print its version.")
    database = f"sqlite:///{folder / 'tables.db'}"
    words = [*map(str, command), "serve", "--port", "0", "--no-lab-ahead", "--db", database]
    server = subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env=environment, start_new_session=True)
    assert server.stdout is not None
    try:
        address = next((found[0] for line in server.stdout if (found := re.search(r"http://\S+", line))), "")
        if not address:
            raise ReleaseError(f"{command[0]} started no server.")
        with urllib.request.urlopen(f"{address}api/health", timeout=30) as answer:  # noqa: S310 (this machine's)
            if json.load(answer)["version"] != version:
                raise ReleaseError(f"{command[0]} serves another version.")
    finally:
        os.killpg(server.pid, signal.SIGTERM)
        server.communicate()


# Files and programs.


def version_of(source: Path) -> str:
    """Return the version of a source folder."""
    text = (source / "src" / "cardhouse" / "__init__.py").read_text("utf-8")
    return str(re.findall(r'^__version__ = "(.+)"$', text, re.MULTILINE)[0])


def requirements(name: str) -> list[str]:
    """Return uv's arguments for pinned requirements."""
    return ["--require-hashes", "-r", str(ROOT / "requirements" / f"{name}.txt")]


def environment_with(home: Path, wanted: list[str]) -> Path:
    """Return an environment of Python with these packages, creating it if necessary."""
    if not home.is_dir():
        run_program([*uv(), "venv", "--quiet", "--python", sys.executable, home], home.parent)
        if wanted:
            run_program([*uv(), "pip", "install", "--quiet", "--python", python_in(home), *wanted], home.parent)
    return home


def python_in(home: Path) -> Path:
    """Return the Python of an environment."""
    return home / "bin" / "python"


def uv() -> list[str | Path]:
    """Return uv, which everything here needs."""
    found = a_uv()
    if found is None:
        raise ReleaseError("This takes uv, and there is none: pip install uv.")
    return found


def unpack(archive: tarfile.TarFile, to: Path) -> None:
    """Extract an archive of our own; Python 3.11 before 3.11.4 has no filters."""
    if hasattr(tarfile, "data_filter"):
        archive.extraction_filter = tarfile.data_filter
    archive.extractall(to)  # noqa: S202 (our own)


def files(folder: Path) -> set[str]:
    """Return all files below a folder."""
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def names(folder: Path) -> set[str]:
    """Return the files in a folder."""
    return {path.name for path in folder.iterdir()}


def content(folder: Path, name: str) -> bytes:
    """Return a file's content; empty if it doesn't exist."""
    return (folder / name).read_bytes() if (folder / name).is_file() else b""


def digest(file: Path) -> str:
    """Return a file's SHA-256."""
    return hashlib.sha256(file.read_bytes()).hexdigest()


def output_bytes(command: Words, folder: Path, environment: dict[str, str] | None = None) -> bytes:
    """Return what a program prints."""
    return subprocess.run(command, cwd=folder, env=environment, check=True, stdout=subprocess.PIPE).stdout


def output_text(command: Words, folder: Path, environment: dict[str, str] | None = None) -> str:
    """Return what a program prints, as text."""
    return output_bytes(command, folder, environment).decode()


def run_program(command: Words, folder: Path, environment: dict[str, str] | None = None) -> None:
    """Run a program to its end."""
    subprocess.run(command, cwd=folder, env=environment, check=True)


def say(words: str) -> None:
    """Print a line at once."""
    print(f"\n{words}", flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
