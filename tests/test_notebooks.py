"""The documentation's notebooks run from the first cell to the last, with the results they show."""

import ast
import json
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.soak

NOTEBOOKS = sorted((Path(__file__).parents[1] / "docs/notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
def test_it_runs_and_shows_what_it_promises(file: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    cells = json.loads(file.read_text("utf-8"))["cells"]
    variables: dict[str, Any] = {}
    shown = [shows(run("".join(cell["source"]), variables)) for cell in cells if cell["cell_type"] == "code"]
    assert sum(shown) >= 2, "a notebook that shows nothing"
    assert not any(cell.get("outputs") for cell in cells), "what comes out stands in no file: it grows old"


def run(source: str, variables: dict[str, Any]) -> Any:
    """Run a cell as a notebook does; the value of the expression that it ends in, None if it ends in none."""
    lines = ast.parse(source)
    last = lines.body.pop() if isinstance(lines.body[-1], ast.Expr) else None
    exec(compile(lines, "<cell>", "exec"), variables)
    return None if last is None else eval(compile(ast.Expression(last.value), "<cell>", "eval"), variables)  # type: ignore[attr-defined]


def shows(value: Any) -> bool:
    """Whether a notebook would show more of a value than text."""
    if hasattr(value, "_repr_mimebundle_"):
        return bool(value._repr_mimebundle_())
    return hasattr(value, "_repr_html_") and "<" in value._repr_html_()


def test_there_are_some() -> None:
    assert NOTEBOOKS
