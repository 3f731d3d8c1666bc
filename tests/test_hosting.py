"""The recipes in deploy/ say what Cardhouse understands; `make hosting` tries them with the real programs."""

import re
from pathlib import Path

import pytest

from cardhouse.cli import main
from cardhouse.server.campaigns_http import CAMPAIGN_BYTES

DEPLOY = Path(__file__).parent.parent / "deploy"
LARGEST = {
    "nginx.conf": r"client_max_body_size (\d+)m;",
    "Caddyfile": r"max_size (\d+)MB",
    "apache.conf": r"LimitRequestBody (\d+)",
}


@pytest.mark.parametrize("recipe", sorted(file.name for file in DEPLOY.iterdir()))
def test_it_names_options_that_there_are(recipe: str, capsys: pytest.CaptureFixture[str]):
    said = re.findall(r"cardhouse serve (.*)", (DEPLOY / recipe).read_text("utf-8"))
    assert said
    main(["serve", "--help"])
    known = set(re.findall(r"--[a-z]+", capsys.readouterr().out))
    assert {option for line in said for option in re.findall(r"(?<= )--[a-z]+", f" {line}")} <= known


@pytest.mark.parametrize("recipe", LARGEST)
def test_the_largest_file_of_a_page_comes_through(recipe: str):
    (number,) = re.findall(LARGEST[recipe], (DEPLOY / recipe).read_text("utf-8"))
    assert int(number) * (1 if int(number) > 1000 else 1_000_000) >= CAMPAIGN_BYTES
