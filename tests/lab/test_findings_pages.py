"""The commands of the findings pages are valid, checked without playing."""

import re
import shlex
from pathlib import Path

import pytest

from cardhouse.cli.app import main
from cardhouse.games.dogpile.deck_file import bundled_decks
from tests.walkthrough import ROOT

PAGES = sorted(
    page
    for page in (ROOT / "docs").glob("*.md")
    if page.name.startswith("findings-") or page.name.endswith(("bots.md", "lab.md"))
)
COMMAND = re.compile(r"^    (cardhouse lab .*(?:\n      .*)*)", re.MULTILINE)
OTHERS = ("--transcript", "--rules", "--wounds ours.toml")
"""What takes no report, or files of one's own."""


def commands(page: Path) -> list[str]:
    return [" ".join(found.split()) for found in COMMAND.findall(page.read_text("utf-8"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
@pytest.mark.soak
def test_every_command_can_be_asked(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    """A report in a folder that isn't there is refused last, after all settings, and before anything is played."""
    monkeypatch.chdir(tmp_path)
    for deck in re.findall(r"--deck (\w+\.toml)", page.read_text("utf-8")):
        Path(deck).write_text(bundled_decks()["dogs"], "utf-8")
    asked = [one for one in commands(page) if not any(word in one for word in OTHERS)]
    for command in asked:
        where = ["--out", "nowhere/x.toml"] if " design " in command else ["--report", "nowhere/x.html"]
        assert main([*shlex.split(command)[1:], *where]) == 2, command
        assert "here is no folder nowhere" in capsys.readouterr().err, command


def test_there_are_some():
    assert sum(len(commands(page)) for page in PAGES) > 80
