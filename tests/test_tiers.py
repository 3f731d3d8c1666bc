"""The first tier, which `make test` runs, leaves out no rule and no frame that a client can send.

`tests/server/test_routes.py` asks every route.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from cardhouse.engine import game_names
from cardhouse.server.wire import protocol
from tests.walkthrough import ROOT

TESTS = ROOT / "tests"
SOAK = re.compile(r"\bmark\.soak\b")


@cache
def first_tier(folder: str = "") -> tuple[ast.AST, ...]:
    """The syntax trees of all that the first tier runs, helpers included: without tests that are marked `soak`."""
    return tuple(part for file in sorted((TESTS / folder).rglob("*.py")) for part in _without_soak(file))


def _without_soak(file: Path) -> Iterator[ast.AST]:
    for part in ast.parse(file.read_text("utf-8")).body:
        if (
            isinstance(part, ast.Assign)
            and "pytestmark" in ast.unparse(part.targets[0])
            and SOAK.search(ast.unparse(part))
        ):
            return
        marks = getattr(part, "decorator_list", [])
        if not any(SOAK.search(ast.unparse(mark)) and not isinstance(mark, ast.Call) for mark in marks):
            yield part


def names_of_tests(file: Path) -> set[str]:
    """The names of a file's tests that the first tier runs."""
    return {
        node.name
        for part in _without_soak(file)
        for node in ast.walk(part)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
    }


def texts(folder: str) -> Iterator[str]:
    """Every string of the first tier; what an f-string fills in is one character that stands for anything."""
    for tree in first_tier(folder):
        for node in ast.walk(tree):
            if isinstance(node, ast.JoinedStr):
                yield "".join(
                    str(part.value) if isinstance(part, ast.Constant) else "\N{BULLET}" for part in node.values
                )
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value


@pytest.mark.parametrize("game", game_names())
def test_every_golden_transcript_is_played(game: str):
    """With `test_every_rule_has_a_golden_transcript` that means every rule."""
    played = [ast.unparse(part) for part in _without_soak(TESTS / "games" / game / "test_golden.py")]
    assert any(f"goldens(TRANSCRIPTS / '{game}')" in text and "def test_golden" in text for text in played)


def test_every_frame_is_sent():
    sent = {word for text in texts("server") for word in re.findall(r'"t": ?"(\w+)"', text)}
    for node in (node for tree in first_tier("server") for node in ast.walk(tree)):
        if isinstance(node, ast.Call):
            sent |= {ast.unparse(keyword.value).strip("'") for keyword in node.keywords if keyword.arg == "t"}
        elif isinstance(node, ast.Dict):
            pairs = zip(node.keys, node.values, strict=True)
            sent |= {ast.unparse(value).strip("'") for key, value in pairs if key and ast.unparse(key) == "'t'"}
    assert set(protocol.WORDS) <= sent


@pytest.mark.parametrize(("document", "fewest"), [("trust.md", 15), ("deal-together.md", 10)])
def test_every_promise_has_a_test(document: str, fewest: int):
    promises = [row for row in (ROOT / "docs" / document).read_text("utf-8").splitlines() if "| `" in row]
    assert len(promises) > fewest
    for row in promises:
        named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", row)
        assert [name for file, name in named if f"def {name}(" not in (ROOT / file).read_text("utf-8")] == [], row
        of_the_page = re.findall(r"`(web/[\w/.]+\.test\.ts)`: ((?:\*[^*]+\*(?:, )?)+)", row)
        titles = [(file, title) for file, some in of_the_page for title in re.findall(r"\*([^*]+)\*", some)]
        assert [title for file, title in titles if title not in (ROOT / file).read_text("utf-8")] == [], row
        assert titles or any(name in names_of_tests(ROOT / file) for file, name in named), row
