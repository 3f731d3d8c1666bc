"""No regular expression of the product can take more than linear time, whatever a person types."""

import ast
import importlib
import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import hatch_build

ROOT = Path(__file__).resolve().parents[1]
SOURCE, WEB = ROOT / "src", ROOT / "web"
AT_START = ("match", "fullmatch")
FLAGS = {"IGNORECASE": "i", "MULTILINE": "m", "DOTALL": "s"}
FUNCTIONS = (*AT_START, "compile", "search", "sub", "subn", "split", "findall", "finditer")
PAGE = ("web", "src", "examples")
Pattern = tuple[str, str, str]
"""Its place, its text and its flags, as JavaScript has them."""


def python_patterns() -> Iterator[Pattern]:
    """All patterns that modules of the package compile, and those of `msgspec.Meta`."""
    for file in sorted(SOURCE.rglob("*.py")):
        text = file.read_text("utf-8")
        if "re." not in text and "pattern=" not in text:
            continue
        calls = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)]
        if found := [(call, given) for call in calls if (given := pattern_of(call)) is not None]:
            name = ".".join(file.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__")
            yield from (in_javascript(f"{name}:{call.lineno}", call, given, name) for call, given in found)


def pattern_of(call: ast.Call) -> ast.expr | None:
    """What a call takes as a pattern, if it takes one."""
    if isinstance(called := call.func, ast.Attribute) and called.attr in FUNCTIONS:
        module, first = called.value, call.args[0] if call.args else None
        local = isinstance(first, ast.Name) and first.id.islower()  # the pattern of a `Meta`, which is checked as such
        return first if isinstance(module, ast.Name) and module.id == "re" and not local else None
    return next((one.value for one in call.keywords if one.arg == "pattern"), None)


def in_javascript(place: str, call: ast.Call, given: ast.expr, module: str) -> Pattern:
    """A pattern as JavaScript writes it; it may be computed from constants of its module."""
    constants = {} if isinstance(given, ast.Constant) else vars(importlib.import_module(module))
    text = eval(compile(ast.Expression(given), place, "eval"), constants)
    text = text.decode("latin-1") if isinstance(text, bytes) else text
    if isinstance(call.func, ast.Attribute) and call.func.attr in AT_START:
        text = f"^(?:{text})"
    said = ast.unparse(call)
    flags = "".join(letter for name, letter in FLAGS.items() if f"re.{name}" in said or text.startswith(f"(?{letter})"))
    text = text.removeprefix("(?m)")
    return place, text.replace(r"\Z", "$").replace("(?P<", "(?<"), flags


def page_files() -> Iterator[str]:
    """The page's source, that of the games' views and of the examples, without their tests."""
    for folder in PAGE:
        for path in sorted((ROOT / folder).rglob("*.*")):
            parts = path.relative_to(ROOT).parts
            made = {"node_modules", "dist"} & {*parts} or parts[:4] == ("src", "cardhouse", "server", "page")
            if path.suffix in (".ts", ".js", ".svelte") and not made and not path.name.endswith(".test.ts"):
                yield str(path)


def test_no_pattern_can_backtrack_for_long() -> None:
    with hatch_build.node_on_path() as (node, _, environment):
        done = subprocess.run(
            [node, WEB / "patterns.js", *page_files()],
            cwd=WEB,
            env=environment,
            input=json.dumps(list(python_patterns())),
            capture_output=True,
            text=True,
            check=True,
        )
    found = json.loads(done.stdout)
    assert found["slow"] == []
    assert found["checked"] > 100
