"""The release, as far as it can be checked quickly; `make release` checks the rest."""

import os
import re
import tomllib
from importlib import import_module
from pathlib import Path

import msgspec.yaml
import pytest

import cardhouse
from scripts import release

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def test_the_table_of_dependencies_has_those_of_the_package():
    text = (ROOT / "docs" / "dependencies.md").read_text("utf-8")
    listed = {
        title: re.findall(r"^\| `([\w-]+)` \| [^|]+ \| [\d.]* \| [^|]*\|$", part, re.MULTILINE)
        for title, part in re.findall(r"^## (\S+)\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    }
    needed = {"cardhouse": PROJECT["dependencies"]} | {
        f"cardhouse[{extra}]": names for extra, names in PROJECT["optional-dependencies"].items()
    }
    assert listed == {title: [re.split(r"[^\w-]", one)[0] for one in names] for title, names in needed.items()}


USES = re.compile(r"^\s*-? *uses: (.*)$", re.MULTILINE)
PINNED = re.compile(r"[\w-]+/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+")
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.stem)
def test_a_workflow_pins_its_actions_and_runs_what_there_is(workflow: Path):
    text = workflow.read_text("utf-8")
    used = USES.findall(text)
    assert used
    assert [one for one in used if not PINNED.fullmatch(one)] == []
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    assert set(re.findall(r"\bmake ([a-z-]+)", text)) <= targets
    named = re.findall(r"(?:^|[ '])((?:tests|scripts|requirements|deploy)/[\w./-]+)", text)
    assert [one for one in named if not (ROOT / one).exists()] == []


def test_checks_run_on_all_pythons_that_the_package_names():
    named = [one.rpartition(" ")[2] for one in PROJECT["classifiers"] if re.search(r":: 3\.\d+$", one)]
    checks = msgspec.yaml.decode((ROOT / ".github/workflows/checks.yml").read_bytes())
    assert {tuple(job["strategy"]["matrix"]["python"]) for job in checks["jobs"].values()} == {tuple(named)}


def test_all_that_is_locked_is_searched_for_holes_and_renewed():
    audit = msgspec.yaml.decode((ROOT / ".github/workflows/audit.yml").read_bytes())
    locks = {path.stem for path in (ROOT / "requirements").glob("*.txt")}
    assert set(audit["jobs"]["python"]["strategy"]["matrix"]["lock"]) == locks
    assert (ROOT / audit["jobs"]["page"]["steps"][-1]["working-directory"] / "package-lock.json").is_file()
    assert "schedule" in audit[True], "holes become known without a change"  # YAML reads "on" as true
    renewed = msgspec.yaml.decode((ROOT / ".github/dependabot.yml").read_bytes())["updates"]
    found = {(one["package-ecosystem"], one["directory"]) for one in renewed}
    assert found == {("github-actions", "/"), ("npm", "/web"), ("pip", "/requirements")}


def test_one_version_has_one_pin_in_all_workflows():
    pins = {one for path in WORKFLOWS for one in USES.findall(path.read_text("utf-8"))}
    assert len({one.partition("@")[0] for one in pins}) == len(pins)


@pytest.mark.parametrize(
    ("tag", "title", "said"),
    [
        ("v0.2.0", "## [0.1.0] - 2026-01-02", "doesn't name the version"),
        ("v0.1.0", "## [0.1.0] - Unreleased", "no date"),
    ],
)
def test_a_tag_that_does_not_fit_is_refused(tag: str, title: str, said: str):
    with pytest.raises(release.ReleaseError, match=said):
        release.check_tag(tag, "0.1.0", f"{title}\n")


def test_a_tag_that_fits_is_taken():
    release.check_tag("v0.1.0", "0.1.0", "## [0.1.0] - 2026-01-02\n\n### Added\n")


def test_the_changelog_has_a_section_for_this_version():
    section = release.changes(release.version_of(ROOT))
    assert section.startswith(f"## [{cardhouse.__version__}]")
    with pytest.raises(release.ReleaseError, match="no section"):
        release.changes("99.0.0")


def test_an_archive_of_a_folder_says_nothing_of_when_it_was_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "page.html").write_text("<p>one")
    first = release.packed(tmp_path)
    os.utime(tmp_path / "a" / "page.html", (1, 1))
    (tmp_path / "a" / "page.html").chmod(0o600)
    assert release.packed(tmp_path) == first


def test_what_is_stable_in_python_is_there():
    text = (ROOT / "docs" / "stability.md").read_text("utf-8")
    (named,) = re.findall(r"names that (.*?) list in `__all__`", text)
    modules = [import_module(name) for name in re.findall(r"`([\w.]+)`", named)]
    assert len(modules) > 3
    assert [f"{one.__name__}.{name}" for one in modules for name in one.__all__ if not hasattr(one, name)] == []
