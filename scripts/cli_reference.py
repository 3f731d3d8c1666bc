"""Write docs/cli.md, the reference of the command line, from each command's --help.

    python -m scripts.cli_reference [--check]

The lab's questions are a table, with the options that all of them share; each question's --help has the rest.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer

from cardhouse.cli.app import app

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "cli.md"
TOP = """\
# Command line

`cardhouse COMMAND --help` prints the same in the terminal, and `cardhouse --version` the version. Error messages go to
standard error.

| exit status | meaning |
| --- | --- |
| 0 | The command succeeded. |
| 1 | The command found a problem, for example `cardhouse verify` an unfair deal, or you cancelled it. |
| 2 | The command can't do what you asked. The message says why. |

This page is generated: change the help texts in `src/cardhouse`, then run `python -m scripts.cli_reference`.
"""
HIDDEN = ("--help", "--version", "--install-completion", "--show-completion")
CODE = re.compile(r"(?<![\w`-])(--?[a-z][a-z-]*\b(?: \w+=\w+)?|[A-Z]{2,}_[A-Z_]+\b)(?![^`]*`(?:[^`]*`[^`]*`)*[^`]*$)")
FIRST = re.compile(r".*?(?:[.?](?=\s|$)|$)", re.MULTILINE)
TYPE = re.compile(r" <(?:str|list\[str\])>$")
NOTE = re.compile(r"  \[([^\[\]]*)\]$")


def reference() -> str:
    """Return the whole page."""
    root: Any = typer.main.get_command(app)
    context = root.make_context("cardhouse", [], resilient_parsing=True)
    return "\n".join([TOP, *sections(root, context, "cardhouse")])


def sections(group: Any, context: Any, place: str) -> Iterator[str]:
    """Yield a section for each command of a group, and of its subgroups."""
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        path = f"{place} {name}"
        inner = command.make_context(name, [], parent=context, resilient_parsing=True)
        yield section(command, inner, path)
        if path == "cardhouse lab":
            yield questions(command, inner)
        elif hasattr(command, "list_commands"):
            yield from sections(command, inner, path)


def section(command: Any, context: Any, path: str) -> str:
    """Return the section of one command: its help text, examples, arguments and options."""
    words = path.split()
    parts = [f"{'#' * len(words)} {' '.join(words[1:])}", *described(command.help)]
    options = [row for param in command.params if (row := described_option(param, context))]
    if options:
        parts.append(table("option", options))
    return "\n\n".join(parts) + "\n"


def described(text: str) -> Iterator[str]:
    """Yield the paragraphs of a help text, with examples as code."""
    for paragraph in text.replace("\b\n", "").split("\n\n"):
        lines = paragraph.splitlines()
        if re.match(r"(cardhouse|echo) ", lines[0]):
            yield "\n".join(f"    {line}" for line in lines)
        else:
            yield CODE.sub(r"`\1`", " ".join(lines))


def described_option(param: Any, context: Any) -> tuple[str, str, str] | None:
    """Return an option or argument, its meaning and its default; None if every command has it."""
    record = param.get_help_record(context)
    if record is None or record[0].startswith(HIDDEN):
        return None
    name, text = record
    note = NOTE.search(text)
    notes = note[1].split("; ") if note else []
    default = next((one.removeprefix("default: ") for one in notes if one.startswith("default: ")), "")
    environment = next((one.removeprefix("env var: ") for one in notes if one.startswith("env var: ")), "")
    meaning = CODE.sub(r"`\1`", NOTE.sub("", text))
    more = [
        f"Environment variable: `{environment}`." if environment else "",
        "Required." if "required" in notes else "",
    ]
    return f"`{TYPE.sub('', name)}`", " ".join(filter(None, [meaning, *more])), default.strip("()")


def table(title: str, rows: list[tuple[str, str, str]]) -> str:
    """Return a table of options, without the column of defaults if there are none."""
    widths = 3 if any(row[2] for row in rows) else 2
    lines = [(title, "meaning", "default")[:widths], ("---",) * widths, *(row[:widths] for row in rows)]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def questions(lab: Any, context: Any) -> str:
    """Return the lab's commands, and the options that all of its questions share."""
    rows: list[str] = []
    shared: list[tuple[str, str, str] | None] = []
    for game in lab.list_commands(context):
        group = lab.get_command(context, game)
        inner = group.make_context(game, [], parent=context, resilient_parsing=True)
        for name in group.list_commands(inner):
            command = group.get_command(inner, name)
            rows.append(f"| `cardhouse lab {game} {name}` | {FIRST.findall(command.help)[0]} |")
            if "--until" in {opt for param in command.params for opt in param.opts}:
                here = command.make_context(name, [], parent=inner, resilient_parsing=True)
                found = [described_option(param, here) for param in command.params]
                shared = [row for row in shared if row in found] if shared else found
    return "\n".join(
        [
            "| command | what it answers or does |\n| --- | --- |",
            *rows,
            "\nEach question also has its own settings, which its `--help` lists. All questions have these options:\n",
            table("option", [row for row in shared if row]),
            "",
        ]
    )


def main(arguments: list[str]) -> int:
    """Write the page, or check whether it is out of date."""
    text = reference()
    if "--check" not in arguments:
        PAGE.write_text(text, "utf-8")
    elif PAGE.read_text("utf-8") != text:
        print(f"{PAGE.relative_to(ROOT)} is stale: run 'python -m scripts.cli_reference'.", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
