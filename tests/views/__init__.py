"""*Highest card wins* with its own page in plain files, in `page`."""

import shutil
from pathlib import Path

from tests.walkthrough import install_highest

PAGE = Path(__file__).with_name("page")
"""A view that fills each slot, what it adds to *How we play*, a judge, and a sign."""
WORD = '[page]\nsummary = "Round {n} by its own view"\nminute_1 = "The higher card wins."\n'


def install_with_page(folder: Path, page: Path = PAGE) -> dict[str, str]:
    """Install it with a page into `folder/site`; returns the environment in which Cardhouse finds it."""
    env = install_highest(folder)
    game = folder / "site" / "highest"
    shutil.copytree(page, game / "page")
    words = game / "words.toml"
    words.write_text(f"{words.read_text('utf-8')}\n{WORD}", "utf-8")
    return env
