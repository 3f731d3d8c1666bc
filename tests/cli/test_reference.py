"""The command-line reference equals the commands' own help."""

import subprocess
import sys

import pytest

from tests.walkthrough import ROOT


def test_it_is_fresh():
    command = [sys.executable, "-m", "scripts.cli_reference", "--check"]
    checked = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (checked.returncode, checked.stderr) == (0, "")


def test_code_is_formatted_as_code():
    reference = pytest.importorskip("scripts.cli_reference")
    told = [*reference.described("Uses --db and CARDHOUSE_KEY; see `cardhouse games --json`.\n\n\b\ncardhouse games")]
    assert told == ["Uses `--db` and `CARDHOUSE_KEY`; see `cardhouse games --json`.", "    cardhouse games"]
