"""Writes the page's TypeScript types of what crosses the wire, from the Python that defines it.

    python -m scripts.wire_types            write web/src/lib/wire.ts
    python -m scripts.wire_types --check    fail if it is not what would be written

json-schema-to-typescript does the work, with the Node that builds the page.
"""

import subprocess
import sys
from inspect import cleandoc
from pathlib import Path
from typing import Any

import msgspec

from cardhouse.games.initiative.state import TIERS
from cardhouse.games.initiative.view import InitiativeView
from cardhouse.server import frames
from hatch_build import node_on_path, npm

ROOT = Path(__file__).resolve().parent.parent
WEB = ROOT / "web"
WIRE = WEB / "src" / "lib" / "wire.ts"

HEAD = """/*
 * What crosses the wire, as the server's Python defines it.
 * Made by `python -m scripts.wire_types`; changed by changing that Python.
 */

"""


def told() -> list[type]:
    """What the page says and is sent: every frame, and the view of each game that the page draws itself."""
    return [*frames.FromClient.__subclasses__(), *frames.FromServer.__subclasses__(), InitiativeView]


def schema() -> dict[str, Any]:
    """One JSON Schema with a definition for each type, under its Python name, described in its own words."""
    _, components = msgspec.json.schema_components(told(), ref_template="#/definitions/{name}")
    for component in components.values():
        component["description"] = cleandoc(component.get("description", ""))
        component["additionalProperties"] = False
    return {"title": "Wire", "definitions": components}


def wire() -> str:
    """The text of `wire.ts`."""
    if not (WEB / "node_modules" / "json-schema-to-typescript").is_dir():
        npm("--version")  # which installs them
    with node_on_path() as (node, _, environment):
        command = [str(node), "--input-type=module", "-e", _COMPILE]
        asked = msgspec.json.encode(schema())
        made = subprocess.run(command, cwd=WEB, env=environment, input=asked, capture_output=True, check=True)
    tiers = msgspec.json.format(msgspec.json.encode(TIERS), indent=2).decode()
    head = "/** IN-4: the tiers, each with its ranks from the best down. */\n"
    return f"{HEAD}{made.stdout.decode()}\n{head}export const TIERS: Record<string, string[]> = {tiers}\n"


_COMPILE = """
import { compile } from 'json-schema-to-typescript'
let text = ''
for await (const piece of process.stdin) text += piece
const options = { bannerComment: '', unreachableDefinitions: true, format: false }
const made = await compile(JSON.parse(text), 'Wire', options)
process.stdout.write(
  made
    .replace(/^export interface Wire \\{[^}]*\\}\\n/, '')
    .replace(/\\n \\* ?\\n \\* This interface was referenced by [^]*?(?=\\n \\*\\/)/g, '')
    .replace(/[ \\t]+$/gm, ''),
)
"""


def main(arguments: list[str]) -> int:
    """Write the types, or say whether they are stale."""
    made = wire()
    if "--check" not in arguments:
        WIRE.write_text(made, "utf-8")
        return 0
    if WIRE.read_text("utf-8") == made:
        return 0
    print(f"{WIRE.relative_to(ROOT)} is stale: run 'python -m scripts.wire_types'.", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
