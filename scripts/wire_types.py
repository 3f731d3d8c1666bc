"""Write the page's TypeScript types for the wire, from the Python types that define it.

    python -m scripts.wire_types            write web/src/api/wire.ts, and page/wire.ts of each game
    python -m scripts.wire_types --check    fail if they are out of date

json-schema-to-typescript does the work, with the Node that builds the page. The types for a game's view are in the
module `wire` next to the game's rules: its types as `TOLD`, and its tables as `CONSTANTS`.
"""

import re
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from inspect import cleandoc
from os.path import relpath
from pathlib import Path
from typing import Any

import msgspec

from cardhouse.engine import Mistake, find_game, game_names
from cardhouse.engine.values.portraits import FACES
from cardhouse.server.files.forms import FormFilled, FormRead, FormResponse
from cardhouse.server.files.print_jobs import Print, PrintRequest
from cardhouse.server.lab.requests import ChangeableRequest, SensitivityRequest, StudyRequest, TuneRequest
from cardhouse.server.lab.responses import LabRun, LabSummary
from cardhouse.server.lab.sensitivity_responses import LabChangeable
from cardhouse.server.management.administration import HouseOverview, LinkResponse
from cardhouse.server.management.campaign_view import Campaign, Characters
from cardhouse.server.management.campaigns import CampaignBack, CreateCampaignResponse
from cardhouse.server.management.fork import ForkRequest, LabFromHere
from cardhouse.server.table.encounters import Brought
from cardhouse.server.table.invites import PlayerSeats, SeatRequest, SeatTaken
from cardhouse.server.transcripts.recap import RecapResponse
from cardhouse.server.transcripts.transcript_export import Deal
from cardhouse.server.wire import protocol
from hatch_build import node_on_path, npm

ROOT = Path(__file__).resolve().parent.parent
WEB = ROOT / "web"
COMMON = "web/src/api/wire.ts"
"""The types that belong to no game."""

HEAD = """/*
 * What crosses the wire, as the server's Python defines it.
 * Made by `python -m scripts.wire_types`; changed by changing that Python.
 */

"""


def told() -> list[type]:
    """Return all wire types: frames, invites, deals, mistakes in files, the lab's, and the games'."""
    every_frame = [*protocol.FromClient.__subclasses__(), *protocol.FromServer.__subclasses__()]
    lab = [
        LabSummary,
        StudyRequest,
        SensitivityRequest,
        TuneRequest,
        ChangeableRequest,
        LabChangeable,
        LabRun,
        LabFromHere,
    ]
    of_games = [kind for game in game_names() for kind in _of_game(game).TOLD]
    printing = [Print, PrintRequest, FormResponse, FormFilled, FormRead]
    door = [PlayerSeats, SeatRequest, SeatTaken, ForkRequest]
    campaigns = [Campaign, Characters, CampaignBack, CreateCampaignResponse, Brought]
    administration = [HouseOverview, LinkResponse]
    return [*every_frame, *door, *campaigns, *administration, Deal, RecapResponse, Mistake, *of_games, *lab, *printing]


def _of_game(game: str) -> Any:
    return import_module(f"{find_game(game).__module__.rpartition('.')[0]}.wire")


def schema() -> dict[str, Any]:
    """Return a JSON Schema with a definition for each type, under its Python name, with its docstring.

    If two games have a type of the same name, each gets the game's name as a prefix.
    """
    _, components = msgspec.json.schema_components(told(), ref_template="#/definitions/{name}")
    for name, component in components.items():
        component["title"] = name
        component["description"] = cleandoc(component.get("description", ""))
        component["additionalProperties"] = False
    text = msgspec.json.encode({"title": "Wire", "definitions": components}).decode()
    return msgspec.json.decode(_IN_A_GAME.sub(_with_its_game, text), type=dict[str, Any])


_IN_A_GAME = re.compile(r"cardhouse\.games\.(\w+)\.(?:\w+\.)+(\w+)")


def _with_its_game(found: re.Match[str]) -> str:
    """Return `HackjackCharacterView` for `cardhouse.games.hackjack.view.CharacterView`."""
    return f"{found[1].capitalize()}{found[2]}"


# The files of types.


def file_of(module: str) -> str:
    """Return the page's file with the types of a Python module."""
    found = re.match(r"cardhouse\.games\.(\w+)\.", module)
    return f"src/cardhouse/games/{found[1]}/page/wire.ts" if found else COMMON


