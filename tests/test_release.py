"""What a release promises on paper: its dependencies, as docs/dependencies.md lists them."""

import re
import tomllib
from pathlib import Path

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
