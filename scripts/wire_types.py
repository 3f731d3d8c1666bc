"""Writes the page's TypeScript types of what crosses the wire, from the Python that defines it.

    python -m scripts.wire_types            write web/src/lib/wire.ts
    python -m scripts.wire_types --check    fail if it is not what would be written

json-schema-to-typescript does the work, with the Node that builds the page.
"""

import re
import subprocess
import sys
from inspect import cleandoc
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from cardhouse.cards import RANKS, SUITS
from cardhouse.engine import Mistake
from cardhouse.games.dogpile.view import DogpileView
from cardhouse.games.dogs.view import DogsView
from cardhouse.games.gunfight.state import GunfightView
from cardhouse.games.hackjack.state import Sheet, card_value
from cardhouse.games.hackjack.suffering import RULE_OF
from cardhouse.games.hackjack.view import HackjackView
from cardhouse.games.hackjack.wound import Wound
from cardhouse.games.initiative.state import TIERS
from cardhouse.games.initiative.view import InitiativeView
from cardhouse.server import frames
from cardhouse.server.bodies import StudyWanted
from cardhouse.server.kept import Deal
from cardhouse.server.lab_told import LabListed, LabRun
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
    """What the page says and is sent: every frame, a deal, a file's mistakes, the lab's, and what it draws itself.

    That is the view of each such game, a wound and a sheet.
    """
    every_frame = [*frames.FromClient.__subclasses__(), *frames.FromServer.__subclasses__()]
    views = [InitiativeView, HackjackView, GunfightView, DogpileView, DogsView]
    lab = [LabListed, StudyWanted, LabRun]
    return [*every_frame, Deal, Mistake, *views, Wound, Sheet, *lab]


def schema() -> dict[str, Any]:
    """One JSON Schema with a definition for each type, under its Python name, described in its own words.

    Where two games have a type of one name, the game's name goes before each.
    """
    _, components = msgspec.json.schema_components(told(), ref_template="#/definitions/{name}")
    for name, component in components.items():
        component["title"] = name
        component["description"] = cleandoc(component.get("description", ""))
        component["additionalProperties"] = False
    text = msgspec.json.encode({"title": "Wire", "definitions": components}).decode()
    return msgspec.json.decode(_IN_A_GAME.sub(_with_its_game, text), type=dict[str, Any])


_IN_A_GAME = re.compile(r"cardhouse\.games\.(\w+)\.\w+\.(\w+)")


def _with_its_game(found: re.Match[str]) -> str:
    """`HackjackCharacterView` for `cardhouse.games.hackjack.view.CharacterView`."""
    return f"{found[1].capitalize()}{found[2]}"


class Constant(NamedTuple):
    """One of the rules' tables that the page goes by: what it is, its TypeScript type, and what it holds."""

    what: str
    type: str
    holds: Any


CONSTANTS = {
    "TIERS": Constant(
        "IN-4: the tiers, each with its ranks from the best down.",
        "Record<string, string[]>",
        TIERS,
    ),
    "CARD_VALUES": Constant(
        "HJ-2: what a card of each rank adds to the death-score.",
        "Record<string, number>",
        {rank: card_value(SUITS[0] + rank) for rank in RANKS},
    ),
    "WOUND_RULES": Constant(
        "The rule that a wound is suffered by, as it bends the flow; `plain` is one that doesn't.",
        "Record<string, string>",
        {special or "plain": rule for special, rule in RULE_OF.items()},
    ),
}


def wire() -> str:
    """The text of `wire.ts`."""
    if not (WEB / "node_modules" / "json-schema-to-typescript").is_dir():
        npm("--version")  # which installs them
    with node_on_path() as (node, _, environment):
        command = [str(node), "--input-type=module", "-e", _COMPILE]
        asked = msgspec.json.encode(schema())
        made = subprocess.run(command, cwd=WEB, env=environment, input=asked, capture_output=True, check=True)
    return "\n".join([HEAD + made.stdout.decode(), *(_written(name, it) for name, it in CONSTANTS.items())])


def _written(name: str, constant: Constant) -> str:
    holds = msgspec.json.format(msgspec.json.encode(constant.holds), indent=2).decode()
    return f"/** {constant.what} */\nexport const {name}: {constant.type} = {holds}\n"


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