def files_of_types() -> dict[str, str]:
    """Return the file of each type, by its name in TypeScript."""
    found: dict[str, str] = {}
    for kind in _structs(msgspec.inspect.multi_type_info(told()), set()):
        own = _with_its_game(name) if (name := _IN_A_GAME.match(f"{kind.__module__}.{kind.__name__}")) else ""
        found |= dict.fromkeys(filter(None, (kind.__name__, own)), file_of(kind.__module__))
    return found


def _structs(about: Any, seen: set[int]) -> Iterator[type]:
    """Yield all types with fields in msgspec's description of some types."""
    if id(about) in seen:
        return
    seen.add(id(about))
    if isinstance(about, (list, tuple)):
        for part in about:
            yield from _structs(part, seen)
    elif isinstance(about, (msgspec.inspect.Type, msgspec.inspect.Field)):
        if isinstance(about, _WITH_FIELDS):
            yield about.cls
        for name in about.__struct_fields__:
            yield from _structs(getattr(about, name), seen)


_WITH_FIELDS = (msgspec.inspect.StructType, msgspec.inspect.NamedTupleType, msgspec.inspect.TypedDictType)


def wires() -> dict[Path, str]:
    """Return the text of each file."""
    files = files_of_types()
    texts: dict[str, list[str]] = {COMMON: []}
    for name, text in _compiled():
        texts.setdefault(files[name], []).append(text)
    texts[COMMON].append(_written("FACES", "The number of portraits for each name, numbered from 0.", "number", FACES))
    for game in game_names():
        module = _of_game(game)
        constants = getattr(module, "CONSTANTS", {})
        texts.setdefault(file_of(module.__name__), []).extend(_written(name, *it) for name, it in constants.items())
    return {
        ROOT / file: HEAD + _imports(file, "".join(found), files) + "\n".join(found) for file, found in texts.items()
    }


def _imports(file: str, text: str, files: dict[str, str]) -> str:
    """Return imports for all types in other files."""
    used: dict[str, list[str]] = {}
    for name in sorted(set(re.findall(r"\b[A-Z]\w+\b", re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)))):
        if files.get(name, file) != file:
            used.setdefault(files[name], []).append(name)
    here = Path(file).parent
    lines = [
        f"import type {{ {', '.join(names)} }} from '{_seen_from(here, other)}'\n" for other, names in used.items()
    ]
    return "".join(lines) + ("\n" if lines else "")


def _seen_from(folder: Path, file: str) -> str:
    """Return the import path of another file: a relative path for a game's, an alias for the page's own."""
    return relpath(file, folder) if file != COMMON else "$page/api/wire.ts"


def _compiled() -> list[tuple[str, str]]:
    """Return each type's name and TypeScript."""
    if not (WEB / "node_modules" / "json-schema-to-typescript").is_dir():
        npm("--version")  # installs the packages
    with node_on_path() as (node, _, environment):
        command = [str(node), "--input-type=module", "-e", _COMPILE]
        asked = msgspec.json.encode(schema())
        made = subprocess.run(command, cwd=WEB, env=environment, input=asked, capture_output=True, check=True)
    text = made.stdout.decode()
    starts = [
        *re.finditer(r"^(?:/\*\*(?:(?!\*/).)*\*/\n)?export (?:interface|type) (\w+)", text, re.DOTALL | re.MULTILINE)
    ]
    ends = [*(found.start() for found in starts[1:]), len(text)]
    return [(found[1], text[found.start() : end]) for found, end in zip(starts, ends, strict=True)]


def _written(name: str, what: str, kind: str, holds: Any) -> str:
    """Return a table of the rules for the page: its description, TypeScript type, and content."""
    text = msgspec.json.format(msgspec.json.encode(holds), indent=2).decode()
    return f"/** {what} */\nexport const {name}: {kind} = {text}\n"


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
    """Write the types, or check whether they are out of date."""
    made = wires()
    if "--check" not in arguments:
        for file, text in made.items():
            file.write_text(text, "utf-8")
        return 0
    stale = [file for file, text in made.items() if not file.exists() or file.read_text("utf-8") != text]
    for file in stale:
        print(f"{file.relative_to(ROOT)} is stale: run 'python -m scripts.wire_types'.", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
